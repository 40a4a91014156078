"""Tables: our numbers beside the printed ones, in three forms that say the same."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from figures import registry, storage, tables
from figures.figure import Figure
from figures.runner import make
from figures.tables import Cell, Sheet
from tests.figures.conftest import Fakes

ABOUT = "Scale: smoke."
SHEET = Sheet(
    ("Method", "CIFAR-10, %", "rounds"),
    [
        ("FedAvg", [Cell(70.04, 71.2), Cell(120.0, "120+")]),
        ("FedLADA_1", [Cell(81.26, 82.0), Cell(math.inf)]),
        ("lost | one", [Cell(math.nan, 1.0), Cell(None, None)]),
    ],
    best="max",
    notes=["Three seeds."],
)


@pytest.fixture
def entry() -> Figure:
    return registry.find(["OLR.F1"])[0]


def test_markdown_has_ours_the_printed_and_the_best() -> None:
    lines = tables.markdown(SHEET, "A table", ABOUT).splitlines()
    assert lines[2:4] == ["| Method | CIFAR-10, % | rounds |", "| --- | ---: | ---: |"]
    assert lines[4] == "| FedAvg | 70.0 (71.2) | **120.0** (120+) |"
    assert lines[5] == "| FedLADA_1 | **81.3** (82.0) | never |"
    assert lines[6] == "| lost \\| one | – (1.0) | – |"
    assert lines[8] == "In brackets: printed in the paper. Three seeds. Scale: smoke."


def test_the_least_may_be_the_best_and_ties_share() -> None:
    sheet = Sheet(("", "loss"), [("a", [Cell(1.0)]), ("b", [Cell(1.0)]), ("c", [Cell(2.0)])], best="min")
    assert sheet.winners() == {(0, 0), (1, 0)}
    assert Sheet(sheet.head, sheet.rows).winners() == set()
    assert "brackets" not in tables.markdown(sheet, "t", ABOUT)


def test_latex_escapes_and_balances() -> None:
    text = tables.latex(SHEET, "50 % & more", ABOUT, "X.T1")
    assert (
        r"\caption{50 \% \& more}" in text and r"CIFAR-10, \%" in text and r"FedLADA\_1 & \textbf{81.3} (82.0)" in text
    )
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 4 and all(row.count(" & ") == 2 for row in rows)
    assert all(rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule"))


def test_the_picture_shows_every_text_inside_and_apart(entry: Figure) -> None:
    rows = storage.tagged({"x": [1.0]}, "T", "k", "smoke")
    figure = tables.picture(SHEET, entry, rows)
    figure.draw_without_rendering()
    texts = [text for text in figure.texts if text.get_text()]
    shown = [text.get_text() for text in texts]
    assert {"FedAvg", "70.0", "(71.2)", "81.3", "never", "(120+)", "rounds"} <= set(shown)
    boxes = [text.get_window_extent() for text in texts]  # the footer among them
    page = figure.bbox
    for box in boxes:
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
    apart = [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if a.overlaps(b)]
    assert apart == []
    bold = [text.get_text() for text in texts if text.get_weight() == "bold"]
    assert sorted(bold) == ["120.0", "81.3"]
    assert any("In brackets" in text for text in shown)


def test_a_file_with_a_sheet_leaves_markdown_latex_and_pictures(fakes: Fakes, tmp_path: Path) -> None:
    fakes.write("outsized/table_1", id="T.T1")
    source = """
def sheet(rows: Any) -> Any:
    from figures.tables import Cell, Sheet

    return Sheet(("x", "y"), [(str(x), [Cell(y, 2 * y)]) for x, y in zip(rows["x"].to_pylist(), rows["y"].to_pylist())])
"""
    fakes.change("def draw(rows: Any) -> Any:", source + "\n\ndef undrawn(rows: Any) -> Any:", "outsized/table_1")
    fakes.change("draw=draw", "sheet=sheet", "outsized/table_1")
    outcome = make(fakes.entry(), "smoke", tmp_path, lambda line: None)
    assert outcome.state == "made"
    kinds = {path.name.partition(".")[2] for path in (tmp_path / "outsized").iterdir()}
    assert kinds == {"parquet", "md", "tex", "pdf", "svg", "png", "thumb.png", "findings.json"}
    assert "| 1.0 | 1.0 (2.0) |" in (tmp_path / "outsized" / "table_1.md").read_text()
    (tmp_path / "outsized" / "table_1.tex").unlink()
    assert "drawn in" in make(fakes.entry(), "smoke", tmp_path, lambda line: None).note


@pytest.mark.parametrize(
    ("scale", "data", "told"),
    [
        ("laptop", '{"a": "real: b"}', True),
        ("smoke", '{"a": "real: b"}', True),
        ("paper", '{"a": "real: b"}', False),
        ("laptop", "", False),
        ("laptop", "{}", False),
    ],
)
def test_smaller_networks_are_named_where_something_was_trained(
    entry: Figure, tmp_path: Path, scale: str, data: str, told: bool
) -> None:
    rows = storage.tagged({"x": [1]}, entry.id, "key", scale, data)
    tables.write(SHEET, entry, rows, tmp_path / "it")
    assert all((tables.SMALLER in (tmp_path / f"it.{kind}").read_text()) == told for kind in ("md", "tex"))
