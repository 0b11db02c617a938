"""What stands before every request: headers of safety, limits of rate and size, the token."""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections import OrderedDict
from typing import Final

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegwise.errors import Phrase
from pegwise.web.refusals import refusal
from pegwise.web.session import session_of, token_of
from pegwise.web.work import asking

__all__ = ["POLICY", "BodyLimit", "RateLimit", "SafetyHeaders", "TokenCheck"]

POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""The content-security policy: nothing inline, nothing from elsewhere."""

_HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

_BURST: Final = 4.0
"""Seconds of its rate that a client may use at once."""

_MAX_CLIENTS: Final = 10_000

_THROWN_AWAY: Final = 64 << 20
_PATIENCE: Final = 10.0
"""So many bytes and seconds of a body that is too large are read."""

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""


class SafetyHeaders:
    """Adds headers of safety to every answer; a page that sets one itself keeps it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses a body that is too large, without keeping it.

    What is sent nevertheless is read for a while and thrown away: a client that sends all before
    it reads would lose the answer where the connection is closed too early.

    Args:
        app: what comes after.
        most: bytes.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in _READING:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        said = headers.get("content-length", "")
        if said.isdigit() and int(said) > self.most:
            if "expect" not in headers:  # who expects an answer first, has sent nothing
                await _let_send(receive)
            await self._refuse(scope)(scope, receive, send)
            return
        # a body without a length, or a longer one than was said, is read up to the limit
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            more = message.get("more_body", False)
            if size > self.most:
                if more:
                    await _let_send(receive)
                await self._refuse(scope)(scope, receive, send)
                return
        read: Message | None = {
            "type": "http.request",
            "body": b"".join(parts),
            "more_body": False,
        }

        async def replay() -> Message:
            nonlocal read
            if read is not None:
                message, read = read, None
                return message
            return await receive()

        await self.app(scope, replay, send)

    def _refuse(self, scope: Scope) -> Response:
        said = Phrase("the body of this request is too large: at most {n:,} bytes", n=self.most)
        return refusal(Request(scope), 413, said, connection="close")


async def _let_send(receive: Receive) -> None:
    """Read what a client still sends, up to a limit of size and time."""
    left = _THROWN_AWAY
    with anyio.move_on_after(_PATIENCE):
        while left > 0:
            message = await receive()
            left -= len(message.get("body", b""))
            if not message.get("more_body", False):  # its end, or the client's
                return


class RateLimit:
    """Refuses clients that send too many requests.

    A client is an address; this machine itself is not limited. What is counted is lost when the
    server ends, which does no harm. Computing knows the client by `work.asking`.

    Args:
        app: what comes after.
        rate: requests a second; 0 for no limit.
    """

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app = app
        self.rate = rate
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        here = _is_here(address)
        asking.set("" if here else address)
        if scope["type"] == "http" and self.rate and not here and not self._allow(address):
            said = Phrase("too many requests: at most {n:g} a second, wait a moment", n=self.rate)
            response = refusal(Request(scope), 429, said, **{"retry-after": "1"})
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _allow(self, address: str) -> bool:
        now, most = time.monotonic(), self.rate * _BURST
        left, when = self._clients.pop(address, (most, now))
        left = min(most, left + (now - when) * self.rate)
        self._clients[address] = (max(0.0, left - 1), now)
        if len(self._clients) > _MAX_CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


class TokenCheck:
    """Refuses changes that come from another site, or without the token of the session.

    A request without a session needs no token: it has nothing that a foreign site could misuse.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (problem := _misuse(request := Request(scope))):
            await refusal(request, 403, problem)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _misuse(request: Request) -> Phrase | None:
    """Why a request that changes something is refused."""
    if request.method in _READING:
        return None
    if request.headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
        return Phrase("this request came from another site; send it from a page of this one")
    session = session_of(request)
    if not session.sent or "id" not in session:
        return None
    given = request.headers.get("x-csrf-token", "").encode("latin-1", "replace")
    if hmac.compare_digest(token_of(request), given):
        return None
    return Phrase("the token of the page is missing or old in X-CSRF-Token: load the page again")


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
