"""The visitor's games: what they cost, how many guesses they took, files of them."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from statistics import fmean
from typing import Annotated, Any, Final, NamedTuple, cast, get_args

from fastapi import APIRouter
from pydantic import AwareDatetime, BaseModel, Field
from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from pegwise._version import __version__
from pegwise.coach.review import review
from pegwise.errors import InputError, PegwiseError, TooLargeError, quoted
from pegwise.game import Secrets
from pegwise.game.game import game_title
from pegwise.game.names import SEVERAL
from pegwise.playing import Record, parse_record
from pegwise.search.solver import best_play_within
from pegwise.search.storage import pack
from pegwise.web import games
from pegwise.web.dates import short_date
from pegwise.web.games import (
    LISTED,
    UNKNOWN,
    Codemaker,
    GameState,
    Seconds,
    insert_game,
    insert_turn,
)
from pegwise.web.inputs import MAX_TURNS, RequestBody, read_rules
from pegwise.web.pages import attachment, language_of, render, render_piece
from pegwise.web.play import Stored, address_of
from pegwise.web.services import SEARCHING, Player, Services, Shared, TooLongError, Visitor
from pegwise.web.storage import (
    GAMES,
    TURNS,
    ConflictError,
    Storage,
)

_SHOWN: Final = 30  # games in the list of the page
_ENOUGH: Final = 5  # games from which on they tell where a player loses
_LATEST: Final = 10  # games that tell where a player loses, the latest
_WIDTH, _TOP, _BASE = 440, 34, 152  # pixels of a chart
_MAX_RECORD: Final = 50_000  # characters of a game that was played elsewhere


class LossView(BaseModel):
    """The turn at which games lose most against best play, and the game that lost most there."""

    turn: int
    cost: float  # guesses a game
    unfit: bool  # mostly by codes that no longer fit
    address: str


class AboveView(BaseModel):
    """The guesses that the choices of a game cost; null where that is not known exactly."""

    excess_guesses: Annotated[float | None, Field(serialization_alias="above")]


class FinishedGame(RequestBody):
    """A game that was played elsewhere to its end: its record, and when it was begun."""

    record: Annotated[str, Field(max_length=_MAX_RECORD)]
    begun: AwareDatetime
    hints: bool = True
    max_guesses: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None
    seconds: Seconds | None = None

    def game(self, player: str) -> GameState:
        """The game of a player; InputError where its record is none, or is not of its secret."""
        record = parse_record(self.record, "")
        state = GameState(
            secrets.token_urlsafe(16),
            record.game,
            record.codemaker,
            record.seed,
            self.hints,
            self.max_guesses,
            record.result,
            record.secret if record.boards == 1 else None,
            begun=self.begun.astimezone(UTC),
            player=player,
            hinted=record.hinted,
            secrets=record.boards,
            seconds=self.seconds,
        )
        if record.open or record.secret is None or not record.turns:
            raise InputError(
                "only a game that is over can be stored, with its turns and its secret"
            )
        if record.codemaker not in get_args(Codemaker):
            raise InputError("{codemaker} hid no code here", codemaker=quoted(record.codemaker))
        if Secrets(record.secrets) != state.hidden():
            raise InputError("the secrets of this game are not those of its seed")
        play = state.play
        for turn in record.turns:  # a mark may be noted in part
            play = play.after(play.answer(state.hidden(), turn.guess))
        return replace(state, turns=play.turns)


class FinishedGames(RequestBody):
    """Games that were played elsewhere."""

    games: Annotated[list[FinishedGame], Field(max_length=LISTED)]


class TakenOver(BaseModel):
    """The ids of games that were taken over, null for one that was not; why the first was not."""

    ids: list[str | None]
    problem: str | None


def take_over(storage: Storage, player: str, sent: Sequence[FinishedGame]) -> TakenOver:
    """Store games that a player has played elsewhere; one that is there already is not doubled."""
    ids, problem = list[str | None](), None
    with storage.write() as session:
        for finished in sent:
            try:
                game = finished.game(player)
            except PegwiseError as error:
                problem = problem or str(error)
                ids.append(None)
                continue
            ids.append(_store(session, game))
    return TakenOver(ids=ids, problem=problem)


def copy_games(storage: Storage, player: str, played: Sequence[GameState]) -> None:
    """Store games of another player that are over as games of this one, none twice."""
    with storage.write() as session:
        for game in played:
            key = secrets.token_urlsafe(16)
            _store(session, replace(game, id=key, player=player, challenge=None))


def _store(session: Session, game: GameState) -> str:
    """Store a game that is over; its id, or that of the same game of its player."""
    same = GAMES.c.begun == game.begun, GAMES.c.rules == game.play.name
    stored = session.scalar(select(GAMES.c.id).where(GAMES.c.player == game.player, *same))
    if stored is not None:
        return str(stored)
    insert_game(session, game)
    for number, turn in enumerate(game.turns, 1):
        mark = str(turn.mark) if game.secrets == 1 else ""
        insert_turn(session, game.id, number, turn.guess, mark, None)
    return game.id


def count_played(storage: Storage, player: str) -> dict[str, int]:
    """How many games of a player have each result."""
    results = select(GAMES.c.result, func.count()).where(*games.played_with(player))
    with storage.read() as session:
        return dict(cast(Any, session.execute(results.group_by(GAMES.c.result)).all()))


class BoardResults(NamedTuple):
    """How the games of a player on one board ended, games by hints apart.

    Attributes:
        rules: the board, as it is named.
        solved: how many games were solved, by their guesses.
        games: how many ended.
        streak: how many were solved in a row, up to the last one.
        best: how many at most.
        times: the seconds of each solved game of which the time is known.
    """

    rules: str
    solved: Counter[int]
    games: int
    streak: int
    best: int
    times: list[float]

    @classmethod
    def of(
        cls, rules: str, guesses: Sequence[int | None], times: Sequence[float | None]
    ) -> BoardResults:
        """Of the guesses of games, the oldest first, None for one not solved; of their times."""
        streaks = [0]
        for number in guesses:
            streaks.append(0 if number is None else streaks[-1] + 1)
        counts = Counter(number for number in guesses if number is not None)
        timed = [s for number, s in zip(guesses, times, strict=True) if number and s is not None]
        return cls(rules, counts, len(guesses), streaks[-1], max(streaks), timed)

    @property
    def title(self) -> str:
        """The board as people call it; as it is named where its list of words was deleted."""
        named = SEVERAL.fullmatch(self.rules)
        with suppress(InputError):
            title = game_title(read_rules(named[1] if named else self.rules))
            return f"{title} × {named[2]}" if named else title
        return self.rules

    @property
    def mean(self) -> float:
        """Guesses of a solved game on average; there is one."""
        return sum(n * times for n, times in self.solved.items()) / self.solved.total()


def results_by_board(storage: Storage, player: str, rules: str | None = None) -> list[BoardResults]:
    """How the games of a player ended, by board, that of most games first; or on one board."""
    own = [*games.played_with(player), GAMES.c.result != "open", GAMES.c.hinted.is_(None)]
    if rules is not None:
        own.append(GAMES.c.rules == rules)
    turns = func.count(TURNS.c.number)
    rows = (
        select(GAMES.c.rules, GAMES.c.result, GAMES.c.seconds, turns)
        .join_from(GAMES, TURNS)
        .where(*own)
        .group_by(GAMES.c.id)
        .order_by(GAMES.c.begun, GAMES.c.id)
    )
    ended: dict[str, list[tuple[int | None, float | None]]] = {}
    with storage.read() as session:
        for board, result, seconds, n_turns in session.execute(rows):
            guesses = n_turns if result == "solved" else None
            ended.setdefault(board, []).append((guesses, seconds))
    boards = [BoardResults.of(board, *zip(*own, strict=True)) for board, own in ended.items()]
    return sorted(boards, key=lambda board: -board.games)


def add_excess(storage: Storage, key: str, excess: float) -> None:
    """Store what the choices of a game cost."""
    with storage.write() as session:
        session.execute(update(GAMES).where(GAMES.c.id == key).values(above=excess))


def remove_all(storage: Storage, player: str) -> int:
    """Delete all games of a player; how many there were."""
    with storage.write() as session:
        deleted = session.execute(delete(GAMES).where(GAMES.c.player == player))
        return cast(CursorResult[Any], deleted).rowcount


def excess_guesses(record: Record) -> float | None:
    """The guesses that the choices of a game cost against best play; None where not exact."""
    reviewed = review(record, solver=best_play_within(SEARCHING))
    exact = reviewed.consistent and not reviewed.estimated
    return float(reviewed.cost_in_guesses) if exact else None


def losses(records: list[tuple[str, Record]], seconds: float = SEARCHING) -> LossView | None:
    """Where these games, each with the address of its review, lose most; None where not exact."""
    costs: dict[int, list[tuple[float, bool, str]]] = {}
    for address, record in records:
        reviewed = review(record, solver=best_play_within(seconds))
        if not reviewed.consistent or reviewed.estimated:
            continue
        for number, turn in enumerate(reviewed.turns, 1):
            at = f"{address}#try-{number}"
            costs.setdefault(number, []).append((float(turn.excess or 0), turn.played.possible, at))
    totals = {number: sum(cost for cost, _, _ in at) for number, at in costs.items()}
    if not totals or (most := max(totals.values())) <= 0:
        return None
    number = max(totals, key=lambda number: totals[number])
    unfit = sum(cost for cost, fits, _ in costs[number] if not fits)
    return LossView(
        turn=number,
        cost=most / len(costs[1]),
        unfit=2 * unfit > most,
        address=max(costs[number])[2],
    )


def _own_choices(played: Sequence[GameState]) -> list[GameState]:
    """Games for one secret, over and played without hints: what these propose is no choice."""
    return [game for game in played if game.over and not game.hinted and game.secrets == 1]


class AboveChart(NamedTuple):
    """What games cost against best play: a dot for each, the oldest first, and their mean.

    Attributes:
        costs: in guesses.
        dots: the place of each, in pixels.
        line: the mean of the last ten at each, as places of a line.
        most: the cost on top of the chart.
    """

    costs: list[float]
    dots: list[tuple[float, float]]
    line: str
    most: float

    @classmethod
    def of(cls, played: Sequence[GameState]) -> AboveChart:
        """Of games of a player, the newest first; those whose cost is not known are left out."""
        known = [game.excess_guesses for game in reversed(_own_choices(played))]
        costs = [cost for cost in known if cost is not None and cost != UNKNOWN]
        most = max(0.5, *costs, 0.0)

        def place(game: int, cost: float) -> tuple[float, float]:
            x = 8 + game * (_WIDTH - 16) / max(1, len(costs) - 1)
            return round(x, 1), round(_BASE - (_BASE - _TOP) * cost / most, 1)

        means = [fmean(costs[max(0, n - 9) : n + 1]) for n in range(len(costs))]
        line = " ".join("{},{}".format(*place(game, mean)) for game, mean in enumerate(means))
        return cls(costs, [place(*each) for each in enumerate(costs)], line, most)


api = APIRouter()


@api.get("/above.html", response_class=Response, tags=["play"])
async def above_html(request: Request, shared: Shared, player: Player) -> Response:
    """What the games of a visitor cost against best play, as a piece of a page."""
    played = await shared.storage.do(games.played_by, player) if player else []
    return render_piece(request, "games_above", above=AboveChart.of(played))


@api.get("/games/{key}/distribution.html", response_class=Response, tags=["play"])
async def distribution_html(
    request: Request, game: Stored, shared: Shared, player: Player
) -> Response:
    """How many guesses the games of a visitor on this board took, as a piece of a page."""
    game.check_player(player)
    own = []
    if player:
        own = await shared.storage.do(results_by_board, player, game.play.name)
    counted = game.result == "solved" and not game.hinted
    now = len(game.turns) if counted else None
    return render_piece(request, "games_distribution", boards=own, now=now)


@api.get("/losses", tags=["play"])
async def own_losses(shared: Shared, player: Player) -> LossView | None:
    """Where the last ten games of a visitor lose most; null for fewer than five."""
    own = await shared.storage.do(games.played_by, player) if player else []
    ended = [game for game in _own_choices(own) if game.turns]
    if len(ended) < _ENOUGH:
        return None
    records = [(address_of(game), game.record()) for game in ended[:_LATEST]]
    return await shared.slow.ask(losses, records)


@api.delete("/games", status_code=204, tags=["play"])
async def remove_own(shared: Shared, player: Player) -> None:
    """Delete all games that the same visitor has begun, and their turns."""
    if player is not None:
        await shared.storage.do(remove_all, player)


@api.post("/games/played", status_code=201, tags=["play"])
async def take_over_games(sent: FinishedGames, shared: Shared, player: Visitor) -> TakenOver:
    """Store games that a visitor has played elsewhere, on another device or without a network."""
    shared.check_begins()
    return await shared.storage.do(take_over, player, sent.games)


@api.post("/games/{key}/above", tags=["play"])
async def above(game: Stored, shared: Shared) -> AboveView:
    """Cost of the choices of a game that is over; it is computed once."""
    if not game.over or not game.turns:
        raise ConflictError("this game is not over: play it to its end")
    cost = game.excess_guesses
    if cost is None:
        pool = shared.pool_for_advice(game.rules)
        try:
            exact = await pool.ask(excess_guesses, game.record())
        except TooLongError:  # perhaps only now: the server is busy, or loads its kernels
            return AboveView(excess_guesses=None)
        except TooLargeError:
            exact = None
        cost = UNKNOWN if exact is None else exact
        await shared.storage.do(add_excess, game.id, cost)
    return AboveView(excess_guesses=None if cost == UNKNOWN else cost)


pages = APIRouter(include_in_schema=False)


@pages.get("/games")
async def page(request: Request, shared: Shared, player: Player) -> Response:
    """The games of the visitor, and what they cost against best play."""
    played, counts, boards = list[GameState](), dict[str, int](), list[BoardResults]()
    if player:
        boards = await shared.storage.do(results_by_board, player)
        played = await shared.storage.do(games.played_by, player)
        counts = await shared.storage.do(count_played, player)
    language = language_of(request)
    return render(
        request,
        "games",
        page="play",
        games=[
            (game, address_of(game), short_date(game.begun, language))
            for game in played[:_SHOWN]
            if game.begun
        ],
        total=sum(counts.values()),
        solved=counts.get("solved", 0),
        boards=[(board.title, board) for board in boards if board.solved],
        above=AboveChart.of(played),
        data={"unknown": [g.id for g in _own_choices(played) if g.excess_guesses is None]},
    )


@pages.get("/games.json")
async def export(shared: Shared, player: Player) -> Response:
    """All games of the visitor in one file."""
    played = await all_games(shared, player)
    documents = [
        game.view().model_dump(mode="json", by_alias=True)
        | {
            "begun": game.begun and game.begun.isoformat(),
            "above": None if game.excess_guesses == UNKNOWN else game.excess_guesses,
        }
        for game in played
    ]
    whole = {
        "pegwise": __version__,
        "games": [document for document in documents if document["secrets"] == 1],
        "several": [document for document in documents if document["secrets"] > 1],
    }
    content = json.dumps(whole, indent=1)
    return attachment(content, "application/json", "pegwise-games.json")


@pages.get("/games.zip")
async def records(shared: Shared, player: Player) -> Response:
    """The records of all games of the visitor that are over, a file each."""
    played = enumerate(reversed(await all_games(shared, player)), 1)
    files = {f"game-{n:04}.txt": game.record().write().encode() for n, game in played if game.over}
    return attachment(pack(files), "application/zip", "pegwise-games.zip")


async def all_games(shared: Services, player: str | None) -> list[GameState]:
    """All games of a player, some at a time, so that other requests are not held up."""
    played = list[GameState]()
    if player:
        total = sum((await shared.storage.do(count_played, player)).values())
        for first in range(0, total, LISTED):
            played += await shared.storage.do(games.played_by, player, first)
    return played
