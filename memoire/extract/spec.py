"""What a language is to the engine: its files, its grammar, its query and the rules that find an import's file."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from memoire.effects import EffectTable
from memoire.model import FileFacts, Import, Problem, Target
from memoire.tree import Tree


class Syntax(msgspec.Struct, frozen=True):
    """How the engine reads a language that has a grammar."""

    grammars: Mapping[str, str]
    """Suffix -> `module:function` that gives the grammar."""
    queries: Mapping[str, tuple[str, ...]]
    """Suffix -> the files, beside `language.py`, that make up its one combined query."""
    folder: str
    """Where those files are."""
    read_import: Callable[[str, Mapping[str, str]], Import | Sequence[Import] | None]
    """(role `imp` | `reexp` | `dyn`, capture -> text) -> the bindings, with line, kind and scope left at defaults."""
    qualify: Callable[[Import], str]
    """The qualified name an import binds, for the effect table; empty where it cannot be external."""
    effects: EffectTable
    identifier: str = r"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*"
    """Regular expression of one name, for UTF-8: a letter beyond ASCII is two to four bytes from \\x80 on."""
    reserved: frozenset[str] = frozenset()
    """Keywords and global names: no star import brings them."""
    receiver: str = ""
    """The keyword of the instance inside a method (`this`); empty = the method's first parameter."""
    static_decorators: frozenset[str] = frozenset()
    """Decorators of methods without a receiver."""
    nothing: frozenset[str] = frozenset()
    """Literals that say nothing of a variable's type: None, undefined."""
    type_guards: tuple[str, ...] = ()
    """Conditions under which an import is for types only: TYPE_CHECKING."""
    annotation: str = ""
    """Regular expression whose group 1 is the one class that an annotation names."""
    has_labels: bool = False
    """Whether `{ name: value }` names a key, not a value that is read."""
    marks_types: bool = False
    """Whether a name in an annotation is not read when the code runs."""
    strings: str = ""
    """Regular expression of the strings that no query skips: all quotes left once the rest is blanked."""
    wrappers: frozenset[str] = frozenset()
    """Kinds of expressions that evaluate to their first child: parentheses, `as`."""


class Script(msgspec.Struct, frozen=True):
    """The code inside a file of another kind: the script of a component, the cells of a notebook."""

    suffix: str
    """As which language it is read: `.ts`, `.py`."""
    source: bytes
    """What is no code blanked, every line of code on the line it has in the file."""


class Language(msgspec.Struct, frozen=True):
    """One language; `languages/<name>/language.py` defines it as `LANGUAGE`."""

    name: str
    """As shown: python, typescript, markdown."""
    suffixes: tuple[str, ...]
    """With the dot, lower case."""
    resolve: Callable[[Tree, str, str], Target] = lambda _tree, _path, specifier: Target("unresolved", specifier)
    """(tree, path of the importing file, specifier as written) -> what it names."""
    member: Callable[[Tree, Target, str], Target | None] = lambda _tree, _target, _name: None
    """(tree, module, name) -> the submodule of that name, where the language has submodules."""
    is_test: Callable[[str], bool] = lambda _path: False
    """Whether a file of this path holds tests."""
    holds_tests: Callable[[FileFacts], bool] = lambda _facts: True
    """Whether a file among the tests holds any itself, or only helps those that do (`conftest.py`)."""
    is_barrel: Callable[[str], bool] = lambda _path: False
    """Whether a file of this path stands for its directory and passes on names (`__init__.py`, `index.ts`)."""
    syntax: Syntax | None = None
    """For languages with a grammar; at most one of `syntax`, `read` and `script` is given."""
    read: Callable[[str, bytes], FileFacts] | None = None
    """(path, bytes) -> facts, for what the engine cannot read: documents, data. Total: never raises."""
    script: Callable[[str, bytes], Script | Problem | None] | None = None
    """(path, bytes) -> the code inside, for files that hold code of another language. Total: never raises."""
    rules_of: str = ""
    """The language whose rules of resolution and of tests it follows: that of its script."""
    filenames: tuple[str, ...] = ()
    """Exact base names beside the suffixes."""
    kind: str = "file"
    """file or document."""
    resolves_by_file: bool = False
    """Whether two files of one folder may mean different things by the same specifier."""
