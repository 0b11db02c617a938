"""What small games are played by: NumPy on a table of marks, against definition and kernels."""

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import FiniteGame, Rules, board_game
from pegwise.kernels import cache, numpy_backend
from pegwise.strategies import parse
from pegwise.strategies.criteria import CRITERIA
from pegwise.trees import build
from tests import naive
from tests.boards import all_flags

ALL = sorted(CRITERIA)


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
def test_choices_from_any_table(
    drawn: tuple[np.ndarray, np.ndarray, np.ndarray],
    data: st.DataObject,
    criterion: str,
    then: str | None,
    only_candidates: bool,
) -> None:
    table, secret_of_guess, guess_of_secret = drawn
    n = table.shape[1]
    candidates = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1)))
    some = st.lists(st.integers(0, 5), min_size=n, max_size=n)
    weights = data.draw(st.one_of(st.none(), some), "weights")
    expected = naive.one_step(
        criterion,
        range(len(table)),
        [int(guess_of_secret[number]) for number in candidates],
        lambda guess, candidate: int(table[guess, secret_of_guess[candidate]]),
        then=then,
        only_candidates=only_candidates,
        weight=lambda guess: 1 if weights is None else weights[secret_of_guess[guess]],
    )
    weighted = None if weights is None else np.array(weights, np.int64)
    outsiders = np.full(len(table), not only_candidates)
    game = numpy_backend.MarkTable(
        table, guess_of_secret, int(table.max()) + 1, 0, outsiders, weighted
    )
    largest = n if weights is None else sum(weights)
    rules = [CRITERIA[name] for name in (criterion, then) if name is not None]
    comparison = [(rule.table(largest), rule.additive) for rule in rules]
    assert numpy_backend.choose(game, np.array(candidates, np.int32), comparison) == expected


STRATEGIES = [
    *("knuth", "irving", "entropy", "parts", "knuth:guesses=candidates", "parts:then=entropy"),
    *("entropy:guesses=candidates,then=size", "forget-entropy", "forget-minimax", "first"),
]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("rules", [*all_flags(4, 4), Rules(4, 5)], ids=str)
def test_trees_are_those_of_the_kernels(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, name: str
) -> None:
    strategy = parse(name)
    trees: list[Any] = []
    for where in (nullcontext(), cache.without_numpy()):
        monkeypatch.setattr(cache.spent, "counted", 0)
        with where:
            assert cache.use_numpy(game := board_game(rules).n_guesses, game) == (not trees)
            trees.append(build(board_game(rules), strategy).nodes)
    for expected, column in zip(*trees, strict=True):
        assert np.array_equal(expected, column)


@pytest.mark.parametrize("name", STRATEGIES[:7])
def test_trees_of_any_game_are_those_of_its_board(name: str) -> None:
    game = board_game(Rules.parse("3x5,blank"))
    codes = [list(map(code, range(n))) for code, n in ((game.secret, 125), (game.guess, 216))]
    finite = FiniteGame(codes[0], game.mark_of, codes[1])
    board, table = (build(every, parse(name)) for every in (game, finite))
    assert np.array_equal(board.depths, table.depths)
    assert sorted(board.nodes.guess.tolist()) == sorted(table.nodes.guess.tolist())


def test_kernels_take_over_when_they_would_have_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.spent, "counted", 0)
    assert cache.use_numpy(4096, 4096)
    assert not cache.use_numpy(4097, 4096)
    monkeypatch.setattr(cache, "compiled", lambda *_: True)
    cache.count_marks(10**8)
    assert not cache.use_numpy(10, 10)
    monkeypatch.setattr(cache, "compiled", lambda *_: False)
    assert cache.use_numpy(10, 10)
    cache.count_marks(10**10)
    assert not cache.use_numpy(10, 10)


def test_a_number_of_pegs_that_was_not_compiled_waits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cache.spent, "counted", cache.LOADING + 1)
    monkeypatch.setattr(cache, "machine_code", lambda: tmp_path)
    for _ in range(2):  # in this process and the next
        monkeypatch.setattr(cache, "_compiled", set())
        cache.note_compiled("onestep.grow.4-pegs")
        assert not cache.use_numpy(10, 10, "onestep.grow", 4)
        assert cache.use_numpy(10, 10, "onestep.grow", 3)


COLD = """
import sys
import pegwise
from pegwise.cli.main import main
sys.argv[1:] = {arguments!r}
try:
    main()
finally:
    print([name for name in ("numba", "ortools") if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["race", "4x6", "-s", "optimal", "-s", "knuth"],
        *(
            pytest.param(arguments.split(), marks=pytest.mark.slow)
            for arguments in (
                *("tree 4x6 -s entropy", "solve 4x6 -s knuth --secret BEEF"),
                *("candidates 4x6 AABB=XO", "bounds 4x6"),
            )
        ),
    ],
    ids=lambda arguments: arguments[0],
)
def test_small_games_import_no_compiler(arguments: list[str], tmp_path: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", COLD.format(arguments=arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"PEGWISE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path)},
        check=True,
    )
    assert ended.stderr.endswith("[]\n"), ended.stderr


@given(seed=st.integers(0, 10_000), n=st.integers(1, 9), n_marks=st.sampled_from([3, 30, 300]))
@pytest.mark.parametrize("criterion", ALL)
def test_few_candidates_are_scored_as_many_are(
    criterion: str, seed: int, n: int, n_marks: int
) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(0, min(n_marks, 4), (7, 12)).astype(np.uint16)
    candidates = np.sort(random.permutation(12)[:n]).astype(np.int32)
    worth, additive = CRITERIA[criterion].table(12), CRITERIA[criterion].additive
    scores = numpy_backend.scores(table, candidates, n_marks, worth, additive)
    for row, score in zip(table[:, candidates].tolist(), scores.tolist(), strict=True):
        sizes = [row.count(mark) for mark in set(row)]
        assert score == naive.CRITERIA[criterion](sizes)
