"""Small files in the published formats and in the layouts of the packages, written by the tests."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tarfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def idx(array: Array) -> bytes:
    """An IDX file of bytes."""
    return (
        bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.astype(np.uint8).tobytes()
    )


def mnist(folder: Path, zipped: bool = False, n: int = 30) -> tuple[Array, Array]:
    """The four files of MNIST; returns the training images and labels."""
    rng = np.random.default_rng(n)
    kept = []
    for part, count in (("train", n), ("t10k", n // 3)):
        x, y = rng.integers(0, 256, (count, 28, 28)), np.arange(count) % 10
        kept.append((x, y))
        for kind, array in (("images-idx3", x), ("labels-idx1", y)):
            content = idx(array)
            name = f"{part}-{kind}-ubyte"
            if zipped:
                (folder / f"{name}.gz").write_bytes(gzip.compress(content))
            else:
                (folder / name).write_bytes(content)
    return kept[0]


def png(image: Array, filters: Sequence[int]) -> bytes:
    """A PNG of uint8 (height, width, channels), row k under filter filters[k % len]; an encoder of its own."""
    height, width, channels = image.shape
    padded = np.pad(image.astype(int), ((1, 0), (1, 0), (0, 0)))  # a row above and a pixel on the left, of zeros
    rows = []
    for k in range(height):
        kind = filters[k % len(filters)]
        here, left = padded[k + 1, 1:], padded[k + 1, :-1]
        up, corner = padded[k, 1:], padded[k, :-1]
        guess = [np.zeros_like(here), left, up, (left + up) // 2, _paeth(left, up, corner)][kind]
        rows.append(bytes([kind]) + ((here - guess) % 256).astype(np.uint8).tobytes())
    colour = {1: 0, 3: 2, 2: 4, 4: 6}[channels]
    packed = zlib.compress(b"".join(rows))
    half = len(packed) // 2  # two data chunks, as encoders write them
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    parts = [(b"IHDR", header), (b"tEXt", b"x"), (b"IDAT", packed[:half]), (b"IDAT", packed[half:]), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, parts))


def _chunk(part: tuple[bytes, bytes]) -> bytes:
    kind, body = part
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _paeth(left: Array, up: Array, corner: Array) -> Array:
    toward = left + up - corner
    a, b, c = abs(toward - left), abs(toward - up), abs(toward - corner)
    return np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))


def tgz(file: Path, members: Mapping[str, bytes]) -> Path:
    """A gzipped tar."""
    with tarfile.open(file, "w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return file


def deb(file: Path, members: Mapping[str, bytes]) -> Path:
    """A .deb: an `ar` archive whose data.tar.xz holds the members, behind a control member of odd length."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:xz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    parts = [("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), ("data.tar.xz", stream.getvalue())]
    content = b"!<arch>\n"
    for name, body in parts:
        content += (
            f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(body):<10}`\n".encode() + body + b"\n" * (len(body) % 2)
        )
    file.write_bytes(content)
    return file


def hdf5(file: Path, clients: Mapping[str, Mapping[str, Any]]) -> Path:
    """TFF's layout: examples/CLIENT/FEATURE."""
    import h5py

    with h5py.File(file, "w") as bundle:
        for name, features in clients.items():
            for feature, values in features.items():
                texts = isinstance(values, list) and values and isinstance(values[0], str)
                kind = h5py.string_dtype() if texts else None
                bundle.create_dataset(f"examples/{name}/{feature}", data=values, dtype=kind)
    return file


def leaf(file: Path, users: Mapping[str, tuple[list[Any], list[Any]]]) -> Path:
    """LEAF's JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "users": list(users),
        "num_samples": [len(y) for _, y in users.values()],
        "user_data": {user: {"x": x, "y": y} for user, (x, y) in users.items()},
    }
    file.write_text(json.dumps(content), encoding="utf-8")
    return file
