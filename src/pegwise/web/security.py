"""Middleware of every request: the session, headers of safety, limits, and its origin.

A browser tells where a request comes from. One that changes something is refused where that is
another site; a program that is no browser tells nothing, and has no cookie that could be misused.

Sites that are named may show some pages in a frame. The session of such a page is one of its own:
browsers keep it for that site alone (`Partitioned`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegwise.errors import Phrase
from pegwise.game import WordList
from pegwise.game.words import USUAL_LOOKUP, Lookup, lookup
from pegwise.web.limits import RateLimiter, client_of
from pegwise.web.pages import STAMPED, language_of
from pegwise.web.refusals import RefusedError, refusal, wants_page
from pegwise.web.services import Asker, asker
from pegwise.web.session import COOKIE, MAX_AGE
from pegwise.web.settings import Settings

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""The content-security policy: nothing inline, nothing from elsewhere."""

_HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}

_FRAMED: Final = re.compile(r"/(play|puzzle|room/[^/]+)")  # pages that other sites may frame

_MAX_LIST: Final = 8 << 20  # bytes of a form with a list of words: 4 MiB of text
_BURST: Final = 4.0  # seconds of its rate that a client may use at once

_DRAINED_BYTES: Final = 64 << 20  # bytes that are read at most of a body that is too large
_DRAINED_SECONDS: Final = 10.0  # and for so long
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing


class Guard:
    """Reads the session, refuses what is not allowed, and adds headers to every answer.

    Applications find the session as `request.session`. A client is an address, or a network of
    IPv6 addresses; this machine itself is not limited. A page that sets a header itself keeps it.
    A redirection stays on the host that was asked.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        secret: str,
        find_words: Callable[[str, str], WordList | None] = USUAL_LOOKUP.words,
    ) -> None:
        self._app = app
        self._sessions = {
            scheme: SessionMiddleware(
                self._guard, secret, COOKIE, MAX_AGE, https_only=scheme == "https"
            )
            for scheme in ("http", "https")
        }
        self._framed_by = settings.frame
        self._max_body = settings.max_body
        self._requests = RateLimiter(settings.rate, settings.rate * _BURST)
        self._lookup = Lookup(find_words, files=False)  # visitors name no file of this machine

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["session"].get("framed"):
                headers = MutableHeaders(scope=message)
                if cookie := headers.get("set-cookie"):
                    headers["set-cookie"] = cookie.replace(
                        "samesite=lax", "samesite=none; partitioned"
                    )
            await send(message)

        await self._sessions[scope["scheme"]](scope, receive, send_with_cookie)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        client = client_of(scope["client"][0] if scope.get("client") else "")
        asker.set(Asker(client, request.method == "GET" and wants_page(request)))
        lookup.set(self._lookup)
        newcomer, answered = not request.session, False
        may_be_framed = bool(self._framed_by and _FRAMED.fullmatch(scope["path"]))
        if may_be_framed and scope["scheme"] == "https" and _in_frame(request):
            request.session["framed"] = True
        language_of(request)  # the session keeps what the address asks for, wherever it leads

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if answered:  # HEAD, to which nothing but the headers is sent
                return
            if message["type"] == "http.response.start":
                if message["status"] >= 400 and newcomer:
                    request.session.clear()  # a browser may have one that it did not send
                headers = MutableHeaders(scope=message)
                if location := headers.get("location"):
                    headers["location"] = _within(location)
                if may_be_framed and "x-frame-options" not in headers:
                    sites = " ".join(self._framed_by)
                    policy = POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {sites}")
                    headers.setdefault("content-security-policy", policy)
                else:
                    headers.setdefault("x-frame-options", "DENY")
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                path, exists = scope["path"], message["status"] < 400
                headers.setdefault(
                    "cache-control",
                    "public, max-age=31536000, immutable"
                    if path.startswith(f"{STAMPED}/") and exists
                    else "no-cache"
                    if path.startswith("/static/")
                    else "no-store",
                )
            await send(message)
            if request.method == "HEAD":
                answered = True
                await send({"type": "http.response.body"})

        app = self._app
        try:
            self._check_rate(scope["path"], client)
            if "\0" in scope["path"]:  # PostgreSQL takes none in a text
                raise RefusedError(400, Phrase("an address must not contain the character NUL"))
            if scope["method"] not in _READING:
                receive = await self._read_body(scope, receive)
                _check_origin(request)
        except RefusedError as error:
            app = refusal(request, error)
        except ConnectionError:
            return  # the client has gone
        if request.method == "HEAD":  # what GET would answer, without its body
            scope = {**scope, "method": "GET"}
        await app(scope, receive, send_with_headers)

    def _check_rate(self, path: str, client: str) -> None:
        # the files of pages are not counted: a class that opens a page at once has one address
        if not (client and self._requests.rate) or path.startswith("/static/"):
            return
        if not self._requests.take(client):
            sentence = Phrase(
                "too many requests: at most {n:g} a second, wait a moment", n=self._requests.rate
            )
            raise RefusedError(429, sentence, **{"retry-after": str(self._requests.wait(client))})

    async def _read_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read a body up to the limit; it is given to whoever asks for it.

        What is sent beyond the limit is read for a while and thrown away: a client that sends all
        before it reads would lose the answer where the connection is closed too early.
        """
        most = self._max_body if scope["path"] != "/words" else max(_MAX_LIST, self._max_body)
        sentence = Phrase("the body of this request is too large: at most {n:,} bytes", n=most)
        refused = RefusedError(413, sentence, connection="close")
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        if "expect" in headers and length.isdigit() and int(length) > most:
            raise refused  # the client waits for it before it sends
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                if more:
                    await _drain(receive)
                raise refused
        unread: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def replay() -> Message:
            return unread.pop() if unread else await receive()

        return replay


def _in_frame(request: Request) -> bool:
    """Whether a browser shows the answer in a frame, as it says."""
    return request.headers.get("sec-fetch-dest") in {"iframe", "frame"}


def _within(location: str) -> str:
    """Where a redirection leads, on the host that was asked: whatever its header says."""
    parts = urlsplit(location)
    return urlunsplit(("", "", f"/{parts.path.lstrip('/')}", parts.query, parts.fragment))


def _check_origin(request: Request) -> None:
    """Refuse what a page of another site sends.

    Browsers tell this by `Sec-Fetch-Site`; at plain addresses of a local network, where they leave
    it out, by `Origin`.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is None and origin is not None:
        same = urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    else:
        same = site in {None, "same-origin", "none"}
    if not same:
        raise RefusedError(
            403, Phrase("this request came from another site; send it from a page of this one")
        )


async def _drain(receive: Receive) -> None:
    """Read what a client still sends, up to a limit of size and time."""
    budget = _DRAINED_BYTES
    with anyio.move_on_after(_DRAINED_SECONDS):
        while budget > 0:
            message = await receive()
            budget -= len(message.get("body", b""))
            if not message.get("more_body", False):  # its end, or the client's
                return
