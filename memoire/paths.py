"""Where a project is, where its state lives, and how its paths are written.

Imports the smallest part of the standard library: the forwarder and the hooks pay for it at every start. So paths are
strings, not `Path` (its import costs half a Python start), and hashes are FNV-1a (hashlib loads OpenSSL).
"""

import os
import pwd
import stat
import unicodedata

from memoire.errors import StoreUnavailableError, UnsafeFolderError

AnyPath = str | os.PathLike[str]

CONFIG_DIR = ".memoire"
"""In the project: what may be committed, and one ignored line."""

CONFIG_FILE = ".memoire/config.toml"
NOTES_FILE = ".memoire/notes.jsonl"
LOCAL_FILE = ".memoire/local"
"""One line, ignored by git: the state folder, for the shell hooks."""

SOCKET_PATH_BYTES = 100
"""Longest path of a socket, bytes. Source: sun_path holds 104 bytes on macOS, 108 on Linux, its NUL included."""

# fmt: off
_SYSTEM = frozenset((
    "/Applications", "/Library", "/System", "/Users", "/Volumes", "/bin", "/boot", "/dev", "/etc", "/home", "/lib",
    "/lib32", "/lib64", "/media", "/mnt", "/nix", "/opt", "/private", "/private/etc", "/private/tmp",
    "/private/var", "/proc", "/root", "/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/usr/lib", "/usr/local",  # noqa: S108
    "/usr/share", "/var", "/var/lib", "/var/log", "/var/tmp",  # noqa: S108 - refused, not used
))
# fmt: on
_PERSONAL = ("Desktop", "Documents", "Downloads", "Library", ".ssh", ".gnupg", ".aws", ".config", ".local", ".cache")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")


def find_root(start: AnyPath) -> str:
    """Return the real path of the project that `start`, a folder or file, belongs to.

    The nearest parent with a `.memoire/` folder, not beyond the first `.git` (file or folder, so a worktree or a
    submodule is a project of its own); else the git work tree; else `start` itself.
    """
    top = real(start)
    while not os.path.isdir(top) and os.path.dirname(top) != top:
        top = os.path.dirname(top)
    folder, home = top, home_dir()
    while True:
        if _is_marked(folder, home) or os.path.lexists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return top
        folder = parent


def is_initialized(root: AnyPath) -> bool:
    """Return whether `memoire init` was run in the folder: a person said yes to it."""
    return _is_folder(os.path.join(root, CONFIG_DIR)) and os.path.isfile(os.path.join(root, CONFIG_FILE))


def refuse_reason(root: AnyPath) -> str:
    """Return what makes the folder too large or too private to index, worded for `RefusedRootError`; empty if fine.

    One that was set up is fine: a person insisted on it, with `memoire init --force`.
    """
    folder, home = real(root), home_dir()
    if is_initialized(folder):
        return ""
    states = os.path.join(home, ".local", "state", "memoire")
    is_personal = os.path.dirname(folder) == home and os.path.basename(folder) in _PERSONAL
    reasons = (
        (folder == "/", "the root of the file system"),
        (folder == home, "your home directory"),
        (home.startswith(f"{folder}/"), "a parent of your home directory"),
        (folder in _SYSTEM or folder.startswith(("/proc/", "/sys/", "/dev/")), "a system directory"),
        (is_personal and not os.path.lexists(os.path.join(folder, ".git")), "a folder of personal files"),
        (f"{folder}/".startswith(f"{states}/"), "the state folder of memoire itself"),
        (".git" in folder.split("/"), "inside a `.git` folder"),
        (os.path.islink(os.path.join(folder, CONFIG_DIR)), "a folder whose `.memoire` is a symbolic link"),
        (not os.path.isdir(folder), "not a directory"),
    )
    return next((why for is_so, why in reasons if is_so), "")


def config_dir(root: AnyPath) -> str:
    """Return the path of `.memoire` in the project, which need not exist.

    Raises:
        UnsafeFolderError: It is a symbolic link or no folder: a clone could point it anywhere.
    """
    folder = os.path.join(root, CONFIG_DIR)
    if os.path.lexists(folder) and not _is_folder(folder):
        raise UnsafeFolderError(folder, "is a symbolic link or no folder")
    return folder


def home_dir() -> str:
    """Return the real path of the user's home: HOME, else the user database, always the same for one user.

    A root process with another user's HOME (`sudo`) uses its own, so that no file of root appears in a user's home.
    """
    home = os.environ.get("HOME", "")
    uid = os.geteuid()
    try:
        if not home.startswith("/") or (uid == 0 and os.stat(home).st_uid != 0):
            home = pwd.getpwuid(uid).pw_dir
    except (KeyError, OSError):
        home = home if home.startswith("/") else f"/tmp/memoire-home-{uid}"  # noqa: S108 - checked by _make_private
    return os.path.realpath(home)


def state_dir(root: AnyPath) -> str:
    """Return the folder of the project's database, index and logs, made with mode 0700 where missing.

    It depends on the user and the real path of the project alone: clients pass their servers hardly any environment,
    and two paths would be two daemons.

    Raises:
        UnsafeFolderError: It belongs to another user, or is a link or a file.
        StoreUnavailableError: It cannot be made: no permission, no space, a file in its way.
        FileNotFoundError: Another process removed it at this moment.
    """
    folder = state_path(root)
    states = os.path.dirname(folder)
    try:
        os.makedirs(os.path.dirname(states), mode=0o700, exist_ok=True)
        if not os.path.isdir(states):  # may be a link: a user may keep it on another disk
            _make_private(states, mend=True)
        return _make_private(folder, mend=True)
    except FileNotFoundError:
        raise
    except OSError as error:
        where = f" ({os.fsdecode(error.filename)})" if error.filename else ""
        raise StoreUnavailableError(folder, f"{(error.strerror or str(error)).lower()}{where}") from error


def state_path(root: AnyPath) -> str:
    """Return where `state_dir` is or would be; nothing is made."""
    folder = real(root)
    return os.path.join(home_dir(), ".local", "state", "memoire", f"{_slug(folder)[:40]}-{_fnv64(folder)}")


def socket_path(root: AnyPath) -> str:
    """Return the path of the daemon's socket; the folder is made, mode 0700, and checked to be this user's.

    Raises:
        UnsafeFolderError: Somebody else owns the folder, or it is open to others, or a link.
        StoreUnavailableError: The folder cannot be made.
    """
    path = os.path.join(state_dir(root), "daemon.sock")
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        return path
    # Not the temporary directory of the environment: the daemon and its clients would disagree about it.
    folder = _make_private(f"/tmp/memoire-{os.geteuid()}", mend=False)  # noqa: S108 - owner, mode and type are checked
    return f"{folder}/{_fnv64(os.path.dirname(path))}.sock"


def write_local(root: AnyPath) -> bool:
    """Write `.memoire/local`, the line that names the state folder; return whether it had to be written.

    Raises:
        UnsafeFolderError: `.memoire` is a symbolic link.
        OSError: It cannot be written.
    """
    path = os.path.join(config_dir(root), "local")
    line = os.fsencode(state_dir(root)) + b"\n"
    try:
        with open(path, "rb") as file:
            if not os.path.islink(path) and file.read(4096) == line:
                return False
    except FileNotFoundError:
        pass
    fresh = f"{path}.{os.getpid()}"
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644), "wb") as file:
        file.write(line)
    os.replace(fresh, path)
    return True


def project_id(root: AnyPath) -> str:
    """Return the id of the project: what `.memoire/config.toml` says, else the directory name, `_`, 8 hex digits.

    The hex digits derive from the real path, so the id is the same before and after `memoire init`.
    """
    folder = real(root)
    if _is_folder(os.path.join(folder, CONFIG_DIR)):
        try:
            with open(os.path.join(folder, CONFIG_FILE), "rb") as file:
                found = _read_id(file.read(65536).decode("utf-8", "replace"))
        except OSError:
            found = ""
        if found:
            return found
    return f"{_slug(folder)[:60]}_{_fnv64(folder)[:8]}"


def is_project_id(text: str) -> bool:
    """Return whether the text may be a project id: 1 to 80 of `a-z A-Z 0-9 . _ -`, no dot first."""
    return 0 < len(text) <= 80 and not text.startswith(".") and _WORD.issuperset(text.lower()) and text.isascii()


def git_dir(root: AnyPath) -> str:
    """Return the git directory of the work tree whose top is `root` (a linked worktree has its own); empty if none."""
    dot = os.path.join(root, ".git")
    if os.path.isdir(dot):
        return dot
    text = _first_line(dot)
    if not text.startswith("gitdir:"):
        return ""
    return os.path.normpath(os.path.join(root, text[7:].strip()))


def git_common_dir(root: AnyPath) -> str:
    """Return the git directory that all worktrees of one repository share; empty if none."""
    own = git_dir(root)
    common = _first_line(os.path.join(own, "commondir")) if own else ""
    return os.path.realpath(os.path.join(own, common)) if own else ""


def to_rel(root: AnyPath, given: str) -> str | None:
    """Return the `RelPath` that a caller means by `given`, the empty string for the root, None where it leads outside.

    `x`, `x/`, `./x`, `a/../x`, an absolute path and a path through a symbolic link inside the project are the same
    `x`. It need not exist. A path whose real path is outside the root is none, whatever it looks like.
    """
    try:
        raw = _encode(given)
        top = os.path.realpath(os.fsencode(root))
        if b"\0" in raw or len(raw) > 4096:  # no system takes a longer one
            return None
        path = os.path.realpath(os.path.join(top, raw))
        if path == top:
            return ""
        prefix = top.rstrip(b"/") + b"/"
        if not path.startswith(prefix):
            return None
        return unicodedata.normalize("NFC", path[len(prefix) :].decode("utf-8"))
    except (ValueError, OSError):  # not UTF-8
        return None


def to_disk(root: AnyPath, rel: str) -> bytes:
    """Return the path on disk, as bytes, of a `RelPath`: its name there may be UTF-8 that is not NFC.

    Bytes, because under `LC_ALL=C` Python cannot write most names as text.
    """
    top = os.fsencode(root)
    path = os.path.join(top, rel.encode("utf-8", "surrogateescape")) if rel else top
    if rel.isascii() or os.path.lexists(path):
        return path
    found = top
    for part in rel.split("/"):
        found = os.path.join(found, _name_on_disk(found, part))
    return found


def real(path: AnyPath) -> str:
    """Return the real path, spelled as on disk where the file system ignores case: one folder, one spelling."""
    whole = os.path.realpath(path)
    spelled = "/"
    for part in whole.split("/")[1:]:
        spelled = os.path.join(spelled, _spelling(spelled, part))
    return spelled


def _spelling(folder: str, name: str) -> str:
    given, other = os.path.join(folder, name), os.path.join(folder, name.swapcase())
    try:
        if name == name.swapcase() or not os.path.samestat(os.lstat(given), os.lstat(other)):
            return name
        names = os.listdir(folder)
    except OSError:
        return name
    if name in names:
        return name
    folded = [entry for entry in names if _fold(entry) == _fold(name)]
    return folded[0] if len(folded) == 1 else name


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _name_on_disk(folder: bytes, name: str) -> bytes:
    raw = name.encode("utf-8", "surrogateescape")
    if name.isascii() or os.path.lexists(os.path.join(folder, raw)):
        return raw
    try:
        entries = os.listdir(folder)
    except OSError:
        return raw
    for entry in sorted(entries):
        if unicodedata.normalize("NFC", entry.decode("utf-8", "surrogateescape")) == name:
            return entry
    return raw


def _encode(given: str) -> bytes:
    try:
        return given.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(given)  # an argument of the command line under another locale


def _is_marked(folder: str, home: str) -> bool:
    if not _is_folder(os.path.join(folder, CONFIG_DIR)):
        return False
    # A stray `~/.memoire` would make one project of everything the user has.
    is_above_home = folder in {"/", home} or home.startswith(f"{folder}/")
    return not is_above_home or os.path.isfile(os.path.join(folder, CONFIG_FILE))


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _make_private(folder: str, *, mend: bool) -> str:
    """Return the folder, made with mode 0700; `mend` narrows the mode of one of ours instead of refusing it."""
    try:  # noqa: SIM105 - contextlib costs the hook 3 ms
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise UnsafeFolderError(folder, "is a link or a file")
    if found.st_uid != os.geteuid():
        raise UnsafeFolderError(folder, "belongs to another user")
    if stat.S_IMODE(found.st_mode) != 0o700:
        if not mend:
            raise UnsafeFolderError(folder, "is open to other users")
        os.chmod(folder, 0o700)
    return folder


def _read_id(text: str) -> str:
    """Return the top-level `project_id` of the file; a full TOML parser costs the hook more than it may use."""
    for line in text.splitlines():
        key, equals, value = line.strip().lstrip("\ufeff").partition("=")
        if key.startswith("["):
            break
        value = value.strip()
        if equals and key.strip().strip("\"'") == "project_id" and value[:1] in {'"', "'"}:
            found = value[1:].partition(value[0])[0]
            return found if is_project_id(found) else ""
    return ""


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(4096).split(b"\n")[0]).strip()
    except OSError:
        return ""


def _slug(folder: str) -> str:
    """Return the directory name in lower case, anything but letters, digits, `.`, `_` and `-` replaced by `_`."""
    name = os.fsencode(os.path.basename(folder)).decode("utf-8", "replace").lower().lstrip(".")
    return "".join(letter if letter in _WORD else "_" for letter in name) or "root"


def _fnv64(text: str) -> str:
    """Return the 64-bit FNV-1a hash, 16 hex digits. Source: Fowler, Noll, Vo; draft-eastlake-fnv."""
    value = 0xCBF29CE484222325
    for byte in os.fsencode(text):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"
