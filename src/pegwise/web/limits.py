"""How often a client may do something."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import Final

_MAX_CLIENTS: Final = 10_000


class RateLimiter:
    """Allowances of clients, which refill with time; all are full when the server starts.

    Args:
        rate: how much is refilled in a second.
        burst: the most that an allowance holds.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._lock = Lock()
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether a client may do it once more."""
        with self._lock:
            return self._allowance(client) >= 1

    def take(self, client: str) -> bool:
        """Count one more time for a client; False where it may not do it."""
        with self._lock:
            allowance = self._allowance(client)
            self._clients.pop(client, None)
            self._clients[client] = max(0.0, allowance - 1), time.monotonic()
            if len(self._clients) > _MAX_CLIENTS:
                self._clients.popitem(last=False)
        return allowance >= 1

    def reset(self) -> None:
        """Fill all allowances."""
        with self._lock:
            self._clients.clear()

    def _allowance(self, client: str) -> float:
        now = time.monotonic()
        allowance, when = self._clients.get(client, (self.burst, now))
        return min(self.burst, allowance + (now - when) * self.rate)
