"""Rooms over the API: who may do what, turns that are played once, codes that stay hidden."""

from __future__ import annotations

import ast
import asyncio
import csv
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from pegwise.game import Rules, game_of, parse_code
from pegwise.web import pages as web_pages
from pegwise.web.dates import day_and_month
from pegwise.web.pages import STATIC, Look, catalogue, event_stream, script_texts, scripts_of
from pegwise.web.rooms import live, turns
from pegwise.web.rooms import room as rooms
from pegwise.web.rooms.live import RoomReport, Rooms, game_cost
from pegwise.web.rooms.results import first_guesses
from pegwise.web.spreadsheet import spreadsheet
from pegwise.web.storage import (
    BusyError,
    ConflictError,
    RoomPlayerRow,
    RoomRoundRow,
    RoomRow,
    RoomTurnRow,
    Storage,
    now,
)
from tests.web.playing import refused, visitor


class Visitor:
    """Somebody with a session of their own, who asks about one room."""

    def __init__(self, client: TestClient, path: str = "") -> None:
        self.client, self.path = visitor(client), path

    def ask(self, method: str, path: str, **options: Any) -> Any:
        return self.client.request(method, path, **options)

    def get(self, path: str = "") -> Any:
        return self.ask("GET", self.path + path)

    def post(self, path: str = "", **body: Any) -> Any:
        return self.ask("POST", self.path + path, json=body)

    def guess(self, code: str, turn: int = 1, round: int = 1) -> Any:  # noqa: A002
        return self.post("/turns", guess=code, turn=turn, round=round)

    def steer(self, action: str, round: int = 1, **body: Any) -> Any:  # noqa: A002
        answer = self.post(f"/{action}", round=round, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()


Opened = Callable[..., tuple[Visitor, list[Visitor]]]


@pytest.fixture
def opened(client: TestClient) -> Iterator[Opened]:
    """Open a room; its teacher, and pupils with these names. It is deleted after the test."""
    rooms_opened: list[tuple[Visitor, str]] = []

    def open_room(*names: str, **options: Any) -> tuple[Visitor, list[Visitor]]:
        teacher = Visitor(client, "/api/rooms")
        answer = teacher.post(**options)
        assert answer.status_code == 201, answer.text
        teacher.path += f"/{answer.json()['id']}"
        rooms_opened.append((teacher, teacher.path))
        pupils = [Visitor(client, teacher.path) for _ in names]
        for pupil, name in zip(pupils, names, strict=True):
            assert pupil.post("/players", name=name).status_code == 201
        return teacher, pupils

    yield open_room
    for teacher, path in rooms_opened:
        teacher.ask("DELETE", path)


def storage_of(client: TestClient) -> Storage:
    return client.app.state.services.storage  # type: ignore[attr-defined, no-any-return]


def hidden(teacher: Visitor) -> str:
    """The code of the newest round, from the database."""
    with storage_of(teacher.client).read() as session:
        rows = select(RoomRoundRow).where(RoomRoundRow.room_id == teacher.path[-5:])
        return session.scalars(rows.order_by(RoomRoundRow.number.desc())).all()[0].hidden


@pytest.mark.slow
def test_all_seek_the_same_code(opened: Opened) -> None:
    teacher, (lea, tom) = opened("Léa", "Tom", rules="3x4")
    refused(lea.guess("AAA"), 409)  # no round has begun
    teacher.steer("next", 0)
    assert teacher.steer("next", 0)["round"] == 1  # the button was pressed twice
    secret = hidden(teacher)
    wrong = [code for code in ("AAB", "BBC", "CDD", "ABC") if code != secret]
    told = []
    for turn, code in enumerate(wrong[:2], 1):
        answer = lea.guess(code, turn)
        rules = Rules.parse("3x4")
        marked = str(rules.marking.mark(parse_code(code, rules), parse_code(secret, rules)))
        assert answer.json()["turns"][-1] == {"guess": code, "mark": marked}
        told.append(answer.text)
        assert lea.guess(code.lower(), turn).text == answer.text  # sent again, played once
    assert "turn 2 was" in refused(lea.guess(wrong[2], 2), 409)
    assert "turn 3 is next" in refused(lea.guess(wrong[2], 4), 409)
    assert tom.get().json()["you"]["turns"] == []  # nobody sees the guesses of others
    paths = ("", "/results?round=1", "/results.csv")
    told += [visitor.get(path).text for visitor in (lea, tom) for path in paths]
    told += [lea.ask("GET", f"/room/{teacher.path[-5:]}").text, teacher.get().text]
    assert not [text for text in told if f'"{secret}"' in text or f",{secret}," in text]
    board = teacher.get().json()["board"]
    assert [(row["name"], len(row["marks"]), row["over"]) for row in board] == [
        ("Léa", 2, False),
        ("Tom", 0, False),
    ]
    assert tom.guess(secret).json()["over"]
    assert "the game is over" in refused(tom.guess(wrong[0], 2), 409)
    (late,) = opened("Ann")[1]  # who comes late plays too
    late.path = teacher.path
    assert late.post("/players", name="Zoé").json()["you"]["turns"] == []
    assert late.guess(secret).json()["solved"] == 1
    teacher.steer("show")
    assert "round 1 is over" in refused(lea.guess(wrong[2], 3), 409)
    assert lea.guess(wrong[1], 2).status_code == 200  # the answer was lost, the turn is not
    results = lea.get("/results?round=1").json()
    assert [game["name"] for game in results["games"]] == ["Tom", "Zoé", "Léa"]
    assert {game["secret"] for game in results["games"]} == {secret}
    drawn = teacher.get("/results.html?round=1").text
    assert "Tom, Zoé" in drawn and "Pupil" not in drawn
    nameless = teacher.get("/results.html?round=1&names=false").text
    assert "Pupil 1" in nameless and not any(name in nameless for name in ("Léa", "Tom", "Zoé"))
    own = lea.get("/results.html?round=1").text
    assert "You have not found the code" in own
    teacher.steer("next")
    assert lea.guess("AAA", 1, 2).status_code == 200
    assert lea.get().json()["you"]["turns"][0]["guess"] == "AAA"
    assert lea.get("/results?round=1").status_code == 200
    assert "round 2 is not over" in refused(lea.get("/results?round=2"), 409)
    rows = list(
        csv.DictReader(teacher.get("/results.csv").text.removeprefix("\ufeff").splitlines())
    )
    assert [(row["name"], row["guesses"], row["code"]) for row in rows][:2] == [
        ("Tom", "1", secret),
        ("Zoé", "1", secret),
    ]
    assert "only the person who opened" in refused(lea.get("/results.csv"), 403)


def test_the_teacher_hides_the_code(opened: Opened) -> None:
    teacher, (lea,) = opened("Léa", mode="teacher", rules="wordle")
    for code, words in ((None, "the code of the teacher is missing"), ("zzzzz", "zzzzz")):
        assert words in refused(teacher.post("/next", round=0, code=code))
    assert "hello" not in str(teacher.steer("next", 0, code="hello"))
    assert lea.guess("tares").json()["turns"] == [{"guess": "TARES", "mark": "---Y-"}]


@pytest.mark.slow
def test_two_hide_codes_for_each_other(opened: Opened) -> None:
    teacher, (lea, tom, zoe) = opened("Léa", "Tom", "Zoé", mode="duel", rules="3x4")
    teacher.steer("next", 0)
    assert "nobody has hidden a code" in refused(lea.guess("ABC"), 409)
    you = lea.post("/hidden", round=1, code="AAB").json()["you"]
    assert (you["hides"], you["partner"]) == ("AAB", None)
    lea.post("/hidden", round=1, code="DDD")  # sent again: the first one stays
    assert tom.post("/hidden", round=1, code="CCD").json()["you"]["partner"] == "Léa"
    you = lea.get().json()["you"]
    assert (you["hides"], you["partner"]) == ("AAB", "Tom")
    assert "CCD" not in lea.get().text
    assert lea.guess("CCA").json()["turns"][0]["mark"] == "XX"
    assert tom.guess("AAB").json()["over"]
    zoe.post("/hidden", round=1, code="ABC")
    assert zoe.post("/hidden", round=1).json()["you"]["partner"] == ""  # pegwise
    assert zoe.guess(hidden(teacher)).json()["over"]
    late = Visitor(teacher.client, teacher.path)
    late.post("/players", name="Ida")
    teacher.steer("end")
    games = {game["name"]: game for game in teacher.get("/results?round=1").json()["games"]}
    assert [games[name]["secret"] for name in ("Léa", "Tom")] == ["CCD", "AAB"]
    assert teacher.get("/results.html?round=1").text.count(">pegwise<") == 1  # Zoé; nobody for Ida
    assert "hide no codes" in refused(
        opened("Ann")[1][0].post("/hidden", round=1, code="ABCD"), 409
    )


@pytest.mark.slow
def test_all_solve_the_same_puzzles(opened: Opened) -> None:
    teacher, (lea, tom) = opened("Léa", "Tom", mode="puzzles", rules="3x4", level=1)
    teacher.steer("next", 0)
    sheets = [pupil.get().json()["you"]["sheet"] for pupil in (lea, tom)]
    assert sheets[0] == sheets[1]
    assert set(sheets[0]) == {"number", "turns", "misfits"}  # neither solution nor seed
    you = lea.guess("").json()
    assert (you["sheet"]["number"], you["turns"][0]["mark"]) == (2, "skipped")
    assert refused(lea.guess("AAA"), 409) == "turn 2 is next, not turn 1"
    solutions = re.findall('"solution": "(...)"', hidden(teacher))
    wrong = "AAA" if solutions[1] != "AAA" else "BBB"
    you = lea.guess(wrong, 2).json()
    assert (you["sheet"]["number"], you["solved"]) == (2, 0)
    assert you["sheet"]["misfits"]
    for turn, place in enumerate([1, 2, 3, 4, 5, 0], 3):
        you = lea.guess(solutions[place], turn).json()
        assert lea.guess(solutions[place], turn).json() == you
    assert (you["solved"], you["over"], you["sheet"]) == (6, True, None)
    assert "turn 8 was the last" in refused(lea.guess("AAA", 9), 409)
    for turn, code in enumerate(["", "", *solutions[2:], *solutions[:2]], 1):
        tom.guess(code, turn)
    assert '"solution"' not in lea.get().text + teacher.get().text
    teacher.steer("show")
    results = tom.get("/results?round=1").json()
    assert [puzzle["solution"] for puzzle in results["puzzles"]] == solutions
    games = [(game["name"], game["solved"]) for game in results["games"]]
    assert games == [("Tom", 6), ("Léa", 6)]  # who has given no wrong answer is the first
    drawn = lea.get("/results.html?round=1").text
    assert re.findall(r"<strong>(.*?)</strong>", drawn) == ["Tom, Léa"]  # on the podium
    assert "You have solved 6 of 6" in drawn


@pytest.mark.slow
def test_only_the_teacher_steers(opened: Opened) -> None:
    teacher, (lea, tom) = opened("Léa", "Tom")
    number = lea.get().json()["you"] and 1
    for method, path in (
        *(("POST", f"/{action}") for action in ("next", "pause", "show", "end")),
        ("DELETE", f"/players/{number}"),
        ("DELETE", ""),
    ):
        answer = lea.ask(method, lea.path + path, json={"round": 0})
        assert "only the person who opened" in refused(answer, 403)
    stranger = Visitor(teacher.client, teacher.path)
    for path in ("", "/events", "/results?round=1"):
        assert "join it first" in refused(stranger.get(path), 403)
    teacher.steer("next", 0)
    teacher.steer("pause")
    assert "has paused" in refused(lea.guess("AABB"), 409)
    assert teacher.steer("resume")["state"] == "playing"
    assert lea.guess("AABB").status_code == 200
    answer = teacher.ask("DELETE", f"{teacher.path}/players/1")
    assert answer.status_code == 204
    assert "join it first" in refused(lea.guess("AABC", 2), 403)
    assert tom.post("/players", name="Nobody").json()["you"]["name"] == "Tom"  # who is in, stays
    assert "has taken you out" in refused(lea.post("/players", name="Lea 2"), 403)  # it lasts
    another = Visitor(teacher.client, teacher.path)  # of the same pupil, under another name
    assert "is locked" in refused(another.post("/players", name="Mia"), 409)
    assert teacher.get().json()["locked"]
    teacher.steer("end")
    assert "round 1 is over" in refused(tom.guess("AABB"), 409)
    assert "has ended" in refused(stranger.post("/players", name="Léa"), 409)
    assert "not possible now" in refused(teacher.post("/next", round=1), 409)
    assert teacher.ask("DELETE", teacher.path).status_code == 204
    assert "there is no room" in refused(lea.get(), 404)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("  ", "1 to 20 letters"),
        ("x" * 21, "1 to 20 letters"),
        ("a\x00b", "cannot be shown"),
        ("a\u202eb", "cannot be shown"),
        ("a" + "\u0301" * 9, "cannot be shown"),
        (" lÉA  ", "choose another nickname"),
        ("L\u200déa", "choose another nickname"),
        ("\uff2céa", "choose another nickname"),
        ("\u2800", "cannot be shown"),  # these show nothing
        ("\u3164", "cannot be shown"),
        ("\u115f", "cannot be shown"),
        ("Tom\u3164", "cannot be shown"),
        ("\u200d", "cannot be shown"),
        ("\U0001d159", "cannot be shown"),
        ("Léa\ufe0f", "choose another nickname"),
    ],
)
def test_nicknames(opened: Opened, name: str, words: str) -> None:
    _, (lea,) = opened("Léa")
    stranger = Visitor(lea.client, lea.path)
    answer = stranger.post("/players", name=name)
    assert answer.status_code in {409, 422}
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("name", ["👩‍🚀", "❤️", "Zoé 2", "李", "نی‌نا"])
def test_names_that_show_something(opened: Opened, name: str) -> None:
    _, (pupil,) = opened(name)
    assert pupil.get().json()["you"]["name"] == name


def test_a_room_is_locked(opened: Opened) -> None:
    teacher, (lea,) = opened("Léa")
    stranger = Visitor(teacher.client, teacher.path)
    assert "only the person who opened" in refused(lea.post("/options", locked=True), 403)
    assert teacher.post("/options", locked=True).json()["locked"]
    assert "is locked" in refused(stranger.post("/players", name="Zoé"), 409)
    assert lea.post("/players", name="Léa").status_code == 201  # who is in, stays
    assert not teacher.post("/options", locked=False).json()["locked"]
    assert stranger.post("/players", name="Zoé").status_code == 201


def test_a_teacher_steers_from_another_device(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, (lea,) = opened("Léa")
    woken: list[str] = []
    shared = teacher.client.app.state.services.rooms  # type: ignore[attr-defined]
    monkeypatch.setattr(shared, "wake", woken.append)
    assert lea.get().json()["key"] is None
    phone = Visitor(teacher.client, teacher.path)
    room, key = teacher.path[-5:], teacher.get().json()["key"]
    wrong = phone.ask("GET", f"/room/{room}/steer/{key[:-1]}", follow_redirects=False)
    assert "does not hold any more" in refused(wrong, 404)
    assert phone.get().status_code == 403
    assert phone.ask("GET", f"/room/{room}/steer/{key}").status_code == 200
    assert phone.get().json()["board"][0]["name"] == "Léa"
    assert room in phone.ask("GET", "/room").text
    assert phone.steer("next", 0)["round"] == 1
    # the first device is lost, or was taken: the other one alone steers with a new link
    renewed = phone.post("/key").json()["key"]
    assert renewed != key
    assert woken[-1] == room  # what is told by the old link ends now
    assert "only the person who opened" in refused(teacher.post("/pause", round=1), 403)
    assert teacher.ask("GET", f"/room/{room}/steer/{key}").status_code == 404
    teacher.ask("GET", f"/room/{room}/steer/{renewed}")
    assert teacher.steer("pause")["state"] == "paused"


@pytest.mark.slow
def test_unfinished_games_are_no_best_ones(opened: Opened) -> None:
    teacher, (lea, tom, zoe) = opened("Léa", "Tom", "Zoé", rules="3x4", mode="teacher")
    for number in (1, 2):
        teacher.steer("next", number - 1, code="ABC")
        tom.guess("AAB", 1, number)  # and no more
        for turn, code in enumerate(["DDD", "ABC"][2 - number :], 1):
            lea.guess(code, turn, number)
        teacher.steer("show", number)
    results = teacher.get("/results?round=2").json()
    games = {game["name"]: game for game in results["games"]}
    assert list(games) == ["Léa", "Tom", "Zoé"]  # who has not played, too
    assert (games["Zoé"]["turns"], games["Zoé"]["over"]) == ([], False)
    rules = Rules.parse("3x4")
    costs = {
        name: game_cost(game_of(rules), turns.RoomGame.model_validate(game)).excess
        for name, game in games.items()
        if game["turns"]
    }
    assert costs["Tom"] is None  # what is not finished has no cost
    assert costs["Léa"] is not None
    totals = [
        (row["name"], row["played"], row["solved"], row["guesses"]) for row in results["totals"]
    ]
    assert totals == [("Léa", 2, 2, 3), ("Tom", 2, 0, 0), ("Zoé", 0, 0, 0)]
    assert lea.get("/results?round=1").json()["round"] == 1  # an earlier one again
    rows = csv.DictReader(teacher.get("/results.csv").text.splitlines())
    assert [(row["\ufeffround"], row["name"]) for row in rows][-1] == ("2", "Zoé")
    del zoe


def test_two_games_that_were_won_are_compared_first(opened: Opened) -> None:
    teacher, (lea, tom, zoe) = opened("Léa", "Tom", "Zoé", rules="3x4", mode="teacher")
    teacher.steer("next", 0, code="ABC")
    lea.guess("ABC", 1)
    zoe.guess("DDD", 1)  # and no more
    for turn, code in enumerate(["AAB", "ABC"], 1):
        tom.guess(code, turn)
    teacher.steer("show", 1)
    chosen = re.findall(r"selected>(.*?)<", teacher.get("/results.html?round=1").text)
    assert chosen == ["Léa", "Tom"]


def test_pupils_are_addressed_as_children(opened: Opened) -> None:
    teacher, (lea,) = opened("Léa", familiar=True)
    page = f"/room/{teacher.path[-5:]}?lang=fr"
    assert "Tu es dans la salle" in lea.ask("GET", page).text
    stranger = Visitor(teacher.client)
    assert "Choisis un pseudo" in stranger.ask("GET", page).text
    teacher.post("/options", familiar=False)
    assert "Attendez que l" in lea.ask("GET", page).text
    assert "Votre pseudo" in stranger.ask("GET", page).text


@pytest.mark.slow
def test_names_cannot_harm(opened: Opened) -> None:
    teacher, pupils = opened("=1+1<q>", "x; =2+2", "y,@SUM(A1)", "\uff1d1", rules="1x2")
    assert "<q>" not in pupils[0].ask("GET", f"/room/{teacher.path[-5:]}").text
    teacher.steer("next", 0)
    pupils[0].guess("A")
    teacher.steer("show")
    for language in ("en", "fr"):
        content = teacher.ask("GET", f"{teacher.path}/results.csv?lang={language}").content
        text = content.decode("utf-8")
        assert text.startswith("\ufeff")  # so that a spreadsheet reads UTF-8
        # whatever a spreadsheet takes for the separator, no cell begins as a formula
        cells = [cell.strip('"\n ') for cell in re.split("[;,\t\n]", text)]
        assert not [cell for cell in cells if cell[:1] in set("=+-@\uff1d") and cell]
    assert ";'=1+1<q>;" in text
    assert text.startswith("\ufeffmanche;nom;")


def test_french_spreadsheets_are_written_as_french_ones_read_them() -> None:
    rows = [[1, "Léa", 0.25, None, "ABC:-"]]
    assert spreadsheet(["a"], rows) == "\ufeffa\n1,Léa,0.25,,ABC:-\n"
    assert spreadsheet(["a"], rows, "fr") == "\ufeffa\n1;Léa;0,25;;ABC:-\n"


def test_a_class_comes_back_to_its_room(opened: Opened) -> None:
    teacher, (lea, tom) = opened("Léa", "Tom", rules="3x4")
    teacher.steer("next", 0)
    lea.guess(hidden(teacher))
    storage, room = storage_of(teacher.client), teacher.path[-5:]
    other = Visitor(teacher.client, teacher.path)
    page = f"/room/{room}"
    assert "earlier lesson" not in other.ask("GET", page).text
    assert "is called 'LÉA' already" in refused(other.post("/players", name="LÉA"), 409)
    with storage.write() as session:  # it was a week ago
        past = now() - timedelta(days=6)
        session.execute(update(RoomRoundRow).values(begun=past))
        session.execute(update(RoomPlayerRow).values(seen=past))
    assert "earlier lesson" in other.ask("GET", page).text
    assert other.post("/players", name="léa ").json()["you"]["name"] == "Léa"
    assert lea.get().status_code == 403  # it is another browser now
    assert "is called" in refused(lea.post("/players", name="Léa"), 409)
    assert teacher.ask("GET", f"{teacher.path}").json()["board"][0]["solved"]
    teacher.steer("next", 1)
    for turn, code in enumerate(("AAA", hidden(teacher)), 1):
        tom.guess(code, turn, round=2)
    teacher.steer("show", 2)
    shown = teacher.ask("GET", f"{teacher.path}/results.html?round=2").text
    table = shown[shown.index("Guesses on average, by lesson</h2>") :]
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", table)
    days = [day_and_month(day, "en") for day in (past, now())]
    assert cells == ["Name", *days, "Léa", "1.00", "–", "Tom", "–", cells[-1]]
    assert cells[-1] in {"1.00", "2.00"}


def test_who_cannot_come_in_is_told_before_a_name_is_typed(opened: Opened) -> None:
    teacher, (lea,) = opened("Léa")
    stranger, page = Visitor(teacher.client, teacher.path), f"/room/{teacher.path[-5:]}"
    assert "20 letters at most" in stranger.ask("GET", page).text
    assert teacher.ask("DELETE", f"{teacher.path}/players/1").status_code == 204
    for one, why in ((lea, "has taken you out"), (stranger, "is locked")):
        shown = one.ask("GET", page).text
        assert why in shown
        assert 'name="name"' not in shown
    teacher.post("/options", locked=False)
    assert 'name="name"' in stranger.ask("GET", page).text
    teacher.steer("end", 0)
    assert "has ended" in stranger.ask("GET", page).text


def test_limits(opened: Opened) -> None:
    teacher, _ = opened("Léa")
    storage, code = storage_of(teacher.client), teacher.path[-5:]
    for number in range(2, rooms.MAX_PLAYERS + 1):
        rooms.join(storage, code, f"visitor {number}", f"Pupil {number}")
    stranger = Visitor(teacher.client, teacher.path)
    assert "at most 40" in refused(stranger.post("/players", name="Zoé"), 409)
    teacher.path = "/api/rooms"
    for _ in range(9):
        assert teacher.post().status_code == 201
    assert "10 rooms that you have opened" in refused(teacher.post(), 409)
    wanted = rooms.RoomRequest(rules=game_of("4x6"))
    for number in range(40):
        rooms.open_room(storage, wanted, f"teacher {number}", "192.0.2.7")
    with pytest.raises(ConflictError, match="40 rooms"):
        rooms.open_room(storage, wanted, "teacher 40", "192.0.2.7")
    with storage.write() as session:  # those of yesterday do not count
        session.execute(update(RoomRow).values(begun=now() - timedelta(days=1, minutes=1)))
    assert rooms.open_room(storage, wanted, "teacher 40", "192.0.2.7")
    assert teacher.post().status_code == 201
    assert "6x9 has 531,441 codes" in refused(teacher.post(mode="puzzles", rules="6x9"))


@pytest.fixture
def empty_limits(client: TestClient, stopped_clock: None) -> Iterator[Rooms]:
    """What counts wrong codes, with all allowances full before and after the test."""
    shared = client.app.state.services.rooms  # type: ignore[attr-defined]
    for limit in (shared.wrong_codes, shared.wrong_of_clients):
        limit.reset()
    yield shared
    for limit in (shared.wrong_codes, shared.wrong_of_clients):
        limit.reset()


@pytest.mark.slow
def test_wrong_codes_count_for_the_visitor_first(opened: Opened, empty_limits: Rooms) -> None:
    teacher, (lea,) = opened("Léa")
    code = teacher.path[-5:]
    phone = Visitor(teacher.client, "/api/rooms/AAAAA")
    phone.ask("GET", "/room")  # a session begins
    assert {phone.get().status_code for _ in range(10)} == {404}
    late = phone.get()
    assert late.status_code == 429 and int(late.headers["retry-after"]) >= 1
    phone.path = f"/api/rooms/{code}"
    assert "try again in a minute" in refused(phone.post("/players", name="Zoé"), 429)
    pupil = Visitor(teacher.client, f"/api/rooms/{code}")
    pupil.ask("GET", "/room")
    assert pupil.post("/players", name="Ida").status_code == 201  # of the same address
    # whoever begins a session for each code counts for the address
    for _ in range(130):
        Visitor(teacher.client, "/api/rooms/AAAAA").get()
        empty_limits.wrong_codes.reset()
    stranger = Visitor(teacher.client, f"/api/rooms/{code}")
    stranger.ask("GET", "/room")
    assert "try again in a minute" in refused(stranger.post("/players", name="Zoé"), 429)
    assert lea.get().status_code == 200  # in the room


def test_old_rooms_are_deleted_with_all_names_and_games(opened: Opened) -> None:
    teacher, (lea,) = opened("Léa", rules="5x8")  # a code that no guess here is likely to find
    teacher.steer("next", 0)
    lea.guess("AAAAB")
    storage, code = storage_of(teacher.client), teacher.path[-5:]
    rooms.delete_old(storage, 7)
    assert lea.get().status_code == 200

    def wait(**pause: int) -> None:
        moment = now() - timedelta(**pause)
        with storage.write() as session:
            old = update(RoomRow).where(RoomRow.id == code)
            session.execute(old.values(begun=moment, used=moment))
        rooms.delete_old(storage, 7)

    wait(days=7, minutes=1)  # it is stored to the hour
    lea.guess("AAABC", 2)
    wait(days=6)
    assert lea.get().json()["deleted"] < (now() + timedelta(days=1)).isoformat()
    lea.guess("AAACB", 3)  # by use it stays for another week
    assert lea.get().json()["deleted"] > (now() + timedelta(days=6)).isoformat()
    wait(days=7, minutes=61)
    assert lea.get().status_code == 404
    with storage.read() as session:
        rows = select(RoomTurnRow).where(RoomTurnRow.room_id == code)
        assert session.scalars(rows).all() == []


def test_a_room_is_read_once_for_all_who_watch(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, (lea,) = opened("Léa", rules="3x4")
    teacher.steer("next", 0)
    storage, code, reads = storage_of(teacher.client), teacher.path[-5:], []

    def summary(*arguments: Any) -> turns.RoomSummary:
        reads.append(1)
        return turns.summary(*arguments)

    monkeypatch.setattr(live, "summary", summary)
    monkeypatch.setattr(live, "STEP", 60)  # it is woken

    async def watch() -> list[str]:
        watched = live.Rooms(storage, nobody)
        watching = [watched.follow(code, owner=not k) for k in range(20)]
        told = []
        for number in (1, 2):
            told += [(await anext(looks))[0] for looks in watching]
            assert len(reads) == number
            lea.guess(hidden(teacher))
            watched.wake(code)
        rooms.delete_room(storage, code, cookie_of(teacher, storage))
        assert [await anext(looks, None) for looks in watching] == [None] * 20
        return told

    told = asyncio.run(asyncio.wait_for(watch(), 30))
    assert not [text for text in told if "key" in text]
    assert ['"board":[' in text for text in told] == ([True] + [False] * 19) * 2
    assert '"players":1,"over":0' in told[1]
    assert '"players":1,"over":1' in told[-1]


def test_who_has_lost_a_room_is_told_no_more_of_it(opened: Opened) -> None:
    """A page that is still open when another link of the teacher was made."""
    teacher, _ = opened("Léa")
    storage, code = storage_of(teacher.client), teacher.path[-5:]

    async def watch() -> list[Any]:
        watched = live.Rooms(storage, nobody)
        looks = watched.follow(code, owner=True), watched.follow(code, owner=False)
        told = [(await anext(look))[0] for look in looks]
        rooms.renew_key(storage, code, cookie_of(teacher, storage))
        watched.wake(code)
        return told + [await anext(look, None) for look in looks]

    before, _, after, pupil = asyncio.run(asyncio.wait_for(watch(), 30))
    assert '"name":"Léa"' in before
    assert after is None
    assert pupil is not None


def test_a_quiet_stream_is_told_from_a_dead_one(monkeypatch: pytest.MonkeyPatch) -> None:
    times = count(step=20)
    monkeypatch.setattr(web_pages, "time", SimpleNamespace(monotonic=lambda: next(times)))

    async def told() -> list[Any]:
        async def looks() -> AsyncIterator[Look]:
            for _ in range(3):
                yield "the same", []

        return [part async for part in event_stream(looks(), "").body_iterator]

    names = [str(part).partition("\n")[0] for part in asyncio.run(told())]
    assert names == ["retry: 1000", "event: progress", "event: alive", "event: alive"]


async def nobody(*_: Any) -> None:
    """A pool that is not asked."""


def cookie_of(teacher: Visitor, storage: Storage) -> str:
    """The session of a teacher, as the database has it."""
    with storage.read() as session:
        return session.get_one(RoomRow, teacher.path[-5:]).owner


def test_a_round_is_reported(opened: Opened) -> None:
    teacher, (lea, tom) = opened("Léa", "Tom", rules="3x4", mode="teacher")
    teacher.steer("next", 0, code="ABC")
    for pupil, codes in ((lea, ["AAB", "ABC"]), (tom, ["AAA", "BBB", "CCC", "ABC"])):
        for turn, code in enumerate(codes, 1):
            pupil.guess(code, turn)
    teacher.steer("show")
    storage = storage_of(teacher.client)
    results = turns.results(storage, teacher.path[-5:], cookie_of(teacher, storage), 1)

    async def ask(function: Callable[..., Any], *arguments: Any) -> Any:
        if arguments[-1] is results.games[1]:
            raise BusyError("too much waits")
        return function(*arguments)

    async def report() -> RoomReport:
        reporting = live.Rooms(storage, ask)
        begun = reporting.report("CODE", game_of("3x4"), results)
        await asyncio.gather(*reporting._tasks)
        assert reporting.report("CODE", game_of("3x4"), results) is begun
        return begun

    done = asyncio.run(report())
    assert done.complete
    assert set(done.needed) == {"ABC"}
    assert set(done.needed["ABC"]) >= {"knuth", "entropy"}
    assert set(done.costs) == {1}  # what could not be computed is not known
    worst = game_cost(game_of("3x4"), results.games[1])
    done.costs[2] = worst
    alike = results.games[0].model_copy(deep=True)
    alike.turns[0].guess = "CDC"
    (best, guesses), (least, _) = first_guesses([*results.games, alike], done)
    assert [guess for guess, _ in guesses] == ["AAB", "CDC"]  # of which each can tell as much
    assert (best or 0) > (least or 9)
    assert (worst.first or 9) < (done.costs[1].first or 0)
    assert (worst.excess or 0) > (done.costs[1].excess or 0) >= 0


def test_pages(opened: Opened, client: TestClient) -> None:
    """A room is opened and joined by forms."""
    teacher, _ = opened("Léa")
    answer = teacher.ask(
        "POST", "/room", data={"rules": "4x6", "mode": "duel"}, follow_redirects=False
    )
    address = answer.headers["location"]
    board = teacher.ask("GET", address).text
    assert f"http://testserver{address}" in board
    assert "data:image/svg+xml" in board
    stranger = Visitor(client)
    code = address[-5:]
    typed = stranger.ask("GET", f"/room?code=%20{code.lower()}", follow_redirects=False)
    assert typed.headers["location"] == address
    bad = stranger.ask("POST", address, data={"name": ""})
    assert (bad.status_code, "1 to 20 letters" in bad.text) == (422, True)
    assert 'maxlength="20"' in stranger.ask("GET", address).text
    in_room = stranger.ask("POST", address, data={"name": "Zoé"})
    assert 'id="board"' in in_room.text
    for wrong in ("AAAAA", "A" * 60):
        nowhere = stranger.ask("GET", f"/room/{wrong}")
        assert (nowhere.status_code, "There is no room" in nowhere.text) == (404, True)
    bad = stranger.ask("POST", "/room", data={"rules": "6x9", "mode": "puzzles"})
    assert "531,441 codes" in bad.text
    refused(stranger.ask("POST", "/room", data={"mode": "chess"}))
    assert code in teacher.ask("GET", "/room").text


_FORMAL = re.compile(r"\b(?:vous|votre|vos|vôtre|(?!assez|chez)\w+ez)\b", re.IGNORECASE)
_REFUSING = ("rooms/api", "rooms/live", "rooms/turns", "rooms/room", "security")


def test_a_class_is_told_nothing_formally(opened: Opened) -> None:
    """In a room that says `tu`: its pages, what their scripts say, and refusals of what is sent."""
    teacher, (lea, _) = opened("Léa", "Tom", familiar=True, rules="3x4")
    teacher.steer("next", 0)
    lea.guess("BCD")
    scripts = [(STATIC / f"{name}.js").read_text("utf-8") for name in scripts_of("room")]
    keys = set(re.findall(r'(?:word|count|sentence)\(\s*"(\w+)"', "".join(scripts)))
    texts = script_texts("room", "fr", "familiar")
    told = {key: str(texts[key]) for key in keys & set(texts)}
    assert len(told) > 30
    page = f"/room/{teacher.path[-5:]}?lang=fr"
    stranger = Visitor(teacher.client)
    told["join"] = stranger.ask("GET", page).text
    told["room"] = re.sub(r'(?s)<script type="application/json".*', "", lea.ask("GET", page).text)
    teacher.steer("show")
    told["results"] = lea.get("/results.html?round=1&lang=fr").text
    for module in _REFUSING:
        tree = ast.parse((STATIC.parent / f"{module}.py").read_text("utf-8"))
        sentences = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        told |= {text: catalogue("fr").gettext(text) for text in sentences if isinstance(text, str)}
    assert {key: text for key, text in told.items() if _FORMAL.search(text)} == {}
