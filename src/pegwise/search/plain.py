"""Best play of small positions in plain NumPy, where no kernels are compiled yet.

It has the answers of `search.exact.position`: the same costs, and of guesses that are equally good
the same one, because guesses come in the order of `kernels.exact.guess`. The search itself is
simpler: it knows no symmetries and one lower bound, and takes about a second for the positions
after a first guess of 4x6, which the kernels solve in some milliseconds.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from pegwise.arrays import I64, U32, Bools, countable
from pegwise.game import Code, Game, Turn
from pegwise.game.game import MAX_TABLE
from pegwise.knowledge import PositionValue
from pegwise.knowledge.candidates import listed_candidates

MAX_PAIRS: Final = 360_000
"""Marks of a position, guesses times candidates: those after a first guess of 4x6 have fewer."""

MAX_PAIRS_OF_KERNELS: Final = 1_000_000  # the same where kernels solve a position, within seconds
_MAX_MARKS: Final = 32  # one bit each
_UNIT_BITS: Final = 10  # minorants are kept in units of 1/1024, as by the kernels
_PARTS_OF: Final = np.array([n.bit_count() for n in range(1 << 16)], np.int64)

FIRST_TOTALS: Final = {
    "4x6": {(4,): 6318, (3, 1): 5791, (2, 2): 5702, (2, 1, 1): 5625, (1, 1, 1, 1): 5673},
}
"""Smallest totals after a first guess, by how often it has each of its colors."""


class _OutOfTimeError(Exception):
    """The time for a position is over."""


def plain_value(
    game: Game,
    history: Sequence[Turn],
    guess: Code | None = None,
    *,
    guesses: str = "all",
    seconds: float,
) -> PositionValue | None:
    """The value of a position, as `position_value`; None where it is too large, or takes longer."""
    every = game.free and guesses == "all" and game.n_open_guesses == game.n_guesses
    if not every or game.weights is not None:
        return None
    if game.n_marks > _MAX_MARKS or game.n_guesses * game.n_secrets > MAX_TABLE:
        return None
    if not history:
        return _value_at_start(game, guess, seconds)
    secrets = listed_candidates(game, history)
    if len(secrets) * game.n_guesses > MAX_PAIRS:
        return None
    search = _Search(game, secrets, seconds)
    try:
        total = search.cost(search.all)
        number = search.best_guess(total)
        played = None if guess is None else search.cost_after(search.number(guess))
    except _OutOfTimeError:
        return None
    return PositionValue(search.guess(number), total, played)


def _value_at_start(game: Game, guess: Code | None, seconds: float) -> PositionValue | None:
    """The value of a board whose best tree is stored."""
    from pegwise.search.certificates.files import shipped
    from pegwise.search.certificates.optima import ProvenTrees

    certificate = shipped(ProvenTrees, game) if game.text else None
    if certificate is None:
        return None
    tree = certificate.claim.tree
    best = tree.game.guess(int(tree.nodes.guess[0]))
    if guess is None or guess == best:
        return PositionValue(best, tree.total, None if guess is None else tree.total)
    if (totals := FIRST_TOTALS.get(game.name)) is not None:
        kind = tuple(sorted(map(guess.count, set(guess)), reverse=True))
        return PositionValue(best, tree.total, totals[kind])
    if game.n_secrets * game.n_guesses > MAX_PAIRS:
        return None
    search = _Search(game, np.arange(game.n_secrets, dtype=np.int32), seconds)
    try:
        return PositionValue(best, tree.total, search.cost_after(search.number(guess)))
    except _OutOfTimeError:
        return None


class _Search:
    """Costs of sets of the candidates of a position, numbered from 0.

    Guesses are numbered from 0 too: the candidates, then all others, each in the order of the game.
    """

    def __init__(self, game: Game, secrets: Sequence[int] | np.ndarray, seconds: float) -> None:
        own = game.guess_of_secret[secrets]
        others = np.setdiff1d(np.arange(game.n_guesses), own)
        self._game = game
        self._numbers = np.concatenate([own, others])
        self._marks: I64 = game.table[self._numbers][:, secrets].astype(np.int64)
        self._winning = game.winning
        self._n_marks = game.n_marks
        self._rows = (np.arange(len(self._marks)) * self._n_marks)[:, None]
        self._bits: U32 = np.ascontiguousarray((1 << self._marks).astype(np.uint32).T)
        self._end = time.monotonic() + seconds
        self._solved: dict[bytes, int] = {}  # cost by set
        self._bounded: dict[bytes, int] = {}  # a lower bound by set
        self._quick: dict[bytes, tuple[int, bool]] = {}
        self.all = np.arange(len(secrets), dtype=np.int16)

    def number(self, guess: Code) -> int:
        """The number of a guess."""
        return int(np.flatnonzero(self._numbers == self._game.guess_number(guess))[0])

    def guess(self, number: int) -> Code:
        """The guess of a number."""
        return self._game.guess(int(self._numbers[number]))  # type: ignore[no-any-return]

    def cost_after(self, guess: int) -> int:
        """The smallest total of all candidates after a guess."""
        marks = self._marks[guess]
        sizes = np.bincount(marks, minlength=self._n_marks)
        parts = [self.all[marks == mark] for mark in np.flatnonzero(sizes) if mark != self._winning]
        if len(parts) == 1 and len(parts[0]) == len(self.all):  # the guess tells nothing
            return len(self.all) + self.cost(self.all)
        return len(self.all) + sum(map(self.cost, parts))

    def cost(self, candidates: np.ndarray, bound: int = 1 << 40) -> int:
        """The smallest total of a set; where it is not below the bound, a number that is not."""
        n = len(candidates)
        least, exact = self._look(candidates)
        if exact or least >= bound:
            return least
        key = candidates.tobytes()
        if (known := self._solved.get(key)) is not None:
            return known
        if (known := self._bounded.get(key, 0)) >= bound:
            return known
        if time.monotonic() > self._end:
            raise _OutOfTimeError
        marks = self._marks[:, candidates]
        sizes = self._sizes(marks)
        wins = sizes[:, self._winning].copy()
        costs = _least_by_parts(int((sizes > 0).sum(axis=1).max()), n)
        sizes[:, self._winning] = 0
        bounds = n + costs[sizes].sum(axis=1)
        eligible = np.flatnonzero((sizes.max(axis=1) < n) & (bounds < bound))
        best, seen = bound, set[bytes]()
        for guess in eligible[np.lexsort((-wins[eligible], bounds[eligible]))]:
            total, row = int(bounds[guess]), marks[guess]
            if total >= best:
                break
            _, first, inverse = np.unique(row, return_index=True, return_inverse=True)
            partition = first[inverse].astype(np.int16).tobytes() + bytes([wins[guess]])
            if partition in seen:
                continue
            seen.add(partition)
            best = min(best, self._cost_of_parts(candidates, row, sizes[guess], costs, total, best))
        if best < bound:
            self._solved[key] = best
        else:
            self._bounded[key] = bound
        return best

    def _cost_of_parts(
        self,
        candidates: np.ndarray,
        row: I64,
        sizes: I64,
        costs: I64,
        total: int,
        bound: int,
    ) -> int:
        """The cost of a guess whose parts cost `total` at least; the bound where it is no less."""
        unsolved = []
        marks = np.flatnonzero(sizes > 2)
        for mark in marks[np.argsort(sizes[marks], kind="stable")]:
            part = candidates[row == mark]
            before = int(costs[len(part)])
            least, exact = self._look(part)
            total += max(least - before, 0)
            if total >= bound:
                return bound
            if not exact:
                unsolved.append((part, max(least, before)))
        for part, least in unsolved:
            total += self.cost(part, bound - total + least) - least
            if total >= bound:
                return bound
        return total

    def _look(self, candidates: np.ndarray) -> tuple[int, bool]:
        """A lower bound of a set from the most parts of a guess, and whether it is the cost."""
        n = len(candidates)
        if n <= 2:
            return 2 * n - 1, True
        key = candidates.tobytes()
        if (seen := self._quick.get(key)) is not None:
            return seen
        masks = np.bitwise_or.reduce(self._bits[candidates], axis=0)
        parts = _PARTS_OF[masks & 0xFFFF]
        if self._n_marks > 16:
            parts = parts + _PARTS_OF[masks >> 16]
        own = (masks >> self._winning) & 1 == 1
        inside, most = int(parts[own].max()), int(parts.max())
        if inside == n:
            answer = 2 * n - 1, True
        elif most == n or inside == n - 1:
            answer = 2 * n, True
        else:
            answer = max(2 * n + 1, int(_least_by_parts(most, n)[n])), False
        self._quick[key] = answer
        return answer

    def _sizes(self, marks: I64) -> I64:
        """How many candidates get each mark from each guess, int64 (guesses, marks)."""
        flat = np.bincount(
            countable((marks + self._rows).ravel()), minlength=len(marks) * self._n_marks
        )
        return flat.reshape(len(marks), self._n_marks)

    # the guess that the kernels find

    def best_guess(self, total: int) -> int:
        """The first guess after which the cost is `total`, in the order of the kernels."""
        n = len(self.all)
        if n == 1:
            return 0
        sizes = self._sizes(self._marks)
        parts = (sizes > 0).sum(axis=1)
        own = np.arange(len(parts)) < n
        inside, most = int(parts[own].max()), int(parts[~own].max(initial=0))
        most = max(most, inside - 1)
        by_own, by_other = 2 * n - 1 + n - inside, 2 * n + n - most
        if inside == n:
            return int(parts[:n].argmax())
        if most > inside and most >= n - 1 and by_other <= by_own and (most == n or inside >= 2):
            return int((parts == most).argmax())
        if inside == n - 1 and by_own < by_other:
            return int(parts[:n].argmax())
        for guess in self._in_order(sizes, parts, own, inside, most):
            if self._costs_no_more(guess, total):
                return guess
        raise AssertionError("a set has no guess of its cost")

    def _costs_no_more(self, guess: int, total: int) -> bool:
        n = len(self.all)
        costs = np.maximum(2 * np.arange(n + 1) - 1, 0)
        row = self._marks[guess]
        sizes = np.bincount(row, minlength=self._n_marks)
        sizes[self._winning] = 0
        least = n + int(costs[sizes].sum())
        return (
            least <= total
            and self._cost_of_parts(self.all, row, sizes, costs, least, total + 1) <= total
        )

    def _in_order(
        self, sizes: I64, parts: I64, own: Bools, inside: int, most: int
    ) -> Iterator[int]:
        """Guesses by (bound, squares of sizes, candidates first, number).

        Groups of guesses that make as many parts are looked at once no guess seen costs less.
        """
        n = len(self.all)
        least, minorant = _least(inside, most, n)
        sizes = sizes.copy()
        wins = sizes[:, self._winning].copy()
        sizes[:, self._winning] = 0
        heap: list[tuple[int, int, int]] = []
        never = 1 << 55
        next_inside, next_any = inside, most
        while True:
            after_own = after_any = never
            if next_inside >= 2:
                after_own = n + _spread(minorant, n - 1, next_inside - 1)
            if next_any >= 2:
                after_any = n + _spread(minorant, n, next_any)
            unseen = min(after_own, after_any)
            if not heap and unseen == never:
                return
            if not heap or unseen <= heap[0][0]:
                if after_own <= after_any:
                    group = np.flatnonzero(own & (parts == next_inside))
                    next_inside -= 1
                else:
                    group = np.flatnonzero(~own & (parts == next_any))
                    next_any -= 1
                for guess in group.tolist():
                    if sizes[guess].max() < n:
                        bound = max(n + int(least[sizes[guess]].sum()), unseen)
                        squares = 2 * int((sizes[guess] ** 2).sum()) - int(wins[guess])
                        heapq.heappush(heap, (bound, squares, guess))
                continue
            yield heapq.heappop(heap)[2]


@lru_cache(maxsize=256)
def _least_by_parts(parts: int, size: int) -> I64:
    """int64 (size + 1): what sets cost at least of which no guess makes more parts."""
    # one code with a guess, parts - 1 more with two guesses, (parts - 1) ** 2 with three, ...
    layer, codes, costs = 1, 1, [0]
    depth = 1
    for _ in range(size):
        if codes == 0:
            depth, layer = depth + 1, layer * max(parts - 1, 1)
            codes = layer
        costs.append(costs[-1] + depth)
        codes -= 1
    return np.array(costs, np.int64)


# the bounds of `kernels.exact.bounds`, where nothing is known of the sizes of parts


def _spread(minorant: Sequence[int], count: int, parts: int) -> int:
    """The least cost of `count` codes that are split into at most `parts` parts."""
    if count == 0:
        return 0
    small, larger = divmod(count, parts)
    total = (parts - larger) * minorant[small] + larger * minorant[small + 1]
    return (total + (1 << _UNIT_BITS) - 1) >> _UNIT_BITS


@lru_cache(maxsize=256)
def _least(inside: int, most: int, size: int) -> tuple[I64, list[int]]:
    """Costs of 0, 1, ... codes from below by the most parts of guesses, and their minorant."""
    unit = 1 << _UNIT_BITS
    least, minorant = [0, 1] + [0] * size, [0, unit] + [0] * size
    corners = [0, 1]
    for n in range(2, size + 1):
        costs = []
        if inside >= 2:
            costs.append(n + _spread(minorant, n - 1, inside - 1))
        if most >= 2:
            costs.append(n + _spread(minorant, n, most))
        least[n] = min(costs)
        straight = True
        while len(corners) > 2:
            i, j = corners[-2:]
            before = (least[j] - least[i]) * (n - j)
            after = (least[n] - least[j]) * (j - i)
            if before < after:
                break
            straight = straight and before == after
            corners.pop()
        i = corners[-1]
        for x in range(n if straight else i + 1, n + 1):
            rise = least[n] - least[i]
            rest = unit * (rise % (n - i)) * (x - i) // (n - i)
            minorant[x] = unit * (least[i] + rise // (n - i) * (x - i)) + rest
        corners.append(n)
    minorant[size + 1 :] = [minorant[size] + unit]
    return np.array(least, np.int64), minorant
