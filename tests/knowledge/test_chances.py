"""The chance of each color in each place, beside counting by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pegwise
from pegwise.knowledge import chances as module
from pegwise.progress import silent
from tests import naive


def by_hand(codes: list[Any], signs: Any) -> list[list[int]]:
    """How many of the codes have each sign in each place."""
    return [
        [sum(code[k] == sign for code in codes) for sign in signs] for k in range(len(codes[0]))
    ]


@given(data=st.data())
@pytest.mark.parametrize("text", ["3x4", "4x5,distinct", "4x3,blank", "3x4,black", "3x5,slots"])
def test_the_same_as_by_hand(text: str, data: st.DataObject) -> None:
    """Listed, and one by one as on a large board."""
    game = pegwise.game_of(text)
    numbers = st.integers(0, game.n_guesses - 1)
    secret = game.secret(data.draw(st.integers(0, game.n_secrets - 1)))
    guesses = [game.guess(data.draw(numbers)) for _ in range(data.draw(st.integers(1, 3)))]
    turns = [pegwise.Turn(guess, game.mark_of(guess, secret)) for guess in guesses]
    fits = pegwise.candidates(game, turns)
    counts = by_hand(fits, range(game.colors))
    result = pegwise.Position(game, turns).chances()
    assert (result.count, result.total) == (len(fits), len(fits))
    assert list(map(list, result.counts)) == counts
    if game.board is not None:
        one_by_one = module._one_by_one(game.board, turns, len(fits), silent)
        assert one_by_one == counts


@pytest.mark.slow
def test_a_large_board_is_counted() -> None:
    """Of 12 pegs and 14 colors: in each place some color, and colors of no guess alike."""
    turns = "AAABBBCCCDDD=XOO EEEFFFGGGHHH=XXO ABCDEFGHIJKL=XXO"
    result = pegwise.Position("12x14", turns).chances()
    assert result.count == pegwise.count("12x14", turns) == 37_459_392
    assert all(sum(counts) == result.count for counts in result.counts)
    assert result.share(3, "M") == result.share(3, "N")
    opening = pegwise.Position("12x14").chances()
    assert {opening.share(k, "C") for k in range(1, 13)} == {Fraction(1, 14)}


def test_weights_count() -> None:
    game = pegwise.game_of("2x2", [5, 1, 0, 2])  # AA, AB, BA, BB
    result = pegwise.Position(game).chances()
    assert (result.count, result.total) == (4, 8)
    assert result.counts == ((6, 2), (5, 3))


def test_letters_of_words() -> None:
    words = pegwise.candidates("wordle", "CRANE=-Y--G")
    result = pegwise.Position("wordle", "CRANE=-Y--G").chances()
    share = sum(str(word)[2] == "R" for word in words) / len(words)
    assert float(result.share(3, "R")) == share
    assert result.document()["chances"][2]["R"] == share
    assert max(result.rows(), key=lambda row: row["share"])["color"] == "E"


WOMEN = ["Ann", "Bea", "Cleo", "Dee", "Eve", "Fay", "Gia", "Hope", "Ida", "Joy"]
MEN = ["Al", "Ben", "Carl", "Dan", "Ed", "Fred", "Gus", "Hal", "Ian", "Jim"]
SEASON = """
    Cleo-Carl: no
    Ann-Al Bea-Ben Cleo-Carl Dee-Dan Eve-Ed Fay-Fred Gia-Gus Hope-Hal Ida-Ian Joy-Jim: 2 lights
    Al-Bea: no match
    Bea Ann Dee Cleo Fay Eve Hope Gia Joy Ida: 3 lights
    Cleo-Al Dee-Ben Ann-Carl Bea-Dan Gia-Ed Hope-Fred Eve-Gus Fay-Hal Joy-Ian Ida-Jim: 4 lights
"""


@pytest.mark.slow
def test_pairs_of_a_season() -> None:
    """The season as the package `ayto` 1.0.1 (PyPI) counts it, scenario by scenario."""
    read = pegwise.read_history(SEASON, "are-you-the-one", colors=WOMEN, places=MEN)
    result = pegwise.Position(read.game, read.turns).chances()
    assert result.count == 272
    by_man = dict(zip(MEN, result.counts, strict=True))
    assert by_man["Al"] == (72, 0, 116, 24, 12, 12, 12, 12, 6, 6)
    assert by_man["Carl"] == (88, 40, 0, 64, 18, 18, 18, 18, 4, 4)
    assert by_man["Ed"] == (11, 14, 16, 13, 75, 44, 68, 25, 3, 3)
    assert by_man["Jim"] == (4, 4, 6, 2, 3, 3, 3, 3, 244, 0)
    assert read.notation.code(read.turns[0].guess) == "Cleo-Carl"


@pytest.mark.parametrize("marks", list(product([0, 1, 2], ["yes", "no"])))
def test_small_seasons_as_by_hand(marks: tuple[int, str]) -> None:
    lights, booth = marks
    text = f"a-x b-y c-z d-w: {lights} lights / b-x={booth}"
    read = pegwise.read_history(
        text, "4x4,distinct,blank,black", colors=[*"abcd"], places=[*"xyzw"]
    )
    fits = [
        code
        for code in naive.secrets(4, 4, distinct=True)
        if naive.mark((0, 1, 2, 3), code)[0] == lights and (code[0] == 1) == (booth == "yes")
    ]
    if not fits:
        with pytest.raises(pegwise.ContradictionError):
            pegwise.Position(read.game, read.turns).chances()
        return
    result = pegwise.Position(read.game, read.turns).chances()
    assert list(map(list, result.counts)) == by_hand(fits, range(4))


@pytest.mark.parametrize(
    ("colors", "places", "text"),
    [
        ("abc", "xyz", "a-q: yes"),  # no such name
        ("abc", "xyz", "a-x b-x: 1 light"),  # one place twice
        ("abc", "xyz", "a-x a-y: 1 light"),  # one color twice
        ("abc", "xyz", "a-x b-y: yes"),  # yes is of one pair
        ("abc", "xya", "a-x: yes"),  # a name of both kinds
        ("abc", "xy", "a-x: yes"),
        ("abc", "xxz", "a-x: yes"),
        ("ab", "xyz", "a-x: yes"),
    ],
)
def test_seasons_that_are_refused(colors: str, places: str, text: str) -> None:
    with pytest.raises(pegwise.InputError):
        pegwise.read_history(text, "3x3,distinct,blank,black", colors=[*colors], places=[*places])


def test_what_has_no_chances() -> None:
    game = pegwise.FiniteGame(range(4), lambda guess, secret: guess == secret)
    with pytest.raises(pegwise.InputError):
        pegwise.Position(game).chances()
    with pytest.raises(pegwise.ContradictionError):
        pegwise.Position("4x6", "AABB=XXXX AABB=-").chances()
    with pytest.raises(pegwise.InputError):
        pegwise.Position("4x6").chances().share(5, "A")
    with pytest.raises(pegwise.InputError):
        pegwise.Position("4x6").chances().share(1, "G")
