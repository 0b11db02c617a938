"""The best guesses of a position by one look ahead: what a strategy would play, and what else.

On boards of up to `MAX_LISTED` guesses every guess is weighed. On larger ones only candidates are,
once there are at most `MAX_WEIGHED` of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from pegwise.arrays import I32, U8, Bools
from pegwise.coach.position import Position, Split
from pegwise.errors import (
    ContradictionError,
    InputError,
    MissingExtraError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
    quoted,
)
from pegwise.game import Code, Mastermind, Rules, Turn, all_secrets, mastermind
from pegwise.kernels.marking import Signatures, signatures
from pegwise.kernels.splitting import score_codes
from pegwise.knowledge import candidates
from pegwise.strategies import Adapts, Decision, Strategy, label, load
from pegwise.strategies.one_step import CRITERIA
from pegwise.strategies.whole_tree import equal_guesses

MAX_LISTED: Final = 1_000_000
MAX_WEIGHED: Final = 10_000

STRATEGIES: Final[Mapping[str, str]] = {
    "minimax": "knuth",
    "size": "irving",
    "entropy": "entropy",
    "parts": "parts",
}
"""The strategy that plays the best guess by each criterion."""

_MAX_PAIRS: Final = 400_000_000
"""So many marks are worked out within a few seconds; beyond, a sample of the candidates comes
first."""

_SHORTLIST: Final = 200
"""So many guesses that are best on a sample are compared on all candidates."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best guesses of a position by some criterion.

    Attributes:
        criterion: `entropy`, `size`, `minimax` or `parts`.
        splits: the best guesses, best first; ties as the strategies break them.
        weighed: how many guesses were compared.
        kinds: whether a guess was left out if it equals one of these with colors or places
            exchanged.
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
    """What a strategy goes by: a criterion of the one-step strategies; `entropy` if by none."""
    by_strategy = {name: criterion for criterion, name in STRATEGIES.items()}
    by_strategy["forget-minimax"] = "minimax"
    return by_strategy.get(strategy.card.id, "entropy")


def best_guess(position: Position, criterion: str = "entropy", guesses: str = "all") -> Split:
    """The best guess by one look ahead, as the strategies choose it.

    Args:
        position: where.
        criterion: `entropy`, `size`, `minimax` or `parts`.
        guesses: `all`, or only `candidates`; only these on boards that are not listed.

    Raises:
        InputError: another criterion, or other guesses.
        ContradictionError: no candidate is left.
        TooLargeError: too many candidates to weigh guesses.
    """
    if not _listed(position):
        return rank(position, criterion, guesses, count=1).splits[0]
    _check(position, criterion, guesses)
    decision = load(STRATEGIES[criterion], guesses=guesses).begin(mastermind(position.rules))
    for guess, mark in position.history:
        decision = cast(Adapts, decision).instead(guess, mark)
    return position.split(decision.guess)


def rank(
    position: Position, criterion: str = "entropy", guesses: str = "all", count: int = 10
) -> Ranking:
    """The best guesses, best first: by score, then candidates first, then in numeric order.

    Args:
        position: where.
        criterion: `entropy`, `size`, `minimax` or `parts`.
        guesses: `all`, or only `candidates`; only these on boards that are not listed.
        count: how many of the best.

    Raises:
        InputError: another criterion, or other guesses.
        ContradictionError: no candidate is left.
        TooLargeError: too many candidates to weigh guesses.
    """
    _check(position, criterion, guesses)
    pool = _Pool.of(position, guesses)
    which, exact = pool.which, True
    if len(which) * position.count > _MAX_PAIRS:
        exact = False
        size = max(1, _MAX_PAIRS // len(which))
        sample = np.linspace(0, position.count - 1, size).astype(np.int32)
        shortlist = pool.best_first(criterion, which, sample)[:_SHORTLIST]
        chosen = pool.game.guess_number(best_guess(position, criterion, guesses).guess)
        which = np.union1d(shortlist, [chosen]).astype(np.int32)
    everyone = np.arange(position.count, dtype=np.int32)
    best = pool.best_first(criterion, which, everyone)[:count]
    return Ranking(
        criterion,
        tuple(position.split(pool.codes[guess].tolist()) for guess in best),
        len(pool.which),
        pool.kinds,
        exact,
        complete=_listed(position) and guesses == "all",
    )


@dataclass(frozen=True, eq=False)
class _Pool:
    """Guesses to compare, and the candidates that they split.

    Attributes:
        game: the board.
        codes: uint8 (g, pegs), guesses in numeric order.
        signatures: theirs.
        candidates: signatures of the candidates in numeric order.
        possible: bool (g), which guesses are candidates.
        which: int32 (m), which guesses to compare, ascending.
        kinds: whether guesses that equal one of these were left out.
        worths: number of candidates that tables of worths are made for.
    """

    game: Mastermind
    codes: U8
    signatures: Signatures
    candidates: Signatures
    possible: Bools
    which: I32
    kinds: bool
    worths: int

    @classmethod
    def of(cls, position: Position, guesses: str) -> _Pool:
        """All guesses of a listed board, or its candidates; the candidates of another board."""
        return cls._listed(position, guesses) if _listed(position) else cls._unlisted(position)

    @classmethod
    def _listed(cls, position: Position, guesses: str) -> _Pool:
        game = mastermind(position.rules)
        left = all_secrets(game)
        for guess, given in position.history:
            marks = game.marks(game.guess_number(guess), left)
            left = left[marks == game.mark_number(given)]
        possible = np.zeros(game.n_guesses, np.bool_)
        possible[game.guess_of_secret[left]] = True
        eligible = possible if guesses == "candidates" else np.ones_like(possible)
        # later, hardly any symmetry is left
        kinds = len(position.history) < 2
        if kinds:
            played = tuple(game.guess_number(guess) for guess, _ in position.history)
            eligible = eligible & equal_guesses(game.rules, played)
        return cls(
            game,
            game.guess_codes,
            Signatures(*game.guess_signatures),
            Signatures(*(part[left] for part in game.secret_signatures)),
            possible,
            np.flatnonzero(eligible).astype(np.int32),
            kinds,
            game.n_secrets,
        )

    @classmethod
    def _unlisted(cls, position: Position) -> _Pool:
        n, rules = position.count, position.rules
        if n > MAX_WEIGHED:
            raise TooLargeError(
                "{n:,} candidates of {rules} are too many to weigh guesses (at most {most:,})",
                n=n,
                rules=rules,
                most=MAX_WEIGHED,
            )
        codes = np.array(candidates(rules, position.history), np.uint8)
        signed = signatures(codes, rules.colors)
        every, which = np.ones(n, np.bool_), np.arange(n, dtype=np.int32)
        return cls(mastermind(rules), codes, signed, signed, every, which, kinds=False, worths=n)

    def best_first(self, criterion: str, which: I32, sample: I32) -> I32:
        """These guesses, int32, the best first on a sample of the candidates, int32."""
        rule = CRITERIA[criterion]
        places, counts = (part[sample] for part in self.candidates)
        scores = np.empty(len(which), np.int64)
        score_codes(
            *self.signatures,
            which,
            places,
            counts,
            self.game.mark_ids,
            self.game.n_marks,
            rule.table(self.worths),
            rule.additive,
            scores,
        )
        return which[np.lexsort((which, ~self.possible[which], scores))]


def _listed(position: Position) -> bool:
    return position.rules.n_guesses <= MAX_LISTED


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


# What to play next, after any history: the advice of a strategy, and of which.


@dataclass(frozen=True, slots=True)
class Advice:
    """A guess to play.

    Attributes:
        guess: the guess.
        strategy: who proposes it, as typed on the command line.
    """

    guess: Code
    strategy: str


def default_strategy(rules: Rules) -> Strategy:
    """The strategy for a board where none is named.

    `entropy` where all guesses can be weighed; else `constraint`, which plays boards of any size,
    or `forget-entropy` where the extra 'constraint' is not installed.
    """
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

    Args:
        strategy: whose advice is asked first.
        rules: the board.

    Raises:
        StrategyError: the strategy cannot play this board.
        MissingExtraError: its extra is not installed.
    """

    def __init__(self, strategy: Strategy, rules: Rules) -> None:
        self.strategy = strategy
        self.rules = rules
        self._asked: dict[tuple[str, tuple[Turn, ...]], Decision | None] = {}
        self._after(strategy, ())

    def propose(self, history: Sequence[Turn]) -> Advice:
        """The guess to play now.

        Raises:
            ContradictionError: no secret would have given these marks.
            StrategyError: neither strategy can go on from this history.
        """
        advice = self._advice(self.strategy, tuple(history))
        if advice is None:
            advice = self._advice(default_strategy(self.rules), tuple(history))
        if advice is None:
            raise StrategyError(
                "{strategy} cannot go on from guesses that are not its own on {rules}; "
                "strategy 'constraint' can",
                strategy=label(self.strategy),
                rules=self.rules,
            )
        return advice

    def _advice(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Advice | None:
        """What this strategy proposes; None where it cannot go on."""
        try:
            decision = self._after(strategy, turns)
            return None if decision is None else Advice(decision.guess, label(strategy))
        except TooLargeError:
            return None

    def _after(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        """The state of a strategy after these turns; None where it cannot go on."""
        key = (label(strategy), turns)
        if key not in self._asked:
            self._asked[key] = self._go_on(strategy, turns)
        return self._asked[key]

    def _go_on(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        if not turns:
            return strategy.begin(mastermind(self.rules))
        before = self._after(strategy, turns[:-1])
        guess, mark = turns[-1]
        if isinstance(before, Adapts):
            return before.instead(guess, mark)
        if before is None or before.guess != guess:
            return None
        return before.after(mark)
