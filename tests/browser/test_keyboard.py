"""The walk with Tab notices what it should: stops out of sight, covered, or without a mark, and where pages end."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.helpers.browser.keyboard import go, here, lost, stops

MADE = """<!doctype html><html lang="en"><title>Stops</title>
<style>:focus-visible { outline: 3px solid red } .bare:focus { outline: none }
body { margin-top: 9rem } .out { position: fixed; left: -300px } .hidden { visibility: hidden }
.under { position: fixed; top: 0 } .over { position: fixed; inset: 0 0 auto 0; height: 4rem; background: white }</style>
<a class="skip-to-content" href="#main">skip</a><nav><a href="b.html">there</a></nav>
<form role="search"><input placeholder="find"></form>
<main id="main"><a class="bare" href="c.html">bare</a><a class="out" href="d.html">out</a>
<a class="hidden" href="e.html">hidden</a><a class="under" href="f.html">under</a><p style="height: 3000px"></p>
<a href="g.html">far below</a></main><div class="over"></div></html>"""


def test_stops_are_told_apart(page: Page) -> None:
    page.set_content(MADE)
    found = stops(page)
    assert [stop.part for stop in found] == ["skip", "navigation", "search", *["content"] * 4]
    assert {stop.name: (stop.seen, stop.marked) for stop in lost(found)} == {
        "bare": (True, False),
        "out": (False, True),
        "under": (False, True),
    }
    assert here(page) is None


def test_stops_in_shadows_and_pictures_are_told_apart(page: Page) -> None:
    """Widgets keep their controls in a shadow; marks of a picture have no box to outline, and may be drawn anew."""
    page.set_content(MADE)
    page.evaluate(
        """() => document.querySelector("main").appendChild(document.createElement("div")).attachShadow({mode: "open"})
        .innerHTML = `<style>g * { stroke: gray; outline: none } .told:focus { stroke: blue; stroke-width: 5 }
        button:focus { outline: none }</style><button>mute</button><svg><g>
        <circle tabindex="0" aria-label="drawn anew" class="told" cx="9" cy="9" r="5"/>
        <circle tabindex="0" aria-label="as before" cx="30" cy="9" r="5"/></g></svg>`"""
    )
    found = {stop.name: (stop.seen, stop.marked) for stop in stops(page)}
    assert [found[name] for name in ("mute", "drawn anew", "as before")] == [(True, False), (True, True), (True, False)]


def test_a_part_is_reached(page: Page) -> None:
    page.set_content(MADE)
    assert go(page, "search").name == "find"
    assert go(page, "content").link == "c.html"
