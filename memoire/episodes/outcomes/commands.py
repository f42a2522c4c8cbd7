"""Which tests and checks a command line runs, and whether its exit status is theirs."""

import re

import msgspec

from memoire.episodes.outcomes._shell import Simple, is_background, split

ANY = "*"
"""Stands for any tool: `make test` may run whatever there is."""

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*|py")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)
_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_WORDS = frozenset(
    [
        "test", "tests", "spec", "specs", "check", "checks", "lint", "linter", "build", "typecheck", "types", "ci",
        "verify", "tsc", "e2e", "unit", "integration", "coverage", "cov", "pytest", "jest", "vitest", "mocha",
        "compile", "validate", "mypy", "eslint", "rspec", "precommit",
    ]
)  # fmt: skip
"""What the name of a script or target that tests, builds or checks is made of."""
_NO_RUN = frozenset(
    [
        "--version", "--help", "-V", "--collect-only", "--co", "--listTests", "--list-tests", "--list", "--fixtures",
        "--markers", "--show-only", "--dry-run", "--just-print", "--showConfig", "--print-config", "--show-config",
    ]
)  # fmt: skip
"""Options with which a tool only tells."""

_TOOLS = {
    "pytest": "pytest", "py.test": "pytest", "jest": "jest", "vitest": "vitest", "mocha": "mocha", "ava": "tap",
    "tap": "tap", "bats": "tap", "rspec": "rspec", "ctest": "ctest", "phpunit": "phpunit", "paratest": "phpunit",
    "gotestsum": "go test", "mypy": "mypy", "dmypy": "mypy", "pyright": "pyright", "basedpyright": "pyright",
    "flake8": "flake8", "pylint": "pylint", "tsc": "tsc", "vue-tsc": "tsc", "eslint": "eslint", "nose2": "unittest",
    "trial": "unittest", "gcc": "gcc", "g++": "gcc", "cc": "gcc", "c++": "gcc", "clang": "gcc", "clang++": "gcc",
    "ninja": "make", "nosetests": "unittest",
}  # fmt: skip
"""Program -> whose output it prints."""
_OTHER_CHECKS = frozenset(
    [
        "tox", "nox", "pest", "phpstan", "psalm", "prove", "shellcheck", "stylelint", "lint-imports", "bandit",
        "golangci-lint", "staticcheck", "svelte-check", "hadolint", "yamllint", "markdownlint", "rubocop", "standardrb",
        "ktlint", "detekt", "clang-tidy", "cppcheck", "javac", "rustc", "ghc", "cypress", "karma", "jasmine",
        "zeitwerk", "vulture", "pyflakes", "pycodestyle", "pydocstyle", "codespell", "oxlint", "sbt", "lein",
        "elm-test", "busted", "tsd", "xo", "standard",
    ]
)  # fmt: skip
_WITH_COMMAND = {
    "go": {"test": "go test", "build": "go build", "vet": "go build", "install": "go build"},
    "cargo": {
        **dict.fromkeys(["test", "t", "llvm-cov", "tarpaulin"], "cargo test"), "nextest": "cargo nextest",
        **dict.fromkeys(["build", "b", "check", "c", "clippy", "rustc"], "cargo build"),
    },
    "dotnet": dict.fromkeys(["test", "build", "vstest"], "dotnet"),
    "bazel": dict.fromkeys(["test", "build", "coverage"], "bazel"),
    "ruff": {"check": "ruff"},
    "node": {"--test": "node"},
    "deno": dict.fromkeys(["test", "check", "lint"], ANY),
    "bun": {"test": ANY},
    "rails": dict.fromkeys(["test", "test:all", "test:system", "spec"], "minitest"),
    "playwright": {"test": ANY},
    "cypress": {"run": "mocha"},
    "biome": dict.fromkeys(["check", "lint", "ci"], ANY),
    "swift": dict.fromkeys(["test", "build"], ANY),
    "xcodebuild": dict.fromkeys(["test", "build"], ANY),
    "mix": dict.fromkeys(["test", "compile", "credo", "dialyzer"], ANY),
    "stack": dict.fromkeys(["test", "build"], ANY),
    "cabal": dict.fromkeys(["test", "build"], ANY),
    "zig": dict.fromkeys(["test", "build"], ANY),
    "flutter": dict.fromkeys(["test", "analyze", "build"], ANY),
    "dart": dict.fromkeys(["test", "analyze"], ANY),
    "next": dict.fromkeys(["build", "lint"], ANY),
    "vite": {"build": ANY},
    "nx": dict.fromkeys(["test", "build", "lint", "affected", "run-many"], ANY),
    "ng": dict.fromkeys(["test", "build", "lint", "e2e"], ANY),
    "artisan": {"test": "phpunit"},
    "pre-commit": {"run": ANY},
    "cmake": {"--build": "make"},
    "act": {},
    "ty": {"check": ANY},
    "black": {"--check": ANY}, "isort": dict.fromkeys(["--check", "--check-only", "-c"], ANY),
    "prettier": dict.fromkeys(["--check", "-c"], ANY),
}  # fmt: skip
"""Program -> command, or option that makes it a check -> whose output it prints."""
_JVM = {
    **dict.fromkeys(["mvn", "mvnw", "mvnd"], "maven"),
    **dict.fromkeys(["gradle", "gradlew"], "gradle"),
}
_JVM_TASKS = frozenset(
    ["test", "verify", "install", "package", "check", "build", "assemble", "integrationTest", "classes"]
)
_SCRIPT_RUNNERS = frozenset(
    ["npm", "yarn", "pnpm", "bun", "deno", "turbo", "lerna", "hatch", "pdm", "composer", "poe", "nx"]
)
_OWN_COMMANDS = frozenset(
    [
        "add", "audit", "ci", "config", "create", "dedupe", "env", "global", "i", "import", "info", "init", "install",
        "link", "list", "login", "ls", "outdated", "pack", "publish", "rebuild", "remove", "require", "rm", "t",
        "uninstall",
        "unlink", "up", "update", "upgrade", "version", "view", "why", "test", "validate", "self-update", "dlx", "exec",
    ]
)  # fmt: skip
"""What a package manager does by itself, whatever it is given."""
_TARGET_RUNNERS = frozenset(["make", "gmake", "just", "task", "mage", "invoke", "inv", "rake", "doit", "mise", "moon"])
_SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "fish"])
_INTERPRETERS = frozenset(["node", "ruby", "php", "perl", "deno", "bun", "tsx", "ts-node"])

_WRAPPERS = {
    "sudo": "-u -g -h -p -C -U", "env": "-u -C -S", "time": "-f -o", "nice": "-n", "nohup": "", "timeout": "-k -s",
    "gtimeout": "-k -s", "stdbuf": "-i -o -e", "command": "", "exec": "-a", "xvfb-run": "-n -s", "caffeinate": "",
    "npx": "-p --package -c", "bunx": "", "cross-env": "", "dotenv": "-e -f", "xargs": "-n -P -I -L -d",
    "then": "", "do": "", "else": "", "unbuffer": "", "ionice": "-c -n", "setsid": "", "doas": "-u", "if": "",
    "while": "", "catchsegv": "",
    "cross-env-shell": "", "dotenvx": "", "rtk": "", "elif": "", "until": "", "!": "", "systemd-run": "-p",
    "script": "-c", "uvx": "--from --with -p", "pipx": "--spec",
}  # fmt: skip
"""Program or word that runs the command behind it -> its options that take a value."""
_WRAPPERS_WITH_COMMAND = {
    "poetry": ("run",), "uv": ("run",), "pipenv": ("run",), "pdm": ("run",), "hatch": ("run",), "rye": ("run",),
    "pixi": ("run",), "conda": ("run",), "mamba": ("run",), "bundle": ("exec",), "npm": ("exec", "x"), "pipx": ("run",),
    "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"), "coverage": ("run",), "direnv": ("exec",), "mise": ("exec", "x"),
    "docker": ("exec", "run", "compose"), "podman": ("exec", "run"), "docker-compose": ("exec", "run"),
    "kubectl": ("exec",), "nix": ("develop", "shell"), "ddev": ("exec",), "asdf": ("exec",), "rbenv": ("exec",),
    "dotenvx": ("run",), "doppler": ("run",), "op": ("run",), "rustup": ("run",),
    "sail": ("exec",),
}  # fmt: skip
_VALUE_OPTIONS = frozenset(
    [
        "-C", "--project", "--directory", "--with", "--extra", "--group", "--python", "-p", "-n", "--name", "-e",
        "--env", "--prefix", "-w", "--workspace", "-f", "--file", "--filter", "-F", "--manifest-path", "--cwd", "-u",
        "--user",
        "-v", "--volume", "-j", "-k", "--chdir", "-s", "-c", "--config", "--env-file", "--rcfile", "--source", "-I",
        "-O", "-o",
    ]
)  # fmt: skip
_NEUTRAL = frozenset(
    [
        "cd", "pushd", "popd", "export", "source", ".", "set", "echo", "printf", "true", ":", "mkdir", "unset",
        "ulimit", "conda", "nvm", "clear", "umask", "sleep", "date", "pwd", "shopt", "alias", "local", "wait",
        "trap", "test", "[", "rm", "touch", "ls", "which", "cat", "head", "tail",
    ]
)  # fmt: skip
"""What seldom fails: the exit status of a chain with them is that of its checks."""
_MAX_DEPTH = 6


class Plan(msgspec.Struct, frozen=True):
    """What one command line does, as far as outcomes go."""

    tools: tuple[str, ...] = ()
    """Names of the readers that may be asked, one for each check it runs; `ANY` for whatever there is."""
    is_check: bool = False
    is_opaque: bool = False
    """Whether it runs a program that may run checks, though nothing says so: `./deploy.sh`."""
    is_success_theirs: bool = False
    """Whether its exit status 0 says that every check passed."""
    is_failure_theirs: bool = False
    """Whether another exit status says that one of them failed."""


def is_check(command: str) -> bool:
    """Return whether a command line runs tests, or a build, lint or type check."""
    return plan_of(command).is_check


def plan_of(command: str) -> Plan:
    """Return what a command line runs."""
    simples = split(command)
    tools = [_tools_of(simple.words, 0) for simple in simples]
    found = tuple(tool for some in tools if some for tool in some)
    has_opaque = any(some == () for some in tools)
    if not found:
        return Plan(is_opaque=has_opaque)
    success, failure = _whose_status(simples, [bool(some) for some in tools])
    if is_background(command):
        success = failure = False
    return Plan(found, is_check=True, is_opaque=has_opaque, is_success_theirs=success, is_failure_theirs=failure)


def _whose_status(simples: list[Simple], checks: list[bool]) -> tuple[bool, bool]:
    """Return whether the last exit status tells that the checks passed, and whether it tells that one failed."""
    firsts = [simple.words[0] for simple in simples]
    if any(word in {"!", "if", "while", "until", "for", "xargs", "watch", "case"} for word in firsts):
        return False, False
    options = [word for simple in simples if simple.words[0] == "set" for word in simple.words[1:]]
    has_pipefail = "pipefail" in options
    has_errexit = any(re.fullmatch(r"-[a-z]*e[a-z]*", word) for word in options)
    success = failure = True
    for at in range(len(simples) - 1, -1, -1):
        is_piped_on = at + 1 < len(simples) and simples[at + 1].before == "|"
        if checks[at] and is_piped_on and not has_pipefail:
            return False, False
        if not checks[at] and not is_piped_on and firsts[at] not in _NEUTRAL and not _ASSIGNMENT.fullmatch(firsts[at]):
            failure = False
        before = simples[at].before
        if before in {"||", "&"}:
            return False, False
        if before == ";" and not has_errexit:
            # What stands before has its own status, which is lost.
            return success and not any(checks[:at]) and any(checks[at:]), failure and any(checks[at:])
    return success, failure


def _tools_of(words: tuple[str, ...], depth: int) -> tuple[str, ...] | None:
    """Return the tools one simple command runs, none if it only may run some, `None` if it runs none."""
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in {"!", "then", "do", "else", "if", "elif", "while"}):
        words = words[1:]
    if not words or depth > _MAX_DEPTH:
        return None
    name = words[0].replace("\\", "/").rpartition("/")[2]
    name = re.sub(r"\.(?:exe|cmd|bat)$", "", name)
    rest = words[1:]
    if not _NO_RUN.isdisjoint(rest) or rest in {("-h",), ("help",)}:
        return None
    return _direct(name, rest) or _wrapped(name, rest, depth) or _by_name(words[0], name, rest, depth)


def _direct(name: str, rest: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what a program runs that is a tool by itself."""
    if name in _TOOLS:
        return (_TOOLS[name],)
    if name in _OTHER_CHECKS:
        return (ANY,)
    if name in _JVM:
        tasks = {task.rpartition(":")[2] for task in rest}
        is_task = not tasks.isdisjoint(_JVM_TASKS) or any(
            re.match(r".*[cC]ompile|test[A-Z]|.*Test$", task) for task in tasks
        )
        return (_JVM[name],) if is_task else None
    if name == "ruff" and rest[:1] == ("format",):
        return ("ruff",) if {"--check", "--diff"} & set(rest) else None
    if name == "cargo":
        rest = tuple(word for word in rest if not word.startswith("+"))
        if rest[:1] == ("fmt",):
            return (ANY,) if "--check" in rest else None
    if name == "go" and "-list" in rest:
        return None
    commands = _WITH_COMMAND.get(name, {})
    for word in rest[:1] if name not in {"node", "black", "isort", "prettier", "cmake"} else rest:
        if word in commands:
            return ("node", "tap") if name == "node" else (commands[word],)
    first = next((word for word in _operands(rest)), "")
    return (commands[first],) if first in commands else None


def _wrapped(name: str, rest: tuple[str, ...], depth: int) -> tuple[str, ...] | None:
    """Return what the command behind a wrapper runs."""
    if name in _SHELLS and len(rest) >= 2 and re.fullmatch(r"-[a-z]*c", rest[0]):
        inner = plan_of(rest[1]) if depth < 2 else Plan()
        return inner.tools or (() if inner.is_opaque else None)
    if name in _WRAPPERS:
        return _tools_of(_behind(rest, _WRAPPERS[name].split()), depth + 1)
    if name in {
        "docker",
        "podman",
        "docker-compose",
        "kubectl",
        "ssh",
        "nix",
        "conda",
        "mamba",
        "direnv",
        "watch",
        "su",
    }:
        return _somewhere(rest, depth)
    if name == "coverage" and "-m" in rest:
        return _tools_of(("python", *rest[rest.index("-m") :]), depth + 1)
    commands = _WRAPPERS_WITH_COMMAND.get(name, ())
    at = next((at for at, word in enumerate(rest[:6]) if word in commands), None)
    if at is None:
        return None
    return _tools_of(_behind(rest[at + 1 :], sorted(_VALUE_OPTIONS)), depth + 1)


def _behind(rest: tuple[str, ...], options: list[str]) -> tuple[str, ...]:
    """Return the words behind a wrapper's own options and numbers."""
    at = 0
    while at < len(rest) and (rest[at].startswith("-") or re.fullmatch(r"[\d.]+[smhd]?", rest[at])):
        at += 2 if rest[at] in options else 1
    return rest[at:]


def _somewhere(rest: tuple[str, ...], depth: int) -> tuple[str, ...] | None:
    """Return what runs in a container or on another machine: the first words that are a check by themselves."""
    for at in range(min(len(rest), 30)):
        word = rest[at]
        if " " in word and (inner := plan_of(word) if depth < 2 else Plan()).tools:
            return inner.tools
        if not word.startswith("-") and (found := _tools_of(rest[at:], depth + 3)):
            return found
    return () if {"run", "exec"} & set(rest) else None


def _by_name(path: str, name: str, rest: tuple[str, ...], depth: int) -> tuple[str, ...] | None:
    """Return what a script, a target or an interpreter runs, judged by the name of what it is given."""
    operands = _operands(rest)
    if _PYTHON.fullmatch(name):
        return _python(rest, operands, depth)
    if name in _SCRIPT_RUNNERS:
        return _script(name, operands)
    if name in _TARGET_RUNNERS:
        return _target(name, rest, operands)
    if name in _SHELLS or name in _INTERPRETERS:
        if not operands or {"-e", "-c", "-r", "-p"} & set(rest[:1]):
            return None
        program = operands[0].rpartition("/")[2]
        return _direct(program, tuple(operands[1:])) or _file(operands[0])
    if name == "java" and any("junit" in word.lower() for word in rest):
        return ("junit",)
    return _file(path) if "/" in path and not path.startswith(("/usr/", "/bin/")) else None


def _target(name: str, rest: tuple[str, ...], operands: list[str]) -> tuple[str, ...] | None:
    if "-n" in rest:
        return None
    targets = [word for word in operands if not _ASSIGNMENT.fullmatch(word) and word != "run"]
    is_build = name in {"make", "gmake"} and (not targets or "all" in targets)
    return ("make", ANY) if is_build or any(map(_is_telling, targets)) else ()


def _file(path: str) -> tuple[str, ...]:
    return (ANY,) if _is_telling(path.rpartition("/")[2]) or path.startswith("/.ci") or ".ci/" in path else ()


def _python(rest: tuple[str, ...], operands: list[str], depth: int) -> tuple[str, ...] | None:
    if "-c" in rest[:3]:
        return None
    if "-m" in rest[:4]:
        behind = rest[rest.index("-m") + 1 :]
        if not behind:
            return None
        if behind[0] == "unittest":
            return ("unittest",)
        if behind[0] in {"compileall", "py_compile", "build", "doctest"}:
            return (ANY,)
        return _tools_of(behind, depth + 1) or ()
    if not operands:
        return None
    name = operands[0].rpartition("/")[2]
    if name in {"manage.py", "setup.py", "runtests.py"} and (name == "runtests.py" or "test" in operands[1:2]):
        return ("unittest", "pytest")
    return _file(operands[0]) if name.endswith(".py") or "/" in operands[0] else None


def _script(name: str, operands: list[str]) -> tuple[str, ...] | None:
    """Return what a script of a project file runs: `npm test`, `yarn workspace web lint`, `turbo run build`."""
    words = operands[2:] if operands[:1] == ["workspace"] else operands
    is_run = words[:1] in (["run"], ["run-script"], ["workspaces"])
    words = [word for word in words if word not in {"run", "run-script", "workspaces", "foreach"}]
    if not words:
        return None
    if name in {"yarn", "bun", "pnpm"} and (found := _direct(words[0], tuple(words[1:]))):
        return found
    if not is_run and (name == "npm" or words[0] in _OWN_COMMANDS):
        return (ANY,) if words[0] in {"test", "t", "tst", "it", "install-test"} else None
    return (ANY,) if _is_telling(words[0]) else ()


def _operands(rest: tuple[str, ...]) -> list[str]:
    """Return the words of a command that are no options and no values of those that are known to take one."""
    operands = []
    is_value = False
    for word in rest:
        if word.startswith("-"):
            is_value = word in _VALUE_OPTIONS
        elif not is_value:
            operands.append(word)
        else:
            is_value = False
    return operands


def _is_telling(name: str) -> bool:
    return not _WORDS.isdisjoint(word.lower() for word in _SPLIT.split(name[:200]))
