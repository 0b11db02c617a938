"""Puzzles: histories after which one code is possible, graded by how they are reasoned.

A puzzle is drawn from its game, level and seed, by `random.Random.random` alone, whose values are
the same on every machine and in every version of Python.
"""

from __future__ import annotations

import datetime
import operator
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, Bools
from pegwise.encoder import encoded
from pegwise.errors import InputError, check_whole, quoted
from pegwise.game import (
    HOLE,
    Code,
    Game,
    GameLike,
    Turn,
    all_secrets,
    game_of,
)
from pegwise.hooks import Drawable
from pegwise.knowledge.reasoning import LEVELS, Deduction, level_of, method_of, reason
from pegwise.knowledge.sentences import document, sentence

WEEK: Final = (1, 2, 2, 3, 3, 4, 5)
"""Levels of the puzzles of the day, from Monday to Sunday."""

_DRAWS: Final = 400
_VARIED: Final = 0.35
"""How often a guess is the one before with another peg."""

_FEW: Final = 0.35
"""How often a guess has at most two colors, one after the other."""

_WORDS: Final = 40
"""So many words are drawn for an easy guess, which is the one with most letters in place."""


@dataclass(frozen=True, slots=True)
class Puzzle(Drawable):
    """A history that fits one code, and no turn of which can be left out.

    Attributes:
        game: the board.
        level: the hardest step that it needs, 1 to 5.
        seed: what it was drawn from, together with rules and level.
        turns: the history.
        solution: the code.
        steps: how a person finds it.

    Examples:
        >>> puzzle = pegwise.puzzle("3x3", level=1, seed=1)
        >>> len(puzzle.turns), puzzle.solution
        (2, Code('BCA'))
    """

    game: Game
    level: int
    seed: int
    turns: tuple[Turn, ...] = field(repr=False)
    solution: Code = field(repr=False)
    steps: tuple[Deduction, ...] = field(repr=False)

    @property
    def sentences(self) -> list[str]:
        """The steps in words."""
        return [sentence(step, self.game, self.turns) for step in self.steps]

    def misfits(self, code: Code) -> list[int]:
        """The turns, from 1, that would have another mark if this were the code."""
        pairs = enumerate(self.turns, 1)
        return [n for n, turn in pairs if self.game.mark_of(turn.guess, code) != turn.mark]

    def document(self) -> dict[str, Any]:
        """The puzzle as JSON."""
        written: dict[str, Any] = encoded(
            {
                "rules": self.game,
                "level": self.level,
                "seed": self.seed,
                "turns": self.turns,
                "solution": self.solution,
                "steps": [document(step, self.game, self.turns) for step in self.steps],
            }
        )
        return written


def puzzle(
    game: GameLike = "4x6",
    *,
    level: int | None = None,
    seed: int | None = None,
    date: datetime.date | str | None = None,
) -> Puzzle:
    """A puzzle: a history after which one code is possible, with the steps that tell it.

    Args:
        game: a board of up to 32,768 codes; TooLargeError for a larger one.
        level: the hardest step that it needs, 1 to 5; by default it depends on date or seed.
        seed: a whole number from 0; another one gives another puzzle.
        date: for the puzzle of a day, which is the same for everybody; not with a seed.

    Raises:
        InputError: no valid level, seed or date; a board that has no puzzle of the level.

    Examples:
        >>> puzzle = pegwise.puzzle("3x3", level=1, seed=1)
        >>> print(*puzzle.turns, puzzle.solution)
        CAB=OOO AAC=OO BCA
    """
    game = game_of(game)
    reason(game, ())  # refuses games that are too large or not explained
    if game.n_secrets == 1:
        raise InputError("{rules} has only one code, so there is no puzzle", rules=game)
    asked = level is not None
    if date is not None:
        if seed is not None:
            raise InputError("give a seed or a date, not both")
        day = the_day(date)
        seed, level = day_seed(day), level or WEEK[day.weekday()]
    seed = 0 if seed is None else seed
    check_whole("seed", seed)
    if level is None:
        level = 1 + int(LEVELS * _numbers(f"level:{seed}")())
    check_whole("level", level, 1, LEVELS)
    # a small board may have no puzzle of a level: then the nearest, unless the level was asked for
    hardest = hardest_level(game)
    for lower in [level] if asked else [*range(level, 0, -1), *range(level + 1, LEVELS + 1)]:
        if lower <= hardest and (drawn := _Drawing(game, lower, seed).puzzle()) is not None:
            return drawn
    levels = [each for each in range(1, hardest + 1) if each != level]
    raise InputError(
        "no puzzle of level {level} is drawn for {rules}; levels that it has: {levels}",
        level=level,
        rules=game,
        levels=", ".join(str(each) for each in levels if _Drawing(game, each, seed).puzzle()),
    )


def hardest_level(game: Game) -> int:
    """The highest level of a board; 0 where there are no steps of reasoning."""
    method = method_of(game)
    if method is None:
        return 0
    return method.hardest_of_distinct if game.alphabet.distinct else method.hardest


def the_day(date: datetime.date | str) -> datetime.date:
    """A date as it is, or as it is written; InputError if it is none."""
    if isinstance(date, datetime.date):
        return date
    try:
        return datetime.date.fromisoformat(date)
    except (TypeError, ValueError):
        raise InputError(
            "date {date}: write year, month and day, such as 2026-11-22", date=quoted(date)
        ) from None


def day_seed(day: datetime.date) -> int:
    """The seed of what is the same for everybody on a day: 20261122."""
    return int(str(day).replace("-", ""))


def _numbers(seed: str) -> Callable[[], float]:
    """Draws numbers from 0 to 1, the same ones for a seed everywhere."""
    return random.Random(seed).random  # noqa: S311 (nobody is to be kept from guessing them)


class _Drawing:
    """Draws histories of a board until one is of the level."""

    def __init__(self, game: Game, level: int, seed: int) -> None:
        self.game, self.level, self.seed = game, level, seed
        self._random = _numbers(f"puzzle 1:{game}:{level}:{seed}")

    def puzzle(self) -> Puzzle | None:
        for _ in range(_DRAWS):
            secret = self._secret()
            turns = self._history(secret)
            # fewer turns are no easier
            if turns and (self.level > 3 or level_of(self.game, turns, self.level)):
                turns = self._minimal(turns)
                if level_of(self.game, turns, self.level) < self.level:
                    continue
                steps = self._solved(turns)
                enough = len(turns) > 1 or self.game.pegs < 3
                if steps and enough and max(step.level for step in steps) == self.level:
                    steps = tuple(step for step in steps if step.helps)
                    return Puzzle(self.game, self.level, self.seed, tuple(turns), secret, steps)
        return None

    def _secret(self) -> Code:
        if self.game.weights is None:
            secret: Code = self.game.secret(self._random_int(self.game.n_secrets))
            return secret
        ends = np.cumsum(self.game.weights)
        drawn: Code = self.game.secret(
            int(np.searchsorted(ends, self._random_int(int(ends[-1])), side="right"))
        )
        return drawn

    def _solved(self, turns: Sequence[Turn]) -> tuple[Deduction, ...]:
        """The steps that tell the code; none where steps of the level do not."""
        steps = reason(self.game, turns, self.level)
        placed = {place for step in steps for place, _ in step.placed}
        return steps if len(placed) == self.game.pegs else ()

    def _history(self, secret: Code) -> list[Turn]:
        """Turns after which only the secret is possible; none where many leave more."""
        alive, turns = all_secrets(self.game), list[Turn]()
        for _ in range(10 * self.game.pegs):
            guess = self._easy_guess(secret) if self.level == 1 else self._guess(turns)
            turn = Turn(guess, self.game.mark_of(guess, secret))
            if turn.mark != self.game.marking.winning:
                fitting = alive[self._fits(turn, alive)]
                if len(fitting) < len(alive):
                    alive = fitting
                    turns.append(turn)
                if len(alive) == 1:
                    return turns
        return []

    def _minimal(self, turns: list[Turn]) -> list[Turn]:
        """Some of the turns, none of which can be left out."""
        fits = [self._fits(turn, all_secrets(self.game)) for turn in turns]
        chosen = [*range(len(turns))]
        for k in sorted(chosen, key=lambda _: self._random()):
            fewer = [each for each in chosen if each != k]
            if fewer and np.logical_and.reduce([fits[each] for each in fewer]).sum() == 1:
                chosen = fewer
        return [turns[k] for k in chosen]

    def _guess(self, turns: Sequence[Turn]) -> Code:
        game, free = self.game, not self.game.alphabet.distinct
        if game.alphabet.are_words:
            word: Code = self.game.guess(self._random_int(game.n_guesses))
            return word
        colors = game.colors + game.alphabet.blank
        if free and turns and self._random() < _VARIED:
            pegs = list(turns[-1].guess)
            pegs[self._random_int(game.pegs)] = self._peg(colors)
            return Code(pegs)
        if free and self._random() < _FEW:
            pair = [self._peg(colors), self._peg(colors)]
            border = self._random_int(game.pegs + 1)
            return Code(pair[0] if place < border else pair[1] for place in range(game.pegs))
        pegs = list(range(game.colors)) if game.alphabet.distinct_secrets else []
        return Code(
            pegs.pop(self._random_int(len(pegs))) if pegs else self._peg(colors)
            for _ in range(game.pegs)
        )

    def _easy_guess(self, secret: Code) -> Code:
        """A guess whose mark tells much alone: no peg is in its place where marks are black only.

        Otherwise some pegs are right, or all but in other places, or all have one color.
        """
        game, colors, kind = self.game, self.game.colors, self._random()
        if game.alphabet.are_words:
            drawn = [self._guess(()) for _ in range(_WORDS)]
            return max(drawn, key=lambda word: sum(map(operator.eq, word, secret)))
        if kind < 0.6:
            match game.marking.reasoned:
                case "blacks":
                    shift = self._random_int(colors - 1)
                    free = [
                        shift if game.alphabet.distinct else self._random_int(colors - 1)
                        for _ in secret
                    ]
                    shifted = zip(secret, free, strict=True)
                    return Code((color + 1 + k) % colors for color, k in shifted)
                case "places" if not game.alphabet.distinct:
                    return Code(
                        color if self._random() < 0.4 else self._random_int(colors)
                        for color in secret
                    )
        if kind < 0.35:
            return Code(sorted(secret, key=lambda _: self._random()))
        if kind < 0.7 and not game.alphabet.distinct:
            return Code([self._random_int(colors)] * game.pegs)
        return self._guess(())

    def _fits(self, turn: Turn, numbers: I32) -> Bools:
        """Which of these codes would have given this mark to the guess."""
        marks = self.game.marks_against(turn.guess, numbers)
        return np.asarray(marks == self.game.mark_number(turn.mark))

    def _peg(self, colors: int) -> int:
        color = self._random_int(colors)
        return color if color < self.game.colors else HOLE

    def _random_int(self, limit: int) -> int:
        """A whole number from 0 to below the limit."""
        return int(self._random() * limit)
