"""A game as the kernels of the exact search read it, and lower bounds from its sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import Any, Final

import numpy as np

from pegwise.arrays import I16, I32, I64, U8, mark_numbers
from pegwise.errors import InputError, TooLargeError
from pegwise.game import HOLE, Game, Mastermind, Rules, board_game
from pegwise.game.game import MAX_TABLE, check_table_size, check_weights
from pegwise.game.hard import is_searched
from pegwise.kernels.exact.board import Board, HardRules, Symmetry, permutations
from pegwise.kernels.exact.bounds import (
    INFINITE,
    UNLIMITED,
    Bounds,
    build_bounds,
    least_costs,
)
from pegwise.kernels.marking import mark_table, signatures
from pegwise.knowledge.candidates import first_guesses
from pegwise.search.certificates.values import color_counts
from pegwise.search.exact.table import lists_of_marks
from pegwise.trees import Tree

MAX_MARKS: Final = 4096
MAX_PLACES: Final = 1 << 26
_SEED: Final = 20_240_104  # any number: the same keys of sets in every process


@dataclass(frozen=True, slots=True)
class SearchModel:
    """A game as the kernels of the exact search read it, with numbers of its own for the codes.

    All arrays are int64. `guesses` and `secrets` hold the numbers in the game of the search's
    codes, `guess_at` and `secret_at` the reverse; `weights` are by number of the search.
    `symmetric` tells whether the symmetries of the board hold for the set of all secrets.
    """

    board: Board
    bounds: Bounds
    symmetric: bool
    guesses: I64
    secrets: I64
    guess_at: I64
    secret_at: I64
    weights: I64

    def options(self, **fields: Any) -> SearchModel:
        """This model with other fields of its board."""
        return replace(self, board=self.board._replace(**fields))

    def weighted(self, weights: I64) -> SearchModel:
        """This model with weights, int64 (n_secrets), by number of the game."""
        return replace(self.options(weighted=True), weights=weights[self.secrets])

    def cost(self, tree: Tree) -> int:
        steps, rows = self.board.steps, self.weights if self.board.labeled else 0
        # what a secret costs by its label, or all of them, that is found with 1, 2, ... guesses
        by_depth = steps[:, np.minimum(np.arange(tree.worst), steps.shape[1] - 1)].cumsum(axis=1)
        costs = by_depth[rows, tree.depths[self.secrets] - 1]
        plain = self.board.labeled or not self.board.weighted
        return int(costs.sum() if plain else costs @ self.weights)

    def with_steps(
        self, game: Game, by_weight: I64, by_secret: I64, classes: I64 | None, limit: int
    ) -> SearchModel:
        """This model with other costs by the number of guesses than the total (see `Board.steps`).

        Args:
            game: of which this is the model.
            by_weight: int64 (classes, turns), steps for a secret of weight 1; the last column holds
                for all later guesses.
            by_secret: int64 (turns), steps whatever the weight; the last one for all later guesses.
            classes: int64 (n_secrets), the row of each secret, by number of the game; None for the
                first row.
            limit: guesses allowed.
        """
        weights = game.frequencies()
        rows = np.zeros(game.n_secrets, np.int64) if classes is None else classes
        plain = len(by_weight) == 1 and (game.weights is None or not by_secret.any())
        if plain:
            steps = by_weight + by_secret
        else:
            kinds, labels = np.unique(np.stack([rows, weights]), axis=1, return_inverse=True)
            steps = by_weight[kinds[0]] * kinds[1][:, None] + by_secret
            weights = labels.reshape(-1).astype(np.int64)
        padded = np.concatenate([steps, steps[:, -1:], steps[:, -1:]], axis=1)
        model = self.options(
            steps=padded, order=np.argsort(-padded.T, axis=1, kind="stable"), start=limit
        )
        if plain:
            only, most = self.board.candidates_only, game.n_secrets
            row = tuple(steps[0].tolist())
            bounds = build_bounds(
                game.n_marks, most, most_outside(game), candidates_only=only, steps=row
            )
            model = replace(model, bounds=bounds)
            if game.weights is None:
                return model
        symmetric = _keeps_symmetry(game, weights)
        symmetric = symmetric and self.board.symmetry.names == self.board.symmetry.colors
        return replace(model.options(labeled=not plain).weighted(weights), symmetric=symmetric)


def check_searched(game: Game) -> None:
    """Refuse hard rules under which best play is not searched, by InputError."""
    if not is_searched(game):
        raise InputError(
            "{game}: with 'hard', best play is searched where every place is marked, or where each "
            "guess may be hidden",
            game=game.name,
        )


def only_candidates(game: Game, guesses: str) -> bool:
    """Whether only candidates are played: by the set of guesses, or since hard rules ask for it."""
    return guesses == "candidates" or not (game.free or game.requirements)


def model_of(
    game: Game,
    *,
    guesses: str = "all",
    with_weights: bool = True,
    names_per_peg: bool = False,
    largest: int | None = None,
    most_bytes: int | None = None,
) -> SearchModel:
    """The model of a game, whose weights count if asked for.

    With `names_per_peg` the colors of each peg may change their names without those of other pegs,
    where the game allows it. Bounds are built for sets of at most `largest` secrets. Tables of
    marks take at most `most_bytes`; without that number they are cached.

    Raises:
        InputError: wrong weights, or hard rules that are not searched.
        TooLargeError: the game needs too much memory.
    """
    check_searched(game)
    only = only_candidates(game, guesses)
    most_secrets = min(game.n_secrets, largest or game.n_secrets)
    bounds = _bounds(game.n_marks, most_secrets, most_outside(game), candidates_only=only)
    if most_bytes is None and game.board is not None:
        model = _cached_model(game.board, names_per_peg and game.weights is None)
    else:
        model = _new_model(game, most_bytes or MAX_TABLE, names_per_peg=False)
    # candidates use all that the marks told
    limited = game.requirements is not None and not only
    model = replace(model.options(candidates_only=only, limited=limited), bounds=bounds)
    if game.weights is None or not with_weights:
        return model
    weights = check_weights(game.weights, game.n_secrets)
    if int(weights.sum()) * game.n_secrets >= INFINITE >> 20:
        raise TooLargeError(
            "{game}: weights that add up to {sum} are too large for exact search (at most {most})",
            game=game.name,
            sum=int(weights.sum()),
            most=(INFINITE >> 20) // game.n_secrets - 1,
        )
    symmetric = _keeps_symmetry(game, weights)
    return replace(model.weighted(weights), symmetric=symmetric)


_bounds = lru_cache(maxsize=8)(build_bounds)


@lru_cache(maxsize=4)
def _cached_model(rules: Rules, names_per_peg: bool) -> SearchModel:
    return _new_model(board_game(rules), MAX_TABLE, names_per_peg=names_per_peg)


def _keeps_symmetry(game: Game, weights: I64) -> bool:
    """Whether permutations of pegs and colors leave the weights as they are; of boards only."""
    if game.board is None:
        return False
    # such permutations carry a code into all those that have its colors as often
    shapes = color_counts(game.board)
    _, first, shape = np.unique(shapes, axis=0, return_index=True, return_inverse=True)
    return np.array_equal(weights, weights[first][shape.reshape(-1)])


def _new_model(game: Game, most_bytes: int, *, names_per_peg: bool) -> SearchModel:
    """A model without weights; its bounds are set later."""
    if game.n_marks > MAX_MARKS:
        raise TooLargeError(
            "{game} has {marks} different marks, too many for exact search (at most {most})",
            game=game.name,
            marks=game.n_marks,
            most=MAX_MARKS,
        )
    lists = lists_of_marks(game)
    check_table_size(game.name, game.n_guesses * lists, game.n_secrets, most=most_bytes)
    if isinstance(game, Mastermind):
        guesses = _order(game.guess_codes)
        secrets = guesses if lists == 1 else _order(game.secret_codes)
        fields = _mastermind_fields(game, guesses, secrets, names_per_peg=names_per_peg)
    else:
        # where secrets are named only at the end, one guess more stands for all that name one
        guesses = np.arange(game.n_open_guesses + (game.n_questions > 0))
        secrets = np.arange(game.n_secrets)
        fields = _finite_fields(game)
    guess_at, secret_at = np.argsort(guesses), np.argsort(secrets)
    guess_of = np.minimum(game.guess_of_secret[secrets], len(guesses) - 1)
    by_guess = fields["by_guess"]
    generator = np.random.Generator(np.random.PCG64(_SEED))
    board = Board(
        **fields,
        by_secret=by_guess if lists == 1 else np.ascontiguousarray(by_guess.T),
        guess_of=guess_at[guess_of],
        n_marks=game.n_marks,
        winning=game.winning,
        draws=generator.integers(0, 2**64, (game.n_secrets, 2), dtype=np.uint64),
        steps=np.ones((1, 3), np.int64),
        order=np.zeros((3, 1), np.int64),
        start=2 * UNLIMITED,
        weighted=False,
        labeled=False,
        candidates_only=False,
        hard=_hard_rules(game),
        limited=False,
        whole=False,
        use_history=False,
        first=-1,
        any_tree=False,
        width=0,
    )
    ones = np.ones(game.n_secrets, np.int64)
    no_bounds = _bounds(game.n_marks, 1, candidates_only=False)
    return SearchModel(
        board, no_bounds, board.symmetric, guesses, secrets, guess_at, secret_at, ones
    )


def _hard_rules(game: Game) -> HardRules:
    """What turns require of later guesses as kernels read it."""
    required = game.requirements
    if required is None:
        none, nothing = np.zeros((0, 0), np.uint8), np.zeros((0, 0), np.uint64)
        return HardRules(none, none, nothing, 0)
    return HardRules(required.signs, required.places, required.met, required.colors)


def _finite_fields(game: Game) -> dict[str, Any]:
    """Of any game: codes keep their numbers, and no symmetry is known."""
    rows = [game.marks(guess) for guess in range(game.n_open_guesses)]
    if game.n_open_guesses < game.n_guesses:
        # tells nothing, so that it is never better than a question
        rows.append(np.full_like(rows[0], (game.winning + 1) % game.n_marks))
    nothing = np.zeros(0, np.int32)
    no_codes = np.zeros((0, 0), np.int16)
    no_order = np.zeros((0, 0), np.int64)
    return {
        "by_guess": mark_numbers(rows, game.n_marks),
        "usable": np.array([len(rows)], np.int64),
        "symmetry": Symmetry(
            *(no_codes, no_codes, nothing, nothing, no_order),
            colors=0,
            names=0,
            individualized=0,
            distinct=False,
        ),
        "symmetric": False,
    }


def _mastermind_fields(
    game: Mastermind, guesses: I64, secrets: I64, *, names_per_peg: bool
) -> dict[str, Any]:
    """Of a board: codes by largest color, then in numeric order with holes lowest."""
    rules = game.rules
    if (rules.colors + 1) ** rules.pegs > MAX_PLACES:
        raise TooLargeError("{game} has too many codes for exact search", game=game.name)
    guess_codes, secret_codes = game.guess_codes[guesses], game.secret_codes[secrets]
    by_guess = np.empty((game.n_guesses, game.n_secrets), np.uint8)
    signed = signatures(guess_codes, rules.colors), signatures(secret_codes, rules.colors)
    mark_table(*signed, game.mark_ids, by_guess)
    guess_digits = np.minimum(guess_codes, rules.colors).astype(np.int16)
    secret_digits = secret_codes.astype(np.int16)
    names_per_peg = names_per_peg and rules.black and not rules.secrets_are_distinct
    first = (
        np.arange(rules.pegs) * rules.colors if names_per_peg else np.zeros(rules.pegs, np.int64)
    )
    names = rules.pegs * rules.colors if names_per_peg else rules.colors
    holes = guess_digits == rules.colors
    symmetry = Symmetry(
        (secret_digits + first).astype(np.int16),
        np.where(holes, names, guess_digits + first).astype(np.int16),
        _places(secret_digits, rules.colors),
        _places(guess_digits, rules.colors),
        permutations(rules.pegs),
        colors=rules.colors,
        names=names,
        individualized=rules.colors if rules.black and rules.secrets_are_distinct else 0,
        distinct=rules.distinct,
    )
    # Guesses to try against sets with 0, 1, ... colors, all in canonical form. A color that no
    # candidate has does what a hole does, or any other such color: guesses with one of them are
    # enough, or with none where holes are allowed. Distinct codes need more.
    absent = 0 if rules.blank and not names_per_peg else rules.pegs if rules.distinct else 1
    largest = _largest(guess_codes)
    usable = [int((largest < present + absent).sum()) for present in range(rules.colors + 1)]
    return {
        "by_guess": by_guess,
        "usable": np.array(usable, np.int64),
        "symmetry": symmetry,
        "symmetric": True,
    }


def _largest(codes: U8) -> I64:
    """Largest color of every code, -1 for nothing but holes."""
    largest: I64 = np.where(codes == HOLE, -1, codes.astype(np.int64)).max(axis=1)
    return largest


def _order(codes: U8) -> I64:
    digits = np.where(codes == HOLE, 0, codes.astype(np.int64) + 1)
    return np.lexsort([*digits.T[::-1], _largest(codes)]).astype(np.int64)


def _places(digits: I16, colors: int) -> I32:
    """Number of a code by its digits in base colors + 1; -1 where there is none."""
    pegs = digits.shape[1]
    values = digits.astype(np.int64) @ (colors + 1) ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    places = np.full((colors + 1) ** pegs, -1, np.int32)
    places[values] = np.arange(len(digits), dtype=np.int32)
    return places


# Lower bounds from sizes alone: of sets, of parts, of weights.


def least_by_size(game: Game, *, guesses: str) -> I64:
    """int64 (n_secrets + 1): what 0, 1, ... secrets of a game cost at least, without weights."""
    only = guesses == "candidates"
    return least_costs(game.n_marks, game.n_secrets, most_outside(game), candidates_only=only)


def most_outside(game: Game) -> tuple[int, ...]:
    """Most secrets of a board outside of the 0, 1, ... largest parts of a guess.

    The part that the guess finds does not count. Of other games nothing is known: the result is
    empty.
    """
    return () if game.board is None else _most_outside(game.board)


@lru_cache(maxsize=64)
def _most_outside(rules: Rules) -> tuple[int, ...]:
    rests = [0]
    for first in first_guesses(rules):
        sizes = sorted(size for mark, size in first.parts.items() if mark.black < rules.pegs)
        largest_last = [*accumulate(sizes, initial=0)]
        pairs = zip_longest(rests, reversed(largest_last), fillvalue=0)
        rests = [max(pair) for pair in pairs]
    return tuple(rests)


def size_bound(game: Game, *, guesses: str) -> int:
    """A lower bound of every total from the sizes of a game; 0 where no tree is possible."""
    costs = least_by_size(game, guesses=guesses)
    # the i-th heaviest secret adds its weight times the difference that it makes without weights
    weights = np.sort(check_weights(game.frequencies(), game.n_secrets))[::-1]
    least = int(np.diff(costs) @ weights)
    return least if least < INFINITE // 2 else 0
