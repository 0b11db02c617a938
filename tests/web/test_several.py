"""Several secrets at once over the API: each guess gets a mark on every hidden board."""

from __future__ import annotations

import html
import io
import re
import zipfile
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.knowledge import candidates
from pegwise.playing import parse_record
from tests import naive
from tests.web.playing import refused, visitor


def begin(client: TestClient, rules: str, secrets: int = 2, **options: Any) -> dict[str, Any]:
    """A new game."""
    sent = {"rules": rules, "secrets": secrets, **options}
    answer = client.post("/api/games", json=sent)
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    return game


def guess(client: TestClient, game: dict[str, Any], code: str) -> dict[str, Any]:
    """The game after its next guess."""
    sent = {"guess": code, "turn": len(game["guesses"]) + 1}
    answer = client.post(f"/api/games/{game['id']}/turns", json=sent)
    assert answer.status_code == 200, answer.text
    after: dict[str, Any] = answer.json()
    return after


@pytest.mark.slow
def test_a_game_is_played_by_hints(client: TestClient) -> None:
    client.get("/games")
    game = begin(client, "3x4", 3)
    path = f"/api/games/{game['id']}"
    assert "not over" in refused(client.get(f"{path}/review"), 409)
    while not game["over"]:
        game = guess(client, game, client.post(f"{path}/hint").json()["guess"])
    assert game["won"]
    assert client.get(path).json() == game
    secrets = ["".join("ABCD"[peg] for peg in code) for code in naive.secrets(3, 4)]
    marked = {code: naive.secrets(3, 4)[k] for k, code in enumerate(secrets)}
    found = [board["secret"] for board in game["boards"]]
    assert len(set(found)) == 3
    for board in game["boards"]:
        assert game["guesses"][len(board["marks"]) - 1] == board["secret"]
        fitting = secrets
        for played, told, left in zip(game["guesses"], board["marks"], board["left"], strict=False):
            black, white = naive.mark(marked[played], marked[board["secret"]])
            assert told == ("X" * black + "O" * white or "-")
            mark = black, white
            fitting = [c for c in fitting if naive.mark(marked[played], marked[c]) == mark]
            assert left == len(fitting)
    record = parse_record(game["record"])
    assert record.boards == 3
    assert [str(code) for code in record.secrets] == found
    assert record.hinted == tuple(game["hinted"]) == tuple(range(1, len(record.turns) + 1))
    assert f"{len(record.turns)} hints" in client.get("/games").text
    review = client.get(f"{path}/review").json()["turns"]
    assert [turn["guess"] for turn in review] == game["guesses"]
    assert all(turn["cost"] == pytest.approx(0) for turn in review)  # hints are the best guesses
    over = client.post(f"{path}/turns", json={"guess": "ABC", "turn": len(review) + 1})
    assert "over" in refused(over, 409)


def test_a_turn_is_played_once_and_the_last_ends_the_game(client: TestClient) -> None:
    game = begin(client, "4x6", 2, max_guesses=2, hints=False)
    path = f"/api/games/{game['id']}"
    assert "without hints" in refused(client.post(f"{path}/hint"), 409)
    once = guess(client, game, "AABB")
    again = client.post(f"{path}/turns", json={"guess": "a a b b", "turn": 1})
    assert again.json() == once
    assert [board["left"] for board in once["boards"]] == [[], []]
    assert [board["secret"] for board in once["boards"]] == [None, None]
    lost = guess(client, once, "AABB")
    assert (lost["over"], lost["won"]) == (True, False)
    assert all(board["secret"] for board in lost["boards"])
    given_up = begin(client, "4x6")
    shown = client.post(f"/api/games/{given_up['id']}/give-up").json()
    assert (shown["over"], shown["won"], len(shown["boards"][0]["secret"])) == (True, False, 4)


@pytest.mark.parametrize("rules", ["4x6,hard", "2x1", "14x26"])
def test_rules_that_have_no_several_secrets_are_refused(client: TestClient, rules: str) -> None:
    refused(client.post("/api/games", json={"rules": rules, "secrets": 2}))


def test_the_form_of_play_leads_to_the_page(client: TestClient) -> None:
    form = "/play?pegs=4&colors=6&secrets=4&codemaker=random&hints=1"
    page = client.get(form)
    assert page.url.path == "/play"
    assert dict(page.url.params)["secrets"] == "4"
    assert client.get(form.replace("random", "evil")).status_code == 422
    assert client.get("/play?pegs=4&colors=6&secrets=1").url.path == "/play"
    refused(client.get("/api/games/none"), 404)


def test_a_game_is_its_players(client: TestClient) -> None:
    own, other = visitor(client), visitor(client)
    game = guess(own, begin(own, "2x3"), "AB")
    path = f"/api/games/{game['id']}"
    assert f"game={game['id']}" in own.get("/games").text
    assert game["id"] not in other.get("/games").text
    over = begin(own, "2x3")
    guess(own, over, "AB")
    over = own.post(f"/api/games/{over['id']}/give-up").json()
    exported = own.get("/games.json").json()["several"]
    assert [{key: one[key] for key in game} for one in exported] == [over, game]
    with zipfile.ZipFile(io.BytesIO(own.get("/games.zip").content)) as archive:
        assert [archive.read(name).decode() for name in archive.namelist()] == [over["record"]]
    assert other.get("/games.json").json()["several"] == []
    assert other.get(path).json() == game  # who knows its address looks on
    for answer in (
        other.post(f"{path}/hint"),
        other.post(f"{path}/give-up"),
        other.post(f"{path}/turns", json={"guess": "AB", "turn": 2}),
    ):
        assert "another visitor" in refused(answer, 403)
    assert own.delete("/api/games").status_code == 204
    refused(own.get(path), 404)


@pytest.mark.parametrize("secrets", [1, 8, 32])
def test_the_address_names_so_many_secrets(client: TestClient, secrets: int) -> None:
    page = client.get(f"/play?rules=wordle&secrets={secrets}")
    assert page.status_code == 200
    assert (str(secrets) in page.text.partition("</h1>")[0].rpartition("<h1>")[2]) == (secrets > 1)
    game = guess(client, begin(client, "wordle", secrets), "CRANE")
    assert game["secrets"] == len(game["boards"]) == secrets
    for board in game["boards"]:
        assert len(board["marks"]) == len(board["left"]) == 1
    assert game["guesses"] == [turn["guess"] for turn in game["turns"]]


@pytest.mark.parametrize("query", ["secrets=0", "secrets=33", "secrets=2&codemaker=evil"])
def test_an_address_that_cannot_be_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/play?rules=4x6&{query}").status_code == 422
    assert client.get("/play?rules=2x1&secrets=2").status_code == 422


def test_rules_may_tell_the_number_of_secrets(client: TestClient) -> None:
    played = client.get("/play?rules=3x4*2&hints=0")
    assert (played.status_code, played.url.params["secrets"]) == (200, "2")
    for wrong in ("4x6*0", "4x6*33", "4x6,hard*2", "4x6*2&codemaker=evil"):
        assert client.get(f"/play?rules={wrong}").status_code == 422
    assert "2 codes at once" in client.get("/decode?rules=4x6*2").text
    typed = {"rules": "4x6*2", "text": "AABB=XO|-"}
    above = client.get("/decode", params={"text": "4x6*2\nAABB=XO|-"})
    told = client.get("/decode", params=typed)
    assert re.findall("[0-9,]+ codes", told.text) == re.findall("[0-9,]+ codes", above.text)
    sent = {"record": typed["text"], "chosen": "rules=4x6*2"}
    assert client.post("/review", data=sent).url.params["rules"] == "4x6*2"
    named = client.post("/review", data={"record": typed["text"], "rules": "4x6*2"})
    assert named.url.params["rules"] == "4x6*2"
    for page in ("decode", "puzzle/explain"):
        answer = client.get(f"/{page}", params={**typed, "rules": "4x7x*2"})
        assert answer.status_code == 422 and "4x7x" in answer.text


def test_earlier_addresses_lead_to_the_game(client: TestClient) -> None:
    page = client.get("/play/several?rules=wordle&secrets=4")
    assert (page.url.path, dict(page.url.params)["secrets"]) == ("/play", "4")
    sent = {"rules": "4x6", "secrets": 2}
    game = client.post("/api/several", json=sent).json()
    assert game["secrets"] == 2
    assert client.get(f"/api/several/{game['id']}").json() == game
    assert client.get(f"/play?rules=4x6&game={game['id']}").url.params["secrets"] == "2"


def test_the_codes_of_each_board_are_listed(client: TestClient) -> None:
    client.get("/games")
    game = guess(client, guess(client, begin(client, "4x6"), "AABB"), "ABCD")
    address = f"/api/games/{game['id']}/left"
    for turns in (1, 2):
        listed = client.get(address, params={"limit": 3, "turn": turns}).json()["boards"]
        for board, told in zip(game["boards"], listed, strict=True):
            pairs = zip(game["guesses"], board["marks"][:turns], strict=False)
            fitting = candidates("4x6", [f"{code}={mark}" for code, mark in pairs])
            assert told == {"count": len(fitting), "codes": [*map(str, fitting[:3])]}


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "secrets"), [("3x4", 2), ("wordle", 4)])
def test_others_play_for_the_same_secrets(client: TestClient, rules: str, secrets: int) -> None:
    own, other = visitor(client), visitor(client)
    game = ended(own, rules, secrets)
    refused(other.post(f"/api/games/{game['id']}/challenge"), 403)
    path = own.post(f"/api/games/{game['id']}/challenge").json()["path"]
    invited = other.get(path)
    assert invited.url.path == "/play"
    assert invited.url.params["secrets"] == str(secrets)
    name = invited.url.params["challenge"]
    taken = other.post(f"/api/challenges/{name}").json()
    assert (taken["secrets"], taken["challenge"], taken["turns"]) == (secrets, name, [])
    assert [board["secret"] for board in taken["boards"]] == [None] * secrets
    for secret in dict.fromkeys(board["secret"] for board in game["boards"]):
        taken = guess(other, taken, secret)
    assert taken["won"]
    compared = other.get(path)
    assert compared.url.path == path
    assert compared.text.count("<ol>") == 2 * secrets
    assert other.post(f"/api/challenges/{name}").json() == taken  # a visitor has one game in it


def ended(client: TestClient, rules: str = "3x4", secrets: int = 2) -> dict[str, Any]:
    """A game that was given up after a turn."""
    game = guess(client, begin(client, rules, secrets), "CRANE" if rules == "wordle" else "ABC")
    answer = client.post(f"/api/games/{game['id']}/give-up")
    over: dict[str, Any] = answer.json()
    return over


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "secrets"), [("3x4", 2), ("wordle", 4)])
def test_a_game_that_is_over_is_reviewed_at_an_address(
    client: TestClient, rules: str, secrets: int
) -> None:
    client.get("/games")
    game = ended(client, rules, secrets)
    record = parse_record(game["record"])
    link = re.search(r'href="(/review\?[^"]+)"', client.get("/games").text)
    assert link is not None
    address = html.unescape(link[1])
    page = client.get(address)
    assert page.status_code == 200, page.text
    assert page.text.count('<section class="board') == secrets
    query = address.partition("?")[2]
    read = parse_record(client.get(f"/review/record?{query}").text)
    assert (read.turns, read.secrets, read.result) == (record.turns, record.secrets, record.result)
    text = client.get(f"/review/text?{query}").text
    document = client.post("/api/review", json={"record": game["record"]}).json()
    assert document["svg"] is None
    assert document["text"] == text
    assert document["line"] in page.text
    assert all(f"{float(turn['luck']):+.2f}" in page.text for turn in document["turns"])
    refused(client.get(f"/review/board.svg?{query}"))
    piece = client.get(f"/api/games/{game['id']}/review.html")
    assert document["line"] in piece.text


def test_a_game_with_several_secrets_is_pasted(client: TestClient) -> None:
    client.get("/games")
    game = ended(client)
    turns = "3x4*2\nABC=X | O\nBBB=- | X"
    for text, result in ((game["record"], "given up"), (turns, "open")):
        page = client.post("/review", data={"record": text})
        assert (page.status_code, page.url.path) == (200, "/review")
        query = page.url.query.decode()
        assert page.url.params["rules"] == "3x4*2"
        assert parse_record(client.get(f"/review/record?{query}").text).result == result
    for wrong in ("3x4*2", "3x4*2\nABC=X", "3x4*101\nABC=X|O"):
        assert client.post("/review", data={"record": wrong}).status_code == 422
    for wrong in ("ABC:X", "ABC:X|O|O", "ABC:XXX|XXX", "ABC:X|O&secret=ABC", "ABC:X|O&secret=A|B"):
        assert client.get(f"/review?rules=3x4*2&history={wrong}").status_code == 422


def test_marks_of_boards_that_contradict_each_other_are_told(client: TestClient) -> None:
    page = client.get("/review?rules=3x4*2&history=ABC:X|O,ABC:O|O")
    assert page.status_code == 200
    assert "contradict" in page.text


def test_turns_on_several_boards_are_decoded(client: TestClient) -> None:
    page = client.get("/decode", params={"text": "4x6*2\nAABB=XO|-"})
    assert page.status_code == 200
    codes = naive.secrets(4, 6)
    for black, white in ((1, 1), (0, 0)):
        fitting = sum(naive.mark((0, 0, 1, 1), code) == (black, white) for code in codes)
        assert f"{fitting} codes" in page.text
    address = html.unescape(re.findall(r'href="(/review\?[^"]+)"', page.text)[0])
    assert client.get(address).status_code == 200
    wrong = client.get("/decode", params={"text": "4x6*2\nAABB=XO|-\nAABB=-|-"})
    assert wrong.status_code == 200
    assert 'class="alert"' in wrong.text
    solved = client.get("/decode", params={"text": "4x6*2\nAABB=XXXX|-\nCCDD=XXXX"})
    assert solved.status_code == 200
    assert client.get("/decode", params={"text": "4x6*2\nAABB=XO"}).status_code == 422
    assert client.get("/puzzle/explain", params={"text": "4x6*2\nAABB=XO|-"}).status_code == 422


def test_a_game_that_is_not_over_is_offered_again(client: TestClient) -> None:
    client.get("/games")
    game = begin(client, "3x4", 2)
    guess(client, game, "AAA")
    for path in ("/", "/play", "/play?rules=wordle&secrets=4"):
        page = client.get(path).text
        assert f"/play?rules=3x4&amp;secrets=2&amp;game={game['id']}" in page
        assert "turn 2" in page or "× 2, 1 turn." in page
