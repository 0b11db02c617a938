"""Games of words, and marks by place: lists, files, codes, tables, records."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import pegwise
from pegwise.errors import (
    AmbiguousError,
    CodeError,
    DataFileError,
    InputError,
    MarkError,
    RulesError,
    UnknownNameError,
)
from pegwise.game import (
    PlacedMark,
    Rules,
    Turn,
    Word,
    WordList,
    game_of,
    parse_code,
)
from pegwise.game.listed import ListedGame
from pegwise.game.names import word_game
from pegwise.game.words import (
    add_words,
    find_words,
    read_words,
    remove_words,
    sgb,
    system_words,
    words_of,
)
from pegwise.playing import Record, parse_game, parse_record
from pegwise.reading import parse_mark, read_history
from tests import naive

ANIMALS = WordList.of("animals", ["chat", "chut", "âmes", "fuße"], ["ours", "chat"])


@pytest.mark.parametrize(
    "name",
    ["3x4,placed", "3x3,blank,placed", "4x5,distinct,placed", "2x1,placed", "sgb", "sgb,placed"],
)
def test_tables_are_the_plain_marks(name: str) -> None:
    game, draw = game_of(name), Random(4)
    for _ in range(500):
        guess, secret = draw.randrange(game.n_guesses), draw.randrange(game.n_secrets)
        codes: Sequence[tuple[int, ...]] = game.guess(guess), game.secret(secret)
        mark = naive.placed_mark(*codes) if "placed" in name else naive.mark(*codes)
        assert tuple(game.mark(int(game.marks(guess)[secret]))) == tuple(mark)
        assert tuple(game.mark_of(*codes)) == tuple(mark)


@pytest.mark.parametrize(
    ("guess", "secret", "mark"),
    [
        # doubles as Wordle counts them
        ("SPEED", "ABIDE", "--Y-Y"),
        ("SPEED", "ERASE", "Y-YY-"),
        ("SPEED", "STEAL", "G-G--"),
        ("SPEED", "CREPE", "-YGY-"),
    ],
)
def test_doubles_are_marked_from_the_first_on(guess: str, secret: str, mark: str) -> None:
    assert str(game_of("wordle").mark_of(Word(guess), Word(secret))) == mark


@pytest.mark.parametrize("text", ["GY--G", "gy..g", "21002", "🟩🟨⬛⬜🟩", "G Y - - G", "XO..X"])
def test_marks_by_place_are_read_as_they_are_written_elsewhere(text: str) -> None:
    rules = Rules(5, 6, marks="placed")
    assert parse_mark(text, rules) == PlacedMark((2, 1, 0, 0, 2))
    assert parse_mark("-", rules) == PlacedMark((0, 0, 0, 0, 0))


def test_marks_by_place_can_be_counted_written_and_pickled() -> None:
    mark = PlacedMark((2, 1, 0, 0, 2))
    assert (mark.black, mark.white) == (2, 1)
    assert [mark.write(form) for form in ("pegs", "discs")] == ["GY--G", "🟩🟨⬛⬛🟩"]
    assert pickle.loads(pickle.dumps(mark)) == mark
    rules = Rules(3, 4, marks="placed")
    assert len(rules.marking.legal) == 27 - 3
    assert rules.marking.legal[-1] == rules.marking.winning


@pytest.mark.parametrize("text", ["GG", "GGGGGG", "GGGGY", "hello", "", "22223"])
def test_what_is_no_mark_by_place_is_refused(text: str) -> None:
    with pytest.raises(MarkError):
        parse_mark(text, Rules(5, 6, marks="placed"))


@pytest.mark.parametrize(
    "text",
    ["4x6,black,placed", "11x3,placed", "sgb,distinct", "sgb@00000000", "no", "no@12345678"],
)
def test_rules_that_name_no_game_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        game_of(text)
    with pytest.raises(RulesError):
        Rules.parse("wordle")


def test_the_list_of_the_program_is_knuths() -> None:
    # D. E. Knuth, The Stanford GraphBase (1993): words.dat says 5757 words
    words = sgb()
    assert (len(words.secrets), words.n_letters, len(words.letters)) == (5757, 5, 26)
    assert str(game_of("wordle")) == "sgb,placed"
    assert {"ABBEY", "WORDS", "WHICH"} < {*words.secrets}


def test_a_list_keeps_accents_and_folds_capitals() -> None:
    assert ANIMALS.secrets == ("CHAT", "CHUT", "ÂMES", "FUẞE")
    assert ANIMALS.guesses == (*ANIMALS.secrets, "OURS")
    rules = word_game(ANIMALS)
    assert parse_code("A\u0302mes", rules) == Word("ÂMES")
    assert parse_code("f u ß e", rules, secret=True) == Word("FUẞE")
    assert parse_code("ames", rules) == Word("ÂMES")
    for text, secret in (("amas", False), ("ours", True), ("chats", False)):
        with pytest.raises(CodeError):
            parse_code(text, rules, secret=secret)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none", []),
        ("lengths", ["chat", "chien"]),
        ("signs", ["chat", "a-b!"]),
        ("Name", ["chat"]),
        ("long", ["abcdefghijklmnopq"]),
        ("han", [chr(0x4E00 + number) for number in range(257)]),
    ],
)
def test_what_is_no_list_is_refused(name: str, words: list[str]) -> None:
    with pytest.raises(InputError):
        WordList.of(name, words)


def test_files_are_read_and_their_lines_checked(tmp_path: Path) -> None:
    path, also = tmp_path / "Mes Mots.txt", tmp_path / "also.txt"
    path.write_text("# a remark\nchat\n\n chut # another\n", encoding="utf-8")
    also.write_text("ours\nchat\n", encoding="utf-8")
    words = read_words(path, also)
    assert (words.name, words.secrets) == ("mes-mots", ("CHAT", "CHUT"))
    assert words.guesses == ("CHAT", "CHUT", "OURS")
    with pytest.raises(InputError) as error:
        read_words(path, name="a b")
    for name in ("4x6", "a" * 41):
        with pytest.raises(InputError):
            read_words(path, name=name)
    assert not isinstance(error.value, DataFileError)
    also.write_text("\nours\n\nchiens\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=r"also\.txt: .*'CHIENS'"):
        read_words(path, also)
    path.write_bytes(b"\xff\xfe")
    for wrong in (path, tmp_path / "missing.txt", tmp_path):
        with pytest.raises(DataFileError):
            read_words(wrong)


@pytest.mark.parametrize(
    "text",
    ["crane trace\nslate", "crane, trace; slate", '["crane", "TRACE", "slate"]', "« crane »"],
)
def test_words_stand_in_lines_or_apart(text: str) -> None:
    words = WordList.of("few", words_of(text))
    assert words.secrets == ("CRANE", "TRACE", "SLATE")[: len(words.secrets)]


def test_doubles_and_other_lengths_are_counted() -> None:
    texts = ["crane", "CRANE", "trace", "cat", "zebras", "cat"]
    with pytest.raises(InputError, match="2 words of 5 letters, 2 of others"):
        WordList.of("few", texts)
    words = WordList.of("few", texts, ["slate", "dogs", "trace"], length=5)
    assert (words.secrets, words.guesses[2:]) == (("CRANE", "TRACE"), ("SLATE",))
    assert (words.doubles, words.others) == (1, 3)
    assert WordList.of("few", texts, length=3).secrets == ("CAT",)
    wider = words.widened(["zebra", "crane"])
    assert wider.guesses == (*words.guesses, "ZEBRA")
    assert wider.secrets == words.secrets and str(wider) != str(words)


def test_accents_need_not_be_typed() -> None:
    words = WordList.of("mots", ["forêt", "pêche", "péché", "cœurs", "peaux"])
    assert words.check("foret") == "FORÊT"
    assert words.check("coeurs") == "CŒURS"
    assert words.check("peaux") == "PEAUX"
    with pytest.raises(CodeError, match="PÊCHE, PÉCHÉ"):
        words.check("peche")


def test_lists_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegwise.game.words.SYSTEM_FOLDER", tmp_path)
    with pytest.raises(InputError, match="wfrench"):
        system_words("french")
    with pytest.raises(UnknownNameError):
        system_words("latin")
    (tmp_path / "french").write_text("Paris\nforêt\nl'eau\nmer\n", encoding="utf-8")
    assert system_words("french") == ["forêt", "mer"]


def test_turns_tell_how_a_list_is_marked() -> None:
    words = WordList.of("few", ["crane", "trace", "slate"])
    for mark, flags in (("--G-G", ",placed"), ("2", ",black"), ("2 1", ""), ("-", "")):
        assert str(read_history(f"crane {mark}", words).game) == f"{words}{flags}"
    with pytest.raises(AmbiguousError) as caught:
        read_history("crane XXOOO", words)
    pegs, placed = sorted((choice["game"] for _, choice in caught.value.readings), key=str)
    assert read_history("crane XXOOO", pegs).game is pegs  # type: ignore[arg-type]
    with pytest.raises(AmbiguousError) as asked:  # the marks, once the board is known
        read_history("crane XXOOO", placed)  # type: ignore[arg-type]
    marks = [read_history("crane XXOOO", placed, **choice) for _, choice in asked.value.readings]  # type: ignore[arg-type]
    assert len({each.turns for each in marks}) == len(marks) == 2
    with pytest.raises(MarkError):
        read_history("crane QQQQQ", words)
    with pytest.raises(CodeError):
        read_history("zebra 2", words)


def test_an_installed_list_is_known_by_its_digest(home: Path) -> None:
    path = add_words(ANIMALS)
    assert find_words("animals") == ANIMALS
    rules = game_of("animals,placed")
    assert game_of(str(rules)) == rules
    add_words(WordList.of("animals", ["ours"]))
    with pytest.raises(RulesError):
        game_of(str(rules))
    path.write_text("chat\nchiens\n", encoding="utf-8")
    with pytest.raises(InputError):
        game_of("animals")
    remove_words("animals")
    assert find_words("animals") is None
    (home / "diary.txt").touch()
    for name in ("animals", "../diary"):
        with pytest.raises(UnknownNameError):
            remove_words(name)
    assert (home / "diary.txt").exists()
    with pytest.raises(InputError):
        remove_words("sgb")
    for name in ("sgb", "wordle", "super"):
        with pytest.raises(InputError):
            add_words(WordList.of(name, ["chat"]))


def test_a_game_of_words_is_recorded_and_reviewed(home: Path) -> None:
    add_words(ANIMALS)
    rules = game_of("animals,placed")
    turns = (
        Turn(Word("CHAT"), PlacedMark((2, 2, 0, 2))),
        Turn(Word("CHUT"), rules.marking.winning),
    )
    record = Record.of_turns(rules, turns)
    assert record.solved
    assert parse_record(record.write()) == record
    assert parse_game("animals,placed\nCHAT GG-G / chut 🟩🟩🟩🟩") == record
    assert [turn.after for turn in pegwise.review(record).turns] == [1, 1]


@pytest.mark.parametrize("name", ["3x4,placed", "animals"])
def test_whole_trees_are_stored_and_played(name: str, home: Path, tmp_path: Path) -> None:
    add_words(ANIMALS)
    game = game_of(name)
    assert isinstance(game, ListedGame)
    tree = pegwise.find_optimum(game).tree
    assert tree is not None
    assert pegwise.verify(tree).valid
    assert tree.total <= pegwise.build(name, "entropy").total
    pegwise.save_tree(tree, tmp_path / "words.tree")
    # the file holds the words: it is read where the list is not installed
    remove_words("animals")
    again = pegwise.load_tree(tmp_path / "words.tree")
    assert (again.game.name, again.histogram) == (game.name, tree.histogram)
    assert pickle.loads(pickle.dumps(game)).n_guesses == game.n_guesses


def test_one_look_ahead_ranks_words() -> None:
    position = pegwise.Position("3x4,placed", ["AAB=G-Y"])
    best = pegwise.rank(position).best
    assert best.bits == max(position.split(guess).bits for guess in ("ABC", "ABB", "ABD"))
    assert position.count == sum(size for _, size in best.parts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "criterion", "guess", "score"),
    [
        # J. Forget, decodeur-Mastermind, description-fr.md (2026), "Mastermind avec des mots":
        # 5757 words of the Stanford GraphBase, 12.5 bits
        ("sgb", "entropy", "TARES", 3.39),
        ("sgb", "minimax", "TALES", 924),
        ("sgb,black", "minimax", "BARES", 2331),
    ],
)
def test_first_words_are_those_that_forget_prints(
    rules: str, criterion: str, guess: str, score: float
) -> None:
    best = pegwise.rank(
        pegwise.Position(rules), criterion=criterion, guesses="candidates", limit=1
    ).best
    assert str(best.guess) == guess
    assert round(abs(best.score(criterion)), 2) == score


def test_a_game_without_a_name_is_studied_as_boards_are() -> None:
    def marking(guess: int, secret: int) -> str:
        return "equal" if guess == secret else "less" if guess < secret else "more"

    game = pegwise.FiniteGame(range(15), marking, name="halving")
    position = pegwise.Position(game, [(7, "less")])
    assert position.count == 7
    assert str(pegwise.rank(position, criterion="minimax").best.guess) == "11"
    turns = pegwise.play(game, "knuth", 12)
    record = Record(game, tuple(turns), result="solved")
    review = pegwise.review(record)
    assert [turn.verdict for turn in review.turns] == ["best"] * len(turns)
    results = pegwise.race(game, ["knuth", "entropy"])
    assert [standing.total for standing in results.standings] == [49, 49]
    assert pegwise.find_optimum(game).tree.total == 49
    with pytest.raises(CodeError):
        pegwise.Position(game, [(99, "less")])


@pytest.mark.slow
def test_bounds_of_any_game() -> None:
    bounds = pegwise.bounds("4x6,placed")
    assert (bounds.n_codes, bounds.n_marks, bounds.viaud_q1_eq11) == (1296, 77, 3)
    assert (bounds.viaud_tau2, bounds.viaud_q2) == (52, 4)
    assert pegwise.bounds(pegwise.FiniteGame("ab", [["=", "<"], [">", "="]])).viaud_q0 == 2
