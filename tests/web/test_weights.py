"""What pages load, uncompressed: 120 kB at most, in either language, with much on them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

import pytest
from starlette.testclient import TestClient

from tests.web.playing import begin, guess, start_race, visitor

MOST = 120_000
LANGUAGES = ("en", "fr")
_FILES = re.compile(r"<(?:link|script) [^>]*/static/[^>]*\.(?:css|js|svg)\"[^>]*>")
_ADDRESS = re.compile(r'/static/[^"]+')
GAME = "history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
QUICK = ("knuth", "entropy", "parts", "irving", "first", "marechal-rastoix-1")
RACING = (*QUICK, *(f"{name}:guesses=candidates" for name in QUICK[:4]), "constraint", "random")


def weight(client: TestClient, path: str, pieces: Sequence[str] = (), language: str = "en") -> int:
    """Bytes of a page, of its styles and scripts, and of what these put into it at once."""
    headers = {"accept-language": language}
    page = client.get(path, headers=headers)
    assert page.status_code == 200, page.text
    loaded = {address for tag in _FILES.findall(page.text) for address in _ADDRESS.findall(tag)}
    assert len(loaded) > 3
    parts = [client.get(part, headers=headers) for part in (*sorted(loaded), *pieces)]
    assert [part.text for part in parts if part.status_code != 200] == []
    return sum(len(part.content) for part in (page, *parts))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/play?rules=wordle",
        "/play?rules=13x26,blank",
        "/play/several?rules=wordle&secrets=4",
        "/learn",
        "/learn/game?rules=5x8",
        "/learn/marechal-rastoix-1?rules=4x6&secret=EEFC",
        "/learn/table?strategy=first&rules=5x8&secret=HGFED",
        "/decode?rules=8x12&history=ABCDEFGH:XOO,AABBCCDD:XO",
        f"/review?rules=4x6&{GAME}&answers=1",
        "/puzzle?rules=5x8&date=2026-11-22",
        "/puzzle/sheet?level=2&seed=100&count=24",
        "/race?rules=4x6",
        "/tree?rules=5x5",
        "/tree/proven.4x6",
        "/room",
        "/words",
    ],
)
def test_pages(client: TestClient, path: str, language: str) -> None:
    later = ["/static/marks_wide.js"] if path.startswith("/decode") else []
    assert weight(client, path, later, language) < MOST


@pytest.mark.whole(of="pages")  # twelve jobs, one after the other
def test_a_race_of_twelve_that_has_ended(client: TestClient) -> None:
    race_id = start_race(client, RACING, rules="4x6", games=20)["id"]
    while client.get(f"/api/races/{race_id}").json()["state"] != "over":
        time.sleep(0.05)
    base = f"/api/races/{race_id}"
    pieces = [f"{base}/table.html", f"{base}/chart.svg"]
    for language in LANGUAGES:
        assert weight(client, f"/race/{race_id}", pieces, language) < MOST


def test_a_room_of_thirty(client: TestClient) -> None:
    """While all play, and with the results of a round."""
    teacher = visitor(client)
    room = teacher.post("/api/rooms", json={"rules": "5x8", "mode": "teacher"}).json()["id"]
    path, page = f"/api/rooms/{room}", f"/room/{room}"
    pupils = [visitor(client) for _ in range(30)]
    for number, pupil in enumerate(pupils):
        name = {"name": f"Prénom-numéro {number}"}
        assert pupil.post(f"{path}/players", json=name).status_code == 201
    teacher.post(f"{path}/next", json={"round": 0, "code": "HGFED"})
    for pupil in pupils:
        for turn in (1, 2):
            sent = {"round": 1, "turn": turn, "guess": "AABBC"}
            assert pupil.post(f"{path}/turns", json=sent).status_code == 200
    for one in (teacher, pupils[0]):
        assert max(weight(one, page, [], language) for language in LANGUAGES) < MOST
    teacher.post(f"{path}/show", json={"round": 1})
    results = [f"{path}/results.html?round=1"]
    for one in (teacher, pupils[0]):
        assert max(weight(one, page, results, language) for language in LANGUAGES) < MOST


def test_many_games_of_ones_own(client: TestClient) -> None:
    own = visitor(client)
    for _ in range(30):
        game = guess(own, begin(own, "3x4"), "AAB")
        own.post(f"/api/games/{game['id']}/give-up")
    pieces = ["/api/above.html"]
    assert max(weight(own, "/games", pieces, language) for language in LANGUAGES) < MOST
