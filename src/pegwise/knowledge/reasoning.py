"""How a person finds a code: a history solved by named steps, each true of every candidate.

What is possible stands in a grid of color by place, with bounds of how often each color occurs.
A step reads one mark, or compares two, or weighs the grid alone. The easiest step that says
something new is taken; where there is none, a case is supposed and refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from pegwise.errors import ContradictionError, InputError, TooLargeError
from pegwise.game import Game, GameLike, Turn, Turns, game_of
from pegwise.knowledge.techniques import (
    BY_COUNTS,
    BY_PLACE,
    BY_WORDS,
    Clue,
    Grid,
    NoCodeError,
    Technique,
    bits,
)
from pegwise.reading import check_turns

LEVELS: Final = 5

MOST_CODES: Final = 8**5
"""Codes of the largest boards for cases and puzzles: those of 5x8."""

_EASY_CASE: Final = 3
"""Steps that refute a supposition of level 4 at most; a longer way is of level 5."""

_ANY: Final = 10**6
"""More steps than any refutation has."""


class Method(NamedTuple):
    """How a person reasons with marks of some kind.

    Attributes:
        techniques: the steps, easiest first.
        cases: whether a case is supposed and refuted where no technique says anything new.
        hardest: the highest level that a history which one code fits may need.
        hardest_of_distinct: the same where no color comes twice.
    """

    techniques: tuple[Technique, ...]
    cases: bool = True
    hardest: int = LEVELS
    hardest_of_distinct: int = LEVELS


_METHODS: Final = {
    ("counts", False): Method(BY_COUNTS),
    ("blacks", False): Method(BY_COUNTS),
    ("places", False): Method(BY_PLACE, hardest=3, hardest_of_distinct=2),
    ("places", True): Method(BY_WORDS, cases=False),
}
"""By what is reasoned with, and whether codes are words, which a person looks for in their list.

Marks by place say of each color where it is, or is not, and how often it occurs. Where one code
fits them, some place or color always has one possibility: no case is needed.
"""


def method_of(rules: Game) -> Method | None:
    """How people reason in this game; None where there are no steps."""
    return _METHODS.get((rules.marking.reasoned, rules.alphabet.are_words))


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

    @property
    def helps(self) -> bool:
        """Whether it says more than that some colors occur at most twice, or more often."""
        bounds = any(low or high < 2 for _, low, high in self.counts)
        return bounds or bool(self.excluded or self.placed)


def reason(game: GameLike, turns: Turns, level: int = LEVELS) -> tuple[Deduction, ...]:
    """The steps that tell the code; where several fit, what they have in common.

    The easiest step is always taken, so that the hardest of them is needed. Left out are steps
    that nothing follows from, and turns whose mark was noted in part. `level` is the highest level
    of a step; below 5 the steps may end before all is told.

    Raises:
        ContradictionError: the steps come upon turns that no code fits.
        InputError: a game of words without marks by place; a turn that the rules do not allow.
        TooLargeError: more codes than 5x8 has, and `level` is above 3.

    Examples:
        >>> steps = pegwise.reason("3x3", "CAB=OOO AAC=OO")
        >>> [(step.level, step.turns) for step in steps][:2]
        [(1, (1,)), (1, (1,))]
    """
    game = game_of(game)
    if method_of(game) is None:
        if game.alphabet.are_words:
            raise InputError(
                "{rules}: steps of reasoning are for boards, and for words with marks by place "
                "({words},placed)",
                rules=game,
                words=game.words,
            )
        raise InputError(
            "{rules}: no steps of reasoning are known for its marks; they are for boards with "
            "black and white marks or marks by place, and for words such as wordle",
            rules=game,
        )
    if game.n_secrets > MOST_CODES and level > LEVELS - 2:
        raise TooLargeError(
            "{rules} has {count:,} codes, and puzzles and cases are for boards of up to {most:,}, "
            "as 5x8 has",
            rules=game,
            count=game.n_secrets,
            most=MOST_CODES,
        )
    played = enumerate(check_turns(turns, game), 1)
    clues = [Clue(k, turn, game) for k, turn in played if not turn.mark.partial]
    if not clues:
        return ()
    grid, moves = _moves(game, clues, level)
    for move in sorted(moves, key=lambda move: -move.step.level):
        fewer = [each for each in moves if each is not move]
        if (again := _replay(Grid(game), fewer)) is not None and again[0].same(grid):
            moves = again[1]
    return tuple(move.step for move in moves)


def level_of(rules: Game, history: Sequence[Turn], most: int = LEVELS) -> int:
    """The hardest step that is taken until the code is told; 0 where it is not told.

    No step that `reason` gives is harder. ContradictionError as there.
    """
    clues = [Clue(k, turn, rules) for k, turn in enumerate(history, 1)]
    grid, moves = _moves(rules, clues, most)
    return max((move.step.level for move in moves), default=0) if grid.solved else 0


def _moves(rules: Game, clues: Sequence[Clue], most: int) -> tuple[Grid, list[_Move]]:
    """The easiest moves one after another, and the grid after them."""
    grid, moves = Grid(rules), list[_Move]()
    try:
        while not grid.solved and (move := _next_move(grid, clues, most)) is not None:
            moves.append(move)
        if grid.solved and any(clue.contradicts(grid) for clue in clues):
            raise NoCodeError
    except NoCodeError:
        raise ContradictionError("no code of {rules} fits these turns", rules=rules) from None
    return grid, moves


def is_explained(rules: Game) -> bool:
    """Whether there are steps of reasoning for the marks of this game."""
    return method_of(rules) is not None


def deciding_turns(rules: Game, history: Sequence[Turn]) -> tuple[int, ...]:
    """The turns, from 1, that the code follows from by steps of level 3 at most.

    None where these do not tell it, and for large boards and games that are not explained.
    """
    if not is_explained(rules) or rules.n_secrets > MOST_CODES:
        return ()
    steps = reason(rules, history, LEVELS - 2)
    told = {place for step in steps for place, _ in step.placed}
    if len(told) < rules.pegs:
        return ()
    return tuple(sorted({number for step in steps for number in step.turns}))


class _Move(NamedTuple):
    """A step, and what takes it again on another grid, where it may say nothing new."""

    step: Deduction
    again: Callable[[Grid], _Move | None]


def _replay(grid: Grid, moves: Sequence[_Move]) -> tuple[Grid, list[_Move]] | None:
    """The grid after these moves, and those that say something new; None if one is not sound."""
    again = list[_Move]()
    for move in moves:
        if (made := move.again(grid)) is not None:
            again.append(made)
        elif move.step.case is not None:
            return None
    return grid, again


def _next_move(grid: Grid, clues: Sequence[Clue], most: int) -> _Move | None:
    """The easiest move that says something new, which the grid then has."""
    method = method_of(grid.rules)
    assert method is not None  # noqa: S101 (refused by `reason`)
    for technique in method.techniques:
        if technique.level <= most:
            for chosen in combinations(clues, technique.turns):
                if (move := _try(grid, technique, chosen)) is not None:
                    return move
    cases = most > LEVELS - 2 and method.cases
    return _easiest_case(grid, clues, most) if cases else None


def _try(grid: Grid, technique: Technique, clues: tuple[Clue, ...]) -> _Move | None:
    """Apply a technique; None where it says nothing new."""
    before = grid.copy()
    numbers = tuple(clue.number for clue in clues)
    try:
        read = technique.apply(grid, *clues)
    except NoCodeError as error:
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
    return _Move(step, partial(_try, technique=technique, clues=clues))


def _news(before: Grid, after: Grid) -> tuple[Cells, tuple[tuple[int, int, int], ...], Cells]:
    """The colors that are newly excluded, counted and placed."""
    pairs = [*enumerate(zip(before.possible, after.possible, strict=True), 1)]
    excluded = [(place, color) for place, (old, new) in pairs for color in bits(old & ~new)]
    placed = [
        (place, new.bit_length() - 1)
        for place, (old, new) in pairs
        if old != new and not new & (new - 1)
    ]
    counts = []
    for color, low in after.low.items():
        high = after.high[color]
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

    def note(self, grid: Grid, true: bool) -> None:
        """Note that the case is true, or that the contrary is."""
        if self.place and true:
            grid.restrict(self.place - 1, 1 << self.color)
        elif self.place:
            grid.forbid(self.place - 1, self.color)
        elif self.absent == true:
            grid.at_most(self.color, 0)
        else:
            grid.at_least(self.color, 1)


def _easiest_case(grid: Grid, clues: Sequence[Clue], most: int) -> _Move | None:
    """Suppose the case that is refuted in the fewest steps, and note the contrary."""
    unsure = [color for color, low in grid.low.items() if not low and grid.high[color]]
    cases = [_Case(0, color, absent) for color in unsure for absent in (True, False)]
    for place, colors in enumerate(grid.possible, 1):
        cases += [_Case(place, color) for color in bits(colors) if colors & (colors - 1)]
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
    grid: Grid, clues: Sequence[Clue], case: _Case, depth: int, longest: int
) -> _Move | None:
    """Refute a case, and note the contrary; None where `longest` steps do not refute it."""
    chain = _refutation(grid, clues, case, depth, longest)
    if chain is None:
        return None
    before = grid.copy()
    case.note(grid, true=False)
    level = LEVELS if depth > 1 or len(chain) > _EASY_CASE else LEVELS - 1
    turns = tuple(sorted({number for step in chain for number in step.turns}))
    news = _news(before, grid)
    step = Deduction("case", level, turns, (), *news, (case.color,), case, tuple(chain), depth)
    longest = len(chain) if depth == 1 else _ANY
    again = partial(_try_case, clues=clues, case=case, depth=depth, longest=longest)
    return _Move(step, again)


def _refutation(
    grid: Grid, clues: Sequence[Clue], case: _Case, depth: int, longest: int
) -> list[Deduction] | None:
    """The steps that refute a case, the contradiction last; None where `longest` do not."""
    grid, chain = grid.copy(), list[Deduction]()
    try:
        case.note(grid, true=True)
        while len(chain) < longest:
            move = _next_move(grid, clues, LEVELS - 2)
            if move is None:
                break
            chain.append(move.step)
    except NoCodeError as error:
        return [*chain, error.args[0] if error.args else Deduction("contradiction", 1)]
    if depth == 1 or grid.solved:
        return None
    # each color of the place that has fewest is a case of its own
    _, place = min((n, k) for k, c in enumerate(grid.possible) if (n := c.bit_count()) > 1)
    for color in bits(grid.possible[place]):
        inner = _Case(place + 1, color)
        steps = _refutation(grid, clues, inner, depth - 1, _ANY)
        if steps is None:
            return None
        turns = tuple(sorted({number for step in steps for number in step.turns}))
        chain.append(
            Deduction("case", LEVELS, turns, case=inner, chain=tuple(steps), depth=depth - 1)
        )
    return chain
