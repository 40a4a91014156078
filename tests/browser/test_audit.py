"""The audit finds what it looks for, or a page that passes would tell nothing."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.helpers.browser.audit import complaints

GOOD = """<!doctype html><html lang="en"><head><title>Good</title>
<style>:root { color-scheme: light dark }</style></head>
<body><main><h1>One</h1><h2>Two</h2><p>Text and <math><mi>x</mi></math></p><button>Go</button></main></body></html>"""
BAD = """<!doctype html><html><head><title></title></head><body><main><h1>One</h1><h3>Three</h3>
<p style="color: #999; background: #fff">pale</p><div style="width: 500px">wide</div><button></button>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><table><tr><th></th></tr>
<tr><td><p style="width: 30px; overflow-wrap: anywhere">letters in a pillar</p></td></tr></table>
<math style="display: inline-block; width: 0; height: 0; overflow: hidden"><mi>x</mi></math></main></body></html>"""


def test_a_good_page_passes(tmp_path: Path, page: Page) -> None:
    (tmp_path / "good.html").write_text(GOOD)
    assert complaints(page, (tmp_path / "good.html").as_uri()) == []


def test_everything_that_is_wrong_is_found(tmp_path: Path, page: Page) -> None:
    (tmp_path / "bad.html").write_text(BAD)
    found = "\n".join(complaints(page, (tmp_path / "bad.html").as_uri()))
    for wrong in (
        "no lang",
        "no title",
        "light, 390: wider than the screen",
        "heading h1 before h3",
        "contrast 2.85",
        "no name: <button>",
        "no alt text",
        "an empty table heading",
        "a cell too narrow",
        "mathematics without a size",
    ):
        assert wrong in found
    assert "1280: wider" not in found
