"""Sizes times logarithms against decimal arithmetic of seventy digits."""

import numpy as np
import pytest

from pegwise.errors import StrategyError
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.strategies.card import Card
from pegwise.strategies.criteria import CRITERIA, Criterion, entropy_shift, sizes_times_logarithms
from pegwise.strategies.one_step import OneStep
from tests import naive


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 8, 9, 100, 1296, 32_768, 531_441])
def test_sizes_are_exactly_rounded(n: int) -> None:
    sizes = sizes_times_logarithms(n, entropy_shift(n))
    assert sizes.dtype == np.int64
    assert (len(sizes), sizes[0]) == (n + 1, 0)
    some = np.random.default_rng(n).integers(1, n + 1, 300).tolist() if n > 1296 else range(1, n)
    # 512490 log2 512490 lies nearly half way between two multiples of 2**-38
    for k in [*some, *range(n - 1, n + 1), 512_490]:
        if 0 < k <= n:
            assert int(sizes[k]) == naive.bits(k, entropy_shift(n)), k


def test_sums_stay_within_what_the_kernels_add() -> None:
    for n in (2, 1000, 200_000, 20_000_000):
        assert int(n * np.log2(n)) << entropy_shift(n) < 1 << 62


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=list(CRITERIA))
def test_a_table_for_small_parts_is_the_beginning_of_the_whole(criterion: Criterion) -> None:
    for n in (1, 5, 4_095, 4_096, 300_000):
        whole = criterion.table(n)
        assert len(whole) == n + 1
        for largest in (0, 1, 3, 4_096, 5_000, n):
            if largest <= n:
                assert np.array_equal(criterion.table(n, largest), whole[: largest + 1])


def test_a_reason_with_an_unknown_figure_names_those_that_there_are() -> None:
    class Unexplained(OneStep):
        criterion = CRITERIA["parts"]
        card = Card(id="unexplained", reason="No guess has a better {score}.")

    decision = Unexplained().begin(board_game(Rules.parse("2x2")))
    with pytest.raises(StrategyError, match="score"):
        decision.explain()
