"""Codes that are drawn from a jar, on the site: the form, a game, a room, a decoded board."""

import pytest
from fastapi.testclient import TestClient

from tests.web.playing import begin, guess, refused, visitor

JAR = "3x3,A4B2C1"


def test_the_form_takes_a_jar(client: TestClient) -> None:
    page = client.get("/play?pegs=3&colors=3&jar=a4b2c1&repeats=&marks=").text
    assert "AAAABBC" not in page  # a peg each
    assert page.count('data-c="A"') >= 4
    assert 'value="A4B2C1"' in page
    answer = client.get("/play?pegs=3&colors=6&jar=a4b2c1")
    assert answer.status_code == 422
    assert "A4B2C1" in answer.text


def test_a_game_from_a_jar_is_reviewed_by_its_bits(client: TestClient) -> None:
    game = begin(client, JAR)
    assert game["rules"] == JAR
    guess(client, game, "ABC")
    client.post(f"/api/games/{game['id']}/give-up")
    reviewed = client.get(f"/api/games/{game['id']}/review").json()
    (turn,) = reviewed["turns"]
    assert turn["unit"] in {"bits", "guesses"}
    assert turn["expected_bits"] < 3 * 1.38
    assert "evil" in refused(client.post("/api/games", json={"rules": JAR, "codemaker": "evil"}))


def test_a_board_is_decoded(client: TestClient) -> None:
    turns = [{"guess": "ABC", "mark": "XO"}]
    advice = client.post("/api/decode", json={"rules": JAR, "history": turns})
    assert advice.status_code == 200, advice.text


@pytest.mark.slow
def test_a_room_plays_a_jar(client: TestClient) -> None:
    teacher, pupil = visitor(client), visitor(client)
    room = teacher.post("/api/rooms", json={"rules": JAR, "mode": "same"}).json()["id"]
    path = f"/api/rooms/{room}"
    assert pupil.post(f"{path}/players", json={"name": "Ada"}).status_code == 201
    assert teacher.post(f"{path}/next", json={"round": 0}).status_code == 200
    answer = pupil.post(f"{path}/turns", json={"guess": "AAB", "turn": 1, "round": 1})
    assert answer.status_code == 200, answer.text
    assert pupil.get(f"/room/{room}").text.count('data-c="A"') >= 4
    assert teacher.post(f"{path}/end", json={"round": 1}).status_code == 200
    assert teacher.get(f"{path}/results", params={"round": 1}).status_code == 200
