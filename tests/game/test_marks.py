"""Marks: which can happen, how they are written, and what a wrong one is told."""

from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pegwise.errors import AmbiguousError, InputError, MarkError
from pegwise.game import NAMED, Game, Mark, Rules, game_of
from pegwise.game.marks import MARK_NOTATIONS
from pegwise.reading import check_mark, parse_mark
from tests.boards import any_rules, guesses_of, marking_of, secrets_of


@given(any_rules(), st.data(), st.sampled_from(MARK_NOTATIONS))
def test_print_and_parse_are_inverse(rules: Rules, data: st.DataObject, notation: str) -> None:
    mark = data.draw(st.sampled_from(rules.marking.legal))
    text = mark.write(notation)
    assert parse_mark(text, rules) == mark
    assert parse_mark(f" {text.lower()} ", rules) == mark
    assert parse_mark(parse_mark(text, rules).write(notation), rules) == mark
    assert check_mark((mark.black, mark.white), game_of(rules)) == mark


PARTLY = ("{n} ?", "{n}b?", "{n} noirs ?", "({n}, ?)", "{n}-?", "{x}?", "={n}", "{n} in all")
"""Ways to note a mark in part; `{x}` is a sign for each black peg."""


@st.composite
def mark_texts(draw: st.DrawFn, rules: Game) -> str:
    """A mark of a game in any notation or in its own words, in full or in part."""
    mark = draw(st.sampled_from(rules.marking.legal))
    n = draw(st.integers(0, rules.pegs))
    texts = [mark.write(draw(st.sampled_from(MARK_NOTATIONS)))]
    texts += [way.format(n=n, x=draw(st.sampled_from("xX●⚫")) * n) for way in PARTLY]
    if rules.marking.words is not None:
        texts.append(rules.marking.words.write(mark.black, mark.white))
    return draw(st.sampled_from(texts) | st.text("xXoO●○0123456789bw(), -.?=", max_size=8))


@pytest.mark.slow
@given(st.data(), st.sampled_from(["4x6", "1x1", "16x26", "4x6,black", "4x6,placed", *NAMED]))
@settings(max_examples=300)
def test_whatever_is_read_is_written_as_the_same(data: st.DataObject, game: str) -> None:
    rules = game_of(game)
    try:
        mark = parse_mark(data.draw(mark_texts(rules)), rules)
    except InputError:
        assume(False)
    for text in (str(mark), *map(mark.write, MARK_NOTATIONS)):
        again = parse_mark(text, rules)
        assert (type(again), repr(again)) == (type(mark), repr(mark)), text


@given(st.text(alphabet="xXoO●○0123456789bw(), -.") | st.text(max_size=10), any_rules())
def test_any_text_is_a_mark_or_one_sentence(text: str, rules: Rules) -> None:
    try:
        mark = parse_mark(text, rules)
    except (MarkError, AmbiguousError) as error:
        assert repr(text) in str(error) or isinstance(error, AmbiguousError)
        assert "\n" not in str(error)
    else:
        assert set(rules.marking.completions(mark)) <= set(rules.marking.legal)


@pytest.mark.parametrize(
    "text", ["1x2", "2x3", "3x3", "4x4", "3x3,black", "3x3,blank", "2x4,blank"]
)
def test_the_legal_marks_are_those_that_happen(text: str) -> None:
    rules = Rules.parse(text)
    pairs = product(guesses_of(rules), secrets_of(rules))
    assert {marking_of(rules)(*pair) for pair in pairs} == set(rules.marking.legal)


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["", "black", "placed"])
def test_marks_that_some_code_would_give(marks: str) -> None:
    # as many colors again as a guess has: each may be absent
    rules = Rules(4, 8, marks=marks)
    secrets = list(product(range(8), repeat=4))
    for guess in product(range(4), repeat=4):
        if list(dict.fromkeys(guess)) != list(range(len(set(guess)))):
            continue  # another one has the same marks
        given = {rules.marking.mark(guess, secret) for secret in secrets}
        code = rules.alphabet.of(guess)
        assert given == {mark for mark in rules.marking.legal if rules.marking.can_give(code, mark)}


def test_the_marks_of_the_classic_board() -> None:
    assert " ".join(map(str, Rules(4, 6).marking.legal)) == (
        "- O OO OOO OOOO X XO XOO XOOO XX XXO XXOO XXX XXXX"
    )
    assert game_of("4x6").mark(game_of("4x6").winning) == (4, 0)


TWO_AND_ONE = [
    *("XXO", "xxo", "OXX", "x x o", "XXO.", "●●○", "⚫⚫⚪", "⚫️⚫️⚪️"),
    *("2b1w", "2B 1W", "2b,1w", "(2, 1)", "[2,1]", "2 1", "2,1", "2+1", "21", " 2  1\n"),
    *("2b1c", "2A1B", "2 bulls 1 cow", "2 bulls and 1 cow", "2 blacks, 1 white"),
    *("bbw", "BBW", "２１", "1w2b", "2-1", "2/1", "2R1W", "RRW", "2S1B", "2H1B", "+2 -1", "2 1 1"),
    *("2 strikes 1 ball", "0002 1", "fermi pico fermi", "🔴🔴⚪", "🟢🟡🟢", "⬛⬛⬜"),
    *("two are well placed, one is misplaced", "deux bien placés, un mal placé"),
    *("1 blanche 2 noires", "2 bien placés 1 mal placé", "2 black peg(s), 1 white peg(s)"),
    *("2n1b", "2 noirs 1 blanc", "2 noirs et 1 blanc", "2T 1V", "2 taureaux, 1 vache"),
]
NOTHING = ["-", "0", "00", "none", "NONE", "nothing", "rien", "0b0w", "...."]


@pytest.mark.parametrize("text", [*TWO_AND_ONE, *NOTHING])
def test_notations(text: str) -> None:
    assert parse_mark(text, Rules(4, 6)) == (Mark(0) if text in NOTHING else Mark(2, 1))


@pytest.mark.parametrize(("text", "black"), [("2", 2), ("12", 12), ("2 0", 2), ("XX", 2), ("0", 0)])
def test_only_black_marks(text: str, black: int) -> None:
    assert parse_mark(text, Rules(16, 6, marks="black")) == Mark(black)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "XXXO",
            "mark 'XXXO' cannot happen: with 3 of 4 pegs in place, a last peg of the right color "
            "would be in place too; nearest possible: XXO, XXX, XXOO",
        ),
        ("●●●⚬", "nearest possible: ●●○, ●●●, ●●○○"),
        ("3b1w", "mark '3b1w' cannot happen: with 3 of 4 pegs in place"),
        ("XXXXX", "5 pegs marked, but a code of 4x6 has 4; nearest possible: XXXX, XXX, XX"),
        ("99", "18 pegs marked, but a code of 4x6 has 4"),
        ("9999 9999", "19998 pegs marked"),
    ],
)
def test_marks_that_cannot_happen(text: str, says: str) -> None:
    with pytest.raises(MarkError) as caught:
        parse_mark(text, Rules(4, 6))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", ",", "b1w", "2b1w3", "(2 1", "2 1)", "(2, 1]", "2,1,0", "2. 1"),
        *("-1 2", "X1", "xo-", "XYZ", "٢ ١", "100", "99999 0", "\udc80"),
    ],
)
def test_what_is_no_mark(text: str) -> None:
    with pytest.raises(MarkError) as caught:
        parse_mark(text, Rules(4, 6))
    assert str(caught.value) == (
        f"cannot read mark {text!r}: write X for each black and O for each white (XXO), counts "
        "(2b1w, 2 1), or - for none"
    )


def test_whites_where_only_blacks_are_given() -> None:
    rules = Rules(4, 6, marks="black")
    for text in ("O", "1w", "XO", "2 1"):
        with pytest.raises(MarkError, match="4x6,black gives only black marks; nearest possible"):
            parse_mark(text, rules)


@pytest.mark.parametrize(
    "mark", [(3, 1), (5, 0), (-1, 0), (0, -1), None, 5, "XZ", (1, 2, 3), (), (2.0, 1), ("2", "1")]
)
def test_what_no_game_numbers(mark: object) -> None:
    with pytest.raises(MarkError):
        game_of("4x6").mark_number(mark)
    with pytest.raises(MarkError):
        check_mark(mark, game_of("4x6"))  # type: ignore[arg-type]


@given(any_rules(), st.integers(0, 40), st.integers(0, 40))
def test_proposals_can_happen(rules: Rules, black: int, white: int) -> None:
    proposals = rules.marking.nearest(Mark(black, white))
    assert len(proposals) == min(3, len(rules.marking.legal))
    assert set(proposals) <= set(rules.marking.legal)
    if (black, white) in rules.marking.legal:
        assert proposals[0] == (black, white)


def test_other_refusals() -> None:
    for counts in ((-1, 0), (0, -1)):
        with pytest.raises(MarkError, match="a count of pegs is 0 or more"):
            Mark(*counts)
    with pytest.raises(InputError, match="unknown notation 'morse'; known: pegs, discs, counts, p"):
        Mark(2, 1).write("morse")
