"""The docs as a person sees them, from a file, without a server or a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.audit import PHONE, complaints
from tests.docs.pages import built

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


def test_a_verdict_leads_to_the_report(site: Path, page: Page) -> None:
    page.goto((site / "questions.html").as_uri())
    page.get_by_role("link", name="OLR.T17b").first.click()
    assert page.locator("h1").inner_text().startswith("OLR.T17b")
    assert page.locator("math").count() > 0
