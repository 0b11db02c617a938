"""The slow twins themselves: independent of what they check, and right by hand."""

import ast
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from tests import naive, naive_strategies

ABC = {"A": 0, "B": 1, "C": 2, "D": 3, ".": naive.HOLE}


def code(text: str) -> naive.Code:
    return tuple(ABC[sign] for sign in text)


@pytest.mark.parametrize("module", [naive, naive_strategies])
def test_the_twins_import_nothing_of_ours(module: ModuleType) -> None:
    assert module.__file__ is not None
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("pegwise") for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("pegwise")


def test_marks_by_hand() -> None:
    assert naive.mark(code("AABB"), code("ABAB")) == (2, 2)
    assert naive.mark(code("AAAB"), code("BCCA")) == (0, 2)
    assert naive.mark(code("AAA"), code("ABC")) == (1, 0)
    assert naive.mark(code("A.B"), code("ABC")) == (1, 1)
    assert naive.mark(code("AB"), code("BA"), black_only=True) == (0, 0)


def test_codes_by_hand() -> None:
    assert naive.guesses(2, 2, blank=True) == [
        code(text) for text in ("AA", "AB", "A.", "BA", "BB", "B.", ".A", ".B", "..")
    ]
    assert naive.guesses(2, 2, distinct=True, blank=True) == [
        code(text) for text in ("AB", "A.", "BA", "B.", ".A", ".B", "..")
    ]
    assert naive.secrets(2, 3, distinct=True) == [
        code(text) for text in ("AB", "AC", "BA", "BC", "CA", "CB")
    ]


def test_candidates_by_hand() -> None:
    history = [(code("AB"), (0, 1))]
    expected = [code(text) for text in ("BC", "CA")]
    assert naive.consistent(naive.secrets(2, 3), history) == expected


def test_scores_by_hand() -> None:
    assert naive.bits(1) == 0
    assert naive.bits(2) == 2 * 2**40
    assert naive.bits(8) == 24 * 2**40
    sizes = [4, 2, 2]
    assert {name: score(sizes) for name, score in naive.CRITERIA.items()} == {
        "minimax": 4,
        "size": 16 + 4 + 4,
        "entropy": (8 + 2 + 2) * 2**40,
        "parts": -3,
    }


def test_a_tree_by_hand() -> None:
    # AA leaves AB and BA together, and AB tells them apart
    secrets = naive.secrets(2, 2)
    depths = naive.depths(lambda candidates: candidates[0], secrets, naive.mark)
    assert depths == {code("AA"): 1, code("AB"): 2, code("BA"): 3, code("BB"): 2}
    tree = naive.tree(lambda candidates: candidates[0], secrets, naive.mark)
    assert tree == {
        (): code("AA"),
        ((code("AA"), (0, 0)),): code("BB"),
        ((code("AA"), (1, 0)),): code("AB"),
        ((code("AA"), (1, 0)), (code("AB"), (0, 2))): code("BA"),
    }


def test_a_class_by_hand() -> None:
    # on two pegs and two colors, all symmetries: both equal, or both different
    assert naive.first_of_class(naive.secrets(2, 2), 2, []) == [code("AA"), code("AB")]
    # AB played: what fixes it exchanges both pegs and both colors at once
    assert len(naive.symmetries(2, 2, [code("AB")])) == 2
    firsts = naive.first_of_class(naive.secrets(2, 2), 2, [code("AB")])
    assert firsts == [code("AA"), code("AB"), code("BA")]
    assert Counter(map(len, naive.symmetries(2, 2, []))) == {2: 4}
