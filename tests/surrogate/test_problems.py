"""Problem files say what they mean in TOML, JSON and NPZ, come back as they were saved, and are refused helpfully."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surrogate import ProblemError, Quadratics, problems, toys
from surrogate.problems import Problem, archives, load, save
from surrogate.toys import random_population


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def client(body: str) -> str:
    return f"[[client]]\n{body}\n"


def same(one: Any, other: Any) -> None:
    """Equal entry by entry, whatever the numbers."""
    assert one.A.dtype == other.A.dtype
    for key in ("A", "b", "weights"):
        assert np.array_equal(getattr(one, key), getattr(other, key)), key
    assert (one.examples is None) == (other.examples is None)
    if one.examples is not None:
        assert all(np.array_equal(a, b) for a, b in zip(one.examples, other.examples, strict=True))


def test_the_documented_file_reads_as_it_says(tmp_path: Path) -> None:
    found = load(written(tmp_path, problems.TOML_EXAMPLE))
    np.testing.assert_array_equal(found.clients.A, [[[1, 0], [0, 0.5]], [[2, 0.5], [0.5, 1]]])
    np.testing.assert_array_equal(found.clients.c, [[1 / 3, 0], [1, -1]])
    assert found.settings == {"gamma": Fraction(1, 4), "steps": 5}
    assert found.source.endswith("mine.toml")


def test_decimals_are_exact_when_read_exactly(tmp_path: Path) -> None:
    path = written(tmp_path, client('A = 0.1\nc = "1e-3"') + client("A = 1_0\nc = -2"))
    clients = load(path, exact=True).clients
    assert [str(v) for v in (clients.A[0, 0, 0], clients.c[0, 0], clients.A[1, 0, 0])] == ["1/10", "1/1000", "10"]
    assert load(path).clients.A[0, 0, 0] == 0.1


def test_one_dimension_needs_no_brackets(tmp_path: Path) -> None:
    path = written(tmp_path, client('A = 1\nc = 1\nweight = "1/4"') + client('A = [[2]]\nb = ["1"]\nweight = 0.75'))
    same(load(path).clients, Quadratics.from_linear([[[1]], [[2]]], [[1], [1]], [0.25, 0.75]))


def test_c_given_everywhere_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, client("A = [[0, 0], [0, 1]]\nc = [5, 0]") + client("A = [[1, 0], [0, 0]]\nc = [0, 7]"))
    np.testing.assert_array_equal(load(path).clients.c, [[5, 0], [0, 7]])  # not the minimizers of least norm


def test_json_has_the_same_keys(tmp_path: Path) -> None:
    table = {"client": [{"A": [[1]], "c": [1]}, {"A": 2, "c": "1/2"}], "run": {"gamma": 0.5, "theta": [1, "1/2"]}}
    found = load(written(tmp_path, json.dumps(table), "mine.json"), exact=True)
    same(found.clients, toys.two_clients(exact=True))
    assert found.settings == {"gamma": Fraction(1, 2), "theta": [1, Fraction(1, 2)]}


def test_examples_belong_to_their_client(tmp_path: Path) -> None:
    example = "[[client.example]]\nA = {}\nc = {}\n"
    text = client("") + example.format(1, 1) + example.format(3, 0) + client("") + example.format(2, '"1/2"')
    expected = Quadratics.from_examples([[[1]], [[3]], [[2]]], [[1], [0], [0.5]], [0, 0, 1])
    same(load(written(tmp_path, text)).clients, expected)


@pytest.mark.parametrize("exact", [False, True])
def test_rows_are_least_squares(tmp_path: Path, exact: bool) -> None:
    text = client("X = [[1, 2], [3, 4]]\ny = [1, 2]") + client('X = [["1/2", 1]]\ny = 3')
    clients = load(written(tmp_path, text), exact=exact).clients
    clients = clients.to_float() if exact else clients
    same(clients, Quadratics.least_squares([[1, 2], [3, 4], [0.5, 1]], [1, 2, 3], [0, 0, 1]))


@pytest.mark.parametrize("name", problems.PRESETS)
@pytest.mark.parametrize("exact", [False, True])
def test_presets_are_the_toys(name: str, exact: bool) -> None:
    maker = {"two-clients": toys.two_clients, "density": toys.density_problem, "plane": toys.plane}[name]
    found = load(name, exact=exact)
    same(found.clients, maker(exact=exact))
    assert found.source.startswith(f"preset {name}")
    assert ("nodes stand for it" in found.source) == (name == "density")


def test_the_density_says_truly_how_far_it_reaches() -> None:
    """Up to the steps named, its resting point is that of more nodes; one step later no more."""
    from surrogate import exact

    found = load("density", exact=True)
    reach, more = int(found.source.split("up to ")[1].split()[0]), toys.density_problem(16, exact=True)
    for steps, same_rest in ((reach, True), (reach + 1, False)):
        rests = [exact.Surrogate(c, "1/2", exact.Theta.sum(steps)).resting_point for c in (found.clients, more)]
        assert (rests[0] == rests[1]).all() == same_rest


@pytest.mark.parametrize("suffix", [".toml", ".json", ".npz"])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("kind", ["centred", "weighted", "linear", "examples"])
def test_saved_problems_come_back(tmp_path: Path, suffix: str, exact: bool, kind: str) -> None:
    from surrogate import exact as rationals

    build: Any = rationals.Quadratics if exact else Quadratics
    A, v = [[[2, 1], [1, 1]], [["1/3", 0], [0, 0]]], [["1/7", 2], [0, 1]]
    if not exact:
        A, v = [[[2, 1], [1, 1]], [[1 / 3, 0], [0, 0]]], [[1 / 7, 2], [0, 1]]
    made = {
        "centred": lambda: build(A, v),
        "weighted": lambda: build(A, v, ["1/4", "3/4"] if exact else [0.25, 0.75]),
        "linear": lambda: build.from_linear(A, v),  # client 1 has no minimizer
        "examples": lambda: build.from_examples(A, v, [0, 0]),
    }[kind]()
    path = save(Problem(made), tmp_path / f"p{suffix}")
    same(load(path, exact=exact).clients, made)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@given(seed=st.integers(0, 2**32), n=st.integers(1, 4), d=st.integers(1, 8), suffix=st.sampled_from(["toml", "json"]))
def test_random_populations_survive_a_file_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, d: int, suffix: str
) -> None:
    made = random_population(seed, n, d, mu=1 if n == d == 1 else 1e-9, L=1)
    path = save(Problem(made), tmp_path_factory.getbasetemp() / f"random.{suffix}")
    same(load(path).clients, made)


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_settings_are_saved_with_the_clients(tmp_path: Path, suffix: str) -> None:
    settings = {"gamma": Fraction(1, 3), "steps": [2, 5], "method": "fedavg", "set": {"sends": "gradients"}}
    path = save(Problem(toys.two_clients(), settings), tmp_path / f"p.{suffix}")
    again = load(path).settings
    assert {**again, "set": dict(again["set"])} == settings


def test_settings_do_not_fit_an_npz(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="settings is gamma, expected none in an NPZ"):
        save(Problem(toys.two_clients(), {"gamma": 1}), tmp_path / "p.npz")
    assert list(tmp_path.iterdir()) == []


def test_save_refuses_another_ending(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"p\.yaml, expected a name ending in \.toml, \.json, \.npz"):
        save(Problem(toys.two_clients()), tmp_path / "p.yaml")


@pytest.mark.parametrize("broken", ["pathlib.Path.write_text", "os.replace"])
def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    path = save(Problem(toys.two_clients()), tmp_path / "p.toml")
    before = path.read_text()

    def full_disk(*_: Any, **__: Any) -> int:
        raise OSError("No space left on device")

    monkeypatch.setattr(broken, full_disk)
    with pytest.raises(OSError, match="No space"):
        save(Problem(toys.plane()), path)
    assert path.read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["p.toml"]


GOOD = client("A = 1\nc = 1")

REFUSED = {
    "unknown key": (client("A = 1\nC = 1"), r"client 0: the key 'C' is unknown(.|\n)*a slip for 'c'"),
    "unknown weight": (client("A = 1\nc = 1\nwieght = 1"), r"the key 'wieght' is unknown(.|\n)*'weight'"),
    "unknown table": ("[[clients]]\nA = 1", r"the key 'clients' is unknown(.|\n)*a slip for 'client'"),
    "unknown run key": (GOOD + "[run]\ngama = 1", r"run: the key 'gama' is unknown(.|\n)*'gamma'"),
    "no clients": ("[run]\ngamma = 1", r"the file is without clients"),
    "empty file": ("", r"the file is without clients"),
    "single brackets": ("[client]\nA = 1\nc = 1", r"client is a single table(.|\n)*\[\[client\]\]"),
    "clients as numbers": ("client = [1, 2]", r"client is \[1, 2\], expected a list of tables"),
    "ragged": (client("A = [[1, 0], [0]]\nc = [1, 1]"), r"client 0: A\[1\] is a row of 1 numbers, expected 2"),
    "flat": (client("A = [1, 0, 0, 1]\nc = [1, 1]"), r"client 0: A is \[1, 0, 0, 1\], expected a list of rows"),
    "empty A": (client("A = []\nc = [1]"), r"client 0: A is an empty list"),
    "empty c": (client("A = 1\nc = []"), r"client 0: c is an empty list"),
    "not square": (client("A = [[1, 0]]\nc = [1]"), r"client 0: A is 1 x 2, expected 1 x 1"),
    "another size": (GOOD + client("A = [[1, 0], [0, 1]]\nc = [1, 1]"), r"client 1: A is 2 x 2, expected 1 x 1"),
    "c too long": (GOOD + client("A = 1\nc = [1, 2]"), r"client 1: c is of length 2, expected length 1"),
    "1/0": (client('A = [["1/0"]]\nc = [1]'), r"client 0: A\[0\]\[0\] is '1/0'(.|\n)*denominator 0"),
    "word": (client('A = 1\nc = ["abc"]'), r"client 0: c\[0\] is 'abc', expected a finite number"),
    "nan": (client("A = nan\nc = 1"), r"client 0: A is 'nan', expected a finite number"),
    "inf": (client("A = 1\nc = [-inf]"), r"client 0: c\[0\] is '-inf'"),
    "flag": (client("A = true\nc = 1"), r"client 0: A is True, expected a finite number"),
    "date": (client("A = 2026-01-01\nc = 1"), r"client 0: A is datetime.date"),
    "enormous": (client("A = 1e999999999\nc = 1"), r"client 0: A is '1e999999999 \(a number too large\)'"),
    "enormous text": (client('A = "1e999999999"\nc = 1'), r"client 0: A is '1e999999999'"),
    "beyond float64": (client("A = 1e390\nc = 1"), r"expected at most 1.8e308(.|\n)*--exact"),
    "weights on some": (GOOD + client("A = 1\nc = 1\nweight = 1"), r"client 0: weight is missing, while client 1 has"),
    "weights that sum to 2": (client("A = 1\nc = 1\nweight = 2"), r"weights is sum 2, expected sum 1"),
    "negative weight": (
        client("A = 1\nc = 1\nweight = 2") + client("A = 1\nc = 1\nweight = -1"),
        r"client 1: weights\[1\] is -1",
    ),
    "c and b": (client("A = 1\nc = 1\nb = 1"), r"client 0: c and b is both given"),
    "no c": (GOOD + client("A = 1"), r"client 1: c and b is both missing"),
    "no A": (client("c = 1"), r"client 0: A is missing"),
    "not symmetric": (GOOD.replace("= 1", "= [[1, 2], [3, 4]]", 1).replace("c = 1", "c = [1, 1]"), r"client 0: A\[0\]"),
    "indefinite": (client("A = 1\nc = 1") + client("A = -1\nc = 1"), r"client 1: A\[1\] is indefinite"),
    "singular average": (client("A = [[1, 0], [0, 0]]\nc = [1, 1]"), r"averaged Hessian(.|\n)*singular"),
    "A beside X": (client("A = 1\nX = [[1]]\ny = [1]"), r"client 0: the key 'A' is given beside X and y"),
    "X without y": (client("X = [[1]]"), r"client 0: y is missing"),
    "weight beside X": (client("X = [[1]]\ny = [1]\nweight = 1"), r"client 0: the key 'weight' is given beside X"),
    "y too short": (client("X = [[1], [2]]\ny = [1]"), r"client 0: y is of length 1, expected length 2"),
    "X of another width": (
        client("X = [[1]]\ny = [1]") + client("X = [[1, 2]]\ny = [1]"),
        r"client 1: X is with rows of 2 numbers, expected 1, as client 0",
    ),
    "two kinds": (GOOD + client("X = [[1]]\ny = [1]"), r"client 1 is given by X and y, expected A with c or b"),
    "bad example": (
        client("") + "[[client.example]]\nA = 1\nc = 1\n[[client.example]]\nA = -1\nc = 1",
        r"client 0: example 1: A is indefinite",
    ),
    "example without c": (client("") + "[[client.example]]\nA = 1", r"client 0: example 0: c is missing"),
    "no steps": (GOOD + "[run]\nsteps = 0", r"run.steps is 0, expected a whole number >= 1"),
    "fractional steps": (GOOD + "[run]\nsteps = [1, 2.5]", r"run.steps\[1\] is Fraction"),
    "bad gamma": (GOOD + '[run]\ngamma = "half"', r"run.gamma is 'half'"),
    "method as number": (GOOD + "[run]\nmethod = 3", r"run.method is 3, expected a name"),
    "run as value": ("run = 1\n" + GOOD, r"run is 1, expected a table"),
    "set as value": (GOOD + "[run]\nset = 1", r"run.set is 1, expected a table"),
    "malformed": (GOOD + "[[client]]\nA = [[1, 0\nc = 1/2", r"not readable as TOML: (.|\n)*line \d"),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_bad_toml_is_refused_with_the_file_the_client_and_the_value(tmp_path: Path, case: str, exact: bool) -> None:
    text, said = REFUSED[case]
    path = written(tmp_path, text)
    if exact and case == "beyond float64":
        assert load(path, exact=True).clients.A[0, 0, 0] == 10**390
        return
    with pytest.raises(ProblemError, match=said) as refused:
        load(path, exact=exact)
    assert str(refused.value).startswith(f"{path}: ")
    assert "What to do: " in str(refused.value)


JSON_REFUSED = {
    "malformed": ('{"client": [{"A": 1, "c": 1},]}', r"not readable as JSON: .*line 1 column \d+"),
    "bare list": ("[1]", r"the file is a list, expected a table"),
    "doubled key": ('{"client": [{"A": 1, "A": 2, "c": 1}]}', r"the key 'A' is given twice"),
    "NaN": ('{"client": [{"A": NaN, "c": 1}]}', r"client 0: A is 'nan'"),
    "null": ('{"client": [{"A": null, "c": 1}]}', r"client 0: A is None"),
    "deep": ("[" * 100_000, r"not readable as JSON"),
}


@pytest.mark.parametrize("case", JSON_REFUSED)
def test_bad_json_is_refused(tmp_path: Path, case: str) -> None:
    text, said = JSON_REFUSED[case]
    with pytest.raises(ProblemError, match=said):
        load(written(tmp_path, text, "mine.json"))


def npz(folder: Path, **arrays: Any) -> Path:
    path = folder / "mine.npz"
    np.savez(path, **arrays)
    return path


ONE = {"A": np.ones((1, 1, 1)), "c": np.ones((1, 1))}

NPZ_REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown array": (ONE | {"wieghts": [1.0]}, r"the key 'wieghts' is unknown(.|\n)*'weights'"),
    "missing array": ({"A": ONE["A"]}, r"the arrays is A, expected A with c or b"),
    "two layouts": (ONE | {"b": ONE["c"]}, r"the arrays is A, b, c, expected"),
    "no arrays": ({}, r"the arrays is none"),
    "words": ({"A": [[["abc"]]], "c": [["1"]]}, r"A\[0, 0, 0\] is 'abc', expected a finite number"),
    "complex": ({"A": 1j * ONE["A"], "c": ONE["c"]}, r"A is of type complex128, expected numbers"),
    "objects": ({"A": np.array([[[None]]]), "c": ONE["c"]}, r"not readable as NPZ"),
    "not finite": ({"A": ONE["A"], "c": [[np.nan]]}, r"c\[0, 0\] is nan, expected a finite number"),
    "indefinite": ({"A": [[[1.0]], [[-1.0]]], "c": [[0.0], [0.0]]}, r"client 1: A\[1\] is indefinite"),
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("case", NPZ_REFUSED)
def test_bad_npz_is_refused(tmp_path: Path, case: str, exact: bool) -> None:
    arrays, said = NPZ_REFUSED[case]
    with pytest.raises(ProblemError, match=said):
        load(npz(tmp_path, **arrays), exact=exact)


def test_npz_of_strings_is_exact(tmp_path: Path) -> None:
    path = npz(tmp_path, A=[[["1/3"]]], c=[["-2"]])
    assert str(load(path, exact=True).clients.A[0, 0, 0]) == "1/3"
    assert load(path).clients.A[0, 0, 0] == 1 / 3


def test_npz_floats_are_the_binary_fractions_they_are(tmp_path: Path) -> None:
    assert Fraction(str(load(npz(tmp_path, **ONE | {"c": [[0.1]]}), exact=True).clients.c[0, 0])) == Fraction(0.1)


def test_npz_of_rows(tmp_path: Path) -> None:
    path = npz(tmp_path, X=[[1.0], [2.0]], y=[1.0, 3.0], client=[0, 1])
    same(load(path).clients, Quadratics.least_squares([[1.0], [2.0]], [1.0, 3.0], [0, 1]))


@pytest.mark.parametrize("cut", [0, 10, 200])
def test_truncated_npz_is_refused(tmp_path: Path, cut: int) -> None:
    path = npz(tmp_path, **ONE)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ProblemError, match=r"mine\.npz: the file is not readable as NPZ"):
        load(path)


def test_corrupt_member_of_an_npz_is_refused(tmp_path: Path) -> None:
    path = npz(tmp_path, **ONE)
    data = bytearray(path.read_bytes())
    data[140] ^= 255  # within the first array's numbers or header: the checksum no longer fits
    path.write_bytes(data)
    with pytest.raises(ProblemError, match="not readable as NPZ"):
        load(path)


def test_lone_array_is_no_npz(tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    with path.open("wb") as file:
        np.save(file, np.ones(3))
    with pytest.raises(ProblemError, match="a single array, not an archive"):
        load(path)


def test_missing_file_suggests_near_files_and_presets(tmp_path: Path) -> None:
    written(tmp_path, GOOD, "problem.toml")
    with pytest.raises(ProblemError, match=r"neither a file nor a preset(.|\n)*a slip for \S*problem\.toml"):
        load(tmp_path / "problm.toml")
    with pytest.raises(ProblemError, match="a slip for two-clients"):
        load("two-client")
    with pytest.raises(ProblemError, match="another folder"):
        load(tmp_path / "nowhere" / "else.toml")


def test_folders_and_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="is a folder, expected a file or a preset"):
        load(tmp_path)
    with pytest.raises(ProblemError, match=r"a file ending in '\.yaml', expected one of \.toml, \.json, \.npz"):
        load(written(tmp_path, GOOD, "mine.yaml"))
    with pytest.raises(ProblemError, match="a file without an ending"):
        load(written(tmp_path, GOOD, "mine"))


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"# caf\xe9\n" + GOOD.encode())
    with pytest.raises(ProblemError, match="not readable as TOML"):
        load(path)


def test_capital_endings_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + GOOD, "MINE.TOML")
    assert load(str(path)).clients.n == 1


def test_an_archive_that_unpacks_to_more_than_fits_is_refused_before_it_is_read(tmp_path, monkeypatch):
    file = tmp_path / "large.npz"
    np.savez_compressed(file, A=np.zeros((1000, 10, 10)), c=np.zeros((1000, 10)))
    monkeypatch.setattr(archives, "MOST_BYTES", 2**19)
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("read all the same"))
    with pytest.raises(ProblemError, match="GiB of arrays, expected at most"):
        load(file)
