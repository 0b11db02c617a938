"""Viaud's paper, bounds as printed and as true, and permutations of pegs and colors."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pegwise
from pegwise.arrays import I32
from pegwise.errors import ContradictionError, InputError, TooLargeError
from pegwise.game import (
    Code,
    FiniteGame,
    Mark,
    Mastermind,
    Rules,
    Turn,
    all_secrets,
    board_game,
    game_of,
)
from pegwise.knowledge.candidates import first_guesses
from pegwise.progress import Progress
from pegwise.search.certificates.files import shipped_certificates
from pegwise.search.certificates.optima import BestTree, ProvenTrees
from pegwise.search.certificates.published import Published, published, published_figure
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.position import Solvable
from pegwise.search.theory import (
    bounds,
    eq11,
    information,
    largest_parts,
    marechal_rastoix,
    particular_orders,
    relabel,
    tau,
    taus,
)
from pegwise.search.theory.board_bounds import stored_bounds
from pegwise.strategies import load
from pegwise.telling.records import markdown, section
from pegwise.trees import Tree, build, verify
from pegwise.trees.build import parts_of
from pegwise.trees.formats import read_viaud
from tests import naive
from tests.boards import guesses_of, marking_of, secrets_of, small_rules
from tests.trees.wandering import candidates_at, finite_games, trees

# serkangur.freeservers.com; the marks in the order 00, 01, 02, 03, 04, 10, ..., 30, 40
FIRST_GUESSES_4X6 = {
    "1111": [625, 0, 0, 0, 0, 500, 0, 0, 0, 150, 0, 0, 20, 1],
    "1112": [256, 308, 61, 0, 0, 317, 156, 27, 0, 123, 24, 3, 20, 1],
    "1122": [256, 256, 96, 16, 1, 256, 208, 36, 0, 114, 32, 4, 20, 1],
    "1123": [81, 276, 222, 44, 2, 182, 230, 84, 4, 105, 40, 5, 20, 1],
    "1234": [16, 152, 312, 136, 9, 108, 252, 132, 8, 96, 48, 6, 20, 1],
}


PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"
FINITE = finite_games(7, (1, 2, 3), weighted=False)


# the functions tau_k


@st.composite
def sets(draw: st.DrawFn) -> tuple[FiniteGame, I32]:
    """A game and a set of its secrets, which may be empty."""
    game = draw(FINITE)
    chosen = draw(st.sets(st.integers(0, game.n_secrets - 1)))
    return game, np.array(sorted(chosen), np.int32)


@given(sets(), st.integers(1, 4))
def test_tau_is_its_definition(drawn: tuple[FiniteGame, I32], k: int) -> None:
    game, candidates = drawn
    guesses, rows = range(game.n_guesses), game.table.tolist()

    def marking(guess: int, secret: int) -> int:
        return int(rows[guess][secret])

    assert tau(game, candidates, k) == naive.tau(k, candidates.tolist(), guesses, marking)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "values"),
    [("4x4", (256, 46, 6, 1)), ("3x3", (27, 6, 2, 1)), ("3x6", (216, 63, 15, 3, 1)), ("1x1", (1,))],
)
def test_taus_of_all_codes(rules: str, values: tuple[int, ...]) -> None:
    # 256 and that four guesses are enough: Viaud, section 4; the others are ours
    game = board_game(Rules.parse(rules))
    assert taus(game) == values
    for k in range(1, len(values) + 3):
        assert tau(game, all_secrets(game), k) == (*values, 1, 1)[k - 1]


def test_taus_of_the_usual_board() -> None:
    # 1296 and 256: Viaud, section 4; tau_5 = 1, for five guesses are enough
    board = bounds("4x6")
    assert board.viaud_taus == (1296, 256, 46, 6, 1)
    # what takes too many marks is left out
    assert taus(board_game(Rules.parse("4x6")), max_marks=3_000_000) == (1296, 256, None)


@given(FINITE)
def test_taus_go_down_to_1(game: FiniteGame) -> None:
    values = taus(game)
    guesses, rows = range(game.n_guesses), game.table.tolist()
    secrets = range(game.n_secrets)
    for k, value in enumerate(values[:4], 1):
        assert value == naive.tau(k, secrets, guesses, lambda g, s: int(rows[g][s]))
    assert values[-1] == 1
    assert all(value != 1 for value in values[:-1])


def test_tau_refuses_what_is_not_defined_or_too_much() -> None:
    game = board_game(Rules.parse("4x6"))
    with pytest.raises(InputError):
        tau(game, all_secrets(game), 0)
    with pytest.raises(TooLargeError):
        tau(game, all_secrets(game), 4, max_marks=10**6)
    assert tau(game, all_secrets(game), 10**9) == 1


@pytest.mark.slow
@given(FINITE)
def test_proposition_3(game: FiniteGame) -> None:
    # q0, the least q with tau_q(S) = 1, is the order of the best strategies
    q0 = next(q for q in itertools.count(1) if tau(game, all_secrets(game), q) == 1)
    tree = find_optimum(game, objective="worst-total").tree
    assert tree is not None
    assert tree.worst == q0
    # and (9) holds at every turn of a best one
    for node, turn in enumerate(tree.node_depths.tolist()):
        if turn < q0:
            candidates = candidates_at(tree, node)
            split = parts_of(game.marks(int(tree.nodes.guess[node]), candidates), candidates)
            assert max(tau(game, part, q0 - turn) for part in split.values()) == 1


@given(sets())
def test_solvable_is_tau_1(drawn: tuple[FiniteGame, I32]) -> None:
    game, candidates = drawn
    answers = Solvable(game)
    for guesses in range(1, 6):
        assert answers.within(candidates, guesses) == (tau(game, candidates, guesses) <= 1)
    assert answers.within(candidates, 0) == (len(candidates) == 0)


# first guesses


def test_first_guesses_of_the_usual_board() -> None:
    rules = Rules.parse("4x6")
    assert {
        first.guess.write("digits"): [first.parts.get(mark, 0) for mark in rules.marking.legal]
        for first in first_guesses(rules)
    } == FIRST_GUESSES_4X6


@given(small_rules(codes=300, largest=6))
def test_parts_are_counted_as_they_are(rules: Rules) -> None:
    secrets, marking = secrets_of(rules), marking_of(rules)
    classes = {tuple(first.guess): first.parts for first in first_guesses(rules)}
    for guess, counts in classes.items():
        assert counts == Counter(marking(guess, secret) for secret in secrets)
    # each class once, by its first guess
    assert sorted(classes) == naive.first_of_class(guesses_of(rules), rules.colors, [])


@pytest.mark.slow
def test_the_largest_boards() -> None:
    for first in itertools.islice(first_guesses(Rules(16, 26)), 40):
        assert sum(first.parts.values()) == 26**16
    best = min(first_guesses(Rules(12, 26)), key=lambda first: first.largest)
    assert str(best.guess) == "AABBCCDDEEFG"
    assert best.parts[Mark(0, 0)] == 19**12


# bounds


def test_marechal_and_rastoix() -> None:
    # section 2.3: 8 colors, 4 pegs: 4096 codes, 14 marks, log2 12 / 3.8074, so 4
    board = bounds("4x8")
    assert (board.n_codes, board.n_marks, board.marechal_rastoix) == (4096, 14, 4)
    assert (board.codes_with_repetition, board.codes_without_repetition) == (4096, 1680)
    # the formula above it lacks the logarithms: 4096 / (720 / 47), so 268
    assert board.marechal_rastoix_as_printed == 268
    # and 4 guesses reach no more than 1 + 13 + 169 + 2197 = 2380 codes
    assert board.information == board.viaud_q1_eq11 == board.viaud_q1_eq12 == 5
    assert (board.viaud_q0, board.viaud_q2) == (6, 6)


def test_viaud() -> None:
    # section 4: 4 by (11) on 4x4, where the particular strategy is of order 4; 4 by (11) and
    # 5 by (12) on 4x6, tau_2(S) = 256, and the particular strategy is of order 5
    small, usual = bounds("4x4"), bounds("4x6")
    assert (small.n_codes, small.n_marks) == (256, 14)
    assert (small.viaud_q1_eq11, small.viaud_q0, small.viaud_q2) == (4, 4, 4)
    assert (usual.viaud_q1_eq11, usual.viaud_q1_eq12) == (4, 5)
    assert (usual.viaud_tau2, usual.viaud_tau2_guess.write("digits")) == (256, "1122")
    assert (usual.viaud_q0, usual.viaud_q2) == (5, 5)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.integers(1, 10**4), st.integers(2, 200))
def test_the_bounds_by_their_inequalities(codes: int, marks: int) -> None:
    pi = marks - 1
    q = eq11(codes, marks)
    assert sum(pi**k for k in range(q)) >= codes
    assert sum(pi**k for k in range(q - 1)) < codes
    k = marechal_rastoix(codes, marks)
    assert marks**k >= codes
    assert k == 0 or marks ** (k - 1) < codes
    assert information(codes, marks) == k + 1 <= q


@given(small_rules(codes=120, largest=5))
def test_bounds_enclose_the_smallest_worst_case(rules: Rules) -> None:
    board = bounds(rules)
    true = find_optimum(board_game(rules), objective="worst").lower_bound
    assert board.viaud_q0 == board.worst_at_least == true
    assert board.viaud_q2 is not None
    assert board.viaud_q1_eq12 is not None
    assert board.information <= board.viaud_q1_eq11 <= board.viaud_q1_eq12 <= true
    assert true <= board.viaud_q2
    assert rules.n_secrets == board.n_codes
    assert (rules.n_guesses, len(rules.marking.legal)) == (board.n_guesses, board.n_marks)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules, list[Turn]]:
    """A small board and a turn or two that some code fits."""
    rules = draw(small_rules(codes=70, largest=4))
    secret = draw(st.sampled_from(secrets_of(rules)))
    marking = marking_of(rules)
    guesses = draw(st.lists(st.sampled_from(guesses_of(rules)), min_size=1, max_size=2))
    return rules, [Turn(Code(guess), Mark(*marking(guess, secret))) for guess in guesses]


@given(positions())
def test_bounds_of_what_fits_some_turns(drawn: tuple[Rules, list[Turn]]) -> None:
    rules, history = drawn
    guesses, marking = guesses_of(rules), marking_of(rules)
    fitting = [
        secret
        for secret in secrets_of(rules)
        if all(marking(guess, secret) == mark for guess, mark in history)
    ]
    board = bounds(rules, history)
    q = board.viaud_q0
    assert q is not None
    assert (board.n_codes, board.turns) == (len(fitting), tuple(history))
    for k, value in enumerate(board.viaud_taus[:3], 1):
        assert value == naive.tau(k, fitting, guesses, marking)
    assert (len(board.viaud_taus), board.viaud_taus[-1]) == (q, 1)
    assert board.viaud_q1_eq11 <= (board.viaud_q1_eq12 or 0) <= q <= (board.viaud_q2 or 0)
    # remark 2: the guesses after which q - 1 more are enough
    if q <= 3 and len(fitting) > 1:
        best = [
            guess
            for guess in guesses
            if all(
                naive.tau(q - 1, part, guesses, marking) == 1
                for part in (
                    [secret for secret in fitting if marking(guess, secret) == mark]
                    for mark in {marking(guess, secret) for secret in fitting}
                )
            )
        ]
        assert {tuple(guess) for guess in board.best_guesses or ()} == set(best)


def test_the_best_first_guesses() -> None:
    board = bounds("4x4")
    assert [str(guess) for guess in board.best_guesses or ()] == ["AABC"]
    assert board.symmetric


@pytest.mark.parametrize(
    "board",
    [
        "4x6",
        "3x9,distinct",
        pytest.param(
            None,
            marks=pytest.mark.slow,
            id="all",
        ),
    ],
)
def test_what_is_stored_of_boards_is_what_is_worked_out(board: str | None) -> None:
    for name in [board] if board else stored_bounds():
        assert bounds(name) == bounds(name, fresh=True)


def test_boards_whose_marks_tell_the_place_have_the_symmetries_of_a_board() -> None:
    game = game_of("3x4,placed")
    board = bounds(game)
    plain = bounds(FiniteGame(range(game.n_secrets), game.table.tolist()))
    assert (board.viaud_q0, board.symmetric, plain.symmetric) == (plain.viaud_q0, True, False)
    best = {str(game.guess(number)) for number in plain.best_guesses or ()}
    # the first of each class
    assert {str(guess) for guess in board.best_guesses or ()} == {
        min(g for g in best if sorted(map(g.count, g)) == sorted(map(first.count, first)))
        for first in best
    }
    large = bounds("5x8,placed")  # no table of all marks is made
    assert (large.viaud_tau2, large.viaud_q2, large.best_guesses) == (None, None, None)


def test_bounds_of_other_games_after_turns() -> None:
    game = FiniteGame("abc", [["=", "<", "<"], [">", "=", "<"], [">", ">", "="]])
    board = bounds(game, [("a", "<")])
    assert (board.n_codes, board.viaud_q0, board.viaud_taus) == (2, 2, (2, 1))
    assert board.best_guesses == ("b", "c")
    with pytest.raises(ContradictionError):
        bounds(game, [("a", "<"), ("b", ">")])


def test_large_positions() -> None:
    board = bounds("6x12", ["AABBCC=O"])
    assert board.viaud_q0 is board.viaud_q2 is board.viaud_q1_eq12 is None
    assert board.best_guesses is None
    assert board.viaud_taus == (board.n_codes,)
    assert board.worst_at_least == board.viaud_q1_eq11 == 6


def test_the_order_of_the_particular_strategy_depends_on_ties() -> None:
    # section 4 gives 4 for 4x4 and 5 for 4x6; the second only for some choices (see docs/viaud.md)
    assert particular_orders(game_of("4x4"), 5) == {4: 5}
    assert build("4x6", load("knuth", ties="random", seed=0)).worst == 6
    assert build("4x6", load("knuth", ties="viaud")).worst == 5
    with pytest.raises(InputError):
        particular_orders(game_of("4x4"), 0)


def test_one_code_and_one_peg() -> None:
    code = bounds("3x1")
    assert (code.n_codes, code.information, code.viaud_q1_eq11, code.viaud_q1_eq12) == (1, 1, 1, 1)
    assert code.viaud_q0 == 1
    # two marks: every guess but the last only strikes off one code
    peg = bounds("1x9")
    assert (peg.viaud_q1_eq11, peg.viaud_q1_eq12, peg.viaud_q0) == (9, 9, 9)


@pytest.mark.slow
def test_boards_too_large_to_list() -> None:
    steps: list[Progress] = []
    board = bounds("12x12", report=steps.append)
    assert board.n_codes == 12**12
    assert board.viaud_q2 is board.viaud_q0 is None
    assert not steps
    assert (board.viaud_q1_eq11, board.viaud_q1_eq12, board.worst_at_least) == (8, 9, 9)


@pytest.mark.slow
def test_a_search_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegwise.search.theory.board_bounds.MAX_SEARCH", 5_000)
    board = bounds("6x7,distinct,black")
    assert board.viaud_q0 is None
    assert (board.viaud_q1_eq11, board.worst_at_least) == (6, 7)


# what is published


@pytest.mark.parametrize(
    "row",
    [row for row in published() if row.rules.n_secrets <= 300 and row.proven],
    ids=lambda row: f"{row.rules} {row}",
)
def test_published_optima_are_found(row: Published) -> None:
    best = find_optimum(
        board_game(row.rules),
        objective=row.objective,
        max_guesses=row.max_guesses,
        guesses=row.guesses,
    )
    assert best.proven
    assert best.lower_bound == row.value


def test_what_is_published_has_a_source() -> None:
    rows = published()
    assert len({(row.rules, str(row)) for row in rows}) == len(rows)
    assert all(row.source and row.value > 0 for row in rows)
    assert {str(row): row.value for row in published(game_of("4x6"))} == {
        "smallest worst case": 5,
        "smallest total": 5625,
        "smallest total, at most 5 guesses": 5626,
        "smallest total, candidates only": 5660,
    }
    assert published(game_of(Rules(4, 6, marks="black"))) == ()
    assert "smallest total known" in {str(row) for row in published(game_of("super"))}


def test_stored_trees_are_no_worse_than_any_that_is_published() -> None:
    """Where they are better, the record says by how much, and where a worst case is smaller."""
    compared = 0
    for kind in (ProvenTrees, BestTree):
        for certificate in shipped_certificates(kind):
            row = published_figure(certificate.claim.game, "total")
            if row is not None:
                assert certificate.claim.figure[1] <= row.value
                compared += certificate.standing.startswith(f"improves {row.value}, ")
    assert compared >= 26
    known = {
        ("5x9", "total"): 342_916,
        ("5x10", "total"): 610_748,
        ("5x10", "worst"): 8,
        ("6x6", "total"): 242_481,
        ("6x7", "total"): 658_296,
        ("7x5", "total"): 407_251,
        ("7x10", "total"): 71_290_798,
    }
    rows = {(str(row.rules), row.objective): row for row in published() if not row.proven}
    assert {key: rows[key].value for key in known} == known
    (line,) = [row for row in markdown(section("best")).splitlines() if row.startswith("| 5x10 ")]
    assert line.endswith("(worst case there: 8) |")


# the printed strategy


@pytest.fixture(scope="module")
def printed() -> Tree:
    """The strategy printed on p. 320-321."""
    return read_viaud(PRINTED.read_text()).tree


def test_the_printed_strategy_beside_the_best_of_four_guesses(printed: Tree) -> None:
    checked = verify(printed)
    assert (checked.valid, checked.total, checked.worst) == (True, 918, 4)
    assert printed.histogram == (1, 9, 85, 161)
    best = find_optimum(board_game(Rules.parse("4x4")), objective="worst-total")
    assert best.proven
    assert (best.tree.total, best.tree.worst) == (905, 4)
    assert find_optimum(board_game(Rules.parse("4x4"))).lower_bound == 905
    knuth = build(board_game(Rules.parse("4x4")), load("knuth"))
    assert (knuth.total, knuth.histogram) == (919, (1, 9, 84, 162))


def test_the_printed_strategy_is_the_particular_one(printed: Tree) -> None:
    # section 3: every guess makes the largest part smallest; and remark 2 of 2.3 holds as well
    answers = Solvable(printed.game)
    foreign = 0
    for node, guess in enumerate(printed.nodes.guess.tolist()):
        candidates = candidates_at(printed, node)
        largest = largest_parts(board_game(Rules.parse("4x4")), candidates)
        assert largest[guess] == largest.min()
        own = printed.game.guess_of_secret[candidates]
        if guess not in own:  # plays what cannot win only where no candidate is as good
            foreign += 1
            assert largest[own].min() > largest.min()
        q = answers.order(candidates)
        for mark, part in parts_of(printed.game.marks(guess, candidates), candidates).items():
            assert mark == printed.game.winning or answers.within(part, q - 1)
    assert foreign == 11


# permutations


def test_the_permutations_of_the_last_remark(printed: Tree) -> None:
    # p. 319: exchanging 1 and 2 in 3411 gives 3422 among the colors, 4311 among the places
    game = printed.game
    node = next(n for n, g in enumerate(printed.nodes.guess) if str(game.guess(g)) == "CDAA")
    swap = (1, 0, 2, 3)
    for changed, expected in [
        (relabel(printed, colors=swap), "3422"),
        (relabel(printed, pegs=swap), "4311"),
    ]:
        assert game.guess(int(changed.nodes.guess[node])).write("digits") == expected
        checked = verify(changed)
        assert (checked.valid, checked.total, checked.worst) == (True, 918, 4)


@pytest.mark.slow
@given(trees(codes=120), st.randoms(use_true_random=False))
def test_permutations_carry_a_strategy_into_another(tree: Tree, draw: Any) -> None:
    assert isinstance(tree.game, Mastermind)
    rules = tree.game.rules
    pegs, colors, more_pegs, more_colors = (
        draw.sample(range(size), size) for size in [rules.pegs, rules.colors] * 2
    )
    once = relabel(tree, pegs, colors)
    assert verify(once).valid
    # each secret takes as long as the one that it is the image of
    secrets = [tuple(tree.game.secret(number)) for number in range(tree.game.n_secrets)]
    before = dict(zip(secrets, tree.depths.tolist(), strict=True))
    after = dict(zip(secrets, once.depths.tolist(), strict=True))
    for secret in secrets:
        assert after[tuple(colors[secret[peg]] for peg in pegs)] == before[secret]
    # one after the other is the product
    twice = relabel(once, more_pegs, more_colors)
    product = relabel(
        tree, [pegs[peg] for peg in more_pegs], [more_colors[color] for color in colors]
    )
    assert np.array_equal(twice.nodes.guess, product.nodes.guess)
    assert np.array_equal(relabel(tree).nodes.guess, tree.nodes.guess)


def test_what_is_no_permutation_is_refused(printed: Tree) -> None:
    with pytest.raises(InputError, match=r"\[0, 1, 1, 2\]"):
        relabel(printed, pegs=[0, 1, 1, 2])
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        relabel(printed, colors=[0, 1])
    tree = build(FiniteGame("ab", [["=", "<"], [">", "="]], name="weighing"), load("first"))
    with pytest.raises(InputError):
        relabel(tree)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2x3,hard", "2x4,hard", "3x3,hard", "3x2,hard", "2x3,slots,hard"])
def test_bounds_by_hard_rules(name: str) -> None:
    """The smallest worst case is that of brute force; no more is said than is so."""
    game = pegwise.game_of(name)
    secrets = [tuple(game.secret(number)) for number in range(game.n_secrets)]

    def marking(guess: Any, secret: Any) -> Any:
        mark = game.marking.mark(pegwise.Code(guess), pegwise.Code(secret))
        return tuple(mark) if game.board is None else (mark.black, mark.white)

    def allows(turns: Any, guess: Any) -> bool:
        if game.board is None:
            return naive.hard_allows(turns, guess)
        return all(marking(own, guess) == mark for own, mark in turns)

    known = pegwise.bounds(name)
    for most in range(1, 8):
        total = naive.best_hard_total(secrets, secrets, marking, allows, most=most)
        if total is not None:
            break
    assert known.viaud_q0 == most >= max(known.information, known.viaud_q1_eq12 or 0)
    assert known.viaud_q2 is None or known.viaud_q2 >= most
    assert known.best_guesses is None
    assert [tau for tau in known.viaud_taus if tau is not None][-1] == 1


def test_bounds_of_a_large_hard_board() -> None:
    """Worst 8 is the best known (docs/records.md); what is published stands beside it."""
    known = pegwise.bounds("5x8,hard")
    assert known.worst_at_least <= 8 and known.viaud_q0 in (None, 8, 7)
    assert 179_929 in [row.value for row in known.published]
