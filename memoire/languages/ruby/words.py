"""The words of Ruby that no project name may replace."""

_KEYWORDS = (
    "BEGIN END __END__ __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined? do "
    "else elsif end ensure false for if in module next nil not or redo rescue retry return self super "
    "then true undef unless until when while yield"
)
"""Source: https://docs.ruby-lang.org/en/3.3/keywords_rdoc.html"""
_KERNEL = (
    "attr attr_accessor attr_reader attr_writer alias_method define_method private public protected "
    "module_function private_class_method private_constant public_class_method include extend prepend "
    "refine using require require_relative load autoload raise fail loop lambda proc catch throw "
    "block_given? binding caller caller_locations __method__ __dir__ freeze frozen? instance_variable_get "
    "instance_variable_set is_a? kind_of? respond_to? nil? object_id public_send method methods "
    "instance_of? define_singleton_method singleton_class class_eval instance_eval module_eval "
    "instance_exec class_exec const_get const_set method_missing respond_to_missing?"
)
"""Methods of `Kernel`, `Module` and `Object` that code seldom defines anew."""

RESERVED = frozenset((*_KEYWORDS.split(), *_KERNEL.split(), *(f"_{number}" for number in range(1, 10))))

_STANDARD_WORDS = (
    "abbrev base64 benchmark bigdecimal bundler cgi coverage csv date dbm debug delegate did_you_mean "
    "digest drb English erb error_highlight etc expect fcntl fiddle fileutils find forwardable gdbm "
    "getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf objspace observer open- "
    "uri open3 openssl optparse optionparser ostruct pathname pp prettyprint prime profile pstore psych "
    "pty racc rbconfig rdoc readline reline resolv resolv-replace rinda ripper rubygems securerandom set "
    "shellwords singleton socket stringio strscan syslog tempfile thread time timeout tmpdir tracer tsort "
    "un unicode_normalize uri weakref webrick win32ole yaml zlib enumerator fiber rational complex "
    "continuation ractor random"
)
STANDARD = frozenset(_STANDARD_WORDS.split())
"""The libraries that come with Ruby, by the first part of what `require` names. Source: https://stdgems.org/"""

_CORE_WORDS = (
    "ARGF ARGV ArgumentError Array BasicObject Bignum Binding Class ClosedQueueError Comparable Complex "
    "ConditionVariable Data Dir ENV EOFError Encoding EncodingError Enumerable Enumerator Errno Exception "
    "FalseClass Fiber FiberError File FileTest Fixnum Float FloatDomainError FrozenError GC Hash IO "
    "IOError IndexError Integer Interrupt Kernel KeyError LoadError LocalJumpError Marshal MatchData Math "
    "Method Module Mutex NameError NilClass NoMatchingPatternError NoMatchingPatternKeyError "
    "NoMemoryError NoMethodError NotImplementedError Numeric Object ObjectSpace Proc Process Queue "
    "RUBY_ENGINE RUBY_PLATFORM RUBY_VERSION Ractor Random Range RangeError Rational Refinement Regexp "
    "RegexpError RubyVM RuntimeError STDERR STDIN STDOUT ScriptError SecurityError Set Signal "
    "SignalException SizedQueue StandardError StopIteration String Struct Symbol SyntaxError "
    "SystemCallError SystemExit SystemStackError Thread ThreadError ThreadGroup Time TracePoint TrueClass "
    "TypeError UnboundMethod UncaughtThrowError Warning ZeroDivisionError"
)
CORE = frozenset(_CORE_WORDS.split())
"""The constants that Ruby defines before any file is read: a project may open them again, but they are not its own.
Source: `ruby --disable-gems -e 'puts Object.constants'`, Ruby 3.1."""
