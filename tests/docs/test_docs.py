"""The docs build without a warning, lead nowhere that is not there, and show all that the tree has."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

import surrogate
import theorems
from surrogate import methods
from surrogate.cli import verbs
from tests.helpers.docs import pages
from tests.helpers.tree import ROOT
from tests.house.test_readme import runner
from theorems.catalogue import HEADLINES, IDS
from theorems.records import read

SOURCES = sorted((ROOT / "docs").rglob("*.md"))
SCRIPTS = sorted((ROOT / "docs" / "scripts").glob("*.py"))


@pytest.fixture(scope="module")
def site() -> Path:
    return pages.built()


def asked() -> list[dict[str, object]]:
    groups = tomllib.loads((ROOT / "docs" / "questions.toml").read_text(encoding="utf-8"))["group"]
    return [question for group in groups for question in group["question"]]


def test_every_link_leads_somewhere(site: Path) -> None:
    assert pages.broken(site) == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert pages.foreign(site) == []


def test_a_broken_link_and_a_foreign_font_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html">b</a><a href="#no">c</a><link rel="stylesheet" href="//x.y/z.css">'
    )
    assert len(pages.broken(tmp_path)) == 2
    assert len(pages.foreign(tmp_path)) == 1


def test_search_works_from_a_file(site: Path) -> None:
    """Sphinx's own index is a script that holds the words; no server is asked."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    assert "distort" in index["terms"]  # stemmed
    assert "tutorial" in index["docnames"]


def test_reference_has_every_verb_statement_method_and_public_name(site: Path) -> None:
    cli = pages.read(site / "reference" / "cli.html").text
    assert [verb for verb in verbs.available() if f"usage: surrogate {verb} " not in cli] == []
    verdicts = pages.read(site / "reference" / "verdicts.html").text
    judged = [name for name in IDS if read(name)]
    assert [name for name in judged if name not in verdicts] == []
    listed = pages.read(site / "reference" / "methods.html").text
    assert [name for name in methods.names() if name not in listed] == []
    for package in (surrogate, theorems):
        page = pages.read(site / "reference" / f"{package.__name__}.html").text
        assert [name for name in package.__all__ if name not in page] == []


def test_every_headline_theorem_answers_a_question() -> None:
    answering = {name for question in asked() for name in question["ids"]}  # type: ignore[attr-defined]
    assert sorted(HEADLINES - answering) == []


def test_questions_show_the_recorded_verdicts(site: Path) -> None:
    text = pages.read(site / "questions.html").text
    for question in asked():
        for name in question["ids"]:  # type: ignore[attr-defined]
            record = read(name)
            assert record is not None
            assert f"{name}: {record['verdict']}" in text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_gallery_shows_the_script_its_picture_and_what_it_prints(site: Path, script: Path) -> None:
    """The scripts ran, warnings as errors, while the docs were built."""
    page = pages.read(site / "gallery.html")
    assert f"docs/scripts/{script.name}" in page.text
    assert len([load for load in page.loads if load.startswith("data:image/png")]) == len(SCRIPTS)


@pytest.mark.parametrize("page", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "docs")))
def test_every_block_is_one_that_ci_runs(page: Path) -> None:
    found = runner.blocks(page.read_text(encoding="utf-8"))
    text = [k for k, block in enumerate(found) if block.language == "text"]
    assert all(found[k - 1].language in ("sh", "python") for k in text)  # a text block is what the one before it prints


def test_the_tutorial_comes_from_a_toy_to_a_verdict_to_a_figure() -> None:
    found = runner.blocks((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
    commands = "\n".join(block.text for block in found if block.language in ("sh", "python"))
    for step in ("surrogate toy mine.toml --gamma 0.1 --steps 10", "surrogate show OLR.T17", "savefig"):
        assert step in commands
