"""Which verbs there are, and their modules. A verb is an entry point of the group ``surrogate.verbs``."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from surrogate.kit.errors import ProblemError, problem, slip

__all__ = ["DISTRIBUTION", "GROUP", "Verb", "available", "load", "parser", "unexpected", "version"]

DISTRIBUTION = "quadratic-surrogates"
GROUP = "surrogate.verbs"


class Verb(Protocol):
    """What the module of a verb must have."""

    SUMMARY: str
    EXAMPLES: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


@cache
def _checkout() -> dict[str, Any]:
    """The ``[project]`` table of the source tree we run from; empty when we run from an installed wheel."""
    try:
        text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        return {}
    project = tomllib.loads(text).get("project", {})
    return project if project.get("name") == DISTRIBUTION else {}


@cache
def available() -> dict[str, str]:
    """Module of each verb, by name, sorted. A source tree's own table wins over what was installed earlier.

    >>> available()["toy"]
    'surrogate.cli.toy'
    """
    found = {point.name: point.value for point in importlib.metadata.entry_points(group=GROUP)}
    found.update(_checkout().get("entry-points", {}).get(GROUP, {}))
    return dict(sorted(found.items()))


def version() -> str:
    """The version of the tree we run from, else of the installed distribution."""
    return _checkout().get("version") or importlib.metadata.version(DISTRIBUTION)


def load(name: str) -> Verb:
    """The module of a verb; an unknown name is refused with the nearest ones."""
    verbs = available()
    if name not in verbs:
        cause = slip(name, verbs, "a verb of a package that is not installed", quoted=True)
        expected = f"one of {', '.join(verbs)}"
        raise problem("the verb", repr(name), expected, cause, "run `surrogate --help` for what each does")
    return cast(Verb, importlib.import_module(verbs[name]))


def parser(name: str, verb: Verb) -> argparse.ArgumentParser:
    """The argument parser of a verb: its summary on top, its options, its examples at the end."""
    examples = "\n".join(f"  {line.strip()}" for line in verb.EXAMPLES.strip().splitlines())
    made = argparse.ArgumentParser(
        prog=f"surrogate {name}",
        description=verb.SUMMARY,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.configure(made)
    return made


def unexpected(name: str, parser: argparse.ArgumentParser, argument: str) -> ProblemError:
    """The error for an argument that the verb does not take: with the nearest option, or how settings are written."""
    given = argument.partition("=")[0]
    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    expected = f"one of {', '.join(options)}" if given.startswith("-") else "no further name"
    cause, fix = slip(given, options, "", most=2, cutoff=0.75), f"run `surrogate {name} --help` for what it takes"
    if not cause:
        cause = "an option of another verb" if given.startswith("-") else "a word too many"
        if given.startswith("-") and "--set" in options:
            cause, fix = "a setting, which is no option", f"write --set {given.lstrip('-').replace('-', '_')}=VALUE"
    return problem(f"an argument of {name}", repr(given), expected, cause, fix)
