"""Mastermind as a game by number: every number and every code find each other."""

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from pegwise.errors import CodeError, InputError, TooLargeError
from pegwise.game import HOLE, Mastermind, Rules, all_secrets, board_game, game_of
from pegwise.game.game import MAX_WEIGHT
from tests.boards import guesses_of, secrets_of, small_rules


@given(small_rules(codes=1500))
def test_numbers_and_codes_find_each_other(rules: Rules) -> None:
    game = board_game(rules)
    guesses = guesses_of(rules)
    secrets = secrets_of(rules)
    assert [game.guess(number) for number in range(game.n_guesses)] == guesses
    assert [game.secret(number) for number in range(game.n_secrets)] == secrets
    assert [game.guess_number(guess) for guess in guesses] == list(range(len(guesses)))
    assert [guesses[number] for number in game.guess_of_secret] == secrets
    numbers = {secret: number for number, secret in enumerate(secrets)}
    backwards = [numbers.get(guess, -1) for guess in guesses]
    assert game.secret_of_guess.tolist() == backwards
    assert all_secrets(game).tolist() == list(range(len(secrets)))


def test_a_board_is_shared_also_after_pickling() -> None:
    game = board_game(Rules.parse("4x6"))
    assert board_game(Rules(4, 6)) is game == board_game(Rules.parse("classic"))
    assert pickle.loads(pickle.dumps(game)) is game
    assert eval(repr(game), {"game_of": game_of}) == game
    assert game.name == "4x6"


def test_weights_survive_pickling_and_cannot_be_changed() -> None:
    game = Mastermind(Rules(2, 2), weights=[3, 1, 1, 3])
    twin = pickle.loads(pickle.dumps(game))
    assert twin.weights.tolist() == [3, 1, 1, 3]
    assert eval(repr(game), {"game_of": game_of}) == game
    with pytest.raises(ValueError):
        twin.weights[0] = 1


@pytest.mark.parametrize(
    "weights",
    [
        *(5, "abc", b"abc", {1: 2}, [], [1, 2], [[1], [1], [1], [1]], [[1, 2], [1]]),
        *([1.0] * 4, ["a"] * 4, [True] * 4, [None] * 4, [-1, 1, 1, 1], [0] * 4),
        *([2**63] * 4, [2**62] * 4, [10**30] * 4, [MAX_WEIGHT, 1, 0, 0]),
    ],
)
def test_weights_that_are_refused(weights: object) -> None:
    with pytest.raises(InputError):
        Mastermind(Rules(2, 2), weights=weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", [(1, 2, 3, 4), np.arange(4, dtype=np.uint8), [0, 0, 0, 1]])
def test_weights_of_other_types(weights: object) -> None:
    game = Mastermind(Rules(2, 2), weights=weights)  # type: ignore[arg-type]
    assert game.weights is not None
    assert game.weights.dtype == np.int64


@pytest.mark.parametrize("text", ["16x26", "16x26,distinct", "8x9", "16x4"])
def test_a_board_too_large_to_list_says_so(text: str) -> None:
    game = board_game(Rules.parse(text))
    assert game.n_marks > 1
    assert game.mark_of([0] * game.rules.pegs, [0] * game.rules.pegs) == (game.rules.pegs, 0)
    uses: list[Callable[[], object]] = [
        lambda: all_secrets(game),
        lambda: game.secret_of_guess,
        lambda: game.guess_of_secret,
        lambda: game.marks(0),
    ]
    for use in uses:
        with pytest.raises(TooLargeError):
            use()


def test_numbers_on_a_board_too_large_to_list() -> None:
    assert board_game(Rules.parse("16x26")).guess_number([25] * 16) == 26**16 - 1
    assert board_game(Rules.parse("16x26,distinct")).guess_number(range(16)) == 0
    last = board_game(Rules.parse("16x26,distinct")).guess_number(range(25, 9, -1))
    assert last == math.perm(26, 16) - 1
    empty = board_game(Rules.parse("16x26,distinct,blank"))
    assert empty.guess_number([HOLE] * 16) == empty.n_guesses - 1
    with pytest.raises(CodeError, match="3 pegs, but a code of 16x26 has 16"):
        board_game(Rules.parse("16x26")).guess_number([0, 1, 2])
