"""A run that dies, or finds the disk full, at each single one of its writes: nothing is torn, and it ends bit-equal."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import neural
from surrogate import ProblemError
from tests.helpers.neural.reliability_tools import QUICK, same, whole


class Dead(BaseException):
    """The process is gone; nothing that still runs in it reaches the disk."""


class Fault:
    """Counts the calls that change files (content, name, absence); the k-th goes wrong, and so do all after it."""

    def __init__(self, k: int, wrong: Callable[[], None], calls: tuple[str, ...], patch: pytest.MonkeyPatch) -> None:
        self.left, self.wrong = k, wrong
        for name in calls:
            patch.setattr(os, name, self.instead_of(getattr(os, name)))

    def instead_of(self, real: Any) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            self.left -= 1
            if self.left <= 0:
                self.wrong()
            return real(*args, **more)

        return call


def die() -> None:
    raise Dead


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return neural.run(QUICK, tmp_path_factory.mktemp("whole")).folder


def faults(out: Path, wrong: Callable[[], None], calls: tuple[str, ...], caught: type[BaseException]) -> Any:
    """For k = 1, 2, ... until the run gets through: its folder and what it raised at its k-th call."""
    k, error = 0, BaseException()
    while error is not None:
        k, error = k + 1, None
        with pytest.MonkeyPatch.context() as patch:
            Fault(k, wrong, calls, patch)
            try:
                neural.run(QUICK, out / str(k))
            except caught as raised:
                error = raised
        yield out / str(k), error
    assert k > 20, "three times a checkpoint, rows and a manifest, with two calls or three each"


def test_a_run_that_dies_at_any_write(tmp_path: Path, reference: Path) -> None:
    for out, _ in faults(tmp_path, die, ("fsync", "replace", "unlink"), Dead):
        whole(out)
        same(neural.run(QUICK, out).folder, reference)


def test_a_run_whose_disk_is_full_at_any_write(tmp_path: Path, reference: Path) -> None:
    for out, error in faults(tmp_path, full, ("fsync", "replace"), ProblemError):
        if error is not None:
            assert "No space left" in str(error) and "full disk" in str(error) and str(out) in str(error)
            assert not list(out.rglob("*.partial"))
        whole(out)
        same(neural.run(QUICK, out).folder, reference)
