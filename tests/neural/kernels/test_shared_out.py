"""Work that is shared out is all done, once, by threads that compute as the caller does; errors come back."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
import torch

from neural.engine.subnormal import flushed
from neural.kernels import shared_out as module
from neural.kernels.shared_out import shared_out
from tests.needs import lacking


@pytest.fixture(params=[1, 2, 3], autouse=True)
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_each_once(count: int) -> None:
    done: list[int] = []
    shared_out(lambda first, last: done.extend(range(first, last)), count)
    assert sorted(done) == list(range(count))


def test_without_openmp_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_parallel", lambda: None)
    done: dict[int, int] = {}
    shared_out(lambda first, last: done.update(dict.fromkeys(range(first, last), threading.get_ident())), 7)
    assert done == dict.fromkeys(range(7), threading.get_ident())


def test_by_as_many_threads(threads: int) -> None:
    """A barrier that only all of them together can pass."""
    if module._parallel() is None:
        lacking("torch computes without GNU OpenMP")
    barrier = threading.Barrier(threads, timeout=30)
    shared_out(lambda first, last: barrier.wait(), threads)
    assert not barrier.broken


def test_an_error_comes_back(threads: int) -> None:
    def work(first: int, last: int) -> None:
        raise ZeroDivisionError(first)

    with pytest.raises(ZeroDivisionError):
        shared_out(work, 5)


@pytest.mark.parametrize("flush", [True, False])
def test_subnormal_numbers_as_the_caller_has_them(flush: bool, threads: int) -> None:
    if module._parallel() is None:
        lacking("torch computes without GNU OpenMP")
    found: list[bool] = []
    barrier = threading.Barrier(threads, timeout=30)

    def work(first: int, last: int) -> None:
        found.append(sys.float_info.min / 2 == 0)
        barrier.wait()

    if flush:
        with flushed():
            shared_out(work, threads)
    else:
        shared_out(work, threads)
    assert found == [flush] * threads
    assert sys.float_info.min / 2 != 0
