"""Review over the API and as files to share."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.coach import review
from pegwise.coach.review import to_document
from pegwise.game import parse_record
from pegwise.search.exact import timed_solver
from tests.web.playing import refused, sent


def test_review_is_exact_where_it_can_be(client: TestClient) -> None:
    document = client.post("/api/review", json={"turns": sent("AABB=XO", "ACAD=XO")}).json()
    assert not document["estimated"]
    # Knuth's opening needs 5702 guesses for all secrets, the best one 5625
    assert document["turns"][0]["exact"]["cost"] == pytest.approx((5702 - 5625) / 1296)
    costs = [turn["exact"]["cost"] for turn in document["turns"]]
    assert min(costs) >= 0
    assert document["cost_in_guesses"] == pytest.approx(sum(costs))


def test_review_is_the_coachs(client: TestClient) -> None:
    body = {"turns": sent("AABB=XO", "ABCD=XXXX"), "rule": "candidates"}
    document = client.post("/api/review", json=body).json()
    record = parse_record(document["record"])
    expected = to_document(review(record, guesses="candidates", solver=timed_solver(60)))
    assert {key: document[key] for key in expected} == expected
    assert document["svg"].startswith("<svg")
    again = client.post("/api/review", json={"record": document["record"], "rule": "candidates"})
    assert again.json() == document


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "no turn yet"),
        ({"record": "hello"}, "'hello' is not how a record of a game begins"),
        ({"record": "pegwise game 1", "turns": sent("AABB=XO")}, "not both"),
        ({"turns": sent("ABCD=XXXX", "ABCD=XXXX")}, "turn 2 comes after turn 1 won the game"),
        ({"turns": sent("ABCD=X"), "rule": "some"}, "must be one of 'any', 'candidates'"),
        ({"record": "x" * 60_000}, "at most 50000 characters"),
    ],
)
def test_bad_games_are_not_reviewed(client: TestClient, body: Any, words: str) -> None:
    assert words in refused(client.post("/api/review", json=body))


ENGLISH = """\
pegwise 4x6, secret EEFC: given up after 2 guesses

1. AABB XO; 1,296 -> 208 (204.5 expected); best AABC (+0.06 guesses)

Luck -0.25 bits; the guesses cost 0.06 guesses.

From there on the marks contradict each other.
"""
FRENCH = """\
pegwise 4x6, code EEFC : abandonnée après 2 propositions

1. AABB XO; 1 296 -> 208 (attendu : 204,5); la meilleure : AABC (+0,06 proposition)

Chance : -0,25 bit ; coût des propositions : 0,06 proposition.

À partir de là, les réponses se contredisent.
"""


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("fr", FRENCH)])
def test_what_is_shared_is_in_the_language_of_the_page(
    client: TestClient, language: str, text: str
) -> None:
    address = f"rules=4x6&history=AABB:XO,AABB:-&secret=EEFC&lang={language}"
    shared = client.get(f"/review/text?{address}").text
    assert shared.replace("\u202f", " ").replace("\u00a0", " ") == text
    title = text.splitlines()[0].removeprefix("pegwise ").replace(", secret EEFC", "")
    picture = client.get(f"/review/board.svg?{address}").text.replace("\u00a0", " ")
    assert title.replace(", code EEFC", "") in picture
    record = parse_record(client.get(f"/review/record?{address}").text)
    assert (str(record.secret), len(record.turns)) == ("EEFC", 2)
