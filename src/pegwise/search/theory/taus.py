"""Viaud's functions tau_k: the most secrets that may be possible before the last of k guesses.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 307-321. For a set E of secrets (section 2.1),

    tau_1(E) = |E|,   tau_k(E) = min over guesses s of max over marks p of tau_{k-1}(E_s,p),

where E_s,p are the secrets of E that give mark p to guess s: how many secrets may still be
possible after k - 1 guesses, played as well as can be. The least q with tau_q(S) = 1 is q_0, the
worst case of a best strategy. Viaud guesses secrets only; here every guess of the game counts.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import TooLargeError, check_whole
from pegwise.game import Game, all_secrets
from pegwise.strategies.scoring import equal_guesses

MAX_MARKS: Final = 150_000_000
"""Marks that are looked at, which takes a few seconds; a value that needs more is not found."""

_CELLS: Final = 1 << 16
"""Marks that are counted at a time: what they need fits in a cache."""


def reach(marks: int, guesses: int) -> int:
    """Most codes that k guesses tell apart and announce: 1 + pi + ..., pi = marks - 1."""
    return sum((marks - 1) ** turn for turn in range(guesses))


def tau(game: Game, candidates: I32, k: int, *, max_marks: int = MAX_MARKS) -> int:
    """tau_k of a set of secrets, int32 numbers; weights do not matter.

    `exact.position.Solvable` answers tau_k(E) = 1 for larger sets.

    Raises:
        InputError: k below 1.
        TooLargeError: it takes more than `max_marks` marks.
    """
    check_whole("k", k, 1)
    value = Taus(game, max_marks).find(np.sort(candidates).astype(np.int32), k)
    if value is None:
        raise TooLargeError(
            "tau_{k} of {secrets} secrets of {game}, with {guesses} guesses, takes more than "
            "{most:,} marks",
            k=k,
            secrets=len(candidates),
            game=game.name,
            guesses=game.n_guesses,
            most=max_marks,
        )
    return value


def taus(game: Game, *, max_marks: int = MAX_MARKS) -> tuple[int | None, ...]:
    """tau_1, tau_2, ... of all secrets, down to the first 1.

    A value that takes more than `max_marks` marks is None, and the sequence ends there.
    """
    secrets = all_secrets(game)
    values: list[int | None] = [len(secrets)]
    while values[-1] is not None and values[-1] > 1:
        search = Taus(game, max_marks, whole=True)
        values.append(search.find(secrets, len(values) + 1, values[-1]))
    return tuple(values)


class _TooManyMarksError(Exception):
    """The definition looks at more marks than are allowed."""


class Taus:
    """Finds tau_k by its definition, leaving out guesses and parts that cannot change it.

    Guesses that symmetry makes equal are tried once, where the set is `whole`: all secrets.
    """

    def __init__(self, game: Game, max_marks: int, *, whole: bool = False) -> None:
        self.game, self.max_marks, self.marks = game, max_marks, 0
        self.whole = whole
        # a value by k and set, and below which limit it is exact
        self.memo: dict[tuple[int, bytes], tuple[int, int]] = {}

    def find(self, candidates: I32, k: int, before: int | None = None) -> int | None:
        """tau_k of a set, of which tau_(k-1) may be known; None if it takes too many marks."""
        try:
            return self._tau_below(candidates, k, (before or len(candidates)) + 1, ())
        except _TooManyMarksError:
            return None

    def is_one_after(self, candidates: I32, guess: int, k: int) -> bool | None:
        """Whether tau_k of each part of a guess is 1; None if it takes too many marks."""
        marks = self.game.table[guess][candidates]
        parts = [candidates[marks == mark] for mark in np.unique(marks).tolist()]
        try:
            # a part of which it is larger is most often a large one
            return all(
                self._tau_below(part, k, 2, (guess,)) == 1 for part in sorted(parts, key=len)[::-1]
            )
        except _TooManyMarksError:
            return None

    def _least(self, n: int, k: int) -> int:
        """A lower bound on tau_k of a set of `n` secrets, by counting."""
        # more than k guesses reach are not all found: then it is not 1 (Viaud's (11))
        marks = self.game.n_marks
        even = -(-n // int(marks ** (k - 1)))
        return max(even, 2) if n > reach(marks, k) else even

    def _tau_below(self, candidates: I32, k: int, limit: int, played: tuple[int, ...]) -> int:
        """tau_k if that is less than `limit`; else a number from there on that is no larger."""
        n, game = len(candidates), self.game
        if k == 1 or n <= 1:
            return n
        if k >= n:
            return 1  # proposition 1: it falls by one at least each time
        least = self._least(n, k)
        if least >= limit:
            return least
        key = (k, candidates.tobytes())
        if key in self.memo:
            value, exact_below = self.memo[key]
            if value < exact_below or limit <= exact_below:
                return value
        self.marks += game.n_guesses * n
        if self.marks > self.max_marks:
            raise _TooManyMarksError
        sizes = largest_parts(game, candidates)
        if k == 2:
            limit, best = n + 1, int(sizes.min())
        else:
            best = self._least_over_guesses(candidates, k, limit, least, sizes, played)
        self.memo[key] = best, limit
        return best

    def _least_over_guesses(
        self, candidates: I32, k: int, limit: int, least: int, sizes: I64, played: tuple[int, ...]
    ) -> int:
        """The minimum over guesses, whose largest parts are known; as `_tau_below`."""
        game, best = self.game, limit
        guesses = np.argsort(sizes, kind="stable")
        if self.whole and len(played) < 2 and game.board is not None:
            guesses = guesses[equal_guesses(game.board, played)[guesses]]
        for guess in guesses.tolist():
            if self._least(int(sizes[guess]), k - 1) >= best:
                break  # nor is any later guess better
            marks = game.table[guess][candidates]
            counts = np.bincount(marks, minlength=game.n_marks)
            worst = 0
            for mark in np.argsort(-counts, kind="stable").tolist():
                if counts[mark] <= worst or worst >= best:
                    break
                part = candidates[marks == mark]
                worst = max(worst, self._tau_below(part, k - 1, best, (*played, guess)))
            best = min(best, worst)
            if best <= least:
                break
        return best


def largest_parts(game: Game, candidates: I32) -> I64:
    """int64 (n_guesses): how many candidates each guess leaves together at most."""
    largest = np.empty(len(game.table), np.int64)
    step = max(1, _CELLS // max(len(candidates), game.n_marks))
    for start in range(0, len(largest), step):
        rows = game.table[start : start + step, candidates]
        cells = rows + np.arange(0, len(rows) * game.n_marks, game.n_marks)[:, None]
        sizes = np.bincount(cells.ravel(), minlength=len(rows) * game.n_marks)
        largest[start : start + step] = sizes.reshape(-1, game.n_marks).max(axis=1)
    return largest
