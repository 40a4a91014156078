"""Clients from the arrays of an NPZ file."""

from __future__ import annotations

import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np

from surrogate._types import Numbers
from surrogate.clients import AnyClients
from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import entries
from surrogate.problems.tables import check_keys, constructors

__all__ = ["read"]

_LAYOUTS = ({"A", "c", "weights"}, {"A", "b", "weights"}, {"A_z", "c_z", "client"}, {"X", "y", "client"})
MOST_BYTES = 2**31  # of all arrays together, unpacked: float64 of 10,000 clients in 160 dimensions
_EXPECTED = "A with c or b (and weights); or A_z, c_z, client; or X, y, client"


def read(path: Path, exact: bool) -> AnyClients:
    """The clients in ``path``."""
    arrays = _arrays(path)
    check_keys(arrays, dict.fromkeys(key for layout in _LAYOUTS for key in sorted(layout)), "")
    layouts = [layout for layout in _LAYOUTS if set(arrays) <= layout and layout - {"weights"} <= set(arrays)]
    if not layouts:
        raise problem(
            "the arrays",
            ", ".join(sorted(arrays)) or "none",
            _EXPECTED,
            "an array missing or one too many",
            "save these",
        )
    owner = arrays.pop("client", None)
    given = {name: _converted(array, name, exact) for name, array in arrays.items()}
    build = constructors(exact)
    if "A_z" in given:
        return build.from_examples(given["A_z"], given["c_z"], owner)
    if "X" in given:
        return build.least_squares(given["X"], given["y"], owner)
    if "b" in given:
        return build.from_linear(given["A"], given["b"], given.get("weights"))
    return build(given["A"], given["c"], given.get("weights"))


def _check_size(path: Path) -> None:
    """Refuse what would unpack to more than memory may hold, before anything is read of it."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > MOST_BYTES:
        raise problem(
            "the file", f"{size / 2**30:.1f} GiB of arrays", f"at most {MOST_BYTES / 2**30:g} GiB",
            "a problem larger than this machine should hold, or an archive that was made to look small",
            "take part of the clients; in Python build `surrogate.Quadratics` from arrays of your own",
        )  # fmt: skip


def _arrays(path: Path) -> dict[str, Numbers]:
    try:
        _check_size(path)
        with path.open("rb") as file:  # opened here, so that it is closed whatever numpy makes of it
            archive = np.load(file, allow_pickle=False)
            if not isinstance(archive, np.lib.npyio.NpzFile):
                raise ValueError("a single array, not an archive")
            with archive:
                return {name: archive[name] for name in archive.files}
    except ProblemError:
        raise
    except Exception as error:  # damaged bytes surface as almost anything in zipfile, zlib and numpy
        raise problem(
            "the file",
            f"not readable as NPZ ({(str(error).splitlines() or [type(error).__name__])[0][:100]})",
            "an archive of plain arrays",
            "a download cut short, another format, or arrays of Python objects",
            "write it again with numpy.savez (numbers, or strings like '1/3')",
        ) from None


def _converted(array: Numbers, name: str, exact: bool) -> Numbers:
    """Floats as they are; strings like "1/3" as fractions; whatever is no number is refused where it stands."""
    if array.dtype.kind in "fiu" and not exact:
        return array
    if array.dtype.kind not in "fiuU":
        raise problem(
            name, f"of type {array.dtype}", "numbers, or strings like '1/3'", "another kind of data", "convert it"
        )
    found = np.empty(array.shape, dtype=object)
    for place, value in np.ndenumerate(array):
        where = f"{name}{list(map(int, place))}"
        if array.dtype.kind == "f" and not np.isfinite(value):
            raise problem(where, value, "a finite number", "an overflow or a missing value upstream", "mend it")
        found[place] = entries.number(str(value), where) if array.dtype.kind == "U" else Fraction(value.item())
    return found if exact else found.astype(float)
