"""The game of whatever names it: a text, rules, or a game as it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pegwise.arrays import I64
from pegwise.errors import InputError, quoted
from pegwise.game.finite import TableGame
from pegwise.game.game import Game
from pegwise.game.listed import ListedGame
from pegwise.game.mastermind import Mastermind, mastermind
from pegwise.game.parallel import Parallel
from pegwise.game.rules import SEVERAL, Rules, as_rules, one_secret_only

GameLike = Game | Rules | str
"""Values that `as_game` makes a game of."""


def as_game(game: GameLike, weights: Sequence[int] | I64 | None = None) -> Game:
    """A game as it is, or the game of rules, also as they are written (`4x6`, `wordle`).

    The game of rules is shared between callers, unless its secrets have weights. InputError: none
    of these, or weights for a game that has its own; or as `Rules.parse`.
    """
    if isinstance(game, Rules | str):
        return _game_of(as_rules(game), weights)
    if isinstance(game, Parallel):
        raise one_secret_only(game, game.n)
    if not isinstance(game, Game):
        raise InputError(
            "{value} is not a game: give rules such as 4x6, or a FiniteGame", value=quoted(game)
        )
    if weights is None:
        return game
    if game.rules is None:
        raise InputError("{game} has its own weights: leave out weights", game=game.name)
    return _game_of(game.rules, weights)


def _game_of(rules: Rules, weights: Sequence[int] | I64 | None) -> Game:
    if rules.marked:
        return _table(rules, rules.name) if weights is None else TableGame(rules, weights)
    if rules.on_board:
        return mastermind(rules) if weights is None else Mastermind(rules, weights)
    return _list(rules, rules.name) if weights is None else ListedGame(rules, weights)


def parallel(game: GameLike, n: int) -> Parallel:
    """A game in which `n` distinct secrets of a game are sought at once; errors as `Parallel`.

    As text it is the rules and the number: `wordle*4`.
    """
    whole = as_game(game)
    return Parallel(whole, n, "" if whole.rules is None else whole.rules.named)


def as_parallel(game: object) -> Parallel | None:
    """The game with several secrets, also from a text such as `wordle*4`; None for any other."""
    if isinstance(game, str) and (several := SEVERAL.fullmatch(game)):
        return parallel(several[1], int(several[2]))
    return game if isinstance(game, Parallel) else None


# each game keeps the name of its rules


@lru_cache(maxsize=4)
def _list(rules: Rules, _name: str) -> ListedGame:
    return ListedGame(rules)


@lru_cache(maxsize=4)
def _table(rules: Rules, _name: str) -> TableGame:
    return TableGame(rules)
