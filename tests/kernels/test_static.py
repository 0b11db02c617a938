"""Kernels of fixed sets, against plain enumeration."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.kernels import pairs, static
from pegwise.kernels.static import FOUND, REFUTED, STOPPED
from pegwise.search.static.tree import BoardSymmetry, elements
from tests import naive


def random_table(seed: int, n_guesses: int = 12, n_secrets: int = 9, n_marks: int = 3) -> Any:
    """A table of marks, hardly any guess of which tells many secrets apart."""
    random = np.random.default_rng(seed)
    return random.integers(0, n_marks, (n_guesses, n_secrets)).astype(np.uint8)


def words(numbers: list[int], size: int) -> Any:
    bits = np.zeros(64 * -(-size // 64), np.uint8)
    bits[numbers] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def planes_of(table: Any) -> Any:
    return pairs.bit_planes(table, -(-len(table) // 64))


def pairs_of(table: Any) -> Any:
    n = table.shape[1]
    out = np.empty((n * (n - 1) // 2, 2), np.int32)
    pairs.sort_pairs(planes_of(table), words(list(range(len(table))), len(table)), out)
    return out


@pytest.mark.parametrize("seed", range(5))
def test_pairs_come_hardest_first(seed: int) -> None:
    table = random_table(seed, n_guesses=70)
    hardest = pairs_of(table)
    every_pair = set(itertools.combinations(range(table.shape[1]), 2))
    assert set(map(tuple, hardest.tolist())) == every_pair
    first, second = hardest.T
    separators = (table[:, first] != table[:, second]).sum(axis=0)
    assert (np.diff(separators) >= 0).all()
    masks = np.empty((5, 2), np.uint64)
    allowed = words(list(range(3, 70, 2)), 70)
    count = pairs.hardest_pairs(planes_of(table), hardest, allowed, masks)
    assert count == 5
    for k in range(count):
        apart = np.flatnonzero(table[:, first[k]] != table[:, second[k]])
        assert elements(masks[k]).tolist() == [g for g in apart if g >= 3 and g % 2]


def check_exhaust(seed: int, size: int, n_secrets: int = 9, seeded: int = 1000) -> None:
    """Hold `exhaust` against every set of so many guesses, or so many beside one, taken before."""
    table = random_table(seed, n_secrets=n_secrets, n_marks=2 if size > 3 else 3)
    allowed = [guess for guess in range(len(table)) if guess != seed]
    before = [seed] if seed % 3 == 2 else []
    exists = any(
        len({tuple(column) for column in table[[*before, *fixed]].T.tolist()}) == n_secrets
        for fixed in itertools.combinations(allowed, size)
    )
    fixed_guesses = np.empty(size, np.int32)
    status = static.exhaust(
        table,
        planes_of(table),
        np.array(before, np.int32),
        words(allowed, len(table)),
        pairs.new_pool(planes_of(table), pairs_of(table)[:seeded]),
        fixed_guesses,
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
    )
    assert status == (FOUND if exists else REFUTED)
    if exists:
        chosen = [guess for guess in fixed_guesses.tolist() if guess >= 0]
        assert set(chosen) <= set(allowed)
        assert len({tuple(column) for column in table[[*before, *chosen]].T.tolist()}) == n_secrets


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(12))
def test_exhaust_agrees_with_trying_every_set(seed: int, size: int) -> None:
    check_exhaust(seed, size)


@pytest.mark.parametrize(("seeded", "room"), [(0, 64), (1, 64), (1000, 64), (3, 128)])
@pytest.mark.parametrize(("block", "sample", "word"), [(1, 1, 3), (4, 3, 8)])
def test_pairs_gathered_on_the_way_refute_no_set_that_is_enough(
    seeded: int, room: int, block: int, sample: int, word: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for few of the 78 pairs, and few of them chosen at once; not compiled."""
    for module in (pairs, static):
        for name, function in vars(module).copy().items():
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
        monkeypatch.setattr(module, "popcount", lambda word: int(word).bit_count())
    monkeypatch.setattr(pairs, "PAIRS", room)
    sizes = {"_BLOCK": block, "_SAMPLE": sample, "_WORD": word, "_CHOSEN": 2 * word}
    for name, value in {**sizes, "_BUCKETS": 1 << min(word, 8)}.items():
        monkeypatch.setattr(static, name, value)
    with np.errstate(over="ignore"):
        for seed, size in itertools.product(range(12), [2, 3, 4]):
            check_exhaust(seed, size, 13, seeded)


def test_exhaust_goes_on_from_a_guess_and_stops_when_told() -> None:
    game = board_game(Rules.parse("3x3"))
    everything = words(list(range(27)), 27)
    planes = planes_of(game.table)
    pool = pairs.new_pool(planes, pairs_of(game.table))
    arguments = (game.table, planes, np.array([5], np.int32), everything, pool)
    fixed_guesses, tried = np.empty(2, np.int32), np.zeros(1, np.int64)
    assert static.exhaust(*arguments, fixed_guesses, tried, np.zeros(1, np.int64)) == FOUND
    codes = [game.guess(number) for number in [5, *fixed_guesses.tolist()]]
    assert len(naive.answers(codes, naive.secrets(3, 3), naive.mark)) == 27
    assert static.exhaust(*arguments, fixed_guesses, tried, np.ones(1, np.int64)) == STOPPED


@pytest.mark.parametrize("seed", range(5))
def test_pairs_left_counts_pairs(seed: int) -> None:
    table = random_table(seed, n_secrets=20)
    labels = np.sort(np.random.default_rng(seed).integers(0, 4, 20))
    starts = np.searchsorted(labels, np.arange(5)).astype(np.int64)
    out = np.empty(len(table), np.int64)
    every = np.arange(len(table), dtype=np.int32)
    static.pairs_left(table, every, np.arange(20, dtype=np.int32), starts, 3, out)
    for guess, count in enumerate(out.tolist()):
        assert count == sum(
            labels[first] == labels[second] and table[guess, first] == table[guess, second]
            for first, second in itertools.combinations(range(20), 2)
        )


# symmetry

BOARDS = ["3x3", "2x4", "2x3,blank", "3x4,distinct", "3x2,blank"]


@pytest.mark.parametrize("rules", BOARDS)
def test_orbits_agree_with_every_symmetry(rules: str) -> None:
    game = board_game(Rules.parse(rules))
    symmetry = BoardSymmetry(game)
    codes = [tuple(code) for code in game.guess_codes.tolist()]
    random = np.random.default_rng(7)
    for played in ([], *(random.integers(0, len(codes), k).tolist() for k in (1, 1, 2, 2, 3))):
        orbits, _ = symmetry.orbits(played)
        group = naive.symmetries(game.rules.pegs, game.rules.colors, [codes[k] for k in played])
        for number, code in enumerate(codes):
            images = {naive.image(code, order, names) for order, names in group}
            assert codes[orbits[number]] == min(images)


@pytest.mark.parametrize("rules", BOARDS)
def test_sets_have_one_form_exactly_when_one_is_an_image_of_the_other(rules: str) -> None:
    game = board_game(Rules.parse(rules))
    symmetry = BoardSymmetry(game)
    codes = [tuple(code) for code in game.guess_codes.tolist()]
    group = naive.symmetries(game.rules.pegs, game.rules.colors, [])
    random = np.random.default_rng(3)
    plain: dict[bytes, Any] = {}
    for _ in range(60):
        chosen = random.choice(len(codes), int(random.integers(1, 5)), replace=False).tolist()
        images = [
            tuple(sorted(naive.image(codes[k], order, names) for k in chosen))
            for order, names in group
        ]
        assert plain.setdefault(symmetry.canonical_key(chosen), min(images)) == min(images)
    assert len(set(plain.values())) == len(plain) > 10


def test_black_marks_let_every_peg_have_names_of_its_own() -> None:
    symmetry = BoardSymmetry(board_game(Rules.parse("3x3,black")))
    orbits, symmetric = symmetry.orbits([])
    assert symmetric
    assert set(orbits.tolist()) == {0}
    forms = {symmetry.canonical_key(pair) for pair in itertools.combinations(range(27), 2)}
    assert len(forms) == 3  # by the number of pegs on which they agree
    # secrets that may not repeat a color bind the pegs together
    assert (
        len(
            set(
                BoardSymmetry(board_game(Rules.parse("2x3,distinct-secrets,black")))
                .orbits([])[0]
                .tolist()
            )
        )
        == 2
    )
