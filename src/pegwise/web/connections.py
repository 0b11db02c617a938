"""How long a request may take, how much may come before its body, and how many connections."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pegwise.web.limits import client_of
from pegwise.web.settings import Settings

if sys.platform != "win32":
    import resource

_BYTES: Final = 16_384  # of a body that buy another second
_HEAD: Final = 65_536  # most bytes in a row that belong to no body
_REFUSED_SECONDS: Final = 1.0  # for a client to read that its request is refused
_DRAINED: Final = 1 << 20  # bytes that it may send meanwhile
_TOO_LARGE: Final = b"""HTTP/1.1 431 Request Header Fields Too Large\r
content-type: text/plain; charset=utf-8\r
content-length: 60\r
connection: close\r
\r
the head of this request is too large: at most 65,536 bytes
"""
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
    second for each 16 KiB of its body. So is one that sends more than 64 KiB without reaching the
    body or its end: a parser holds all of that. An address has `settings.connections` at most; a
    proxy on this machine is not limited.
    """
    connected: Counter[str] = Counter()

    class LimitedProtocol(HttpToolsProtocol):
        _address = ""
        _head = 0  # bytes since the last headers, piece of a body or request was complete
        _refused = False
        _due: float | None = None  # when the request has to be complete

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = client_of(self.client[0] if self.client else "")
            connected[self._address] += 1
            if self._address and connected[self._address] > settings.connections:
                transport.abort()
            else:
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._due = None
            connected.subtract([self._address])
            if not connected[self._address]:
                del connected[self._address]
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self._head += len(data)
            if self._refused:  # a client that sends all before it reads would lose the answer
                if self._head > _DRAINED:
                    self.transport.abort()
                return
            super().data_received(data)
            if self._head > _HEAD:
                self._refuse()

        def on_message_begin(self) -> None:
            if self._due is None:
                self._expect()
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            self._head = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._head = 0
            if self._due is not None:
                self._due += len(body) / _BYTES
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._due = None
            self._head = 0
            super().on_message_complete()

        def _refuse(self) -> None:
            """Answer that there is too much, unless an answer is under way, and close."""
            self._refused, self._due = True, None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(_TOO_LARGE)
                self.transport.write_eof()
                self.loop.call_later(_REFUSED_SECONDS, self.transport.abort)
            else:
                self.transport.abort()

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
