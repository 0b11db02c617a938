"""The arrays that kernels read, against what they are said to hold."""

from collections import Counter

import pytest

from pegwise.game import Rules
from pegwise.strategies.one_step import board_of
from tests import naive

BOARDS = [
    "1x1", "1x5", "4x1", "2x4", "3x4", "4x3", "6x2", "16x2", "2x26", "3x5,distinct",
    "3x3,distinct", "3x4,distinct-secrets", "3x3,blank", "3x4,distinct,blank",
    "3x4,distinct-secrets,blank", "4x3,blank,black",
]  # fmt: skip


def places(code: naive.Code, colors: int) -> list[int]:
    none = len(code) * colors
    return [none if c >= colors else peg * colors + c for peg, c in enumerate(code)]


def counts(code: naive.Code, colors: int) -> list[int]:
    none = len(code) * colors
    ordered = sorted(code)
    return [
        none if c >= colors else ordered[:peg].count(c) * colors + c
        for peg, c in enumerate(ordered)
    ]


def colors_of(code: naive.Code, colors: int, least: int = 1) -> int:
    return sum(1 << c for c, k in Counter(code).items() if k >= least and c < colors)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_holds_what_it_says(name: str) -> None:
    rules = Rules.parse(name)
    board, colors, half = board_of(rules), rules.colors, rules.pegs // 2
    distinct = rules.distinct
    guesses = [
        tuple(min(c, colors) for c in code)
        for code in naive.guesses(rules.pegs, colors, distinct=distinct, blank=rules.blank)
    ]
    secrets = naive.secrets(rules.pegs, colors, distinct=distinct or rules.distinct_secrets)

    # sorting is stable: codes of one multiset stay in their order
    order = sorted(range(len(guesses)), key=lambda number: sorted(guesses[number]))
    by_slot = [guesses[number] for number in order]
    assert board.number.tolist() == order
    assert [board.number[slot] for slot in board.slot] == list(range(len(guesses)))
    assert board.codes.tolist() == [list(code) for code in by_slot]
    assert board.places.tolist() == [places(code, colors) for code in by_slot]

    def key(code: naive.Code) -> int:
        return sum(c * (colors + 1) ** k for k, c in enumerate(reversed(code)))

    assert board.keys.tolist() == [key(code) for code in by_slot]
    assert board.number_keys.tolist() == [key(code) for code in guesses]
    assert board.halves.tolist() == [[key(code[:half]), key(code[half:])] for code in by_slot]

    multisets = sorted({tuple(sorted(code)) for code in guesses})
    assert [tuple(sorted(by_slot[slot])) for slot in board.first[:-1]] == multisets
    assert board.first[-1] == len(guesses)
    assert [multisets[g] for g in board.group] == [tuple(sorted(code)) for code in by_slot]
    assert board.counts.tolist() == [counts(code, colors) for code in multisets]
    assert board.members.tolist() == [colors_of(code, colors) for code in multisets]
    assert board.doubles.tolist() == [colors_of(code, colors, 2) for code in multisets]
    assert board.repeats.tolist() == [
        [code.count(c) for c in range(colors + 1)] for code in multisets
    ]

    assert board.secret_places.tolist() == [places(code, colors) for code in secrets]
    assert board.secret_counts.tolist() == [counts(code, colors) for code in secrets]
    assert board.secret_members.tolist() == [colors_of(code, colors) for code in secrets]
    assert [by_slot[slot] for slot in board.secret_slot] == list(secrets)
