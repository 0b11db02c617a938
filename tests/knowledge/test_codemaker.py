"""Codemakers that never contradict themselves; marks that cannot happen, and contradictory ones."""

from collections import Counter

import pytest
from benchmarks.slips import measure
from hypothesis import given
from hypothesis import strategies as st

from pegwise.encoder import encoded
from pegwise.errors import CodeError, ContradictionError, MarkError
from pegwise.game import Code, Mark, Rules, Turn, Word, game_of, parse_code
from pegwise.knowledge import (
    Alternative,
    Suspect,
    check_turn,
    count,
    fewest_wrong,
    possible_marks,
    suspects,
    wrong_turns,
)
from pegwise.knowledge.codemaker import Evil, Hidden, draw_secret
from pegwise.reading import check_turns
from tests import naive
from tests.boards import (
    any_rules,
    codes_of,
    histories,
    joint_marks,
    marking_of,
    secrets_of,
    small_rules,
)

CLASSIC = Rules()


@given(rules=small_rules(300), data=st.data())
def test_evil_leaves_most_candidates_until_one_is_left(rules: Rules, data: st.DataObject) -> None:
    evil = Evil(game_of(rules))
    candidates = secrets_of(rules)
    turns: list[Turn] = []
    for _ in range(data.draw(st.integers(1, 4))):
        guess = Code(data.draw(codes_of(rules)))
        parts = naive.partition(guess, candidates, marking_of(rules))
        answer = evil.answer(turns, guess)
        assert answer == evil.answer(tuple(turns), guess)
        most = max(len(part) for part in parts.values())
        assert len(parts[answer]) == most
        # of equal parts, the one that tells of fewest blacks, then whites
        assert answer == min(mark for mark, part in parts.items() if len(part) == most)
        candidates = parts[answer]
        turns.append(Turn(guess, answer))
        assert evil.reveal(turns) == candidates[0]


@pytest.mark.parametrize(
    ("board", "guesses"), [("8x12", ["ABCDEFGH", "IJKLABCD"]), ("wordle", ["ABACI"])]
)
def test_evil_reveals_codes_of_large_boards_and_words(board: str, guesses: list[str]) -> None:
    evil, turns = Evil(game_of(board)), list[Turn]()
    for text in guesses:
        guess = parse_code(text, evil.rules)
        turns.append(Turn(guess, evil.answer(turns, guess)))
    secret = evil.reveal(turns)
    assert all(evil.rules.marking.mark(guess, secret) == mark for guess, mark in turns)
    assert isinstance(secret, Word) == (board == "wordle")


def test_contradictory_turns_are_refused() -> None:
    rules = Rules(4, 6)
    turns = [Turn(Code([0, 0, 0, 0]), Mark(1)), Turn(Code([0, 0, 0, 0]), Mark(2))]
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        Evil(game_of(rules)).answer(turns, Code([0, 1, 2, 3]))
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        Evil(game_of(rules)).reveal(turns)
    hidden = Hidden(game_of(rules), Code([0, 1, 2, 3]))
    assert hidden.reveal(turns[:1]) == (0, 1, 2, 3)
    with pytest.raises(ContradictionError, match="AAAA=XX is not a mark"):
        hidden.reveal(turns)


@given(rules=any_rules(), data=st.data())
def test_a_hidden_code_marks_by_the_definition(rules: Rules, data: st.DataObject) -> None:
    secret, guess = data.draw(codes_of(rules, secret=True)), data.draw(codes_of(rules))
    hidden = Hidden(game_of(rules), secret)
    assert hidden.answer((), Code(guess)) == naive.mark(guess, secret, black_only=rules.black)
    assert hidden.reveal(()) == secret


def test_a_hidden_code_must_be_a_secret() -> None:
    with pytest.raises(CodeError, match="no color may come twice"):
        Hidden(game_of(Rules(4, 6, distinct_secrets=True)), (0, 0, 1, 2))


@pytest.mark.parametrize("board", ["3x3", "3x4,distinct", "2x5,distinct-secrets", "1x7"])
def test_every_secret_is_drawn_with_the_same_chance(board: str) -> None:
    game = game_of(board)
    draws = 200 * game.n_secrets
    drawn = Counter(draw_secret(game, seed) for seed in range(draws))
    assert set(drawn) == {game.secret(number) for number in range(game.n_secrets)}
    # chi-square, with a mean of n - 1 and a variance of 2 (n - 1)
    n = game.n_secrets
    distance = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert abs(distance - (n - 1)) < 4 * (2 * (n - 1)) ** 0.5


def test_a_seed_decides() -> None:
    game = game_of("16x26")
    assert draw_secret(game, 1) == draw_secret(game, 1) != draw_secret(game, 2)
    # kept games are found again by later versions
    assert [str(draw_secret(game_of("4x6"), seed)) for seed in range(3)] == [
        "EDDF",
        "CCEE",
        "CAFB",
    ]
    assert str(draw_secret(game_of(Rules(4, 10, distinct=True)), 7)) == "GAID"


# marks that are wrong


@given(small_rules(codes=300), st.data())
def test_possible_marks_are_those_that_some_secret_gives(rules: Rules, data: st.DataObject) -> None:
    guess = Code(data.draw(codes_of(rules)))
    secrets = secrets_of(rules)
    given_marks = {naive.mark(guess, secret, black_only=rules.black) for secret in secrets}
    assert possible_marks(game_of(rules), guess) == tuple(sorted(given_marks))
    for mark in rules.marking.legal:
        if mark in given_marks:
            check_turn(game_of(rules), (guess, mark))
        else:
            with pytest.raises(MarkError, match="cannot happen for"):
                check_turn(game_of(rules), (guess, mark))


@pytest.mark.parametrize(
    ("text", "turn", "said"),
    [
        ("4x6", "AAAA=O", "AAAA: it has one color only, .*; nearest possible: -, X, XX"),
        ("4x5,distinct", "ABCD=X", "3 or more pegs in common .*; nearest possible: XOO, XXO, XXX"),
        ("4x6,blank", "A..B=XXX", "more than 2 pegs in common .*; nearest possible: XX, X, XO"),
        ("4x6", "AAAB=OOO", "no secret of 4x6 gives it; nearest possible: OO, XOO, O"),
    ],
)
def test_the_reason_is_given(text: str, turn: str, said: str) -> None:
    rules = game_of(text)
    with pytest.raises(MarkError, match=f"cannot happen for .*{said}$"):
        check_turn(game_of(rules), check_turns([turn], game_of(rules))[0])


def test_the_largest_boards_too() -> None:
    rules = game_of(Rules(16, 26))
    assert possible_marks(rules, Code([3] * 16)) == tuple(Mark(black) for black in range(17))
    assert len(possible_marks(rules, Code(range(16)))) == len(rules.marking.legal)


@given(histories(codes=200, honest=False))
def test_suspects_are_the_changes_that_help(drawn: tuple[Rules, list[Turn]]) -> None:
    rules, history = drawn
    guesses, noted = [turn.guess for turn in history], [turn.mark for turn in history]
    joint = joint_marks(rules, guesses)
    assert fewest_wrong(game_of(rules), history) == naive.fewest_wrong(joint, noted)
    likely = suspects(rules, history)
    if count(rules, history):
        assert likely == []
        return
    expected = {turn: marks for turn, marks in enumerate(naive.repairs(joint, noted), 1) if marks}
    assert {s.turn: {a.mark: a.count for a in s.instead} for s in likely} == expected
    assert all(suspect.mark == noted[suspect.turn - 1] for suspect in likely)
    assert bool(likely) == (fewest_wrong(game_of(rules), history) == 1)


def test_what_is_nearer_and_leaves_more_comes_first() -> None:
    # the same guess twice: either mark may be wrong
    likely = suspects(CLASSIC, ["ABCD=XXO", "ABCD=XX"])
    assert likely == [
        Suspect(1, Mark(2, 1), (Alternative(Mark(2), 96),)),
        Suspect(2, Mark(2), (Alternative(Mark(2, 1), 48),)),
    ]
    assert encoded(likely[0]) == {
        "turn": 1, "mark": "XXO", "instead": [{"mark": "XX", "count": 96}]
    }  # fmt: skip
    # a win is hardly overlooked
    won = suspects(CLASSIC, ["ABCD=XXXX", "ABCD=XXX"])
    assert [suspect.turn for suspect in won] == [1, 2]
    # nothing for A and B: the other turn is off by one peg or by two
    (first, later) = suspects(CLASSIC, ["AABB=-", "ABAB=OO"])
    assert first.turn == 2
    assert first.instead == (Alternative(Mark(0), 256),)
    assert later.turn == 1
    assert {change.mark for change in later.instead} == {Mark(0, 2), Mark(1, 1), Mark(2)}


def test_impossible_marks_are_suspects_too() -> None:
    (suspect,) = suspects(CLASSIC, [Turn(Code([0] * 4), Mark(0, 1))])
    assert suspect.turn == 1
    assert [change.mark for change in suspect.instead] == [Mark(b) for b in (0, 1, 2, 3, 4)]


def test_suspects_on_boards_that_cannot_be_listed() -> None:
    rules = Rules(10, 10)
    history = check_turns(
        ["ABCDEFGHIJ=XXXOOO", "AABBCCDDEE=XOO", "ABCDEFGHIJ=XXOOO"], game_of(rules)
    )
    likely = suspects(rules, history)
    assert {suspect.turn for suspect in likely} == {1, 3}
    for suspect in likely:
        for alternative in suspect.instead:
            changed = list(history)
            changed[suspect.turn - 1] = Turn(history[suspect.turn - 1].guess, alternative.mark)
            assert count(rules, changed) == alternative.count


def test_no_single_change_helps() -> None:
    history = ["AAAA=XXX", "BBBB=XXX", "CCCC=XXX", "DDDD=XXX"]
    assert suspects(CLASSIC, history) == []
    assert fewest_wrong(game_of(CLASSIC), history) == 3
    assert fewest_wrong(game_of(CLASSIC), history[:1]) == 0
    assert fewest_wrong(game_of(CLASSIC), 25 * history) == 75
    # at least, on a board that cannot be listed
    history = [f"{10 * letter}={9 * 'X'}" for letter in "ABCD"]
    assert fewest_wrong(game_of(Rules(10, 10)), history) == 2
    assert fewest_wrong(game_of(Rules(10, 10)), history[:1]) == 0


def test_the_revealed_secret_shows_the_wrong_turns() -> None:
    secret = parse_code("ABCE", CLASSIC)
    wrong = wrong_turns(game_of(CLASSIC), ["ABCD=XXO", "AABB=X", "CCDD=XX", "ABCD=XXX"], secret)
    assert wrong == [(1, Mark(3)), (2, Mark(1, 1)), (3, Mark(0, 1))]
    assert wrong_turns(game_of(Rules(marks="black")), ["ABCD=2"], secret) == [(1, Mark(3))]


def test_turns_that_are_refused() -> None:
    with pytest.raises(MarkError, match=r"a last peg .* would be in place too"):
        check_turn(game_of(CLASSIC), (Code([0, 1, 2, 3]), Mark(3, 1)))
    with pytest.raises(MarkError):
        suspects(CLASSIC, [Turn(Code([0] * 4), Mark(3, 1))])
    for refused in (
        lambda: check_turn(game_of(CLASSIC), (Code([25, 0, 0, 0]), Mark(0))),
        lambda: possible_marks(CLASSIC, Code([0] * 5)),
        lambda: wrong_turns(game_of(Rules(blank=True)), [], Code([0, 1, 2, 26])),
        lambda: fewest_wrong(game_of(CLASSIC), [Turn(Code([7] * 4), Mark(0))]),
    ):
        with pytest.raises(CodeError):
            refused()


@pytest.mark.slow
def test_the_right_turn_ranks_high() -> None:
    # what `make bench` measures on more histories
    figures = measure(histories=100, seed=1)
    assert figures.first >= 0.60
    assert figures.first_two >= 0.85
