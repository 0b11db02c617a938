"""Services of requests: settings, the database, and the worker processes.

The server itself only marks guesses and reads the database, so that it answers at once whatever
is computed. Questions of waiting people and jobs are computed by workers, with limits of time and
memory.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, NamedTuple, TypeVar, cast

from fastapi import Depends
from pebble import ProcessExpired
from starlette.requests import Request

from pegwise.coach.advice import Adviser, default_strategy
from pegwise.compute.workers import WorkerPool, do_nothing
from pegwise.errors import PegwiseError, TooLargeError
from pegwise.game import Code, Game, Mark, Turn, game_of
from pegwise.knowledge import candidates, limit_states
from pegwise.search.kernels import use_kernels
from pegwise.strategies.entrants import Limits
from pegwise.strategies.registry import Offer, cards, offer, offers_of
from pegwise.web.games import GameCache
from pegwise.web.jobs import MEMORY, JobRunner
from pegwise.web.limits import RateLimiter
from pegwise.web.pages import language_of
from pegwise.web.rooms.live import Rooms
from pegwise.web.session import visitor_id
from pegwise.web.settings import Settings
from pegwise.web.storage import BusyError, Storage

Answer = TypeVar("Answer")


class Asker(NamedTuple):
    """Who asks: the address of a client, or "" for this machine, which may fill a queue.

    `for_page` tells whether it asks for a page, which may also say that it follows.
    """

    client: str = ""
    for_page: bool = False


_THIS_MACHINE: Final = Asker()

asker: ContextVar[Asker] = ContextVar("asker", default=_THIS_MACHINE)
"""Who asks in this task."""

_MAX_WAITING: Final = 64  # questions that wait at most, of all clients
_MAX_OF_CLIENT: Final = 8  # and of a single one
_COMPILING_SECONDS: Final = 300.0  # seconds in which kernels that a question needs may be compiled
_PAGE: Final = 2.0  # seconds after which a page may say what it waits for
_LOOK: Final = 0.1  # seconds between two looks whether a question has taken too long
_STATES: Final = 400_000  # of half a code, as `knowledge.counting` counts: they take some seconds
# seconds for what best play needs in the positions of one question; beyond, it is estimated
SEARCHING: Final = 4.0
_ENTRANT_MEMORY: Final = 1 << 30  # bytes that a file or a program of others may take
_QUICK_PEGS: Final = 10  # of boards whose codes the quick pool counts
_QUICK_GUESSES: Final = 50_000  # of games for which the quick pool proposes guesses
_SLOW: Final = {"slow", "slow-guess"}
"""Traits of strategies that may take seconds also on small boards."""


class TooLongError(TooLargeError):
    """A computation took longer than it may."""


class CompilingError(PegwiseError):
    """A kernel that a page needs is being compiled; the browser asks again after some seconds."""

    status = 202
    headers: Final = {"refresh": "3", "retry-after": "3"}


class StoppingError(PegwiseError):
    """The server stops before a question is answered."""

    status = 503


def fallback_strategy(rules: Game) -> str:
    """The strategy that proposes any code that fits, where another one takes too long."""
    return "first" if rules.board is None else "constraint"


class QuestionWorkers:
    """Workers that answer questions of waiting people."""

    def __init__(self, workers: int, seconds: float, prepare: Callable[[], None]) -> None:
        self.seconds = seconds
        self._pool = WorkerPool(workers, MEMORY, prepare)
        self._waiting: Counter[str] = Counter()

    async def start(self) -> None:
        """Start the workers, and wait until one of them answers."""
        with suppress(PegwiseError):
            await self.ask(do_nothing)

    async def ask(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a function with these arguments in a worker."""
        client = asker.get().client
        self._tell_page()
        if self._waiting.total() >= _MAX_WAITING:
            raise BusyError("many people are computing at this moment: try again in some seconds")
        if client and self._waiting[client] >= _MAX_OF_CLIENT:
            raise BusyError(
                "{most} questions of yours wait already: wait for an answer", most=_MAX_OF_CLIENT
            )
        self._waiting[client] += 1
        # who no longer waits does not end the worker, but the limit does; so long it counts
        answer = asyncio.ensure_future(self._compute(function, *arguments))
        answer.add_done_callback(partial(self._note_answered, client))
        while not (await asyncio.wait([answer], timeout=_PAGE))[0]:
            self._tell_page()
        return cast(Answer, answer.result())

    def _note_answered(self, client: str, answer: asyncio.Future[Any]) -> None:
        self._waiting -= Counter([client])  # forgets clients that do not wait
        _retrieve(answer)

    def close(self) -> None:
        """End all workers at once."""
        self._pool.close()

    @property
    def compiling(self) -> tuple[int, int] | None:
        """While a worker compiles: kernels that are done, and of how many."""
        return self._pool.compiling

    def _tell_page(self) -> None:
        """Let a page say that kernels are compiled, rather than stay blank."""
        if asker.get().for_page and (compiling := self.compiling):
            raise CompilingError(
                "parts of the program are compiled, once on this machine; ready so far: {done}. "
                "This page follows by itself.",
                done=compiling[0],
            )

    async def _compute(self, *task: Any) -> Any:
        # in a thread: the first one waits until workers can start
        future = await asyncio.to_thread(self._pool.ask, *task)
        try:
            await self._wait(future)
            return future.result()
        except CancelledError:
            raise StoppingError("the server stops: ask again when it is back") from None
        except (ProcessExpired, BrokenExecutor, MemoryError):
            raise TooLargeError(
                "this needs more memory than one question may take: choose smaller rules"
            ) from None

    async def _wait(self, future: Future[Any]) -> None:
        """Wait for an answer, so long after a worker began with it, or a kernel was compiled."""
        answer = asyncio.wrap_future(future)
        answer.add_done_callback(_retrieve)
        begun, end, limit = math.inf, math.inf, self.seconds
        while not (await asyncio.wait([answer], timeout=min(_LOOK, limit)))[0]:
            now = time.monotonic()
            if future.running() and begun == math.inf:
                begun, end = now, now + limit
            if self._pool.compiling and now < begun + _COMPILING_SECONDS:
                end = now + limit  # which happens once on a machine
            elif now >= end:
                future.cancel()
                raise TooLongError(
                    "this took longer than {limit:g} seconds: choose smaller rules, or a quicker "
                    "strategy where you chose one",
                    limit=limit,
                )


def _retrieve(answer: asyncio.Future[Any]) -> None:
    """An error is no news where nobody waits any more."""
    if not answer.cancelled():
        answer.exception()


def offers_by(settings: Settings) -> list[Offer]:
    """The entrants that the server's owner has named; InputError as `entrants_of`."""
    seconds = settings.seconds / 4
    return offers_of(settings.strategies, Limits(seconds, _ENTRANT_MEMORY, 2 * seconds))


def prepare_offering(offers: Sequence[Offer], prepare: Callable[[], None]) -> None:
    """In a worker: let entrants be named, then prepare what it needs."""
    offer(offers)
    prepare()


def prepare_quick() -> None:
    """In a worker: load what most questions need."""
    limit_states(_STATES)
    rules, history = game_of("4x6"), [Turn(Code([0, 0, 1, 1]), Mark(1))]
    Adviser(default_strategy(rules), rules).propose(history)
    candidates(rules, history, 10)


def prepare_slow() -> None:
    """In a worker that gives way to others: load what most questions need."""
    prepare_quick()
    _give_way(5)


def compile_all() -> None:
    """In a worker of its own: compile what no question has needed yet."""
    _give_way(15)
    use_kernels()


def _give_way(steps: int) -> None:
    with suppress(OSError, AttributeError):
        os.nice(steps)


@dataclass(frozen=True, slots=True)
class Services:
    """The services that requests share; `recent` are games as they were last seen."""

    settings: Settings
    storage: Storage
    quick: QuestionWorkers  # for small boards
    slow: QuestionWorkers  # for questions that may take long
    explore: QuestionWorkers  # for the pages Race and Tree
    jobs: JobRunner
    rooms: Rooms
    recent: GameCache = field(default_factory=GameCache)
    begins: RateLimiter = field(init=False)  # of games by one client

    def __post_init__(self) -> None:
        rate = self.settings.rate  # a game has some ten requests
        object.__setattr__(self, "begins", RateLimiter(rate / 50, 2 * rate))

    def check_begins(self) -> None:
        """Refuse a client that begins games faster than a class plays them."""
        client = asker.get().client
        if client and self.settings.rate and not self.begins.take(client):
            raise BusyError(
                "you begin too many games: finish one of them, or wait a moment",
                seconds=self.begins.wait(client),
            )

    def pool_for_counting(self, rules: Game) -> QuestionWorkers:
        """Where the codes of a board are counted."""
        return self.quick if rules.pegs <= _QUICK_PEGS else self.slow

    def pool_for_advice(self, rules: Game, strategy: str = "") -> QuestionWorkers:
        """Where a strategy is asked for its next guess; the board's default one for ""."""
        name = strategy.partition(":")[0].strip()
        slow = any(card.id == name and card.traits & _SLOW for card in cards())
        quick = rules.n_guesses <= _QUICK_GUESSES and not slow
        return self.quick if quick else self.slow

    def close_questions(self) -> None:
        """Answer no more questions; those that wait are refused, and nobody watches a room."""
        self.rooms.closed = True
        for pool in (self.quick, self.slow, self.explore):
            pool.close()

    def close(self) -> None:
        """End all workers and connections."""
        self.jobs.close()
        self.close_questions()
        self.storage.close()

    @property
    def compiling(self) -> tuple[int, int] | None:
        """While kernels are compiled for a question: how many are done, and of how many."""
        return self.quick.compiling or self.slow.compiling or self.explore.compiling


# What a route takes as parameters; these functions are async, so that they need no thread.


async def _services(request: Request) -> Services:
    return cast(Services, request.app.state.services)


async def _language(request: Request) -> str:
    return language_of(request)


async def _player(request: Request) -> str | None:
    return request.session.get("id")


async def _visitor(request: Request) -> str:
    return visitor_id(request)


Shared = Annotated[Services, Depends(_services)]
Spoken = Annotated[str, Depends(_language)]
Player = Annotated[str | None, Depends(_player)]  # the session, whose games and races are listed
Visitor = Annotated[str, Depends(_visitor)]  # begins a session where there is none


def client_name() -> str:
    """By what name races and trees of the client that asks are stored."""
    return asker.get().client or "this machine"
