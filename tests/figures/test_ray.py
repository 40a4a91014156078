"""`surrogate figures` on a real Ray cluster of two nodes, one of which is killed: as `make thorough` runs it."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from surrogate.cli.main import main
from tests.helpers.cluster import on_two_nodes

IDS = ["OLR.F2", "LA.F2", "--scale", "smoke"]
SCRIPT = """
from surrogate.cli.main import main

kill_when(lambda: len(list(out.glob("runs/*/*/manifest.json"))) >= 2)
answer = main(["figures", *given, "--out", str(out), "--engine", "ray", "--address", cluster.address])
"""


@pytest.mark.ray
def test_a_lost_node_loses_no_figure(tmp_path: Path) -> None:
    assert on_two_nodes(SCRIPT, tmp_path / "ray", IDS)["answer"] == 0
    assert main(["figures", *IDS, "--out", str(tmp_path / "here")]) == 0
    ours, theirs = ([*(tmp_path / name).glob("*/*.parquet")] for name in ("here", "ray"))
    assert len(ours) == len(theirs) == 2
    for path in ours:
        there = tmp_path / "ray" / path.relative_to(tmp_path / "here")
        assert pq.read_table(path).equals(pq.read_table(there))
