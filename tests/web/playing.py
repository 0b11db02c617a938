"""Visitors, and how they play games over the API."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient


def sent(*turns: str) -> list[dict[str, Any]]:
    """Turns as a request sends them."""
    pairs = (turn.split("=") for turn in turns)
    return [{"guess": guess, "mark": mark} for guess, mark in pairs]


def visitor(client: TestClient) -> TestClient:
    """Another visitor of the same application, with a session and its token."""
    another = TestClient(client.app)
    another.portal = client.portal
    token = re.search('csrf-token" content="(.*?)"', another.get("/words").text)
    assert token
    another.headers["x-csrf-token"] = token[1]
    return another


def begin(client: TestClient, rules: str = "4x6", **options: Any) -> dict[str, Any]:
    """A new game."""
    answer = client.post("/api/games", json={"rules": rules, **options})
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    return game


def guess(client: TestClient, game: dict[str, Any], code: str) -> dict[str, Any]:
    """The game after its next guess."""
    number = len(game["turns"]) + 1
    answer = client.post(f"/api/games/{game['id']}/turns", json={"guess": code, "turn": number})
    assert answer.status_code == 200, answer.text
    after: dict[str, Any] = answer.json()
    return after


def refused(answer: Any, status: int = 422) -> str:
    """The one sentence that a request was refused with."""
    assert answer.status_code == status, answer.text
    document = answer.json()
    assert set(document) == {"detail"}
    sentence: str = document["detail"]
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence
