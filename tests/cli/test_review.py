"""`pegwise review`, as typed."""

from pathlib import Path

import pytest

from tests.cli.running import Run, plain, refused

GAME = """pegwise game 1
rules: 4x6
secret: BEEF

1. AABC = O
2. DEBF = XXO
3. BEEF = XXXX

result: solved
"""

TABLE = """\
4x6, secret B E E F: solved in 3 guesses (1 best, 1 good, 1 inaccurate); the
choices cost 0.26 guesses more than best play, and luck gave 2.20 bits.

#  guess  mark  before  after   exp.  bits   luck  win?  verdict     best  cost
1  AABC   O      1,296    276  185.3  3.04  -0.81   yes  best              0.00
2  DEBF   XXO      276      9   40.4  3.04  +1.90    no  inaccurate  BDDE  0.15
3  BEEF   XXXX       9      1    2.6  2.06  +1.11   yes  good        AEDD  0.11
exp., bits: codes left and information expected; luck: bits gained beyond that;
win?: whether it could be the code; cost: guesses above best play; *: estimated
by one look ahead (entropy).
"""


@pytest.fixture
def game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    Path("game.txt").write_text(GAME)


@pytest.mark.slow
@pytest.mark.usefixtures("game")
def test_a_review(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = run("review", "game.txt")
    assert (ended.status, ended.out, ended.err) == (0, TABLE, "")
    assert run("review", "-", typed=GAME).out == TABLE
    pasted = "AABC O / DEBF XXO / BEEF XXXX"
    assert run("review", "-", typed=pasted).out == TABLE
    digits = "1123 O / 4526 XXO / 2556 XXXX"
    assert "2  4526   XXO" in run("review", "-", typed=digits).out
    assert "2  DEBF   XXO" in run("review", "-", "--notation", "letters", typed=digits).out
    document = run("review", "game.txt", "--json").document()
    assert document["secret"] == "BEEF"
    assert [turn["after"] for turn in document["turns"]] == [276, 9, 1]
    assert round(document["cost"], 2) == 0.91
    out = run("review", "game.txt", "--criterion", "minimax", "--guesses", "candidates").out
    assert "look ahead (minimax)" in " ".join(out.split())
    document = run("review", "game.txt", "--guesses", "candidates", "--json").document()
    assert document["guesses"] == "candidates"
    assert all(turn["best"]["could_win"] for turn in document["turns"])
    why = run("review", "game.txt", "--why", "2").out.removeprefix(TABLE)
    assert "this list looks one step ahead, by entropy" in " ".join(why.split())
    assert "\nThe best guesses by entropy: the most bits.\n" in why
    assert "    DEBF   3.04  40.4       58     12    no  <- played\n" in why
    assert "this game has no turn 4" in refused(run("review", "game.txt", "--why", "4"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    out = run("review", "game.txt", colors=True).out
    assert "\x1b[" in out
    assert plain(out).partition("\n\n")[2] == TABLE.partition("\n\n")[2]
    # too narrow for the table
    monkeypatch.setenv("COLUMNS", "50")
    out = run("review", "game.txt").out
    assert max(map(len, out.splitlines())) <= 50
    said = "bits 3.04, luck +1.90, win? no, verdict inaccurate, best BDDE, cost 0.15"
    assert said in " ".join(out.split())


@pytest.mark.slow
def test_turns_stand_in_place_of_a_file(run: Run) -> None:
    typed = run("review", "-", typed="AABB XO\nCCDD O", colors=True).out
    assert run("review", "AABB=XO", "CCDD=O", colors=True).out == typed
    assert run("review", "4x6", "AABB=XO", "CCDD=O", colors=True).out == typed
    assert run("review", "wordle", "CRANE=-YG--").out.startswith("wordle: ")
    assert "'none.txt'" in refused(run("review", "none.txt"))


def test_contradictory_marks(run: Run) -> None:
    Path("game.txt").write_text(
        "pegwise game 1\nrules: 4x6\nsecret: BEEF\n"
        "1. AABB = XX\n2. AABB = O\n3. CDEF = XX\nresult: given up\n"
    )
    ended = run("review", "game.txt")
    flat = " ".join(ended.out.split())
    assert ended.status == 1
    assert "given up after 3 guesses" in flat
    assert "1 AABB XX 1,296 114 " in flat
    assert "No code of 4x6 fits these 3 turns" in flat
    assert "Turn 1, AABB, was marked XX; the secret BEEF gives O." in flat
    assert "Turn 2" not in flat.partition("Turn 1, AABB")[2]
    document = run("review", "game.txt", "--json").document(1)
    assert (document["consistent"], document["wrong"]) == (False, [{"turn": 1, "mark": "O"}])


def test_an_empty_game_and_a_large_board(run: Run) -> None:
    Path("game.txt").write_text("pegwise game 1\nrules: 4x6\nresult: open\n")
    assert run("review", "game.txt").out == "4x6: not finished after 0 guesses.\n"
    Path("game.txt").write_text(
        "pegwise game 1\nrules: 10x12\n1. ABCDEFGHIJ = XXXOO\nresult: open\n"
    )
    flat = " ".join(run("review", "game.txt").text().split())
    assert "the choices cost" in flat
    assert "too many codes" not in flat


def test_words_of_a_list_are_reviewed(run: Run) -> None:
    Path("w.txt").write_text("crane trace slate forêt")
    out = run("review", "-", "--words", "w.txt", typed="crane --G-G / slate GGGGG").text()
    assert "solved in 2 guesses" in out


@pytest.mark.slow
def test_what_a_strategy_plays_after_the_same_turns(run: Run) -> None:
    Path("mine.py").write_text("def choix(candidates):\n    return candidates[0]\n")
    game = "AABC O / DDEF XX / BEEF XXXX"
    for name, guesses in (
        ("mine.py", ["AAAA", "BBDB", "BBEF"]),
        ("knuth", ["AABB", "BDDE", "ABED"]),
        ("static", ["DBEE", None, None]),
    ):
        document = run("review", "-", "-s", name, "--json", typed=game).document()
        assert [turn["strategy"] for turn in document["turns"]] == guesses
    assert "2. BDDE" in run("review", "-", "-s", "knuth", typed=game).out


@pytest.mark.slow
def test_a_game_of_a_file_or_program_goes_on(run: Run) -> None:
    Path("my own.py").write_text("def choix(candidates):\n    return candidates[0]\n")
    run("solve", "2x3", "-s", "my own.py", "--save", "game.txt", typed="O\n")
    assert "codebreaker: my own.py" in Path("game.txt").read_text()
    assert "-s" in refused(run("solve", "--resume", "game.txt"))  # it may be somebody else's
    out = run("solve", "--resume", "game.txt", "-s", "my own.py", typed="").out
    assert "mark what my own.py guesses" in out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_guess_that_hard_rules_do_not_allow_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("PEGWISE_LANG", language)
    Path("hard.txt").write_text(
        "pegwise game 1\nrules: 3x4,hard\n\n1. AAB = X\n2. DDD = -\n\nresult: open\n"
    )
    said = plain("".join(run("review", "hard.txt")[1:]))
    assert said.split()[-1] == "X."  # the last sentence tells the mark that DDD does not use
