"""What a language is to the engine: its files, its grammar, its query and the rules that find an import's file."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from memoire.effects import EffectTable, load_effects
from memoire.model import FileFacts, Import, Problem, Target
from memoire.tree import Tree

EVERY_KIND = "*"
"""Stands for all kinds of definitions in `Language.by_inclusion`."""


class ModulePaths(msgspec.Struct, frozen=True):
    """How a language writes paths of modules, and what the specifiers of its imports are then.

    Of such a path `Language.resolve` finds the first name, linking follows the others from module to module.
    """

    joint: str
    """What joins their names: `::`. No variable hides the first one."""
    root: str
    """The first name of a path from the top of the package: `crate`."""
    outer: str
    """How code in a namespace with a body calls what that lies in: `super`. Names from around are not seen in it,
    unless it imports all of them."""
    own: str
    """How it calls that namespace itself: `self`."""
    declares: str
    """What the specifier of an import begins with that declares a module by its name: `mod `, for `mod disk;`. Behind
    it stand the namespaces around and the name, joined by slashes."""
    declares_at: str
    """What the specifier of an import begins with that declares a module by its path."""

    def is_declaration(self, specifier: str) -> bool:
        """Return whether a specifier declares a module, which is no path."""
        return specifier.startswith((self.declares, self.declares_at))


class Syntax(msgspec.Struct, frozen=True, dict=True):
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
    """The qualified name that an import binds, for the effect table; of an import of all names what stands before each
    of them. Empty where it cannot be external, and before names that stand in the table as they are."""
    effect_tables: tuple[str] | tuple[str, str]
    """The arguments of `load_effects`: the folder with its table, and one that it shares with other languages."""
    prepare: Callable[[bytes], bytes] = bytes
    """(source) -> the source as the grammar is to read it, every byte where it was: what no grammar can know, such as
    macros and the branches of a preprocessor, blanked or put in a form that it reads. Names are read from the source
    itself."""
    import_lines: str = ""
    """Regular expression of a line that imports, seen in what `prepare` gives; its group 1 is what `@imp.from` is in a
    query. For imports that stand on lines of their own, so that no syntax error around hides them."""
    identifier: str = r"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*"
    """Regular expression of one name, for UTF-8: a letter beyond ASCII is two to four bytes from \\x80 on."""
    reserved: frozenset[str] = frozenset()
    """Keywords and global names: no star import brings them."""
    inheritable: frozenset[str] = frozenset()
    """Global functions whose names classes of libraries have for members: in a class that may inherit from one of those
    a name alone is taken for the member. `connect` is a function of sockets, and of everything in Qt."""
    outside: frozenset[str] = frozenset()
    """Global names that lead out of every project: `std`."""
    receiver: str = ""
    """The keyword of the instance inside a method (`this`); empty = the method's first parameter."""
    static_decorators: frozenset[str] = frozenset()
    """Decorators of methods without a receiver."""
    texts: str = ""
    """The class of what stands between quotes, where its own members act on the world: `String` in Swift."""
    nothing: frozenset[str] = frozenset()
    """What says nothing of a variable's type: literals (None, undefined), and annotations behind a colon (`:Any`)."""
    type_guards: tuple[str, ...] = ()
    """Conditions under which an import is for types only: TYPE_CHECKING."""
    annotation: str = ""
    """Regular expression whose group 1 is the one class that an annotation names."""
    collection: str = ""
    """Regular expression whose last group that matched is the type of the items, for annotations of collections."""
    implied: str = ""
    """The name of the parameter of a function that names none: `it`."""
    same_items: frozenset[str] = frozenset()
    """Members of collections that give a collection of the same items: `filter`."""
    item_calls: frozenset[str] = frozenset()
    """Members of collections that give one of their items: `first`."""
    keeps_types: bool = False
    """Whether a variable keeps the type of what it is bound to first."""
    module_paths: ModulePaths | None = None
    """How modules and types are named by paths, where they are."""
    transparent: frozenset[str] = frozenset()
    """Methods of what wraps a value, such as an option or a pointer, that give the value: `unwrap`. A type names what
    it wraps, so the class stays the same; where that has a method of its own of the name, it is that method. Linking
    sees which it is, so the name stays in a chain: unlike `returns_receiver` and `elided`."""
    shadows: bool = False
    """Whether a declaration in a block binds its name from its own end on, so that `x := x.y()` speaks of another x."""
    has_keywords: bool = True
    """Whether `name = value` may name what is given, as an argument does: the name is no use then."""
    has_labels: bool = False
    """Whether `{ name: value }` names a key, not a value that is read."""
    marks_types: bool = False
    """Whether a name in an annotation is not read when the code runs."""
    erases_types: bool = False
    """Whether annotations inside functions, their headers included, do nothing when the code runs."""
    strings: str = ""
    """Regular expression of the strings that no query skips: all quotes left once the rest is blanked."""
    wrappers: frozenset[str] = frozenset()
    """Kinds of expressions that evaluate to their first child: parentheses, `as`."""
    choices: Mapping[str, tuple[int, ...]] = {}
    """Kinds of expressions that evaluate to one of several -> which of their children these are, the likelier to show
    a class first: `a || b`, `c ? a : b`."""
    choosers: frozenset[str] = frozenset({"||", "??", "or"})
    """The operators of those of them that have one."""
    public_names: str = ""
    """Regular expression of the list of names that an import of all names brings; its first group is the list, as
    literals. Names that begin with `_` are not brought without it."""
    operators: Mapping[str, str] = {}
    """Operator, with the spaces around it, -> the method of its left side that it calls: ` / ` -> `__truediv__`."""
    block_field: str = ""
    """The field of a call that holds a closure behind its arguments: it tells nothing of what the call gives."""
    lenders: frozenset[str] = frozenset()
    """Calls, without their arguments, that give or lend what their closure gives: `ConnectionPool.new`."""
    made: Callable[[str, str], str] | None = None
    """(call, name) -> an expression of what the method gives that the call, in the body of a class, makes under the
    name (`@made`); empty where that is not told: `Line()` for `lines` in `has_many :lines`."""
    passing: str = ""
    """Regular expression of how a call begins that gives what its first argument is: `promisify(`, `sorted(`."""
    property_marks: str = ""
    """Regular expression of what stands in the header of a method that is called by naming it: `@property`, `get`."""
    separators: tuple[str, ...] = (".",)
    """What joins the names of a chain: `.`, `::`, `->`; each may have `?` or `!` before it."""
    implicit: Callable[[str], tuple[Import, ...]] = lambda _package: ()
    """(the package the file declares) -> the imports of all names of a module that the language makes by itself, the
    one that goes before the others last. A file with any: each name bound by nothing is looked for in them."""
    implicit_members: bool = False
    """Whether a name alone may be a member of the class around: `save()` for `this.save()`."""
    members_by_text: bool = False
    """Whether those members are only what stands in the text of the class: none of its bases, none of other files."""
    expands_aliases: bool = False
    """Whether an import may name a module by what another import of the file binds it to: `alias A.B`, `import B`."""
    quotes_imports: bool = False
    """Whether an import of all names of a module brings the imports inside its functions too: `use Web, :controller`
    runs one of them, which quotes `alias Shop.Repo`."""
    module_names: str = ""
    """Regular expression of the names that only modules have: where a module has none of such a name, it is no part of
    that module at all."""
    binds_reexports: bool = False
    """Whether a file has the names that it passes on itself, as with `pub use`; those of other imports are then seen in
    its module and the modules inside it alone."""
    calls_apart: bool = False
    """Whether a variable never hides a function of its name: `name()` is a call of the function, whatever `name` is."""
    packages_nest: bool = False
    """Whether a file may begin with several packages, each inside the one before: `implicit` is given them separated
    by spaces."""
    returns_receiver: frozenset[str] = frozenset()
    """Functions that give back what they are called on, whatever it is, the instance around where they stand alone:
    `apply`. Where they are not called the name is any other's: unlike `elided`."""
    extension_members: Literal["", "functions", "blocks"] = ""
    """What makes a member of a type of another namespace, seen where it is imported: functions that name the type
    (`@owner`, `@extension_method`), or blocks that add to it (`@def.extension`): see `memoire.extension_members`."""
    companion: str = ""
    """The name of the object in a class whose members are called as the class's own: `Companion`."""
    interpolated: str = ""
    """Regular expression whose group 1 is a name inside a string that is code."""
    generic_calls: str = ""
    """Regular expression of type arguments between a callee and its parenthesis that the grammar may not see."""
    member_mark: str = ""
    """What the name of an instance variable begins with: `@`. A member without it is a method then, and one that is
    called like an instance variable without the mark gives what that holds."""
    capital_constants: bool = False
    """Whether a name that begins with a capital letter is that of a constant, a class among them, and no call."""
    repeats_names: bool = False
    """Whether a member of a class that is called like it is something else: `Client::Client`. Else it is the class."""
    own_types: frozenset[str] = frozenset()
    """Names by which a class calls itself: `Self`."""
    super_name: str = ""
    """The name by which a class calls the members of its bases: `super`, `base`, `parent`."""
    gives: Mapping[str, str] = {}
    """Base class with a type argument -> the attribute of that type that it gives: `widget` for `State` in Flutter."""
    call_method: str = ""
    """The method that a call of an instance calls: `call` in Dart; empty = what such a call gives is not told."""
    bare_calls: bool = False
    """Whether naming a function calls it."""
    root_mark: str = ""
    """The separator that, with nothing before it, leads to the root of all namespaces: `\\App`, `::App`. Where an
    import that `implicit` gives has it for its alias, it is a name of its own (`root_name`); elsewhere it stays a part
    of the name behind it (`root_prefix`), which is looked for outside of all classes and namespaces."""
    folds_names: bool = False
    """Whether the case of letters says nothing in names of functions, classes and namespaces; in those of variables
    and constants it does: see `extract.folding`."""
    variable_mark: str = ""
    """What the name of a variable begins with: `$`; no import of all names brings one."""
    static_mark: str = ""
    """What joins a class to the name of a static attribute, where that has the mark of a variable: `::` in `self::$x`.
    Elsewhere the attribute is called without the mark."""
    uncaptured: str = ""
    """Regular expression of the names that a function does not capture of the variables around it, for it is no closure
    (what is one is `@closure`), and that a class does not see of the members of those around it."""
    elided: frozenset[str] = frozenset()
    """Members that are left out of a chain, called or not, for they lead to something of the same class: `class`,
    `dup`, in languages in which naming calls. Unlike `transparent` and `returns_receiver` they are no use."""
    subject: str = ""
    """The name that `@subject` binds to what a test is about: `described_class`."""
    name_nodes: frozenset[str] = frozenset({"identifier", "type_identifier"})
    """Kinds of nodes that are one name: the left side of `x = 1`."""
    attribute_nodes: frozenset[str] = frozenset({"attribute", "member_expression"})
    """Kinds of nodes that are an attribute of something: the left side of `a.x = 1`."""
    item_nodes: frozenset[str] = frozenset({"subscript", "subscript_expression"})
    """Kinds of nodes that are an item of something: the left side of `a[0] = 1`."""
    value_nodes: frozenset[str] = frozenset({
        "call", "call_expression", "new_expression", "await", "await_expression", "identifier", "attribute",
        "member_expression", "binary_operator", "class", "function_expression", "arrow_function", "object", "this",
    })  # fmt: skip
    """Kinds of expressions that may lead to something known; a variable that holds another kind is not followed."""
    call_nodes: frozenset[str] = frozenset({"call", "call_expression", "new_expression", "await", "await_expression"})
    """Kinds of expressions that call something: what a variable of a module or an attribute of a class may hold."""
    prefixes: tuple[str, ...] = ("await ", "new ", "yield ")
    """What may stand before an expression without changing which class its value is of."""
    doc_comment: str = r"/\*[*!]"
    """Regular expression of how a comment begins that documents the definition below it, or the file it opens."""
    fixtures: Import | None = None
    """Where a test runner finds what it gives to the parameters of tests and fixtures, of kind injected."""
    fixture_marks: str = ""
    """Regular expression of what stands in the header of a fixture."""
    automatic_marks: str = ""
    """Regular expression of what stands in the header of a fixture that is run without being named."""
    generator_marks: str = ""
    """Regular expression of what stands in the header of a function that gives what it yields: a fixture, a context
    manager."""
    private_names: str = ""
    """Regular expression of what the names begin with that no import of all names brings from another package: `_` in
    Dart. As `test_names` it looks at the name alone."""
    private_marks: str = ""
    """Regular expression of what stands in the header of a definition that no other file sees: `static` in C. As
    `test_marks` it looks at what stands around the name."""
    makers: str = ""
    """Regular expression of how an expression begins that gives an instance of the class in its last group, whatever
    it calls: `std::make_unique<Pool>(…)`, a cast. Type arguments stand in the parenthesis: `make_unique(Pool …)`."""
    elsewhere_marks: str = ""
    """Regular expression of what stands before a variable that another file defines: `extern`."""
    test_names: str = "^[tT]est"
    """Regular expression of what the names of tests begin with."""
    test_marks: str = ""
    """Regular expression of what stands in the header of a test: an attribute, an annotation, a decorator."""

    def names_constant(self, name: str) -> bool:
        """Return whether the last part of a name, joined by dots, tells that it is a constant: `Net.HTTP`."""
        return self.capital_constants and name.rpartition(".")[2][:1].isupper()

    @functools.cached_property
    def static_prefix(self) -> bytes:
        """What stands before the name of a static attribute: its last letter is no part of the name."""
        return (self.static_mark + self.variable_mark if self.static_mark else "\0\0").encode()

    @functools.cached_property
    def root_name(self) -> str:
        """`root_mark`, where the root of all namespaces is bound by an import; else empty."""
        return self.root_mark if any(item.alias == self.root_mark for item in self.implicit("")) else ""

    @functools.cached_property
    def root_prefix(self) -> str:
        """`root_mark`, where it belongs to the name behind it; else empty."""
        return "" if self.root_name else self.root_mark

    @functools.cached_property
    def effects(self) -> EffectTable:
        """What its callees do; read when a file of the language is, for there are many languages."""
        return load_effects(*self.effect_tables)


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
    titles: Mapping[str, str] = {}
    """Suffix -> the name that its files are shown by, where it is another than `name`: `.js` -> javascript."""
    resolve: Callable[[Tree, str, str], Target] = lambda _tree, _path, specifier: Target("unresolved", specifier)
    """(tree, path of the importing file, specifier as written) -> what it names."""
    member: Callable[[Tree, Target, str], Target | None] = lambda _tree, _target, _name: None
    """(tree, module, name) -> the submodule of that name, where the language has submodules."""
    is_test: Callable[[str], bool] = lambda _path: False
    """Whether a file of this path holds tests."""
    has_inner_tests: bool = False
    """Whether tests are written into the files that they test."""
    holds_tests: Callable[[FileFacts], bool] = lambda _facts: True
    """Whether a file among the tests holds any itself, or only helps those that do (`conftest.py`)."""
    is_constructor: Callable[[str, str], bool] = lambda _name, _owner: False
    """(name of a method, name of its class) -> whether it runs without being named where the class is used: a
    constructor, a special method."""
    is_barrel: Callable[[str], bool] = lambda _path: False
    """Whether a file of this path stands for its directory and passes on names (`__init__.py`, `index.ts`)."""
    syntax: Syntax | None = None
    """For languages with a grammar; at most one of `syntax`, `read` and `script` is given."""
    read: Callable[[str, bytes], FileFacts] | None = None
    """(path, bytes) -> facts, for what the engine cannot read: documents, data. Total: never raises."""
    script: Callable[[str, bytes], Script | Problem | None] | None = None
    """(path, bytes) -> the code inside, for files that hold code of another language. Total: never raises."""
    reads_as: Mapping[str, Callable[[bytes], str]] = {}
    """Suffix -> (source) -> the suffix as which a file is read whose suffix leaves its language open: `.hpp` for a
    header in C++ that is called `.h`. Empty = its own."""
    rules_of: str = ""
    """The language whose rules of resolution and of tests it follows: that of its script."""
    filenames: tuple[str, ...] = ()
    """Exact base names beside the suffixes."""
    paths: tuple[str, ...] = ()
    """Patterns of whole paths, tested before names and suffixes: `*` is all but a slash, `**/` any folders."""
    is_setting: bool = False
    """Whether it says how a project is built, tested or shipped: what it names is no dependence of code on code, and
    counts for no file's fan-in."""
    kind: str = "file"
    """file or document."""
    family: str = ""
    """Languages of one family share their packages: `jvm`; where none is given, the language's own name."""
    sees: Callable[[Tree, str, str, tuple[str, ...]], tuple[str, ...]] = lambda _tree, _path, _name, files: files
    """(tree, path of the using file, qualified name, the files that declare it) -> those of them that it means; the
    nearest of several is taken."""
    prefers: Callable[[Tree, str, tuple[str, ...]], str] = lambda _tree, _name, _files: ""
    """(tree, qualified name, several files that declare it) -> the one that is its own, by the loader's conventions;
    empty = none is, they add to it alike."""
    opens: frozenset[str] = frozenset()
    """Kinds of definitions that may be opened again in other files: what lies in them has a qualified name."""
    imports_names: bool = False
    """Whether only the files of names that a file writes are imported by it, none that members and results lead to."""
    brings: Callable[[str, str], bool] = lambda _specifier, _kind: True
    """(specifier of an import of all names, kind of a definition, or namespace) -> whether it brings such a thing."""
    package_of: Callable[[Tree, str, str], str] | None = None
    """(tree, path, the package the file declares) -> the namespace that its top-level names belong to: by declaration
    (`com.acme`), by folder, by a manifest, or one for all. It is asked again when an answer of the tree that it rests
    on changes. None where names are reached through files alone."""
    other_names: Callable[[str], tuple[str, ...]] = lambda _name: ()
    """A member's name as it is called in the language -> how other languages of its family may have written it."""
    passes_stars: bool = True
    """Whether a file has the names that it imports all of from another, for those that import it: as in Python."""
    by_inclusion: frozenset[str] = frozenset()
    """Kinds of definitions that a file sees only of those files that it includes, directly or through others: the
    functions of Ruby. `EVERY_KIND` alone = all of them, private ones too, for an included file becomes part of the one
    that includes it: C."""
    text: Callable[[str, bytes], str] | None = None
    """(path, bytes) -> what a person reads in the file, where that is not its bytes: it is what is searched and quoted.
    Line n of it is line n of the facts. Total: never raises. Empty for a picture; None = the bytes are the text."""
    is_isolated: bool = False
    """Whether its reader may hang or fill the memory, so that it runs in a worker process and nowhere else."""
    unit_of: Callable[[Tree, str], str] | None = None
    """(tree, path) -> the unit that the file is built in (the project file of .NET), empty where that is not known.
    Names are seen in a unit and those it refers to; an import of kind `global` counts for all files of its unit."""
    units_seen: Callable[[Tree, str], frozenset[str]] = lambda _tree, unit: frozenset({unit})
    """(tree, unit) -> it and the units that it refers to, directly or through others."""
    unit_uses: Callable[[Tree, str], tuple[str, ...]] = lambda _tree, _unit: ()
    """(tree, unit) -> the specifiers of what it imports all names of for each of its files."""
    loads_anywhere: bool = False
    """Whether a name that a file does not have may be a function of any other, for what runs it may have loaded that:
    an effect with a `head` and without an `origin` counts where no file of the language defines the name."""
    resolves_by_file: bool = False
    """Whether two files of one folder may mean different things by the same specifier."""

    @property
    def module_paths(self) -> ModulePaths | None:
        """As in `Syntax`."""
        return self.syntax.module_paths if self.syntax is not None else None

    @property
    def is_pasted(self) -> bool:
        """Whether a file becomes part of those that include it, with all its names."""
        return EVERY_KIND in self.by_inclusion

    def __post_init__(self) -> None:
        if not self.family:
            msgspec.structs.force_setattr(self, "family", self.name)
