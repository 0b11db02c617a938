"""Games, solved puzzles and days in a row that another device takes over by a code."""

from __future__ import annotations

import html
import random
import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from itsdangerous import TimestampSigner
from starlette.testclient import TestClient

from pegwise.web.transfers import MINUTES, pack, unpack
from tests.web.playing import begin, guess, refused, visitor

DAY = date(2026, 11, 28)
LISTS = {
    "puzzles": ["4x6 20261127", "4x6 20261128", "5x8 3 71234", "wörter@0a1b2c3d,placed 20261128"],
    "days": ["2026-11-27", "2026-11-28"],
    "hints": ["2 4x6 20261127"],
}


def draw(client: TestClient, lists: dict[str, list[str]] = LISTS) -> tuple[str, str]:
    """The code that a visitor draws, and the piece of the page that shows it."""
    answer = client.post("/api/transfers", json={"lists": lists})
    assert answer.status_code == 200, answer.text
    link = re.search(r'data-link="([^"]*)"', answer.text)
    assert link is not None
    address = urlsplit(html.unescape(link[1]))
    assert (address.path, address.query) == ("/games", "")
    return address.fragment.removeprefix("take="), answer.text


def take(client: TestClient, code: str, **more: Any) -> Any:
    return client.post("/api/transfers/take", json={"code": code, **more})


@pytest.mark.slow
def test_games_and_lists_are_taken_over_once(client: TestClient) -> None:
    mine, other = visitor(client), visitor(client)
    one, two = begin(mine, "3x4", hints=False), begin(mine, "2x3", secrets=2)
    mine.post(f"/api/games/{one['id']}/turns", json={"guess": "AAB", "turn": 1, "seconds": 3.5})
    mine.post(f"/api/games/{two['id']}/hint")
    mine.post(f"/api/games/{two['id']}/turns", json={"guess": "AB", "turn": 1})
    guess(mine, begin(mine, "3x4"), "ABC")  # it goes on
    for game in (one, two):
        mine.post(f"/api/games/{game['id']}/give-up")
    code, piece = draw(mine)
    assert "2 games that are over and 4 solved puzzles" in piece
    assert "newest" not in piece
    told = take(other, code, look=True).json()
    assert told["games"] == 2
    assert {name: set(each) for name, each in told["lists"].items()} == {
        name: set(each) for name, each in LISTS.items()
    }
    assert other.get("/games.json").json()["games"] == []  # it only looked
    for _ in range(2):
        assert take(other, code).json() == told
    guess(other, begin(other, "2x2"), "AA")
    here, there = (each.get("/games.json").json() for each in (mine, other))
    for part, n in (("games", 1), ("several", 1)):
        over = [[game for game in file[part] if game["over"]] for file in (here, there)]
        assert len(over[0]) == n
        same = ("record", "begun", "hints", "max_guesses", "seconds", "hinted")
        assert [[game[name] for name in same] for game in over[0]] == [
            [game[name] for name in same] for game in over[1] if game["rules"] != "2x2"
        ]
    back, _ = draw(other)
    assert take(mine, back).status_code == 200  # and none of them is there twice
    again = mine.get("/games.json").json()
    assert [len(again[part]) for part in ("games", "several")] == [2, 1]


def test_what_is_no_code_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = visitor(client), visitor(client)
    code, _ = draw(mine)
    changed = code[:20] + ("A" if code[20] != "A" else "B") + code[21:]
    for wrong in ("", "x", code[:-1], code[1:], changed, f"{code}.{code}", "é" * 50, "." * 9):
        assert "no code of this server" in refused(take(other, wrong, look=True))
    refused(take(other, "x" * 9000))
    assert "of this very browser" in refused(take(mine, code))
    later = TimestampSigner("x").get_timestamp() + 60 * MINUTES + 1
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _self: later)
    assert f"older than {MINUTES} minutes" in refused(take(other, code))


def test_what_is_no_list_is_refused(client: TestClient) -> None:
    mine = visitor(client)
    wrong: list[Any] = [
        {},
        {"lists": {"puzzles": []}},
        {"lists": {"days": ["x" * 81]}},
        {"lists": {"days": [1]}},
        {"lists": {"x" * 21: []}},
        {"lists": {"days": ["x"] * 2001}},
        {"lists": {str(n): ["x"] for n in range(21)}},
    ]
    for body in wrong:
        refused(mine.post("/api/transfers", json=body))
    assert "nothing to take over yet" in refused(mine.post("/api/transfers", json=wrong[1]))


@pytest.mark.parametrize(
    "items",
    [
        [],
        ["2026-11-28", "2024-02-29", "0001-01-01", "2026-02-30", "20260230", "20260229"],
        ["4x6 1 0", "4x6 1 007", "4x6 1 12345678", "4x6 1 99999999999999999999", "4x6 1 -5"],
        ["", " ", "=1", "+20261128", "-2026-11-28", "a\n20261128", "day 4x6 20261128", "٣", "9²"],
        [f"3 4x6 {(DAY - timedelta(k)):%Y%m%d}" for k in range(800)],
    ],
)
def test_a_list_that_is_packed_is_unpacked(items: list[str]) -> None:
    there = unpack(pack(items))
    assert sorted(there) == sorted(items)


@pytest.mark.slow
def test_a_year_fits_and_more_is_cut_with_a_word(client: TestClient) -> None:
    draw_at = random.Random(1)
    days = [DAY - timedelta(k) for k in range(365) if draw_at.random() < 0.8][::-1]
    names = [f"4x6 {day:%Y%m%d}" for day in days]
    lists = {
        "puzzles": names,
        "levels": [f"3 {name}" for name in names],
        "days": [str(day) for day in days],
        "gold": [name for name in names if draw_at.random() < 0.4],
        "daily": [f"day 4x6 {day:%Y%m%d}" for day in days],
    }
    mine, other = visitor(client), visitor(client)
    code, piece = draw(mine, lists)
    assert len(code) <= 1600
    assert "newest" not in piece
    told = take(other, code).json()["lists"]
    assert {name: set(each) for name, each in told.items()} == {
        name: set(each) for name, each in lists.items()
    }
    seeds = [f"4x6 3 {draw_at.randrange(10**9)}" for _ in range(2000)]
    code, piece = draw(mine, {**lists, "puzzles": seeds})
    assert len(code) <= 1600
    most = re.search(r"newest ([\d,]+) items", piece)
    assert most is not None
    n = int(most[1].replace(",", ""))
    told = take(other, code).json()["lists"]
    assert set(told["puzzles"]) == set(seeds[-n:])
    assert set(told["days"]) == set(lists["days"][-n:])


def test_a_page_of_this_machine_says_that_phones_cannot_reach_it(client: TestClient) -> None:
    _, piece = draw(visitor(client))
    assert "cannot reach" not in piece  # of a host in the network
    near = visitor(client).post(
        "/api/transfers", json={"lists": LISTS}, headers={"host": "localhost:8000"}
    )
    assert "You have opened this page as localhost, which other devices cannot reach" in near.text
    french = visitor(client).post(
        "/api/transfers", json={"lists": LISTS}, headers={"accept-language": "fr"}
    )
    assert "Il porte 0 partie terminée et 4 énigmes résolues" in french.text
