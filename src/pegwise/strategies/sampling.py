"""Guesses compared by the games that follow them, each played to its end.

What a guess tells is not all that counts: it may win, and some parts are harder to tell apart than
their size says. Few candidates are told apart quickly, so a few good guesses can each be followed
by the guess that tells most, and so on, against every candidate; the shortest games decide
(rollout: G. Tesauro and G. Galperin, On-line policy improvement using Monte-Carlo search, 1996).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from pegwise.arrays import U8
from pegwise.errors import ContradictionError, InputError, StrategyError, TooLargeError
from pegwise.game import Code, Game, Mastermind, Turn, check_code
from pegwise.knowledge.drawing import Drawn, build_candidates, meet_candidates
from pegwise.strategies.base import Card, Option
from pegwise.strategies.climbing import Weighing, marks_of

_FROM_CANDIDATES: Final = 4
"""Candidates among the guesses compared, however little they tell: they may win."""


def best_played_out(game: Mastermind, codes: U8) -> Code:
    """The guess after which the fewest guesses are needed, over all candidates.

    Args:
        game: the board.
        codes: uint8 (n, pegs), all candidates in numeric order, n at least 2.
    """
    follow = Following(game)
    return Code(follow.best(codes, follow.finalists(codes)).tolist())


class Following:
    """Games that go on with the guess that tells most.

    Args:
        game: the board.

    Attributes:
        totals: the guesses needed over sets of candidates met before.
    """

    def __init__(self, game: Mastermind) -> None:
        self.game = game
        self.totals: dict[bytes, int] = {}

    def weighing(self, codes: U8) -> Weighing:
        return Weighing(self.game, codes, {code.tobytes() for code in codes})

    def finalists(self, codes: U8) -> Iterator[U8]:
        """Guesses that tell most, best first, then candidates."""
        weighing = self.weighing(codes)
        told = weighing.climb(codes)
        yield from told
        seen = {guess.tobytes() for guess in told}
        some = weighing.best(codes)[0][:_FROM_CANDIDATES]
        yield from (code for code in some if code.tobytes() not in seen)

    def best(self, codes: U8, guesses: Iterable[U8]) -> U8:
        """The guess with the least total; the first of several."""
        best: U8 = codes[0]
        least = math.inf
        for guess in guesses:
            total = self.after(guess, codes, least)
            if total < least:
                least, best = total, guess
        return best

    def after(self, guess: U8, codes: U8, least: float = math.inf) -> int:
        """Guesses needed over all candidates, this one included; given up from `least` on."""
        marks = marks_of(self.game, Code(guess.tolist()), codes)
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
        if key not in self.totals:
            guess = self.weighing(codes).climb(codes)[0]
            self.totals[key] = self.after(guess, codes)
        return self.totals[key]


def _at_least(codes: U8) -> int:
    """One candidate is found by the first guess, each other one by the second at the soonest."""
    return 2 * len(codes) - 1


# Weigh guesses on drawn candidates: entropy for boards too large to list.
#
# Candidates are drawn without listing them (see `knowledge.drawing`). Some of them are weighed as
# guesses, by what they tell about the others; the best are bettered peg by peg, so that codes that
# cannot win are tried as well. As soon as the candidates can be listed, all of them count; once
# they are few, the best guesses are compared by playing the game to its end.


_DEFAULTS: Final = {
    "sample": 3_000,
    "pool": 400,
    "keep": 50_000,
    "ahead": 100,
    "seconds": 0,
    "seed": 0,
}
_LIMITS: Final = {
    "sample": (2, 1_000_000),
    "pool": (1, 100_000),
    "keep": (100, 2_000_000),
    "ahead": (0, 10_000),
    "seconds": (0, 3600),
    "seed": (0, 2**63),
}
_ENOUGH: Final = 10
"""Candidates are looked for on a walk where building gives less than the sample by this factor."""


class Sampling:
    """Play the guess that tells most about candidates drawn at random.

    Args:
        sample: candidates that a guess is weighed on.
        pool: candidates that are weighed as guesses.
        keep: partial codes kept while candidates are built; up to so many of them are listed.
        ahead: up to so many candidates, the best guesses are played out to the end of the game.
        seconds: to think about each guess, in rounds of ever more candidates; 0 for one round. What
            is guessed then depends on the speed of the machine too.
        seed: of the draws.

    Raises:
        InputError: a number out of range.
    """

    card: ClassVar = Card(
        id="sampling",
        name="Entropy on drawn candidates",
        authors="pegwise",
        year=2026,
        source=(
            "criterion: E. Neuwirth, Some strategies for Mastermind, 1982; drawing: R. Rubinstein, "
            "Stochastic enumeration method for counting NP-hard problems, 2013"
        ),
        about=(
            "For boards too large to list. Draws candidates peg by peg, weighs some of them as "
            "guesses by what they tell about the others, and betters the best of them peg by "
            "peg. As soon as the candidates can be listed, a guess is weighed on all of them; "
            "once they are few, the best guesses are compared by playing the game to its end."
        ),
        traits=frozenset({"random", "unlisted"}),
    )

    def __init__(
        self,
        *,
        sample: int = 3_000,
        pool: int = 400,
        keep: int = 50_000,
        ahead: int = 100,
        seconds: int = 0,
        seed: int = 0,
    ) -> None:
        self.sample, self.pool, self.keep, self.ahead = sample, pool, keep, ahead
        self.seconds, self.seed = seconds, seed
        given = {
            "sample": sample,
            "pool": pool,
            "keep": keep,
            "ahead": ahead,
            "seconds": seconds,
            "seed": seed,
        }
        for name, (least, most) in _LIMITS.items():
            if not least <= given[name] <= most:
                raise InputError(
                    "{name}={given}: write a number from {least} to {most}",
                    name=name,
                    given=given[name],
                    least=least,
                    most=most,
                )
        self.options: Mapping[str, Option] = {
            name: value for name, value in given.items() if value != _DEFAULTS[name]
        }

    def begin(self, game: Game) -> Sampled:
        """Nothing drawn: the first guess is known in closed form.

        Raises:
            StrategyError: not a board of pegs and colors.
        """
        if not isinstance(game, Mastermind):
            raise StrategyError(
                "sampling plays boards of pegs and colors; {game} is not a board such as 4x6",
                game=game.name,
            )
        return Sampled(self, game, ())


@dataclass(frozen=True, eq=False)
class Sampled:
    """The state after some turns.

    Attributes:
        strategy: what plays.
        game: on which board.
        turns: the turns so far.
        listed: uint8 (n, pegs), all candidates in numeric order, where that is known.
    """

    strategy: Sampling
    game: Mastermind
    turns: tuple[Turn, ...]
    listed: U8 | None = None

    @property
    def rng(self) -> np.random.Generator:
        """Chance that depends on seed and history alone."""
        words = [peg for guess, mark in self.turns for peg in (*guess, *mark)]
        return np.random.Generator(np.random.PCG64([self.strategy.seed, len(self.turns), *words]))

    @cached_property
    def drawn(self) -> Drawn:
        """Candidates: all of them, or as many as are kept.

        Raises:
            ContradictionError: there is none.
            TooLargeError: none was met.
        """
        return self._draw(1)

    @cached_property
    def guess(self) -> Code:
        from pegwise.strategies.climbing import opening

        if not self.turns:
            return opening(self.game.rules)
        codes, complete = self.drawn
        if complete and len(codes) <= 2:
            return Code(codes[0].tolist())
        if complete and len(codes) <= self.strategy.ahead:
            return best_played_out(self.game, codes)
        begun, times = time.monotonic(), 1
        best = self._choose(self.drawn, times)
        # twice the candidates, weighed on twice as many, take four times as long
        while 5 * (time.monotonic() - begun) < self.strategy.seconds:
            if complete and len(codes) <= times * min(self.strategy.sample, self.strategy.pool):
                break  # nothing more to weigh
            times *= 2
            drawn = self.drawn if complete else self._draw(times)
            best = self._choose(drawn, times)
        return best

    def _draw(self, times: int) -> Drawn:
        """All candidates, or so many times as many as one round keeps."""
        if self.listed is not None:
            return Drawn(self.listed, complete=True)
        strategy, rules, rng = self.strategy, self.game.rules, self.rng
        wanted = strategy.sample * times
        keep = min(strategy.keep * times, _LIMITS["keep"][1])
        drawn = build_candidates(rules, self.turns, rng, keep=keep)
        if not drawn.complete and len(drawn.codes) < wanted // _ENOUGH:
            met = meet_candidates(rules, self.turns, rng, most=wanted)
            drawn = max(drawn, met, key=lambda some: len(some.codes))
        if not len(drawn.codes):
            if drawn.complete:
                raise ContradictionError(
                    "no secret of {game} gives these marks", game=self.game.name
                )
            raise TooLargeError(
                "{game} after {n_turns} turns: no candidate was met; there may be none, which "
                "strategy 'constraint' can tell",
                game=self.game.name,
                n_turns=len(self.turns),
            )
        return drawn

    def _choose(self, drawn: Drawn, times: int) -> Code:
        """The best guess found with so many times as many candidates as in one round."""
        from pegwise.strategies.climbing import Weighing

        codes, complete = drawn
        rng = self.rng
        known = {code.tobytes() for code in codes} if complete else set()
        sample = _some(codes, self.strategy.sample * times, rng)
        pool = _some(codes, self.strategy.pool * times, rng)
        best = Weighing(self.game, sample, known).climb(pool)
        if complete and len(sample) < len(codes):
            best, _ = Weighing(self.game, codes, known).best(best)
        return Code(best[0].tolist())

    def after(self, mark: Any) -> Sampled:
        """The state after the guess got this mark.

        Raises:
            ContradictionError: no secret could have given these marks.
        """
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Sampled:
        """Likewise after another guess.

        Raises:
            CodeError: it is no guess of the board.
            ContradictionError: as `after`.
        """
        from pegwise.strategies.climbing import marks_of

        code = check_code(guess, self.game.rules)
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.turns or not self.drawn.complete:
            return Sampled(self.strategy, self.game, turns)
        codes = self.drawn.codes
        left = codes[marks_of(self.game, code, codes) == number]
        if not len(left):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        return Sampled(self.strategy, self.game, turns, left)


def _some(codes: U8, n: int, rng: np.random.Generator) -> U8:
    """Some of the codes, n, in their order; or all."""
    if len(codes) <= n:
        return codes
    return codes[np.sort(rng.choice(len(codes), n, replace=False, shuffle=False))]
