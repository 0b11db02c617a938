"""What requests share: settings, the database, and the processes that compute."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, cast

from fastapi import Depends
from starlette.requests import Request

from pegwise.game import Rules
from pegwise.web.games import Recent
from pegwise.web.i18n import language_of
from pegwise.web.jobs import Foreman
from pegwise.web.races import Races
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage
from pegwise.web.work import Line

__all__ = ["Services", "Shared", "Spoken", "services"]

_QUICK_PEGS: Final = 10
_QUICK_GUESSES: Final = 50_000
_SLOW: Final = {"constraint", "forget-entropy", "forget-minimax", "optimal", "optimal-worst"}
"""Strategies that may take seconds also on small boards."""


@dataclass(frozen=True, slots=True)
class Services:
    """What requests share.

    Attributes:
        settings: what the server was told.
        storage: the database.
        quick: the line for questions on small boards.
        slow: the line for questions that may take long.
        explore: the line for the pages Race and Tree.
        foreman: gives jobs to processes.
        races: all races.
        recent: games as they were last seen.
    """

    settings: Settings
    storage: Storage
    quick: Line
    slow: Line
    explore: Line
    foreman: Foreman
    races: Races
    recent: Recent = field(default_factory=Recent)

    def line_for_counting(self, rules: Rules) -> Line:
        """Where the codes of a board are counted."""
        return self.quick if rules.pegs <= _QUICK_PEGS else self.slow

    def line_for_advice(self, rules: Rules, strategy: str = "") -> Line:
        """Where a strategy is asked for its next guess; the board's default one for ""."""
        name = strategy.partition(":")[0].strip()
        quick = rules.n_guesses <= _QUICK_GUESSES and name not in _SLOW
        return self.quick if quick else self.slow


async def services(request: Request) -> Services:
    """What requests share (async, so that no thread is needed to say it)."""
    return cast(Services, request.app.state.services)


Shared = Annotated[Services, Depends(services)]
"""What requests share, as a parameter of a route."""


async def _spoken(request: Request) -> str:
    return language_of(request)


Spoken = Annotated[str, Depends(_spoken)]
"""The language of the request, as a parameter of a route."""
