"""`pegwise play`, at a terminal and fed with lines."""

import json
import re
from pathlib import Path

import pytest

from pegwise.game import Rules, read_record
from pegwise.knowledge.codemaker import draw_secret
from tests import naive
from tests.cli.running import Run, games, refused, terminal

SECRET = tuple(draw_secret(Rules(4, 6), 4))  # AEEB


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def letters(code: tuple[int, ...]) -> str:
    return "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[color] for color in code)


def mark(guess: str, secret: tuple[int, ...] = SECRET) -> str:
    black, white = naive.mark(tuple(ord(letter) - ord("A") for letter in guess), secret)
    return "X" * black + "O" * white or "-"


def test_a_game_to_the_end(tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "4x6", "--seed", "4") as screen:
        screen.sees("Find a code of", "Guess 1, such as ABCD or 1234; or hint, why, give up, left,")
        screen.types("aabb")
        screen.sees(" 1.  ", f"\x1b[1m{mark('AABB')}\x1b[0m")
        screen.types("hint")
        screen.sees("proposed by entropy", "Guess 2, or help.")
        screen.types("why")
        screen.sees("The best guesses by entropy: the most bits.", "<- proposed")
        screen.types("left 2")
        screen.sees("codes are possible:")
        screen.types("ffff")
        screen.types("undo")
        screen.sees("Turn 2, FFFF=-, is taken back.")
        screen.types("no code")
        screen.sees("'no code': 'n' at position 1")
        screen.types(letters(SECRET))
        screen.sees("XXXX", "solved in 2 guesses", "luck ", "win?", "pegwise review ")
        assert screen.leaves() == 0
    (path,) = games(tmp_path)
    record = read_record(path)
    assert [str(turn) for turn in record.turns] == [f"AABB={mark('AABB')}", "AEEB=XXXX"]
    assert (record.result, tuple(record.secret or ()), record.seed) == ("solved", SECRET, 4)
    assert (record.codebreaker, record.codemaker) == ("person", "random")
    assert str(path) in "".join(screen.text.split())
    # pegs are colored, letters are always there
    assert "48;5;125" in screen.read
    assert "  A   A   B   B  " in screen.text


def test_marks_are_those_of_the_secret(run: Run) -> None:
    guesses = ["ABCD", "1123", "f f a b", "🔴🟢🔵🟡", "EEEE"]
    read = ["ABCD", "AABC", "FFAB", "ABCD", "EEEE"]
    shown = ["ABCD", "1123", *read[2:]]  # as they were typed; discs are letters on their colors
    out = run("play", "--seed", "4", typed="\n".join(guesses)).out
    for number, (guess, written) in enumerate(zip(read, shown, strict=True), 1):
        line = f" {number}.  {' '.join(written)}   {mark(guess)}"
        assert line in out.splitlines(), line


def test_the_review_says_what_the_plain_definition_says(run: Run) -> None:
    out = run("play", "--seed", "4", typed="AABB\nCCDD\ngive up\n").out
    candidates = naive.secrets(4, 6)
    lines = [line.split() for line in out.splitlines() if re.match(r"[0-9] +[A-F]{4} ", line)]
    rows = {cells[0]: cells for cells in lines}
    assert "4x6, secret A E E B: given up after 2 guesses" in out
    for number, guess in (("1", "AABB"), ("2", "CCDD")):
        colors = tuple(ord(letter) - ord("A") for letter in guess)
        parts = naive.partition(colors, candidates, naive.mark)
        expected = sum(len(part) ** 2 for part in parts.values()) / len(candidates)
        after = parts[naive.mark(colors, SECRET)]
        row = rows[number]
        assert row[1:3] == [guess, mark(guess)]
        assert row[3:6] == [f"{len(candidates):,}", f"{len(after):,}", f"{expected:.1f}"]
        assert row[8] == ("yes" if colors in candidates else "no")
        candidates = after
    (path,) = games(Path())
    assert read_record(path).result == "given up"
    again = run("review", str(path))
    assert again.status == 0
    assert again.out in out


def test_the_evil_codemaker(run: Run) -> None:
    guesses = ["AABB", "CCDD", "EEFF", "ABCD"]
    ended = run("play", "--codemaker", "evil", typed="\n".join([*guesses, "give up"]))
    assert "It never contradicts itself." in " ".join(ended.out.split())
    candidates = naive.secrets(4, 6)
    (path,) = games(Path())
    record = read_record(path)
    for guess, turn in zip(guesses, record.turns, strict=True):
        parts = naive.partition(tuple(turn.guess), candidates, naive.mark)
        assert letters(turn.guess) == guess
        assert len(parts[tuple(turn.mark)]) == max(len(part) for part in parts.values())
        candidates = parts[tuple(turn.mark)]
    assert record.secret in candidates


def test_a_seed_plays_the_same_game_again(run: Run) -> None:
    first = run("play", "5x8", "--seed", "7", typed="ABCDE\n12345\n")
    assert first.out == run("play", "5x8", "--seed", "7", typed="ABCDE\n12345\n").out
    drawn = set()
    for number in range(5):
        run("play", "--save", f"{number}.txt", typed="ABCD\n")
        drawn.add(read_record(Path(f"{number}.txt")).seed)
    assert len(drawn) == 5


@pytest.mark.parametrize("board", ["4x10,distinct", "3x5,blank", "3x4,black", "1x1", "12x26"])
def test_variants(run: Run, board: str) -> None:
    rules = Rules.parse(board)
    secret = tuple(draw_secret(rules, 3))
    ended = run("play", board, "--seed", "3", typed=f"left 1\nhint\n{letters(secret)}\n")
    said = f"{board}, secret {' '.join(letters(secret))}: solved in 1 guess"
    assert said in " ".join(ended.out.split())
    assert ended.status == 0


def test_digits_come_back_as_digits(run: Run) -> None:
    out = run("play", "--seed", "4", typed="1122\nundo\nleft 2\nwhy\nq").out
    assert f"Turn 1, 1122={mark('AABB')}, is taken back." in out
    assert "\n  1111  1112\n" in out
    assert "\n1  1234 " in out


def test_the_last_guess(run: Run) -> None:
    out = run("play", "--seed", "4", "--max", "2", typed="AABB\nCCDD\nAEEB\n").out
    assert "Guess 2 of 2, or help." in out
    assert "\nNot found with 2 guesses.\n\n4x6, secret A E E B: not found in 2 guesses (" in out
    ended = run("play", "--seed", "4", "--max", "3", "--save", "a.txt", typed="AABB\n")
    assert ended.err.endswith("pegwise play --resume a.txt --max 3\n")
    assert "--max 1: this game has 1 turns already" in refused(
        run("play", "--resume", "a.txt", "--max", "1")
    )
    won = run("play", "--seed", "4", "--max", "1", typed="AEEB\n").out
    assert "solved in 1 guess" in won
    assert "Not found" not in won


def test_a_notation(run: Run) -> None:
    out = run("play", "--seed", "4", "--notation", "discs", typed="1122\nleft 2\n").out
    assert " 1.  🔴 🔴 🟢 🟢   XX" in out
    assert "\n  🔴🔴🔵🔵" in out or "\n  🔴🔴" in out
    assert "there are 9 discs, and 4x12 has 12" in refused(
        run("play", "4x12", "--notation", "discs")
    )
    out = run("candidates", "2x12", "12,12=XX", "--notation", "digits").out
    assert out.endswith("\n12,12\n")


def test_a_board_with_holes_says_how_to_leave_one(run: Run) -> None:
    out = run("play", "4x6,blank", "--seed", "3", typed=".ABC\n_ABC\n").out
    assert "A dot leaves a hole of a guess empty, as in .ABC.\n" in out
    assert " 1.  . A B C " in out
    assert "and a dot is an empty hole" in " ".join(out.split())
    assert "dot" not in run("play", "4x6", "--seed", "3", typed="_ABC\n").out


def test_words_that_are_codes_as_well(run: Run) -> None:
    out = run("play", "4x26", "--seed", "1", typed="h i n t\nUNDO\n").out
    assert "To guess HINT, type H I N T." in out
    assert " 1.  H I N T " in out
    assert "Turn 1, HINT=" in out


def test_what_is_refused_while_playing(run: Run) -> None:
    typed = ["abcx", "undo", "left 0", "give", "hint me", "save none/x"]
    flat = " ".join(run("play", "--seed", "4", typed="\n".join(typed)).out.split())
    for sentence in [
        "'abcx': 'x' at position 4: the colors of 4x6 are letters A-F",
        "there is no turn to take back",
        "'0': write a whole number from 1 to 10000",
        "(did you mean 'give up'?)",
        "hint takes no argument, not 'me'",
        "cannot write 'none/x': there is no folder 'none'",
    ]:
        assert sentence in flat, sentence


def test_left_and_taken_up_again(run: Run, tmp_path: Path) -> None:
    with terminal(tmp_path, "play", "--seed", "4", "--save", "my game.txt") as screen:
        screen.types("aabb")
        screen.types("ccdd")
        screen.sees("Guess 3", "\n> ")
        screen.child.sendintr()
        screen.sees("To continue it: pegwise play --resume 'my game.txt'")
        assert screen.leaves() == 130
    ended = run("play", "--resume", "my game.txt", typed=f"quit\n{letters(SECRET)}")
    assert [ended.out.count(words) for words in (" 1.  ", " 2.  ", "Guess 3")] == [1, 1, 1]
    assert "To continue it: pegwise play --resume 'my game.txt'" in ended.err
    assert "solved in 3 guesses" in run("play", "--resume", "my game.txt", typed="aeeb").out
    assert read_record(Path("my game.txt")).solved


def test_as_json(run: Run) -> None:
    ended = run("play", "--seed", "4", "--json", typed="aabb\naeeb\n")
    assert "Find a code of" in ended.err
    document = json.loads(ended.out)
    candidates = [s for s in naive.secrets(4, 6) if naive.mark((0, 0, 1, 1), s) == (2, 0)]
    assert document == {
        "rules": "4x6",
        "codemaker": "random",
        "seed": 4,
        "secret": "AEEB",
        "turns": [
            {"guess": "AABB", "mark": "XX", "candidates": len(candidates)},
            {"guess": "AEEB", "mark": "XXXX", "candidates": 1},
        ],
        "solved": True,
    }
    document = run("play", "--seed", "4", "--json", typed="aabb\n").document()
    assert (document["secret"], document["solved"]) == (None, False)


def test_a_game_that_was_played_is_not_written_over(run: Run) -> None:
    run("play", "--seed", "4", "--save", "game.txt", typed="aabb\ngive up\n")
    over = Path("game.txt").read_bytes()
    said = refused(run("play", "--save", "game.txt", typed="ccdd\n"))
    assert "it holds a game that is over (pegwise review game.txt)" in said
    assert "another name" in refused(run("solve", "--secret", "BEEF", "--save", "game.txt"))
    assert Path("game.txt").read_bytes() == over


def test_what_is_refused(run: Run) -> None:
    run("play", "--seed", "4", "--save", "game.txt", typed="aabb\nccdd\n")
    text = Path("game.txt").read_text()
    Path("edited.txt").write_text(text.replace("AABB = XX", "AABB = XXX"))
    Path("damaged.txt").write_text(text[:-8])
    Path("paper.txt").write_text("pegwise game 1\nrules: 4x6\nresult: open\n")
    for arguments, reason in [
        ("play --resume game.txt --seed 5", "codemaker from its file"),
        ("play --save game.txt", "pegwise play --resume game.txt"),
        ("solve --resume game.txt", "pegwise play --resume game.txt"),
        ("play --resume edited.txt", "AABB=XXX is not a mark of this codemaker"),
        ("play --resume damaged.txt", "'damaged.txt', line 10: "),
        ("play --resume paper.txt", "its codemaker is person"),
    ]:
        assert reason in refused(run(*arguments.split())), arguments


def test_the_optimal_codemaker(run: Run) -> None:
    from pegwise.search.players import draw_optimal_secret

    secret = draw_optimal_secret(Rules(4, 6), 4)
    ended = run("play", "--codemaker", "optimal", "--seed", "4", typed="aabb\ngive up\n")
    assert ended.status == 0
    assert "The codemaker is optimal" in ended.out
    assert " ".join(str(secret)) in ended.out
    run("play", "--codemaker", "optimal", "--seed", "4", "--save", "a.txt", typed="aabb\nquit\n")
    ended = run("play", "--resume", "a.txt", typed=f"{secret}\n")
    assert "solved in 2 guesses" in ended.out
