"""Rust: suffixes, grammar, how its imports are read."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from memoire.extract.spec import Language, ModulePaths, Syntax
from memoire.languages.rust.conventions import TEST, holds_tests, is_barrel, is_test
from memoire.languages.rust.resolution import AT_PATH, DECLARED, resolve
from memoire.languages.rust.usetree import use_tree
from memoire.languages.rust.wrapped import opened
from memoire.model import Import

_FOLDER = str(Path(__file__).parent)

RESERVED = frozenset({
    "_", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "type", "union", "unsafe", "use", "where", "while", "yield",
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32", "u64", "u128",
    "usize", "Some", "None", "Ok", "Err", "Option", "Vec", "String", "Box", "Clone", "Copy", "Send", "Sync", "Sized",
    "Drop", "Fn", "FnMut", "FnOnce", "Into", "From", "AsRef", "AsMut", "Iterator", "IntoIterator", "Extend", "Default",
    "ToString", "ToOwned", "Eq", "Ord", "PartialEq", "PartialOrd", "TryFrom", "TryInto", "DoubleEndedIterator",
    "ExactSizeIterator", "FromIterator", "Debug", "Hash", "assert", "assert_eq", "assert_ne", "cfg", "column",
    "compile_error", "concat", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln",
    "file", "format", "format_args", "include", "include_bytes", "include_str", "line", "matches", "module_path",
    "option_env", "panic", "print", "println", "stringify", "thread_local", "todo", "unimplemented", "unreachable",
    "vec", "write", "writeln", "derive", "drop",
})  # fmt: skip
"""Keywords, primitive types, and what the prelude and the macros of the standard library bring everywhere."""

TRANSPARENT = frozenset({
    "await", "unwrap", "expect", "clone", "cloned", "copied", "as_ref", "as_mut", "as_deref", "borrow", "borrow_mut",
    "lock", "iter", "iter_mut", "into_iter", "to_owned", "unwrap_or_default", "unwrap_or_else", "unwrap_or", "map_err",
    "context", "with_context", "wrap_err", "ok_or", "ok_or_else", "ok", "values", "values_mut", "into_values", "rev",
    "skip", "take", "filter", "peekable", "chain", "collect", "to_vec", "inspect", "get_mut", "into_inner",
})  # fmt: skip
"""Methods of references, options, results, locks and iterators whose result speaks of the same class."""

_AROUND = (
    r"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?|\*(?:const|mut)\s+|(?:impl|dyn)\s+|'\w+\s*,\s*"
    r"|(?:\w+\s*::\s*)*(?:Box|Rc|Arc|Weak|Option|Result|Cell|RefCell|Mutex|RwLock|OnceCell|OnceLock|LazyLock|Lazy|Pin|Cow"
    r"|MutexGuard|RwLockReadGuard|RwLockWriteGuard|Ref|RefMut|Future\s*<\s*Output\s*=|ManuallyDrop|NonNull|Poll|Wrapping"
    r"|io::Result|fmt::Result|anyhow::Result)\s*<?\s*)*"
)
"""What may stand around the one class that a type speaks of: references, pointers, and what holds one value."""

_OWN = "pub(self)"
"""The visibility that is none."""

_ITEMS = (
    r"(?:(?:\w+\s*::\s*)*(?:Vec|VecDeque|HashSet|BTreeSet|BinaryHeap|LinkedList|SmallVec|IndexSet|ArrayVec)\s*<\s*(.+)>"
    r"|(?:\w+\s*::\s*)*(?:HashMap|BTreeMap|IndexMap|DashMap)\s*<[^,]+,\s*(.+)>"
    r"|\[\s*([^;\]]+)|(?:Double\w+|Exact\w+)?(?:Into)?Iterator\s*<\s*Item\s*=\s*(.+)>)"
)


def read_import(role: str, got: Mapping[str, str]) -> Import | Sequence[Import] | None:
    """Return the bindings of one declaration: of a module, a crate, or all names of a `use`."""
    del role
    if "clause" in got:
        kind = "static" if got.get("seen", _OWN) == _OWN else "reexport"
        return [
            Import(path, name, local, 0, kind) if path or name == "*" else Import(name, "", local, 0, kind)
            for path, name, local in use_tree(got["clause"])
            if path or name != "*"
        ]
    if "module" in got:
        name = got["module"].removeprefix("r#")
        if "path" in got:
            return Import(AT_PATH + got["path"].strip('"'), "", name, 0, "conditional")
        return Import(DECLARED + name, "", name, 0)
    name = got["from"]
    alias = got.get("alias", name)
    return Import(name, "", "" if alias == "_" else alias, 0)


def qualify(item: Import) -> str:
    """Return the qualified name that an import binds, its parts joined by dots; empty for what is of this crate."""
    head = item.specifier.partition("::")[0]
    path = item.specifier.replace("::", ".")
    if item.is_star:
        return path  # of this crate too: no name of a library stands in it alone
    if head in {"crate", "self", "super"} or " " in head:
        return ""
    return f"{path}.{item.name}" if item.name else path


LANGUAGE = Language(
    name="rust",
    suffixes=(".rs",),
    resolve=resolve,
    is_test=is_test,
    holds_tests=holds_tests,
    is_barrel=is_barrel,
    resolves_by_file=True,
    has_inner_tests=True,
    package_of=lambda _tree, _path, _declared: "",
    syntax=Syntax(
        grammars={".rs": "tree_sitter_rust:language"},
        queries={".rs": ("queries.scm",)},
        folder=_FOLDER,
        read_import=read_import,
        qualify=qualify,
        prepare=opened,
        effect_tables=(_FOLDER,),
        reserved=RESERVED,
        receiver="self",
        own_types=frozenset({"Self"}),
        implicit=lambda _package: tuple(Import(name, "", name, 1, "implicit") for name in ("crate", "super", "self")),
        module_paths=ModulePaths("::", "crate", "super", "self", DECLARED, AT_PATH),
        transparent=TRANSPARENT,
        separators=("::", "."),
        identifier=r"(?:r#)?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*",
        annotation=rf"^\s*{_AROUND}([A-Za-z_]\w*(?:\s*::\s*\w+)*)",
        collection=rf"^\s*{_AROUND}{_ITEMS}",
        shadows=True,
        binds_reexports=True,
        has_keywords=False,
        name_nodes=frozenset({"identifier"}),
        attribute_nodes=frozenset({"field_expression", "scoped_identifier"}),
        item_nodes=frozenset({"index_expression"}),
        value_nodes=frozenset(
            {
                "call_expression",
                "identifier",
                "field_expression",
                "scoped_identifier",
                "self",
                "try_expression",
                "await_expression",
            }
        ),
        call_nodes=frozenset({"call_expression", "try_expression", "await_expression"}),
        wrappers=frozenset({"try_expression", "await_expression", "parenthesized_expression"}),
        prefixes=("&mut ", "&", "*"),
        doc_comment=r"///(?!/)|//!|/\*[*!]",
        test_names=r"(?!)",
        test_marks=TEST,
    ),
)
