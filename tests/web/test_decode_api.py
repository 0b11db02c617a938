"""Decode, review and the strategies over the API."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.coach import review
from pegwise.coach.review import to_document
from pegwise.game import Code, Rules, parse_record, parse_turn
from pegwise.knowledge import count
from pegwise.search.exact.position import PositionValue, position_value
from pegwise.strategies import registry
from tests.web.playing import refused

TURNS = ("AABB=XO", "AACC=-")


def sent(*turns: str, **more: Any) -> list[dict[str, Any]]:
    return [
        {"guess": guess, "mark": mark, **more}
        for guess, mark in (turn.split("=") for turn in turns)
    ]


def decode(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/decode", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_decode_proposes_and_counts(client: TestClient) -> None:
    found = decode(client, rules="4x6", strategy="knuth", history=sent(*TURNS))
    rules = Rules()
    turns = [parse_turn(text, rules) for text in TURNS]
    assert found["left"] == [count(rules, turns[:1]), count(rules, turns)]
    assert found["count"] == found["left"][-1]
    assert found["by"] == "knuth"
    assert len(found["codes"]) == min(20, found["count"])
    assert "XXXX" in found["marks"]
    assert "XXXO" not in found["marks"]
    assert not found["won"]


def test_decode_begins_without_turns(client: TestClient) -> None:
    found = decode(client)
    assert (found["guess"], found["by"], found["count"]) == ("ABCD", "entropy", 1296)


def test_decode_ends_when_the_code_is_found(client: TestClient) -> None:
    found = decode(client, history=sent("ABCD=XXXX"))
    assert found["won"]
    assert found["guess"] is None
    assert found["codes"] == ["ABCD"]


def test_decode_explains_a_contradiction_until_a_mark_is_corrected(client: TestClient) -> None:
    history = sent("AABB=XO", "AACC=-", "ABCD=XXXX")
    found = decode(client, history=history)
    assert found["count"] == 0
    assert not found["won"]
    assert found["guess"] is None
    assert found["agree"] == {"turns": 2, "count": 42}
    suspect = found["suspects"][0]
    assert suspect["turn"] == 3
    corrected = [*history[:2], {"guess": "ABCD", "mark": suspect["instead"][0]["mark"]}]
    assert decode(client, history=corrected)["count"] == suspect["instead"][0]["count"]


def test_an_ignored_turn_keeps_its_place(client: TestClient) -> None:
    history = sent("ABCD=-", "ABCD=XX", "EEFF=-")
    assert decode(client, history=history)["count"] == 0
    history[0]["ignored"] = True
    found = decode(client, history=history)
    assert found["left"][0] is None
    assert found["count"] > 0
    history[2]["mark"] = "XXXX"
    numbers = [suspect["turn"] for suspect in decode(client, history=history)["suspects"]]
    assert set(numbers) == {2, 3}


def test_several_wrong_marks_are_counted(client: TestClient) -> None:
    found = decode(client, history=sent("AAAA=XXXX", "BBBB=XXXX", "CCCC=XXXX"))
    assert found["suspects"] == []
    assert found["fewest_wrong"] == 2


def test_a_board_too_large_to_list_is_decoded(client: TestClient) -> None:
    found = decode(client, rules="8x12", strategy="forget-entropy", history=sent("AABBCCDD=XO"))
    assert found["count"] > 10**6
    assert len(found["guess"]) == 8
    sentence = refused(client.post("/api/decode", json={"rules": "8x12", "strategy": "knuth"}))
    assert "too many to list" in sentence


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"history": sent("AABB=XXXO")}, "turn 1: mark 'XXXO' cannot happen"),
        ({"history": sent("AAAA=XO")}, "turn 1: mark XO cannot happen for AAAA"),
        ({"history": sent("AABB=XO", "AABBC=XO")}, "turn 2: 'AABBC': 5 pegs"),
        ({"history": sent("AABB=XO") * 500}, "at most 200 items"),
        ({"strategy": "knut"}, "did you mean 'knuth'"),
        ({"strategy": "knuth:guesses=some"}, "'some'"),
        ({"strategy": "greenwell", "rules": "5x8"}, "greenwell"),
        ({"limit": 10**6}, "must be at most 1000"),
    ],
)
def test_bad_histories_are_refused(client: TestClient, body: Any, words: str) -> None:
    assert words in refused(client.post("/api/decode", json=body))


def test_why_ranks_as_the_strategy_chooses(client: TestClient) -> None:
    body = {"strategy": "irving", "history": sent(*TURNS)}
    found = client.post("/api/decode/why", json=body).json()
    assert found["criterion"] == "size"
    assert found["guess"] == decode(client, **body)["guess"]
    assert found["rows"][0]["guess"] == found["guess"]
    scores = [row["score"] for row in found["rows"] if row["place"]]
    assert scores == sorted(scores)
    wrong = {"history": sent("AAAA=XXXX", "BBBB=XXXX")}
    assert "no code of 4x6 fits" in refused(client.post("/api/decode/why", json=wrong))


def test_marks_are_those_that_can_happen(client: TestClient) -> None:
    found = client.get("/api/marks", params={"guess": "AAAA"}).json()
    assert found == {"rules": "4x6", "guess": "AAAA", "marks": ["-", "X", "XX", "XXX", "XXXX"]}
    assert "guess is missing" in refused(client.get("/api/marks"))


def solver(rules: Rules, history: Any, guess: Code, guesses: str) -> PositionValue | None:
    return position_value(rules, history, guess, guesses=guesses)


def test_review_is_exact_where_it_can_be(client: TestClient) -> None:
    turns = sent("AABB=XO", "ACAD=XO")
    found = client.post("/api/review", json={"turns": turns}).json()
    assert not found["estimated"]
    # Knuth's opening needs 5702 guesses for all secrets, the best one 5625
    assert found["turns"][0]["exact"]["cost"] == pytest.approx((5702 - 5625) / 1296)
    costs = [turn["exact"]["cost"] for turn in found["turns"]]
    assert min(costs) >= 0
    assert found["cost_in_guesses"] == pytest.approx(sum(costs))
    assert "Against best play to the end" in found["text"]


def test_review_is_the_coachs(client: TestClient) -> None:
    turns = sent("AABB=XO", "ABCD=XXXX")
    found = client.post("/api/review", json={"turns": turns, "rule": "candidates"}).json()
    expected = to_document(
        review(parse_record(found["record"]), guesses="candidates", solver=solver)
    )
    assert {key: found[key] for key in expected} == expected
    assert found["svg"].startswith("<svg")
    assert "ABCD XXXX" in found["text"]
    again = client.post("/api/review", json={"record": found["record"], "rule": "candidates"})
    assert again.json() == found


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "no turn yet"),
        ({"record": "hello"}, "'hello' is not how a record of a game begins"),
        ({"record": "pegwise game 1", "turns": sent("AABB=XO")}, "not both"),
        ({"turns": sent("ABCD=XXXX", "ABCD=XXXX")}, "turn 2 comes after turn 1 won the game"),
        ({"turns": sent("ABCD=X"), "rule": "some"}, "'any' or 'candidates'"),
        ({"record": "x" * 60_000}, "at most 50000 characters"),
    ],
)
def test_bad_games_are_not_reviewed(client: TestClient, body: Any, words: str) -> None:
    assert words in refused(client.post("/api/review", json=body))


def test_every_strategy_has_its_card(client: TestClient) -> None:
    cards = client.get("/api/strategies").json()
    assert [card["id"] for card in cards] == [card.id for card in registry.cards()]
    assert all(card["about"] and card["plays"] is None for card in cards)
    large = {card["id"]: card for card in client.get("/api/strategies?rules=8x12").json()}
    assert not large["knuth"]["plays"]
    assert "too many to list" in large["knuth"]["why_not"]
    assert large["forget-entropy"]["plays"]
    assert client.get("/api/strategies/knuth").json()["year"] == 1976
    assert "did you mean 'knuth'" in refused(client.get("/api/strategies/knuht"), 404)
    assert "did you mean 'classic'" in refused(client.get("/api/strategies?rules=clasic"))
