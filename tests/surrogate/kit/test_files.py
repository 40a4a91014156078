"""A file is what it was until all of the new one is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from surrogate.kit.files import whole


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


def test_a_link_stays_one(tmp_path: Path) -> None:
    """/dev/stdout is one, where a shell has sent stdout into a file."""
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "file", tmp_path / "link"
    link.symlink_to(file)
    for content in ("not there yet", "there by now"):
        with whole(link) as partial:
            partial.write_text(content)
        assert link.is_symlink() and file.read_text() == content and list(file.parent.iterdir()) == [file]
