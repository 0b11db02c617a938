"""How much memory is taken, and how much a search is estimated to take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pegwise.compute.memory import peak_memory, taken_memory
from pegwise.errors import TooLargeError
from pegwise.game import Game, mastermind
from pegwise.search.certificates import shipped_certificates
from pegwise.search.certificates.claims import FixedSet, GameValue
from pegwise.search.exact.model import search_memory
from pegwise.search.static import static_memory
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


@pytest.mark.parametrize(("kind", "memory"), [(GameValue, value_memory), (FixedSet, static_memory)])
def test_estimates_are_near_what_was_measured(kind: Any, memory: Callable[[Game], int]) -> None:
    ratios = {}
    for row in shipped_certificates(kind):
        if row.megabytes:
            ratios[row.rules] = (memory(mastermind(row.rules)) >> 20) / row.megabytes
    assert len(ratios) > 80
    assert {rules: ratio for rules, ratio in ratios.items() if not 1 <= ratio < 1.5} == {}


@pytest.mark.parametrize(
    ("rules", "measured"),
    # searches without end, measured as processes after half a minute
    [("4x8", (347, 389)), ("6x4", (269, 269)), ("4x9", (188, 188)), ("4x10", (242, 242))],
)
def test_estimates_of_large_fixed_sets(rules: str, measured: tuple[int, int]) -> None:
    least, most = measured
    assert least <= static_memory(mastermind(rules)) >> 20 <= 1.3 * most


@pytest.mark.parametrize(
    ("rules", "measured"), [("4x6", 170), ("4x7", 215), ("5x5", 227), ("4x9", 364), ("4x10", 425)]
)
def test_estimates_of_trees(rules: str, measured: int) -> None:
    # measured without checkpoints, each of which takes as much as the table
    assert measured <= search_memory(mastermind(rules)) >> 20 <= measured + 160


@pytest.mark.parametrize(("rules", "measured"), [("4x6", 321), ("5x8", 1382)])
def test_estimates_of_good_trees(rules: str, measured: int) -> None:
    assert measured <= search_memory(mastermind(rules), effort=True) >> 20 <= measured + 160


@pytest.mark.parametrize(("rules", "measured"), [("5x6", 381), ("4x10", 409), ("4x12", 754)])
def test_estimates_of_large_values(rules: str, measured: int) -> None:
    # measured without checkpoints, each of which takes as much as the table
    assert measured <= value_memory(mastermind(rules)) >> 20 <= measured + 160


def test_what_is_not_searched_has_no_estimate() -> None:
    with pytest.raises(TooLargeError, match="5x8 has 32,768 secrets"):
        static_memory(mastermind("5x8"))
    with pytest.raises(TooLargeError, match="5x8 has 32,768 secrets"):
        value_memory(mastermind("5x8"))
