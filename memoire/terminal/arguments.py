"""Reads the command line: options shared by all commands, and those that an operation's schema describes."""

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from memoire import paths
from memoire.errors import InvalidArgumentError, NotInitializedError

SHARED = {"--json": 0, "--brief": 0, "--quiet": 0, "--root": 1}
"""Options that may also stand before the command -> how many values they take."""


BRIEF = "brief"
"""What `json` is where the JSON is to be short."""
_AS_NEAR = 0.2
"""Difference of two likenesses from which only the better one was meant."""

BAKED_FILE = Path(__file__).parent.parent / "baked.json"
"""What the operations are, written by `memoire.daemon.bake`: importing them costs half a second."""


class Baked(NamedTuple):
    """An operation, as far as the command line needs to know it."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of ending the process, and names the option that was meant."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    @classmethod
    def of(cls, command: str, description: str) -> "Parser":
        """Return the parser of one command, with the options that every command has."""
        parser = cls(prog=f"memoire {command}", description=description[:1].upper() + description[1:])
        parser.add_argument(
            "--root", metavar="DIR", default="", help="folder of the project (default: found from here)"
        )
        parser.add_argument("--json", action="store_true", help="write the result as one JSON document")
        brief_help = "write it as one line of JSON, without what is empty"
        parser.add_argument("--brief", dest="json", action="store_const", const=BRIEF, help=brief_help)
        parser.add_argument("--quiet", action="store_true", help="write nothing but errors: the exit status says it")
        return parser

    def error(self, message: str) -> NoReturn:
        """Raise.

        Raises:
            InvalidArgumentError: Always.
        """
        argument, separator, problem = message.partition(": ")
        if separator and argument.startswith("argument "):
            raise InvalidArgumentError(argument.removeprefix("argument "), problem)
        raise InvalidArgumentError(self.prog, message)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return what the arguments say.

        Raises:
            InvalidArgumentError: One is unknown, missing or of the wrong kind.
        """
        if _wanted:
            _wanted[-1].append(self)
            raise _WantedError
        found, unknown = self.parse_known_args(list(arguments))
        if unknown:
            known = [option for action in self._actions for option in action.option_strings]
            name = unknown[0].partition("=")[0]
            raise InvalidArgumentError(name, f"`{self.prog}` has no such argument", near(name, known))
        return found

    @property
    def actions(self) -> Sequence[argparse.Action]:
        """The arguments that it takes."""
        return self._actions

    def add_schema(self, schema: Mapping[str, Any]) -> None:
        """Add an argument for each property of an operation's input schema.

        Required text is positional (`expand PATH`), and so are `paths`; the words of a `query` need no quotes. All else
        is an option.
        """
        required = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            text = str(field.get("description", "")).replace("%", "%%")
            kind = _kind(field)
            if name in required and kind == "string":
                nargs = "+" if name == "query" else None
                self.add_argument(name, metavar=name.upper(), nargs=nargs, help=text)
                continue
            if name == "paths" and kind == "array":
                self.add_argument(name, metavar="PATH", nargs="*", help=text)
                continue
            if name == "ids" and kind == "array":
                self.add_argument(name, metavar="ID", nargs="+" if name in required else "*", help=text)
                continue
            if kind == "array" and _kind(field["items"]) == "object":
                self._add_items(name, field["items"], schema["properties"])
                continue
            settings: dict[str, Any] = {"dest": name, "required": name in required, "help": text}
            if kind == "boolean":
                settings |= {"action": argparse.BooleanOptionalAction, "default": None}
            elif name == "for":
                settings |= {"action": "extend", "nargs": "+", "metavar": "PATH"}
            elif kind == "array":
                settings |= {"action": "append", "metavar": name.upper().removesuffix("S")}
            elif kind == "object":
                settings |= {"action": "append", "type": pair, "metavar": "NAME=VALUE"}
            else:
                settings |= {
                    "type": {"integer": whole_number, "number": number}.get(kind, str),
                    "metavar": name.upper(),
                }
            self.add_argument(f"--{name.replace('_', '-')}", **settings)

    def _add_items(self, name: str, schema: Mapping[str, Any], others: Mapping[str, Any]) -> None:
        """Add arguments for a list of objects: each positional text is one, an option says something of all of them.

        What `others` say of the whole call needs no second option.

        And `--from-file`, JSON lines of whole objects, for what no option can say.
        """
        self.add_argument(
            name, metavar="TEXT", nargs="*", help=str(schema["properties"]["text"].get("description", ""))
        )
        fields = {key: field for key, field in schema["properties"].items() if _is_option(key, field, others)}
        self.add_schema({"properties": fields})
        self.add_argument(
            "--from-file", metavar="FILE", default="", help="JSON lines, one object each; - reads the input"
        )
        text_help = "a file that is the text of one; - is the input"
        self.add_argument("--text-file", metavar="FILE", action="append", default=[], help=text_help)


class _WantedError(Exception):
    """A command was run for its parser alone."""


_wanted: list[list[Parser]] = []
"""Not empty while that is so."""


def parser_of(run: Callable[[], object]) -> Parser | None:
    """Return the parser of a command, which is run so far and no further; None where it has none."""
    found: list[Parser] = []
    _wanted.append(found)
    try:
        run()
    except (_WantedError, InvalidArgumentError):
        pass  # a command that reads its line otherwise
    finally:
        _wanted.pop()
    return found[0] if found else None


def pair(text: str) -> tuple[str, str]:
    """Return (name, value) of `name=value`.

    Raises:
        argparse.ArgumentTypeError: There is no `=`.
    """
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"must be name=value, not {text!r}")
    return name, value


def whole_number(text: str) -> int:
    """Return the number that an argument is.

    Raises:
        argparse.ArgumentTypeError: It is none; the message says so in words.
    """
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def number(text: str) -> float:
    """Return the number, with or without a fraction, that an argument is.

    Raises:
        argparse.ArgumentTypeError: It is none; the message says so in words.
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text!r}") from None


def operations() -> dict[str, Baked]:
    """Return the operations of this version, by their command."""
    data = json.loads(BAKED_FILE.read_bytes())
    names = Baked._fields
    return {each["command"]: Baked(*[each[name] for name in names]) for each in data["operations"]}


def near(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words that may have been meant, best first, two at most; the second only where it is as near."""
    found = difflib.get_close_matches(word, list(known), n=2, cutoff=0.6)
    ratios = [difflib.SequenceMatcher(None, one, word).ratio() for one in found]
    return [one for one, ratio in zip(found, ratios, strict=True) if ratio > ratios[0] - _AS_NEAR]


def split(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """Return (command, its arguments): options that stand before the command come first among them."""
    leading: list[str] = []
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] not in {"-h", "--help", "--version"}:
        option = rest.pop(0)
        leading.append(option)
        if SHARED.get(option) and rest:
            leading.append(rest.pop(0))
    if not rest:
        return "", leading
    return rest[0], [*leading, *rest[1:]]


def folder(given: str) -> str:
    """Return the folder that was named, or the working directory.

    Raises:
        InvalidArgumentError: It is none.
    """
    if given and not Path(given).is_dir():
        raise InvalidArgumentError("--root", f"{given!r} is no folder")
    try:
        return given or str(Path.cwd())
    except FileNotFoundError as error:
        raise InvalidArgumentError("--root", "the working directory is gone; name the project's") from error


def project_root(given: str) -> str:
    """Return the root of the project that a command is about; no folder is the working directory.

    Raises:
        InvalidArgumentError: There is no such folder.
        NotInitializedError: `memoire init` was not run there.
    """
    root = paths.find_root(folder(given))
    if not paths.is_initialized(root):
        raise NotInitializedError(root)
    return root


def to_arguments(found: argparse.Namespace, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operation's arguments that were given."""
    given = {}
    for name, field in schema.get("properties", {}).items():
        value = getattr(found, name)
        if _kind(field) == "array" and _kind(field["items"]) == "object":
            given[name] = _items(found, value, field["items"], schema["properties"])
        elif value is not None:
            given[name] = _plain_value(name, value, field)
    return given


def _plain_value(name: str, value: Any, field: Mapping[str, Any]) -> Any:
    if name == "query" and isinstance(value, list):
        return " ".join(value)
    if _kind(field) == "object":
        return {key: _json_or_text(text) for key, text in value}
    return value


def _is_option(name: str, field: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Return whether a field of the objects of a list is an option of the command."""
    return name != "text" and name not in others and _is_plain(field)


def _items(
    found: argparse.Namespace, texts: Sequence[str], schema: Mapping[str, Any], others: Mapping[str, Any]
) -> list[Any]:
    """Return the objects that texts, options and a file come to.

    Raises:
        InvalidArgumentError: The file cannot be read, or a line of it is no object.
    """
    shared = {
        name: _plain_value(name, value, field)
        for name, field in schema["properties"].items()
        if _is_option(name, field, others) and (value := getattr(found, name)) is not None
    }
    whole = [*texts, *(read_text("--text-file", file) for file in found.text_file)]
    return [*({"text": text, **shared} for text in whole), *({**shared, **item} for item in _lines(found.from_file))]


def read_text(argument: str, file: str) -> str:
    """Return what a file says that an argument names; `-` is the standard input.

    Raises:
        InvalidArgumentError: It cannot be read.
    """
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(argument, f"{file} cannot be read ({error})") from error


def _lines(file: str) -> list[dict[str, Any]]:
    if not file:
        return []
    found = []
    for number, line in enumerate(read_text("--from-file", file).splitlines(), start=1):
        try:
            item = json.loads(line) if line.strip() else {}
        except ValueError as error:
            raise InvalidArgumentError("--from-file", f"{file}, line {number} is no JSON: {error}") from error
        if not isinstance(item, dict):
            raise InvalidArgumentError("--from-file", f"{file}, line {number} is no object")
        found += [item] if item else []
    return found


def _json_or_text(text: str) -> Any:
    """Return what a value on the command line means: a list or an object where it is written as one."""
    if text[:1] in {"[", "{"}:
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _is_plain(field: Mapping[str, Any]) -> bool:
    """Return whether one option can say a field: no list of objects."""
    return not (_kind(field) == "array" and _kind(field["items"]) == "object")


def from_root(root: str, given: str) -> str:
    """Return a path, from the root, that was typed in a folder of the project: what the shell completed is meant.

    A path that leads somewhere from the root is left as it is: answers name paths so, and they are copied.
    """
    path, separator, symbol = given.partition("::")
    is_here = path in {".", ".."} or path.startswith(("./", "../"))
    if not path or Path(path).is_absolute() or (not is_here and os.path.lexists(Path(root, path))):
        return given
    at = str(Path.cwd() / path)
    rel = paths.to_rel(root, at) if is_here or os.path.lexists(at) else None
    return given if rel is None else f"{rel or '.'}{separator}{symbol}"


def _kind(field: Mapping[str, Any]) -> str:
    """Return the JSON type of a property, the first that is not null where it may be several."""
    kind = field.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    for choice in field.get("anyOf", ()):
        if kind is None and choice.get("type") != "null":
            kind = choice.get("type")
    return str(kind or "string")
