"""The constraint model of Maréchal and Rastoix."""

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import ContradictionError, MarkError, MissingExtraError, StrategyError
from pegwise.game import Code, FiniteGame, Mark, Rules, mark, mastermind
from pegwise.strategies import load
from pegwise.strategies.simple import Constraint, _solve
from pegwise.trees import build
from tests import naive
from tests.boards import codes_of, small_rules

pytest.importorskip("ortools")


History = tuple[tuple[Code, Mark], ...]


@st.composite
def histories(draw: st.DrawFn) -> tuple[Rules, History]:
    """Rules and some turns against one secret; one mark may be wrong."""
    rules = draw(small_rules(codes=700, largest=5))
    secret = draw(codes_of(rules, secret=True))
    guesses = [Code(draw(codes_of(rules))) for _ in range(draw(st.integers(0, 4)))]
    turns = [(guess, mark(guess, secret, black_only=rules.black)) for guess in guesses]
    slip = draw(st.booleans())
    if turns and slip:
        other = draw(codes_of(rules, secret=True))
        turns[0] = (turns[0][0], mark(turns[0][0], other, black_only=rules.black))
    return rules, tuple(turns)


@settings(max_examples=150)
@given(histories())
def test_a_solution_is_a_candidate(drawn: tuple[Rules, History]) -> None:
    rules, history = drawn
    candidates = [
        secret
        for secret in naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
        if all(naive.mark(g, secret, black_only=rules.black) == m for g, m in history)
    ]
    solution = _solve(rules, history)
    if candidates:
        assert solution in candidates
    else:
        assert solution is None


@pytest.mark.parametrize(
    "rules",
    ["1x1", "3x3", "2x6", "3x4,black", "3x5,distinct", "3x4,distinct-secrets", "2x3,blank"],
)
def test_finds_every_secret(rules: str) -> None:
    tree = build(Constraint(), mastermind(rules))
    assert (tree.depths() > 0).all()
    # every guess is a candidate, so that no more guesses are played than there are secrets
    assert len(tree) == mastermind(rules).n_secrets
    assert tree.nodes.wins.all()


def game(rules: str, seed: int) -> list[Code]:
    """The guesses of one game against a secret drawn with a seed."""
    board = mastermind(rules)
    draw, colors = random.Random(seed), range(board.rules.colors)
    if board.rules.secrets_are_distinct:
        secret = tuple(draw.sample(colors, board.rules.pegs))
    else:
        secret = tuple(draw.choices(colors, k=board.rules.pegs))
    decision = Constraint().begin(board)
    guesses = [decision.guess]
    turns: list[tuple[Code, Mark]] = []
    while guesses[-1] != secret:
        answer = mark(guesses[-1], secret, black_only=board.rules.black)
        turns.append((guesses[-1], answer))
        decision = decision.after(answer)
        guesses.append(decision.guess)
        for guess, before in turns:
            assert mark(guess, guesses[-1], black_only=board.rules.black) == before
    return guesses


@pytest.mark.parametrize(
    "rules", ["10x12", "13x13", "13x13,distinct", "16x26", "12x12,distinct-secrets", "8x12,black"]
)
def test_boards_too_large_to_list(rules: str) -> None:
    assert len(game(rules, 1)) <= 30


def test_contradictory_marks() -> None:
    decision = Constraint().begin(mastermind("4x6"))
    for answer in [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]:
        try:
            decision = decision.after(answer)
        except ContradictionError as error:
            assert str(error) == "no secret of 4x6 gives these marks"
            return
    pytest.fail("all colors are absent, and still there is a guess")


def test_games_and_marks_that_do_not_suit() -> None:
    words = FiniteGame(["ab", "ba"], lambda guess, secret: guess == secret, name="two words")
    with pytest.raises(StrategyError, match="boards only, not two words"):
        Constraint().begin(words)
    with pytest.raises(MarkError):
        Constraint().begin(mastermind("4x6")).after((3, 1))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    strategy = load("constraint")
    with pytest.raises(MissingExtraError, match=r"pip install 'pegwise\[constraint\]'"):
        strategy.begin(mastermind("4x6"))


def test_the_solver_is_imported_when_it_is_needed() -> None:
    script = (
        "import sys; from pegwise.strategies import cards; "
        "assert 'constraint' in [card.id for card in cards()]; assert 'ortools' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
