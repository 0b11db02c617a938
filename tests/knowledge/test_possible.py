"""Marks that can happen for a guess, and how others are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import CodeError, MarkError
from pegwise.game import Code, Mark, Rules, legal_marks
from pegwise.knowledge import check_turn, possible_marks
from tests import naive
from tests.boards import codes_of, small_rules
from tests.knowledge.histories import read


@given(small_rules(codes=300), st.data())
def test_possible_marks_are_those_that_some_secret_gives(rules: Rules, data: st.DataObject) -> None:
    guess = Code(data.draw(codes_of(rules)))
    secrets = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    given_marks = {naive.mark(guess, secret, black_only=rules.black) for secret in secrets}
    assert possible_marks(rules, guess) == tuple(sorted(given_marks))
    for mark in legal_marks(rules):
        if mark in given_marks:
            check_turn(rules, (guess, mark))
        else:
            with pytest.raises(MarkError, match="cannot happen for"):
                check_turn(rules, (guess, mark))


REFUSED = [
    (
        "4x6", "AAAA=O",
        "mark O cannot happen for AAAA: it has one color only, so that what is right in color is "
        "in place too; nearest possible: -, X, XX",
    ),
    (
        "4x5,distinct", "ABCD=X",
        "mark X cannot happen for ABCD: every secret of 4x5,distinct has at least 3 pegs in common "
        "with it; nearest possible: XOO, XXO, XXX",
    ),
    (
        "4x6,distinct-secrets", "AABB=XXX",
        "mark XXX cannot happen for AABB: no secret of 4x6,distinct-secrets has more than 2 pegs "
        "in common with it; nearest possible: XX, X, XO",
    ),
    (
        "4x6,blank", "A..B=XXX",
        "mark XXX cannot happen for A..B: no secret of 4x6,blank has more than 2 pegs in common "
        "with it; nearest possible: XX, X, XO",
    ),
    (
        "4x6", "AAAB=OOO",
        "mark OOO cannot happen for AAAB: no secret of 4x6 gives it; nearest possible: OO, XOO, O",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "turn", "said"), REFUSED)
def test_the_reason_is_given(text: str, turn: str, said: str) -> None:
    rules = Rules.parse(text)
    with pytest.raises(MarkError) as refused:
        check_turn(rules, read(rules, turn)[0])
    assert str(refused.value) == said


def test_marks_that_no_guess_gets_and_guesses_that_cannot_be_are_refused_first() -> None:
    with pytest.raises(MarkError, match=r"a last peg .* would be in place too"):
        check_turn(Rules(), (Code([0, 1, 2, 3]), Mark(3, 1)))
    with pytest.raises(CodeError, match="color Z"):
        check_turn(Rules(), (Code([25, 0, 0, 0]), Mark(0)))
    with pytest.raises(CodeError, match="5 pegs"):
        possible_marks(Rules(), Code([0] * 5))


def test_the_largest_boards_too() -> None:
    rules = Rules(16, 26)
    assert possible_marks(rules, Code([3] * 16)) == tuple(Mark(black) for black in range(17))
    assert len(possible_marks(rules, Code(range(16)))) == len(legal_marks(rules))
