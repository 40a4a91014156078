"""``surrogate methods``: the table, one method in full, and the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surrogate import methods
from surrogate.cli.main import main


def test_the_table_names_every_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    printed = capsys.readouterr().out
    starts = [line.split()[0] for line in printed.splitlines() if line and not line.startswith(" ")]
    assert set(methods.names()) <= set(starts)
    assert max(map(len, printed.splitlines())) <= 120


def test_a_method_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "localadam", "scaffold"]) == 0
    printed = capsys.readouterr().out
    assert "local-adam (also fedlocal-adam, localadam)" in printed
    assert "c+ = c + (M / n) mean(c_i+ - c_i)" in printed
    assert "beta1            weight of the old momentum; default 0.9" in printed


def test_the_json_says_the_same(tmp_path: Path) -> None:
    assert main(["methods", "--json", str(tmp_path / "methods.json")]) == 0
    table = json.loads((tmp_path / "methods.json").read_text())
    assert [row["name"] for row in table] == list(methods.names())
    row = next(row for row in table if row["name"] == "fedprox")
    assert row["settings"] == {
        "mu": "required",
        "gamma": None,
        "steps": None,
        "eta": 1,
        "exact": False,
        "inner_rates": None,
    }
    assert row["check"] == "linear"


@pytest.mark.parametrize(
    ("arguments", "says"), [(["fedavgg"], "a slip for fedavg"), (["--json", "/nowhere/x.json"], "mkdir -p /nowhere")]
)
def test_wrong_use_is_explained(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", *arguments]) == 2
    assert says in capsys.readouterr().err
