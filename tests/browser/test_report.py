"""The report of the verdicts, as a person sees it: in light and dark, on a desk and on a phone, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.helpers.browser.audit import PHONE, complaints
from tests.helpers.browser.keyboard import go, lost, stops
from tests.helpers.docs import pages
from theorems.report import build

SHOWN = ("index.html", "statements/OLR.C22.html", "statements/OLR.T17.html", "statements/LADA.T35.html")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    build(folder)
    return folder


def test_every_link_leads_somewhere_and_nothing_is_loaded(site: Path) -> None:
    assert pages.broken(site) == []
    assert pages.foreign(site) == []


@pytest.mark.parametrize("name", SHOWN)
def test_pages_can_be_read(name: str, site: Path, page: Page, keep: Callable[[str], Path]) -> None:
    assert complaints(page, (site / name).as_uri()) == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    keep(f"report-{name.rpartition('/')[2].removesuffix('.html')}-phone")


def test_formulas_are_mathematics_and_not_source(site: Path, page: Page) -> None:
    """Every statement's formulas: MathML, none of them LaTeX that the converter did not know."""
    source = [path.name for path in site.glob("statements/*.html") if '<div class="formula"><code>' in path.read_text()]
    assert source == []
    page.goto((site / "statements" / "OLR.T17.html").as_uri())
    box = page.locator("main math").first.bounding_box()
    assert box is not None
    assert box["width"] > 100
    assert page.locator("main mfrac").count() >= 2
    top, bottom = (
        page.locator("main mfrac").first.locator(f":scope > *:nth-child({k})").bounding_box() for k in (1, 2)
    )
    assert top is not None and bottom is not None
    assert top["y"] + top["height"] <= bottom["y"] + 1  # a fraction is set as one


def test_the_keyboard_reaches_a_statement(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    for _ in range(40):
        stop = go(page, "content")
        if stop.link.startswith("statements/"):
            break
    assert stop.seen and stop.marked
    wanted = stop.name
    page.keyboard.press("Enter")
    page.wait_for_url("**/statements/*")
    assert page.locator("h1").inner_text().startswith(wanted)


@pytest.mark.parametrize("width", [1280, PHONE["width"]])
@pytest.mark.parametrize("name", SHOWN[:2])
def test_every_stop_of_the_keyboard_is_seen(name: str, width: int, site: Path, still: Page) -> None:
    still.set_viewport_size({"width": width, "height": 844})
    still.goto((site / name).as_uri())
    found = stops(still)
    assert found and lost(found) == []
