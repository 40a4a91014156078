"""No text of OLR's figures is written over another or cut off, with the laptop's rates and titles."""

from __future__ import annotations

import matplotlib
import pytest

from figures import registry, style
from figures.figure import Figure
from tests.helpers.figures.outsized_made import as_told, rows
from tests.helpers.figures.texts import clipped, collisions, written

TRAINED = [entry for entry in registry.discover() if entry.paper == "outsized" and entry.trained]


@pytest.mark.parametrize("entry", TRAINED, ids=lambda entry: entry.id)
def test_all_text_is_readable(entry: Figure) -> None:
    from matplotlib import pyplot

    table = rows(entry, as_told, name="update_norm" if entry.id == "OLR.F3" else "")
    with matplotlib.rc_context(dict(matplotlib.rcParamsDefault) | style.rc() | {"backend": "Agg"}):
        figure = entry.picture(table)
        boxes = written(figure)
        assert len(boxes) > 10
        assert collisions(boxes) == []
        assert clipped(figure, boxes) == []
        pyplot.close("all")
