"""Forget's decoder: against its slow twin, on large boards, its options and its refusals."""

import itertools
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import (
    ContradictionError,
    InputError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import (
    Code,
    FiniteGame,
    Mark,
    Mastermind,
    Rules,
    Turn,
    mark,
    mastermind,
)
from pegwise.kernels.marking import best_row
from pegwise.knowledge.codemaker import draw_secret
from pegwise.strategies import instead, load, options_of
from pegwise.strategies.criteria import CRITERIA
from pegwise.strategies.forget import (
    Endgame,
    Forget,
    ForgetEntropy,
    Opening,
    OpeningMove,
    interlude,
)
from pegwise.trees import build
from pegwise.trees.build import play, play_out
from tests import naive, naive_strategies
from tests.boards import guesses_of, secrets_of, small_rules
from tests.strategies.test_forget_figures import (
    BOTH,
    WIDE,
    after,
    naive_candidates,
    opened,
    written,
)

# the opening


SMALL = [
    *(Rules(pegs, colors) for pegs in range(1, 4) for colors in range(1, 6)),
    *(Rules(4, 3), Rules(4, 4), Rules(2, 8), Rules(3, 7, distinct_secrets=True)),
    *(Rules(pegs, 5, distinct=True) for pegs in range(1, 5)),
    *(Rules(pegs, 5, distinct=True, black=True) for pegs in range(1, 4)),
    *(Rules(3, 4, black=True), Rules(3, 4, blank=True), Rules(2, 5, black=True, blank=True)),
]


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_contradictory_marks_are_refused_at_once_in_the_opening(rules: Rules) -> None:
    codes = secrets_of(rules)
    level: list[OpeningMove] = [ForgetEntropy().begin(mastermind(rules))]
    while level:
        following = []
        for move, number in itertools.product(level, range(mastermind(rules).n_marks)):
            answer = mastermind(rules).mark(number)
            history = (*move.opening.turns, Turn(move.guess, answer))
            expected = naive.consistent(codes, history, black_only=rules.black)
            try:
                state = move.after(answer)
            except ContradictionError:
                assert not expected
                continue
            assert expected
            if isinstance(state, Endgame):
                assert [tuple(code) for code in state.candidates.tolist()] == expected
            else:
                following.append(state)
        level = following


# the interlude


@st.composite
def histories(draw: st.DrawFn) -> tuple[Rules, tuple[Turn, ...]]:
    """An opening and what may follow, with the marks of a secret."""
    rules = draw(small_rules(codes=5000))
    secrets = secrets_of(rules)
    secret = draw(st.sampled_from(secrets))
    opening = Opening.of(rules)
    while not opening.over:
        opening = opening.after(mark(opening.guess, secret, black_only=rules.black))
    later = draw(st.lists(st.sampled_from(guesses_of(rules)), max_size=3))
    told = [Turn(Code(g), mark(g, secret, black_only=rules.black)) for g in later]
    return rules, (*opening.turns, *told)


@given(histories())
@settings(max_examples=60)
def test_candidates_by_brute_force(case: tuple[Rules, tuple[Turn, ...]]) -> None:
    rules, history = case
    built = interlude(opened(rules, history), history)
    expected = naive_candidates(rules, history)
    assert built.complete
    assert written(built.codes) == expected
    some = interlude(opened(rules, history), history, most=3)
    assert len(some.codes) <= 3
    assert set(written(some.codes)) <= set(expected)
    assert not some.complete or written(some.codes) == expected


# over all secrets


TWINS = [
    *("1x4", "2x6", "3x4", "4x3", "3x5,distinct", "3x4,distinct-secrets", "3x3,black"),
    *("3x3,blank", "5x2"),
]


@pytest.mark.parametrize("board", [*TWINS, "3x4 by weights", "3x3,distinct-secrets by weights"])
@pytest.mark.parametrize("strategy", BOTH)
def test_plays_as_its_slow_twin(strategy: type[Forget], board: str) -> None:
    rules = Rules.parse(board.removesuffix(" by weights"))
    codes = secrets_of(rules)
    weights = {code: k % 4 if " " in board else 1 for k, code in enumerate(codes)}
    game = Mastermind(rules, list(weights.values()) if " " in board else None)

    @cache
    def twin(history: tuple[tuple[naive.Code, naive.Mark], ...]) -> naive.Code:
        return naive_strategies.forget(
            *(rules.pegs, rules.colors, codes, history, strategy.lead),
            black_only=rules.black,
            weight=weights.__getitem__,
        )

    tree = build(strategy(), game)
    for secret in codes:
        history: tuple[tuple[naive.Code, naive.Mark], ...] = ()
        state = tree.begin(game)
        while (guess := tuple(state.guess)) != secret:
            assert guess == twin(history)
            answer = naive.mark(guess, secret, black_only=rules.black)
            history = (*history, (guess, answer))
            state = state.after(Mark(*answer))
        assert guess == twin(history)


@pytest.mark.parametrize("board", ["3x6,distinct", "4x4,black", "5x3", "2x9"])
@pytest.mark.parametrize("options", [{"limit": 7}, {"switch": 3}, {"limit": 2, "switch": 4}])
def test_compiled_as_played(board: str, options: dict[str, int]) -> None:
    # other options and boards are those of `test_contract`
    game = mastermind(board)
    for kind in BOTH:
        strategy = kind(**options)  # type: ignore[arg-type]
        nodes = strategy.compile(game, threads=2)
        assert nodes is not None
        for array, expected in zip(nodes, play_out(strategy, game), strict=True):
            assert array.dtype == expected.dtype
            assert (array == expected).all()


def test_what_is_only_sampled_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    # a small board with room for few partial codes stands for a large one
    monkeypatch.setattr("pegwise.strategies.forget.MAX_BUILT", 40)
    game = mastermind("4x6")
    assert ForgetEntropy().compile(game) is None
    depths = build(ForgetEntropy(), game).depths()
    assert depths.min() >= 1 and len(depths) == 1296


@pytest.mark.parametrize("board", ["6x20", "6x26,distinct", "10x4"])
def test_boards_too_large_to_list(board: str) -> None:
    assert len(play("forget-entropy", board, draw_secret(Rules.parse(board), 3))) <= 25


@pytest.mark.parametrize("board", ["4x6", "4x12", "4x7,distinct-secrets", "4x5,black"])
def test_the_endgame_goes_on_after_any_guess(board: str) -> None:
    game = mastermind(board)
    for seed in range(5):
        secret = draw_secret(game.rules, seed)
        foreign = game.guess(random.Random(seed).randrange(game.n_guesses))
        state = load("forget-entropy").begin(game)
        turns: list[Turn] = []
        while state.guess != secret:
            assert len(turns) < 20
            first = isinstance(state, Endgame) and foreign not in dict(turns)
            guess = foreign if first else state.guess
            turns.append(Turn(guess, game.mark_of(guess, secret)))
            following = instead(state, guess, turns[-1].mark) if first else None
            state = following or state.after(turns[-1].mark)
        assert all(game.mark_of(guess, state.guess) == answer for guess, answer in turns)


# criteria, options, decisions


def test_all_is_refused_where_all_are_too_many() -> None:
    rules = Rules(6, 26)
    state = load("forget-entropy", limit="all").begin(mastermind(rules))
    for _ in range(5):
        state = state.after(Mark(0, 1))
    with pytest.raises(TooLargeError, match="the candidates of 6x26 are too many to weigh all"):
        _ = state.guess


def test_the_criterion_may_change_from_one_move_to_the_next() -> None:
    text = "ABCD O, EFGH O, IJKL O"
    state = after(ForgetEntropy(), WIDE, text)
    assert str(state.with_criterion("minimax").guess) == "FRBJ"
    assert str(state.with_criterion("entropy").guess) == str(state.guess) == "RAJG"
    early = ForgetEntropy().begin(mastermind(WIDE)).with_criterion("minimax")
    late = ForgetEntropy(switch=4)
    for answer in (Mark(0, 1),) * 3:
        early = early.after(answer)  # type: ignore[assignment]
    assert str(early.guess) == str(after(late, WIDE, text).guess) == "FRBJ"
    assert str(after(ForgetEntropy(switch=5), WIDE, text).guess) == "RAJG"
    assert late.lead_at(3) == "entropy"
    assert late.lead_at(4) == ForgetEntropy(switch=1).lead_at(9) == "minimax"


def test_the_second_criterion_decides_for_minimax() -> None:
    # parts of 3, 1, 1, 1 and 3, 3; the second row only has more information
    table = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 2, 3]], np.uint8)
    table = np.concatenate([np.tile(table[:1], (6, 1)), table[1:]])
    rows = np.arange(6, dtype=np.int32)
    worth = CRITERIA["entropy"].table(2000)
    assert best_row(table, rows, 6, 5, worth, True) == 6
    # and a candidate comes before an equal guess that cannot win
    table[6] = table[0]
    assert best_row(table, rows, 6, 5, worth, True) == 0


def test_options() -> None:
    assert options_of(load("forget-entropy")) == {}
    strategy = load("forget-minimax", switch=3, limit=100, unplayed=False)
    assert options_of(strategy) == {"switch": 3, "limit": 100, "unplayed": False}
    for options in ({"switch": -1}, {"limit": 1}, {"limit": 10**6}):
        with pytest.raises(InputError, match=str(next(iter(options.values())))):
            load("forget-entropy", **options)
    state = ForgetEntropy().begin(mastermind("4x6"))
    with pytest.raises(UnknownNameError, match="entropie"):
        state.with_criterion("entropie")


def test_what_it_does_not_play() -> None:
    game = FiniteGame(["a", "b"], lambda g, s: g == s, name="two letters")
    with pytest.raises(StrategyError, match="two letters"):
        ForgetEntropy().begin(game)
    with pytest.raises(TooLargeError, match="8x12"):
        ForgetEntropy().compile(mastermind("8x12"))


def test_too_many_partial_codes_end_with_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(13, 13)
    game = mastermind(rules)
    random = np.random.default_rng(1)
    guesses = [tuple(range(13)), *random.integers(0, 13, (30, 13)).tolist()]
    secret = tuple(random.integers(0, 13, 13).tolist())
    history = tuple(Turn(Code(guess), mark(guess, secret)) for guess in guesses)
    monkeypatch.setattr("pegwise.strategies.forget.MAX_BUILT", 50)
    with pytest.raises(TooLargeError, match=r"13x13 after 31 turns.*constraint"):
        Endgame.of(ForgetEntropy(), game, opened(rules, history), history)
