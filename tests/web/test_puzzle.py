"""Puzzles and sheets, as the server gives them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from pegwise.game import Rules, Turn, game_of, parse_code
from pegwise.knowledge import candidates
from pegwise.knowledge.puzzles import puzzle
from pegwise.knowledge.reasoning import reason
from pegwise.knowledge.sentences import document
from pegwise.reading import parse_mark
from tests.web.playing import refused, sent


def test_a_game_is_explained_turn_by_turn(client: TestClient) -> None:
    turns = sent("AABB=O", "DCAC=XXX", "DDAC=XXXX")
    told = client.post("/api/explain", json={"rules": "4x6", "turns": turns[:2]}).json()
    rules = Rules.parse("4x6")
    history = [Turn(parse_code(t["guess"], rules), parse_mark(t["mark"], rules)) for t in turns]
    first, second = told["turns"]
    assert told["marks"][0] == "Turn 1 has 1 peg of a right color: 0 in place, 1 elsewhere."
    assert first[0]["text"].startswith("Turn 1 has no peg in its place. So A is not at places 1 or")
    assert not any(step["text"] == first[0]["text"] for step in second)  # it was told
    excluded = {tuple(cell) for step in first + second for cell in step["excluded"]}
    steps = [document(step, game_of(rules), history) for step in reason(rules, history[:2], 3)]
    assert excluded == {tuple(cell) for step in steps for cell in step["excluded"]}
    assert parse_code(told["fits"], rules) in candidates(rules, history[:2])
    assert told["why"] == "It fits all turns. C is in the code for certain."
    begun = client.post("/api/explain", json={}).json()
    assert (begun["turns"], begun["fits"]) == ([], "AABB")
    (*_, last) = client.post("/api/explain", json={"turns": turns[2:]}).json()["turns"]
    assert "these are all colors" in last[0]["text"] or "in their places" in last[0]["text"]
    for slip in (["AAAA=X", "AAAB=-"], ["AABC=XO", "AABD=XXX", "BADC=O", "CDEF=-"]):
        assert "no code" in refused(client.post("/api/explain", json={"turns": sent(*slip)}))


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
    assert listed == "/puzzle?rules=sgb,placed&seed=4"
    assert re.fullmatch(r"/puzzle\?rules=5x8&seed=\d{1,6}", chosen("pegs=5&colors=8&seed="))


@pytest.mark.slow
def test_a_sheet_is_printed_again(client: TestClient) -> None:
    drawn = client.get("/puzzle/sheet?rules=3x4&count=7&lang=fr", follow_redirects=False)
    address = drawn.headers["location"]
    assert re.fullmatch(r"/puzzle/sheet\?rules=3x4&level=2&seed=\d+&count=7&lang=fr", address)
    page = client.get("/puzzle/sheet?rules=3x4&level=2&seed=5&count=7&lang=en").text
    assert page.count("<article") == 7
    assert page.count('<section class="sheet') == 2
    assert "a ring" in page.partition("<article")[0]  # pupils have no page of answers
    solutions = [puzzle("3x4", level=2, seed=seed).solution for seed in range(5, 12)]
    answers = re.findall(r'aria-label="([A-D ]+)"', page.partition("Answers")[2])
    assert answers == [" ".join(str(code)) for code in solutions]
    assert "/puzzle/sheet?rules=3x4&amp;level=2&amp;seed=5&amp;count=7" in page
    words = client.get("/puzzle/sheet?rules=wordle&level=1&seed=5&count=1&lang=en").text
    assert 'aria-label="D U N E S: absent, absent, absent, right, right"' in words
    assert client.get("/puzzle/sheet?rules=6x9&empty=1").text.count("<article") == 6


@pytest.mark.slow
def test_days_to_come_wait(client: TestClient) -> None:
    assert client.get("/puzzle?rules=3x4&date=0001-01-01").status_code == 200
    today = datetime.now(UTC).date()
    for path in ("/puzzle", "/api/puzzle"):
        answer = client.get(f"{path}?rules=3x4&date={today + timedelta(days=2)}")
        assert answer.status_code == 422
        assert "is not there yet" in answer.text
    page = client.get(f"/puzzle?rules=3x4&date={today}").text
    month = page.partition('<table class="month"')[2].partition("</table>")[0]
    days = [*map(date.fromisoformat, re.findall(r"date=([0-9-]{10})", month))]
    assert max(days) <= today + timedelta(days=1)


@pytest.mark.slow
def test_a_puzzle_of_ones_own_is_explained(client: TestClient) -> None:
    page = client.get("/puzzle/explain", params={"text": "RRGB 2 1\nRYBO 0 2"})
    assert "R = red = A" in page.text and "7 codes fit" in page.text
    assert "history=AABC:XXO,ADCE:OO" in page.text
    assert 'data-paint="red"' in page.text  # pegs in the colors that were noted
    assert 'aria-label="2 exact, 1 misplaced"' in page.text
    asked = client.get("/puzzle/explain", params={"text": "AABB 2"})
    assert "marks=sum" in asked.text
    chosen = client.get("/puzzle/explain", params={"text": "AABB 2", "marks": "sum"})
    assert "=2" in chosen.text
    wrong = client.get("/puzzle/explain", params={"text": "hello <b>"})
    assert wrong.status_code == 422 and "hello &lt;b&gt;" in wrong.text
    nothing = client.get("/puzzle/explain", params={"text": "AAAA XXXX / BBBB XXXX"})
    assert "fits these marks" in nothing.text
    french = client.get("/puzzle/explain", params={"text": "AABB XO", "lang": "fr"})
    assert "codes conviennent" in french.text


@pytest.mark.slow
def test_squares_alone_are_explained_by_the_words_that_fit(client: TestClient) -> None:
    text = "Wordle 1,234 3/6\n\n🟩🟨⬛⬛🟩\n🟩🟩🟩🟩🟩\n"
    told = client.get("/puzzle/explain", params={"text": text, "secret": "crane"}).text
    assert "CABLE CACHE CADGE" in told and "Read as wordle" in told
    moved = client.get("/decode", params={"text": text}, follow_redirects=False)
    assert moved.headers["location"].startswith("/puzzle/explain?text=")
    wrong = client.get("/puzzle/explain", params={"text": text, "secret": "zzzzz"})
    assert wrong.status_code == 422 and "zzzzz" in wrong.text.lower()
