"""Games that have a name: what stands for what, and marks in their own words."""

import pickle

import pytest

import pegwise
from pegwise.errors import MarkError
from pegwise.game import NAMED, NAMED_GAMES, Mark, Notation, game_of
from pegwise.game.words import sgb
from pegwise.playing import parse_game
from pegwise.reading import parse_mark
from pegwise.reading import parse_turn as turn_of


@pytest.mark.parametrize("name", NAMED_GAMES)
def test_an_example_is_a_turn_of_its_game(name: str) -> None:
    rules = game_of(name)
    assert turn_of(NAMED_GAMES[name].example, game_of(rules)).guess
    assert game_of(rules.named) == rules
    assert pickle.loads(pickle.dumps(rules)).named == rules.named


@pytest.mark.parametrize("name", [n for n, game in NAMED_GAMES.items() if game.marks])
def test_marks_are_read_as_they_are_written(name: str) -> None:
    rules = game_of(name)
    notation = Notation.of(game_of(rules))
    for mark in rules.marking.legal:
        assert parse_mark(notation.mark(mark), rules) == mark
        assert parse_mark(str(mark), rules) == mark  # also as everywhere


@pytest.mark.parametrize(
    ("name", "mark", "text"),
    [
        ("number-baseball", Mark(2, 1), "2 strikes 1 ball"),
        ("number-baseball", Mark(0, 2), "2 balls"),
        ("number-baseball", Mark(0, 0), "out"),
        ("hit-and-blow", Mark(1, 2), "1 hit 2 blows"),
        ("bulls-and-cows", Mark(1, 1), "1 bull 1 cow"),
        ("bagels", Mark(1, 1), "fermi pico"),
        ("bagels", Mark(0, 2), "pico pico"),
        ("bagels", Mark(0, 0), "bagels"),
        ("nethack", Mark(2, 1), "2 gears 1 tumbler"),
        ("fallout", Mark(3), "likeness=3"),
        ("fallout", Mark(0), "likeness=0"),
    ],
)
def test_words_of_marks(name: str, mark: Mark, text: str) -> None:
    assert Notation.of(game_of(name)).mark(mark) == text


@pytest.mark.parametrize(
    ("name", "text", "mark"),
    [
        ("number-baseball", "1s1b", Mark(1, 1)),
        ("number-baseball", "ball", Mark(0, 1)),
        ("bulls-and-cows", "1b 2c", Mark(1, 2)),
        ("hit-and-blow", "1H2B", Mark(1, 2)),
        ("nethack", "2 tumblers and 1 gear", Mark(1, 2)),
        ("fallout", "2/5 correct", Mark(2)),
        ("fallout", "Likeness 4", Mark(4)),
        ("fallout", "4", Mark(4)),
    ],
)
def test_marks_as_players_type_them(name: str, text: str, mark: Mark) -> None:
    assert parse_mark(text, game_of(name)) == mark


@pytest.mark.parametrize("name", [n for n, game in NAMED_GAMES.items() if game.marks])
def test_errors_propose_marks_in_words_of_the_game(name: str) -> None:
    rules = game_of(name)
    notation = Notation.of(game_of(rules))
    for text in (str(Mark(rules.pegs + 1)), "2 hitz"):
        with pytest.raises(MarkError) as caught:
            parse_mark(text, rules)
        proposed = str(caught.value).rpartition(": ")[2]
        assert any(notation.mark(mark) in proposed for mark in rules.marking.legal)
        assert "X" not in proposed


def test_a_name_is_equal_to_its_rules_and_kept_in_records() -> None:
    rules = game_of("number-baseball")
    assert rules == game_of("3x9,distinct") == game_of(NAMED["number-baseball"])
    record = parse_game("rules: number-baseball\n123 = 1 strike\n415 = out")
    assert record.turns[0].mark == Mark(1)
    assert parse_game(record.write()).game.named == "number-baseball"
    flagged = game_of("bulls-and-cows,black")
    assert flagged.named == str(flagged) == "4x10,distinct,black"


def test_jotto_counts_shared_letters() -> None:
    def shared(guess: str, secret: str) -> int:
        return sum(min(guess.count(sign), secret.count(sign)) for sign in set(guess))

    fitting = [w for w in sgb().secrets if w != "GEESE" and shared("GEESE", w) == 3]
    assert [str(code) for code in pegwise.candidates("jotto", "GEESE=3")] == fitting
    game = pegwise.game_of("jotto")
    assert str(game.mark_of("LEAST", "STEAL")) == "5"
    assert game.mark_number(parse_mark("won", game)) == game.winning


@pytest.mark.parametrize(("name", "text"), [("super", "5x8"), ("wordle", "sgb,placed")])
def test_a_shared_game_keeps_the_name_of_its_rules(name: str, text: str) -> None:
    for each in (name, text, name):
        assert pegwise.game_of(each).called == ("" if each == text else name)
    assert pegwise.game_of(name) == pegwise.game_of(text) != pegwise.game_of("4x6")
    assert hash(pegwise.game_of(name)) == hash(pegwise.game_of(text))
