"""Marks of slots, which use no color up: marked, played, decoded and solved as by plain loops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pegwise
from pegwise.errors import MarkError, RulesError
from pegwise.game import HOLE, Rules, game_of
from tests import naive

BOARDS = ["1x3,slots", "2x3,slots", "3x4,slots", "3x4,distinct,slots", "3x3,blank,slots"]


@pytest.mark.parametrize("text", BOARDS)
def test_all_marks_are_those_of_plain_loops(text: str) -> None:
    game = game_of(text)
    marks = [
        [
            game.mark_number(naive.slot_mark(game.guess(g), game.secret(s)))
            for s in range(game.n_secrets)
        ]
        for g in range(game.n_guesses)
        if HOLE not in game.guess(g)
    ]
    whole = [g for g in range(game.n_guesses) if HOLE not in game.guess(g)]
    assert game.table[whole].tolist() == marks
    assert {mark for row in marks for mark in row} <= set(range(game.n_marks))


def test_no_color_is_used_up() -> None:
    assert str(game_of("4x6,slots").mark_of("AABC", "ABCD")) == "GYYY"
    assert str(game_of("4x6,placed").mark_of("AABC", "ABCD")) == "G-YY"
    with pytest.raises(MarkError, match="2, 3"):
        game_of("2x3,slots").mark_number((2, 3))
    with pytest.raises(RulesError, match="'placed', 'slots'"):
        Rules.parse("4x6,placed,slots")


@given(st.data(), st.sampled_from(["4x6,slots", "3x4,slots", "sgb,slots"]))
def test_candidates_are_those_that_would_give_each_mark(data: st.DataObject, text: str) -> None:
    game = game_of(text)
    number = st.integers(0, game.n_secrets - 1)
    secret = game.secret(data.draw(number))
    guesses = [game.guess(data.draw(number)) for _ in range(3)]
    turns = [(guess, game.marking.mark(guess, secret)) for guess in guesses]
    every = np.arange(game.n_secrets)
    for guess, mark in turns:
        assert tuple(mark) == naive.slot_mark(guess, secret)
        fits = game.marks(game.guess_number(guess)) == game.mark_number(mark)
        every = np.intersect1d(every, np.flatnonzero(fits))
    assert secret in map(game.secret, every.tolist())
    assert pegwise.count(text, turns) == len(every)


@pytest.mark.parametrize("guess", ["AAB", "ABC", "AAA"])
def test_marks_that_some_code_gives(guess: str) -> None:
    """Of any code, listed or not: with a color more than the guess has."""
    rules = Rules.parse("3x4,slots")
    code = pegwise.parse_code(guess, rules)
    given_by_some = {naive.slot_mark(code, secret) for secret in product(range(4), repeat=3)}
    possible = {tuple(m) for m in rules.marking.legal if rules.marking.can_give(code, m)}
    assert possible >= given_by_some


def test_best_play_is_that_of_a_table() -> None:
    game = game_of("3x4,slots")
    codes = list(map(game.secret, range(game.n_secrets)))
    table = pegwise.FiniteGame(codes, naive.slot_mark)
    optimum, plain = pegwise.find_optimum("3x4,slots"), pegwise.find_optimum(table)
    assert optimum.tree.total == plain.tree.total == 170
    assert pegwise.verify(optimum.tree).valid


def test_are_you_the_one() -> None:
    """Nights and truth booths; counted by going through all pairings of five."""
    text = "5x5,distinct,blank,black"
    turns = [("ABCDE", 2), ("BADCE", 1), ("..C..", 1), ("A....", 0)]
    fits = [
        pairing
        for pairing in product(range(5), repeat=5)
        if len(set(pairing)) == 5
        and all(
            sum(sign == "ABCDE"[own] for sign, own in zip(night, pairing, strict=True)) == lights
            for night, lights in turns
        )
    ]
    assert pegwise.count(text, [(night, (lights, 0)) for night, lights in turns]) == len(fits) > 0
    read = pegwise.read_history(
        "ABCDEFGHIJ: 2 lights\n..D.......: 1 light\nBACDFEHGJI: blackout", "are-you-the-one"
    )
    assert [turn.mark.black for turn in read.turns] == [2, 1, 0]
    assert read.game.named == "are-you-the-one"
