"""Records of games: parse, print and parse again is stable; damaged ones are refused by line."""

import json
import re
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import CodeError, DataFileError, InputError, MarkError, PegwiseError
from pegwise.game import Code, Mark, Rules, Turn, game_of, parse_code
from pegwise.playing.record import CODEMAKERS, Record, load_record, parse_game, parse_record
from pegwise.reading import check_turns, parse_turn
from tests import naive
from tests.boards import any_rules, codes_of

PLAYED = """pegwise game 1
rules: 4x6
codebreaker: person
codemaker: random
seed: 17
secret: BEEF

1. AABC = O
2. BEEF = XXXX

result: solved
"""


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of any rules: marked truly by a machine, or as it comes by a person."""
    rules = draw(any_rules())
    codemaker = draw(st.sampled_from(CODEMAKERS))
    secret = Code(draw(codes_of(rules, secret=True)))
    guesses = [Code(draw(codes_of(rules))) for _ in range(draw(st.integers(0, 4)))]
    turns = [
        Turn(guess, Mark(*naive.mark(guess, secret, black_only=rules.black)))
        for guess in guesses
        if guess != secret
    ]
    result = draw(st.sampled_from(("open", "solved", "lost", "given up")))
    if result == "solved":
        turns.append(Turn(secret, Mark(rules.pegs)))
    return Record(
        game_of(rules),
        tuple(turns),
        result,
        None if codemaker == "person" and draw(st.booleans()) else secret,
        draw(st.sampled_from(("person", "entropy", "knuth:guesses=candidates"))),
        codemaker,
        draw(st.integers(0, 10**20 - 1)) if codemaker in ("random", "optimal") else None,
    )


@given(records())
def test_print_and_parse_again(record: Record) -> None:
    text = record.write()
    assert parse_record(text) == record
    assert parse_record(text).write() == text
    assert str(record) == text


@given(records(), st.data())
def test_every_record_cut_short_is_refused(record: Record, data: st.DataObject) -> None:
    text = record.write().rstrip()
    begun = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(DataFileError, match=r"line [0-9]+: "):
        parse_record(begun)


@given(records(), st.data())
def test_a_changed_character_is_refused_or_reads_as_a_record(
    record: Record, data: st.DataObject
) -> None:
    text = record.write()
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.characters(codec="utf-8")) + text[at + 1 :]
    try:
        again = parse_record(changed)
    except DataFileError:
        return
    assert parse_record(again.write()) == again


def test_the_form_on_paper() -> None:
    record = parse_record(PLAYED)
    assert record.write() == PLAYED
    assert record.game == game_of("4x6")
    assert [str(turn) for turn in record.turns] == ["AABC=O", "BEEF=XXXX"]
    assert record.secret == Code([1, 4, 4, 5])
    assert (record.codemaker, record.seed, record.solved) == ("random", 17, True)


def test_a_hand_written_record_is_read_in_any_notation() -> None:
    by_hand = (
        "# played on the train\r\n"
        "pegwise game 1\r\n\r\n"
        "Rules : classic\r\n"
        "  1.  1123 = (0, 1)\r\n"
        "# a wild guess\r\n"
        "2.beef=●●●●\r\n"
        "Result:solved"
    )
    record = parse_record(by_hand)
    assert [str(turn) for turn in record.turns] == ["AABC=O", "BEEF=XXXX"]
    assert (record.codebreaker, record.codemaker, record.secret) == ("person", "person", None)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("pegwise game 1", "pegwise game 2", 1, "reads only 'pegwise game 1'"),
        ("pegwise game 1\n", "", 1, "not how a record of a game begins"),
        ("4x6", "4x0", 2, "colors must be 1 to 26"),
        ("4x6", "clasic", 2, "did you mean 'classic'"),
        ("rules: 4x6\n", "", 2, "'rules: ...' must come first"),
        ("codebreaker: person", "codebreaker: a person", 3, "without spaces"),
        ("codebreaker:", "codebraker:", 3, "did you mean 'codebreaker'"),
        ("codemaker: random", "codemaker: randon", 4, "did you mean 'random'"),
        ("seed: 17", "seed: -17", 5, "'-17' is not a whole number"),
        ("seed: 17", "seed: 1" + 20 * "7", 5, "up to 20 digits"),
        ("seed: 17", "codemaker: evil", 5, "'codemaker' is given twice"),
        ("seed: 17\n", "", 7, "needs the seed"),
        ("random\nseed: 17", "evil\nseed: 17", 8, "a seed is for a random codemaker"),
        ("secret: BEEF", "secret: BEEG", 6, "color G|'G' at position 4"),
        ("1. AABC", "AABC", 8, "cannot read 'AABC = O'"),
        ("1. AABC", "2. AABC", 8, "found turn 2 where turn 1 is expected"),
        ("AABC = O", "AABC", 8, "write guess and mark"),
        ("AABC = O", "AABZ = O", 8, "'Z' at position 4"),
        ("AABC = O", "AABC = XXXO", 8, "mark 'XXXO' cannot happen"),
        ("AABC = O", "AABC = OO", 8, "secret BEEF gives O"),
        ("AABC = O", "BEEF = XXXX", 9, "turn 2 comes after turn 1 won"),
        ("2. BEEF = XXXX\n", "", 10, "result 'solved' contradicts the turns: turn 1 is AABC=O"),
        ("1. AABC = O\n2. BEEF = XXXX\n", "", 9, "there is no turn"),
        ("secret: BEEF", "secret: BEEF\nhinted: first", 7, "numbers of turns, such as 1,3"),
        ("result: solved", "result: open", 11, "result 'open' contradicts"),
        ("result: solved", "result: won", 11, "unknown result 'won'"),
        ("secret: BEEF\n", "", 10, "ends with its secret shown"),
        ("result: solved", "", 12, "cut short"),
        ("result: solved\n", "result: solved\n3. AAAA = -\n", 12, "comes after the result"),
        ("1. AABC = O", "1. AABC = O\nseed: 3", 9, "is given twice"),
        ("secret: BEEF\n\n1. AABC = O\n", "1. AABC = O\nsecret: BEEF\n", 7, "before the turns"),
    ],
)
def test_damage_is_named_with_its_line(old: str, new: str, line: int, says: str) -> None:
    assert old in PLAYED
    with pytest.raises(DataFileError, match=says) as caught:
        parse_record(PLAYED.replace(old, new, 1), "my game.txt")
    assert str(caught.value).startswith(f"'my game.txt', line {line}: ")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_text_is_no_record(text: str) -> None:
    with pytest.raises(DataFileError, match="begins with 'pegwise game 1'"):
        parse_record(text)


@pytest.mark.slow
def test_a_long_record_is_read_in_time() -> None:
    turns = "".join(f"{number}. AABC = O\n" for number in range(1, 20_001))
    begun = process_time()
    assert len(parse_record(f"pegwise game 1\nrules: 4x6\n{turns}result: lost").turns) == 20_000
    assert process_time() - begun < 5


def test_a_person_may_mark_wrongly_but_a_machine_may_not() -> None:
    rules = Rules(4, 6)
    slip = (Turn(Code([0, 0, 1, 2]), Mark(4 - 2, 0)),)
    secret = Code([1, 4, 4, 5])
    assert Record(game_of(rules), slip, "given up", secret).secret == secret
    for codemaker in ("given", "evil"):
        with pytest.raises(InputError, match="BEEF"):
            Record(game_of(rules), slip, "given up", secret, codemaker=codemaker)


def test_parts_that_the_rules_forbid_are_refused() -> None:
    rules = Rules(4, 6, distinct_secrets=True)
    with pytest.raises(CodeError):
        Record(game_of(rules), (), "given up", Code([0, 0, 1, 2]))
    with pytest.raises(CodeError):
        Record(game_of(rules), (parse_turn("AABC=XXXX", game_of(rules)),), "solved")
    with pytest.raises(CodeError, match="5 pegs"):
        Record(game_of(rules), (Turn(Code([0, 0, 1, 2, 3]), Mark(0)),))
    with pytest.raises(MarkError):
        Record(game_of(rules), (Turn(Code([0, 0, 1, 2]), Mark(3, 1)),))
    with pytest.raises(InputError):
        Record(game_of(rules), codemaker="given")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\xef\xbb\xbf" + PLAYED.encode())
    assert load_record(path) == parse_record(PLAYED)
    for content, says in [
        (b"\xff\xfe\x00", "not text"),
        (b"pegwise game 1\n" + b"#" * (1 << 20), "more than 1,048,576 bytes"),
        (b"GIF89a", "line 1: .*not how a record of a game begins"),
    ]:
        path.write_bytes(content)
        with pytest.raises(DataFileError, match=says) as caught:
            load_record(path)
        assert str(path) in str(caught.value)
    with pytest.raises(PegwiseError, match=r"cannot read .*No such file"):
        load_record(tmp_path / "none.txt")
    with pytest.raises(PegwiseError, match=r"cannot read .*directory"):
        load_record(tmp_path)


BOTH = ("AABC=O", "BEEF=XXXX")


@pytest.mark.parametrize(
    ("text", "rules", "turns"),
    [
        ("AABC O / BEEF XXXX", "4x6", BOTH),
        ("4x8\nAABC O\nBEEF XXXX", "4x8", BOTH),
        ("1. AABC = O\n2) beef: 4b0w", "4x6", BOTH),
        ("Turn 1: AABC -> o\n#2 BEEF → ●●●●", "4x6", BOTH),
        ("| AABC | O |\n\n| BEEF | XXXX |", "4x6", BOTH),
        ("- AABC 0 1\n> 2556 (4, 0)", "4x6", BOTH),
        ("AABC,0,1\nBEEF,4,0", "4x6", BOTH),
        ("AABC O; BEEF XXXX", "4x6", BOTH),
        ("A A B C  O\n1 1 2 3 0 1\nB E E F 4 0", "4x6", ("AABC=O", *BOTH)),
        ("\ufeff🔴🔴🟢🔵 ⚪/🟢⚫️⚫️⚪️ ⚫️⚫️⚫️⚫️", "4x6", BOTH),
        ("🔴 ⚫ ⚪ ⚪ ⚫ ⚪ / 🔴 🟢 ⚪ ⚪ -", "4x6", ("AEFF=XO", "ABFF=-")),
        ("AABCD XXO", "5x8", ("AABCD=XXO",)),
        ("1,12,3,4 XO", "4x12", ("ALCD=XO",)),
        ("Rules: 4x10,distinct\n5678 1 bull 2 cows", "4x10,distinct", ("EFGH=XOO",)),
        ("AAB. X", "4x6,blank", ("AAB.=X",)),
        (PLAYED, "4x6", BOTH),
        (" / ".join(["AABC O"] * 100), "4x6", ("AABC=O",) * 100),
    ],
)
def test_turns_are_read_as_people_note_them(text: str, rules: str, turns: tuple[str, ...]) -> None:
    record = parse_game(text)
    assert (str(record.game), tuple(map(str, record.turns))) == (rules, turns)
    assert record.result == ("solved" if turns[-1] == "BEEF=XXXX" else "open")


def test_what_else_is_noted() -> None:
    record = parse_game("AABC O\ncodemaker: evil\nsecret: BEEF\n# on the train\nresult: lost")
    assert (str(record.secret), record.codemaker, record.result) == ("BEEF", "evil", "lost")
    assert parse_record(record.write()) == record
    assert parse_game("AABC O / secret: BEEF").result == "given up"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "write guesses with their marks"),
        ("hello", 1, "cannot read turn 'hello': write guess and mark, as in "),
        ("AABC O\nAABC", 2, "cannot read turn 'AABC'"),
        ("AABC O\nAABC Q", 2, "cannot read mark 'Q'"),
        ("AABC O / AABBC XX", 1, "'AABBC': 5 pegs"),
        ("4x6\n\nAABG O", 3, "'G' at position 4"),
        ("4x99\nAABC O", 1, "colors must be 1 to 26"),
        ("BEEF XXXX\nAABC O", 2, "turn 2 comes after turn 1 won the game"),
        ("pegwise game 1\nrules: 4x6", 2, "cut short"),
        ("AABC O\n" * 101, 102, "101 turns are too many: at most 100"),
        ("A " * 9999, 1, "cannot read turn"),
        ("secret:" + " :" * 20_000 + "x", 1, "write guesses"),
    ],
)
def test_notes_that_are_no_game_are_refused(text: str, line: int, says: str) -> None:
    with pytest.raises(DataFileError, match=f"'notes', line {line}: .*{re.escape(says)}"):
        parse_game(text, "notes")


@pytest.mark.parametrize("guess", ["AABB", "red red orange orange"])
@pytest.mark.parametrize("mark", ["0 ?", "0b?", "2 ?", "XX?", "=0", "=3", "-", "2 1"])
def test_marks_that_are_noted_in_part_are_kept(mark: str, guess: str) -> None:
    colors = "colors: red,orange,yellow,green,blue,purple\n" if " " in guess else ""
    noted = parse_game(f"{colors}4x6\n{guess} = {mark}\n{guess} = 0 ?")
    assert parse_record(noted.write()) == noted
    assert check_turns(map(str, noted.turns), noted.game) == noted.turns


def test_names_of_colors_are_kept() -> None:
    names = ("red", "orange", "yellow", "green", "blue", "purple")
    record = Record(
        game_of("4x6"),
        check_turns(("AABC=O", "BEEF=XXXX"), game_of("4x6")),
        "solved",
        secret=parse_code("BEEF", Rules()),
        colors=names,
    )
    text = record.write()
    assert "1. red red orange yellow = O" in text and "secret: orange blue blue purple" in text
    assert parse_record(text) == record
    assert parse_game(text) == record
    noted = parse_game("RRGB 2 1\nRYBO 0 2\nsecret: GROB")
    assert noted.colors == ("R", "G", "B", "Y", "O", "P")
    assert [str(code) for code, _ in noted.turns] == ["AABC", "ADCE"]
    assert str(noted.secret) == "BAEC"
    assert parse_game(noted.write()) == noted
    zero = parse_game("1532 0 0 / 5015 1 0 / 1405 1 0")
    assert zero.colors == ("0", "1", "2", "3", "4", "5") and parse_game(zero.write()) == zero
    own = parse_game("colors: apple,banana,cherry\na b c a = X")
    assert (str(own.game), str(own.turns[0])) == ("4x3", "ABCA=X")
    for wrong in (("red",), ("red", "red", "blue", "green", "x", "y"), ("a b", *names[1:])):
        with pytest.raises(CodeError):
            Record(game_of("4x6"), colors=wrong)
    with pytest.raises(CodeError):
        Record(game_of("wordle"), colors=names)


def test_hints_are_noted() -> None:
    record = parse_record(
        "pegwise game 1\nrules: 4x6\nhinted: 1, 2\n\n1. AABC = O\n2. BEEF = XXXX\n\nresult: solved"
    )
    assert record.hinted == (1, 2)
    assert parse_record(record.write()) == record
    assert "hinted" not in replace(record, hinted=()).write()
    for wrong in ((0,), (3,)):
        with pytest.raises(InputError, match="2 turns"):
            replace(record, hinted=wrong)
    going_on = replace(record, turns=record.turns[:1], result="open", secret=None, hinted=(2,))
    assert parse_record(going_on.write()) == going_on  # a hint for the turn that is next
    document = {"rules": "4x6", "turns": [["AABC", "O"]], "hinted": [1]}
    assert parse_game(json.dumps(document)).hinted == (1,)
    assert parse_game(json.dumps(document | {"hinted": []})).hinted == ()


@pytest.mark.parametrize(
    "text",
    [
        "4x6*2\nAABB=XO|-\nCDEF = O | XX\n",
        "rules: 4x6*2\n1. AABB=XO | -\n\n2. CDEF=O|XX\nresult: open",
        "4x6*2 / AABB=XO | - / CDEF=O | XX /",
    ],
)
def test_turns_on_several_boards_are_noted(text: str) -> None:
    record = parse_game(text, several=True)
    assert (record.game_name, record.result) == ("4x6*2", "open")
    assert [str(turn) for turn in record.turns] == ["AABB=XO | -", "CDEF=O | XX"]
    assert parse_record(record.write()) == record
    with pytest.raises(DataFileError):
        parse_game(text)  # where one secret is sought


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("4x6*2\nAABB=XO", 2),
        ("4x6*2\nAABB=XO|-\nCDEF O | XX", 3),
        ("4x6*2\nAABB=XO|-|O", 2),
        ("4x6*101\nAABB=XO|-", 1),
        ("4x6*2\nsecret: AABB\nAABB=XO|-", 3),
        ("4x6*2\nAABB=XXXX|-\nCCDD=XXXX\nAABC=O", 4),
        ("4x6*2\n" + "AABB=XO|-\n" * 101, 102),
        ("4x6*2\nAABB=XO|-\nresult: solved", 3),
    ],
)
def test_wrong_turns_on_several_boards_are_refused_with_their_line(text: str, line: int) -> None:
    with pytest.raises(DataFileError, match=f"line {line}:"):
        parse_game(text, several=True)
