"""What public functions do with their arguments: texts for codes, and what is no argument at all.

`calls` has every function, class and method of `import pegwise`, with arguments that are right.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from tools.interface import members

import pegwise
from pegwise import knowledge
from pegwise.errors import CodeError, DataFileError, PegwiseError
from pegwise.game import Word
from pegwise.game.marks import placed_mark

Call = tuple[Callable[..., Any], dict[str, Any]]

BOARD: Final = "2x3"
NO_FILE: Final = Path(__file__).parent / "no such file"

RESULTS: Final = {
    *("Card", "Chances", "GameValue", "Optimum", "Puzzle", "RaceResults", "Ranking", "Review"),
    "Verification",
    *(
        "TextEnvironment",
        "ContradictionError",
        "InputError",
        "PegwiseError",
        "StrategyError",
        "TooLargeError",
    ),
}
"""Classes that pegwise makes objects of, and nobody else: they hold what they are given."""

BY_NUMBER: Final = {
    *("allowed_after", "guess", "images", "mark", "mark_pairs", "marks", "marks_against"),
    *("names_too_early", "secret", "write_guess", "write_mark", "guess_numbers", "mark_all"),
    *(
        "weighted",
        "of_board",
        *(f"WordGame.{of}" for of in ("mark_of", "guess_number", "mark_number", "marks_meant")),
    ),
    *("child", "children", "path", "sums", "draw", "read_secrets"),
    *("play_by_clock", "play_games", "skip", "take", "take_tree", "check_size", "run"),
    *("begin", "begin_parallel", "compile", "has_tree", "is_slow", "plays", "reason_of"),
    *("read_turn", "completions", "ranges", "of_boards", "each_peg"),
    *("allowed", "refuse_hard", "refuse_questions"),
    *("from_parts", "to_parts", "problems", "work_out_losses", "GameValue.write"),
}
"""Methods that this package calls again and again, with numbers, arrays or objects of its own.

`docs/reference/errors.md` says that they check nothing.
"""


@cache
def calls() -> dict[str, Call]:
    game = pegwise.game_of(BOARD)
    finite = pegwise.FiniteGame(["AA", "AB"], lambda guess, secret: guess == secret)
    code = pegwise.parse_code("AB", BOARD)
    turns = [pegwise.Turn(code, pegwise.Mark(0, 1))]
    position = pegwise.Position(BOARD, turns)
    tree = pegwise.build(BOARD, "first")
    record = pegwise.Record(pegwise.game_of(BOARD), tuple(turns))
    of_game = {"game": BOARD}
    played = {"game": BOARD, "turns": turns}
    of_record = {
        "game": BOARD,
        "turns": turns,
        "result": "open",
        "secret": code,
        "codebreaker": "person",
        "codemaker": "person",
        "seed": None,
        "colors": (),
        "hinted": (),
        "boards": 1,
    }
    best = {"criterion": "entropy", "guesses": "all", "limit": 1}
    raced = {
        "strategies": ["first"],
        "games": None,
        "seed": 1,
        "threads": 1,
        "played": 0,
        "weights": None,
        "lenient": False,
    }
    guess_or_mark: dict[str, Call] = {
        f"{kind}.{method}": (getattr(owner, method), arguments)
        for kind, owner, mark in (("Mastermind", game, "O"), ("FiniteGame", finite, "True"))
        for method, arguments in (
            ("guess_number", {"guess": "AB"}),
            ("mark_number", {"mark": mark}),
            ("marks_meant", {"mark": mark}),
            ("mark_of", {"guess": "AB", "secret": "AB"}),
        )
    }
    return guess_or_mark | {
        "Code": (pegwise.Code, {"pegs": code}),
        "Code.write": (code.write, {"notation": "letters"}),
        "FiniteGame": (
            pegwise.FiniteGame,
            {
                "secrets": ["AA", "AB"],
                "marking": lambda guess, secret: guess == secret,
                "guesses": None,
                "weights": None,
                "ends": "named",
            },
        ),
        "Mark": (pegwise.Mark, {"black": 1, "white": 1}),
        "Mark.write": (pegwise.Mark(1).write, {"notation": "pegs"}),
        "Mastermind": (pegwise.Mastermind, {"rules": pegwise.Rules.parse(BOARD), "weights": None}),
        "Parallel": (pegwise.Parallel, {"game": game, "n": 2}),
        "Position": (pegwise.Position, played),
        "Position.chances": (position.chances, {}),
        "Position.split": (position.split, {"guess": code}),
        "Puzzle.misfits": (pegwise.puzzle("2x3", seed=1).misfits, {"code": code}),
        "Race": (pegwise.Race, of_game | raced),
        "Record": (pegwise.Record, of_record),
        "Record.of_turns": (
            pegwise.Record.of_turns,
            {"game": BOARD, "turns": turns, "secret": code},
        ),
        "Rules": (
            pegwise.Rules,
            {"pegs": 2, "colors": 3, "distinct": False, "name": "", "jar": "A1B1C1"},
        ),
        "WordGame": (
            pegwise.WordGame,
            {"words": pegwise.game_of("wordle").words, "marks": "black"},
        ),
        "Rules.parse": (pegwise.Rules.parse, {"text": BOARD}),
        "Tree": (
            pegwise.Tree,
            {"game": game, "nodes": tree.nodes, "strategy": "first", "options": None},
        ),
        "Turn": (pegwise.Turn, {"guess": code, "mark": turns[0].mark}),
        "game_of": (pegwise.game_of, of_game | {"weights": None}),
        "board_svg": (
            pegwise.board_svg,
            {
                "game": BOARD,
                "turns": turns,
                "candidates": [2],
                "secret": code,
                "title": "game",
                "theme": "auto",
            },
        ),
        "bounds": (pegwise.bounds, played),
        "build": (pegwise.build, of_game | {"strategy": "first", "threads": 1}),
        "candidates": (pegwise.candidates, played | {"limit": 1}),
        "cards": (pegwise.cards, {}),
        "Chances.share": (pegwise.Position(BOARD).chances().share, {"place": 1, "color": "A"}),
        "count": (pegwise.count, played),
        "find_optimum": (
            pegwise.find_optimum,
            of_game | {"max_guesses": 5, "objective": "total", "guesses": "all", "first": code},
        ),
        "find_static": (pegwise.find_static, of_game | {"size": None, "seconds": None}),
        "find_value": (pegwise.find_value, of_game | {"threads": 1, "seconds": None}),
        "load_certificate": (pegwise.load_certificate, {"path": NO_FILE}),
        "load_record": (pegwise.load_record, {"path": NO_FILE}),
        "load_tree": (pegwise.load_tree, {"path": NO_FILE, "game": BOARD}),
        "losses": (pegwise.losses, {"tree": tree, "secrets": None, "times": None, "seconds": None}),
        "mark": (pegwise.mark, {"guess": code, "secret": code, "black_only": False}),
        "parallel": (pegwise.parallel, of_game | {"n": 2}),
        "parse_code": (pegwise.parse_code, {"text": "AB", "game": BOARD, "secret": False}),
        "parse_mark": (
            pegwise.parse_mark,
            {"text": "O", "game": BOARD, "french": False, "form": None},
        ),
        "play": (pegwise.play, {"game": BOARD, "strategy": "first", "secret": code}),
        "puzzle": (pegwise.puzzle, {"game": BOARD, "level": None, "seed": 1, "date": None}),
        "race": (pegwise.race, of_game | raced),
        "race_report": (pegwise.race_report, {"results": pegwise.race(BOARD, ["first"])}),
        "rank": (pegwise.rank, {"position": position} | best),
        "read_history": (
            pegwise.read_history,
            {
                "text": "AB O",
                "game": BOARD,
                "colors": (),
                "marks": None,
                "french": False,
                "places": (),
            },
        ),
        "reason": (pegwise.reason, {"game": BOARD, "turns": turns, "level": 5}),
        "records": (pegwise.records, {}),
        "review": (
            pegwise.review,
            {"record": record, "criterion": "entropy", "guesses": "all", "solver": None},
        ),
        "save_certificate": (
            pegwise.save_certificate,
            {"claim": pegwise.find_static(BOARD), "path": NO_FILE / "k.json"},
        ),
        "save_record": (pegwise.save_record, {"record": record, "path": NO_FILE / "k.txt"}),
        "save_tree": (pegwise.save_tree, {"tree": tree, "path": NO_FILE / "k.tree"}),
        "strategy": (pegwise.strategy, {"strategy": "first", "base": None}),
        "suspects": (pegwise.suspects, {"game": BOARD, "turns": turns}),
        "text_environment": (
            pegwise.text_environment,
            of_game | {"seed": 1, "reward": "solved", "max_guesses": 9, "max_faults": 1},
        ),
        "TextEnvironment.answer": (
            lambda text: pegwise.text_environment(BOARD, seed=1).answer(text),
            {"text": "[AB]"},
        ),
        "verify": (pegwise.verify, {"tree": tree, "threads": 1}),
        # of other modules, which the pages show
        "knowledge.parts": (knowledge.parts, played | {"guess": code}),
        "game.marks.placed_mark": (placed_mark, {"guess": code, "secret": code}),
    }


def test_every_public_function_is_called() -> None:
    names = set()
    for name in pegwise.__all__:
        thing = getattr(pegwise, name)
        if inspect.isclass(thing):
            for member in members(thing):
                method = getattr(thing, member)
                takes_more_than_itself = callable(method) and len(
                    inspect.signature(method).parameters
                ) > (not inspect.ismethod(method))
                if takes_more_than_itself and not {member, f"{name}.{member}"} & BY_NUMBER:
                    names.add(f"{name}.{member}")
        if name not in RESULTS and not inspect.isabstract(thing):
            names.add(name)
    own = {name for name in calls() if "." not in name or name[0].isupper()}
    assert own == {name for name in names if not name.startswith("Game.")}  # as of its classes


WANT_A_CODE: Final = {"guess", "secret", "code", "first"}
"""Parameters that take a code."""


@pytest.mark.parametrize("text", ["AB", "ab", "12", "a b", "🔴🟢"])
@pytest.mark.parametrize("name", calls())
def test_a_text_is_read_where_a_code_is_wanted(name: str, text: str) -> None:
    function, arguments = calls()[name]
    for place in WANT_A_CODE & set(arguments):
        # `Turn` holds what it is given; codes of a finite game are what it was made of
        if name == "Turn" or name.startswith(("FiniteGame", "Parallel")) or name == "parse_code":
            continue
        expected = function(**arguments | {place: pegwise.parse_code("AB", BOARD)})
        assert repr(function(**arguments | {place: text})) == repr(expected)
        with pytest.raises(CodeError):
            function(**arguments | {place: "A?"})
        with pytest.raises(CodeError):
            function(**arguments | {place: "ABC"})


def test_texts_are_marked_in_the_alphabet_of_the_other_code() -> None:
    code = pegwise.parse_code("1122", "4x6")
    assert str(pegwise.mark("AABC", code)) == str(pegwise.mark(code, "aabc")) == "XXX"
    assert str(pegwise.mark("aabb", "ABCD")) == str(pegwise.mark("1122", "ABCD")) == "XO"
    assert str(pegwise.mark("AABB", "ABCD")) == "XO"
    assert str(pegwise.mark("1,12,3,4", pegwise.parse_code("ALCD", "4x12"))) == "XXXX"
    assert str(pegwise.mark("A.BB", pegwise.parse_code("AABB", "4x6"))) == "XXX"
    word = pegwise.parse_code("crane", "wordle")
    assert str(pegwise.mark(word, "Trace")) == str(pegwise.mark("trace", word)) == "XXXO"
    assert str(placed_mark("trace", word)) == "-GGYG"
    assert str(pegwise.game_of("wordle").mark_of("crane", "trace")) == "YGG-G"
    for first, second in (
        ("AABB", word),
        (word, code),
        (Word("AABB"), code),
        ("AAB", code),
        ("AA?B", code),
        ("AABB", "AB"),
        (["A", "A", "B", "B"], code),
        ("", code),
        ("Été", "AAA"),
    ):
        for pair in ((first, second), (second, first)):
            with pytest.raises(CodeError):
                pegwise.mark(*pair)


def test_codes_of_any_game_are_read_as_they_are_written() -> None:
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]
    game = pegwise.FiniteGame(pairs, lambda guess, secret: sum(map(int.__eq__, guess, secret)))
    for secret in ((1, 0), "10", "1 0"):
        assert game.mark_of("01", secret) == game.mark_of((0, 1), secret) == 0
        assert [turn.guess for turn in pegwise.play(game, "first", secret)][-1] == (1, 0)
    with pytest.raises(CodeError):
        game.mark_of("01", "12")


@pytest.mark.parametrize("name", calls())
def test_what_is_right_is_not_refused(name: str) -> None:
    function, arguments = calls()[name]
    if NO_FILE in arguments.values() or name.startswith("save_"):
        with pytest.raises(OSError if name.startswith("save_") else DataFileError):
            function(**arguments)
    else:
        function(**arguments)


@pytest.mark.parametrize("wrong", ["what is this?", None, 7])
@pytest.mark.parametrize("name", calls())
def test_what_is_no_argument_is_refused_with_one_of_ours_or_of_pythons_own(
    name: str, wrong: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a text is the name of a file too
    function, arguments = calls()[name]
    said = []
    for place in arguments:
        try:
            function(**arguments | {place: wrong})
        except (PegwiseError, TypeError, ValueError):
            pass
        except Exception as error:
            said.append(f"{place}: {type(error).__name__}: {error}")
    assert said == []
