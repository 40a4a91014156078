"""The pages of findings: HTML that closes, JSON that parses, links that lead somewhere."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from figures import gallery
from figures.figure import Figure
from figures.findings import Finding
from figures.registry import PAPERS
from figures.runner import Outcome, make
from tests.figures.conftest import Fakes
from tests.figures.test_cli import Reader

SOURCES = json.dumps({"emnist-cnn": "stand-in: drawings <1>, 0123456789ab"})


@pytest.fixture
def entry(fakes: Fakes) -> Figure:
    fakes.write(exact=False)
    fakes.change("runs=runs,", 'runs=runs, statements=("OLR.C13", "OLR.T16"),')
    return fakes.entry()


@pytest.fixture
def outcome(entry: Figure, tmp_path: Path) -> Outcome:
    make(entry, "laptop", tmp_path, lambda line: None)
    found = [Finding("a < b", "a below b", "reproduced", {"a": 1.5, "b": math.inf, "c": math.nan})]
    return Outcome(entry, "made", found, "laptop", data=SOURCES)


def test_json_has_figure_claim_verdict_numbers_scale_and_data(outcome: Outcome, tmp_path: Path) -> None:
    gallery.write([outcome], tmp_path)
    (record,) = json.loads((tmp_path / "findings.json").read_text())
    assert record == {
        "figure": "T.F1",
        "title": "A line, and <nothing> else",
        "scale": "laptop",
        "data": {"emnist-cnn": "stand-in: drawings <1>, 0123456789ab"},
        "claim": "a < b",
        "check": "a below b",
        "status": "reproduced",
        "numbers": {"a": 1.5, "b": "inf", "c": "nan"},
    }


@pytest.mark.parametrize("page", ["index.html", "findings.html"])
def test_pages_close_their_tags_and_name_scale_and_data(outcome: Outcome, tmp_path: Path, page: str) -> None:
    gallery.write([outcome, Outcome.unmade(outcome.entry, "not run", "", "no time")], tmp_path)
    text = (tmp_path / page).read_text()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    for shown in ("scale laptop; emnist-cnn: stand-in: drawings <1>", "a: 1.5, b: inf, c: unknown", "no time"):
        assert shown in reader.text
    assert "prefers-color-scheme: dark" in text and "width=device-width" in text and "://" not in text


def test_every_link_of_the_gallery_leads_somewhere(outcome: Outcome, tmp_path: Path) -> None:
    gallery.write([outcome], tmp_path)
    text = (tmp_path / "index.html").read_text()
    links = re.findall(r'href="([^"]+)"', text)
    assert {"outsized/figure_1.pdf", "findings.html", "findings.json", "#T.F1"} <= set(links)
    assert not any(link.endswith((".md", ".tex")) for link in links)
    for link in links:
        assert f'id="{link[1:]}"' in text if link.startswith("#") else (tmp_path / link).is_file()


@pytest.mark.parametrize("page", ["index.html", "findings.html"])
def test_a_figure_that_was_not_made_shows_its_claims_folded_and_why(
    outcome: Outcome, tmp_path: Path, page: str
) -> None:
    gallery.write([Outcome.unmade(outcome.entry, "not run", "", "no time")], tmp_path)
    text = (tmp_path / page).read_text()
    assert "<details><summary>2 conclusions not checked</summary><ul><li>the line goes up</li>" in text
    assert text.count("no time") == 1 and "<table" not in text


def test_the_overview_leads_to_each_paper_with_its_tally(outcome: Outcome, tmp_path: Path) -> None:
    gallery.write([outcome], tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert f'<a href="#outsized">OLR: {PAPERS["outsized"][1]}</a> (1 reproduced)' in text


def test_smoke_scale_is_said_to_show_nothing(outcome: Outcome, tmp_path: Path) -> None:
    for scale, said in (("smoke", True), ("laptop", False)):
        gallery.write([replace(outcome, scale=scale)], tmp_path)
        assert ("nothing about a paper" in (tmp_path / "index.html").read_text()) is said


def test_statements_link_to_the_report_where_it_is(
    outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "report" / "statements" / "OLR.C13.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    monkeypatch.setattr(gallery, "REPORT", tmp_path / "report")
    gallery.write([outcome], tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert '<a href="report/statements/OLR.C13.html">OLR.C13</a>' in text
    assert '<span title="surrogate show OLR.T16">OLR.T16</span>' in text


def test_thumbnails_are_small(outcome: Outcome, tmp_path: Path) -> None:
    thumb, full = (tmp_path / "outsized" / f"figure_1{kind}" for kind in (".thumb.png", ".png"))
    assert thumb.stat().st_size < full.stat().st_size
