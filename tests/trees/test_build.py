"""Trees built from strategies, against trees built by the plain definition, and in pieces."""

import importlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pegwise.arrays import I32
from pegwise.compute.backends import Backend, Processes, Serial, Threads
from pegwise.compute.cache import ResultForm
from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, FiniteGame, Game, Marks, Mastermind, Rules, board_game, game_of
from pegwise.game.names import parallel
from pegwise.kernels import cache, numpy_backend
from pegwise.progress import Progress
from pegwise.strategies import Strategy, as_strategy, load, parse
from pegwise.strategies.criteria import CRITERIA
from pegwise.trees import Tree, build
from pegwise.trees.build import TreeTask, build_in_pieces, result_cache
from tests import naive
from tests.boards import guesses_of, marking_of, secrets_of, small_rules
from tests.trees.wandering import candidates_at, same_nodes

pytestmark = pytest.mark.usefixtures("home")

PIECES = importlib.import_module("pegwise.trees.build")
"""The module, whose name in the package is that of the function."""

SERIAL = Serial()
CRITERION = {"knuth": "minimax", "irving": "size", "entropy": "entropy", "parts": "parts"}


def by_history(tree: Tree) -> dict[tuple[tuple[Any, Any], ...], Any]:
    """The guess after every history, as the slow twin gives it."""
    game = tree.game
    guesses = tree.nodes.guess.tolist()
    return {
        tuple((game.guess(turn), game.mark(mark)) for turn, mark in tree.path(node)): game.guess(
            guesses[node]
        )
        for node in range(len(tree))
    }


@given(
    rules=small_rules(codes=130, largest=5),
    name=st.sampled_from(sorted(CRITERION)),
    then=st.sampled_from(["none", *CRITERIA]),
    guesses=st.sampled_from(["all", "candidates"]),
)
def test_one_step_trees(rules: Rules, name: str, then: str, guesses: str) -> None:
    choose = partial(
        naive.one_step,
        CRITERION[name],
        guesses_of(rules),
        marking=marking_of(rules),
        then=None if then == "none" else then,
        only_candidates=guesses == "candidates",
    )
    tree = build(board_game(rules), load(name, then=then, guesses=guesses))
    assert by_history(tree) == naive.tree(choose, secrets_of(rules), marking_of(rules))


@pytest.mark.slow
@given(
    rules=small_rules(codes=130, largest=5),
    name=st.sampled_from(sorted(CRITERION)),
    guesses=st.sampled_from(["all", "candidates"]),
    data=st.data(),
)
def test_one_step_trees_after_an_opening(
    rules: Rules, name: str, guesses: str, data: st.DataObject
) -> None:
    secrets, marking = secrets_of(rules), marking_of(rules)
    codes = secrets if guesses == "candidates" else guesses_of(rules)
    opening = data.draw(st.sampled_from(codes))
    assume(len(naive.partition(opening, secrets, marking)) > 1)

    def choose(candidates: Sequence[naive.Code]) -> naive.Code:
        if len(candidates) == len(secrets):
            return opening
        only = guesses == "candidates"
        chosen: naive.Code = naive.one_step(
            CRITERION[name], guesses_of(rules), candidates, marking, only_candidates=only
        )
        return chosen

    game = board_game(rules)
    strategy = load(name, guesses=guesses, opening=str(Code(opening)))
    expected = naive.tree(choose, secrets, marking)
    assert by_history(build(game, strategy)) == expected
    if rules.pegs in (4, 5):  # the kernels that are compiled
        with cache.without_numpy():
            assert by_history(build(game, strategy)) == expected


# Every kind of first guess: mikemag/Mastermind, docs/initial_guesses, runs of 2020-12-05 (average
# turns). Its entropy, in floating point, probably breaks ties by rounding: there totals differ.
PUBLISHED = [
    ("4x4", "knuth", "AAAA AAAB AABB AABC ABCD", [4.17188, 3.73047, 3.62891, 3.58984, 3.80469]),
    ("4x4", "parts", "AAAA AAAB AABB AABC ABCD", [4.0625, 3.65625, 3.57422, 3.55469, 3.73828]),
    (
        *("5x4", "knuth", "AAAAA AAAAB AAABB AAABC AABBC AABCD"),
        [4.66309, 4.23633, 4.02734, 3.99121, 3.98242, 4.0127],
    ),
]


@pytest.mark.parametrize(("rules", "name", "openings", "means"), PUBLISHED)
def test_published_means_of_openings(
    rules: str, name: str, openings: str, means: list[float]
) -> None:
    game = game_of(rules)
    trees = [build(game, parse(f"{name}:opening={opening}")) for opening in openings.split()]
    assert [float(f"{tree.mean:.6g}") for tree in trees] == means


@pytest.mark.slow
def test_threads_change_no_tree_after_an_opening() -> None:
    # mikemag/Mastermind has 179,751 (see above)
    one, two = (build(game_of("5x8"), parse("entropy:opening=AABBC"), threads=n) for n in (1, 2))
    assert (one.total, one.worst) == (179_702, 7)
    assert same_nodes(one, two)


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("4x6", "knuth:opening=AABG"),
        ("4x6", "entropy:opening=AAB"),
        ("4x6,distinct-secrets", "parts:guesses=candidates,opening=AABC"),
    ],
)
def test_openings_that_cannot_be_played(rules: str, name: str) -> None:
    strategy, game = parse(name), game_of(rules)
    assert not strategy.plays(game)
    with pytest.raises(StrategyError, match="opening"):
        build(game, strategy)


def test_an_opening_on_other_games_and_on_several_at_once() -> None:
    for rules in ("4x4,placed", "4x4,hard", "3x4,distinct"):
        tree = build(game_of(rules), parse("entropy:opening=BCA" + "A" * (rules[0] == "4")))
        assert str(tree.game.guess(int(tree.nodes.guess[0]))).startswith("BCA")
    decision = parse("entropy:opening=ABCC").begin_parallel(parallel("4x4", 2))
    assert str(decision.guess) == "ABCC"
    after = decision.after(Marks(((2, 0), (0, 1))))
    assert str(after.guess) != "ABCC"


@pytest.mark.parametrize("name", sorted(CRITERION))
@pytest.mark.parametrize("options", ["", "then=size", "then=minimax,guesses=candidates"])
def test_one_step_trees_of_games_with_many_marks(name: str, options: str) -> None:
    # most marks come seldom: sets of all sizes
    random = np.random.default_rng(len(name))
    table = random.integers(0, np.where(random.random((70, 50)) < 0.1, 150, 3))
    np.fill_diagonal(table, 150)
    game = FiniteGame(range(50), table, range(70))
    assert game.n_marks > 64

    def marking(guess: int, secret: int) -> int:
        return int(table[guess, secret])

    choose = partial(
        naive.one_step,
        CRITERION[name],
        range(70),
        marking=marking,
        then=options[5:].split(",")[0] or None,
        only_candidates="candidates" in options,
    )
    expected = naive.tree(choose, range(50), marking)
    assert by_history(build(game, parse(f"{name}:{options}"))) == expected


@given(rules=small_rules(codes=300))
def test_the_tree_of_the_first_candidate(rules: Rules) -> None:
    tree = build(board_game(rules), load("first"))
    expected = naive.tree(lambda codes: codes[0], secrets_of(rules), marking_of(rules))
    assert by_history(tree) == expected


OPTIONS = ["", "guesses=candidates", "then=entropy", "then=minimax,guesses=candidates"]


# larger boards: some nodes near the root, against a table of marks; every number of pegs compiles
# kernels of its own, so only those that other tests need
@pytest.mark.parametrize(
    "rules",
    [
        *("4x6,black", "4x6,blank", "4x7,distinct", "2x26"),
        *("5x5", "5x4,blank,black", "4x5,distinct-secrets,blank"),
        pytest.param("3x22,distinct", marks=pytest.mark.slow),
    ],
)
def test_nodes_of_larger_boards(rules: str) -> None:
    game = board_game(Rules.parse(rules))
    random = np.random.default_rng(game.n_secrets)
    for number, name in enumerate(sorted(CRITERION), len(rules) + game.n_secrets):
        spelled = f"{name}:{OPTIONS[number % 4]}"
        tree = build(game, parse(spelled))
        checked = 0
        for node in random.permutation(min(len(tree), 400)).tolist():
            candidates = candidates_at(tree, node)
            if 3 <= len(candidates) <= 300:
                assert int(tree.nodes.guess[node]) == chosen(game, candidates, spelled), node
                checked += 1
            if checked == 4:
                break
        assert checked


def chosen(game: Mastermind, candidates: I32, spelled: str) -> int:
    """The best guess, from a table of the marks of all guesses against these candidates."""
    name, _, rest = spelled.partition(":")
    options = dict(part.split("=") for part in rest.split(",") if part)
    first = CRITERIA[CRITERION[name]]
    second = CRITERIA[options.get("then", CRITERION[name])]
    marks = np.stack([game.marks(guess, candidates) for guess in range(game.n_guesses)])
    outsiders = np.full(game.n_guesses, options.get("guesses") != "candidates")
    rows = game.guess_of_secret[candidates]
    n = game.n_secrets
    return numpy_backend.choose(
        numpy_backend.MarkTable(marks, rows, game.n_marks, game.winning, outsiders),
        np.arange(len(candidates), dtype=np.int32),
        [(rule.table(n), rule.additive) for rule in dict.fromkeys((first, second))],
    )


@pytest.mark.parametrize("rules", ["1x1", "1x5", "2x3", "3x3,blank", "3x4,distinct-secrets", "4x6"])
@pytest.mark.parametrize("name", ["first", "knuth", "marechal-rastoix-1"])
def test_nodes_come_breadth_first(rules: str, name: str) -> None:
    game = board_game(Rules.parse(rules))
    tree = build(game, load(name))
    guess, parent, mark, wins = tree.nodes
    assert parent[0] == -1
    assert (np.diff(parent) >= 0).all() and (parent < np.arange(len(tree))).all()
    same = parent[1:] == parent[:-1]
    assert (mark[1:][same] > mark[:-1][same]).all()
    # every secret is won at one node, after the turns that lead there
    won = game.secret_of_guess[guess[wins]]
    assert sorted(won.tolist()) == list(range(game.n_secrets))
    for node in range(0, len(tree), 7):
        candidates = candidates_at(tree, node)
        assert len(candidates), "no secret leads to this node"
        assert bool(wins[node]) == (int(game.secret_of_guess[guess[node]]) in candidates)


def test_figures_of_a_tree() -> None:
    # AA, AB, BA, BB in order: each mark leaves what it leaves, by hand
    tree = build(board_game(Rules.parse("2x2")), load("first"))
    assert tree.depths.tolist() == [1, 2, 3, 2]
    assert (tree.total, tree.worst, tree.mean, tree.histogram) == (8, 3, 2.0, (1, 2, 1))
    weighted = build(Mastermind(Rules(2, 2), weights=[0, 1, 3, 0]), load("first"))
    assert (weighted.total, weighted.mean, weighted.worst) == (2 + 9, 11 / 4, 3)


def test_one_secret_alone() -> None:
    for name in ("first", "random", *CRITERION):
        assert build(board_game(Rules.parse("3x1")), load(name)).histogram == (1,)
        assert build(FiniteGame(["x"], lambda g, s: True), load(name)).histogram == (1,)


def test_guesses_that_cannot_win_are_played_where_they_help() -> None:
    # of seven candidates one guess that is none tells all of them apart
    secrets = list(range(7))
    game = FiniteGame(
        secrets, lambda g, s: f"it is {s}" if g == "all" else g == s, ["all", *secrets]
    )
    assert build(game, load("knuth")).histogram == (0, 7)
    assert build(game, load("knuth", guesses="candidates")).histogram == (1,) * 7


def test_a_tree_is_a_strategy() -> None:
    game = board_game(Rules.parse("3x4"))
    tree = build(game, load("entropy"))
    assert same_nodes(build(game, tree), tree)
    with pytest.raises(StrategyError, match="3x5"):
        tree.begin(board_game(Rules.parse("3x5")))
    decision = tree.begin(game)
    impossible = [
        game.mark(m) for m in range(game.n_marks) if tree.child(0, m) is None and m != game.winning
    ]
    for mark in impossible:
        with pytest.raises(ContradictionError):
            decision.after(mark)


@pytest.mark.parametrize("name", ["first", "knuth"])
def test_progress_is_told_and_can_stop_the_work(name: str) -> None:
    game = board_game(Rules.parse("4x5"))
    steps: list[Progress] = []
    build(game, load(name), report=steps.append)
    done = [step.done for step in steps]
    assert done == sorted(done) and done[-1] == game.n_secrets
    assert {(step.total, step.unit) for step in steps} == {(game.n_secrets, "secrets")}

    def stop(_step: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(game, load(name), report=stop)


# trees built in pieces


def same_in_pieces(strategy: Strategy, game: Game, where: Backend = SERIAL) -> None:
    assert same_nodes(build_in_pieces(game, strategy, where), build(game, strategy))


@pytest.mark.parametrize("most", [1, 40])
@pytest.mark.parametrize(
    "name", ["knuth", "entropy:guesses=candidates", "parts:then=minimax", "first", "random:seed=3"]
)
def test_the_same_tree_however_it_is_cut(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", most)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    for board in ("1x1", "2x3", "3x4,distinct", "3x3,blank", "4x3,black"):
        same_in_pieces(parse(name), board_game(Rules.parse(board)))


@pytest.mark.parametrize("name", ["knuth", "forget-entropy", "marechal-rastoix-3", "greenwell"])
def test_strategies_that_play_out_a_tree_in_their_own_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 40)
    same_in_pieces(load(name), board_game(Rules.parse("4x6" if name == "greenwell" else "4x5")))


def test_any_finite_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 2)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    words = ["abc", "abd", "bca", "cab", "dad", "add", "bad", "dab"]
    game = FiniteGame(words, lambda g, s: sum(a == b for a, b in zip(g, s, strict=True)))
    same_in_pieces(load("knuth"), game)
    with pytest.raises(StrategyError, match="greenwell"):
        build_in_pieces(board_game(Rules.parse("3x4")), load("greenwell"), SERIAL)


@pytest.mark.slow
def test_workers_build_the_same_tree() -> None:
    same_in_pieces(load("first"), board_game(Rules.parse("4x6")), Processes(2))
    for name in ("knuth", "parts:guesses=candidates"):
        same_in_pieces(parse(name), board_game(Rules.parse("4x6")), Threads(3))


def test_what_is_finished_is_not_done_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, strategy = board_game(Rules.parse("4x6")), load("parts")
    played: list[TreeTask] = []
    play_task = PIECES.play_task

    def count(task: TreeTask) -> object:
        played.append(task)
        return play_task(task)

    def stop(step: Progress) -> None:
        if step.done > 600:
            raise KeyboardInterrupt

    monkeypatch.setattr(PIECES, "SMALL", 60)
    monkeypatch.setattr(PIECES, "LONG", 1_000)
    monkeypatch.setattr(PIECES, "play_task", count)
    with pytest.raises(KeyboardInterrupt):
        build(game, strategy, where=SERIAL, report=stop)
    before = len(played)
    tree = build(game, strategy, where=SERIAL)
    assert tree.nodes.guess.tolist() == build(game, strategy).nodes.guess.tolist()
    again = len(played) - before
    # nothing remains
    assert not any((home / "pieces").iterdir())
    played.clear()
    build(game, strategy, where=SERIAL)
    assert 0 < again < len(played)


def test_nothing_is_stored_that_may_change_until_a_later_run(home: Path) -> None:
    ours, theirs = load("first"), as_strategy(lambda _history, candidates: candidates[0])
    form = ResultForm[bytes](bytes, bytes)
    game = FiniteGame(["abc", "abd"], lambda g, s: g == s)
    for rules in ("2x3", "2x3,placed"):
        assert result_cache(home, "work", form, game_of(rules), ours) is not None
    assert result_cache(home, "work", form, board_game(Rules.parse("2x3")), theirs) is None
    assert result_cache(home, "work", form, game, ours) is None
