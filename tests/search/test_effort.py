"""Good trees without proof: never worse, the same however they are reached, verified."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pegwise.errors import DataFileError, InputError, TooLargeError
from pegwise.game import FiniteGame, Game, Mastermind, Rules, mastermind
from pegwise.search import memory
from pegwise.search.beam import explorer as effort_levels
from pegwise.search.beam import search as effort
from pegwise.search.beam.search import EffortSearch
from pegwise.search.beam.trees import rates
from pegwise.search.exact.optimal import Optimum, find_optimum
from pegwise.search.resume import EffortCheckpoint
from pegwise.trees import Tree
from pegwise.trees.verify import verify
from tests.search.damage import damage
from tests.trees.wandering import same_nodes


def searched(game: Game | str, stages: int, **options: object) -> EffortSearch:
    """A search that has gone through its stages."""
    what = mastermind(game) if isinstance(game, str) else game
    search = EffortSearch(what, stages=stages, **options)  # type: ignore[arg-type]
    for _ in search:
        pass
    return search


def tree_of(found: Optimum) -> Tree:
    assert found.tree is not None
    assert verify(found.tree).valid
    return found.tree


def hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make boards of a few hundred secrets large, with few guesses weighed."""

    def plan(number: int) -> effort_levels.Plan:
        return effort_levels.Plan(60, 1 if number == 1 else 2 * number, number)

    monkeypatch.setattr(effort, "plan", plan)


@pytest.mark.parametrize(
    ("rules", "stages", "total"),
    [("4x6", 3, 5625), ("3x10", 3, 5242), ("5x4", 3, 3954), ("4x7,distinct", 3, None)],
)
def test_small_boards_reach_the_optimum(rules: str, stages: int, total: int | None) -> None:
    found = searched(rules, stages).result()
    best = find_optimum(mastermind(rules)).tree
    assert best is not None
    assert total in (None, best.total)
    assert tree_of(found).total == best.total
    assert found.lower_bound <= best.total


@pytest.mark.parametrize("rules", ["2x7", "3x3", "3x3,blank", "3x3,black", "3x5,distinct"])
def test_games_below_the_exact_size_are_proven(rules: str) -> None:
    search = searched(rules, 5)
    found = search.result()
    best = find_optimum(mastermind(rules)).tree
    assert best is not None
    assert search.solved
    assert found.proven
    assert tree_of(found).total == found.lower_bound == best.total


def test_stages_never_get_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    search = EffortSearch(mastermind("4x6"), stages=4)
    values = [step.value for step in search]
    assert None not in values
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]
    totals = [tree.total for tree in search.trees]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > totals[-1] >= 5625
    assert not search.result().proven
    assert all(verify(tree).valid for tree in search.trees)


def test_threads_do_not_change_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    one, three = (searched("4x6", 3, threads=threads) for threads in (1, 3))
    assert same_nodes(tree_of(one.result()), tree_of(three.result()))
    assert one.totals == three.totals


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_left_at_any_moment_there_is_a_tree(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    search = EffortSearch(mastermind("4x6"), stages=4)
    running = iter(search)
    for _ in range(steps):
        next(running)
    running.close()  # type: ignore[attr-defined]
    found = search.result()
    value = search.best_value()
    assert tree_of(found).total == value
    assert value is not None
    assert 5625 <= value <= 5800
    assert not found.proven
    assert found.lower_bound < 5625


def test_what_a_running_stage_has_found_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    search = EffortSearch(mastermind("5x4"), stages=2)
    seen = 0
    for step in search:
        assert step.value is not None
        if step.stage in (1, 2) and step.value < search.trees[-1].total:
            total = tree_of(search.result()).total
            now = search.best_value()  # meanwhile the threads go on
            assert now is not None
            assert now <= total <= step.value
            seen += 1
    # found while a stage runs, or not at all: then its steps were too few to see it
    assert seen or len(search.trees) == 3


@pytest.mark.parametrize("after", [2, 6, 12])
def test_resumed_search_ends_with_the_same_tree(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hard(monkeypatch)
    path = tmp_path / "a.effort"
    search = EffortSearch(mastermind("4x6"), stages=3)
    running = EffortCheckpoint(path, every=0.0).run(search)
    for _ in range(after):
        if next(running, None) is None:
            break
    before = search.best_value()
    running.close()
    again = EffortSearch(mastermind("4x6"), stages=3)
    assert "stage" in str(EffortCheckpoint(path).resume(again))
    assert again.stage == search.stage
    early = tree_of(again.result())
    assert before is not None
    assert early.total <= before
    for step in again:
        assert step.value is not None
        assert step.value <= before
    whole = searched("4x6", 3)
    assert same_nodes(tree_of(again.result()), tree_of(whole.result()))
    assert again.totals == whole.totals


def test_more_stages_go_on_from_a_search_that_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "a.effort"
    short = EffortSearch(mastermind("4x6"), stages=1)
    for _ in EffortCheckpoint(path).run(short):
        pass
    longer = EffortSearch(mastermind("4x6"), stages=2)
    assert EffortCheckpoint(path).resume(longer)
    assert longer.stage == 2
    for _ in longer:
        pass
    assert same_nodes(tree_of(longer.result()), tree_of(searched("4x6", 2).result()))


@pytest.mark.parametrize("where", [0, 30, 1000, -1, -40, "cut"])
def test_damaged_checkpoint_is_set_aside(tmp_path: Path, where: int | str) -> None:
    path = tmp_path / "a.effort"
    search = searched("3x6", 1)
    EffortCheckpoint(path).save(search)
    content = damage(path, where)
    fresh = EffortSearch(mastermind("3x6"))
    with pytest.raises(DataFileError, match="damaged"):
        EffortCheckpoint(path).load(fresh)
    assert "damaged" in str(EffortCheckpoint(path).resume(fresh))
    assert (tmp_path / "a.effort.damaged").read_bytes() == content
    assert not fresh.trees


def test_checkpoint_of_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.effort"
    search = EffortSearch(mastermind("3x6"))
    search.result()
    EffortCheckpoint(path).save(search)
    with pytest.raises(InputError, match="max_guesses"):
        EffortCheckpoint(path).resume(EffortSearch(mastermind("3x6"), max_guesses=5))
    with pytest.raises(InputError, match="3x7"):
        EffortCheckpoint(path).resume(EffortSearch(mastermind("3x7")))
    other = EffortSearch(mastermind("3x6"), max_guesses=5)
    assert EffortCheckpoint.default_path(search) != EffortCheckpoint.default_path(other)


@pytest.mark.parametrize(
    "options", [{"guesses": "candidates"}, {"max_guesses": 6}, {"first": 7}, {"max_guesses": 5}]
)
def test_options(options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    game = mastermind("4x5")
    search = searched(game, 3, **options)
    best = find_optimum(game, **options)  # type: ignore[arg-type]
    found = tree_of(search.result())
    assert best.tree is not None
    assert best.tree.total <= found.total <= best.tree.total * 1.01
    if "first" in options:
        assert found.nodes.guess[0] == options["first"]
    if "max_guesses" in options:
        assert found.worst <= options["max_guesses"]  # type: ignore[operator]
    if "guesses" in options:
        sizes = found.node_sizes
        assert all(found.game.secret_of_guess[found.nodes.guess] >= 0)
        assert found.nodes.wins[sizes > 0].all()


def test_first_guess_has_a_tree_at_once() -> None:
    for rules, first in (("4x5", 0), ("4x5", 30), ("3x4,blank", 9)):
        search = EffortSearch(mastermind(rules), first=first)
        tree = tree_of(search.result())
        assert tree.nodes.guess[0] == first


@pytest.mark.parametrize("symmetric", [True, False])
def test_weights(symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    rules = Rules.parse("4x4")
    codes = mastermind(rules).secret_codes
    if symmetric:
        weights = np.array([1 + 3 * (len(set(code)) == 2) for code in codes.tolist()])
    else:
        weights = np.random.default_rng(5).integers(1, 9, len(codes))
    game = Mastermind(rules, weights)
    best = find_optimum(game).tree
    found = tree_of(searched(game, 3).result())
    assert best is not None
    assert best.total <= found.total <= best.total * 1.02
    assert found.total < tree_of(EffortSearch(game).result()).total


def test_finite_games(monkeypatch: pytest.MonkeyPatch) -> None:
    hard(monkeypatch)
    generator = np.random.default_rng(3)
    table = generator.integers(0, 5, (150, 150))
    np.fill_diagonal(table, 5)
    game = FiniteGame(range(150), table)
    best = find_optimum(game).tree
    found = tree_of(searched(game, 3).result())
    assert best is not None
    assert best.total <= found.total <= best.total * 1.02


def test_impossible_limit_has_no_tree_and_no_proof() -> None:
    search = searched("4x4", 2, max_guesses=2)
    found = search.result()
    assert found.tree is None
    assert not found.impossible


def test_rates_are_averages_of_the_tree() -> None:
    tree = tree_of(EffortSearch(mastermind("4x6")).result())
    rate = rates(tree)
    assert rate[1] == 1024
    assert rate[2] == 1536
    assert (np.diff(rate) >= 0).all()
    assert rate[1296] == pytest.approx(1024 * tree.mean, rel=0.02)


def test_too_large_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000_000)
    with pytest.raises(TooLargeError, match=r"4x8: the marks .* at most 0\.0 GB"):
        EffortSearch(mastermind("4x8"))


@pytest.mark.parametrize(
    "options",
    [{"stages": -1}, {"threads": 0}, {"max_guesses": 0}, {"guesses": "candidates", "first": 0}],
)
def test_bad_options(options: dict[str, object]) -> None:
    game = mastermind("3x3,distinct-secrets") if "first" in options else mastermind("3x3")
    with pytest.raises(InputError):
        EffortSearch(game, **options)  # type: ignore[arg-type]
