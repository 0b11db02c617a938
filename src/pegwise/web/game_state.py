"""A game that people play as it stands, and games as they were last seen.

It holds the secret, which only a game that is over may show (see `games.view`).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from pegwise.game import Code, Mark, Record, Rules, Turn, mark, parse_code
from pegwise.web.problems import ConflictError

__all__ = ["Game", "Recent", "Taken", "secret_of"]

_MAX_RECENT: Final = 2000


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands.

    Attributes:
        id: a word that cannot be guessed: who knows it may play.
        rules: the board.
        codemaker: who hides the code (see `schemas.CODEMAKERS`).
        seed: what the codemaker drew its secret with; None if it is evil.
        hints: whether hints may be asked for.
        max_guesses: after so many the game is lost; None for no limit.
        result: `open`, `solved`, `given up` or `lost`.
        secret: the code: of an optimal codemaker at once, of the others when the game is over.
        turns: what was played.
        left: how many codes were possible after each turn, where that is known.
    """

    id: str
    rules: Rules
    codemaker: str
    seed: int | None
    hints: bool
    max_guesses: int | None
    result: str = "open"
    secret: Code | None = None
    turns: tuple[Turn, ...] = ()
    left: tuple[int | None, ...] = ()

    @property
    def over(self) -> bool:
        """Whether no turn can follow."""
        return self.result != "open"

    @property
    def ends_next(self) -> bool:
        """Whether the game is over after the next turn, won or not."""
        return len(self.turns) + 1 == self.max_guesses

    def record(self) -> Record:
        """A game that is over, as a record."""
        return Record(
            self.rules,
            self.turns,
            "solved" if self.result == "solved" else "given up",
            self.secret,
            codemaker=self.codemaker,
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True)
class Taken:
    """A guess that came in.

    Attributes:
        game: the game, with its turns before the guess, or with it if `guess` is None.
        guess: the guess; None if it is played, so that nothing is left to do.
        mark: its mark; None if the codemaker is evil.
    """

    game: Game
    guess: Code | None = None
    mark: Mark | None = None


class Recent:
    """Games as they were last seen, so that the next guess can be worked out before it is kept.

    Turns are only ever added, so that what is held here is a true beginning of its game, whoever
    has played on since. What is lost here is read again.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()

    def keep(self, game: Game) -> Game:
        """Hold a game; it is given back."""
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > _MAX_RECENT:
            self._games.popitem(last=False)
        return game

    def take(self, key: str, text: str, number: int) -> Taken | None:
        """What `games.take` would find; None where only the database can tell.

        Raises:
            CodeError: the rules do not allow the guess.
        """
        game = self._games.get(key)
        if game is None or game.over or number != len(game.turns) + 1:
            return None
        if game.seed is not None and not game.hints:
            return None  # this is played at once
        guess = parse_code(text, game.rules)
        if game.seed is None:
            return Taken(game, guess)
        return Taken(game, guess, mark(guess, secret_of(game), black_only=game.rules.black))


def secret_of(game: Game) -> Code:
    """What the codemaker has hidden.

    Raises:
        ConflictError: the evil codemaker has chosen nothing yet.
    """
    from pegwise.knowledge.codemaker import draw_secret

    if game.secret is not None:
        return game.secret
    if game.seed is None:
        raise ConflictError("the evil codemaker has not chosen its code yet: try again")
    return draw_secret(game.rules, game.seed)
