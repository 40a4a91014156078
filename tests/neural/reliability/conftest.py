"""Runs of these tests' own process do not flush."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def quick() -> Iterator[None]:
    """Flushing takes longer than all else, and nobody cuts the power here. Processes that are killed do flush."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield
