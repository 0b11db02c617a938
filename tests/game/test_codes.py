"""Codes: their notations, their numeric order, and what a wrong one is told."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import CodeError, InputError, TooLargeError
from pegwise.game import (
    HOLE,
    Code,
    Rules,
    board_game,
    game_of,
    list_guesses,
    list_secrets,
    parse_code,
)
from pegwise.game.codes import DISCS, NOTATIONS
from tests.boards import any_rules, codes_of, guesses_of, secrets_of, small_rules


@given(any_rules(), st.data(), st.sampled_from(NOTATIONS))
def test_print_and_parse_are_inverse(rules: Rules, data: st.DataObject, notation: str) -> None:
    secret = data.draw(st.booleans())
    code = Code(data.draw(codes_of(rules, secret=secret)))
    if notation == "discs" and any(len(DISCS) <= peg < HOLE for peg in code):
        with pytest.raises(CodeError, match="only 9"):
            code.write(notation)
        return
    text = code.write(notation)
    assert parse_code(text, rules, secret=secret) == code
    assert parse_code(text, rules, secret=secret).write(notation) == text
    assert parse_code(f"  {text.lower()} ", rules, secret=secret) == code


@given(any_rules(), st.data())
def test_separators_do_not_matter(rules: Rules, data: st.DataObject) -> None:
    code = Code(data.draw(codes_of(rules)))
    for separator in (" ", ",", ", ", "; ", "-", "  "):
        assert parse_code(separator.join(code.write()), rules) == code
        numbers = separator.join("." if peg == HOLE else str(peg + 1) for peg in code)
        assert parse_code(numbers, rules) == code


@given(st.text(alphabet="ABCDEFGabz0123456789., ;-🔴🟢\N{VARIATION SELECTOR-16}") | st.text())
def test_any_text_is_a_code_or_one_sentence(text: str) -> None:
    for rules in (Rules(4, 6), Rules(3, 26, blank=True), Rules(1, 26), Rules(2, 10, distinct=True)):
        try:
            code = parse_code(text, rules)
        except CodeError as error:
            assert str(error).startswith(repr(text)[:40])
            assert "\n" not in str(error)
        else:
            assert rules.alphabet.check(code) == code
            assert parse_code(str(code), rules) == code


@pytest.mark.parametrize(
    ("text", "rules", "code"),
    [
        # that letters, digits and discs are read, alone and with separators, stands above
        ("11 23", "4x6", "AABC"),
        ("1,1,2,3,", "4x6", "AABC"),
        ("A1b2", "4x6", "AABB"),
        ("⚫️⚪️🔴🟢", "4x6", "EFAB"),
        ("1123", "4x26", "AABC"),
        ("12", "1x26", "L"),
        ("0", "1x26", "J"),
        ("12", "2x26", "AB"),
        ("12 12", "2x26", "LL"),
    ],
)
def test_notations(text: str, rules: str, code: str) -> None:
    assert str(parse_code(text, Rules.parse(rules))) == code
    assert str(parse_code(text, rules)) == code


@pytest.mark.parametrize(
    ("text", "rules", "says"),
    [
        ("ABC", "4x6", "'ABC': 3 pegs, but a code of 4x6 has 4"),
        ("A", "4x6", "'A': 1 peg, but a code of 4x6 has 4"),
        ("", "4x6", "'': 0 pegs"),
        ("AGCD", "4x6", "'G' at position 2: the colors of 4x6 are letters A-F, digits 1-6, discs "),
        ("0123", "4x6", "'0' at position 1"),
        ("B", "1x1", "the colors of 1x1 are letters A, digits 1, discs 🔴"),
        ("1,2,3,27", "4x26", "'27' at position 4: the colors of 4x26 are letters A-Z, digits 1-26"),
        ("1 12 3", "4x26", "'1 12 3': 3 pegs"),
        ("1,2,3,000010000000", "4x26", "'1,2,3,000010000000': "),
        ("A.CD", "4x6", "empty hole at position 2: 4x6 allows no empty hole"),
        ("ABCA", "4x6,distinct", "color A again at position 4: no color may come twice"),
        ("ABﬆ", "4x26", "'ﬆ' at position 3"),
        ("ıABC", "4x26", "'ı' at position 1"),
        ("١١٢٣", "4x6", "'١' at position 1"),
        ("\udc80ABC", "4x6", "'\\udc80' at position 1"),
        ("[1,2,3,4", "4x6", "'[' at position 1"),
    ],
)
def test_wrong_codes(text: str, rules: str, says: str) -> None:
    with pytest.raises(CodeError) as caught:
        parse_code(text, Rules.parse(rules))
    assert says in str(caught.value)


def test_what_only_a_guess_may_do() -> None:
    free = Rules.parse("3x4,distinct-secrets,blank")
    assert str(parse_code("AA.", free)) == "AA."
    with pytest.raises(CodeError):
        parse_code("AB.", free, secret=True)
    with pytest.raises(CodeError):
        parse_code("AAB", free, secret=True)
    assert str(parse_code("..A", Rules.parse("3x4,distinct,blank"))) == "..A"
    # the sign of an empty hole is told where one is allowed
    with pytest.raises(CodeError, match=r"🔴🟢🔵🟡, and a dot is an empty hole$"):
        parse_code("_A_", free)


@pytest.mark.parametrize(
    "pegs",
    [
        *("AB?D", "0123", None, 5, (0.0, 1.0, 2.0, 3.0), [[0], 1, 2, 3], [0, 1, 2, -1]),
        *([0, 1, 2, 27], [0, 1, 2, 10**5000], ["A", "B", "C", "D"], [0, 1, 2, None], object()),
    ],
)
def test_what_is_no_code_at_all(pegs: object) -> None:
    with pytest.raises(CodeError):
        Rules(4, 6).alphabet.check(pegs)  # type: ignore[arg-type]
    with pytest.raises(CodeError):
        Code(pegs)  # type: ignore[arg-type]


def test_codes_that_the_rules_refuse() -> None:
    for pegs in ([0, 1, 2], [0, 1, 2, 6], [0, 1, 2, HOLE]):
        for check in (
            lambda code: Rules(4, 6).alphabet.check(code),
            board_game(Rules.parse("4x6")).guess_number,
        ):
            with pytest.raises(CodeError, match=r"3 pegs|color G at position 4|empty hole"):
                check(pegs)


def test_a_code_is_a_plain_tuple() -> None:
    code = Code(np.array([3, 1, 2], np.uint8))
    assert tuple(code) == (3, 1, 2)
    assert {type(peg) for peg in code} == {int}
    assert hash(code) == hash((3, 1, 2))
    assert repr(code) == "Code('DBC')"
    assert sorted([Code([HOLE]), Code([1]), Code([0])]) == [(0,), (1,), (HOLE,)]
    twins: list[Code] = [pickle.loads(pickle.dumps(code)), copy.deepcopy(code)]
    for twin in twins:
        assert twin == code
        assert str(twin) == "DBC"
    with pytest.raises(InputError, match="unknown notation 'morse'; known: letters, digits, discs"):
        code.write("morse")


@given(small_rules())
def test_lists_are_complete_and_in_numeric_order(rules: Rules) -> None:
    guesses, secrets = list_guesses(rules), list_secrets(rules)
    assert guesses.dtype == secrets.dtype == np.uint8
    assert [tuple(row) for row in guesses.tolist()] == guesses_of(rules)
    assert [tuple(row) for row in secrets.tolist()] == secrets_of(rules)


@pytest.mark.parametrize(
    "text", ["16x26", "8x9", "5x15,placed", "16x26,distinct", "16x16,distinct,blank,black"]
)
def test_boards_too_large_to_list(text: str) -> None:
    rules = Rules.parse(text)
    with pytest.raises(TooLargeError, match=f"{rules} has {rules.n_guesses:,} codes, too many"):
        game_of(rules).guess(0) if rules.marks == "placed" else list_guesses(rules)
