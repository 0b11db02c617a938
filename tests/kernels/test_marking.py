"""Marks and how guesses split candidates by them, against the plain definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import CodeError
from pegwise.game import Mastermind, Rules, board_game, mark
from pegwise.game.marks import mark_pairs
from pegwise.kernels import numpy_backend
from pegwise.kernels.marking import mark_many, mark_rows, mark_table, score_codes, signatures
from pegwise.strategies.criteria import CRITERIA
from tests import naive
from tests.boards import any_rules, codes_of, guesses_of, marking_of, secrets_of, small_rules


@st.composite
def boards(draw: st.DrawFn) -> tuple[Rules, list[naive.Code], list[naive.Code]]:
    """Rules up to the largest, some guesses and some secrets."""
    rules = draw(any_rules())
    guesses = draw(st.lists(codes_of(rules), min_size=1, max_size=6))
    secrets = draw(st.lists(codes_of(rules, secret=True), min_size=1, max_size=6))
    return rules, guesses, secrets


def ids(rules: Rules) -> np.ndarray:
    """Number of a mark by black and by black + white, from the list of marks alone."""
    numbers = np.full((rules.pegs + 1, rules.pegs + 1), 255, np.uint8)
    for black in range(rules.pegs + 1):
        for common in range(black, rules.pegs + 1):
            white = 0 if rules.black else common - black
            if (black, white) in rules.marking.legal:
                numbers[black, common] = rules.marking.legal.index((black, white))
    return numbers


@given(boards())
def test_marks_agree_with_striking_off(
    board: tuple[Rules, list[naive.Code], list[naive.Code]],
) -> None:
    rules, guesses, secrets = board
    codes = np.array(guesses, np.uint8), np.array(secrets, np.uint8)
    g, s = (signatures(each, rules.colors) for each in codes)
    table = np.empty((len(guesses), len(secrets)), np.uint8)
    mark_table(g, s, ids(rules), table)
    assert np.array_equal(numpy_backend.mark_table(*codes, rules.colors, ids(rules)), table)
    for row, guess in enumerate(guesses):
        for column, secret in enumerate(secrets):
            expected = naive.mark(guess, secret, black_only=rules.black)
            assert rules.marking.legal[table[row, column]] == expected
            assert mark(guess, secret, black_only=rules.black) == expected
    every = np.arange(len(secrets), dtype=np.int32)
    first = np.empty(len(secrets), np.uint8)
    mark_many(g.places[0], g.counts[0], *s, every[::-1].copy(), ids(rules), first)
    assert first.tolist() == table[0, ::-1].tolist()


@given(boards())
def test_marks_of_many_pairs(board: tuple[Rules, list[naive.Code], list[naive.Code]]) -> None:
    rules, guesses, secrets = board
    pairs = list(zip(guesses, secrets, strict=False))
    rows, columns = (np.array(codes, np.uint8) for codes in zip(*pairs, strict=True))
    expected = [naive.mark(guess, secret, black_only=rules.black) for guess, secret in pairs]
    black, white = mark_pairs(rows, columns, black_only=rules.black)
    assert list(zip(black.tolist(), white.tolist(), strict=True)) == expected
    out = np.empty(len(pairs), np.uint8)
    mark_rows(rows, columns, Mastermind(rules).mark_ids, out)
    assert [rules.marking.legal[number] for number in out] == expected


@given(small_rules())
def test_the_game_marks_alike_in_every_way(rules: Rules) -> None:
    game = board_game(rules)
    guesses, secrets = guesses_of(rules), secrets_of(rules)
    random = np.random.default_rng(0)
    for guess in random.choice(len(guesses), min(len(guesses), 8), replace=False).tolist():
        expected = [naive.mark(guesses[guess], s, black_only=rules.black) for s in secrets]
        assert [game.mark(m) for m in game.marks(guess).tolist()] == expected
        assert [game.mark_of(guesses[guess], secret) for secret in secrets] == expected
        pairs = np.full(len(secrets), guess, np.int32), np.arange(len(secrets), dtype=np.int32)
        assert [game.mark(m) for m in game.mark_pairs(*pairs).tolist()] == expected
        assert [game.mark(m) for m in game.table[guess].tolist()] == expected
        some = random.permutation(len(secrets))[:5].astype(np.int32)
        assert [game.mark(m) for m in game.marks(guess, some)] == [expected[s] for s in some]


def test_codes_of_different_lengths_are_refused() -> None:
    with pytest.raises(CodeError):
        mark((0, 1, 2), (0, 1, 2, 3))


def test_signatures_of_no_codes() -> None:
    assert signatures(np.zeros((0, 4), np.uint8), 6).places.shape == (0, 1)


# scores


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@given(data=st.data())
def test_scores(criterion: str, data: st.DataObject) -> None:
    rules: Rules = data.draw(small_rules(10**12))
    some = st.lists(codes_of(rules, secret=True), min_size=1, max_size=12, unique=True)
    candidates = data.draw(some)
    guesses = data.draw(st.lists(codes_of(rules), min_size=1, max_size=6))
    rule, game = CRITERIA[criterion], board_game(rules)
    worth = rule.table(len(candidates))
    scores = np.empty(len(guesses), np.int64)
    score_codes(
        signatures(np.array(guesses, np.uint8), rules.colors),
        signatures(np.array(candidates, np.uint8), rules.colors),
        game.mark_ids,
        game.n_marks,
        worth,
        rule.additive,
        scores,
    )

    for guess, score in zip(guesses, scores.tolist(), strict=True):
        parts = naive.partition(guess, candidates, marking_of(rules))
        worths = [int(worth[len(part)]) for part in parts.values()]
        assert score == (sum(worths) if rule.additive else max(worths))
