"""No test here sees the machine's own cache, its published files, or a network."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, empty, and no published files."""
    monkeypatch.setenv("SURROGATE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SURROGATE_DATA", raising=False)
    return tmp_path / "cache"
