"""Positions: how guesses split what is still possible, which split best, and what to play next.

Guesses are compared by one look ahead, as the one-step strategies compare them. On boards of up to
`MAX_LISTED` guesses every guess is compared. On larger ones only candidates are, once there are at
most `MAX_WEIGHED` of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple, cast

import numpy as np

from pegwise.arrays import I32, U8, Bools
from pegwise.errors import (
    ContradictionError,
    InputError,
    MissingExtraError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
    quoted,
)
from pegwise.game import (
    Code,
    FiniteGame,
    Game,
    GameLike,
    Mark,
    Mastermind,
    Ruled,
    Rules,
    Turn,
    Turns,
    as_game,
    check_code,
    check_turns,
    game_of,
    mastermind,
    ruled,
    winning_mark,
)
from pegwise.game.game import MAX_TABLE
from pegwise.hooks import Drawable
from pegwise.kernels import plain
from pegwise.knowledge import candidates, count, listed_candidates, parts
from pegwise.strategies import Decision, Strategy, instead, label, load
from pegwise.strategies.base import AdaptiveDecision, equal_guesses, score_guesses
from pegwise.strategies.criteria import CRITERIA

MAX_LISTED: Final = 1_000_000
MAX_WEIGHED: Final = 10_000

STRATEGIES: Final[Mapping[str, str]] = {
    "minimax": "knuth",
    "size": "irving",
    "entropy": "entropy",
    "parts": "parts",
}
"""The strategy that plays the best guess by each criterion."""

_MAX_PAIRS: Final = 400_000_000  # marks worked out within seconds; beyond, candidates are sampled
_SHORTLIST: Final = 200  # guesses that are best on a sample and are then compared on all candidates


@dataclass(frozen=True, slots=True)
class Split(Drawable):
    """How a guess splits the candidates.

    Attributes:
        guess: the guess.
        parts: each mark that it can get, with the number of candidates that would give it.
        possible: whether it is a candidate, so that it may be the code.
    """

    guess: Code
    parts: tuple[tuple[Mark, int], ...]
    possible: bool

    @property
    def candidates(self) -> int:
        """Number of candidates that are split."""
        return sum(size for _, size in self.parts)

    @property
    def expected(self) -> Fraction:
        """Expected number of candidates after the mark, each part weighed by its own chance."""
        return Fraction(sum(size * size for _, size in self.parts), self.candidates)

    @property
    def bits(self) -> float:
        """Expected information in bits: the entropy of the partition."""
        n = self.candidates
        return math.fsum(size / n * math.log2(n / size) for _, size in self.parts)

    @property
    def largest(self) -> int:
        """Size of the largest part."""
        return max(size for _, size in self.parts)

    def score(self, criterion: str) -> float:
        """The score by a criterion of the one-step strategies; less is better."""
        scores: dict[str, float] = {
            "minimax": self.largest,
            "size": float(self.expected),
            "entropy": -self.bits,
            "parts": -len(self.parts),
        }
        return scores[criterion]


def _rules_or_table(game: GameLike) -> Ruled:
    rules = ruled(game)
    if not isinstance(rules, Rules | FiniteGame):
        raise InputError("{game} has no table of marks", game=rules.name)
    return rules


class Position(Drawable):
    """A position of a game, on a board of any size, of words, or of any finite game.

    Args:
        game: its rules, also as they are written (`4x6`, `wordle`); or a game.
        history: the turns so far, also as they are written (`AABB=XO`).

    Raises:
        InputError: no game, or no turns that it allows.
    """

    def __init__(self, game: GameLike, history: Turns = ()) -> None:
        self.rules = _rules_or_table(game)
        self.history = check_turns(history, self.rules)

    def __repr__(self) -> str:
        return f"Position({str(self.rules)!r}, {[str(turn) for turn in self.history]})"

    @property
    def listed(self) -> bool:
        """Whether the board is small enough to compare all its guesses."""
        return self.rules.n_guesses <= MAX_LISTED

    @cached_property
    def count(self) -> int:
        """Number of candidates, exactly; errors as `knowledge.count`."""
        return count(self.rules, self.history)

    def split(self, guess: Sequence[int] | str) -> Split:
        """How a guess splits the candidates, at least one; errors as `knowledge.parts`."""
        code = check_code(guess, self.rules)
        sizes = parts(self.rules, self.history, code)
        return Split(code, tuple(sizes.items()), winning_mark(self.rules) in sizes)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best guesses of a position by some criterion.

    Attributes:
        criterion: `entropy`, `size`, `minimax` or `parts`.
        splits: the best guesses, best first; ties as the strategies break them.
        weighed: how many guesses were compared.
        kinds: whether a guess was omitted if it equals another with colors or places exchanged.
        exact: whether every guess was compared on all candidates, not on a sample of them first.
        complete: whether every guess of the board was considered, not only candidates.
    """

    criterion: str
    splits: tuple[Split, ...]
    weighed: int
    kinds: bool
    exact: bool
    complete: bool

    @property
    def best(self) -> Split:
        """The best guess."""
        return self.splits[0]


def criterion_of(strategy: Strategy) -> str:
    """The criterion that a strategy goes by; `entropy` if it goes by none."""
    criteria = {name: criterion for criterion, name in STRATEGIES.items()}
    return {**criteria, "forget-minimax": "minimax"}.get(strategy.card.id, "entropy")


def best_guess(position: Position, criterion: str = "entropy", guesses: str = "all") -> Split:
    """The best guess by one look ahead, as the strategies choose it.

    Args, errors: as `rank`.
    """
    if not position.listed:
        return rank(position, criterion, guesses, count=1).best
    _check(position, criterion, guesses)
    strategy = load(STRATEGIES[criterion], guesses=guesses)
    decision = cast(AdaptiveDecision, strategy.begin(as_game(position.rules)))
    for guess, mark in position.history:
        decision = decision.instead(guess, mark)
    return position.split(decision.guess)


def rank(
    position: Position, criterion: str = "entropy", guesses: str = "all", count: int = 10
) -> Ranking:
    """The best guesses, best first: by score, then candidates first, then in numeric order.

    Args:
        position: the position.
        criterion: `entropy`, `size`, `minimax` or `parts`.
        guesses: `all`, or only `candidates`; only these on boards that are not listed.
        count: how many of the best.

    Raises:
        InputError: another criterion, other guesses, or a count below 0.
        ContradictionError: no candidate is possible.
        TooLargeError: too many candidates to compare guesses.
    """
    _check(position, criterion, guesses)
    if count < 0:
        raise InputError("count {count}: write a whole number from 0", count=count)
    pool = _pool(position, guesses)
    numbers, exact = pool.numbers, True
    if len(numbers) * position.count > _MAX_PAIRS:
        exact = False
        size = max(1, _MAX_PAIRS // len(numbers))
        sample = np.linspace(0, position.count - 1, size).astype(np.int32)
        shortlist = pool.best_first(criterion, numbers, sample)[:_SHORTLIST]
        chosen = pool.game.guess_number(best_guess(position, criterion, guesses).guess)
        numbers = np.union1d(shortlist, [chosen]).astype(np.int32)
    every = np.arange(position.count, dtype=np.int32)
    best = pool.best_first(criterion, numbers, every)[:count]
    return Ranking(
        criterion,
        tuple(position.split(pool.guess(guess)) for guess in best),
        len(pool.numbers),
        pool.kinds,
        exact,
        complete=position.listed and guesses == "all",
    )


def _pool(position: Position, guesses: str) -> _TablePool | _Pool:
    rules = position.rules
    if not isinstance(rules, Rules) or not rules.on_board:
        return _TablePool.of(position, guesses)
    if position.listed:
        return _listed_pool(position, mastermind(rules), guesses)
    return _candidate_pool(position, mastermind(rules))


class _TablePool(NamedTuple):
    """Guesses to compare of a game with a table of marks, and the candidates that they split."""

    game: FiniteGame
    candidates: I32  # (n), secrets by number
    possible: Bools  # (g), which guesses are candidates
    numbers: I32  # (m), which guesses to compare, ascending
    kinds: bool = False

    @classmethod
    def of(cls, position: Position, guesses: str) -> _TablePool:
        game = cast(FiniteGame, as_game(position.rules))
        secrets = listed_candidates(game, position.history)
        possible = _possible(game, secrets)
        eligible = possible if guesses == "candidates" else np.ones_like(possible)
        return cls(game, secrets, possible, np.flatnonzero(eligible).astype(np.int32))

    def guess(self, number: int) -> Code:
        code: Code = self.game.guess(number)
        return code

    def best_first(self, criterion: str, numbers: I32, sample: I32) -> I32:
        """As `_Pool.best_first`."""
        rule, secrets = CRITERIA[criterion], self.candidates[sample]
        table, worth = self.game.table[numbers], rule.table(self.game.n_secrets)
        scores = plain.scores(table, secrets, self.game.n_marks, worth, rule.additive)
        return numbers[np.lexsort((numbers, ~self.possible[numbers], scores))]


def _possible(game: Game, secrets: I32) -> Bools:
    """Of guesses, whether they are among these secrets: bool (guesses)."""
    possible = np.zeros(game.n_guesses, np.bool_)
    possible[game.guess_of_secret[secrets]] = True
    return possible


class _Pool(NamedTuple):
    """Guesses to compare on a board, and the candidates that they split."""

    game: Mastermind
    codes: U8  # (g, pegs), guesses in numeric order
    candidates: U8  # (n, pegs), in numeric order
    possible: Bools  # (g), which guesses are candidates
    numbers: I32  # (m), which guesses to compare, ascending
    kinds: bool  # whether guesses that equal one of these were omitted
    most: int  # largest number of candidates that a score is computed for

    def guess(self, number: int) -> Code:
        return Code(self.codes[number].tolist())

    def best_first(self, criterion: str, numbers: I32, sample: I32) -> I32:
        """These guesses, int32, the best first on a sample of the candidates, int32."""
        rule, guesses, codes = CRITERIA[criterion], self.codes[numbers], self.candidates[sample]
        scores = score_guesses(self.game, guesses, codes, rule.table(self.most), rule.additive)
        return numbers[np.lexsort((numbers, ~self.possible[numbers], scores))]


def _listed_pool(position: Position, game: Mastermind, guesses: str) -> _Pool:
    """All guesses of a listed board, or its candidates."""
    secrets = listed_candidates(game, position.history)
    possible = _possible(game, secrets)
    eligible = possible if guesses == "candidates" else np.ones_like(possible)
    # later, hardly any symmetry remains
    kinds = len(position.history) < 2
    if kinds:
        played = tuple(game.guess_number(guess) for guess, _ in position.history)
        eligible = eligible & equal_guesses(game.rules, played)
    numbers = np.flatnonzero(eligible).astype(np.int32)
    codes = game.secret_codes[secrets]
    return _Pool(game, game.guess_codes, codes, possible, numbers, kinds, game.n_secrets)


def _candidate_pool(position: Position, game: Mastermind) -> _Pool:
    """The candidates of a board that is not listed."""
    n, rules = position.count, game.rules
    if n > MAX_WEIGHED:
        raise TooLargeError(
            "{n:,} candidates of {rules} are too many to compare guesses (at most {most:,})",
            n=n,
            rules=rules,
            most=MAX_WEIGHED,
        )
    codes = np.array(candidates(rules, position.history), np.uint8)
    numbers = np.arange(n, dtype=np.int32)
    every = np.ones(n, np.bool_)
    return _Pool(game, codes, codes, every, numbers, kinds=False, most=n)


def _check(position: Position, criterion: str, guesses: str) -> None:
    if not isinstance(position, Position):
        raise InputError(
            "{value} is no position: give Position(rules, turns)", value=quoted(position)
        )
    if criterion not in CRITERIA:
        raise UnknownNameError.of("criterion", criterion, CRITERIA)
    if guesses not in {"all", "candidates"}:
        raise InputError("guesses {guesses}: write 'all' or 'candidates'", guesses=repr(guesses))
    if not position.count:
        raise ContradictionError("no secret of {rules} gives these marks", rules=position.rules)


@dataclass(frozen=True, slots=True)
class Advice:
    """A guess to play, and the strategy that proposes it as typed on the command line."""

    guess: Code
    strategy: str


def default_strategy(rules: Rules) -> Strategy:
    """The strategy for a board where none is named.

    `entropy` where all guesses can be compared; else `constraint`, which plays boards of any size,
    or `forget-entropy` where the extra 'constraint' is not installed. On a list of words that is
    too large for a table of marks, `sampling`.
    """
    if not rules.on_board:
        fits = 2 * rules.n_guesses * rules.n_secrets <= MAX_TABLE
        return load("entropy" if fits else "sampling")
    if rules.n_guesses <= MAX_LISTED:
        return load("entropy")
    constraint = load("constraint")
    try:
        constraint.begin(mastermind(rules))
    except MissingExtraError:
        return load("forget-entropy")
    return constraint


class Adviser:
    """Gives a strategy's next guess after any history.

    A history may hold guesses that the strategy would not have played. Where it cannot go on from
    those, the default strategy of the board takes its place.

    Raises:
        StrategyError: the strategy cannot play this board.
        MissingExtraError: its extra is not installed.
    """

    def __init__(self, strategy: Strategy, rules: Rules) -> None:
        self.strategy = strategy
        self.rules = rules
        self._decisions: dict[tuple[str, tuple[Turn, ...]], Decision | None] = {}
        self.decision_after(())

    def propose(self, history: Sequence[Turn]) -> Advice:
        """The guess to play now; an error where no secret fits, or no strategy can go on."""
        turns = tuple(history)
        advice = self._advice(self.strategy, turns)
        advice = advice or self._advice(default_strategy(self.rules), turns)
        if advice is None:
            raise StrategyError(
                "{strategy} cannot continue after guesses that are not its own on {rules}; "
                "strategy 'constraint' can",
                strategy=label(self.strategy),
                rules=self.rules,
            )
        return advice

    def decision_after(self, history: Sequence[Turn]) -> Decision | None:
        """The decision of the strategy itself; None where it cannot go on from this history."""
        return self._after(self.strategy, tuple(history))

    def _advice(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Advice | None:
        """What this strategy proposes; None where it cannot go on."""
        try:
            decision = self._after(strategy, turns)
            return None if decision is None else Advice(decision.guess, label(strategy))
        except TooLargeError:
            return None

    def _after(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        """The decision of a strategy after these turns; None where it cannot go on."""
        key = (label(strategy), turns)
        if key in self._decisions:
            return self._decisions[key]
        decision: Decision | None = None
        if not turns:
            decision = strategy.begin(game_of(self.rules))
        elif (before := self._after(strategy, turns[:-1])) is not None:
            guess, mark = turns[-1]
            decision = instead(before, guess, mark)
            if decision is None and before.guess == guess:
                decision = before.after(mark)
        self._decisions[key] = decision
        return decision
