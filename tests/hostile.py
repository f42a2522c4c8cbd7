"""Input that is hard on a parser, of any size: what the tests and benchmarks of bad input share.

Nothing here names a language. A shape is a function of a size, so that the cost of one can be compared at two sizes.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from memoire.languages import language_of

FIXTURES = Path(__file__).parent / "languages"
WIDTH = 100
"""Bytes of a line, about: files of longer lines are taken as generated and not parsed."""

Shape = Callable[[int], bytes]
"""Size in bytes, about -> the input."""

_REPEATED = {
    "words": "a ",
    "names": "ab\n",
    "digits": "1",
    "dots": "a.",
    "colons": "a::",
    "arrows": "a->",
    "calls": ".f(1)",
    "chained calls": "x.f(1)",
    "nested calls": "f(",
    "calls on lines": "\n  .f(1)",
    "questions": "a?.",
    "indexes": "a[0]",
    "ternaries": "a ? b : ",
    "operators": "a + ",
    "negations": "!",
    "minuses": "- ",
    "stars": "*",
    "ands": "&",
    "less": "a<",
    "generic calls": "a<b>(c)",
    "shifts": "a << ",
    "commas": "a, ",
    "semicolons": ";",
    "assignments": "a = ",
    "lambdas": "x => ",
    "arrows of types": "(a) -> ",
    "pipes": "a | ",
    "backslashes": "\\",
    "continued": "a \\\n",
    "else if": "if (a) { b } else ",
    "elif": "if a:\n pass\nelif b:\n pass\n",
    "if then": "if a; then\n",
    "if": "if (a) ",
    "for": "for (a in b) ",
    "while": "while (a) ",
    "do": "do ",
    "case": "case a:\n",
    "match": "match a { b => ",
    "begin": "begin\n",
    "classes": "class A {\n",
    "functions": "function f() {\n",
    "defs": "def f\n",
    "fns": "fn f() {\n",
    "unsafe": "unsafe {",
    "lets": "let a = ",
    "returns": "return ",
    "awaits": "await ",
    "imports": "import a from 'b'\n",
    "uses": "use a::{",
    "includes": "#include <a>\n",
    "if of the preprocessor": "#if A\n",
    "else of the preprocessor": "#else\n",
    "macros": "#define A(x) x\\\n",
    "decorators": "@a\n",
    "annotations": "@a(b) ",
    "attributes": "#[a]\n",
    "labels": "a:\n",
    "keys": "a: b\n",
    "nested keys": "a: [",
    "items": "- ",
    "pairs": '"a": {',
    "tables": "[[a]]\n",
    "tags": "<a>",
    "closing tags": "</a>",
    "tags with attributes": '<a b="c">',
    "attributes of a tag": ' a="b"',
    "entities": "&a;",
    "selectors": "a > ",
    "rules": "a { b: c; }\n",
    "nested rules": "a { ",
    "select": "select (",
    "joins": " join a on b",
    "unions": "select a union all ",
    "interpolated": '"#{',
    "interpolated with dollars": '"${',
    "interpolated with parentheses": '"\\(',
    "interpolated with braces": 'f"{',
    "templates": "`${",
    "commands": "$(",
    "expansions": "${a:-",
    "arithmetic": "$((",
    "double quotes": '"',
    "single quotes": "'",
    "backticks": "`",
    "triple quotes": '"""',
    "triple single quotes": "'''",
    "raw strings": 'r#"',
    "raw strings of C++": 'R"a(',
    "verbatim strings": '@"',
    "long brackets": "[==[",
    "percent literals": "%w(",
    "sigils": '~s"',
    "characters": "'a' ",
    "here documents": "<<EOF ",
    "here documents on lines": "cat <<EOF\n",
    "indented here documents": "<<~EOF\n",
    "here documents of PHP": "<<<EOF\n",
    "here strings": "<<< a ",
    "line comments": "// ",
    "hash comments": "# ",
    "dash comments": "-- ",
    "open comments": "/* ",
    "nested comments": "/* a */ ",
    "long comments": "--[[ ",
    "markup comments": "<!-- ",
    "cdata": "<![CDATA[",
    "php": "<?php ?>",
    "echo": "<?= $a ?>",
    "embedded": "<% a %>",
    "braced": "{{ a }}",
    "dollars": "$",
    "variables": "$a->",
    "ats": "@",
    "hashes": "#",
    "percents": "%",
    "tildes": "~",
    "carets": "^",
    "newlines": "\n",
    "tabs": "\t",
    "spaces": " ",
    "carriage returns": "\r",
    "form feeds": "\f\n",
    "letters beyond ASCII": "é",
    "emoji": "😀",
    "spaces beyond ASCII": "\u00a0\u2028",
    "nul": "a\0",
    "quoted newlines": '"\n"',
    "regexes": "/a/ ",
    "slashes": "/",
    "casts": "(a)",
    "casts to cast": "(a)(",
    "pointers": "a * b ( * ",
    "declarations": "a b (c",
    "brackets of declarations": "int a[",
    "types": "a: A<",
    "options": "Option<",
    "wheres": " where A: B,",
    "lifetimes": "'a ",
    "guards": "guard let a = b else {",
    "ends": "end\n",
    "braces closed": "{}\n",
    "brackets in turn": "([{",
    "brackets crossed": "(]",
    "targets": "a: b\n\tc\n",
    "defines": "define a\n",
    "variables of make": "$(a $(",
    "conditions of make": "ifeq (a,b)\n",
    "instructions": "RUN a \\\n",
    "blocks of HCL": "a {\n b = [",
    "heads": "a \"b\" {\n",
    "do blocks": "f do |a|\n",
    "arrows of elixir": "fn a -> ",
    "indented do": "a do\n",
    "optional": "a?",
    "bangs": "a!",
    "try": "try {",
    "given": "given a: B = ",
    "xml literals": "<a>{",
    "guarded imports": "try:\n import a\nexcept E:\n pass\n",
    "imports in functions": "def f():\n import a\n a.b()\n",
    "documented definitions": "/** a. */\nfunction f() {}\n",
    "docstrings": "def f():\n '''a.'''\n",
    "one variable": "a = a.b\n",
    "one attribute": "class A:\n def f(self):\n  self.a = self.b\n",
    "declared and assigned": "let a = b; a = a.c(1);\n",
    "exports": "export { a as b };\n",
    "re-exports": "export * from 'a';\n",
    "methods": "class A { b() { this.c(); } d = e.f; }\n",
    "global names": "def f():\n global a\n a = 1\n",
    "cited": "# see a/b.md and c.py\n",
    "cited in a comment": "// see a/b.md and c.py\n",
    "secrets": "password = 'abcdefgh12345678'\n",
    "assignments of secrets": "key=key=",
    "URLs": "https://a:b@c/d?e=f ",
    "addresses": "a@b.",
    "hexadecimal": "0123456789abcdef",
    "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0",
    "hyphens": "a-",
    "underscores": "a_",
    "capitals": "aB",
}  # fmt: skip
"""Name -> what is repeated."""

_INDENTED = {"indented blocks": "if a:", "indented keys": "a:", "indented items": "- a:", "indented words": "a"}
_BRACKETS = ("()", "[]", "{}", "<>")
_OPENERS = ("{ ", "if (a) { ", "class A { ", "namespace a { ", "mod a { ", "function f() { ", "def f() { ", "begin\n")
_BODIES = (
    "function f() {}\n",
    "class A {}\n",
    "var a = b.c(1);\n",
    "import a from 'b';\n",
    "a.b(c).d(e);\n",
    "fn a() {}\n",
)
NEST = 900
"""A depth that is still read."""
_COMMENTS = (("/*\n", "*/"), ('"""\n', '"""'), ("<!--\n", "-->"), ("--[[\n", "]]"), ("=begin\n", "=end"))
PUNCTUATION = "()[]{}<>.,;:!?'\"`@#$%^&*-+=/\\|~_ \n"


def _repeated(piece: str) -> Shape:
    unit = piece.encode()

    def shape(size: int) -> bytes:
        # The line is broken only between two pieces: a piece that ends its line itself needs none.
        line = unit * max(1, WIDTH // len(unit)) + (b"" if b"\n" in unit else b"\n")
        return line * max(1, size // len(line))

    return shape


def _indented(text: str) -> Shape:
    def shape(size: int) -> bytes:
        depth = max(1, int((2 * size) ** 0.5))
        return b"".join(b" " * level + text.encode() + b"\n" for level in range(depth))

    return shape


def _lines(data: bytes) -> bytes:
    return b"\n".join(data[at : at + WIDTH] for at in range(0, len(data), WIDTH)) + b"\n"


def _nested(pair: str) -> Shape:
    opening, closing = pair[0].encode(), pair[1].encode()
    return lambda size: _lines(opening * (size // 2)) + b"1\n" + _lines(closing * (size // 2))


def _repeated_bracket(bracket: str) -> Shape:
    return lambda size: _lines(bracket.encode() * size)


def _filled_nest(opener: str, body: str) -> Shape:
    """Return a deep nest with many of something in its innermost level."""
    return lambda size: _broken(opener, min(NEST, size // 40)) + body.encode() * (size // 2 // len(body))


def _nests(opening: str, closing: str) -> Shape:
    """Return one deep nest after another."""
    nest = _broken(opening, NEST) + _broken(closing, NEST)
    return lambda size: nest * max(1, size // len(nest))


def _broken(piece: str, count: int) -> bytes:
    line = max(1, WIDTH // len(piece))
    return b"\n".join([piece.encode() * line] * (count // line)) + b"\n"


def _random(alphabet: str, seed: int) -> Shape:
    return lambda size: "".join(random.Random(seed).choices(alphabet, k=size)).encode()


def _comment(opening: str, closing: str) -> Shape:
    return lambda size: opening.encode() + _lines(b"a.b(c) " * (size // 7)) + closing.encode()


def shapes() -> dict[str, Shape]:
    """Return every shape by its name."""
    found = {name: _repeated(piece) for name, piece in _REPEATED.items()}
    found |= {name: _indented(text) for name, text in _INDENTED.items()}
    for pair in _BRACKETS:
        found[f"nested {pair}"] = _nested(pair)
        found[f"only {pair[0]}"] = _repeated_bracket(pair[0])
        found[f"only {pair[1]}"] = _repeated_bracket(pair[1])
    found |= {f"{opener!r} around {body!r}": _filled_nest(opener, body) for opener in _OPENERS for body in _BODIES}
    found |= {f"nests of {a} {b}": _nests(a, b) for a, b in (("(", ")"), ("[", "]"), ("{", "}"), ("f(", ").a"))}
    found["random punctuation"] = _random(PUNCTUATION, 1)
    found["random text"] = _random(PUNCTUATION + "abcdefxyz 0123456789" * 3, 2)
    found["random quotes and brackets"] = _random("\"'`(){}[]\n a\\$#", 3)
    for opening, closing in _COMMENTS:
        found[f"one {opening[:-1]} to the end"] = _comment(opening, closing)
        found[f"one {opening[:-1]} left open"] = _comment(opening, "")
    return found


def whole() -> dict[str, bytes]:
    """Return inputs that have one size only, by their names."""
    chars = random.Random(4)
    text = b"a = b.c(1)\n" * 500
    return {
        "nothing": b"",
        "one byte": b"x",
        "one newline": b"\n",
        "all bytes": bytes(range(256)) * 64,
        "a megabyte of random bytes": chars.randbytes(1_000_000),
        "random bytes, few of them control bytes": bytes(chars.choices([10, *range(32, 256)], k=8_000)),
        "five megabytes on one line": b"var a=1;function f(){return a};" * 160_000,
        "a line of 14 kB among short ones": b"x = 1\n" * 200 + b"a.b(c) " * 2_000 + b"\n" + b"x = 1\n" * 200,
        "UTF-8 with a mark": b"\xef\xbb\xbf" + text,
        "UTF-16": "\ufeff".encode("utf-16-le") + text.decode().encode("utf-16-le"),
        "UTF-16, big end first": "\ufeff".encode("utf-16-be") + text.decode().encode("utf-16-be"),
        "UTF-16 of half characters": b"\xff\xfe" + b"a\0" * 50 + b"\x00\xd8" * 2_000 + b"\n",
        "Latin-1": "é = ü.ß(1)\n".encode("latin-1") * 500,
        "a character cut short": text + b"\xe2\x82",
        "CRLF": text.replace(b"\n", b"\r\n"),
        "CR": text.replace(b"\n", b"\r"),
        "line ends of all kinds": b"a = b.c(1)\r\nd\re\n\n\r" * 500,
        "NUL bytes": text.replace(b"b", b"\0"),
    }


def seeds(language: str) -> list[tuple[str, bytes]]:
    """Return (name, content) of the fixtures of a language that are read as such, the longest first.

    The suffix decides the grammar: the name is `a` with the suffix, or the whole one where the suffix alone does not.
    """
    found = []
    for file in sorted((FIXTURES / language).rglob("*")):
        known = language_of(file.name)
        if known is not None and known.name == language and file.is_file():
            name = f"a{file.suffix.lower()}"
            found.append((name if language_of(name) is known else file.name, file.read_bytes()))
    return sorted(found, key=lambda item: len(item[1]), reverse=True)


def truncated(data: bytes, count: int) -> Iterator[bytes]:
    """Yield a file cut short at so many places, evenly spread."""
    for number in range(1, count + 1):
        yield data[: len(data) * number // (count + 1)]
