"""Races: begun, watched, paused, gone on with, and what is known of their games.

How far a race is shown is a matter of its clock: every strategy guesses at the same pace, so that
the one that needs fewer guesses is ahead. What is shown was computed before, by jobs.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pegwise.errors import Phrase, quoted
from pegwise.game import Code, Rules, parse_code
from pegwise.i18n import SOURCE
from pegwise.web.entries import Entry
from pegwise.web.i18n import stored_sentence, unpack_sentence
from pegwise.web.memory import Memory
from pegwise.web.played import Played, unpack_secrets
from pegwise.web.problems import ConflictError, NotFoundError
from pegwise.web.storage import Storage
from pegwise.web.tables import JobRow, RaceRow
from pegwise.web.work import BusyError

__all__ = ["Races"]

MAX_OPEN: Final = 3
"""So many unfinished races of one client."""

_KEPT: Final = 30
"""So many races of one client are kept; the oldest give way."""

_LISTED: Final = 2000
"""At most so many secrets of a bar are listed."""

_UNFINISHED: Final = Phrase("not finished")

_AHEAD: Final = 2.0
"""Seconds since its last step that a clock may be read ahead."""


@dataclass(frozen=True, slots=True)
class _Lane:
    """A strategy of a race as it stands."""

    job: JobRow
    played: Played


class Races:
    """All races of this server.

    Args:
        storage: the database.
        memory: what was read of it lately.
    """

    def __init__(self, storage: Storage, memory: Memory) -> None:
        self._storage = storage
        self._memory = memory

    def begin(self, client: str, entry: Entry, speed: float) -> str:
        """Begin a race; its id.

        Raises:
            BusyError: the client has too many unfinished ones.
        """
        race_id = secrets.token_urlsafe(15)
        with self._storage.write() as session:
            mine = RaceRow.client == client
            unfinished = mine, RaceRow.state.in_(("running", "paused"))
            if (session.scalar(select(func.count()).where(*unfinished)) or 0) >= MAX_OPEN:
                raise BusyError(
                    "{most} races of yours are unfinished: stop one, or wait for its end",
                    most=MAX_OPEN,
                )
            old = select(RaceRow.id).where(mine).order_by(RaceRow.begun.desc()).offset(_KEPT - 1)
            session.execute(delete(RaceRow).where(RaceRow.id.in_(session.scalars(old).all())))
            session.add(
                RaceRow(
                    id=race_id,
                    client=client,
                    rules=str(entry.rules),
                    games=entry.games,
                    seed=entry.seed,
                    length=entry.length,
                    secrets=entry.secrets,
                    speed=speed,
                    ticked=time.time(),
                )
            )
            session.flush()
            session.add_all(
                JobRow(
                    id=secrets.token_urlsafe(15),
                    kind="lane",
                    race_id=race_id,
                    place=place,
                    client=client,
                    rules=str(entry.rules),
                    name=name,
                    total=entry.length,
                )
                for place, name in enumerate(entry.strategies)
            )
        return race_id

    def view(self, race_id: str, language: str = SOURCE) -> dict[str, Any]:
        """A race as it is shown; its problems in a language.

        Raises:
            NotFoundError: there is no such race.
        """
        race, lanes = self._read(race_id)
        return {
            "id": race.id,
            "rules": race.rules,
            "games": race.games,
            "seed": race.seed,
            "length": race.length,
            "state": race.state,
            "speed": race.speed,
            "lanes": [_lane_view(race, lane, self._secrets(race), language) for lane in lanes],
        }

    def change(self, race_id: str, action: str) -> None:
        """Pause, resume or stop a race.

        Raises:
            NotFoundError: there is no such race.
            ConflictError: it has ended.
        """
        after = {"pause": "paused", "resume": "running", "stop": "stopped"}[action]
        with self._storage.write() as session:
            race = _find(session, race_id)
            if race.state == after:
                return
            if race.state in {"stopped", "over"}:
                raise ConflictError(
                    "this race has ended, so that nothing is left to {action}",
                    action=action,
                )
            now = time.time()
            race.clock, race.ticked = _clock(race, now), now
            race.state = after

    def pace(self, race_id: str, speed: float) -> None:
        """Show so many guesses a second of each strategy, 0 for all that are computed.

        Raises:
            NotFoundError: there is no such race.
        """
        with self._storage.write() as session:
            race = _find(session, race_id)
            now = time.time()
            race.clock, race.ticked = _clock(race, now), now
            if not race.speed:
                shown = select(func.max(JobRow.guesses)).where(JobRow.race_id == race_id)
                race.clock = float(session.scalar(shown) or 0)
            race.speed = speed

    def secrets_of(self, race_id: str, strategy: str, guesses: int) -> dict[str, Any]:
        """The secrets that a strategy found with so many guesses, as far as it is shown.

        Raises:
            NotFoundError: there is no such race, or the strategy is not in it.
        """
        race, lanes = self._read(race_id)
        lane = next((lane for lane in lanes if lane.job.name == strategy), None)
        if lane is None:
            raise NotFoundError(
                "strategy {strategy} is not in this race", strategy=quoted(strategy)
            )
        games = lane.played.shown(_shown_clock(race)).games
        where = lane.played.where(guesses, games)
        codes = np.unique(self._secrets(race)[where], axis=0)
        return {
            "strategy": strategy,
            "guesses": guesses,
            "games": len(where),
            "count": len(codes),
            "codes": [str(Code(row)) for row in codes[:_LISTED].tolist()],
        }

    def games_of(self, race_id: str, secret: str) -> dict[str, Any]:
        """The games of a secret, side by side, as far as they are shown.

        Raises:
            NotFoundError: there is no such race, or the secret is not played in it.
            CodeError: the secret cannot be read.
        """
        race, lanes = self._read(race_id)
        code = parse_code(secret, Rules.parse(race.rules), secret=True)
        codes = self._secrets(race)
        games = np.flatnonzero((codes == np.array(code, np.uint8)).all(axis=1))
        if not games.size:
            raise NotFoundError(
                "{code} is not among the games that were drawn for this race", code=code
            )
        game, clock = int(games[0]), _shown_clock(race)
        return {
            "secret": str(code),
            "games": [
                {
                    "strategy": lane.job.name,
                    "turns": _turns(lane.played.turns(game))
                    if game < lane.played.shown(clock).games
                    else None,
                }
                for lane in lanes
            ],
        }

    def results(self, race_id: str) -> dict[str, Any]:
        """What `race_results` makes results of.

        Raises:
            NotFoundError: there is no such race.
            ConflictError: it goes on, or no strategy has finished.
        """
        race, lanes = self._read(race_id)
        if race.state not in {"stopped", "over"}:
            raise ConflictError("this race goes on: wait for its end, or stop it")
        finished = [lane for lane in lanes if lane.job.state == "done"]
        if not finished:
            raise ConflictError("no strategy of this race has finished, so there is no result")
        return {
            "rules": race.rules,
            "games": race.games,
            "seed": race.seed,
            "names": [lane.job.name for lane in lanes],
            "lanes": [
                {
                    "name": lane.job.name,
                    "depths": lane.played.depths,
                    **json.loads(lane.job.result or "{}"),
                }
                for lane in finished
            ],
            "skipped": [
                (
                    lane.job.name,
                    unpack_sentence(lane.job.problem) if lane.job.problem else _UNFINISHED,
                )
                for lane in lanes
                if lane.job.state != "done"
            ],
        }

    def _read(self, race_id: str) -> tuple[RaceRow, list[_Lane]]:
        with self._storage.read() as session:
            race = _find(session, race_id)
            rows = select(JobRow).where(JobRow.race_id == race_id).order_by(JobRow.place)
            jobs = session.scalars(rows).all()
            return race, [_Lane(job, self._memory.played(session, job)) for job in jobs]

    def _secrets(self, race: RaceRow) -> Any:
        pegs = Rules.parse(race.rules).pegs
        return self._memory.secrets(race.id, lambda: unpack_secrets(race.secrets, pegs))


def _find(session: Session, race_id: str) -> RaceRow:
    race = session.get(RaceRow, race_id)
    if race is None:
        raise NotFoundError(
            "there is no race {race_id}; it may have been too old to keep", race_id=quoted(race_id)
        )
    return race


def _clock(race: RaceRow, now: float) -> float:
    """The clock of a race at a time."""
    if race.state != "running":
        return race.clock
    return race.clock + race.speed * min(max(now - race.ticked, 0.0), _AHEAD)


def _shown_clock(race: RaceRow) -> float:
    """How many guesses of each strategy are shown."""
    if race.state == "over" or not race.speed:
        return float("inf")
    return _clock(race, time.time())


def _lane_view(race: RaceRow, lane: _Lane, codes: Any, language: str) -> dict[str, Any]:
    job, played = lane.job, lane.played
    shown = played.shown(_shown_clock(race))
    histogram = played.histogram(shown.games)
    state = job.state
    if state != "failed" and shown.games < race.length:
        # what is computed but not shown yet goes on, as the race does
        going = "waiting" if state == "waiting" else "running"
        state = going if race.state in {"running", "over"} else race.state
    return {
        "place": job.place,
        "strategy": job.name,
        "state": state,
        "games": shown.games,
        "computed": job.done,
        "guesses": shown.guesses,
        "mean": shown.guesses / shown.games if shown.games else None,
        "worst": len(histogram) or None,
        "histogram": histogram,
        "seconds": job.seconds,
        "problem": stored_sentence(job.problem, language),
        "game": _game(played, shown.games, shown.turns, codes),
    }


def _game(played: Played, games: int, turns: int, codes: Any) -> dict[str, Any] | None:
    """The game being played: its turns so far; the last one where none has begun."""
    game = games if turns else games - 1
    if not 0 <= game < len(played):
        return None
    all_turns = played.turns(game)
    return {
        "secret": str(Code(codes[game].tolist())),
        "turns": _turns(all_turns[:turns] if turns else all_turns),
    }


def _turns(turns: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"guess": guess, "mark": mark} for guess, mark in turns]
