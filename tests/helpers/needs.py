"""What tests need and a machine may lack, a browser, a kernel of torch, data: skipped there, and an error in CI."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

__all__ = ["lacking"]


def lacking(why: str) -> NoReturn:
    """Skip this test; with CI=true, where all of them have to run, fail."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(why)
    pytest.skip(why)
