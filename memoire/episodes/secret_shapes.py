"""What secrets look like by themselves, and the names under which they are kept.

Source of the shapes: what the issuers document, and the pattern lists of gitleaks and atuin.
"""

import re

TOKEN = re.compile(
    r"(?<![A-Za-z0-9/+])(?:"
    r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}"
    r"|gl(?:pat|ptt|dt|rt|soat|ft|imt|agent|cbt|oas)-[A-Za-z0-9_\-]{20,}"
    r"|xox[abeoprs]-[A-Za-z0-9\-]{10,}|xapp-[0-9]-[A-Za-z0-9\-]{10,}"
    r"|(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{20,}"
    r"|sk-(?:ant|proj|svcacct|admin|or|lf|live|test)-[A-Za-z0-9_\-]{16,}|sk-[A-Za-z0-9]{32,}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|AIza[A-Za-z0-9_\-]{35}|GOCSPX-[A-Za-z0-9_\-]{20,}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_\-]{50,}|rubygems_[a-f0-9]{48}|dckr_pat_[A-Za-z0-9_\-]{20,}"
    r"|do[opr]_v1_[a-f0-9]{64}|hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{36,}"
    r"|tvly-[A-Za-z0-9\-]{20,}|nvapi-[A-Za-z0-9_\-]{40,}|pplx-[A-Za-z0-9]{40,}|lsv2_[a-z]{2}_[A-Za-z0-9_]{30,}"
    r"|pul-[a-f0-9]{40}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0(?:atp|csp|idp)-[A-Za-z0-9_\-]{22,}"
    r"|EAA[A-Za-z0-9]{80,}|figd_[A-Za-z0-9_\-]{30,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}|nf[pcoub]_[A-Za-z0-9]{30,}"
    r"|glsa_[A-Za-z0-9_]{30,}|glc_[A-Za-z0-9]{30,}|sntry[su]_[A-Za-z0-9_]{30,}|AT[AC]TT3[A-Za-z0-9_\-]{50,}"
    r"|NRAK-[A-Z0-9]{27}|dapi[a-f0-9]{32}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|AGE-SECRET-KEY-1[A-Z0-9]{58}"
    r"|key-[a-f0-9]{32}(?![A-Za-z0-9])|ntn_[A-Za-z0-9]{40,}|sbp_[a-f0-9]{40}|phx_[A-Za-z0-9]{40,}"
    r"|CFPAT-[A-Za-z0-9_\-]{43}|ops_eyJ[A-Za-z0-9_\-]{100,}|vercel_[A-Za-z0-9_]{24,}|fm[12]_[A-Za-z0-9]{60,}|EZAK[A-Za-z0-9]{54}"
    r"|tskey-[a-z]{2,10}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}|fo1_[A-Za-z0-9_\-]{40,}"
    r"|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_\-]{30,}"
    r"|CCIP(?:AT|RJ)_[A-Za-z0-9_]{30,}|bkua_[a-f0-9]{40}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])|SK[a-f0-9]{32}(?![A-Za-z0-9])"
    r"|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])|eyJrIjoi[A-Za-z0-9]{60,}"
    r")"
)
"""Tokens of letters, digits, `_` and `-` that start with their issuer's mark."""

DOTTED = (
    ("eyJ", "eyJ", r"(?<![\w\-])eyJ[\w\-]{8,}\.(?:eyJ[\w\-]{4,}|[\w\-]{16,})(?:\.[\w\-]*){0,4}"),
    ("SG.", "SG.", r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}"),
    ("ya29.", "ya29.", r"ya29\.[A-Za-z0-9_\-]{20,}"),
    ("1//0", "1//0", r"(?<![A-Za-z0-9/])1//0[A-Za-z0-9_\-]{30,}"),
    ("hv", "hv", r"hv[bsr]\.[A-Za-z0-9_\-]{20,}"),
    ("dt0c01.", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    (":AA", ":AA", r"(?:(?<![0-9A-Za-z])|(?<=/bot))[0-9]{8,10}:AA[A-Za-z0-9_\-]{32,34}(?![A-Za-z0-9_\-])"),
    ("hook", "hooks.slack.com/", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[A-Za-z0-9_/\-]{20,}"),
    ("hook", "/api/webhooks/", r"(?<=/api/webhooks/)[0-9]{10,}/[A-Za-z0-9_\-]{30,}"),
    ("hook", ".webhook.office.com/", r"(?<=\.webhook\.office\.com/)[A-Za-z0-9@_/\-]{40,}"),
    ("hook", "hooks.zapier.com/", r"(?<=hooks\.zapier\.com/hooks/catch/)[0-9]{4,}/[A-Za-z0-9]{5,}"),
    ("Private-Lines", "Private-Lines", r"Private-Lines: [0-9]{1,3}(?:\r?\n[A-Za-z0-9+/=]{1,80}(?![^\r\n])){1,100}"),
    ("dp.", "dp.", r"(?<![\w.])dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_\-]{2,35}\.)?[A-Za-z0-9]{40,44}(?!\w)"),
    (".atlasv1.", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,}"),
    ("$", "$2", r"\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}"),
    ("$", "$6$", r"\$6\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}"),
    ("$", "$5$", r"\$5\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}"),
    ("$", "$argon2", r"\$argon2(?:id|i|d)\$[A-Za-z0-9$,=+/]{40,}"),
)  # fmt: skip
"""(text that must be there, text of the token itself, shape) of what does not fit into one run of letters."""

PEM = re.compile(
    r"-----BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----(?P<value>"
    r"(?:(?!-----)[\s\S]){1,20000}(?=-----END (?P=what)-----)"
    r"|(?:(?:\\[rn]|\s){1,4}[A-Za-z0-9+/=]{40,80}){1,400})"
)
"""A private key up to its end, or, where that is cut off, as far as its lines go."""


def _option(program: str, option: str, value: str) -> str:
    """Return the shape of a program's option: no further than the next call of the program, so that no text is slow."""
    return rf"\b(?:{program})\b(?:(?!\b(?:{program})\b)[^\n|;]){{0,500}}?[ \t]{option}(?P<value>{value})"


_GIVEN = r"'[^'\n]*'|\"[^\"$\n]*\"|[^\s<$'\"\-][^\s]*"
"""A value on a command line that is no variable, placeholder or option."""
_LOGIN = r"[ =]?[\"']?[^\s:\"'$<]{1,100}:"
_DATABASES = "mysql|mysqldump|mysqladmin|mariadb"
_REGISTRIES = "(?:docker|podman|registry|buildah|az|oc|skopeo|nerdctl) login"
_LDAP = "ldap(?:search|modify|add|delete|whoami)"

_SAID = (
    r"(?i)\b(?:api|access|secret|private) key(?:\s+is|\s*[:=])\s+[\"'`]?"
    r"(?P<value>(?=[^\s\"'`]{0,200}[0-9])[^\s\"'`<>{}()]{8,})"
)

COMMANDS = (
    ("pass", "sshpass", rf"\bsshpass\s+(?:-[a-oq-z]\s+){{0,4}}-p\s*(?P<value>{_GIVEN})"),
    ("mysql", "mysql", _option(_DATABASES, "-p", r"'[^'\n]+'|\"[^\"$\n]+\"|[^\s<$'\"][^\s]*")),
    ("mariadb", "mariadb", _option(_DATABASES, "-p", r"'[^'\n]+'|\"[^\"$\n]+\"|[^\s<$'\"][^\s]*")),
    ("login", " login", _option(_REGISTRIES, r"-p[ \t]*", _GIVEN)),
    ("redis-cli", "redis-cli", _option("redis-cli", "(?:-a|--pass)[ =]", _GIVEN)),
    ("curl", "curl", _option("curl", f"(?:-[a-zA-Z]{{0,6}}u|--user|--proxy-user|-U){_LOGIN}", r"[^\s\"'$<]+")),
    ("http ", "http ", _option("http", f"(?:-a|--auth){_LOGIN}", r"[^\s\"'$<]+")),
    (
        "pass",
        "htpasswd",
        r"\bhtpasswd[ \t]+-[a-zA-Z]*b[a-zA-Z]*[ \t]+\S+[ \t]+(?:\S+[ \t]+)?(?P<value>[^\s<$]+)[ \t]*$",
    ),
    ("pass", "pass:", r"(?<![\w.\-])pass:(?P<value>[^\s\"'$<]{3,})"),
    ("openssl", "openssl", _option("openssl", r"-k[ \t]+", _GIVEN)),
    ("smbclient", "smbclient", _option("smbclient", r"-U[ \t]*[\"']?[^\s%\"']{1,100}%", r"[^\s\"'$<]+")),
    ("ldap", "ldap", _option(_LDAP, r"-w[ \t]*", _GIVEN)),
    ("login", "machine ", r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(?P<value>[^\s<$]+)"),
    (
        "identified by",
        "identified by",
        r"(?i)\b(?:create|alter|grant|set)\b[^\n;]{0,300}?\bidentified by\s+(?P<value>'[^'\n]*'|\"[^\"\n]*\")",
    ),
    (
        "pass",
        "chpasswd",
        r"\becho[ \t]+[\"']?[\w.\-]{1,100}:(?P<value>[^\s\"'|$<]+)[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
    ),
    (" key", "api key", _SAID),
    (" key", "access key", _SAID),
    (" key", "secret key", _SAID),
    (" key", "private key", _SAID),
    ("--from-literal", "--from-literal", r"--from-literal=[\"']?[\w.\-]{1,200}=(?P<value>[^\s\"'$<]+)"),
)
"""(text that must be there, text in the line, both in lower case; shape) of what takes a secret without a telling name.

The first is shared where it can be: every text that is looked for costs a pass over the whole file.
"""

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PASSWORDS = ("password", "passwd", "passphrase", "passcode")
_SHORT_PASSWORDS = frozenset(("pwd", "pass", "psw"))
_SECRETS = ("secret", "token", "credential", "credentials")
_KEYS = ("apikey", "accesskey", "secretkey", "privatekey", "accountkey", "authkey")
_BEFORE_KEY = frozenset(
    [
        "access", "account", "admin", "aes", "api", "auth", "bot", "client", "consumer", "deploy", "encryption", "hmac",
        "jwt", "license", "master", "openai", "private", "registration", "secret", "service", "signing", "ssh",
        "storage", "stripe", "subscription", "webhook",
    ]
)  # fmt: skip
_HARMLESS = frozenset(("PWD", "OLDPWD"))
"""The working directory."""
_PARAMETERS = frozenset(("sig", "signature", "X-Amz-Signature", "code"))
"""What carries a secret as a parameter of a URL only."""


def words_of(name: str) -> list[str]:
    """Return the words that a name in any style is made of, in lower case."""
    return [part.lower() for part in _PARTS.findall(name)]


def kind_of_name(name: str, *, is_parameter: bool = False) -> str:
    """Return `password`, `secret` or the empty string: what a variable, option or field of this name holds.

    The last word decides: `db_password` and `accessToken` hold one, `password_label`, `max_tokens`, `token_type` none.

    Args:
        name: As written.
        is_parameter: Whether it stands in a URL, after `?` or `&`.
    """
    words = words_of(name)
    if not words or words[:-1] == ["public", "key"] or name in _HARMLESS:
        return ""
    last = words[-1]
    if last.endswith(_PASSWORDS) or (last in _SHORT_PASSWORDS and (len(words) > 1 or name.isupper() or last == "pwd")):
        return "password"
    if is_parameter and name in _PARAMETERS:
        return "secret"
    if last.endswith(_SECRETS) or last.endswith(_KEYS) or words[-3:] == ["secret", "key", "base"]:
        return "secret"
    if last == "key" and len(words) > 1 and words[-2] in _BEFORE_KEY:
        return "secret"
    return "secret" if name == "_auth" else ""
