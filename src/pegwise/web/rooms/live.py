"""Rooms as they are watched, and reports on their rounds.

A room is read about once a second, however many watch it. A report has guesses above best play,
first guesses, and what strategies need.
"""

from __future__ import annotations

import asyncio
import time
import traceback
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from pegwise.arena.results import csv_text
from pegwise.errors import PegwiseError
from pegwise.game import Record, Rules, Turn, parse_code, parse_mark
from pegwise.web.pages import server_event
from pegwise.web.rooms.play import RoomGame, RoomResults, RoomSummary, summary
from pegwise.web.storage import BusyError, NotFoundError, NotYoursError, Storage

_STEP: Final = 1.0  # seconds between two looks at a room
_SILENCE: Final = 15.0  # seconds without news after which a comment keeps the connection open
_MAX_REPORTS: Final = 200
_MAX_WRONG: Final = 60  # codes without a room that a client may try in a minute
_MAX_CLIENTS: Final = 10_000
_SEARCHING: Final = 2.0  # seconds for what best play needs in the positions of one game
STRATEGIES: Final = ("knuth", "entropy", "optimal")


class GameCost(BaseModel):
    """What the guesses of a game cost against best play: in guesses, else in bits.

    `first` is how many bits the first guess could be expected to tell. Null is not known.
    """

    above: float | None = None
    unit: str | None = None
    first: float | None = None


class RoomReport(BaseModel):
    """The report on a round: costs by the number of the pupil, and guesses that strategies need.

    `needed` has for each code the number of guesses by strategy.
    """

    complete: bool = False
    costs: dict[int, GameCost] = {}
    needed: dict[str, dict[str, int]] = {}


# What a process computes.


def game_cost(rules: Rules, game: RoomGame) -> GameCost:
    """What the guesses of a game cost."""
    from pegwise.coach import review
    from pegwise.search.exact import timed_solver

    turns = [
        Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in game.turns
    ]
    record = Record.of_turns(rules, turns, parse_code(game.secret or "", rules))
    try:
        reviewed = review(record, solver=timed_solver(_SEARCHING))
    except PegwiseError:
        return GameCost()  # too large
    first = reviewed.turns[0].played.bits if reviewed.turns else None
    if "bits" in reviewed.costs:  # not all of it is known in guesses
        return GameCost(above=reviewed.cost, unit="bits", first=first)
    unit = next(iter(reviewed.costs), None)
    return GameCost(above=reviewed.costs[unit] if unit else None, unit=unit, first=first)


def guesses_needed(rules: Rules, secret: str) -> dict[str, int]:
    """How many guesses strategies need for a code, of those that play it at once."""
    from pegwise.game import mastermind
    from pegwise.strategies import is_slow, load
    from pegwise.trees import play

    game, needed = mastermind(rules), {}
    for name in STRATEGIES:
        strategy = load(name)
        with suppress(PegwiseError):
            if not is_slow(strategy, game):
                needed[name] = len(play(strategy, game, parse_code(secret, rules)))
    return needed


def as_csv(rounds: Sequence[tuple[RoomResults, RoomReport]]) -> str:
    """All rounds as comma-separated values, a game a line."""
    rows = []
    for results, report in rounds:
        for game in results.games:
            cost = report.costs.get(game.number, GameCost())
            above = "" if cost.above is None else f"{cost.above:.4f}"
            turns = ",".join(f"{turn.guess}:{turn.mark}" for turn in game.turns)
            # a spreadsheet takes what begins with such a sign for a formula
            name = f"'{game.name}" if game.name[0] in "=+-@" else game.name
            figures = [len(game.turns), game.solved, above, cost.unit]
            rows.append([results.round, name, *figures, game.secret, turns])
    return csv_text(["round", "name", "guesses", "solved", "above", "unit", "code", "turns"], rows)


# Who watches.


@dataclass(eq=False, slots=True)
class _Watched:
    """A room that is watched; `changed` is set, and replaced, at every change."""

    watchers: int = 0
    looking: asyncio.Task[None] | None = None
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    seen: RoomSummary | None = None
    texts: tuple[str, str] = ("", "")  # what pupils are told, and what the teacher is told
    gone: bool = False

    def notify(self) -> None:
        """Let all watchers look."""
        self.changed.set()
        self.changed = asyncio.Event()


class Rooms:
    """What a process shares of rooms: who watches them, reports, and wrong codes of clients.

    `ask` has a function called in a worker.
    """

    def __init__(self, storage: Storage, ask: Callable[..., Awaitable[Any]]) -> None:
        self.closed = False  # whether the server is ending
        self._storage = storage
        self._ask = ask
        self._watched: dict[str, _Watched] = {}
        self._reports: OrderedDict[tuple[str, int], RoomReport] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()

    async def follow(self, code: str, *, owner: bool, seen: str) -> AsyncIterator[str]:
        """Events with the state of a room, whenever it is another than the one that was seen."""
        watched = self._watched.setdefault(code, _Watched())
        watched.watchers += 1
        if watched.looking is None:
            watched.looking = asyncio.create_task(self._look(code, watched))
        try:
            yield "retry: 1000\n\n"
            while not watched.gone:
                changed, text = watched.changed, watched.texts[owner]
                stamp = f"{zlib.crc32(text.encode()):08x}"
                if text and stamp != seen:
                    seen = stamp
                    yield server_event("progress", text, stamp)
                try:
                    async with asyncio.timeout(_SILENCE):
                        await changed.wait()
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            watched.watchers -= 1
            if not watched.watchers:
                watched.looking.cancel()
                self._watched.pop(code, None)

    async def _look(self, code: str, watched: _Watched) -> None:
        """Read a room as long as it is watched."""
        while not watched.gone:
            watched.wake.clear()
            try:
                state = await self._storage.do(summary, code)
                report = self._reports.get((code, state.round))
                state.complete = report is not None and report.complete
                if state != watched.seen:
                    pupils = state.model_dump_json(exclude={"board"})
                    watched.seen, watched.texts = state, (pupils, state.model_dump_json())
                    watched.notify()
            except NotFoundError:
                watched.gone = True
                watched.notify()
            except Exception:  # the database may be away for a moment
                traceback.print_exc()
            with suppress(TimeoutError):
                await asyncio.wait_for(watched.wake.wait(), _STEP)
            if self.closed:
                watched.gone = True
                watched.notify()

    def wake(self, code: str) -> None:
        """Look at a room now."""
        if watched := self._watched.get(code):
            watched.wake.set()

    def report(self, code: str, rules: Rules, results: RoomResults) -> RoomReport:
        """The report on a round as far as it is computed; asked first, it begins."""
        key = code, results.round
        if key not in self._reports:
            report = self._reports[key] = RoomReport()
            if len(self._reports) > _MAX_REPORTS:
                self._reports.popitem(last=False)
            task = asyncio.create_task(self._compute(code, rules, results, report))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return self._reports[key]

    async def _compute(
        self, code: str, rules: Rules, results: RoomResults, report: RoomReport
    ) -> None:
        games = [game for game in results.games if game.secret]
        questions: list[tuple[dict[Any, Any], Any, Callable[..., Any], Any]]
        questions = [(report.needed, game.secret, guesses_needed, game.secret) for game in games]
        questions += [(report.costs, game.number, game_cost, game) for game in games]
        for answers, key, function, about in questions:
            try:
                if key not in answers:
                    answers[key] = await self._ask(function, rules, about)
            except PegwiseError:
                continue  # too large, or too busy
            except Exception:
                traceback.print_exc()
        report.complete = True
        self.wake(code)

    def forget(self, code: str) -> None:
        """Drop the reports on a room that is deleted."""
        for key in [key for key in self._reports if key[0] == code]:
            del self._reports[key]
        self.wake(code)

    @contextmanager
    def counting(self, client: str, *, joins: bool = False) -> Iterator[None]:
        """Count codes without a room that a client tries; BusyError where they are too many.

        Those who are in a room go on, since a class may have one address.
        """
        now = time.monotonic()
        since, count = self._wrong.get(client, (now, 0))
        if now - since > 60:
            since, count = now, 0
        too_many = BusyError("too many codes that are of no room: try again in a minute")
        exhausted = bool(client) and count >= _MAX_WRONG
        if exhausted and joins:
            raise too_many
        try:
            yield
        except (NotFoundError, NotYoursError) as error:
            if exhausted:
                raise too_many from None
            if isinstance(error, NotFoundError):
                self._wrong[client] = since, count + 1
                if len(self._wrong) > _MAX_CLIENTS:
                    self._wrong.popitem(last=False)
            raise
