"""What pages load, uncompressed: 120 kB at most, in either language, with much on them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import count
from random import Random

import pytest
from starlette.testclient import TestClient

from pegwise.web.rooms import room as rooms
from pegwise.web.rooms.live import GameCost, RoomReport, Rooms
from pegwise.web.storage import RoomTurnRow
from tests.web.playing import begin, guess, start_race, visitor

MOST = 120_000
LANGUAGES = ("en", "fr")
_FILES = re.compile(r"<(?:link|script) [^>]*/static/[^>]*\.(?:css|js|svg)\"[^>]*>")
_ADDRESS = re.compile(r'/static/[^"]+')
GAME = "history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
QUICK = ("knuth", "entropy", "parts", "irving", "first", "marechal-rastoix-1")
RACING = (*QUICK, *(f"{name}:guesses=candidates" for name in QUICK[:4]), "optimal", "random")


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


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/play?rules=wordle",
        "/play?rules=13x26,blank",
        "/play?rules=wordle&secrets=4",
        "/learn",
        "/learn/game?rules=5x8",
        "/learn/marechal-rastoix-1?rules=4x6&secret=EEFC",
        "/learn/table?strategy=first&rules=5x8&secret=HGFED",
        "/decode?rules=8x12&history=ABCDEFGH:XOO,AABBCCDD:XO",
        f"/review?rules=4x6&{GAME}&answers=1",
        "/puzzle?rules=5x8&date=2026-11-22",
        "/day?rules=4x6&date=2026-11-22",
        "/day?rules=wordle&date=2026-11-22",
        "/puzzle/sheet?level=2&seed=100&count=24",
        "/race?rules=4x6",
        "/tree?rules=5x5",
        "/tree/proven.4x6",
        "/room",
        "/words",
    ],
)
def test_pages(client: TestClient, path: str, language: str) -> None:
    later = {"decode": ["marks_wide"], "play": ["hand", "clock"], "day": ["hand", "clock"]}
    later["learn/game"] = ["lesson", "steps", "marking", "clock"]
    names = later.get(path[1:].partition("?")[0], [])
    if "wordle" in path:
        names = [name for name in names if name != "hand"]  # whose pegs are typed
    assert weight(client, path, [f"/static/{name}.js" for name in names], language) < MOST


@pytest.mark.slow  # twelve jobs, one after the other
def test_a_race_of_twelve_over_all_secrets(client: TestClient) -> None:
    race_id = start_race(client, RACING, rules="4x6")["id"]
    while client.get(f"/api/races/{race_id}").json()["state"] != "over":
        time.sleep(0.05)
    base = f"/api/races/{race_id}"
    pieces = [f"{base}/table.html", f"{base}/chart.svg"]
    for language in LANGUAGES:
        assert weight(client, f"/race/{race_id}", pieces, language) < MOST - 3000


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["same", "duel"])
def test_a_room_of_thirty(client: TestClient, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """While all play, and with the results of five rounds, of which the last is reported on."""
    teacher, pupil = visitor(client), visitor(client)
    room = teacher.post("/api/rooms", json={"rules": "5x8", "mode": mode}).json()["id"]
    path, page = f"/api/rooms/{room}", f"/room/{room}"
    assert pupil.post(f"{path}/players", json={"name": "Marie-Antoinette 1-0"}).status_code == 201
    storage = client.app.state.services.storage  # type: ignore[attr-defined]
    for number in range(2, 31):
        rooms.join(storage, room, f"pupil {number}", f"Prénom-numéro-du-{number}")
    code = count(8**4)
    for number in range(1, 6):
        teacher.post(f"{path}/next", json={"round": number - 1})
        with storage.write() as session:
            for player in range(1, 31):
                for turn in range(mode == "same", 7):  # each begins in another way
                    guess = f"{next(code):05o}".translate(str.maketrans("01234567", "ABCDEFGH"))
                    row = RoomTurnRow(room_id=room, round=number, player=player, number=turn)
                    mark = "XXOO" if turn < 6 else "XXXXX"
                    row.guess, row.mark = guess, mark if turn else str(31 - player)  # its partner
                    session.add(row)
    for one in (teacher, pupil):
        assert max(weight(one, page, [], language) for language in LANGUAGES) < MOST
    costs = {n: GameCost(excess=n / 7, unit="bits", first=n / 9) for n in range(1, 31)}
    report = RoomReport(complete=True, costs=costs)
    monkeypatch.setattr(Rooms, "report", lambda *_: report)
    teacher.post(f"{path}/show", json={"round": 5})
    results = [f"{path}/results.html?round=5"]
    for one in (teacher, pupil):
        assert max(weight(one, page, results, language) for language in LANGUAGES) < MOST - 1000


@pytest.mark.slow
def test_many_games_of_ones_own(client: TestClient) -> None:
    own = visitor(client)
    for _ in range(30):
        game = guess(own, begin(own, "3x4"), "AAB")
        own.post(f"/api/games/{game['id']}/give-up")
    pieces = ["/api/above.html"]
    draw = Random(1)
    seeds = [f"4x6 3 {draw.randrange(10**9)}" for _ in range(2000)]  # of which not all fit
    drawn = own.post("/api/transfers", json={"lists": {"puzzles": seeds}})
    assert drawn.status_code == 200
    most = MOST - len(drawn.content)
    assert max(weight(own, "/games", pieces, language) for language in LANGUAGES) < most
