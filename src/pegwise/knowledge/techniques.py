"""Knowledge of a code as a person has it, and the techniques that add to it.

A grid of color by place says what is possible, with bounds of how often each color occurs. A
technique reads a mark, or compares two, or weighs the grid alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import Final, NamedTuple

from pegwise.errors import ContradictionError
from pegwise.game import HOLE, Game, Turn
from pegwise.game.words import MAX_LETTERS


class NoCodeError(ContradictionError):
    """No code fits what the grid says and what is read now; the step that says so may follow."""

    def __init__(self) -> None:
        super().__init__()
        self.args = ()


class Grid:
    """Possible colors by place, as bits, and how often each color may occur.

    Attributes:
        possible: for each place the colors that it may have, one bit a color.
        low: how often each color occurs at least.
        high: how often at most.
    """

    __slots__ = ("changes", "high", "low", "possible", "rules")

    def __init__(self, rules: Game) -> None:
        self.rules, colors = rules, rules.alphabet.signs
        self.possible = [sum(1 << color for color in colors)] * rules.pegs
        self.low = dict.fromkeys(colors, 0)
        self.high = dict.fromkeys(colors, 1 if rules.alphabet.distinct_secrets else rules.pegs)
        self.changes = 0

    def copy(self) -> Grid:
        twin = Grid.__new__(Grid)
        twin.possible, twin.low, twin.high = self.possible[:], self.low.copy(), self.high.copy()
        twin.rules, twin.changes = self.rules, self.changes
        return twin

    def places(self, color: int) -> list[int]:
        """Where a color is possible."""
        return [place for place, colors in enumerate(self.possible) if colors >> color & 1]

    def certain(self, color: int) -> list[int]:
        """Where nothing but this color is possible."""
        return [place for place, colors in enumerate(self.possible) if colors == 1 << color]

    def restrict(self, place: int, colors: int) -> None:
        """Allow at a place only these colors, as bits."""
        for color in bits(self.possible[place] & ~colors):
            self.forbid(place, color)

    def forbid(self, place: int, color: int) -> None:
        if not self.possible[place] >> color & 1:
            return
        self.possible[place] &= ~(1 << color)
        self.changes += 1
        rest = self.possible[place]
        if not rest:
            raise NoCodeError
        self.at_most(color, len(self.places(color)))
        if not rest & (rest - 1):
            last = rest.bit_length() - 1
            self.at_least(last, len(self.certain(last)))

    def at_least(self, color: int, count: int) -> None:
        if count > self.low[color]:
            self.low[color] = count
            self.changes += 1
            if count > self.high[color]:
                raise NoCodeError

    def at_most(self, color: int, count: int) -> None:
        if count < self.high[color]:
            self.high[color] = count
            self.changes += 1
            if count < self.low[color]:
                raise NoCodeError
            if not count:
                for place in self.places(color):
                    self.forbid(place, color)

    def same(self, grid: Grid) -> bool:
        """Whether another grid says as much."""
        mine, its = (self.possible, self.low, self.high), (grid.possible, grid.low, grid.high)
        return mine == its

    @property
    def solved(self) -> bool:
        """Whether each place has one color only."""
        return not any(colors & (colors - 1) for colors in self.possible)


def bits(colors: int) -> Iterator[int]:
    """The colors of a bit set, ascending."""
    while colors:
        yield (colors & -colors).bit_length() - 1
        colors &= colors - 1


class Clue:
    """A turn as it is reasoned with.

    Attributes:
        number: what the turn is called.
        turn: the turn.
        guess: its guess.
        filled: the places of the guess that are no holes.
        counts: how often the guess has each color.
        in_place: how many pegs are in their places.
        total: how many are of a right color; None where only those in their places are told. A
            guess of one color is an exception: in place are all pegs of the code that have it.
        signs: what a mark by place says of each; else none.
    """

    def __init__(self, number: int, turn: Turn, rules: Game) -> None:
        self.number, self.turn = number, turn
        self.guess = turn.guess
        self.filled = [place for place, color in enumerate(turn.guess) if color != HOLE]
        self.counts = Counter(color for color in turn.guess if color != HOLE)
        told = rules.marking.counts(turn.mark)
        one_color = set(self.counts.values()) == {rules.pegs}
        self.in_place = told[0]
        self.total = sum(told) if len(told) > 1 or one_color else None
        self.signs = rules.marking.places(turn.mark)

    def contradicts(self, grid: Grid) -> bool:
        """Whether a grid with one color at each place gives another mark."""
        code = grid.rules.alphabet.of(colors.bit_length() - 1 for colors in grid.possible)
        return grid.rules.marking.mark(self.guess, code) != self.turn.mark

    def of(self, colors: Sequence[int] | Counter[int]) -> list[int]:
        """The places of its pegs that have these colors."""
        return [place for place in self.filled if self.guess[place] in colors]

    def marked(self, sign: int) -> list[int]:
        """The places of its pegs that are marked as right (2), elsewhere (1) or absent (0)."""
        return [place for place in self.filled if self.signs[place] == sign]


class Reason(NamedTuple):
    """The reason of a step: its kind, places of pegs in its turns, and colors."""

    kind: str
    places: Sequence[Sequence[int]] = ()
    colors: tuple[int, ...] = ()


# Techniques. Each changes the grid where it says something new, and tells how.


def _none(grid: Grid, clue: Clue) -> Reason:
    """No peg counts: these colors are out."""
    if clue.total == 0:
        for color in clue.counts:
            grid.at_most(color, 0)
    return Reason("none", [clue.filled])


def _all(grid: Grid, clue: Clue) -> Reason:
    """All pegs count: the code has the colors of the guess."""
    if clue.total == len(clue.guess):
        for color in grid.low:
            grid.at_most(color, clue.counts[color])
            grid.at_least(color, clue.counts[color])
    return Reason("all", [clue.filled])


def _one_color(grid: Grid, clue: Clue) -> Reason | None:
    """All pegs have one color: it occurs as often as they count."""
    if clue.total is not None and len(clue.counts) == 1:
        (color, count) = next(iter(clue.counts.items()))
        grid.at_least(color, clue.total)
        if clue.total < count:
            grid.at_most(color, clue.total)
        return Reason("one-color", [clue.filled], (color,))
    return None


def _no_black(grid: Grid, clue: Clue) -> Reason:
    """No peg is in its place."""
    if clue.in_place == 0:
        for place in clue.filled:
            grid.forbid(place, clue.guess[place])
    return Reason("no-black", [clue.filled])


def _full(grid: Grid) -> Reason | None:
    """All pegs of a color are placed: it is nowhere else."""
    for color, most in grid.high.items():
        if most and len(certain := grid.certain(color)) == most < len(grid.places(color)):
            for place in grid.places(color):
                if place not in certain:
                    grid.forbid(place, color)
            return Reason("full", (), (color,))
    return None


def _needed(grid: Grid) -> Reason | None:
    """A color has no more places than it needs."""
    for color, least in grid.low.items():
        places = grid.places(color)
        if least == len(places) > len(grid.certain(color)):
            for place in places:
                grid.restrict(place, 1 << color)
            return Reason("needed", (), (color,))
    return None


def _blacks(grid: Grid, clue: Clue) -> Reason | None:
    """The pegs in place are told: all that can be, or those that are already."""
    guess = clue.guess
    can = [place for place in clue.filled if grid.possible[place] >> guess[place] & 1]
    certain = [place for place in can if grid.possible[place] == 1 << guess[place]]
    if not len(certain) <= clue.in_place <= len(can):
        raise NoCodeError
    if len(can) == clue.in_place:
        for place in can:
            grid.restrict(place, 1 << guess[place])
        return Reason("blacks-needed", [can])
    if len(certain) == clue.in_place:
        for place in can:
            if place not in certain:
                grid.forbid(place, guess[place])
        return Reason("blacks-told", [certain])
    return None


def _no_white(grid: Grid, clue: Clue) -> Reason | None:
    """No peg is misplaced: a color of the guess that is not in place there is nowhere else."""
    if clue.total != clue.in_place:
        return None
    before = grid.changes
    for color, count in clue.counts.items():
        own = clue.of([color])
        can = [place for place in own if grid.possible[place] >> color & 1]
        if len(can) < count or grid.high[color] <= count:
            for place in grid.places(color):
                if place not in own:
                    grid.forbid(place, color)
            if grid.changes > before:
                return Reason("no-white", [own], (color,))
    return None


def _sum(grid: Grid, clue: Clue) -> Reason | None:
    """How many pegs count bounds how often each color of the guess occurs."""
    if clue.total is None:
        return None
    low = {color: min(count, grid.low[color]) for color, count in clue.counts.items()}
    high = {color: min(count, grid.high[color]) for color, count in clue.counts.items()}
    told, colors = _balance(grid, low, high, clue.total)
    return Reason(f"sum{told}", [clue.of(colors if told else clue.counts)], colors)


def _total(grid: Grid) -> Reason:
    """The numbers of all colors together are the pegs of the code."""
    told, colors = _balance(grid, grid.low.copy(), grid.high.copy(), len(grid.possible))
    return Reason(f"total{told}", (), colors)


def _balance(
    grid: Grid, low: dict[int, int], high: dict[int, int], total: int
) -> tuple[str, tuple[int, ...]]:
    """Bound the numbers of some colors, which together are a total.

    Returns whether the bounds alone tell the numbers (`-told`, `-needed`, or nothing), and the
    colors, each as often as it then occurs, or as it occurs at least.
    """
    least, most = sum(low.values()), sum(high.values())
    if not least <= total <= most:
        raise NoCodeError
    for color in low:
        grid.at_least(color, total - most + high[color])
        if (rest := total - least + low[color]) < high[color]:
            grid.at_most(color, rest)
    numbers = high if least < total == most else low
    colors = tuple(color for color, n in numbers.items() for _ in range(n))
    return {least: "-told", most: "-needed"}.get(total, ""), colors


def _rest(grid: Grid, *clues: Clue) -> Reason | None:
    """Pegs that no guess counts are of other colors; guesses without a common color."""
    totals = [clue.total for clue in clues if clue.total is not None]
    if len(totals) < len(clues) or (len(clues) == 2 and clues[0].counts.keys() & clues[1].counts):
        return None
    counts = sum((clue.counts for clue in clues), Counter[int]())
    rest = len(grid.possible) - sum(totals)
    low = {color: low for color, low in grid.low.items() if color not in counts}
    high = {color: grid.high[color] for color in low}
    # a color may occur more often than in the guess
    exact = all(grid.high[color] <= count for color, count in counts.items())
    if sum(low.values()) > rest or (exact and sum(high.values()) < rest):
        raise NoCodeError
    for color in low:
        grid.at_most(color, rest - sum(low.values()) + low[color])
        if exact:
            grid.at_least(color, rest - sum(high.values()) + high[color])
    if sum(low.values()) == rest:
        for color, count in counts.items():
            grid.at_most(color, count)
    others = tuple(color for color, n in low.items() for _ in range(n))
    return Reason("rest" if len(clues) == 1 else "add", [clue.filled for clue in clues], others)


def _compare(grid: Grid, first: Clue, second: Clue) -> Reason | None:
    """Two guesses that differ in one or two pegs: what the change of the mark tells."""
    changed = [k for k, (a, b) in enumerate(zip(first.guess, second.guess, strict=True)) if a != b]
    if not 1 <= len(changed) <= 2:
        return None
    reason = Reason("compare" if len(changed) == 1 else "compare-two", [changed, changed])
    before = grid.changes
    told = [_told(grid, place, first.guess[place], second.guess[place]) for place in changed]
    ways = [way for way in product(*told) if sum(way) == second.in_place - first.in_place]
    if not ways:
        raise NoCodeError
    for k, place in enumerate(changed):
        allowed = 0
        for difference in {way[k] for way in ways}:
            allowed |= told[k][difference]
        grid.restrict(place, allowed)
    if grid.changes > before or first.total is None or second.total is None:
        return reason
    # how each color changes the number of pegs that count, by how often it occurs
    differences = {
        color: {
            n: min(n, second.counts[color]) - min(n, first.counts[color])
            for n in range(grid.low[color], grid.high[color] + 1)
        }
        for color in first.counts | second.counts
        if first.counts[color] != second.counts[color]
    }
    least = {color: min(values.values()) for color, values in differences.items()}
    most = {color: max(values.values()) for color, values in differences.items()}
    change = second.total - first.total
    for color, values in differences.items():
        lower = change - sum(most.values()) + most[color]
        upper = change - sum(least.values()) + least[color]
        fitting = [n for n, value in values.items() if lower <= value <= upper]
        if not fitting:
            raise NoCodeError
        grid.at_least(color, min(fitting))
        grid.at_most(color, max(fitting))
    return reason


def _told(grid: Grid, place: int, old: int, new: int) -> dict[int, int]:
    """The colors of a place, as bits, by how they change the number of pegs in place."""
    bits = {-1: 0 if old == HOLE else 1 << old, 1: 0 if new == HOLE else 1 << new}
    bits[0] = ~(bits[-1] | bits[1])
    return {
        k: mask & grid.possible[place] for k, mask in bits.items() if mask & grid.possible[place]
    }


def _pair(grid: Grid) -> Reason | None:
    """Two colors need all places that they have, or have no more pegs than two places take."""
    before = grid.changes
    present = [color for color, most in grid.high.items() if most]
    for colors in combinations(present, 2):
        bits = 1 << colors[0] | 1 << colors[1]
        places = [place for place, possible in enumerate(grid.possible) if possible & bits]
        only = [place for place in places if not grid.possible[place] & ~bits]
        needed, most = (sum(bound[color] for color in colors) for bound in (grid.low, grid.high))
        if needed > len(places) or most < len(only):
            raise NoCodeError
        if needed == len(places):
            for place in places:
                grid.restrict(place, bits)
        elif most == len(only):
            for place in places:
                if place not in only:
                    grid.restrict(place, ~bits)
        if grid.changes > before:
            kind = "pair-needed" if needed == len(places) else "pair-told"
            return Reason(kind, (), colors)
    return None


# Marks by place: what they say of each color is all that they say.


def _right(grid: Grid, clue: Clue) -> Reason:
    """Pegs are right."""
    places = clue.marked(2)
    for place in places:
        grid.restrict(place, 1 << clue.guess[place])
    return Reason("right", [places])


def _absent(grid: Grid, clue: Clue) -> Reason:
    """Colors that are absent wherever the guess has them are out."""
    places = clue.marked(1) + clue.marked(2)
    colors = tuple(clue.counts.keys() - {clue.guess[place] for place in places})
    for color in colors:
        grid.at_most(color, 0)
    return Reason("absent", [clue.of(colors)], tuple(sorted(colors)))


def _elsewhere(grid: Grid, clue: Clue) -> Reason:
    """Colors are elsewhere: in the code, but not at these places."""
    places = clue.marked(1)
    for place in places:
        grid.at_least(clue.guess[place], 1)
        grid.forbid(place, clue.guess[place])
    return Reason("elsewhere", [places])


def _repeated(grid: Grid, clue: Clue) -> Reason | None:
    """A color is marked at several places: some of its pegs count, and all if none is absent."""
    before = grid.changes
    for color, count in clue.counts.items():
        own = clue.of([color])
        absent = [place for place in own if not clue.signs[place]]
        if (number := count - len(absent)) and count > 1:
            grid.at_least(color, number)
            for place in absent:
                grid.at_most(color, number)
                grid.forbid(place, color)
            if grid.changes > before:
                return Reason("repeated", [own], (color,) * number)
    return None


def _word(unknown: int, grid: Grid) -> Reason | None:
    """One word of the list is possible, of which at most `unknown` letters are not known."""
    if grid.rules.pegs - sum(grid.low.values()) > unknown:
        return None
    told = [color for color in grid.low if grid.low[color] or grid.high[color] < grid.rules.pegs]
    words = [
        word
        for word in grid.rules.alphabet.look_up(map(bits, grid.possible))
        if all(grid.low[color] <= word.count(color) <= grid.high[color] for color in told)
    ]
    if not words:
        raise NoCodeError
    if len(words) > 1:
        return None
    for place, color in enumerate(words[0]):
        grid.restrict(place, 1 << color)
    return Reason("word", (), tuple(words[0]))


class Technique(NamedTuple):
    """A step that a person knows: how hard it is, and what it does."""

    level: int
    apply: Callable[..., Reason | None]
    turns: int


BY_COUNTS: Final = (
    Technique(1, _none, 1),
    Technique(1, _all, 1),
    Technique(1, _one_color, 1),
    Technique(1, _full, 0),
    Technique(1, _needed, 0),
    Technique(1, _no_black, 1),
    Technique(2, _blacks, 1),
    Technique(2, _sum, 1),
    Technique(2, _total, 0),
    Technique(2, _no_white, 1),
    Technique(2, _rest, 1),
    Technique(3, _compare, 2),
    Technique(3, _rest, 2),
    Technique(3, _pair, 0),
)

BY_PLACE: Final = (
    Technique(1, _right, 1),
    Technique(1, _absent, 1),
    Technique(1, _full, 0),
    Technique(1, _elsewhere, 1),
    Technique(2, _needed, 0),
    Technique(3, _repeated, 1),
    Technique(3, _total, 0),
    Technique(3, _pair, 0),
)

BY_WORDS: Final = (
    *BY_PLACE[:-3],
    Technique(2, partial(_word, 0), 0),
    Technique(3, _repeated, 1),
    Technique(3, partial(_word, 1), 0),
    Technique(4, partial(_word, 2), 0),
    Technique(5, partial(_word, MAX_LETTERS), 0),
)
"""A word is looked for in the list, which is harder the fewer of its letters are known."""
