"""Trees in files as strategies at the terminal, and the notation of the file."""

from pathlib import Path

import pytest

import pegwise
from pegwise.pictures import label_pegs
from tests.cli.running import Run, refused


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"mine.{suffix}") for suffix in ("tree", "txt")]
    for path in paths:
        pegwise.save_tree(pegwise.build("3x4", "knuth"), path)
    return paths


def test_at_the_terminal(run: Run, files: list[str]) -> None:
    raced = run("race", "3x4", "-s", files[1], "-s", "first", "--json").document()
    assert [row["strategy"] for row in raced["results"]] == ["mine", "first"]
    assert files[1] in raced["command"]
    solved = run("solve", "3x4", "-s", files[0], "--secret", "ABC", "--json").document()
    assert solved["solved"]
    played = run("solve", "3x4", "-s", files[0], typed="guess DDD\n-\nquit\n")
    assert "proposed by entropy" in " ".join(played.out.split())
    resumed = run("solve", "--resume", played.err.split("--resume ")[1].split()[0])
    assert f"-s {files[0]}" in refused(resumed)


def test_viauds_notation_is_shown_where_it_was_in_the_file(run: Run, files: list[str]) -> None:
    shown = run("show", files[1]).out
    assert "(0, 1)" in shown
    assert "(0, 1)" not in run("show", files[0]).out
    asked = run("show", files[0], "--notation", "viaud").out
    assert asked.splitlines()[2:] == shown.splitlines()[2:]
    for file, labels in ((files[1], ">1</text>"), (files[0], ">A</text>")):
        run("show", file, "-o", "drawn.svg", "--force")
        assert labels in Path("drawn.svg").read_text()
        label_pegs("letters")
