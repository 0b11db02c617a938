"""Whether a set of candidates can be solved in so many guesses, for any set of one game.

In Viaud's words: whether tau_k(E) = 1 (`search.tau`). His definition runs through every guess at
every turn; here the exact search answers, which remembers sets that are the same but for the
names of pegs and colors.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import numpy as np

from pegwise.errors import TooLargeError
from pegwise.game import Game
from pegwise.game.game import I32
from pegwise.kernels.exact import CLAIMS, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact_board import Work, new_work
from pegwise.kernels.exact_bounds import INFINITE, build_bounds
from pegwise.kernels.exact_table import new_table
from pegwise.search.boards import make_board

__all__ = ["MAX_SECRETS", "Solvable", "reach", "solvable"]

MAX_SECRETS = 5_000
"""Games with more secrets are left alone: one answer could take minutes."""

_STEP = 1 << 20


def reach(marks: int, guesses: int) -> int:
    """Most codes that so many guesses can tell apart and announce: Viaud's (11).

    1 + pi + ... + pi ** (guesses - 1), where pi is the number of marks but for the winning one.
    """
    return sum((marks - 1) ** turn for turn in range(guesses))


class Solvable:
    """Answers for the sets of one game, and what is remembered between them.

    It may be asked from several threads.

    Args:
        game: what is played; its weights do not matter.

    Raises:
        TooLargeError: more than `MAX_SECRETS` secrets, or a game too large for exact search.
    """

    def __init__(self, game: Game) -> None:
        if game.n_secrets > MAX_SECRETS:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many to find the smallest worst case of "
                "every set (at most {most:,})",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_SECRETS,
            )
        board, self._translation = make_board(game, None, any_tree=True)
        self._board = board
        self._bounds = build_bounds(game.n_marks, game.n_secrets)
        self._table = new_table(16 if game.n_secrets < 1500 else 20)
        self._marks = game.n_marks
        self._work = self._new_work(24)
        self._lock = threading.Lock()

    def within(self, candidates: I32, guesses: int) -> bool:
        """Whether some strategy finds every one of these secrets with at most so many guesses.

        Args:
            candidates: int32 (n), secrets by number, each once.
            guesses: any whole number.
        """
        n = len(candidates)
        if n <= guesses:
            return True
        if n > reach(self._marks, guesses):
            return False
        with self._lock:
            return self._search(candidates, guesses)

    def order(self, candidates: I32, least: int = 0) -> int:
        """The fewest guesses that always find the secret: the least q with tau_q(E) = 1.

        Args:
            candidates: int32 (n), secrets by number, each once.
            least: a number known to be no larger than the answer.
        """
        guesses = least
        while not self.within(candidates, guesses):
            guesses += 1
        return guesses

    def _new_work(self, depths: int) -> Work:
        return new_work(self._board, depths, np.zeros((1, CLAIMS), np.uint64), 0)

    def _search(self, candidates: I32, guesses: int) -> bool:
        codes = self._translation.secret_at[candidates].astype(np.int64)
        weights = np.ones(len(codes), np.int64)
        while True:
            begin(self._board, self._work, codes, weights, INFINITE, guesses)
            status = RUNNING
            while status == RUNNING:
                status = advance(self._board, self._bounds, self._table, self._work, _STEP)
            if status != TOO_DEEP:
                return bool(self._work.frames["guess"][0] >= 0)
            self._work = self._new_work(2 * len(self._work.frames))


@lru_cache(maxsize=4)
def solvable(game: Game) -> Solvable:
    """The answers for a game, shared between callers.

    Raises:
        TooLargeError: as `Solvable`.
    """
    return Solvable(game)
