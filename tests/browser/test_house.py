"""The watch over pages sees what it should."""

from __future__ import annotations

from tests.browser.conftest import Record


def test_requests_that_leave_this_machine_are_told_from_others() -> None:
    here = ["http://127.0.0.1:8000/a.js", "http://localhost/", "data:text/plain,x", "file:///tmp/a.html", "blob:null/1"]
    assert Record(requests=here).outside() == []
    there = ["https://example.org/font.woff2", "wss://example.org/"]
    assert Record(requests=[*here, *there]).outside() == there
