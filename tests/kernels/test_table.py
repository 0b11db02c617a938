"""The best guess on a table of marks, against the plain definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import Rules, mastermind
from pegwise.kernels.splitting import best_guess, score_guesses
from pegwise.strategies.criteria import CRITERIA
from tests import naive
from tests.boards import small_rules

ALL = sorted(CRITERIA)


def choose(
    table: np.ndarray,
    candidates: list[int],
    secret_of_guess: np.ndarray,
    guess_of_secret: np.ndarray,
    criterion: str,
    then: str | None,
    only_candidates: bool,
) -> int:
    """The kernel, called as the strategies call it."""
    first, second = CRITERIA[criterion], CRITERIA[then or criterion]
    n = table.shape[1]
    return int(
        best_guess(
            table,
            np.array(candidates, np.int32),
            secret_of_guess,
            guess_of_secret,
            int(table.max()) + 1,
            only_candidates,
            first.table(n),
            first.additive,
            second.table(n),
            second.additive,
            then is not None,
        )
    )


@given(
    rules=small_rules(codes=140),
    data=st.data(),
    criterion=st.sampled_from(ALL),
    then=st.sampled_from([None, *ALL]),
    only_candidates=st.booleans(),
)
def test_on_boards(
    rules: Rules, data: st.DataObject, criterion: str, then: str | None, only_candidates: bool
) -> None:
    game = mastermind(rules)
    guesses = naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)
    secrets = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    numbers = st.integers(0, len(secrets) - 1)
    left = sorted(data.draw(st.sets(numbers, min_size=1, max_size=40)))
    expected = naive.one_step(
        criterion,
        guesses,
        [secrets[number] for number in left],
        lambda guess, secret: naive.mark(guess, secret, black_only=rules.black),
        then=then,
        only_candidates=only_candidates,
    )
    found = choose(
        game.table,
        left,
        game.secret_of_guess,
        game.guess_of_secret,
        criterion,
        then,
        only_candidates,
    )
    assert guesses[found] == expected


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random marks, secrets at random places among the guesses: few marks, so many ties."""
    n_secrets = draw(st.integers(1, 12))
    n_guesses = draw(st.integers(n_secrets, 20))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    guess_of_secret = random.permutation(n_guesses)[:n_secrets].astype(np.int32)
    secret_of_guess = np.full(n_guesses, -1, np.int32)
    secret_of_guess[guess_of_secret] = np.arange(n_secrets)
    n_marks = draw(st.sampled_from([1, 2, 3, 300]))
    table = random.integers(1, n_marks + 1, (n_guesses, n_secrets)).astype(np.uint16)
    table[guess_of_secret, np.arange(n_secrets)] = 0
    return table, secret_of_guess, guess_of_secret


@given(
    drawn=tables(),
    data=st.data(),
    criterion=st.sampled_from(ALL),
    then=st.sampled_from([None, *ALL]),
    only_candidates=st.booleans(),
)
def test_on_any_table(
    drawn: tuple[np.ndarray, np.ndarray, np.ndarray],
    data: st.DataObject,
    criterion: str,
    then: str | None,
    only_candidates: bool,
) -> None:
    table, secret_of_guess, guess_of_secret = drawn
    numbers = st.integers(0, table.shape[1] - 1)
    left = sorted(data.draw(st.sets(numbers, min_size=1)))
    expected = naive.one_step(
        criterion,
        range(len(table)),
        [int(guess_of_secret[number]) for number in left],
        lambda guess, candidate: int(table[guess, secret_of_guess[candidate]]),
        then=then,
        only_candidates=only_candidates,
    )
    found = choose(table, left, secret_of_guess, guess_of_secret, criterion, then, only_candidates)
    assert found == expected


@pytest.mark.parametrize("criterion", ALL)
def test_scores_of_all_guesses(criterion: str) -> None:
    game = mastermind("3x3,blank")
    left = [0, 3, 4, 11, 12, 20, 26]
    out = np.empty(game.n_guesses, np.int64)
    chosen = CRITERIA[criterion]
    score_guesses(
        game.table,
        np.array(left, np.int32),
        game.n_marks,
        chosen.table(game.n_secrets),
        chosen.additive,
        out,
    )
    secrets = [naive.secrets(3, 3)[number] for number in left]
    assert out.tolist() == [
        naive.CRITERIA[criterion](
            [len(part) for part in naive.partition(guess, secrets, naive.mark).values()]
        )
        for guess in naive.guesses(3, 3, blank=True)
    ]


def test_worth_of_entropy_is_exactly_rounded() -> None:
    # 1296 candidates and more than a double can hold to 2**-40
    worth = CRITERIA["entropy"].table(5040)
    assert worth.tolist() == [0, *(naive.bits(n) for n in range(1, 5041))]
