"""Which headers the C and C++ standards, POSIX and the operating systems bring. Pure.

Source: the lists of headers in ISO C23 (7.1.2), ISO C++23 (16.4.2.3) and POSIX.1-2024, and the Linux, Windows and
Darwin headers that programs include most.
"""

_C = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "
    "stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype"
)
_POSIX = (
    "aio cpio devctl dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl mqueue ndbm "
    "monetary netdb nl_types poll pthread pwd regex sched search semaphore spawn strings stropts syslog tar termios "
    "trace ulimit unistd utime utmpx wordexp alloca byteswap crypt err error execinfo features fts getopt ifaddrs "
    "link malloc mntent obstack paths pty resolv shadow stdio_ext sysexits termio ucontext ustat utmp values varargs "
    "memory windows winsock winsock2 ws2tcpip io direct process conio tchar malloc winbase windef shlobj shlwapi "
    "intrin immintrin emmintrin xmmintrin x86intrin arm_neon cpuid TargetConditionals Availability elf aliases "
    "kvm libutil ncurses curses term"
)
_CPP = (
    "algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono "
    "cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable contracts coroutine "
    "csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar "
    "cwctype cxxabi.h debugging deque exception execution expected filesystem flat_map flat_set format forward_list "
    "fstream functional future generator hazard_pointer initializer_list inplace_vector iomanip ios iosfwd iostream "
    "istream iterator latch limits linalg list locale map mdspan memory memory_resource mutex new numbers numeric "
    "optional ostream print queue random ranges ratio rcu regex scoped_allocator semaphore set shared_mutex simd "
    "source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string "
    "string_view strstream syncstream system_error text_encoding thread tuple type_traits typeindex typeinfo "
    "unordered_map unordered_set utility valarray variant vector version"
)
_FOLDERS = ("sys/", "arpa/", "net/", "netinet/", "bits/", "linux/", "asm/", "machine/", "mach/", "mach-o/", "libkern/")
_NAMES = frozenset(f"{name}.h" for name in f"{_C} {_POSIX}".split()) | frozenset(_CPP.split())


def is_system_header(written: str) -> bool:
    """Return whether an include names a header of the language or of an operating system."""
    return written in _NAMES or written.startswith(_FOLDERS)
