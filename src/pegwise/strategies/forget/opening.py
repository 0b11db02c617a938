"""Forget's opening, a sweep over the colors, and the interlude, which builds the codes that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I64, U8, Bools
from pegwise.errors import ContradictionError
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from pegwise.knowledge.candidates import Drawn

MAX_BUILT: Final = 500_000  # partial codes kept at each peg; where there are more, they are sampled


@dataclass(frozen=True, slots=True)
class Opening:
    """The sweep over the colors after some turns."""

    rules: Rules
    colors: tuple[int, ...]  # those not proven absent, in order
    seen: int = 0  # how many of them, from the first, have been played
    turns: tuple[Turn, ...] = ()
    concatenates: bool = True  # whether there is a synthetic turn

    @classmethod
    def of(cls, rules: Rules, *, concatenates: bool = True) -> Opening:
        """The opening before any mark."""
        return cls(rules, tuple(range(rules.colors)), concatenates=concatenates)

    @property
    def total(self) -> int:
        """Marks so far, black and white together."""
        return sum(sum(turn.mark) for turn in self.turns)

    @property
    def guess(self) -> Code:
        """The next `pegs` colors, wrapping round those not proven absent."""
        return self._guess_from(self.seen)

    @property
    def over(self) -> bool:
        """Whether all colors have been seen, or at most one peg is of a color not seen."""
        enough = self.total >= self.rules.pegs - 1
        return bool(self.turns) and (enough or self.seen == len(self.colors))

    @property
    def unplayed(self) -> tuple[Code, ...]:
        """The guesses that would have followed, had the opening gone on to the last color."""
        return tuple(
            self._guess_from(seen) for seen in range(self.seen, len(self.colors), self.rules.pegs)
        )

    @property
    def concatenated(self) -> tuple[Turn, ...]:
        """The turns of the synthetic turn: those with a mark, up to the one that wraps round.

        With a color twice in it, the synthetic turn would count one peg twice.
        """
        met: set[int] = set()
        chosen = []
        for turn in self.turns:
            colors = set(turn.guess)
            if sum(turn.mark) and len(colors) == len(turn.guess) and not colors & met:
                chosen.append(turn)
                met |= colors
        return tuple(chosen)

    @property
    def synthetic(self) -> Turn | None:
        """The concatenated turns as one; only its first part stands in its place.

        All marks but those of the first part turn white. None where there are less than two parts.
        """
        parts = self.concatenated
        if len(parts) < 2 or self.rules.black or not self.concatenates:
            return None
        black, total = parts[0].mark.black, sum(sum(turn.mark) for turn in parts)
        return Turn(Code(c for turn in parts for c in turn.guess), Mark(black, total - black))

    def after(self, mark: Mark) -> Opening:
        """The opening after its guess got this mark; ContradictionError for too few colors."""
        rules, guess, colors = self.rules, self.guess, self.colors
        seen = self.seen + rules.pegs
        last = seen >= len(colors)
        if mark == (0, 0) and not rules.black:
            colors = tuple(color for color in colors if color not in guess)
            seen = self.seen
        if last:
            seen = len(colors)
        turns = (*self.turns, Turn(guess, mark))
        following = replace(self, colors=colors, seen=seen, turns=turns)
        too_few = rules.pegs - following.total > len(colors) - seen
        if too_few and rules.secrets_are_distinct and not rules.black and not following.over:
            raise ContradictionError("no secret of {rules} gives these marks", rules=rules)
        return following

    def _guess_from(self, seen: int) -> Code:
        return Code(self.colors[k % len(self.colors)] for k in range(seen, seen + self.rules.pegs))


class _Clue(NamedTuple):
    """A constraint that a turn sets to codes."""

    turn: Turn
    guess: U8  # uint8 (pegs)
    need: I64  # int64 (27), how often the guess has each color, or holes
    black: int
    common: int  # black + white; -1 where that is not known


def interlude(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Drawn:
    """Every code that would have given these marks, or a sample: the last of the `generations`."""
    *_, last = generations(opening, turns, most)
    return last


def generations(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Iterator[Drawn]:
    """The codes with one peg, two pegs, ... from the last hole on, that every mark still allows.

    Each generation is uint8 (n, pegs filled), in numeric order; where there are more codes than
    `most`, they are sampled. The opening gives the colors and the synthetic turn.
    """
    rules = opening.rules
    colors = _colors(opening, turns)
    clues = _clues(opening, turns)
    codes = np.zeros((1, 0), np.uint8)
    complete = True
    for _ in range(rules.pegs):
        chosen = np.flatnonzero(reachable(codes, colors, clues, rules))
        if len(chosen) > most:
            chosen = chosen[evenly(len(chosen), most)]
            complete = False
        # the new color is the most significant: numeric order stays
        color, code = np.divmod(chosen, max(len(codes), 1))
        codes = np.column_stack([colors[color], codes[code]])
        yield Drawn(codes, complete)


def _colors(opening: Opening, turns: Sequence[Turn]) -> U8:
    """The colors that codes are built of: those that no turn proves absent."""
    absent: set[int] = set()
    if not opening.rules.black:
        absent = {color for guess, mark in turns if mark == (0, 0) for color in guess}
    return np.array(sorted({*opening.colors} - absent), np.uint8)


class Unreachable(NamedTuple):
    """A partial code that is left out of its generation.

    Attributes:
        code: the code, with holes where no peg is yet.
        turn: the first turn whose mark it cannot reach.
        mark: what this turn gives it so far; the colors in common where these are counted.
    """

    code: Code
    turn: Turn
    mark: Mark


def unreachable(opening: Opening) -> Iterator[list[Unreachable]]:
    """Of the partial codes that are left out: for each generation one example for each turn.

    The last turn is the synthetic one, if there is one: its example goes by no other turn.
    """
    rules, turns = opening.rules, opening.turns
    colors, clues = _colors(opening, turns), _clues(opening, turns)
    codes = np.zeros((1, 0), np.uint8)
    for following, _ in generations(opening, turns):
        fits = np.ones((len(colors), len(codes)), np.bool_)
        holes = rules.pegs - codes.shape[1] - 1
        examples = []
        for clue in clues:
            lost = fits & ~reachable(codes, colors, [clue], rules)
            fits &= ~lost
            for color, row in np.argwhere(lost)[:1].tolist():
                pegs = [int(colors[color]), *codes[row].tolist()]
                black = sum(a == b for a, b in zip(clue.guess[holes:].tolist(), pegs, strict=True))
                common = sum(min(pegs.count(peg), int(clue.need[peg])) for peg in {*pegs})
                white = 0 if clue.common < 0 else common - black
                code = Code((HOLE,) * holes + tuple(pegs))
                examples.append(Unreachable(code, clue.turn, Mark(black, white)))
        yield examples
        codes = following


def reachable(partial: U8, colors: U8, clues: Iterable[_Clue], rules: Rules) -> Bools:
    """Which colors can stand before partial codes, uint8 (n, pegs filled): bool (colors, n).

    A color can stand there if every mark is still reachable: each of the holes left adds at most
    one black, and at most one color in common.
    """
    n, filled = partial.shape
    holes = rules.pegs - filled - 1
    counts = np.zeros((len(colors), n), np.int8)
    for row, color in zip(counts, colors, strict=True):
        np.sum(partial == color, axis=1, out=row)
    fits = counts == 0 if rules.secrets_are_distinct else np.ones((len(colors), n), np.bool_)
    for _, guess, need, black, common in clues:
        hits = (partial == guess[holes + 1 :]).sum(axis=1, dtype=np.int8)
        reached = hits + (colors == guess[holes])[:, None]
        fits &= (reached <= black) & (black <= reached + holes)
        if common >= 0:
            own = need[colors, None]
            shared = np.minimum(counts, own).sum(axis=0, dtype=np.int8) + (counts < own)
            fits &= (shared <= common) & (common <= shared + holes)
    return fits


def evenly(n: int, k: int) -> I64:
    """Which k of n things in a row to take: every (n / k)-th, rounded down; int64 (k)."""
    return np.arange(k, dtype=np.int64) * n // k


def _clues(opening: Opening, turns: Sequence[Turn]) -> list[_Clue]:
    """Turns that say more than which colors are absent, and the synthetic one."""
    black_only, pegs = opening.rules.black, opening.rules.pegs
    telling = [turn for turn in turns if sum(turn.mark) or black_only]
    if (synthetic := opening.synthetic) is not None:
        telling.append(synthetic)
    return [
        _Clue(
            turn,
            np.array(turn.guess[:pegs], np.uint8),
            np.bincount(turn.guess, minlength=HOLE + 1),
            turn.mark.black,
            -1 if black_only else sum(turn.mark),
        )
        for turn in telling
    ]
