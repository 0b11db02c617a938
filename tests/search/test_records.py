"""Certificates of proven optima: shipped ones, damaged ones, and the page that shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pegwise.errors import DataFileError
from pegwise.game import Rules, mastermind
from pegwise.pictures.records import optima_section
from pegwise.search import players as play
from pegwise.search.archive import pack, read_parts
from pegwise.search.certificates.published import published
from pegwise.search.certificates.trees import (
    Proof,
    Record,
    check_record,
    load_record,
    prove,
    record_rows,
    save_record,
    shipped_record,
    standing,
)
from pegwise.search.players import Optimal, OptimalWorst
from pegwise.trees import Tree

PAGE = Path(__file__).parents[2] / "docs" / "records.md"


def made(rules: str) -> Record:
    board = Rules.parse(rules)
    return Record(board, prove(board), 1.25, 100, "2026-11-21")


def test_sixty_optima_are_shipped() -> None:
    boards = [record.rules for record in record_rows()]
    assert len(set(boards)) == len(boards) >= 60
    assert {Rules(4, 6), Rules(4, 8), Rules(4, 10, distinct=True)} <= set(boards)
    assert sum(board.black for board in boards) >= 10


def test_small_certificates_play_as_they_say() -> None:
    for record in record_rows():
        if mastermind(record.rules).n_secrets <= 300:
            assert check_record(record) == [], record.rules


@pytest.mark.parametrize("rules", ["4x6", "2x9", "3x10,distinct", "3x5,black", "5x2"])
def test_search_finds_shipped_optima_again(rules: str) -> None:
    shipped = shipped_record(Rules.parse(rules))
    again = prove(Rules.parse(rules))
    assert shipped is not None
    assert shipped.total == again.tree.total
    assert (shipped.least_worst, shipped.proof.limited.total) == (
        again.limited.worst,
        again.limited.total,
    )


def test_totals_are_those_that_others_proved() -> None:
    compared = 0
    for record in record_rows():
        for row in published(record.rules):
            if row.proven and row.guesses == "all" and row.max_guesses is None:
                found = record.total if row.objective == "total" else record.least_worst
                assert found == row.value, row
                compared += 1
    assert compared >= 40


def test_a_tree_that_plays_badly_is_found(tmp_path: Path) -> None:
    record = made("3x3")
    nodes = record.proof.tree.nodes
    guesses = nodes.guess.copy()
    guesses[-1] = 0
    tree = Tree(record.proof.tree.game, nodes._replace(guess=guesses), "optimal", {})
    problems = check_record(replace(record, proof=Proof(tree, tree, 1)))
    assert problems
    assert "smallest total" in problems[0]


def test_kept_and_read_again(tmp_path: Path) -> None:
    record = made("4x6")
    path = tmp_path / "a.optimum"
    save_record(record, path)
    again = load_record(path)
    assert (again.total, again.proof.tree.worst) == (5625, 6)
    assert (again.proof.limited.total, again.least_worst) == (5626, 5)
    assert (again.seconds, again.megabytes, again.date) == (1.25, 100, "2026-11-21")
    before = path.read_bytes()
    save_record(again, path)
    assert path.read_bytes() == before


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.optimum"
    save_record(made("3x3"), path)
    content = path.read_bytes()
    parts = read_parts(path)
    with pytest.raises(DataFileError, match="cannot read"):
        load_record(tmp_path / "none")
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(DataFileError, match="damaged or foreign"):
        load_record(path)
    lied = {**parts, "record.json": parts["record.json"].replace(b'"total": 73', b'"total": 72')}
    path.write_bytes(pack(lied))
    with pytest.raises(DataFileError, match="other totals or worst cases"):
        load_record(path)
    save_record(made("3x4"), tmp_path / "b.optimum")
    path.write_bytes(
        pack({**parts, "total.tree": read_parts(tmp_path / "b.optimum")["total.tree"]})
    )
    with pytest.raises(DataFileError, match="another game"):
        load_record(path)
    path.write_bytes(pack({"record.json": b"[]"}))
    with pytest.raises(DataFileError, match="no whole certificate"):
        load_record(path)


def test_strategies_play_shipped_trees_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    play._tree.cache_clear()
    monkeypatch.setattr(play, "find_optimum", None)  # must not be called
    game = mastermind("4x6")
    assert Optimal().tree(game).total == 5625
    assert OptimalWorst().tree(game).worst == 5
    assert Optimal().tree(mastermind("4x10,distinct")).total == 26274


def test_standing_names_the_source() -> None:
    found = {str(record.rules): standing(record) for record in record_rows()}
    assert found["4x6"].startswith("confirms K. Koyama")
    assert found["3x3,black"] == "new"


def test_page_is_printed_from_the_certificates() -> None:
    """If it fails: pegwise records > docs/records.md."""
    assert optima_section() in PAGE.read_text(encoding="utf-8")
