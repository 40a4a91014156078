"""Which verbs there are, and their modules. A verb is an entry point of the group ``surrogate.verbs``."""

from __future__ import annotations

import argparse
from typing import Protocol, cast

from surrogate.kit import entries
from surrogate.kit.errors import ProblemError, problem, slip

__all__ = ["GROUP", "Verb", "available", "load", "parser", "unexpected"]

GROUP = "surrogate.verbs"


class Verb(Protocol):
    """What the module of a verb must have."""

    SUMMARY: str
    EXAMPLES: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def available() -> dict[str, str]:
    """Module of each verb, by name, sorted.

    >>> available()["toy"]
    'surrogate.cli.toy'
    """
    return entries.points(GROUP)


def load(name: str) -> Verb:
    """The module of a verb; an unknown name is refused with the nearest ones."""
    verbs = available()
    if name not in verbs:
        cause = slip(name, verbs, "a verb of a package that is not installed", quoted=True)
        expected = f"one of {', '.join(verbs)}"
        raise problem("the verb", repr(name), expected, cause, "run `surrogate --help` for what each does")
    return cast(Verb, entries.load(verbs[name]))


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
