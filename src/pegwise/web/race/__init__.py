"""Races: how they are stored, and the games that their strategies have played so far.

A race is shown by a clock. It counts guesses: every strategy guesses at the same pace, so that the
strategy that needs fewer guesses is ahead. In a timed race it counts the processor time of games
that are really played: the strategy that takes less time is ahead. Jobs compute the games before
they are shown.
"""

from __future__ import annotations

import io
import json
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, computed_field
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, defer, selectinload

from pegwise.arrays import F64, I32, U8, U32
from pegwise.errors import Phrase, quoted
from pegwise.game import Code, Mark, PlacedMark, Rules, Word, parse_code, winning_mark
from pegwise.i18n import SOURCE
from pegwise.web.inputs import PlayedTurn, read_rules
from pegwise.web.jobs import stored_sentence, unpack_sentence
from pegwise.web.storage import (
    BusyError,
    ConflictError,
    JobRow,
    NotFoundError,
    NotYoursError,
    PieceRow,
    RaceRow,
    Storage,
)

MAX_GAMES: Final = 1_000_000  # most games of each strategy that are drawn
MAX_SECRETS: Final = 100_000  # boards with more secrets are raced on drawn games
MAX_STRATEGIES: Final = 12

_MAX_UNFINISHED: Final = 3
_MAX_STORED: Final = 30  # so many races of one client are stored; the oldest give way
_MAX_LISTED: Final = 2000  # at most so many secrets of a bar are listed
_MAX_CACHED: Final = 48
_MAX_CACHED_GAMES: Final = 15_000_000

_CLOCK_SECONDS: Final = 2.0  # the longest step of a clock, which stands while no server runs


class RaceGame(BaseModel):
    """A game as far as it is played."""

    secret: str
    turns: list[PlayedTurn]


class LaneView(BaseModel):
    """A strategy of a race: what is shown of it, and how much is computed.

    In a timed race, `seconds` are the processor time of the games that are shown.
    """

    place: int
    strategy: str
    state: Literal["waiting", "running", "paused", "stopped", "done", "failed"]
    games: int
    computed: int
    guesses: int
    mean: float | None
    worst: int | None
    histogram: list[int]
    seconds: float
    problem: str | None
    game: RaceGame | None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def histogram_by_guesses(self) -> dict[str, int]:
        return {str(k): games for k, games in enumerate(self.histogram, 1)}


class RaceView(BaseModel):
    """A race as it is shown."""

    id: str
    rules: str
    games: int | None
    seed: int
    length: int
    timed: bool
    state: Literal["running", "paused", "stopped", "over"]
    speed: float
    lanes: list[LaneView]


class SecretsView(BaseModel):
    """The secrets that a strategy found with so many guesses; the first of them as codes."""

    strategy: str
    guesses: int
    games: int
    count: int
    codes: list[str]


class StrategyGame(BaseModel):
    """A strategy's game for a secret; null where it is not played yet."""

    strategy: str
    turns: list[PlayedTurn] | None


class GamesView(BaseModel):
    """The games of a secret, side by side."""

    secret: str
    games: list[StrategyGame]


Rows = U8 | U32
"""Codes as they are stored: uint8 (n, pegs), or the letters of words as uint32."""


class GamesPiece(NamedTuple):
    """What a strategy has played since the piece before.

    The games of a strategy make a tree, whose nodes are numbered in the order in which they are
    played; a node comes after its parent.
    """

    guesses: Rows  # (nodes, pegs), the guess of each new node: see `code_rows`
    parents: I32  # (nodes), the node before; -1 for the root
    marks: U8  # (nodes, 2 or pegs), the mark that led to each node: see `mark_rows`
    wins: I32  # (games), the node that won each game, in the order of play
    seconds: F64 = np.zeros(1)  # (1), processor time of all games so far, in a timed race

    def to_bytes(self) -> bytes:
        """The piece as it is stored."""
        out = io.BytesIO()
        np.savez_compressed(out, **self._asdict())
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> GamesPiece:
        """The piece that was stored."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return cls(**arrays)


class Shown(NamedTuple):
    """How far a strategy is shown to have played."""

    games: int  # finished
    guesses: int  # of these games
    turns: int  # of the next game
    seconds: float  # of these games, in a timed race


class LaneGames:
    """All games that a strategy has played so far: its pieces joined."""

    def __init__(self, pieces: Iterable[bytes] = ()) -> None:
        codes, marks = np.zeros((0, 1), np.uint8), np.zeros((0, 2), np.uint8)
        nothing = np.zeros(0, np.int32)
        self._joined = GamesPiece(codes, nothing, marks, nothing, np.zeros(0))
        self._counts: list[int] = []  # games of each piece
        self.extend(pieces)

    def __len__(self) -> int:
        return len(self.depths)

    @property
    def n_pieces(self) -> int:
        """How many pieces were joined."""
        return len(self._counts)

    def extend(self, pieces: Iterable[bytes]) -> None:
        """Add the pieces that follow."""
        new = [GamesPiece.from_bytes(data) for data in pieces]
        if new:
            parts = [self._joined, *new] if self._counts else new
            self._joined = GamesPiece(*map(np.concatenate, zip(*parts, strict=True)))
            self._counts = [*self._counts, *(len(piece.wins) for piece in new)]
        self.guesses, self.parents, self.marks, self.wins, self._seconds = self._joined
        self.depths = _depths(self.parents)[self.wins]
        self._ends = np.append(0, np.cumsum(self.depths, dtype=np.int64))  # after each game

    @property
    def seconds(self) -> float:
        """Processor time of all games of a timed race."""
        return float(self._seconds[-1]) if self._counts else 0.0

    def shown(self, clock: float, *, timed: bool) -> Shown:
        """What is played once the clock stands at so many guesses, or seconds."""
        if timed:
            played = np.interp(clock, [0.0, *self._seconds], np.cumsum([0, *self._counts]))
            games = int(played)
            return Shown(games, int(self._ends[games]), 0, min(clock, self.seconds))
        guesses = int(min(clock, self._ends[-1]))
        games = int(np.searchsorted(self._ends, guesses, "right")) - 1
        finished = int(self._ends[games])
        return Shown(games, finished, guesses - finished, 0.0)

    def turns(self, game: int, rules: Rules) -> list[PlayedTurn]:
        """The guesses and marks of a game."""
        node = int(self.wins[game])
        mark = winning_mark(rules)
        turns = []
        while node >= 0:
            guess = code_of(rules, self.guesses[node].tolist())
            turns.append(PlayedTurn(guess=str(guess), mark=str(mark)))
            mark = mark_of_row(rules, self.marks[node].tolist())
            node = int(self.parents[node])
        return turns[::-1]


def _depths(parents: I32) -> I32:
    """int32 (nodes), guesses played once each node's guess is; parents come first."""
    depths = np.ones(len(parents), np.int32)
    ancestors = parents.copy()
    while (open_nodes := np.flatnonzero(ancestors >= 0)).size:
        depths[open_nodes] += 1
        ancestors[open_nodes] = parents[ancestors[open_nodes]]
    return depths


def code_rows(rules: Rules, codes: Sequence[Code]) -> Rows:
    """Codes as they are stored."""
    kind: Any = np.uint32 if rules.words else np.uint8
    rows: Rows = np.array(codes, kind).reshape(-1, rules.pegs)
    return rows


def mark_rows(rules: Rules, marks: Sequence[Mark]) -> U8:
    """Marks as they are stored: uint8 (n, 2), black and white; or (n, pegs), the places."""
    return np.array(marks, np.uint8).reshape(-1, rules.pegs if rules.placed else 2)


def code_of(rules: Rules, row: Sequence[int]) -> Code:
    """The code of a row."""
    return Word("".join(map(chr, row))) if rules.words else Code(row)


def mark_of_row(rules: Rules, row: Sequence[int]) -> Mark:
    """The mark of a row."""
    return PlacedMark(row) if rules.placed else Mark(*row)


@lru_cache(8)
def secret_rows(data: bytes, rules: Rules) -> Rows:
    """The secrets of a race in the order of play, from what `worker.prepare` packs."""
    kind: Any = code_rows(rules, []).dtype
    rows: Rows = np.frombuffer(zlib.decompress(data), kind).reshape(-1, rules.pegs)
    return rows


class _Lane(NamedTuple):
    """A strategy of a race: its job, what it has played, and how far that is shown."""

    job: JobRow
    played: LaneGames
    shown: Shown


_cache: OrderedDict[str, LaneGames] = OrderedDict()  # by job
_lock = threading.Lock()


def begin(
    storage: Storage,
    client: str,
    races: Sequence[RaceRow],
    speed: float,
    *,
    timed: bool = False,
    player: str | None = None,
) -> list[str]:
    """Begin races that `worker.prepare` has made, for a player; their ids."""
    with storage.write() as session:
        mine = RaceRow.client == client
        unfinished = mine, RaceRow.state.in_(("running", "paused"))
        if (session.scalar(select(func.count()).where(*unfinished)) or 0) >= _MAX_UNFINISHED:
            raise BusyError(
                "{most} races of yours are unfinished: stop one, or wait for its end",
                most=_MAX_UNFINISHED,
            )
        newest_first = select(RaceRow.id).where(mine).order_by(RaceRow.begun.desc())
        old = session.scalars(newest_first.offset(_MAX_STORED - len(races))).all()
        session.execute(delete(RaceRow).where(RaceRow.id.in_(old)))
        for race in races:
            race.client, race.player, race.speed = client, player, speed
            for job in race.jobs:
                job.client, job.kind = client, "timed" if timed else "lane"
        session.add_all(races)
        session.flush()
        return [race.id for race in races]


def view(storage: Storage, race_id: str, language: str = SOURCE) -> RaceView:
    """A race as it is shown; its problems in a language."""
    race, lanes = _read(storage, race_id)
    return RaceView(
        id=race.id,
        rules=race.rules,
        games=race.games,
        seed=race.seed,
        length=race.length,
        timed=lanes[0].job.timed,
        state=race.state,  # type: ignore[arg-type]
        speed=race.speed,
        lanes=[_lane_view(race, *lane, language) for lane in lanes],
    )


def begun_by(storage: Storage, player: str) -> list[RaceRow]:
    """The races of a player with their jobs: first those not finished, then the newest."""
    rows = (
        select(RaceRow)
        .where(RaceRow.player == player)
        .options(defer(RaceRow.secrets), selectinload(RaceRow.jobs))
        .order_by(RaceRow.begun.desc())
    )
    with storage.read() as session:
        return sorted(session.scalars(rows), key=lambda race: race.ended)


def remove(storage: Storage, race_id: str, player: str | None) -> None:
    """Delete a race of this player, and its games; workers leave it."""
    with storage.write() as session:
        race = _row(session, race_id)
        NotYoursError.unless(player, race.player)
        session.delete(race)


def owned(storage: Storage, race_id: str, player: str | None) -> bool:
    """Whether a player may steer a race: who began it, or anybody where a program did."""
    with storage.read() as session:
        return _row(session, race_id).player in {None, player}


def _own(session: Session, race_id: str, player: str | None) -> RaceRow:
    race = _row(session, race_id)
    if race.player is not None:
        NotYoursError.unless(player, race.player)
    return race


def change(storage: Storage, race_id: str, action: str, player: str | None = None) -> None:
    """Pause, resume or stop a race of this player."""
    state = {"pause": "paused", "resume": "running", "stop": "stopped"}[action]
    with storage.write() as session:
        race = _own(session, race_id, player)
        if race.state == state:
            return
        if race.ended:
            raise ConflictError("this race has ended: it cannot be paused, resumed or stopped")
        _set_clock(race)
        race.state = state


def pace(storage: Storage, race_id: str, speed: float, player: str | None = None) -> None:
    """Show so many guesses a second of each strategy, 0 for all that are computed."""
    with storage.write() as session:
        race = _own(session, race_id, player)
        _set_clock(race)
        if not race.speed:
            race.clock = _longest(race)
        race.speed = speed


def advance(storage: Storage) -> bool:
    """Let the clocks of races go on, and end those that are over; whether any runs."""
    running = RaceRow.state == "running"
    with storage.read() as session:
        if session.scalar(select(RaceRow.id).where(running).limit(1)) is None:
            return False
    with storage.write() as session:
        rows = select(RaceRow).where(running).options(defer(RaceRow.secrets))
        for race in session.scalars(rows.with_for_update()):
            _set_clock(race)
            shown = not race.speed or race.clock >= _longest(race)
            if shown and all(job.ended for job in race.jobs):
                race.state = "over"
    return True


def secrets_of(storage: Storage, race_id: str, strategy: str, guesses: int) -> SecretsView:
    """The secrets that a strategy found with so many guesses, as far as it is shown."""
    race, lanes = _read(storage, race_id)
    lane = next((lane for lane in lanes if lane.job.name == strategy), None)
    if lane is None:
        raise NotFoundError("strategy {strategy} is not in this race", strategy=quoted(strategy))
    games = np.flatnonzero(lane.played.depths[: lane.shown.games] == guesses)
    rules = read_rules(race.rules)
    codes = np.unique(secret_rows(race.secrets, rules)[games], axis=0)
    return SecretsView(
        strategy=strategy,
        guesses=guesses,
        games=len(games),
        count=len(codes),
        codes=[str(code_of(rules, row)) for row in codes[:_MAX_LISTED].tolist()],
    )


def games_of(storage: Storage, race_id: str, secret: str) -> GamesView:
    """The games of a secret, side by side, as far as they are shown."""
    race, lanes = _read(storage, race_id)
    rules = read_rules(race.rules)
    code = parse_code(secret, rules, secret=True)
    drawn = (secret_rows(race.secrets, rules) == np.array(code)).all(axis=1)
    if not drawn.any():
        raise NotFoundError(
            "{code} is not among the games that were drawn for this race", code=code
        )
    game = int(np.argmax(drawn))
    games = [
        StrategyGame(
            strategy=job.name, turns=played.turns(game, rules) if game < shown.games else None
        )
        for job, played, shown in lanes
    ]
    return GamesView(secret=str(code), games=games)


def results(storage: Storage, race_id: str) -> dict[str, Any]:
    """What `worker.race_results` makes results of."""
    race, lanes = _read(storage, race_id)
    if not race.ended:
        raise ConflictError("this race is still running: wait for its end, or stop it")
    if not any(len(lane.played) for lane in lanes):
        raise ConflictError("no strategy of this race has won a game, so there is no result")
    skipped = []
    for job, _, _ in lanes:
        if job.problem:
            skipped.append((job.name, unpack_sentence(job.problem)))
        elif job.state != "done":
            so_far = Phrase("stopped after {n:,} of {all:,} games", n=job.done, all=race.length)
            skipped.append((job.name, so_far if job.done else Phrase("not finished")))
    return {
        "rules": read_rules(race.rules),
        "games": race.games,
        "seed": race.seed,
        "names": [lane.job.name for lane in lanes],
        "lanes": [
            {
                "name": job.name,
                "depths": played.depths,
                "nodes": len(played.parents),
                "exact": None,
                "seconds": job.seconds,
                "timed": job.timed,
            }
            | json.loads(job.result or "{}")
            for job, played, _ in lanes
            if len(played)
        ],
        "skipped": skipped,
    }


def _read(storage: Storage, race_id: str) -> tuple[RaceRow, list[_Lane]]:
    """A race and its strategies as they are shown now."""
    with storage.read() as session:
        race = _row(session, race_id)
        jobs = [(job, _played(session, job)) for job in race.jobs]
    clock = float("inf")
    if race.state != "over" and race.speed:
        clock = _clock(race, time.time())
    return race, [_Lane(job, played, played.shown(clock, timed=job.timed)) for job, played in jobs]


def _played(session: Session, job: JobRow) -> LaneGames:
    """The games of a strategy; only pieces that are new are read."""
    with _lock:
        played = _cache.pop(job.id, None) or LaneGames()
        if played.n_pieces < job.pieces:
            new = PieceRow.job_id == job.id, PieceRow.number >= played.n_pieces
            rows = select(PieceRow.data).where(*new).order_by(PieceRow.number)
            played.extend(session.scalars(rows))
        _cache[job.id] = played
        while len(_cache) > _MAX_CACHED or (
            len(_cache) > 1 and sum(map(len, _cache.values())) > _MAX_CACHED_GAMES
        ):
            _cache.popitem(last=False)
        return copy(played)  # another thread may extend it


def _row(session: Session, race_id: str) -> RaceRow:
    race = session.get(RaceRow, race_id)
    if race is None:
        raise NotFoundError(
            "there is no race {race_id}; it may have been too old to keep", race_id=quoted(race_id)
        )
    return race


def _longest(race: RaceRow) -> float:
    """How far the strategy of a race that needs most is computed."""
    return max(job.reach for job in race.jobs)


def _clock(race: RaceRow, now: float) -> float:
    """The clock of a race at a time; that of a timed race waits for slow computing."""
    clock = race.clock
    if race.state == "running":
        clock += race.speed * min(max(now - race.ticked, 0.0), _CLOCK_SECONDS)
    return min([clock, *(job.reach for job in race.jobs if job.timed and not job.ended)])


def _set_clock(race: RaceRow) -> None:
    now = time.time()
    # a clock that ran ahead of all computing would jump once that comes
    race.clock = min(_clock(race, now), _longest(race))
    race.ticked = now


def _lane_view(
    race: RaceRow, job: JobRow, played: LaneGames, shown: Shown, language: str
) -> LaneView:
    histogram: list[int] = np.bincount(played.depths[: shown.games])[1:].tolist()
    state = job.state
    last = job.done if state == "done" else race.length
    if state != "failed" and shown.games < last:
        # a lane that is computed but not shown yet goes on, as the race does
        going = "waiting" if state == "waiting" else "running"
        state = going if race.state in {"running", "over"} else race.state
    current = None
    # the game that is being played, with its turns so far; the last one if none has begun
    game = shown.games if shown.turns else shown.games - 1
    if 0 <= game < len(played):
        rules = read_rules(race.rules)
        secret = code_of(rules, secret_rows(race.secrets, rules)[game].tolist())
        turns = played.turns(game, rules)[: shown.turns or None]
        current = RaceGame(secret=str(secret), turns=turns)
    return LaneView(
        place=job.place,
        strategy=job.name,
        state=state,  # type: ignore[arg-type]
        games=shown.games,
        computed=job.done,
        guesses=shown.guesses,
        mean=shown.guesses / shown.games if shown.games else None,
        worst=len(histogram) or None,
        histogram=histogram,
        seconds=shown.seconds if job.timed else job.seconds,
        problem=stored_sentence(job.problem, language),
        game=current,
    )
