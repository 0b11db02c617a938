"""Games that people play: begun, played turn by turn, ended, and kept.

The secret is shown only when a game is over. A turn has its number, so that a request
that is sent twice is played once.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from pegwise.errors import InputError, quoted
from pegwise.game import Code, Mark, Rules, Turn, mark, parse_code, parse_mark
from pegwise.web.game_state import Game, Taken, secret_of
from pegwise.web.problems import ConflictError, NotFoundError
from pegwise.web.schemas import MAX_TURNS, GameRequest, GameView, TurnView, read_rules
from pegwise.web.storage import Storage
from pegwise.web.tables import GAMES, TURNS, now

__all__ = [
    "add_turn",
    "begin",
    "draw_seed",
    "end",
    "find",
    "prepare",
    "take",
    "view",
]

_MAX_EVIL_PEGS: Final = 12
_MAX_SEED: Final = 10**20

# Plain statements, made once: this is what the server does most
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


def prepare(_storage: Storage) -> None:
    """Load what the first game needs, which takes a moment."""
    from pegwise.knowledge.codemaker import draw_secret

    draw_secret(Rules(), 0)


def draw_seed() -> int:
    """What a codemaker draws its secret with."""
    return secrets.randbelow(_MAX_SEED)


def begin(
    storage: Storage, request: GameRequest, seed: int | None = None, secret: Code | None = None
) -> Game:
    """Begin a game.

    Args:
        storage: the database.
        request: the game that is wanted.
        seed: what an optimal codemaker has drawn its secret with.
        secret: this secret.

    Raises:
        InputError: the evil codemaker on a board that is too large for it.
    """
    rules, evil = request.rules, request.codemaker == "evil"
    if evil and rules.pegs > _MAX_EVIL_PEGS:
        raise InputError(
            "the evil codemaker plays boards of up to {most} pegs, not {rules}; choose the "
            "random one",
            most=_MAX_EVIL_PEGS,
            rules=rules,
        )
    game = Game(
        secrets.token_urlsafe(16),
        rules,
        request.codemaker,
        None if evil else draw_seed() if seed is None else seed,
        request.hints,
        request.max_guesses,
        secret=secret,
    )
    row = {
        "id": game.id,
        "rules": str(rules),
        "codemaker": game.codemaker,
        "seed": None if game.seed is None else str(game.seed),
        "hints": game.hints,
        "max_guesses": game.max_guesses,
        "result": game.result,
        "secret": None if game.secret is None else str(game.secret),
        "begun": now(),
    }
    with storage.write() as session:
        session.execute(insert(GAMES), row)
    return game


def find(storage: Storage, key: str) -> Game:
    """The game of this id.

    Raises:
        NotFoundError: there is none.
    """
    with storage.read() as session:
        return _find(session, key)


def view(game: Game) -> GameView:
    """What the player may know of a game."""
    counts = game.left if game.hints else (None,) * len(game.turns)
    turns = [
        TurnView(guess=str(turn.guess), mark=str(turn.mark), left=left)
        for turn, left in zip(game.turns, counts, strict=True)
    ]
    first = game.rules.n_secrets if game.hints else None
    return GameView(
        id=game.id,
        rules=game.rules,
        codemaker=game.codemaker,
        hints=game.hints,
        max_guesses=game.max_guesses,
        turns=turns,
        left=turns[-1].left if turns else first,
        over=game.over,
        won=game.result == "solved",
        secret=str(game.secret) if game.over else None,
        record=game.record().write() if game.over else None,
    )


def take(storage: Storage, key: str, text: str, number: int) -> Taken:
    """Take a guess as turn `number` of a game, and play it unless that needs computing.

    Raises:
        NotFoundError: there is no such game.
        CodeError: the rules do not allow the guess.
        ConflictError: the game is over, another turn is next, or this one had another guess.
    """
    with storage.write() as session:
        game = _find_locked(session, key)
        guess = parse_code(text, game.rules)
        if not _is_next(game, guess, number):
            return Taken(game)
        if game.seed is None:
            return Taken(game, guess)
        marked = mark(guess, secret_of(game), black_only=game.rules.black)
        if game.hints:
            return Taken(game, guess, marked)
        return Taken(_play(session, game, Turn(guess, marked), None, None))


def add_turn(
    storage: Storage, taken: Taken, marked: Mark, left: int | None, shown: Code | None = None
) -> Game:
    """Play a guess that was taken, now that its mark and what it leaves are computed.

    Args:
        storage: the database.
        taken: what `take` found.
        marked: the mark of the guess.
        left: how many codes are possible after it, if they can be counted.
        shown: the secret of an evil codemaker, if the game is lost with this turn.

    Raises:
        ConflictError: another request has played another guess in between.
    """
    if taken.guess is None:
        return taken.game
    with storage.write() as session:
        game = _find_locked(session, taken.game.id)
        if not _is_next(game, taken.guess, len(taken.game.turns) + 1):
            return game
        return _play(session, game, Turn(taken.guess, marked), left, shown)


def end(storage: Storage, key: str, shown: Code | None = None, after: int = 0) -> Game:
    """Give a game up, which shows its secret; one that is over stays as it is.

    Args:
        storage: the database.
        key: the id of the game.
        shown: the secret of an evil codemaker.
        after: after how many turns it has chosen this secret.

    Raises:
        NotFoundError: there is no such game.
        ConflictError: a turn came in between.
    """
    with storage.write() as session:
        game = _find_locked(session, key)
        if game.over:
            return game
        if shown is not None and len(game.turns) != after:
            raise ConflictError("a turn was played at the same time: give up again")
        return _finish(session, game, "given up", shown or secret_of(game))


def _find(session: Session, key: str) -> Game:
    rows = session.execute(_FIND, {"key": key}).all()
    if not rows:
        raise NotFoundError("there is no game {key} here", key=quoted(key))
    first: Any = rows[0]
    rules = read_rules(first.rules)
    played = [row for row in rows if row.number is not None]
    return Game(
        first.id,
        rules,
        first.codemaker,
        None if first.seed is None else int(first.seed),
        first.hints,
        first.max_guesses,
        first.result,
        None if first.secret is None else parse_code(first.secret, rules, secret=True),
        tuple(Turn(parse_code(row.guess, rules), parse_mark(row.mark, rules)) for row in played),
        tuple(None if row.candidates is None else int(row.candidates) for row in played),
    )


def _find_locked(session: Session, key: str) -> Game:
    """The game, which nobody else changes until the session ends."""
    if session.get_bind().dialect.name != "sqlite":  # which has one writer at a time
        session.execute(_LOCK, {"key": key})
    return _find(session, key)


def _is_next(game: Game, guess: Code, number: int) -> bool:
    """Whether a guess is to be played now; not if it is this turn already.

    Raises:
        ConflictError: the game is over, another turn is next, or this one had another guess.
    """
    played = len(game.turns)
    if number <= played:
        if (before := game.turns[number - 1].guess) == guess:
            return False
        raise ConflictError(
            "turn {number} was {before} already; turn {next} is next",
            number=number,
            before=before,
            next=played + 1,
        )
    if game.over:
        raise ConflictError(
            "the game is over ({result}) after {played} turns", result=game.result, played=played
        )
    if number > played + 1:
        raise ConflictError(
            "turn {next} is next, not turn {number}", next=played + 1, number=number
        )
    return True


def _play(session: Session, game: Game, turn: Turn, left: int | None, shown: Code | None) -> Game:
    """Add a turn to a game, which may be over with it."""
    number = len(game.turns) + 1
    if number > MAX_TURNS:
        raise ConflictError(
            "a game has at most {most} turns; give up to see the code", most=MAX_TURNS
        )
    row = {
        "game_id": game.id,
        "number": number,
        "guess": str(turn.guess),
        "mark": str(turn.mark),
        "candidates": None if left is None else str(left),
    }
    session.execute(insert(TURNS), row)
    last = game.ends_next
    game = replace(game, turns=(*game.turns, turn), left=(*game.left, left))
    if turn.mark == Mark(game.rules.pegs):
        return _finish(session, game, "solved", turn.guess)
    return _finish(session, game, "lost", shown or secret_of(game)) if last else game


def _finish(session: Session, game: Game, result: str, secret: Code) -> Game:
    session.execute(_FINISH, {"key": game.id, "ended": result, "shown": str(secret)})
    return replace(game, result=result, secret=secret)
