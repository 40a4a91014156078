"""What a notebook shows: well-formed HTML with the object's own numbers, whatever the object."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import neural
import theorems
from figures import plot
from figures.findings import judge
from surrogate import Preconditioned, ProblemError, Quadratics, Surrogate, Theta, notebook, toys
from theorems.registry import find

PLANE = toys.plane()
OBJECTS: dict[str, Any] = {
    "clients": PLANE,
    "surrogate": Surrogate(PLANE, 0.5, Theta.sum(10)),
    "preconditioned": Preconditioned(PLANE, 0.5, 10, np.diag([1.0, 0.5])),
    "verdict": theorems.verdict("OLR.C22"),
    "holding verdict": theorems.verdict("OLR.T17"),
    "statement": find("OLR.T17"),
    "finding": judge("a < b & c", "a < b", True, {"a": 1.0, "b": 2.0}),
}


def cells(html: str) -> dict[str, str]:
    """Text by row heading; a parser that stops at the first slip has read it."""
    root = ElementTree.fromstring(html)
    rows = {"".join(row[0].itertext()): "".join(row[-1].itertext()) for row in root.iter("tr") if len(row) == 2}
    return rows | {"caption": root.findtext("caption") or ""}


@pytest.mark.parametrize("name", OBJECTS)
def test_html_is_well_formed_and_says_the_same_as_markdown(name: str) -> None:
    shown = OBJECTS[name]
    found = cells(shown._repr_html_())
    caption = found.pop("caption")
    text = shown._repr_markdown_()
    assert caption
    assert text.startswith(f"**{caption}**")
    for heading, value in found.items():
        assert f"| {heading} | {value.replace('|', chr(92) + '|')} |" in text


def test_the_numbers_are_the_objects() -> None:
    s = OBJECTS["surrogate"]
    found = cells(s._repr_html_())
    at = [float(part) for part in re.findall(r"-?\d[\d.e-]*", found["rests at"])]
    np.testing.assert_allclose(at, s.resting_point, rtol=1e-3)
    assert float(found["distance"]) == pytest.approx(np.linalg.norm(s.resting_point - PLANE.minimizer), rel=1e-3)


def test_what_has_no_answer_says_why() -> None:
    """Two steps of gamma = 1.5 turn the average around: no server rate contracts, and showing it does not fail."""
    wild = Surrogate(Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]]), 1.5, Theta.sum(2))
    with pytest.raises(ProblemError):
        _ = wild.best_eta
    assert cells(wild._repr_html_())["best server rate"].startswith("none: ")
    flat = Quadratics.from_linear([[[1.0]], [[0.0]]], [[1.0], [1.0]])
    assert cells(flat._repr_html_())["minimizers differ by"].startswith("none: ")


def test_a_verdict_is_still_the_record() -> None:
    verdict = theorems.verdict("OLR.C22")
    assert verdict is not None
    assert json.loads(json.dumps(verdict)) == dict(verdict)
    found = cells(verdict._repr_html_())
    assert found["verdict"].startswith("false (substantive, refuted)")
    assert "holds, certified" in found["instead"]
    assert "<math" in verdict._repr_html_()


def test_text_of_others_cannot_become_markup() -> None:
    html = notebook.card("<b>", [("<i>", "a & b <script>")])
    assert "<script>" not in html and "<b>" not in html and "&lt;b&gt;" in html


def test_pictures_draw_what_was_given() -> None:
    s = Surrogate(PLANE, 0.5, Theta.sum(10))
    ax = plot.surrogate(s).axes[0]
    marked = {line.get_label(): np.ravel(line.get_xydata()) for line in ax.lines}
    np.testing.assert_array_equal(marked["rests here"], s.resting_point)
    np.testing.assert_array_equal(marked["x*"], PLANE.minimizer)
    curves = {line.get_label().partition(":")[0]: line.get_ydata() for line in plot.bounds(PLANE, 10).axes[0].lines}
    for bound in ("OLR.T16", "OLR.T17", "OLR.T17b"):
        assert np.all(curves["truth"] <= curves[bound])


def test_fields_without_a_loss_are_drawn_by_their_residual() -> None:
    P = np.array([np.diag([1.0, 0.3]), np.diag([0.2, 1.0]), np.eye(2)])
    field = Preconditioned(PLANE, 0.5, 10, P)
    assert not field.has_loss()
    legend = plot.surrogate(field).axes[0].get_legend()
    assert "of ||F(x)||" in [text.get_text() for text in legend.get_texts()]


def test_pictures_refuse_what_they_cannot_draw() -> None:
    with pytest.raises(ProblemError, match="1 or 2"):
        plot.surrogate(Surrogate(toys.random_population(0, 3, 4), 0.1, Theta.sum(2)))
    with pytest.raises(ProblemError, match="1/L"):
        plot.bounds(PLANE, 10, [2.0])
    with pytest.raises(ProblemError, match="recorded verdict"):
        plot.verdict("OLR.T999")


def test_a_run_shows_how_it_ended(tmp_path: Path) -> None:
    result = neural.run({"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 2, "rounds": 3}, out=tmp_path)
    found = cells(result._repr_html_())
    assert found["caption"] == "fedavg on quadratic"
    assert found["ended"] == "done after 3 rounds"
    first, last = (float(part) for part in re.findall(r"[\d.e+-]+", found["loss"]))
    assert (first, last) == pytest.approx((result.rows[0]["loss"], result.rows[-1]["loss"]), rel=1e-5)
    assert "gamma = 0.1" in result._repr_markdown_()
