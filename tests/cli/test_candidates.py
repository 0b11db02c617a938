"""`pegwise candidates` and `puzzle`, as typed."""

import datetime
import json
import os
from pathlib import Path

import pytest

import pegwise
from tests import naive
from tests.cli.running import Run, refused


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
    for turn in ("1234=2b1w", "abcd=2 1", "1 2 3 4=(2, 1)"):
        said = digits if "4" in turn else out
        assert run("candidates", "4x6", turn, "--limit", "3") == (0, said, "")
    discs = out.replace("AABD AACB ABAC", "🔴🔴🟢🟡 🔴🔴🔵🟢 🔴🟢🔴🔵")
    assert run("candidates", "4x6", "🔴🟢🔵🟡=●●○", "--limit", "3") == (0, discs, "")
    assert (
        run("candidates", "classic", "ABCD=XXXX").out == "1 code of classic fits this turn.\nABCD\n"
    )
    assert run("candidates", "3x2", "--limit", "0").out == "3x2 has 8 codes.\n"


@pytest.mark.parametrize("command", ["candidates", "bounds", "explain", "why"])
def test_turns_of_standard_input_are_not_read_unasked(
    run: Run, tmp_path: Path, command: str
) -> None:
    turns = tmp_path / "turns"
    turns.write_text("AABB=XO\n")
    with turns.open() as file:
        assert "write -" in run(command, "3x3", stdin=file).err
        assert file.read() == "AABB=XO\n"
        assert "write -" not in run(command, "3x3", stdin=file).err  # nothing follows there
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe, os.fdopen(writing, "w") as feed:
        assert "write -" not in run(command, "3x3", stdin=pipe).err
        print("AABB=XO", file=feed, flush=True)
        assert "write -" in run(command, "3x3", stdin=pipe).err
        assert "write -" not in run(command, "3x3", "ABC=OO", stdin=pipe).err
        assert pipe.readline() == "AABB=XO\n"


def test_codes_split_by_a_guess(run: Run) -> None:
    turns = ["4x6", "AABB=O"]
    document = run("why", *turns, "--guess", "BCDD", "--json").document()
    parts = document["parts"]
    history = [((0, 0, 1, 1), (0, 1))]
    codes = naive.consistent(naive.secrets(4, 6), history)
    by_mark = naive.partition((1, 2, 3, 3), codes, naive.mark)
    assert sorted(parts.values()) == sorted(map(len, by_mark.values()))
    assert sum(parts.values()) == document["count"] == 256
    out = run("why", *turns, "--guess", "BCDD").out
    assert "BCDD can get 13 different marks:\n" in out
    assert f"\n  XO    {parts['XO']}\n" in out
    assert "position 4" in run("why", *turns, "--guess", "BCDZ").err
    for guess, bits, expected in (("ABCD", 3.0567, 188.19), ("ABCC", 3.0437, 185.27)):
        known = run("why", "4x6", "--guess", guess, "--json").document()  # Forget
        assert known["bits"] == pytest.approx(bits, abs=5e-5)
        assert known["expected"] == pytest.approx(expected, abs=5e-3)
        assert f"\n{bits} bits; {expected} " in run("why", "4x6", "--guess", guess).out
    alone = run("why", "--guess", "AABBC", "--json").document()
    assert (alone["rules"], alone["count"]) == ("5x8", 8**5)


def test_candidates_as_json(run: Run) -> None:
    assert run("candidates", "6x26", "ABCDEF=XO", "--json", "--limit", "2").document() == {
        "rules": "6x26",
        "history": [{"guess": "ABCDEF", "mark": "XO"}],
        # a color in place, another one out of place, and the rest without a third: by hand
        "count": 6 * 5 * 21 * (22**4 - 21**4),
        "codes": ["AAAAAB", "AAAAAC"],
    }
    document = run("candidates", "4x6", "ABCD=XXO", "ABCD=XX", "--json").document(1)
    assert {each["kind"] for each in document.pop("explanations")} == {"guess"}
    assert document == {
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
    words = ("--words", "w.txt", "--also", "g.txt")
    assert "1 more may be guessed" in run("race", "-s", "first", *words).out


def test_lists_of_words_as_people_have_them(run: Run) -> None:
    Path("w.txt").write_text("crane, trace slate\ncrane CAT forêt\n", encoding="utf-8")
    Path("z.txt").write_text("zebra\n")
    words = ("--words", "w.txt", "--length", "5")
    ended = run("candidates", *words, "crane=--G-G")
    assert ended.out.endswith("\nSLATE\n") and ",placed." in ended.out
    assert len(ended.err.splitlines()) == 2
    assert run("candidates", *words, "crane 2").out.endswith("\nSLATE\n")
    assert run("candidates", *words, "foret=GGGGG").out.endswith("\nFORÊT\n")
    piped = run("candidates", "--words", "-", "crane=G--Y-", typed="crane forêt cocon")
    assert piped.out.endswith("\nCOCON\n")
    assert "4 words of 5 letters, 1 of others" in run("candidates", "--words", "w.txt").err
    assert "give --words too" in run("candidates", "--length", "5").err
    document = run("candidates", "wordle", "--also", "z.txt", "zebra=--G--", "--json").document()
    assert document["rules"].startswith("sgb-also@") and document["count"] > 0
    assert "has no list" in run("candidates", "4x6", "--also", "z.txt").err


def test_marks_that_are_noted_in_part(run: Run) -> None:
    turns = ("4x6", "AABB=2 ?", "CDCD =1")
    document = run("candidates", *turns, "--json").document()
    both = [
        code
        for code in naive.secrets(4, 6)
        if naive.mark((0, 0, 1, 1), code)[0] == 2 and sum(naive.mark((2, 3, 2, 3), code)) == 1
    ]
    assert document["count"] == len(both) and "noted" in document["read_as"]
    assert [turn["mark"] for turn in document["history"]] == ["XX?", "=1"]
    assert "=1" in run("review", "-", typed="AABB 2 ?\nCDCD =1").text()
    assert "noted in part" in run("explain", *turns).text()
    played = run("solve", "4x6", typed="2 ?\n=2\nquit\n")
    assert "150 of 1,296" in played.out and "noted in part" in played.out
    assert run("candidates", *turns, "AABB=3 ?").status == 1
    assert "--marks sum" in refused(run("candidates", "4x6", "AABB=2"))


CONTRADICTIONS = [
    (
        ["ABCD=XXO", "ABCD=XX"],
        [
            "No code of 4x6 fits these 2 turns: 48 codes fit turn 1, but none fits turn 2.",
            "If only one mark is wrong, it is one of these, the most likely first:",
            "  turn 1 (ABCD): with XX instead of XXO, 96 codes would fit",
            "  turn 2 (ABCD): with XXO instead of XX, 48 codes would fit",
        ],
    ),
    (
        ["AAAA=-", "BBBB=XXX", "CCCC=XXX", "DDDD=XXX"],
        [
            "No code of 4x6 fits these 4 turns: 16 codes fit turns 1 and 2, but none fits turn 3.",
            "No change of one mark helps: at least 2 marks are wrong.",
        ],
    ),
]


@pytest.mark.parametrize(("turns", "said"), CONTRADICTIONS)
def test_contradictions_are_explained(run: Run, turns: list[str], said: list[str]) -> None:
    text = run("candidates", "4x6", *turns).text(1)
    assert " ".join(text.split()).startswith(" ".join(" ".join(said).split()))


def test_what_cannot_be_counted(run: Run, few_states: None) -> None:
    line = refused(run("candidates", "8x8", "ABCDEFGH=XOO"))
    assert line.startswith("pegwise: the codes of 8x8 that fit these turns cannot be counted")


def test_what_is_inferred_is_told(run: Run) -> None:
    names = run("candidates", "RRGB 2 1", "RYBO 0 2").text()
    assert "R = red = A" in names and "7 codes of 4x6 fit" in names and "GRPB" in names
    document = run("candidates", "-", "--json", typed="1532 0 0\n5015 1 0\n1405 1 0\n").document()
    assert (document["codes"], document["read_as"]) == (["AAAA"], "Read as digits from 0 to 5.")
    assert run("candidates", "1532 0 0", "5015 1 0", "1405 1 0").out.endswith("0000\n")
    assert "x is absent, g is right" in run("candidates", "wordle", "crane=xxxxg").text()
    both = "If the second number includes the first (--marks inclusive): 108 codes fit."
    assert both in " ".join(run("candidates", "4x6", "1234 1 1").text().split())
    assert run("candidates", "4x6", "1234 1 1", "--marks", "inclusive").out.count("108") == 1
    own = ("--colors", "red,orange,yellow,green,blue,purple")
    assert "red red red red" in run("candidates", "4x6", "b b b b=-", *own).text()


def test_ambiguous_texts_are_refused_with_their_readings(run: Run) -> None:
    line = refused(run("candidates", "wordle", "crane=XXXXX"))
    assert "(1) GGGGG: X is right; --marks x-right, or (2) -----: X is absent" in line
    assert "1 code" in run("candidates", "wordle", "crane=XXXXX", "--marks", "x-right").text()
    assert "4x7" in refused(run("candidates", "BGBG 1 1"))
    assert "without a space" in refused(run("candidates", "4x6,", "black"))
    assert "4x6,blank does" in refused(run("candidates", "4x6", "AB..=X"))
    assert "cannot happen for 1111:" in refused(run("candidates", "4x6", "1111=OO"))
    assert "mark ●○ cannot" not in refused(run("candidates", "2x6", "🔴🔴=●○"))


def test_nothing_fits_and_why_else(run: Run) -> None:
    out = run("candidates", "wordle", "SLATE=-----", "BISON=YY-GY").text(1)
    assert "the word is not in the list sgb" in out


def test_the_mark_of_a_guess(run: Run) -> None:
    out = run("mark", "AABB", "ABCD").text()
    assert out.startswith("XO  1 black, 1 white\n  place 1, A: black,")
    assert "place 2, A: no mark, each A of the secret is paired with another peg." in out
    assert run("mark", "1122", "2211", "--json").document()["mark"] == "OOOO"
    assert run("mark", "wordle", "crane", "inbox").text().startswith("---Y-\n")
    assert run("mark", "4x6,black", "AABB", "ABCD").text().startswith("X  1 black\n")
    for wrong in (["AABB"], ["AABB", "ABC"], ["4x6", "AABB", "ABCG"], ["wordle", "crane", "box"]):
        refused(run("mark", *wrong))


def test_turns_are_explained(run: Run) -> None:
    out = run("explain", "4x6", "AABB=XO", "CCDD=-").text()
    assert "No peg of turn 2 is right. So C and D are not in the code." in out
    assert "56 codes fit all turns." in out
    document = run("explain", "4x6", "AABB=XO", "CCDD=-", "--json").document()
    assert (document["count"], document["steps"][0]["kind"]) == (56, "none")
    assert "No code of 4x6 fits" in run("explain", "4x6", "ABCD=XXO", "ABCD=XX").text(1)
    refused(run("explain", "4x6"))


# `pegwise puzzle`


def test_a_puzzle_with_hints_and_explained(run: Run) -> None:
    out = run("puzzle", "3x4", "--level", "4", "--seed", "2").text()
    head = [
        "Puzzle 3x4, level 4, seed 2. Which code fits all turns?",
        " 1.  B B D   X",
        " 2.  D C A   O",
    ]
    assert out.splitlines() == head
    hinted = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--hints", "1").out
    assert hinted.splitlines()[-3:] == ["place 1:  A B C", "place 2:  A B D", "place 3:  B C D"]
    explained = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--explain").out
    assert "  4. If A is in the code, turn 2 cannot have its mark. So A is not in" in explained
    assert explained.endswith("The code is CBC.\n")
    french = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--explain", "--lang", "fr").out
    assert french.endswith("Le code est CBC.\n")
    assert " So " not in french


def test_a_word_is_looked_for_last(run: Run) -> None:
    word = ("puzzle", "wordle", "--level", "3", "--seed", "5")
    out = run(*word, "--explain").out
    head, first = out.splitlines()[:2]
    assert head == "Puzzle wordle, level 3, seed 5. Which word fits all turns?"
    assert first == " 1.  T R U S T   -Y---"
    assert "In turn 1 this is absent: S, T and U. So S, T and U are not in the" in out
    assert out.endswith("Only one word of the list fits: CARVE.\nThe word is CARVE.\n")
    assert run(*word, "--explain", "--lang", "fr").out.endswith("Le mot est CARVE.\n")
    assert run(*word, "--hints", "2").out.splitlines()[-4] == "place 2:  A"
    assert run("puzzle", "4x6,placed", "--date", "2026-11-29", "--json").document()["level"] == 3


@pytest.mark.slow
def test_days_and_seeds_follow(run: Run) -> None:
    days = run("puzzle", "--date", "2026-11-30", "--count", "3", "--json").document()
    assert [each["seed"] for each in days["puzzles"]] == [20261130, 20261201, 20261202]
    assert [each["level"] for each in days["puzzles"]] == [1, 2, 2]
    assert days["puzzles"][0] == pegwise.puzzle(date="2026-11-30").document()
    seeds = run("puzzle", "2x3", "--seed", "5", "--count", "2", "--json").document()
    assert [each["seed"] for each in seeds["puzzles"]] == [5, 6]
    today = run("puzzle", "--json").document()["seed"]
    assert 0 <= int(f"{datetime.date.today():%Y%m%d}") - today <= 8900


@pytest.mark.slow
def test_a_set_of_puzzles_is_a_file(run: Run, tmp_path: Path) -> None:
    asked = ("puzzle", "3x3", "--count", "12", "--level", "1-2", "--seed", "4")
    file = tmp_path / "puzzles.jsonl"
    written = run(*asked, "-o", str(file))
    assert (written.status, written.out) == (0, "")
    puzzles = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert [each["level"] for each in puzzles] == [1, 2] * 6
    assert [each["rules"] for each in puzzles] == ["3x3"] * 12
    assert all(len(each["wrong"]) == 4 for each in puzzles)
    assert run(*asked, "--format", "jsonl", "--lang", "fr").out.encode() == file.read_bytes()
    assert puzzles[0]["sentences"]["fr"][0].startswith("Aucun pion du tour 1 ")
    days = run("puzzle", "3x3", "--date", "2026-11-30", "--count", "2", "--format", "jsonl").out
    assert [json.loads(line)["seed"] for line in days.splitlines()] == [20261130, 20261201]


def test_the_code_is_asked_for(run: Run) -> None:
    played = run("puzzle", "3x4", "--seed", "2", "--level", "4", "--play", typed="\nBBB\nX\nCBC\n")
    assert played.status == 0
    assert "  1. Turn 2 has no peg in its place." in played.out
    assert "BBB does not fit: see turn 1." in played.out
    assert played.out.endswith("Solved.\n")
    assert run("puzzle", "3x4", "--seed", "2", "--level", "4", "--play", typed="").status == 1


@pytest.mark.parametrize("leave", ["quit", " Q", "exit"])
def test_a_puzzle_can_be_left(run: Run, leave: str) -> None:
    ended = run("puzzle", "4x6", "--seed", "7", "--play", typed=f"{leave}\nAAAA\n")
    assert ended.status == 1
    assert "does not fit" not in ended.out


@pytest.mark.slow
def test_steps_are_written_as_the_turns_are(run: Run) -> None:
    out = run(
        "puzzle", "3x4", "--level", "4", "--seed", "2", "--explain", "--notation", "digits"
    ).out
    assert " 1.  2 2 4   X" in out
    assert "So 2 is not at place 3." in out
    assert "The code is 323." in out
    few = run("puzzle", "4x12", "--notation", "discs")
    assert "there are 9 discs, and 4x12 has 12 colors" in refused(few)


@pytest.mark.slow
def test_a_missing_board_is_inferred_or_an_example_is_near(run: Run) -> None:
    Path("plain.py").write_text("def guess(game, turns): ...")
    Path("coins.py").write_text("from pegwise.game import FiniteGame\ndef coins(): ...")
    Path("pupils").mkdir()
    assert "5x8" in run("solve", "--secret", "ABCDE", "-s", "first", "--json").document()["rules"]
    assert run("why", "--among", "0123,0132", "--json").document()["rules"] == "4x4"
    for typed, example in (
        ("race knuth", "pegwise race 4x6 -s knuth"),
        ("why viaud AABB=XO", "pegwise why 4x6 -s viaud"),
        ("solve 4x6 knuth", "-s knuth"),
        ("solve BEEF", "pegwise solve 4x6 --secret BEEF"),
        ("play 4,6", "pegwise play 4x6"),
        ("puzzle 46", "pegwise puzzle 4x6"),
        ("optimal AABB=XO", "pegwise candidates 4x6 AABB=XO"),
        ("candidates AABB", "pegwise candidates AABB=XO"),
        ("play quordle", "pegwise play wordle --secrets 4'"),
        ("solve octordle", "pegwise solve wordle --secrets 8'"),
        ("race plain", "pegwise race 4x6 -s plain.py'"),
        ("race 2x2 -s plain", "did you mean 'plain.py'?"),
        ("race 2x2 -s pupils:x=1", "did you mean 'pupils/'?"),
        ("play coins", "pegwise play coins.py'"),
    ):
        assert example in refused(run(*typed.split()))
    for typed in ("candidates 4x6 4x6:x", "race 4x6:x", "race coins.py:nothing", "play foo:1"):
        assert "did you mean" not in refused(run(*typed.split()))
    for typed in ("race 4x6,hardd", "race 99x99", "play 4x6,blank,hard"):  # no better than typed
        assert "'pegwise" not in refused(run(*typed.split()))


def test_a_strategy_says_why_it_plays_its_guess(run: Run) -> None:
    why = run("why", "4x6", "AABB=XO", "-s", "viaud", "--json").document()
    solved = run("solve", "4x6", "AABB=XO", "-s", "viaud", typed="quit\n").out
    assert (why["strategy"], why["guess"]) == ("viaud", "ABCC")
    assert all(" ".join(sentence.split()) in " ".join(solved.split()) for sentence in why["reason"])
    assert "ABCC" in run("why", "4x6", "AABB=XO", "-s", "viaud").out
    assert "AABB" in run("why", "4x6", "-s", "knuth").out  # without turns: the first guess
    assert run("why", "4x6", "AABB=XO", "AABB=OO", "-s", "knuth", "--json").document(1)
    assert "--among" in refused(run("why", "4x6", "-s", "knuth", "--among", "AABB,AABC"))
    assert "'nonsense'" in refused(run("why", "4x6", "-s", "nonsense"))


def test_a_secret_is_drawn(run: Run) -> None:
    command = ("solve", "5x5", "-s", "first", "--secret", "random")
    drawn = [run(*command, "--seed", seed, "--json").document()["secret"] for seed in "123"]
    assert run(*command, "--seed", "2", "--json").document()["secret"] == drawn[1]
    assert len(set(drawn)) > 1
    assert run("solve", "--secret", "random", "-s", "first", "--json").document()["solved"]


def test_codes_are_typed_as_lists(run: Run) -> None:
    """As in Python, and as pupils write them."""
    assert run("mark", "4x6", "[1,1,3,6]", "(3, 1, 1, 2)", "--json").document()["mark"] == "XOO"
    for turn in ("[2,4,1,1]=(2,1)", "[2, 4, 1, 1] = (2, 1)"):
        assert run("candidates", "4x6", turn, "--json").document()["count"] == 40
        assert run("candidates", turn, "--json").document()["count"] == 40
    wide = run("mark", "3x12", "[1,12,3]", "[3,12,1]", "--json").document()
    assert wide["mark"] == "XOO"
    among = run("why", "--among", "[1,2,3,4],[1,2,4,3]", "--json").document()
    assert [row["guess"] for row in among["guesses"]] == ["ABCD", "ABDC"]
    assert "'['" in refused(run("mark", "4x6", "[1,1,3", "[3,1,1,2]"))


def test_a_strategy_takes_its_turns_in_the_other_order(run: Run) -> None:
    """Forget prints the last turn first."""
    printed = run("why", "4x10", "EFGH=X", "ABCD=XO", "-s", "forget-entropy", "--json").document()
    played = run("why", "4x10", "ABCD=XO", "EFGH=X", "-s", "forget-entropy", "--json").document()
    assert printed == played
    assert "forget-entropy plays ABCD in turn 1" in " ".join(
        run("why", "4x10", "EFGA=X", "ABCD=XO", "-s", "forget-entropy").out.split()
    )


@pytest.mark.slow
def test_turns_are_read_by_every_command(run: Run) -> None:
    turns = ("RRGB 2 1", "RYBO 0 2")
    counted = run("candidates", *turns, "--json").document()
    assert counted["count"] == 7
    assert "RRGB" in run("solve", *turns, typed="quit\n").out.replace(" ", "")
    assert len(run("why", *turns, "--json").document()["guesses"]) == 7
    assert run("explain", *turns, "--json").document()["count"] == 7
    assert run("bounds", *turns, "--json").document()["codes"] == 7
    reviewed = run("review", "-", "--json", typed="\n".join(turns)).document()
    assert reviewed["turns"][-1]["after"] == 7
    for document in (counted, reviewed):
        assert "R = red = A" in document["read_as"]


def test_every_cause_is_told_wherever_nothing_fits(run: Run) -> None:
    turns = ("ABCD 2 1", "ABCD 2 0")
    kinds = {
        each["kind"] for each in run("candidates", *turns, "--json").document(1)["explanations"]
    }
    reviewed = run("review", "-", "--json", typed="\n".join(turns)).document(1)
    assert {each["kind"] for each in reviewed["explanations"]} == kinds == {"guess"}
    said = run("solve", "4x6", *turns, typed="quit\n").out
    assert "the guess of turn 1 was another one" in " ".join(said.split())


SHARED = "Wordle 1,234 3/6\n\n🟩🟨⬛⬛🟩\n🟩🟩⬛⬛🟩\n🟩🟩🟩🟩🟩\n"


def test_squares_alone_count_the_words_that_fit_each_row(run: Run) -> None:
    document = run("candidates", "-", "--secret", "crane", "--json", typed=SHARED).document()
    rows = [(row["mark"], row["count"], row["words"][0]) for row in document["rows"]]
    assert rows == [("GY--G", 6, "CABLE"), ("GG--G", 5, "CREME"), ("GGGGG", 1, "CRANE")]
    impossible = run("candidates", "-", "--secret", "fuzzy", typed=SHARED)
    assert "🟩🟨⬛⬛🟩  0" in impossible.text(1)
    assert "--secret 'crane'" in refused(run("candidates", "AABB=X", "--secret", "crane"))
    assert "4x6" in refused(run("candidates", "4x6", "-", typed=SHARED))


def test_chances_by_color_and_place(run: Run) -> None:
    lines = run("candidates", "3x3", "AAB=XO", "--chances").text().splitlines()
    table = [line.split() for line in lines[-4:]]
    assert table == [
        ["color", "1", "2", "3"],
        ["A", "50.0%", "50.0%", "50.0%"],
        ["B", "25.0%", "25.0%", "·"],
        ["C", "25.0%", "25.0%", "50.0%"],
    ]
    document = run("candidates", "3x3", "AAB=XO", "--chances", "--json").document()
    assert document["chances"][2] == {"A": 0.5, "B": 0.0, "C": 0.5}


def test_guesses_are_pairs_of_names(run: Run) -> None:
    names = "3x3,distinct,blank,black", "--colors", "Ann,Bea,Cleo", "--places", "Ed,Fred,Gus"
    out = run(
        "candidates", *names, "Ann-Ed Bea-Fred Cleo-Gus: 1", "Gus-Cleo=no", "--chances"
    ).text()
    assert "Ann-Ed Cleo-Fred Bea-Gus" in out
    assert "Cleo-Ed Bea-Fred Ann-Gus" in out
    assert out.splitlines()[-3].split() == ["Ann", "50.0%", "·", "50.0%"]
    assert "Zoe" in refused(run("candidates", *names, "Zoe-Ed: no"))
    assert "--colors" in refused(run("candidates", *names[:1], *names[3:], "Ann-Ed: no"))
    assert "--chances" in refused(run("candidates", "wordle", "--secrets", "2", "--chances"))
