"""Reads what kind of picture some bytes are, and how large, from their first bytes. Pure, and total: never raises."""

import re
import struct
from collections.abc import Callable

Size = tuple[int, int] | None
"""(width, height), pixels; None where the header does not say."""

_MAX_SEGMENTS = 200
"""Segments of a JPEG file that are passed over in search of its frame."""
_BRANDS = {b"avif": "AVIF image", b"avis": "AVIF image", b"heic": "HEIC image", b"mif1": "HEIF image"}
"""Brands of an ISO media file that are pictures; the others are videos. Source: ISO/IEC 14496-12, 4.3."""
_TOO_LARGE = 2**31
"""Pixels: more is no size, but noise."""


def picture_of(data: bytes) -> tuple[str, Size] | None:
    """Return (format, size) of a picture or video, None where the bytes are none that is known here."""
    for mark, name, measure in _FORMATS:
        if mark.match(data):
            size = measure(data)
            return name, size if size and 0 < size[0] < _TOO_LARGE and 0 < size[1] < _TOO_LARGE else None
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12], "MP4 video"), _iso_size(data) if data[8:12] in _BRANDS else None
    return None


def _unpack(form: str, data: bytes, at: int) -> tuple[int, ...]:
    """Return numbers at a place; none where the data ends before."""
    return struct.unpack_from(form, data, at) if 0 <= at <= len(data) - struct.calcsize(form) else ()


def _pair(numbers: tuple[int, ...]) -> Size:
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _png(data: bytes) -> Size:
    return _pair(_unpack(">II", data, 16)) if data[12:16] == b"IHDR" else None


def _gif(data: bytes) -> Size:
    return _pair(_unpack("<HH", data, 6))


def _bmp(data: bytes) -> Size:
    """A negative height says that the rows go from top to bottom; the oldest headers hold 16 bits."""
    if _unpack("<I", data, 14) == (12,):
        return _pair(_unpack("<HH", data, 18))
    size = _pair(_unpack("<ii", data, 18))
    return (size[0], abs(size[1])) if size else None


def _jpeg(data: bytes) -> Size:
    """Walk from segment to segment to the start of the frame. Source: ITU-T T.81, annex B."""
    at = 2
    for _ in range(_MAX_SEGMENTS):
        while data[at : at + 2] == b"\xff\xff":  # any number of fill bytes
            at += 1
        marker = data[at + 1 : at + 2]
        if data[at : at + 1] != b"\xff" or not marker:
            return None
        if 0xC0 <= marker[0] <= 0xCF and marker[0] not in {0xC4, 0xC8, 0xCC}:
            size = _pair(_unpack(">HH", data, at + 5))
            return (size[1], size[0]) if size else None
        length = _unpack(">H", data, at + 2)
        if not length or length[0] < 2:
            return None
        at += 2 + length[0]
    return None


def _webp(data: bytes) -> Size:
    """Source: RFC 9649, 2.3-2.7: lossy, lossless and extended."""
    chunk = data[12:16]
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        size = _pair(_unpack("<HH", data, 26))
        return (size[0] & 0x3FFF, size[1] & 0x3FFF) if size else None
    if chunk == b"VP8L" and data[20:21] == b"\x2f" and (bits := _unpack("<I", data, 21)):
        return (bits[0] & 0x3FFF) + 1, (bits[0] >> 14 & 0x3FFF) + 1
    if chunk == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    return None


def _ico(data: bytes) -> Size:
    """Return the largest of the pictures inside; 0 stands for 256."""
    count = min(_unpack("<H", data, 4) or (0,))
    sizes = [
        (data[at] or 256, data[at + 1] or 256) for at in range(6, 6 + 16 * min(count, 64), 16) if at + 1 < len(data)
    ]
    return max(sizes, default=None)


_EXTENT = re.compile(rb"ispe\0{4}(.{8})", re.DOTALL)


def _iso_size(data: bytes) -> Size:
    """Return the largest extent that the properties of a still picture give. Source: ISO/IEC 23008-12, 6.5.3."""
    found = [struct.unpack(">II", match[1]) for match in _EXTENT.finditer(data, 0, 65_536)]
    return max(found, default=None)


_FORMATS: tuple[tuple[re.Pattern[bytes], str, Callable[[bytes], Size]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "PNG image", _png),
    (re.compile(rb"\xff\xd8\xff"), "JPEG image", _jpeg),
    (re.compile(rb"GIF8[79]a"), "GIF image", _gif),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "WebP image", _webp),
    (re.compile(rb"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0", re.DOTALL), "BMP image", _bmp),
    (re.compile(rb"\0\0\x01\0.\0", re.DOTALL), "ICO image", _ico),
)
"""What a format's bytes begin with, its name, and what reads its size."""
