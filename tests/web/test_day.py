"""The game of the day, and games that were played elsewhere."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.game import game_of, mark
from pegwise.knowledge.codemaker import draw_secret
from pegwise.playing import parse_record
from pegwise.strategies import load
from pegwise.trees import play
from tests.web.playing import begin, guess, refused, visitor

BEGUN = "2026-11-29T10:00:00+01:00"


def data_of(client: TestClient, path: str) -> dict[str, Any]:
    """What a page was sent with."""
    page = client.get(path).text
    found = re.search(r'id="page">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["4x6", "wordle"])
def test_a_day_has_the_same_code_for_everybody(client: TestClient, rules: str) -> None:
    path = f"/day?rules={rules}&date=2026-11-29"
    data, game = data_of(client, path), game_of(rules)
    secret = draw_secret(game, 20261129)
    assert (data["secret"], data["number"]) == (str(secret), 333)
    assert data_of(visitor(client), path)["secret"] == str(secret)
    assert data_of(client, f"/day?rules={rules}&date=2026-11-28")["secret"] != str(secret)
    assert len(re.findall("[A-Z]", data["words"])) == (game.n_guesses if rules == "wordle" else 0)
    knuth = len(play(game, load("knuth"), secret))
    assert f"Knuth {knuth}," in client.get(path).text
    assert f"Knuth {knuth}," in client.get(f"{path}&lang=fr").text
    client.get("/?lang=en")
    assert data["best"] <= knuth


@pytest.mark.slow
def test_days_to_come_and_other_boards_have_no_game(client: TestClient) -> None:
    today = datetime.now(UTC).date()
    assert data_of(client, "/day")["day"] == str(today)
    for path, why in (
        ("/day?rules=5x8", "choose 4x6 or wordle"),
        ("/day?date=2025-12-31", "first game of the day was on 2026-01-01"),
        (f"/day?date={date(today.year + 1, 12, 31)}", "is not there yet"),
    ):
        assert why in refused(client.get(path, headers={"accept": "application/json"}))
    shown = client.get("/day?date=2026-01-01").text
    assert "date=2026-01-31" in shown
    assert "date=2025-12-01" not in shown


def record(rules: str, secret: str, *guesses: str, seed: int = 1) -> str:
    """The record of a game that was played elsewhere."""
    turns = [f"{n}. {each} = {mark(each, secret)}" for n, each in enumerate(guesses, 1)]
    head = ["pegwise game 1", f"rules: {rules}", f"secret: {secret}"]
    head += ["codemaker: random", f"seed: {seed}"]
    result = "solved" if guesses and guesses[-1] == secret else "given up"
    return "\n".join([*head, "", *turns, "", f"result: {result}", ""])


def test_what_was_played_elsewhere_is_taken_over_once(client: TestClient) -> None:
    client.get("/games")
    games: list[dict[str, Any]] = [
        {"record": record("4x6", "FEDC", "AABB", "CDEF", "FEDC"), "begun": BEGUN, "hints": False},
        {"record": record("4x6", "FEDC", "AABB"), "seconds": 42.5, "begun": "2026-11-28T10:00:00Z"},
    ]
    taken = client.post("/api/games/played", json={"games": games}).json()
    assert taken["problem"] is None
    again = client.post("/api/games/played", json={"games": games}).json()
    assert again == taken
    assert len(set(taken["ids"])) == 2
    view = client.get(f"/api/games/{taken['ids'][0]}").json()
    assert (view["won"], view["hints"], len(view["turns"])) == (True, False, 3)
    assert parse_record(view["record"]) == parse_record(games[0]["record"])
    exported = client.get("/games.json").json()["games"]
    assert [game["begun"][:10] for game in exported] == ["2026-11-29", "2026-11-28"]
    assert [game["seconds"] for game in exported] == [None, 42.5]
    assert "1 not solved" in client.get(f"/api/games/{taken['ids'][0]}/distribution.html").text
    another = visitor(client).post("/api/games/played", json={"games": games}).json()
    assert not set(another["ids"]) & set(taken["ids"])


def test_what_was_exported_is_taken_over_by_another_visitor(client: TestClient) -> None:
    client.get("/games")
    one, two = begin(client, "3x4"), begin(client, "2x3", secrets=2)
    client.post(f"/api/games/{one['id']}/hint")
    guess(client, one, "AAB")
    client.post(f"/api/games/{two['id']}/turns", json={"guess": "AB", "turn": 1})
    guess(client, begin(client, "3x4"), "ABC")  # it is not over: only its server goes on with it
    for game in (one, two):
        client.post(f"/api/games/{game['id']}/give-up")
    exported = client.get("/games.json").json()
    over = [game for part in ("games", "several") for game in exported[part] if game["over"]]
    sent = [
        {name: game[name] for name in ("record", "begun", "hints", "max_guesses")} for game in over
    ]
    other = visitor(client)
    assert other.post("/api/games/played", json={"games": sent}).json()["problem"] is None
    there = other.get("/games.json").json()
    other_seed = re.sub("seed: .*", "seed: 5", exported["several"][0]["record"])
    forged = {"games": [{"record": other_seed, "begun": BEGUN}]}
    refusal = other.post("/api/games/played", json=forged).json()
    assert "not those of its seed" in refusal["problem"]
    for part in ("games", "several"):
        mine = [game["record"] for game in exported[part] if game["over"]]
        assert [game["record"] for game in there[part]] == mine


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (record("4x6", "FEDC", "AABB").replace("= -", "= X"), "secret FEDC gives -"),
        (record("4x6", "FEDC"), "only a game that is over"),
        (record("4x6", "FEDC", "AABB").replace("given up", "open"), "only a game that is over"),
        (
            "pegwise game 1\nrules: 4x6\nsecret: FEDC\n\n1. FEDC = XXXX\n\nresult: solved\n",
            "hid no",
        ),
        ("gibberish", ""),
        (record("nolist", "ABC", "ABC"), "nolist"),
    ],
)
def test_what_is_no_game_is_not_taken_over(client: TestClient, text: str, why: str) -> None:
    client.get("/games")
    good = record("4x6", "FEDC", "FEDC")
    sent = [{"record": each, "begun": BEGUN} for each in (text, good)]
    taken = client.post("/api/games/played", json={"games": sent}).json()
    assert taken["ids"][0] is None
    assert taken["ids"][1] is not None
    assert why in taken["problem"]
