"""The coach: what is to be expected comes from the plain definition, luck apart from cost."""

import json
import math
from collections.abc import Sequence
from fractions import Fraction

import pytest

from pegwise.coach.review import review
from pegwise.errors import InputError, UnknownNameError
from pegwise.game import Code, Game, Mark, Rules, Turn, game_of
from pegwise.i18n import speaking
from pegwise.knowledge import PositionValue
from pegwise.knowledge.puzzles import puzzle
from pegwise.playing import Record, parse_game
from pegwise.progress import Progress
from pegwise.reading import parse_turn
from pegwise.telling.review import review_report
from tests import naive
from tests.boards import guesses_of
from tests.coach.test_advice import plain_parts, plain_score

RULES = Rules(4, 6)


def record(*turns: str, rules: Rules = RULES, result: str = "open", secret: str = "") -> Record:
    hidden = None if not secret else Code("ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(c) for c in secret)
    return Record(
        game_of(rules), tuple(parse_turn(turn, game_of(rules)) for turn in turns), result, hidden
    )


PLAYED = record("AABC=O", "DEBF=XXO", "BEEF=XXXX", result="solved")


@pytest.mark.slow
def test_a_game_by_the_plain_definition() -> None:
    reviewed = review(PLAYED)
    assert [turn.before for turn in reviewed.turns] == [1296, 276, 9]
    assert [turn.after for turn in reviewed.turns] == [276, 9, 1]
    assert reviewed.secret == Code([1, 4, 4, 5])
    assert (reviewed.consistent, reviewed.wrong, reviewed.suspects) == (True, (), ())
    for number, turn in enumerate(reviewed.turns, 1):
        history = list(PLAYED.turns[: number - 1])
        assert (turn.number, turn.turn) == (number, PLAYED.turns[number - 1])
        sizes = list(plain_parts(RULES, history, turn.turn.guess).values())
        expected = -plain_score(sizes, "entropy")
        assert turn.played.bits == pytest.approx(expected)
        assert turn.bits == pytest.approx(math.log2(turn.before / turn.after))
        assert turn.luck == pytest.approx(turn.bits - expected)
        fates = [size for size in sizes for _ in range(size)]  # codes left, for each code
        less = [(size > turn.after) + (size == turn.after) / 2 for size in fates]
        assert turn.luck_share == pytest.approx(sum(less) / len(less))
        # luck is judged by the player's own guess, whatever the best one is
        assert turn.best is not None
        scores = [
            plain_score(list(plain_parts(RULES, history, guess).values()), "entropy")
            for guess in guesses_of(RULES)[:: 1 if number > 2 else 7]
        ]
        assert turn.best.bits >= -min(scores) - 1e-9
        assert turn.cost == pytest.approx(turn.best.bits - expected)
        assert turn.cost is not None and turn.cost >= 0
        assert turn.cost_in_codes == turn.played.expected - turn.best.expected
    assert [turn.played.possible for turn in reviewed.turns] == [True, False, True]
    assert reviewed.luck == pytest.approx(sum(turn.luck for turn in reviewed.turns))
    shares = [turn.luck_share or 0 for turn in reviewed.turns]
    assert reviewed.luck_share == pytest.approx(sum(shares) / 3)
    known = review(record("AAAA=-", "AAAA=-")).turns[1]  # its mark was known beforehand
    assert known.luck_share is None
    assert reviewed.cost == pytest.approx(sum(turn.cost or 0 for turn in reviewed.turns))


def test_an_equal_guess_is_best_itself() -> None:
    (turn,) = review(record("FEDC=X")).turns
    assert turn.is_best
    assert turn.best is turn.played
    assert turn.cost == 0
    # as many bits, though another guess may be the code
    late = review(record("AABB=XX", "CCDD=-", "EAFF=OO", "AAEF=XX")).turns[-1]
    assert (late.cost, late.is_best, late.answer) == (0, True, late.turn.guess)


@pytest.mark.slow
def test_the_players_own_rule() -> None:
    """Someone who plays only possible codes is compared with the best possible code."""
    rules = Rules(4, 8)
    played = record("ABCD=OO", "BAEF=O", "CCGG=-", rules=rules)
    reviewed = review(played, guesses="candidates")
    assert (reviewed.guesses, review(played).guesses) == ("candidates", "all")
    for number, turn in enumerate(reviewed.turns):
        assert turn.best is not None and turn.best.possible
        best = tuple(turn.best.guess)
        assert all(naive.mark(guess, best) == mark for guess, mark in played.turns[:number])


def test_contradictory_marks_are_reviewed_as_far_as_they_agree() -> None:
    turns = ("AABB=XX", "AABB=-", "CDEF=OO")
    reviewed = review(record(*turns))
    assert (len(reviewed.turns), reviewed.consistent, reviewed.wrong) == (1, False, ())
    assert {suspect.turn for suspect in reviewed.suspects} == {1, 2}
    # the wrong marks are named once the secret is known
    shown = review(record(*turns, result="given up", secret="BEEF"))
    assert [(n, str(mark)) for n, mark in shown.wrong] == [(1, "O"), (2, "O"), (3, "XX")]
    solved = review(record("AABB=XX", "BEEF=XXXX", result="solved"))
    assert [(n, str(mark)) for n, mark in solved.wrong] == [(1, "O")]
    assert not solved.consistent


def test_on_a_board_too_large_to_compare_guesses_the_best_is_drawn() -> None:
    rules = Rules(10, 12)
    turns = ("ABCDEFGHIJ=XXXOO", "KLKLKLKLKL=XO")
    reviewed = review(record(*turns, rules=rules))
    for turn in reviewed.turns:
        assert turn.best is not None
        assert turn.unit == "bits"
        assert turn.best.bits >= turn.played.bits
        assert (turn.cost or 0) >= 0
    assert reviewed.cost > 0.3  # the second guess has two colors that are hardly possible
    by_size = review(record(*turns, rules=rules), criterion="size")
    assert [turn.best for turn in by_size.turns] == [None, None]
    assert all(turn.before > turn.after > 0 for turn in reviewed.turns)
    assert reviewed.turns[0].before == 12**10
    assert reviewed.turns[0].luck == reviewed.turns[0].bits - reviewed.turns[0].played.bits
    assert reviewed.document()["turns"][0]["best"]["guess"] == "AABBCCDDEE"
    assert by_size.document()["turns"][0]["best"] is None


def test_progress_and_what_is_refused() -> None:
    steps: list[Progress] = []
    review(PLAYED, report=steps.append)
    assert [(step.done, step.total) for step in steps] == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(UnknownNameError, match="minimax"):
        review(PLAYED, criterion="luck")
    with pytest.raises(InputError):
        review(PLAYED, guesses="mine")
    assert review(record()).turns == ()


@pytest.mark.slow
def test_a_certain_code_follows_from_turns() -> None:
    certain = review(record("DCCC=-", "DFCC=X", "CAFE=XO", "CAFB=X", "EFFF=XXXX", result="solved"))
    assert [turn.follows_from for turn in certain.turns] == [(), (), (), (), (1, 2, 3, 4)]
    for rules, level, all_turns in (("4x6,placed", 3, (1, 2, 3)), ("wordle", 3, (1, 2, 3))):
        told = puzzle(rules, level=level, seed=5)
        won = Turn(told.solution, told.game.marking.winning)
        last = review(Record.of_turns(told.game, (*told.turns, won))).turns[-1]
        assert last.follows_from == all_turns
    harder = puzzle("4x6", level=5, seed=1)
    shown = Record.of_turns(game_of("4x6"), (*harder.turns, Turn(harder.solution, Mark(4))))
    assert review(shown).turns[-1].follows_from == ()


def test_a_review_as_json() -> None:
    document = json.loads(json.dumps(review(PLAYED).document()))
    assert document["secret"] == "BEEF"
    assert document["turns"][1] == {
        "turn": 2,
        "guess": "DEBF",
        "mark": "XXO",
        "before": 276,
        "after": 9,
        "bits": pytest.approx(math.log2(276 / 9)),
        "expected": pytest.approx(40.384, abs=1e-3),
        "expected_bits": pytest.approx(3.036, abs=1e-3),
        "could_win": False,
        "luck": pytest.approx(math.log2(276 / 9) - 3.036, abs=1e-3),
        "luck_share": pytest.approx(0.9112, abs=1e-4),
        "best": {
            "guess": "BDDE",
            "expected": pytest.approx(33.246, abs=1e-3),
            "expected_bits": pytest.approx(3.269, abs=1e-3),
            "could_win": True,
        },
        "cost": pytest.approx(0.2329, abs=1e-3),
        "cost_in_codes": pytest.approx(7.138, abs=1e-3),
        "exact": None,
        "unit": "bits",
        "answer": "BDDE",
        "above": pytest.approx(0.2329, abs=1e-3),
        "skill": pytest.approx(0.9288, abs=1e-3),
        "verdict": "good",
        "follows_from": [],
        "missed": None,
    }
    assert document["costs"] == {"bits": document["cost"]}
    assert (document["estimated"], document["cost_in_guesses"]) == (True, None)
    wrong = review(record("AABB=XX", "AABB=-", result="given up", secret="BEEF")).document()
    assert (wrong["wrong"][0], wrong["consistent"]) == ({"turn": 1, "mark": "O"}, False)


def test_what_a_solver_knows_is_exact() -> None:
    asked: list[tuple[int, str]] = []

    def solver(
        game: Game, history: Sequence[Turn], guess: Code | None, guesses: str
    ) -> PositionValue:
        assert guess is not None
        asked.append((len(history), guesses))
        return PositionValue(guess, 100, 100 + 9 * len(history))

    reviewed = review(PLAYED, guesses="candidates", solver=solver)
    assert asked == [(0, "candidates"), (1, "candidates"), (2, "candidates")]
    assert [turn.cost_in_guesses for turn in reviewed.turns] == [0, Fraction(9, 276), 2]
    assert reviewed.cost_in_guesses == Fraction(9, 276) + 2
    assert not reviewed.estimated
    document = reviewed.document()
    assert document["turns"][2]["exact"] == {
        "guess": "BEEF", "guesses": 100 / 9, "played": 118 / 9, "cost": 2.0
    }  # fmt: skip
    lost = review(PLAYED, solver=lambda *_: PositionValue(Code([0, 0, 0, 0]), 100, None))
    assert lost.estimated
    assert lost.turns[0].cost_in_guesses is None


def test_each_guess_has_a_word() -> None:
    turns = ("AABB=XX", "CCDD=-", "CCDD=-", "AEEB=XXXX")
    words = [turn.verdict for turn in review(record(*turns, result="solved")).turns]
    assert words == ["good", "inaccurate", "wasted", "inaccurate"]
    by_size = review(record("AABB=XX", "CCDD=-"), criterion="size").turns
    assert [turn.verdict for turn in by_size] == ["inaccurate", "inaccurate"]
    # the code is known, another one is played
    played = review(record("AB=X", "AA=X", "BB=-", "AC=XX", rules=Rules(2, 3), result="solved"))
    assert [turn.before for turn in played.turns] == [9, 4, 1, 1]
    assert [turn.verdict for turn in played.turns][2:] == ["wasted", "best"]
    assert played.costs["guesses"] == 1
    large = review(record("A" * 10 + "=-", "A" * 10 + "=-", rules=Rules(10, 12))).turns
    assert [turn.verdict for turn in large] == ["inaccurate", "wasted"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_review_as_text_is_read_again(language: str) -> None:
    rules = Rules(4, 10, distinct=True)
    played = record("ABCD=OO", "CAEF=X", rules=rules, result="given up", secret="JHIF")
    for game in (PLAYED, played):
        reviewed = review(game)
        with speaking(language):
            again = parse_game(f"pegwise {review_report(reviewed).text()}")
        turns = tuple(turn.turn for turn in reviewed.turns)
        assert (again.game, again.turns, again.secret) == (game.game, turns, reviewed.secret)
