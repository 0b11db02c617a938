"""The visitor's games, what they cost, challenges, and lists of words."""

from __future__ import annotations

import json
import secrets
from asyncio import to_thread
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC
from statistics import fmean
from typing import Annotated, Any, Final, NamedTuple, cast, get_args

from babel.dates import format_date
from fastapi import APIRouter, Path
from pydantic import AwareDatetime, BaseModel, Field
from sqlalchemy import ColumnElement, CursorResult, delete, func, select, update
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise._version import __version__
from pegwise.coach.review import review
from pegwise.errors import InputError, PegwiseError, TooLargeError, quoted
from pegwise.game import Secrets, WordList
from pegwise.game.game import game_title
from pegwise.game.marking import Places
from pegwise.game.names import SEVERAL, word_game
from pegwise.game.rules import MARKS
from pegwise.game.words import MAX_LETTERS, installed_words, words_of
from pegwise.playing import Record, parse_record
from pegwise.search.solver import best_play_within
from pegwise.search.storage import pack
from pegwise.web import games
from pegwise.web.games import (
    LISTED,
    UNKNOWN,
    Codemaker,
    GameState,
    GameView,
    insert_game,
    insert_turn,
    list_games,
)
from pegwise.web.inputs import MAX_TURNS, RequestBody, query_of, read_rules
from pegwise.web.pages import attachment, form_fields, language_of, render, render_piece
from pegwise.web.play import Key, Stored, address_of, address_on
from pegwise.web.services import SEARCHING, Player, Services, Shared, TooLongError, Visitor
from pegwise.web.storage import (
    GAMES,
    TURNS,
    ConflictError,
    ListRow,
    NotFoundError,
    Storage,
    read_list,
)

_SHOWN: Final = 30  # games in the list of the page
_ENOUGH: Final = 5  # games from which on they tell where a player loses
_LATEST: Final = 10  # games that tell where a player loses, the latest
_WIDTH, _TOP, _BASE = 440, 34, 152  # pixels of a chart
_COMPARED: Final = 20  # games of others that are compared at most
_MAX_RECORD: Final = 50_000  # characters of a game that was played elsewhere
MAX_LISTS: Final = 10  # lists of words of a visitor

Name = Annotated[str, Path(min_length=1, max_length=32, description="The name of the challenge.")]


class ChallengeView(BaseModel):
    """A challenge: others play for the same secret at the address `path`."""

    name: str
    path: str


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


# The database.


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
            same = GAMES.c.begun == game.begun, GAMES.c.rules == game.play.name
            stored = session.scalar(select(GAMES.c.id).where(GAMES.c.player == player, *same))
            if stored is None:
                insert_game(session, game)
                for number, turn in enumerate(game.turns, 1):
                    mark = str(turn.mark) if game.secrets == 1 else ""
                    insert_turn(session, game.id, number, turn.guess, mark, None)
            ids.append(stored or game.id)
    return TakenOver(ids=ids, problem=problem)


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
    """

    rules: str
    solved: Counter[int]
    games: int
    streak: int
    best: int

    @classmethod
    def of(cls, rules: str, guesses: Sequence[int | None]) -> BoardResults:
        """Of the guesses of games, the oldest first; None for one that was not solved."""
        streaks = [0]
        for number in guesses:
            streaks.append(0 if number is None else streaks[-1] + 1)
        counts = Counter(number for number in guesses if number is not None)
        return cls(rules, counts, len(guesses), streaks[-1], max(streaks))

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
        select(GAMES.c.rules, GAMES.c.result, turns)
        .join_from(GAMES, TURNS)
        .where(*own)
        .group_by(GAMES.c.id)
        .order_by(GAMES.c.begun, GAMES.c.id)
    )
    guesses: dict[str, list[int | None]] = {}
    with storage.read() as session:
        for board, result, n_turns in session.execute(rows):
            guesses.setdefault(board, []).append(n_turns if result == "solved" else None)
    boards = [BoardResults.of(board, numbers) for board, numbers in guesses.items()]
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


def challenge(storage: Storage, key: str, player: str | None) -> str:
    """The name under which others play for the same secret as a game of this player."""
    with storage.write() as session:
        game = games.find_own(session, key, player)
        if game.seed is None:
            raise ConflictError("the evil codemaker has no code for others to look for")
        name = game.challenge or secrets.token_urlsafe(16)
        session.execute(update(GAMES).where(GAMES.c.id == key).values(challenge=name))
        return name


def accept(storage: Storage, name: str, player: str | None) -> GameState:
    """The game of a player in a challenge, which begins where there is none."""
    with storage.write() as session:
        # locked, since a visitor may ask twice at once
        first = games.find_locked(session, _first(session, name).id)
        if own := _own(session, name, player):
            return own
        game = GameState(
            secrets.token_urlsafe(16),
            first.rules,
            first.codemaker,
            first.seed,
            first.hints,
            first.max_guesses,
            secret=None if first.secrets > 1 else first.hidden()[0],
            challenge=name,
            player=player,
            secrets=first.secrets,
        )
        insert_game(session, game)
        return game


def compared(
    storage: Storage, name: str, player: str | None
) -> tuple[GameState, GameState | None, list[GameState]]:
    """The first game of a challenge, the player's own, and those of others that are over."""
    with storage.read() as session:
        others = GAMES.c.player.is_distinct_from(player), GAMES.c.result != "open"
        return (
            _first(session, name),
            _own(session, name, player),
            list_games(session, _of(name), *others, newest=False, limit=_COMPARED),
        )


def _of(name: str) -> ColumnElement[bool]:
    return GAMES.c.challenge == name


def _own(session: Session, name: str, player: str | None) -> GameState | None:
    if player is None:
        return None
    return next(iter(list_games(session, _of(name), GAMES.c.player == player, limit=1)), None)


def _first(session: Session, name: str) -> GameState:
    first = list_games(session, _of(name), newest=False, limit=1)
    if not first:
        raise NotFoundError("there is no challenge {name} here", name=quoted(name))
    return first[0]


def add_list(storage: Storage, player: str, words: WordList) -> None:
    """Store a list of a visitor; a second time it changes nothing."""
    if words.name in installed_words():
        raise InputError(
            "there is a list {name} for everybody: choose another name", name=words.name
        )
    row = ListRow(
        player=player,
        name=words.name,
        digest=words.digest,
        secrets="\n".join(words.secrets),
        guesses="\n".join(words.guesses[len(words.secrets) :]),
    )
    with storage.write() as session:
        if session.get(ListRow, (player, words.name, words.digest)) is not None:
            return
        n_lists = select(func.count()).where(ListRow.player == player)
        if (session.scalar(n_lists) or 0) >= MAX_LISTS:
            raise ConflictError(
                "you have {most} lists already: delete one of them first", most=MAX_LISTS
            )
        session.add(row)


def lists_of(storage: Storage, player: str) -> list[WordList]:
    """The lists of a visitor, the newest first."""
    rows = select(ListRow.name, ListRow.digest).where(ListRow.player == player)
    with storage.read() as session:
        names = session.execute(rows.order_by(ListRow.added.desc())).all()
    return [read_list(storage, name, digest) for name, digest in names]


def remove_list(storage: Storage, player: str, name: str) -> None:
    """Delete a list `NAME@DIGEST` of this visitor."""
    name, _, digest = name.partition("@")
    own = ListRow.player == player, ListRow.name == name, ListRow.digest == digest
    with storage.write() as session:
        if not session.execute(delete(ListRow).where(*own).returning(ListRow.name)).all():
            raise NotFoundError("there is no such list of yours")
    read_list.cache_clear()
    read_rules.cache_clear()


# What a process computes.


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


# The API.

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


@api.post("/games/{key}/challenge", tags=["play"])
async def challenge_others(key: Key, shared: Shared, player: Player) -> ChallengeView:
    """Let others play for the same secret as a game that the same visitor has begun."""
    name = await shared.storage.do(challenge, key, player)
    return ChallengeView(name=name, path=f"/challenge/{name}")


@api.post("/challenges/{name}", status_code=201, tags=["play"])
async def take_up(name: Name, shared: Shared, player: Player) -> GameView:
    """Begin a game for the secret of a challenge; a visitor has one game in it."""
    shared.check_begins()
    game = await shared.storage.do(accept, name, player)
    return shared.recent.keep(game).view()


@api.delete("/words/{name}", status_code=204, tags=["words"])
async def delete_list(
    name: Annotated[str, Path(max_length=60, description="NAME@DIGEST")],
    shared: Shared,
    player: Player,
) -> None:
    """Delete a list that the same visitor pasted."""
    await shared.storage.do(remove_list, player or "", name)


# The pages.

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
            (game, address_of(game), format_date(game.begun, "medium", language))
            for game in played[:_SHOWN]
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
    played = await _all(shared, player)
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
    played = enumerate(reversed(await _all(shared, player)), 1)
    files = {f"game-{n:04}.txt": game.record().write().encode() for n, game in played if game.over}
    return attachment(pack(files), "application/zip", "pegwise-games.zip")


async def _all(shared: Services, player: str | None) -> list[GameState]:
    """All games of a player, some at a time, so that other requests are not held up."""
    played = list[GameState]()
    if player:
        total = sum((await shared.storage.do(count_played, player)).values())
        for first in range(0, total, LISTED):
            played += await shared.storage.do(games.played_by, player, first)
    return played


@pages.get("/challenge/{name}")
async def compare(name: Name, request: Request, shared: Shared, player: Player) -> Response:
    """Games for the same secret side by side; the visitor's own comes first and has to be over."""
    first, own, others = await shared.storage.do(compared, name, player)
    if own is None:
        return RedirectResponse(address_on(first, challenge=name), 303)
    if not own.over:
        return RedirectResponse(address_of(own), 303)
    return render(
        request,
        "challenge",
        page="play",
        rules=first.rules,
        boards=range(first.secrets),
        games=[(game, address_of(game)) for game in (own, *others)],
    )


@pages.get("/words")
async def lists(request: Request, shared: Shared, player: Player) -> Response:
    """A form for a list, and the lists of the same visitor."""
    return await _form(request, shared, player, {})


@pages.post("/words")
async def paste(request: Request, shared: Shared, player: Visitor) -> Response:
    """Store a list, and go on to play it; or the form again, with what is wrong."""
    sent = await form_fields(request)
    try:
        words = await to_thread(
            WordList.of,
            sent.get("name", "").strip().lower(),
            words_of(sent.get("words", "")),
            words_of(sent.get("guesses", "")),
            length=_length(sent.get("length", "")),
        )
        marks = sent.get("marks", "")
        rules = word_game(words, marks if marks in MARKS else "")
        await shared.storage.do(add_list, player, words)
    except PegwiseError as error:
        return await _form(request, shared, player, sent, error)
    address = query_of({"rules": rules, "twice": words.doubles or None})
    return RedirectResponse(f"/play?{address}", 303)


def _length(text: str) -> int | None:
    """The length of words that a form asks for; None where it asks for none."""
    if not text.strip():
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= MAX_LETTERS:
        raise InputError(
            "length {length}: give a whole number from 1 to {most}",
            length=quoted(text),
            most=MAX_LETTERS,
        )
    return int(text)


async def _form(
    request: Request,
    shared: Shared,
    player: str | None,
    sent: dict[str, str],
    error: PegwiseError | None = None,
) -> Response:
    own = await shared.storage.do(lists_of, player) if player else []
    placed = Places.widest
    return render(request, "lists", error=error, sent=sent, most=MAX_LISTS, own=own, placed=placed)
