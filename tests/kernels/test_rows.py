"""Marks of many guesses, each against its own secret."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import Mastermind, legal_marks
from pegwise.kernels.marking import mark_rows
from tests import naive
from tests.boards import any_rules, codes_of


@given(data=st.data())
def test_mark_rows(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    guesses = data.draw(st.lists(codes_of(rules), min_size=1, max_size=5))
    secrets = [data.draw(codes_of(rules, secret=True)) for _ in guesses]
    out = np.empty(len(guesses), np.uint8)
    mark_ids = Mastermind(rules).mark_ids
    mark_rows(np.array(guesses, np.uint8), np.array(secrets, np.uint8), mark_ids, out)
    marks = [legal_marks(rules)[number] for number in out]
    assert marks == [
        naive.mark(guess, secret, black_only=rules.black)
        for guess, secret in zip(guesses, secrets, strict=True)
    ]
