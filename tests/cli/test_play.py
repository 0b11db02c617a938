"""`pegwise play` and `pegwise solve`, at a terminal and fed with lines."""

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from pegwise.cli import options
from pegwise.errors import OutputError
from pegwise.playing import load_record
from tests.cli.running import Run, games, refused, terminal
from tests.programs import PATIENCE, Start


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def lines(typed: str) -> str:
    return typed.replace(" / ", "\n") + "\n"


# command, lines that are typed, and what is said to it; after `not`, what is not said
SAID: list[tuple[str, str, list[str]]] = [
    # codes are written as they are typed
    ("play --seed 4", "🔴🟢🔵🟡 / f f a b", ["1. 🔴 🟢 🔵 🟡 ", "2. F F A B "]),
    (
        "play --seed 4",
        "1122 / undo / left 2 / why / q",
        ["Turn 1, 1122=XX, is taken back.", "possible: 1111 1112 ", "win? 1 1234 "],
    ),
    ("play --seed 4 --notation discs", "1122 / left 2", ["1. 🔴 🔴 🟢 🟢 ●●", "possible: 🔴🔴"]),
    (
        "play 4x6,blank --seed 3",
        ".ABC / _ABC",
        ["A dot leaves a hole of a guess empty, as in .ABC.", " 1. . A B C ", "a dot is an empty"],
    ),
    ("play --seed 3", "_ABC", ["not dot"]),
    (
        "play 4x26 --seed 1",
        "h i n t / UNDO",
        ["To guess HINT, type H I N T.", " 1. H I N T ", "Turn 1, HINT="],
    ),
    # boards
    ("play 4x10,distinct --seed 3", "left 1 / hint / EFAD", ["E F A D: solved in 1 guess"]),
    ("play 3x5,blank --seed 3", "left 1 / hint / CDC", ["secret C D C: solved in 1 guess"]),
    ("play 3x4,black --seed 3", "left 1 / hint / ABA", ["secret A B A: solved in 1 guess"]),
    ("play 1x1 --seed 3", "left 1 / hint / A", ["1x1, secret A: solved in 1 guess"]),
    ("play 12x26 --seed 3", "left 1 / hint / VNHNAMIQKWTS", ["W T S: solved in 1 guess"]),
    ("solve bulls-and-cows --secret 0123", "", ["Found with"]),
    ("solve 5x8,blank --secret HGFED", "", ["Found with"]),
    ("solve 4x6 --secret red,red,blue,blue", "", ["secret red red blue blue: ", "Found with"]),
    ("solve 4x6,black --secret ABCD", "", ["Found with"]),
    ("solve 4x8,distinct-secrets --secret BDFH", "", ["Found with"]),
    ("solve 10x12 --secret LKJIHGFEDC", "", ["sampling decodes.", "Found with"]),
    (
        "solve 10x12 -s constraint",
        "xxoo / why / left 2",
        [
            "mark what constraint guesses",
            "color places occurrences A 1-10 0-",
            "not <- proposed",
            "codes are possible:",
        ],
    ),
    # hard rules
    (
        "play wordle,hard --seed 3",
        "crane / slate / merry",
        [
            "SLATE is not allowed by 'hard': CRANE=-Y--Y tells that the code has R",
            "M E R R Y: solved",
        ],
    ),
    ("solve 3x4,hard --secret ABA", "", ["Found with"]),
    ("solve 3x4,hard", "X / guess DDD", ["DDD is not allowed by 'hard'"]),
    # names of colors, digits from 0, and what is asked about
    ("play --seed 4", "RRGB / rrgy", ["Read as R = red = A", " 1. R R G B "]),
    ("solve -s knuth", "++- / +", ["Read as + is black, - is white.", "not + is black."]),
    ("solve -s knuth", "+ / +-", ["Read as + is black.", "Read as + is black, - is white."]),
    ("solve -s knuth", "XXO- / XO", ["1. A A B B XXO ", "not Read as"]),
    ("solve number-baseball -s first", "1 strike", ["not Read as"]),
    (
        "play --seed 4",
        "0123 / 1111 / undo / board",
        ["digits from 0 to 5", " 2. 1 1 1 1 ", "1. 0 1 2 3"],
    ),
    (
        "play --seed 4 --colors red,orange,yellow,green,blue,purple",
        "red red blue green / r r b g",
        [" 1. red red blue green ", " 2. red red blue green "],
    ),
    ("solve 4x6 -s knuth", "guess / ●○ / quit", ["say what: guess CODE", " 1. A A B B XO"]),
    ("solve wordle -s first", "xxxxx / xxxxy", ["xxxxx' can be read in several ways", "----Y"]),
    ("solve wordle -s first --marks x-absent", "xxxxx", ["-----"]),
    # each strategy in its own words, never by another criterion
    (
        "solve 5x5 -s marechal-rastoix-3 --secret ACBAE",
        "",
        [
            "-> B occurs once (2 pegs in the mark - 0 known - the A that is tried): criterion 3.",
            "So D is skipped, and E fills the open places: criterion 4.",
        ],
    ),
    (
        "solve -s marechal-rastoix-1",
        "why / why viaud / why greenwell / why first / why optimal / why knuth / xx / AABC=xo / "
        "why greenwell",
        [
            "marechal-rastoix-1 plays AAAA: All open places get A: the mark tells how often it "
            "occurs. (criterion 1)",
            "viaud plays AAAB: q = 5: from here 5 guesses are always enough",
            "Their largest tau_1, the size, is 317.",
            "Together they tell each of the 1,296 codes that agree from every other.",
            "first plays AAAA: It is the first, in numeric order, of the codes that agree with "
            "all marks (1,296).",
            "The tree needs 5,625 guesses for the 1,296 codes that agree, 4.340 on average.",
            "The best guesses by minimax",
            "not The best guesses by entropy: the most bits. guess bits exp. largest marks win? "
            "1 ABCD",
            "and takes no other guess there;",
        ],
    ),
    # so many guesses
    (
        "play --seed 4 --max-guesses 2",
        "AABB / CCDD / AEEB",
        [
            "Guess 2 of 2, or help.",
            "4x6, secret A E E B: not found in 2 guesses (",
            "not Not found with 2 guesses.",
        ],
    ),
    ("play --seed 4 --max-guesses 1", "AEEB", ["solved in 1 guess", "not Not found"]),
    (
        "play --seed 4 --max-guesses 3 --save a.txt",
        "AABB",
        ["it: pegwise play --resume a.txt --max-guesses 3"],
    ),
    (
        "solve -s first --secret BEEF --max-guesses 2 --notation digits",
        "",
        ["secret 2 5 5 6", "Not found with 2 guesses."],
    ),
    # marks that contradict each other may still be corrected
    (
        "solve -s knuth --max-guesses 2",
        "XXX / - / - / change 1 -",
        ["Correct a mark", "Not found with 2 guesses.", "not All marks"],
    ),
    # what is refused, and marks that were wrong
    (
        "play --seed 4",
        "abcx / undo / left 0 / give / hint me / save none/x / no code",
        [
            "'abcx': 'x' at position 4: the colors of 4x6 are letters A-F",
            "there is no turn to take back",
            "'0': write a whole number from 1 to 10,000",
            "(did you mean 'give up'?)",
            "hint takes no argument, not 'me'",
            "cannot write 'none/x': there is no folder 'none'",
            "'no code': 'n' at position 1",
        ],
    ),
    (
        "solve",
        "foo / unod / guess aaaa / o / (1, 0) / why not / guess zzzz / change 9 x / change 1 / "
        "save / ?",
        [
            "cannot read mark 'foo': write X for each black and O for each white",
            "(did you mean 'undo'?)",
            "1. A A A A your guess",
            "mark O cannot happen for AAAA: it has one color only",
            " 1. A A A A X 500 of 1,296 codes left",
            "unknown strategy 'not'",
            "'zzzz': 'z' at position 1",
            "write change TURN MARK, for example change 1 XO",
            "'9': write a whole number from 1 to 1",
            "say where: save FILE, for example save mygame.txt",
            "quit leave, as q and exit do; the game stays saved",
        ],
    ),
    (
        "solve",
        "xx / BEEF=XXXX",
        ["Found with 2 guesses.", "Turn 1, ABCD, was marked XX; the secret BEEF gives O."],
    ),
    (
        "solve",
        "x / x / change 1 xxxx / change 2 xxxx",
        ["turn 1 did not win: turns follow it", "Found with 2 guesses."],
    ),
    (
        "solve",
        "xx / guess abcd / oo / why / xx / guess aaaa / left / change 2 xx",
        [
            "No code of 4x6 fits these 2 turns: 96 codes fit turn 1, but none fits",
            "turn 2 (ABCD): with XX instead of OO, 96 codes would fit",
            "Correct a mark, for example change 1 OO; or undo, secret, save, help, quit.",
            "> why 'why' is not taken: no code fits the marks; correct one first, or take a turn",
            "> xx 'xx' is not taken",
            "> guess aaaa 'guess aaaa' is not taken",
            "No code is possible.",
            "2. A B C D XX 96 of 96 codes left, 0.00 bits",
        ],
    ),
    ("solve", "quit", ["No turn was played, so there is nothing to save."]),
    # Forget's stages and tables, with figures of his document
    (
        "solve 4x26 -s forget-entropy:limit=2000 --secret RIFC",
        "",
        [
            "the marks add up to 2 (3 would end it); still to be played: IJKLMNOPQRSTUVWXYZ.",
            "the synthetic turn is ABCDEFGHIJKL OOO; codes built from the last peg on: 23, 312, "
            "2,538, 9,720 (without it 23,",
            "Endgame: a sample of 2,000 codes and 4 opening guesses not played are compared by "
            "entropy; RAJG has 2.33 bits and leaves at most 782 of the sample; no other is as good",
            "Endgame: one code is left.",
        ],
    ),
    (
        "solve -s forget-entropy",
        "why / xo / xoo / why forget-minimax / 2b / why / guess AAAA / - / change 4 x",
        [
            "no synthetic turn; codes built from the last peg on: 6, 31, 96, 22.",
            "are compared by minimax;",
            "OO EAFD 1/3 1.58 AEEB XXXX AEEB 1/3",
        ],
    ),
]


LARGE = ("10x12", "4x26 -s")
"""Boards whose games take seconds."""


@pytest.mark.parametrize(
    ("command", "typed", "said"),
    [
        pytest.param(
            *row,
            marks=[pytest.mark.slow] if any(x in row[0] for x in LARGE) else [],
        )
        for row in SAID
    ],
)
def test_what_is_said(run: Run, command: str, typed: str, said: list[str]) -> None:
    if "10x12" in command:
        pytest.importorskip("ortools")
    ended = run(*command.split(), typed=lines(typed))
    assert ended.status == 0
    flat = " ".join(f"{ended.out} {ended.err}".split())
    for sentence in said:
        assert (sentence.removeprefix("not ") in flat) != sentence.startswith("not "), sentence


# documents

SOLVED: dict[str, Any] = {"solved": True}
GIVEN = {"codemaker": "random", "seed": 4}
DOCUMENTS: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("play --seed 4", "aabb", {**GIVEN, "secret": None, "solved": False}, ["AABB XX 114"]),
    (
        "play --seed 4",
        "aabb / aeeb",
        {**GIVEN, "secret": "AEEB", **SOLVED},
        ["AABB XX 114", "AEEB XXXX 1"],
    ),
    (
        "solve -s knuth --secret BEEF",
        "",
        {"strategy": "knuth", "secret": "BEEF", **SOLVED},
        ["AABB O 256", "BCDD X 34", "CCAE O 4", "BEFF XXX 1", "BEEF XXXX 1"],
    ),
    (
        "solve -s first --secret BEEF --max-guesses 1",
        "",
        {"strategy": "first", "secret": "BEEF", "solved": False},
        ["AAAA - 625"],
    ),
    (
        "solve",
        "o / beef=xxxx",
        {"strategy": "entropy", "secret": "BEEF", **SOLVED},
        ["ABCD O 152", "BEEF XXXX 1"],
    ),
]


@pytest.mark.parametrize(("command", "typed", "document", "turns"), DOCUMENTS)
def test_as_json(
    run: Run, command: str, typed: str, document: dict[str, Any], turns: list[str]
) -> None:
    printed = run(*command.split(), "--json", typed=lines(typed)).document()
    listed = printed.pop("turns")
    explained = [turn.pop("explanation", None) for turn in listed]
    assert list(listed[0]) == ["guess", "mark", "candidates"]
    if command.startswith("solve"):
        assert explained[0]["strategy"] == document["strategy"]
        assert explained[0]["attempt"] == listed[0]["guess"]
        assert explained[0]["result"] == listed[0]["mark"]
        assert explained[0]["reason"]
    assert printed == {"rules": "4x6", **document}
    assert [" ".join(map(str, turn.values())) for turn in listed] == turns


# games that are saved


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said", "marks", "secret"),
    [
        ("play --seed 4", "", ["XX", "-"], "AEEB"),
        ("play --codemaker evil", "It never contradicts itself.", ["-", "XO"], "CDEE"),
        ("play --codemaker optimal --seed 4", "The codemaker is optimal", ["-", "OOOO"], "DDCC"),
    ],
)
def test_given_up_and_reviewed(
    run: Run, command: str, said: str, marks: list[str], secret: str
) -> None:
    out = run(*command.split(), typed="AABB\nCCDD\ngive up\n").out
    assert said in " ".join(out.split())
    (path,) = games(Path())
    record = load_record(path)
    assert [str(turn.mark) for turn in record.turns] == marks
    assert (record.result, str(record.secret)) == ("given up", secret)
    assert run("review", str(path)).text() in out


def test_every_game_has_a_seed_of_its_own(run: Run) -> None:
    for number in range(5):
        run("play", "--save", f"{number}.txt", typed="ABCD\n")
    assert len({load_record(path).seed for path in Path().glob("*.txt")}) == 5


def test_marks_are_corrected_until_the_code_is_told(run: Run) -> None:
    typed = "xo / guess eeff / 2b0w / undo / change 1 0 1 / BBAA = O / why irvin / secret beef"
    flat = " ".join(run("solve", typed=lines(typed)).out.split())
    for said in [
        "2. E E F F XX 24 of 252 codes left, 3.39 bits",
        "Turn 2, EEFF=XX, is taken back.",
        "did you mean 'irving'",
        "Turn 2, BBAA, was marked O; the secret BEEF gives X.",
    ]:
        assert said in flat
    (path,) = games(Path())
    record = load_record(path)
    assert [str(turn) for turn in record.turns] == ["ABCD=O", "BBAA=O"]
    assert (record.result, str(record.secret)) == ("given up", "BEEF")


def test_resume_without_a_path_offers_the_unfinished_games(run: Run) -> None:
    assert "no unfinished game" in run("play", "--resume").err
    run("play", "--seed", "4", typed=lines("AABB / q"))
    run("play", "3x4", "--seed", "4", typed=lines("AAB / ABB / q"))
    run("play", "3x4", "--seed", "5", typed=lines("give up"))
    first, second = sorted(games(Path()), key=lambda path: "3x4" in path.name)
    os.utime(first, (1, 1))
    offered = run("play", "--resume", typed="")
    assert offered.status == 2
    assert str(second) in offered.err
    resumed = run("play", "--resume", typed=lines("3 / 2 / q"))
    assert re.search(r"1\. .* 3x4, 2 turns\n *2\. 1970-.* 4x6, 1 turn\n", resumed.err)
    assert "A A B B" in resumed.out
    assert "no unfinished game" in run("solve", "--resume").err


@pytest.mark.slow
def test_turns_that_were_played_by_hints_are_recorded(run: Run) -> None:
    """A hint or an explanation counts for the turn before which it is asked, also once undone."""
    game = ("play", "--seed", "4", "--save", "a.txt")
    run(*game, typed=lines("hint / AABB / undo / AABB / why / hint / CCDD"))
    assert "hinted: 1,2\n" in Path("a.txt").read_text()
    out = run("play", "--resume", "a.txt", typed=lines("undo / CCDD / AEEB")).out
    assert "hinted: 1,2\n" in Path("a.txt").read_text()
    assert "solved in 3 guesses, 2 by hints (" in out
    run("play", "--seed", "4", "--save", "c.txt", typed=lines("hint / quit"))
    run("play", "--resume", "c.txt", typed=lines("CCDD / hint / quit"))  # and goes on another day
    run("play", "--resume", "c.txt", typed=lines("AABB / hint / give up"))
    assert "hinted: 1,2\n" in Path("c.txt").read_text()
    several = ("play", "4x6", "--secrets", "2", "--seed", "1", "--save", "b.txt")
    run(*several, typed=lines("AABB / why / hint / CCDD / give up"))
    assert "hinted: 2\n" in Path("b.txt").read_text()


def test_a_given_code_is_saved_on_request(run: Run) -> None:
    for _ in range(2):  # a game that can be played again may be written over
        assert run("solve", "--secret", "BEEF", "--save", "my game.txt").status == 0
    record = load_record(Path("my game.txt"))
    assert (record.codebreaker, record.codemaker, record.result) == ("entropy", "given", "solved")
    # cut back to one turn, it goes on alone
    cut = Path("my game.txt").read_text().splitlines()[:7]
    Path("my game.txt").write_text("\n".join([*cut, "result: open"]))
    again = run("solve", "--resume", "my game.txt")
    assert again.out.count("codes left") == len(record.turns)
    assert load_record(Path("my game.txt")) == record


@pytest.mark.slow
def test_games_with_marks_in_part_go_on_and_are_reviewed(run: Run) -> None:
    typed = "0 ?\n=2\nXO\nquit\n"
    run("solve", "4x6", "--save", "open.txt", typed=typed)
    record = load_record(Path("open.txt"))
    assert [str(turn.mark) for turn in record.turns] == ["0b?w", "=2", "XO"]
    again = run("solve", "--resume", "open.txt", typed="quit\n")
    assert (again.status, load_record(Path("open.txt"))) == (0, record)
    turns = run("review", "open.txt", "--json").document()["turns"]
    assert [turn["mark"] for turn in turns] == ["0b?w", "=2", "XO"]
    typed_turns = [f"{turn['guess']}={turn['mark']}" for turn in turns]
    assert run("review", "4x6", *typed_turns, "--json").document()["turns"] == turns


def test_games_go_on(run: Run) -> None:
    """Contradictory marks are explained again; the strategy may change."""
    ended = run("solve", "--save", "open.txt", typed="xx\nguess abcd\noo\n")
    assert "pegwise solve --resume open.txt" in ended.err
    out = run("solve", "--resume", "open.txt", typed="undo\nundo\nundo\no\n").out
    assert "No code of 4x6 fits these 2 turns" in out
    assert "there is no turn to take back" in out
    assert "mark what first guesses" in run("solve", "--resume", "open.txt", "-s", "first").out
    assert load_record(Path("open.txt")).codebreaker == "first"
    # one that cannot go on from another's guess hands over, and says so
    out = run("solve", "--resume", "open.txt", "-s", "marechal-rastoix-1").out
    assert "proposed by entropy" in out


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_and_taken_up_again(run: Run, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--seed", "4", "--save", "my game.txt") as screen:
        screen.types("aabb")
        screen.sees("\x1b[1mXX\x1b[0m")
        screen.types("ccdd")
        screen.sees("Guess 3", "\n> ")
        screen.child.sendintr()
        screen.sees("To continue it: pegwise play --resume 'my game.txt'")
        assert screen.leaves() == 130
    # pegs are colored, letters are always there
    assert "48;5;124" in screen.read
    assert "  A   A   B   B  " in screen.text
    ended = run("play", "--resume", "my game.txt", typed="quit\nAEEB")
    assert [ended.out.count(words) for words in (" 1.  ", " 2.  ", "Guess 3")] == [1, 1, 1]
    assert "To continue it: pegwise play --resume 'my game.txt'" in ended.err
    assert "solved in 3 guesses" in run("play", "--resume", "my game.txt", typed="aeeb").out
    assert load_record(Path("my game.txt")).solved


@pytest.mark.slow
@pytest.mark.parametrize(("end", "status"), [("EOF", 0), ("SIGHUP", 129), ("SIGKILL", 137)])
def test_a_terminal_that_ends(tmp_path: Path, end: str, status: int) -> None:
    with terminal(tmp_path, "solve", "--save", "kept.txt") as screen:
        screen.types("oo")
        screen.sees("codes left", "\n> ")
        if end == "EOF":
            screen.child.sendeof()
        else:
            screen.child.kill(getattr(signal, end))
        if end != "SIGKILL":
            screen.sees("The game is saved. To continue it: pegwise solve --resume kept.txt")
        assert screen.leaves() == status
    assert [str(turn) for turn in load_record(tmp_path / "kept.txt").turns] == ["ABCD=OO"]


@pytest.mark.slow
def test_a_closed_pipe(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "kept.txt"
    child = start("solve", "--save", str(file))
    assert child.stdin and child.stdout
    child.stdin.write("oo\n")
    child.stdin.flush()
    while "codes left" not in child.stdout.readline():
        pass
    child.stdout.close()
    _, said = child.communicate("xo\nxx\n", timeout=PATIENCE)
    assert child.returncode == 0
    assert "Traceback" not in said
    assert f"To continue it: pegwise solve --resume {file}" in said
    assert str(load_record(file).turns[0]) == "ABCD=OO"


def test_a_home_that_is_a_file(run: Run) -> None:
    Path("home").write_text("a file, not a folder")
    ended = run("solve", typed="xo\nxx\n")
    assert ended.status == 0
    for said in (ended.out, ended.err):
        assert said.count("The game is not saved: no data can be kept in ") == 1
    assert run("race", "2x2", "-s", "first").status == 0


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


@pytest.mark.slow
def test_errors_of_strategies_speak_in_the_notation_that_was_typed(
    run: Run, tmp_path: Path
) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("def guess(game, turns):\n    return None if turns else 'AAB'\n")
    secret = ("solve", "3x3", "-s", str(silent), "--secret")
    assert "after AAB=XX: it plays None" in run(*secret, "ABB").err
    assert "after 112=XX: it plays None" in run(*secret, "122").err
    assert "after 🔴🔴🟢=●●: " in run(*secret, "ABB", "--notation", "discs").err
    named = run(*secret, "r b b", "--colors", "red,blue,tan").err
    assert "after red red blue=XX: " in named


def test_a_strategy_that_plays_the_same_guess_for_ever_is_stopped(run: Run, tmp_path: Path) -> None:
    again = tmp_path / "again.py"
    again.write_text("def guess(game, turns):\n    return 'AAB'\n")
    ended = run("solve", "3x3", "-s", str(again), "--secret", "122").err
    assert "does not find 122: it plays 112 again" in ended


def test_proofs_print_codes_in_the_notation_that_is_asked_for(run: Run) -> None:
    assert "first guess 112\n" in run("optimal", "3x3", "--notation", "digits").out
    assert "%  🔴🔴🟢  " in run("value", "3x3", "--stored", "--notation", "discs").out


def test_a_code_from_a_jar(run: Run, tmp_path: Path) -> None:
    out = run("play", "--jar", "a4b2c1", "--save", "jar.txt", typed=lines("AABB / quit")).out
    assert "AAAABBC" in out
    assert "5.52 bits" in out
    assert "4x3,A4B2C1" in run("play", "--resume", "jar.txt", typed=lines("quit")).out
    reviewed = run("review", "jar.txt", "--json").document()
    assert reviewed["rules"] == "4x3,A4B2C1"
    solved = run("solve", "--jar", "A9B1", "--secret", "AAAA").out
    assert "2 of 16 codes left, 0.61 bits" in solved
    (tmp_path / "w.txt").write_text("crane\nslate\n")
    assert "--jar 'A4B2'" in refused(run("play", "--words", "w.txt", "--jar", "A4B2"))
    for ignoring in ("play --resume jar.txt", "solve --resume jar.txt"):
        assert "--resume takes" in refused(run(*ignoring.split(), "--jar", "A4B2"))
