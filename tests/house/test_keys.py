"""A result's key is the closure of what it was computed by: code that it uses changes it, words never do.

In a copy of the tree one file after another is edited; each cached kind says whether its key is another.
"""

from __future__ import annotations

import json
import shutil

import pytest

from tests.helpers.tree import PACKAGES, ROOT, fresh

# What is cached, and files that it is computed by. DA.A2 judges a listing; DICT.scaffold looks a method up by name.
USES = {
    "statement fedda/a2": [
        "theorems/fedda/a2.py",
        "theorems/fedda/listing_fedda.py",
        "theorems/domain.py",
        "theorems/judging.py",
        "theorems/engines/search.py",
        "theorems/engines/certify.py",
        "theorems/engines/refute.py",
        "surrogate/numbers/traces.py",
        "theorems/verify.py",
    ],
    "statement outsized/t17": [
        "theorems/outsized/lemmas_clients.py",
        "theorems/engines/prove.py",
        "surrogate/filters.py",
    ],
    "statement dictionary/scaffold": [
        "theorems/dictionary/rounds.py",
        "theorems/dictionary/symbols.py",
        "surrogate/dictionary/control.py",
        "surrogate/methods/scaffold.py",
        "surrogate/exact/local_update.py",
    ],
    "run fedlada": [
        "surrogate/methods/amended.py",
        "surrogate/numbers/protocol.py",
        "surrogate/theta.py",
        "neural/tasks/losses.py",
        "neural/tasks/models/dense.py",
        "neural/data/loading.py",
        "neural/data/sources/images.py",
    ],
    "run fedopt-adam": ["surrogate/methods/fedopt.py", "surrogate/methods/optimizers.py"],
    "table OLR.F1": ["surrogate/toys.py", "surrogate/local_update.py", "surrogate/filters.py"],
    "table OLR.F2": ["figures/series.py", "surrogate/methods/local_update.py", "neural/tasks/losses.py"],
    "table B3": ["theorems/verdicts.json"],
    "drawing OLR.F1": ["figures/style.py", "figures/render.py", "figures/findings.py"],
}
IGNORES = {
    "statement fedda/a2": ["theorems/fedda/a1.py", "theorems/report/page.py", "surrogate/reports/show.py"],
    "run fedlada": ["surrogate/methods/scaffold.py", "neural/tasks/language.py", "neural/engine/loop.py"],
    "table OLR.F1": ["figures/style.py", "surrogate/methods/scaffold.py"],
    "drawing OLR.F1": ["surrogate/toys.py"],
}

LISTING = "theorems/fedda/listing_fedda.py"
SAYS = "theorems/fedda/a2.py"
PLANTED = "\nPLANTED = 1\n"

KEYS = """
import json, sys
from pathlib import Path

from figures import keys, registry
from neural.runs import key as runs
from neural.runs.config import Config
from theorems import cache

RUN = {"task": "mnist-logreg", "gamma": 0.1, "eta": 1.0, "steps": 2, "scale": "smoke"}
entries = {entry.id: entry for entry in registry.discover()}

def found(kind):
    what, _, name = kind.partition(" ")
    if what == "statement":
        return cache.key(Path("theorems", f"{name}.py").resolve(), 10)
    if what == "run":
        return runs.key(Config.of({**RUN, "method": name}))
    entry = entries[name]
    return keys.key(entry, "smoke") if what == "table" else keys.drawing_key(entry, "a table")

kinds, edits = json.loads(Path("edits.json").read_text())
before = {kind: found(kind) for kind in kinds}
for name, edit, text in edits:
    path = Path(name)
    old = path.read_text()
    path.write_text(text)
    print(json.dumps([name, edit, [kind for kind in kinds if found(kind) != before[kind]]]))
    path.write_text(old)
assert before == {kind: found(kind) for kind in kinds}, "keys depend on the time of an edit"
"""


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[str]]:
    """For each edit of a copied tree, (file, "code" or "words"), the kinds whose key is another while it stands."""
    tree = tmp_path_factory.mktemp("copied") / "tree"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__", "records"))
    edits = []
    for name in sorted({name for listed in (*USES.values(), *IGNORES.values()) for name in listed}):
        text = (tree / name).read_text(encoding="utf-8")
        edits.append((name, "code", text + (PLANTED if name.endswith(".py") else " ")))
        if name.endswith(".py"):
            assert '"""' in text
            edits.append((name, "words", text.replace('"""', '"""Planted: ', 1) + "\n# planted\n"))
    text, line = (tree / LISTING).read_text(encoding="utf-8"), "    G = (P - beta1 * m) / (1 - beta1)\n"
    assert text.count(line) == 1
    edits.append((LISTING, "fault", text.replace(line, f'    raise RuntimeError("planted")\n{line}')))
    edits.append((SAYS, "says", (tree / SAYS).read_text(encoding="utf-8").replace('    r"""', '    r"""Planted: ', 1)))
    (tree / "edits.json").write_text(json.dumps([list(USES), edits]))
    done = fresh("-c", KEYS, cwd=tree, XDG_CACHE_HOME=str(tree / "cache"), PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 0, done.stderr
    return {(name, edit): kinds for name, edit, kinds in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("kind", USES)
def test_code_that_a_result_uses_gives_it_a_new_key(kind: str, changed: dict[tuple[str, str], list[str]]) -> None:
    assert [name for name in USES[kind] if kind not in changed[name, "code"]] == []


@pytest.mark.parametrize("kind", IGNORES)
def test_other_code_leaves_its_key(kind: str, changed: dict[tuple[str, str], list[str]]) -> None:
    assert [name for name in IGNORES[kind] if kind in changed[name, "code"]] == []


def test_docstrings_and_comments_leave_every_key(changed: dict[tuple[str, str], list[str]]) -> None:
    assert [(name, kinds) for (name, edit), kinds in changed.items() if edit == "words" and kinds] == []


def test_a_fault_in_a_listing_is_not_hidden_by_the_cache(changed: dict[tuple[str, str], list[str]]) -> None:
    """`check DA.A2` once answered as if nothing had happened."""
    assert changed[LISTING, "fault"] == ["statement fedda/a2"]


def test_what_a_claim_says_is_part_of_its_key(changed: dict[tuple[str, str], list[str]]) -> None:
    """The docstring of a claim's function is recorded."""
    assert changed[SAYS, "says"] == ["statement fedda/a2"]
