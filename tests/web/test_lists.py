"""Lists of words that visitors paste: checked, kept apart, played, and deleted."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from pegwise.web.lists import MAX_LISTS
from tests.programs import until
from tests.web.playing import begin, guess
from tests.web.racing import start

WORDS = "katze\nmäuse # two\n\nSTÖRE\nhunde\nzebus"


def paste(client: TestClient, name: str = "tiere", words: str = WORDS, **more: str) -> Any:
    """Send the form; the answer, without following it."""
    page = client.get("/words").text
    (field,) = re.findall(r'name="csrf_token" value="([^"]+)"', page)
    form = {"csrf_token": field, "name": name, "words": words, "marks": "placed", **more}
    return client.post("/words", data=form, follow_redirects=False)


def rules_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return unquote(answer.headers["location"]).removeprefix("/play?rules=")


def token(client: TestClient) -> dict[str, str]:
    page = client.get("/words").text
    return {"x-csrf-token": re.findall(r'name="csrf-token" content="([^"]+)"', page)[0]}


def test_a_list_is_pasted_played_and_deleted(client: TestClient) -> None:
    rules = rules_of(paste(client, guesses="bluse"))
    assert re.fullmatch("tiere@[0-9a-f]{8},placed", rules)
    assert rules_of(paste(client, guesses="BLUSE")) == rules
    client.headers.update(token(client))
    try:
        game = guess(client, begin(client, rules), "bluse")
        possible = client.get(f"/api/games/{game['id']}/left").json()["codes"]
        assert {"KATZE", "MÄUSE", "STÖRE", "HUNDE", "ZEBUS"}.issuperset(possible or ["none"])
        race = start(client, ["first", "parts"], rules=rules)
        address = f"/api/races/{race['id']}"
        until(lambda: client.get(address).json()["state"] == "over")
        assert client.get(f"{address}/results.json").json()["secrets"] == 5
        assert client.get(f"/tree?rules={rules}").status_code == 200
        owner = dict(client.cookies)

        client.cookies.clear()  # another visitor
        name = rules.partition(",")[0]
        assert client.get("/play?rules=tiere,placed").status_code == 422
        assert client.get("/play?rules=tiere@00000000,placed").status_code == 422
        assert client.get(f"/play?rules={rules}").status_code == 200
        assert name not in client.get("/words").text
        client.headers.update(token(client))
        assert client.delete(f"/api/words/{name}").status_code == 404

        client.cookies.clear()
        client.cookies.update(owner)
        assert name in client.get("/words").text
        client.headers.update(token(client))
        assert client.delete(f"/api/words/{name}").status_code == 204
        assert client.get(f"/play?rules={rules}").status_code == 422
        assert client.get("/play").status_code == 200  # which lists the games of before
    finally:
        del client.headers["x-csrf-token"]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"words": "katze\nmaus"}, "MAUS"),
        ({"name": "<b>"}, "&lt;b&gt;"),
        ({"name": "sgb"}, "for everybody"),
        ({"words": "katze", "guesses": "k-tze"}, "K-TZE"),
    ],
)
def test_a_list_that_is_none_comes_back_with_its_fault(
    client: TestClient, sent: dict[str, str], words: str
) -> None:
    answer = paste(client, **sent)
    assert answer.status_code == 422
    assert words in answer.text
    assert sent.get("words", "zebus") in answer.text


def test_a_visitor_has_so_many_lists(client: TestClient) -> None:
    for number in range(MAX_LISTS):
        rules_of(paste(client, f"list-{number}"))
    assert paste(client, "one-more").status_code == 409


def test_a_long_list_fits(client: TestClient) -> None:
    digits = "\r\n".join(f"{number:06d}" for number in range(10**5))
    assert rules_of(paste(client, "digits", digits, marks="")).startswith("digits@")
