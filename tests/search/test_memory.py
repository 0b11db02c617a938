"""How much memory is taken, and how much a search is estimated to take."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from pegwise.compute.machine import memory_allowed, peak_memory, spare_memory, taken_memory
from pegwise.game import Game, board_game
from pegwise.game.rules import Rules
from pegwise.search.certificates.files import shipped_certificates
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.certificates.values import GameValue
from pegwise.search.exact.table import search_memory
from pegwise.search.static.search import static_memory
from pegwise.search.value import value_memory


def test_what_is_taken_is_counted_while_it_is_held() -> None:
    before = taken_memory()
    held = np.ones(96 << 20, np.uint8)
    assert taken_memory() - before > 64 << 20
    most = peak_memory()
    assert most > held.nbytes
    del held
    assert taken_memory() - before < 64 << 20
    assert peak_memory() >= most


def test_what_is_allowed_limits_what_may_be_taken() -> None:
    with memory_allowed(taken_memory() + (64 << 20)):
        assert 32 << 20 < spare_memory() < 96 << 20
        with memory_allowed(0):
            assert spare_memory() < 0
        assert spare_memory() > 0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "memory"), [(GameValue, value_memory), (FixedSet, static_memory)])
def test_estimates_are_near_what_was_measured(kind: Any, memory: Callable[[Game], int]) -> None:
    ratios = {}
    for row in shipped_certificates(kind):
        if row.megabytes:
            # long ones were measured with checkpoints and many sets that are remembered
            long = kind is FixedSet and row.seconds > 1000
            megabytes = row.megabytes * (0.8 if long else 1)
            estimate = memory(row.claim.game) >> 20
            if kind is FixedSet and row.claim.positions > 50_000_000:
                # up to two million sets are remembered
                megabytes = max(megabytes - 190, min(megabytes, estimate))
            ratios[row.claim.game] = estimate / megabytes
    assert len(ratios) > 80
    assert {rules: ratio for rules, ratio in ratios.items() if not 1 <= ratio < 1.5} == {}


@pytest.mark.parametrize(
    ("memory", "measured"),
    # without checkpoints, each of which takes as much as the table; of fixed sets searches without
    # end, after half a minute
    [
        (search_memory, {"4x6": 170, "4x7": 215, "5x5": 227, "4x9": 364, "4x10": 425}),
        (partial(search_memory, beam=True), {"4x6": 321, "5x8": 1382}),
        (value_memory, {"5x6": 381, "4x10": 409, "4x12": 754}),
        (static_memory, {"4x8": 294, "6x4": 269, "4x9": 468, "5x6": 590, "4x10": 242}),
    ],
)
def test_estimates_of_large_boards(memory: Callable[[Game], int], measured: dict[str, int]) -> None:
    for rules, megabytes in measured.items():
        assert megabytes <= memory(board_game(Rules.parse(rules))) >> 20 <= megabytes + 200, rules
