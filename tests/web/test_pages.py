"""Pages as the server sends them: their state, what they refuse, lessons and tables."""

from __future__ import annotations

import json
import math
import re
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pegwise.errors import InputError, RulesError
from pegwise.game import Rules, parse_code
from pegwise.i18n import translated
from pegwise.web.inputs import history_of, history_text, rules_of
from pegwise.web.learn import as_csv, worked_game
from pegwise.web.pages import filters, whole
from tests import naive

HTML = {"accept": "text/html"}


def data(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="page">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("path", ["/", "/play", "/decode", "/review", "/learn"])
def test_pages_are_there_in_both_languages(client: TestClient, path: str) -> None:
    english = client.get(path, headers=HTML)
    assert english.status_code == 200
    assert '<html lang="en">' in english.text
    french = client.get(path, headers=HTML | {"accept-language": "fr-CH, en;q=0.8"})
    assert '<html lang="fr">' in french.text
    assert french.headers["content-language"] == "fr"


def test_the_form_of_rules_leads_to_a_readable_address(client: TestClient) -> None:
    answer = client.get(
        "/play?pegs=5&colors=8&repeats=distinct&blank=1&hints=0&max=7&codemaker=evil",
        follow_redirects=False,
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == (
        "/play?rules=5x8%2Cdistinct%2Cblank&codemaker=evil&hints=0&max=7"
    )


def test_the_page_never_holds_the_secret(client: TestClient) -> None:
    game = client.post("/api/games", json={"rules": "4x6"}).json()
    page = client.get(f"/play?rules=4x6&game={game['id']}").text
    assert data(page)["game"] == game["id"]
    assert "secret" not in data(page)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/play?rules=4x99", "4x99"),
        ("/play?rules=4x6&max=0", "&#39;0&#39;"),
        ("/decode?rules=banana", "banana"),
        ("/review?rules=4x6&history=AB:X", "AB"),
        ("/review?rules=4x6&history=ABCD", "GUESS:MARK"),
        ("/review?rules=4x6&history=ABCD:XXXO", "XXXO"),
        ("/learn/knut", "knuth"),
        ("/learn/knuth?secret=ABCZ", "ABCZ"),
        ("/nowhere", "nowhere"),
    ],
)
def test_bad_addresses_are_refused_on_a_page(client: TestClient, path: str, said: str) -> None:
    answer = client.get(path, headers=HTML)
    assert 400 <= answer.status_code < 500
    assert said in answer.text
    assert '<main id="main"' in answer.text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_refusals_are_in_the_language_of_the_page(client: TestClient, language: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.parse("4x99")
    said = translated(refused.value, language)
    page = client.get(f"/play?rules=4x99&lang={language}", headers=HTML).text
    assert said in unescape(page)
    # and so are those of the API that the page asks
    answer = client.get("/api/marks?rules=4x99&guess=AABB")
    assert answer.json()["detail"] == said


def test_programs_get_errors_as_json(client: TestClient) -> None:
    answer = client.get("/play?rules=4x99", headers={"accept": "application/json"})
    assert "4x99" in answer.json()["detail"]


def test_markup_in_what_is_sent_stays_text(client: TestClient) -> None:
    for path in ("/play?rules=<script>", "/review?record=<script>alert(1)</script>"):
        text = client.get(path, headers=HTML).text
        assert "<script>" not in text


def test_history_is_written_as_it_is_read() -> None:
    rules = Rules.parse("4x6,blank")
    text = "AABB:XO,CC.D:-,ABCD:XX"
    assert history_text(history_of(text, rules)) == text
    assert history_text(history_of("AABB:XO,CC.D:-~", rules)) == "AABB:XO"


def test_rules_of_an_address() -> None:
    assert rules_of({}) == Rules()
    assert rules_of({"rules": "super"}) == Rules(5, 8)
    assert rules_of({"pegs": "3", "colors": "4", "black": "1"}) == Rules(3, 4, black=True)
    with pytest.raises(InputError, match="99"):
        rules_of({"pegs": "99"})


@pytest.mark.parametrize("name", ["knuth", "first", "marechal-rastoix-3"])
def test_worked_games_count_as_the_slow_twin_does(name: str) -> None:
    rules, secret = Rules.parse("3x4"), "BDA"
    rounds = worked_game(rules, name, parse_code(secret, rules))
    possible = [tuple(code) for code in naive.secrets(3, 4)]
    for step in rounds:
        guess, mark = tuple(step.turn.guess), tuple(step.turn.mark)
        possible = [code for code in possible if tuple(naive.mark(guess, code)) == mark]
        assert step.candidates == len(possible)
        assert step.bits == pytest.approx(math.log2(len(possible)))
    assert str(rounds[-1].turn.guess) == secret
    lines = as_csv(rounds).splitlines()
    assert lines[-1].split(",")[1:] == ["BDA", "3b0w", "1", "0.0000"]


def test_a_table_comes_with_its_file(client: TestClient) -> None:
    address = "strategy=parts&rules=4x6&secret=EEFC"
    page = client.get(f"/learn/table?{address}").text
    answer = client.get(f"/learn/table.csv?{address}")
    assert answer.headers["content-type"].startswith("text/csv")
    assert len(answer.text.splitlines()) - 1 == page.count('<th scope="row">')


@pytest.mark.parametrize(("language", "shown"), [("en", "1,234.50"), ("fr", "1\u202f234,50")])
def test_numbers_are_written_as_the_language_does(language: str, shown: str) -> None:
    number = filters(language)["number"]
    assert number(1234.5, 2) == shown
    assert number(-0.001, 2) in {"0.00", "0,00"}
    assert filters("en")["number"](26**13) == "2.48 × 10¹⁸"
    assert filters("en")["signed"](-1.875) == "−1.88"


@pytest.mark.parametrize(
    ("language", "said", "titled"),
    [
        ("en", "pegwise 4x6, secret EEFC: given up after 1 guess", "4x6: given up after 1 guess"),
        (
            "fr",
            "pegwise 4x6, code EEFC\u00a0: abandonnée après 1 proposition",
            "4x6\u00a0: abandonnée",
        ),
    ],
)
def test_what_is_shared_is_in_the_language_of_the_page(
    client: TestClient, language: str, said: str, titled: str
) -> None:
    asked = f"rules=4x6&history=FEDB:XO&secret=EEFC&lang={language}"
    text = client.get(f"/review/text?{asked}").text
    assert text.splitlines()[0] == said
    assert ("bit" in text, "1,296 -> 252" in text) == (True, language == "en")
    assert titled in client.get(f"/review/board.svg?{asked}").text


def test_plurals_of_numbers_between_whole_ones() -> None:
    for value, form in [(0.5, 0), (1, 1), (1.0, 1), (1.5, 0), (2, 2), (2.5, 2)]:
        assert whole(value) == form


def test_what_stands_in_backticks_is_set_apart() -> None:
    shown = filters("en")["prose"]("run `pegwise <x>` & wait")
    assert shown == "run <code>pegwise &lt;x&gt;</code> &amp; wait"


def test_a_bad_turn_is_refused_in_french(client: TestClient) -> None:
    body = {"rules": "4x6", "history": [{"guess": "ABCZ", "mark": "X"}]}
    headers = {"accept-language": "fr"}
    said = client.post("/api/decode", json=body, headers=headers).json()["detail"]
    assert said.startswith("tour 1\u00a0: ")
