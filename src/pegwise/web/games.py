"""Games that people play: begun, played turn by turn, ended, and kept.

The secret leaves this module only when a game is over. A turn has its number, so that a request
that is sent twice is played once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from pegwise.errors import InputError, quoted
from pegwise.game import Code, Mark, Record, Rules, Turn, mark, parse_code, parse_mark
from pegwise.web.problems import ConflictError, NotFoundError
from pegwise.web.schemas import MAX_TURNS, GameRequest, GameView, TurnView
from pegwise.web.storage import Storage
from pegwise.web.tables import Game, PlayedTurn

__all__ = ["Position", "add_turn", "begin", "end", "find", "history", "is_last", "take", "view"]

_MAX_EVIL_PEGS: Final = 12
_MAX_SEED: Final = 10**20


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands when a guess comes in.

    Attributes:
        game: the game.
        rules: its board.
        turns: its turns before the guess.
        guess: the guess; None if it was played already, so that nothing is left to do.
        mark: its mark; None if the codemaker is evil.
    """

    game: Game
    rules: Rules
    turns: tuple[Turn, ...]
    guess: Code | None
    mark: Mark | None


def begin(storage: Storage, request: GameRequest) -> GameView:
    """Begin a game.

    Raises:
        InputError: the evil codemaker on a board that is too large for it.
    """
    rules, evil = request.rules, request.codemaker == "evil"
    if evil and rules.pegs > _MAX_EVIL_PEGS:
        raise InputError(
            f"the evil codemaker plays boards of up to {_MAX_EVIL_PEGS} pegs, not {rules}; "
            "choose the random one"
        )
    game = Game(
        id=secrets.token_urlsafe(16),
        rules=str(rules),
        codemaker=request.codemaker,
        seed=None if evil else str(secrets.randbelow(_MAX_SEED)),
        hints=request.hints,
        max_guesses=request.max_guesses,
        result="open",
        turns=[],
    )
    with storage.write() as session:
        session.add(game)
    return view(game)


def find(storage: Storage, key: str) -> Game:
    """The game of this id.

    Raises:
        NotFoundError: there is none.
    """
    with storage.read() as session:
        return _find(session, key)


def view(game: Game) -> GameView:
    """What the player may know of a game."""
    rules = Rules.parse(game.rules)
    turns = [
        TurnView(
            guess=turn.guess,
            mark=turn.mark,
            left=int(turn.candidates) if turn.candidates and game.hints else None,
        )
        for turn in game.turns
    ]
    over = game.result != "open"
    left = turns[-1].left if turns else rules.n_secrets if game.hints else None
    return GameView(
        id=game.id,
        rules=rules,
        codemaker=game.codemaker,
        hints=game.hints,
        max_guesses=game.max_guesses,
        turns=turns,
        left=left,
        over=over,
        won=game.result == "solved",
        secret=game.secret if over else None,
        record=_record(game).write() if over else None,
    )


def history(game: Game) -> tuple[Turn, ...]:
    """The turns of a game."""
    rules = Rules.parse(game.rules)
    return tuple(
        Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in game.turns
    )


def take(storage: Storage, key: str, text: str, number: int) -> Position:
    """Take a guess as turn `number` of a game, and play it unless that needs computing.

    Raises:
        NotFoundError: there is no such game.
        CodeError: the rules do not allow the guess.
        ConflictError: the game is over, another turn is next, or this one had another guess.
    """
    with storage.write() as session:
        game = _find(session, key, lock=True)
        rules = Rules.parse(game.rules)
        guess = parse_code(text, rules)
        turns = history(game)
        if not _is_next(game, guess, number):
            return Position(game, rules, turns, None, None)
        if game.seed is None:
            return Position(game, rules, turns, guess, None)
        marked = mark(guess, _secret(game), black_only=rules.black)
        if game.hints:
            return Position(game, rules, turns, guess, marked)
        _play(game, guess, marked, None, None)
        return Position(game, rules, turns, None, marked)


def add_turn(
    storage: Storage, at: Position, marked: Mark, left: int | None, shown: Code | None = None
) -> Game:
    """Play a guess that was taken, now that its mark and what it leaves are computed.

    Args:
        storage: the database.
        at: what `take` found.
        marked: the mark of the guess.
        left: how many codes are possible after it, if they can be counted.
        shown: the secret of an evil codemaker, if the game is lost with this turn.

    Raises:
        ConflictError: another request has played another guess in between.
    """
    if at.guess is None:
        return at.game
    with storage.write() as session:
        game = _find(session, at.game.id, lock=True)
        if _is_next(game, at.guess, len(at.turns) + 1):
            _play(game, at.guess, marked, left, shown)
    return game


def is_last(at: Position) -> bool:
    """Whether the game is over after this guess, won or not."""
    return len(at.turns) + 1 == at.game.max_guesses


def _is_next(game: Game, guess: Code, number: int) -> bool:
    """Whether a guess is to be played now; not if it is this turn already.

    Raises:
        ConflictError: the game is over, another turn is next, or this one had another guess.
    """
    played = len(game.turns)
    if number <= played:
        if (before := game.turns[number - 1].guess) == str(guess):
            return False
        raise ConflictError(f"turn {number} was {before} already; turn {played + 1} is next")
    if game.result != "open":
        raise ConflictError(f"the game is over ({game.result}) after {played} turns")
    if number > played + 1:
        raise ConflictError(f"turn {played + 1} is next, not turn {number}")
    if number > MAX_TURNS:
        raise ConflictError(f"a game has at most {MAX_TURNS} turns; give up to see the code")
    return True


def _play(game: Game, guess: Code, marked: Mark, left: int | None, shown: Code | None) -> None:
    """Add a turn to a game, which may be over with it."""
    number = len(game.turns) + 1
    game.turns.append(
        PlayedTurn(
            number=number,
            guess=str(guess),
            mark=str(marked),
            candidates=None if left is None else str(left),
        )
    )
    if marked == Mark(Rules.parse(game.rules).pegs):
        game.result, game.secret = "solved", str(guess)
    elif number == game.max_guesses:
        game.result, game.secret = "lost", str(shown or _secret(game))


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
        game = _find(session, key, lock=True)
        if game.result == "open":
            if shown is not None and len(game.turns) != after:
                raise ConflictError("a turn was played at the same time: give up again")
            game.result, game.secret = "given up", str(shown or _secret(game))
    return game


def _find(session: Session, key: str, *, lock: bool = False) -> Game:
    game = session.get(Game, key, with_for_update=lock)
    if game is None:
        raise NotFoundError(f"there is no game {quoted(key)} here")
    return game


def _secret(game: Game) -> Code:
    from pegwise.knowledge.codemaker import draw_secret

    if game.seed is None:
        raise ConflictError("the evil codemaker has not chosen its code yet: try again")
    return draw_secret(Rules.parse(game.rules), int(game.seed))


def _record(game: Game) -> Record:
    """A game that is over, as a record."""
    rules = Rules.parse(game.rules)
    return Record(
        rules,
        history(game),
        "solved" if game.result == "solved" else "given up",
        None if game.secret is None else parse_code(game.secret, rules, secret=True),
        codemaker=game.codemaker,
        seed=None if game.seed is None else int(game.seed),
    )
