"""``surrogate VERB ...``: find the verb, parse its arguments, run it, and turn what goes wrong into a readable line."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence

from surrogate.cli import output, verbs
from surrogate.kit import entries
from surrogate.kit.errors import ProblemError

__all__ = ["main"]

WRONG_USE = 2
INTERRUPTED = 130  # 128 + SIGINT, what a shell reports for a program stopped by Ctrl-C
PIPE_CLOSED = 141  # 128 + SIGPIPE, the same for a reader that went away

DESCRIPTION = "Exact resting points, rates and moments of local update methods on quadratics."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status: 0 done, 2 wrong use; verbs may define others.

    >>> main(["--version"])
    surrogate ...
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()  # so that a closed pipe shows here, not while the interpreter shuts down
        return status
    except ProblemError as error:
        print(f"surrogate: {error}", file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        print("surrogate: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        print(_overview(), file=sys.stderr)
        return WRONG_USE
    first, *rest = arguments
    if first in ("-h", "--help"):
        print(_overview())
        return 0
    if first == "--version":
        print(f"surrogate {entries.version()}")
        return 0
    verb = verbs.load(first)
    parser = verbs.parser(first, verb)
    parsed, unknown = parser.parse_known_args(_joined(rest))
    if unknown:
        raise verbs.unexpected(first, parser, unknown[0])
    if str(getattr(parsed, "json", None)) != "-":
        return verb.run(parsed)
    with output.alone():
        return verb.run(parsed)


def _joined(arguments: list[str]) -> list[str]:
    """``--gamma -1/2`` as ``--gamma=-1/2``: argparse takes a minus for an option, but for plain numbers.

    >>> _joined(["plane", "--gamma", "-1/2", "--exact"])
    ['plane', '--gamma=-1/2', '--exact']
    """
    joined: list[str] = []
    for argument in arguments:
        option = joined[-1] if joined else ""
        if re.match(r"--\w[^=]*$", option) and re.match(r"-\.?\d", argument):
            joined[-1] = f"{option}={argument}"
        else:
            joined.append(argument)
    return joined


def _overview() -> str:
    """The page that ``surrogate --help`` prints: one line a verb, and where to read on."""
    parser = argparse.ArgumentParser(
        prog="surrogate",
        usage="surrogate [-h] [--version] VERB ...",
        description=DESCRIPTION,
        epilog="`surrogate VERB --help` explains a verb and ends with examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    group = parser.add_argument_group("verbs")
    for name in verbs.available():
        group.add_argument(name, nargs="?", help=_summary(name))
    return parser.format_help().rstrip()


def _summary(name: str) -> str:
    """One line about a verb. Another package's broken verb must not take the help of all others with it."""
    try:
        return verbs.load(name).SUMMARY.replace("%", "%%")
    except Exception as error:
        return f"(cannot be loaded: {type(error).__name__}: {error})".replace("%", "%%")
