"""The check of lower bounds: proofs made by hand, written by the search, and damaged."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import DataFileError, InputError
from pegwise.game import FiniteGame, Game, Mastermind, Rules, board_game, game_of
from pegwise.game.hard import missed
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import load, save_certificate
from pegwise.search.certificates.optima import ProvenOptimum
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.proof import prove_bound
from pegwise.search.storage import pack, unpack
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, Checker, LowerBound
from pegwise.trees.plain_rules import plain_marks
from tests import naive
from tests.search.test_hard import HARDER, SEEDS, small_game
from tests.trees.wandering import finite_games


def proven(game: Game, objective: str = "total", most: int | None = None) -> ProvenOptimum:
    """A best tree with its proof."""
    tree = find_optimum(game, objective=objective, max_guesses=most).tree
    assert tree is not None
    return prove_bound(tree, objective, most)


def cost(
    game: Game, secrets: list[int], limit: int, turns: tuple[tuple[int, int], ...] = ()
) -> int:
    """The least cost of a set, by trying everything that is allowed after turns."""
    if not game.free:
        return hard_cost(game, secrets, limit, turns)
    marks = [[int(game.marks(guess)[s]) for s in secrets] for guess in range(game.n_guesses)]
    weights = [1 if game.weights is None else int(game.weights[s]) for s in secrets]
    own = [int(game.guess_of_secret[s]) for s in secrets]
    least = naive.best_total(marks, own, weights, most=min(limit, len(secrets)))
    return INFINITE if least is None else least


def hard_cost(
    game: Game, secrets: list[int], limit: int, turns: tuple[tuple[int, int], ...]
) -> int:
    """The same by hard rules."""
    codes = [tuple(game.secret(number)) for number in secrets]
    played = tuple((tuple(game.guess(guess)), tuple(game.mark(mark))) for guess, mark in turns)
    weights = None
    if game.weights is not None:
        weights = dict(zip(codes, game.weights[secrets].tolist(), strict=True))
    if game.marking.name == "placed":
        marking, allows = naive.placed_mark, naive.hard_allows
        guesses = [tuple(game.guess(number)) for number in range(game.n_guesses)]
    else:
        black = game.board is not None and game.board.black
        marking = partial(naive.mark, black_only=black)

        def allows(turns: Any, guess: Any) -> bool:
            return bool(naive.consistent([guess], turns, black_only=black))

        guesses = codes
    most = min(limit, len(codes))
    least = naive.best_hard_total(
        guesses, codes, marking, allows, most=most, weights=weights, turns=played
    )
    return INFINITE if least is None else least


def holds(game: Game, proof: LowerBound) -> bool:
    """Whether every bound of a proof is true, by trying everything."""
    return all(
        cost(game, proof.codes_of(number).tolist(), limit, turns_of(proof, number)) >= bound
        for number, (limit, bound) in enumerate(
            zip(proof.limits.tolist(), proof.bounds.tolist(), strict=True)
        )
    )


def turns_of(proof: LowerBound, number: int) -> tuple[tuple[int, int], ...]:
    """The turns of a set."""
    return tuple((guess, mark) for guess, mark in proof.rows_of(proof.turns, number).T.tolist())


def accepts(game: Game, proof: LowerBound) -> bool:
    """Whether the checker has nothing to say against any set."""
    if proof.malformed(game):
        return False
    checker = Checker(game)
    return not any(checker.problem(proof, number) for number in range(len(proof.bounds)))


def by_hand(**fields: Any) -> LowerBound:
    """The proof that of three secrets, told apart only by trying them, none costs less than 6."""
    nothing = np.zeros((5, 0), np.int64)
    arrays: dict[str, Any] = {"codes": [0, 1, 2], "starts": [0, 3], "limits": [UNLIMITED]}
    arrays |= {"bounds": [6], "references": nothing, "own": nothing[:2], "symmetries": [[]]}
    return LowerBound(**{name: np.array(a, np.int64) for name, a in (arrays | fields).items()})


RIGHT_OR_WRONG = FiniteGame("abc", lambda guess, secret: guess == secret)


@pytest.mark.parametrize(
    ("fields", "valid"),
    [
        ({}, True),
        ({"bounds": [7]}, False),
        ({"limits": [2], "bounds": [INFINITE]}, True),
        ({"limits": [3], "bounds": [6]}, True),
        ({"limits": [3], "bounds": [INFINITE]}, False),
        ({"limits": [0], "bounds": [INFINITE]}, True),
        ({"codes": [1, 2], "starts": [0, 2], "bounds": [3]}, True),
        ({"codes": [1, 2], "starts": [0, 2], "bounds": [4]}, False),
        # a set that rests on itself
        ({"references": [[0], [0], [0], [0], [0]]}, False),
        ({"references": [[0], [0], [1], [0], [0]], "bounds": [7]}, False),
        # malformed
        ({"codes": [0, 2, 1]}, False),
        ({"codes": [0, 1, 3]}, False),
        ({"codes": [0, 1, 1]}, False),
        ({"starts": [0, 2]}, False),
        ({"starts": [0, 1, 3], "limits": [9, 9], "bounds": [1, 3]}, False),
        ({"limits": []}, False),
        ({"limits": [-1]}, False),
        ({"bounds": [[6]]}, False),
        ({"bounds": 6}, False),
        ({"bounds": [INFINITE + 1]}, False),
        ({"own": [[0], [1]]}, False),
        ({"own": [[0], [0]]}, True),
        ({"symmetries": [[0]]}, False),
        ({"references": np.zeros((4, 0))}, False),
    ],
)
def test_by_hand(fields: dict[str, Any], valid: bool) -> None:
    assert accepts(RIGHT_OR_WRONG, by_hand(**fields)) == valid


@pytest.mark.parametrize(
    ("rules", "codes", "valid"),
    [
        ("2x3,black", [0, 3], True),  # AA and BA
        ("2x3,black", [0, 1], False),  # AA and AB
        ("2x3", [0, 3], False),
        ("2x3,distinct,black", [0, 3], False),
        ("2x3,distinct-secrets,black", [0, 3], False),
    ],
)
def test_names_of_each_peg(rules: str, codes: list[int], valid: bool) -> None:
    """A and B exchanged at the first peg only."""
    symmetries = [[0, 1, 1, 0, 2, 0, 1, 2]]
    proof = by_hand(codes=codes, starts=[0, 2], bounds=[3], own=[[0], [0]], symmetries=symmetries)
    assert accepts(board_game(Rules.parse(rules)), proof) == valid


CASES = [
    ("2x4", "total", None),
    ("3x3", "worst-total", None),
    ("3x4", "total", None),
    ("3x4", "worst", None),
    ("2x5,black", "total", None),
    ("3x4,black", "worst-total", None),
    ("3x5,distinct", "total", 4),
    ("2x3,blank", "total", None),
    ("3x4,distinct-secrets", "worst", None),
    ("4x4", "total", None),
    ("2x4,placed", "worst-total", None),
    ("3x4,hard", "total", None),
    ("3x4,black,hard", "worst-total", None),
    ("3x4,distinct,hard", "total", None),
    ("2x4,blank,placed,hard", "worst-total", None),
    ("3x4,placed,hard", "total", 5),
]


@pytest.mark.parametrize(("rules", "objective", "most"), CASES)
def test_boards(rules: str, objective: str, most: int | None, tmp_path: Path) -> None:
    game = game_of(rules)
    claim = proven(game, objective, most)
    save_certificate(Certificate(claim), tmp_path / "proof")
    stored = load(ProvenOptimum, tmp_path / "proof").claim
    assert stored.problems() == claim.problems() == []
    assert [stored.objective, stored.max_guesses] == [objective, most]
    checker = Checker(game)
    for number, bound in enumerate(stored.proof.bounds.tolist()):
        raised = bound < INFINITE and checker.proves(stored.proof, number, bound + 1)
        assert not raised, "a bound raised by one is accepted"


@pytest.mark.slow
@given(
    finite_games(),
    st.sampled_from([("total", None), ("total", 3), ("worst", None), ("worst-total", None)]),
)
def test_finite_games_with_weights(game: FiniteGame, asked: tuple[str, int | None]) -> None:
    objective, most = asked
    if find_optimum(game, objective=objective, max_guesses=most).best is None:
        return
    claim = proven(game, objective, most)
    assert claim.problems() == []
    assert holds(game, claim.proof)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_hard_rules(seed: int) -> None:
    """A bound is about codes and the guesses that their turns allow; the checker finds these."""
    game = small_game(seed, weighted=seed % 5 == 2)
    for objective in ("total", "worst-total"):
        claim = proven(game, objective)
        assert claim.problems() == []
        assert holds(game, claim.proof)
        checker = Checker(game)
        assert plain_marks(game).T.tolist() == game.table.tolist()
        for number, bound in enumerate(claim.proof.bounds.tolist()):
            turns = turns_of(claim.proof, number)
            assert checker.rules.allowed(np.array(turns, np.int64).reshape(-1, 2).T).tolist() == [
                missed(game, [(game.guess(g), game.mark(m)) for g, m in turns], game.guess(guess))
                is None
                for guess in range(game.n_guesses)
            ]
            assert bound == INFINITE or not checker.proves(claim.proof, number, bound + 1)


@pytest.mark.slow
def test_turns_that_are_left_out_or_added() -> None:
    """Sets with other turns, or without, prove something else, and the checker says so."""
    refused: Counter[str] = Counter()
    for seed in HARDER[:2]:
        game = small_game(seed)
        claim = proven(game)
        proof, checker, turns = claim.proof, Checker(game), claim.proof.turns
        others = [turns[:, turns[0] != number] for number in {*turns[0].tolist()}]
        for number in range(claim.sets - 1):
            marks = game.table[:, proof.codes_of(number)]
            same = np.flatnonzero((marks == marks[:, :1]).all(axis=1))
            added = [[number, guess, marks[guess, 0]] for guess in same.tolist()[:1]]
            added.append([number, int(turns[1, 0]), game.winning])
            for turn in added:
                joined = np.append(turns, np.array([turn]).T, axis=1)
                others.append(joined[:, np.argsort(joined[0], kind="stable")])
        for other in others:
            changed = replace(proof, turns=other)
            problems = [checker.problem(changed, number) for number in range(claim.sets)]
            if reasons := [reason for reason in problems if reason]:
                refused.update(reason.partition(": ")[2] for reason in reasons)
            else:
                assert holds(game, changed)
    for wrong in ("do not allow all of its codes", "with fewer guesses", "cost less than"):
        assert any(wrong in reason for reason in refused), wrong


@pytest.mark.slow
def test_a_proof_of_trees_with_one_first_guess(tmp_path: Path) -> None:
    game = small_game(28)
    totals = {}
    for first in range(game.n_guesses):
        tree = find_optimum(game, first=first).best
        if tree is None or len(np.unique(game.marks(first))) == 1:
            with pytest.raises(InputError, match="tells nothing"):
                prove_bound(find_optimum(game).tree, first=first)
            continue
        claim = prove_bound(tree, first=first)
        assert claim.problems() == []
        totals[first] = tree.total
        save_certificate(Certificate(claim), tmp_path / "proof")
        assert load(ProvenOptimum, tmp_path / "proof").claim.first == first
        if tree.total > find_optimum(game).total:
            assert replace(claim, first=None).problems()
        assert replace(claim, first=(first + 1) % game.n_guesses).problems()
    assert len(set(totals.values())) > 2


def test_files_of_earlier_versions(tmp_path: Path) -> None:
    """They have no turns."""
    path = tmp_path / "proof"
    save_certificate(Certificate(proven(game_of("3x3"))), path)
    parts = unpack(path.read_bytes(), "proof")
    del parts["turns.npy"]
    path.write_bytes(pack(parts))
    assert load(ProvenOptimum, path).claim.problems() == []


@pytest.mark.slow
def test_symmetries_have_to_carry_what_they_are_said_to() -> None:
    game = board_game(Rules.parse("4x4"))
    proof, checker, problems = proven(game).proof, Checker(game), set()
    for name in ("references", "own"):
        rows = getattr(proof, name)
        for column, number in enumerate(rows[0].tolist()):
            changed = rows.copy()
            changed[-1, column] = (changed[-1, column] + 1) % len(proof.symmetries)
            problems.add(str(checker.problem(replace(proof, **{name: changed}), number)))
    for wrong in ("carry a part into the set", "carry the set into itself"):
        assert any(f"a symmetry does not {wrong}" in problem for problem in problems)


@pytest.mark.slow
def test_nothing_but_true_bounds_is_accepted() -> None:
    """Certificates mutated at random are rejected, or what they say is still true."""
    generator = np.random.default_rng(1)
    refused = 0
    for game in (
        board_game(Rules.parse("2x4")),
        board_game(Rules.parse("3x3,black")),
        Mastermind(Rules(2, 4), range(16)),
        game_of("2x4,hard"),
        small_game(28),
    ):
        proof = proven(game, "worst-total").proof
        for _ in range(25):
            name = generator.choice(list(vars(proof)))
            array = getattr(proof, name).copy()
            if not array.size:
                continue
            place = generator.integers(array.size)
            array.flat[place] = max(0, array.flat[place] + generator.choice([-7, -1, 1, 1, 30]))
            mutated = replace(proof, **{name: array})
            if accepts(game, mutated):
                assert holds(game, mutated)
            else:
                refused += 1
    assert refused > 25


def test_claims_that_the_proof_does_not_make() -> None:
    claim = proven(board_game(Rules.parse("3x4")))
    whole = np.diff(claim.proof.starts) == claim.game.n_secrets
    lowered = replace(claim.proof, bounds=claim.proof.bounds - whole)
    assert accepts(claim.game, lowered)  # a bound that holds, and is one too low
    for changed in (
        replace(claim, proof=lowered),
        replace(claim, objective="worst"),
        replace(claim, max_guesses=3),
        replace(claim, tree=find_optimum("3x4", first=0).tree),
        replace(claim, tree=find_optimum("3x5").tree),
    ):
        assert changed.problems()


def damaged_files(kind: Any, claim: Any, path: Path) -> Iterator[Any]:
    """What is read of the file of a claim with a damaged byte, where it is not refused."""
    save_certificate(Certificate(claim), path)
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), 97):
        data[place] ^= 0xFF
        path.write_bytes(data)
        data[place] ^= 0xFF
        with suppress(DataFileError):
            yield load(kind, path).claim


def test_damaged_files(tmp_path: Path) -> None:
    claim = proven(board_game(Rules.parse("2x3")))
    for stored in damaged_files(ProvenOptimum, claim, tmp_path / "proof"):
        problems = stored.problems()
        assert problems or stored.proof.bounds.tolist() == claim.proof.bounds.tolist()
