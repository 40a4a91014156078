"""A file is what it was until all of the new one is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from surrogate.files import whole


@pytest.mark.parametrize("durable", [False, True])
def test_the_old_content_stays_until_the_new_is_whole(tmp_path: Path, durable: bool) -> None:
    file = tmp_path / "file"
    with whole(file, durable) as partial:
        partial.write_bytes(b"old")
    with whole(file, durable) as partial:
        partial.write_bytes(b"new")
        assert file.read_bytes() == b"old"
    assert file.read_bytes() == b"new" and list(tmp_path.iterdir()) == [file]


def test_what_fails_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), whole(file) as partial:
        partial.write_bytes(b"half")
        partial.write_bytes(bytes(1 // 0))
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]
