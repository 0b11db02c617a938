"""The exact search against published totals, a plain solver, and itself under other options."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.compute.backends import Serial
from pegwise.errors import InputError, TooLargeError, UnknownNameError
from pegwise.game import (
    Code,
    FiniteGame,
    Game,
    Mark,
    Mastermind,
    Rules,
    board_game,
    game_of,
    mark,
    parse_code,
)
from pegwise.kernels.exact.table import learn, new_table, probe, store
from pegwise.knowledge import candidates
from pegwise.progress import run_until
from pegwise.search.exact import distributed, driver, table
from pegwise.search.exact.goals import against, utility, within
from pegwise.search.exact.model import SearchModel
from pegwise.search.exact.optimal import OptimalSearch, find_optimum
from pegwise.search.exact.optimum import Optimum
from pegwise.search.storage import entries
from pegwise.trees import Tree
from pegwise.trees.store import to_bytes
from pegwise.trees.verify import verify
from tests import naive
from tests.boards import guesses_of, marking_of, secrets_of
from tests.trees.wandering import finite_games, same_nodes


def best(game: Any, **options: Any) -> Tree:
    """The best tree, proven."""
    answer: Optimum = find_optimum(game, **options)
    assert answer.proven
    if options.get("objective", "total") in ("total", "worst-total", "total-fewest"):
        assert answer.lower_bound == answer.tree.total
    return answer.tree


def total(rules: str, **options: Any) -> int:
    return best(rules, **options).total


def naive_total(rules: str, **options: Any) -> int | None:
    board = Rules.parse(rules)
    secrets, guesses, marking = secrets_of(board), guesses_of(board), marking_of(board)
    marks = [[marking(g, s) for s in secrets] for g in guesses]
    own = [guesses.index(secret) for secret in secrets]
    return naive.best_total(marks, own, [1] * len(secrets), **options)


# published totals


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "expected", "positions"),
    [
        ("4x6", 5625, 423),  # Koyama and Lai 1993
        ("3x10", 5242, 903),
        ("5x5", 13496, 1391),
        ("4x7", 11228, 4288),  # Ville 2013
    ],
)
def test_positions_entered(rules: str, expected: int, positions: int) -> None:
    """A change of the search cannot hide: say the new count, and why it is another one."""
    answer = find_optimum(rules)
    assert answer.lower_bound == expected
    assert answer.positions == positions


def test_two_pegs() -> None:
    """Chen and Lin 2004: (8n³ + 51n² - 74n + 48) / 24 for even n, - 80n + 69 for odd n.

    The expected number without repetition times n (n - 1).
    """
    for n in range(3, 13):
        rest, more = (-74 * n + 48, -76 * n + 72) if n % 2 == 0 else (-80 * n + 69, -82 * n + 105)
        assert total(f"2x{n}") * 24 == 8 * n**3 + 51 * n**2 + rest
        assert total(f"2x{n},distinct") * 12 == 4 * n**3 + 21 * n**2 + more


def test_candidates_only() -> None:
    assert total("4x6", guesses="candidates") == 5660
    assert total("3x5", guesses="candidates") == 455


@pytest.mark.parametrize(
    ("guess", "expected"),
    [("1233", 5660), ("1234", 5743), ("1122", 5752), ("1222", 5848), ("1111", 6359)],
)
def test_candidates_only_by_first_guess(guess: str, expected: int) -> None:
    game = board_game(Rules.parse("4x6"))
    code = tuple(int(color) - 1 for color in guess)
    tree = best(game, guesses="candidates", first=game.guess_number(code))
    assert tree.total == expected
    assert game.guess(int(tree.nodes.guess[0])) == code


@pytest.mark.parametrize("rules", ["2x2,distinct-secrets", "1x4,blank", "3x3,distinct-secrets"])
@pytest.mark.parametrize("objective", ["total", "worst", "worst-total", "fewest-at-worst"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_first_guess_that_tells_nothing(rules: str, objective: str, weighted: bool) -> None:
    """The best tree follows it."""
    game = board_game(Rules.parse(rules))
    if weighted:
        game = Mastermind(game.rules, [1] * game.n_secrets)
    useless = [guess for guess in range(game.n_guesses) if len(np.unique(game.marks(guess))) == 1]
    tree = best(game, objective=objective)
    for guess in useless:
        after = best(game, objective=objective, first=guess)
        assert objective == "worst" or after.total == tree.total + game.n_secrets
        assert objective == "total" or after.worst == tree.worst + 1
        if objective != "total":
            options: dict[str, Any] = {"first": guess, "max_guesses": tree.worst}
            assert find_optimum(game, objective=objective, **options).impossible
    assert useless


@pytest.mark.parametrize(
    ("rules", "objective"),
    [
        *[("4x6", objective) for objective in ("worst-total", "fewest-at-worst")],  # longer there
        *[("4x5", objective) for objective in ("worst-total", "fewest-at-worst")],
        *[("3x4,black", objective) for objective in ("worst-total", "fewest-at-worst")],
        *[(rules, "total-fewest") for rules in ("3x6", "3x4,black")],
    ],
)
def test_a_tree_of_the_smallest_total_is_a_start(rules: str, objective: str) -> None:
    """What follows from it is not searched."""
    answers = []
    for start in (None, best(rules)):
        search = OptimalSearch(game_of(rules), objective=objective, start=start)
        steps: list[Any] = []
        search.run(steps.append)
        answer = search.result()
        assert answer.proven
        assert answer.lower_bound == steps[-1].lower_bound
        answers.append((answer.lower_bound, answer.tree.histogram, answer.positions))
    (least, histogram, positions), again = answers
    assert again[0] == least
    assert again[1] == histogram or objective == "worst-total"  # many trees have this total
    assert (again[2] < positions) == (rules != "4x6")


def test_five_guesses_are_enough_and_four_are_not() -> None:
    for options in ({"max_guesses": 5}, {"objective": "worst-total"}):
        tree = best("4x6", **options)
        assert (tree.total, tree.worst) == (5626, 5)
    answer = find_optimum("4x6", objective="worst")
    assert answer.tree.worst == answer.lower_bound == 5
    for objective in ("total", "worst", "worst-total"):
        assert find_optimum("4x6", objective=objective, max_guesses=4).impossible


# the plain solver

SMALL_BOARDS = """
    2x2 2x3 2x4 2x5 3x2 3x3 4x2 1x5 5x1 3x1 2x1
    2x3,black 2x4,black 2x5,black 3x2,black 3x3,black 4x2,black
    2x4,distinct 2x6,distinct 3x4,distinct 3x3,distinct 3x4,distinct,black
    2x3,distinct-secrets 2x4,distinct-secrets 3x3,distinct-secrets
    2x3,blank 2x4,blank 3x2,blank 2x3,distinct,blank 2x3,blank,black
    3x2,blank,black 2x4,distinct,blank,black 3x3,distinct-secrets,blank
"""


@pytest.mark.parametrize("rules", SMALL_BOARDS.split())
def test_agrees_with_plain_solver(rules: str) -> None:
    assert total(rules) == naive_total(rules)


# totals proven before pegs had names of their own: 4x4,black took 17,295 positions
@pytest.mark.parametrize(
    ("rules", "expected", "positions"),
    [("4x4,black", 1301, 66), ("3x7,black", 2293, 105), ("6x3,black", 3736, 243)],
)
def test_each_peg_names_its_colors(rules: str, expected: int, positions: int) -> None:
    answer = find_optimum(rules)
    assert (answer.tree.total, answer.positions) == (expected, positions)
    assert find_optimum(rules, objective="worst-total").tree.total == expected


@pytest.mark.parametrize("rules", ["2x4", "3x3", "2x5,distinct", "3x3,black", "2x3,blank"])
def test_options_agree_with_plain_solver(rules: str) -> None:
    for most in (2, 3, 4):
        answer = find_optimum(rules, max_guesses=most)
        assert answer.proven
        assert (answer.best.total if answer.best else None) == naive_total(rules, most=most)
    assert total(rules, guesses="candidates") == naive_total(rules, candidates_only=True)


@pytest.mark.parametrize("rules", ["2x3", "2x4", "3x2", "2x4,distinct", "2x3,black"])
@pytest.mark.parametrize("by_class", [True, False])
def test_weights_agree_with_plain_solver(rules: str, by_class: bool) -> None:
    """Small weights, so that bounds are met exactly: one that is higher by 1 shows.

    Symmetries keep weights by class (doubles against the rest), but not any weights.
    """
    game = board_game(Rules.parse(rules))
    codes = [game.secret(number) for number in range(game.n_secrets)]
    marks = [[game.mark_of(guess, secret) for secret in codes] for guess in codes]
    for seed in range(8):
        drawn = np.random.default_rng(seed).integers(0, 2 + seed, len(codes)).tolist()
        weights = [drawn[len(set(code)) - 1] for code in codes] if by_class else drawn
        weights[0] += not any(weights)
        expected = naive.best_total(marks, list(range(len(codes))), weights)
        assert best(Mastermind(game.rules, weights)).total == expected


def test_equal_weights_change_nothing() -> None:
    assert best(Mastermind(Rules(3, 5), [7] * 125)).total == 7 * total("3x5")


# any finite game


def weights_of(game: Game) -> list[int]:
    return [1] * game.n_secrets if game.weights is None else game.weights.tolist()


@given(finite_games(), st.sampled_from([None, None, 2, 3, 4]), st.booleans())
def test_finite_games_agree_with_plain_solver(
    game: FiniteGame, most: int | None, candidates_only: bool
) -> None:
    limits: dict[str, Any] = {"most": most, "candidates_only": candidates_only}
    expected = naive.best_total(*table_of(game), weights_of(game), **limits)
    guesses = "candidates" if candidates_only else "all"
    answer = find_optimum(game, max_guesses=most, guesses=guesses)
    assert answer.proven
    assert (None if answer.best is None else answer.best.total) == expected


def table_of(game: Any) -> tuple[list[list[int]], list[int]]:
    return [game.marks(g).tolist() for g in range(game.n_guesses)], game.guess_of_secret.tolist()


@pytest.mark.slow
@given(finite_games(), st.sampled_from([None, 3, 4]), st.booleans(), st.data())
def test_goals_of_finite_games(
    game: FiniteGame, most: int | None, only: bool, data: st.DataObject
) -> None:
    """Every goal against a plain solver, which compares numbers one after the other."""
    weights, (marks, own) = weights_of(game), table_of(game)
    n = game.n_secrets
    kinds = ["fewest-at-worst", "total-fewest", "within", "utility", "against"]
    kind = data.draw(st.sampled_from(kinds))
    depths = data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    deepest = most or n
    objective: Any = kind
    if kind == "within":
        objective = within(game, depths[0])
    elif kind == "utility":
        worths = sorted((Fraction(depth, 2) for depth in depths), reverse=True)
        objective = utility(game, worths)
    elif kind == "against":
        objective = against(game, np.array(depths, np.int32))

    def cost(secret: int, depth: int) -> tuple[Any, ...]:
        weight, late = weights[secret], [int(depth == d) for d in range(deepest, 0, -1)]
        if kind == "total-fewest":
            return (weight * depth, *late)
        lost = {
            "within": depth > depths[0],
            "utility": -worths[min(depth, len(worths)) - 1] if kind == "utility" else 0,
            "against": (depth > depths[secret]) - (depth < depths[secret]),
        }
        first = weight * lost[kind] if kind in lost else late[0]
        return (first, 0 if kind == "against" else weight * depth)

    expected = None
    if kind == "fewest-at-worst":  # the last guess allowed is that of the least worst case
        limits = (k for k in range(1, deepest + 1) if naive.best_cost(marks, own, cost, k, only))
        deepest = next(limits, deepest)
    expected = naive.best_cost(marks, own, cost, deepest, only)
    answer = find_optimum(
        game, objective=objective, max_guesses=most, guesses="candidates" if only else "all"
    )
    assert answer.proven
    assert (answer.best is None) == (expected is None)
    if answer.best is not None:
        reached = [cost(s, int(d)) for s, d in enumerate(answer.tree.depths)]
        assert tuple(map(sum, zip(*reached, strict=True))) == expected


@pytest.mark.parametrize(
    ("rules", "objective", "expected"),
    [
        ("2x4", "total-fewest", [1, 4, 8, 3]),
        ("4x4", "total-fewest", [1, 11, 94, 150]),
        ("4x5", "total-fewest", [1, 8, 87, 460, 69]),
        ("4x5", "fewest-at-worst", [1, 8, 84, 464, 68]),
        ("4x5", within(board_game(Rules.parse("4x5")), 4), [1, 8, 85, 463, 67, 1]),
        (
            "4x5",
            utility(board_game(Rules.parse("4x5")), [*map(Fraction, "54321")]),
            [1, 8, 89, 457, 69, 1],
        ),
    ],
)
def test_goals(rules: str, objective: Any, expected: list[int]) -> None:
    assert best(rules, objective=objective).histogram == tuple(expected)


@pytest.mark.slow
def test_two_guesses_may_be_enough_for_a_guess_that_is_no_code_of_the_set() -> None:
    """Where a code of the set would be better, but needs a guess more than the limit allows."""
    tree = best("4x6", objective=within(board_game(Rules.parse("4x6")), 4), max_guesses=5)
    assert (sum(tree.histogram[:4]), tree.worst, tree.total) == (757, 5, 5627)
    game = game_of("2x4,placed")
    table, own = table_of(game)
    marks = [["won" if own[s] == g else m for s, m in enumerate(table[g])] for g in range(16)]

    def cost(_secret: int, depth: int) -> tuple[int, int]:
        return int(depth > n), depth

    for n, most in ((1, 3), (2, 3), (2, 4), (3, 4)):
        tree = best(game, objective=within(game, n), max_guesses=most)
        reached = sum(tree.histogram[n:]), tree.total
        assert reached == naive.best_cost(marks, own, cost, most)


@pytest.mark.parametrize(
    "rules", ["2x3", "3x3,black", "2x3,blank,black", "3x3,distinct", "2x2,blank"]
)
def test_goals_of_boards(rules: str) -> None:
    """Symmetries, which finite games have not, are used only where the cost keeps them."""
    game = board_game(Rules.parse(rules))
    rows, own = table_of(game)
    marks = [[i if own[s] != g else "won" for s, i in enumerate(row)] for g, row in enumerate(rows)]
    secrets = [game.secret(number) for number in range(game.n_secrets)]
    finite = FiniteGame(secrets, marks, [game.guess(number) for number in range(game.n_guesses)])
    goals = [within(game, 2), within(game, 3), against(game, best(game).depths)]
    objectives: list[Any] = ["fewest-at-worst", "total-fewest", *goals]
    for objective in objectives:
        first, second = (find_optimum(which, objective=objective) for which in (game, finite))
        assert first.lower_bound == second.lower_bound
        if objective is not goals[-1]:
            assert first.tree.histogram == second.tree.histogram


def test_candidates_only_of_a_position_as_a_game_of_its_own() -> None:
    """Guesses that are not allowed must not be looked at: they would look better than all."""
    rules = Rules(3, 6)
    secrets = candidates(rules, [(parse_code("AAB", rules), Mark(1, 0))])
    marks = [[mark(guess, secret) for secret in secrets] for guess in secrets]
    numbers = list(range(len(secrets)))
    expected = naive.best_total(marks, numbers, [1] * len(secrets), candidates_only=True)
    for codes in (None, [Code(code) for code in naive.secrets(3, 6)]):
        game = FiniteGame(secrets, mark, codes, name="position")
        assert best(game, guesses="candidates").total == expected


def test_only_right_or_wrong() -> None:
    """Nothing is learnt but one code at a time: 1 + 2 + ... + n guesses, a stack n deep."""
    tree = best(FiniteGame(range(60), lambda guess, secret: guess == secret))
    assert tree.total == 60 * 61 // 2
    assert tree.worst == 60


# threads, orders, interruption


@pytest.mark.parametrize("rules", ["3x7", "4x5", "3x8,distinct", "3x4,black"])
def test_threads_and_tables_change_neither_value_nor_tree(rules: str) -> None:
    tree = best(rules)
    for options in ({"threads": 3}, {"table_bits": 6}, {"threads": 3, "table_bits": 6}):
        assert same_nodes(tree, best(rules, **options))


@pytest.mark.parametrize(("spare", "bits"), [(0, 6), (30_000, 8), (1 << 30, 12)])
def test_a_table_grows_as_it_fills_up_while_there_is_memory(
    spare: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "spare_memory", lambda: spare)
    search, large = (OptimalSearch(game_of("3x10"), table_bits=bits) for bits in (6, 16))
    search.run()
    large.run()
    assert search.table.bits == bits
    assert large.table.bits == 16
    assert search.positions > large.positions  # sets that a full table has lost come again
    assert to_bytes(tree_of(search)) == to_bytes(tree_of(large))


def tree_of(search: OptimalSearch) -> Tree:
    tree = search.result().tree
    assert tree is not None
    return tree


@pytest.mark.parametrize(
    ("rules", "steps", "options", "least", "most"),
    [
        ("3x10", 1, {}, 4632, 5307),
        ("3x10", 4, {}, 5063, 5242),
        ("3x10", 1, {"first": 7, "guesses": "candidates"}, 5503, 5783),
        ("3x9,distinct,black", 1, {"objective": "worst"}, 9, 11),
        ("3x10", 1, {"objective": "worst-total"}, 4632, 5348),
    ],
)
def test_a_search_that_is_left_has_a_tree_and_a_bound(
    rules: str, steps: int, options: dict[str, Any], least: int, most: int
) -> None:
    """5242 is the least total of 3x10; the other board takes ten guesses."""
    search = OptimalSearch(game_of(rules), **options)
    seen: list[Any] = []
    assert run_until(search.run, lambda _: len(seen) == steps, seen.append)
    answer = search.result()
    assert not answer.proven
    assert verify(answer.tree).valid
    reached = answer.tree.worst if options.get("objective") == "worst" else answer.tree.total
    assert (answer.lower_bound, reached) == (least, most)
    assert answer.tree.nodes.guess[0] == options.get("first", answer.tree.nodes.guess[0])
    assert seen[-1].lower_bound == least
    assert seen[-1].value in (None, most)
    assert 0 <= seen[-1].fraction <= 1
    assert seen[-1].positions > 0


def test_a_search_that_is_left_has_no_tree_that_breaks_the_limit() -> None:
    search = OptimalSearch(game_of("3x10"), max_guesses=6)
    assert run_until(search.run, lambda _: True)
    assert search.result().best is None


@pytest.mark.parametrize("marks", [1, 1 << 30])
def test_bounds_close_in_on_the_optimum(marks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a search pauses between guesses, since counting marks takes long."""
    monkeypatch.setattr(driver, "STEP_MARKS", marks)
    steps: list[Any] = []
    OptimalSearch(game_of("3x9")).run(steps.append)
    assert (len(steps) > 200) == (marks == 1)
    bounds = [step.lower_bound for step in steps]
    assert max(bounds) == bounds[-1] == steps[-1].value
    assert steps[-1].fraction == 1


def test_a_tree_that_is_not_what_the_search_said_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = OptimalSearch(game_of("3x3"))
    with pytest.raises(AssertionError, match="3x3"):
        search.verified(best("3x3").nodes, "optimal", limit=3)
    monkeypatch.setattr(SearchModel, "cost", lambda _model, _tree: 72)
    with pytest.raises(AssertionError, match=r"72.* 73"):
        search.run()


# the same tree by workers


@pytest.fixture
def small_games_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "SMALL_GAME", 100)
    monkeypatch.setattr(distributed, "SMALL_SET", 20)


WEIGHTED = Mastermind(Rules(4, 4), np.random.default_rng(3).integers(0, 9, 256))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("4x6", {}),
        *(
            pytest.param("4x5", options, marks=pytest.mark.slow)
            for options in (
                {"objective": "worst-total"},
                {"objective": "worst"},
                {"guesses": "candidates"},
                {"first": 7},
            )
        ),
        ("3x5,black", {"max_guesses": 7}),
        ("3x8,distinct", {}),
        ("3x6,blank", {}),
        (WEIGHTED, {}),  # which break the symmetry
    ],
)
def test_same_tree_by_tasks(game: Any, options: dict[str, Any], small_games_too: None) -> None:
    assert to_bytes(best(game, where=Serial(), **options)) == to_bytes(best(game, **options))


def test_impossible_by_tasks_too(small_games_too: None) -> None:
    assert find_optimum("4x5", max_guesses=4, where=Serial()).impossible


def test_learning_keeps_every_fact() -> None:
    rng = np.random.default_rng(5)
    keys = rng.integers(1, 2**63, (200, 2), dtype=np.uint64)
    small, large = new_table(12), new_table(14)
    for k, (key1, key2) in enumerate(keys):
        store(small, key1, key2, 3 * k, k % 2 == 0, k if k % 2 == 0 else -1, 6 + k)
    store(large, keys[0, 0], keys[0, 1], 1, False, -1, 6)  # less than is learned
    store(large, keys[1, 0], keys[1, 1], 500, True, 77, 7)  # more than is learned
    learn(large, entries(small)[1])
    assert probe(large, *keys[0]) == (0, True, 0)
    assert probe(large, *keys[1]) == (500, True, 77)
    for k in range(2, 200):
        guess = k if k % 2 == 0 else -1
        assert probe(large, *keys[k]) == (3 * k, k % 2 == 0, guess)


# refusals


@pytest.mark.parametrize(
    ("game", "options", "error", "word"),
    [
        ("3x3", {"objective": "worst-tot"}, UnknownNameError, "worst-total"),
        ("3x3", {"guesses": "some"}, UnknownNameError, "candidates"),
        ("3x3", {"max_guesses": 0}, InputError, "max_guesses=0"),
        ("3x3", {"threads": 0}, InputError, "threads=0"),
        ("3x3,distinct-secrets", {"guesses": "candidates", "first": 1}, InputError, "AAB"),
        ("5x8", {}, TooLargeError, r"5x8 has 32,768 secrets, too many"),
        (Mastermind(Rules(3, 3), [10**9] * 27), {}, TooLargeError, "weights"),
    ],
)
def test_refuses_bad_options(
    game: Any, options: dict[str, Any], error: type[Exception], word: str
) -> None:
    with pytest.raises(error, match=word):
        OptimalSearch(game_of(game), **options)


def test_a_search_for_some_seconds_has_its_best_answer() -> None:
    stopped = find_optimum("4x6", seconds=0)
    assert not stopped.proven and stopped.lower_bound <= 5625
    assert stopped.best is None or stopped.total >= 5625
    assert find_optimum("3x4", seconds=600) == find_optimum("3x4")
    with pytest.raises(InputError, match="-1 seconds"):
        find_optimum("3x4", seconds=-1)
