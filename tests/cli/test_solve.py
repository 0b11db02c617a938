"""`pegwise solve`, alone and at a terminal."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from pegwise.cli import options
from pegwise.errors import OutputError
from pegwise.game import read_record
from tests import naive
from tests.cli.running import Run, games, refused, terminal

SECRET = (1, 4, 4, 5)  # BEEF


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("name", ["knuth", "constraint", "marechal-rastoix-3"])
def test_as_json(run: Run, name: str) -> None:
    ended = run("solve", "4x6", "-s", name, "--secret", "BEEF", "--json")
    if ended.status == 2:
        assert "optional extra" in ended.err
        return
    document = json.loads(ended.out)
    assert list(document) == ["rules", "strategy", "secret", "turns", "solved"]
    assert (document["rules"], document["strategy"]) == ("4x6", name)
    assert (document["secret"], document["solved"]) == ("BEEF", True)
    candidates = naive.secrets(4, 6)
    for turn in document["turns"]:
        assert list(turn) == ["guess", "mark", "candidates"]
        guess = tuple(ord(letter) - ord("A") for letter in turn["guess"])
        mark = naive.mark(guess, SECRET)
        candidates = [secret for secret in candidates if naive.mark(guess, secret) == mark]
        assert turn["mark"] == ("X" * mark[0] + "O" * mark[1] or "-")
        assert turn["candidates"] == len(candidates)
    assert guess == SECRET


def test_stages_and_table_of_forget(run: Run) -> None:
    out = " ".join(run("solve", "4x26", "-s", "forget-entropy", "--secret", "RIFC").out.split())
    for sentence in [  # figures of his document
        "Opening: the marks add up to 2 (3 would end it); still to be played: IJKLMNOPQRSTUVWXYZ.",
        "the synthetic turn is ABCDEFGHIJKL OOO; codes built from the last peg on: 23, 312, 2,538, "
        "9,720.",
        "Endgame: a sample of 2,000 codes and 4 opening guesses not played are weighed by entropy; "
        "RAJG has 2.33 bits, and leaves 782 at most; none is equal to it.",
        "Endgame: one code is left.",
    ]:
        assert sentence in out
    typed = "why\nxo\nxoo\nwhy forget-minimax\n2b\nwhy\nguess AAAA\n-\nchange 4 x\n"
    out = run("solve", "-s", "forget-entropy", typed=typed).out
    assert "no synthetic turn; codes built from the last peg on: 6, 31, 96, 22." in out
    assert "2  AEEB   1.58        1  OO         1  EAFD" in out
    assert " are weighed by minimax;" in " ".join(out.split())


def test_no_more_than_so_many_guesses(run: Run) -> None:
    out = run("solve", "-s", "first", "--secret", "BEEF", "--max", "2", "--notation", "digits").out
    assert "secret 2 5 5 6" in out
    assert out.endswith("\nNot found with 2 guesses.\n")
    document = json.loads(
        run("solve", "-s", "first", "--secret", "BEEF", "--max", "2", "--json").out
    )
    assert (len(document["turns"]), document["solved"]) == (2, False)
    # marks that contradict each other may still be corrected
    typed = "XXX\n-\n-\nchange 1 -\n"
    ended = run("solve", "-s", "knuth", "--max", "2", typed=typed)
    assert "Correct a mark" in ended.out
    assert "Not found with 2 guesses." in ended.out
    assert "All marks" not in ended.out


def test_variants_and_large_boards(run: Run) -> None:
    for rules, secret in [
        ("bulls-and-cows", "0123"),
        ("5x8,blank", "HGFED"),
        ("4x6,black", "ABCD"),
        ("4x8,distinct-secrets", "BDFH"),
    ]:
        assert run("solve", rules, "--secret", secret, "--json").document()["solved"]
    pytest.importorskip("ortools")
    document = run("solve", "10x12", "--secret", "LKJIHGFEDC", "--json").document()
    assert document["strategy"] == "constraint"
    assert document["secret"] == document["turns"][-1]["guess"] == "LKJIHGFEDC"


def test_a_given_code_is_saved_on_request(run: Run) -> None:
    for _ in range(2):  # a game that can be played again may be written over
        assert run("solve", "--secret", "BEEF", "--save", "my game.txt").status == 0
    record = read_record(Path("my game.txt"))
    assert (record.codebreaker, record.codemaker, record.result) == ("entropy", "given", "solved")
    assert run("review", "my game.txt").status == 0
    # cut back to one turn, it goes on alone
    lines = Path("my game.txt").read_text().splitlines()
    cut = [*lines[:6], lines[6], "result: open"]
    Path("my game.txt").write_text("\n".join(cut))
    again = run("solve", "--resume", "my game.txt")
    assert again.out.count("codes left") == len(record.turns)
    assert read_record(Path("my game.txt")) == record


def test_a_dialogue(tmp_path: Path) -> None:
    with terminal(tmp_path, "solve") as screen:
        screen.sees("Hide a code of", "Mark: XXO, 2b1w or 2 1, - for none; or guess, why, change")
        screen.types("xo")
        screen.sees("252 of 1,296 codes left, 2.36 bits")
        screen.types("left 3")
        screen.sees("252 codes are possible:", "AAAB  AAAC  AABA", "... and 249 more")
        screen.types("guess eeff")
        screen.sees(" 2. ", "your guess")
        screen.types("2b0w")
        screen.sees("codes left")
        screen.types("undo")
        screen.sees("Turn 2, EEFF=XX, is taken back.")
        screen.types("help")
        screen.sees("change TURN MARK   correct the mark of a turn")
        screen.types("change 1 0 1")
        screen.sees("152 of 1,296 codes left, 3.09 bits")
        screen.types("BBAA = O")
        screen.sees(" 2. ", "of 152 codes left")
        screen.types("why")
        shown = screen.sees("win?", "code.")
        rows = [line.split() for line in shown.splitlines() if line[:2].strip().isdecimal()]
        assert [row[0] for row in rows] == [str(k) for k in range(1, 11)]
        assert all(len(row[1]) == 4 for row in rows)
        bits = [float(row[2]) for row in rows]
        assert bits == sorted(bits, reverse=True)
        screen.types("why irvin")
        screen.sees("did you mean 'irving'")
        if find_spec("ortools"):
            screen.types("why -s constraint")
            screen.sees("leave open of each color:", "2       0-1", "code.")
        screen.types("secret beef")
        screen.sees("Turn 2, BBAA, was marked O; the secret BEEF gives X.", "pegwise review ")
        assert screen.leaves() == 0
    (stored,) = (tmp_path / "home" / "games").iterdir()
    record = read_record(stored)
    assert [str(turn) for turn in record.turns] == ["ABCD=O", "BBAA=O"]
    assert (record.result, str(record.secret)) == ("given up", "BEEF")


def test_every_notation_and_what_cannot_be_marked(run: Run) -> None:
    typed = ["foo", "unod", "guess aaaa", "o", "(1, 0)", "why not", "guess zzzz"]
    typed += ["change 9 x", "change 1", "save", "?"]
    out = run("solve", typed="\n".join(typed)).out
    for sentence in [
        "cannot read mark 'foo': write X for each black and O for each white",
        "(did you mean 'undo'?)",
        "mark O cannot happen for AAAA: it has one color only",
        " 1.  A A A A   X      500 of 1,296 codes left",
        "unknown strategy 'not'",
        "'zzzz': 'z' at position 1",
        "write change TURN MARK, for example change 1 XO",
        "'9': write a whole number from 1 to 1",
        "say where: save FILE, for example save mygame.txt",
        "quit               leave, as q and exit do; the game stays saved",
    ]:
        assert sentence in " ".join(out.split()) or sentence in out, sentence


def test_contradictory_marks_are_explained_and_corrected(run: Run) -> None:
    wrong = ["xx", "guess abcd", "oo"]
    typed = [*wrong, "why", "xx", "guess aaaa", "left", "change 2 xx", "save here.txt"]
    flat = " ".join(run("solve", typed="\n".join(typed)).out.split())
    assert "No code of 4x6 fits these 2 turns: 96 codes fit turn 1, and none of them" in flat
    assert "turn 2 (ABCD): XX instead of OO would leave 96 codes" in flat
    assert "Correct a mark, for example change 1 OO; or undo, secret, save, help, quit." in flat
    assert flat.count("no code fits the marks: correct one first, or take a turn back") == 3
    assert "No code is possible." in flat
    assert "2. A B C D XX 96 of 96 codes left, 0.00 bits" in flat
    assert [turn.mark for turn in read_record(Path("here.txt")).turns] == [(2, 0), (2, 0)]
    # a contradictory game is kept as well, and explained when it goes on
    ended = run("solve", "--save", "open.txt", typed="\n".join(wrong))
    assert "pegwise solve --resume open.txt" in ended.err
    again = run("solve", "--resume", "open.txt", typed="undo\nundo\nundo")
    assert "No code of 4x6 fits these 2 turns" in again.out
    assert "there is no turn to take back" in again.out


def test_a_win_names_the_mark_that_was_wrong(run: Run) -> None:
    out = run("solve", typed="xx\nBEEF=XXXX\n").out
    assert "Found with 2 guesses." in out
    assert "Turn 1, ABCD, was marked XX; the secret BEEF gives O." in out
    out = run("solve", typed="x\nx\nchange 1 xxxx\nchange 2 xxxx\n").out
    assert "turn 1 did not win: turns follow it" in out
    assert "Found with 2 guesses." in out


def test_end_of_input_and_taken_up_again(run: Run, tmp_path: Path) -> None:
    with terminal(tmp_path, "solve", "4x6", "-s", "knuth") as screen:
        screen.types("oo")
        screen.sees("codes left", "\n> ")
        screen.child.sendeof()
        screen.sees("The game is saved. To continue it: pegwise ")
        assert screen.leaves() == 0
    line = screen.text.rpartition("To continue it: pegwise ")[2].split()
    ended = run(*line)
    assert "codes left" in ended.out
    assert " 2.  " in ended.out
    assert "The game is saved. To continue it: pegwise " in ended.err


@pytest.mark.parametrize("name", ["SIGHUP", "SIGKILL"])
def test_ended_by_the_system(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    with terminal(tmp_path, "solve", "--save", "kept.txt") as screen:
        screen.types("oo")
        screen.sees("codes left", "\n> ")
        screen.child.kill(number)
        if name != "SIGKILL":
            screen.sees("The game is saved. To continue it: pegwise solve --resume kept.txt")
        assert screen.leaves() == 128 + number
    assert [str(turn) for turn in read_record(tmp_path / "kept.txt").turns] == ["ABCD=OO"]


def test_a_closed_pipe(tmp_path: Path) -> None:
    environment = {**os.environ, "PEGWISE_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "pegwise", "solve", "--save", "kept.txt"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin and child.stdout and child.stderr
        child.stdin.write("oo\n")
        child.stdin.flush()
        while "codes left" not in child.stdout.readline():
            pass
        child.stdout.close()
        child.stdin.write("xo\nxx\n")
        child.stdin.close()
        said = child.stderr.read()
    assert child.returncode == 0
    assert "Traceback" not in said
    assert "To continue it: pegwise solve --resume kept.txt" in said
    assert str(read_record(tmp_path / "kept.txt").turns[0]) == "ABCD=OO"


def test_what_is_refused(run: Run) -> None:
    Path("foreign.txt").write_text("hello\n")
    run("solve", "--save", "open.txt", typed="xo")
    run("solve", "--secret", "ABCD", "--save", "over.txt")
    for arguments, reason in [
        ("--resume foreign.txt", "'foreign.txt', line 1: 'hello'"),
        ("--save open.txt", "pegwise solve --resume open.txt"),
        ("4x6 --resume open.txt", "its file"),
        ("--resume over.txt", "is over (solved): pegwise review over.txt"),
    ]:
        assert reason in refused(run("solve", *arguments.split())), arguments
    assert "not begun with play" in refused(run("play", "--resume", "open.txt"))


def test_nothing_to_save(run: Run) -> None:
    ended = run("solve", typed="quit\n")
    assert (ended.status, games(Path())) == (0, [])
    assert "nothing to save" in ended.err


def test_a_folder_that_takes_no_file(run: Run) -> None:
    Path("home").write_text("a file, not a folder")
    ended = run("solve", typed="xo\nxx\n")
    assert ended.status == 0
    assert ended.out.count("The game is not saved: ") == 1
    assert "The game is not saved: " in ended.err


def test_a_disk_that_is_full_is_told_at_the_end(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write = options.write_file

    def fill(path: Path, content: bytes) -> None:
        if path.exists():
            raise OutputError("the disk is full")
        write(path, content)

    monkeypatch.setattr(options, "write_file", fill)
    ended = run("solve", "3x3", "--secret", "ABC", "--save", "a.txt")
    assert (ended.status, "Found with" in ended.out) == (2, True)
    last = ended.err.splitlines()[-1]
    assert last.startswith("pegwise: the game is not saved: the disk is full; the file holds its ")


def test_a_home_that_is_a_file(run: Run) -> None:
    Path("home").write_text("")
    home = repr(str(Path("home").absolute()))
    refusal = f"no data can be kept in {home} (Not a directory): set PEGWISE_HOME to a directory"
    for search in ("optimal 2x2 --first AB", "static 2x2 --search", "value 2x2 --search"):
        assert refusal in refused(run(*search.split()))
    assert "no data can be kept in" in run("play", "2x2", typed="AB\nquit\n").out
    assert run("race", "2x2", "-s", "first").status == 0


def test_as_json_with_a_person(run: Run) -> None:
    ended = run("solve", "--json", typed="o\nbeef=xxxx\n")
    document = json.loads(ended.out)
    assert document["turns"] == [
        {"guess": "ABCD", "mark": "O", "candidates": 152},
        {"guess": "BEEF", "mark": "XXXX", "candidates": 1},
    ]
    assert (document["secret"], document["solved"]) == ("BEEF", True)


def test_the_strategy_may_change_when_a_game_goes_on(run: Run) -> None:
    run("solve", "--save", "game.txt", typed="o\n")
    ended = run("solve", "--resume", "game.txt", "-s", "first", typed="")
    assert "mark what first guesses" in ended.out
    assert read_record(Path("game.txt")).codebreaker == "first"
    # one that cannot go on from another's guess hands over, and says so
    ended = run("solve", "--resume", "game.txt", "-s", "marechal-rastoix-1", typed="")
    assert "proposed by entropy" in ended.out


def test_a_board_too_large_to_weigh(run: Run) -> None:
    pytest.importorskip("ortools")
    out = run("solve", "10x12", typed="xxoo\nwhy\nleft 2\n").out
    flat = " ".join(out.split())
    assert "mark what constraint guesses" in flat
    assert "candidates of 10x12 are too many to compare guesses" in flat
    assert "<- proposed" in flat
    assert "codes are possible:" in flat
