"""Several secrets at once at the terminal: `--secrets` of play, solve, candidates, race, review."""

import re
from pathlib import Path

import pytest

import pegwise
from pegwise.playing import load_record
from tests.cli.running import Run, games, refused


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def lines(typed: str) -> str:
    return typed.replace(" / ", "\n") + "\n"


@pytest.mark.parametrize("together", [True, False], ids=["in-a-line", "one-by-one"])
def test_a_person_marks_every_hidden_board_until_all_are_solved(
    run: Run, tmp_path: Path, together: bool
) -> None:
    game = pegwise.parallel("3x4", 2)
    turns = pegwise.play(game, "entropy", "ABC|DDA")
    typed = [" | ".join(str(mark) for mark in turn.mark if mark is not None) for turn in turns]
    if not together:
        typed = [mark for marks in typed for mark in marks.split(" | ")]
    saved = tmp_path / "game.txt"
    said = run(
        "solve", "3x4", "--secrets", "2", "--save", str(saved), typed=lines(" / ".join(typed))
    )
    assert f"Found with {len(turns)} guesses" in said.text()
    record = load_record(saved)
    assert [*record.turns] == [*turns]
    assert record.solved
    reviewed = run("review", str(saved), "--json").document()
    assert reviewed["secrets"] == ["ABC", "DDA"]
    assert [turn["cost"] for turn in reviewed["turns"]] == [0] * len(turns)
    assert "2 of 2" in run("review", str(saved)).text()


def test_what_is_typed_wrong_is_asked_again(run: Run) -> None:
    typed = "X O / XX / undo / X | O | - / Z | O / AAB=X|- / change 1 O | X / undo / q"
    said = run("solve", "3x4", "--secrets", "2", typed=lines(typed)).text(silent=False)
    assert "may be one mark" in said
    assert "Mark of board 2" in said
    assert "3 marks, but 2 boards" in said
    assert re.search(r"1\.  A A B   X +-", said)
    assert re.search(r"1\.  A A B   O +X", said)
    assert "is taken back" in said


def test_marks_that_contradict_each_other_are_told_board_by_board(run: Run) -> None:
    typed = "ABC=XX|- / ABD=-|X / ABD=X|X / change 2 XX | X / undo / q"
    said = run("solve", "3x4", "--secrets", "2", typed=lines(typed)).text(silent=False)
    assert "Board 1:" in said
    assert "Board 2:" not in said
    assert "no code fits the marks" in said


def test_a_person_seeks_what_is_drawn(run: Run) -> None:
    game = pegwise.parallel("3x4", 2)
    secrets = game.read_secrets(game.draw(1, 8)[0].tolist())
    guesses = ["AAA", *map(str, secrets)]
    command = ("play", "3x4", "--secrets", "2", "--seed", "8")
    said = run(*command, "--json", typed=lines(" / ".join(guesses)))
    document = said.document()
    assert document["solved"]
    assert document["secrets"] == guesses[1:]
    assert document["turns"][-1]["marks"][0] is None
    lost = run(*command, "--max-guesses", "1", typed=lines("AAA")).text(silent=False)
    assert "Not found with 1 guess." in lost
    assert str(secrets[1]) in lost.replace(" ", "")
    helped = run(*command, typed=lines("AAB / hint / why / why knuth / left 2 / undo / give up"))
    assert "is taken back" in helped.text(silent=False)


def test_a_game_is_continued_where_it_was_left(run: Run, tmp_path: Path) -> None:
    run("play", "wordle", "--secrets", "4", "--seed", "5", typed=lines("crane / q"))
    (saved,) = games(tmp_path)
    assert "rules: wordle*4" in saved.read_text()
    said = run("play", "--resume", str(saved), typed=lines("sloth / q")).text(silent=False)
    assert "Guess 2 of 9" in said
    assert len(load_record(saved).turns) == 2


def test_secrets_that_are_given_are_found(run: Run) -> None:
    said = run("solve", "4x6", "--secrets", "2", "--secret", "AABB DEFF", "-s", "knuth").text()
    turns = pegwise.play("4x6*2", "knuth", "AABB|DEFF")
    assert f"Found with {len(turns)} guesses" in said


def test_candidates_are_listed_board_by_board(run: Run) -> None:
    turns = ["ABCD=XO | O", "AABB=O | -"]
    listed = run("candidates", "4x6", "--secrets", "2", *turns, "--json", "--limit", "3").document()
    boards = pegwise.candidates("4x6*2", turns)
    assert [board["count"] for board in listed["boards"]] == [len(board) for board in boards]
    assert listed["boards"][0]["codes"] == list(map(str, boards[0][:3]))
    assert "Board 2" in run("candidates", "4x6", "--secrets", "2", *turns).text()
    impossible = run("candidates", "2x2", "--secrets", "2", "AB=-|XX", "AA=-")
    assert "Board 1: 0 codes" in impossible.text(1)


def test_races_are_drawn_and_count_games_beyond_a_limit(run: Run) -> None:
    command = ("race", "3x4", "--secrets", "2", "-s", "irving", "--games", "20", "--seed", "3")
    document = run(*command, "--max-guesses", "4", "--json").document()
    (standing,) = document["results"]
    game = pegwise.parallel("3x4", 2)
    raced = pegwise.race(game, ["irving"], games=20, seed=3)
    assert standing["mean"] == raced.standings[0].mean
    beyond = int((raced.depths["irving"] > 4).sum())
    assert f"{beyond} of 20 games" in run(*command, "--max-guesses", "4").text()
    assert document["rules"] == "3x4*2"
    named = run("race", "3x4*2", *command[4:], "--max-guesses", "4", "--json").document()
    assert named["results"][0]["mean"] == standing["mean"]


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("candidates", "ABC=X|O --json"),
        ("solve", "--secret ABC|DDA --json"),
        ("play", "--seed 8 --json"),
    ],
)
def test_rules_may_tell_the_number_of_secrets(run: Run, command: str, more: str) -> None:
    told = run(command, "3x4*2", *more.split(), typed=lines("AAA / give up")).text(silent=False)
    option = (command, "3x4", "--secrets", "2", *more.split())
    assert told == run(*option, typed=lines("AAA / give up")).text(silent=False)


def test_turns_below_rules_with_secrets_are_reviewed(run: Run) -> None:
    reviewed = run("review", "3x4*2", "ABC=X | O", "DDA=- | XO", "--json").document()
    assert reviewed["rules"] == "3x4*2" and len(reviewed["turns"]) == 2


@pytest.mark.parametrize(
    "command",
    [
        "solve 4x6 --secrets 0",
        "solve 4x6 --secrets 101",
        "solve 2x2 --secrets 5",
        "solve 4x6,hard --secrets 2",
        "solve 6x9 --secrets 2",
        "solve 4x6 --secrets 2 -s random",
        "solve 4x6 --secrets 2 --secret AABB",
        "solve 4x6 --secrets 2 --secret AABB|AABB",
        "solve 4x6 --secrets 2 AABB=X|O --secret AABB|DEFF",
        "solve --secrets 2 AABB=X|O",
        "play 4x6 --secrets 2 --codemaker evil",
        "play wordle*101",
        "tree wordle*4",
        "candidates 4x6 --secrets 2 AABB=XO",
        "race 4x6 --secrets 2",
        "race 4x6 --secrets 2 --games 5 --memory 1GiB",
        "race 4x6 --secrets 2 --games 5 --turns t.csv",
        "race 4x6 --max-guesses 5",
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(run: Run, command: str) -> None:
    assert refused(run(*command.split(), typed=""))
