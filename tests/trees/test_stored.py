"""A tree in a file as a strategy."""

from pathlib import Path

import pytest

import pegwise
from pegwise.errors import ContradictionError, InputError
from pegwise.game import Mark
from pegwise.strategies import parse_any


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    tree = pegwise.build("3x4", "knuth")
    paths = [str(tmp_path / f"mine.{suffix}") for suffix in ("tree", "txt", "json", "irving")]
    for path in paths:
        pegwise.save_tree(tree, path)
    return paths


def test_a_stored_or_printed_tree_races(files: list[str]) -> None:
    tree = pegwise.build("3x4", "knuth")
    for file in files:
        results = pegwise.race("3x4", [file, "knuth"])
        assert [standing.total for standing in results.standings] == [tree.total] * 2
        assert {standing.strategy for standing in results.standings} == {"mine", "knuth"}
        assert pegwise.race("3x4", [tree]).standings[0].total == tree.total


def test_a_file_that_holds_no_tree_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("AAAA 1")
    with pytest.raises(InputError, match="neither a pegwise tree file nor a printed tree"):
        parse_any(str(tmp_path / "notes.txt"))


def test_what_its_tree_does_not_contain_ends_in_a_sentence(files: list[str]) -> None:
    strategy = parse_any(files[0])
    assert strategy.typed == files[0]
    with pytest.raises(ContradictionError):
        strategy.begin(pegwise.game_of("3x4")).after(Mark(3, 0))
    with pytest.raises(pegwise.PegwiseError, match="plays 3x4, not 4x4"):
        pegwise.race("4x4", [files[0]])
