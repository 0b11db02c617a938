"""Codemakers: the evil one leaves most candidates and never contradicts itself."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import CodeError, ContradictionError
from pegwise.game import Code, Mark, Rules, Turn, Word, mark_of, mastermind, parse_code
from pegwise.knowledge.codemaker import Evil, Hidden, draw_secret
from tests import naive
from tests.boards import any_rules, codes_of, marking_of, secrets_of, small_rules


@settings(max_examples=50)
@given(rules=small_rules(300), data=st.data())
def test_evil_leaves_most_candidates_until_one_is_left(rules: Rules, data: st.DataObject) -> None:
    evil = Evil(rules)
    candidates = secrets_of(rules)
    turns: list[Turn] = []
    for _ in range(data.draw(st.integers(1, 4))):
        guess = Code(data.draw(codes_of(rules)))
        parts = naive.partition(guess, candidates, marking_of(rules))
        answer = evil.answer(turns, guess)
        assert answer == evil.answer(tuple(turns), guess)
        most = max(len(part) for part in parts.values())
        assert len(parts[answer]) == most
        # of equal parts, the one that tells of fewest blacks, then whites
        assert answer == min(mark for mark, part in parts.items() if len(part) == most)
        candidates = parts[answer]
        turns.append(Turn(guess, answer))
        assert evil.reveal(turns) == candidates[0]


@pytest.mark.parametrize(
    ("board", "guesses"), [("8x12", ["ABCDEFGH", "IJKLABCD"]), ("wordle", ["ABACI"])]
)
def test_evil_reveals_codes_of_large_boards_and_words(board: str, guesses: list[str]) -> None:
    evil, turns = Evil(Rules.parse(board)), list[Turn]()
    for text in guesses:
        guess = parse_code(text, evil.rules)
        turns.append(Turn(guess, evil.answer(turns, guess)))
    secret = evil.reveal(turns)
    assert all(mark_of(evil.rules, guess, secret) == mark for guess, mark in turns)
    assert isinstance(secret, Word) == (board == "wordle")


def test_contradictory_turns_are_refused() -> None:
    rules = Rules(4, 6)
    turns = [Turn(Code([0, 0, 0, 0]), Mark(1)), Turn(Code([0, 0, 0, 0]), Mark(2))]
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        Evil(rules).answer(turns, Code([0, 1, 2, 3]))
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        Evil(rules).reveal(turns)
    hidden = Hidden(rules, Code([0, 1, 2, 3]))
    assert hidden.reveal(turns[:1]) == (0, 1, 2, 3)
    with pytest.raises(ContradictionError, match="AAAA=XX is not a mark"):
        hidden.reveal(turns)


@given(rules=any_rules(), data=st.data())
def test_a_hidden_code_marks_by_the_definition(rules: Rules, data: st.DataObject) -> None:
    secret, guess = data.draw(codes_of(rules, secret=True)), data.draw(codes_of(rules))
    hidden = Hidden(rules, secret)
    assert hidden.answer((), Code(guess)) == naive.mark(guess, secret, black_only=rules.black)
    assert hidden.reveal(()) == secret


def test_a_hidden_code_must_be_a_secret() -> None:
    with pytest.raises(CodeError, match="no color may come twice"):
        Hidden(Rules(4, 6, distinct_secrets=True), (0, 0, 1, 2))


@pytest.mark.parametrize("board", ["3x3", "3x4,distinct", "2x5,distinct-secrets", "1x7"])
def test_every_secret_is_drawn_with_the_same_chance(board: str) -> None:
    rules = Rules.parse(board)
    draws = 200 * rules.n_secrets
    drawn = Counter(draw_secret(rules, seed) for seed in range(draws))
    game = mastermind(rules)
    assert set(drawn) == {game.secret(number) for number in range(game.n_secrets)}
    # chi-square, with a mean of n - 1 and a variance of 2 (n - 1)
    n = rules.n_secrets
    distance = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert abs(distance - (n - 1)) < 4 * (2 * (n - 1)) ** 0.5


def test_a_seed_decides() -> None:
    rules = Rules(16, 26)
    assert draw_secret(rules, 1) == draw_secret(rules, 1) != draw_secret(rules, 2)
    # kept games are found again by later versions
    assert [str(draw_secret(Rules(4, 6), seed)) for seed in range(3)] == ["EDDF", "CCEE", "CAFB"]
    assert str(draw_secret(Rules(4, 10, distinct=True), 7)) == "GAID"
