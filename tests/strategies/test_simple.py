"""Strategies that weigh nothing: Greenwell's six fixed guesses, any solution of constraints."""

from typing import Any

import pytest
from hypothesis import given

from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import (
    FiniteGame,
    Game,
    Mark,
    Rules,
    Turn,
    board_game,
    game_of,
    mark,
    parse_code,
)
from pegwise.knowledge.codemaker import draw_secret
from pegwise.strategies import load, parse
from pegwise.strategies.simple import GUESSES, Greenwell, domains, solve
from pegwise.trees import build
from pegwise.trees.build import play
from tests import naive
from tests.boards import histories, secrets_of

WORDS = FiniteGame(["ab", "ba"], lambda guess, secret: guess == secret, name="two words")

# the sets as the Notebook prints them, colors from 0
NOTEBOOK = [(0, 1, 1, 0), (1, 2, 4, 3), (2, 2, 0, 0), (3, 4, 1, 3), (4, 5, 4, 5), (5, 5, 3, 2)]
# secret: candidates after each guess, as the Notebook's runs print them
RUNS: dict[tuple[int, ...], list[int]] = {
    (0, 1, 2, 3): [114, 10, 2, 1],
    (4, 2, 0, 5): [256, 45, 8, 5, 1],
    (2, 3, 1, 4): [256, 6, 2, 1],
    (3, 3, 3, 0): [256, 24, 10, 3, 1],
    (2, 5, 5, 3): [256, 60, 14, 4, 3, 1],
}


def test_the_six_guesses_tell_every_code() -> None:
    assert list(GUESSES) == NOTEBOOK
    marks = {tuple(naive.mark(g, secret) for g in NOTEBOOK) for secret in naive.secrets(4, 6)}
    assert len(marks) == 1296


@pytest.mark.parametrize("secret", RUNS)
def test_runs_of_the_notebook(secret: tuple[int, ...]) -> None:
    decision: Any = Greenwell().begin(board_game(Rules.parse("4x6")))
    for guess, count in zip(NOTEBOOK, RUNS[secret], strict=False):
        assert decision.guess == guess
        decision = decision.after(mark(guess, secret))
        assert len(decision.candidates) == count
    assert decision.guess == secret


@pytest.mark.slow
def test_announces_at_the_end_or_as_soon_as_possible() -> None:
    late = build(board_game(Rules.parse("4x6")), parse("greenwell:early=false"))
    # the six guesses are found when they are played, all other codes with the seventh
    assert late.histogram == (1, 1, 1, 1, 1, 1, 1290)
    early = build(board_game(Rules.parse("4x6")), load("greenwell"))
    assert (early.worst, f"{early.mean:.2f}") == (7, "5.56")
    assert (early.depths <= late.depths).all()
    for secret, counts in RUNS.items():
        number = board_game(Rules.parse("4x6")).guess_number(secret)
        assert early.depths[number] == len(counts) + 1


@pytest.mark.slow
def test_first_with_an_opening() -> None:
    """The figures of `docs/history.md`: totals after another first guess."""
    for opening, total, worst in [("1111", 7471, 9), ("5463", 6021, 7), ("1122", 6508, 8)]:
        tree = build(board_game(Rules.parse("4x6")), parse(f"first:opening={opening}"))
        assert (tree.total, tree.worst) == (total, worst)
    assert load("first", opening=" ba ").begin(WORDS).guess == "ba"
    for game, opening in [("4x6", "1129"), ("4x6", "112"), ("3x3,distinct-secrets", "AAB")]:
        with pytest.raises(StrategyError, match="first"):
            load("first", opening=opening).begin(board_game(Rules.parse(game)))
    with pytest.raises(StrategyError, match="two words"):
        load("first", opening="aa").begin(WORDS)


def test_other_games() -> None:
    boards = map(game_of, ("4x5", "5x8", "4x6,black", "4x6,distinct"))
    games: list[Game] = [WORDS, *boards]
    for game in games:
        with pytest.raises(StrategyError, match=f"4x6 only, not {game.name}: .*`pegwise static`"):
            Greenwell().begin(game)


# any solution of the constraints


@pytest.mark.slow
@given(histories(codes=500))
def test_solutions_and_domains_are_those_of_the_candidates(drawn: tuple[Rules, list[Turn]]) -> None:
    pytest.importorskip("ortools")
    rules, history = drawn
    candidates = naive.consistent(secrets_of(rules), history, black_only=rules.black)
    if not candidates:
        for ask in (solve, domains):
            with pytest.raises(ContradictionError):
                ask(rules, history)
        return
    assert solve(rules, history) in candidates
    for color, (places, numbers) in enumerate(zip(*domains(rules, history), strict=True)):
        holes = {hole for code in candidates for hole, peg in enumerate(code) if peg == color}
        assert places == tuple(sorted(holes))
        assert numbers == tuple(sorted({list(code).count(color) for code in candidates}))


@pytest.mark.slow
def test_the_second_constraint_to_the_letter_leaves_hardly_any_code() -> None:
    """The least values of the domains add up to the pegs of a mark after guesses of one color."""
    pytest.importorskip("ortools")
    rules, to_the_letter = Rules.parse("4x6"), load("constraint", c2="domains")
    decision = to_the_letter.begin(board_game(Rules.parse("4x6")))
    after = decision.instead(parse_code("AAAA", rules), Mark(2, 0))
    assert after is not None and mark(parse_code("AAAA", rules), after.guess) == Mark(2, 0)
    turn = Turn(parse_code("AAAA", rules), Mark(2, 0))
    assert domains(rules, [turn], common=False).occurrences[0] == (2,)
    after = decision.instead(parse_code("ABCD", rules), Mark(1, 0))
    assert after is not None
    with pytest.raises(StrategyError, match=r"after ABCD=X: .* add up to 0"):
        _ = after.guess


def test_the_third_constraint_to_the_letter_goes_round_in_circles() -> None:
    """Guesses agree in place with the last one only; of some codes the same come back forever."""
    pytest.importorskip("ortools")
    to_the_letter = load("constraint", c3="last")
    turns = play("4x6", to_the_letter, "DEBC")
    for number, (guess, _) in enumerate(turns):
        for earlier, answer in turns[:number]:
            assert sum(mark(earlier, guess)) == sum(answer)
        if number:
            assert mark(turns[number - 1].guess, guess) == turns[number - 1].mark
    with pytest.raises(StrategyError, match="again and again"):
        play("4x6", to_the_letter, "BADB")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["10x12", "16x26", "12x12,distinct-secrets", "8x12,black"])
def test_boards_too_large_to_list(text: str) -> None:
    pytest.importorskip("ortools")
    turns = play(text, "constraint", draw_secret(game_of(text), 1))
    assert len(turns) <= 30
    for number, (guess, _) in enumerate(turns):
        for earlier, answer in turns[:number]:
            assert mark(earlier, guess, black_only=text.endswith("black")) == answer
