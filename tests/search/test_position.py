"""The exact value of a position, against trying everything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pegwise.game import Code, Rules, Turn, game_of, mark, parse_code
from pegwise.reading import parse_turn
from pegwise.search.exact.position import position_value
from tests import naive
from tests.boards import guesses_of, secrets_of


def plain_value(
    rules: Rules, history: list[Turn], guesses: list[tuple[int, ...]], first: tuple[int, ...]
) -> tuple[int | None, int]:
    """Smallest total of a position, and with this guess first."""
    secrets = naive.consistent(secrets_of(rules), history)

    def best(codes: list[tuple[int, ...]]) -> int | None:
        rows = [[naive.mark(guess, code) for code in codes] for guess in guesses]
        own = [guesses.index(code) for code in codes]
        return naive.best_total(rows, own, [1] * len(codes))

    parts = naive.partition(first, [code for code in secrets if code != first], naive.mark)
    played = len(secrets) + sum(best(list(part)) or 0 for part in parts.values())
    return best(secrets), played


@pytest.mark.parametrize(
    ("board", "turns"),
    [
        ("2x4", []),
        ("3x3", ["ABC=X"]),
        ("3x3", ["AAB=XO"]),
        ("3x4", ["AAB=XX", "CAD=O"]),
        ("3x4,distinct", ["ABC=OO"]),
        ("3x3,blank", ["A.B=X"]),
    ],
)
@pytest.mark.parametrize("number", [0, 7, 11])
def test_a_position_needs_what_trying_everything_finds(
    board: str, turns: list[str], number: int
) -> None:
    rules = Rules.parse(board)
    history = [parse_turn(text, game_of(rules)) for text in turns]
    guesses = guesses_of(rules)
    first = guesses[number]
    value = position_value(game_of(rules), history, Code(first))
    assert value is not None
    assert (value.total, value.played) == plain_value(rules, history, guesses, first)
    # the best guess reaches what it promises
    again = position_value(game_of(rules), history, value.guess)
    assert again is not None
    assert again.played == value.total


def test_the_start_of_the_classic_board() -> None:
    rules = Rules()
    # Knuth's opening against the best one (Koyama and Lai 1993: 5625)
    value = position_value(game_of(rules), [], parse_code("AABB", rules))
    assert value is not None
    assert (value.total, value.played) == (5625, 5702)
    assert position_value(game_of(rules), [], value.guess) == replace(value, played=5625)
    only = position_value(game_of(rules), [], parse_code("AABC", rules), guesses="candidates")
    assert only is not None
    assert only.total > 5625


def test_a_guess_that_tells_nothing_costs_one_guess_for_everybody() -> None:
    rules = Rules(3, 4)
    history = [parse_turn("AAB=X", game_of(rules))]
    value = position_value(game_of(rules), history, parse_code("AAB", rules))
    assert value is not None
    secrets = sum(mark((0, 0, 1), code) == (1, 0) for code in naive.secrets(3, 4))
    assert value.played == value.total + secrets


def test_what_is_too_large_or_too_long_is_not_known() -> None:
    large = Rules(5, 8)
    assert position_value(game_of(large), [], parse_code("AABBC", large)) is None
    assert (
        position_value(
            game_of(large), [parse_turn("AABBC=-", game_of(large))], Code([5, 5, 6, 6, 7])
        )
        is None
    )
    rules = Rules()
    history = [parse_turn("AAAA=X", game_of(rules))]
    assert position_value(game_of(rules), history, parse_code("BBCD", rules), seconds=0.01) is None
