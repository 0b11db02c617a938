"""The check that fewer guesses are too few: proofs written by the search, false and damaged."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegwise.errors import TooLargeError
from pegwise.game import HOLE, FiniteGame, Game, Mastermind, board_game, game_of
from pegwise.game.rules import Rules
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import load_certificate, save_certificate
from pegwise.search.certificates.sets import FixedSet, ProvenSet, confused
from pegwise.search.static import tree
from pegwise.search.static.search import find_static
from pegwise.search.static.tree import check_proof, prove_set
from pegwise.trees.set_bound import Branchings, SetChecker, proves_for
from tests.trees.test_lower_bound import damaged_files


def accepts(game: Game, branchings: Branchings, most: int) -> bool:
    """Whether the checker takes it for proven that so many guesses are too few."""
    if branchings.malformed(game):
        return False
    checker = SetChecker(game, most)
    numbers = range(max(1, len(branchings.parents)))
    return not any(checker.problem(branchings, number) for number in numbers)


def random_game() -> FiniteGame:
    """Two marks, so that many guesses are needed, and no symmetry."""
    table = np.random.default_rng(3).integers(1, 3, (24, 14))
    table[np.arange(14), np.arange(14)] = 0
    return FiniteGame(range(14), table, range(24), name="random")


BOARDS = ["1x1", "1x4", "2x2", "3x3,blank", "3x6", "4x4", "4x5,distinct", "3x4,distinct-secrets"]
BLACK = ["2x2,black", "3x5,black", "3x3,blank,black", "8x2,black", "3x4,distinct,black"]


@pytest.mark.parametrize("game", [*map(game_of, BOARDS + BLACK), random_game()], ids=str)
def test_proofs_of_the_search(game: Game) -> None:
    claim = prove_set(find_static(game))
    size = claim.fixed.lower_bound
    assert claim.problems() == []
    assert accepts(claim.board, claim.proof, size - 1)
    assert not accepts(claim.board, claim.proof, size), "a set of this size exists"


@pytest.fixture(scope="module")
def five() -> ProvenSet:
    """No four guesses are enough on this board."""
    return prove_set(find_static("3x6"))


def changed(branchings: Branchings, name: str, value: Any) -> Branchings:
    """With another array, or with a number in the place of the last one."""
    array = getattr(branchings, name).copy()
    if isinstance(value, int):
        array.flat[-1] = value
    return replace(branchings, **{name: array if isinstance(value, int) else np.array(value)})


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("parents", 10**6, "a number is out of range"),
        ("places", 10**6, "a number is out of range"),
        ("pairs", 216, "a number is out of range"),
        ("guesses", -1, "a number is out of range"),
        ("own", 10**6, "a number is out of range"),
        ("starts", 0, "do not make up the guesses"),
        ("starts", [0], "do not make up the guesses"),
        ("places", [0], "do not fit together"),
        ("parents", np.array(0), "do not fit together"),
        ("pairs", [0, 1], "do not fit together"),
        ("symmetries", [[0, 1, 2]], "do not fit together"),
        ("symmetries", 0, "not an exchange of places and colors"),
        ("guesses", [], "do not make up"),
    ],
)
def test_malformed(five: ProvenSet, name: str, value: Any, problem: str) -> None:
    assert problem in str(changed(five.proof, name, value).malformed(five.game))


def test_names_of_a_place_of_its_own_are_for_black_marks(five: ProvenSet) -> None:
    row = np.concatenate([np.arange(3), [1, 0, 2, 3, 4, 5], *[np.arange(6)] * 2])
    renamed = replace(five.proof, symmetries=np.array([row]), own=five.proof.own[:, :0])
    assert renamed.malformed(five.game)
    assert renamed.malformed(board_game(Rules.parse("3x6,black"))) is None


def test_a_missing_branch_a_wrong_pair_a_wrong_symmetry(five: ProvenSet) -> None:
    game, branchings = five.game, five.proof
    checker = SetChecker(game, 5)
    problems = [str(checker.problem(branchings, n)) for n in range(len(branchings.parents))]
    assert "a branching is missing, or some guesses are enough" in " ".join(problems)
    first = int(branchings.guesses[0])
    pairs = branchings.pairs.copy()
    below = np.flatnonzero((branchings.parents == 0) & (branchings.places == 0))[-1]
    pairs[below] = [0, np.flatnonzero(game.marks(first) != game.marks(first)[0])[0]]
    problem = SetChecker(game, 4).problem(replace(branchings, pairs=pairs), int(below))
    assert "its two secrets are distinguished before" in str(problem)
    row = np.concatenate([[1, 2, 0], np.tile([1, 2, 3, 4, 5, 0], 3)])
    moved = replace(branchings, symmetries=np.tile(row, (len(branchings.symmetries), 1)))
    problem = SetChecker(game, 4).problem(moved, int(below))
    assert "a symmetry does not carry the set into itself" in str(problem)


@pytest.mark.slow
def test_nothing_false_is_accepted(five: ProvenSet) -> None:
    """Of proofs mutated at random none proves that the five guesses are too few."""
    generator = np.random.default_rng(1)
    refused = 0
    for _ in range(120):
        name = generator.choice(list(vars(five.proof)))
        array = getattr(five.proof, name).copy()
        array.flat[generator.integers(array.size)] = generator.integers(-1, 216)
        mutated = replace(five.proof, **{name: array})
        assert not accepts(five.game, mutated, 5)
        refused += not accepts(five.game, mutated, 4)
    assert refused > 60


def test_stored_and_read(five: ProvenSet, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    save_certificate(Certificate(five), path)
    stored = load_certificate(path).claim
    assert isinstance(stored, ProvenSet)
    assert stored.problems() == []
    assert stored.fixed == five.fixed
    smaller = replace(five.fixed, numbers=(five.fixed.numbers or ())[:4])
    for false in (smaller, replace(five.fixed, lower_bound=4), FixedSet(five.game, None, 5, 0)):
        assert replace(five, fixed=false).problems()
    for again in damaged_files(ProvenSet, five, path):
        same = np.array_equal(again.proof.guesses, five.proof.guesses)
        assert again.problems() or same, "what was damaged says nothing of the proof"


@pytest.mark.slow
def test_a_proof_that_is_too_large_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_SETS", 20)
    with pytest.raises(TooLargeError, match="3x6"):
        prove_set(find_static("3x6"))


def test_a_board_with_too_many_codes_is_refused_at_once() -> None:
    with pytest.raises(TooLargeError, match="14x2,black"):
        check_proof(board_game(Rules.parse("14x2,black")))


def test_a_proof_for_fewer_pegs_is_one_for_more(tmp_path: Path) -> None:
    large = find_static("8x2,black")
    claim = prove_set(large)
    assert claim.board.name == "7x2,black"
    path = tmp_path / "proof"
    save_certificate(Certificate(claim), path)
    stored = load_certificate(path).claim
    assert isinstance(stored, ProvenSet)
    assert (stored.problems(), stored.board.name) == ([], "7x2,black")
    check_proof(board_game(Rules.parse("13x2,black")))  # as that of eleven pegs
    for name in ("9x2,black", "7x3,black", "7x2,black,blank", "7x2"):
        assert replace(claim, board=board_game(Rules.parse(name))).problems()


def enough_without(game: Mastermind, fewer: Mastermind, shorter: Callable[[Any], Any]) -> bool:
    """Whether all of some sets that tell all secrets apart do so on a smaller board too."""
    generator = np.random.default_rng(2)
    enough, still = 0, 0
    for _ in range(300):
        guesses = generator.choice(game.n_guesses, 6, replace=False)
        if confused(game, guesses.tolist()) is None:
            numbers = fewer.guess_numbers(shorter(game.guess_codes[guesses]))
            enough, still = enough + 1, still + (confused(fewer, numbers.tolist()) is None)
    assert enough
    return still == enough


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["5x2,black", "4x3,blank,black", "3x4,distinct,black", "4x3"])
def test_which_proofs_are_for_more_pegs(rules: str) -> None:
    """Only where sets that tell all secrets apart do so without the last peg."""
    game = board_game(Rules.parse(rules))
    fewer = board_game(replace(game.rules, pegs=game.rules.pegs - 1))
    assert proves_for(fewer, game) is enough_without(game, fewer, lambda codes: codes[:, :-1])
    assert not proves_for(game, fewer)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["3x4", "3x4,blank", "3x4,black", "3x4,distinct"])
def test_proofs_are_for_more_colors_where_guesses_may_have_holes(rules: str) -> None:
    game = board_game(Rules.parse(rules))
    fewer = board_game(replace(game.rules, colors=3, blank=True))
    assert enough_without(game, fewer, lambda codes: np.where(codes == 3, HOLE, codes))
    assert proves_for(fewer, game)
    assert not proves_for(game, fewer)
    assert not proves_for(board_game(replace(game.rules, colors=3, blank=False)), game)
