"""Debian's Chromium, headless, for tests that look at pages as people do.

``page`` is a blank page of 1280 x 900 that records what it does: at the end of a test an error on its console, an
exception in its code, or a request to anywhere but this machine makes the test fail. ``keep(name)`` stores what the
page shows now in out/browser, where CI and people can look at it. Where there is no Chromium these tests are skipped,
except in CI, where that is an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.helpers.needs import lacking
from tests.helpers.tree import ROOT

PICTURES = ROOT / "out" / "browser"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
HERE = {"", "localhost", "127.0.0.1", "[::1]"}
PHONE = {"width": 390, "height": 844}


@dataclass
class Record:
    """What a page did: ``errors`` on its console or in its code, and the addresses it asked for."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def outside(self) -> list[str]:
        """Requests that would have left this machine."""
        local = ("file", "data", "blob", "about")
        return [u for u in self.requests if urlsplit(u).scheme not in local and urlsplit(u).hostname not in HERE]

    def hear(self, message: ConsoleMessage) -> None:
        """Keep errors that the page writes to its console."""
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")


def chromium() -> str:
    """Where the browser is; a test without one is skipped, or fails in CI."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        lacking(f"no browser: none of {', '.join(NAMES)} is installed (apt-get install chromium)")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of this process."""
    path = chromium()
    with sync_playwright() as playwright:
        # --no-sandbox: containers run as root, where Chromium's sandbox does not start.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield started
        started.close()


@pytest.fixture
def record() -> Record:
    """What this test's page did so far."""
    return Record()


@pytest.fixture(scope="session")
def context(browser: Browser) -> BrowserContext:
    """What pages share, so that scripts that one has loaded need not be loaded again."""
    return browser.new_context(accept_downloads=True)


@pytest.fixture
def page(context: BrowserContext, record: Record) -> Iterator[Page]:
    """A blank page, watched: see the module's docstring."""
    blank = context.new_page()
    blank.set_viewport_size({"width": 1280, "height": 900})
    blank.on("console", record.hear)
    blank.on("pageerror", lambda error: record.errors.append(str(error)))
    blank.on("request", lambda request: record.requests.append(request.url))
    yield blank
    blank.close()
    assert record.errors == []
    assert record.outside() == []


@pytest.fixture
def still(page: Page) -> Page:
    """The page of someone who asked for no animations: what moves is there at once."""
    page.emulate_media(reduced_motion="reduce")
    return page


@pytest.fixture
def keep(page: Page) -> Callable[[str], Path]:
    """``keep("explorer-dark")`` stores a picture of the whole page."""

    def store(name: str) -> Path:
        path = PICTURES / f"{name}.png"
        page.screenshot(path=path, full_page=True)
        return path

    return store
