"""Checking fixed sets by the plain marking, and reading them from files."""

from __future__ import annotations

import doctest
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import DataFileError, InputError
from pegwise.game import FiniteGame, Rules, mastermind
from pegwise.search.static.check import confused, read_guesses
from pegwise.strategies.simple import GUESSES
from tests import naive
from tests.boards import small_rules


def test_greenwells_six_tell_all_codes_apart_and_no_five_of_them_do() -> None:
    game = mastermind("4x6")
    numbers = [game.guess_number(code) for code in GUESSES]
    assert confused(game, numbers) is None
    for left_out in range(6):
        assert confused(game, numbers[:left_out] + numbers[left_out + 1 :]) is not None


def test_a_set_posted_as_working_does_not() -> None:
    """Six guesses from puzzling.stackexchange.com: 1230 answers for 1296 codes."""
    game = mastermind("4x6")
    posted = ["0001", "0123", "2414", "4502", "1453", "0115"]
    found = confused(game, [game.guess_number([int(peg) for peg in code]) for code in posted])
    assert found is not None
    assert found.apart == 1230
    one, other = game.secret(found.one), game.secret(found.other)
    assert one < other
    for code in posted:
        guess = tuple(int(peg) for peg in code)
        assert naive.mark(guess, one) == naive.mark(guess, other)


@given(small_rules(codes=300, largest=4), st.integers(0, 4), st.integers(0, 1000))
def test_confused_agrees_with_listing_answers(rules: Rules, size: int, seed: int) -> None:
    game = mastermind(rules)
    numbers = np.random.default_rng(seed).integers(0, game.n_guesses, size).tolist()
    marking = partial(naive.mark, black_only=rules.black)
    fixed = [tuple(game.guess(number)) for number in numbers]
    secrets = [tuple(code) for code in game.secret_codes.tolist()]
    different = naive.answers(fixed, secrets, marking)
    found = confused(game, numbers)
    if found is None:
        assert len(different) == len(secrets)
        return
    assert found.apart == len(different) < len(secrets)
    # the first pair: no secret before `one` is confused with any
    given = [tuple(marking(guess, secret) for guess in fixed) for secret in secrets]
    assert all(given.count(answer) == 1 for answer in given[: found.one])
    assert given.index(given[found.one], found.one + 1) == found.other


def test_any_finite_game_is_checked() -> None:
    game = FiniteGame(["a", "b", "c"], lambda g, s: g == s)
    assert confused(game, [0, 1]) is None
    found = confused(game, [1])
    assert found is not None
    assert (found.one, found.other, found.apart) == (0, 2, 2)


RULES = Rules(3, 12)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ABC\nDEF\n", ["ABC", "DEF"]),
        ("ABC DEF  # both\n\n# none\nGGG", ["ABC", "DEF", "GGG"]),
        ("a b c\n1 2 12", ["ABC", "ABL"]),
        ("1,2,12\n3, 3, 3", ["ABL", "CCC"]),
        ('{"rules": "3x12", "guesses": ["ABC", "LLL"]}', ["ABC", "LLL"]),
        ("", []),
    ],
)
def test_reads_guesses(tmp_path: Path, text: str, codes: list[str]) -> None:
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf-8")
    assert [str(code) for code in read_guesses(path, RULES)] == codes


@pytest.mark.parametrize(
    ("content", "error", "says"),
    [
        (b"ABC\nABZ", InputError, "line 2: 'ABZ': 'Z' at position 3"),
        (b"ABCD", InputError, "line 1: 'ABCD': 4 pegs, but a code of 3x12 has 3"),
        (b"\xff\xfe\x00", DataFileError, "is no list of guesses"),
        (b"{", DataFileError, "is no stored set"),
        (b'{"rules": "3x12"}', DataFileError, "is no stored set"),
        (b'{"rules": "3x12", "guesses": [1]}', DataFileError, "is no stored set"),
        (b'{"rules": "3x3", "guesses": []}', InputError, "holds a set for 3x3, not for 3x12"),
    ],
)
def test_refuses_what_is_no_list(
    tmp_path: Path, content: bytes, error: type[Exception], says: str
) -> None:
    path = tmp_path / "set.txt"
    path.write_bytes(content)
    with pytest.raises(error, match=says):
        read_guesses(path, RULES)


def test_refuses_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="No such file"):
        read_guesses(tmp_path / "none", RULES)


def test_what_the_page_shows() -> None:
    page = Path(__file__).parents[2] / "docs" / "static.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted >= 5
    assert result.failed == 0
