"""The check of a tree, against a game played out by hand."""

import importlib
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, PegwiseError
from pegwise.game import Mastermind, board_game
from pegwise.game.rules import Rules
from pegwise.progress import Progress
from pegwise.strategies import Nodes
from pegwise.trees import Tree, Verification, build, verify
from pegwise.trees.verify import MAX_PROBLEMS, structure
from tests import naive
from tests.trees.wandering import finite_trees, trees

CHECKING: Final = importlib.import_module("pegwise.trees.verify")
"""The module, whose name in the package is that of the function."""


def by_hand(tree: Tree) -> tuple[dict[int, int], set[int], set[int]]:
    """Depth of each secret found; nodes reached; nodes where a secret is found."""
    game, nodes = tree.game, tree.nodes

    def marking(guess: Any, secret: Any) -> Any:
        if isinstance(game, Mastermind):
            return naive.mark(guess, secret, black_only=game.rules.black)
        return game.mark_of(guess, secret)

    guesses = [game.guess(number) for number in nodes.guess.tolist()]
    branches: dict[tuple[int, Any], int] = {}
    turns = zip(nodes.parent.tolist(), nodes.mark.tolist(), strict=True)
    for node, (parent, mark) in enumerate(turns):
        if node:
            branches.setdefault((parent, game.mark(mark)), node)
    depths, reached, won = {}, set(), set()
    for number in range(game.n_secrets):
        passed, solved = naive.play(guesses, branches, game.secret(number), marking)
        reached.update(passed)
        if solved:
            depths[number] = len(passed)
            won.add(passed[-1])
    return depths, reached, won


def agrees(checked: Verification, tree: Tree) -> bool:
    """Whether a verification says what games by hand say."""
    depths, reached, won = by_hand(tree)
    weights = tree.game.weights
    total = sum(
        depth * (1 if weights is None else int(weights[secret])) for secret, depth in depths.items()
    )
    histogram = np.bincount(list(depths.values()), minlength=1)[1:].tolist()
    claimed = set(np.flatnonzero(tree.nodes.wins).tolist())
    lost = tree.game.n_secrets - len(depths)
    problems = lost + len(set(range(len(tree))) - reached) + len(won ^ (claimed & reached))
    assert checked.secrets == len(depths)
    assert checked.total == total
    assert checked.worst == len(histogram)
    assert list(checked.histogram) == histogram
    assert checked.count == problems + len(structure(tree))
    assert checked.valid == (checked.count == 0)
    assert len(checked.problems) == min(checked.count, MAX_PROBLEMS)
    return True


@given(st.one_of(trees(), finite_trees()))
def test_trees_of_strategies_verify(tree: Tree) -> None:
    checked = verify(tree)
    assert checked.valid, checked.problems
    assert (checked.total, checked.worst) == (tree.total, tree.worst)
    assert agrees(checked, tree)


def replaced(tree: Tree, name: str, node: int, value: Any) -> Tree:
    """The tree with one number of one node changed."""
    array = getattr(tree.nodes, name).copy()
    array[node] = value
    return Tree(tree.game, tree.nodes._replace(**{name: array}), tree.strategy, tree.options)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data(), st.one_of(trees(), finite_trees()))
def test_changed_trees_are_judged_as_by_hand(data: st.DataObject, tree: Tree) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        node = data.draw(st.integers(0, len(tree) - 1))
        name = data.draw(st.sampled_from(["guess", "wins", "parent", "mark"]))
        tops = {"guess": tree.game.n_guesses - 1, "wins": 1, "parent": node - 1}
        value = data.draw(st.integers(0, max(tops.get(name, tree.game.n_marks - 1), 0)))
        if node or name in {"guess", "wins"}:
            tree = replaced(tree, name, node, value)
    assert agrees(verify(tree), tree)


def cut(tree: Tree, keep: int) -> Tree:
    """The tree without its last nodes."""
    guess, parent, mark, wins = tree.nodes
    nodes = Nodes(guess[:keep], parent[:keep], mark[:keep], wins[:keep])
    return Tree(tree.game, nodes, tree.strategy, tree.options)


def test_lost_secrets_and_idle_nodes_are_named() -> None:
    tree = build("2x3", "first")
    checked = verify(cut(tree, len(tree) - 1))
    lost = tree.game.guess(int(tree.nodes.guess[-1]))
    assert (checked.valid, checked.secrets) == (False, 8)
    assert checked.total == tree.total - tree.worst
    [problem] = checked.problems
    assert problem.startswith(f"secret {lost} is not found: turn {tree.worst - 1}, ")
    assert "the tree ends there" in problem
    guess, parent, mark, wins = (array.tolist() for array in tree.nodes)
    longer = Nodes.of([*guess, 0], [*parent, len(tree) - 1], [*mark, 0], [*wins, False], 5)
    checked = verify(Tree(tree.game, longer, "longer"))
    assert checked.secrets == 9
    [problem] = checked.problems
    assert problem.startswith(f"turn {tree.worst + 1}, AA after ")
    assert problem.endswith(": no secret comes here")


def test_no_more_than_ten_problems_are_described() -> None:
    checked = verify(cut(build("3x4", "knuth"), 1))
    assert (checked.secrets, checked.count) == (1, 63)
    assert len(checked.problems) == MAX_PROBLEMS == 10


@pytest.mark.parametrize(
    ("name", "node", "value", "problem"),
    [
        ("guess", 3, 9, "node 3 has guess number 9, but guess numbers of 2x3 go from 0 to 8"),
        ("guess", 0, -1, "node 0 has guess number -1"),
        ("mark", 2, 5, "node 2 has mark number 5, but mark numbers of 2x3 go from 0 to 4"),
        ("parent", 0, 0, "node 0 is the root, but its parent is given as 0"),
        ("parent", 4, 4, "node 4 has parent 4, which does not come before it"),
        ("parent", 4, -2, "node 4 has parent -2"),
        ("parent", 1, 100, "node 1 has parent 100"),
    ],
)
def test_nodes_that_cannot_be_played(name: str, node: int, value: int, problem: str) -> None:
    tree = replaced(build("2x3", "first"), name, node, value)
    checked = verify(tree)
    assert (checked.valid, checked.secrets, checked.total, checked.worst) == (False, 0, 0, 0)
    assert checked.problems[0].startswith(problem)
    assert structure(tree) == list(checked.problems)


def test_arrays_of_different_lengths_and_no_nodes() -> None:
    tree = build("2x3", "first")
    short = Tree(tree.game, tree.nodes._replace(mark=tree.nodes.mark[1:]), "short")
    assert "must be as many, not 9, 9, 8, 9" in verify(short).problems[0]
    assert verify(cut(tree, 0)).problems == ("the tree has no nodes",)


def test_order_is_checked() -> None:
    tree = build("2x3", "first")
    order = np.arange(len(tree))
    order[1], order[2] = 2, 1
    parent = tree.nodes.parent[order]
    parent[1:] = np.argsort(order)[parent[1:]]
    nodes = Nodes(tree.nodes.guess[order], parent, tree.nodes.mark[order], tree.nodes.wins[order])
    checked = verify(Tree(tree.game, nodes, "swapped"))
    assert (checked.valid, checked.secrets, checked.total) == (False, 9, tree.total)
    assert "order" in checked.problems[0]
    first, second = list(tree.children(0))[:2]
    twice = replaced(tree, "mark", second, int(tree.nodes.mark[first]))
    assert any("two children for the mark" in problem for problem in verify(twice).problems)


def test_nothing_but_the_plain_marking_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = build("3x4,blank", "knuth")

    def refuse(*_: object) -> None:
        raise AssertionError("a kernel was asked")

    monkeypatch.setattr(Mastermind, "marks", refuse)
    for name in ["table", "guess_signatures", "secret_signatures"]:
        monkeypatch.setattr(Mastermind, name, property(refuse))
    assert verify(tree).valid


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_reported_and_stops_the_work(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CHECKING, "BLOCK", 25)
    tree = build("3x4", "knuth")
    steps: list[Progress] = []
    verify(tree, threads=threads, report=steps.append)
    assert steps == [Progress(done, 64, "secrets") for done in (25, 50, 64)]

    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(tree, threads=threads, report=stop)


@pytest.mark.slow
@given(st.data())
def test_blocks_and_threads_change_nothing(data: st.DataObject) -> None:
    tree = build("3x4", "knuth")
    nodes: list[Any] = [array.copy() for array in tree.nodes]
    for _ in range(data.draw(st.integers(0, 4))):
        array = data.draw(st.sampled_from(nodes))
        to, source = (data.draw(st.integers(1, len(tree) - 1)) for _ in range(2))
        array[to] = array[source]
    damaged = Tree(tree.game, Nodes(*nodes), "knuth")
    whole = verify(damaged)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CHECKING, "BLOCK", data.draw(st.integers(1, 64)))
        for threads in (1, 3):
            assert verify(damaged, threads=threads) == whole


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="threads=0"):
        verify(build("2x2", "first"), threads=0)
    with pytest.raises(InputError):
        verify("first")
    tree = Tree(board_game(Rules.parse("16x26")), Nodes.of([0], [-1], [0], [True], 4), "one guess")
    with pytest.raises(PegwiseError, match="16x26"):
        verify(tree)
