"""Draws the files that `benchmarks/effects/labels.jsonl` judges: by a seed, half of them likely to act on the world.

    python -m benchmarks.effects_sample --mirrors DIR

Prints one line a file: repository, commit, language, stratum and path. `DIR/<owner>+<name>/repo` is a bare repository;
its newest commit is taken. The order within a stratum is that of the hash of seed, repository and path, so whoever has
the same commits draws the same files, and nobody has chosen them.
"""

import argparse
import hashlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from posixpath import basename, splitext

SEED = "effects-1"
WANTED = {"likely": 5, "other": 3}
"""Files a repository, by stratum."""
LINES = (25, 300)
"""Lines of a file that is drawn, at least and at most: short enough to be read whole."""
BYTES = 13_000

REPOSITORIES = {
    "healthchecks/healthchecks": "python",
    "searxng/searxng": "python",
    "getpelican/pelican": "python",
    "umami-software/umami": "typescript",
    "louislam/uptime-kuma": "typescript",
    "sindresorhus/np": "typescript",
    "miniflux/v2": "go",
    "filebrowser/filebrowser": "go",
    "atuinsh/atuin": "rust",
    "sharkdp/hyperfine": "rust",
    "sismics/docs": "java",
    "signalapp/Signal-Server": "java",
    "mihonapp/mihon": "kotlin",
    "tmux/tmux": "c",
    "sqlitebrowser/sqlitebrowser": "cpp",
    "Radarr/Radarr": "csharp",
    "jellyfin/jellyfin": "csharp",
    "huginn/huginn": "ruby",
    "postalserver/postal": "ruby",
    "BookStackApp/BookStack": "php",
    "composer/composer": "php",
    "XcodesOrg/xcodes": "swift",
    "pi-hole/pi-hole": "shell",
    "gitbucket/gitbucket": "scala",
    "localsend/localsend": "dart",
    "livebook-dev/livebook": "elixir",
    "luarocks/luarocks": "lua",
}
"""Applications, none of which the tables of effects were written after."""

_SUFFIXES = {
    "python": ".py",
    "typescript": ".ts .tsx .js .jsx .mjs .cjs",
    "go": ".go",
    "rust": ".rs",
    "java": ".java",
    "kotlin": ".kt",
    "c": ".c",
    "cpp": ".cpp .cc",
    "csharp": ".cs",
    "ruby": ".rb",
    "php": ".php",
    "swift": ".swift",
    "shell": ".sh",
    "scala": ".scala",
    "dart": ".dart",
    "elixir": ".ex",
    "lua": ".lua",
}
_LEFT_OUT = re.compile(
    r"(^|/)(tests?|specs?|__tests__|__mocks__|fixtures?|vendor|vendors|third_party|libs|node_modules|\w*[mM]igrat\w*"
    r"|docs?|samples|resources"
    r"|examples?|testing|cypress|e2e|test_?util\w*|\w*Tests?|androidTest|commonTest|lang|locales?|i18n|generated"
    r"|gen|proto|compat|[^/]*Test|[^/]*\.Tests?)/"
    r"|(^|/)(test_[^/]*|[^/]*_(test|spec)\.\w+|\.[^/]*|[^/]*(Fixture|_patch|routes|urls)\.\w+"
    r"|[^/]*\.(test|spec|stories|d|g|freezed|mapper|gen|min|config|pb|blade)\.\w+"
    r"|[^/]*(Tests?|Spec|IT)\.\w+|conftest\.py|setup\.py)$"
)
_LIKELY = {
    # What a file that acts on the world tends to say; a net to draw with, not a judgement.
    "python": r"^\s*(import|from) (os|shutil|pathlib|subprocess|socket|requests|httpx|urllib\.request|smtplib|sqlite3"
    r"|redis|tempfile|http\.client|glob|signal|asyncio)\b|\bopen\(|\.objects\b|\.save\(|lru_cache|cache\.",
    "typescript": r"(from|require\() ?[\"'](node:)?(fs|fs/promises|child_process|net|tls|https?|dns|axios|execa|"
    r"ioredis|redis|pg|mysql2?|mongodb|got|ky|nodemailer|ws|mqtt|ping|[\w@/-]*sql\w*)[\"']|\bfetch\(|\bR\.\w+\(|prisma|"
    r"localStorage|rawQuery|redbean",
    "go": r"\bos\.(Open|Create|Remove|Stat|Mkdir|Read|Write|Rename)\w*\(|exec\.Command|http\.(Get|Client|Listen|NewReq"
    r"|Server|Transport)|\.(Exec|Query|QueryRow|Begin)\(|afero|net\.(Dial|Listen|Lookup)|filepath\.Walk|storm\.|bolt\.",
    "rust": r"std::fs|\bfs::|\bFile::|fs_err|std::process|Command::new|reqwest|sqlx|TcpStream|UnixListener"
    r"|tokio::(fs|net)|\.exists\(\)",
    "java": r"java\.nio\.file\.Files|java\.io\.(File|Random)|EntityManager|create(Native)?Query|HttpClient|Socket|"
    r"ProcessBuilder|[dD]ynamoDb|[rR]edis|lettuce|Jedis|S3Client|CacheBuilder|Caffeine",
    "kotlin": r"okhttp3|newCall|awaitSuccess|java\.io\.File|UniFile|contentResolver|handler\.|DiskLruCache|InputStream",
    "c": r"\b(open|fopen|socket|fork|exec[lv]\w*|kill|popen|connect|listen|unlink|l?stat|mkdir|bind|opendir|system)\(",
    "cpp": r"\b(QFile|QDir|QProcess|QNetwork\w+|sqlite3_\w+|QSettings|QFileInfo|QTemporary\w+|executeSQL)\b",
    "csharp": r"System\.IO|System\.Net|Process\.|DbContext|SaveChanges|Dapper|SqlBuilder|HttpClient|\bFile\.|"
    r"Directory\.|ICached|MemoryCache|DiskProvider|BasicRepository",
    "ruby": r"\b(File|Dir|FileUtils|Net|HTTP|Faraday|\w*Socket|Open3|Process|IO)(\.|::)|[^\w:]`\w|\bsystem[ (]|"
    r"\.(where|find_by|find|save!?|update!?|create!?|destroy|pluck)\b|Rails\.cache|Redis",
    "php": r"file_(get|put)_contents|\b(fopen|unlink|mkdir|is_file|is_dir|file_exists|curl_\w+|proc_open|exec)\(|"
    r"->save\(|::query\(|->where\(|Http::|Guzzle|Cache::|DB::|Storage::|Redis|new Process|->execute\(",
    "swift": r"FileManager|URLSession|Process\(|contentsOf|\.write\(|Current\.(files|network|shell)|Path\b",
    "shell": r"\b(curl|wget|sqlite3|rm|mv|cp|cat|grep|mkdir|dig|nc)\b",
    "scala": r"java\.io\.|java\.nio|FileUtils|HttpClient|\.(list|firstOption|insert|update|delete)\b|Git\.open|Process",
    "dart": r"dart:io|package:http|\bFile\(|Directory\(|Process\.|SharedPreferences|Socket|HttpClient|path_provider",
    "elixir": r"\bFile\.|System\.cmd|Port\.open|\bReq\.|:httpc|\bRepo\.|:gen_tcp|:ets\.|Finch|Path\.wildcard"
    r"|:inet|:net_kernel",
    "lua": r"io\.(open|popen|lines)|os\.(execute|remove|rename|tmpname)|lfs|socket|\bfs\.\w+\(",
}


_RARE = {
    # One file each a repository that may do what is rare: a hundred files at random hold next to none.
    "cache": r"lru_cache|functools\.cache|cachetools|\bredis\b|Redis|[vV]alkey|[mM]emcache|Rails\.cache|ioredis"
    r"|p-memoize|Cache::(get|put|remember|forget)|Caffeine|CacheBuilder|LoadingCache|I?MemoryCache\b"
    r"|lettuce|node-cache|lru-cache|NSCache|LruCache|ristretto|golang-lru|ttlcache|Cachex|moka|cached::",
    "process": r"subprocess\.|os\.(kill|system|exec|StartProcess)|child_process|execa|exec\.Command|Command::new|"
    r"ProcessBuilder|getRuntime|\bfork\(|execv?p?\(|\bkill\(|QProcess|Process\.(Start|start|run|spawn|kill)|"
    r"new Process\b|Open3|proc_open|shell_exec|System\.cmd|Port\.open|os\.execute|"
    r"popen|posix_spawn|Process\(\)|systemctl|waitpid",
    "network": r"requests\.(get|post)|urlopen|httpx\.|aiohttp|socket\.|smtplib|\bfetch\(|axios"
    r"|http\.(Get|Client|Listen|Server)|net\.(Dial|Listen)|reqwest|Tcp(Stream|Listener)|Unix(Stream|Listener)"
    r"|HttpClient|OkHttp|newCall|URLSession|\bsocket\(|\bconnect\(|QNetwork|QTcp|Net::(HTTP|SMTP)|Faraday|TCPSocket"
    r"|curl_exec|Guzzle|Http::|HttpServer|RawDatagramSocket|\bReq\.\w|:gen_tcp"
    r"|:httpc|socket\.http|\bcurl |nodemailer|getaddrinfo|WebSocket|java\.net\.",
}


def git(repository: Path, *arguments: str) -> bytes:
    """Return what git prints of a bare repository."""
    return subprocess.run(["git", f"--git-dir={repository}", *arguments], check=True, capture_output=True).stdout


def draw(mirrors: Path, name: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield repository, commit, language, stratum and path of each file that one repository gives."""
    repository = mirrors / name.replace("/", "+") / "repo"
    commit = git(repository, "rev-parse", "HEAD").decode().strip()
    language = REPOSITORIES[name]
    paths = git(repository, "ls-tree", "-r", "--name-only", "-z", commit).decode("utf-8", "replace").split("\0")
    suffixes = set(_SUFFIXES[language].split())
    paths = [path for path in paths if splitext(basename(path))[1] in suffixes and not _LEFT_OUT.search(path)]
    paths.sort(key=lambda path: hashlib.sha256(f"{SEED}|{name}|{path}".encode()).digest())
    wanted = dict(WANTED)
    likely = re.compile(_LIKELY[language], re.MULTILINE)
    spare: list[str] = []
    texts: dict[str, str] = {}
    for path in paths:
        data = git(repository, "cat-file", "blob", f"{commit}:{path}")
        if len(data) > BYTES or not LINES[0] <= data.count(b"\n") <= LINES[1]:
            continue
        texts[path] = data.decode("utf-8", "replace")
        stratum = "likely" if likely.search(texts[path]) else "other"
        if wanted[stratum]:
            wanted[stratum] -= 1
            yield name, commit, language, stratum, path
            del texts[path]
        elif any(wanted.values()):
            spare.append(path)
    # A repository where nearly every file is likely to act fills up with those.
    for path in spare[: sum(wanted.values())]:
        yield name, commit, language, "spare", path
        del texts[path]
    for stratum, net in _RARE.items():
        drawn = next((path for path, text in texts.items() if re.search(net, text)), None)
        if drawn is not None:
            yield name, commit, language, stratum, drawn
            del texts[drawn]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True)
    for name in REPOSITORIES:
        for row in draw(parser.parse_args().mirrors, name):
            print(*row, sep="\t")


if __name__ == "__main__":
    main()
