"""The runner of the README's blocks catches what it should, and the README shows what a stranger needs."""

from __future__ import annotations

import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType

import matplotlib.image as mpimg
import pytest

from tests.helpers.tree import ROOT
from theorems import records
from theorems.report.glance import glance

FENCE = "```"


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


runner, hero = load(ROOT / ".ci" / "readme_blocks.py"), load(ROOT / "docs" / "hero.py")


def outcome(tmp_path: Path, *parts: tuple[str, str]) -> list[str]:
    """What is wrong with a page made of (language, text) blocks."""
    page = "\n".join(f"{FENCE}{language}\n{text}\n{FENCE}\n" for language, text in parts)
    problems: list[str] = runner.check(runner.blocks(page), tmp_path)
    return problems


def test_page_that_says_what_happens_passes(tmp_path: Path) -> None:
    page = [
        ("toml", "# mine.toml\nx = 1"),
        ("sh", "cat mine.toml"),
        ("text", "# mine.toml\nx = ..."),
        ("python", "1 + 1"),
    ]
    assert outcome(tmp_path, *page) == []


@pytest.mark.parametrize(
    "wrong",
    [
        [("sh", "false\ntrue")],
        [("sh", "false | cat")],
        [("python", "raise SystemExit(1)")],
        [("sh", "echo one"), ("text", "two")],
        [("python", "print(1)"), ("text", "1\n2")],
        [("toml", "x = 1")],
    ],
)
def test_page_that_lies_fails(tmp_path: Path, wrong: list[tuple[str, str]]) -> None:
    assert len(outcome(tmp_path, *wrong)) == 1


PAGES = [f"{FENCE}\nls\n{FENCE}\n", f"{FENCE}ruby\nputs 1\n{FENCE}\n", f"  {FENCE}sh\n  ls\n  {FENCE}\n"]


@pytest.mark.parametrize("page", PAGES)
def test_block_that_would_go_unchecked_is_refused(page: str) -> None:
    with pytest.raises(SystemExit):
        runner.blocks(page)


def test_python_of_the_blocks_is_ours(tmp_path: Path) -> None:
    done = runner.run(runner.Block("sh", "python -c 'import sys; print(sys.prefix)'", 1), tmp_path)
    assert done.stdout.strip() == sys.prefix


def test_readme_tells_what_was_found_and_shows_what_is_true() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    told = page.partition("<!-- found -->\n")[2].partition("<!-- end -->")[0]
    assert told == glance(records.read_all()), "print it with `python -m theorems.report.glance`"
    shown, drawn = (mpimg.imread(io.BytesIO(png)) for png in (hero.FILE.read_bytes(), hero.hero()))
    assert shown.shape == drawn.shape
    assert (abs(shown - drawn) > 0.1).mean() < 0.01, "draw it with `python docs/hero.py`"


def test_readme_has_what_a_stranger_needs() -> None:
    found = runner.blocks((ROOT / "README.md").read_text())
    shell = "\n".join(block.text for block in found if block.language == "sh")
    for command in ("make figures", "make test", "surrogate toy two-clients --gamma 1/2 --steps 2 --exact"):
        assert command in shell
    assert {"python", "toml"} <= {block.language for block in found}
