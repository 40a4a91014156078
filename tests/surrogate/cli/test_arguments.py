"""Arguments that a verb does not take: refused with the nearest option, or with how settings are written."""

from __future__ import annotations

import pytest

from surrogate.cli.main import main


@pytest.mark.parametrize(
    ("line", "given", "told"),
    [
        ("toy plane --step 5 --gamma 1", "--step", "a slip for --steps"),
        ("train --task quadratic --rounds 5", "--rounds", "write --set rounds=VALUE"),
        ("train --rounds=5", "--rounds", "write --set rounds=VALUE"),
        ("toy plane twice --gamma 1", "twice", "a word too many"),
        ("verify --fast", "--fast", "an option of another verb"),
    ],
)
def test_what_a_verb_does_not_take(line: str, given: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"surrogate: an argument of {line.split()[0]} is {given!r}") and told in said
