"""Viaud's paper of 1979: the formal game, his propositions, his strategies, his printed tree."""

import doctest
import itertools
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pegwise.arrays import I32
from pegwise.errors import ContradictionError, InputError, StrategyError, TooLargeError
from pegwise.game import FiniteGame, Game, Rules, mastermind
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.position import Solvable, reach
from pegwise.search.players import Viaud
from pegwise.search.theory import largest_parts, tau
from pegwise.strategies import load
from pegwise.trees import Tree, build, verify
from pegwise.trees.notations.viaud import read_viaud
from tests import naive
from tests.boards import small_rules

PAGE = Path(__file__).parents[2] / "docs" / "viaud.md"
PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"


@pytest.fixture(scope="module")
def printed() -> Tree:
    """The strategy printed on p. 320-321."""
    return read_viaud(PRINTED.read_text()).tree


@st.composite
def games(draw: st.DrawFn, secrets: int = 7) -> FiniteGame:
    """Any game: few marks, so that it takes several turns; some guesses that cannot win."""
    n = draw(st.integers(1, secrets))
    n_guesses = n + draw(st.integers(0, 2))
    points = st.integers(1, draw(st.integers(1, 3)))
    rows = draw(
        st.lists(st.lists(points, min_size=n, max_size=n), min_size=n_guesses, max_size=n_guesses)
    )
    for number in range(n):
        rows[number][number] = 0
    return FiniteGame(range(n), rows, range(n_guesses))


@st.composite
def sets(draw: st.DrawFn) -> tuple[FiniteGame, I32]:
    """A game and a set of its secrets, which may be empty."""
    game = draw(games())
    chosen = draw(st.sets(st.integers(0, game.n_secrets - 1)))
    return game, np.array(sorted(chosen), np.int32)


def everything(game: Game) -> I32:
    return np.arange(game.n_secrets, dtype=np.int32)


def parts(game: Game, candidates: I32, guess: int) -> dict[int, I32]:
    marks = game.marks(guess, candidates)
    return {mark: candidates[marks == mark] for mark in np.unique(marks).tolist()}


def situations(tree: Tree) -> Iterator[tuple[int, I32, int]]:
    """Every node with the secrets still possible and the number of guesses before."""
    for node, depth in enumerate(tree.node_depths.tolist()):
        candidates = everything(tree.game)
        for guess, mark in tree.path(node):
            candidates = candidates[tree.game.marks(guess, candidates) == mark]
        yield node, candidates, depth - 1


# the functions tau_k


@settings(max_examples=60)
@given(sets(), st.integers(1, 4))
def test_tau_is_its_definition(drawn: tuple[FiniteGame, I32], k: int) -> None:
    game, candidates = drawn
    guesses = range(game.n_guesses)
    assert tau(game, candidates, k) == naive.tau(k, candidates.tolist(), guesses, game.mark_of)


def test_tau_on_a_board() -> None:
    codes = naive.secrets(2, 3)
    for k in (1, 2, 3, 4):
        plain = naive.tau(k, codes, codes, naive.mark)
        assert tau(mastermind("2x3"), everything(mastermind("2x3")), k) == plain


@pytest.mark.parametrize(
    ("rules", "values"),
    [("4x4", [256, 46, 6, 1]), ("4x6", [1296, 256]), ("3x3", [27, 6, 2, 1, 1])],
)
def test_tau_of_all_codes(rules: str, values: list[int]) -> None:
    # 256, 1296 and tau_2 = 256 on 4x6: Viaud, section 4; the others are ours
    game = mastermind(rules)
    assert [tau(game, everything(game), k) for k in range(1, len(values) + 1)] == values


def test_tau_2_of_the_usual_board_is_reached_by_1122() -> None:
    # section 4: at 1122, "à une permutation près", for the marks (0, 0), (1, 0) and (0, 1)
    game = mastermind("4x6")
    largest = largest_parts(game, everything(game))
    best = [game.guess(int(number)) for number in np.flatnonzero(largest == 256)]
    assert {tuple(sorted(guess.count(color) for color in set(guess))) for guess in best} == {(2, 2)}
    assert len(best) == 6 * 5 // 2 * 6
    sizes = {game.mark(mark): len(part) for mark, part in parts(game, everything(game), 7).items()}
    assert game.guess(7).write("digits") == "1122"
    assert {mark for mark, size in sizes.items() if size == 256} == {(0, 0), (1, 0), (0, 1)}


def test_tau_refuses_what_is_not_defined_or_too_much() -> None:
    game = mastermind("4x6")
    with pytest.raises(InputError, match="tau_0 is not defined"):
        tau(game, everything(game), 0)
    with pytest.raises(TooLargeError, match="tau_4 of 1296 secrets of 4x6"):
        tau(game, everything(game), 4)


# propositions


@settings(max_examples=100)
@given(sets(), st.integers(1, 5))
def test_proposition_1(drawn: tuple[FiniteGame, I32], k: int) -> None:
    game, candidates = drawn
    now, following = (tau(game, candidates, turn) for turn in (k, k + 1))
    assert 0 <= following <= now  # (1)
    assert (now == 0) == (len(candidates) == 0)  # (2)
    assert following < now or now <= 1  # (3)


@settings(max_examples=60)
@given(games(), st.sampled_from(["first", "random:seed=3", "knuth", "viaud"]))
def test_proposition_2(game: FiniteGame, name: str) -> None:
    name, _, seed = name.partition(":seed=")
    strategy = load(name, seed=int(seed)) if seed else load(name)
    tree = build(strategy, game)
    q = tree.worst
    for node, candidates, i in situations(tree):
        if i < q:
            assert tau(game, candidates, q - i) == 1  # (4)
        guess = int(tree.nodes.guess[node])
        if i + 1 < q:
            after = [tau(game, part, q - i - 1) for part in parts(game, candidates, guess).values()]
            assert max(after) == 1  # (5)


def brute_force(game: FiniteGame, candidates: I32, q: int) -> bool:
    """Whether some strategy finds these secrets with at most q guesses, by trying everything."""
    if len(candidates) <= 1:
        return len(candidates) <= q
    return q > 1 and any(
        all(brute_force(game, part, q - 1) for mark, part in split.items() if mark != game.winning)
        for split in (parts(game, candidates, guess) for guess in range(game.n_guesses))
        if len(split) > 1
    )


@settings(max_examples=60)
@given(games())
def test_proposition_3(game: FiniteGame) -> None:
    # q0, the least q with tau_q(S) = 1, is the order of the best strategies
    secrets = everything(game)
    q0 = next(q for q in itertools.count(1) if tau(game, secrets, q) == 1)
    assert brute_force(game, secrets, q0)
    assert not brute_force(game, secrets, q0 - 1)
    assert find_optimum(game, objective="worst").lower_bound == q0
    # and (9) holds at every turn of a best one
    tree = find_optimum(game, objective="worst-total").tree
    assert tree is not None
    assert tree.worst == q0
    for node, candidates, i in situations(tree):
        if i + 1 < q0:
            split = parts(game, candidates, int(tree.nodes.guess[node]))
            assert max(tau(game, part, q0 - i - 1) for part in split.values()) == 1


# sets that can be solved in so many guesses


@settings(max_examples=60)
@given(sets())
def test_solvable_is_tau_1(drawn: tuple[FiniteGame, I32]) -> None:
    game, candidates = drawn
    answers = Solvable(game)
    for guesses in range(1, 6):
        one = tau(game, candidates, guesses) <= 1
        assert answers.within(candidates, guesses) == one
    assert answers.within(candidates, 0) == (len(candidates) == 0)


@settings(max_examples=40)
@given(small_rules(codes=30, largest=5), st.randoms(use_true_random=False))
def test_solvable_on_boards(rules: Rules, draw: Any) -> None:
    game = mastermind(rules)
    answers = Solvable(game)
    for size in range(1, min(12, game.n_secrets) + 1):
        chosen = draw.sample(range(game.n_secrets), size)
        candidates = np.array(chosen, np.int32)
        order = answers.order(candidates)
        assert tau(game, candidates, min(order, 4)) == 1 or order > 4
        assert order == 1 or tau(game, candidates, min(order - 1, 4)) > 1


@given(st.integers(1, 20), st.integers(0, 8))
def test_reach_is_the_quotient_of_11(marks: int, q: int) -> None:
    pi = marks - 1
    if pi != 1:  # Viaud's quotient is 0/0 then
        assert reach(marks, q) * (pi - 1) == pi**q - 1
    else:
        assert reach(marks, q) == q


# the strategy of remark 2


@settings(max_examples=60)
@given(games())
@example(FiniteGame(["only"], [["="]]))
def test_viaud_has_the_fewest_guesses_to_play_at_every_turn(game: FiniteGame) -> None:
    tree = build(Viaud(), game)
    assert verify(tree).valid
    answers = Solvable(game)
    for node, candidates, _ in situations(tree):
        q = answers.order(candidates)
        guess = int(tree.nodes.guess[node])

        def leaves(guess: int, q: int = q, candidates: I32 = candidates) -> bool:
            split = parts(game, candidates, guess)
            return all(
                answers.within(part, q - 1) for mark, part in split.items() if mark != game.winning
            )

        assert leaves(guess)
        if q == 1:
            assert guess == game.guess_of_secret[candidates[0]]
            continue
        # ties: a candidate, then the first
        own = sorted(game.guess_of_secret[candidates].tolist())
        assert guess == next(filter(leaves, [*own, *range(game.n_guesses)]))


@pytest.mark.parametrize(
    ("rules", "q0"),
    # 4 and 5: Viaud, section 4; the others by our search
    [("4x4", 4), ("4x6", 5), ("3x3", 4), ("4x5", 5), ("3x5,distinct", 4), ("3x4,blank", 4)],
)
def test_viaud_on_boards(rules: str, q0: int) -> None:
    tree = build(Viaud(), mastermind(rules))
    checked = verify(tree)
    assert checked.valid
    assert checked.worst == q0
    assert find_optimum(mastermind(rules), objective="worst").lower_bound == q0


def test_the_guesses_to_play_only_go_down() -> None:
    game = mastermind("4x4")
    answers = Solvable(game)
    for secret in map(game.secret, range(0, 256, 17)):
        state = Viaud().begin(game)
        to_play = [answers.order(state.candidates)]
        while state.guess != secret:
            state = state.after(game.mark_of(state.guess, secret))
            to_play.append(answers.order(state.candidates))
        assert to_play[0] == 4
        assert all(later < earlier for earlier, later in itertools.pairwise(to_play))


def test_viaud_goes_on_from_any_guess() -> None:
    game = mastermind("3x4")
    state = Viaud().begin(game).instead(game.guess(27), game.mark(2))
    assert pickle.loads(pickle.dumps(state)).guess == state.guess
    with pytest.raises(ContradictionError, match="no secret of 3x4 gives these marks"):
        _ = state.instead(game.guess(27), game.mark(3)).guess


def test_large_boards_are_refused() -> None:
    with pytest.raises(StrategyError, match="viaud cannot play this board: 5x8 has 32,768 secrets"):
        Viaud().begin(mastermind("5x8"))


# the printed strategy


def test_the_printed_strategy_beside_the_best_of_four_guesses(printed: Tree) -> None:
    checked = verify(printed)
    assert (checked.valid, checked.total, checked.worst) == (True, 918, 4)
    assert printed.histogram() == [1, 9, 85, 161]
    best = find_optimum(mastermind("4x4"), objective="worst-total")
    assert best.proven
    assert best.tree is not None
    assert (best.tree.total, best.tree.worst) == (905, 4)
    limited = find_optimum(mastermind("4x4"), max_guesses=4)
    assert (limited.proven, limited.lower_bound) == (True, 905)
    assert find_optimum(mastermind("4x4")).lower_bound == 905


def test_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted > 10) == (0, True)


@pytest.mark.parametrize(
    ("rules", "name", "total", "histogram"),
    # what the page says of these strategies
    [
        ("4x4", "knuth", 919, [1, 9, 84, 162]),
        ("4x4", "viaud", 931, [1, 13, 64, 178]),
        ("4x6", "viaud", 5972, [1, 6, 79, 328, 882]),
    ],
)
def test_the_figures_of_the_page(rules: str, name: str, total: int, histogram: list[int]) -> None:
    tree = build(load(name), mastermind(rules))
    assert (tree.total, tree.histogram()) == (total, histogram)


def test_the_printed_strategy_is_the_particular_one_and_hurries(printed: Tree) -> None:
    # section 3: every guess makes the largest part smallest; and remark 2 of 2.3 holds as well
    answers = Solvable(printed.game)
    foreign = 0
    for node, candidates, _ in situations(printed):
        guess = int(printed.nodes.guess[node])
        largest = largest_parts(mastermind("4x4"), candidates)
        assert largest[guess] == largest.min()
        own = printed.game.guess_of_secret[candidates]
        if guess not in own:  # plays what cannot win only where no candidate is as good
            foreign += 1
            assert largest[own].min() > largest.min()
        q = answers.order(candidates)
        for mark, part in parts(printed.game, candidates, guess).items():
            assert mark == printed.game.winning or answers.within(part, q - 1)
    assert foreign == 11
