"""Races: how they are stored, and the games that their strategies have played so far.

A race is shown by a clock. It counts guesses: every strategy guesses at the same pace, so that the
strategy that needs fewer guesses is ahead. In a timed race it counts the processor time of games
that are really played: the strategy that takes less time is ahead.

Jobs compute the games, as fast as they can, and their pieces are all that is stored. What the
clock says comes with each question: a page that was paused, or goes at a pace of its own, tells
it; else the clock goes at the pace of the race since its first games were there, so that all
browsers show the same.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from math import inf
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import numpy as np
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, defer, selectinload

from pegwise.arena.games import EntrantGames, GamesPiece
from pegwise.arena.race import PROTOCOLS, Protocol
from pegwise.errors import Phrase, quoted
from pegwise.game import Game, parse_code
from pegwise.game.alphabet import Rows
from pegwise.i18n import SOURCE
from pegwise.web.inputs import PlayedTurn, read_rules
from pegwise.web.jobs import stored_sentence, unpack_sentence
from pegwise.web.race.views import (
    EntrantView,
    GamesView,
    RaceGame,
    RaceView,
    SecretsView,
    StrategyGame,
)
from pegwise.web.storage import (
    BusyError,
    ConflictError,
    JobRow,
    NotFoundError,
    NotYoursError,
    PieceRows,
    RaceRow,
    Storage,
    now,
)

MAX_GAMES: Final = 1_000_000  # most games of each strategy that are drawn
MAX_SECRETS: Final = 100_000  # boards with more secrets are raced on drawn games
MAX_STRATEGIES: Final = 12

_MAX_UNFINISHED: Final = 3  # of one client, so that others have their turn
_MAX_STORED: Final = 30  # races of one client that are stored; the oldest are deleted
_MAX_LISTED: Final = 2000  # secrets of a bar that are listed
_MAX_CACHED: Final = 48  # jobs whose games stay in memory
_MAX_CACHED_GAMES: Final = 15_000_000  # games of all these jobs


class Shown(NamedTuple):
    """How far a strategy is shown to have played."""

    games: int  # finished
    guesses: int  # of these games
    turns: int  # of the next game
    seconds: float  # of these games, in a timed race


def progress_at(played: EntrantGames, clock: float, *, timed: bool) -> Shown:
    """The games that are played when the clock shows this number of guesses, or seconds."""
    if timed:
        games = int(np.interp(clock, [0.0, *played.times], np.cumsum([0, *played.counts])))
        return Shown(games, int(played.ends[games]), 0, min(clock, played.seconds))
    guesses = int(min(clock, played.ends[-1]))
    games = int(np.searchsorted(played.ends, guesses, "right")) - 1
    finished = int(played.ends[games])
    return Shown(games, finished, guesses - finished, 0.0)


@lru_cache(8)
def secret_rows(data: bytes, rules: Game) -> Rows:
    """The secrets of a race in the order of play, from what `worker.prepare` packs."""
    codes = rules.alphabet
    rows: Rows = np.frombuffer(zlib.decompress(data), codes.dtype).reshape(-1, codes.width)
    return rows


class _Entrant(NamedTuple):
    """A strategy of a race: its job, what it has played, and how far that is shown."""

    job: JobRow
    played: EntrantGames
    shown: Shown


_cache: OrderedDict[str, EntrantGames] = OrderedDict()  # by job
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
        computed = RaceRow.jobs.any(JobRow.state.in_(("waiting", "running")))
        unfinished = mine, RaceRow.state != "stopped", computed
        if (session.scalar(select(func.count()).where(*unfinished)) or 0) >= _MAX_UNFINISHED:
            raise BusyError(
                "{most} races of yours are unfinished: stop one, or wait for its end",
                most=_MAX_UNFINISHED,
            )
        newest_first = select(RaceRow.id, RaceRow.series).where(mine).order_by(RaceRow.begun.desc())
        old = session.execute(newest_first.offset(_MAX_STORED - len(races))).all()
        ids, series = {row.id for row in old}, {row.series for row in old} - {None}
        # the races of a protocol go together
        session.execute(delete(RaceRow).where(RaceRow.id.in_(ids) | RaceRow.series.in_(series)))
        for race in races:
            race.client, race.player, race.speed = client, player, speed
            for job in race.jobs:
                job.client, job.kind = client, "timed" if timed else "lane"
        session.add_all(races)
        session.flush()
        return [race.id for race in races]


def view(
    storage: Storage, race_id: str, language: str = SOURCE, clock: float | None = None
) -> RaceView:
    """A race as its clock shows it, that of the race by default; its problems in a language."""
    race, clock, entrants = _read(storage, race_id, clock)
    reach = max(entrant.job.reach for entrant in entrants)
    state = "stopped" if race.stopped else "over" if race.ended and clock >= reach else "running"
    return RaceView(
        id=race.id,
        rules=race.rules,
        games=race.games,
        seed=race.seed,
        length=race.length,
        timed=entrants[0].job.timed,
        state=state,  # type: ignore[arg-type]
        speed=race.speed,
        clock=min(clock, reach),
        entrants=[_entrant_view(race, *entrant, language) for entrant in entrants],
    )


class BegunRaces(NamedTuple):
    """A race of a player, or the races of a protocol that were begun together, with their jobs."""

    races: list[RaceRow]

    @property
    def protocol(self) -> Protocol | None:
        """The protocol of the races; None for a race of its own."""
        return PROTOCOLS.get(self.races[0].protocol or "")

    @property
    def address(self) -> str:
        """The page that shows them."""
        if (published := self.protocol) is None:
            return f"/race/{self.races[0].id}"
        query = urlencode([("race", race.id) for race in self.races])
        return f"/race/protocols/{published.id}?{query}"

    @property
    def ended(self) -> bool:
        """Whether all are over, or were stopped."""
        return all(race.ended for race in self.races)

    @property
    def over(self) -> bool:
        """Whether all are computed to the end."""
        return self.ended and not any(race.stopped for race in self.races)

    @property
    def share(self) -> float:
        """How many of their games are computed, from 0 to 1."""
        jobs = [job for race in self.races for job in race.jobs]
        return sum(job.done for job in jobs) / sum(job.total for job in jobs)


def begun_by(storage: Storage, player: str) -> list[BegunRaces]:
    """The races of a player: first those not finished, then the newest."""
    rows = (
        select(RaceRow)
        .where(RaceRow.player == player)
        .options(defer(RaceRow.secrets), selectinload(RaceRow.jobs))
        .order_by(RaceRow.begun.desc())
    )
    together: dict[str, list[RaceRow]] = {}
    with storage.read() as session:
        for race in session.scalars(rows):
            together.setdefault(race.series or race.id, []).insert(0, race)
    return sorted(map(BegunRaces, together.values()), key=lambda begun: begun.ended)


def remove(storage: Storage, race_id: str, player: str | None) -> None:
    """Delete a race of this player, and its games; workers leave it."""
    with storage.write() as session:
        race = _row(session, race_id)
        NotYoursError.unless(player, race.player)
        session.delete(race)


def owned(storage: Storage, race_id: str, player: str | None) -> bool:
    """Whether a player may stop a race: who began it, or anybody where a program did."""
    with storage.read() as session:
        return _row(session, race_id).player in {None, player}


def stop(storage: Storage, race_id: str, player: str | None = None) -> None:
    """Compute no more games of a race of this player; one that has ended stays as it is."""
    with storage.write() as session:
        race = _row(session, race_id)
        if race.player is not None:
            NotYoursError.unless(player, race.player)
        if not race.ended:
            race.state = "stopped"


def secrets_of(
    storage: Storage, race_id: str, strategy: str, guesses: int, clock: float | None = None
) -> SecretsView:
    """The secrets that a strategy found with `guesses` guesses, as far as the race is shown."""
    race, _, entrants = _read(storage, race_id, clock)
    entrant = _named(entrants, strategy)
    games = np.flatnonzero(entrant.played.depths[: entrant.shown.games] == guesses)
    rules = read_rules(race.rules)
    codes = np.unique(secret_rows(race.secrets, rules)[games], axis=0)
    return SecretsView(
        rules=race.rules,
        strategy=strategy,
        guesses=guesses,
        games=len(games),
        count=len(codes),
        codes=[str(rules.alphabet.from_row(row)) for row in codes[:_MAX_LISTED].tolist()],
    )


def games_of(storage: Storage, race_id: str, secret: str, clock: float | None = None) -> GamesView:
    """The games of a secret, side by side, as far as they are shown."""
    race, _, entrants = _read(storage, race_id, clock)
    rules = read_rules(race.rules)
    code = parse_code(secret, rules, secret=True)
    drawn = (secret_rows(race.secrets, rules) == rules.alphabet.to_row(code)).all(axis=1)
    if not drawn.any():
        raise NotFoundError(
            "{code} is not among the games that were drawn for this race", code=code
        )
    game = int(np.argmax(drawn))
    games = [
        StrategyGame(
            strategy=job.name,
            turns=(_turn_views(played, game, rules) or None) if game < so_far.games else None,
        )
        for job, played, so_far in entrants
    ]
    return GamesView(rules=race.rules, secret=str(code), games=games)


def results(storage: Storage, race_id: str, strategy: str = "") -> dict[str, Any]:
    """The games of a race that is over, or of one strategy that has played all of its games.

    `worker.race_results` turns them into results.

    ConflictError: there is no result yet, or none at all.
    """
    race, _, entrants = _read(storage, race_id, inf)
    if strategy:
        entrants = [_named(entrants, strategy)]
        if entrants[0].job.state != "done":
            raise ConflictError("{strategy} has not played all its games", strategy=strategy)
    elif not race.ended:
        raise ConflictError("this race is still running: wait for its end, or stop it")
    if not any(entrant.played.depths.any() for entrant in entrants):
        raise ConflictError("no strategy of this race has won a game, so there is no result")
    skipped = []
    for job, played, _ in entrants:
        if job.problem and (job.state == "failed" or not played.lost):
            skipped.append((job.name, unpack_sentence(job.problem)))
        elif job.state != "done":
            so_far = Phrase("stopped after {n:,} of {all:,} games", n=job.done, all=race.length)
            skipped.append((job.name, so_far if job.done else Phrase("not finished")))
    return {
        "rules": read_rules(race.rules),
        "games": race.games,
        "seed": race.seed,
        "names": [entrant.job.name for entrant in entrants],
        "played": race.length if any(entrant.job.timed for entrant in entrants) else 0,
        "entrants": [
            {
                "name": job.name,
                "games": played,
                "nodes": len(played.parents),
                "exact": None,
                "seconds": job.seconds,
                "timed": job.timed,
                "failure": unpack_sentence(job.problem) if job.problem and played.lost else "",
            }
            | json.loads(job.result or "{}")
            for job, played, _ in entrants
            if played.depths.any()
        ],
        "skipped": skipped,
    }


def _named(entrants: Sequence[_Entrant], strategy: str) -> _Entrant:
    """The entrant of this name; NotFoundError where there is none."""
    for entrant in entrants:
        if entrant.job.name == strategy:
            return entrant
    raise NotFoundError("strategy {strategy} is not in this race", strategy=quoted(strategy))


def _read(
    storage: Storage, race_id: str, clock: float | None
) -> tuple[RaceRow, float, list[_Entrant]]:
    """A race, what its clock says, and its strategies as they are shown then.

    Without a clock it goes at the pace of the race, since the first games. One that was stopped
    shows all that is computed. In a timed race the clock waits for those who are computed slowly.
    """
    with storage.read() as session:
        race = _row(session, race_id)
        jobs = [(job, _played(session, job)) for job in race.jobs]
    if race.stopped:
        clock = inf
    elif clock is None:
        clock = inf
        if race.speed and race.started is not None:
            clock = race.speed * max(0.0, (now() - race.started).total_seconds())
    clock = min([clock, *(job.reach for job, _ in jobs if job.timed and not job.ended)])
    return (
        race,
        clock,
        [
            _Entrant(job, played, progress_at(played, clock, timed=job.timed))
            for job, played in jobs
        ],
    )


def _played(session: Session, job: JobRow) -> EntrantGames:
    """The games of a strategy; only pieces that are new are read."""
    with _lock:
        played = _cache.pop(job.id, None) or EntrantGames()
        if played.n_pieces < job.pieces:
            new = PieceRows(session, job.id).values(played.n_pieces, job.pieces)
            played.extend(map(GamesPiece.from_bytes, new))
        _cache[job.id] = played
        while len(_cache) > _MAX_CACHED or (
            len(_cache) > 1 and sum(map(len, _cache.values())) > _MAX_CACHED_GAMES
        ):
            _cache.popitem(last=False)
        return copy(played)  # another thread may extend it


def _turn_views(played: EntrantGames, game: int, rules: Game) -> list[PlayedTurn]:
    return [
        PlayedTurn(guess=str(guess), mark=str(mark)) for guess, mark in played.turns(game, rules)
    ]


def _row(session: Session, race_id: str) -> RaceRow:
    race = session.get(RaceRow, race_id)
    if race is None:
        raise NotFoundError(
            "there is no race {race_id}; it may have been too old to keep", race_id=quoted(race_id)
        )
    return race


def _entrant_view(
    race: RaceRow, job: JobRow, played: EntrantGames, shown: Shown, language: str
) -> EntrantView:
    histogram: list[int] = np.bincount(played.depths[: shown.games])[1:].tolist()
    won = sum(histogram)
    state = job.state
    last = job.done if state == "done" else race.length
    if state != "failed" and shown.games < last:
        # an entrant that is computed but not shown yet goes on, as the race does
        going = "waiting" if state == "waiting" else "running"
        state = "stopped" if race.stopped else going
    current = None
    # the game that is being played, with its turns so far; the last one if none has begun
    game = shown.games if shown.turns else shown.games - 1
    if 0 <= game < len(played):
        rules = read_rules(race.rules)
        secret = rules.alphabet.from_row(secret_rows(race.secrets, rules)[game].tolist())
        turns = _turn_views(played, game, rules)[: shown.turns or None]
        current = RaceGame(secret=str(secret), turns=turns)
    return EntrantView(
        place=job.place,
        strategy=job.name,
        state=state,  # type: ignore[arg-type]
        games=shown.games,
        computed=job.done,
        guesses=shown.guesses,
        lost=shown.games - won,
        mean=shown.guesses / won if won else None,
        worst=len(histogram) or None,
        histogram=histogram,
        seconds=shown.seconds if job.timed else job.seconds,
        problem=stored_sentence(job.problem, language),
        game=current,
    )
