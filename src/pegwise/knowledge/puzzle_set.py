"""Sets of puzzles for tests of people and programs: no two alike, each with wrong answers.

What is drawn depends on rules, levels and seed alone, as with single puzzles; so does the text of
a record, which has its sentences in all languages.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt
from typing import Any, Final

from pegwise.errors import InputError
from pegwise.game import HOLE, Code, Game, Turn, all_secrets, game_of
from pegwise.i18n import LANGUAGES, speaking
from pegwise.knowledge.puzzles import Puzzle, puzzle

WRONG: Final = 4
"""Wrong answers of a puzzle."""

_IN_A_ROW: Final = 25
"""So many puzzles that there are already end a set: the board has hardly another one."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A code that is not the solution.

    Attributes:
        code: the code.
        contradicts: the turns, from 1, that would have another mark if it were the code.
        places: in how many places it differs from the solution.
    """

    code: Code
    contradicts: tuple[int, ...]
    places: int


class PuzzleSet:
    """Puzzles of a board, no two of which are alike but for the names of colors.

    Args:
        rules: the board.
        levels: they take turns; by default the level of each depends on its seed.
        seed: that of the first puzzle; the following ones have the following seeds.

    Attributes:
        repeated: how many that were drawn were left out, since they were there already.
    """

    def __init__(self, rules: Game, levels: Sequence[int] = (), seed: int = 0) -> None:
        self.rules, self.levels, self.seed = rules, tuple(levels), seed
        self.repeated = 0

    def draw(self, count: int) -> Iterator[Puzzle]:
        """Draw `count` puzzles; InputError where the board has fewer, or none of a level."""
        kinds, seed = set[tuple[object, ...]](), self.seed
        for number in range(count):
            level = self.levels[number % len(self.levels)] if self.levels else None
            for _ in range(_IN_A_ROW):
                drawn = puzzle(self.rules, level=level, seed=seed)
                seed += 1
                if (kind := kind_of(drawn)) not in kinds:
                    kinds.add(kind)
                    yield drawn
                    break
                self.repeated += 1
            else:
                raise self._no_more(number, level)

    def _no_more(self, number: int, level: int | None) -> InputError:
        if level is None:
            return InputError(
                "no more than {n} puzzles of {rules} that differ are drawn",
                n=number,
                rules=self.rules,
            )
        return InputError(
            "after {n} puzzles of {rules} no other one of level {level} is drawn",
            n=number,
            rules=self.rules,
            level=level,
        )


def kind_of(drawn: Puzzle) -> tuple[object, ...]:
    """A key that puzzles share if they differ in names of colors and in the order of turns only.

    Letters of words have no other names.
    """
    if not drawn.game.alphabet.named:
        return tuple(sorted((str(turn.guess), str(turn.mark)) for turn in drawn.turns))
    return tuple(_smallest(drawn.turns, {HOLE: HOLE}))


def _smallest(turns: Sequence[Turn], names: Mapping[int, int]) -> list[tuple[object, ...]]:
    """The turns with colors renamed from 0, in the order and with the names that come first."""
    if not turns:
        return []
    renamed = [_renamed(turn, names) for turn in turns]
    first = min(row for row, _ in renamed)
    rests = [
        _smallest([*turns[:k], *turns[k + 1 :]], more)
        for k, (row, more) in enumerate(renamed)
        if row == first
    ]
    return [first, *min(rests)]


def _renamed(turn: Turn, names: Mapping[int, int]) -> tuple[tuple[object, ...], dict[int, int]]:
    """A turn with colors renamed, new ones in their order; and all names."""
    names = dict(names)
    pegs = tuple(names.setdefault(color, len(names) - 1) for color in turn.guess)
    return (str(turn.mark), *pegs), names


def wrong_answers(drawn: Puzzle) -> list[WrongAnswer]:
    """Four codes that are wrong, from the closest to any; all of them where there are fewer.

    The codes that were not guessed are ordered by the number of turns that they contradict, then by
    the places in which they differ from the solution. Of n codes, the answers are drawn from the
    first n ** 1/4, those up to n ** 1/2, those up to n ** 3/4, and the rest.
    """
    rules, game = drawn.game, game_of(drawn.game)
    numbers = all_secrets(game)
    contradicted = sum(
        (game.marks_against(turn.guess, numbers) != game.mark_number(turn.mark)).astype(int)
        for turn in drawn.turns
    )
    guessed = {turn.guess for turn in drawn.turns} | {drawn.solution}
    codes = [(int(n), game.secret(k)) for n, k in zip(contradicted, numbers, strict=True)]
    ranked = sorted(
        (n, _places(code, drawn.solution), code) for n, code in codes if code not in guessed
    )
    chosen = [*range(len(ranked))]
    if len(ranked) > WRONG:
        root = isqrt(len(ranked))
        first = max(isqrt(root), 1)
        second = max(root, first + 1)
        limits = [0, first, second, max(root * isqrt(root), second + 1), len(ranked)]
        seed = f"wrong answers 1:{rules}:{drawn.level}:{drawn.seed}"
        draw = random.Random(seed).random  # noqa: S311 (nobody is to be kept from guessing it)
        chosen = [low + int(draw() * (high - low)) for low, high in pairwise(limits)]
    return [
        WrongAnswer(code, tuple(drawn.misfits(code)), places)
        for _, places, code in (ranked[k] for k in chosen)
    ]


def _places(code: Code, solution: Code) -> int:
    return sum(a != b for a, b in zip(code, solution, strict=True))


def record(drawn: Puzzle) -> dict[str, Any]:
    """A puzzle as JSON with its sentences in all languages, and wrong answers."""
    document = drawn.document()
    for step in document["steps"]:
        _without_text(step)
    sentences = {}
    for language in LANGUAGES:
        with speaking(language):
            sentences[language] = drawn.sentences
    wrong = [
        {"code": str(each.code), "contradicts": list(each.contradicts), "places": each.places}
        for each in wrong_answers(drawn)
    ]
    return {**document, "sentences": sentences, "wrong": wrong}


def _without_text(step: dict[str, Any]) -> None:
    del step["text"]
    for inner in step["chain"]:
        _without_text(inner)
