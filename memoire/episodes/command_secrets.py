"""Secrets as programs take them on a command line: where a value stands tells what it is.

Tried on command lines alone, which are short: over all source text each would cost a pass, and find words of prose.
Source: the manual of each program.
"""

import re
from collections.abc import Iterator

from memoire.episodes.secret_shapes import kind_of_name

_WORD = r"'[^'\n]*'|\"[^\"$\n]*\"|[^\s<$'\"\-;|&][^\s;|&]*"
"""A value that is no variable, placeholder or option."""


def _after(programs: str, option: str, value: str = _WORD) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the shapes of some programs, and of the values behind an option of theirs."""
    program = re.compile(rf"(?<![\w.\-])(?:{programs})(?=[ \t])")
    return program, re.compile(rf"(?<=[ \t])(?:{option})(?P<value>(?!\*\*\*)(?:{value}))")


def _operand(command: str, before: int = 0, value: str = _WORD) -> str:
    """Return the shape of an operand behind a command, some operands and any options further."""
    options, operands = r"(?:[ \t]+-[^\s;|&]+){0,8}", rf"(?:[ \t]+[^\s\-;|&][^\s;|&]*){{{before}}}"
    return rf"(?<![\w.\-])(?:{command}){options}{operands}[ \t]+(?P<value>{value})"


_OPTIONS = (
    _after("curl", r"(?:--oauth2-bearer|--pass|--proxy-pass|--tlspassword)[ =]"),
    _after("curl", r"(?:-b|--cookie)[ =]?", r"'[\w.\-]+=[^'\n]*'|\"[\w.\-]+=[^\"$\n]*\"|[\w.\-]+=[^\s$;|&]+"),
    _after("https?|xhs?", r"(?:-a|--auth)[ =]?[\"']?[^\s:\"'$<]{1,100}:", r"[^\s\"'$<;|&]+"),
    _after("mongo(?:sh|dump|restore|export|import)?", r"-p[ \t]+"),
    _after("sqlcmd|bcp|isql|tsql", r"-P[ \t]*"),
    _after("cqlsh|crackmapexec|netexec|nxc|evil-winrm|ncftp(?:put|get|ls)?|rdesktop|twine|influx|kinit", r"-p[ \t]+"),
    _after("x?freerdp|xfreerdp3", r"/p:"),
    _after("zip|unzip|zipcloak", r"-P[ \t]*"),
    _after("7z|7za|7zr|7zz", r"-p"),
    _after("rar|unrar", r"-h?p"),
    _after("keytool|jarsigner|apksigner", r"-(?:src|dest|dst)?(?:store|key)pass[ =]"),
    _after("useradd|usermod", r"-p[ \t]*"),
    _after("nmcli", r"password[ \t]+"),
    _after(r"snmp\w+", r"-[AXc][ \t]+"),
    _after("lftp", r"-u[ \t]*[^\s,;|&]{1,100},"),
    _after("vercel|doctl", r"(?:-t|--access-token)[ =]"),
    _after("netlify", r"--auth[ =]"),
    _after("nuget", r"-(?:k|ApiKey)[ \t]+"),
    _after("ssh-keygen|ssh-add|cryptsetup", r"-[NP][ \t]+"),
    _after(r"aws[ \t][^\n|;&]{0,300}put-parameter(?=[^\n|;&]{0,500}SecureString)", r"--value[ =]"),
)
_SHAPES = (
    _operand(r"openssl[ \t]+passwd"),
    r"(?<![\w.\-])(?:sqlplus|sqlcl)(?:[ \t]+-\S+){0,8}[ \t]+[^\s/'\"$<\-][^\s/;|&]{0,100}/(?P<value>[^\s@;|&$]+)",
    _operand("rabbitmqctl (?:add_user|change_password|authenticate_user)", 1),
    _operand("net user", 1, r"[^\s/*<$\-;|&][^\s;|&]*"),
    _operand("wpa_passphrase|mkpasswd -s|bw login", 1),
    _operand("ansible-vault encrypt_string|cargo login|rclone obscure|bw unlock|ngrok authtoken"),
    _operand("ngrok config add-authtoken"),
    _operand(r"(?:poetry|composer) config (?:--\S+ ){0,4}(?:pypi-token|git\w+-(?:oauth|token)|bearer)[.\w\-]*"),
    _operand(r"(?:poetry|composer) config (?:--\S+ ){0,4}(?:http-basic|bitbucket-oauth)[.\w\-]*", 1),
    _operand(r"pulumi config set(?=[^\n;|&]{0,300} --secret)", 1),
    _operand("mc (?:alias set|config host add)", 3),
    _operand("bundle config(?: set)?", 1, r"[^\s:/$<]{1,100}:[^\s;|&$<]+"),
    r"<<<[ \t]*(?!\"?\$\{?\w+\}?\"?(?:\s|$))(?P<value>'[^']*'|\"(?:[^\"\\]|\\[\s\S])*\"|[^\s;|&<>()'\"]+)",
    r"\b(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+)?(?P<value>'[^'\n]*'|\"[^\"$\n]*\"|[^\s$'\"|;&<\-][^\s|;&]*)"
    r"[ \t]*\|[ \t]*"
    r"(?=[^\n|;]{0,300}(?:--[\w\-]*stdin|--with-token|--passphrase-fd)|sudo[ \t][^\n|;]{0,100}-\w*S"
    r"|(?:sudo[ \t]+)?(?:kinit|passwd|smbpasswd|cryptsetup|vault|pass[ \t]+insert|secret-tool|ssh-add"
    r"|(?:docker|podman|gh|fly|flyctl|wrangler|gcloud|vercel|doppler)[ \t]+(?:secrets?|env))\b)",
    r"(?<![\w.\-])[MNO][A-Za-z0-9]{23,25}\.(?P<value>[\w\-]{6}\.[\w\-]{27,38})",
    r"(?<![\w.\-])pat[A-Za-z0-9]{14}\.(?P<value>[a-f0-9]{64})",
)
_VALUES = tuple(re.compile(shape) for shape in _SHAPES)
_SIMPLE = re.compile(r"[^\n|;&]+")

_NAMED = re.compile(
    r"(?:(?<![\w.\-/:$])(?P<assigned>[A-Za-z_][\w.\-]{0,100})="
    r"|(?<![\w\-])(?:setenv|setx|set[ \t]+-\w*x\w*)[ \t]+(?P<set>\w{1,100})[ \t]+"
    r"|(?<![\w\-])git[ \t]+config(?:[ \t]+--?\w[\w\-]*){0,4}[ \t]+(?P<config>[\w.\-]{1,200})[ \t]+)"
    r"(?P<value>'[^'\n]*'|\"[^\"$\n]*\"|(?![.\[(^\\*])[^\s<$'\"\-;|&,][^\s;|&'\",]*)"
)
"""A name and the value given to it, in the ways of shells and of `git config`."""
_OF_PROGRAMS = re.compile(r"[A-Z][A-Z0-9_]*(?<!BY)(?:PASS|_AUTH|_PW|_PSK)|PGPASS")

KEEPERS = re.compile(
    r"(?:^|(?<=[;&|(]))[ \t]*(?:sudo[ \t]+)?(?:vault[ \t]+(?:kv[ \t]+put|kv[ \t]+patch|write|login|unwrap)"
    r"|op[ \t]+(?:item|signin|read|run)|pass[ \t]+(?:insert|edit|generate)|aws[ \t]+configure[ \t]+set"
    r"|aws[ \t]+secretsmanager[ \t]+\w[\w-]*|(?:gh|glab)[ \t]+(?:auth[ \t]+login|secret[ \t]+set)"
    r"|heroku[ \t]+config:set"
    r"|(?:fly|flyctl|wrangler|doppler|firebase)[ \t]+secrets?[ \t]+\w+|(?:kubectl|oc)[ \t]+create[ \t]+secret"
    r"|atuin[ \t]+login|(?:npm|pnpm|yarn)[ \t]+config[ \t]+set|git[ \t]+credential\S*|ssh-keygen|gpg|keyring[ \t]+set"
    r"|security[ \t]+add-\S+|dotnet[ \t]+user-secrets[ \t]+set|chezmoi[ \t]+secret)"
    r"[ \t]+(?P<value>[^\n;&|]+)",
    re.MULTILINE,
)
"""Programs that keep secrets: all they are given is masked."""


def given_values(command: str) -> Iterator[re.Match[str]]:
    """Yield what may be a secret in a command line; the group `value` of each is where it stands."""
    for simple in _SIMPLE.finditer(command):
        for program, option in _OPTIONS:
            found = program.search(command, *simple.span())
            if found is not None:
                yield from option.finditer(command, found.end(), simple.end())
    for shape in _VALUES:
        yield from shape.finditer(command)
    yield from filter(_is_secret_name, _NAMED.finditer(command))


def _is_secret_name(found: re.Match[str]) -> bool:
    """Return whether what `_NAMED` found is given to a name that holds secrets."""
    name = found["assigned"] or found["set"] or found["config"]
    return bool(kind_of_name(name)) or _OF_PROGRAMS.fullmatch(name) is not None
