"""A game that defines no more than the base class asks for is played, built and solved."""

from typing import Any

import pytest

import pegwise
from pegwise.coach.advice import Position, rank
from pegwise.coach.review import review
from pegwise.errors import CodeError, MarkError
from pegwise.game import Game
from pegwise.playing.record import Record

MARKS = ("lower", "higher", "right")


class Between(Game):
    """A number from 1 to 10 is hidden; the mark says whether it is lower, higher or right."""

    name = "1 to 10"
    n_secrets = n_guesses = 10
    n_marks, winning = len(MARKS), MARKS.index("right")

    def guess(self, number: int) -> int:
        return number + 1

    secret = guess

    def mark(self, number: int) -> str:
        return MARKS[number]

    def guess_number(self, guess: Any) -> int:
        if guess not in range(1, 11):
            raise CodeError("{guess} is no number from 1 to 10", guess=repr(guess))
        return int(guess) - 1

    def mark_number(self, mark: Any) -> int:
        if mark not in MARKS:
            raise MarkError("{mark} is no mark", mark=repr(mark))
        return MARKS.index(mark)

    def mark_of(self, guess: Any, secret: Any) -> str:
        return "right" if guess == secret else "lower" if secret < guess else "higher"


def test_table_and_numbers_follow_from_the_marking() -> None:
    game = Between()
    assert game.table.tolist() == [
        [game.mark_number(game.mark_of(g, s)) for s in range(1, 11)] for g in range(1, 11)
    ]
    assert game.guess_of_secret.tolist() == game.secret_of_guess.tolist() == list(range(10))
    assert (game.rules, game.board, str(game)) == (None, None, "1 to 10")


@pytest.mark.parametrize("strategy", ["knuth", "irving", "viaud", "optimal"])
def test_halving(strategy: str) -> None:
    # 1 number with one guess, 2 with two, 4 with three: as halving finds them
    tree = pegwise.build(Between(), strategy)
    assert (tree.worst, pegwise.verify(tree).valid) == (4, True)
    assert tree.total >= 29


def test_searches() -> None:
    game = Between()
    optimum = pegwise.find_optimum(game)
    assert (optimum.tree.total, optimum.proven) == (1 + 2 * 2 + 4 * 3 + 3 * 4, True)
    assert pegwise.bounds(game).viaud_q0 == 4
    assert [str(turn) for turn in pegwise.play(game, "optimal", 10)][-1] == "10=right"


def test_guesses_are_compared_and_reviewed() -> None:
    game = Between()
    position = Position(game, [(5, "higher")])
    assert (position.count, rank(position).best.guess) == (5, 8)
    turns = [(5, "higher"), (8, "lower"), (7, "right")]
    reviewed = review(Record(game, turns, "solved"))  # type: ignore[arg-type]
    assert [turn.after for turn in reviewed.turns] == [5, 2, 1]
