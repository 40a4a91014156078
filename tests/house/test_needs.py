"""No test is left out unseen: what CI lacks is an error there."""

from __future__ import annotations

import pytest

from tests.helpers.needs import lacking
from tests.helpers.tree import ROOT, files

SKIPPING = ("pytest." + "skip(", "mark." + "skip", "import" + "orskip")


@pytest.mark.parametrize("ci, outcome", [(None, pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_what_is_lacking_is_an_error_in_ci(
    ci: str | None, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if ci is not None:
        monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no such thing"):
        lacking("no such thing")


def test_no_test_skips_by_itself() -> None:
    tests = [path for path in files(".py") if path.parts[0] == "tests"]
    found = {path.as_posix() for path in tests if any(word in (ROOT / path).read_text("utf-8") for word in SKIPPING)}
    assert found == {"tests/helpers/needs.py"}
