"""What an exact search needs before it begins: the game as kernels read it, and lower bounds."""

from __future__ import annotations

from functools import lru_cache

from pegwise.game import Game, Mastermind
from pegwise.game.game import check_weights
from pegwise.kernels.exact_board import Board
from pegwise.kernels.exact_bounds import Bounds, build_bounds
from pegwise.search.boards import Translation, keeps_symmetry, make_board

__all__ = ["bounds_of", "prepare"]


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


def bounds_of(game: Game, *, candidates_only: bool) -> Bounds:
    """Lower bounds for the sets of a game."""
    return _bounds(game.n_marks, game.n_secrets, candidates_only)


@lru_cache(maxsize=4)
def _shared_board(game: Mastermind) -> tuple[Board, Translation]:
    return make_board(game, None)


@lru_cache(maxsize=8)
def _bounds(n_marks: int, n_secrets: int, candidates_only: bool) -> Bounds:
    return build_bounds(n_marks, n_secrets, candidates_only=candidates_only)
