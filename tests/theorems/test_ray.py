"""`surrogate check` on a real Ray cluster of two nodes, one of which is killed: as `make thorough` runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surrogate.cli.main import main
from tests.helpers.cluster import on_two_nodes

IDS = ["OLR.C13", "OLR.C22", "OLR.T16", "OLR.L5", "DICT.central-adam", "DICT.central-sgd"]
SCRIPT = """
from surrogate.cli.main import main
from theorems.cli import names

line = names.line

def noted(*verdict):  # the first verdict is there, the others are under way
    kill()
    return line(*verdict)

names.line = noted
out.mkdir()
answer = main(["check", *given, "--engine", "ray", "--address", cluster.address, "--json", str(out / "verdicts.json")])
"""


@pytest.mark.ray
def test_a_lost_node_loses_no_verdict(tmp_path: Path) -> None:
    given = [*IDS, "--fresh", "--examples", "300"]
    told = on_two_nodes(SCRIPT, tmp_path / "ray", given)
    assert told["answer"] == main(["check", *given, "--json", str(tmp_path / "here.json")]) == 0
    ours, theirs = (
        {one["id"]: {**one, "seconds": 0} for one in json.loads(path.read_text())}
        for path in (tmp_path / "here.json", tmp_path / "ray" / "verdicts.json")
    )
    assert ours == theirs and set(ours) == set(IDS)
