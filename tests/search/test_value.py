"""The value of the game against naive enumeration, published values, and itself when resumed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, board_game, game_of
from pegwise.progress import run_until
from pegwise.search.certificates.values import GameValue, classes_of
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.storage import Checkpoint
from pegwise.search.value import ValueSearch, find_value, solve_game
from pegwise.trees import Tree
from tests import naive
from tests.boards import guesses_of, secrets_of
from tests.trees.wandering import finite_games

# the program


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


def test_a_limit_of_time_gives_bounds() -> None:
    value = find_value(board_game(Rules.parse("3x5")), seconds=0)
    assert not value.proven
    assert value.lower < Fraction(1591, 440) < value.upper
    assert find_value(board_game(Rules.parse("2x3")), seconds=60).proven


# one tree alone


@pytest.mark.parametrize(
    ("rules", "most", "cost", "published"),
    [
        ("4x6", None, 5600, Fraction(521, 120)),
        pytest.param("4x6", 5, 5601, Fraction(3127, 720), marks=pytest.mark.slow),
        pytest.param("4x7", None, 11196, Fraction(3929, 840), marks=pytest.mark.slow),
    ],
)
def test_the_worst_class_of_one_tree(
    rules: str, most: int | None, cost: int, published: Fraction
) -> None:
    """No tree has a smaller largest mean of a class than that of github.com/arfst23/Mastermind."""
    game = game_of(rules)
    classes, weights = classes_of(game), (0, 1, 1, 1, 1)
    weighted = game_of(rules, classes.spread(weights))
    assert find_optimum(weighted, max_guesses=most).total == cost

    def possible(mean: Fraction) -> bool:
        least = [int(mean * size) for size in classes.sizes]
        return sum(w * n for w, n in zip(weights, least, strict=True)) >= cost

    below = max(
        Fraction(-(-published * size // 1) - 1, size)
        for size, weight in zip(classes.sizes, weights, strict=True)
        if weight
    )
    assert possible(published) and not possible(below)


# small games, by trying everything


def depth(tree: Tree, secret: int, marks: list[list[int]]) -> int:
    """Guesses of a tree for a secret, played by a table of marks."""
    nodes = tree.nodes
    branches = {(int(nodes.parent[k]), int(nodes.mark[k])): k for k in range(1, len(tree))}
    own = int(tree.game.guess_of_secret[secret])
    passed, won = naive.play(nodes.guess.tolist(), branches, own, lambda g, _: marks[g][secret])
    assert won
    return len(passed)


def prove(
    value: GameValue, marks: list[list[int]], images: list[list[int]], *, hard: bool = False
) -> None:
    """Both bounds again, by enumeration of every strategy.

    Args:
        value: what is proven.
        marks: of every guess with every secret, by number.
        images: of each secret those that symmetries make of it.
        hard: whether every guess must be a candidate.
    """
    weights = value.classes.spread(value.weights).tolist()
    # no strategy of all does better against the weights
    own = value.game.guess_of_secret.tolist()
    least = naive.best_total(marks, own, weights, candidates_only=hard)
    assert least == value.cost
    assert Fraction(least, sum(weights)) == value.lower == value.upper
    assert value.proven
    # with symmetries drawn at random the mixture finds every secret in time
    assert sum(p for p, _ in value.mixture) == 1
    depths = [
        sum(p * depth(tree, secret, marks) for p, tree in value.mixture)
        for secret in range(value.game.n_secrets)
    ]
    for group in images:
        assert sum(depths[image] for image in group) / len(group) <= value.upper


@pytest.mark.parametrize(
    "name",
    [
        *("1x4", "2x2", "2x3", "2x4", "3x2", "3x3"),
        *("2x3,blank", "2x4,distinct", "2x3,distinct-secrets", "2x3,hard", "3x3,hard"),
    ],
)
def test_small_boards(name: str) -> None:
    rules = Rules.parse(name)
    game = board_game(rules)
    secrets, guesses = secrets_of(rules), guesses_of(rules)
    marks = [[game.mark_number(naive.mark(g, s)) for s in secrets] for g in guesses]
    group = naive.symmetries(rules.pegs, rules.colors, [])
    images = [[secrets.index(naive.image(s, *symmetry)) for symmetry in group] for s in secrets]
    prove(find_value(name), marks, images, hard=rules.hard)


@pytest.mark.slow
@given(finite_games(5, (1, 2, 3), weighted=False))
def test_finite_games(game: FiniteGame) -> None:
    """Every secret is its own class: the value is proven without any symmetry."""
    marks = [game.marks(guess).tolist() for guess in range(game.n_guesses)]
    prove(find_value(game), marks, [[secret] for secret in range(game.n_secrets)])


# classes


@pytest.mark.parametrize(
    "rules", ["3x3", "4x2", "2x4,distinct", "2x3,blank", "3x3,distinct-secrets"]
)
def test_classes_are_those_of_the_symmetries(rules: str) -> None:
    game = board_game(Rules.parse(rules))
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
    value = find_value("3x3,black")
    optimum = find_optimum("3x3,black").tree
    assert optimum is not None
    assert value.lower == value.upper == Fraction(optimum.total, 27)


# published


def test_without_repetition_the_least_total_is_the_value() -> None:
    value = find_value("3x6,distinct")
    assert value.proven
    assert value.lower == Fraction(436, 120)
    assert len(value.mixture) == 1


def test_threads_find_the_same() -> None:
    alone, beside = find_value("3x5"), find_value("3x5", threads=2)
    assert (alone.weights, alone.cost) == (beside.weights, beside.cost)
    assert [p for p, _ in alone.mixture] == [p for p, _ in beside.mixture]


# searches that are left


def run(search: ValueSearch, trees: int = 1 << 30) -> ValueSearch:
    """A search after so many trees, or at its end."""
    run_until(search.run, lambda step: step.done >= trees)
    return search


def test_bounds_hold_at_every_step() -> None:
    value = find_value("3x5").lower
    steps: list[Any] = []
    ValueSearch(game_of("3x5")).run(steps.append)
    lowers = [step.lower for step in steps]
    assert lowers == sorted(lowers)
    assert all(step.upper is None or step.upper >= value for step in steps)
    step = steps[-1]
    assert step.lower == step.upper == value
    assert step.fraction == 1.0
    early = run(ValueSearch(game_of("3x5")), 4).result()
    assert early is not None
    assert not early.proven
    assert early.lower < value < early.upper
    assert ValueSearch(game_of("3x5")).result() is None


@pytest.mark.slow
def test_a_table_goes_on_within_a_search(tmp_path: Path) -> None:
    """Left inside a best response, the next run knows what that one had solved."""
    search, again, whole = (ValueSearch(game_of("4x6")) for _ in range(3))
    steps = itertools.count(1)
    assert run_until(search.run, lambda _: next(steps) == 4)  # 200 positions each
    assert search.asked is not None
    Checkpoint(tmp_path / "a").save(search)
    assert Checkpoint(tmp_path / "a").load(again)
    # 5600/1290, and the codemaker never plays a single color (Wiener, sci.math, 1995)
    for value in (run(again).result(), run(whole).result()):
        assert value is not None
        assert value.proven
        assert value.write(value.lower) == "5600/1290"
        assert value.codemaker() == {"AAAA": 0, "AAAB": 1, "AABB": 1, "AABC": 1, "ABCD": 1}
        assert value.classes.weight(value.weights) == 1290
    assert again.positions < whole.positions


# bad input


def test_what_has_no_value_is_refused() -> None:
    with pytest.raises(InputError):
        find_value(Mastermind(Rules(2, 2), [1, 2, 3, 4]))
    with pytest.raises(TooLargeError, match="5x8"):
        find_value(board_game(Rules.parse("5x8")))


def test_a_large_program_can_be_stopped_at_every_pivot() -> None:
    """One hundred values of which nothing is known: the program takes most of the time."""
    game = FiniteGame(range(100), lambda guess, secret: (guess > secret) - (guess < secret))
    search = ValueSearch(game)
    steps: list[Any] = []
    assert run_until(
        search.run,
        lambda step: step.done == 1 and step.upper is None and len(steps) > 41,
        steps.append,
    )
    assert len(steps) == 42
    value = search.result()
    assert value is not None and value.lower < value.upper
    assert not value.proven
