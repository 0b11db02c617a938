"""`pegwise race --dry-run`: what it tells, in terminals of any width and both languages."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import Run, refused


def test_tells_times_and_memory_and_plays_nothing(run: Run) -> None:
    ended = run("race", "5x8", "-s", "knuth", "-s", "entropy", "--dry-run")
    assert ended.status == 0
    assert "5x8: 32,768 secrets; nothing is played" in ended.out
    assert {line.split()[0] for line in ended.out.splitlines()} >= {"knuth", "entropy"}
    told = json.loads(run("race", "5x8", "-s", "knuth", "--dry-run", "--json").out)
    assert told["secrets"] == 32768
    (knuth,) = told["strategies"]
    assert 0 < knuth["workers"]["16"] < knuth["seconds"]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_lines_fit(run: Run, monkeypatch: pytest.MonkeyPatch, language: str, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    said = run("race", "6x9", "-s", "knuth", "--dry-run", "--lang", language).out
    assert max(map(len, said.splitlines())) <= columns
    assert ("6x9: 531,441" if language == "en" else "6x9 : 531\u202f441") in said


def test_times_that_cannot_be_foretold_are_refused(run: Run) -> None:
    assert "random" in refused(run("race", "4x6", "-s", "random", "--dry-run"))
