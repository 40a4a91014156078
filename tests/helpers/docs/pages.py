"""HTML pages as tests look at them: links, anchors, what a page loads."""

from __future__ import annotations

import importlib.util
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.helpers.tree import ROOT

__all__ = ["Page", "broken", "built", "foreign", "read"]

LOADS = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
NOT_LOADED = {"canonical", "next", "prev", "index", "search", "author"}  # of <link rel>: named, not fetched


class Page(HTMLParser):
    """``links`` of its text, ``ids`` that can be linked to, ``loads``: what it fetches, ``text``."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if LOADS.get(tag) in given and given.get("rel") not in NOT_LOADED:
            self.loads.append(given[LOADS[tag]])

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


@cache
def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def broken(folder: Path) -> list[str]:
    """Links of all pages below the folder whose file, or whose place in it, is not there."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        for link in [*read(path).links, *read(path).loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            missing = not target.is_file()
            if not missing and parts.fragment and target.suffix == ".html":
                missing = unquote(parts.fragment) not in read(target).ids
            if missing:
                found.append(f"{path.relative_to(folder)}: {link}")
    return found


def foreign(folder: Path) -> list[str]:
    """What pages and style sheets below the folder would fetch from elsewhere."""
    found = [
        f"{path.relative_to(folder)}: {load}"
        for path in sorted(folder.rglob("*.html"))
        for load in read(path).loads
        if urlsplit(load).scheme not in ("", "data") or urlsplit(load).netloc
    ]
    for sheet in sorted(folder.rglob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        found += [f"{sheet.relative_to(folder)}: {mark}" for mark in ("url(http", "url(//", "@import") if mark in text]
    return found


@cache
def built() -> Path:
    """The folder of the docs, built if they are not."""
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder: Path = module.build().parent
    return folder
