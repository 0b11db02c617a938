"""Lists of words that visitors paste: checked, kept apart, played, and deleted."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from pegwise.web.word_lists import MAX_LISTS
from tests.programs import until
from tests.web.playing import begin, guess, refused, start_race, visitor

WORDS = "katze\nmäuse # two\n\nSTÖRE\nhunde\nzebus"


def paste(client: TestClient, name: str = "tiere", words: str = WORDS, **more: str) -> Any:
    """Send the form; the answer, without following it."""
    form = {"name": name, "words": words, "marks": "placed", **more}
    return client.post("/words", data=form, follow_redirects=False)


def rules_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return unquote(answer.headers["location"]).removeprefix("/play?rules=").partition("&")[0]


@pytest.mark.slow
def test_a_list_is_pasted_played_and_deleted(client: TestClient) -> None:
    mine, other = visitor(client), visitor(client)
    rules = rules_of(paste(mine, guesses="bluse"))
    assert re.fullmatch("tiere@[0-9a-f]{8},placed", rules)
    assert rules_of(paste(mine, guesses="BLUSE")) == rules
    game = guess(mine, begin(mine, rules), "bluse")
    possible = mine.get(f"/api/games/{game['id']}/left").json()["codes"]
    assert {"KATZE", "MÄUSE", "STÖRE", "HUNDE", "ZEBUS"}.issuperset(possible or ["none"])
    race = start_race(mine, ["first", "parts"], rules=rules)
    address = f"/api/races/{race['id']}"
    until(lambda: mine.get(address).json()["state"] == "over")
    assert mine.get(f"{address}/results.json").json()["secrets"] == 5
    assert mine.get(f"/tree?rules={rules}").status_code == 200

    name = rules.partition(",")[0]
    assert other.get("/play?rules=tiere,placed").status_code == 422
    assert other.get("/play?rules=tiere@00000000,placed").status_code == 422
    assert other.get(f"/play?rules={rules}").status_code == 200
    assert name not in other.get("/words").text
    assert other.delete(f"/api/words/{name}").status_code == 404

    assert name in mine.get("/words").text
    assert mine.delete(f"/api/words/{name}").status_code == 204
    assert mine.get(f"/play?rules={rules}").status_code == 422
    assert mine.get("/play").status_code == 200  # which lists the games of before


def test_a_word_that_is_pasted_twice_counts_once(client: TestClient) -> None:
    rules = rules_of(paste(client, words="katze\nhunde"))
    again = paste(client, words="katze\nHUNDE\nKatze\nhunde")
    assert rules_of(again) == rules
    assert "2 words of your list" in client.get(again.headers["location"]).text
    assert "of your list" not in client.get(f"/play?rules={rules}").text
    shorter = paste(client, words="katze\nhunde\nzebu", length="5")
    assert "twice" not in shorter.headers["location"]  # it is left out for its length


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"words": "katze\nmaus"}, "MAUS"),
        ({"name": "<b>"}, "&lt;b&gt;"),
        ({"name": "sgb"}, "for everybody"),
        ({"words": "katze", "guesses": "k-tze"}, "K-TZE"),
        ({"words": "schmetterling"}, "at most 10 pegs, not 13"),
    ],
)
def test_a_list_that_is_none_comes_back_with_its_fault(
    client: TestClient, sent: dict[str, str], words: str
) -> None:
    answer = paste(client, **sent)
    assert answer.status_code == 422
    assert words in answer.text
    assert sent.get("words", "zebus") in answer.text


def test_words_that_may_be_guessed_are_added_to_those_of_wordle(client: TestClient) -> None:
    game = begin(client, "wordle")
    refusal = client.post(f"/api/games/{game['id']}/turns", json={"guess": "SOARE", "turn": 1})
    assert refused(refusal) == "'SOARE' is not in the list: near words are SWORE, SWARE, STORE"
    page = client.get("/play?rules=wordle").text
    assert "Do you miss a word?" in page
    assert 'href="/words">Add words that may be guessed' in page
    rules = rules_of(paste(client, "nyt", words="", guesses="soare\ncrane"))
    wider = guess(client, begin(client, rules), "soare")
    assert wider["turns"][0]["guess"] == "SOARE"
    told = client.get(f"/play?rules={rules}").text
    assert "Do you miss a word?" not in told  # it is a list of one's own
    assert "5,757" in told
    for empty in ({"words": ""}, {"words": " , ", "guesses": "# none"}):
        answer = paste(client, **empty)
        assert answer.status_code == 422
        assert "has no words" in answer.text


def test_a_visitor_has_so_many_lists(client: TestClient) -> None:
    for number in range(MAX_LISTS):
        rules_of(paste(client, f"list-{number}"))
    assert paste(client, "one-more").status_code == 409


def test_long_words_are_played_without_marks_by_place(client: TestClient) -> None:
    rules = rules_of(paste(client, words="schmetterling\nnashornkäfers", marks=""))
    assert client.get(f"/play?rules={rules}").status_code == 200
    assert f'"/play?rules={rules}"' in client.get("/words").text


@pytest.mark.slow
def test_a_long_list_fits(client: TestClient) -> None:
    digits = "\r\n".join(f"{number:06d}" for number in range(10**5))
    assert rules_of(paste(client, "digits", digits, marks="")).startswith("digits@")
