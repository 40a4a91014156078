"""Files that were cut short, changed, emptied or removed: named and made again, or refused; never taken for whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import neural
from neural.data import store
from neural.runs import storage
from neural.runs.files import Damaged
from surrogate import ProblemError
from tests.helpers.neural.reliability_tools import CPU, QUICK, equal, same

READERS: dict[str, Callable[[Path], Any]] = {
    "rows.parquet": storage.read_part,
    "manifest.json": storage.read_manifest,
    "checkpoint-00000006.pt": lambda path: storage.read_checkpoint(path, CPU),
}
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "cut by one byte": lambda content: content[:-1],
    "zeros": lambda content: bytes(len(content)),
    "one more byte": lambda content: content + b"\n",
    "a bit at the start": lambda content: bytes([content[0] ^ 1]) + content[1:],
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return neural.run(QUICK, tmp_path_factory.mktemp("ended")).folder


def cut_or_flipped(content: bytes, chance: st.DataObject) -> bytes:
    """Without its end from some place on, or with one bit changed there."""
    place = chance.draw(st.integers(0, len(content) - 1))
    if chance.draw(st.booleans()):
        return content[:place]
    return content[:place] + bytes([content[place] ^ 1 << chance.draw(st.integers(0, 7))]) + content[place + 1 :]


@pytest.mark.parametrize("name", READERS)
@given(chance=st.data())
def test_no_bit_changes_a_value_unseen(
    name: str, chance: st.DataObject, ended: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    changed = tmp_path_factory.mktemp("changed") / name
    changed.write_bytes(cut_or_flipped((ended / name).read_bytes(), chance))
    try:
        found = READERS[name](changed)
    except Damaged as damage:
        assert str(changed) in str(damage)
    else:
        assert equal(found, READERS[name](ended / name))


def still(path: Path, name: str, value: Any) -> bool:
    """Whether the file reads as before: a blank more or less at the end of JSON, a byte that no reader looks at."""
    try:
        return equal(READERS[name](path), value)
    except Damaged as damage:
        assert str(path) in str(damage)
        return False


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", READERS)
def test_a_run_names_what_is_damaged_and_ends_as_it_would_have(tmp_path: Path, name: str, damage: str) -> None:
    folder = neural.run(QUICK, tmp_path / "a").folder
    path, value = folder / name, READERS[name](folder / name)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    heard: list[str] = []
    harmless = still(path, name, value)
    neural.run({**QUICK, "rounds": 8}, tmp_path / "a", say=heard.append)
    assert any(line.startswith("damaged") and str(path) in line for line in heard) is not harmless
    for left in folder.glob("*.damaged"):
        left.unlink()
    same(folder, neural.run({**QUICK, "rounds": 8}, tmp_path / "b").folder)


@pytest.mark.parametrize("name", READERS)
def test_what_was_removed_is_made_again(tmp_path: Path, name: str) -> None:
    folder = neural.run(QUICK, tmp_path / "a").folder
    (folder / name).unlink()
    same(neural.run(QUICK, tmp_path / "a").folder, neural.run(QUICK, tmp_path / "b").folder)


def test_without_a_whole_checkpoint_nothing_is_begun_over_it(tmp_path: Path) -> None:
    folder = neural.run(QUICK, tmp_path).folder
    for path in folder.glob("checkpoint-*.pt"):
        path.write_bytes(b"")
    before = (folder / "rows.parquet").read_bytes()
    with pytest.raises(ProblemError, match="all damaged"):
        neural.run(QUICK, tmp_path)
    assert (folder / "rows.parquet").read_bytes() == before


@given(chance=st.data())
def test_no_bit_of_prepared_data_changes_unseen(
    chance: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    arrays = {"x": np.arange(40, dtype=np.uint8).reshape(2, 20), "y": np.array([3, -1])}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SURROGATE_CACHE", str(tmp_path_factory.mktemp("cache")))
        store.save_arrays("some", arrays)
        (path,) = (store.folder() / "processed").iterdir()
        path.write_bytes(cut_or_flipped(path.read_bytes(), chance))
        found = store.load_arrays("some")
    assert found is None or found.keys() == arrays.keys()
    for name, value in (found or {}).items():
        assert value.dtype == arrays[name].dtype and np.array_equal(value, arrays[name])
