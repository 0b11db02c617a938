"""The exact search of any finite game, against a plain solver."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.game import Code, FiniteGame, Mark, Rules, mark, parse_code
from pegwise.knowledge import candidates
from pegwise.search.exact.optimal import find_optimum
from pegwise.trees.verify import verify
from tests import naive


@st.composite
def finite_games(draw: st.DrawFn) -> tuple[FiniteGame, list[int]]:
    """A random game of up to seven secrets, extra guesses, few or many marks, random weights."""
    n_secrets = draw(st.integers(1, 7))
    n_more = draw(st.integers(0, 4))
    n_marks = draw(st.sampled_from([1, 2, 3, 5, 40, 70]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    guesses = list(range(n_secrets + n_more))
    rows = generator.integers(0, n_marks, (len(guesses), n_secrets)).tolist()
    for secret in range(n_secrets):
        rows[secret][secret] = "won"
    weights = generator.integers(0, draw(st.sampled_from([2, 4, 1000])), n_secrets).tolist()
    weights[0] += 1
    return FiniteGame(guesses[:n_secrets], rows, guesses, weights=weights), weights


@settings(max_examples=200, deadline=None)
@given(finite_games(), st.sampled_from([None, None, 2, 3, 4]), st.booleans())
def test_finite_games_agree_with_plain_solver(
    made: tuple[FiniteGame, list[int]], most: int | None, candidates_only: bool
) -> None:
    game, weights = made
    own = game.guess_of_secret.tolist()
    expected = naive.best_total(
        game.table.tolist(), own, weights, most=most, candidates_only=candidates_only
    )
    found = find_optimum(game, max_guesses=most, guesses="candidates" if candidates_only else "all")
    assert found.proven
    assert (None if found.tree is None else found.tree.total) == expected


def test_candidates_only_of_a_position_as_a_game_of_its_own() -> None:
    """Guesses that are not allowed must not be looked at: here they would look better than all."""
    rules = Rules(4, 6)
    left = candidates(rules, [(parse_code("AABB", rules), Mark(1, 0))])
    own = FiniteGame(left, mark, name="own codes")
    more = FiniteGame(left, mark, [Code(code) for code in naive.secrets(4, 6)], name="all codes")
    found = [find_optimum(game, guesses="candidates") for game in (own, more)]
    assert [answer.tree.total for answer in found if answer.tree] == [899, 899]
    assert all(answer.proven for answer in found)


@settings(max_examples=60, deadline=None)
@given(finite_games())
def test_worst_case_of_finite_games(made: tuple[FiniteGame, list[int]]) -> None:
    game, _ = made
    table, own = game.table.tolist(), game.guess_of_secret.tolist()
    least = next(
        most
        for most in range(1, len(own) + 1)
        if naive.best_total(table, own, [1] * len(own), most=most) is not None
    )
    found = find_optimum(game, objective="worst")
    assert found.tree is not None
    assert found.tree.worst == found.lower_bound == least


def test_only_right_or_wrong() -> None:
    """Nothing is learnt but one code at a time: 1 + 2 + ... + n guesses, a stack n deep."""
    game = FiniteGame(range(60), lambda guess, secret: guess == secret)
    found = find_optimum(game)
    assert found.tree is not None
    assert found.tree.total == 60 * 61 // 2
    assert found.tree.worst == 60


def test_words_with_positional_marks() -> None:
    """A word list with marks letter by letter, and guesses that cannot be secrets."""
    secrets = ["crane", "slate", "trace", "crate", "caret", "react", "pleat", "shale"]
    guesses = [*secrets, "fuzzy", "pluck", "track"]

    def marking(guess: str, secret: str) -> str:
        return "".join(
            "g" if g == s else "y" if g in secret else "-"
            for g, s in zip(guess, secret, strict=True)
        )

    game = FiniteGame(secrets, marking, guesses)
    found = find_optimum(game)
    marks = [[marking(g, s) for s in secrets] for g in guesses]
    assert found.tree is not None
    assert found.tree.total == naive.best_total(marks, list(range(8)), [1] * 8)
    assert verify(found.tree).valid
