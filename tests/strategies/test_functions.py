"""Strategies of one's own: functions, objects and classes that inherit from nothing."""

import pickle
from pathlib import Path
from typing import Any, ClassVar

import pytest

import pegwise
from pegwise.errors import CodeError, InputError, StrategyError
from pegwise.game import FiniteGame, mastermind
from pegwise.strategies import as_strategy, instead, label, options_of


def last(game: Any, turns: Any) -> Any:
    """Play the last candidate."""
    return pegwise.candidates(game, turns)[-1]


class Last:
    card = pegwise.Card("last-one", about="Plays the last code that agrees with every mark.")

    def __init__(self, game: Any = None, turns: Any = ()) -> None:
        self.game, self.turns = game, turns

    def begin(self, game: Any) -> "Last":
        return Last(game)

    @property
    def guess(self) -> Any:
        return pegwise.candidates(self.game, self.turns)[-1]

    def after(self, mark: Any) -> "Last":
        return Last(self.game, (*self.turns, (self.guess, mark)))


@pytest.mark.parametrize("ours", [last, Last, Last()], ids=["function", "class", "object"])
def test_it_plays_and_becomes_a_tree(ours: Any, tmp_path: Path) -> None:
    turns = pegwise.play(ours, "3x4", "ABC")
    assert str(turns[0].guess) == "DDD"
    assert str(turns[-1]) == "ABC=XXX"
    tree = pegwise.build(ours, "3x4")
    # the last candidate is the first one with the colors named the other way round
    assert tree.histogram() == pegwise.build("first", "3x4").histogram()
    assert pegwise.verify(tree).valid
    pegwise.save_tree(tree, tmp_path / "last.tree")
    assert pegwise.load_tree(tmp_path / "last.tree").strategy == tree.strategy
    # another process plays the same
    assert pickle.loads(pickle.dumps(as_strategy(ours))).card.id == tree.strategy


def test_they_race() -> None:
    results = pegwise.race("3x3", [last, Last, "first"])
    assert len({(standing.total, standing.worst) for standing in results.standings}) == 1
    assert "last-one" in str(results)
    assert results.command.startswith("pegwise.race('3x3', [last")


def test_a_function_is_named_by_itself() -> None:
    strategy = as_strategy(last)
    assert (strategy.card.id, strategy.card.name) == ("last", "last")
    assert strategy.card.about == "Play the last candidate."
    assert (label(strategy), options_of(strategy)) == ("last", {})
    assert as_strategy(lambda _game, _turns: "AB").card.id == "lambda"


def test_a_function_may_play_text_and_follow_other_guesses() -> None:
    decision = as_strategy(lambda _game, turns: "AB" if turns else "AA").begin(mastermind("2x2"))
    following = instead(decision, "BB", "X")
    assert following is not None
    assert following.guess == "AB"
    assert (
        pegwise.build(lambda _game, turns: ["AA", "AB", "BA", "BB"][len(turns)], "2x2").worst == 4
    )


def in_place(guess: str, secret: str) -> int:
    return sum(a == b for a, b in zip(guess, secret, strict=True))


def test_a_function_plays_any_game() -> None:
    words = FiniteGame(["cat", "cot", "dog"], in_place)
    tree = pegwise.build(last, words)
    assert pegwise.verify(tree).valid
    assert str(pegwise.play(last, words, "cat")[-1]) == "cat=3"
    with pytest.raises(CodeError, match="'cow' is not a guess of finite game"):
        pegwise.play(last, words, "cow")


class Cardless:
    def begin(self, game: Any) -> "Cardless":
        return self


class Misnamed(Cardless):
    card: ClassVar = "last"


@pytest.mark.parametrize("thing", [None, 3, ["knuth"], Cardless, Cardless(), Misnamed])
def test_what_is_no_strategy(thing: Any) -> None:
    with pytest.raises(InputError, match="is no strategy: give a name such as 'knuth'"):
        as_strategy(thing)


def test_what_goes_wrong_is_told_with_the_name() -> None:
    def stubborn(_game: Any, _turns: Any) -> str:
        return "AA"

    with pytest.raises(StrategyError, match="stubborn does not find BB of 2x2 within 1000"):
        pegwise.build(stubborn, "2x2")
    with pytest.raises(StrategyError, match="stubborn does not find AB of 2x2 within 1000"):
        pegwise.play(stubborn, "2x2", "AB")
    with pytest.raises(StrategyError, match="lambda fails on 2x2: 'AC': 'C' at position 2"):
        pegwise.play(lambda _game, _turns: "AC", "2x2", "AB")
    with pytest.raises(StrategyError, match="lambda gives None in place of guess 2 on 2x2"):
        pegwise.build(lambda _game, turns: None if turns else "AA", "2x2")
    with pytest.raises(StrategyError, match="strategy 'fails' fails: IndexError"):
        pegwise.race("2x2", [fails])


def fails(_game: Any, turns: Any) -> Any:
    return turns[-1]
