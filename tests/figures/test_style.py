"""One style: settings that matplotlib knows, colours that everyone can tell apart, labels that do not overlap."""

from __future__ import annotations

from itertools import combinations, pairwise

import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from figures import style

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
TELLS_APART = 10.0  # CIELAB distance; 2.3 is just noticeable side by side


def lab(colour: str, vision: object = VISION["normal"]) -> np.ndarray:
    """CIELAB coordinates of what an eye of that kind sees."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.asarray(vision) @ linear, 0, 1) / TO_XYZ.sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", VISION)
def test_colours_of_curves_are_told_apart(vision: str) -> None:
    seen = {name: lab(style.COLOURS[name], VISION[vision]) for name in style.FAMILY}
    close = {pair: np.linalg.norm(seen[pair[0]] - seen[pair[1]]) for pair in combinations(seen, 2)}
    assert min(close.values()) > TELLS_APART, min(close, key=lambda pair: close[pair])


def test_ordered_colours_darken_step_by_step_and_stand_out_from_white() -> None:
    for n in (1, 2, 6, 9):
        light = [lab(colour)[0] for colour in style.ordered(n)]
        assert all(first - second > 4 for first, second in pairwise(light))
        assert len(light) == n and max(light) < 85


def test_matplotlib_knows_every_setting() -> None:
    with matplotlib.rc_context():
        matplotlib.rcParams.update(style.rc(11))
        assert matplotlib.rcParams["font.size"] == 11
    assert style.rc()["text.usetex"] is False
    assert style.rc()["svg.hashsalt"]


def test_each_call_returns_its_own_settings() -> None:
    style.rc()["font.size"] = 50
    assert style.rc()["font.size"] == 9


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=8), st.floats(0.01, 3))
def test_spread_labels_keep_their_order_and_do_not_touch(values: list[float], gap: float) -> None:
    places = style.spread(values, gap)
    rank = sorted(range(len(values)), key=lambda k: values[k])
    for low, high in pairwise(rank):
        assert places[high] - places[low] >= gap * (1 - 1e-6)
    if all(values[high] - values[low] >= gap * (1 + 1e-9) for low, high in pairwise(rank)):
        assert places == pytest.approx(values, abs=1e-12)
    assert np.mean(places) == pytest.approx(np.mean(values), abs=1e-9)  # moved no more to one side than to the other


def test_end_labels_stand_apart_on_a_logarithmic_axis() -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    with matplotlib.rc_context(style.rc()):
        figure, ax = pyplot.subplots(figsize=(3, 2))
        ax.set(yscale="log", ylim=(1e-6, 1))
        style.end_labels(ax, [(1e-3, "one", "red"), (1.01e-3, "two", "blue"), (0.5, "three", "green")])
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in ax.texts]
        pyplot.close(figure)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert boxes[0].y0 < boxes[1].y0 < boxes[2].y0


@pytest.mark.parametrize("width", [1.0, 2.0, 3.5])
def test_a_footer_breaks_no_formula(width: float) -> None:
    text = r"Some words, then $K = 10$, more of them, $\eta = 0.01$ and $T = 1$: all are the paper's, $\gamma = 1$ too."
    lines = style.wrapped(text, width).split("\n")
    assert len(lines) > 1 and " ".join(lines) == text
    assert all(line.count("$") % 2 == 0 for line in lines)
