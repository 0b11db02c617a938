"""Advice: splits and rankings by the plain definition; a strategy's guess while it can go on."""

import math
import random
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from pegwise.coach import advice
from pegwise.coach.advice import Adviser, Position, best_guess, default_strategy, rank
from pegwise.errors import (
    CodeError,
    ContradictionError,
    InputError,
    MissingExtraError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Game, Mark, Rules, Turn, board_game, game_of
from pegwise.knowledge.candidates import Drawn
from pegwise.reading import parse_turn
from pegwise.strategies import as_strategy, label, load, parse, sampling
from pegwise.strategies.criteria import CRITERIA
from pegwise.trees.build import play
from tests import naive
from tests.boards import guesses_of, marking_of, secrets_of

RULES = Rules(4, 6)
BOARDS = ["3x4,distinct", "3x3,blank", "2x5,black", "3x4,distinct-secrets"]


def some_history(rules: Rules, turns: int, seed: int) -> list[Turn]:
    """Turns with guesses at random, marked by a secret at random."""
    draw = random.Random(f"{rules} {turns} {seed}")
    secret, *_ = draw.sample(secrets_of(rules), 1)
    guesses = draw.choices(guesses_of(rules), k=turns)
    return [Turn(Code(g), Mark(*marking_of(rules)(g, secret))) for g in guesses]


def plain_parts(rules: Rules, history: list[Turn], guess: naive.Code) -> dict[naive.Mark, int]:
    """Sizes of the parts of the candidates, by mark."""
    parts = naive.partition(guess, plain_candidates(rules, tuple(history)), marking_of(rules))
    return {mark: len(part) for mark, part in parts.items()}


@cache
def plain_candidates(rules: Rules, history: tuple[Turn, ...]) -> list[naive.Code]:
    """The codes that fit a history."""
    return naive.consistent(secrets_of(rules), history, black_only=rules.black)


def plain_score(sizes: list[int], criterion: str) -> float:
    """The score of a partition, in floating point; less is better."""
    n = sum(sizes)
    return {
        "minimax": float(max(sizes)),
        "size": sum(size * size for size in sizes) / n,
        "entropy": math.fsum(size / n * math.log2(size / n) for size in sizes),
        "parts": float(-len(sizes)),
    }[criterion]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_splits(board: str, turns: int) -> None:
    rules = Rules.parse(board)
    history = some_history(rules, turns, 1)
    position = Position(rules, history)
    for guess in guesses_of(rules)[::5]:
        split, parts = position.split(guess), plain_parts(rules, history, guess)
        assert dict(split.parts) == parts
        assert position.count == split.candidates == sum(parts.values())
        assert split.possible == ((rules.pegs, 0) in parts)
        sizes = list(parts.values())
        assert split.expected == Fraction(sum(s * s for s in sizes), sum(sizes))
        assert split.largest == max(sizes)
        assert split.bits == pytest.approx(-plain_score(sizes, "entropy"))
        for criterion in CRITERIA:
            assert split.score(criterion) == pytest.approx(plain_score(sizes, criterion))


@pytest.mark.parametrize("guesses", ["all", "candidates"])
@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("board", BOARDS)
def test_the_order_of_all_guesses(board: str, criterion: str, guesses: str) -> None:
    rules = Rules.parse(board)
    history = some_history(rules, 2, 2)
    ranked = rank(Position(rules, history), criterion=criterion, guesses=guesses, limit=10**6)
    rows = {guess: plain_parts(rules, history, guess) for guess in guesses_of(rules)}
    if guesses == "candidates":
        rows = {guess: parts for guess, parts in rows.items() if (rules.pegs, 0) in parts}
    score = naive.CRITERIA[criterion]

    def order(guess: naive.Code) -> tuple[int, bool, naive.Code]:
        return score([*rows[guess].values()]), (rules.pegs, 0) not in rows[guess], guess

    assert [tuple(split.guess) for split in ranked.splits] == sorted(rows, key=order)
    assert ranked.weighed == len(rows)
    assert (ranked.kinds, ranked.exact) == (False, True)
    assert ranked.complete == (guesses == "all")


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_the_first_is_what_the_strategy_plays(criterion: str, turns: int) -> None:
    rules = Rules(4, 6)
    position = Position(rules, some_history(rules, turns, 3))
    for guesses in ("all", "candidates"):
        best = best_guess(position, criterion, guesses)
        assert rank(position, criterion=criterion, guesses=guesses).splits[0] == best
    if not turns:  # one guess of each kind
        first = {"minimax": "AABB", "size": "AABC", "entropy": "ABCD", "parts": "AABC"}
        ranked = rank(position, criterion=criterion)
        assert (ranked.kinds, str(ranked.best.guess)) == (True, first[criterion])
        bits = {str(split.guess): split.bits for split in ranked.splits}
        assert bits.keys() == {"ABCD", "AABC", "AABB", "AAAB", "AAAA"}
        # Forget prints 3,05 and 3,04, cut off, and the third
        published = {"ABCD": 3.0567, "AABC": 3.0437, "AABB": 2.8851}
        assert {code: bits[code] for code in published} == pytest.approx(published, abs=1e-4)


def test_a_sample_first_where_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(4, 6)
    position = Position(rules, some_history(rules, 2, 4))
    exact = rank(position)
    monkeypatch.setattr(advice, "MAX_PAIRS", 20_000)
    monkeypatch.setattr(advice, "SHORTLIST", 300)
    sampled = rank(position)
    assert not sampled.exact
    assert sampled.splits[0] == exact.splits[0] == best_guess(position)
    assert [s.bits for s in sampled.splits] == sorted(
        (s.bits for s in sampled.splits), reverse=True
    )


def test_boards_too_large_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(4, 6)
    position = Position(rules, some_history(rules, 2, 5))
    only = rank(position, guesses="candidates")
    monkeypatch.setattr(advice, "MAX_LISTED", 100)
    unlisted = rank(position)
    assert unlisted.splits == only.splits
    assert not unlisted.complete
    assert best_guess(position) == only.splits[0]
    monkeypatch.setattr(advice, "MAX_WEIGHED", 3)
    with pytest.raises(TooLargeError):
        rank(position)


def test_what_cannot_be_ranked() -> None:
    position = Position("4x6")
    with pytest.raises(UnknownNameError, match=r"'entropi'.*'entropy'"):
        rank(position, criterion="entropi")
    with pytest.raises(InputError, match="'al'"):
        best_guess(position, guesses="al")
    with pytest.raises(CodeError, match="5 pegs"):
        position.split((0, 0, 0, 0, 0))
    for choose in (rank, best_guess):
        with pytest.raises(ContradictionError):
            choose(Position("4x6", ["AAAA=X", "AAAA=-"]))


def turns(*texts: str, rules: Rules = RULES) -> list[Turn]:
    return [parse_turn(text, game_of(rules)) for text in texts]


@pytest.mark.parametrize(
    "name", ["entropy", "knuth", "first", "forget-entropy", "marechal-rastoix-2", "greenwell"]
)
def test_the_strategys_own_game(name: str) -> None:
    adviser = Adviser(load(name), game_of(RULES))
    history = play(RULES, name, "BEEF")
    # asked again, and from the end
    for number in (*range(len(history)), *reversed(range(len(history)))):
        advised = adviser.propose(history[:number])
        assert (advised.guess, advised.strategy) == (history[number].guess, name)


def test_after_a_guess_of_ones_own() -> None:
    history = turns("FFFF=-")
    assert Adviser(load("knuth"), game_of(RULES)).propose(history).strategy == "knuth"
    # a fixed procedure has no answer to it
    advised = Adviser(load("marechal-rastoix-1"), game_of(RULES)).propose(history)
    assert advised.strategy == "entropy"
    assert advised == Adviser(load("entropy"), game_of(RULES)).propose(history)
    # options are named
    advised = Adviser(parse("knuth:guesses=candidates"), game_of(RULES)).propose(turns("ABCD=OO"))
    assert advised.strategy == "knuth:guesses=candidates"
    assert naive.mark((0, 1, 2, 3), tuple(advised.guess)) == (0, 2)
    with pytest.raises(ContradictionError):
        Adviser(load("entropy"), game_of(RULES)).propose(turns("AAAA=-", "AAAA=X"))


@pytest.mark.parametrize(
    ("board", "name"),
    [("4x6", "entropy"), ("5x8", "entropy"), ("6x10", "entropy"), ("6x11", "sampling")],
)
def test_the_default_strategy_suits_the_board(board: str, name: str) -> None:
    assert label(default_strategy(game_of(board))) == name


@pytest.mark.slow
def test_on_a_large_board_it_goes_on_without_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = pytest.importorskip("ortools.sat.python")
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    rules = Rules(6, 11)
    with pytest.raises(MissingExtraError):
        load("constraint").begin(board_game(rules))
    foreign = turns("AAAAAA=X", rules=rules)
    adviser = Adviser(load("forget-entropy"), game_of(rules))
    assert adviser.propose(foreign).strategy == "sampling"
    # where no code is met, only the solver can go on

    def nothing(*_arguments: object, **_options: object) -> Drawn:
        return Drawn(np.zeros((0, 6), np.uint8), complete=False)

    for name in ("build_candidates", "meet_candidates"):
        monkeypatch.setattr(sampling, name, nothing)
    adviser = Adviser(load("forget-entropy"), game_of(rules))
    with pytest.raises(StrategyError, match="'constraint'"):
        adviser.propose(foreign)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", solver)
    advised = adviser.propose(foreign)
    assert advised.strategy == "constraint"
    assert naive.mark(tuple(foreign[0].guess), tuple(advised.guess)) == (1, 0)


def test_a_strategy_that_finds_out_late_that_it_cannot_go_on() -> None:
    def overwhelmed(_game: Game, played: tuple[tuple[Code, Mark], ...]) -> Code:
        if played:
            raise TooLargeError("too many codes")
        return Code([0, 0, 1, 1])

    adviser = Adviser(as_strategy(overwhelmed), game_of(RULES))
    assert adviser.propose(()).strategy == "overwhelmed"
    assert adviser.propose(turns("AAAA=X")).strategy == "entropy"
