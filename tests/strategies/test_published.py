"""Figures in print, on 4 pegs and 6 colors.

Sources: Knuth, The computer as Master Mind (1976), with its tree, a sample game and 5801 guesses
over all secrets; Kooi, Yet another Mastermind strategy (2005), which compares these five
strategies; the partitions of the first guess as Serkan Gur lists them. Some sources break ties in
another way; all figures here are for our rule: a candidate first, then numeric order.
"""

import pytest

from pegwise.game import mastermind
from pegwise.strategies import load
from pegwise.trees import build
from pegwise.trees.build import play

# total, worst, and number of secrets found with 1, 2, ... guesses
RACE = {
    # Shapiro 1983; "simple" in Kooi
    "first": (7471, 9, [1, 4, 25, 108, 305, 602, 196, 49, 6]),
    # Knuth 1976; "worst case" in Kooi; Knuth himself prints the mean 5801/1296 = 4.476 as 4.478
    "knuth": (5801, 5, [1, 6, 62, 533, 694]),
    # Irving 1978; "expected size" in Kooi
    "irving": (5696, 6, [1, 10, 54, 645, 583, 3]),
    # Neuwirth 1982
    "entropy": (5722, 6, [1, 4, 71, 612, 596, 12]),
    # Kooi 2005, "most parts"
    "parts": (5668, 6, [1, 12, 72, 635, 569, 7]),
}


@pytest.mark.parametrize("name", RACE)
def test_totals_of_the_classical_strategies(name: str) -> None:
    tree = build(load(name), mastermind("4x6"))
    assert (tree.total, tree.worst, tree.histogram()) == RACE[name]


def test_the_sample_game_of_knuth() -> None:
    # Knuth 1976: the secret is 3632
    guesses = [guess.write("digits") for guess, _ in play("knuth", "4x6", "3632")]
    assert guesses == ["1122", "1344", "3526", "1462", "3632"]
