"""Run the code blocks of Markdown files, in order, and compare what they print with the ``text`` block that follows.

    python .ci/readme_blocks.py README.md docs/*.md

Each file on its own. ``sh`` and ``python`` blocks are run with this interpreter's programs first on the PATH. A block
that calls ``make`` runs in the tree, with SCALE=smoke unless set; all others of a file share one empty directory, as a
reader's own would be, so a file written by one block is there for the next. A ``toml`` block that begins with
``# NAME.toml`` is written to that file, and so is a ``python`` block that begins with ``# NAME.py``, which is not run
by itself. In a ``text`` block, ``...`` stands for anything. A block that is ``make test`` alone is left to .ci/run.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = ("sh", "python", "toml", "text")
OWN_STAGE = {"make test"}
TREE = Path(__file__).resolve().parents[1]


class Block(NamedTuple):
    """One fenced block: its language, its text, and the line where it begins."""

    language: str
    text: str
    line: int


def blocks(markdown: str) -> list[Block]:
    """All fenced blocks. A fence without a language, or with one we cannot run, is refused: it would go unchecked."""
    found = [
        Block(match[1], match[2], markdown.count("\n", 0, match.start()) + 1) for match in BLOCK.finditer(markdown)
    ]
    fences = len(re.findall(r"^\s*```", markdown, re.MULTILINE))
    if fences != 2 * len(found):
        raise SystemExit(f"{fences} fences but {len(found)} blocks: each needs a language and no indentation")
    for block in found:
        if block.language not in LANGUAGES:
            raise SystemExit(f"line {block.line}: a {block.language} block; expected one of {', '.join(LANGUAGES)}")
    return found


def run(block: Block, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Run one ``sh`` or ``python`` block and capture what it prints."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
    environment.setdefault("SCALE", "smoke")
    command = ["bash", "-euo", "pipefail", "-c"] if block.language == "sh" else [sys.executable, "-c"]
    where = TREE if block.language == "sh" and re.search(r"^make\b", block.text, re.MULTILINE) else scratch
    return subprocess.run(
        [*command, block.text], cwd=where, env=environment, stdin=subprocess.DEVNULL, text=True, capture_output=True
    )


def agrees(expected: str, printed: str) -> bool:
    """Whether the text block shows what was printed, spaces at line ends and ``...`` aside."""
    strip = "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"
    wanted = "\n".join(line.rstrip() for line in expected.splitlines()) + "\n"
    return doctest.OutputChecker().check_output(wanted, strip, doctest.ELLIPSIS)


def written(block: Block, scratch: Path) -> str | None:
    """Write a block to the file that its first line names; what is wrong with it, if anything."""
    name = named(block)
    if name is None:
        return f"line {block.line}: a toml block must begin with `# NAME.toml`"
    (scratch / name).write_text(block.text, encoding="utf-8")
    return None


def named(block: Block) -> str | None:
    """The file that the first line names."""
    ending = {"toml": "toml", "python": "py"}.get(block.language)
    name = re.match(rf"# (\S+\.{ending})\n", block.text) if ending else None
    return name[1] if name else None


def check(found: list[Block], scratch: Path) -> list[str]:
    """Run all blocks; what went wrong, one message each."""
    problems: list[str | None] = []
    printed: str | None = None
    for block in found:
        if block.language == "toml" or named(block):
            problems.append(written(block, scratch))
        elif block.language == "text":
            if printed is not None and not agrees(block.text, printed):
                problems.append(f"line {block.line}: expected\n{block.text}\nprinted\n{printed}")
            printed = None
        elif block.text.strip() not in OWN_STAGE:
            print(f"line {block.line}: {block.text.splitlines()[0]} ...", flush=True)
            done = run(block, scratch)
            printed = done.stdout
            if done.returncode != 0:
                problems.append(f"line {block.line}: exit {done.returncode}\n{block.text}\n{done.stdout}{done.stderr}")
    return [problem for problem in problems if problem is not None]


def main(*paths: str) -> int:
    wrong, ran = 0, 0
    for path in paths:
        print(f"== {path}", flush=True)
        found = blocks(Path(path).read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as scratch:
            problems = check(found, Path(scratch))
        wrong += len(problems)
        ran += sum(block.language in ("sh", "python") for block in found)
        print("\n\n".join(problems), end="\n" if problems else "")
    print(f"{len(paths)} files: {ran} blocks with commands, {wrong} problems")
    return 1 if wrong or ran == 0 else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
