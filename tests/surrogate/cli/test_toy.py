"""``surrogate toy``: the truth about the user's clients, in a table and in JSON; what it would ignore is refused."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surrogate import Surrogate, Theta, bounds, dictionary, exact, methods, problems, toys
from surrogate.cli.main import main
from surrogate.kit import entries
from surrogate.problems import Problem, save
from surrogate.reports import Request
from surrogate.reports import bounds as reported
from theorems import records


def test_the_two_clients_of_the_paper_exactly(toy: Any) -> None:
    said = toy("two-clients", "--gamma", "1/2", "--steps", "2", "--exact")
    assert said.status == 0
    assert said.row("minimizer x*").startswith("2/3 (0.66666")
    assert said.row("resting point").startswith("5/7 (0.71428")
    assert said.row("displacement").startswith("1/21 (0.04761")
    assert said.row("mean of client minimizers").startswith("3/4")
    assert said.row("ill-behaved clients") == "none"
    assert "says nothing here: gamma L = 1, not below 1" in said.out


def test_the_same_in_json(facts: Any) -> None:
    found = facts("two-clients", "--gamma", "0.5", "--steps", "2", "--exact")
    assert found["exact"] is True
    assert found["displacement"] == [{"exact": "1/21", "decimal": 1 / 21}]
    assert found["distance"]["exact"] == "1/21"
    assert found["problem"]["mu"] == {"exact": "1", "decimal": 1.0}
    assert found["contraction"]["after"]["best_eta"]["exact"] == "4/7"


def test_floats_are_the_fields_own(facts: Any) -> None:
    found = facts("plane", "--gamma", "0.9", "--steps", "10", "--eta", "0.3")
    s = Surrogate(toys.plane(), 0.9, Theta.sum(10))
    assert found["resting_point"] == s.resting_point.tolist()
    assert found["displacement"] == s.displacement.tolist()
    assert found["distance"] == pytest.approx(np.linalg.norm(s.displacement), rel=1e-15)
    assert found["condition_number"]["after"] == pytest.approx(s.condition_number, rel=1e-12)
    H = np.linalg.eigvalsh(toys.plane().hessian)
    assert found["condition_number"]["before"] == pytest.approx(H[1] / H[0], rel=1e-12)
    speed = found["contraction"]
    assert speed["eta"] == {"exact": "3/10", "decimal": 0.3}
    assert speed["after"]["at_eta"] == pytest.approx(s.contraction(0.3)._asdict())
    assert speed["after"]["best_eta"] == pytest.approx(s.best_eta, rel=1e-12)
    assert speed["after"]["at_best_eta"]["radius"] == pytest.approx(s.contraction(s.best_eta).radius, rel=1e-9)
    assert speed["before"]["at_best_eta"]["radius"] == pytest.approx((H[1] - H[0]) / (H[1] + H[0]), rel=1e-12)


def test_exact_enclosures_contain_what_floats_say(facts: Any) -> None:
    arguments = ("plane", "--gamma", "9/10", "--steps", "7", "--eta", "1/4")
    floats, rationals = facts(*arguments), facts(*arguments, "--exact")

    def compare(a: Any, b: Any) -> None:
        if isinstance(b, dict) and "decimal" in b:
            value = a["decimal"] if isinstance(a, dict) else a
            assert value == pytest.approx(b["decimal"], rel=1e-11, abs=1e-15)
        elif isinstance(b, dict):
            assert a.keys() == b.keys()
            for key in b:
                compare(a[key], b[key])
        elif isinstance(b, list):
            for one, other in zip(a, b, strict=True):
                compare(one, other)

    for key in ("minimizer", "resting_point", "displacement", "distance", "condition_number", "contraction", "bounds"):
        compare(floats[key], rationals[key])
    assert re.fullmatch(r"\[0\.\d+ \+/- \S+\]", rationals["distance"]["enclosure"])


def test_bounds_stand_beside_the_truth(facts: Any) -> None:
    clients = toys.plane()
    found = facts("plane", "--gamma", "0.25", "--steps", "4")["bounds"]
    constants = (clients.mu, clients.L, clients.sigma_A, clients.sigma_c, 0.25)
    ours = bounds.theorem_17b(clients.mu, clients.L, clients.sigma_c, 0.25, 4)
    expected = [bounds.theorem_16(*constants, Theta.sum(4)), bounds.theorem_17(*constants, 4), ours]
    assert [row["id"] for row in found] == ["OLR.T16", "OLR.T17", "OLR.T17b"]
    for row, bound in zip(found, expected, strict=True):
        assert row["bound"] == pytest.approx(bound, rel=1e-14)
        assert row["truth_over_bound"] == pytest.approx(row["truth"] / bound, rel=1e-14)


@pytest.mark.parametrize(
    ("arguments", "silent"),
    [
        (["--gamma", "1", "--steps", "2"], ["gamma L = 1, not below 1"] * 3),
        (["--gamma", "1/2", "--steps", "3", "--theta", "last"], [None, *["theta is not a sum of steps"] * 2]),
        (["--gamma", "1/2", "--theta", "1,1,1"], [None] * 3),
        (["--gamma", "1/2", "--steps", "1", "--theta", "last"], [None] * 3),
        (["--gamma", "1/2,1/4,1/8", "--steps", "2"], ["gamma or the steps differ between clients"] * 3),
        (["--gamma", "1/2", "--steps", "2,3,4"], ["gamma or the steps differ between clients"] * 3),
    ],
)
@pytest.mark.parametrize("rationals", [[], ["--exact"]])
def test_bounds_only_speak_where_they_apply(
    facts: Any, arguments: list[str], silent: list[Any], rationals: list[str]
) -> None:
    found = facts("plane", *arguments, *rationals)["bounds"]
    assert [row["says_nothing_because"] for row in found] == silent
    assert all((row["bound"] is None) == (row["says_nothing_because"] is not None) for row in found)


def test_no_theorem_speaks_of_negative_weights() -> None:
    """Theorem 16 asks for theta >= 0, and is false without (OLR.T16, needs)."""
    request = Request("local-update", {"gamma": 0.25, "theta": Theta([2, -1], signed=True)})
    rows = reported.beside_truth(toys.plane(), request, 1.0)
    assert rows[0]["says_nothing_because"] == "theta has a negative weight"
    assert all(row["bound"] is None for row in rows)


def test_a_singular_client_has_no_published_bound(facts: Any, tmp_path: Path) -> None:
    path = tmp_path / "flat.toml"
    path.write_text("[[client]]\nX = [[1, 0]]\ny = [1]\n[[client]]\nX = [[0, 2], [1, 1]]\ny = [1, 0]\n")
    for mode in ([], ["--exact"]):
        found = facts(path, "--gamma", "1/10", "--steps", "3", *mode)
        assert [row["says_nothing_because"] for row in found["bounds"]] == ["a client is singular (mu = 0)"] * 3
        assert found["ill_behaved"] == []


def verdict_file(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "verdicts.json").write_text(text)
    monkeypatch.setattr(records, "TABLE", folder / "verdicts.json")


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (
            '[{"id": "OLR.T16", "verdict": "false", "severity": "typo", "evidence": "refuted"}]',
            ["false (typo, refuted)", "not judged yet", "not judged yet"],
        ),
        ('[{"id": "OLR.T17", "verdict": "holds", "severity": ""}]', ["not judged yet", "holds", "not judged yet"]),
        ('[{"id": "OLR.T17b", "verdict": "holds", "evidence": "proved"}]', [*["not judged yet"] * 2, "holds (proved)"]),
        ('[{"id": "OLR.T16"}, 3, {"id": "OLR.T17", "verdict": 1}]', ["not judged yet"] * 3),
        ("{}", ["not judged yet"] * 3),
        ("not json", ["not judged yet"] * 3),
    ],
)
def test_verdicts_are_read_defensively(
    facts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, verdicts: list[str]
) -> None:
    verdict_file(tmp_path, text, monkeypatch)
    found = facts("plane", "--gamma", "0.25", "--steps", "4")["bounds"]
    assert [row["verdict"] for row in found] == verdicts


def test_without_theorems_nothing_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "points", lambda group: {"theorems": "nowhere.records:verdicts"})
    assert reported.verdicts() == {}
    monkeypatch.setattr(entries, "points", lambda group: {})
    assert reported.verdicts() == {}


GIVEN = {
    "gamma": ["--gamma", "1/8"],
    "steps": ["--steps", "3"],
    "theta": ["--theta", "1,1,1"],
    "mu": ["--set", "mu=1/2"],
    "P": ["--set", "P=[[1, 0], [0, 1/2]]"],
    "alpha": ["--set", "alpha=1/2"],
    "frozen": ["--set", f"frozen={[[[1, 2]] * 3] * 3}"],
    "optimizer": ["--set", "optimizer=sgdm"],
}
ADAPTIVE = {"local-adagrad", "local-adam", "local-amsgrad", "local-yogi", "fedlada", "fed-ams", "fed-lamb"}


def further(method: str) -> list[str]:
    """Options that a method cannot do without; adaptive clients are linear with their preconditioners frozen."""
    asked = methods.describe(method).settings
    needed = [key for key, default in asked.items() if isinstance(default, str) and default == "required"]
    needed += ["gamma", "steps"] if method == "fedprox" else ["frozen"] if method in ADAPTIVE else []
    return [word for key in needed for word in GIVEN.get(key, [])]


@pytest.mark.parametrize("method", dictionary.methods())
def test_every_method_of_the_dictionary(toy: Any, facts: Any, method: str) -> None:
    """It rests where the dictionary says, in both kinds of numbers, and the table says so, too."""
    options = further(method)
    eta = ["--eta", "1/4"] if "eta" in methods.describe(method).settings else []
    floats = facts("plane", "--method", method, *options, *eta)
    rationals = facts("plane", "--method", method, *options, *eta, "--exact")
    for one, other in zip(floats["resting_point"], rationals["resting_point"], strict=True):
        assert one == pytest.approx(other["decimal"], rel=1e-10, abs=1e-12)
    assert floats["method"]["name"] == method
    said = toy("plane", "--method", method, *options)
    assert said.status == 0
    assert "where it rests" in said.out


def test_contraction_of_a_method_without_state_is_measured(facts: Any) -> None:
    """After one round from anywhere, the distance to rest shrinks by the matrix whose norm is shown."""
    found = facts("plane", "--method", "preconditioned", "--gamma", "1/2", "--steps", "3", "--eta", "0.7",
                  "--set", "P=[[1, 0], [0, 1/2]]")  # fmt: skip
    from surrogate import Preconditioned

    p = Preconditioned(toys.plane(), 0.5, 3, [[1.0, 0.0], [0.0, 0.5]])
    assert found["contraction"]["after"]["at_eta"] == pytest.approx(p.contraction(0.7)._asdict(), rel=1e-10)
    assert found["contraction"]["after"]["best_eta"] == pytest.approx(p.best_eta, rel=1e-8)
    assert found["has_loss"] == {"euclidean": False, "any": True}
    assert found["ill_behaved"] == list(p.ill_behaved)


def test_contraction_of_a_method_with_state_is_that_of_the_whole(facts: Any) -> None:
    found = facts("plane", "--method", "fedopt-sgdm", "--gamma", "1/4", "--steps", "3", "--eta", "1/2")
    known = dictionary.round_map("fedopt-sgdm", toys.plane(), gamma=0.25, steps=3, eta=0.5)
    assert found["contraction"]["after"]["at_eta"]["radius"] == pytest.approx(known.radius, rel=1e-12)
    assert any("state together" in note for note in found["notes"])


def test_ill_behaved_clients_are_named(toy: Any) -> None:
    """OLR section 4: at gamma = 11/10 the average is fine and client 1 is not."""
    for mode in ([], ["--exact"]):
        said = toy("two-clients", "--gamma", "11/10", "--steps", "2", *mode)
        assert said.row("ill-behaved clients").startswith("1 (pushed away")


@pytest.mark.parametrize("mode", [[], ["--exact"]])
def test_where_no_rate_contracts_it_says_so(toy: Any, facts: Any, mode: list[str]) -> None:
    """At gamma = 5 both clients overshoot, and the surrogate is concave."""
    arguments = ("two-clients", "--gamma", "5", "--steps", "10", *mode)
    said = toy(*arguments)
    assert said.row("best server rate eta").endswith("no rate contracts")
    assert said.row("the method descends").startswith("a quadratic without a minimum")
    found = facts(*arguments)
    assert found["contraction"]["after"]["contracts"] is False
    assert found["condition_number"]["after"] is None


@pytest.mark.parametrize("mode", [[], ["--exact"]])
def test_the_singular_surrogate_of_the_paper_is_refused(toy: Any, mode: list[str]) -> None:
    said = toy("two-clients", "--gamma", "6/5", "--steps", "2", *mode)
    assert said.status == 2
    assert "averaged Hessian" in said.err
    assert "What to do: lower gamma" in said.err
    assert said.out == ""


def test_displacement_below_the_rounding_of_the_point(facts: Any) -> None:
    found = facts("two-clients", "--gamma", "1e-15", "--steps", "2")
    assert found["displacement"][0] == pytest.approx(1e-15 / 18, rel=1e-9)
    tiny = facts("two-clients", "--gamma", "1e-300", "--steps", "2")  # whose square is no float64
    assert tiny["distance"] == tiny["displacement"][0] == pytest.approx(1e-300 / 18, rel=1e-9)


def test_theta_in_all_its_forms(facts: Any) -> None:
    clients = toys.two_clients(exact=True)
    for arguments, theta in (
        (["--steps", "3"], Theta.sum(3)),
        (["--steps", "3", "--theta", "last"], Theta.last(3)),
        (["--steps", "2", "--theta", "maml"], Theta.maml(2)),
        (["--theta", "1,0,1/2"], Theta([1, 0, "1/2"])),
    ):
        found = facts("two-clients", "--gamma", "1/3", *arguments, "--exact")
        assert found["resting_point"][0]["exact"] == str(exact.Surrogate(clients, "1/3", theta).minimizer[0])


def test_run_table_gives_defaults_and_the_command_line_wins(facts: Any, tmp_path: Path) -> None:
    path = save(Problem(toys.two_clients(), {"gamma": Fraction(1, 2), "steps": 2}), tmp_path / "p.toml")
    assert facts(path, "--exact")["displacement"][0]["exact"] == "1/21"
    assert facts(path, "--exact", "--steps", "1")["displacement"][0]["exact"] == "0"
    path = save(Problem(toys.two_clients(), {"method": "scaffold", "gamma": "1/2", "steps": 2}), tmp_path / "q.toml")
    assert facts(path, "--exact")["method"]["name"] == "scaffold"
    other = facts(path, "--exact", "--method", "minibatch-sgd")
    assert other["method"]["name"] == "minibatch-sgd"
    assert any("gamma, steps of the file's [run] table left out" in note for note in other["notes"])


def test_run_table_that_would_be_ignored_is_refused(toy: Any, tmp_path: Path) -> None:
    path = save(Problem(toys.two_clients(), {"method": "minibatch-sgd", "gamma": 1}), tmp_path / "p.toml")
    said = toy(path)
    assert said.status == 2
    assert "gamma for minibatch-sgd is in the file's [run] table" in said.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--steps", "2"], "gamma for local-update is missing"),
        (["--gamma", "1/2"], "--steps is missing"),
        (["--gamma", "half", "--steps", "2"], "--gamma is 'half'"),
        (["--gamma", "1/0", "--steps", "2"], "denominator 0"),
        (["--gamma=-1/2", "--steps", "2"], "gamma is -0.5"),
        (["--gamma", "-1/2", "--steps", "2"], "gamma is -0.5"),
        (["--gamma", "-1e-3", "--steps", "2"], "gamma is -0.001"),
        (["--gamma", "1/2", "--steps", "2", "--eta", "-1/2"], "eta is -1/2, expected a rate >= 0"),
        (["--gamma", "1/2", "--steps", "2", "--eta", "1/2,1"], "eta is 1/2, 1, expected one number"),
        (["--gamma", "1/2", "--steps", "2,3,4"], "--steps is 3 numbers (2, 3, 4), expected one number, or 2"),
        (["--method", "fedavg", "--gamma", "1,1/2,1/4", "--steps", "2"], "--gamma is 3 numbers"),
        (["--gamma", "1/2", "--theta", "-1,2"], "theta_1 is -1"),
        (["--gamma", "nan", "--steps", "2"], "--gamma is 'nan'"),
        (["--gamma", "1/2,1/4", "--steps", "2"], "gamma"),
        (["--gamma", "1/2", "--steps", "0"], "--steps is '0', expected a whole number >= 1"),
        (["--gamma", "1/2", "--steps", "1.5"], "--steps is '1.5'"),
        (["--gamma", "1/2", "--steps", "-1"], "--steps is '-1'"),
        (["--gamma", "1/2", "--steps", "2", "--theta", "summ"], "--theta is 'summ'"),
        (["--gamma", "1/2", "--steps", "2", "--theta", "1,2"], "--steps is 2, expected left out beside a list"),
        (["--gamma", "1/2", "--theta", "0,0"], "at least one weight that is not 0"),
        (["--gamma", "1/2", "--theta", "1,-1"], "theta_2 is -1"),
        (["--gamma", "1/2", "--steps", "2", "--set", "beta=0.9"], "beta for local-update is given, expected one of"),
        (["--gamma", "1/2", "--steps", "2", "--set", "beta"], "--set is 'beta', expected key=value"),
        (["--gamma", "1/2", "--steps", "2", "--set", "gamma=1"], "write --gamma"),
        (["--method", "fedavg", "--gamma", "1", "--steps", "2", "--theta", "sum"], "theta for fedavg is given"),
        (["--method", "minibatch-sgd", "--gamma", "1/2"], "gamma for minibatch-sgd is given"),
        (["--method", "fedavgg", "--gamma", "1", "--steps", "2"], "a slip for fedavg"),
        (["--method", "preconditioned", "--gamma", "1", "--steps", "2"], "P for preconditioned is missing"),
        (["--gamma", "1/2", "--steps", "2", "--json", "nowhere/x.json"], "run `mkdir -p nowhere` first"),
        (["--gamma", "1/3", "--steps", "90000000", "--exact"], "leave --exact out"),
    ],
)
def test_wrong_use_is_explained(toy: Any, arguments: list[str], said: str) -> None:
    """Exit 2, nothing on stdout, and what to do."""
    found = toy("two-clients" if "1/2,1/4" not in arguments else "plane", *arguments)
    assert (found.status, found.out) == (2, "")
    assert said in found.err
    assert "What to do: " in found.err
    assert "Traceback" not in found.err


def test_missing_file_names_the_presets(toy: Any) -> None:
    said = toy("two-client", "--gamma", "1/2", "--steps", "2")
    assert said.status == 2
    assert "a slip for two-clients" in said.err


def test_a_toml_of_the_users_own(toy: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(problems.TOML_EXAMPLE)
    said = toy(path, "--exact")
    assert said.status == 0
    assert str(path) in said.out.splitlines()[0]
    assert said.row("settings") == "gamma = 1/4,   theta = sum of 5 steps"


def test_help_shows_a_file_that_loads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["toy", "--help"])
    shown = capsys.readouterr().out
    example = "\n".join(line.removeprefix("  ") for line in shown.splitlines())
    assert problems.TOML_EXAMPLE.strip() in example
    assert all(name in shown for name in problems.PRESETS)


def test_json_goes_to_a_file_beside_the_table(toy: Any, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    said = toy("two-clients", "--gamma", "1/2", "--steps", "2", "--json", target)
    assert json.loads(target.read_text())["displacement"] == [pytest.approx(1 / 21)]
    assert "resting point" in said.out
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_long_vectors_are_short_in_the_table_and_whole_in_json(toy: Any, facts: Any, tmp_path: Path) -> None:
    path = save(Problem(toys.random_population(3, 4, 30)), tmp_path / "p.npz")
    arguments = (path, "--gamma", "1/2", "--steps", "3")
    said = toy(*arguments)
    assert "(19 more, all in --json)" in said.out
    assert len(facts(*arguments)["displacement"]) == 30


def test_the_table_fits_a_page(toy: Any) -> None:
    """No line of a float table is longer than 120 characters, and every block starts at the margin."""
    for arguments in (
        ["plane", "--gamma", "1/2", "--steps", "3", "--eta", "1/5"],
        ["density", "--gamma", "1/2", "--steps", "3", "--method", "scaffold"],
        ["plane", "--gamma", "1/4", "--steps", "3", "--exact"],
        ["plane", "--gamma", "1/3", "--steps", "300", "--exact"],
    ):
        said = toy(*arguments)
        assert max(map(len, said.out.splitlines())) <= 120, said.out
        assert all(block[0] != " " for block in said.out.split("\n\n"))


def test_a_thousand_exact_steps_print_their_decimals(toy: Any, facts: Any) -> None:
    """Fractions beyond Python's 4300 digits are still printed whole in JSON."""
    arguments = ("two-clients", "--gamma", "1/3", "--steps", "20000", "--exact")
    assert "(a fraction of" in toy(*arguments).row("displacement")
    found = facts(*arguments)["displacement"][0]
    assert len(found["exact"]) > 4300
    assert found["decimal"] == pytest.approx(1 / 12, rel=1e-12)
