"""`pegwise review`, as typed."""

import json
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
4x6, secret B E E F: solved in 3 guesses

#  guess  mark  before  after   exp.  bits  exp.   luck  win?  best  cost
1  AABC   O      1,296    276  185.3  2.23  3.04  -0.81   yes  ABCD  0.01
2  DEBF   XXO      276      9   40.4  4.94  3.04  +1.90    no  BDDE  0.23
3  BEEF   XXXX       9      1    2.6  3.17  2.06  +1.11   yes  AEDD  0.67
exp.: to be expected of this guess; luck: bits beyond that; win?: whether it
could be the code; cost: bits that the best guess could be expected to tell
beyond this one.

In all, luck +2.20 bits; the guesses cost 0.91 bits against the best; 0 of 3
were best. Estimated by one look ahead (entropy). Against best play to the end
they cost 0.26 guesses on average.
"""


@pytest.fixture(autouse=True)
def _a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "game.txt").write_text(GAME)


def test_the_table(run: Run) -> None:
    ended = run("review", "game.txt")
    assert (ended.status, ended.out, ended.err) == (0, TABLE, "")
    assert run("review", "-", typed=GAME).out == TABLE


def test_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = run("review", "game.txt").out
    assert max(map(len, out.splitlines())) <= 50
    assert "     bits 4.94, expected 3.04, luck +1.90\n" in out
    assert "could not be the code; best guess: BDDE, cost 0.23" in " ".join(out.split())


def test_criteria_and_the_players_own_rule(run: Run) -> None:
    out = run("review", "game.txt", "--criterion", "minimax").out
    assert "look ahead (minimax)" in " ".join(out.split())
    document = json.loads(run("review", "game.txt", "--guesses", "candidates", "--json").out)
    assert document["guesses"] == "candidates"
    assert all(turn["best"]["could_win"] for turn in document["turns"])


def test_as_json(run: Run) -> None:
    ended = run("review", "game.txt", "--json")
    document = json.loads(ended.out)
    assert ended.err == ""
    assert document["secret"] == "BEEF"
    assert [turn["after"] for turn in document["turns"]] == [276, 9, 1]
    assert round(document["cost"], 2) == 0.91


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
    document = json.loads(run("review", "game.txt", "--json").out)
    assert (document["consistent"], document["wrong"]) == (False, [{"turn": 1, "mark": "O"}])


def test_an_empty_game_and_a_large_board(run: Run) -> None:
    Path("game.txt").write_text("pegwise game 1\nrules: 4x6\nresult: open\n")
    assert run("review", "game.txt").out == "4x6: not finished after 0 guesses\n"
    Path("game.txt").write_text(
        "pegwise game 1\nrules: 10x12\n1. ABCDEFGHIJ = XXXOO\nresult: open\n"
    )
    ended = run("review", "game.txt")
    assert ended.status == 0
    assert "too many codes to look for the best guesses" in " ".join(ended.out.split())


def test_what_is_refused(run: Run) -> None:
    assert "cannot read 'none.txt'" in refused(run("review", "none.txt"))
    Path("cut.txt").write_text(GAME[:60])
    assert "'cut.txt', line 6: " in refused(run("review", "cut.txt"))
    assert "did you mean 'entropy'" in refused(run("review", "game.txt", "--criterion", "entropi"))
    assert "write 'all' or 'candidates'" in refused(run("review", "game.txt", "--guesses", "some"))
    assert "'standard input', line 1" in refused(run("review", "-", typed="nonsense"))


def test_colors_at_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    out = run("review", "game.txt", colors=True).out
    assert "\x1b[" in out
    assert plain(out).partition("\n")[2] == TABLE.partition("\n")[2]
