"""Counterexamples are shown in the papers' symbols: other names are explained, and no explanation is left over."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from theorems import records, symbols

TABLE = tomllib.loads(Path(symbols.__file__).with_name("symbols.toml").read_text(encoding="utf-8"))
RECORDS = {record["id"]: record for record in records.read_all()}
GREEK = "alpha beta gamma delta Delta eps epsilon eta theta Theta kappa lambda mu nu rho sigma tau phi"
HATS = "grad_f g-bar v-hat_0 x~"
WORDS = "row column clients server optimizer rounds ratio communication accuracy gain factor quoted"
TABLES = "FedDA FED-LAMB FedAvg FedLADA FedAdam LocalAdam best_SGD Table_7"


def instances(value: Any) -> Iterator[dict[str, str]]:
    """Of a record: those of its counterexamples, and where it is tightest."""
    if isinstance(value, dict):
        yield from (value[key] for key in ("instance", "at") if isinstance(value.get(key), dict))
        for each in value.values():
            yield from instances(each)
    elif isinstance(value, list):
        for each in value:
            yield from instances(each)


def test_the_table_is_about_statements_and_papers():
    named = [name for title in TABLE for name in title.split()]
    assert len(named) == len(set(named))
    assert set(named) <= set(RECORDS) | {name.partition(".")[0] for name in RECORDS}


def test_every_name_is_a_symbol_or_is_explained():
    """A letter, with an index or without; a formula; a word of a table; or a name with its meaning beside it."""
    known = "|".join(f"{GREEK} {HATS} {WORDS} {TABLES}".split())
    symbol = re.compile(rf"(?:[A-Za-z]|{known})(?:_\w+|\^\w+)?(?:[,_]\d[\d,]*)?|.*[(|^{{' ].*")
    left = []
    for name, record in RECORDS.items():
        for instance in instances(record):
            meant = symbols.legend(name, instance)
            left += [
                f"{name}: {each}"
                for each in symbols.named(name, instance)
                if not symbol.fullmatch(each) and f"{re.sub(r'[,_][0-9,]+$', '', each)}: " not in meant
            ]
    assert not sorted(set(left))
