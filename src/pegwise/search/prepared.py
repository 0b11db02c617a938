"""What an exact search needs before it begins: the game as kernels read it, and lower bounds."""

from __future__ import annotations

from functools import lru_cache

from pegwise.game import Game, Mastermind
from pegwise.game.game import check_weights
from pegwise.kernels.exact_board import Board
from pegwise.kernels.exact_bounds import Bounds, build_bounds, least_costs, weighted_least
from pegwise.kernels.exact_table import U64
from pegwise.search.boards import Translation, keeps_symmetry, make_board
from pegwise.search.effort_levels import MOST_EXACT, Kernels
from pegwise.search.memory import table_room

__all__ = ["bounds_of", "least_total", "prepare", "prepare_effort"]


def prepare(game: Game) -> tuple[Board, Translation, bool]:
    """Board, translation, and whether the symmetries of the board may be used at the top.

    Raises:
        InputError: weights that are none.
        TooLargeError: as `make_board`.
    """
    weights = None if game.weights is None else check_weights(game.weights, game.n_secrets)
    if not isinstance(game, Mastermind):
        return (*make_board(game, weights), False)
    if weights is None:
        return (*_shared_board(game), True)
    return (*make_board(game, weights), keeps_symmetry(game, weights))


def prepare_effort(game: Game, guesses: str, table: U64) -> tuple[Kernels, Translation, bool]:
    """The same for a search for good trees of a game that may be much larger.

    Args:
        game: what is played.
        guesses: `all` or `candidates`.
        table: of exact costs.
    """
    only = guesses == "candidates"
    weights = None if game.weights is None else check_weights(game.weights, game.n_secrets)
    board, translation = make_board(game, weights, candidates_only=only, most_bytes=table_room())
    symmetric = isinstance(game, Mastermind) and (weights is None or keeps_symmetry(game, weights))
    size = min(game.n_secrets, MOST_EXACT)
    bounds = build_bounds(game.n_marks, size, candidates_only=only)
    return Kernels(board, bounds, table), translation, symmetric


def least_total(game: Game, *, candidates_only: bool) -> int:
    """What no tree is below: what the sizes of a game say, without any search."""
    if game.weights is None:
        return int(least_costs(game.n_marks, game.n_secrets, candidates_only=candidates_only)[-1])
    weights = check_weights(game.weights, game.n_secrets)
    total, most, least = int(weights.sum()), int(weights.max()), int(weights.min())
    return int(weighted_least(total, game.n_secrets, most, least, max(game.n_marks, 2)))


def bounds_of(game: Game, *, candidates_only: bool) -> Bounds:
    """Lower bounds for the sets of a game."""
    return _bounds(game.n_marks, game.n_secrets, candidates_only)


@lru_cache(maxsize=4)
def _shared_board(game: Mastermind) -> tuple[Board, Translation]:
    return make_board(game, None)


@lru_cache(maxsize=8)
def _bounds(n_marks: int, n_secrets: int, candidates_only: bool) -> Bounds:
    return build_bounds(n_marks, n_secrets, candidates_only=candidates_only)
