"""Narrow and wide terminals: nothing is cut off, and nothing runs over the edge."""

import pytest

from tests.cli.running import Run

RACERS = ["first", "optimal", "knuth", "marechal-rastoix-3", "forget-minimax"]
SHOWN = {
    "race": ["race", "3x4", *(word for name in RACERS for word in ("-s", name))],
    "drawn race": ["race", "3x4", "-s", "first", "-s", "knuth", "--games", "20"],
    "strategies": ["strategies", "knuth", "optimal-worst"],
    "bounds": ["bounds", "2x3"],
    "a contradiction": ["candidates", "4x6", "AABB=XXX", "CDAE=XXX", "CCCC=XX"],
    "candidates": ["candidates", "4x6", "AABB=XO", "CDAE=X"],
    "a game": ["solve", "3x4", "--secret", "DAB"],
}


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("what", SHOWN)
def test_lines_fit(run: Run, monkeypatch: pytest.MonkeyPatch, what: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run(*SHOWN[what]).out.splitlines()
    assert [line for line in lines if len(line) > columns] == []


def test_a_narrow_race_names_everyone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    standings, counts, pairs = run(*SHOWN["race"]).out.split("\n\n")[1:]
    for name in RACERS:
        for table in (standings, counts, pairs):
            assert name in table


def test_a_wide_race_keeps_its_rows_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    _, standings, counts, pairs = run(*SHOWN["race"]).out.split("\n\n")
    assert len(standings.splitlines()) == len(RACERS) + 2
    assert len(counts.splitlines()) == len(RACERS) + 2
    assert len(pairs.splitlines()) == len(RACERS) + 1
