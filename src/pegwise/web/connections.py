"""How long a client may take for a request, and how many connections there may be."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pegwise.web.security import is_loopback
from pegwise.web.settings import Settings

if sys.platform != "win32":
    import resource

_BYTES: Final = 16_384  # of a body that buy another second
_FILES: Final = 65_536  # most files that the server asks to have open


def allow_connections() -> None:
    """Let this process have as many files open, and so connections, as the system allows it.

    What a shell allows at first, often 1024, is what a few clients may use up.
    """
    if sys.platform == "win32":
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(most, _FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def limited_protocol(settings: Settings) -> type[asyncio.Protocol]:
    """The protocol of a server that nobody can occupy with requests that never end.

    A connection is closed whose request is not complete after `settings.patience` seconds, and a
    second for each 16 KiB of its body. An address has `settings.connections` at most; a proxy on
    this machine is not limited.
    """
    connected: Counter[str] = Counter()

    class LimitedProtocol(HttpToolsProtocol):
        _address = ""
        _due: float | None = None  # when the request has to be complete

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            connected[self._address] += 1
            limited = not is_loopback(self._address)
            if limited and connected[self._address] > settings.connections:
                transport.abort()
            else:
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._due = None
            connected.subtract([self._address])
            if not connected[self._address]:
                del connected[self._address]
            super().connection_lost(exc)

        def on_message_begin(self) -> None:
            if self._due is None:
                self._expect()
            super().on_message_begin()

        def on_body(self, body: bytes) -> None:
            if self._due is not None:
                self._due += len(body) / _BYTES
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._due = None
            super().on_message_complete()

        def _expect(self) -> None:
            self._due = self.loop.time() + settings.patience
            self.loop.call_at(self._due, self._look, self._due)

        def _look(self, due: float) -> None:
            """Close the connection if the request that was expected then has not come."""
            if self._due is None or self._due < due:
                return
            if self.loop.time() < self._due:
                self.loop.call_at(self._due, self._look, due)
            else:
                self.transport.abort()

    return LimitedProtocol
