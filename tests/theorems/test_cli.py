"""The verbs of the judge, as a user types them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from surrogate.cli.main import main
from theorems import cache, template


@pytest.fixture(autouse=True)
def private_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_check_judges_a_file_of_ones_own(tmp_path, capsys):
    mine = tmp_path / "my_theorem.py"
    shutil.copy(template.__file__, mine)
    assert main(["check", str(mine), "--examples", "500", "--json", str(tmp_path / "v.json")]) == 0
    assert "MINE.1" in capsys.readouterr().out
    (verdict,) = json.loads((tmp_path / "v.json").read_text())
    assert verdict["verdict"] == "false" and verdict["seconds"] > 0


def test_check_judges_a_file_as_the_guide_once_had_it(tmp_path, capsys):
    """With its own imports, a namespace for an instance, its paper's name, and phi of theorems.population."""
    mine = tmp_path / "one_step.py"
    mine.write_text(
        """
from types import SimpleNamespace

from surrogate import Theta
from theorems import Claim, Comparison, Domain, Statement, clients, grid, rate
from theorems.population import phi


def instance(cursor, n):
    p = clients(cursor, n, d=1)
    return SimpleNamespace(p=p, gamma=rate(cursor, p.L), theta=Theta.sum(1))


def printed(s):
    return [Comparison("L", phi(s.p.nb, 1, s.p.L, s.gamma), "==", s.p.L)]


STATEMENT = Statement(
    id="MINE.2",
    paper="mine",
    kind="identity",
    location="my notebook, page 2",
    says="With one local step phi_L = L.",
    domain=Domain(instance, grid(n=(1, 2)), "one or two clients in d = 1, 0 < gamma < 1/L"),
    printed=Claim("phi_L = L", r"\\phi_L = L", printed),
)
""",
        encoding="utf-8",
    )
    assert main(["check", str(mine), "--examples", "300"]) == 0
    assert "MINE.2       holds" in capsys.readouterr().out


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_statement_that_cannot_be_judged_is_named_and_stops_no_other(tmp_path, capsys, processes):
    mine, fine = tmp_path / "my_theorem.py", tmp_path / "fine.py"
    text = Path(template.__file__).read_text(encoding="utf-8")
    fine.write_text(text, encoding="utf-8")
    broken = text.replace(
        "    high, low = bounds", "    raise RuntimeError('no such bound')\n    high, low = bounds", 1
    )
    mine.write_text(broken.replace("MINE.1", "MINE.2"), encoding="utf-8")
    command = ["check", str(mine), str(fine), "--examples", "300", "--processes", processes]
    assert main([*command, "--json", str(tmp_path / "v.json")]) == 1
    said = capsys.readouterr()
    assert "CONTRADICTION: failed: RuntimeError: no such bound" in said.out and "1 contradictions" in said.out
    assert "my_theorem.py" in said.err or processes == "2"  # a worker writes to its own standard error
    judged = {one["id"]: one["verdict"] for one in json.loads((tmp_path / "v.json").read_text())}
    assert judged == {"MINE.1": "false", "MINE.2": "undecided"}


def test_check_reads_the_cache_and_fresh_does_not(tmp_path, capsys, monkeypatch):
    assert main(["check", "OLR.T17", "--examples", "300", "--jobs", "1"]) == 0
    monkeypatch.setattr("theorems.judging.judge_statement", lambda *_: pytest.fail("judged again"))
    assert main(["check", "OLR.T17", "--examples", "300", "--jobs", "1"]) == 0
    assert main(["check", "OLR.T17", "--examples", "300", "--jobs", "1"]) == 0
    assert list(cache.directory().glob("*.json"))
    torn = next(cache.directory().glob("*.json"))
    torn.write_text("{", encoding="utf-8")
    assert cache.fetch(torn.stem) is None


def test_a_contradiction_ends_with_1(capsys, monkeypatch):
    """A statement recorded as holding that is refuted now is named."""
    from theorems import records

    recorded = {**records.read("OLR.C22"), "verdict": "holds", "counterexample": None, "certificate": None}
    monkeypatch.setattr(records, "read", lambda name: recorded)
    assert main(["check", "OLR.C22", "--examples", "2000", "--jobs", "1", "--fresh"]) == 1
    assert "CONTRADICTION: verdict: recorded 'holds', now 'false'" in capsys.readouterr().out


def test_an_altered_certificate_ends_with_1(capsys, monkeypatch):
    from theorems import records

    recorded = records.read("OLR.C22")
    recorded["certificate"]["program"][0][-1] = "0"
    monkeypatch.setattr(records, "read", lambda name: recorded)
    assert main(["check", "OLR.C22", "--examples", "500", "--jobs", "1"]) == 1
    assert "CONTRADICTION: certificate.program: recorded" in capsys.readouterr().out


def test_verify_counts_evidence_and_refuses_what_is_no_statement(capsys):
    assert main(["verify", "olr.c13", "OLR.C22"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].split()[:2] == ["OLR.C13", "holds,"] and "certificates: " in told[0]
    assert "refuted; certificates: printed, " in told[1]
    assert told[1].endswith("step 0, step 1")
    assert told[2].startswith("2 records, ") and ", 0 troubles; statements: 1 " in told[2]
    assert main(["verify", "OLR.C222"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("surrogate: statement is 'OLR.C222'") and told.endswith("?\n")
    assert told.count("OLR.C22,") == 1


def test_show_refute_verify_statements_report(tmp_path, capsys):
    assert main(["show", "olr.c22"]) == 0
    assert "counterexample" in capsys.readouterr().out
    assert main(["refute", "OLR.C22", "--examples", "2000", "--json", str(tmp_path / "c.json")]) == 0
    assert json.loads((tmp_path / "c.json").read_text())["id"] == "OLR.C22"
    assert main(["refute", "OLR.L5", "--examples", "500"]) == 1
    assert main(["verify", "OLR.C22"]) == 0
    capsys.readouterr()
    assert main(["statements", "--paper", "OLR"]) == 0
    listed = capsys.readouterr().out
    assert "* OLR.T17" in listed and "LADA" not in listed
    assert main(["report", "--out", str(tmp_path / "site")]) == 0
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "OLR.T99"], "did you mean"),
        (["check", "nothing.py"], "existing Python file"),
        (["check", "--paper", "fedavg"], "one of outsized"),
        (["check", "OLR.T17", "--examples", "0"], "whole number >= 1"),
        (["show", "XYZ"], "surrogate statements"),
    ],
)
def test_wrong_use_ends_with_2(words, said, capsys):
    assert main(words) == 2
    assert said in capsys.readouterr().err
