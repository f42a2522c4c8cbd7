"""Reads one syntax tree into rows with one combined query. With `guards`, the only importer of tree_sitter.

The capture vocabulary, the same for every language:

| capture | meaning |
|---|---|
| `@def.KIND` `@name` `@bases` `@returns` `@body` | a definition; `@decorated` `@inner` widens it to its decorators |
| `@closure` | a definition that captures the variables around it, though functions do not: `Syntax.uncaptured` |
| `@maker` | a member that makes an instance of what it is called on: `new` |
| `@subject` with `@value` | a block that is about something: see `Syntax.subject` |
| `@handed` with `@value`, `@handed.end` | the first parameter of a block, the call it belongs to, where that ends |
| | without the block: the parameter holds what the name of the call says with `{}` behind it |
| `@made` | the name of a method that a call in the body of a class makes: see `Syntax.made` |
| `@subshell` | what is run as a program of the shell, though nothing is called: the text between backticks |
| `@parts` with `@def.KIND` | its body is its field of that name, and what it returns stands behind its arrow |
| `@typed` with `@def.KIND`, `@param`, `@bind`, `@field` | its type stands before its name, its value behind an `=` |
| `@rest` instead of `@value` | the first node of an expression whose parts are siblings |
| `@named` | the name of what extends a type: a use of that type, where the file does not define it |
| `@base` | a base of the class around that stands in its body: what a struct embeds; behind those in its header |
| `@base.first` | such a one that goes before them, the last of several first: `include` in Ruby, `use` in PHP |
| `@def.constructor` | a method that is called `constructor`, whatever its `@name` is |
| `@def.anonymous` | the body of a class without a name; `@name` is what it extends |
| `@implied` with `@value` or `@item` | a function without parameters whose own, `Syntax.implied`, holds it |
| `@within` with `@value` | a block that runs inside the value: `Syntax.receiver` means that in it |
| `@typevar` | a parameter that stands for a type in the definition around |
| `@attribute` | stands before a definition and belongs to it: `#[test]` |
| `@head` | the first name of a path: a module of this name is imported, where nothing in the file is called so |
| `@owner` with `@def.KIND` | the type that names a definition outside of it: `Server.Run` for `func (s *Server) Run` |
| `@package` | the package or namespace that the whole file is in; of several each reaches to the next |
| `@picked` `@value`, `@picked.key` | a name that a pattern takes out of a value, under its own or another name |
| `@entry.of` `@entry` `@value` | what an object that a variable of the module holds has under a name |
| `@returned`, `@yielded` | what a function returns, or yields |
| `@called` | a type of which an instance is made without a call that shows it: `File file(path);` |
| `@unparenthesized` | arguments without parentheses: what stands before them is called |
| `@trailing` with `@arguments` | a closure behind a call that is one of its arguments, behind those in parentheses |
| `@labelled` | the label of a first argument that is part of the name of what is called: `Data(contentsOf:)` |
| `@def.signature`, `@def.member`, `@def.taken` | a definition if it stands in the right place: see `regions.settle` |
| `@def.outer` | a variable whose name belongs around the definition that it stands in: a constant of an enum in C |
| `@def.define` | a macro: its name is that of no scope around |
| `@def.test` | a function made by a macro of a test framework; goes before what else the same node is |
| `@extension_method` `@type` | a function that is named by its own class, and may be called as a member of the type: |
| | `static int Twice(this Pool pool)` |
| `@private` | definitions inside it are seen by no other file |
| `@imp` with `@imp.module` / `@imp.from` `@imp.name` `@imp.alias` `@imp.star` `@imp.default` `@imp.ns` | one binding |
| `@reexp` with `@imp.from`, `@imp.name`, `@imp.alias`, `@imp.star` | names passed on from another module |
| `@imp.clause` | all names of one statement, for `Syntax.read_import` to read |
| `@dyn` with `@imp.from` | `import("x")`, `require("x")` |
| `@export.local` `@export.name` | an exported local name (languages that say so) |
| `@doc.ahead` in a `@statement` | a docstring before what it documents, and before statements of its own kind |
| `@export.whole` | the local name of what stands for the module itself: `return M` |
| `@heir` `@bases` | a class of the file and what it inherits, said in a statement of its own |
| `@def.table` | an object that functions may be given to by name: see `regions.settle` |
| `@comment` `@skip` `@hide` | no code: masked before names are read; `@doc` is a docstring |
| `@code` | what is code inside of a `@skip`: an expression in a string |
| `@param` `@type`, `@bind` `@type` `@value`, `@local`, `@global` | names that a scope binds itself |
| `@item` instead of `@value` | what a bound name holds an item of: `for x in xs`, `x = xs[0]` |
| `@scope`, `@braces` | a function, a block without a name that binds names itself |
| `@hoist` | a declared name that passes blocks by |
| `@assign` `@value` | an assignment to what a scope around declares |
| `@field` `@type` `@value` | an attribute of the class around |
| `@annotation` | a type that stands for itself |
| `@tag` | an element of JSX: one with a capital letter is called |
| `@generic`, `@tagged` | type arguments of a call (or their brackets), a template that is one: see `masking` |
| `@write` | assigned in place; `@key` a name that is no use (keyword, object key) |
| `@block` | an indented block: its end is part of the fingerprint |
| `@cond` `@guarded`, `@tried` | code that does not always run |
"""

from typing import NamedTuple

from tree_sitter import Node

from memoire.extract.regions import Region
from memoire.extract.stretches import Part

UNNAMED = {"constructor": ("method", b"constructor%.0b"), "anonymous": ("class", b"$%b")}
"""Kinds of definitions without a name of their own -> the kind they become, and how they are called."""
KINDS = {"outer": "variable", "test": "function", "define": "macro"}
"""Kinds that say where a definition belongs -> what it is."""


class Line(NamedTuple):
    """A statement that was found by its text: what a node of the tree says of its place."""

    start_byte: int
    end_byte: int
    start_point: tuple[int, int]
    """(line, column), both from 0 on."""


class Rows:
    """What one tree holds, as plain tuples of byte offsets and bytes, in the order of the query's matches."""

    __slots__ = (
        "ahead",
        "assigns",
        "attributes",
        "bases",
        "binds",
        "blocks",
        "called",
        "closures",
        "codes",
        "comments",
        "decorated",
        "definitions",
        "docs",
        "entries",
        "exports",
        "extension_methods",
        "fields",
        "first_bases",
        "generics",
        "globals",
        "guarded",
        "handed",
        "heads",
        "heirs",
        "hidden",
        "hoisted",
        "implied",
        "imports",
        "items",
        "keys",
        "labelled",
        "locals",
        "made",
        "makers",
        "named",
        "packages",
        "params",
        "picked",
        "private",
        "regions",
        "returned",
        "shadowing",
        "skips",
        "subjects",
        "subshells",
        "tagged",
        "tags",
        "trailing",
        "tried",
        "types",
        "typevars",
        "unparenthesized",
        "values",
        "within",
        "writes",
    )

    attributes: dict[int, int]
    """End of what stands before a definition and belongs to it -> its start."""
    heads: dict[bytes, list[Node]]
    """Name that begins paths -> where it does so."""
    bases: list[Part]
    """What the class around inherits, where it is not said in its header."""
    named: list[Node]
    """Names of what extends a type."""
    trailing: list[tuple[int, int, int]]
    """(start of the arguments, end of those in parentheses, end of the last closure)"""
    labelled: list[tuple[int, int]]
    implied: dict[int, tuple[Node | None, bool]]
    """Start of a function without parameters -> what its implied one holds, as an expression; whether an item of it."""
    within: dict[int, Node]
    """Start of a block that runs inside a value -> that, as an expression."""
    items: set[int]
    """Offsets of bound names that hold an item of their value."""
    shadowing: dict[int, int]
    """Offset of a bound name -> where the scope begins that binds it."""

    def extended(self, start: int) -> list[Node]:
        """Return the type that the function at an offset is a member of, if it is one of a type."""
        return [self.extension_methods[start]] if start in self.extension_methods else []

    def __init__(self) -> None:  # noqa: PLR0915 - one statement for each kind of row
        self.bases, self.items, self.shadowing, self.attributes, self.heads = [], set(), {}, {}, {}
        self.named, self.trailing, self.labelled, self.implied, self.within = [], [], [], {}, {}
        self.definitions: list[tuple[int, int, str, Node, list[Part], Part | None, Node | None, Node | None]] = []
        """(start, end, kind, name, bases, returns, body, owner)"""
        self.packages: list[Node] = []
        self.codes: list[tuple[int, int]] = []
        self.unparenthesized: list[tuple[int, int]] = []
        self.first_bases: list[Node] = []
        self.handed: set[int] = set()
        """Offsets of bound names that hold what a call hands to its block."""
        self.made: list[Node] = []
        self.makers: list[tuple[int, int]] = []
        self.subjects: list[tuple[Node, Node]] = []
        self.subshells: list[int] = []
        self.closures: set[int] = set()
        self.picked: list[tuple[Node, Node, Node]] = []
        """(name, key, value)"""
        self.entries: list[tuple[bytes, Node, Node]] = []
        """(variable, key, value)"""
        self.returned: list[tuple[Node, bool]] = []
        """(expression, whether it is yielded)"""
        self.extension_methods: dict[int, Node] = {}
        """Start of a function -> the type that it is a member of."""
        self.called: set[int] = set()
        self.private: list[tuple[int, int]] = []
        self.decorated: list[tuple[int, int, int]] = []
        """(start, start of the inner definition, first line)"""
        self.imports: list[tuple[Node | Line, str, dict[str, bytes]]] = []
        """(statement, imp | reexp | dyn, capture -> text)"""
        self.exports: list[tuple[int, bytes, bytes]] = []
        """(offset, exported name, local name)"""
        self.comments: list[Node] = []
        self.docs: list[Node] = []
        self.skips: list[tuple[int, int]] = []
        self.hidden: list[tuple[int, int]] = []
        self.blocks: list[int] = []
        self.params: list[tuple[int, bytes, bytes]] = []
        """(offset, name, annotation)"""
        self.binds: list[tuple[Node, Part | None, Part | None]] = []
        """(left, annotation, right)"""
        self.locals: list[Node] = []
        self.writes: list[Node] = []
        self.globals: list[tuple[int, bytes]] = []
        self.keys: set[int] = set()
        self.ahead: list[tuple[int, Node]] = []
        """(offset of what is documented, docstring)"""
        self.heirs: list[tuple[bytes, Node]] = []
        """(class of the file, what it inherits)"""
        self.guarded: list[tuple[int, int, bytes]] = []
        self.tried: list[tuple[int, int]] = []
        self.regions: set[Region] = set()
        self.hoisted: set[int] = set()
        self.assigns: list[tuple[Node, Part | None]] = []
        """(name, value) of assignments to a name that some scope around declares"""
        self.fields: list[tuple[Node, Part | None, Part | None]] = []
        """(name, annotation, value) of attributes of the class around"""
        self.tags: list[Node] = []
        self.types: list[tuple[int, int]] = []
        self.values: dict[int, Node] = {}  # start of a variable that is a definition -> its value
        self.typevars: list[tuple[int, bytes]] = []
        self.generics: list[tuple[int, int]] = []
        self.tagged: list[tuple[int, int]] = []


MAX_PACKAGES = 16
"""How many packages, each inside the one before, a file may begin with."""
