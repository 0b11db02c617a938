"""Review over the API and as files to share."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from pegwise.coach.review import review
from pegwise.game import game_of
from pegwise.playing import Record, parse_record
from pegwise.search.solver import best_play_within
from pegwise.web.review import nearest
from tests.web.playing import sent


def test_review_is_exact_where_it_can_be(client: TestClient) -> None:
    document = client.post("/api/review", json={"turns": sent("AABB=XO", "ACAD=XO")}).json()
    assert not document["estimated"]
    # Knuth's opening needs 5702 guesses for all secrets, the best one 5625
    assert document["turns"][0]["exact"]["cost"] == pytest.approx((5702 - 5625) / 1296)
    costs = [turn["exact"]["cost"] for turn in document["turns"]]
    assert min(costs) >= 0
    assert document["cost_in_guesses"] == pytest.approx(sum(costs))


@pytest.mark.slow
def test_review_is_the_coachs(client: TestClient) -> None:
    body = {"turns": sent("AABB=XO", "ABCD=XXXX"), "rule": "candidates"}
    document = client.post("/api/review", json=body).json()
    record = parse_record(document["record"])
    expected = review(record, guesses="candidates", solver=best_play_within(60)).document()
    listed = [turn.pop("codes") for turn in document["turns"]]
    assert (len(listed[0]), listed[1]) == (12, ["ABCD"])
    assert {key: document[key] for key in expected} == expected
    assert document["svg"].startswith("<svg")
    again = client.post("/api/review", json={"record": document["record"], "rule": "candidates"})
    assert again.json()["text"] == document["text"]
    assert document["verdict"].startswith("solved in 2 guesses (1 good, 1 inaccurate); the choices")
    assert document["line"] == "pegwise 4x6: solved in 2 guesses 🟦🟨"


@pytest.mark.slow
def test_a_certain_code_follows_from_turns(client: TestClient) -> None:
    history = "DCCC:-,DFCC:X,CAFE:XO,CAFB:X,EFFF:XXXX"
    page = client.get(f"/review?rules=4x6&history={history}&lang=fr").text
    assert "et c’est lui. Cela découle des tours 1, 2, 3 et 4." in page


@pytest.mark.slow
def test_a_game_is_pasted(client: TestClient) -> None:
    form = {"record": "\n".join(["AABC O"] * 99 + ["BEEF XXXX"]), "rule": "candidates"}
    answer = client.post("/review", data=form, follow_redirects=False)
    assert answer.status_code == 303
    address = parse_qs(urlsplit(answer.headers["location"]).query)
    assert (address["rules"], address["rule"]) == (["4x6"], ["candidates"])
    turns = address["history"][0].split(",")
    assert (len(turns), turns[0], turns[-1]) == (100, "AABC:O", "BEEF:XXXX")
    for text, words in (("AABC O\n" * 101, "101 turns are too many"), ("", "write guesses")):
        answer = client.post("/review", data=form | {"record": text})
        assert (answer.status_code, words in answer.text) == (422, True)
    many = client.post("/review", data=form | {f"more-{n}": "1" for n in range(9)})
    assert many.status_code == 422
    # what is inferred is told before the review
    answer = client.post("/review", data=form | {"record": "RRGB 2 1 / RYBO 0 2"})
    assert answer.status_code == 200
    assert "R = red = A" in answer.text
    assert "/review?rules=4x6&amp;history=AABC:XXO,ADCE:OO" in answer.text
    client.cookies.clear()
    answer = client.post("/api/review", json={"record": "AABC O / BEEF XXXX"})
    assert answer.json()["result"] == "solved" and "read_as" not in answer.json()
    answer = client.post("/api/review", json={"record": "RRGB 2 1 / RYBO 0 2"})
    assert "R = red = A" in answer.json()["read_as"]


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("", "Not finished after 1 guess"),
        ("&secret=BEEF", "Given up after 1 guess"),
        ("&secret=BEEF&result=lost&codemaker=evil", "Not found in 1 guess"),
        ("&secret=BEEF&codemaker=random&seed=17", "Given up after 1 guess"),
    ],
)
def test_a_game_ends_as_it_was_played(client: TestClient, address: str, title: str) -> None:
    page = client.get(f"/review?rules=4x6&history=AABC:O{address}").text
    assert 'class="soft turning"' not in page  # what the rest would have cost is not known
    assert f'<h1 class="verdict">{title}</h1>' in page  # how its guesses were stands below
    assert f"/review/record?rules=4x6&amp;history=AABC:O{address.replace('&', '&amp;')}" in page


ENGLISH = """\
pegwise 4x6, secret EEFC: given up after 2 guesses (1 good); the choices cost \
0.06 guesses more than best play, and bad luck cost 0.25 bits.

1. AABB XO; 1,296 -> 208 (204.5 expected); good, best AABC (+0.06 guesses)

The marks contradict each other from turn 2 on.
"""
FRENCH = """\
pegwise 4x6, code EEFC : abandonné après 2 propositions (1 bonne) ; les choix ont coûté \
0,06 proposition de plus que le meilleur jeu, et la malchance a coûté 0,25 bit.

1. AABB XO; 1 296 -> 208 (attendu : 204,5); bonne, la meilleure : AABC (+0,06 proposition)

Les réponses se contredisent à partir du tour 2.
"""


@pytest.mark.slow
@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("fr", FRENCH)])
def test_what_is_shared_is_in_the_language_of_the_page(
    client: TestClient, language: str, text: str
) -> None:
    address = f"rules=4x6&history=AABB:XO,AABB:-&secret=EEFC&lang={language}"
    shared = client.get(f"/review/text?{address}").text
    assert shared.replace("\u202f", " ").replace("\u00a0", " ") == text
    title = text.partition(" (")[0].removeprefix("pegwise ").replace(", secret EEFC", "")
    picture = client.get(f"/review/board.svg?{address}").text.replace("\u00a0", " ")
    assert title.replace(", code EEFC", "") in picture
    record = parse_record(client.get(f"/review/record?{address}").text)
    assert (str(record.secret), len(record.turns)) == ("EEFC", 2)


def test_a_review_names_the_strategy_that_is_nearest() -> None:
    record = Record.of_turns(game_of("4x6"), (), None)
    turns = [{"above": 0.1, "exact": {"guesses": 4.34}}, {"above": 0.16, "exact": None}]
    document = {"turns": turns, "costs": {"guesses": 0.26}}
    own, name, mean = nearest(record, document) or (0, "", 0)
    assert name == "viaud"
    assert [own, mean] == pytest.approx([4.6, 4.608], abs=5e-4)
    assert nearest(Record.of_turns(game_of("3x4"), (), None), document) is None
    assert nearest(record, document | {"costs": {"guesses": 0.1, "bits": 0.2}}) is None
