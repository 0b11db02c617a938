"""Decisions that can go on from a guess that is not their own."""

import random
from typing import Any

import pytest

from pegwise.errors import CodeError, ContradictionError, MissingExtraError
from pegwise.game import Code, Game, Mark, mastermind
from pegwise.strategies import Decision, instead, load
from pegwise.strategies.forget import Endgame
from tests.strategies.test_contract import mark_of, words

ANY_GAME = ("first", "random", "knuth", "irving", "entropy", "parts")
ADAPTING = (*ANY_GAME, "constraint")
BOARDS = ("3x4", "3x4,distinct", "3x3,blank", "3x3,black")


def begin(name: str, game: Game) -> Decision:
    try:
        return load(name).begin(game)
    except MissingExtraError as error:
        pytest.skip(str(error))


def after(decision: Decision, guess: Any, mark: Any) -> Decision:
    following = instead(decision, guess, mark)
    assert following is not None
    return following


@pytest.mark.parametrize(
    ("name", "board"),
    [(name, board) for name in ADAPTING for board in BOARDS] + [(n, "words") for n in ANY_GAME],
)
def test_a_code_is_found_whatever_was_played_first(name: str, board: str) -> None:
    game: Game = words() if board == "words" else mastermind(board)
    draw = random.Random(board)
    for _ in range(5):
        secret = game.secret(draw.randrange(game.n_secrets))
        decision = begin(name, game)
        candidates = [game.secret(number) for number in range(game.n_secrets)]
        for turn in range(20):
            guess = decision.guess if turn > 1 else game.guess(draw.randrange(game.n_guesses))
            if guess == secret:
                break
            mark = mark_of(game, guess, secret)
            candidates = [code for code in candidates if mark_of(game, guess, code) == mark]
            following = after(decision, guess, mark)
            if guess == decision.guess:
                assert decision.after(mark).guess == following.guess
            decision = following
            if "consistent" in load(name).card.traits:
                assert decision.guess in candidates
        else:
            raise AssertionError(f"{name} does not find {secret} of {board}")


@pytest.mark.parametrize("board", ["4x6", "4x12", "4x7,distinct-secrets", "4x5,black"])
def test_the_endgame_of_forget_goes_on_after_any_guess(board: str) -> None:
    game = mastermind(board)
    draw = random.Random(board)
    for _ in range(5):
        secret = game.secret(draw.randrange(game.n_secrets))
        decision = begin("forget-entropy", game)
        turns: list[tuple[Code, Mark]] = []
        foreign = False
        while decision.guess != secret:
            assert len(turns) < 20
            guess = decision.guess
            if isinstance(decision, Endgame) and not foreign:
                guess, foreign = game.guess(draw.randrange(game.n_guesses)), True
            mark = mark_of(game, guess, secret)
            turns.append((guess, mark))
            own = guess == decision.guess
            decision = decision.after(mark) if own else after(decision, guess, mark)
        assert all(mark_of(game, guess, decision.guess) == mark for guess, mark in turns)


@pytest.mark.parametrize("name", ADAPTING)
def test_what_cannot_be_is_refused(name: str) -> None:
    decision = begin(name, mastermind("3x4"))
    with pytest.raises(CodeError):
        after(decision, Code([0, 0, 4]), Mark(0))
    one_a = after(decision, Code([0, 0, 0]), Mark(1))
    with pytest.raises(ContradictionError):
        _ = after(one_a, Code([0, 0, 0]), Mark(2)).guess
