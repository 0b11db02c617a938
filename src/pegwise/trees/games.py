"""Single games: that of a strategy against one secret, and those of a tree against all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.errors import CodeError, InputError, StrategyError, quoted
from pegwise.game import Game, GameLike, Mastermind, Played, Turn, as_game, check_code
from pegwise.strategies import StrategyLike, as_strategy, blaming, label
from pegwise.trees.build import MAX_DEPTH
from pegwise.trees.tree import Tree

__all__ = ["play", "played"]


def play(strategy: StrategyLike, game: GameLike, secret: Any) -> Played:
    """The game of a strategy against one secret, to the winning turn.

    Args:
        strategy: what plays: a strategy, its name, or a function (see `as_strategy`).
        game: what is played: a game, or the rules of a board.
        secret: what is hidden; a code, also as it is written, on a board.

    Raises:
        CodeError: the game has no such secret.
        StrategyError: the strategy cannot play this game, plays what is no guess of it, or does
            not find the secret.
    """
    strategy, game = as_strategy(strategy), as_game(game)
    hidden = _secret(game, secret)
    decision = strategy.begin(game)
    turns = Played()
    with blaming(strategy, game):
        while len(turns) < MAX_DEPTH:
            guess = _guess(game, decision.guess)
            mark = game.judge(guess, hidden)
            turns.append(Turn(guess, mark))
            if game.mark_number(mark) == game.winning:
                return turns
            decision = decision.after(mark)
    raise StrategyError(
        "{strategy} does not find {lost} of {game} within {most} guesses",
        strategy=label(strategy),
        lost=str(hidden),
        game=game.name,
        most=MAX_DEPTH,
    )


def _guess(game: Game, guess: Any) -> Any:
    """The guess as the game has it; on a board without a list of all."""
    if isinstance(game, Mastermind):
        return check_code(guess, game.rules)
    return game.guess(game.guess_number(guess))


def _secret(game: Game, secret: Any) -> Any:
    """The secret as the game has it."""
    if isinstance(game, Mastermind):
        return check_code(secret, game.rules, secret=True)
    number = game.secret_of_guess[game.guess_number(secret)]
    if number < 0:
        raise CodeError("{secret} is not a secret of {game}", secret=quoted(secret), game=game.name)
    return game.secret(int(number))


def played(tree: Tree) -> npt.NDArray[np.int32]:
    """The nodes of every secret's game.

    Returns:
        int32 (n_secrets, worst): the node of each turn, in the game's order of secrets; -1 after
        the winning turn.

    Raises:
        InputError: the tree does not find every secret.
    """
    nodes, depths = tree.nodes, tree.depths()
    if not depths.all():
        lost = tree.game.secret(int(np.argmin(depths)))
        raise InputError(
            "this tree does not find the secret {lost}, so its games have no end", lost=lost
        )
    wins = np.flatnonzero(nodes.wins)
    at = np.zeros(len(depths), np.int32)
    at[tree.game.secret_of_guess[nodes.guess[wins]]] = wins
    games = np.full((len(depths), int(depths.max())), -1, np.int32)
    # every game is walked backwards from its winning node
    for turn in range(games.shape[1], 0, -1):
        here = depths >= turn
        games[here, turn - 1] = at[here]
        at[here] = nodes.parent[at[here]]
    return games
