"""What stands before every request: the session, headers of safety, limits, and the token.

A session holds an id that nobody can guess, and the language. It is the only cookie. It is signed,
so that it cannot be forged; scripts of the page cannot read it (HttpOnly). Forms and scripts must
send a token, which is another signature of the id: a foreign site can make a browser send the
cookie, but cannot know the token.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import anyio
from itsdangerous import Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegwise.errors import OutputError, PegwiseError, Phrase, quoted, system_reason
from pegwise.game import WordList
from pegwise.game.words import other_words
from pegwise.i18n import translated
from pegwise.paths import make_home
from pegwise.web import Settings
from pegwise.web.pages import language_of, render
from pegwise.web.services import current_client, for_page

COOKIE: Final = "pegwise"
_MAX_AGE: Final = 180 * 24 * 3600
_SECRET_FILE: Final = "web-secret"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
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

_MAX_LIST: Final = 8 << 20  # bytes of a form with a list of words: 4 MiB of text
_BURST: Final = 4.0  # seconds of its rate that a client may use at once
_MAX_CLIENTS: Final = 10_000

_DRAINED_BYTES: Final = 64 << 20  # of a body that is too large, so many bytes are read at most
_DRAINED_SECONDS: Final = 10.0  # and for so long
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing


class RefusedError(PegwiseError):
    """A request is refused: status, sentence, headers of the answer."""

    def __init__(self, status: int, sentence: Phrase, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers


class Guard:
    """Reads the session, refuses what is not allowed, and adds headers to every answer.

    Applications find the session as `request.session`, and in their scope `csrf_token`, a function
    that begins a session if there is none and returns its token.

    A client is an address; this machine itself is not limited. Rates are lost when the server
    ends, which does no harm. A request without a session needs no token: it has nothing that a
    foreign site could misuse. A page that sets a header itself keeps it.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        secret: str,
        find_words: Callable[[str, str], WordList | None] | None = None,
    ) -> None:
        self._app = app
        self._sessions = {
            scheme: SessionMiddleware(
                self._guard, secret, COOKIE, _MAX_AGE, https_only=scheme == "https"
            )
            for scheme in ("http", "https")
        }
        self._signer = Signer(secret, salt="pegwise form token")
        self._rate, self._max_body = settings.rate, settings.max_body
        self._hosts = settings.hosts
        self._find_words = find_words
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._sessions[scope["scheme"]] if scope["type"] == "http" else self._app
        await app(scope, receive, send)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        scope["csrf_token"] = lambda: self._token(request.session)
        for_page.set(request.method == "GET" and _wants_page(request))
        other_words.set(self._find_words)
        language_of(request)  # the session keeps what the address asks for, wherever it leads
        answered = False

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if answered:  # HEAD, to which nothing but the headers is sent
                return
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                # a static file is asked for again, since scripts import others without a version
                static = scope["path"].startswith("/static/")
                headers.setdefault("cache-control", "no-cache" if static else "no-store")
            await send(message)
            if request.method == "HEAD":
                answered = True
                await send({"type": "http.response.body"})

        app = self._app
        try:
            self._check_rate(scope)
            self._check_host(request)
            if "\0" in scope["path"]:  # PostgreSQL takes none in a text
                raise RefusedError(400, Phrase("an address must not contain the character NUL"))
            if scope["method"] not in _READING:
                body, receive = await self._check_body(scope, receive)
                self._check_token(request, body)
        except RefusedError as error:
            app = refusal(request, error)
        except ConnectionError:
            return  # the client has gone
        if request.method == "HEAD":  # what GET would answer, without its body
            scope = {**scope, "method": "GET"}
        await app(scope, receive, send_with_headers)

    def _token(self, session: dict[str, Any]) -> str:
        if "id" not in session:
            session["id"] = secrets.token_urlsafe(18)
        return self._signer.get_signature(str(session["id"])).decode()

    def _check_rate(self, scope: Scope) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        local = is_loopback(address)
        current_client.set("" if local else address)
        # the files of pages are not counted: a class that opens a page at once has one address
        if local or not self._rate or scope["path"].startswith("/static/"):
            return
        now, most = time.monotonic(), self._rate * _BURST
        allowance, when = self._clients.pop(address, (most, now))
        allowance = min(most, allowance + (now - when) * self._rate)
        self._clients[address] = (max(0.0, allowance - 1), now)
        if len(self._clients) > _MAX_CLIENTS:
            self._clients.popitem(last=False)
        if allowance < 1:
            sentence = Phrase(
                "too many requests: at most {n:g} a second, wait a moment", n=self._rate
            )
            raise RefusedError(429, sentence, **{"retry-after": "1"})

    def _check_host(self, request: Request) -> None:
        host = request.url.hostname or ""
        if self._hosts and host not in self._hosts:
            raise RefusedError(400, Phrase("this server is not called {host}", host=quoted(host)))

    async def _check_body(self, scope: Scope, receive: Receive) -> tuple[bytes, Receive]:
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

        return bytes(body), replay

    def _check_token(self, request: Request, body: bytes) -> None:
        if request.headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
            sentence = Phrase(
                "this request came from another site; send it from a page of this one"
            )
            raise RefusedError(403, sentence)
        if "id" not in request.session:
            return
        token = request.headers.get("x-csrf-token", "").encode("latin-1", "replace")
        if request.headers.get("content-type") == "application/x-www-form-urlencoded":
            # a form of a page sends it as its first field
            fields = dict(parse_qsl(body[:1000].decode("latin-1")))
            token = fields.get("csrf_token", "").encode("latin-1", "replace") or token
        if not hmac.compare_digest(self._token(request.session).encode(), token):
            sentence = Phrase(
                "the token of the page is missing or old in X-CSRF-Token: load the page again"
            )
            raise RefusedError(403, sentence)


async def _drain(receive: Receive) -> None:
    """Read what a client still sends, up to a limit of size and time."""
    budget = _DRAINED_BYTES
    with anyio.move_on_after(_DRAINED_SECONDS):
        while budget > 0:
            message = await receive()
            budget -= len(message.get("body", b""))
            if not message.get("more_body", False):  # its end, or the client's
                return


def is_loopback(address: str) -> bool:
    """Whether an address is that of this machine itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def refusal(request: Request, error: PegwiseError) -> Response:
    """A page for people who look at pages, else `{"detail": sentence}`, in their language."""
    status, headers = getattr(error, "status", 422), getattr(error, "headers", {})
    if not _wants_page(request):
        text = translated(error.phrase.unadvised, language_of(request))
        return JSONResponse({"detail": text}, status, headers)
    again = "/" if status == 404 else request.url.path
    if status == 429 and request.url.query:
        again = f"{again}?{request.url.query}"
    response = render(request, "error", error=error, again=again, waits="refresh" in headers)
    response.headers.update(headers)
    return response


def _wants_page(request: Request) -> bool:
    """Whether a person looks at the answer."""
    page = not request.url.path.startswith(("/api/", "/static/"))
    return page and "text/html" in request.headers.get("accept", "")


def signing_secret(home: Path) -> str:
    """The secret that is stored in this directory; made when there is none."""
    path = home / _SECRET_FILE
    try:
        if not path.exists():
            make_home(home)
            private = partial(os.open, mode=0o600)
            # another process may be faster
            with suppress(FileExistsError), open(path, "x", opener=private) as file:
                file.write(secrets.token_urlsafe(32))
        secret = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = system_reason(error) if isinstance(error, OSError) else Phrase("not text")
        raise OutputError(
            "cannot keep the secret of sessions in {path}: {why}", path=repr(str(path)), why=why
        ) from error
    if len(secret) < 32:
        raise OutputError(
            "the secret of sessions in {path} is damaged: remove the file", path=repr(str(path))
        )
    return secret
