"""``surrogate toy`` as a fixture: what it said, row by row, and the facts that it writes as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surrogate.cli.main import main


class Said:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def row(self, label: str) -> str:
        """What stands after a label."""
        found = [line for line in self.out.splitlines() if line.strip().startswith(label)]
        assert found, f"no row {label!r} in\n{self.out}"
        return found[0].strip().removeprefix(label).strip()


@pytest.fixture
def toy(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str | Path) -> Said:
        status = main(["toy", *map(str, arguments)])
        captured = capsys.readouterr()
        return Said(status, captured.out, captured.err)

    return run


@pytest.fixture
def facts(toy: Any) -> Any:
    def run(*arguments: str | Path) -> Any:
        said = toy(*arguments, "--json", "-")
        assert said.status == 0, said.err
        return json.loads(said.out)

    return run
