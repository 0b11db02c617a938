"""One-step choices and whole trees of the bit-sliced kernels, against the plain definition."""

import random
import weakref
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, board_game
from pegwise.kernels import cache
from pegwise.kernels.onestep.grow import grow, make_root
from pegwise.search.exact.optimal import find_optimum
from pegwise.strategies import Nodes
from pegwise.strategies.criteria import CRITERIA
from pegwise.strategies.one_step import (
    EVERYTHING,
    Entropy,
    Irving,
    Knuth,
    OneStep,
    Parts,
    lookahead,
)
from pegwise.trees import build
from pegwise.trees.build import play_out
from tests import naive
from tests.boards import guesses_of, marking_of, secrets_of, small_rules

CLASSES: dict[str, type[OneStep]] = {
    "minimax": Knuth,
    "size": Irving,
    "entropy": Entropy,
    "parts": Parts,
}

# Every number of pegs is compiled anew. Of those that `pegwise compile` compiles: planes of the
# halves that need no third (4), and an odd number, which adds one column by itself (5). Of the
# others: no first half (1), and planes that need a third (7).
BOARDS = [
    "4x1", "4x2", "4x3", "5x2", "4x4,distinct", "4x5,distinct", "4x4,distinct-secrets",
    "4x2,blank", "4x4,distinct,blank", "4x4,distinct-secrets,blank", "4x3,black",
    "4x4,distinct,black", "4x2,blank,black", "4x4,distinct,blank,black",
    "4x4,distinct-secrets,black",
]  # fmt: skip
COMPILED_ANEW = [
    "1x1", "1x5", "1x4,distinct", "1x6,black", "3x4", "3x3,distinct", "3x3,blank,black", "7x2",
    "7x2,black",
]  # fmt: skip


def boards(usual: list[str], whole: list[str]) -> pytest.MarkDecorator:
    """Boards of a test; a run of `make test` leaves out those that it would have to compile for."""
    heavy = pytest.mark.slow
    return pytest.mark.parametrize(
        "text", [*usual, *(pytest.param(text, marks=heavy) for text in whole)]
    )


OPTIONS = [
    *(("all", None), ("all", None), ("candidates", None), ("all", "minimax"), ("all", "entropy")),
    *(("all", "size"), ("all", "parts"), ("candidates", "entropy")),
]


@pytest.fixture(autouse=True)
def _by_kernels() -> Iterator[None]:
    """Small games are else played without."""
    with cache.without_numpy():
        yield


class Plain:
    """The plain definition on a board, all by number of code."""

    def __init__(self, rules: Rules) -> None:
        self.guesses, self.secrets = guesses_of(rules), secrets_of(rules)
        self.mark = marking_of(rules)

    def choose(
        self, criterion: str, guesses: str, then: str | None, candidates: Sequence[naive.Code]
    ) -> naive.Code:
        only = guesses == "candidates"
        chosen: naive.Code = naive.one_step(
            criterion, self.guesses, candidates, self.mark, then=then, only_candidates=only
        )
        return chosen


def strategy_of(criterion: str, guesses: str, then: str | None) -> OneStep:
    return CLASSES[criterion](guesses=guesses, then=then or "none")


@boards(BOARDS, COMPILED_ANEW)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees_are_those_of_the_plain_definition(text: str, criterion: str) -> None:
    game = board_game(Rules.parse(text))
    plain = Plain(game.rules)
    options = OPTIONS[sum(text.encode() + criterion.encode()) % len(OPTIONS)]
    tree = build(game, strategy_of(criterion, *options))
    expected = naive.depths(partial(plain.choose, criterion, *options), plain.secrets, plain.mark)
    assert tree.depths.tolist() == [expected[secret] for secret in plain.secrets]


@given(
    small_rules(codes=700, largest=5).filter(lambda rules: rules.pegs > 3 and rules.n_secrets > 1),
    st.sampled_from(list(CRITERIA)),
    st.sampled_from(OPTIONS),
    st.data(),
)
def test_choice_among_any_candidates(
    rules: Rules, criterion: str, options: tuple[str, str | None], data: st.DataObject
) -> None:
    """Candidate sets that no history leaves, too: the kernel uses only what is in the set."""
    game = board_game(rules)
    plain = Plain(rules)
    draw = random.Random(data.draw(st.integers(0, 2**32)))
    size = min(game.n_secrets, draw.choice([2, 3, 5, 9, 20, 63, 64, 65, 128, 129, 300, 520]))
    chosen = sorted(draw.sample(range(game.n_secrets), size))
    look = lookahead(game, strategy_of(criterion, *options).order, size)
    root, level = make_root(np.array(chosen, np.int32), game.n_marks, (1 << rules.colors) - 1)
    grow(root, level, EVERYTHING, look, 0)
    candidates = [plain.secrets[k] for k in chosen]
    assert plain.guesses[root.guess[0]] == plain.choose(criterion, *options, candidates)


def equal(first: Nodes, second: Nodes) -> bool:
    return all(np.array_equal(*columns) for columns in zip(first, second, strict=True))


@pytest.mark.parametrize("then", ["none", "size"])
@boards(["5x4", "4x6,distinct", "4x4,blank", "4x5,black"], ["3x8", "7x2"])
def test_whole_tree_is_play_guess_by_guess(text: str, then: str) -> None:
    """Symmetry is used differently in the two; the guesses must still be the same."""
    game = board_game(Rules.parse(text))
    for kind in CLASSES.values():
        strategy = kind(then=then)
        assert equal(build(game, strategy).nodes, play_out(strategy, game))


def test_tree_is_the_same_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    game = board_game(Rules.parse("4x6"))
    tree = build(game, Entropy())
    assert tree.total == 5722  # published
    alone = tree.nodes
    monkeypatch.setattr("pegwise.strategies.one_step.ONE_THREAD", 100)
    for threads in (1, 2, 5):
        assert equal(build(game, Entropy(), threads=threads).nodes, alone)


def test_kernels_keep_no_arrays() -> None:
    game = board_game(Rules.parse("4x3"))
    look = lookahead(game, Entropy().order, 81)
    tree, root = make_root(np.arange(81, dtype=np.int32), game.n_marks)
    grow(tree, root, EVERYTHING, look, 100)
    arrays = [weakref.ref(array) for array in (tree.guess, look.scratch.places)]
    del look, tree
    assert [array() for array in arrays] == [None, None]


def test_work_stops_when_the_report_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegwise.strategies.one_step.ONE_THREAD", 100)
    monkeypatch.setattr("pegwise.strategies.one_step.REPORT_EVERY", 0.0)

    def stop(_step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(board_game(Rules.parse("4x6")), Parts(), threads=2, report=stop)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_trees_by_weights(criterion: str) -> None:
    plain = Plain(Rules(4, 3))
    # a codemaker who dislikes doubles, and never hides a code of one color
    weight = {code: (0, 1, 9)[len(set(code)) - 1] for code in plain.secrets}
    game = Mastermind(Rules(4, 3), list(weight.values()))

    choose = partial(
        naive.one_step, criterion, plain.guesses, marking=plain.mark, weight=weight.__getitem__
    )
    tree = build(game, strategy_of(criterion, "all", None))
    expected = naive.depths(choose, plain.secrets, plain.mark)
    assert tree.depths.tolist() == [expected[secret] for secret in plain.secrets]


def test_weights_need_not_count() -> None:
    weighted = Mastermind(Rules(4, 3), [1 + k % 3 for k in range(81)])
    by_weights, without = Irving(), Irving(weighted=False)
    assert equal(
        build(weighted, without).nodes, build(board_game(Rules.parse("4x3")), by_weights).nodes
    )
    assert not equal(build(weighted, without).nodes, build(weighted, by_weights).nodes)
    large = FiniteGame("ab", lambda guess, secret: guess == secret, weights=[10**8, 1])
    assert find_optimum(large).tree.total == 10**8 + 2


def test_weights_are_refused_where_they_cannot_count() -> None:
    with pytest.raises(TooLargeError, match="5x8"):
        build(Mastermind(Rules(5, 8), np.arange(8**5)), Irving())
    with pytest.raises(TooLargeError, match="3,000,000"):
        build(Mastermind(Rules(1, 3), [1_000_000] * 3), Irving())
