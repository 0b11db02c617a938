"""A game as the kernels of the exact search read it, and the way back to its own numbers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I16, I32, I64, U8, U64, MarkNumbers, mark_numbers
from pegwise.errors import TooLargeError
from pegwise.game import HOLE, Game, Mastermind
from pegwise.game.game import MAX_TABLE, check_table_size, check_weights
from pegwise.kernels.exact.board import Board, Symmetry, permutations
from pegwise.kernels.exact.bounds import INFINITE, Bounds, build_bounds, least_costs, weighted_least
from pegwise.search.beam.explorer import MOST_EXACT, Kernels
from pegwise.search.memory import table_room

MAX_MARKS: Final = 4096
MAX_PLACES: Final = 1 << 26
_SEED: Final = 20_240_104


@dataclass(frozen=True)
class Translation:
    """Numbers of the game by numbers of the search, and the reverse.

    Attributes:
        guesses: int64 (n_guesses), number in the game of each guess of the search.
        secrets: int64 (n_secrets), likewise.
        guess_at: int64 (n_guesses), number in the search of each guess of the game.
        secret_at: int64 (n_secrets), likewise.
        weights: int64 (n_secrets), weight of each secret of the search.
    """

    guesses: I64
    secrets: I64
    guess_at: I64
    secret_at: I64
    weights: I64


def make_board(
    game: Game,
    weights: I64 | None,
    *,
    candidates_only: bool = False,
    any_tree: bool = False,
    width: int = 0,
    narrow_from: int = 0,
    most_bytes: int = MAX_TABLE,
) -> tuple[Board, Translation]:
    """The board of a game, as a set that stands for itself (no history, no first guess).

    Args:
        game: what is played.
        weights: int64 (n_secrets), how often each secret is hidden; None when all are alike.
        candidates_only: whether only candidates are played.
        any_tree: whether any tree that keeps the limit of guesses will do.
        width: guesses searched for large sets, 0 for all.
        narrow_from: sets with more codes are large.
        most_bytes: how large the tables of marks may be.

    Raises:
        TooLargeError: the game needs too much memory.
    """
    if game.n_marks > MAX_MARKS:
        raise TooLargeError(
            "{game} has {marks} different marks, too many for exact search (at most {most})",
            game=game.name,
            marks=game.n_marks,
            most=MAX_MARKS,
        )
    if weights is not None and int(weights.sum()) * game.n_secrets >= INFINITE >> 20:
        raise TooLargeError(
            "{game}: weights that add up to {sum} are too large for exact search (at most {most})",
            game=game.name,
            sum=int(weights.sum()),
            most=(INFINITE >> 20) // game.n_secrets - 1,
        )
    if isinstance(game, Mastermind):
        board, translation = _mastermind(game, most_bytes)
    else:
        board, translation = _finite(game, most_bytes)
    if weights is not None:
        translation = replace(translation, weights=weights[translation.secrets])
    board = board._replace(
        weighted=weights is not None,
        candidates_only=candidates_only,
        any_tree=any_tree,
        width=width,
        narrow_from=narrow_from,
    )
    return board, translation


def keeps_symmetry(game: Mastermind, weights: I64) -> bool:
    """Whether permutations of pegs and colors leave the weights as they are."""
    codes = game.secret_codes
    number = {code.tobytes(): row for row, code in enumerate(codes)}
    for left, right in itertools.pairwise(range(game.rules.pegs)):
        moved = codes.copy()
        moved[:, [left, right]] = codes[:, [right, left]]
        if any(weights[number[code.tobytes()]] != weights[k] for k, code in enumerate(moved)):
            return False
    for color in range(game.rules.colors - 1):
        names = np.arange(256, dtype=np.uint8)
        names[[color, color + 1]] = [color + 1, color]
        moved = names[codes]
        if any(weights[number[code.tobytes()]] != weights[k] for k, code in enumerate(moved)):
            return False
    return True


def _plain(
    game: Game,
    by_guess: MarkNumbers,
    by_secret: MarkNumbers,
    *,
    guess_of: I64,
    usable: I64,
    symmetry: Symmetry,
    symmetric: bool,
) -> Board:
    """A board of which nothing special is asked: the fields are those of `Board`."""
    return Board(
        by_guess=by_guess,
        by_secret=by_secret,
        guess_of=guess_of,
        n_marks=game.n_marks,
        winning=game.winning,
        usable=usable,
        draws=_draws(game.n_secrets),
        symmetry=symmetry,
        symmetric=symmetric,
        weighted=False,
        candidates_only=False,
        whole=False,
        use_history=False,
        first=-1,
        any_tree=False,
        width=0,
        narrow_from=0,
    )


def _draws(count: int) -> npt.NDArray[np.uint64]:
    generator = np.random.Generator(np.random.PCG64(_SEED))
    return generator.integers(0, 2**64, (count, 2), dtype=np.uint64)


def _finite(game: Game, most_bytes: int) -> tuple[Board, Translation]:
    """Any game: codes keep their numbers, and no symmetry is known."""
    check_table_size(game.name, 2 * game.n_guesses, game.n_secrets, most=most_bytes)
    rows = [game.marks(guess) for guess in range(game.n_guesses)]
    by_guess: MarkNumbers = mark_numbers(rows, game.n_marks)
    nothing = np.zeros(0, np.int32)
    no_codes = np.zeros((0, 0), np.int16)
    symmetry = Symmetry(
        no_codes, no_codes, nothing, nothing, np.zeros((0, 0), np.int64), colors=0, distinct=False
    )
    board = _plain(
        game,
        by_guess,
        by_guess.T.copy(),
        guess_of=game.guess_of_secret.astype(np.int64),
        usable=np.array([game.n_guesses], np.int64),
        symmetry=symmetry,
        symmetric=False,
    )
    guesses = np.arange(game.n_guesses)
    secrets = np.arange(game.n_secrets)
    return board, Translation(guesses, secrets, guesses, secrets, np.ones(len(secrets), np.int64))


def _mastermind(game: Mastermind, most_bytes: int) -> tuple[Board, Translation]:
    """A board: codes by largest color, then in numeric order with holes lowest."""
    from pegwise.kernels.marking import mark_table, signatures

    rules = game.rules
    one_list = game.n_guesses == game.n_secrets
    lists = 1 if one_list else 2
    check_table_size(game.name, game.n_guesses * lists, game.n_secrets, most=most_bytes)
    if (rules.colors + 1) ** rules.pegs > MAX_PLACES:
        raise TooLargeError("{game} has too many codes for exact search", game=game.name)
    guess_order = _order(game.guess_codes)
    secret_order = guess_order if one_list else _order(game.secret_codes)
    guess_codes = game.guess_codes[guess_order]
    secret_codes = game.secret_codes[secret_order]
    by_guess = np.empty((game.n_guesses, game.n_secrets), np.uint8)
    mark_table(
        *signatures(guess_codes, rules.colors),
        *signatures(secret_codes, rules.colors),
        game.mark_ids,
        by_guess,
    )
    guess_at, secret_at = _inverse(guess_order), _inverse(secret_order)
    guess_digits = np.minimum(guess_codes, rules.colors).astype(np.int16)
    secret_digits = secret_codes.astype(np.int16)
    symmetry = Symmetry(
        secret_digits,
        guess_digits,
        _places(secret_digits, rules.colors),
        _places(guess_digits, rules.colors),
        permutations(rules.pegs),
        colors=rules.colors,
        distinct=rules.distinct,
    )
    board = _plain(
        game,
        by_guess,
        by_guess if one_list else np.ascontiguousarray(by_guess.T),
        guess_of=guess_at[game.guess_of_secret[secret_order]],
        usable=_usable(game, guess_codes),
        symmetry=symmetry,
        symmetric=True,
    )
    return board, Translation(
        guess_order, secret_order, guess_at, secret_at, np.ones(game.n_secrets, np.int64)
    )


def _largest(codes: U8) -> I64:
    """Largest color of every code, -1 for nothing but holes."""
    largest: I64 = np.where(codes == HOLE, -1, codes.astype(np.int64)).max(axis=1)
    return largest


def _order(codes: U8) -> I64:
    digits = np.where(codes == HOLE, 0, codes.astype(np.int64) + 1)
    return np.lexsort([*digits.T[::-1], _largest(codes)]).astype(np.int64)


def _inverse(order: I64) -> I64:
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


def _places(digits: I16, colors: int) -> I32:
    """Number of a code by its digits in base colors + 1; -1 where there is none."""
    pegs = digits.shape[1]
    values = digits.astype(np.int64) @ (colors + 1) ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    places = np.full((colors + 1) ** pegs, -1, np.int32)
    places[values] = np.arange(len(digits), dtype=np.int32)
    return places


def _usable(game: Mastermind, guess_codes: U8) -> I64:
    """How many guesses to try against sets with 0, 1, ... colors, all in canonical form.

    A color that no candidate has does what a hole does, or any other such color: guesses with
    one of them are enough, or with none where holes are allowed. Distinct codes need more.
    """
    rules = game.rules
    absent = 0 if rules.blank else rules.pegs if rules.distinct else 1
    largest = _largest(guess_codes)
    return np.array(
        [int((largest < present + absent).sum()) for present in range(rules.colors + 1)], np.int64
    )


# What an exact search needs before it begins: the game as kernels read it, and lower bounds.


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
