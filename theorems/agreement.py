"""Hold a record against its statement and a fresh judgement, field by field; what floats searched for is replayed.

A counterexample and a tightness are recorded with their points. Decoded again there, they must come out as recorded to
the last field, on any machine; where a search now finds another point, both are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from theorems.domain import Domain
from theorems.engines.refute import again, written
from theorems.engines.tightness import CLOSE, replayed
from theorems.record import Certificate, Counterexample, Judged, Need, Record, Tightness
from theorems.records import judgements
from theorems.schema import unlike_a_record
from theorems.statement import Claim, Hypothesis, Statement

__all__ = ["differences", "unseen"]

_REPLAYED = ("tightness", "counterexample", "certificate")
_PARTS = ("correction", "steps", "needs")
_SHORT = 90
LOOSE = 0.05  # how far two searches for the largest ratio differ, on machines whose floats do


def unseen(recorded: Record, fresh: Record) -> bool:
    """Did the fresh search miss a refutation that the record has? It depends on floats, and on the number asked for."""
    missed = [
        before["verdict"] == "false" and now is not None and now["verdict"] != "false"
        for before, now in _pairs(recorded, fresh)
    ]
    needs = {need["hypothesis"]: need["without"] for need in fresh["needs"]}
    missed += [n["without"] == "false" and needs.get(n["hypothesis"], "false") != "false" for n in recorded["needs"]]
    return any(missed)


def differences(recorded: Record, fresh: Record, statement: Statement) -> Iterator[str]:
    """Each field in which the record is not what comes out now, with both values."""
    unlike = list(unlike_a_record(recorded))
    yield from unlike or _differing(recorded, fresh, statement)


def _differing(recorded: Record, fresh: Record, statement: Statement) -> Iterator[str]:
    same_number = recorded["asked"] == fresh["asked"]
    yield from _compared("", _plain(recorded, same_number), _plain(fresh, same_number))
    yield from _claim("", statement, statement.printed, "printed", recorded, fresh)
    correction, corrected = recorded["correction"], fresh["correction"]
    if correction is not None and corrected is not None and statement.corrected:
        yield from _compared("correction", _plain(correction, same_number), _plain(corrected, same_number))
        yield from _claim("correction", statement, statement.corrected, "corrected", correction, corrected)
    elif correction is not None or corrected is not None:
        yield _different("correction", correction, corrected)
    steps = recorded["steps"]
    if len(steps) != len(fresh["steps"]):
        yield _different("steps", f"{len(steps)} of them", f"{len(fresh['steps'])} of them")
        return
    for k, (step, now) in enumerate(zip(steps, fresh["steps"], strict=True)):
        yield from _compared(f"step {k}.correction", step["correction"], now["correction"])
        yield from _compared(f"step {k}", _plain(step, same_number), _plain(now, same_number))
        yield from _claim(f"step {k}", statement, statement.steps[k].claim, f"step {k}", step, now)
    yield from _needs(recorded, fresh, statement, same_number)


def _pairs(recorded: Record, fresh: Record) -> Iterator[tuple[Judged, Judged | None]]:
    now = dict(judgements(fresh))
    for which, judged in judgements(recorded):
        yield judged, now.get(which)


def _plain(judged: Mapping[str, Any], same_number: bool) -> dict[str, Any]:
    """The fields that are compared as they are."""
    skipped = {*_REPLAYED, *_PARTS} | (set() if same_number else {"examples", "asked"})
    if judged.get("verdict") == "undecided":
        skipped.add("decided_by")  # which float violation is the worst
    return {key: value for key, value in judged.items() if key not in skipped}


def _claim(
    name: str, statement: Statement, claim: Claim, which: str, recorded: Mapping[str, Any], fresh: Mapping[str, Any]
) -> Iterator[str]:
    """The replayed fields of one claim."""
    found: Counterexample | None = recorded.get("counterexample")
    certificate: Certificate | None = recorded.get("certificate")
    domain = None if claim.compare is None else statement.where(claim)
    if found is None or domain is None:
        if found is not None or certificate is not None or fresh["verdict"] == "false":
            yield _different(_join(name, "counterexample"), found, fresh.get("counterexample"))
    else:
        assumed = statement.assumed(claim)
        refutation = _again(claim, domain, found, assumed)
        if refutation is None:
            yield f"{_join(name, 'counterexample')}: none at the recorded point {_short(found)}"
        else:
            true, program = written(statement, claim, refutation, which, assumed)
            yield from _compared(_join(name, "counterexample"), found, true)
            yield from _compared(_join(name, "certificate"), certificate, program)
    if "tightness" in fresh:
        yield from _tightness(_join(name, "tightness"), domain, claim, recorded.get("tightness"), fresh["tightness"])


def _again(claim: Claim, domain: Domain, found: Counterexample, assumed: tuple[Hypothesis, ...]) -> Any:
    """The refutation at a recorded point; None where the record is no point of the domain."""
    try:
        return again(claim, domain, found, assumed)
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError):
        return None


def _tightness(
    name: str, domain: Domain | None, claim: Claim, recorded: Tightness | None, fresh: Tightness | None
) -> Iterator[str]:
    if recorded is None or domain is None:
        if recorded is not None or fresh is not None:
            yield _different(name, recorded, fresh)
        return
    try:
        true = replayed(domain, claim, recorded)
        ratios = [each["ratio"] for each in true]
        best = min(true, key=lambda each: abs(each["ratio"] - recorded["ratio"]))
        if abs(best["ratio"] - recorded["ratio"]) > CLOSE:
            yield f"{name}.ratio: recorded {recorded['ratio']!r}, at the recorded point {ratios}"
    except (ValueError, KeyError, TypeError):
        yield f"{name}: no point of the domain is recorded: {_short(recorded)}"
        return
    if fresh is not None and fresh["ratio"] > recorded["ratio"] + LOOSE:
        yield f"{name}.ratio: recorded {recorded['ratio']!r} as the largest, now {fresh['ratio']!r} at {fresh['at']}"
    rounded = cast("Tightness", {**recorded, "ratio": best["ratio"], "at": _to_digits(recorded["at"], best["at"])})
    yield from _compared(name, rounded, best)


def _to_digits(recorded: dict[str, str], true: dict[str, str]) -> dict[str, str]:
    """The recorded numbers, each replaced by the true one where they differ in the last of their six digits alone."""
    return {key: true[key] if key in true and _near(value, true[key]) else value for key, value in recorded.items()}


def _near(a: str, b: str) -> bool:
    try:
        return abs(float(a) - float(b)) <= 1e-5 * abs(float(b))
    except ValueError:
        return False


def _needs(recorded: Record, fresh: Record, statement: Statement, same_number: bool) -> Iterator[str]:
    claim = statement.corrected if fresh["correction"] and statement.corrected else statement.printed
    needs = recorded["needs"]
    names = [[need["hypothesis"] for need in each] for each in (needs, fresh["needs"])]
    if names[0] != names[1]:
        yield _different("needs", *names)
        return
    for need, now in zip(needs, fresh["needs"], strict=True):
        yield from _need(need, now, statement, claim, same_number)


def _need(need: Need, now: Need, statement: Statement, claim: Claim, same_number: bool) -> Iterator[str]:
    name = f"needs {need['hypothesis']}"
    texts = [each["without"] if same_number else re.sub(r"\(\d+ ", "(", each["without"]) for each in (need, now)]
    yield from _compared(name, {"without": texts[0]}, {"without": texts[1]})
    yield from _compared(name, dict.fromkeys(need), dict.fromkeys(now))
    hypothesis = next(h for h in statement.hypotheses if h.name == need["hypothesis"])
    found = need.get("counterexample")
    if found is None or hypothesis.without is None:
        return
    others = tuple(h for h in statement.hypotheses if h.name != hypothesis.name)
    refutation = _again(claim, hypothesis.without, found, others)
    if refutation is None:
        yield f"{name}.counterexample: none at the recorded point {_short(found)}"
        return
    true, _ = written(statement, claim, refutation, f"without {hypothesis.name}", others)
    yield from _compared(f"{name}.counterexample", found, true)


def _compared(name: str, recorded: Any, true: Any) -> Iterator[str]:
    """Where two values that JSON holds differ."""
    if isinstance(recorded, dict) and isinstance(true, dict):
        for key in {**recorded, **true}:
            if key not in recorded or key not in true:
                yield f"{_join(name, key)}: {'not recorded' if key in true else 'recorded, but no such field is known'}"
            else:
                yield from _compared(_join(name, key), recorded[key], true[key])
    elif type(recorded) is not type(true) or recorded != true:
        yield _different(name, recorded, true)


def _different(name: str, recorded: object, true: object) -> str:
    return f"{name}: recorded {_short(recorded)}, now {_short(true)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 20]} ... {text[-15:]}"


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key
