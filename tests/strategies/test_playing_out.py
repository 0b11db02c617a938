"""Guesses compared by playing the rest of the game: against games that are really played."""

import numpy as np
import pytest

from pegwise.game import Code, Mastermind, mark, mastermind
from pegwise.strategies.base import Decision
from pegwise.strategies.sampling import Rollout, Sampling, best_played_out
from tests import naive


def guesses_of(decision: Decision, secret: Code) -> int:
    """Guesses needed from here on."""
    guesses = 1
    while decision.guess != secret:
        decision = decision.after(mark(decision.guess, secret))
        guesses += 1
    return guesses


def parts(game: Mastermind, guess: Code) -> list[list[Code]]:
    """Secrets by the mark that they give a guess."""
    every = [list(map(int, code)) for code in game.secret_codes]
    split = naive.partition(list(guess), every, naive.mark).values()
    return [[Code(code) for code in part] for part in split if Code(part[0]) != guess]


@pytest.mark.parametrize("board", ["3x4", "4x5", "4x4,distinct", "5x3"])
def test_what_is_foreseen_is_what_is_played(board: str) -> None:
    game = mastermind(board)
    begun = Sampling(ahead=0).begin(game)
    for part in parts(game, begun.guess):
        decision = begun.after(mark(begun.guess, part[0]))
        foreseen = Rollout(game).total(np.array(part, np.uint8))
        assert foreseen == sum(guesses_of(decision, secret) for secret in part)


@pytest.mark.parametrize("board", ["4x5", "4x6,distinct", "6x3"])
def test_games_that_were_played_out_are_no_longer(board: str) -> None:
    game = mastermind(board)
    shorter = 0
    for part in parts(game, Sampling().begin(game).guess):
        lengths = []
        for ahead in (0, 10_000):
            begun = Sampling(ahead=ahead).begin(game)
            decision = begun.after(mark(begun.guess, part[0]))
            lengths.append(sum(guesses_of(decision, secret) for secret in part))
        assert lengths[1] <= lengths[0]
        shorter += lengths[1] < lengths[0]
    assert shorter


def test_a_guess_that_wins_or_tells_all() -> None:
    game = mastermind("4x6")
    two = np.array([[0, 1, 2, 3], [3, 2, 1, 0]], np.uint8)
    assert best_played_out(game, two) == Code(two[0].tolist())
    # one of these tells the others apart, and may be the secret itself
    told = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]], np.uint8)
    assert best_played_out(game, told) in {Code([0, 0, 0, 0]), Code([0, 1, 1, 1])}
