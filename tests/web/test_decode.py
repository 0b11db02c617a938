"""Decode over the API: advice for a history, contradictions explained, guesses weighed."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.game import Rules, parse_turn
from pegwise.knowledge import count
from pegwise.web.decode import decode as compute
from tests.web.playing import refused, sent

TURNS = ("AABB=XO", "AACC=-")


def decode(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/decode", json=body)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def test_decode_proposes_and_counts(client: TestClient) -> None:
    first = decode(client)
    assert (first["guess"], first["by"], first["count"]) == ("ABCD", "entropy", 1296)
    advice = decode(client, rules="4x6", strategy="knuth", history=sent(*TURNS))
    turns = [parse_turn(text, Rules()) for text in TURNS]
    assert advice["left"] == [count(Rules(), turns[:1]), count(Rules(), turns)]
    assert advice["count"] == advice["left"][-1]
    assert (advice["by"], advice["won"]) == ("knuth", False)
    assert len(advice["codes"]) == min(20, advice["count"])
    assert "XXXX" in advice["marks"]
    assert "XXXO" not in advice["marks"]
    last = decode(client, history=sent("ABCD=XXXX"))
    assert (last["won"], last["guess"], last["codes"]) == (True, None, ["ABCD"])


def test_decode_explains_a_contradiction_until_a_mark_is_corrected(client: TestClient) -> None:
    history = sent(*TURNS, "ABCD=XXXX")
    advice = decode(client, history=history)
    assert (advice["count"], advice["won"], advice["guess"]) == (0, False, None)
    assert advice["left"][1:] == [42, 0]
    suspect = advice["suspects"][0]
    assert suspect["turn"] == 3
    corrected = [*history[:2], {"guess": "ABCD", "mark": suspect["instead"][0]["mark"]}]
    assert decode(client, history=corrected)["count"] == suspect["instead"][0]["count"]
    several = decode(client, history=sent("AAAA=XXXX", "BBBB=XXXX", "CCCC=XXXX"))
    assert (several["suspects"], several["fewest_wrong"]) == ([], 2)


def test_an_ignored_turn_keeps_its_place(client: TestClient) -> None:
    history = sent("ABCD=-", "ABCD=XX", "EEFF=-")
    assert decode(client, history=history)["count"] == 0
    history[0]["ignored"] = True
    advice = decode(client, history=history)
    assert advice["left"][0] is None
    assert advice["count"] > 0
    history[2]["mark"] = "XXXX"
    suspects = decode(client, history=history)["suspects"]
    assert {suspect["turn"] for suspect in suspects} == {2, 3}
    history[2]["mark"] = "XXXO"
    assert "turn 3: mark 'XXXO'" in refused(client.post("/api/decode", json={"history": history}))


def test_a_board_too_large_to_list_is_decoded(client: TestClient) -> None:
    advice = decode(client, rules="8x12", strategy="forget-entropy", history=sent("AABBCCDD=XO"))
    assert advice["count"] > 10**6
    assert len(advice["guess"]) == 8
    sentence = refused(client.post("/api/decode", json={"rules": "8x12", "strategy": "knuth"}))
    assert "too many to list" in sentence


@pytest.mark.usefixtures("few_states")
def test_a_guess_is_there_also_where_nothing_can_be_counted() -> None:
    rules = Rules.parse("16x26")
    texts = ["QQQEQQQQQQQQQZZZ=O", "QXXLXXXEXXXXYQSL=XOOO", "LWWWZLZWLLWWXLZW=OO"]
    advice = compute(rules, "", dict(enumerate((parse_turn(t, rules) for t in texts), 1)), 3, 20)
    assert (advice.count, advice.by, len(advice.guess or "")) == (None, "sampling", 16)


def test_a_strategy_that_takes_too_long_is_replaced(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    monkeypatch.setattr(services.quick, "seconds", 0)
    monkeypatch.setattr(services.slow, "seconds", 120)  # a busy machine starts a worker slowly
    advice = decode(client, rules="5x8", strategy="entropy", history=sent("AABBC=XO"))
    assert (advice["late"], advice["by"], advice["count"]) == (True, "constraint", 5504)
    key = client.post("/api/games", json={"rules": "5x8"}).json()["id"]
    hint = client.post(f"/api/games/{key}/hint").json()
    assert (hint["late"], hint["by"]) == (True, "constraint")


def test_why_ranks_as_the_strategy_chooses(client: TestClient) -> None:
    body = {"strategy": "irving", "history": sent(*TURNS)}
    why = client.post("/api/decode/why", json=body).json()
    assert why["criterion"] == "size"
    assert why["guess"] == why["rows"][0]["guess"] == decode(client, **body)["guess"]
    scores = [row["score"] for row in why["rows"] if row["place"]]
    assert scores == sorted(scores)


def test_a_guess_is_weighed_against_the_best(client: TestClient) -> None:
    weighed = client.post("/api/weigh", json={"guess": "AABB", "criterion": "minimax"}).json()
    assert (weighed["count"], weighed["largest"], weighed["parts"]) == (1296, 256, 13)
    assert weighed["best"]["guess"] == "AABB"  # Knuth's opening


def test_marks_are_those_that_can_happen(client: TestClient) -> None:
    answer = client.get("/api/marks", params={"guess": "AAAA"}).json()
    assert answer == {"rules": "4x6", "guess": "AAAA", "marks": ["-", "X", "XX", "XXX", "XXXX"]}
    assert "guess is missing" in refused(client.get("/api/marks"))


def test_marks_that_are_noted_in_part(client: TestClient) -> None:
    history = [{"guess": "AABB", "mark": "2 ?"}, {"guess": "CDCD", "mark": "=1"}]
    assert decode(client, history=history)["left"] == [150, 72]
    document = client.post("/api/decode/why", json={"history": history}).json()
    assert document["criterion"] == "entropy" and document["rows"]
    assert client.get("/review?rules=4x6&history=AABB:XX?,CDCD:=1").status_code == 200
