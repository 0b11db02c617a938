"""Sizes times their binary logarithms, in whole numbers that are the same on every machine.

Floating-point logarithms differ in their last digit from machine to machine, and a digit can
decide between guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import ContradictionError, InputError, StrategyError, UnknownNameError
from pegwise.game import FiniteGame, Game, Mastermind, all_secrets
from pegwise.game.game import check_listed
from pegwise.kernels.onestep.grow import choose_one
from pegwise.kernels.onestep.multisets import Criteria, class_floors
from pegwise.kernels.splitting import best_guess
from pegwise.progress import Report, silent
from pegwise.strategies.base import Card, Nodes, Option
from pegwise.strategies.whole_tree import (
    EVERYTHING,
    board_of,
    colors_played,
    equal_guesses,
    grow,
    grow_from,
    scratch_for,
)

_PRECISION: Final = 96
_GUARD: Final = 32
_LIMB: Final = 32
_MASK: Final = (1 << _LIMB) - 1


def entropy_shift(n: int) -> int:
    """Binary digits kept after the point of n log2 n, so that sums stay below 2**62.

    40 up to some 200 000 candidates, fewer above.
    """
    bits = int(n * np.log2(max(n, 2))).bit_length()
    return min(40, 62 - bits)


def sizes_times_logarithms(n: int, digits: int) -> I64:
    """int64 (n + 1): k log2 k for k = 0, ..., n, rounded to multiples of 2**-digits.

    Args:
        n: at most 2**25, more than any board that is listed.
        digits: at most 40, and few enough for 64 bits; `entropy_shift` of n or of more.
    """
    low, middle, high = _logarithms(n)
    sizes = np.arange(n + 1, dtype=np.int64)
    low *= sizes
    middle *= sizes
    high *= sizes
    middle += low >> _LIMB
    drop = _PRECISION - digits
    middle += 1 << (drop - 1 - _LIMB)  # half of the last digit that is kept
    high += middle >> _LIMB
    middle &= _MASK
    return (high << (2 * _LIMB - drop)) | (middle >> (drop - _LIMB))


def _logarithms(n: int) -> tuple[I64, I64, I64]:
    """Binary logarithms of 0 (as 0), 1, ..., n as whole multiples of 2**-96, in limbs of 32 bits.

    Those of primes p follow from smaller ones: p * p is (p - 1) * (p + 1), both even, times
    p * p / (p * p - 1), whose logarithm is a short series. All others are sums.
    """
    low, middle, high = (np.zeros(n + 1, np.int64) for _ in range(3))
    high[2:3] = 1 << (_PRECISION - 2 * _LIMB)
    factor = _factors(n)
    begin = 3
    # twice as many at a time: what is needed is at most half as large, or a factor
    while begin <= n:
        end = min(2 * begin - 1, n + 1)
        numbers = np.arange(begin, end)
        prime = factor[begin:end] == numbers
        for k in numbers[prime].tolist():
            below, above = (
                int(low[j]) | int(middle[j]) << _LIMB | int(high[j]) << 2 * _LIMB
                for j in (k >> 1, (k >> 1) + 1)
            )
            found = (1 << _PRECISION) + (below + above >> 1) + _excess(k)
            low[k], middle[k], high[k] = found & _MASK, found >> _LIMB & _MASK, found >> 2 * _LIMB
        others = numbers[~prime]
        one = factor[others]
        other = others // one
        sums = low[one] + low[other]
        low[others] = sums & _MASK
        sums = middle[one] + middle[other] + (sums >> _LIMB)
        middle[others] = sums & _MASK
        high[others] = high[one] + high[other] + (sums >> _LIMB)
        begin = end
    return low, middle, high


def _excess(p: int) -> int:
    """Half the binary logarithm of p * p / (p * p - 1), as a multiple of 2**-96."""
    # ln(p * p / (p * p - 1)) = 2 artanh(1 / (2 * p * p - 1)), a series of odd powers
    return _artanh(2 * p * p - 1) * _PER_NATURAL >> _PRECISION + 2 * _GUARD


def _artanh(inverse: int) -> int:
    """artanh(1 / inverse) as a multiple of 2**-128."""
    power, odd, total = (1 << _PRECISION + _GUARD) // inverse, 1, 0
    while power:
        total += power // odd
        power //= inverse * inverse
        odd += 2
    return total


_PER_NATURAL: Final = (1 << 2 * (_PRECISION + _GUARD)) // (2 * _artanh(3))
"""1 / ln 2 as a multiple of 2**-128; ln 2 is 2 artanh(1/3)."""


def _factors(n: int) -> I64:
    """int64 (n + 1): the smallest factor above 1 of each number."""
    found = np.arange(n + 1)
    for k in range(2, int(n**0.5) + 1):
        if found[k] == k:
            multiples = found[k * k :: k]
            multiples[multiples == np.arange(k * k, n + 1, k)] = k
    return found


# Strategies that look one step ahead: each guess splits the candidates into parts, by mark.
#
# A criterion gives every part a worth by its size; the score of a guess is the sum of the worths of
# its parts, or the largest of them, and the least score is played. Ties go to a second criterion if
# there is one, then to a candidate before a code that cannot win, then to the first in numeric
# order (Knuth 1976). Scores are whole numbers, so that equal partitions tie exactly.


def _largest(sizes: I64, _digits: int) -> I64:
    return sizes


def _expected(sizes: I64, _digits: int) -> I64:
    # sum of n * n / all: the expected number of candidates left
    return sizes * sizes


def _uncertainty(sizes: I64, digits: int) -> I64:
    # sum of n * log2 n / all: the expected number of bits still to find
    return sizes_times_logarithms(int(sizes[-1]), digits)


def _count(sizes: I64, _digits: int) -> I64:
    return -np.sign(sizes)


@dataclass(frozen=True, slots=True)
class Criterion:
    """What makes a guess good.

    Attributes:
        id: its name as an option.
        worth: worth of parts of sizes 0, 1, 2, ... (int64 in, int64 out), with so many binary
            digits after the point where it is no whole number; less is better.
        additive: worths are added up; else the largest counts.
    """

    id: str
    worth: Callable[[I64, int], I64]
    additive: bool

    def table(self, n: int, largest: int | None = None) -> I64:
        """int64 (largest + 1): worth of a part by its size, on a game of n secrets.

        Args:
            n: secrets of the game.
            largest: the largest part there can be; n when not given.
        """
        largest = n if largest is None else largest
        return _worths(self, entropy_shift(n), _enough(n, largest))[: largest + 1]


_ALWAYS: Final = 4096
"""Tables that are made at all are at least so long: one then serves for many sizes."""


def _enough(n: int, largest: int) -> int:
    """The size up to which a table is made where it must reach another."""
    return min(1 << largest.bit_length(), max(n, _ALWAYS))


@lru_cache(maxsize=32)
def _worths(criterion: Criterion, digits: int, largest: int) -> I64:
    return criterion.worth(np.arange(largest + 1, dtype=np.int64), digits)


CRITERIA: Final = {
    "minimax": Criterion("minimax", _largest, additive=False),
    "size": Criterion("size", _expected, additive=True),
    "entropy": Criterion("entropy", _uncertainty, additive=True),
    "parts": Criterion("parts", _count, additive=True),
}


class OneStep:
    """Play the guess that scores best by one criterion.

    Args:
        guesses: `all` codes that may be guessed, or only `candidates`.
        then: second criterion for ties (`minimax`, `size`, `entropy`, `parts`), or `none`.

    Raises:
        InputError: another value.
    """

    card: ClassVar[Card]
    criterion: ClassVar[Criterion]

    def __init__(self, *, guesses: str = "all", then: str = "none") -> None:
        if guesses not in {"all", "candidates"}:
            raise InputError(
                "guesses={guesses}: write guesses=all or guesses=candidates", guesses=repr(guesses)
            )
        if then not in {"none", *CRITERIA}:
            raise UnknownNameError.of("second criterion", then, ["none", *CRITERIA])
        self.only_candidates = guesses == "candidates"
        self.second = None if then in {"none", self.criterion.id} else CRITERIA[then]
        self.options: Mapping[str, Option] = {
            **({"guesses": guesses} if self.only_candidates else {}),
            **({"then": self.second.id} if self.second else {}),
        }

    def begin(self, game: Game) -> Weighing:
        """All secrets are candidates."""
        return Weighing(self, game, all_secrets(game), ())

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        """The whole tree, grown by the kernels where the game is a board."""
        if isinstance(game, Mastermind):
            check_listed(game.name, game.n_guesses)
            return grow(game, self.criteria(game), threads, report)
        return None

    def criteria(self, game: Mastermind, candidates: int | None = None) -> Criteria:
        """What the kernels minimise, among so many candidates or all secrets."""
        second = self.second or self.criterion
        n, rules = game.n_secrets, game.rules
        largest = n if candidates is None else candidates
        return Criteria(
            worth=self.criterion.table(n, largest),
            additive=self.criterion.additive,
            floors=_floors(
                self.criterion, entropy_shift(n), _enough(n, largest), rules.pegs, rules.black
            ),
            second=second.table(n, largest),
            second_additive=second.additive,
            has_second=self.second is not None,
            only_candidates=self.only_candidates,
        )


@lru_cache(maxsize=32)
def _floors(criterion: Criterion, digits: int, largest: int, pegs: int, black: bool) -> I64:
    return class_floors(_worths(criterion, digits, largest), criterion.additive, pegs, black)


class Weighing:
    """Candidates after a history, and the guess that splits them best."""

    def __init__(
        self, strategy: OneStep, game: Game, candidates: I32, played: tuple[int, ...]
    ) -> None:
        self.strategy = strategy
        self.game = game
        self.candidates = candidates
        self.played = played

    @cached_property
    def number(self) -> int:
        """Number of the guess."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        if isinstance(self.game, Mastermind):
            return self._choose_on_board(self.game)
        if isinstance(self.game, FiniteGame):
            return self._choose_from_table(self.game)
        raise StrategyError("{id} needs a game with a table of marks", id=self.strategy.card.id)

    def grow(self) -> Nodes | None:
        """All nodes from here on, by the kernels where the game is a board."""
        if isinstance(self.game, Mastermind) and len(self.candidates):
            criteria = self.strategy.criteria(self.game, len(self.candidates))
            return grow_from(self.game, self.candidates, self.played, criteria)
        return None

    def _choose_on_board(self, game: Mastermind) -> int:
        board = board_of(game.rules)
        return choose_one(
            self.candidates,
            colors_played(board, self.played),
            equal_guesses(game.rules, self.played) if len(self.played) < 2 else EVERYTHING,
            board,
            self.strategy.criteria(game, len(self.candidates)),
            scratch_for(game.rules, len(self.candidates)),
        )

    def _choose_from_table(self, game: FiniteGame) -> int:
        strategy = self.strategy
        second = strategy.second or strategy.criterion
        return int(
            best_guess(
                game.table,
                self.candidates,
                game.secret_of_guess,
                game.guess_of_secret,
                game.n_marks,
                strategy.only_candidates,
                strategy.criterion.table(game.n_secrets),
                strategy.criterion.additive,
                second.table(game.n_secrets),
                second.additive,
                strategy.second is not None,
            )
        )

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> Weighing:
        return self._following(self.number, mark)

    def instead(self, guess: Any, mark: Any) -> Weighing:
        return self._following(self.game.guess_number(guess), mark)

    def _following(self, guess: int, mark: Any) -> Weighing:
        number = self.game.mark_number(mark)
        left = self.candidates[self.game.marks(guess, self.candidates) == number]
        return Weighing(self.strategy, self.game, left, (*self.played, guess))


class Knuth(OneStep):
    """The smallest largest part: the worst case of the next mark."""

    criterion = CRITERIA["minimax"]
    card = Card(
        id="knuth",
        name="Minimax",
        authors="Donald E. Knuth",
        year=1976,
        source="The computer as Master Mind, Journal of Recreational Mathematics 9(1), p. 1-6",
        about=(
            "Plays the guess whose largest part is smallest: whatever the mark, as few candidates "
            "as possible stay. On 4 pegs and 6 colors it never needs more than five guesses."
        ),
        traits=frozenset({"any-game"}),
    )


class Irving(OneStep):
    """The smallest expected number of candidates left."""

    criterion = CRITERIA["size"]
    card = Card(
        id="irving",
        name="Expected size",
        authors="Robert W. Irving",
        year=1978,
        source=(
            "Towards an optimum Mastermind strategy, "
            "Journal of Recreational Mathematics 11(2), p. 81-87"
        ),
        about=(
            "Plays the guess after which the expected number of candidates, each part weighed by "
            "its own chance, is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Entropy(OneStep):
    """The most information expected from the next mark."""

    criterion = CRITERIA["entropy"]
    card = Card(
        id="entropy",
        name="Entropy",
        authors="E. Neuwirth",
        year=1982,
        source="Some strategies for Mastermind, Zeitschrift für Operations Research 26, B257-B278",
        about=(
            "Plays the guess whose mark tells most, in bits: the entropy of the partition is "
            "largest, so the expected uncertainty that stays is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Parts(OneStep):
    """The most parts: the most different marks possible."""

    criterion = CRITERIA["parts"]
    card = Card(
        id="parts",
        name="Most parts",
        authors="Barteld Kooi",
        year=2005,
        source="Yet another Mastermind strategy, ICGA Journal 28(1), p. 13-20",
        about=(
            "Plays the guess that can get the most different marks. The sizes of the parts do not "
            "matter; still it is the best of the classical one-step methods on 4 pegs, 6 colors."
        ),
        traits=frozenset({"any-game"}),
    )
