"""One thread a process: pytest already starts a process for each core. And what a test plugs in goes with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from neural.runs import plugins
from neural.tasks import task as tasks
from surrogate.methods import registry

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def unplugged() -> Iterator[None]:
    """Methods and tasks of files that tests wrote are forgotten: other tests go through all that there are."""
    yield
    for kind, known in ((plugins._METHOD, registry._ENTRIES), (plugins._TASK, tasks._FACTORIES)):
        for name in kind.loaded:
            known.pop(name, None)
        kind.loaded.clear()
