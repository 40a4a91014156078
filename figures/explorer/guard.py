"""Who may talk to the explorer: this machine's own address, pages of it, and callers that know the token.

The address that is printed carries a random token. It is exchanged for a cookie, which scripts and other sites cannot
use; every page, message and WebSocket wants it. The Host has to be ours (a foreign name that leads here is not), and
so has the Origin, where a browser names one.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

__all__ = ["Guard"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_FOREIGN = "This explorer answers its own machine alone."
_UNKNOWN = "Open the address that `surrogate explore` printed: it carries the key to this page."


class Guard:
    """An ASGI app in front of another: ``port`` is the explorer's, ``token`` the secret of its address."""

    def __init__(self, app: App, port: int, token: str = "") -> None:
        self.app, self.token = app, token or secrets.token_urlsafe(24)
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self.cookie = f"explorer-{port}"

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on what comes from a page of ours; refuse all else."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        if not self._ours(headers):
            return await _refuse(scope, send, _FOREIGN)
        asked = scope["type"] == "http" and scope["method"] == "GET"
        if asked and any(key == "token" and self._same(value) for key, value in query):
            rest = urlencode([(key, value) for key, value in query if key != "token"])
            return await _redirect(send, f"{scope['path']}?{rest}".rstrip("?"), self._exchange())
        if self._known(headers):
            return await self.app(scope, receive, _without_sharing(send))
        return await _refuse(scope, send, _UNKNOWN)

    def _ours(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        return headers.get("host", "") in self.hosts and (
            origin is None or origin.removeprefix("http://") in self.hosts
        )

    def _known(self, headers: dict[str, str]) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return self.cookie in cookies and self._same(cookies[self.cookie].value)

    def _same(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _exchange(self) -> str:
        return f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Lax"


async def _refuse(scope: Message, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    await _answer(send, 403, why, [])


async def _redirect(send: Send, where: str, cookie: str) -> None:
    await _answer(send, 303, "", [(b"location", where.encode("latin-1")), (b"set-cookie", cookie.encode())])


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]]) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": plain})
    await send({"type": "http.response.body", "body": text.encode()})


def _without_sharing(send: Send) -> Send:
    """Responses without the headers that let pages of other sites read them, and in nobody's frame."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(k, v) for k, v in message["headers"] if not k.lower().startswith(b"access-control-")]
            message = {**message, "headers": [*kept, (b"x-frame-options", b"DENY")]}
        await send(message)

    return sent
