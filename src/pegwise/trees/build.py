"""Play a strategy out against every secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I32, mark_numbers
from pegwise.errors import CodeError, InputError, StrategyError, quoted
from pegwise.game import Game, GameLike, Mastermind, Played, Turn, all_secrets, as_game, check_code
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Compiles,
    Decision,
    Nodes,
    Strategy,
    StrategyLike,
    as_strategy,
    blaming,
    label,
    options_of,
)
from pegwise.trees.tree import Tree

MAX_DEPTH = 1000
"""A strategy that needs more guesses than this is taken to go round in circles."""

_STEPS = 200  # of the progress, as seen by who watches


def build(
    strategy: StrategyLike, game: GameLike, *, threads: int = 1, report: Report = silent
) -> Tree:
    """The tree of a strategy on a game.

    Args:
        strategy: what plays: a strategy, its name, or a function (see `as_strategy`).
        game: what is played: a game, or the rules of a board.
        threads: for strategies that compile themselves; the tree is the same for any number.
        report: is told of secrets found.

    Raises:
        StrategyError: the strategy cannot play this game, plays a code that is no guess of it,
            takes marks for impossible that a secret gives, or never finds some secret.
    """
    strategy, game = as_strategy(strategy), as_game(game)
    with blaming(strategy, game):
        nodes = None
        if isinstance(strategy, Compiles):
            nodes = strategy.compile(game, threads=threads, report=report)
        if nodes is None:
            nodes = play_out(strategy, game, report=report)
    return Tree(game, nodes, strategy.card.id, options_of(strategy))


def play_out(strategy: Strategy, game: Game, *, report: Report = silent) -> Nodes:
    """The nodes of any strategy, decision by decision."""
    return play_on(strategy.begin(game), game, all_secrets(game), label(strategy), report=report)


def play_on(
    decision: Decision, game: Game, left: I32, name: str, *, report: Report = silent
) -> Nodes:
    """The nodes from a decision on, faster where it can play itself out.

    Args:
        decision: what is played first.
        game: on which game.
        left: int32 (n), the secrets that are still possible.
        name: of the strategy, for errors.
        report: is told of secrets found.

    Raises:
        CodeError: a guess that the game does not have.
        ContradictionError: the strategy takes marks for impossible that a secret gives.
        StrategyError: some secret is never found.
    """
    # not by isinstance, which would ask for the guess: growing finds it anyway
    grow: Callable[[], Nodes | None] = getattr(decision, "grow", lambda: None)
    if (nodes := grow()) is not None:
        return nodes
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    found = told = 0
    level: list[tuple[int, int, Decision, I32]] = [(-1, 0, decision, left)]
    for _depth in range(MAX_DEPTH):
        following: list[tuple[int, int, Decision, I32]] = []
        for parent, mark, here, candidates in level:
            guess = game.guess_number(here.guess)
            node = len(guesses)
            guesses.append(guess)
            parents.append(parent)
            marks.append(mark)
            numbers = game.marks(guess, candidates)
            order = np.argsort(numbers, kind="stable")
            present, starts = np.unique(numbers[order], return_index=True)
            won = False
            for number, part in zip(
                present.tolist(), np.split(candidates[order], starts[1:]), strict=True
            ):
                if number == game.winning:
                    won = True
                    found += 1
                else:
                    following.append((node, number, here.after(game.mark(number)), part))
            wins.append(won)
            if found * _STEPS // len(left) > told:
                told = found * _STEPS // len(left)
                report(Progress(found, len(left), "secrets"))
        report(Progress(found, len(left), "secrets"))
        if not following:
            return Nodes(
                np.array(guesses, np.int32),
                np.array(parents, np.int32),
                mark_numbers(marks, game.n_marks),
                np.array(wins, np.bool_),
            )
        level = following
    raise StrategyError(
        "{name} does not find {lost} of {game} within {most} guesses",
        name=name,
        lost=_lost(game, level),
        game=game.name,
        most=MAX_DEPTH,
    )


def _lost(game: Game, level: list[tuple[int, int, Any, I32]]) -> str:
    return str(game.secret(int(level[0][3][0])))


# Single games: that of a strategy against one secret, and those of a tree against all.


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
            mark = game.mark_of(guess, hidden)
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
