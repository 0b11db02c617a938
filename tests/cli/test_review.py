"""`pegwise candidates` and `review`, as typed."""

from pathlib import Path

import pytest

from tests import naive
from tests.cli.running import Run, plain, refused


def test_codes_are_counted_and_listed(run: Run) -> None:
    assert run("candidates", "4x6", "ABCD=XXO", "ABEF=X").text().splitlines() == [
        "8 codes of 4x6 fit these 2 turns.",
        "ACAD ACDD ADCA ADCC CBBD CBDD DBCB DBCC",
    ]
    out = run("candidates", "ABCD=XXO", "--limit", "3").text()
    assert out.splitlines() == [
        "48 codes of 4x6 fit this turn.",
        "AABD AACB ABAC",
        "... and 45 more (see --limit)",
    ]
    digits = out.replace("AABD AACB ABAC", "1124 1132 1213")
    for turn in ("1234=2b1w", "abcd=2 1", "1 2 3 4=(2, 1)", "🔴🟢🔵🟡=●●○"):
        said = digits if "4" in turn else out
        assert run("candidates", "4x6", turn, "--limit", "3") == (0, said, "")
    assert run("candidates", "classic", "ABCD=XXXX").out == "1 code of 4x6 fits this turn.\nABCD\n"
    assert run("candidates", "3x2", "--limit", "0").out == "3x2 has 8 codes.\n"


def test_candidates_split_by_a_guess(run: Run) -> None:
    turns = ["4x6", "AABB=O"]
    document = run("candidates", *turns, "--split", "BCDD", "--json").document()
    parts = document["split"]["parts"]
    history = [((0, 0, 1, 1), (0, 1))]
    codes = naive.consistent(naive.secrets(4, 6), history)
    by_mark = naive.partition((1, 2, 3, 3), codes, naive.mark)
    assert sorted(parts.values()) == sorted(map(len, by_mark.values()))
    assert sum(parts.values()) == document["count"] == 256
    out = run("candidates", *turns, "--limit", "0", "--split", "BCDD").out
    assert "BCDD can get 13 different marks:\n" in out
    assert f"\n  XO    {parts['XO']}\n" in out
    assert "position 4" in run("candidates", *turns, "--split", "BCDZ").err


def test_candidates_as_json(run: Run) -> None:
    assert run("candidates", "6x26", "ABCDEF=XO", "--json", "--limit", "2").document() == {
        "rules": "6x26",
        "history": [{"guess": "ABCDEF", "mark": "XO"}],
        # a color in place, another one out of place, and the rest without a third: by hand
        "count": 6 * 5 * 21 * (22**4 - 21**4),
        "codes": ["AAAAAB", "AAAAAC"],
    }
    assert run("candidates", "4x6", "ABCD=XXO", "ABCD=XX", "--json").document(1) == {
        "count": 0,
        "suspects": [
            {"turn": 1, "mark": "XXO", "instead": [{"mark": "XX", "count": 96}]},
            {"turn": 2, "mark": "XX", "instead": [{"mark": "XXO", "count": 48}]},
        ],
    }


def test_words_of_a_file(run: Run) -> None:
    Path("w.txt").write_text("crane\ntrace\nslate\n")
    Path("g.txt").write_text("zebra\n")
    out = run("candidates", "placed", "--words", "w.txt", "crane=--G-G").text()
    assert out.endswith("placed fits this turn.\nSLATE\n")
    words = ("--words", "w.txt", "--guesses", "g.txt")
    assert "1 more may be guessed" in run("race", "-s", "first", *words).out


CONTRADICTIONS = [
    (
        ["ABCD=XXO", "ABCD=XX"],
        [
            "No code of 4x6 fits these 2 turns: 48 codes fit turn 1, and none of them turn 2.",
            "If only one mark is wrong, it is one of these, the most likely first:",
            "  turn 1 (ABCD): XX instead of XXO would leave 96 codes",
            "  turn 2 (ABCD): XXO instead of XX would leave 48 codes",
        ],
    ),
    (
        ["AAAA=-", "BBBB=XXX", "CCCC=XXX", "DDDD=XXX"],
        [
            "No code of 4x6 fits these 4 turns: 16 codes fit turns 1 and 2, and none of them "
            "turn 3.",
            "No change of one mark helps: at least 2 marks are wrong.",
        ],
    ),
]


@pytest.mark.parametrize(("turns", "said"), CONTRADICTIONS)
def test_contradictions_are_explained(run: Run, turns: list[str], said: list[str]) -> None:
    assert run("candidates", "4x6", *turns).text(1).splitlines() == said


def test_what_cannot_be_counted(run: Run, few_states: None) -> None:
    line = refused(run("candidates", "8x8", "ABCDEFGH=XOO"))
    assert line.startswith("pegwise: the codes of 8x8 that fit these turns cannot be counted")


# `pegwise review`

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
choices cost 0.26 guesses, and luck gave 2.20 bits.

#  guess  mark  before  after   exp.  bits   luck  win?  verdict     best  cost
1  AABC   O      1,296    276  185.3  3.04  -0.81   yes  best              0.00
2  DEBF   XXO      276      9   40.4  3.04  +1.90    no  inaccurate  BDDE  0.15
3  BEEF   XXXX       9      1    2.6  2.06  +1.11   yes  good        AEDD  0.11
exp., bits: codes and bits to be expected of this guess; luck: bits beyond that;
win?: whether it could be the code; cost: guesses above best play; *: estimated
by one look ahead (entropy).
"""


@pytest.fixture
def game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    Path("game.txt").write_text(GAME)


@pytest.mark.usefixtures("game")
def test_a_review(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = run("review", "game.txt")
    assert (ended.status, ended.out, ended.err) == (0, TABLE, "")
    assert run("review", "-", typed=GAME).out == TABLE
    pasted = "AABC O / DEBF XXO / BEEF XXXX"
    assert run("review", "-", typed=pasted).out == TABLE
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
    assert why.startswith("\nThe best guesses by entropy: the most bits.\n")
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
    assert "too many codes were possible to look for the best guesses" in flat
