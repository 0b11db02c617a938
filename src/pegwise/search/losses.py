"""Where a strategy loses: the guesses above best play, taken apart turn by turn.

A tree needs in all what its guesses cost. At every node the candidates have an exact value, the
guesses that best play needs for all of them; what the guess played there needs more, when best
play follows, is its loss. The losses of all nodes add up to the total of the tree minus the
smallest total of the game.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.errors import InputError, TooLargeError, check_seconds, quoted
from pegwise.game import Game
from pegwise.progress import Report, run_until, silent
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import check_searched, model_of
from pegwise.search.exact.optimal import MAX_SECRETS, OptimalSearch
from pegwise.search.exact.position import load_kernels
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.trees.losses import SOLVED, Losses, take_apart
from pegwise.trees.tree import Tree, tree_of

SECONDS: Final = 60.0
"""The time for larger games where none is given."""

_STEP: Final = 256  # sets that a search enters between two looks at the clock


class _Values:
    """Exact values of sets of candidates of one game, with one transposition table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._model = model_of(game, with_weights=False)
        self._search = SetSearch(self._model, TranspositionTable(table_bits_for(game.n_secrets)))
        self._known: dict[tuple[bytes, bytes], tuple[int, int]] = {}
        self.stop = threading.Event()  # set when the time is up

    def of(self, candidates: I32, required: U64) -> tuple[int, int] | None:
        """Guesses that best play needs for all of them, and the number of a best guess.

        `required`, uint64 (words), is what the turns before require of guesses.
        """
        n = len(candidates)
        first = int(self._game.guess_of_secret[candidates[0]])
        if n <= 2 and not self._game.names_too_early(first, n):
            return 2 * n - 1, first
        key = candidates.tobytes(), required.tobytes()
        if key not in self._known:
            try:
                self._known[key] = self._solved(candidates, required)
            except CancelledError:
                return None
        return self._known[key]

    def _solved(self, candidates: I32, required: U64) -> tuple[int, int]:
        """Search a set that is not stored yet; CancelledError when the time is up."""
        if self.stop.is_set():
            raise CancelledError
        if len(candidates) == self._game.n_secrets and not required.any():
            search = OptimalSearch(self._game)
            if run_until(search.run, lambda _step: self.stop.is_set()):
                raise CancelledError
            tree = search.result().tree
            return tree.total, int(tree.nodes.guess[0])
        codes = self._model.secret_at[candidates].astype(np.int64)
        ones = np.ones(len(codes), np.int64)
        start = self._model.board.start
        guess = self._search.best_guess(
            codes, ones, start, required=required, stop=self.stop, step=_STEP
        )
        return int(self._search.frame["best"]), int(self._model.guesses[guess])


@lru_cache(maxsize=2)
def _values(game: Game) -> _Values:
    """The values of a game, shared by its trees."""
    return _Values(game)


def check_losses(game: Game) -> None:
    """Refuse a game whose losses are not worked out, before a tree of it is built.

    Raises:
        InputError: its secrets have weights, or its `hard` rules are not searched.
        TooLargeError: it has too many secrets.
    """
    if game.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{game} has {secrets:,} secrets: losses are worked out for at most {most:,}",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_SECRETS,
        )
    if game.weights is not None:
        raise InputError("losses count every code once: leave out the weights")
    check_searched(game)


def losses(
    tree: Tree | Path | str,
    *,
    secrets: I32 | None = None,
    times: I64 | None = None,
    seconds: float | None = None,
    report: Report = silent,
) -> Losses:
    """Take a tree apart against best play; every secret counts once, or only drawn ones.

    Positions are solved from the last turn to the first one, smaller ones first.

    Args:
        tree: of a game of at most `MAX_SECRETS` secrets, or the file of one.
        secrets: int32 (n), numbers of secrets that were drawn; None for every one. Then only the
            positions that occur in these games count.
        times: int64 (n), in how many games each is hidden; once if not given.
        seconds: the time for it, apart from that of the tables; None for as long as it takes on
            games of up to `SOLVED` secrets, and `SECONDS` on larger ones.
        report: receives the positions done so far.

    Raises:
        InputError: no tree, or one that does not find every secret that counts.
        TooLargeError: the game has too many secrets.

    Examples:
        >>> pegwise.losses(pegwise.build("3x3", "first")).total
        16
    """
    tree = tree_of(tree)
    game = tree.game
    for name, numbers in (("secrets", secrets), ("times", times)):
        if numbers is not None and not (
            isinstance(numbers, np.ndarray) and numbers.dtype.kind == "i"
        ):
            raise InputError(
                "{name} {value}: give an array of whole numbers, or None",
                name=name,
                value=quoted(numbers),
            )
    check_seconds(seconds)
    check_losses(game)
    depths = tree.depths
    if not (depths if secrets is None else depths[secrets]).all():
        raise InputError("losses need a tree that finds every secret")
    values = _values(game)
    values.stop.clear()
    if seconds is None and game.n_secrets > SOLVED:
        seconds = SECONDS
    timer = None
    if seconds is not None:
        load_kernels()
        timer = threading.Timer(seconds, values.stop.set)
        timer.daemon = True
        timer.start()
    try:
        return take_apart(tree, values.of, secrets=secrets, times=times, report=report)
    finally:
        if timer is not None:
            timer.cancel()
