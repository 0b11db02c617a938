"""The value of the game against naive enumeration, published values, and itself when resumed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import DataFileError, InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, mastermind
from pegwise.search.certificates.claims import GameValue, classes_of
from pegwise.search.checkpoint import ValueCheckpoint
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.value import ValueSearch, find_value, solve_game
from pegwise.trees import Tree
from tests import naive

# the program


def test_matching_pennies() -> None:
    solution = solve_game([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]])
    half = Fraction(1, 2)
    assert solution == (Fraction(3, 2), (half, half), (half, half))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda rows: st.lists(
            st.lists(st.integers(1, 9), min_size=rows, max_size=rows), min_size=1, max_size=8
        )
    )
)
def test_a_solution_proves_itself(columns: list[list[int]]) -> None:
    value, rows, played = solve_game([[Fraction(x) for x in column] for column in columns])
    assert sum(rows) == sum(played) == 1
    assert min(*rows, *played, Fraction(0)) >= 0
    assert min(sum(q * x for q, x in zip(rows, c, strict=True)) for c in columns) == value
    means = [
        sum(p * column[i] for p, column in zip(played, columns, strict=True))
        for i in range(len(rows))
    ]
    assert max(means) == value


# small games, by trying everything


def naive_depth(tree: Tree, guesses: list[Any], secret: Any, marking: naive.Marking) -> int:
    """Guesses of a tree for a secret, played by the plain definition."""
    nodes = tree.nodes
    played = [guesses[number] for number in nodes.guess.tolist()]
    names = [tuple(tree.game.mark(number)) for number in range(tree.game.n_marks)]
    branches = {
        (parent, names[mark]): node
        for node, (parent, mark) in enumerate(
            zip(nodes.parent.tolist(), nodes.mark.tolist(), strict=True)
        )
        if node
    }
    passed, found = naive.play(played, branches, secret, marking)
    assert found
    return len(passed)


def prove(value: GameValue, rules: Rules) -> None:
    """Both bounds again, by enumeration: every strategy, and every image of every secret."""
    secrets = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    guesses = naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)

    def marking(guess: naive.Code, secret: naive.Code) -> naive.Mark:
        return naive.mark(guess, secret, black_only=rules.black)

    # no strategy of all does better against the weights
    marks = [[marking(g, s) for s in secrets] for g in guesses]
    weights = value.classes.spread(value.weights).tolist()
    own = [guesses.index(secret) for secret in secrets]
    least = naive.best_total(marks, own, weights)
    assert least == value.cost
    assert Fraction(least, sum(weights)) == value.lower
    # with pegs and colors exchanged at random the mixture finds every secret in time
    depths = {
        secret: sum(p * naive_depth(tree, guesses, secret, marking) for p, tree in value.mixture)
        for secret in secrets
    }
    group = naive.symmetries(rules.pegs, rules.colors, [])
    for secret in secrets:
        images = [naive.image(secret, order, rename) for order, rename in group]
        assert sum(depths[image] for image in images) / len(group) <= value.upper
    assert value.lower == value.upper
    assert value.proven


@pytest.mark.parametrize(
    "rules",
    ["1x4", "2x2", "2x3", "2x4", "3x2", "3x3", "2x3,blank", "2x4,distinct", "2x3,distinct-secrets"],
)
def test_small_boards(rules: str) -> None:
    prove(find_value(mastermind(rules)), Rules.parse(rules))


@st.composite
def finite_games(draw: st.DrawFn) -> FiniteGame:
    """Random games of five secrets at most, some with guesses that cannot win."""
    n_secrets = draw(st.integers(1, 5))
    n_guesses = n_secrets + draw(st.integers(0, 3))
    guesses = [f"g{k}" for k in range(n_guesses)]
    rows = [
        ["win" if s == g else draw(st.sampled_from(["a", "b", "c"])) for s in range(n_secrets)]
        for g in range(n_guesses)
    ]
    return FiniteGame(guesses[:n_secrets], rows, guesses)


@settings(max_examples=40, deadline=None)
@given(finite_games())
def test_finite_games(game: FiniteGame) -> None:
    """Every secret is its own class: the certificate is proven without any symmetry."""
    value = find_value(game)
    marks = [game.marks(guess).tolist() for guess in range(game.n_guesses)]
    weights = value.classes.spread(value.weights).tolist()
    own = game.guess_of_secret.tolist()
    least = naive.best_total(marks, own, weights)
    assert least is not None
    assert Fraction(least, sum(weights)) == value.lower == value.upper
    assert sum(p for p, _ in value.mixture) == 1
    for secret in range(game.n_secrets):
        mean = Fraction(0)
        for probability, tree in value.mixture:
            nodes = tree.nodes
            branches = {(int(nodes.parent[k]), int(nodes.mark[k])): k for k in range(1, len(tree))}
            passed, found = naive.play(
                nodes.guess.tolist(), branches, own[secret], lambda g, s: marks[g][own.index(s)]
            )
            assert found
            mean += probability * len(passed)
        assert mean <= value.upper


# classes


@pytest.mark.parametrize(
    "rules", ["3x3", "4x2", "2x4,distinct", "2x3,blank", "3x3,distinct-secrets"]
)
def test_classes_are_those_of_the_symmetries(rules: str) -> None:
    game = mastermind(rules)
    codes = [tuple(code) for code in game.secret_codes.tolist()]
    firsts = naive.first_of_class(codes, game.rules.colors, [])
    classes = classes_of(game)
    assert [codes[first] for first in classes.first] == firsts
    group = naive.symmetries(game.rules.pegs, game.rules.colors, [])
    number = dict(zip(codes, classes.number.tolist(), strict=True))
    for code in codes:
        assert {number[naive.image(code, *g)] for g in group} == {number[code]}
    assert sum(classes.sizes) == len(codes)


def test_black_marks_make_all_secrets_alike() -> None:
    """Renaming the colors of one peg keeps every black mark, so the least total is the value."""
    value = find_value(mastermind("3x3,black"))
    optimum = find_optimum(mastermind("3x3,black")).tree
    assert optimum is not None
    assert value.lower == value.upper == Fraction(optimum.total, 27)
    for left, right in itertools.product(naive.secrets(2, 3), repeat=2):
        renamed = [((code[0] + 1) % 3, code[1]) for code in (left, right)]
        before = naive.mark(left, right, black_only=True)
        assert naive.mark(*renamed, black_only=True) == before


# published


def test_classic_is_wieners_value() -> None:
    """5600/1290, and the codemaker never plays a single color (Wiener, sci.math, 1995)."""
    value = find_value(mastermind("4x6"))
    assert value.lower == value.upper == Fraction(5600, 1290)
    assert value.write(value.lower) == "5600/1290"
    assert dict(zip(value.classes.sizes, value.weights, strict=True))[6] == 0
    assert sum(value.classes.sizes[1:]) == 1290


@pytest.mark.parametrize(("rules", "total"), [("3x6,distinct", 436), ("3x7,distinct", 836)])
def test_without_repetition_the_least_total_is_the_value(rules: str, total: int) -> None:
    value = find_value(mastermind(rules))
    assert value.proven
    assert value.lower == Fraction(total, Rules.parse(rules).n_secrets)
    assert len(value.mixture) == 1


def test_threads_find_the_same() -> None:
    one, two = find_value(mastermind("3x5")), find_value(mastermind("3x5"), threads=2)
    assert (one.weights, one.cost) == (two.weights, two.cost)
    assert [p for p, _ in one.mixture] == [p for p, _ in two.mixture]


# searches that are left


def left_after(rules: str, trees: int) -> ValueSearch:
    search = ValueSearch(mastermind(rules))
    for step in search:
        if step.done >= trees:
            break
    return search


def test_bounds_hold_at_every_step() -> None:
    value = find_value(mastermind("3x5")).lower
    lower = Fraction(0)
    for step in ValueSearch(mastermind("3x5")):
        assert lower <= step.lower <= value
        assert step.upper is None or step.upper >= value
        lower = step.lower
    assert step.lower == step.upper == value
    assert (step.fraction, step.expected) == (1.0, step.expected)


def test_left_early_both_bounds_have_certificates() -> None:
    found = left_after("3x5", 4).result()
    assert found is not None
    assert not found.proven
    assert found.lower < find_value(mastermind("3x5")).lower < found.upper
    assert ValueSearch(mastermind("3x5")).result() is None


@pytest.mark.parametrize("trees", [0, 1, 5])
def test_resumed_ends_with_the_same_answer(tmp_path: Path, trees: int) -> None:
    game = mastermind("3x5")
    whole = ValueSearch(game)
    for _ in whole:
        pass
    checkpoint = ValueCheckpoint(tmp_path / "kept")
    steps = checkpoint.run(first := ValueSearch(game))
    for step in steps:
        if step.done >= trees:
            break
    steps.close()
    kept = len(first.answers)
    search = ValueSearch(game)
    assert checkpoint.load(search)
    assert len(search.answers) == kept
    assert search.answers.keys() == first.answers.keys()
    for _ in checkpoint.run(search):
        pass
    assert not checkpoint.path.exists()
    assert list(search.answers) == list(whole.answers)
    one, other = whole.result(), search.result()
    assert one is not None
    assert other is not None
    assert (one.weights, one.cost) == (other.weights, other.cost)
    for (p, tree), (q, same) in zip(one.mixture, other.mixture, strict=True):
        assert p == q
        assert np.array_equal(tree.nodes.guess, same.nodes.guess)


def test_a_table_goes_on_within_a_search(tmp_path: Path) -> None:
    """Left inside a best response, the next run knows what that one had solved."""
    game = mastermind("4x6")
    search = ValueSearch(game)
    for _ in itertools.islice(search, 4):  # 200 positions each
        pass
    assert search.asked is not None
    checkpoint = ValueCheckpoint(tmp_path / "kept")
    checkpoint.save(search)
    again, whole = ValueSearch(game), ValueSearch(game)
    assert checkpoint.load(again)
    for _ in again:
        pass
    for _ in whole:
        pass
    one, other = again.result(), whole.result()
    assert one is not None
    assert other is not None
    assert one.upper == other.lower == Fraction(5600, 1290)
    assert one.positions < other.positions


def test_damaged_and_foreign_checkpoints_are_refused(tmp_path: Path) -> None:
    checkpoint = ValueCheckpoint(tmp_path / "kept")
    assert not checkpoint.load(ValueSearch(mastermind("3x5")))
    checkpoint.save(left_after("3x5", 3))
    with pytest.raises(InputError, match=r"3x5. instead of .3x4"):
        checkpoint.load(ValueSearch(mastermind("3x4")))
    content = checkpoint.path.read_bytes()
    for place in range(0, len(content), len(content) // 50):
        search = ValueSearch(mastermind("3x5"))
        damaged = bytearray(content)
        damaged[place] ^= 0x55
        checkpoint.path.write_bytes(damaged)
        try:
            found = checkpoint.load(search)
        except (DataFileError, InputError):
            assert not search.answers
            continue
        assert found  # a byte that the archive does not use, such as a date
        assert len(search.answers) <= 3
    checkpoint.path.write_bytes(content[: len(content) // 2])
    search = ValueSearch(mastermind("3x5"))
    with pytest.raises(DataFileError):
        checkpoint.load(search)
    said = checkpoint.resume(search)
    assert "it is kept as 'kept.damaged' and the search begins anew" in said
    assert not checkpoint.path.exists()


# bad input


def test_what_has_no_value_is_refused() -> None:
    weighted = Mastermind(Rules(2, 2), [1, 2, 3, 4])
    with pytest.raises(InputError, match="has weights"):
        find_value(weighted)
    with pytest.raises(TooLargeError, match="5x8 has 32,768 secrets"):
        find_value(mastermind("5x8"))
