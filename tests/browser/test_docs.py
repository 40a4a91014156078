"""The docs as a person sees them, from a file, without a server or a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser.audit import PHONE, complaints
from tests.helpers.browser.keyboard import go, here, lost, stops
from tests.helpers.docs.pages import built

SHOWN = ("index", "tutorial", "questions", "gallery", "explanation/idea", "how-to/theorem", "reference/surrogate")


@pytest.fixture(scope="module")
def site() -> Path:
    return built()


@pytest.mark.parametrize("name", SHOWN)
def test_pages_can_be_read(name: str, site: Path, page: Page, keep: Callable[[str], Path]) -> None:
    assert complaints(page, (site / f"{name}.html").as_uri()) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    keep(f"docs-{name.replace('/', '-')}-phone")


def test_a_search_finds_the_page_without_a_network(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    page.get_by_placeholder("Search").first.fill("contraction")
    page.keyboard.press("Enter")
    expect(page.locator("ul.search li a").first).to_be_visible()
    assert any("surrogate" in text for text in page.locator("ul.search li a").all_inner_texts())


@pytest.mark.parametrize("width", [1280, PHONE["width"]])
def test_every_stop_of_the_keyboard_is_seen(width: int, site: Path, still: Page) -> None:
    """The search and the lists of pages and headings, too, which are out of sight in a narrow window."""
    still.set_viewport_size({"width": width, "height": 844})
    still.goto((site / "tutorial.html").as_uri())
    found = stops(still)
    assert lost(found) == []
    parts = [stop.part for stop in found]
    assert parts[0] == "skip"
    assert parts.index("navigation") < parts.index("content")
    assert parts.index("search") < parts.index("content")
    assert {"how-to/index.html", "#the-figure-for-a-talk"} <= {stop.link for stop in found}


def test_the_keyboard_skips_to_the_content(site: Path, still: Page) -> None:
    still.goto((site / "index.html").as_uri())
    assert go(still, "skip", 1).name == "Skip to content"
    still.keyboard.press("Enter")
    still.keyboard.press("Tab")
    stop = here(still)
    assert stop is not None and stop.part == "content"


def test_the_keyboard_searches(site: Path, still: Page) -> None:
    still.goto((site / "index.html").as_uri())
    go(still, "search")
    still.keyboard.type("theorem_17")
    still.keyboard.press("Enter")
    expect(still.locator("ul.search li a").first).to_be_visible()
    result = go(still, "content")
    assert "theorem_17" in result.name
    still.keyboard.press("Enter")
    still.wait_for_url(f"**/{result.link}")
    assert "theorem_17" in still.locator("main, [role=main]").inner_text()


def test_a_verdict_leads_to_the_report(site: Path, page: Page) -> None:
    page.goto((site / "questions.html").as_uri())
    page.get_by_role("link", name="OLR.T17b").first.click()
    assert page.locator("h1").inner_text().startswith("OLR.T17b")
    assert page.locator("math").count() > 0
