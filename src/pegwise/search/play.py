"""The strategies `optimal` and `optimal-worst`: they play the tree that exact search has proven.

Trees of many boards come with the program. Another one is computed when it is first asked for, if
that takes seconds, and kept among the user's data; for larger boards `pegwise optimal` puts it
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from pegwise.errors import DataFileError, StrategyError
from pegwise.game import Game, Mastermind
from pegwise.home import home
from pegwise.progress import Report, silent
from pegwise.search.optimal import Optimum, find_optimum
from pegwise.search.records import shipped_record
from pegwise.strategies import Card, Nodes, Option
from pegwise.trees import Tree, load, save

__all__ = ["Optimal", "OptimalWorst", "keep", "stored_path"]

QUICK: Final = 4096
"""Boards with at most so many secrets are solved in seconds when they are asked for."""

_QUICK_BLACK: Final = 130


class Optimal:
    """Play the tree of smallest total."""

    objective: ClassVar[str] = "total"
    card: ClassVar = Card(
        id="optimal",
        name="Smallest total, proven",
        authors="Kenji Koyama and Tony Lai",
        year=1993,
        source=(
            "An optimal Mastermind strategy, Journal of Recreational Mathematics 25(4), "
            "p. 251-256; here by branch and bound with a canonical form of positions"
        ),
        about=(
            "Plays from a tree that exhaustive search has proven best: over all secrets together "
            "no strategy needs fewer guesses. On 4 pegs and 6 colors that is 5625 guesses for "
            "1296 secrets. The tree is computed once, in seconds, and kept; for boards of more "
            "than 4096 secrets `pegwise optimal` computes it first."
        ),
        traits=frozenset({"any-game", "slow"}),
    )

    def __init__(self) -> None:
        self.options: Mapping[str, Option] = {}

    def tree(self, game: Game) -> Tree:
        """The tree for a game, kept or computed.

        Raises:
            StrategyError: the game is too large to solve now, and no tree of it is kept.
        """
        hashable: Any = game
        return _tree(hashable, self.objective)

    def at_hand(self, game: Game) -> bool:
        """Whether a tree of this game comes with the program or is kept."""
        return _at_hand(game, self.objective) is not None

    def begin(self, game: Game) -> Any:
        """The root of the tree.

        Raises:
            StrategyError: as `tree`.
        """
        return self.tree(game).begin(game)

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes:
        """All nodes of the tree."""
        del threads, report
        return self.tree(game).nodes


class OptimalWorst(Optimal):
    """Play the tree of smallest worst case, and among those of smallest total."""

    objective: ClassVar[str] = "worst-total"
    card: ClassVar = Card(
        id="optimal-worst",
        name="Smallest worst case, then total, proven",
        authors="Donald Knuth; Kenji Koyama and Tony Lai",
        year=1993,
        source=(
            "The computer as Master Mind, Journal of Recreational Mathematics 9(1), 1976; An "
            "optimal Mastermind strategy, ibid. 25(4), p. 251-256"
        ),
        about=(
            "Plays from a tree that exhaustive search has proven best in two ways: no strategy "
            "has a smaller worst case, and of those that have the same none needs fewer guesses "
            "in all. On 4 pegs and 6 colors that is at most five guesses for every secret, and "
            "5626 in all: one more than without the limit."
        ),
        traits=frozenset({"any-game", "slow"}),
    )


def stored_path(game: Mastermind, objective: str) -> Path:
    """Where the proven tree of a board is kept."""
    return home() / "optimal" / f"{game.name.replace(',', '-')}-{objective}.tree"


def keep(game: Game, optimum: Optimum) -> Path | None:
    """Keep a proven tree for the strategies; None if it is not one that they play.

    The caller sees to it that the search had no limit and could play every guess.
    """
    if not isinstance(game, Mastermind) or game.weights is not None:
        return None
    if not optimum.proven or optimum.tree is None or optimum.objective == "worst":
        return None
    path = stored_path(game, optimum.objective)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(optimum.tree, path)
    except OSError:
        return None  # what cannot be kept is computed again
    return path


@lru_cache(maxsize=16)
def _tree(game: Game, objective: str) -> Tree:
    kept = _at_hand(game, objective)
    if kept is not None:
        return Tree(game, kept.nodes, kept.strategy, kept.options)
    name = Optimal.card.id if objective == "total" else OptimalWorst.card.id
    few_marks = game.n_marks < 8
    if game.n_secrets > (_QUICK_BLACK if few_marks else QUICK):
        option = "" if objective == "total" else f" --objective {objective}"
        raise StrategyError(
            "{name} has no tree of {game} yet, and it takes longer than some seconds: run "
            "'pegwise optimal {game}{option}' first",
            name=name,
            game=game.name,
            option=option,
        )
    optimum = find_optimum(game, objective=objective)
    if optimum.tree is None:
        raise StrategyError(
            "{name} cannot play {game}: no strategy finds every secret", name=name, game=game.name
        )
    keep(game, optimum)
    return optimum.tree


def _at_hand(game: Game, objective: str) -> Tree | None:
    """The tree that comes with the program, or the kept one; None where neither is whole."""
    if not isinstance(game, Mastermind) or game.weights is not None:
        return None
    record = shipped_record(game.rules)
    if record is not None:
        return record.proof.tree if objective == "total" else record.proof.limited
    try:
        kept = load(stored_path(game, objective))
    except DataFileError:
        return None  # none, or a damaged one, which is replaced
    return kept if kept.game.name == game.name else None
