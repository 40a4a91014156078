"""The gallery of figures, as a person sees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from surrogate.cli.main import main
from tests.helpers.browser.audit import PHONE, complaints
from tests.helpers.browser.keyboard import lost, stops
from tests.helpers.docs import pages

FIGURES = ("OLR.F1", "LADA.F6", "B3")  # exact, and quick


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    assert main(["figures", *FIGURES, "--scale", "smoke", "--out", str(folder)]) == 0
    return folder


def test_every_link_leads_somewhere_and_nothing_is_loaded(site: Path) -> None:
    """Statements are linked where `surrogate report` has written its pages into this folder's out/report."""
    wrong = [link for link in pages.broken(site) if "/statements/" not in link]
    assert wrong == []
    assert pages.foreign(site) == []


@pytest.mark.parametrize("name", ["index.html", "findings.html"])
def test_pages_can_be_read(name: str, site: Path, page: Page, keep: Callable[[str], Path]) -> None:
    assert complaints(page, (site / name).as_uri()) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    keep(f"gallery-{name.removesuffix('.html')}")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    keep(f"gallery-{name.removesuffix('.html')}-phone")


def test_pictures_are_there_with_their_words(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    pictures = page.locator("main img")
    assert pictures.count() == len(FIGURES)
    for k in range(len(FIGURES)):
        pictures.nth(k).scroll_into_view_if_needed()
        assert len(pictures.nth(k).get_attribute("alt") or "") >= 80
        assert pictures.nth(k).evaluate("image => image.decode().then(() => image.naturalWidth)") > 300


def test_the_words_of_a_picture_open_by_keyboard(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    assert page.locator("details p").first.is_visible()


@pytest.mark.parametrize("width", [1280, PHONE["width"]])
@pytest.mark.parametrize("name", ["index.html", "findings.html"])
def test_every_stop_of_the_keyboard_is_seen(name: str, width: int, site: Path, still: Page) -> None:
    still.set_viewport_size({"width": width, "height": 844})
    still.goto((site / name).as_uri())
    found = stops(still)
    assert found and lost(found) == []
