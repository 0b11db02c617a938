"""Hard rules: a guess must use what the marks told, whoever guesses."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import pegwise
from pegwise.coach.advice import Position, best_guess, rank
from pegwise.coach.review import review
from pegwise.errors import CodeError, InputError, RulesError, StrategyError, UnknownNameError
from pegwise.game import Game, PartialMark, Rules, Turn, WordList, game_of, parse_code
from pegwise.game.hard import check_hard, missed
from pegwise.game.words import sgb, use_words
from pegwise.knowledge import candidates
from pegwise.playing import Record
from pegwise.reading import check_turns
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.position import position_value
from pegwise.strategies import load
from pegwise.trees import Tree, build, verify
from pegwise.trees.store import from_bytes, in_pieces
from tests import naive

WORDS = sgb().secrets
SHORT = WordList.of("hard-words", WORDS[:120], WORDS[120:400])


@pytest.fixture(autouse=True)
def _lists() -> None:
    use_words(SHORT)


def turns_of(game: Game, draw: Random, n: int) -> list[Turn]:
    """Turns of some game, whatever rules say of its guesses."""
    secret = game.secret(draw.randrange(game.n_secrets))
    guesses = [game.guess(draw.randrange(game.n_guesses)) for _ in range(n)]
    return [Turn(guess, game.mark_of(guess, secret)) for guess in guesses]


def numbered(game: Game, turns: list[Turn]) -> list[tuple[int, int]]:
    return [(game.guess_number(guess), game.mark_number(mark)) for guess, mark in turns]


@pytest.mark.parametrize(
    "name",
    ["sgb,placed,hard", "hard-words,placed,hard", "4x4,placed,hard", "3x3,blank,placed,hard"],
)
def test_where_places_are_marked_it_is_the_hard_mode_of_wordle(name: str) -> None:
    game, draw = game_of(name), Random(7)
    rules = game_of(name)
    for n in range(25):
        turns = turns_of(game, draw, n % 3 + 1)
        allowed = game.allowed(numbered(game, turns))
        assert allowed is not None
        for number in draw.sample(range(game.n_guesses), min(60, game.n_guesses)):
            guess = game.guess(number)
            assert allowed[number] == naive.hard_allows(turns, guess)
            assert (missed(game_of(rules), turns, guess) is None) == allowed[number]
        for secret in candidates(game, turns):
            assert allowed[game.guess_number(secret)]


def test_letters_count() -> None:
    rules = game_of("sgb,placed,hard")

    def allowed(turn: str, guess: str) -> bool:
        played, mark = turn.split("=")
        turns = [Turn(parse_code(played, rules), pegwise.parse_mark(mark, rules))]
        return missed(rules, turns, parse_code(guess, rules)) is None

    assert allowed("GEESE=-YY--", "THREE")
    assert not allowed("GEESE=-YY--", "HOUSE")  # it has one E
    assert allowed("SLATE=Y----", "LEAST")  # an absent letter may come again
    assert allowed("CRANE=--G--", "PLAZA")
    assert not allowed("CRANE=--G--", "PAPER")


@pytest.mark.parametrize("name", ["3x4,hard", "3x4,black,hard", "3x5,distinct,hard", "sgb,hard"])
def test_with_other_marks_a_guess_must_fit_all_turns(name: str) -> None:
    game, draw, rules = game_of(name), Random(3), game_of(name)
    for n in range(10):
        turns = turns_of(game, draw, n % 3 + 1)
        allowed = game.allowed(numbered(game, turns))
        assert allowed is not None
        fits = {game.guess_number(code) for code in candidates(game, turns)}
        assert set(np.flatnonzero(allowed).tolist()) == fits
        for number in draw.sample(range(game.n_guesses), min(40, game.n_guesses)):
            assert (missed(game_of(rules), turns, game.guess(number)) is None) == (number in fits)


def test_words_that_are_never_hidden_may_fit_too() -> None:
    game = game_of("hard-words,hard")
    turns = turns_of(game, Random(1), 1)
    allowed = game.allowed(numbered(game, turns))
    assert allowed is not None
    rules = game_of("hard-words,hard")
    assert allowed.tolist() == [
        missed(game_of(rules), turns, game.guess(number)) is None
        for number in range(game.n_guesses)
    ]
    assert allowed[game.n_secrets :].any()


def test_without_the_flag_everything_is_allowed() -> None:
    rules = Rules(3, 4)
    turns = [Turn(parse_code("AAB", rules), pegwise.parse_mark("XXX", rules))]
    assert missed(game_of(rules), turns, parse_code("DDD", rules)) is None
    assert game_of("3x4").allowed([(0, 0)]) is None
    assert game_of("3x4,hard").allowed([]) is None


def test_rules() -> None:
    assert str(game_of("wordle,hard")) == "sgb,placed,hard"
    assert game_of(Rules(4, 6, hard=True)) == game_of("4x6,hard")
    assert game_of("4x6,hard") != game_of("4x6")
    assert str(game_of("3x4,blank,placed,hard")) == "3x4,blank,placed,hard"
    for text in ("4x6,blank,hard", "4x6,distinct-secrets,hard"):
        with pytest.raises(RulesError):
            game_of(text)
    with pytest.raises(UnknownNameError):
        game_of("4x6,harder")


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["minimax", "size", "entropy", "parts"])
def test_trees_of_one_step_strategies_choose_from_what_is_allowed(criterion: str) -> None:
    name = {"minimax": "knuth", "size": "irving"}.get(criterion, criterion)
    game = game_of("hard-words,placed,hard")
    tree = build(game, name)
    assert verify(tree).valid
    codes = [tuple(word) for word in SHORT.guesses]
    assert tree.total == naive.hard_total(
        criterion, codes, codes[: game.n_secrets], naive.placed_mark, naive.hard_allows
    )


@pytest.mark.parametrize("name", ["3x4,hard", "3x4,black,hard", "4x5,distinct,hard"])
def test_trees_on_boards_play_candidates(name: str) -> None:
    free = name.removesuffix(",hard")
    for strategy in ("knuth", "entropy"):
        hard, only = build(name, strategy), build(free, f"{strategy}:guesses=candidates")
        assert hard.nodes.guess.tolist() == only.nodes.guess.tolist()
        assert verify(hard).valid


def test_large_boards_play_candidates() -> None:
    tree = build("4x6,hard", "entropy")
    assert verify(tree).valid
    assert tree.total == build("4x6", "entropy:guesses=candidates").total
    rules = game_of("4x5,hard")
    turns = pegwise.play(rules, "sampling:keep=100,sample=50", "BACD")
    for number, turn in enumerate(turns):
        check_hard(game_of(rules), turns[:number], turn.guess)


@pytest.mark.parametrize("strategy", ["sampling", "random", "first"])
def test_other_strategies_keep_to_it(strategy: str) -> None:
    for name in ("hard-words,placed,hard", "3x4,hard"):
        assert verify(build(name, strategy)).valid


def test_a_tree_that_breaks_the_rule_does_not_verify() -> None:
    free = build("hard-words,placed", "entropy")
    hard = Tree(game_of("hard-words,placed,hard"), free.nodes, "entropy", {})
    assert verify(free).valid
    verified = verify(hard)
    assert not verified.valid
    assert verified.total == free.total


def test_a_strategy_that_breaks_the_rule_is_named() -> None:
    def spread(game: Game, turns: Any) -> Any:
        return ["AAB", "CCD", "BBA"][min(len(turns), 2)]

    with pytest.raises(StrategyError, match="spread"):
        build("3x4,hard", spread)
    for name in ("forget-minimax", "marechal-rastoix-1", "viaud", "static"):
        strategy = load(name)
        assert not strategy.plays(game_of("4x6,hard"))
        with pytest.raises(StrategyError):
            build("4x6,hard", strategy)
    assert load("entropy").plays(game_of("wordle,hard"))


def test_the_best_tree_of_candidates_is_the_published_one() -> None:
    """5660 is the smallest total of 4x6 where only candidates are played (docs/search.md)."""
    optimum = find_optimum("4x6,hard")
    assert optimum.proven
    assert optimum.tree.total == 5660
    assert verify(optimum.tree).valid


def test_what_takes_guesses_to_be_free_refuses() -> None:
    with pytest.raises(InputError):
        pegwise.bounds("3x4,hard", "AAB=X")
    with pytest.raises(InputError):
        pegwise.find_static("3x4,hard")


def test_advice_keeps_to_it() -> None:
    for name in ("hard-words,placed,hard", "3x4,hard"):
        position = Position(name, turns_of(game_of(name), Random(5), 1))
        ranking = rank(position, limit=50)
        rules = game_of(name)
        for split in ranking.splits:
            check_hard(game_of(rules), position.turns, split.guess)
        assert best_guess(position) == ranking.best
    value = position_value(game_of("3x4,hard"), Position("3x4,hard", ["AAB=X"]).turns)
    free = position_value(game_of("3x4"), Position("3x4", ["AAB=X"]).turns)
    assert value is not None
    assert free is not None
    assert value.total >= free.total
    assert position_value(game_of("hard-words,hard"), ()) is None


def test_marks_noted_in_part_allow_what_may_fit() -> None:
    turn = Turn(parse_code("AAB", "3x4"), PartialMark(black=1))
    position = Position("3x4,hard", [turn])
    assert position.partial
    guesses = {str(split.guess) for split in rank(position, limit=1000).splits}
    assert guesses < {str(code) for code in candidates("3x4", [turn])}


def test_a_review_names_the_guess() -> None:
    rules = game_of("3x4,hard")
    record = Record.of_turns(
        game_of(rules), check_turns(["AAB=X", "ACD=X", "DDD=-"], game_of(rules))
    )
    reviewed = review(record)
    assert [turn.missed is None for turn in reviewed.turns] == [True, True, False]
    document = reviewed.document()
    assert document["turns"][2]["missed"]
    assert document["turns"][0]["missed"] is None


@pytest.mark.parametrize("name", ["hard-words,placed,hard", "hard-words,hard", "3x3,placed,hard"])
def test_a_stored_tree_stays_one_of_hard_rules(name: str) -> None:
    tree = build(game_of(name), "entropy")
    again = from_bytes(b"".join(in_pieces(tree)), "tree")
    assert again.game == tree.game
    assert again.game.hard
    free = Tree(game_of(name), build(name.removesuffix(",hard"), "parts").nodes, "parts", {})
    assert verify(from_bytes(b"".join(in_pieces(free)), "tree")).valid == verify(free).valid


def test_secrets_with_weights() -> None:
    game = game_of("2x3,placed,hard", list(range(1, 10)))
    assert verify(build(game, "entropy")).valid


def test_refused_with_one_sentence() -> None:
    rules = game_of("3x4,hard")
    with pytest.raises(CodeError):
        check_hard(game_of(rules), Position(rules, ["AAB=XX"]).turns, parse_code("DDD", rules))
