"""The strategy `static`."""

from __future__ import annotations

import pytest

from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import FiniteGame, mastermind
from pegwise.search.certificates.sets import known_set
from pegwise.search.players import Static
from pegwise.strategies import load
from pegwise.trees import build
from pegwise.trees.verify import verify

pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize("rules", ["2x3", "4x6", "3x4,distinct", "3x3,black", "1x3"])
def test_never_needs_more_than_the_set_and_the_code(rules: str) -> None:
    game = mastermind(rules)
    known = known_set(game)
    assert known is not None
    early, late = build(Static(), game), build(Static(early=False), game)
    assert verify(early).valid
    assert verify(late).valid
    assert early.worst <= known.size + 1
    assert late.worst == known.size + 1
    assert early.total <= late.total
    # late, every code that is no guess of the set needs all of them
    assert late.histogram()[-1] == game.n_secrets - known.size


def test_guesses_are_fixed() -> None:
    game = mastermind("4x6")
    known = known_set(game)
    assert known is not None
    decision = Static(early=False).begin(game)
    secret = game.secret(100)
    for guess in known.guesses:
        assert decision.guess == guess
        decision = decision.after(game.mark_of(guess, secret))
    assert decision.guess == secret


def test_announces_sooner_than_greenwells_six() -> None:
    """The means that docs/static.md states."""
    trees = [build(load(name), mastermind("4x6")) for name in ("static", "greenwell")]
    assert [f"{tree.mean:.2f}" for tree in trees] == ["5.23", "5.56"]


def test_boards_without_a_set_are_refused() -> None:
    with pytest.raises(StrategyError, match=r"no fixed set of guesses for 5x8.*pegwise static"):
        Static().begin(mastermind("5x8"))
    letters = FiniteGame("abc", lambda g, s: g == s, name="letters")
    with pytest.raises(StrategyError, match="letters"):
        Static().begin(letters)


def test_contradictory_marks_are_refused() -> None:
    decision = Static().begin(mastermind("2x3"))
    with pytest.raises(ContradictionError):
        for _ in range(3):
            decision = decision.after((0, 0))
            _ = decision.guess
