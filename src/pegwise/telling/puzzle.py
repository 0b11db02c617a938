"""What is told of puzzles: the question, its turns, and the code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pegwise.errors import Phrase
from pegwise.game import Notation
from pegwise.game.notation import LETTERS
from pegwise.i18n import tr
from pegwise.telling.blocks import Block, Sentence, TurnList
from pegwise.telling.reasoning import possible_colors, steps_list

if TYPE_CHECKING:
    from pegwise.game import Code, Game
    from pegwise.knowledge.puzzles import Puzzle


def question(rules: Game) -> str:
    """What a puzzle asks."""
    if rules.alphabet.are_words:
        return tr("Which word fits all turns?")
    return tr("Which code fits all turns?")


def asked(
    puzzle: Puzzle, notation: Notation = LETTERS, hints: int = 0, *, solved: bool = False
) -> Iterator[Block]:
    """A puzzle with its question, some hints, and what is possible after them, or its code."""
    name = tr(
        "Puzzle {rules}, level {level}, seed {seed}.",
        rules=puzzle.game.named,
        level=puzzle.level,
        seed=str(puzzle.seed),
    )
    yield Sentence(f"{name} {question(puzzle.game)}", "heading")
    yield TurnList(puzzle.turns)
    if hints:
        yield steps_list(puzzle.steps[:hints], puzzle.game, puzzle.turns, notation)
    if solved:
        words = Phrase("The code is {code}.", code=puzzle.solution)
        if puzzle.game.alphabet.are_words:
            words = Phrase("The word is {code}.", code=puzzle.solution)
        yield Sentence(tr(words))
    elif hints:
        yield possible_colors(puzzle.steps[:hints], puzzle.game)


def hint(puzzle: Puzzle, number: int, notation: Notation = LETTERS) -> Iterator[Block]:
    """A step by its number, and what is possible after it and those before it."""
    step = puzzle.steps[number - 1]
    yield steps_list([step], puzzle.game, puzzle.turns, notation, first=number)
    yield possible_colors(puzzle.steps[:number], puzzle.game)


def misfit(puzzle: Puzzle, code: Code) -> str:
    """That a code does not fit, and the first turn that it does not fit."""
    return tr("{code} does not fit: see turn {n}.", code=code, n=puzzle.misfits(code)[0])
