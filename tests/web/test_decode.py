"""Decode over the API: advice for a history, contradictions explained, guesses weighed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.game import Rules, game_of
from pegwise.knowledge import count
from pegwise.reading import parse_turn
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
    turns = [parse_turn(text, game_of("4x6")) for text in TURNS]
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


@pytest.mark.parametrize(("mark", "shown"), [("XXX", None), ("XXX?", "XXX?"), ("3 in all", "=3")])
def test_a_contradiction_is_drawn(client: TestClient, mark: str, shown: str | None) -> None:
    """With a button for each mark that would fit; a mark that was noted in part is shown so."""
    history = sent("AABC=-", f"AABC={mark}", "DDEE=XX")
    suspects = decode(client, history=history)["suspects"]
    drawn = client.post("/api/decode/conflict.html", json={"history": history}).text
    buttons = re.findall(r'data-act="remark" data-turn="(\d)" data-mark="([^"]+)"', drawn)
    fit = {(str(one["turn"]), by["mark"]) for one in suspects for by in one["instead"]}
    assert set(buttons) == fit
    assert ("3 exact, 0 misplaced" in drawn) == (shown is None)
    assert shown is None or f">{shown}</span>" in drawn


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


@pytest.mark.slow
def test_a_board_too_large_to_list_is_decoded(client: TestClient) -> None:
    advice = decode(client, rules="8x12", strategy="forget-entropy", history=sent("AABBCCDD=XO"))
    assert advice["count"] > 10**6
    assert len(advice["guess"]) == 8
    sentence = refused(client.post("/api/decode", json={"rules": "8x12", "strategy": "knuth"}))
    assert "too many to list" in sentence


@pytest.mark.slow
@pytest.mark.usefixtures("few_states")
def test_a_guess_is_there_also_where_nothing_can_be_counted() -> None:
    rules = Rules.parse("16x26")
    texts = ["QQQEQQQQQQQQQZZZ=O", "QXXLXXXEXXXXYQSL=XOOO", "LWWWZLZWLLWWXLZW=OO"]
    advice = compute(
        game_of(rules),
        "",
        dict(enumerate((parse_turn(t, game_of(rules)) for t in texts), 1)),
        3,
        20,
    )
    assert (advice.count, advice.by, len(advice.guess or "")) == (None, "sampling", 16)


@pytest.mark.slow
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


@pytest.mark.slow
def test_why_speaks_in_the_names_of_colors(client: TestClient) -> None:
    colors = ["red", "orange", "yellow", "green", "blue", "black"]
    history = [{"guess": "red red red red", "mark": "X"}]
    body = {"history": history, "colors": colors, "rules": "4x6"}
    why = client.post("/api/decode/why", json=body | {"strategy": "marechal-rastoix-1"}).json()
    assert "red" in why["reason"] and "orange" in why["reason"]
    domains = client.post("/api/decode/why", json=body | {"strategy": "constraint"}).json()
    assert [row[0] for row in domains["table"]["rows"]] == colors
    drawn = client.post("/api/decode/why.html", json=body | {"strategy": "constraint"})
    assert all(f'aria-label="{color}"' in drawn.text for color in colors)


def test_a_guess_is_weighed_against_the_best(client: TestClient) -> None:
    weighed = client.post("/api/weigh", json={"guess": "AABB", "criterion": "minimax"}).json()
    assert (weighed["count"], weighed["largest"], weighed["parts"]) == (1296, 256, 13)
    assert weighed["best"]["guess"] == "AABB"  # Knuth's opening


def test_marks_are_those_that_can_happen(client: TestClient) -> None:
    answer = client.get("/api/marks", params={"guess": "AAAA"}).json()
    assert answer == {"rules": "4x6", "guess": "AAAA", "marks": ["-", "X", "XX", "XXX", "XXXX"]}
    assert "guess is missing" in refused(client.get("/api/marks"))


@pytest.mark.slow
def test_marks_that_are_noted_in_part(client: TestClient) -> None:
    history = [{"guess": "AABB", "mark": "2 ?"}, {"guess": "CDCD", "mark": "=1"}]
    assert decode(client, history=history)["left"] == [150, 72]
    document = client.post("/api/decode/why", json={"history": history}).json()
    assert document["criterion"] == "entropy" and document["rows"]
    assert client.get("/review?rules=4x6&history=AABB:XX?,CDCD:=1").status_code == 200


def test_turns_are_read_together_and_what_was_inferred_is_told(client: TestClient) -> None:
    names = decode(client, rules="4x6", history=sent("RRGB=2 1", "RYBO=0 2"))
    assert names["count"] == 7 and "R = red = A" in names["read_as"]
    assert [turn["guess"] for turn in names["history"]] == ["AABC", "ADCE"]
    assert [color["name"] for color in names["colors"]] == ["R", "G", "B", "Y", "O", "P"]
    assert names["colors"][1]["paint"] == "green"
    text = decode(client, text="1532 0 0 / 5015 1 0 / 1405 1 0")
    assert (text["rules"], text["count"], text["guess"]) == ("4x6", 1, "AAAA")
    assert "digits from 0 to 5" in text["read_as"] and text["colors"][0]["label"] == "0"
    own = ["red", "orange", "yellow", "green", "blue", "purple"]
    said = decode(client, rules="4x6", colors=own, history=sent("red red orange blue=XO"))
    assert said["history"] == [{"guess": "AABE", "mark": "XO"}] and said["read_as"] is None
    ignored = [{"guess": "zzz", "mark": "?", "ignored": True}, *sent("AABB=XO")]
    assert decode(client, history=ignored)["history"][0] is None
    both = decode(client, text="1234 1 2\n5612 0 2")
    assert (both["count"], both["others"][0]["marks"], both["others"][0]["count"]) == (
        36,
        "inclusive",
        66,
    )
    assert decode(client, text="1234 1 2\n5612 0 2", marks="inclusive")["count"] == 66
    assert decode(client)["read_as"] is None
    refused(client.post("/api/decode", json={"text": "AABB XO", "history": sent("AABB=XO")}))
    assert "turn 2" in refused(
        client.post("/api/decode", json={"history": sent("AABB=X", "AABB=Q")})
    )


@pytest.mark.slow
def test_an_ambiguous_text_is_refused_with_its_readings(client: TestClient) -> None:
    answer = client.post("/api/decode", json={"history": sent("crane=XXXXX")})
    assert answer.status_code == 422
    document = answer.json()
    assert "--marks" not in document["detail"]
    assert [reading["marks"] for reading in document["readings"]] == ["x-right", "x-absent"]
    chosen = {"history": sent("crane=XXXXX"), "marks": "x-absent"}
    assert decode(client, **chosen)["history"] == [{"guess": "CRANE", "mark": "-----"}]


def test_a_mark_that_is_typed_is_read_by_the_server(client: TestClient) -> None:
    def typed(text: str, **more: str) -> Any:
        answer = client.get("/api/mark", params={"rules": "4x6", "text": text, **more})
        assert answer.status_code == 200
        return answer.json()

    assert typed("2b1w") == {"mark": "XXO", "read_as": None, "readings": []}
    assert "eat is black" in typed("1 eat")["read_as"]
    asked = typed("1/2")
    assert asked["mark"] is None
    assert [(row["mark"], row["marks"]) for row in asked["readings"]] == [
        ("XOO", "pair"),
        ("XO", "inclusive"),
    ]
    assert typed("1/2", marks="inclusive")["mark"] == "XO"
    sentence = client.get("/api/mark", params={"rules": "4x6", "text": "OO", "guess": "AAAA"})
    assert "AAAA" in refused(sentence)


def test_the_page_asks_or_tells_how_a_text_was_read(client: TestClient) -> None:
    plain = client.get("/decode", params={"text": "AABB XO"}, follow_redirects=False)
    assert plain.headers["location"] == "/decode?rules=4x6&history=AABB:XO"
    told = client.get("/decode", params={"text": "RRGB 2 1\nRYBO 0 2"}).text
    assert "R = red = A" in told and '"paint": "green"' in told
    assert "1 = 1" not in told
    question = client.get("/decode", params={"text": "crane=XXXXX"}).text
    assert "marks=x-right" in question and "marks=x-absent" in question
    assert (
        "R = rouge = A"
        in client.get("/decode", params={"text": "RRGB 2 1\nRYBO 0 2", "lang": "fr"}).text
    )
    form = client.get(
        "/decode",
        params={"pegs": 2, "colors": 3, "names": "red, blue,green"},
        follow_redirects=False,
    )
    assert form.headers["location"] == "/decode?rules=2x3&colors=red,blue,green"


def test_chances_of_each_place(client: TestClient) -> None:
    body = {"rules": "3x3", "history": [{"guess": "AAB", "mark": "XO"}]}
    chances = client.post("/api/decode/chances", json=body).json()
    assert chances[2] == {"A": 0.5, "B": 0.0, "C": 0.5}
    drawn = client.post("/api/decode/chances.html", json=body).text
    assert drawn.count("50.0%") == 4
    nothing = body | {"history": [{"guess": "AAA", "mark": "-"}, {"guess": "AAB", "mark": "XO"}]}
    assert "no code" in refused(client.post("/api/decode/chances", json=nothing))
