"""Scores of guesses on candidates, against the plain definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import Rules, mastermind
from pegwise.kernels.marking import signatures
from pegwise.kernels.splitting import score_codes
from pegwise.strategies.criteria import CRITERIA
from tests import naive
from tests.boards import codes_of, small_rules


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@given(data=st.data())
def test_scores(criterion: str, data: st.DataObject) -> None:
    rules: Rules = data.draw(small_rules(10**12))
    some = st.lists(codes_of(rules, secret=True), min_size=1, max_size=12, unique=True)
    candidates = data.draw(some)
    guesses = data.draw(st.lists(codes_of(rules), min_size=1, max_size=6))
    which = data.draw(st.lists(st.integers(0, len(guesses) - 1), min_size=1, max_size=6))
    rule, game = CRITERIA[criterion], mastermind(rules)
    worth = rule.table(len(candidates))
    scores = np.empty(len(which), np.int64)
    score_codes(
        *signatures(np.array(guesses, np.uint8), rules.colors),
        np.array(which, np.int32),
        *signatures(np.array(candidates, np.uint8), rules.colors),
        game.mark_ids,
        game.n_marks,
        worth,
        rule.additive,
        scores,
    )

    def marking(guess: tuple[int, ...], secret: tuple[int, ...]) -> tuple[int, int]:
        return naive.mark(guess, secret, black_only=rules.black)

    for guess, score in zip(which, scores.tolist(), strict=True):
        parts = naive.partition(guesses[guess], candidates, marking)
        worths = [int(worth[len(part)]) for part in parts.values()]
        assert score == (sum(worths) if rule.additive else max(worths))
