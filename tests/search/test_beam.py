"""Good trees without proof: never worse, the same however they are reached, verified."""

from __future__ import annotations

import itertools
import pickle
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from pegwise.compute.backends import Serial, Threads
from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, Game, Mastermind, Rules, board_game, game_of
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.progress import run_until
from pegwise.search.beam import distributed
from pegwise.search.beam import search as beam
from pegwise.search.beam.distributed import BeamTask, search_task
from pegwise.search.beam.search import BeamSearch
from pegwise.search.beam.worker import BeamLevel, BeamPlan
from pegwise.search.certificates.files import shipped
from pegwise.search.certificates.optima import BestTree
from pegwise.search.exact import model, table
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.optimum import Optimum
from pegwise.search.storage import Checkpoint
from pegwise.trees import Tree
from pegwise.trees.store import to_bytes
from pegwise.trees.verify import verify
from tests import naive


@pytest.fixture
def hard(monkeypatch: pytest.MonkeyPatch) -> None:
    make_hard(monkeypatch)


def make_hard(patch: pytest.MonkeyPatch) -> None:
    """Make boards of a few hundred secrets large, with few guesses weighed."""
    patch.setattr(beam, "plan", lambda n: BeamPlan(60, 1 if n == 1 else 2 * n, (n,) * (n - 1)))
    # small tables are written sooner
    patch.setattr(beam, "TABLE_BITS", 16)
    patch.setattr(distributed, "TABLE_BITS", 14)


def searched(game: Game | str, stages: int, **options: Any) -> BeamSearch:
    """A search that has gone through its stages."""
    search = BeamSearch(game_of(game), stages=stages, **options)
    search.run()
    assert search.finished
    return search


def tree_of(answer: Optimum) -> Tree:
    assert verify(answer.tree).valid
    return answer.tree


def trees(search: BeamSearch) -> list[bytes]:
    return [to_bytes(tree) for tree in search.trees]


@pytest.fixture(scope="module")
def classic() -> BeamSearch:
    """Three hard stages of the classic board, on one thread."""
    with pytest.MonkeyPatch.context() as patch:
        make_hard(patch)
        return searched("4x6", 3)


# totals


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "stages", "total"),
    [("4x5", 3, 2463), ("3x9", 3, 3596), ("4x7,distinct", 3, 3639)],
)
def test_small_boards_reach_the_optimum(rules: str, stages: int, total: int) -> None:
    answer = searched(rules, stages).result()
    assert tree_of(answer).total == total
    assert answer.lower_bound <= total


@pytest.mark.parametrize("rules", ["2x7", "3x3,blank", "3x3,black"])
def test_games_below_the_exact_size_are_proven(rules: str) -> None:
    search = searched(rules, 5)
    answer = search.result()
    best = tree_of(find_optimum(rules))
    assert search.solved
    assert answer.proven
    assert tree_of(answer).total == answer.lower_bound == best.total
    assert trees(searched(rules, 5, where=Serial())) == trees(search)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "totals", "digests"),
    [
        ({}, [5722, 5639, 5625, 5625], [3286861923, 98589876, 622335697, 622335697]),
        ({"first": 7}, [5739, 5702, 5702], [2934842277, 419510024, 419510024]),
    ],
)
def test_the_trees_of_earlier_versions(
    options: dict[str, Any], totals: list[int], digests: list[int]
) -> None:
    """A change of these figures is a change of the trees that users have."""
    search = searched("4x6", len(totals) - 1, **options)
    assert [tree.total for tree in search.trees] == totals
    assert [crc32(tree.nodes.guess.tobytes()) for tree in search.trees] == digests


def test_stages_never_get_worse(hard: None) -> None:
    search = BeamSearch(game_of("4x6"), stages=4)
    values: list[int] = []
    search.run(lambda _: values.append(search.best_value() or 0))
    totals = [tree.total for tree in search.trees]
    for falling in (values, totals):
        assert falling == sorted(falling, reverse=True)
        assert falling[0] > falling[-1] >= 5625
    assert not search.result().proven
    assert all(verify(tree).valid for tree in search.trees)


@pytest.mark.parametrize("key", [1, 2])
def test_each_level_leaves_the_best_guesses_to_the_next(key: int) -> None:
    level = BeamLevel(BeamPlan(60, 9, (4, 2)), np.zeros(1, np.int64), {1: 5})
    costs = {1: [9, 8, 7, 6, 5, 5, 6, 7, 8, 9], 2: [0, 0, 3, 2, 1, 1, 2, 3, 0, 0]}
    costs[3] = [4 if key == 1 else 9, 0, 0, 0, 8, 7, 0, 0, 0, 0]
    rounds = level.rounds(3, key, 10)
    asked = [next(rounds)]
    with pytest.raises(StopIteration) as end:
        while True:
            number, places = asked[-1]
            asked.append(rounds.send([costs[number][at] for at in places]))
    # the guess of the incumbent is weighed by the last level alone
    first = 1 if key == 1 else 0
    incumbent = [0] * first
    assert asked == [(1, list(range(first, 10))), (2, [4, 5, 3, 6]), (3, [*incumbent, 4, 5])]
    assert end.value.value == ((4, 0) if key == 1 else (7, 5))


def weighted(seed: int | None) -> Game:
    """Weights that the symmetries of the board keep; any weights with a seed."""
    rules = Rules(4, 4)
    codes = board_game(rules).secret_codes.tolist()
    if seed is None:
        return Mastermind(rules, np.array([1 + 20 * (len(set(code)) == 2) for code in codes]))
    return Mastermind(rules, np.random.default_rng(seed).integers(1, 9, len(codes)))


def finite(size: int) -> Game:
    table = np.random.default_rng(3).integers(0, 5, (size, size))
    np.fill_diagonal(table, 5)
    return FiniteGame(range(size), table)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_words_without_symmetry_reach_the_optimum_of_the_plain_solver(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = np.random.default_rng(seed).choice(list("aeilnrstt"), (60, 4)).tolist()
    words = sorted({"".join(word) for word in letters})
    game = FiniteGame(words[:30], naive.placed_mark, words)
    assert game.n_marks > 64
    monkeypatch.setattr(beam, "plan", lambda n: BeamPlan(4, 8 * n, (4 * n,) * (n - 1)))
    search = searched(game, 2)
    assert len(search.totals[1]) > 3  # first guesses
    marks = [[naive.placed_mark(guess, secret) for secret in words[:30]] for guess in words]
    assert tree_of(search.result()).total == naive.best_total(marks, list(range(30)), [1] * 30)
    assert not search.solved


@pytest.mark.parametrize("rules", ["3x5", "3x6,black", "4x3", "3x4,blank", "4x5,distinct"])
def test_the_bound_looks_two_guesses_ahead(rules: str, hard: None) -> None:
    game = board_game(Rules.parse(rules))
    answer = searched(game, 1).result()
    board = game.rules
    secrets = naive.secrets(board.pegs, board.colors, distinct=board.distinct)
    guesses = naive.guesses(board.pegs, board.colors, distinct=board.distinct, blank=board.blank)
    firsts = naive.first_of_class(guesses, board.colors, [])
    marking = partial(naive.mark, black_only=board.black)
    least = naive.least_after_two(firsts, guesses, secrets, marking)
    assert model.size_bound(game, guesses="all") < least == answer.lower_bound
    assert answer.lower_bound <= tree_of(find_optimum(game)).total


@pytest.mark.slow
def test_the_bound_of_a_record_is_reached_again() -> None:
    rules = "4x9,distinct,black"
    row = shipped(BestTree, game_of(rules))
    assert row is not None
    assert searched(rules, 1).result().lower_bound == row.claim.lower_bound < row.claim.tree.total


# the same tree on threads, by workers, and wherever the search was interrupted


@pytest.mark.slow
def test_threads_do_not_change_the_tree(classic: BeamSearch, hard: None) -> None:
    search = searched("4x6", 3, threads=3)
    assert trees(search) == trees(classic)
    assert search.totals == classic.totals


GAMES: list[tuple[Game, dict[str, Any]]] = [
    (board_game(Rules.parse("4x5")), {"guesses": "candidates"}),
    (board_game(Rules.parse("4x5")), {"max_guesses": 5}),
    (board_game(Rules.parse("4x5")), {"max_guesses": 3}),  # impossible
    (board_game(Rules.parse("4x5")), {"first": 7}),
    (board_game(Rules.parse("3x5,black")), {}),
    (board_game(Rules.parse("4x7,distinct")), {}),
    (board_game(Rules.parse("3x6,blank")), {}),
    (weighted(None), {}),
    (weighted(5), {}),
    (finite(100), {}),
]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param(*row, marks=[pytest.mark.slow] if 0 < place < 4 else [])
        for place, row in enumerate(GAMES)
    ],
    ids=str,
)
def test_good_trees_of_any_game_the_same_by_tasks(
    game: Game, options: dict[str, Any], hard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributed, "CUT", 0.001)
    alone = searched(game, 3, **options)
    by_tasks = searched(game, 3, where=Serial(), **options)
    assert by_tasks.totals == alone.totals
    assert trees(by_tasks) == trees(alone)
    answer, best = alone.result(), find_optimum(game, **options)
    assert by_tasks.result().lower_bound == answer.lower_bound
    assert best.best is None or answer.lower_bound <= best.lower_bound
    # what a stage has found is what its tree costs
    least = alone.trees[0].total if alone.trees[0].worst <= alone.limit else INFINITE
    for totals, tree in zip(alone.totals[1:], alone.trees[1:], strict=True):
        least = min(least, *totals.values())
        assert tree.total == least or tree.worst > alone.limit
    told = f"best {answer.tree.total}" if answer.best else "no tree yet"
    assert told in str(alone.summary())
    if best.best is None:
        assert answer.best is None
        assert not answer.proven
        return
    tree = tree_of(answer)
    assert best.tree.total <= tree.total <= best.tree.total * 1.02
    assert tree.nodes.guess[0] == options.get("first", tree.nodes.guess[0])
    assert tree.worst <= options.get("max_guesses", tree.worst)
    if "guesses" in options:
        assert tree.nodes.wins.all()


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0.02, 1.0])
def test_tasks_travel_and_do_not_change_the_tree(
    cut: float, classic: BeamSearch, hard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[BeamTask] = []

    def travelled(task: BeamTask) -> Any:
        sent = pickle.dumps(task)
        assert len(sent) < 100_000  # without the memory of the levels
        tasks.append(pickle.loads(sent))
        return search_task(tasks[-1])

    monkeypatch.setattr(distributed, "CUT", cut)
    monkeypatch.setattr(distributed, "search_task", travelled)
    assert trees(searched("4x6", 3, where=Serial())) == trees(classic)
    assert {task.kind for task in tasks} == ({"cost"} if cut == 1 else {"cost", "choices", "weigh"})
    assert len({repr(task) for task in tasks}) == len(tasks)  # by which they are stored


@pytest.mark.slow
def test_workers_do_the_tasks_and_a_stopped_search_goes_on(
    tmp_path: Path, hard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, folder = board_game(Rules.parse("4x5")), tmp_path / "tasks"
    alone = searched(game, 1)
    search = BeamSearch(game_of(game), stages=1, where=Threads(2), task_folder=folder)
    checkpoint = Checkpoint(tmp_path / "a.effort", every=0.0)
    assert run_until(partial(checkpoint.run, search), lambda _: bool(list(folder.glob("*/[!.]*"))))
    assert tree_of(search.result()).total == search.best_value()
    stage = search.stage
    assert list(folder.glob("*/[!.]*"))
    tasks: list[BeamTask] = []

    def counted(task: BeamTask) -> Any:
        tasks.append(task)
        return search_task(task)

    monkeypatch.setattr(distributed, "search_task", counted)
    again = BeamSearch(game_of(game), stages=1, where=Serial(), task_folder=folder)
    assert checkpoint.load(again)
    assert again.stage == stage
    checkpoint.run(again)
    assert trees(again) == trees(alone)
    assert again.totals == alone.totals
    again.forget()
    assert list(folder.iterdir()) == []
    done = len(tasks)
    tasks.clear()
    searched(game, 1, where=Serial())
    assert done < len(tasks)


@pytest.mark.slow
def test_a_stage_whose_costs_are_all_remembered_ends(tmp_path: Path, hard: None) -> None:
    checkpoint, alone = Checkpoint(tmp_path / "a.effort"), searched("4x5", 2)
    search, again = (BeamSearch(game_of("4x5"), stages=2, where=Serial()) for _ in range(2))
    assert run_until(
        search.run, lambda step: step.stage == 2 and bool(step.total) and step.done == step.total
    )
    checkpoint.save(search)
    checkpoint.load(again)
    again.totals[2].clear()
    again.run()
    assert trees(again) == trees(alone)


@pytest.mark.parametrize("steps", [0, 5])
def test_left_at_any_moment_there_is_a_tree(steps: int, hard: None) -> None:
    search = BeamSearch(game_of("4x6"), stages=4)
    seen: list[Any] = []
    if steps:
        assert run_until(search.run, lambda _: len(seen) == steps, seen.append)
    answer = search.result()
    assert 5625 <= tree_of(answer).total <= 5800
    assert tree_of(answer).total == search.best_value()
    assert not answer.proven
    assert answer.lower_bound < 5625


@pytest.mark.slow
def test_a_resumed_search_is_never_worse_than_before(
    tmp_path: Path, classic: BeamSearch, hard: None
) -> None:
    checkpoint = Checkpoint(tmp_path / "a.effort", every=0.0)
    search, again = (BeamSearch(game_of("4x6"), stages=3) for _ in range(2))
    assert run_until(
        partial(checkpoint.run, search), lambda step: step.stage == 2 and step.done > 5
    )
    before = search.best_value()
    assert before is not None
    assert "stage 2" in checkpoint.resume(again)
    assert again.best_value() == again.trees[-1].total  # of a tree that it holds
    assert tree_of(again.result()).total <= before
    steps: list[Any] = []
    again.run(steps.append)
    assert all(step.value is not None and step.value <= before for step in steps)
    assert trees(again) == trees(classic)
    assert again.totals == classic.totals
    assert 5400 < again.lower_bound() == classic.lower_bound() < 5625


@pytest.mark.slow
@pytest.mark.parametrize("what", ["memo", "totals", "value"])
def test_what_is_announced_is_a_tree_that_is_held(tmp_path: Path, hard: None, what: str) -> None:
    """Also where a checkpoint, of an earlier version, says more than can be played."""
    checkpoint = Checkpoint(tmp_path / "a.effort", every=0.0)
    search, again = (BeamSearch(game_of("4x6"), stages=3) for _ in range(2))
    assert run_until(
        partial(checkpoint.run, search),
        lambda step: step.stage == 2 and (what != "memo" or bool(search.memos.get(2))),
    )
    stage = search.stage
    if what == "memo":
        memo = search.memos.get(stage, {})
        memo.update({key: (cost - 3, guess) for key, (cost, guess) in memo.items()})
    elif what == "totals":
        search.totals[stage:] = [{0: search.trees[-1].total - 20}]
    else:
        search.best_value = lambda: 5000  # type: ignore[method-assign]
    checkpoint.save(search)
    assert again.trees == []
    assert f"best {search.trees[-1].total}" in checkpoint.resume(again)
    numbers = itertools.count()

    def held(step: Any) -> None:
        if (number := next(numbers)) < 5 or number % 40 == 0:
            assert step.value is not None  # threads work on meanwhile
            assert tree_of(again.result()).total <= step.value

    again.run(held)
    assert tree_of(again.result()).total == again.best_value()


# refusals


@pytest.mark.parametrize("game", ["3x4,placed,hard", "wordle,hard"])
def test_hard_rules_beyond_boards_are_refused_before_work(game: str) -> None:
    with pytest.raises(InputError):
        BeamSearch(game_of(game))


def test_refuses_what_is_too_large_and_no_number_of_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "available_memory", lambda: 10_000_000)
    with pytest.raises(TooLargeError, match="4x8"):
        BeamSearch(game_of("4x8"))
    with pytest.raises(InputError, match="-1"):
        BeamSearch(game_of("3x3"), stages=-1)
