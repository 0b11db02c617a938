"""What is still possible, against trying every code; on large boards by other means."""

import importlib
import math
import pickle
import random
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import CodeError, InputError, MarkError, TooLargeError
from pegwise.game import (
    Code,
    FiniteGame,
    Mark,
    Mastermind,
    PartialMark,
    Rules,
    Turn,
    board_game,
    game_of,
    mark,
)
from pegwise.game import parse_code as parse
from pegwise.knowledge import candidate_set, candidates, count, listed_candidates, parts
from pegwise.knowledge.candidates import MAX_STATES, build_candidates, opening_parts
from pegwise.knowledge.constraints import complete_set
from pegwise.knowledge.counting import CandidateSet
from pegwise.progress import Progress
from pegwise.reading import check_turns, parse_mark, read_history
from tests import naive
from tests.boards import codes_of, histories, joint_marks, marking_of, secrets_of, small_rules

counting = importlib.import_module("pegwise.knowledge.counting")


@given(histories(codes=200), st.integers(0, 30), st.data())
def test_candidates_are_those_found_one_by_one(
    drawn: tuple[Rules, list[Turn]], limit: int, data: st.DataObject
) -> None:
    rules, history = drawn
    secrets = secrets_of(rules)
    expected = naive.consistent(secrets, history, black_only=rules.black)
    assert count(rules, history) == len(expected)
    assert candidates(rules, history) == expected
    assert candidates(rules, history, limit) == expected[:limit]
    assert all(isinstance(code, Code) for code in candidates(rules, history, 1))
    guess = data.draw(codes_of(rules))
    partition = naive.partition(guess, expected, marking_of(rules))
    # listed, and counted
    for make in (set_of, partial(CandidateSet, most=MAX_STATES)):
        codes = make(rules, history)
        assert codes.count() == len(expected)
        assert codes.first(5) == codes.first(5) == expected[:5]
        sizes = make(rules, history, Code(guess)).parts()
        assert sizes == {mark: len(part) for mark, part in partition.items()}
        assert list(sizes) == sorted(sizes)


@given(histories(codes=200), st.data())
def test_marks_that_are_noted_in_part(drawn: tuple[Rules, list[Turn]], data: st.DataObject) -> None:
    rules, full = drawn
    if rules.black:
        return
    noted = []
    for guess, answer in full:
        kind = data.draw(st.sampled_from(["black", "sum", "full"]))
        partial_mark = {
            "black": PartialMark(black=answer.black),
            "sum": PartialMark(total=sum(answer)),
            "full": answer,
        }[kind]
        noted.append(Turn(guess, partial_mark))

    def fits(code: tuple[int, ...]) -> bool:
        for guess, answer in noted:
            black, white = naive.mark(guess, code)
            if isinstance(answer, PartialMark):
                if answer.noted_black not in (None, black):
                    return False
                if answer.total not in (None, black + white):
                    return False
            elif (black, white) != tuple(answer):
                return False
        return True

    expected = [code for code in secrets_of(rules) if fits(code)]
    for make in (set_of, partial(CandidateSet, most=MAX_STATES)):
        assert make(rules, noted).count() == len(expected)
        assert make(rules, noted).first() == expected
    drawn_codes = build_candidates(rules, noted, np.random.default_rng(0))
    assert [Code(code) for code in drawn_codes.codes.tolist()] == expected


@pytest.mark.parametrize(
    ("text", "guess", "total"),
    [
        *(("2x6", "AB", 2), ("4x6,distinct", "ABCD", 4), ("6x10,distinct", "ABCDEF", 4)),
        *(("8x10", "ABCDEFGH", 2), ("8x10", "AABBCCDD", 4)),
    ],
)
def test_a_sum_is_that_of_the_marks_that_have_it(text: str, guess: str, total: int) -> None:
    """Also where no other guess tells the places of a color: it is then in no half of a code."""
    game = game_of(text)
    code, rules = parse(guess, game), game.board
    assert rules is not None
    marks = [mark for mark in game.marking.legal if sum(mark) == total]
    noted = [Turn(code, PartialMark(total=total))]
    listed = CandidateSet(rules, noted, most=MAX_STATES)
    assert listed.count() == sum(count(game, [Turn(code, mark)]) for mark in marks) > 0
    assert all(sum(game.mark_of(code, secret)) == total for secret in listed.first(50))


def test_marks_of_words_that_are_noted_in_part() -> None:
    rules = game_of("sgb")
    for partial_mark, text in ((PartialMark(black=2), "2 ?"), (PartialMark(total=3), "=3")):
        meant = rules.marking.completions(partial_mark)
        sizes = [count(rules, [("crane", mark)]) for mark in meant]
        assert count(rules, [f"crane={text}"]) == sum(sizes) > max(sizes)


@settings(max_examples=20)
@given(histories(codes=200), st.data())
def test_constraints_find_the_same_codes(
    drawn: tuple[Rules, list[Turn]], data: st.DataObject
) -> None:
    pytest.importorskip("ortools")
    rules, history = drawn
    if not rules.on_board:
        return
    guess = Code(data.draw(codes_of(rules)))
    solved = complete_set(rules, history, guess)
    counted = CandidateSet(rules, history, guess, most=MAX_STATES)
    assert solved is not None
    assert solved.count() == counted.count()
    assert solved.first() == counted.first()
    assert solved.parts() == counted.parts()


EULER: Final = """
5616185650518293 2 3847439647293047 1 5855462940810587 3 9742855507068353 3 4296849643607543 3
3174248439465858 1 4513559094146117 2 7890971548908067 3 8157356344118483 1 2615250744386899 2
8690095851526254 3 6375711915077050 1 6913859173121360 1 6442889055042768 2 2321386104303845 0
2326509471271448 2 5251583379644322 2 1748270476758276 3 4895722652190306 1 3041631117224635 3
1841236454324589 3 2659862637316867 2
"""


@pytest.mark.slow
def test_few_codes_of_a_large_board() -> None:
    # Project Euler, problem 185: "Find the unique 16-digit secret sequence."
    pytest.importorskip("ortools")
    steps: list[Progress] = []
    noted = EULER.split()
    turns = [f"{guess}={mark}" for guess, mark in zip(noted[::2], noted[1::2], strict=True)]
    read = read_history("\n".join(turns), "16x10,black")
    codes = candidate_set(read.game, read.turns, report=steps.append)
    assert codes.count() == 1 and steps
    assert read.notation.code(codes.first()[0]) == "4640261571849533"


def test_what_is_not_noted_cannot_be_asked() -> None:
    for noted in (PartialMark(black=2), PartialMark(total=2)):
        assert parse_mark(str(noted), "4x6") == noted
        assert pickle.loads(pickle.dumps(noted)) == noted
        for ask in (lambda mark: mark.white, sum, list):
            with pytest.raises(MarkError):
                ask(noted)
        with pytest.raises(MarkError):
            board_game(Rules.parse("4x6")).mark_number(noted)
        assert noted not in Rules().marking.legal
    with pytest.raises(MarkError):
        PartialMark()


MIDDLE = ["5x9,distinct-secrets", "5x7", "6x5,blank", "7x4,black", "6x8,distinct,black"]


@pytest.mark.slow
@pytest.mark.parametrize("text", MIDDLE)
def test_middle_boards_agree_with_a_plain_count(text: str) -> None:
    rules = Rules.parse(text)
    draw = random.Random(text)
    for turns in (2, 3):
        guesses = [random_guess(rules, draw) for _ in range(turns)]
        joint = joint_marks(rules, guesses)
        assert sum(joint.values()) == rules.n_secrets
        for marks in draw.sample(sorted(joint), min(6, len(joint))):
            history = [Turn(*turn) for turn in zip(guesses, map(Mark._make, marks), strict=True)]
            assert count(rules, history) == joint[marks]
            last = {m[-1]: n for m, n in joint.items() if m[:-1] == marks[:-1]}
            assert parts(game_of(rules), history[:-1], guesses[-1]) == last


def set_of(rules: Rules, *args: Any) -> Any:
    """The candidates of a board, as they are counted for its size."""
    return candidate_set(game_of(rules), *args)


def random_guess(rules: Rules, draw: random.Random) -> Code:
    colors = list(range(rules.colors))
    pegs = draw.sample(colors, rules.pegs) if rules.distinct else draw.choices(colors, k=rules.pegs)
    return Code(26 if rules.blank and draw.random() < 0.2 else peg for peg in pegs)


@pytest.mark.parametrize("text", ["6x26", "8x12", "10x10", "10x12,distinct,black"])
def test_large_boards_add_up(text: str) -> None:
    rules = Rules.parse(text)
    draw = random.Random(text)
    secret = Code(draw.sample(range(rules.colors), rules.pegs))
    guesses = [random_guess(rules, draw) for _ in range(4)]
    history = [Turn(g, mark(g, secret, black_only=rules.black)) for g in guesses]
    for turns in range(len(history)):
        sizes = parts(game_of(rules), history[:turns], guesses[turns])
        assert sum(sizes.values()) == count(rules, history[:turns])
        assert sizes[history[turns].mark] == count(rules, history[: turns + 1])
    first = candidates(rules, history, 40)
    assert len(first) == 40
    assert first == sorted(set(first))
    for code in first:
        assert all(mark(g, code, black_only=rules.black) == m for g, m in history)


def test_counts_in_closed_form() -> None:
    wide, long = Rules(16, 26), Rules(16, 26, distinct=True)
    assert count(wide, []) == 26**16
    assert count(wide, [Turn(Code([0] * 16), Mark(5))]) == math.comb(16, 5) * 25**11
    assert count(wide, [Turn(parse("ABCDEFGHIJKLMNOP", wide), Mark(0))]) == 10**16
    assert count(long, []) == math.perm(26, 16)
    # six of these colors, none of them in place, and all ten others
    displaced = sum(
        (-1) ** k * math.comb(16, k) * math.comb(16 - k, 6 - k) * math.perm(16 - k, 6 - k)
        for k in range(7)
    )
    history = [Turn(parse("ABCDEFGHIJKLMNOP", long), Mark(0, 6))]
    assert count(long, history) == displaced * math.factorial(10)


@pytest.mark.slow
def test_the_first_candidates_of_a_large_list() -> None:
    game = board_game(Rules.parse("8x5"))
    history = check_turns(["AABBCCDD=XXOO", "ABCDEABC=XOOO"], game_of(game.rules))
    secrets = listed_candidates(game, history)
    assert count(game, history) == len(secrets)
    assert candidates(game, history, 200) == [game.secret(k) for k in secrets[:200].tolist()]
    assert candidates(game, history)[-1] == game.secret(int(secrets[-1]))


def test_any_finite_game() -> None:
    words = ["cat", "car", "cow", "dog"]
    game = FiniteGame(words, lambda g, s: sum(a == b for a, b in zip(g, s, strict=True)))
    assert count(game, []) == 4
    assert candidates(game, [("cat", 2)]) == ["car"]
    assert candidates(game, [("dog", 0)], 2) == ["cat", "car"]
    assert count(game, [("dog", 1)]) == 1
    assert count(game, [("dog", 1), ("cat", 2)]) == 0
    # weights do not change what is possible
    assert count(Mastermind(Rules(2, 2), weights=[1, 0, 0, 1]), []) == 4


def test_what_is_refused() -> None:
    rules = Rules()
    with pytest.raises(InputError, match="limit=-1"):
        candidates(rules, [], -1)
    with pytest.raises(CodeError, match="color G at position 1"):
        count(rules, [((6, 0, 0, 0), (1, 0))])
    with pytest.raises(MarkError, match="cannot happen"):
        candidates(rules, [((0, 0, 0, 0), (3, 1))])
    with pytest.raises(CodeError, match="2 pegs"):
        parts(game_of(rules), [], Code([0, 0]))
    with pytest.raises(TooLargeError, match="100,000,000 codes of 8x10 are too many to list"):
        candidates(Rules(8, 10), [])


LONG = Rules(8, 8), ["ABCDEFGH=XXOOOO", "AABBCCDD=XOO"]


def test_long_work_is_reported_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = count(*LONG)
    monkeypatch.setattr(counting, "STEP", 1000)
    steps: list[Progress] = []
    assert count(*LONG, report=steps.append) == expected
    assert len(steps) > 2
    assert [step.done for step in steps] == sorted({step.done for step in steps})
    assert steps[-1].done == steps[-1].total

    def stop(_step: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count(*LONG, report=stop)


def test_boards_too_large_to_count(few_states: None) -> None:
    with pytest.raises(TooLargeError, match="8x8 that fit these turns cannot be counted"):
        count(*LONG)


@given(small_rules(codes=3000), st.data())
def test_the_closed_form_agrees_with_counting_halves(rules: Rules, data: st.DataObject) -> None:
    guess = Code(data.draw(codes_of(rules)))
    assert opening_parts(rules, guess) == CandidateSet(rules, [], guess, most=MAX_STATES).parts()


def test_the_closed_form_on_the_largest_board() -> None:
    rules = Rules(16, 26)
    sizes = opening_parts(rules, parse("AABBBCDEFGHIJKLM", rules))
    assert sum(sizes.values()) == 26**16
    blacks = [sum(n for mark, n in sizes.items() if mark.black == b) for b in range(17)]
    assert blacks == [math.comb(16, b) * 25 ** (16 - b) for b in range(17)]
