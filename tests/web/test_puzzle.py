"""Puzzles and sheets, as the server gives them."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from pegwise.knowledge.puzzles import puzzle
from tests.web.playing import refused


def test_a_puzzle_is_that_of_the_library(client: TestClient) -> None:
    asked = {"rules": "3x4", "level": "2", "seed": "5"}
    assert (
        client.get("/api/puzzle", params=asked).json() == puzzle("3x4", level=2, seed=5).document()
    )
    day = client.get("/api/puzzle?date=2026-11-23", headers={"accept-language": "fr"}).json()
    assert (day["seed"], day["level"], day["solution"]) == (20261123, 1, "DAFA")
    assert day["steps"][0]["text"].startswith("Le tour ")
    assert len(str(client.get("/api/puzzle").json()["seed"])) == 8


def test_rules_level_and_seed_are_chosen(client: TestClient) -> None:
    def chosen(query: str) -> str:
        return client.get(f"/puzzle?{query}", follow_redirects=False).headers["location"]

    assert chosen("pegs=3&colors=4&level=2&seed=9") == "/puzzle?rules=3x4&level=2&seed=9"
    listed = chosen("words=sgb&marks=placed&level=&seed=4")
    assert listed == "/puzzle?rules=sgb,placed&level=&seed=4"
    assert re.fullmatch(r"/puzzle\?rules=5x8&level=&seed=\d{1,6}", chosen("pegs=5&colors=8&seed="))


def test_a_sheet_is_printed_again(client: TestClient) -> None:
    drawn = client.get("/puzzle/sheet?rules=3x4&count=7&lang=fr", follow_redirects=False)
    address = drawn.headers["location"]
    assert re.fullmatch(r"/puzzle/sheet\?rules=3x4&level=2&seed=\d+&count=7&lang=fr", address)
    page = client.get("/puzzle/sheet?rules=3x4&level=2&seed=5&count=7&lang=en").text
    assert page.count("<article") == 7
    assert page.count('<section class="sheet') == 2
    solutions = [puzzle("3x4", level=2, seed=seed).solution for seed in range(5, 12)]
    answers = re.findall(r'aria-label="([A-D ]+)"', page.partition("Answers")[2])
    assert answers == [" ".join(str(code)) for code in solutions]
    assert "/puzzle/sheet?rules=3x4&amp;level=2&amp;seed=5&amp;count=7" in page
    words = client.get("/puzzle/sheet?rules=wordle&level=1&seed=5&count=1&lang=en").text
    assert 'aria-label="D U N E S: absent, absent, absent, right, right"' in words
    assert client.get("/puzzle/sheet?rules=6x9&empty=1").text.count("<article") == 6


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/api/puzzle?rules=6x9", "6x9 has 531,441 codes"),
        ("/api/puzzle?level=6", "level '6': must be at most 5"),
        ("/api/puzzle?date=2026-02-30", "date '2026-02-30'"),
        ("/api/puzzle?date=2026-11-22&seed=3", "a seed or a date, not both"),
        ("/puzzle?seed=x", "seed 'x': give a whole number"),
        ("/puzzle?rules=sgb", "steps of reasoning are for boards"),
        ("/puzzle?rules=4x6,placed&level=4&seed=1", "levels that it has: 1, 2, 3"),
        ("/puzzle/sheet?level=2&seed=1&count=99", "a sheet has 1 to 36 puzzles"),
    ],
)
def test_what_is_no_puzzle_is_refused(client: TestClient, address: str, words: str) -> None:
    assert words in refused(client.get(address))


def test_the_first_and_the_last_month_have_neighbors(client: TestClient) -> None:
    for day in ("0001-01-01", "9999-12-31"):
        assert client.get(f"/puzzle?rules=3x4&date={day}").status_code == 200
