"""Games that have a name: what stands for what, and marks in their own words."""

import pickle

import pytest

import pegwise
from pegwise.errors import MarkError
from pegwise.game import NAMED, NAMED_GAMES, Mark, Notation, Rules
from pegwise.game.words import sgb
from pegwise.playing import parse_game
from pegwise.reading import parse_mark
from pegwise.reading import parse_turn as turn_of


@pytest.mark.parametrize("name", NAMED_GAMES)
def test_an_example_is_a_turn_of_its_game(name: str) -> None:
    rules = Rules.parse(name)
    assert turn_of(NAMED_GAMES[name].example, rules).guess
    assert Rules.parse(rules.named) == rules
    assert pickle.loads(pickle.dumps(rules)).named == rules.named


@pytest.mark.parametrize("name", [n for n, game in NAMED_GAMES.items() if game.marks])
def test_marks_are_read_as_they_are_written(name: str) -> None:
    rules = Rules.parse(name)
    notation = Notation.of(rules)
    for mark in pegwise.game.legal_marks(rules):
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
        ("fallout", Mark(3), "likeness=3"),
        ("fallout", Mark(0), "likeness=0"),
    ],
)
def test_words_of_marks(name: str, mark: Mark, text: str) -> None:
    assert Notation.of(Rules.parse(name)).mark(mark) == text


@pytest.mark.parametrize(
    ("name", "text", "mark"),
    [
        ("number-baseball", "1s1b", Mark(1, 1)),
        ("number-baseball", "ball", Mark(0, 1)),
        ("bulls-and-cows", "1b 2c", Mark(1, 2)),
        ("hit-and-blow", "1H2B", Mark(1, 2)),
        ("fallout", "2/5 correct", Mark(2)),
        ("fallout", "Likeness 4", Mark(4)),
        ("fallout", "4", Mark(4)),
    ],
)
def test_marks_as_players_type_them(name: str, text: str, mark: Mark) -> None:
    assert parse_mark(text, Rules.parse(name)) == mark


@pytest.mark.parametrize("name", [n for n, game in NAMED_GAMES.items() if game.marks])
def test_errors_propose_marks_in_words_of_the_game(name: str) -> None:
    rules = Rules.parse(name)
    notation = Notation.of(rules)
    for text in (str(Mark(rules.pegs + 1)), "2 hitz"):
        with pytest.raises(MarkError) as caught:
            parse_mark(text, rules)
        proposed = str(caught.value).rpartition(": ")[2]
        assert any(notation.mark(mark) in proposed for mark in pegwise.game.legal_marks(rules))
        assert "X" not in proposed


def test_a_name_is_equal_to_its_rules_and_kept_in_records() -> None:
    rules = Rules.parse("number-baseball")
    assert rules == Rules.parse("3x9,distinct") == Rules.parse(NAMED["number-baseball"])
    record = parse_game("rules: number-baseball\n123 = 1 strike\n415 = out")
    assert record.turns[0].mark == Mark(1)
    assert parse_game(record.write()).rules.named == "number-baseball"
    flagged = Rules.parse("bulls-and-cows,black")
    assert flagged.named == str(flagged) == "4x10,distinct,black"


def test_jotto_counts_shared_letters() -> None:
    def shared(guess: str, secret: str) -> int:
        return sum(min(guess.count(sign), secret.count(sign)) for sign in set(guess))

    fitting = [w for w in sgb().secrets if w != "GEESE" and shared("GEESE", w) == 3]
    assert [str(code) for code in pegwise.candidates("jotto", "GEESE=3")] == fitting
    game = pegwise.as_game("jotto")
    assert str(game.mark_of("LEAST", "STEAL")) == "5"
    assert game.rules is not None
    assert game.mark_number(parse_mark("won", game.rules)) == game.winning


@pytest.mark.parametrize(("name", "text"), [("super", "5x8"), ("wordle", "sgb,placed")])
def test_a_shared_game_keeps_the_name_of_its_rules(name: str, text: str) -> None:
    for each in (name, text, name):
        rules = pegwise.as_game(each).rules
        assert rules is not None and rules.name == ("" if each == text else name)
    assert pegwise.as_game(name) == pegwise.as_game(text) != pegwise.as_game("4x6")
    assert hash(pegwise.as_game(name)) == hash(pegwise.as_game(text))
