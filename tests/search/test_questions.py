"""Games whose guesses are questions, and which end when the secret is known."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pegwise
from pegwise.errors import InputError, RulesError, StrategyError
from pegwise.game import Rules
from pegwise.game.finite import NAMED_RIGHT
from pegwise.search.exact.position import solvable
from pegwise.strategies import parse
from pegwise.trees.verify import verify

COINS = str(Path(__file__).parents[2] / "examples" / "games" / "coins.py")


def random_game(seed: int, *, weighted: bool = False) -> pegwise.FiniteGame:
    """A small game with random marks whose questions tell all secrets apart."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 9))
    rows = random.integers(0, 3, (6, n)).tolist()
    rows += [[int(k == secret) for k in range(n)] for secret in range(n - 1)]
    weights = random.integers(1, 6, n).tolist() if weighted else None
    questions = [f"q{k}" for k in range(len(rows))]
    return pegwise.FiniteGame(range(n), rows, questions, ends="known", weights=weights)


def best(game: pegwise.FiniteGame) -> tuple[int, int]:
    """Smallest total, by weights, and smallest worst case, by trying everything."""
    weights = game.frequencies()

    @cache
    def total(some: frozenset[int]) -> int:
        own = int(sum(weights[k] for k in some))
        if len(some) == 1:
            return own
        return own + min(sum(map(total, parts)) for parts in splits(some))

    @cache
    def worst(some: frozenset[int]) -> int:
        return 1 + (min(max(map(worst, p)) for p in splits(some)) if len(some) > 1 else 0)

    def splits(some: frozenset[int]) -> list[list[frozenset[int]]]:
        possible = []
        for question in range(game.n_questions):
            marks = game.table[question]
            parts = [
                frozenset(k for k in some if marks[k] == mark)
                for mark in {int(marks[k]) for k in some}
            ]
            if len(parts) > 1:
                possible.append(parts)
        return possible

    every = frozenset(range(game.n_secrets))
    return total(every), worst(every)


@pytest.mark.parametrize("seed", range(30))
def test_the_best_tree_is_that_of_trying_everything(seed: int) -> None:
    game = random_game(seed)
    total, worst = best(game)
    tree = pegwise.find_optimum(game).tree
    assert (tree.total, verify(tree).valid) == (total, True)
    assert pegwise.find_optimum(game, objective="worst").tree.worst == worst
    assert pegwise.find_optimum(game, objective="total-fewest").tree.total == total
    assert pegwise.find_optimum(game, max_guesses=worst - 1).impossible
    bounds = pegwise.bounds(game)
    assert bounds.viaud_q0 in (None, worst)
    assert max(bounds.viaud_q1_eq11, bounds.information, bounds.worst_at_least) <= worst
    answers = solvable(game)
    every = np.arange(game.n_secrets, dtype=np.int32)
    assert answers.within(every, worst)
    assert not answers.within(every, worst - 1)


@pytest.mark.parametrize("seed", range(30, 45))
def test_weights_count(seed: int) -> None:
    game = random_game(seed, weighted=True)
    tree = pegwise.find_optimum(game).tree
    assert (tree.total, verify(tree).valid) == (best(game)[0], True)


@pytest.mark.parametrize("seed", range(45, 55))
@pytest.mark.parametrize("name", ["knuth", "entropy", "parts", "irving:ties=viaud"])
def test_one_step_strategies_name_a_secret_only_at_the_end(seed: int, name: str) -> None:
    game = random_game(seed)
    tree = pegwise.build(game, name)
    assert verify(tree).valid
    assert tree.total >= best(game)[0]
    naming = tree.nodes.guess >= game.n_questions
    assert (tree.nodes.wins == naming).all()
    # the same as guess by guess
    played = pegwise.play(game, name, game.secret(0))
    assert game.mark_number(played[-1].mark) == game.mark_number(NAMED_RIGHT) == game.winning
    assert len(played) == tree.depths[0]
    assert all(game.guess_number(turn.guess) < game.n_questions for turn in played[:-1])


def test_the_first_guess_makes_most_parts() -> None:
    game = random_game(3)
    tree = pegwise.build(game, "parts")
    made = [len(set(row.tolist())) for row in game.table[: game.n_questions]]
    assert tree.nodes.guess[0] == made.index(max(made))


def test_what_names_secrets_too_early_is_refused() -> None:
    game = random_game(5)
    for name in ("first", "random"):
        with pytest.raises(StrategyError):
            pegwise.build(game, name)
    with pytest.raises(StrategyError):
        pegwise.build(game, "knuth:guesses=candidates")
    with pytest.raises(StrategyError):
        pegwise.build(game, lambda game, turns: game.secret(0))
    with pytest.raises(InputError):
        pegwise.find_optimum(game, guesses="candidates")
    with pytest.raises(InputError):
        pegwise.find_value(game)


def test_games_that_would_not_end_are_refused() -> None:
    with pytest.raises(InputError):
        pegwise.FiniteGame([1, 2, 3], [[0, 0, 1]], ["q"], ends="known")
    with pytest.raises(InputError):
        pegwise.FiniteGame([1, 2], [[0, 1]], ends="known")
    with pytest.raises(InputError):
        pegwise.FiniteGame([1, 2], [[0, 1]], [1], ends="known")
    with pytest.raises(InputError):
        pegwise.FiniteGame([1, 2], [[0, 1]], ["q"], ends="soon")
    one = pegwise.FiniteGame(["only"], [[0]], ["q"], ends="known")
    assert pegwise.build(one, "entropy").total == pegwise.find_optimum(one).tree.total == 1


def test_fixed_sets_are_of_questions() -> None:
    game = random_game(8)
    fixed = pegwise.find_static(game)
    assert fixed.numbers
    assert all(guess < game.n_questions for guess in fixed.numbers)
    rows = game.table[list(fixed.numbers)]
    assert len({tuple(column) for column in rows.T.tolist()}) == game.n_secrets


def test_twelve_coins() -> None:
    """Three weighings are enough and two are not (Dyson 1946): the fourth guess names the coin."""
    game = pegwise.game_of(COINS)
    assert game.n_secrets == 24
    # unordered pairs of disjoint sets of 1 to 6 coins
    assert game.n_questions == 66 + 1485 + 9240 + 17325 + 8316 + 462
    optimum = pegwise.find_optimum(game, objective="worst")
    assert (optimum.tree.worst, optimum.proven) == (4, True)
    assert verify(optimum.tree).valid
    assert pegwise.find_optimum(game, max_guesses=3).impossible
    secret = "G-"
    turns = pegwise.play(game, "entropy", secret)
    assert (str(turns[-1].guess), len(turns)) == (secret, 4)


def test_a_position_is_a_game_of_its_own() -> None:
    game = pegwise.game_of(f"{COINS}:coins:count=3")
    bounds = pegwise.bounds(game, ["A-B=level"])
    assert (bounds.n_codes, bounds.viaud_q0) == (2, 2)


def test_hard_rules_are_not_for_questions() -> None:
    with pytest.raises(RulesError):
        Rules.parse(f"{COINS}:coins:count=3,hard")


def test_strategies_ask_until_one_secret_is_left() -> None:
    game = pegwise.game_of(f"{COINS}:coins:count=3")
    assert not any(parse(name).plays(game) for name in ("first", "random"))
    least = pegwise.find_optimum(game, objective="worst").tree.worst
    for name in ("sampling", "viaud"):
        assert parse(name).plays(game)
        assert pegwise.build(game, name).worst == least
