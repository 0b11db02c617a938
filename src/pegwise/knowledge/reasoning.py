"""How a person finds a code: a history solved by named steps, each true of every candidate.

What is possible stands in a grid of color by place, with bounds of how often each color occurs.
A step reads one mark, or compares two, or weighs the grid alone. The easiest step that says
something new is taken; where there is none, a case is supposed and refuted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, NamedTuple

from pegwise.errors import ContradictionError, InputError, TooLargeError
from pegwise.game import HOLE, FiniteGame, Ruled, Rules, Turn, Turns, as_rules, check_turns, mark

LEVELS: Final = 5

MOST_CODES: Final = 8**5
"""Codes of the largest boards for cases and puzzles: those of 5x8."""

_EASY_CASE: Final = 3
"""Steps that refute a supposition of level 4 at most; a longer way is of level 5."""

_ANY: Final = 10**6
"""More steps than any refutation has."""


Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Deduction:
    """A fact that follows from some turns and the steps before; turns and places count from 1.

    Attributes:
        kind: how it is reasoned: `none`, `all`, `no-black`, `single`, and so on.
        level: how hard it is, 1 to 5.
        turns: the turns that it follows from.
        pegs: turn and place of each peg that it speaks of.
        excluded: place and color of what is not possible any more.
        counts: color, least and greatest number of its pegs, where one of them is new; the other
            is 0 or the number of pegs.
        placed: place and color of what is certain now.
        colors: the colors that it is about.
        case: what is supposed and refuted: a place (0 for the whole code), a color, and whether
            it is supposed not to be there.
        chain: the steps that refute the case; the last is the contradiction.
        depth: how many cases are supposed within each other.
    """

    kind: str
    level: int
    turns: tuple[int, ...] = ()
    pegs: Cells = ()
    excluded: Cells = ()
    counts: tuple[tuple[int, int, int], ...] = ()
    placed: Cells = ()
    colors: tuple[int, ...] = ()
    case: tuple[int, int, bool] | None = None
    chain: tuple[Deduction, ...] = ()
    depth: int = 0


class _ContradictedError(Exception):
    """No code fits what the grid says and what is read now."""


class Grid:
    """What is possible: colors by place, as bits, and how often each color may occur.

    Attributes:
        possible: for each place the colors that it may have, one bit a color.
        low: how often each color occurs at least.
        high: how often at most.
    """

    __slots__ = ("changes", "high", "low", "possible")

    def __init__(self, rules: Rules) -> None:
        self.possible = [(1 << rules.colors) - 1] * rules.pegs
        self.low = [0] * rules.colors
        self.high = [1 if rules.secrets_are_distinct else rules.pegs] * rules.colors
        self.changes = 0

    def copy(self) -> Grid:
        twin = Grid.__new__(Grid)
        twin.possible, twin.low, twin.high = self.possible[:], self.low[:], self.high[:]
        twin.changes = self.changes
        return twin

    def places(self, color: int) -> list[int]:
        """Where a color is possible."""
        return [place for place, colors in enumerate(self.possible) if colors >> color & 1]

    def certain(self, color: int) -> list[int]:
        """Where nothing but this color is possible."""
        return [place for place, colors in enumerate(self.possible) if colors == 1 << color]

    def restrict(self, place: int, colors: int) -> None:
        """Allow at a place only these colors, as bits."""
        for color in _bits(self.possible[place] & ~colors):
            self.forbid(place, color)

    def forbid(self, place: int, color: int) -> None:
        if not self.possible[place] >> color & 1:
            return
        self.possible[place] &= ~(1 << color)
        self.changes += 1
        rest = self.possible[place]
        if not rest:
            raise _ContradictedError
        self.at_most(color, len(self.places(color)))
        if not rest & (rest - 1):
            last = rest.bit_length() - 1
            self.at_least(last, len(self.certain(last)))

    def at_least(self, color: int, count: int) -> None:
        if count > self.low[color]:
            self.low[color] = count
            self.changes += 1
            if count > self.high[color]:
                raise _ContradictedError

    def at_most(self, color: int, count: int) -> None:
        if count < self.high[color]:
            self.high[color] = count
            self.changes += 1
            if count < self.low[color]:
                raise _ContradictedError
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


def _bits(colors: int) -> Iterator[int]:
    while colors:
        yield (colors & -colors).bit_length() - 1
        colors &= colors - 1


class _Clue:
    """A turn as it is reasoned with: `total` is None where only black marks are given."""

    def __init__(self, number: int, turn: Turn, rules: Rules) -> None:
        self.number = number
        self.guess = turn.guess
        self.filled = [place for place, color in enumerate(turn.guess) if color != HOLE]
        self.counts = Counter(color for color in turn.guess if color != HOLE)
        self.black = turn.mark.black
        self.total = None if rules.black else turn.mark.black + turn.mark.white

    def contradicts(self, grid: Grid) -> bool:
        """Whether a grid with one color at each place gives another mark."""
        code = [colors.bit_length() - 1 for colors in grid.possible]
        black, white = mark(self.guess, code)
        return black != self.black or self.total not in {None, black + white}

    def of(self, colors: Sequence[int] | Counter[int]) -> list[int]:
        """The places of its pegs that have these colors."""
        return [place for place in self.filled if self.guess[place] in colors]


class _Reason(NamedTuple):
    """What a technique has read: the kind of step, places of pegs in its turns, and colors."""

    kind: str
    places: Sequence[Sequence[int]] = ()
    colors: tuple[int, ...] = ()


# Techniques. Each changes the grid where it says something new, and tells how.


def _none(grid: Grid, clue: _Clue) -> _Reason:
    """No peg counts: these colors are out."""
    if clue.total == 0:
        for color in clue.counts:
            grid.at_most(color, 0)
    return _Reason("none", [clue.filled])


def _all(grid: Grid, clue: _Clue) -> _Reason:
    """All pegs count: the code has the colors of the guess."""
    if clue.total == len(clue.guess):
        for color in range(len(grid.low)):
            grid.at_most(color, clue.counts[color])
            grid.at_least(color, clue.counts[color])
    return _Reason("all", [clue.filled])


def _one_color(grid: Grid, clue: _Clue) -> _Reason | None:
    """All pegs have one color: it occurs as often as they count."""
    if clue.total is not None and len(clue.counts) == 1:
        (color, count) = next(iter(clue.counts.items()))
        grid.at_least(color, clue.total)
        if clue.total < count:
            grid.at_most(color, clue.total)
        return _Reason("one-color", [clue.filled], (color,))
    return None


def _no_black(grid: Grid, clue: _Clue) -> _Reason:
    """No peg is in its place."""
    if clue.black == 0:
        for place in clue.filled:
            grid.forbid(place, clue.guess[place])
    return _Reason("no-black", [clue.filled])


def _full(grid: Grid) -> _Reason | None:
    """All pegs of a color are placed: it is nowhere else."""
    for color, most in enumerate(grid.high):
        if most and len(certain := grid.certain(color)) == most < len(grid.places(color)):
            for place in grid.places(color):
                if place not in certain:
                    grid.forbid(place, color)
            return _Reason("full", (), (color,))
    return None


def _needed(grid: Grid) -> _Reason | None:
    """A color has no more places than it needs."""
    for color, least in enumerate(grid.low):
        places = grid.places(color)
        if least == len(places) > len(grid.certain(color)):
            for place in places:
                grid.restrict(place, 1 << color)
            return _Reason("needed", (), (color,))
    return None


def _blacks(grid: Grid, clue: _Clue) -> _Reason | None:
    """The pegs in place are told: all that can be, or those that are already."""
    guess = clue.guess
    can = [place for place in clue.filled if grid.possible[place] >> guess[place] & 1]
    certain = [place for place in can if grid.possible[place] == 1 << guess[place]]
    if not len(certain) <= clue.black <= len(can):
        raise _ContradictedError
    if len(can) == clue.black:
        for place in can:
            grid.restrict(place, 1 << guess[place])
        return _Reason("blacks-needed", [can])
    if len(certain) == clue.black:
        for place in can:
            if place not in certain:
                grid.forbid(place, guess[place])
        return _Reason("blacks-told", [certain])
    return None


def _no_white(grid: Grid, clue: _Clue) -> _Reason | None:
    """No peg is misplaced: a color of the guess that is not in place there is nowhere else."""
    if clue.total != clue.black:
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
                return _Reason("no-white", [own], (color,))
    return None


def _sum(grid: Grid, clue: _Clue) -> _Reason | None:
    """How many pegs count bounds how often each color of the guess occurs."""
    if clue.total is None:
        return None
    low = {color: min(count, grid.low[color]) for color, count in clue.counts.items()}
    high = {color: min(count, grid.high[color]) for color, count in clue.counts.items()}
    least, most = sum(low.values()), sum(high.values())
    if not least <= clue.total <= most:
        raise _ContradictedError
    for color, count in clue.counts.items():
        grid.at_least(color, clue.total - most + high[color])
        if (rest := clue.total - least + low[color]) < count:
            grid.at_most(color, rest)
    kind = {most: "sum-needed", least: "sum-told"}.get(clue.total, "sum")
    told = high if kind == "sum-needed" else low if kind == "sum-told" else clue.counts
    colors = tuple(color for color in told for _ in range(told[color]))
    return _Reason(kind, [clue.of(colors)], colors)


def _total(grid: Grid) -> _Reason:
    """The numbers of all colors together are the pegs of the code."""
    pegs, least, most = len(grid.possible), sum(grid.low), sum(grid.high)
    if not least <= pegs <= most:
        raise _ContradictedError
    low, high = grid.low[:], grid.high[:]
    for color in range(len(low)):
        grid.at_least(color, pegs - most + high[color])
        grid.at_most(color, pegs - least + low[color])
    kind = {least: "total-told", most: "total-needed"}.get(pegs, "total")
    told = low if least == pegs else high
    return _Reason(kind, (), tuple(color for color, n in enumerate(told) for _ in range(n)))


def _rest(grid: Grid, *clues: _Clue) -> _Reason | None:
    """What the guesses do not count is of other colors; guesses without a common color."""
    totals = [clue.total for clue in clues if clue.total is not None]
    if len(totals) < len(clues) or (len(clues) == 2 and clues[0].counts.keys() & clues[1].counts):
        return None
    counts = sum((clue.counts for clue in clues), Counter[int]())
    rest = len(grid.possible) - sum(totals)
    low = {color: low for color, low in enumerate(grid.low) if color not in counts}
    high = {color: grid.high[color] for color in low}
    # a color may occur more often than in the guess
    exact = all(grid.high[color] <= count for color, count in counts.items())
    if sum(low.values()) > rest or (exact and sum(high.values()) < rest):
        raise _ContradictedError
    for color in low:
        grid.at_most(color, rest - sum(low.values()) + low[color])
        if exact:
            grid.at_least(color, rest - sum(high.values()) + high[color])
    if sum(low.values()) == rest:
        for color, count in counts.items():
            grid.at_most(color, count)
    return _Reason("rest" if len(clues) == 1 else "add", [clue.filled for clue in clues])


def _compare(grid: Grid, first: _Clue, second: _Clue) -> _Reason | None:
    """Two guesses that differ in one or two pegs: what the change of the mark tells."""
    changed = [k for k, (a, b) in enumerate(zip(first.guess, second.guess, strict=True)) if a != b]
    if not 1 <= len(changed) <= 2:
        return None
    reason = _Reason("compare" if len(changed) == 1 else "compare-two", [changed, changed])
    before = grid.changes
    told = [_told(grid, place, first.guess[place], second.guess[place]) for place in changed]
    ways = [way for way in product(*told) if sum(way) == second.black - first.black]
    if not ways:
        raise _ContradictedError
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
            raise _ContradictedError
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


def _pair(grid: Grid) -> _Reason | None:
    """Two colors need all places that they have, or have no more pegs than two places take."""
    before = grid.changes
    present = [color for color, most in enumerate(grid.high) if most]
    for colors in combinations(present, 2):
        bits = 1 << colors[0] | 1 << colors[1]
        places = [place for place, possible in enumerate(grid.possible) if possible & bits]
        only = [place for place in places if not grid.possible[place] & ~bits]
        needed, most = (sum(bound[color] for color in colors) for bound in (grid.low, grid.high))
        if needed > len(places) or most < len(only):
            raise _ContradictedError
        if needed == len(places):
            for place in places:
                grid.restrict(place, bits)
        elif most == len(only):
            for place in places:
                if place not in only:
                    grid.restrict(place, ~bits)
        if grid.changes > before:
            kind = "pair-needed" if needed == len(places) else "pair-told"
            return _Reason(kind, (), colors)
    return None


class _Technique(NamedTuple):
    level: int
    apply: Callable[..., _Reason | None]
    turns: int


_TECHNIQUES: Final = (
    _Technique(1, _none, 1),
    _Technique(1, _all, 1),
    _Technique(1, _one_color, 1),
    _Technique(1, _full, 0),
    _Technique(1, _needed, 0),
    _Technique(1, _no_black, 1),
    _Technique(2, _blacks, 1),
    _Technique(2, _sum, 1),
    _Technique(2, _total, 0),
    _Technique(2, _no_white, 1),
    _Technique(2, _rest, 1),
    _Technique(3, _compare, 2),
    _Technique(3, _rest, 2),
    _Technique(3, _pair, 0),
)


def reason(rules: Rules | str, history: Turns, most: int = LEVELS) -> tuple[Deduction, ...]:
    """The steps that tell the code; where several fit, what they have in common.

    The easiest step is always taken, so that the hardest of them is needed. Steps that nothing
    follows from are left out.

    Args:
        rules: the board.
        history: the turns.
        most: the highest level of a step; below 5 the steps may end before all is told.

    Raises:
        ContradictionError: the steps come upon turns that no code fits.
        InputError: a game of words, or marks by place.
        TooLargeError: more codes than 5x8 has, and `most` is above 3.
        CodeError, MarkError: a guess, a mark that the rules do not allow.
    """
    rules = as_rules(rules)
    if not rules.on_board:
        raise InputError(
            "{rules}: steps of reasoning are for boards whose marks are counted, such as 4x6",
            rules=rules,
        )
    if rules.n_secrets > MOST_CODES and most > LEVELS - 2:
        raise TooLargeError(
            "{rules} has {count:,} codes, and puzzles and cases are for boards of up to {most:,}, "
            "as 5x8 has",
            rules=rules,
            count=rules.n_secrets,
            most=MOST_CODES,
        )
    clues = [_Clue(k, turn, rules) for k, turn in enumerate(check_turns(history, rules), 1)]
    if not clues:
        return ()
    grid, moves = Grid(rules), list[_Move]()
    try:
        while not grid.solved and (move := _next_move(grid, clues, most)) is not None:
            moves.append(move)
    except _ContradictedError:
        raise ContradictionError("no code of {rules} fits these turns", rules=rules) from None
    if grid.solved and any(clue.contradicts(grid) for clue in clues):
        raise ContradictionError("no code of {rules} fits these turns", rules=rules)
    for move in sorted(moves, key=lambda move: -move.step.level):
        fewer = [each for each in moves if each is not move]
        if (again := _replay(Grid(rules), clues, fewer)) is not None and again[0].same(grid):
            moves = again[1]
    return tuple(move.step for move in moves)


def deciding_turns(rules: Ruled, history: Sequence[Turn]) -> tuple[int, ...]:
    """The turns, from 1, that the code follows from by steps of level 3 at most.

    None where these do not tell it, and for large boards and games that are not explained.
    """
    if isinstance(rules, FiniteGame) or not rules.on_board or rules.n_secrets > MOST_CODES:
        return ()
    steps = reason(rules, history, LEVELS - 2)
    told = {place for step in steps for place, _ in step.placed}
    if len(told) < rules.pegs:
        return ()
    return tuple(sorted({number for step in steps for number in step.turns}))


class _Move(NamedTuple):
    """A step with what it takes to take it again: a technique with turns, or a case."""

    step: Deduction
    technique: _Technique | None
    clues: tuple[_Clue, ...]
    case: _Case | None = None


def _replay(
    grid: Grid, clues: Sequence[_Clue], moves: Sequence[_Move]
) -> tuple[Grid, list[_Move]] | None:
    """The grid after these moves, and those that say something new; None if one is not sound."""
    again = list[_Move]()
    for move in moves:
        if move.case is None:
            made = _try(grid, move.technique, move.clues) if move.technique else None
        else:
            depth = move.step.depth
            longest = len(move.step.chain) if depth == 1 else _ANY
            made = _try_case(grid, clues, move.case, depth, longest)
            if made is None:
                return None
        if made is not None:
            again.append(made)
    return grid, again


def _next_move(grid: Grid, clues: Sequence[_Clue], most: int) -> _Move | None:
    """The easiest move that says something new, which the grid then has."""
    for technique in _TECHNIQUES:
        if technique.level <= most:
            for chosen in combinations(clues, technique.turns):
                if (move := _try(grid, technique, chosen)) is not None:
                    return move
    return _easiest_case(grid, clues, most) if most > LEVELS - 2 else None


def _try(grid: Grid, technique: _Technique, clues: tuple[_Clue, ...]) -> _Move | None:
    """Apply a technique; None where it says nothing new."""
    before = grid.copy()
    numbers = tuple(clue.number for clue in clues)
    try:
        read = technique.apply(grid, *clues)
    except _ContradictedError as error:
        error.args = (Deduction("contradiction", technique.level, numbers),)
        raise
    if read is None or grid.changes == before.changes:
        return None
    pegs = tuple(
        (clue.number, place + 1)
        for clue, places in zip(clues, read.places, strict=False)
        for place in places
    )
    news = _news(before, grid)
    step = Deduction(read.kind, technique.level, numbers, pegs, *news, read.colors)
    return _Move(step, technique, clues)


def _news(before: Grid, after: Grid) -> tuple[Cells, tuple[tuple[int, int, int], ...], Cells]:
    """What is excluded, counted and placed now."""
    pairs = [*enumerate(zip(before.possible, after.possible, strict=True), 1)]
    excluded = [(place, color) for place, (old, new) in pairs for color in _bits(old & ~new)]
    placed = [
        (place, new.bit_length() - 1)
        for place, (old, new) in pairs
        if old != new and not new & (new - 1)
    ]
    counts = []
    for color, (low, high) in enumerate(zip(after.low, after.high, strict=True)):
        # what the grid shows by itself is no news
        more = low > max(before.low[color], len(after.certain(color)))
        fewer = high < before.high[color] and (not high or high < len(after.places(color)))
        if more or fewer:
            exact = low == high
            most = high if fewer or exact else len(after.possible)
            counts.append((color, low if more or exact else 0, most))
    return tuple(excluded), tuple(counts), tuple(placed)


# Cases


class _Case(NamedTuple):
    """A color supposed to be at a place, or for place 0 in the code; or not to be there."""

    place: int
    color: int
    absent: bool = False

    def suppose(self, grid: Grid) -> None:
        if self.place:
            grid.restrict(self.place - 1, 1 << self.color)
        elif self.absent:
            grid.at_most(self.color, 0)
        else:
            grid.at_least(self.color, 1)

    def refute(self, grid: Grid) -> None:
        """Note that the contrary is true."""
        if self.place:
            grid.forbid(self.place - 1, self.color)
        elif self.absent:
            grid.at_least(self.color, 1)
        else:
            grid.at_most(self.color, 0)


def _easiest_case(grid: Grid, clues: Sequence[_Clue], most: int) -> _Move | None:
    """Suppose the case that is refuted in the fewest steps, and note the contrary."""
    unsure = [color for color, low in enumerate(grid.low) if not low and grid.high[color]]
    cases = [_Case(0, color, absent) for color in unsure for absent in (True, False)]
    for place, colors in enumerate(grid.possible, 1):
        cases += [_Case(place, color) for color in _bits(colors) if colors & (colors - 1)]
    for depth in range(1, len(grid.possible) + 1 if most == LEVELS else 2):
        easiest, longest = None, _ANY if most == LEVELS else _EASY_CASE
        for case in cases:
            if (chain := _refutation(grid, clues, case, depth, longest)) is not None:
                easiest, longest = case, len(chain) - 1
                if depth > 1 or not longest:
                    break
        if easiest is not None:
            return _try_case(grid, clues, easiest, depth, longest + 1 if depth == 1 else _ANY)
    return None


def _try_case(
    grid: Grid, clues: Sequence[_Clue], case: _Case, depth: int, longest: int
) -> _Move | None:
    """Refute a case, and note the contrary; None where it is not refuted in so many steps."""
    chain = _refutation(grid, clues, case, depth, longest)
    if chain is None:
        return None
    before = grid.copy()
    case.refute(grid)
    level = LEVELS if depth > 1 or len(chain) > _EASY_CASE else LEVELS - 1
    turns = tuple(sorted({number for step in chain for number in step.turns}))
    news = _news(before, grid)
    step = Deduction("case", level, turns, (), *news, (case.color,), case, tuple(chain), depth)
    return _Move(step, None, (), case)


def _refutation(
    grid: Grid, clues: Sequence[_Clue], case: _Case, depth: int, longest: int
) -> list[Deduction] | None:
    """The steps that refute a case, the contradiction last; None where so many do not."""
    grid, chain = grid.copy(), list[Deduction]()
    try:
        case.suppose(grid)
        while len(chain) < longest:
            move = _next_move(grid, clues, LEVELS - 2)
            if move is None:
                break
            chain.append(move.step)
    except _ContradictedError as error:
        return [*chain, error.args[0] if error.args else Deduction("contradiction", 1)]
    if depth == 1 or grid.solved:
        return None
    # each color of the place that has fewest is a case of its own
    _, place = min((n, k) for k, c in enumerate(grid.possible) if (n := c.bit_count()) > 1)
    for color in _bits(grid.possible[place]):
        inner = _Case(place + 1, color)
        steps = _refutation(grid, clues, inner, depth - 1, _ANY)
        if steps is None:
            return None
        turns = tuple(sorted({number for step in steps for number in step.turns}))
        chain.append(
            Deduction("case", LEVELS, turns, case=inner, chain=tuple(steps), depth=depth - 1)
        )
    return chain
