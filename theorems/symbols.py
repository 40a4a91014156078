"""An instance as one writes it down: in the paper's symbols, with what else it needs said (theorems/symbols.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from theorems.record import brief

__all__ = ["legend", "listed", "named"]

_CLIENTS = {
    "A_": "A_i is client i's Hessian",
    "lambda_": "lambda_i,j are the eigenvalues of client i's Hessian",
    "R_": "R_i has their eigenvectors as columns",
    "c_": "c_i is client i's minimizer",
    "w_": "w_i is client i's weight",
}


def named(statement: str, instance: Mapping[str, str]) -> dict[str, str]:
    """Symbols and values, without those that follow from the others.

    >>> named("OLR.C22", {"K": "2", "p.lam[0][0]": "1", "p.c[1][0]": "-1", "low": "0"})
    {'K': '2', 'A_1': '1', 'c_2': '-1', 'gamma_1': '0'}
    """
    return {symbol: brief(value) for symbol, value, _ in _entries(statement, instance)}


def listed(statement: str, instance: Mapping[str, str], separator: str = ", ") -> str:
    """``K = 2, gamma_1 = 0``."""
    told = separator.join(f"{symbol} = {value}" for symbol, value in named(statement, instance).items())
    return told or "the numbers as printed"


def legend(statement: str, instance: Mapping[str, str]) -> str:
    """What the symbols mean, for those that the paper does not have, and for the clients'.

    >>> legend("OLR.A3", {"excess": "0"}), legend("OLR.S2", {"p.w[0]": "1"})
    ('excess: l_t - min l_j + Delta', "w_i is client i's weight")
    """
    entries = list(_entries(statement, instance))
    told = {meaning: None for _, _, meaning in entries if meaning}
    left = [symbol for symbol, _, meaning in entries if not meaning]
    return "; ".join([text for start, text in _CLIENTS.items() if any(s.startswith(start) for s in left)] + [*told])


@cache
def _table() -> dict[str, dict[str, str]]:
    read = tomllib.loads(Path(__file__).with_name("symbols.toml").read_text(encoding="utf-8"))
    return {name: names for title, names in read.items() for name in title.split()}


def _entries(statement: str, instance: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Symbol, value and meaning of each number that is shown."""
    own, shared = _table().get(statement, {}), _table().get(statement.partition(".")[0], {})
    for name, value in _readable(instance).items():
        letter, indices = re.fullmatch(r"(.*?)(?:_([1-9][\d,]*))?", name).groups()  # type: ignore[union-attr]
        told = next(
            (table[key] for table in (own, shared) for key in (letter, letter.partition(".")[0]) if key in table), ""
        )
        if told == "hidden":
            continue
        symbol, _, meaning = told.partition(": ")
        base = symbol or letter
        comma = "," if "_" in base and not base.endswith(")") else "_"
        yield (f"{base}{comma}{indices}" if indices else base), value, f"{base}: {meaning}" if meaning else ""


def _readable(instance: Mapping[str, str]) -> dict[str, str]:
    """Clients and coordinates count from 1, and Hessians of one number are A_i.

    >>> _readable({"K": "2", "theta": "Theta.sum(2)", "p.lam[0][0]": "1", "p.lam[1][0]": "1/2", "p.c[1][0]": "-1"})
    {'K': '2', 'A_1': '1', 'A_2': '1/2', 'c_2': '-1'}
    >>> _readable({"p.lam[0][0]": "1", "p.lam[0][1]": "1/2", "g[3]": "0"})
    {'lambda_1,1': '1', 'lambda_1,2': '1/2', 'g_4': '0'}
    """
    flat = {name.partition("[")[0] for name in instance} - {
        name.partition("[")[0] for name in instance if re.search(r"\[[1-9]\d*\]$", name) and name.count("[") > 1
    }
    told = {f"Theta.sum({instance['K']})"} if "K" in instance else set()
    return {_symbol(name, flat): value for name, value in instance.items() if not (name == "theta" and value in told)}


def _symbol(name: str, flat: Collection[str]) -> str:
    """The name of one number; ``flat`` are those with one coordinate a client."""
    letter, indices = name.partition("[")[0], [int(k) + 1 for k in re.findall(r"\[(\d+)\]", name)]
    alone = letter in flat
    if alone and len(indices) > 1:
        indices = indices[:-1]
    plain = letter.rpartition(".")[2] if letter.startswith("p.") else letter
    plain = ("A" if alone else "lambda") if plain == "lam" else plain
    return f"{plain}_{','.join(map(str, indices))}" if indices else plain
