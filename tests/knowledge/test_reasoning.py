"""What a person reasons: every step is true of all candidates, and nothing is missed."""

import itertools
import random
import re
import subprocess
import sys

import pytest

from pegwise.errors import ContradictionError, PegwiseError
from pegwise.game import HOLE, Code, Game, Rules, Turn, Word, game_of
from pegwise.i18n import speaking
from pegwise.knowledge import candidates
from pegwise.knowledge.puzzles import Puzzle, puzzle
from pegwise.knowledge.reasoning import Deduction, reason
from pegwise.knowledge.sentences import sentence
from pegwise.knowledge.techniques import Grid, NoCodeError, _total
from pegwise.reading import check_turns

BOARDS = (
    *("3x4", "4x4", "3x6,blank", "4x6,black", "4x6,distinct", "3x5,distinct-secrets", "4x6"),
    *("4x6,placed", "5x3,placed", "3x5,blank,placed", "4x6,distinct,placed", "2x8,black"),
)


def drawn_history(game: Game, draw: random.Random) -> list[Turn]:
    """Turns of a drawn secret; many guesses are the one before with another peg."""
    if game.words is not None:
        hidden, *words = map(Word, draw.sample(game.words.secrets, 4))
        return [Turn(word, game.marking.mark(word, hidden)) for word in words]
    rules = Rules.parse(game.name)
    colors = [*range(rules.colors), *[HOLE] * rules.blank]

    def code() -> list[int]:
        if rules.distinct:
            return draw.sample(range(rules.colors), rules.pegs)
        return draw.choices(colors, k=rules.pegs)

    secret = draw.choices(range(rules.colors), k=rules.pegs)
    if rules.secrets_are_distinct:
        secret = draw.sample(range(rules.colors), rules.pegs)
    guesses = [code()]
    for _ in range(draw.randrange(rules.pegs + 3)):
        guess = code()
        if not rules.distinct and draw.random() < 0.4:
            guess = guesses[-1][:]
            guess[draw.randrange(rules.pegs)] = draw.choice(colors)
        guesses.append(guess)
    return [Turn(Code(guess), rules.marking.mark(guess, secret)) for guess in guesses]


def check(
    steps: tuple[Deduction, ...], codes: list[Code], turns: list[Turn]
) -> set[tuple[int, int]]:
    """All that is excluded, none of which a candidate has."""
    for step in steps:
        for code in codes:
            about = (step, code, turns)
            assert all(code[place - 1] != color for place, color in step.excluded), about
            assert all(code[place - 1] == color for place, color in step.placed), about
            assert all(low <= code.count(color) <= high for color, low, high in step.counts), about
        assert step.excluded or step.counts
        assert set(step.turns) <= set(range(1, len(turns) + 1))
        assert {turn for turn, _ in step.pegs} <= set(step.turns)
    return {cell for step in steps for cell in step.excluded}


@pytest.mark.parametrize(
    ("name", "count", "most"), [(name, 60, 3) for name in BOARDS] + [("wordle", 20, 5)]
)
def test_every_step_is_true_of_all_candidates(name: str, count: int, most: int) -> None:
    rules, draw = game_of(name), random.Random(name)
    for _ in range(count):
        turns = drawn_history(game_of(rules), draw)
        check(reason(rules, turns, most), candidates(rules, turns), turns)


def test_numbers_of_colors_that_a_total_leaves() -> None:
    draw = random.Random(1)
    for _ in range(200):
        grid = Grid(game_of(Rules(6, 4)))
        for color in grid.low:
            low, high = sorted(draw.choices(range(1, 5), k=2))
            grid.at_least(color, low)
            grid.at_most(color, high)
        ranges = [range(grid.low[color], grid.high[color] + 1) for color in grid.low]
        numbers = [each for each in itertools.product(*ranges) if sum(each) == 6]
        if numbers:
            _total(grid)
            assert [*grid.low.values()] == [min(each) for each in zip(*numbers, strict=True)]
            assert [*grid.high.values()] == [max(each) for each in zip(*numbers, strict=True)]
        else:
            with pytest.raises(NoCodeError):
                _total(grid)


@pytest.mark.parametrize("name", BOARDS)
def test_cases_tell_all_that_can_be_told(name: str) -> None:
    rules, draw = game_of(name), random.Random(f"all of {name}")
    for _ in range(5):
        turns = drawn_history(game_of(rules), draw)
        codes, excluded = candidates(rules, turns), set[tuple[int, int]]()
        steps = reason(rules, turns)
        excluded = check(steps, codes, turns)
        impossible = {
            (place + 1, color)
            for place in range(rules.pegs)
            for color in range(rules.colors)
            if all(code[place] != color for code in codes)
        }
        assert excluded == impossible
        words = [sentence(step, game_of(rules), turns) for step in steps]
        assert all("{" not in text and text.endswith(".") for text in words)


KINDS = [
    ("4x6", ["ABCD=-"], "No peg of turn 1 is right. So A, B, C and D are not in the code."),
    ("3x4", ["AAB=XOO"], "Turn 1 has 3 pegs of a right color: these are all colors of the code."),
    ("4x6", ["AAAA=XX"], "Turn 1 has one color, and 2 pegs of a right color. So A occurs 2 times."),
    ("3x4", ["ABC=O"], "Turn 1 has no peg in its place. So A is not at place 1,"),
    (
        "3x6",
        ["ABC=X", "ABD=XX"],
        "Turns 1 and 2 differ in one peg, C or D at place 3, and in the mark: X, then XX. "
        "So C is not in the code and only D is left for place 3.",
    ),
    ("4x6", ["AABB=XO", "CCDD=XO"], "Turns 1 and 2 share no color, and have 4 pegs of a right"),
    (
        "4x6",
        ["EDDC=XX", "CBBD=OOO", "FDCC=XX"],
        "Turn 1 has 2 pegs of a right color; the others of the 4 pegs include B. So A and F occur",
    ),
    ("4x6", ["ABCD=XX", "ABCE=XX"], "Turn 1 has no misplaced peg. So D is not in the code."),
    ("5x8,black", ["AAAAA=XX"], "Turn 1 has one color, and 2 pegs of a right color. So A occurs"),
    ("4x6,placed", ["ABCD=GG--"], "In turn 1 this is right: A at place 1 and B at place 2."),
    ("4x6,placed", ["ABCA=---Y"], "In turn 1 this is absent: B and C. So B and C are not in the"),
    ("4x6,placed", ["ABCD=Y--Y"], "In turn 1 this is elsewhere: A at place 1 and D at place 4. So"),
    (
        "4x6,placed",
        ["AABA=GY--"],
        "Turn 1 has A 3 times, and 2 of these are right or elsewhere. So",
    ),
    ("wordle", ["TRUST=-Y---"], "In turn 1 this is absent: S, T and U. So S, T and U are not in "),
    ("wordle", ["CAGER=---YG", "BETHS=-Y---"], "Only one word of the list fits: ERROR."),
]


@pytest.mark.parametrize(("name", "history", "words"), KINDS)
def test_what_steps_say(name: str, history: list[str], words: str) -> None:
    rules = game_of(name)
    turns = check_turns(history, game_of(rules))
    said = [sentence(step, game_of(rules), turns) for step in reason(rules, turns)]
    assert any(text.startswith(words) for text in said), said


def test_marks_that_contradict_are_refused() -> None:
    with pytest.raises(ContradictionError):
        reason("2x2", ["AA=-", "BB=-"])
    assert reason("2x2", []) == ()


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_puzzles_are_minimal_and_of_their_level(level: int) -> None:
    boards = ["4x6", "4x6,distinct", "4x5,blank", "4x6,distinct,black", "wordle"]
    for name in boards + ["4x6,placed", "5x4,placed"] * (level < 4):
        drawn = puzzle(name, level=level, seed=1)
        assert candidates(name, drawn.turns) == [drawn.solution]
        for turn in drawn.turns:
            fewer = [each for each in drawn.turns if each is not turn]
            assert len(candidates(name, fewer)) > 1
        assert max(step.level for step in drawn.steps) == drawn.level == level
        placed = {cell for step in drawn.steps for cell in step.placed}
        assert [text for text in drawn.sentences if re.search("So [^.]* at most [2-9]", text)] == []
        assert placed == set(enumerate(drawn.solution, 1))


@pytest.mark.slow
def test_the_puzzle_of_a_day_is_the_same_everywhere() -> None:
    def short(drawn: Puzzle) -> tuple[int, int, str, str]:
        history = " ".join(map(str, drawn.turns))
        return drawn.level, drawn.seed, history, str(drawn.solution)

    monday = puzzle(date="2026-11-23")
    assert short(monday) == (1, 20261123, "FDAD=OOO ADAF=OOOO", "DAFA")
    large = puzzle("5x8", date="2026-11-22")
    assert short(large) == (5, 20261122, "CFDFG=XO AEEEA=XXO HGHEA=XOO EFECH=XX", "GFEAA")
    assert puzzle(level=1, seed=20261123) == monday
    assert puzzle(seed=3) == puzzle(level=puzzle(seed=3).level, seed=3)


def test_a_puzzle_as_a_document_and_in_french() -> None:
    drawn = puzzle("3x4", level=4, seed=2)
    document = drawn.document()
    assert list(document) == ["rules", "level", "seed", "turns", "solution", "steps"]
    assert document["steps"][-1]["text"] == drawn.sentences[-1]
    assert any(step["chain"] for step in document["steps"])
    with speaking("fr"):
        assert drawn.sentences[0].startswith("Aucun pion du tour ")


BAD = [
    (
        {"game": "6x9"},
        "6x9 has 531,441 codes, and puzzles and cases are for boards",
    ),
    ({"game": "sgb"}, r"sgb: steps of reasoning are for boards, and for words .* \(sgb,placed\)"),
    ({"game": "4x6,placed", "level": 4}, "drawn for 4x6,placed; levels that it has: 1, 2, 3$"),
    ({"game": "4x6,distinct,placed", "level": 3}, "levels that it has: 1, 2$"),
    ({"game": "1x1"}, "has only one code"),
    ({"game": "2x2", "level": 5, "date": "2026-11-26"}, "no puzzle of level 5 is drawn"),
    ({"game": "2x2", "level": 5}, "no puzzle of level 5 is drawn for 2x2; levels that it has: 1$"),
    ({"level": 6}, "level=6: give a whole number from 1 to 5"),
    ({"seed": -1}, "seed=-1"),
    ({"date": "tomorrow"}, "date 'tomorrow': write year, month and day"),
    ({"date": "2026-11-22", "seed": 1}, "a seed or a date"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_what_is_no_puzzle_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(PegwiseError, match=words):
        puzzle(**arguments)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_puzzle_needs_no_kernels() -> None:
    program = "import sys, pegwise; pegwise.puzzle('5x8', seed=1); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
