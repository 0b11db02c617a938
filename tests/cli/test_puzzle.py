"""`pegwise puzzle`, as typed."""

import datetime

import pegwise
from tests.cli.running import Run


def test_a_puzzle_with_hints_and_explained(run: Run) -> None:
    out = run("puzzle", "3x4", "--level", "4", "--seed", "2").text()
    head = [
        "Puzzle 3x4, level 4, seed 2: which code fits?",
        " 1.  B B D   X",
        " 2.  D C A   O",
    ]
    assert out.splitlines() == head
    hinted = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--hints", "1").out
    assert hinted.splitlines()[-3:] == ["place 1: A B C", "place 2: A B D", "place 3: B C D"]
    explained = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--explain").out
    assert "  4. If A is in the code, turn 2 cannot have its mark. So A is not in" in explained
    assert explained.endswith("The code is CBC.\n")
    french = run("puzzle", "3x4", "--level", "4", "--seed", "2", "--explain", "--lang", "fr").out
    assert french.endswith("Le code est CBC.\n")
    assert " So " not in french


def test_a_word_is_looked_for_last(run: Run) -> None:
    word = ("puzzle", "wordle", "--level", "3", "--seed", "5")
    out = run(*word, "--explain").out
    assert out.startswith(
        "Puzzle sgb,placed, level 3, seed 5: which word fits?\n 1.  T R U S T   -Y--"
    )
    assert "In turn 1 this is absent: S, T and U. So S, T and U are not in the" in out
    assert out.endswith("Only one word of the list fits: CARVE.\nThe word is CARVE.\n")
    assert run(*word, "--explain", "--lang", "fr").out.endswith("Le mot est CARVE.\n")
    assert run(*word, "--hints", "2").out.splitlines()[-4] == "place 2: A"
    assert run("puzzle", "4x6,placed", "--date", "2026-11-29", "--json").document()["level"] == 3


def test_days_and_seeds_follow(run: Run) -> None:
    days = run("puzzle", "--date", "2026-11-30", "--count", "3", "--json").document()
    assert [each["seed"] for each in days["puzzles"]] == [20261130, 20261201, 20261202]
    assert [each["level"] for each in days["puzzles"]] == [1, 2, 2]
    assert days["puzzles"][0] == pegwise.puzzle(date="2026-11-30").document()
    seeds = run("puzzle", "2x3", "--seed", "5", "--count", "2", "--json").document()
    assert [each["seed"] for each in seeds["puzzles"]] == [5, 6]
    today = run("puzzle", "--json").document()["seed"]
    assert 0 <= int(f"{datetime.date.today():%Y%m%d}") - today <= 8900


def test_the_code_is_asked_for(run: Run) -> None:
    played = run("puzzle", "3x4", "--seed", "2", "--level", "4", "--play", typed="\nBBB\nX\nCBC\n")
    assert played.status == 0
    assert "  1. Turn 2 has no peg in its place." in played.out
    assert "BBB does not fit: see turn 1." in played.out
    assert played.out.endswith("Solved.\n")
    assert run("puzzle", "3x4", "--seed", "2", "--level", "4", "--play", typed="").status == 1
