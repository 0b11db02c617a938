"""Advice: the strategy's own guess while it can go on, the default one's after that."""

import sys
from collections.abc import Mapping

import pytest

from pegwise.coach import Adviser, default_strategy
from pegwise.errors import ContradictionError, MissingExtraError, StrategyError, TooLargeError
from pegwise.game import Code, Game, Mark, Rules, Turn, mastermind, parse_turn
from pegwise.strategies import Decision, Option, label, load, parse
from tests import naive

RULES = Rules(4, 6)


def turns(*texts: str, rules: Rules = RULES) -> list[Turn]:
    return [parse_turn(text, rules) for text in texts]


@pytest.mark.parametrize(
    "name", ["entropy", "knuth", "first", "forget-entropy", "marechal-rastoix-2", "greenwell"]
)
def test_the_strategys_own_game(name: str) -> None:
    strategy, secret = load(name), (1, 4, 4, 5)
    adviser = Adviser(strategy, RULES)
    decision = strategy.begin(mastermind(RULES))
    history: list[Turn] = []
    while True:
        found = adviser.propose(history)
        assert (found.guess, found.strategy) == (decision.guess, name)
        mark = Mark(*naive.mark(found.guess, secret))
        if mark == (4, 0):
            break
        history.append(Turn(found.guess, mark))
        decision = decision.after(mark)
    # asked again, and from the end
    for number in reversed(range(len(history))):
        assert adviser.propose(history[:number]).guess == history[number].guess


def test_after_a_guess_of_ones_own() -> None:
    history = turns("FFFF=-")
    assert Adviser(load("knuth"), RULES).propose(history).strategy == "knuth"
    # a fixed procedure has no answer to it
    found = Adviser(load("marechal-rastoix-1"), RULES).propose(history)
    assert found.strategy == "entropy"
    assert found == Adviser(load("entropy"), RULES).propose(history)


def test_options_are_named() -> None:
    found = Adviser(parse("knuth:guesses=candidates"), RULES).propose(turns("ABCD=OO"))
    assert found.strategy == "knuth:guesses=candidates"
    assert naive.mark((0, 1, 2, 3), tuple(found.guess)) == (0, 2)


def test_contradictory_marks() -> None:
    with pytest.raises(ContradictionError):
        Adviser(load("entropy"), RULES).propose(turns("AAAA=-", "AAAA=X"))


@pytest.mark.parametrize(
    ("board", "name"),
    [("4x6", "entropy"), ("5x8", "entropy"), ("6x10", "entropy"), ("6x11", "constraint")],
)
def test_the_default_strategy_suits_the_board(board: str, name: str) -> None:
    if name == "constraint":
        pytest.importorskip("ortools")
    assert label(default_strategy(Rules.parse(board))) == name


def test_without_the_extra_the_default_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(MissingExtraError):
        load("constraint").begin(mastermind("6x11"))
    rules = Rules(6, 11)
    assert label(default_strategy(rules)) == "forget-entropy"
    foreign = turns("AAAAAA=X", rules=rules)
    with pytest.raises(StrategyError, match=r"forget-entropy cannot go on .* 'constraint' can"):
        Adviser(load("forget-entropy"), rules).propose(foreign)


def test_a_large_board_goes_on_after_any_guess() -> None:
    pytest.importorskip("ortools")
    rules = Rules(10, 12)
    foreign = turns("LKJIHGFEDC=XXOOO", rules=rules)
    found = Adviser(load("forget-entropy"), rules).propose(foreign)
    assert found.strategy == "constraint"
    assert naive.mark(tuple(foreign[0].guess), tuple(found.guess)) == (2, 3)


class Overwhelmed:
    """Plays the first candidate, and finds out late that there are too many."""

    card = load("first").card
    options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> Decision:
        return _Overwhelmed(load("first").begin(game))


class _Overwhelmed:
    def __init__(self, decision: Decision, late: bool = False) -> None:
        self.decision = decision
        self.late = late

    @property
    def guess(self) -> Code:
        if self.late:
            raise TooLargeError("too many codes")
        return Code(self.decision.guess)

    def after(self, mark: Mark) -> Decision:
        return _Overwhelmed(self.decision.after(mark), late=True)


def test_a_strategy_that_finds_out_late_that_it_cannot_go_on() -> None:
    adviser = Adviser(Overwhelmed(), RULES)
    assert adviser.propose(()).strategy == "first"
    assert adviser.propose(turns("AAAA=X")).strategy == "entropy"
