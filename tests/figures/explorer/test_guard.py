"""Nobody but this machine's own page is answered: foreign names, foreign origins, callers without the token."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from figures.explorer.guard import Guard

HOST = ("host", "127.0.0.1:8123")


async def page(scope: Any, receive: Any, send: Any) -> None:
    """An app that shares itself with the whole world, as marimo's does."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    shared = [(b"access-control-allow-origin", b"*"), (b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200, "headers": shared})
    await send({"type": "http.response.body", "body": b"numbers"})


def ask(guard: Guard, *headers: tuple[str, str], kind: str = "http", query: str = "", method: str = "GET") -> list[Any]:
    """What is sent back to a request with these headers."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    listed = [(name.encode(), value.encode()) for name, value in headers]
    scope = {"type": kind, "method": method, "path": "/", "query_string": query.encode(), "headers": listed}
    with ThreadPoolExecutor(1) as aside:  # a browser's test may have left a loop in this thread
        aside.submit(asyncio.run, guard(scope, receive, send)).result()
    return sent


@pytest.fixture
def guard() -> Guard:
    return Guard(page, 8123)


def cookie(guard: Guard) -> tuple[str, str]:
    return ("cookie", f"other=1; {guard.cookie}={guard.token}")


def test_the_printed_address_is_exchanged_for_a_cookie_and_the_rest_of_the_link_is_kept(guard: Guard) -> None:
    answer = ask(guard, HOST, query=f"preset=plane&token={guard.token}&K=3")[0]
    headers = dict(answer["headers"])
    assert (answer["status"], headers[b"location"]) == (303, b"/?preset=plane&K=3")
    for word in (guard.token, "HttpOnly", "SameSite=Lax"):
        assert word in headers[b"set-cookie"].decode()
    shown = ask(guard, HOST, cookie(guard))
    assert shown[1]["body"] == b"numbers"
    assert not any(name.startswith(b"access-control") for name, _ in shown[0]["headers"])


@pytest.mark.parametrize(
    "headers",
    [
        [HOST],
        [HOST, ("cookie", "explorer-8123=guess")],
        [HOST, ("cookie", "explorer-8123=\x01;;==")],
        [("host", "evil.example:8123")],
        [("host", "127.0.0.1:9999")],
        [],
        [HOST, ("origin", "http://evil.example")],
        [HOST, ("origin", "https://127.0.0.1:8123")],
        [HOST, ("origin", "null")],
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_others_are_refused_in_words(guard: Guard, headers: list[tuple[str, str]], kind: str) -> None:
    foreign = headers != [HOST] and not any(name == "cookie" for name, _ in headers)
    known = [*headers, cookie(guard)] if foreign else headers  # even with the cookie, where it is foreign
    (first, *rest) = ask(guard, *known, kind=kind)
    if kind == "websocket":
        assert (first["type"], first["code"]) == ("websocket.close", 1008)
    else:
        assert first["status"] == 403
        assert rest[0]["body"].endswith(b".")


def test_a_token_opens_no_websocket_and_no_message(guard: Guard) -> None:
    query = f"token={guard.token}"
    assert ask(guard, HOST, kind="websocket", query=query)[0]["type"] == "websocket.close"
    assert ask(guard, HOST, query=query, method="POST")[0]["status"] == 403


def test_the_page_itself_is_answered(guard: Guard) -> None:
    own = ("origin", "http://127.0.0.1:8123")
    assert ask(guard, HOST, own, cookie(guard), kind="websocket") == [{"type": "websocket.accept"}]
    assert ask(guard, HOST, own, cookie(guard), method="POST")[0]["status"] == 200


def test_the_token_leaves_the_address_of_a_page_that_is_known_already(guard: Guard) -> None:
    answer = ask(guard, HOST, cookie(guard), query=f"token={guard.token}")[0]
    assert (answer["status"], dict(answer["headers"])[b"location"]) == (303, b"/")


def test_two_explorers_do_not_share_a_token(guard: Guard) -> None:
    assert guard.token != Guard(page, 8123).token
    assert len(guard.token) >= 32
