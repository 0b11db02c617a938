"""The thirteen questions of the practical: its examples, and the page that answers them."""

from pathlib import Path

import pytest

from pegwise.game import Code, list_secrets, mastermind, parse_code
from pegwise.game.rules import Rules
from pegwise.strategies import parse
from pegwise.trees import build

PAGE = Path(__file__).parents[1] / "docs" / "tp.md"


def code(*pegs: int) -> Code:
    """A code as the practical writes it, colors from 1."""
    return parse_code("".join(map(str, pegs)), Rules(4, 6))


def test_every_question_is_answered() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [n for n in range(1, 14) if f"**Question {n}" not in text] == []


def test_question_7() -> None:
    codes = [tuple(row) for row in list_secrets(Rules()).tolist()]
    assert len(set(codes)) == 6**4
    assert codes[0] == code(1, 1, 1, 1)
    assert codes[-1] == code(6, 6, 6, 6)


@pytest.mark.parametrize(
    ("strategy", "worst"),
    # the practical weighs only candidates: then five guesses are not always enough
    [("knuth", 5), ("knuth:guesses=candidates", 6)],
)
def test_questions_12_and_13(strategy: str, worst: int) -> None:
    assert parse(strategy).begin(mastermind("4x6")).guess == code(1, 1, 2, 2)
    assert build(parse(strategy), mastermind("4x6")).worst == worst
