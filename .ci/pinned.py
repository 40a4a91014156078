"""Is everything that the environment of ``make`` holds pinned in constraints.txt, at that version?

    .venv/bin/python .ci/pinned.py

What we ask for asks for more in turn: an unpinned one would differ from machine to machine.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = {"quadratic-surrogates", "pip"}
OF_TORCH = ("nvidia-", "cuda-", "triton")  # what a CUDA build of torch brings along: it follows torch's own pin
CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"


def main() -> int:
    lines = (line.partition("#")[0].strip() for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines())
    pins = {canonicalize_name(pin.name): pin for pin in map(Requirement, filter(None, lines))}
    installed = {canonicalize_name(each.name): each.version for each in metadata.distributions()}
    wrong = [
        f"{name}=={version} is installed, constraints.txt says {pins.get(name, 'nothing')}"
        for name, version in sorted(installed.items())
        if name not in OURS
        and not name.startswith(OF_TORCH)
        and (name not in pins or not pins[name].specifier.contains(version))
    ]
    print("\n".join([*wrong, f"{len(installed)} packages installed, {len(wrong)} not as pinned"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
