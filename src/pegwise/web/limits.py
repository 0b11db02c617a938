"""Which client sends a request, and how often it may do something."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from threading import Lock
from typing import Final

_MAX_CLIENTS: Final = 10_000  # that are remembered, so that addresses do not fill memory


_NETWORK: Final = 64  # bits of an IPv6 address that tell a client; it chooses the others itself


def client_of(address: str) -> str:
    """What tells a client by its address: an IPv6 address by its network; "" for this machine."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None:
            network = ipaddress.IPv6Network((int(ip), _NETWORK), strict=False)
            return "" if ip.is_loopback else str(network)
        ip = ip.ipv4_mapped
    return "" if ip.is_loopback else str(ip)


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

    def wait(self, client: str) -> int:
        """The seconds until a client may do it again, rounded up."""
        with self._lock:
            missing = 1 - self._allowance(client)
        return max(1, math.ceil(missing / self.rate))

    def reset(self) -> None:
        """Fill all allowances."""
        with self._lock:
            self._clients.clear()

    def _allowance(self, client: str) -> float:
        now = time.monotonic()
        allowance, when = self._clients.get(client, (self.burst, now))
        return min(self.burst, allowance + (now - when) * self.rate)
