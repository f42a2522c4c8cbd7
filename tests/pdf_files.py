"""Writes small PDFs: the few objects that text on pages and an outline need.

Source: ISO 32000-1, 7.5 (file structure), 9.4 (text), 12.3.3 (outline).
"""

import zlib
from collections.abc import Sequence
from pathlib import Path

Outline = Sequence[tuple[int, int, str]]
"""(level, page, title), levels and pages from 1 on."""


def pdf(pages: Sequence[str], outline: Outline = (), *, title: str = "", extra: Sequence[bytes] = ()) -> bytes:
    """Return a PDF.

    Args:
        pages: The text of each, in lines.
        outline: In order; each level is at most one deeper than the one before.
        title: Of its metadata.
        extra: Further objects as they are, numbered behind the others.
    """
    count = len(pages)
    first = 4  # after catalog, page tree and font
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R%s >>" % (b" /Outlines %d 0 R" % (first + 2 * count + 1) if outline else b""),
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for at, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {first + 2 * at + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(stream(content(text)))
    objects.append(b"<< /Title (%s) /Producer (tests) >>" % escaped(title))
    if outline:
        objects += entries(outline, len(objects) + 1, first)
    return assembled([*objects, *extra], info=first + 2 * count)


def content(text: str) -> bytes:
    """Return the operators that show lines of text."""
    shown = b"".join(b"(%s) Tj T*\n" % escaped(line) for line in text.split("\n"))
    return b"BT /F1 11 Tf 13 TL 72 720 Td\n%sET" % shown


def escaped(text: str) -> bytes:
    data = text.encode("cp1252", "replace")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(data), entries, data)


def entries(outline: Outline, number: int, first: int) -> list[bytes]:
    """Return the objects of an outline; its root has the number given."""
    parents: list[int] = []
    stack = [(0, number)]
    for at, (level, _, _) in enumerate(outline):
        while stack[-1][0] >= level:
            stack.pop()
        parents.append(stack[-1][1])
        stack.append((level, number + 1 + at))
    found = []
    for own in range(number, number + 1 + len(outline)):
        below = [number + 1 + at for at, parent in enumerate(parents) if parent == own]
        parts = [f"/First {below[0]} 0 R /Last {below[-1]} 0 R /Count {len(below)}"] if below else []
        title = b""
        if own > number:
            _, page, text = outline[own - number - 1]
            parent = parents[own - number - 1]
            beside = [number + 1 + at for at, other in enumerate(parents) if other == parent and number + 1 + at > own]
            parts.append(f"/Parent {parent} 0 R /Dest [{first + 2 * (page - 1)} 0 R /Fit]")
            parts += [f"/Next {beside[0]} 0 R"] if beside else []
            title = b"/Title (%s) " % escaped(text)
        found.append(b"<< %s%s >>" % (title, " ".join(parts).encode()))
    return found


def assembled(objects: Sequence[bytes], *, info: int = 0) -> bytes:
    """Return a file of these objects, the first of which is the catalog."""
    data = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    about = b" /Info %d 0 R" % info if info else b""
    return (
        data
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n"
        % (
            len(objects) + 1,
            table,
            len(objects) + 1,
            about,
            len(data),
        )
    )


def page_of(contents: bytes, resources: bytes = b"", extra: Sequence[bytes] = ()) -> bytes:
    """A PDF of one page with this content stream."""
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> %s >> >>" % resources,
            contents,
            *extra,
        ]
    )


def endless() -> bytes:
    """Return a PDF of a few thousand bytes whose one page takes minutes to read: forms that show each other."""
    shown = zlib.compress(b"/X Do " * 100 + b"BT /F1 9 Tf (word) Tj ET " * 20_000, 9)
    head = b"/Filter /FlateDecode /Type /XObject /Subtype /Form /Resources << /Font << /F1 3 0 R >> "
    forms = [stream(shown, head + b"/XObject << /X %d 0 R >> >> " % number) for number in (7, 8, 9, 6)]
    return page_of(stream(b"/X Do"), b"/XObject << /X 6 0 R >>", forms)


def from_source(file: Path) -> bytes:
    """Return the PDF that a `.pages` file describes: title and outline, then pages between lines of form feeds."""
    head, *pages = file.read_text().split("\n\f\n")
    title, *lines = head.split("\n")
    outline = [(int(level), int(page), text) for level, page, text in (line.split(" ", 2) for line in lines)]
    return pdf(pages, outline, title=title)
