"""`pegwise games`, and games by name at the terminal."""

from pathlib import Path

import pytest

from pegwise.game import NAMED_GAMES, game_of
from tests.cli.running import Run


@pytest.mark.slow
def test_games_are_listed(run: Run) -> None:
    listed = run("games", "--json").document()["games"]
    assert [game["name"] for game in listed] == [*NAMED_GAMES]
    for game in listed:
        assert game_of(game["rules"]) == game_of(game["name"])
    text = run("games").text()
    assert all(f"\n{name} " in text for name in NAMED_GAMES)


@pytest.mark.parametrize(
    ("command", "typed", "shown"),
    [
        ("solve number-baseball --secret 427", "", ["1 strike", "4 2 7   3 strikes"]),
        ("play bagels --seed 1", "123\nquit\n", ["1 2 3"]),
        ("solve hit-and-blow", "1 hit 2 blows\nquit\n", ["1 hit 2 blows"]),
        ("solve fallout", "likeness=1\nquit\n", ["likeness=1   2,274 of 5,757"]),
        ("mark bulls-and-cows 1234 1243", "", ["2 bulls 2 cows"]),
    ],
)
def test_marks_are_written_in_the_words_of_the_game(
    run: Run, command: str, typed: str, shown: list[str]
) -> None:
    ended = run(*command.split(), typed=typed)
    for text in shown:
        assert text in ended.out


def test_a_word_that_wordle_refuses_is_allowed_by_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "guesses.txt"
    path.write_text("soare roate", encoding="utf-8")
    advice = "; --also FILE allows the words of a file"
    typed = "soare\nzzzzz\nzebras\nquit\n"
    told = " ".join(run("play", "wordle", typed=typed).out.split())
    assert f"near words are SWORE, SWARE, STORE{advice}" in told
    assert f"has 5,757 words{advice}" in told
    assert told.count("--also") == 2  # the last one has another length
    wider = run("play", "wordle", "--also", str(path), typed=typed).out
    assert "S O A R E" in wider.upper()
    assert "--also" not in wider
    assert "pegwise words add nyt HIDDEN --also GUESSES" in " ".join(run("words").out.split())


def test_a_game_of_words_is_played_with_another_list(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("hide haze hunt", encoding="utf-8")
    ended = run("candidates", "fallout", "--words", str(path), "HIDE likeness=2")
    assert ended.out.split()[-1] == "HAZE"


COINS = str(Path(__file__).parents[2] / "examples" / "games" / "coins.py") + ":coins:count=3"


@pytest.mark.slow
def test_a_game_of_questions_ends_when_the_secret_is_known(run: Run) -> None:
    ended = run("solve", COINS, "--json", typed="heavier\nlevel\n")
    document = ended.document()
    assert document["solved"]
    assert [turn["guess"] for turn in document["turns"]] == ["A-B", "A-C", "B-"]
    early = run("play", COINS, "--seed", "1", typed="A+\nquit\n")
    assert "6" in early.out.split("A+")[-1]


def test_contradictory_marks_of_a_game_in_a_file_are_explained(run: Run) -> None:
    ended = run("solve", COINS, typed="level\nlevel\nquit\n")
    assert "change 1 heavier" in ended.out
