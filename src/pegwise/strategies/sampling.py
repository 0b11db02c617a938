"""Entropy on drawn candidates, for boards too large to list.

Candidates are drawn without listing them (see `knowledge.candidates`). Some of them are weighed as
guesses, by what they tell about the others. Hill climbing improves the best ones, so that codes
that cannot win are tried too. Once all candidates can be listed, all of them count. Once they are
few, the best guesses are compared by playing the game to its end (rollout: G. Tesauro and
G. Galperin, On-line policy improvement using Monte-Carlo search, 1996): what a guess tells is not
all that counts, since it may win, and some parts are harder to tell apart than their size says.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Annotated, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I32, I64, U8, mark_numbers
from pegwise.errors import ContradictionError, Phrase, TooLargeError
from pegwise.game import Code, Game, Mastermind, Rules, Turn
from pegwise.kernels import numpy_backend
from pegwise.knowledge.candidates import (
    Drawn,
    build_candidates,
    meet_candidates,
    opening_parts,
)
from pegwise.strategies.base import Decision
from pegwise.strategies.candidates import (
    NO_OTHER,
    WON,
    CandidateStrategy,
    History,
    agreeing_words,
)
from pegwise.strategies.card import Card
from pegwise.strategies.criteria import CRITERIA
from pegwise.strategies.explanation import Explanation, Write
from pegwise.strategies.options import StrategyOption, check_options
from pegwise.strategies.scoring import as_board, mark_codes, score_guesses
from pegwise.strategies.simple import SEED

_Array = TypeVar("_Array", U8, I32)

_MOST_BUILT: Final = 2_000_000  # partial codes that are kept, however many times a round draws
_ENOUGH: Final = 10  # building candidates is enough where it gives a tenth of the sample


class Sampling(CandidateStrategy):
    """Play the guess that tells most about candidates drawn at random."""

    card = Card(
        id="sampling",
        name="Entropy on drawn candidates",
        authors="pegwise",
        year=2026,
        source=(
            "criterion: E. Neuwirth, Some strategies for Mastermind, 1982; drawing: R. Rubinstein, "
            "Stochastic enumeration method for counting NP-hard problems, 2013"
        ),
        about=(
            "For boards too large to list. Draws candidates peg by peg, compares some of them "
            "as guesses by what they tell about the others, and improves the best of them peg "
            "by peg. As soon as the candidates can be listed, a guess is compared on all of "
            "them; once they are few, the best guesses are compared by playing the game to its "
            "end."
        ),
        reason=(
            "It is the best of the guesses that were compared: {bits:.2f} bits on average over "
            "all candidates."
        ),
        traits=frozenset({"any-game", "hard", "random", "unlisted", "adapts"}),
    )

    def __init__(
        self,
        *,
        sample: Annotated[
            int,
            StrategyOption("candidates that a guess is compared on", least=2, most=1_000_000),
        ] = 3_000,
        pool: Annotated[
            int, StrategyOption("candidates that are compared as guesses", least=1, most=100_000)
        ] = 400,
        keep: Annotated[
            int,
            StrategyOption(
                "partial codes kept while candidates are built; the limit for listing them",
                least=100,
                most=_MOST_BUILT,
            ),
        ] = 50_000,
        ahead: Annotated[
            int,
            StrategyOption(
                "number of candidates from which the best guesses are played out to the end of "
                "the game",
                least=0,
                most=10_000,
            ),
        ] = 100,
        seconds: Annotated[
            int,
            StrategyOption(
                "seconds to think about each guess, in rounds of ever more candidates; 0 for one "
                "round. The guess then depends on the speed of the machine too",
                least=0,
                most=3600,
            ),
        ] = 0,
        seed: Annotated[int, StrategyOption(SEED, least=0)] = 0,
    ) -> None:
        self.sample, self.pool, self.keep, self.ahead = sample, pool, keep, ahead
        self.seconds, self.seed = seconds, seed
        self.options = check_options(
            Sampling, sample=sample, pool=pool, keep=keep, ahead=ahead, seconds=seconds, seed=seed
        )

    def begin(self, game: Game) -> Decision:
        """Nothing drawn: the first guess on a board is known in closed form.

        Other games list their candidates; what is drawn is which of them guesses are weighed on,
        and which guesses.
        """
        if game.board is not None:
            return SampledDecision(self, as_board(game, self.card.id), ())
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        """The guess that tells most: of some candidates, and of as many other guesses.

        Where guesses are questions, of all questions.
        """
        first = int(game.guess_of_secret[candidates[0]])
        if len(candidates) <= 2 and not game.names_too_early(first, len(candidates)):
            return first
        words = [number for turn in history for number in turn]
        rng = np.random.Generator(np.random.PCG64([self.seed, len(history), *words]))
        sample = _some(candidates, self.sample, rng)
        possible = game.guess_of_secret[_some(candidates, self.pool, rng)]
        allowed = game.allowed(history)
        every = np.arange(game.n_guesses, dtype=np.int32)
        every = every if allowed is None else every[allowed]
        guesses = np.union1d(possible, _some(every, self.pool, rng)).astype(np.int32)
        if game.n_open_guesses < game.n_guesses:
            guesses = every[: game.n_open_guesses]
        worth, columns = CRITERIA["entropy"].table(len(sample)), np.arange(len(sample))
        rows = [game.marks(guess, sample) for guess in guesses.tolist()]
        marks = mark_numbers(rows, game.n_marks)
        scores = numpy_backend.scores(
            marks, columns.astype(np.int32), game.n_marks, worth, additive=True
        )
        outside = ~np.isin(guesses, game.guess_of_secret[candidates])
        return int(guesses[np.lexsort((guesses, outside, scores))[0]])


@dataclass(frozen=True, eq=False)
class SampledDecision(Decision):
    """The state after some turns; `listed` is uint8 (n, pegs), all candidates where known."""

    strategy: Sampling
    game: Mastermind
    turns: tuple[Turn, ...]
    listed: U8 | None = None

    @cached_property
    def guess(self) -> Code:
        if not self.turns:
            return opening(self.game.rules)
        codes, complete = self.drawn
        if complete and len(codes) <= 2:
            return Code(codes[0].tolist())
        if complete and len(codes) <= self.strategy.ahead:
            return Rollout(self.game).best(codes)
        begun, times = time.monotonic(), 1
        best = self.choose(self.drawn, times)
        # twice the candidates, weighed on twice as many, take four times as long
        while 5 * (time.monotonic() - begun) < self.strategy.seconds:
            if complete and len(codes) <= times * min(self.strategy.sample, self.strategy.pool):
                break  # nothing more to weigh
            times *= 2
            drawn = self.drawn if complete else self._draw(times)
            best = self.choose(drawn, times)
        return best

    def after(self, mark: Any) -> SampledDecision:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> SampledDecision:
        """The state after this guess got this mark; errors as `Decision.instead`."""
        code = self.game.rules.alphabet.check(guess)
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.turns or not self.drawn.complete:
            return SampledDecision(self.strategy, self.game, turns)
        codes = self.drawn.codes
        codes = codes[mark_codes(self.game, code, codes) == number]
        if not len(codes):
            raise self._contradiction()
        return SampledDecision(self.strategy, self.game, turns, codes)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        reason, figures = self._reason()
        criterion = Phrase("entropy of the sample")
        explained = Explanation(
            attempt=self.guess, reason=(reason,), criterion=criterion, figures=figures
        )
        if mark is None:
            return explained
        number = self.game.mark_number(mark)
        explained = replace(explained, result=self.game.mark(number))
        if number == self.game.winning:
            return replace(explained, deduction=(WON,))
        codes = self.instead(self.guess, mark).listed
        if codes is None:
            deduction = Phrase("The codes that agree with all marks are drawn anew.")
            return replace(explained, deduction=(deduction,))
        before, code = len(self.drawn.codes), write(Code(codes[0].tolist()))
        deduction = agreeing_words(len(codes), before, code)
        return replace(explained, deduction=(deduction,), agreeing=len(codes))

    def _reason(self) -> tuple[Phrase, dict[str, Any]]:
        """Why the guess is played, and the figures behind it."""
        if not self.turns:
            parts = np.array(list(opening_parts(self.game.rules, self.guess).values()))
            bits = _bits(parts)
            reason = Phrase(
                "Of AAAA, AAAB, AABB and so on it tells most, by counting: {bits:.2f} bits.",
                bits=bits,
            )
            return reason, {"bits": bits}
        codes, complete = self.drawn
        sizes = np.bincount(mark_codes(self.game, self.guess, codes))
        figures = {"sample": len(codes), "complete": complete, "bits": _bits(sizes)}
        if complete and len(codes) == 1:
            return NO_OTHER, figures
        if complete and len(codes) == 2:
            return Phrase("Two codes agree with all marks; it is the first."), figures
        if complete and len(codes) <= self.strategy.ahead:
            figures["total"] = Rollout(self.game).after(np.array(self.guess, np.uint8), codes)
            reason = Phrase(
                "The best guesses were played out to the end of the game on all {sample:,} codes "
                "that agree; this one needs the fewest guesses, {total:,} in all.",
                **figures,
            )
        elif complete:
            reason = Phrase(
                "It is the best of the guesses that were compared: {bits:.2f} bits on average "
                "over all {sample:,} codes that agree.",
                **figures,
            )
        else:
            reason = Phrase(
                "It is the best of the guesses that were compared on a sample of the codes "
                "that agree: {bits:.2f} bits on average over the {sample:,} codes drawn.",
                **figures,
            )
        return reason, figures

    def _contradiction(self) -> ContradictionError:
        return ContradictionError("no secret of {game} gives these marks", game=self.game.name)

    @property
    def rng(self) -> np.random.Generator:
        """Chance that depends on seed and history alone."""
        words = [peg for guess, mark in self.turns for peg in (*guess, *mark)]
        return np.random.Generator(np.random.PCG64([self.strategy.seed, len(self.turns), *words]))

    @cached_property
    def drawn(self) -> Drawn:
        """Candidates: all of them, or as many as are kept."""
        return self._draw(1)

    def _draw(self, times: int) -> Drawn:
        """All candidates, or `times` as many as a round keeps; an error if there is none."""
        if self.listed is not None:
            return Drawn(self.listed, complete=True)
        strategy, rules, rng = self.strategy, self.game.rules, self.rng
        most = strategy.sample * times
        keep = min(strategy.keep * times, _MOST_BUILT)
        drawn = build_candidates(rules, self.turns, rng, keep=keep)
        if not drawn.complete and len(drawn.codes) < most // _ENOUGH:
            met = meet_candidates(rules, self.turns, rng, most=most)
            drawn = max(drawn, met, key=lambda some: len(some.codes))
        if not len(drawn.codes):
            if drawn.complete:
                raise self._contradiction()
            raise TooLargeError(
                "{game} after {n_turns} turns: no candidate was met; there may be none, which "
                "strategy 'constraint' can tell",
                game=self.game.name,
                n_turns=len(self.turns),
            )
        return drawn

    def choose(self, drawn: Drawn, times: int) -> Code:
        """The best guess found with `times` as many candidates as in one round."""
        codes, complete = drawn
        strategy, rng = self.strategy, self.rng
        candidates = _as_bytes(codes) if complete else set()
        sample = _some(codes, strategy.sample * times, rng)
        best = Climber(self.game, sample, candidates).climb(
            _some(codes, strategy.pool * times, rng)
        )
        if complete and len(sample) < len(codes):
            best, _ = Climber(self.game, codes, candidates).best(best)
        return Code(best[0].tolist())


def _bits(sizes: npt.NDArray[Any]) -> float:
    """The bits that a partition tells on average, from the sizes of its parts."""
    shares = sizes[sizes > 0] / sizes.sum()
    return float(-(shares @ np.log2(shares))) + 0.0


def _some(codes: _Array, n: int, rng: np.random.Generator) -> _Array:
    """So many of the codes, in their order; or all."""
    if len(codes) <= n:
        return codes
    return codes[np.sort(rng.choice(len(codes), n, replace=False, shuffle=False))]


def _as_bytes(codes: Iterable[U8]) -> set[bytes]:
    return {code.tobytes() for code in codes}


# The first guess, in closed form.


@lru_cache(maxsize=64)
def opening(rules: Rules) -> Code:
    """The first guess that tells most: of AAAA, AAAB, AABB, ..."""

    def uncertainty(guess: Code) -> float:
        """Bits still to find on average; rounded, so that equal ones tie."""
        parts = opening_parts(rules, guess).values()
        return round(sum(part / rules.n_secrets * math.log2(part) for part in parts), 9)

    guesses = [
        Code(color for color, n in enumerate(times) for _ in range(n))
        for times in _shapes(rules.pegs, 1 if rules.distinct else rules.pegs)
        if len(times) <= rules.colors
    ]
    return min(guesses, key=lambda guess: (uncertainty(guess), guess))


def _shapes(pegs: int, most: int) -> Iterator[tuple[int, ...]]:
    """How often the colors of a code come, most often first."""
    if pegs == 0:
        yield ()
    for times in range(min(pegs, most), 0, -1):
        for rest in _shapes(pegs - times, times):
            yield (times, *rest)


# Hill climbing: candidates first, then their neighbors.

_FINALISTS: Final = 8  # guesses that are proposed, the best first
_STARTS: Final = 3  # best guesses from which climbing begins


class Climber:
    """Weighs guesses by what they tell about uint8 (n, pegs) codes, in bits, and improves them.

    All candidates, as bytes, win ties where they are listed.
    """

    def __init__(self, game: Mastermind, codes: U8, candidates: Set[bytes]) -> None:
        self.game = game
        self.candidates = candidates
        self.codes = codes
        self.worth = CRITERIA["entropy"].table(len(codes))

    def scores(self, guesses: U8) -> I64:
        """int64 (m): what stays uncertain after each of uint8 (m, pegs); less is better."""
        return score_guesses(self.game, guesses, self.codes, self.worth, additive=True)

    def best(self, guesses: U8) -> tuple[U8, I64]:
        """The best few of some guesses, best first, and their scores.

        Ties go to a candidate, then to the first in numeric order.
        """
        scores = self.scores(guesses)
        loses = np.array([guess.tobytes() not in self.candidates for guess in guesses])
        order = np.lexsort((*guesses.T[::-1], loses, scores))[:_FINALISTS]
        return guesses[order], scores[order]

    def climb(self, guesses: U8) -> U8:
        """The best few of these guesses and of those met on the way up from the best of them."""
        first, scores = self.best(guesses)
        if not scores[0] or not self.game.free:
            return first  # all codes are told apart, or only candidates are allowed
        met = first
        for start in range(min(_STARTS, len(first))):
            code, score = first[start], scores[start]
            while True:
                near, reached = self.best(neighbors(self.game.rules, code))
                met = np.concatenate([met, near])
                if not len(near) or reached[0] >= score:
                    break
                code, score = near[0], reached[0]
        return self.best(np.unique(met, axis=0))[0]


def neighbors(rules: Rules, code: U8) -> U8:
    """uint8 (n, pegs): guesses with another color at one peg, or two pegs exchanged, in order."""
    pegs, colors = rules.pegs, rules.colors
    recolored = np.tile(code, (pegs * colors, 1))
    rows = np.arange(len(recolored))
    recolored[rows, np.repeat(np.arange(pegs), colors)] = np.tile(np.arange(colors), pegs)
    pairs = np.array(list(combinations(range(pegs), 2)), np.int64).reshape(-1, 2)
    swapped = np.tile(code, (len(pairs), 1))
    np.put_along_axis(swapped, pairs, code[pairs[:, ::-1]], axis=1)
    near: U8 = np.unique(np.concatenate([recolored, swapped]), axis=0)
    if rules.distinct:
        ordered = np.sort(near, axis=1)
        near = near[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    others: U8 = near[(near != code).any(axis=1)]
    return others


# Rollout: guesses compared by the games that follow them.

_FROM_CANDIDATES: Final = 4  # candidates among the guesses compared, which may win


class Rollout:
    """Games that go on with the guess that tells most."""

    def __init__(self, game: Mastermind) -> None:
        self.game = game
        # the guesses needed over sets of candidates met before
        self._totals: dict[bytes, int] = {}

    def best(self, codes: U8) -> Code:
        """The guess after which the fewest guesses are needed, over uint8 (n, pegs), all codes.

        Compared are the guesses that tell most, best first, then some candidates.
        """
        climber = Climber(self.game, codes, _as_bytes(codes))
        told = climber.climb(codes)
        seen = _as_bytes(told)
        some = climber.best(codes)[0][:_FROM_CANDIDATES]
        best, least = codes[0], math.inf
        for guess in [*told, *(code for code in some if code.tobytes() not in seen)]:
            total = self.after(guess, codes, least)
            if total < least:
                least, best = total, guess
        return Code(best.tolist())

    def after(self, guess: U8, codes: U8, least: float = math.inf) -> int:
        """Guesses needed over all candidates, this one included; given up from `least` on."""
        marks = mark_codes(self.game, guess, codes)
        parts = [codes[marks == mark] for mark in np.unique(marks)]
        parts = [part for part in parts if len(part) > 1 or (part[0] != guess).any()]
        total = len(codes) + sum(_at_least(part) for part in parts)
        for part in sorted(parts, key=len, reverse=True):
            if total >= least:
                break
            total += self.total(part) - _at_least(part)
        return total

    def total(self, codes: U8) -> int:
        """Guesses needed over all candidates."""
        if len(codes) <= 2:
            return _at_least(codes)
        key = codes.tobytes()
        if key not in self._totals:
            guess = Climber(self.game, codes, _as_bytes(codes)).climb(codes)[0]
            self._totals[key] = self.after(guess, codes)
        return self._totals[key]


def _at_least(codes: U8) -> int:
    """The first guess finds at most one candidate, the second each of the others at the soonest."""
    return 2 * len(codes) - 1
