"""Links that restore a state: ``?preset=plane&gamma=0.2&steps=5``; clients of one's own are packed into one value."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from figures.explorer.state import State
from surrogate.kit.errors import problem

__all__ = ["from_query", "query"]

_LONGEST = 5_000_000  # bytes that a link may unpack to


def query(s: State) -> str:
    """The part of the link after ``?``.

    >>> query(State(gamma=0.25, steps=4))
    'preset=two-clients&gamma=0.25&steps=4'
    """
    plain = s.plain()
    clients = plain.pop("problem")
    head = {"preset": clients["preset"]} if set(clients) == {"preset"} else {"clients": _packed(clients)}
    words = {key: value if isinstance(value, str) else json.dumps(value) for key, value in plain.items()}
    return urlencode(head | words)


def from_query(pairs: Mapping[str, Any]) -> State | None:
    """The state that a link asks for; None where it asks for nothing.

    >>> from_query({"preset": "plane", "gamma": "0.25"}).gamma
    0.25
    """
    query = dict(pairs)
    if not query:
        return None
    plain: dict[str, Any] = {}
    if "preset" in query:
        plain["problem"] = {"preset": query.pop("preset")}
    if "clients" in query:
        plain["problem"] = _unpacked(query.pop("clients"))
    return State.of(plain | {key: _value(text) for key, text in query.items()})


def _value(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return text


def _packed(clients: Mapping[str, Any]) -> str:
    text = json.dumps(clients, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def _unpacked(text: Any) -> Any:
    try:
        packed = base64.urlsafe_b64decode(str(text) + "=" * (-len(str(text)) % 4))
        inflate = zlib.decompressobj()
        plain = inflate.decompress(packed, _LONGEST)
        if inflate.unconsumed_tail or not inflate.eof:
            raise ValueError
        return json.loads(plain)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise problem(
            "clients in the link",
            f"{str(text)[:20]}...",
            "clients as the explorer packs them",
            "a link cut short by a mail program or a chat",
            "copy the whole link again",
        ) from None
