"""Rules: what is allowed, how it is written, and what a wrong text is told."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import MarkError, PegwiseError, RulesError, UnknownNameError
from pegwise.game import NAMED, Rules, Turn, game_of
from pegwise.game.marking import BOARD_MARKINGS
from pegwise.reading import parse_mark
from pegwise.telling.reasoning import mark_sentence
from pegwise.telling.words import mark_words
from tests.boards import any_rules, guesses_of, secrets_of, small_rules


@given(any_rules())
def test_print_and_parse_are_inverse(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert str(Rules.parse(str(rules))) == str(rules)
    assert eval(repr(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(Rules.parse(str(rules))) == hash(rules)


@given(st.text(alphabet="0123456789xX×, distncserblak-_.", max_size=30) | st.text(max_size=12))
def test_any_text_is_rules_or_one_sentence(text: str) -> None:
    try:
        rules = Rules.parse(text)
    except PegwiseError as error:
        assert repr(text) in str(error) or repr(text.split(",")[0].strip().lower()) in str(error)
        assert "\n" not in str(error)
    else:
        assert Rules.parse(str(rules)) == rules


@given(small_rules(codes=2000))
def test_numbers_of_codes(rules: Rules) -> None:
    secrets = secrets_of(rules)
    guesses = guesses_of(rules)
    assert rules.n_secrets == len(secrets)
    assert rules.n_guesses == len(guesses)
    assert set(secrets) <= set(guesses)


@pytest.mark.parametrize("name", NAMED)
def test_names(name: str) -> None:
    assert game_of(name) == game_of(NAMED[name]) == game_of(f" {name.upper()} ")
    assert Rules.parse("classic,black").black


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("4X6", "4x6"),
        ("4×6", "4x6"),
        (" 4 x 6 , Black ", "4x6,black"),
        ("4x6,black,blank", "4x6,blank,black"),
        ("4x6,black,black", "4x6,black"),
        ("4x6,distinct_secrets", "4x6,distinct-secrets"),
        ("004x006", "4x6"),
    ],
)
def test_other_ways_to_write(text: str, same: str) -> None:
    assert str(Rules.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4x0", "rules '4x0': colors must be 1 to 26, not 0"),
        ("99x99", "rules '99x99': pegs must be 1 to 16, not 99"),
        ("16x27", "rules '16x27': colors must be 1 to 26, not 27"),
        ("4x3,distinct", "4 pegs without a repeated color need at least 4 colors, not 3"),
        ("4x3,distinct-secrets", "need at least 4 colors"),
        ("bulls-and-cows,distinct-secrets", "give only one of"),
        ("", "cannot read rules ''"),
        ("4x", "cannot read rules '4x'"),
        ("-4x6", "cannot read rules '-4x6'"),
        ("4x6000000000000", "cannot read rules '4x6000000000000'"),
        ("٤x٦", "cannot read rules '٤x٦'"),
        ("4x6\x00", "cannot read rules '4x6\\x00'"),
        ("\udc80", "cannot read rules '\\udc80'"),
        ("4x6;black", "cannot read rules '4x6;black'"),
        ("clasic", "cannot read rules 'clasic'"),
        ("wordle", "'wordle' is not a board"),
        ("4x6,blak", "unknown flag in rules '4x6,blak': 'blak' (did you mean"),
        ("4x6,", "unknown flag in rules '4x6,': ''; known: distinct, distinct-secrets, blank"),
    ],
)
def test_impossible_rules(text: str, says: str) -> None:
    with pytest.raises(UnknownNameError if "unknown" in says else RulesError) as caught:
        Rules.parse(text)
    assert says in str(caught.value)


@pytest.mark.parametrize("size", [4.0, "4", True, None, -1, 0, 17, 10**30, float("nan")])
def test_sizes_of_the_wrong_type_or_range(size: object) -> None:
    with pytest.raises(RulesError):
        Rules(size, 6)  # type: ignore[arg-type]


@pytest.mark.parametrize("flag", ["no", 1, None])
def test_flags_of_the_wrong_type(flag: object) -> None:
    with pytest.raises(RulesError, match="distinct"):
        Rules(4, 6, distinct=flag)  # type: ignore[arg-type]


def test_numpy_sizes_become_plain_numbers() -> None:
    rules = Rules(np.int64(4), np.uint8(6))  # type: ignore[arg-type]
    assert rules == Rules(4, 6)
    assert type(rules.pegs) is int
    with pytest.raises(RulesError):
        Rules(10**5000, 6)
    with pytest.raises(AttributeError):
        Rules(4, 6).pegs = 5  # type: ignore[misc]


@pytest.mark.parametrize("marks", BOARD_MARKINGS)
def test_each_marking_says_how_its_marks_are_told_and_drawn(marks: str) -> None:
    rules = Rules(4, 6, marks=marks)
    marking, codes = rules.marking, rules.alphabet
    turn = Turn(codes.example, marking.mark(codes.example, codes.other))
    said = mark_sentence(7, turn, game_of(rules))
    assert "7" in said and "{" not in said
    # each place is marked, or some pegs are counted
    assert bool(marking.cells) != bool(marking.counted)
    signs = {cell.sign for cell in marking.cells} or {*marking.counted, "-"}
    for mark in marking.legal:
        assert set(str(mark)) <= signs
        assert mark_words(mark, game_of(rules))
    for text in marking.impossible:
        assert set(text) <= signs
        with pytest.raises(MarkError):
            parse_mark(text, rules)
