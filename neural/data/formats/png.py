"""Decode PNG images of 8 bits a channel with zlib and numpy: a data set in PNG needs no imaging library."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data.formats.damage import broken, reading

__all__ = ["decode"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # colour type -> numbers a pixel (grey, RGB, grey and alpha, RGBA)


def decode(content: bytes, what: object) -> NDArray[np.uint8]:
    """(height, width, channels) of a PNG that is not interlaced and has no palette."""
    if content[:8] != _SIGNATURE:
        raise broken(what, f"begun by {content[:8].hex(' ') or 'nothing'}", "a PNG file")
    header, packed = _chunks(content, what)
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colour not in _CHANNELS or interlace:
        got = f"of depth {depth}, colour type {colour}, interlace {interlace}"
        raise broken(what, got, "8 bits a channel, grey or RGB, not interlaced")
    stride = width * _CHANNELS[colour]
    with reading(what, "whole compressed pixels"):
        raw = zlib.decompress(packed)
    if len(raw) != height * (stride + 1):
        raise broken(what, f"{len(raw)} bytes of pixels", f"{height * (stride + 1)} for {width} x {height}")
    rows = np.frombuffer(raw, np.uint8).reshape(height, stride + 1)
    return _unfilter(rows[:, 0], rows[:, 1:], _CHANNELS[colour], what).reshape(height, width, -1)


def _chunks(content: bytes, what: object) -> tuple[bytes, bytes]:
    """The header and the joined data chunks; each chunk's checksum is looked at."""
    at, header, parts = 8, b"", []
    while True:
        if at + 12 > len(content):
            raise broken(what, f"cut off after {len(content)} bytes", "an IEND chunk at its end")
        size, kind = struct.unpack_from(">I4s", content, at)
        body = content[at + 8 : at + 8 + size]
        if len(body) < size or at + 12 + size > len(content):
            raise broken(what, f"cut off inside a {kind!r} chunk", f"{size} bytes in it")
        if zlib.crc32(kind + body) != struct.unpack_from(">I", content, at + 8 + size)[0]:
            raise broken(what, f"a {kind!r} chunk with a wrong checksum", "whole chunks")
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            parts.append(body)
        elif kind == b"IEND":
            break
        at += 12 + size
    if len(header) != 13:
        raise broken(what, "without a header", "an IHDR chunk of 13 bytes")
    return header, b"".join(parts)


def _unfilter(kinds: NDArray[Any], rows: NDArray[Any], pixel: int, what: object) -> NDArray[np.uint8]:
    """Undo the row filters (PNG 9.2): 0 none, 1 left, 2 up, 3 average, 4 Paeth. Arithmetic is modulo 256."""
    if kinds.max(initial=0) > 4:
        raise broken(what, f"a row of filter {kinds.max()}", "filters 0 to 4")
    out = np.empty_like(rows)
    above = np.zeros(rows.shape[1], np.uint8)
    for k, (kind, row) in enumerate(zip(kinds.tolist(), rows, strict=True)):
        if kind == 0:
            out[k] = row
        elif kind == 1:
            out[k] = np.cumsum(row.reshape(-1, pixel), axis=0, dtype=np.uint8).ravel()
        elif kind == 2:
            out[k] = row + above
        else:
            out[k] = _sequential(kind, row, above, pixel)
        above = out[k]
    return out


def _sequential(kind: int, row: NDArray[Any], above: NDArray[Any], pixel: int) -> NDArray[np.uint8]:
    """Filters 3 and 4 need the result of the pixel on the left, so they go pixel by pixel, in plain integers."""
    values, up = row.tolist(), above.tolist()
    for k, value in enumerate(values):
        left, corner = (values[k - pixel], up[k - pixel]) if k >= pixel else (0, 0)
        guess = (left + up[k]) >> 1 if kind == 3 else _paeth(left, up[k], corner)
        values[k] = (value + guess) & 255
    return np.array(values, np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    toward = left + up - corner
    to_left, to_up, to_corner = abs(toward - left), abs(toward - up), abs(toward - corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner
