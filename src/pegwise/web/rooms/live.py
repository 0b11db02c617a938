"""Rooms as they are watched, and reports on their rounds.

A room is read about once a second, however many watch it. A report has guesses above best play,
first guesses, and what strategies need.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Annotated, Any, Final
from weakref import WeakValueDictionary

from pydantic import BaseModel, Field

from pegwise.coach.review import review
from pegwise.errors import PegwiseError, Phrase
from pegwise.game import Game, Turn, game_of, parse_code
from pegwise.i18n import SOURCE, translated
from pegwise.playing import Record
from pegwise.reading import parse_mark
from pegwise.search.solver import best_play_within
from pegwise.strategies import load
from pegwise.trees import play
from pegwise.web.limits import RateLimiter
from pegwise.web.pages import Look
from pegwise.web.rooms.turns import RoomGame, RoomResults, summary
from pegwise.web.spreadsheet import spreadsheet
from pegwise.web.storage import BusyError, NotFoundError, NotYoursError, Storage

STEP: Final = 1.0  # seconds between two looks at a room
_MAX_REPORTS: Final = 200  # reports on rounds that stay in memory
_MAX_WRONG: Final = 10  # codes without a room that a visitor may try in a minute
_MAX_WRONG_CLIENT: Final = 120  # that all visitors of a client may
_SEARCHING: Final = 2.0  # seconds for what best play needs in the positions of one game
STRATEGIES: Final = ("knuth", "entropy", "optimal")
_HEADS: Final = (
    Phrase("round"),
    Phrase("name"),
    Phrase("guesses"),
    Phrase("solved"),
    Phrase("above"),
    Phrase("unit"),
    Phrase("code"),
    Phrase("turns"),
)
_UNITS: Final = {"guesses": Phrase("guesses"), "bits": Phrase("bits")}
_ANSWERS: Final = {
    "right": Phrase("right answer"),
    "wrong": Phrase("wrong"),
    "skipped": Phrase("skipped"),
}
"""How the answers to puzzles are marked."""


class GameCost(BaseModel):
    """Cost of the guesses of a game against best play: in guesses, else in bits.

    A game that was not finished has no cost: what it would have cost is not known. `first` is how
    many bits the first guess could be expected to tell. Null is not known.
    """

    excess: Annotated[float | None, Field(serialization_alias="above")] = None
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


def game_cost(rules: Game, game: RoomGame) -> GameCost:
    """Cost of the guesses of a game."""
    turns = [
        Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in game.turns
    ]
    record = Record.of_turns(rules, turns, parse_code(game.secret or "", rules))
    try:
        reviewed = review(record, solver=best_play_within(_SEARCHING))
    except PegwiseError:
        return GameCost()  # too large
    first = reviewed.turns[0].played.bits if reviewed.turns else None
    if not game.over:
        return GameCost(first=first)
    if "bits" in reviewed.costs:  # not all of it is known in guesses
        return GameCost(excess=reviewed.cost, unit="bits", first=first)
    unit = next(iter(reviewed.costs), None)
    return GameCost(excess=reviewed.costs[unit] if unit else None, unit=unit, first=first)


def guesses_needed(rules: Game, secret: str) -> dict[str, int]:
    """How many guesses strategies need for a code, of those that play it at once."""
    game, needed = game_of(rules), {}
    for name in STRATEGIES:
        strategy = load(name)
        with suppress(PegwiseError):
            if not strategy.is_slow(game):
                needed[name] = len(play(game, strategy, parse_code(secret, rules)))
    return needed


def as_csv(rounds: Sequence[tuple[RoomResults, RoomReport]], language: str = SOURCE) -> str:
    """All rounds as a spreadsheet of a language reads them, a game a line."""
    rows: list[Sequence[object]] = []
    for results, report in rounds:
        for game in results.games:
            cost = report.costs.get(game.number, GameCost())
            turns = ",".join(f"{turn.guess}:{_mark(turn.mark, language)}" for turn in game.turns)
            unit = translated(_UNITS[cost.unit], language) if cost.unit in _UNITS else cost.unit
            figures = [len(game.turns), game.solved, cost.excess, unit]
            rows.append([results.round, game.name, *figures, game.secret, turns])
    return spreadsheet([translated(head, language) for head in _HEADS], rows, language)


def _mark(mark: str, language: str) -> str:
    """A mark in the spreadsheet of a language; the English one has the words of the program."""
    return mark if language == SOURCE else translated(_ANSWERS.get(mark, mark), language)


# Who watches.


class _Watched:
    """A room that is watched, as it was last read."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        self.due = 0.0  # when it is to be read again
        self.changed = asyncio.Event()  # set, and replaced, when it is to be read at once
        self.texts = ("", "")  # what pupils are told, and what the teacher is told
        self.key: str | None = None  # of the link of teachers


class Rooms:
    """State of the rooms in a process: who watches them, reports, and wrong codes of clients.

    `ask` has a function called in a worker.
    """

    def __init__(self, storage: Storage, ask: Callable[..., Awaitable[Any]]) -> None:
        self.closed = False  # whether the server is ending
        self._storage = storage
        self._ask = ask
        self._watched = WeakValueDictionary[str, _Watched]()
        self._reports: OrderedDict[tuple[str, int], RoomReport] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self.wrong_codes = RateLimiter(_MAX_WRONG / 60, _MAX_WRONG)  # of visitors
        self.wrong_of_clients = RateLimiter(_MAX_WRONG_CLIENT / 60, _MAX_WRONG_CLIENT)

    async def follow(self, code: str, *, owner: bool) -> AsyncIterator[Look]:
        """The state of a room, for its teacher or for a pupil, whenever it was read.

        That for a teacher ends when the link of teachers changes: who steers then, asks again.
        """
        watched = self._watched.setdefault(code, _Watched())
        keys = set[str | None]()
        while not self.closed:
            changed = watched.changed
            try:
                await self._read(code, watched)
            except NotFoundError:
                return
            if text := watched.texts[owner]:
                keys.add(watched.key)
                if owner and len(keys) > 1:
                    return
                yield text, []
            with suppress(TimeoutError):
                async with asyncio.timeout(watched.due - time.monotonic()):
                    await changed.wait()

    async def _read(self, code: str, watched: _Watched) -> None:
        """Read a room if that is due; the others who watch it wait meanwhile."""
        async with watched.reading:
            if time.monotonic() < watched.due:
                return
            watched.due = time.monotonic() + STEP
            try:
                state = await self._storage.do(summary, code)
            except NotFoundError:
                watched.due = 0.0
                raise
            except Exception:  # the database may be away for a moment
                traceback.print_exc()
                return
            report = self._reports.get((code, state.round))
            state.complete = report is not None and report.complete
            watched.key, pupils = state.key, state.model_dump_json(exclude={"board"})
            watched.texts = pupils, state.model_dump_json()

    def wake(self, code: str) -> None:
        """Let those who watch a room look at it now."""
        if watched := self._watched.get(code):
            watched.due = 0.0
            watched.changed.set()
            watched.changed = asyncio.Event()

    def report(self, code: str, rules: Game, results: RoomResults) -> RoomReport:
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
        self, code: str, rules: Game, results: RoomResults, report: RoomReport
    ) -> None:
        games = [game for game in results.games if game.secret and game.turns]
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
    def counting(self, client: str, visitor: str | None, *, joins: bool = False) -> Iterator[None]:
        """Count codes without a room that are tried; BusyError where they are too many.

        They count for the visitor, so that one phone keeps no class from joining, and then for the
        client; all visitors without a session are one. Those who are in a room go on, since a class
        may have one address.
        """
        who = visitor or client
        limits = (self.wrong_codes, who), (self.wrong_of_clients, client)
        waits = [limit.wait(name) for limit, name in limits if client and not limit.allows(name)]
        too_many = BusyError(
            "too many codes that are of no room: try again in a minute",
            seconds=max(waits, default=0),
        )
        if waits and joins:
            raise too_many
        try:
            yield
        except (NotFoundError, NotYoursError) as error:
            if waits:
                raise too_many from None
            if isinstance(error, NotFoundError):
                for limit, name in limits:
                    limit.take(name)
            raise
