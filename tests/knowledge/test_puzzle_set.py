"""Sets of puzzles: no two alike, the same everywhere, and wrong answers that are wrong."""

import itertools
import random
from dataclasses import replace

import pytest

from pegwise.errors import InputError
from pegwise.game import HOLE, Code, Rules, Turn, game_of
from pegwise.i18n import speaking
from pegwise.knowledge.puzzle_set import PuzzleSet, kind_of, record, wrong_answers
from pegwise.knowledge.puzzles import puzzle

BOARDS = ("4x6", "3x4", "4x5,blank", "4x6,distinct", "4x6,black", "4x6,placed")


@pytest.mark.parametrize("name", BOARDS)
def test_other_names_and_another_order_are_no_other_puzzle(name: str) -> None:
    draw = random.Random(name)
    rules = Rules.parse(name)
    for seed in range(6):
        drawn = puzzle(name, level=2, seed=seed)
        colors = draw.sample(range(rules.colors), rules.colors)
        renamed = [
            Turn(Code(peg if peg == HOLE else colors[peg] for peg in turn.guess), turn.mark)
            for turn in drawn.turns
        ]
        draw.shuffle(renamed)
        assert kind_of(replace(drawn, turns=tuple(renamed))) == kind_of(drawn)
        assert kind_of(replace(drawn, turns=drawn.turns[1:])) != kind_of(drawn)


def test_kinds_are_those_of_all_renamings() -> None:
    """Beside the plain definition, on all pairs of two turns of 2x3."""
    codes = [Code(pegs) for pegs in itertools.product(range(3), repeat=2)]
    marks = [Rules.parse("2x3").marking.mark(codes[0], code) for code in codes[:5]]
    drawn = puzzle("2x3", level=1, seed=1)

    def plain(pair: tuple[Turn, ...]) -> list[tuple[object, ...]]:
        names = itertools.permutations(range(3))
        return min(sorted((t.mark, tuple(n[peg] for peg in t.guess)) for t in pair) for n in names)

    turns = [Turn(code, mark) for code in codes for mark in {*marks}]
    pairs = [*itertools.combinations(turns, 2)]
    kinds = [kind_of(replace(drawn, turns=pair)) for pair in pairs]
    slow = [str(plain(pair)) for pair in pairs]
    assert len({*kinds}) == len({*slow}) == len({*zip(kinds, slow, strict=True)})


def test_a_set_has_every_puzzle_once() -> None:
    drawing = PuzzleSet(game_of("3x3"), (1, 2, 3), seed=4)
    puzzles = [*drawing.draw(30)]
    assert len({kind_of(drawn) for drawn in puzzles}) == 30
    assert [drawn.level for drawn in puzzles] == [1, 2, 3] * 10
    assert puzzles[-1].seed - 4 == 29 + drawing.repeated
    assert drawing.repeated > 0
    assert puzzles[7] == puzzle("3x3", level=puzzles[7].level, seed=puzzles[7].seed)


def test_a_board_ends() -> None:
    with pytest.raises(InputError, match="after 2 puzzles of 2x2 no other one of level 1"):
        [*PuzzleSet(game_of("2x2"), (1,)).draw(9)]


@pytest.mark.parametrize("name", [*BOARDS, "wordle"])
def test_wrong_answers_are_wrong_and_graded(name: str) -> None:
    nearer = 0
    for seed in range(4):
        drawn = puzzle(name, level=1, seed=seed)
        answers = wrong_answers(drawn)
        codes = {answer.code for answer in answers}
        assert len(codes) == 4
        assert not codes & {drawn.solution, *(turn.guess for turn in drawn.turns)}
        for answer in answers:
            assert answer.contradicts == tuple(drawn.misfits(answer.code)) != ()
            pairs = zip(answer.code, drawn.solution, strict=True)
            assert answer.places == sum(a != b for a, b in pairs) > 0
        ranks = [(len(answer.contradicts), answer.places) for answer in answers]
        assert ranks == sorted(ranks)
        nearer += ranks[0] < ranks[-1]
    assert nearer


def test_a_board_of_few_codes_has_fewer_wrong_answers() -> None:
    drawn = puzzle("1x4", level=1, seed=0)
    assert len(wrong_answers(drawn)) == 4 - 1 - len(drawn.turns)


def test_a_record_is_the_same_in_every_language() -> None:
    drawn = puzzle("3x4", level=4, seed=2)
    told = record(drawn)
    with speaking("fr"):
        assert record(drawn) == told
        assert told["sentences"]["fr"] == drawn.sentences
    assert told["sentences"]["en"] == drawn.sentences
    assert "text" not in str(told["steps"])
    cases = [step["case"] for step in told["steps"] if step["case"]]
    assert cases == [
        {"place": 0, "color": "A", "absent": False},
        {"place": 0, "color": "B", "absent": True},
    ]
    wrong = [(each["code"], each["contradicts"]) for each in told["wrong"]]
    assert wrong == [("ABC", [2]), ("CBB", [1]), ("CDD", [2]), ("AAA", [1, 2])]
