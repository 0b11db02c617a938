"""The memory of the color-by-color method: its question, and the facts of the marks."""

from __future__ import annotations

from typing import Final, NamedTuple

from pegwise.game import Mark
from pegwise.game.rules import Rules
from pegwise.knowledge.candidates import assign

OPEN: Final = -1
SETTLED: Final = 255
"""In a plan without colors, and in its guess: the color of the hole is known, but left out."""


class ColorPlan(NamedTuple):
    """The facts after some turns, and the present question."""

    holes: tuple[int, ...]  # the color of each settled hole, `OPEN` elsewhere
    colors: int  # of the board
    color: int = 0  # the color sought
    missing: int = 0  # occurrences of it still to place
    hole: int = -1  # where it is tried; -1 while it is counted, and then it is also the filler
    filler: int = 0  # the color in the other open holes
    counted: int = 0  # occurrences of the filler, once counted ahead; 0 before

    @property
    def n_settled(self) -> int:
        return len(self.holes) - self.holes.count(OPEN)

    def guess(self) -> tuple[int, ...]:
        code = [self.filler if peg == OPEN else peg for peg in self.holes]
        if self.hole >= 0:
            code[self.hole] = self.color
        return tuple(code)

    def colorless(self) -> ColorPlan:
        """The plan without the colors of settled holes, which no longer matter."""
        return self._replace(holes=tuple(OPEN if p == OPEN else SETTLED for p in self.holes))

    def place(self, hole: int) -> ColorPlan:
        """The color sought is in this hole."""
        holes = (*self.holes[:hole], self.color, *self.holes[hole + 1 :])
        return self._replace(holes=holes, missing=self.missing - 1)


class ColorFacts(NamedTuple):
    """All that the marks say about the secret, so that contradictions show at once."""

    allowed: tuple[frozenset[int], ...]  # for each hole, the colors that it may have
    counts: tuple[int | None, ...]  # for each color, how often it occurs, once that is counted
    most: int  # how often a color may occur

    @classmethod
    def none(cls, rules: Rules) -> ColorFacts:
        everything = frozenset(range(rules.colors))
        most = 1 if rules.secrets_are_distinct else rules.pegs
        return cls((everything,) * rules.pegs, (None,) * rules.colors, most)

    def after(self, plan: ColorPlan, mark: Mark) -> ColorFacts | None:
        """With the mark of a plan's guess; None where no secret agrees with everything."""
        if OPEN not in plan.holes:
            return self if mark.black == plan.n_settled else None
        if plan.hole < 0:
            facts = self._count(plan.filler, mark.black - plan.n_settled)
            return facts if facts and mark.white == 0 and facts.possible() else None
        # the hole tried has the color sought, neither color, or the filler
        tried = self.allowed[plan.hole]
        if mark.white == 0:
            tried &= {plan.color}
        elif mark.white == 1:
            tried -= {plan.color, plan.filler}
        else:
            tried &= {plan.filler}
        facts = self._count(plan.filler, sum(mark) - plan.n_settled - 1)
        if facts is None or mark.white > 2:
            return None
        allowed = (*self.allowed[: plan.hole], tried, *self.allowed[plan.hole + 1 :])
        facts = facts._replace(allowed=allowed)
        return facts if facts.possible() else None

    def _count(self, color: int, count: int) -> ColorFacts | None:
        """With the occurrences of a color; None where they cannot be."""
        if self.counts[color] not in {None, count} or not 0 <= count <= self.most:
            return None
        return self._replace(counts=(*self.counts[:color], count, *self.counts[color + 1 :]))

    def possible(self) -> bool:
        """Whether some code agrees.

        There is one if the holes can get colors without using any too often, and the counted
        occurrences can get holes: two such assignments can always be merged into one.
        """
        room = [self.most if count is None else count for count in self.counts]
        colors = [sorted(colors) for colors in self.allowed]
        holes = [
            [hole for hole, colors in enumerate(self.allowed) if color in colors]
            for color, count in enumerate(self.counts)
            for _ in range(count or 0)
        ]
        return (
            assign(len(colors), colors.__getitem__, room) is not None
            and assign(len(holes), holes.__getitem__, [1] * len(self.allowed)) is not None
        )
