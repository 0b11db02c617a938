"""The signed session, which is the only cookie, and the token that forms and scripts must send.

A session holds an id that nobody can guess, and the language. It is signed, so that it cannot be
forged; scripts of the page cannot read it (HttpOnly). The token is another signature of the id: a
foreign site can make a browser send the cookie, but cannot know the token.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any, Final, cast

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegwise.errors import OutputError, Phrase, system_reason

__all__ = [
    "COOKIE",
    "SessionMiddleware",
    "csrf_token",
    "session_of",
    "signing_secret",
    "token_of",
]

COOKIE: Final = "pegwise"
_MAX_AGE: Final = 180 * 24 * 3600
_SECRET_FILE: Final = "web-secret"


class Session(dict[str, Any]):
    """What a session holds; it knows whether it was changed."""

    changed = False
    sent = False

    def __setitem__(self, key: str, value: Any) -> None:
        self.changed = True
        super().__setitem__(key, value)


def session_of(connection: HTTPConnection) -> Session:
    """The session of a request, empty if there is none yet."""
    return cast(Session, connection.scope["pegwise.session"])


def csrf_token(connection: HTTPConnection) -> str:
    """The token that goes with the session, which is begun if there is none yet."""
    session = session_of(connection)
    if "id" not in session:
        session["id"] = secrets.token_urlsafe(18)
    return token_of(connection).decode()


def token_of(connection: HTTPConnection) -> bytes:
    """The token that goes with a session that was begun, as bytes to compare."""
    signer = cast(Signer, connection.scope["pegwise.signer"])
    return signer.get_signature(str(session_of(connection)["id"]))


class SessionMiddleware:
    """Reads the session from its cookie, and writes it if changed.

    It stands before what refuses requests, which answers in the language of the session; reading
    one takes some microseconds. Who changes anything is looked at later (`guard.TokenCheck`).

    Args:
        app: what comes after.
        secret: what is signed with.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app = app
        self._serializer = URLSafeSerializer(secret, salt="pegwise session")
        self._signer = Signer(secret, salt="pegwise form token")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        session = self._read(HTTPConnection(scope))
        scope["pegwise.session"] = session
        scope["pegwise.signer"] = self._signer

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and session.changed:
                MutableHeaders(scope=message).append("set-cookie", self._cookie(session, scope))
            await send(message)

        await self.app(scope, receive, send_with_cookie)

    def _read(self, connection: HTTPConnection) -> Session:
        session = Session()
        cookie = connection.cookies.get(COOKIE, "")
        if cookie and len(cookie) < 4096:
            try:
                session.update(self._serializer.loads(cookie))
                session.sent = True
            except (BadSignature, TypeError, ValueError):
                pass  # forged, damaged or signed with another secret: as if there were none
        return session

    def _cookie(self, session: Session, scope: Scope) -> str:
        value = self._serializer.dumps(dict(session))
        text = value if isinstance(value, str) else value.decode()
        secure = "; Secure" if scope["scheme"] == "https" else ""
        return f"{COOKIE}={text}; Path=/; Max-Age={_MAX_AGE}; HttpOnly; SameSite=Lax{secure}"


def signing_secret(home: Path) -> str:
    """The secret that is kept in this directory; made when there is none.

    Raises:
        OutputError: it cannot be read or written.
    """
    path = home / _SECRET_FILE
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with open(path, "x", encoding="ascii", opener=_private) as file:
                file.write(secrets.token_urlsafe(32))
        if len(secret := path.read_text(encoding="ascii").strip()) >= 32:
            return secret
    except FileExistsError:
        return signing_secret(home)  # another process was faster
    except (OSError, UnicodeDecodeError) as error:
        why = system_reason(error) if isinstance(error, OSError) else Phrase("not text")
        raise OutputError(
            "cannot keep the secret of sessions in {path}: {why}", path=repr(str(path)), why=why
        ) from error
    raise OutputError(
        "the secret of sessions in {path} is damaged: remove the file", path=repr(str(path))
    )


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
