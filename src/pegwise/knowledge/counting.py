"""The codes of a board of any size that fit a history, counted without listing them.

Half a code has few states even where codes are many (`kernels.counting` defines a state). Pairs of
states are counted, not made into codes; from the same states the codes are written out in numeric
order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.errors import TooLargeError
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from pegwise.game.rules import MAX_LISTED, board_pegs
from pegwise.kernels.counting import LIMB, Half, MarkBounds, content_tree, extend, fitting, join
from pegwise.progress import Progress, Report, silent

STEP: Final = 2_000_000  # pairs of contents between two reports of progress


@dataclass(frozen=True, slots=True)
class _Layers:
    """Half a code, peg by peg."""

    become: tuple[I32, ...]  # for each peg (n, kinds), the next state for each kind of peg, or -1
    states: U8  # (M, S + T), the last states: contents, then blacks
    weights: I64  # (M), how many half codes have each state

    def reaching(self, goals: Bools) -> list[Bools]:
        """For each peg, and behind the last: from which states one of the goals is reached."""
        reach = [goals]
        for become in reversed(self.become):
            leads: Bools = (become >= 0) & reach[-1][become]
            reach.append(np.logical_or.reduce(leads, axis=1))
        return reach[::-1]


class CandidateSet:
    """The codes of a board that fit a history, held as the states of two halves.

    The turns are checked already. `guess` was not played: codes are counted by the mark that it
    would get. `report` receives how many contents of half a code are done. TooLargeError: half a
    code has more than `most` states.
    """

    def __init__(
        self,
        rules: Rules,
        history: Sequence[Turn],
        guess: Code | None = None,
        *,
        most: int,
        report: Report = silent,
    ) -> None:
        self.rules = rules
        self._most = most
        # the last guess of the kernels is the open one; an empty one gets no pegs
        guesses = [turn.guess for turn in history]
        guesses.append(Code([HOLE] * rules.pegs) if guess is None else guess)
        self._colors = _colors(guesses)
        self._absent = rules.colors - len(self._colors)
        self._bounds = _bounds(rules, history, guesses, self._colors)
        # uint8 (pegs, kinds, T): whether a guess has this kind of peg in this place
        kinds = np.array([*self._colors, *[HOLE + 1] * (self._absent > 0)], np.uint8)
        # of a turn without its blacks the colors are asked, and not their places
        hole = Code([HOLE] * rules.pegs)
        placed = [hole if own.mark.places_open else own.guess for own in history]
        pegs = np.ascontiguousarray(np.array([*placed, guesses[-1]], np.uint8).T)
        hits = (pegs[:, None, :] == kinds[:, None]).astype(np.uint8)
        middle = rules.pegs // 2
        self._one, self._two = self._grow(hits[:middle]), self._grow(hits[middle:])
        # keys of both halves: equal where blacks add up to those of the marks
        n, own = len(self._colors), self._one.states
        blacks = self._bounds.blacks[:-1, 0] - self._two.states[:, n:-1]
        _, keys = _number_rows(np.concatenate([own[:, n:-1], blacks]))
        self._keys = keys[: len(own)], keys[len(own) :]
        in_first, in_second = (half.any(axis=(0, 2)) for half in (hits[:middle], hits[middle:]))
        # a color that is in no place of any guess is exchanged in one half only
        free = ~in_second, ~in_first & in_second
        self._alike = [_alike(self._bounds, colors) for colors in free]
        first, self._numbers = self._gather(self._one, self._keys[0], self._alike[0])
        second, _ = self._gather(self._two, self._keys[1], self._alike[1])
        self._counts, self._joined = self._join(first, second, report)

    def parts(self) -> dict[Mark, int]:
        """How many codes fit, by the mark of the open guess; all get no pegs if there is none."""
        sizes: Counter[tuple[int, int]] = Counter()
        for named, common, black in np.argwhere(self._counts.any(axis=3)).tolist():
            upper, lower = self._counts[named, common, black].tolist()
            sizes[black, common] += ((upper << LIMB) + lower) * self._ways(named)
        return board_pegs(self.rules).by_mark(sizes)

    def count(self) -> int:
        """How many codes fit."""
        return sum(self.parts().values())

    def first(self, limit: int | None = None) -> list[Code]:
        """The first codes that fit, in numeric order, or all; TooLargeError for too many."""
        number = self.count() if limit is None else min(limit, self.count())
        if number > MAX_LISTED:
            raise TooLargeError(
                "{number:,} codes of {rules} are too many to list (at most {most:,})",
                number=number,
                rules=self.rules,
                most=MAX_LISTED,
            )
        return list(islice(self.codes(), number))

    def codes(self) -> Iterator[Code]:
        """The codes that fit, in numeric order."""
        if not self.count():
            return
        seconds: dict[int, list[Bools]] = {}
        for begun, state in self._walk(self._one, self._one.reaching(self._alive()), ()):
            if state not in seconds:
                seconds[state] = self._two.reaching(self._partners(state))
            for code, _ in self._walk(self._two, seconds[state], begun):
                yield Code(code)

    def _ways(self, named: int) -> int:
        """Ways to fill the pegs without a color of the guesses, if weights do not hold them yet.

        They do unless colors come only once: then both halves draw on the same other colors.
        """
        return math.perm(self._absent, self.rules.pegs - named) if self._bounds.once else 1

    def _grow(self, hits: U8) -> _Layers:
        """The states of the half that has these pegs: `hits` is (pegs of it, kinds, T)."""
        turns, colors = self._bounds.need.shape
        states = np.zeros((1, colors + turns), np.uint8)
        weights = np.ones(1, np.int64)
        layers = []
        for peg, kinds in enumerate(hits, 1):
            become, states = extend(states, kinds, self._bounds, self.rules.pegs - peg, self._most)
            if len(states) > self._most:
                raise TooLargeError(
                    "the codes of {rules} that fit these turns cannot be counted: half a code "
                    "has more than {most} cases to keep apart; boards up to about 12x26 or "
                    "14x14 can be counted",
                    rules=self.rules,
                    most=self._most,
                )
            layers.append(become)
            following = np.zeros(len(states), np.int64)
            for kind, targets in enumerate(become.T):
                times = self._absent if kind == colors and not self._bounds.once else 1
                possible = targets >= 0
                np.add.at(following, targets[possible], weights[possible] * times)
            weights = following
        return _Layers(tuple(layers), states, weights)

    def _gather(
        self, layers: _Layers, keys: I32, alike: Sequence[Sequence[int]]
    ) -> tuple[Half, I64]:
        """Merge the states of a half that differ only by an exchange of `alike` colors.

        Returns the merged half, and for each of M states the number of its merged one: int64 (M).
        """
        contents = layers.states[:, : len(self._colors)].copy()
        for colors in alike:
            contents[:, colors] = np.sort(contents[:, colors], axis=1)
        first, content = _number_rows(contents)
        blacks = layers.states[:, -1]
        size = 1 + int(max(k.max(initial=0) for k in self._keys))
        names = (content.astype(np.int64) * size + keys) * (self.rules.pegs + 1) + blacks
        _, where, numbers = np.unique(names, return_index=True, return_inverse=True)
        weights = np.zeros(len(where), np.int64)
        np.add.at(weights, numbers, layers.weights)
        starts = np.searchsorted(content[where], np.arange(len(first) + 1))
        half = Half(contents[first], starts.astype(np.int32), keys[where], blacks[where], weights)
        return half, numbers

    def _join(self, first: Half, second: Half, report: Report) -> tuple[I64, Bools]:
        """The counts, and whether each state of the first half has a second one (see `join`)."""
        sides = self.rules.pegs + 1
        counts = np.zeros((sides, sides, sides, 2), np.int64)
        alive = np.zeros(len(first.keys), np.bool_)
        nodes = content_tree(second.contents)
        pegs, total = len(self._two.become), len(first.contents)
        step = max(1, STEP // len(nodes))
        for start in range(0, total, step):
            stop = min(start + step, total)
            join(start, stop, first, second, nodes, self._bounds, pegs, counts, alive)
            report(Progress(stop, total, "halves of codes"))
        return counts, alive

    def _alive(self) -> Bools:
        """Whether each state of the first half fits some state of the second half: bool (M).

        The join tried one state of the second half for all that differ by an exchange of alike
        colors. The same exchange in a state of the first half leads to the others.
        """
        _, orbits = self._gather(self._one, self._keys[0], [*self._alike[0], *self._alike[1]])
        alive = np.zeros(len(orbits), np.bool_)
        alive[orbits[self._joined[self._numbers]]] = True
        return alive[orbits]

    @cached_property
    def _second_contents(self) -> tuple[U8, I32, I32]:
        """The contents of the second half, which of them each state has, and their tree."""
        states = self._two.states[:, : len(self._colors)]
        first, content = _number_rows(states)
        contents = np.ascontiguousarray(states[first])
        return contents, content, content_tree(contents)

    def _partners(self, state: int) -> Bools:
        """The states of the second half that go with this one of the first: bool (M)."""
        content = self._one.states[state, : len(self._colors)].copy()
        contents, numbers, nodes = self._second_contents
        rows = np.empty(len(contents), np.int32)
        commons = np.empty(len(contents), np.uint8)
        pegs = len(self._two.become)
        n = fitting(content, nodes, self._bounds, pegs, rows, commons)
        fits = np.zeros(len(contents), np.bool_)
        for row in rows[:n].tolist():
            fits[row] = self._ways(int(content.sum()) + int(contents[row].sum())) > 0
        partners: Bools = fits[numbers] & (self._keys[1] == self._keys[0][state])
        return partners

    def _walk(
        self, layers: _Layers, alive: list[Bools], begun: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Codes begun, with this half, that lead to states alive, in numeric order."""
        kinds = [
            self._colors.index(color) if color in self._colors else len(self._colors)
            for color in range(self.rules.colors)
        ]
        stack = [(begun, 0, 0)]
        while stack:
            code, peg, state = stack.pop()
            if peg == len(layers.become):
                yield code, state
                continue
            following = layers.become[peg][state].tolist()
            for color in reversed(range(self.rules.colors)):
                target = following[kinds[color]]
                again = self._bounds.once and color in code
                if target >= 0 and alive[peg + 1][target] and not again:
                    stack.append(((*code, color), peg + 1, target))


def _colors(guesses: Sequence[Code]) -> list[int]:
    """The colors of the guesses, most frequent first: these tell soonest what does not fit."""
    numbers = Counter(color for guess in guesses for color in guess if color != HOLE)
    return sorted(numbers, key=lambda color: (-numbers[color], color))


def _bounds(
    rules: Rules, history: Sequence[Turn], guesses: Sequence[Code], colors: Sequence[int]
) -> MarkBounds:
    """Bounds that the marks of the history set; of the last guess nothing."""
    need = np.array([[guess.count(color) for color in colors] for guess in guesses], np.uint8)
    once = rules.secrets_are_distinct
    anything = (0, rules.pegs)
    ranges = [turn.mark.ranges(rules.pegs) for turn in history]
    blacks = [(black[0], black[0]) for black, _ in ranges]
    commons = [total for _, total in ranges]
    if rules.black:  # nobody asks what is in common
        need[:], commons = 0, [(0, 0)] * len(history)
    return MarkBounds(
        caps=np.ones(len(colors), np.uint8) if once else need.max(axis=0),
        once=once,
        need=need,
        blacks=np.array([*blacks, anything], np.uint8),
        commons=np.array([*commons, anything], np.uint8),
    )


def _alike(bounds: MarkBounds, free: Bools) -> list[list[int]]:
    """Colors of one half that are alike, of those that are free: in no place of the other half.

    Each guess has as many of one as of another. So whatever goes with a content of the one half
    also goes with it when these colors are exchanged.
    """
    classes: dict[bytes, list[int]] = {}
    for color, need in enumerate(bounds.need.T):
        if free[color]:
            classes.setdefault(need.tobytes(), []).append(color)
    return [colors for colors in classes.values() if len(colors) > 1]


def _number_rows(rows: U8) -> tuple[I64, I32]:
    """The first place of each different row, ascending; and for each row the number of it."""
    # strings of bytes sort fast; one byte more, so that none is empty
    padded = np.ascontiguousarray(np.pad(rows, ((0, 0), (1, 0))))
    strings = padded.view(f"S{padded.shape[1]}").ravel()
    _, first, numbers = np.unique(strings, return_index=True, return_inverse=True)
    return first, numbers.astype(np.int32)
