"""The scripts of docs/scripts, run as a reader would: source, what it prints, the picture that it saves.

A script's docstring is its title, a paragraph or two, and ``Picture: ...``, which says in words what is drawn.
"""

from __future__ import annotations

import ast
import base64
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

__all__ = ["FOLDER", "Shown", "run", "scripts"]

FOLDER = Path(__file__).resolve().parents[1] / "scripts"


class Shown(NamedTuple):
    """A script that has run: its docstring's parts, the rest of its source, what it printed and drew."""

    name: str
    title: str
    about: str
    alt: str
    source: str
    printed: str
    picture: bytes


@cache
def run(script: Path) -> Shown:
    """Run it in an empty folder, warnings as errors; a script that fails, or draws nothing, is an error."""
    text = script.read_text(encoding="utf-8")
    doc = ast.get_docstring(ast.parse(text)) or ""
    story, _, alt = doc.partition("\n\nPicture: ")
    title, _, about = story.partition("\n\n")
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPATH": str(FOLDER.parents[1]), "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-W", "error", str(script)],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        drawn = sorted(Path(folder).glob("*.png"))
        if done.returncode or len(drawn) != 1 or not alt:
            raise RuntimeError(f"{script.name}: exit {done.returncode}, {len(drawn)} pictures\n{done.stderr}")
        picture = drawn[0].read_bytes()
    source = text[text.index('"""', 3) + 3 :].strip()
    return Shown(script.stem, title, about, " ".join(alt.split()), source, done.stdout, picture)


def scripts(up: str = "") -> str:
    """All of them, one after the other."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return "\n\n".join(map(_section, pool.map(run, sorted(FOLDER.glob("*.py")))))


def _section(shown: Shown) -> str:
    data = base64.b64encode(shown.picture).decode()
    picture = f'<img alt="{escape(shown.alt)}" loading="lazy" src="data:image/png;base64,{data}">'
    printed = f"```text\n{shown.printed.rstrip()}\n```\n" if shown.printed else ""
    code = f"`docs/scripts/{shown.name}.py`:\n\n```python\n{shown.source}\n```"
    return f"## {shown.title}\n\n{shown.about}\n\n{picture}\n\n{code}\n\n{printed}"
