"""Games that people play: begun, played turn by turn, ended, and stored.

A secret is shown only when its game is over. A turn has its number, so that a request that is sent
twice is played once.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Annotated, Any, Final, Literal, cast

from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, Row, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import Code, Game, Secrets, Turn, game_of, parse_code
from pegwise.game.names import SEVERAL
from pegwise.knowledge.codemaker import draw_secret, draw_secrets
from pegwise.playing import Play, Record
from pegwise.playing.record import check_codemaker
from pegwise.reading import parse_mark
from pegwise.web.inputs import (
    CLASSIC,
    MAX_TURNS,
    Candidates,
    PlayedTurn,
    RequestBody,
    RulesText,
    read_rules,
)
from pegwise.web.storage import (
    GAMES,
    TURNS,
    ConflictError,
    NotFoundError,
    NotYoursError,
    Storage,
    now,
)

Codemaker = Literal["random", "optimal", "evil"]
"""The codemakers of `playing.record.CODEMAKERS` that the site offers."""

_MAX_EVIL_PEGS: Final = 12  # at each turn, the codes of every possible mark are counted
_MAX_SEED: Final = 10**20  # too many seeds to guess one
_MAX_RECENT: Final = 2000  # games that stay in memory

UNKNOWN: Final = -1.0
"""The cost of the choices of a game where it is not known exactly."""

MOST_SECRETS: Final = 32
"""Most secrets that are sought at once on the site."""

Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
"""The time of a game, by the clock of its page."""

LISTED: Final = 100
"""So many games are listed at once."""

# Plain statements, built once: no other requests are as frequent
_FIND = (
    select(GAMES, TURNS)
    .join_from(GAMES, TURNS, isouter=True)
    .where(GAMES.c.id == bindparam("key"))
    .order_by(TURNS.c.number)
)
_LOCK = select(GAMES.c.id).where(GAMES.c.id == bindparam("key")).with_for_update()
_FINISH = (
    update(GAMES)
    .where(GAMES.c.id == bindparam("key"))
    .values(result=bindparam("ended"), secret=bindparam("shown"))
)


class GameRequest(RequestBody):
    """A new game."""

    rules: RulesText = CLASSIC
    codemaker: Codemaker = "random"
    hints: bool = True
    max_guesses: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None
    secrets: Annotated[int, Field(ge=1, le=MOST_SECRETS)] = 1


class TurnView(PlayedTurn):
    """A turn; `left` is null where hints are off or the codes cannot be counted.

    Where several secrets are sought, `boards` have what it told of each.
    """

    candidates: Candidates


class BoardView(BaseModel):
    """A board: its mark for each turn, up to that which finds its secret.

    `left` has how many codes are possible after each of these turns; it is empty where hints are
    off. The secret is told once it is found, or the game is over.
    """

    marks: list[str]
    left: list[int]
    secret: str | None


class GameView(BaseModel):
    """A game; secret and record are told once it is over. Games of a challenge share a secret.

    So many `secrets` are sought at once; each has a board.
    """

    id: str
    rules: RulesText
    codemaker: str
    hints: bool
    max_guesses: int | None
    turns: list[TurnView]
    candidates: Candidates
    over: bool
    won: bool
    secret: str | None
    record: str | None
    challenge: str | None
    seconds: float | None = None
    hinted: list[int] = []  # turns for which a hint was asked
    secrets: int = 1
    guesses: list[str] = []
    boards: list[BoardView] = []


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as it stands.

    `seed` is None if the codemaker is evil. The secret of an optimal codemaker is there at once,
    that of the others when the game is over; several secrets follow from the seed. `counts` has how
    many codes each board may have after each turn, None where that is not known. Games of a
    `challenge` have the same secret. The choices cost `excess_guesses` against best play:
    `UNKNOWN`, or None before that was asked for. A `player` is the session that began it, None for
    a program without one. A hint was asked for the turns `hinted`. So many `secrets` are sought.
    The clock of the page showed `seconds` at the last turn, None where one was played without it.
    """

    id: str
    rules: Game
    codemaker: str
    seed: int | None
    hints: bool
    max_guesses: int | None
    result: str = "open"
    secret: Code | None = None
    turns: tuple[Turn, ...] = ()
    counts: tuple[tuple[int, ...] | None, ...] = ()
    challenge: str | None = None
    excess_guesses: float | None = None
    begun: datetime | None = None
    player: str | None = None
    hinted: tuple[int, ...] = ()
    secrets: int = 1
    seconds: float | None = None

    @property
    def play(self) -> Play:
        """The boards, and the turns on them."""
        return Play(game_of(self.rules), self.secrets, self.turns)

    @property
    def candidates(self) -> tuple[int | None, ...]:
        """How many codes one board may have after each turn; None where that is not known."""
        one = self.secrets == 1
        return tuple(each[0] if one and each is not None else None for each in self.counts)

    @property
    def over(self) -> bool:
        """Whether no turn can follow."""
        return self.result != "open"

    @property
    def ends_next(self) -> bool:
        """Whether the game is over after the next turn, won or not."""
        return len(self.turns) + 1 == self.max_guesses

    def hidden(self) -> Secrets:
        """The secret of each board, which the codemaker knows."""
        if self.secret is not None:
            return Secrets((self.secret,))
        if self.seed is None:
            raise ConflictError("the evil codemaker has not chosen its code yet: try again")
        return draw_secrets(self.play, self.seed)

    def record(self) -> Record:
        """A game that is over, as a record."""
        return Record(
            self.rules,
            self.turns,
            self.result,
            self.secret if self.secrets == 1 else cast(Any, self.hidden()),
            codemaker=self.codemaker,
            seed=self.seed,
            hinted=tuple(turn for turn in self.hinted if turn <= len(self.turns)),
            boards=self.secrets,
        )

    def view(self) -> GameView:
        """The game as its player may see it."""
        counts = self.candidates if self.hints else (None,) * len(self.turns)
        turns = [
            TurnView(guess=str(turn.guess), mark=str(turn.mark), candidates=count)
            for turn, count in zip(self.turns, counts, strict=True)
        ]
        first = self.rules.n_secrets if self.hints else None
        return GameView(
            id=self.id,
            rules=self.rules,
            codemaker=self.codemaker,
            hints=self.hints,
            max_guesses=self.max_guesses,
            turns=turns,
            candidates=turns[-1].candidates if turns else first,
            over=self.over,
            won=self.result == "solved",
            secret=str(self.hidden()) if self.over else None,
            record=self.record().write() if self.over else None,
            challenge=self.challenge,
            seconds=self.seconds,
            hinted=list(self.hinted),
            secrets=self.secrets,
            guesses=[str(turn.guess) for turn in self.turns],
            boards=self._boards(),
        )

    def _boards(self) -> list[BoardView]:
        """Each board as its player may see it."""
        play, boards = self.play, []
        shown = self.hidden() if self.over else play.found
        for board, secret in enumerate(shown):
            turns = play.turns_on(board)
            counts = self.counts[: len(turns)] if self.hints else ()
            boards.append(
                BoardView(
                    marks=[str(turn.mark) for turn in turns],
                    left=[count[board] for count in counts if count is not None],
                    secret=None if secret is None else str(secret),
                )
            )
        return boards

    def check_player(self, player: str | None) -> None:
        """Refuse a visitor who has not begun this game, if one has."""
        if self.player is not None:
            NotYoursError.unless(player, self.player)


def awaits(turns: Sequence[Turn | PlayedTurn], result: str, guess: Code | str, number: int) -> bool:
    """Whether a game waits for this turn; not if the guess was played already."""
    played = len(turns)
    if number <= played:
        if str(before := turns[number - 1].guess) == str(guess):
            return False
        if before:  # not a puzzle that was skipped
            raise ConflictError(
                "turn {number} was {before} already; turn {next} is next",
                number=number,
                before=before,
                next=played + 1,
            )
    elif result != "open":
        raise ConflictError(
            "the game is over ({result}): turn {played} was the last",
            result=Phrase(result),
            played=played,
        )
    if number != played + 1:
        raise ConflictError(
            "turn {next} is next, not turn {number}", next=played + 1, number=number
        )
    return True


class GameCache:
    """A cache of games, so that the next guess is answered before the database is asked.

    Turns are only ever added, so that a cached game is a true beginning of the stored one.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, GameState] = OrderedDict()

    def keep(self, game: GameState) -> GameState:
        """Cache a game, and return it."""
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > _MAX_RECENT:
            self._games.popitem(last=False)
        return game

    def before(self, key: str, number: int) -> GameState | None:
        """A game before this turn; None where only the database can tell."""
        game = self._games.get(key)
        return None if game is None or game.over or number != len(game.turns) + 1 else game


def prepare(_storage: Storage) -> None:
    """Load what the first game needs, which takes a moment."""
    draw_secret(game_of("4x6"), 0)


def draw_seed() -> int:
    """The seed with which a codemaker draws its secret."""
    return secrets.randbelow(_MAX_SEED)


def begin(
    storage: Storage,
    request: GameRequest,
    seed: int | None = None,
    secret: Code | None = None,
    player: str | None = None,
) -> GameState:
    """Begin a game of a player; an optimal codemaker has drawn the secret with the seed."""
    rules, evil = request.rules, request.codemaker == "evil"
    check_drawing(request)
    if evil and rules.pegs > _MAX_EVIL_PEGS:
        raise InputError(
            "the evil codemaker plays boards of up to {most} pegs, not {rules}; choose the "
            "random one",
            most=_MAX_EVIL_PEGS,
            rules=rules,
        )
    game = GameState(
        secrets.token_urlsafe(16),
        rules,
        request.codemaker,
        None if evil else draw_seed() if seed is None else seed,
        request.hints,
        request.max_guesses,
        secret=secret,
        player=player,
        secrets=request.secrets,
    )
    with storage.write() as session:
        insert_game(session, game)
    return game


def check_drawing(request: GameRequest) -> None:
    """Refuse a codemaker that the game cannot have, and too many secrets."""
    check_codemaker(request.codemaker, request.rules)
    if request.secrets > 1 and request.codemaker != "random":
        raise InputError("several secrets are drawn by chance: choose that codemaker")
    _ = Play(game_of(request.rules), request.secrets)  # refuses others


def insert_game(session: Session, game: GameState) -> None:
    """Add a game, without its turns."""
    row = {
        "id": game.id,
        "rules": game.play.name,
        "codemaker": game.codemaker,
        "seed": None if game.seed is None else str(game.seed),
        "hints": game.hints,
        "max_guesses": game.max_guesses,
        "result": game.result,
        "secret": None if game.secret is None else str(game.secret),
        "begun": game.begun or now(),
        "hinted": ",".join(map(str, game.hinted)) or None,
        "player": game.player,
        "challenge": game.challenge,
        "seconds": game.seconds,
    }
    session.execute(insert(GAMES), row)


def find(storage: Storage, key: str) -> GameState:
    """The game of this id."""
    with storage.read() as session:
        return _find(session, key)


def played_by(
    storage: Storage, player: str, first: int = 0, limit: int = LISTED, only: str | None = None
) -> list[GameState]:
    """The latest games of a player in which there is a turn, the newest first.

    `first` of them are passed over; `only` is the result that they have.
    """
    result = () if only is None else (GAMES.c.result == only,)
    with storage.read() as session:
        return list_games(session, *played_with(player), *result, limit=limit, offset=first)


def played_with(player: str) -> tuple[ColumnElement[bool], ...]:
    """A condition of SQL for the games of a player in which there is a turn."""
    return GAMES.c.player == player, GAMES.c.id.in_(select(TURNS.c.game_id))


def list_games(
    session: Session,
    *conditions: ColumnElement[bool],
    newest: bool = True,
    limit: int,
    offset: int = 0,
) -> list[GameState]:
    """Games with their turns, by when they were begun."""
    order = GAMES.c.begun.desc() if newest else GAMES.c.begun
    ids = select(GAMES.c.id).where(*conditions).order_by(order, GAMES.c.id)
    chosen = GAMES.c.id.in_(ids.limit(limit).offset(offset))
    rows = select(GAMES, TURNS).join_from(GAMES, TURNS, isouter=True).where(chosen)
    rows = rows.order_by(order, GAMES.c.id, TURNS.c.number)
    games = []
    for _, group in groupby(session.execute(rows), lambda row: row.id):
        with suppress(InputError):  # a list of words that was deleted
            games.append(_game(list(group)))
    return games


def add_count(storage: Storage, key: str, number: int, candidates: int) -> None:
    """Store how many codes are possible after a turn, where that is not known yet."""
    turn = TURNS.c.game_id == key, TURNS.c.number == number, TURNS.c.candidates.is_(None)
    with storage.write() as session:
        session.execute(update(TURNS).where(*turn).values(candidates=str(candidates)))


def note_hint(storage: Storage, key: str) -> None:
    """Store that a hint was asked for the next turn of a game."""
    with storage.write() as session:
        game = find_locked(session, key)
        hinted = dict.fromkeys([*game.hinted, len(game.turns) + 1])
        values = {"hinted": ",".join(map(str, hinted))}
        session.execute(update(GAMES).where(GAMES.c.id == key).values(values))


def delete_old(storage: Storage, days: float) -> None:
    """Delete open games that were begun `days` or more ago; games without turns after a day."""
    stale = GAMES.c.begun < now() - timedelta(days=days)
    empty = GAMES.c.id.not_in(select(TURNS.c.game_id))
    forgotten = stale | (empty & (GAMES.c.begun < now() - timedelta(days=1)))
    with storage.write() as session:
        session.execute(delete(GAMES).where(GAMES.c.result == "open", forgotten))


def remove(storage: Storage, key: str, player: str | None) -> None:
    """Delete a game of this player, and its turns."""
    with storage.write() as session:
        find_own(session, key, player)
        session.execute(delete(GAMES).where(GAMES.c.id == key))


def find_own(session: Session, key: str, player: str | None) -> GameState:
    """The game, locked, if this player has begun it."""
    game = find_locked(session, key)
    owner = session.scalar(select(GAMES.c.player).where(GAMES.c.id == key))
    NotYoursError.unless(player, owner)
    return game


def insert_turn(
    session: Session, key: str, number: int, guess: Code, mark: str, candidates: str | None
) -> None:
    """Write a turn down; ConflictError where the game has too many."""
    if number > MAX_TURNS:
        raise ConflictError(
            "a game has at most {most} turns; give up to see the code", most=MAX_TURNS
        )
    row = {
        "game_id": key,
        "number": number,
        "guess": str(guess),
        "mark": mark,
        "candidates": candidates,
    }
    session.execute(insert(TURNS), row)


def add_turn(
    storage: Storage,
    game: GameState,
    turn: Turn,
    counts: tuple[int, ...] | None = None,
    shown: Code | None = None,
    seconds: float | None = None,
) -> GameState:
    """Play a turn; `counts` tells how many codes each board may have after it, if known.

    `shown` is the secret of an evil codemaker, if the game is lost with this turn. `seconds` is
    what the clock shows; a game has a time only if each of its turns was told one.
    """
    number = len(game.turns) + 1
    with storage.write() as session:
        game = find_locked(session, game.id)
        if not awaits(game.turns, game.result, turn.guess, number):
            return game
        counted = None if counts is None else ",".join(map(str, counts))
        # the marks of several boards follow from their secrets
        mark = str(turn.mark) if game.secrets == 1 else ""
        insert_turn(session, game.id, number, turn.guess, mark, counted)
        seconds = seconds if number == 1 or game.seconds is not None else None
        if seconds != game.seconds:
            session.execute(update(GAMES).where(GAMES.c.id == game.id).values(seconds=seconds))
            game = replace(game, seconds=seconds)
        game = replace(game, turns=(*game.turns, turn), counts=(*game.counts, counts))
        if game.play.over:
            return _finish(session, game, "solved", turn.guess)
        lost = len(game.turns) == game.max_guesses
        return _finish(session, game, "lost", shown) if lost else game


def end(storage: Storage, key: str, shown: Code | None = None, after: int = 0) -> GameState:
    """Give a game up, which shows its secret; a game that is over does not change.

    `shown` is the secret that an evil codemaker chose after `after` turns.
    """
    with storage.write() as session:
        game = find_locked(session, key)
        if game.over:
            return game
        if shown is not None and len(game.turns) != after:
            raise ConflictError("a turn was played at the same time: give up again")
        return _finish(session, game, "given up", shown)


def _find(session: Session, key: str) -> GameState:
    rows = session.execute(_FIND, {"key": key}).all()
    if not rows:
        raise NotFoundError("there is no game {key} here", key=quoted(key))
    return _game(rows)


def _game(rows: Sequence[Row[Any]]) -> GameState:
    """A game from its rows, one for each turn."""
    first = rows[0]
    named = SEVERAL.fullmatch(first.rules)
    rules = read_rules(named[1] if named else first.rules)
    played = [row for row in rows if row.number is not None]
    counts = (row.candidates and tuple(map(int, row.candidates.split(","))) for row in played)
    game = GameState(
        first.id,
        rules,
        first.codemaker,
        None if first.seed is None else int(first.seed),
        first.hints,
        first.max_guesses,
        first.result,
        None if first.secret is None else parse_code(first.secret, rules, secret=True),
        counts=tuple(counts),
        challenge=first.challenge,
        excess_guesses=first.above,
        begun=first.begun,
        player=first.player,
        hinted=tuple(map(int, filter(None, (first.hinted or "").split(",")))),
        secrets=int(named[2]) if named else 1,
        seconds=first.seconds,
    )
    guesses = [parse_code(row.guess, rules) for row in played]
    if game.secrets == 1:
        pairs = zip(guesses, played, strict=True)
        turns = tuple(Turn(guess, parse_mark(row.mark, rules)) for guess, row in pairs)
        return replace(game, turns=turns)
    play, hidden = game.play, game.hidden()
    for guess in guesses:
        play = play.after(play.answer(hidden, guess))
    return replace(game, turns=play.turns)


def find_locked(session: Session, key: str) -> GameState:
    """The game, which no other session changes until this one ends."""
    if session.get_bind().dialect.name != "sqlite":  # which has one writer at a time
        session.execute(_LOCK, {"key": key})
    return _find(session, key)


def _finish(session: Session, game: GameState, result: str, shown: Code | None) -> GameState:
    """End a game; `shown` is its secret, None for the one that was drawn."""
    if game.secrets == 1:
        game = replace(game, secret=shown or game.hidden()[0])
    secret = None if game.secret is None else str(game.secret)
    session.execute(_FINISH, {"key": game.id, "ended": result, "shown": secret})
    return replace(game, result=result)
