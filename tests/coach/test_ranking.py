"""Positions and rankings, against the plain definition."""

import math
import random
from fractions import Fraction
from functools import cache

import pytest

from pegwise.coach import Position, best_guess, rank
from pegwise.coach import advice as ranking
from pegwise.errors import (
    CodeError,
    ContradictionError,
    InputError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Mark, Rules, Turn, parse_turn
from pegwise.strategies import load
from pegwise.strategies.criteria import CRITERIA
from tests import naive

BOARDS = ["3x4", "3x4,distinct", "3x3,blank", "2x5,black", "3x4,distinct-secrets"]


def some_history(rules: Rules, turns: int, seed: int) -> list[Turn]:
    """Turns with guesses at random, marked by a secret at random."""
    draw = random.Random(f"{rules} {turns} {seed}")
    secret, *_ = draw.sample(all_secrets(rules), 1)
    guesses = draw.choices(all_guesses(rules), k=turns)
    return [Turn(Code(g), Mark(*naive.mark(g, secret, black_only=rules.black))) for g in guesses]


def all_guesses(rules: Rules) -> list[tuple[int, ...]]:
    return naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)


def all_secrets(rules: Rules) -> list[tuple[int, ...]]:
    return naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)


def plain_parts(
    rules: Rules, history: list[Turn], guess: tuple[int, ...]
) -> dict[tuple[int, int], int]:
    """Sizes of the parts of the candidates, by mark."""

    def marking(guess: tuple[int, ...], secret: tuple[int, ...]) -> tuple[int, int]:
        return naive.mark(guess, secret, black_only=rules.black)

    left = plain_candidates(rules, tuple(history))
    return {mark: len(part) for mark, part in naive.partition(guess, left, marking).items()}


@cache
def plain_candidates(rules: Rules, history: tuple[Turn, ...]) -> list[tuple[int, ...]]:
    """The codes that fit a history."""
    turns = [(tuple(turn.guess), (turn.mark.black, turn.mark.white)) for turn in history]
    return naive.consistent(all_secrets(rules), turns, black_only=rules.black)


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
    for guess in all_guesses(rules)[::5]:
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
    for turns in (2, 3):
        history = some_history(rules, turns, 2)
        ranked = rank(Position(rules, history), criterion, guesses, 10**6)
        rows = {guess: plain_parts(rules, history, guess) for guess in all_guesses(rules)}
        if guesses == "candidates":
            rows = {guess: parts for guess, parts in rows.items() if (rules.pegs, 0) in parts}
        order = sorted(
            rows,
            key=lambda guess: (
                round(plain_score(list(rows[guess].values()), criterion), 9),
                (rules.pegs, 0) not in rows[guess],
                guess,
            ),
        )
        assert [tuple(split.guess) for split in ranked.splits] == order
        assert ranked.weighed == len(order)
        assert (ranked.kinds, ranked.exact) == (False, True)
        assert ranked.complete == (guesses == "all")


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_the_first_is_what_the_strategy_plays(criterion: str, turns: int) -> None:
    rules = Rules(4, 6)
    position = Position(rules, some_history(rules, turns, 3))
    for guesses in ("all", "candidates"):
        best = best_guess(position, criterion, guesses)
        assert rank(position, criterion, guesses).splits[0] == best
    if not turns:
        strategy = load(ranking.STRATEGIES[criterion])
        first = {"minimax": "AABB", "size": "AABC", "entropy": "ABCD", "parts": "AABC"}
        assert str(best_guess(position, criterion).guess) == first[criterion]
        assert strategy.card.id in {"knuth", "irving", "entropy", "parts"}


def test_one_of_each_kind_at_first() -> None:
    ranked = rank(Position(Rules(4, 6), ()))
    assert ranked.kinds
    assert [str(s.guess) for s in ranked.splits] == ["ABCD", "AABC", "AABB", "AAAB", "AAAA"]
    assert ranked.splits[0].bits == pytest.approx(3.0567, abs=1e-4)


def test_a_sample_first_where_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(4, 6)
    position = Position(rules, some_history(rules, 2, 4))
    exact = rank(position)
    monkeypatch.setattr(ranking, "_MAX_PAIRS", 20_000)
    monkeypatch.setattr(ranking, "_SHORTLIST", 300)
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
    monkeypatch.setattr(ranking, "MAX_LISTED", 100)
    unlisted = rank(position)
    assert unlisted.splits == only.splits
    assert not unlisted.complete
    assert best_guess(position) == only.splits[0]
    monkeypatch.setattr(ranking, "MAX_WEIGHED", 3)
    with pytest.raises(TooLargeError, match=r"candidates of 4x6 are too many to weigh .* most 3"):
        rank(position)


def test_what_cannot_be_ranked() -> None:
    rules = Rules(4, 6)
    position = Position(rules, ())
    with pytest.raises(UnknownNameError, match=r"'entropi'.*did you mean 'entropy'"):
        rank(position, "entropi")
    with pytest.raises(InputError, match="'al': write 'all' or 'candidates'"):
        best_guess(position, guesses="al")
    with pytest.raises(CodeError, match="5 pegs"):
        position.split((0, 0, 0, 0, 0))
    turns = [parse_turn("AAAA=X", rules), parse_turn("AAAA=-", rules)]
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        rank(Position(rules, turns))
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        best_guess(Position(rules, turns))
