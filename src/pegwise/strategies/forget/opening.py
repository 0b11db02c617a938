"""Forget's opening and interlude: sweep the colors, then build every code that fits, peg by peg.

The opening plays ABCD, EFGH, ... and wraps round the colors. In the interlude the holes are
filled from the last one on, and a partial code is kept only while every mark is still reachable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8
from pegwise.errors import ContradictionError
from pegwise.game import Code, Mark, Mastermind, Rules

MAX_BUILT: Final = 500_000
"""Partial codes kept at each peg; where there are more, they are sampled."""


class Turn(NamedTuple):
    """A guess with its mark."""

    guess: Code
    mark: Mark


@dataclass(frozen=True, slots=True)
class Opening:
    """The sweep over the colors after some turns.

    Attributes:
        rules: the board.
        colors: the colors not proven absent, in order.
        seen: how many of them, from the first, have been played.
        total: marks so far, black and white together.
        turns: the turns so far.
    """

    rules: Rules
    colors: tuple[int, ...]
    seen: int = 0
    total: int = 0
    turns: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, rules: Rules) -> Opening:
        """The opening before any mark."""
        return cls(rules, tuple(range(rules.colors)))

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

    def after(self, mark: Mark) -> Opening:
        """The opening after its guess got this mark.

        Raises:
            ContradictionError: too few colors are left for a code without a repeated color.
        """
        guess = self.guess
        colors = self.colors
        last = self.seen + self.rules.pegs >= len(colors)
        seen = len(colors) if last else self.seen + self.rules.pegs
        if mark == (0, 0) and not self.rules.black:
            colors = tuple(color for color in colors if color not in guess)
            seen = len(colors) if last else self.seen
        following = replace(
            self,
            colors=colors,
            seen=seen,
            total=self.total + sum(mark),
            turns=(*self.turns, Turn(guess, mark)),
        )
        unseen = len(colors) - seen
        if (
            not following.over
            and self.rules.secrets_are_distinct
            and not self.rules.black
            and self.rules.pegs - following.total > unseen
        ):
            raise ContradictionError("no secret of {rules} gives these marks", rules=self.rules)
        return following

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

    def _guess_from(self, seen: int) -> Code:
        """The guess after so many colors."""
        return Code(self.colors[k % len(self.colors)] for k in range(seen, seen + self.rules.pegs))


class Built(NamedTuple):
    """Candidates built peg by peg.

    Attributes:
        codes: uint8 (n, pegs), in numeric order.
        complete: whether these are all; else they are a sample.
    """

    codes: U8
    complete: bool


def evenly(n: int, k: int) -> I64:
    """Which k of n things in a row to take: every (n / k)-th, rounded down; int64 (k)."""
    return np.arange(k, dtype=np.int64) * n // k


def generations(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Iterator[Built]:
    """The codes with one peg, two pegs, ... from the last hole on, that every mark still allows.

    Args:
        opening: the opening as it ended; it gives the colors and the synthetic turn.
        turns: all turns, those of the opening first.
        most: codes kept in each generation; where there are more, they are sampled.

    Yields:
        Each generation, uint8 (n, pegs filled), in numeric order.
    """
    from pegwise.kernels.forget import reachable

    rules = opening.rules
    gone = {color for guess, mark in turns if mark == (0, 0) for color in guess}
    kept = opening.colors if rules.black else set(opening.colors) - gone
    colors = np.array(sorted(kept), np.uint8)
    clues = _Clues.of(opening, turns)
    codes = np.zeros((1, 0), np.uint8)
    complete = True
    for peg in reversed(range(rules.pegs)):
        fits = np.zeros((len(colors), len(codes)), np.bool_)
        reachable(codes, peg, colors, *clues, rules.secrets_are_distinct, fits)
        found = np.flatnonzero(fits)
        if len(found) > most:
            found = found[evenly(len(found), most)]
            complete = False
        # the new color is the most significant: numeric order stays
        color, code = np.divmod(found, max(len(codes), 1))
        codes = np.column_stack([colors[color], codes[code]])
        yield Built(codes, complete)


def interlude(opening: Opening, turns: Sequence[Turn], most: int = MAX_BUILT) -> Built:
    """Every code that would have given these marks: the last of the `generations`.

    Returns:
        The candidates, or a sample of them; none where the marks contradict each other.
    """
    *_, last = generations(opening, turns, most)
    return last


class _Clues(NamedTuple):
    """Turns as arrays (see `kernels.forget.reachable`)."""

    guesses: U8
    needs: I64
    blacks: I64
    commons: I64

    @classmethod
    def of(cls, opening: Opening, turns: Sequence[Turn]) -> _Clues:
        """The turns that say more than which colors are absent, and the synthetic one."""
        black_only = opening.rules.black
        # (guess as far as it is in place, colors, black, black + white)
        rows = [
            (guess, guess, mark.black, -1 if black_only else sum(mark))
            for guess, mark in turns
            if sum(mark) or black_only
        ]
        parts = opening.concatenated
        if len(parts) > 1 and not black_only:
            first = parts[0]
            colors = Code(color for turn in parts for color in turn.guess)
            # only the first part stands in its place: all other marks turn white
            rows.append((first.guess, colors, first.mark.black, sum(sum(t.mark) for t in parts)))
        guesses = np.array([row[0] for row in rows], np.uint8).reshape(-1, opening.rules.pegs)
        needs = np.array([np.bincount(row[1], minlength=26) for row in rows], np.int64)
        return cls(
            guesses,
            needs.reshape(-1, 26),
            np.array([row[2] for row in rows], np.int64),
            np.array([row[3] for row in rows], np.int64),
        )


# The codes that Forget's endgame chooses from, with all their marks, and the best of them.


@dataclass(frozen=True, eq=False)
class Pool:
    """Codes to choose from, with all their marks against the candidates among them.

    Attributes:
        game: the board.
        codes: uint8 (n, pegs), candidates in numeric order.
        unplayed: opening guesses that compete with them.
    """

    game: Mastermind
    codes: U8
    unplayed: tuple[Code, ...]

    @cached_property
    def table(self) -> U8:
        """uint8 (n + unplayed, n): mark of each candidate, then of each unplayed guess."""
        from pegwise.kernels.marking import mark_table, signatures

        extra = np.array(self.unplayed, np.uint8).reshape(-1, self.codes.shape[1])
        colors = self.game.rules.colors
        table = np.empty((len(self.codes) + len(extra), len(self.codes)), np.uint8)
        guesses = signatures(np.concatenate([self.codes, extra]), colors)
        secrets = signatures(self.codes, colors)
        mark_table(*guesses, *secrets, self.game.mark_ids, table)
        return table

    def code(self, row: int) -> Code:
        """The code of a row of the table."""
        n = len(self.codes)
        return Code(self.codes[row].tolist()) if row < n else self.unplayed[row - n]

    def best(self, left: I32, worth: I64, lead: str) -> int:
        """The most discriminating row while these candidates, int32 (m), are left.

        Args:
            left: rows of the candidates left, ascending.
            worth: int64 (n + 1 or more), see `Forget.worth`.
            lead: the criterion that leads.
        """
        from pegwise.kernels.forget import best_row

        n, n_marks = len(self.codes), self.game.n_marks
        return int(best_row(self.table, left, n, n_marks, worth, lead == "minimax"))

    def marks(self, guess: Code) -> U8:
        """uint8 (n): marks of any guess against the candidates, by number."""
        from pegwise.kernels.marking import mark_many, signatures

        colors = self.game.rules.colors
        one = signatures(np.array([guess], np.uint8), colors)
        many = signatures(self.codes, colors)
        everyone = np.arange(len(self.codes), dtype=np.int32)
        out = np.empty(len(self.codes), np.uint8)
        mark_many(one[0][0], one[1][0], *many, everyone, self.game.mark_ids, out)
        return out
