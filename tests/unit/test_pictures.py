"""What the first bytes of a picture say; it has no text, and shows up where documents show it."""

import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.dispatch import extract
from memoire.reading import read_one
from tests.support import Linked


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 640, 480, 8, 2, 0, 0, 0)) + chunk(b"IEND", b"")
EXIF = b"\xff\xe1\x00\x10Exif" + b"\0" * 10
JPEG = (
    b"\xff\xd8"
    + EXIF
    + b"\xff\xff\xff\xc4\x00\x04\x01\x02\xff\xc2\x00\x11\x08"
    + struct.pack(">HH", 480, 640)
    + b"\x03" * 10
)
RIFF = b"RIFF\x40\0\0\0WEBP"
WIDTH, HEIGHT = 640, 480
PICTURES = {
    "a.png": (PNG, "PNG image, 640 x 480 pixels"),
    "a.gif": (b"GIF89a" + struct.pack("<HH", 640, 480) + b"\0\0\0;", "GIF image, 640 x 480 pixels"),
    "a.jpg": (JPEG, "JPEG image, 640 x 480 pixels"),
    "a.jpeg": (JPEG[:30], "JPEG image"),
    "a.webp": (RIFF + b"VP8X\x0a\0\0\0\0\0\0\0" + b"\x7f\x02\0\xdf\x01\0", "WebP image, 640 x 480 pixels"),
    "b.webp": (
        RIFF + b"VP8 \x20\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640 | 0x4000, 480),
        "WebP image, 640 x 480 pixels",
    ),
    "c.webp": (
        RIFF + b"VP8L\x20\0\0\0\x2f" + struct.pack("<I", (WIDTH - 1) | (HEIGHT - 1) << 14),
        "WebP image, 640 x 480 pixels",
    ),
    "a.bmp": (
        b"BM" + b"\0" * 12 + struct.pack("<Iii", 40, 640, -480) + b"\0" * 28,
        "BMP image, 640 x 480 pixels",
    ),
    "b.bmp": (b"BM" + b"\0" * 12 + struct.pack("<IHH", 12, 640, 480) + b"\0" * 4, "BMP image, 640 x 480 pixels"),
    "a.ico": (
        b"\0\0\x01\0\x02\0" + b"\x10\x10" + b"\0" * 14 + b"\0\0" + b"\0" * 14,
        "ICO image, 256 x 256 pixels",
    ),
    "a.avif": (
        b"\0\0\0\x1cftypavif\0\0\0\0" + b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", 640, 480),
        "AVIF image, 640 x 480 pixels",
    ),
    "a.mp4": (b"\0\0\0\x18ftypisom\0\0\2\0isom", "MP4 video"),
    "really-a-png.jpg": (PNG, "PNG image, 640 x 480 pixels"),
    "cut.png": (PNG[:20], "PNG image"),
    "noise.png": (PNG[:16] + b"\xff" * 8, "PNG image"),
    "lfs.png": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "kept by Git LFS"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_its_header_says_what_it_is(name: str) -> None:
    data, summary = PICTURES[name]
    facts = extract(name, data)
    assert (facts.language, facts.summary, facts.size, facts.problems) == ("image", summary, len(data), ())


def test_what_is_no_picture_is_a_problem() -> None:
    for data in (b"", b"hello", b"\x89PNG"):
        assert [problem.code for problem in extract("a.png", data).problems] == ["syntax"]


@given(st.sampled_from(sorted(PICTURES)), st.binary(max_size=60), st.integers(0, 60))
def test_any_bytes_give_facts(name: str, noise: bytes, at: int) -> None:
    data = PICTURES[name][0]
    facts = extract(name, data[:at] + noise + data[at + len(noise) :])
    assert facts.size >= min(at, len(data))
    assert not facts.definitions


def test_it_is_never_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG[:-12] + b"words that nobody shall find")
    reading = read_one(tmp_path.resolve(), "a.png", 1_000_000)
    assert (reading.facts.words, reading.text, reading.facts.summary) == ("", "", "PNG image, 640 x 480 pixels")


class TestShown:
    def test_a_document_of_any_kind_references_the_pictures_it_shows(self) -> None:
        project = Linked(
            {
                "img/a.png": PNG,
                "img/b.svg": "<svg><text>src/code.py</text></svg>",
                "img/unseen.png": PNG,
                "README.md": "# Shop\n\n![The flow](img/a.png)\n\n<img src='img/b.svg'> ![gone](img/gone.png)\n",
                "docs/spec.adoc": "= Spec\n\nimage::../img/a.png[]\n",
                "CHANGELOG.md": "# Changes\n\nSee `img/a.png`.\n\n```\nimg/b.svg\n```\n",
                "src/code.py": "# img/a.png is drawn here\nPATH = 'img/a.png'\n",
            }
        )
        assert project.edges("REFERENCES") == {
            ("README.md", "img/a.png"),
            ("README.md", "img/b.svg"),
            ("docs/spec.adoc", "img/a.png"),
            ("CHANGELOG.md", "img/a.png"),
            ("CHANGELOG.md", "img/b.svg"),
        }
        edge = project.edge("README.md", "REFERENCES", "img/a.png")
        assert (edge.is_causal, edge.line, edge.rationale) == (
            False,
            3,
            'README.md:3 "![The flow](img/a.png)" names img/a.png.',
        )
        assert project.edges("DOCUMENTS") == {("img/b.svg", "src/code.py")}

    def test_the_edge_comes_and_goes_with_the_picture(self) -> None:
        project = Linked({"README.md": "![x](img/a.png)\n"})
        assert project.edges("REFERENCES") == set()
        project.save({"img/a.png": PNG})
        assert project.edges("REFERENCES") == {("README.md", "img/a.png")}
        project.save({}, gone=("img/a.png",))
        assert project.edges("REFERENCES") == set()

    def test_code_imports_it_and_is_not_driven_by_it(self) -> None:
        code = "import logo from './logo.png'\nimport { plan } from './plan'\nplan(logo)\n"
        files = {f"src/{name}.ts": code for name in "abc"}
        project = Linked({**files, "src/logo.png": PNG, "src/plan.ts": "export function plan(x) {}\n"})
        assert ("src/a.ts", "src/logo.png") in project.edges("IMPORTS")
        assert {source for source, _ in project.edges("DRIVES")} == {"src/plan.ts"}

    def test_it_competes_with_no_cause_for_a_place(self) -> None:
        project = Linked({"README.md": "![x](a.png) and `shop/cart.py`\n", "a.png": PNG, "shop/cart.py": "x = 1\n"})
        assert {item.edge.key.relation for item in project.graph.top_edges(now=project.now)} == {"DOCUMENTS"}
