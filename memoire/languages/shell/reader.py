"""Turns a shell script into facts: functions, variables, what it sources, calls and runs, and what that does."""

import itertools
import re
from bisect import bisect_right
from hashlib import sha256
from posixpath import basename

from memoire.extract import guards
from memoire.extract.citations import mentions_in_comment
from memoire.extract.docstrings import first_sentence
from memoire.extract.engine import empty_facts
from memoire.extract.fingerprint import digest
from memoire.languages.shell import commands
from memoire.languages.shell.places import entered, place_of, specifier_of
from memoire.languages.shell.resolution import is_test
from memoire.languages.shell.syntax import Command, Parser
from memoire.languages.shell.words import Word
from memoire.model import CALL, READ, WRITE, Definition, Effect, FileFacts, Import, Mention, Problem, Use

_NAME = re.compile(r"[A-Za-z_][\w:.+@-]*")
_VARIABLE = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?(?:\+?=|$)")
_LOCAL = frozenset({"local", "declare", "typeset", "integer", "float"})
_SHARED = frozenset({"export", "readonly"})
_GIVEN = (
    "HOME PATH USER LOGNAME SHELL TERM LANG LC_ALL TMPDIR EDITOR VISUAL PAGER DISPLAY CI HOSTNAME PWD OLDPWD "
    "SSH_AUTH_SOCK SSH_CONNECTION SUDO_USER XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR COLORTERM "
    "NO_COLOR TZ USERNAME GITHUB_TOKEN GITHUB_OUTPUT GITHUB_ENV GITHUB_WORKSPACE GITHUB_REF GITHUB_SHA JAVA_HOME "
    "GOPATH GOROOT CARGO_HOME VIRTUAL_ENV CONDA_PREFIX NODE_ENV EUID UID"
)
_OUTSIDE = frozenset(_GIVEN.split())
"""Variables that the environment gives: names that scripts do not assign themselves."""
_SHELLS = (
    "BASH_SOURCE BASH_REMATCH BASH_VERSION BASH_VERSINFO BASHPID FUNCNAME LINENO PIPESTATUS IFS OPTARG OPTIND OPTERR "
    "REPLY PPID ZSH_VERSION BATS_TEST_DIRNAME BATS_TEST_TMPDIR BATS_TMPDIR BATS_RUN_TMPDIR COMP_WORDS COMP_CWORD "
    "COMPREPLY DIRSTACK HISTFILE OSTYPE MACHTYPE HOSTTYPE SHLVL PS1 PS2 PS4"
)
_OWN = frozenset(_SHELLS.split())
"""Variables that the shell or its test runner gives."""
_SOURCES = frozenset({".", "source", "load", "Include"})
_CITED = re.compile(r"\.(?:md|rst|txt|adoc|markdown)\b")
"""A script without the suffix of a document in it cites none."""
_EXAMPLES = re.compile(
    r"^[ \t]*(?:(?P<test>[xf]?It|Specify|Example)|(?P<group>[xf]?Describe|Context|ExampleGroup|Parameters\S*|Data|Mock"
    r"|Before\w*\(\)|After\w*\(\))|(?P<end>End))\b[ \t]*(?:(?P<quote>['\"])(?P<name>.*?)(?P=quote))?",
    re.MULTILINE,
)


def read(path: str, data: bytes) -> FileFacts:
    """Return the facts of one script."""
    source, recoded = guards.decode(data)
    problem = recoded if recoded and recoded.code == "binary" else guards.refusal(source)
    if problem:
        return empty_facts("shell", data, problem)
    text = source.decode("utf-8", "replace")
    script = _Script(path, text, Parser(text).parse())
    return script.facts(data, [recoded] if recoded else [])


class _Script:
    """The work on one script, step by step."""

    def __init__(self, path: str, text: str, parser: Parser) -> None:
        self.text = text
        self.parser = parser
        self.is_bats = path.endswith(".bats")
        self.is_test = is_test(path)
        self.is_spec = basename(path).rpartition(".")[0].endswith("_spec")
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.comments = sorted(set(parser.comments))
        self.definitions: list[Definition] = []
        self.places: list[int] = []
        """Start of each definition."""
        self.index_of: dict[int, int] = {-1: -1}
        """Function of the parser -> its definition."""
        self.functions: dict[str, int] = {}
        self.variables: dict[str, int] = {}
        self.locals: set[tuple[int, str]] = set(self._swap(parser.loops))
        self.imports: list[Import] = []
        self.stars: list[int] = []
        self.uses: dict[tuple[int, int, str], list[int]] = {}
        self.effects: list[Effect] = []
        self.values: dict[str, str | None] = {}
        """Variable -> the place it holds, None where it holds several or none."""
        self.folders: dict[int, str | None] = {0: ""}
        """Subshell -> where it runs."""

    @staticmethod
    def _swap(loops: list[tuple[str, int]]) -> list[tuple[int, str]]:
        return [(scope, name) for name, scope in loops]

    def facts(self, data: bytes, problems: list[Problem]) -> FileFacts:
        self._define()
        for command in self.parser.commands:
            self._read_places(command)
        for command in self.parser.commands:
            self._command(command)
        for start, scope, words in self.parser.conditions:
            for category, callee in commands.file_tests(words):
                self.effects.append(Effect(category, callee, self.line(start), self.index_of[scope]))
        for item in self.parser.expansions:
            self._expansion(item.name, item.start, item.scope, has_default=item.has_default)
        if self.parser.unclosed >= 0:
            line = self.line(self.parser.unclosed)
            problems.append(Problem("syntax", f"nothing closes what line {line} opens; read to the end", line))
        uses = sorted(self.uses.items(), key=lambda item: item[1][1])
        return FileFacts(
            language="shell",
            sha=sha256(data).hexdigest(),
            size=len(data),
            lines=self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text)),
            summary=self._summary(),
            definitions=tuple(self.definitions),
            imports=tuple(self.imports),
            uses=tuple(
                Use(scope, root, attr, how, self.line(at), count) for (scope, root, attr), (how, at, count) in uses
            ),
            effects=tuple(sorted(self.effects, key=lambda effect: effect.line)),
            mentions=self._mentions(),
            problems=tuple(problems),
        )

    def line(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return bisect_right(self.starts, offset)

    # ---- definitions

    def _define(self) -> None:
        """Make the definitions, in order of their first byte."""
        found: list[tuple[int, int, str, str, bool, int]] = []
        for index, item in enumerate(self.parser.functions):
            is_named = self.is_test and item.name.startswith("test")
            found.append((item.start, item.end, "function", item.name, item.is_test or is_named, index))
        found += self._examples() if self.is_spec else []
        found += self._variables() + self._aliases()
        for start, end, kind, name, is_case, index in sorted(found):
            at = len(self.definitions)
            if index >= 0:
                self.index_of[index] = at
            if kind in {"function", "macro"} and not is_case:
                self.functions[name] = at
            elif kind == "variable":
                self.variables[name] = at
            self.places.append(start)
            self.definitions.append(
                Definition(
                    name=name,
                    kind=kind,
                    line=self.line(start),
                    end_line=self.line(max(start, end - 1)),
                    body=digest(self._code(start, end).encode()),
                    signature=digest(name.encode()) if kind == "function" else "",
                    doc=self._doc(start),
                    is_test=is_case,
                )
            )

    def _code(self, start: int, end: int) -> str:
        """Return the source without its comments."""
        pieces, cursor = [], start
        at = bisect_right(self.comments, (start, 0))
        while at < len(self.comments) and self.comments[at][0] < end:
            pieces.append(self.text[cursor : self.comments[at][0]])
            cursor = self.comments[at][1]
            at += 1
        return "".join((*pieces, self.text[cursor:end]))

    def _variables(self) -> list[tuple[int, int, str, str, bool, int]]:
        """Return the variables that are assigned outside of functions, at their first assignment."""
        found: dict[str, tuple[int, int, str, str, bool, int]] = {}
        for command in self.parser.commands:
            for name, start, end in self._assigned(command):
                if command.scope < 0 and not (command.words and command.words[0].literal not in _LOCAL | _SHARED):
                    if name not in found or start < found[name][0]:
                        found[name] = (start, end, "variable", name, False, -1)
                elif self._is_local(command, name, start):
                    self.locals.add((command.scope, name))
        loops = {name for name, scope in self.parser.loops if scope < 0}
        return [item for name, item in found.items() if name not in loops]

    def _is_local(self, command: Command, name: str, start: int) -> bool:
        """Return whether a command makes a name one of its function, or of the one command that it is given to."""
        del name
        if not command.words:
            return False
        word = command.words[0].literal
        if word in _LOCAL:
            return not any((each.literal or "").startswith(("-g", "+g")) for each in command.words[1:])
        return word not in _SHARED and start < command.words[0].start

    def _assigned(self, command: Command) -> list[tuple[str, int, int]]:
        """Return (name, start, end) of the variables that a command assigns."""
        found = [
            (item.name, item.start, item.value.end if item.value else item.start + len(item.name))
            for item in command.assignments
        ]
        if command.words and command.words[0].literal in _LOCAL | _SHARED:
            for word in command.words[1:]:
                name = _VARIABLE.match(self.text, word.start, word.end)
                if name and (name[0].endswith("=") or command.words[0].literal in _LOCAL):
                    found.append((name[1], word.start, word.end))
        return found

    def _aliases(self) -> list[tuple[int, int, str, str, bool, int]]:
        found: dict[str, tuple[int, int, str, str, bool, int]] = {}
        for command in self.parser.commands:
            if command.words and command.words[0].literal == "alias":
                for word in command.words[1:]:
                    name = re.compile(r"([\w.:-]+)=").match(self.text, word.start, word.end)
                    if name and not name[1].startswith("-"):
                        found.setdefault(name[1], (word.start, word.end, "macro", name[1], False, -1))
        return list(found.values())

    def _examples(self) -> list[tuple[int, int, str, str, bool, int]]:
        """Return the tests of shellspec."""
        found: list[tuple[int, int, str, str, bool, int]] = []
        stack: list[tuple[int, str]] = []
        for item in _EXAMPLES.finditer(self.text):
            if item["end"]:
                start, name = stack.pop() if stack else (-1, "")
                if name:
                    found.append((start, item.end(), "function", name, True, -1))
            elif item["test"] or not item["group"].endswith("()"):
                stack.append(
                    (item.start() + len(item[0]) - len(item[0].lstrip()), item["name"] if item["test"] else "")
                )
        self.examples = sorted(found)
        return found

    def _doc(self, start: int) -> str:
        """Return the first sentence of the comments right above a line."""
        line = self.line(start) - 1
        block: list[str] = []
        while line >= 1:
            text = self.text[self.starts[line - 1] : self.starts[line]].strip()
            if not text.startswith("#") or text.startswith("#!") or len(block) > 40:
                break
            block.append(text.lstrip("#").strip(" -=*"))
            line -= 1
        return first_sentence("\n".join(reversed(block)).strip()) if block else ""

    def _summary(self) -> str:
        block: list[str] = []
        for line in self.text[:4000].split("\n"):
            text = line.strip()
            if text.startswith("#!") and not block:
                continue
            if not text.startswith("#"):
                if text or block:
                    break
                continue
            words = text.lstrip("#").strip(" -=*")
            if words.startswith(("shellcheck ", "vim:", "-*-")) or (not words and not block):
                continue
            block.append(words)
        return first_sentence("\n".join(block).strip()) if block else ""

    def _mentions(self) -> tuple[Mention, ...]:
        if not _CITED.search(self.text):
            return ()
        found: list[Mention] = []
        for start, end in self.comments:
            text = self.text[start:end]
            if "." in text:
                found += mentions_in_comment(text, self.line(start), self._scope_at(start))
        return tuple(found)

    def _scope_at(self, offset: int) -> int:
        at = bisect_right(self.places, offset) - 1
        line = self.line(offset)
        while at >= 0:
            if self.definitions[at].end_line >= line and self.definitions[at].kind != "variable":
                return at
            at -= 1
            if len(self.places) - at > 400:
                return -1
        return -1

    # ---- what files it names

    def _read_places(self, command: Command) -> None:
        """Note what variables hold that name a folder, and where the script goes."""
        where = self._folder(command.shell)
        items = [(item.name, item.value) for item in command.assignments]
        if command.words and command.words[0].literal in _LOCAL | _SHARED:
            for word in command.words[1:]:
                found = re.compile(r"([A-Za-z_]\w*)=").match(self.text, word.start, word.end)
                if found:
                    items.append((found[1], Parser(self.text, found.end(), word.end).word()))
        for name, word_value in items:
            place = place_of(word_value, self.values, where) if word_value is not None else None
            if self.values.setdefault(name, place) != place:
                self.values[name] = None
        if command.scope < 0:
            folder = entered(command, self.values, where)
            if folder is not None:
                self.folders[command.shell] = folder[0]

    def _folder(self, shell: int) -> str | None:
        at = shell
        while at not in self.folders:
            at = self.parser.shells[at]
        folder = self.folders[shell] = self.folders[at]
        return folder

    def _import(self, word: Word, command: Command, name: str, kind: str) -> int:
        """Add an import of the file that a word names; return its index, -1 where it names none."""
        where = self.folders.get(command.shell, "")
        specifier = specifier_of(place_of(word, self.values, where), where)
        if not specifier or specifier in {".", "./."} or any(sign in specifier for sign in "*?[\n"):
            return -1
        scope = self.index_of[command.scope]
        self.imports.append(Import(specifier, name, "", self.line(command.start), kind, scope))
        return len(self.imports) - 1

    # ---- commands

    def _command(self, command: Command) -> None:
        scope = self._scope(command)
        for name, start, _ in self._assigned(command):
            self._write(name, start, command)
        line = self.line(command.start)
        for category, callee in commands.redirect_effects(command.redirects):
            self.effects.append(Effect(category, callee, line, scope))
        if not command.words:
            return
        first = command.words[0].literal
        if first in _SOURCES and len(command.words) > 1:
            self._source(command)
            return
        if first in {"trap", "export", "read", "unset", "complete"}:
            self._named(command, first)
        for run in commands.runs(self._named_command(command.words), is_bats=self.is_bats):
            self._run(run, command, scope)

    def _named_command(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """Return the words of a command whose name a variable holds with that name: `PSQL="psql -q"; $PSQL`."""
        first = words[0]
        value = self.values.get(first.pieces[0][1]) if [kind for kind, _ in first.pieces] == ["param"] else None
        names = (value or "").split()
        if not names or not all(_NAME.fullmatch(name) or name.startswith("-") for name in names):
            return words
        return (*(first._replace(pieces=(("text", name),), is_quoted=True) for name in names), *words[1:])

    def _scope(self, command: Command) -> int:
        scope = self.index_of[command.scope]
        if scope < 0 and self.is_spec:
            inner = [item for item in self.examples if item[0] <= command.start < item[1]]
            if inner:
                return self.places.index(inner[-1][0])
        return scope

    def _source(self, command: Command) -> None:
        word = command.words[1]
        first = command.words[0].literal
        if first == "load":
            # bats adds the suffix, and looks beside the test.
            text = word.literal or ""
            pieces = word.pieces if word.literal is None or text.startswith("/") else (("text", f"\x01/{text}"),)
            suffix = () if text.endswith((".bash", ".sh")) else (("text", ".bash"),)
            word = word._replace(pieces=(*pieces, *suffix))
        index = self._import(word, command, "*", "static" if self.index_of[command.scope] < 0 else "lazy")
        if index >= 0:
            self.stars.append(index)

    def _named(self, command: Command, first: str) -> None:
        """Note functions and variables that are given by their names."""
        scope = self._scope(command)
        words = [word for word in command.words[1:] if not (word.literal or "-").startswith("-")]
        if first == "trap" and words:
            found = _NAME.match(words[0].literal or "")
            if found:
                self._call(found[0], words[0].start, scope, CALL)
        elif first == "export" and any(word.literal == "-f" for word in command.words):
            for word in words:
                self._call(word.literal or "", word.start, scope, READ)
        elif first == "complete":
            for option, word in itertools.pairwise(command.words):
                if option.literal == "-F":
                    self._call(word.literal or "", word.start, scope, CALL)
        else:
            self._named_variables(command, first, words)

    def _named_variables(self, command: Command, first: str, words: list[Word]) -> None:
        for word in words:
            if word.literal and re.fullmatch(r"[A-Za-z_]\w*", word.literal):
                if first == "export":
                    self._expansion(word.literal, word.start, command.scope, has_default=False)
                else:
                    self._write(word.literal, word.start, command)

    def _run(self, run: commands.Run, command: Command, scope: int) -> None:
        word = run.words[0]
        name = word.literal or ""
        line = self.line(word.start)
        if run.is_direct and name in self.functions:
            self._use(scope, -1 - self.functions[name], "", CALL, word.start)
            return
        star = self.stars[-1] if self.stars and run.is_direct and name and name not in commands.SPECIAL else -1
        if star >= 0 and _NAME.fullmatch(name):
            self._use(scope, star, name, CALL, word.start)
        found = list(commands.effects_of(run))
        for category, callee in found:
            self.effects.append(Effect(category, callee, line, scope, star, head=name if star >= 0 else ""))
        if not found and not (self.is_bats or self.is_spec or self.is_test) and commands.is_program(run):
            # Whether a script that runs this one has a function of the name is for linking to see.
            self.effects.append(Effect("subprocess", run.name, line, scope, head=name if run.is_direct else ""))
        script = commands.script_of(run)
        if script is not None:
            index = self._import(script, command, "", "dynamic")
            if index >= 0:
                self._use(scope, index, "", CALL, script.start)

    def _call(self, name: str, at: int, scope: int, how: int) -> None:
        if name in self.functions:
            self._use(scope, -1 - self.functions[name], "", how, at)
        elif self.stars and _NAME.fullmatch(name) and name not in commands.SPECIAL:
            self._use(scope, self.stars[-1], name, how, at)

    # ---- variables

    def _write(self, name: str, start: int, command: Command) -> None:
        if (command.scope, name) in self.locals:
            return
        index = self.variables.get(name)
        if index is None:
            if self.stars and not (command.words and start < command.words[0].start):
                self._use(self.index_of[command.scope], self.stars[-1], name, WRITE, start)
        elif self.places[index] != start:
            self._use(self.index_of[command.scope], -1 - index, "", WRITE, start)

    def _expansion(self, name: str, start: int, scope: int, *, has_default: bool) -> None:
        if (scope, name) in self.locals:
            return
        owner = self.index_of[scope]
        index = self.variables.get(name)
        star = self.stars[-1] if self.stars else -1
        if index is not None:
            self._use(owner, -1 - index, "", READ, start)
            return
        if star >= 0 and name not in _OWN:
            self._use(owner, star, name, READ, start)
        category = commands.EFFECTS.read_category(name)
        if category is None and (name in _OUTSIDE or (has_default and name.isupper() and name not in self.values)):
            category = "env"
        if category:
            self.effects.append(Effect(category, name, self.line(start), owner, star, head=name if star >= 0 else ""))

    def _use(self, scope: int, root: int, attr: str, how: int, at: int) -> None:
        known = self.uses.get((scope, root, attr))
        if known is None:
            self.uses[scope, root, attr] = [how, at, 1]
        else:
            known[0] |= how
            known[1] = min(known[1], at)
            known[2] += 1
