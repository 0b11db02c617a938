"""Strategies made of a function: numbers of colors, what goes wrong, other processes."""

import pickle
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, assert_type

import pytest

import pegwise
from pegwise.arrays import I32
from pegwise.errors import InputError, StrategyError
from pegwise.strategies import FunctionStrategy, as_strategy, load, parse
from pegwise.strategies.functions import pack
from pegwise.trees.build import RANDOM
from tests.strategies.test_registry import install


def numbered(base: int, last: bool = False) -> Callable[[Any, Any], list[int]]:
    """The first candidate, or the last, in numbers from a base; it reads its turns likewise."""

    def chosen(game: Any, turns: Any) -> list[int]:
        codes = [([peg - base for peg in guess], mark) for guess, mark in turns]
        code = pegwise.candidates(game, codes)[-1 if last else 0]
        return [peg + base for peg in code]

    return chosen


def middle(base: int) -> Callable[[Any, Any], list[int]]:
    """First a guess in whose numbers nothing tells where they begin."""
    first = numbered(base)

    def chosen(game: Any, turns: Any) -> list[int]:
        return first(game, turns) if turns else [1 + base, 2, 1 + base, 2][: game.rules.pegs]

    return chosen


@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("board", ["3x4", "3x5"])
def test_where_numbers_of_colors_begin(base: int, board: str) -> None:
    expected = pegwise.build(board, "first").histogram
    # the first guess has a 0, or the number of all colors
    tree = pegwise.build(board, numbered(base, last=base == 1))
    assert tree.histogram == expected
    assert tree.notes == (f"colors numbered from {base}",)
    for silent in (numbered(base, last=base == 0), middle(base)):
        with pytest.raises(StrategyError, match="give base=0 or base=1"):
            pegwise.build(board, silent)
        told = pegwise.build(board, pegwise.strategy(silent, base=base))
        assert told.notes == (f"colors numbered from {base}",)
        assert pegwise.verify(told).valid


def test_functions_of_the_candidates_race_as_the_practical_writes_them() -> None:
    def smallest_of_largest(candidates: list[list[int]]) -> list[int]:
        def weight(guess: list[int]) -> int:
            marks = [pegwise.mark(guess, candidate) for candidate in candidates]
            return max(map(marks.count, marks))

        return min(candidates, key=weight)

    def first(candidates: list[list[int]], /, _twice: int = 2) -> list[int]:
        assert min(map(min, candidates)) >= 1
        assert max(map(max, candidates)) <= 3
        return candidates[0]

    for function, name in ((smallest_of_largest, "knuth:guesses=candidates"), (first, "first")):
        tree = pegwise.build("3x3", function)
        assert tree.histogram == pegwise.build("3x3", name).histogram
    assert as_strategy(smallest_of_largest).card.id == "smallest-of-largest"
    found = pegwise.play("3x3", first, "CBC")
    assert [str(turn.guess) for turn in found] == [
        str(turn.guess) for turn in pegwise.play("3x3", "first", "CBC")
    ]
    with pytest.raises(StrategyError, match="color 0 at position 1"):
        pegwise.build("3x3", lambda candidates: [0, 1, 1])
    with pytest.raises(StrategyError, match="IndexError"):
        pegwise.build("3x3", lambda candidates: candidates[99])


def test_numbers_that_tell_nothing_or_contradict_each_other() -> None:
    def undecided(_game: Any, _turns: Any) -> list[int]:
        return [1, 1, 2]

    with pytest.raises(StrategyError, match="from 0 or from 1: give base=0 or base=1"):
        pegwise.play("3x4", undecided, "ABC")
    for base, code in ((0, "BBC"), (1, "AAB")):
        turns = pegwise.play("3x4", pegwise.strategy(undecided, base=base), code)
        assert str(turns[0]) == f"{code}=XXX"
    with pytest.raises(InputError, match="base=2: colors are numbered from 0 or from 1"):
        pegwise.strategy(undecided, base=2)
    with pytest.raises(StrategyError, match=r"color 4 at position 2: .* numbers 0 to 3"):
        pegwise.play("3x4", lambda _game, _turns: [0, 4, 1], "ABC")


@pytest.mark.slow
def test_a_strategy_that_answers_by_chance_is_random() -> None:
    def picker(game: Any, turns: Any) -> Any:
        return random.choice(pegwise.candidates(game, turns))

    tree = pegwise.build("4x4", picker)
    assert tree.notes == pegwise.verify(tree).notes == (str(RANDOM),)
    assert str(RANDOM) in repr(tree)
    for games in (None, 50):
        results = pegwise.race("4x4", [picker, "random"], games=games)
        assert [s.notes for s in results.standings] == [(str(RANDOM),), ()]
        assert f"picker: {RANDOM}" in " ".join(str(results).split())


@pytest.mark.parametrize("error", [SystemExit(0), SystemExit("enough"), RecursionError("deep")])
def test_what_would_end_the_program_is_an_error_of_the_strategy(error: BaseException) -> None:
    def leaves(game: Any, turns: Any) -> Any:
        if turns:
            raise error
        return "AAB"

    what = f"leaves fails on 3x4 after AAB=-, secret CCC: {type(error).__name__}"
    for plays in (
        lambda: pegwise.build("3x4", leaves),
        lambda: pegwise.race("3x4", [leaves]),
        lambda: pegwise.race("3x4", [leaves], games=40),
    ):
        with pytest.raises(StrategyError, match=what):
            plays()
    with pytest.raises(StrategyError, match=r"leaves.*ABC"):
        pegwise.play("3x4", leaves, "ABC")
    results = pegwise.race("3x4", [leaves, "first"], lenient=True)
    assert [standing.strategy for standing in results.standings] == ["first"]
    assert results.skipped[0][0] == "leaves"


def test_an_interrupt_is_not_excused() -> None:
    def stops(_game: Any, _turns: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pegwise.race("3x4", [stops], lenient=True)


def test_two_functions_of_one_name_race() -> None:
    def of(position: int) -> Callable[[Any, Any], Any]:
        def guess(game: Any, turns: Any) -> Any:
            return pegwise.candidates(game, turns)[position]

        return guess

    first, last = of(0), of(-1)
    results = pegwise.race("3x3", [first, last])
    assert [s.strategy for s in results.standings] == ["guess", "guess (2)"]
    assert list(results.depths) == ["guess", "guess (2)"]
    with pytest.raises(InputError, match="'guess' is given twice"):
        pegwise.race("3x3", [first, first])


def test_a_package_may_name_a_plain_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "def theirs(game, turns, *, code='BB'):\n    'Its words.'\n    return code"
    install(tmp_path, "theirs", {"plain": "theirs:theirs"}, source)
    monkeypatch.syspath_prepend(tmp_path)
    strategy = load("plain")
    assert (strategy.card.id, strategy.card.about) == ("plain", "Its words.")
    assert str(pegwise.play("2x2", strategy, "BB")[0]) == "BB=XX"
    assert str(pegwise.play("2x2", parse("plain:code=AA"), "AA")[0]) == "AA=XX"


def test_other_processes_get_a_function_of_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a notebook there is no file that other processes could import."""
    notebook = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    exec(
        "import pegwise\ndef mine(game, turns): return pegwise.candidates(game, turns)[0]",
        vars(notebook),
    )
    strategy = as_strategy(notebook.mine)
    packed = pack(strategy)
    assert isinstance(packed, bytes)
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    sent = pickle.loads(packed)
    assert isinstance(sent, FunctionStrategy)
    assert str(sent.begin(pegwise.game_of("2x2")).guess) == "AA"
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(StrategyError, match=r"mine.*cloudpickle"):
        pack(strategy)
    assert pack(as_strategy("knuth")) is not None


@pytest.mark.slow
def test_a_function_plays_with_two_workers() -> None:
    def last(game: Any, turns: Any) -> Any:
        return pegwise.candidates(game, turns)[-1]

    board = "4x7"
    one, two = (pegwise.race(board, [last], threads=n).standings[0] for n in (1, 2))
    assert (one.histogram, one.nodes) == (two.histogram, two.nodes)


def spread(game: pegwise.Mastermind, turns: tuple[pegwise.Turn, ...]) -> pegwise.Code | str:
    """As the tutorial has it: a type checker knows what candidates are."""
    assert_type(pegwise.candidates(game, turns)[0], pegwise.Code)
    return pegwise.candidates(game, turns)[0] if turns else "AAB"


def test_what_a_function_takes_has_types() -> None:
    results = pegwise.race("3x3", [spread], weights=range(27))
    assert_type(results.depths["spread"], I32)
    assert results.depths["spread"].shape == (27,)
    assert results.weighted
    assert results.standings[0].total == sum(results.depths["spread"] * range(27))
    assert pegwise.play("3x3", spread, "ABC")[0].guess == (0, 0, 1)
