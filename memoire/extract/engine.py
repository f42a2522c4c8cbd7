"""Turns the bytes of one file into `FileFacts` with tree-sitter. Pure, and total: never raises.

Invariant: this module reads nothing but its arguments (and the queries that ship with it), so an ingest may map it
over processes.
"""

import re
from bisect import bisect_right
from hashlib import sha256

import msgspec
from tree_sitter import Node, Tree

from memoire.extract import guards, regions
from memoire.extract.aliases import expanded, head_imports, with_one_alias
from memoire.extract.binding import Binder
from memoire.extract.chains import CALL_MARK, ITEM, chains_of, join
from memoire.extract.citations import mentions_in_comment
from memoire.extract.doc_comments import doc_comments, documented
from memoire.extract.docstrings import MAX_DOC, first_sentence
from memoire.extract.exports import exported, public_names
from memoire.extract.expressions import settled
from memoire.extract.fingerprint import annotations, fingerprints, header_digest
from memoire.extract.heirs import heirs
from memoire.extract.held import as_text, variable_texts
from memoire.extract.masking import mask, value_of, with_arguments, with_parens, without
from memoire.extract.places import Marks
from memoire.extract.preambles import Preambles
from memoire.extract.properties import find_properties
from memoire.extract.reader import first_error_line, import_lines, reader
from memoire.extract.regions import Raw, inherit, lay_out, line_starts, once, outermost, settle, span_at
from memoire.extract.rows import KINDS, UNNAMED, Line, Rows
from memoire.extract.scopes import Resolver
from memoire.extract.shadowing import shadow
from memoire.extract.source import Source
from memoire.extract.spec import Language, Syntax
from memoire.extract.stretches import Part
from memoire.extract.uses import UseCollector
from memoire.extract.variables import variables
from memoire.model import BASE, CLASS_KINDS, Definition, Effect, FileFacts, Import, Mention, Problem, Use

_CODE = frozenset({"function", "method", "member", "signature", "test"})
"""Kinds of matched definitions that run."""
_CITED = re.compile(rb"\.(?:md|rst|txt|adoc|markdown)\b")
"""A file without the suffix of a document in it cites none."""


def empty_facts(language: str, data: bytes, problem: Problem | None = None) -> FileFacts:
    """Return the facts of a file that is known by name only."""
    end = b"\n" if b"\n" in data else b"\r"
    lines = data.count(end) + (not data.endswith(end) and bool(data))
    return FileFacts(language, sha256(data).hexdigest(), len(data), lines, problems=(problem,) if problem else ())


def extract_code(language: Language, suffix: str, data: bytes) -> FileFacts:
    """Return the facts of one source file.

    Args:
        language: One with a `syntax`.
        suffix: Lower case, with the dot: a language may have a grammar for each.
        data: The bytes of the file, whatever they are.
    """
    assert language.syntax is not None
    source, recoded = guards.decode(data)
    problem = recoded if recoded and recoded.code == "binary" else guards.refusal(source)
    if problem:
        return empty_facts(language.name, data, problem)
    syntax = language.syntax
    read = reader(syntax.grammars[suffix], syntax.folder, syntax.queries[suffix])
    prepared = syntax.prepare(source)
    tree = guards.parse(read.parser, prepared)
    if isinstance(tree, Problem):
        return empty_facts(language.name, data, tree)
    problems = [recoded] if recoded else []
    if tree.root_node.has_error:
        line = first_error_line(tree, source)
        problems.append(Problem("syntax", f"has a syntax error at line {line}; read around it", line))
    if guards.is_too_deep(source):
        problems.append(Problem("too-deep", f"nests deeper than {guards.MAX_BRACKETS}; what is deeper is not read"))
    rows = read.read(tree, source)
    if syntax.import_lines:
        rows.imports += import_lines(prepared, syntax.import_lines)
    return _File(language.name, syntax, source, data, rows).facts(problems, tree)


class _File:
    """The work on one file, step by step."""

    def __init__(self, language: str, syntax: Syntax, src: bytes, data: bytes, rows: Rows) -> None:
        self.language = language
        self.syntax = syntax
        self.src = src
        self.data = data
        self.rows = rows
        if syntax.generic_calls:
            rows.generics += [found.span() for found in re.finditer(syntax.generic_calls.encode(), src)]
        src = with_arguments(src, rows.trailing, rows.labelled)
        self.code = with_parens(src, rows.generics, rows.tagged, rows.unparenthesized, rows.makers)
        """The source with a parenthesis wherever something is called."""
        self.lines = line_starts(src)
        marks = (syntax.root_prefix, syntax.root_name)
        self.chains = chains_of(syntax.identifier, syntax.separators, syntax.prefixes, marks, syntax.elided)
        self.annotation = re.compile(syntax.annotation or r"^\W*([\w.]+)\W*$")
        self.collection = re.compile(syntax.collection) if syntax.collection else None

    def facts(self, problems: list[Problem], tree: Tree) -> FileFacts:
        del tree  # kept alive by the caller while nodes of it are read
        self._read_imports()
        self._collect_definitions()
        self._index_scopes()
        if self.too_deep and all(problem.code != "too-deep" for problem in problems):
            what = f"{self.too_deep} definitions that lie deeper than {regions.MAX_LEVELS} levels"
            problems.append(Problem("too-deep", f"{what} are taken for a part of those around them"))
        imports = self._imports()
        uses, effects = self._uses(imports)
        return FileFacts(
            language=self.language,
            sha=sha256(self.data).hexdigest(),
            size=len(self.data),
            lines=self.src.count(b"\n") + (not self.src.endswith(b"\n") and bool(self.src)),
            summary=self.summary,
            definitions=self._with_results(imports),
            imports=tuple(imports),
            uses=uses,
            effects=tuple(effects),
            exports=exported(self.rows, self.raw, self.parents, self.owner),
            mentions=self._mentions(),
            problems=tuple(problems),
            package=self.package,
            attributes=self._attributes(imports),
            selectors=self.selectors,
            public=public_names(self.src, self.syntax.public_names),
        )

    def text(self, node: Part) -> bytes:
        return self.src[node.start_byte : node.end_byte]

    def line(self, offset: int) -> int:
        return bisect_right(self.lines, offset)

    # ---- definitions

    def _collect_definitions(self) -> None:
        """Give every definition its span, qualified name, fingerprints and first sentence."""
        widened = {inner: (start, line) for start, inner, line in sorted(self.rows.decorated, reverse=True)}
        preambles = Preambles(self.rows, self.src)
        raw: list[Raw] = []
        for start, end, kind, node, bases, returns, body, owner in self.rows.definitions:
            if node.is_missing:
                continue  # the parser needed a name to go on
            begin, _ = widened.get(start, (start, 0))
            name = self._full_name(kind, node, owner)
            if kind in UNNAMED:
                kind, name = UNNAMED[kind][0], UNNAMED[kind][1] % name  # noqa: PLW2901 - it has no name of its own
            raw.append((preambles.begin(begin), end, kind, name, bases, returns, body, start))
        packages = [] if self.syntax.packages_nest else self.rows.packages
        named = [(node.start_byte, self._full_name("namespace", node, None)) for node in packages]
        raw = once(raw + regions.namespaces(named, len(self.src)))
        spans = outermost([(item[0], item[1]) for item in raw])
        top = set(spans)
        taken = {item[3] for item in raw if (item[0], item[1]) in top}
        imported = {item.alias.encode() for _, _, item in self.read_imports}
        raw = [item for item in raw if item[2] != "taken" or item[3] not in imported]
        taken |= {item.alias.encode() for node, _, item in self.read_imports if span_at(spans, node.start_byte) is None}
        found, self.held = variables(self.rows, self.syntax, self.src, raw, taken)
        raw += found
        # A name may be made of nothing but what the parser added to go on.
        raw = [item for item in raw if item[3]]
        raw.sort(key=lambda item: (item[0], -item[1]))
        inherit(raw, self.rows.heirs)
        if self.syntax.receiver or any(item[2] == "declaration" for item in raw):
            raw = settle(raw, self.rows.regions)
        self.raw, self.too_deep = regions.shallow(regions.clipped(raw))
        self.spans = [(item[0], item[1]) for item in self.raw]
        self._add_bases(self.raw)
        self.typevars: dict[str, list[tuple[int, int]]] = {}
        """Name of a parameter that stands for a type -> the spans of the definitions it is known in."""
        for at, typevar in self.rows.typevars:
            around = self._owner(at)
            if around >= 0:
                self.typevars.setdefault(typevar.decode("utf-8", "replace"), []).append(self.spans[around])
        erased = self._erased() if self.syntax.erases_types else ()
        prints = fingerprints(self.src, self.spans, self.rows, erased)
        docs = self._docs()
        self.summary = docs.get(-1, "")
        self._define(self.raw, prints, docs)

    def _erased(self) -> list[tuple[int, int]]:
        """Return the spans of annotations inside functions; those of fields may be looked at when the code runs."""
        functions = outermost([span for span, item in zip(self.spans, self.raw, strict=True) if item[2] in _CODE])
        inside = (span for span in self.rows.types if span_at(functions, span[0]) is not None)
        return annotations(self.src, inside)

    def _add_bases(self, raw: list[Raw]) -> None:
        """Give the classes the bases that stand in their bodies."""
        for base in self.rows.bases:
            at = self._owner(base.start_byte)
            if at >= 0:
                raw[at][4].append(base)
        mixed: dict[int, list[Part]] = {}
        for base in sorted(self.rows.first_bases, key=lambda node: -node.start_byte):
            mixed.setdefault(self._owner(base.start_byte), []).append(base)
        for at, bases in mixed.items():
            if at >= 0:
                raw[at][4][:0] = bases

    def _full_name(self, kind: str, node: Node, owner: Node | None) -> bytes:
        """Return the name of a definition, with that of the type before it where it stands outside of it."""
        text = self.text(node).lstrip(b":")
        if kind == "test":
            text = text.strip(b'"') or b"test"
        elif any(separator in text for separator in self.chains.separators):
            text = b".".join(filter(None, self.chains.parts(text)))
        if owner is None:
            return text
        return ".".join((*self.chains.names(self.text(owner).partition(b"<")[0]), "")).encode() + text

    def _define(self, raw: list[Raw], prints: list[str], docs: dict[int, str]) -> None:
        """Make the definitions of what was matched, sorted by place."""
        marks = re.compile(self.syntax.test_marks.encode()) if self.syntax.test_marks else None
        private = re.compile(self.syntax.private_marks.encode()) if self.syntax.private_marks else None
        self.around = outermost([(region.start, region.end) for region in self.rows.regions])
        elsewhere = re.compile(self.syntax.elsewhere_marks.encode()) if self.syntax.elsewhere_marks else None
        is_named_test = re.compile(self.syntax.test_names).match
        comments = sorted((node.start_byte, node.end_byte) for node in self.rows.comments)
        stack: list[int] = []
        self.parents: list[int] = []
        self.definitions: list[Definition] = []
        for index, (start, end, kind, name, bases, returns, body, inner) in enumerate(raw):
            while stack and self.spans[stack[-1]][1] <= start:
                stack.pop()
            parent = stack[-1] if stack else -1
            stack.append(index)
            if parent >= 0 and kind in {"outer", "define"}:
                parent = self.parents[parent] if kind == "outer" else -1
            self.parents.append(parent)
            above = self.definitions[parent] if parent >= 0 else None
            text = name.decode("utf-8", "replace")
            if kind == "function" and above and above.kind in CLASS_KINDS:
                kind = "method"  # noqa: PLW2901 - a function is a method by where it stands
            header = self.src[start : body.start_byte] if body else b""
            head = (header or self.src[start:end]) if marks or private else b""
            if kind == "variable" and above is None and private:
                head = self.src[self.lines[self.line(start) - 1] : end]
            returned = self._returned(returns, start, above) if returns or kind == "variable" else ""
            if kind == "variable" and elsewhere and elsewhere.search(head):
                kind = "declaration"  # noqa: PLW2901
            self.definitions.append(
                Definition(
                    name=regions.qualified(above.name if above else "", text),
                    kind=KINDS.get(kind, kind),
                    line=self.line(start),
                    end_line=self.line(max(start, end - 1)),
                    parent=parent,
                    body=prints[index],
                    signature=header_digest(self.src, start, body.start_byte, comments) if header and body else "",
                    doc=docs.get(index, ""),
                    returns=returned,
                    bases=tuple(self._bases([*(bases or self.rows.extended(inner))])),
                    is_test=kind == "test" or bool(is_named_test(text) or (marks and marks.search(head))),
                    is_private=kind == "test"
                    or bool(private and private.search(head))
                    or self._is_hidden(start, parent),
                )
            )

    def _is_hidden(self, offset: int, parent: int) -> bool:
        """Return whether what stands at an offset is seen by no other file."""
        if parent < 0 and self.syntax.uncaptured and span_at(self.around, offset) is not None:
            return True  # what a block defines is its own
        return any(start <= offset < end for start, end in self.rows.private)

    def _returned(self, returns: Part | None, start: int, above: Definition | None) -> str:
        """Return the class that a function says it returns; of a variable the one it is said, or seen, to hold."""
        annotation, value = (returns, None) if returns else self.held.get(start, (None, self.rows.values.get(start)))
        found = self._class_of(annotation, value)
        if found in self.syntax.own_types and above is not None and above.kind in CLASS_KINDS:
            return above.name
        return found

    def _class_of(self, annotation: Part | None, value: Part | None) -> str:
        """Return the class that an annotation names, or that the value shows: dotted names and calls."""
        if annotation is not None:
            names = self._class_named(self.text(annotation).decode("utf-8", "replace")[:MAX_DOC])
            head = names.removeprefix(ITEM).partition(".")[0]
            return "" if self._is_typevar((head,), annotation.start_byte) else names
        value = settled(value, self.syntax) if value is not None else None
        is_call = value is not None and value.type in self.syntax.call_nodes
        links = self.chains.whole(value_of(self.src, self.code, value)) if value is not None and is_call else None
        return join(links)[:MAX_DOC] if links else ""

    def _class_named(self, annotation: str, depth: int = 0) -> str:
        """Return the class that the text of an annotation names, behind a mark where it is one of a collection."""
        items = self.collection.search(annotation) if self.collection is not None and not depth else None
        if items is not None:
            inner = self._class_named(items[items.lastindex or 0], 1)
            return ITEM + inner if inner else ""
        found = self.annotation.search(annotation)
        return ".".join(self.chains.names(found[1].encode())) if found else ""

    def _is_typevar(self, names: tuple[str, ...], offset: int) -> bool:
        """Return whether a name is a parameter that stands for a type where it stands."""
        return any(start <= offset < end for name in names for start, end in self.typevars.get(name, ()))

    def _attributes(self, imports: list[Import]) -> dict[str, str]:
        """Return `Class.attribute` -> its class, of what classes declare and of what is assigned to the instance."""
        found: dict[str, str] = {}
        unsure: set[str] = set()
        declared: set[str] = set()
        for owner, name, annotation, value in self.binder.held:
            key = f"{self.definitions[owner].name}.{name}"
            text = self._class_of(annotation, value)
            text = self.definitions[owner].name if text in self.syntax.own_types else text
            if key in declared or (annotation is None and value is None):
                continue  # what it is declared as goes before what is assigned
            if annotation is not None and text:
                declared.add(key)
            if value is not None and not text and self.text(value).decode("utf-8", "replace") in self.syntax.nothing:
                continue
            if not text or found.get(key, text) != text:
                unsure.add(key)
            else:
                found[key] = text
        found = {key: text for key, text in found.items() if key not in unsure}
        for owner, name in sorted({item[:2] for item in self.binder.held} | self.resolver.properties):
            key = f"{self.definitions[owner].name}.{name}"
            if key not in declared:
                found[key] = as_text(self.resolver.attribute(owner, name), imports, self.definitions) or found.get(
                    key, ""
                )
        return {key: text for key, text in found.items() if text}

    def _bases(self, nodes: list[Part]) -> list[str]:
        """Return the base classes as written, dotted names only."""
        got = []
        for child in nodes:
            links = self.chains.whole(self.text(child).partition(b"[")[0].partition(b"<")[0])
            if links and "()" not in links:
                got.append(".".join(links))
        return got

    def _docs(self) -> dict[int, str]:
        """Return definition index (-1 = module) -> the first sentence of its docstring."""
        docs: dict[int, str] = {}
        for at, node in [*((node.start_byte, node) for node in self.rows.docs), *self.rows.ahead]:
            docs.setdefault(self._owner(at), first_sentence(self.text(node).decode("utf-8", "replace")))
        if not docs and self.rows.comments:
            package = self.rows.packages[0].start_point[0] + 1 if self.rows.packages else 0
            starts = {self.line(start): index for index, (start, _) in reversed(list(enumerate(self.spans)))}
            found = doc_comments(self.rows.comments, self.src, self.syntax.doc_comment)
            docs = {at: first_sentence(text) for at, text in documented(found, starts, package, self.src).items()}
        return docs

    # ---- scopes

    def _owner(self, offset: int) -> int:
        """Return the innermost definition at an offset; -1 = module. For the few: spans are searched."""
        owner = -1
        at = bisect_right(self.spans, (offset, len(self.src) + 1)) - 1
        while at >= 0:
            if self.spans[at][1] > offset and self.raw[at][2] != "variable":
                return at
            at -= 1
        return owner

    def _index_scopes(self) -> None:
        """Lay out where the innermost scope changes."""
        if self.syntax.shadows:
            shadow(self.rows, self.src, self.syntax.identifier, keeps_types=self.syntax.keeps_types)
        kinds = [item[2] for item in self.raw]
        self.layout = lay_out(self.spans, kinds, self.rows.regions)

    def owner(self, offset: int) -> int:
        """Return the innermost definition at an offset; -1 = module."""
        return self.layout.holders[self.layout.at(offset)]

    # ---- what it imports

    def _read_imports(self) -> None:
        self.read_imports: list[tuple[Node | Line, str, Import]] = []
        end = 0
        for node, role, got in sorted(self.rows.imports, key=lambda item: item[0].start_byte):
            texts = {key: value.decode("utf-8", "replace") for key, value in got.items()}
            item = self.syntax.read_import(role, texts)
            items = (item,) if isinstance(item, Import) else item
            if not items or (role == "dyn" and node.start_byte < end):
                continue  # `const x = require("x")` is one import, not two
            end = max(end, node.end_byte) if role != "dyn" else end
            self.read_imports += [(node, role, item) for item in items]
        bound = with_one_alias((item for _, _, item in self.read_imports), self.src)
        self.read_imports = [(node, role, item) for (node, role, _), item in zip(self.read_imports, bound, strict=True)]

    def _imports(self) -> list[Import]:
        found: list[Import] = []
        self.conditions = regions.Conditions(self.rows.guarded, self.rows.tried)
        for node, role, item in self.read_imports:
            start = node.start_byte
            if role != "dyn":
                self.rows.hidden.append((start, node.end_byte))
            scope = self.owner(start)
            kind = item.kind if item.kind != "static" else self._import_kind(start, scope)
            line = node.start_point[0] + 1
            found.append(msgspec.structs.replace(item, line=line, kind=kind, scope=scope))
        nests, found = self.syntax.packages_nest, expanded(found) if self.syntax.expands_aliases else found
        clauses = [self.text(node) for node in (self.rows.packages if nests else self.rows.packages[:1])]
        packages = [".".join(self.chains.names(text)) for text in clauses]
        self.package = ".".join(packages) if nests or len(self.rows.packages) < 2 else ""
        fixtures = self.syntax.fixtures
        takes = fixtures is not None and (
            any(item.is_test for item in self.definitions)
            or re.search(self.syntax.fixture_marks.encode(), self.src) is not None
        )
        given = (fixtures,) if fixtures and takes else ()
        heads = head_imports(self.rows, found, [item[3] for item in self.raw], self.syntax.reserved)
        return [*found, *given, *heads, *self.syntax.implicit(" ".join(packages) if self.package else "")]

    def _import_kind(self, offset: int, scope: int) -> str:
        condition = self.conditions.at(offset)
        if condition is not None:
            text = condition.decode("utf-8", "replace")
            return "type_only" if any(guard in text for guard in self.syntax.type_guards) else "conditional"
        at = scope
        while at >= 0:
            if self.raw[at][2] in {"function", "method"}:
                return "lazy"
            at = self.parents[at]
        return "static"

    # ---- uses

    def _uses(self, imports: list[Import]) -> tuple[tuple[Use, ...], list[Effect]]:
        kinds = [item.kind for item in self.definitions]
        self.resolver = resolver = Resolver(self.syntax, self.chains, imports, kinds, self.layout)
        resolver.closures = frozenset(
            index for index, (start, _) in enumerate(self.spans) if start in self.rows.closures
        )
        source = Source(self.syntax, self.rows, self.src, self.code, self.raw, self.definitions, self.layout)
        find_properties(source, resolver)
        self.binder = binder = Binder(source, resolver)
        scopes = [self.layout.at(node.start_byte) for node, _, _ in self.read_imports]
        marked = binder.bind([*scopes, *([-1] * (len(imports) - len(scopes)))])
        collector = UseCollector(resolver, self.layout, self.lines)
        masked = self._masked()
        collector.scan(masked, binder.names, Marks(binder.skipped, marked, self._types(), frozenset(self.rows.called)))
        for owner, root, attr, at in binder.called:
            collector.add(owner, root, attr, at)
        for owner, root, attr, at in heirs(self.raw, self.src, resolver):
            collector.add(owner, root, attr, at, BASE)
        collector.effects += [Effect("subprocess", "`", self.line(at), self.owner(at)) for at in self.rows.subshells]
        self.selectors = collector.selectors(masked)
        return collector.uses(), collector.effects

    def _with_results(self, imports: list[Import]) -> tuple[Definition, ...]:
        """Return the definitions, functions that do not say what they return with what they are seen to."""
        for index in self.resolver.results:
            value = self.resolver.result(index)
            text = as_text(value, imports, self.definitions)
            if text:
                text = text if value is None or value.links else f"{text}{CALL_MARK}"
                self.definitions[index] = msgspec.structs.replace(self.definitions[index], returns=text)
        for index, text in variable_texts(self.resolver, imports, self.definitions).items():
            self.definitions[index] = msgspec.structs.replace(self.definitions[index], returns=text)
        return tuple(self.definitions)

    def _types(self) -> list[tuple[int, int]]:
        """Return the spans of types, where the language tells them from what runs."""
        if not self.syntax.marks_types:
            return []
        return self.rows.types + [(item[0], item[1]) for item in self.raw if item[2] in {"type", "interface"}]

    def _masked(self) -> bytes:
        """Return the source with strings, comments and import statements blanked, offsets unchanged."""
        rows = self.rows
        spans = rows.skips + rows.hidden
        spans += [(node.start_byte, node.end_byte) for node in rows.comments]
        spans += [(node.start_byte, node.end_byte) for node in rows.docs]
        names = re.finditer(self.syntax.interpolated.encode(), self.src) if self.syntax.interpolated else ()
        code = rows.codes + [found.span(1) for found in names]
        spans = without(spans, rows.skips, sorted(code)) if code else spans
        return mask(self.code, spans, self.chains.leading, self.syntax.strings, self.binder.skipped)

    # ---- mentions

    def _mentions(self) -> tuple[Mention, ...]:
        """Return the documents and files that comments and docstrings cite."""
        if not _CITED.search(self.src):
            return ()
        found: list[Mention] = []
        for node in sorted(self.rows.comments + self.rows.docs, key=lambda node: node.start_byte):
            text = self.text(node).decode("utf-8", "replace")
            found += mentions_in_comment(text, node.start_point[0] + 1, self.owner(node.start_byte))
        return tuple(found)
