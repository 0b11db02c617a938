"""Games over the API: the secret stays hidden, turns are played once, games end."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from pegwise.coach.review import review
from pegwise.game import Code, Mark, Rules, Turn, game_of, mark, parse_code
from pegwise.knowledge import candidates
from pegwise.playing import Record, parse_record
from pegwise.search.codemaker import draw_optimal_secret
from pegwise.search.solver import best_play_within
from pegwise.web import games, own_games
from pegwise.web.app import create_app
from pegwise.web.own_games import excess_guesses, losses
from pegwise.web.play import any_fitting
from pegwise.web.reading import history_of
from pegwise.web.services import TooLongError
from pegwise.web.settings import Settings
from pegwise.web.storage import GAMES, now
from tests import naive
from tests.web.playing import begin, guess, refused, visitor


def test_ones_games_on_a_board_are_counted_by_guesses(client: TestClient) -> None:
    client.get("/games")
    numbers = []
    for first in ("AA", "AB", "BB", "CC"):
        game = guess(client, begin(client, "2x3"), first)
        while not game["over"]:
            left = client.get(f"/api/games/{game['id']}/left").json()["codes"]
            game = guess(client, game, left[-1])
        numbers.append(len(game["turns"]))
    lost = guess(client, begin(client, "2x3"), "AB" if game["secret"] != "AB" else "BA")
    hinted = begin(client, "2x3")
    client.post(f"/api/games/{hinted['id']}/hint")  # what it proposes is no choice
    for each in (lost, hinted, guess(client, begin(client, "3x3"), "AAA")):
        client.post(f"/api/games/{each['id']}/give-up")
    piece = f"/api/games/{game['id']}/distribution.html"
    shown = client.get(piece).text
    label = re.search(r'aria-label="([^"]*)"', shown)
    counted = re.findall(r"(\d+) guess(?:es)?: (\d+)", label[1] if label else "")
    assert {int(n): int(k) for n, k in counted if k != "0"} == Counter(numbers)
    assert shown.count('class="now"') == 1
    assert f"{sum(numbers) / 4:.2f} guess" in shown
    assert "0 solved in a row · at most 4 · 1 not solved" in shown
    assert "another visitor" in refused(visitor(client).get(piece), 403)


def test_a_game_has_a_time_where_each_turn_was_told_one(client: TestClient) -> None:
    client.get("/games")

    def timed(game: dict[str, Any], *seconds: float | None) -> dict[str, Any]:
        """The game after turns with these times, the last of which may find the code."""
        for number, time in enumerate(seconds, 1):
            left = client.get(f"/api/games/{game['id']}/left").json()["codes"]
            code = left[0] if number == len(seconds) else "ABC"
            sent = {"guess": code, "turn": number, "seconds": time}
            game = client.post(turns_of(game), json=sent).json()
        return game

    board = "3x5,distinct"
    seconds = [
        timed(begin(client, board), *times)["seconds"]
        for times in ((1, 2, 61.4), (1, None, 3), (None, 2, 3), (0.5, 30))
    ]
    assert seconds == [61.4, None, None, 30]
    game = begin(client, "3x4")
    sent = {"guess": "AAB", "turn": 1, "seconds": 5}
    assert client.post(turns_of(game), json=sent).json()["seconds"] == 5
    assert client.post(turns_of(game), json=sent | {"seconds": 9}).json()["seconds"] == 5
    for wrong in (-1, "soon", 1e8, [1]):
        again = sent | {"turn": 2, "seconds": wrong}
        assert "seconds" in refused(client.post(turns_of(game), json=again))
    for text in ("NaN", "1e400"):
        body = f'{{"guess": "AAB", "turn": 2, "seconds": {text}}}'
        headers = {"content-type": "application/json"}
        refused(client.post(turns_of(game), content=body, headers=headers))
    ended = client.post(f"/api/games/{game['id']}/give-up").json()
    assert ended["seconds"] == 5  # of no code that was found
    assert "average, at best" not in client.get(f"/api/games/{game['id']}/distribution.html").text


def test_times_are_told_of_the_codes_that_were_found(client: TestClient) -> None:
    client.get("/games")
    for time in (59.9, 3725.0):
        game = begin(client, "2x2")
        for number in range(1, 5):
            left = client.get(f"/api/games/{game['id']}/left").json()["codes"]
            sent = {"guess": left[0], "turn": number, "seconds": time}
            game = client.post(turns_of(game), json=sent).json()
            if game["over"]:
                break
    piece = client.get(f"/api/games/{game['id']}/distribution.html").text
    assert "31:32 on average, at best 0:59" in piece
    page = client.get("/games").text
    assert page.count(", 1:02:05") == page.count(", 0:59") == 1
    french = client.get("/games", headers={"accept-language": "fr"}).text
    assert "31:32 en moyenne, 0:59 au mieux" in french


def turns_of(game: dict[str, Any]) -> str:
    """Where the turns of a game are sent."""
    return f"/api/games/{game['id']}/turns"


def test_a_game_with_hints_is_played_to_its_end(client: TestClient) -> None:
    game = begin(client)
    path = f"/api/games/{game['id']}"
    hint = client.post(f"{path}/hint").json()
    assert hint == {"guess": "AABC", "by": "optimal", "left": 1296, "late": False}
    while not game["over"]:
        possible = client.get(f"{path}/left", params={"limit": 1}).json()
        assert possible["count"] == game["left"]
        game = guess(client, game, possible["codes"][0])
    assert game["won"]
    record = parse_record(game["record"])
    assert record.solved
    assert record.secret is not None
    assert str(record.secret) == game["secret"] == game["turns"][-1]["guess"]
    codes = naive.secrets(4, 6)
    for turn, shown in zip(record.turns, game["turns"], strict=True):
        assert (str(turn.guess), str(turn.mark)) == (shown["guess"], shown["mark"])
        assert turn.mark == naive.mark(turn.guess, record.secret)
        codes = [code for code in codes if naive.mark(turn.guess, code) == tuple(turn.mark)]
        assert shown["left"] == len(codes)


@pytest.mark.parametrize("page", ["/play?", "/play?secrets=2&"])
def test_colors_have_names_of_ones_own(client: TestClient, page: str) -> None:
    names = "rouge,vert,bleu,jaune,noir,blanc"
    shown = client.get(f"{page}rules=4x6&colors={names}").text
    (sent,) = re.findall(r'<script type="application/json" id="page">(.*?)</script>', shown)
    own = json.loads(sent)["names"]
    assert ",".join(color["name"] for color in own) == names
    assert f"colors={names}" in re.findall(r'id="again"[^>]* href="([^"]*)"', shown)[0]
    assert f'value="{names}"' in shown  # in the form for rules, which sends them on
    form = page.replace("/several", "")
    sent = client.get(f"{form}pegs=4&colors=6&names={names}", follow_redirects=False)
    assert f"colors={names}" in sent.headers["location"]
    wrong = client.get(f"{page}rules=4x6&colors=rouge,vert", headers={"accept": "text/html"})
    assert (wrong.status_code, "rouge,vert" in wrong.text) == (422, True)


def test_a_game_with_marks_of_places(client: TestClient) -> None:
    rules = "3x4,placed"
    game = guess(client, begin(client, rules), "AAB")
    while not game["over"]:
        hint = client.post(f"/api/games/{game['id']}/hint").json()["guess"]
        game = guess(client, game, hint)
    assert game["won"]
    assert set(game["turns"][-1]["mark"]) == {"G"}
    for turn in game["turns"]:
        codes = [parse_code(turn["guess"], rules), parse_code(game["secret"], rules)]
        assert turn["mark"] == str(game_of(rules).mark_of(*codes))
    answer = client.post("/api/review", json={"record": game["record"]})
    assert answer.json()["secret"] == game["secret"]


def test_without_hints_nothing_is_told_before_the_end(client: TestClient) -> None:
    game = begin(client, hints=False)
    path = f"/api/games/{game['id']}"
    for _ in range(2):
        assert (game["secret"], game["record"], game["left"]) == (None, None, None)
        assert "seed" not in game
        guess(client, game, "AABB")
        game = client.get(path).json()
    assert game["turns"][0]["left"] is None
    assert "without hints" in refused(client.post(f"{path}/hint"), 409)
    assert "without hints" in refused(client.get(f"{path}/left"), 409)
    over = client.post(f"{path}/give-up").json()
    assert (over["over"], over["won"], len(over["secret"])) == (True, False, 4)
    assert "result: given up" in over["record"]
    assert client.post(f"{path}/give-up").json() == over
    assert client.get(f"{path}/left").json()["count"] > 0


def test_a_turn_that_is_sent_twice_is_played_once(client: TestClient) -> None:
    game = begin(client)
    once = guess(client, game, "AABB")
    again = client.post(turns_of(game), json={"guess": "a a b b", "turn": 1})
    assert again.json() == once
    different = client.post(turns_of(game), json={"guess": "CCDD", "turn": 1})
    assert refused(different, 409) == "turn 1 was AABB already; turn 2 is next"
    early = client.post(turns_of(game), json={"guess": "CCDD", "turn": 3})
    assert refused(early, 409) == "turn 2 is next, not turn 3"
    assert client.get(f"/api/games/{game['id']}").json() == once


@pytest.mark.parametrize("codemaker", ["random", "evil"])
def test_a_game_that_another_server_plays_on(client: TestClient, codemaker: str) -> None:
    game = begin(client, codemaker=codemaker)
    storage = client.app.state.services.storage  # type: ignore[attr-defined]
    # another server plays turn 1; this one still holds the game as it began
    begun, code = games.find(storage, game["id"]), Code([0, 1, 2, 3])
    marked = Mark(0, 1) if begun.seed is None else mark(code, begun.hidden()[0])
    games.add_turn(storage, begun, Turn(code, marked))
    late = client.post(turns_of(game), json={"guess": "CCDD", "turn": 1})
    assert refused(late, 409) == "turn 1 was ABCD already; turn 2 is next"
    after = client.post(turns_of(game), json={"guess": "ABCD", "turn": 1}).json()
    assert [turn["guess"] for turn in after["turns"]] == ["ABCD"]
    games.end(storage, game["id"], Code([0, 0, 0, 0]), 1)
    late = client.post(turns_of(game), json={"guess": "CCDD", "turn": 2})
    assert "the game is over (given up)" in refused(late, 409)


def test_the_evil_codemaker_keeps_most_codes_and_must_lose(client: TestClient) -> None:
    game = begin(client, "3x4", codemaker="evil")
    counts = [game["left"]]
    while not game["over"]:
        hint = client.post(f"/api/games/{game['id']}/hint").json()
        game = guess(client, game, hint["guess"])
        counts.append(game["left"])
    assert game["won"]
    assert counts == sorted(counts, reverse=True)
    first = parse_code(game["turns"][0]["guess"], Rules(3, 4))
    parts = naive.partition(first, naive.secrets(3, 4), naive.mark)
    assert counts[1] == max(map(len, parts.values()))


@pytest.mark.parametrize(
    ("rules", "codemaker", "hints"),
    [("4x6", "evil", True), ("4x6", "evil", False), ("16x26", "random", True)],
)
def test_after_its_last_guess_a_game_shows_a_code_that_fits(
    client: TestClient, rules: str, codemaker: str, hints: bool
) -> None:
    game = begin(client, rules, codemaker=codemaker, max_guesses=2, hints=hints)
    times = Rules.parse(rules).pegs // 4
    game = guess(client, guess(client, game, "AABB" * times), "CCDD" * times)
    assert game["over"]
    late = client.post(turns_of(game), json={"guess": "AAAA" * times, "turn": 3})
    assert "the game is over" in refused(late, 409)
    record = parse_record(game["record"])
    assert record.secret is not None
    assert [mark(turn.guess, record.secret) for turn in record.turns] == [
        turn.mark for turn in record.turns
    ]


def test_the_optimal_codemaker_draws_as_the_value_demands(client: TestClient) -> None:
    game = begin(client, "2x3", codemaker="optimal", hints=False)
    client.app.state.services.recent._games.clear()  # type: ignore[attr-defined]
    game = guess(client, game, "AB")  # the secret is kept in the database, but not told
    assert (game["codemaker"], game["secret"]) == ("optimal", "AB" if game["won"] else None)
    over = client.post(f"/api/games/{game['id']}/give-up").json()
    record = parse_record(over["record"])
    assert record.codemaker == "optimal"
    assert record.seed is not None
    assert record.secret is not None
    assert over["secret"] == str(draw_optimal_secret(game_of(Rules(2, 3)), record.seed))
    assert mark(record.turns[0].guess, record.secret) == record.turns[0].mark


def test_a_text_that_is_no_json_is_refused(client: TestClient) -> None:
    answer = client.post("/api/games", content="{,", headers={"content-type": "application/json"})
    assert "not JSON" in refused(answer)
    answer = client.post("/api/games", content="{}", headers={"content-type": "text/plain"})
    assert "a JSON object" in refused(answer)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AABBC", "5 pegs, but a code of 4x6 has 4"),
        ("AABG", "'G' at position 4"),
        ("AAB.", "allows no empty hole"),
        ("", "must not be empty"),
        ("A" * 500, "at most 200 characters"),
    ],
)
def test_bad_guesses_are_refused(client: TestClient, text: str, words: str) -> None:
    game = begin(client)
    assert words in refused(client.post(turns_of(game), json={"guess": text, "turn": 1}))
    assert client.get(f"/api/games/{game['id']}").json()["turns"] == []


@pytest.mark.parametrize("rules", ["4x6", "4x6,placed", "wordle"])
def test_where_the_best_guess_takes_too_long_any_code_that_fits_is_proposed(rules: str) -> None:
    game = game_of(rules)
    first = any_fitting(game, ()).guess
    history = [Turn(first, game.mark_of(first, "drone"))] if game.words else []
    assert any_fitting(game, history).guess in candidates(game, history)


def test_games_cannot_be_guessed(client: TestClient) -> None:
    keys = {begin(client, hints=False)["id"] for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) >= 20 for key in keys)
    assert refused(client.get("/api/games/nobody"), 404) == "there is no game 'nobody' here"


def test_a_count_that_came_late_is_stored(client: TestClient) -> None:
    game = begin(client, "3x4")
    storage = client.app.state.services.storage  # type: ignore[attr-defined]
    begun = games.find(storage, game["id"])
    games.add_turn(storage, begun, Turn(Code([0, 1, 2]), Mark(0, 1)))
    path = f"/api/games/{game['id']}"
    assert client.get(path).json()["left"] is None
    count = client.get(f"{path}/left", params={"limit": 0, "turn": 1}).json()["count"]
    assert client.get(path).json()["turns"][0]["left"] == count > 1


def test_visitors_find_their_own_games(client: TestClient) -> None:
    mine, other = visitor(client), visitor(client)
    open_game, over, _ = (begin(mine, "3x4") for _ in range(3))
    guess(mine, open_game, "AAB")
    guess(mine, over, "AAB")
    over = mine.post(f"/api/games/{over['id']}/give-up").json()
    page = mine.get("/games").text
    assert page.count("data-id=") == 2  # without a turn there is nothing to go on with
    assert open_game["id"] in page
    assert 'id="offer"' in mine.get("/play").text
    assert 'id="offer"' not in mine.get(f"/play?rules=3x4&game={open_game['id']}").text
    elsewhere = mine.get(f"/play?rules=wordle&game={open_game['id']}", follow_redirects=False)
    assert elsewhere.headers["location"] == f"/play?rules=3x4&game={open_game['id']}"
    assert mine.get("/play?rules=3x4&game=none").status_code == 200
    path = f"/api/games/{open_game['id']}"
    assert "another visitor" in refused(other.delete(path), 403)
    assert "another visitor" in refused(other.post(f"{path}/challenge"), 403)
    assert other.delete("/api/games").status_code == 204
    assert "data-id=" not in other.get("/games").text
    assert mine.delete(path).status_code == 204
    assert "no game" in refused(mine.get(path), 404)
    assert "no game" in refused(mine.delete(path), 404)
    late = mine.post(f"{path}/turns", json={"guess": "ABC", "turn": 2})
    assert "no game" in refused(late, 404)
    assert open_game["id"] not in mine.get("/play").text
    exported = mine.get("/games.json").json()["games"]
    assert [game["id"] for game in exported] == [over["id"]]
    assert {key: exported[0][key] for key in over} == over
    assert datetime.fromisoformat(exported[0]["begun"]).utcoffset() == timedelta(0)
    with zipfile.ZipFile(io.BytesIO(mine.get("/games.zip").content)) as archive:
        (record,) = (parse_record(archive.read(name).decode()) for name in archive.namelist())
    assert str(record.secret) == exported[0]["secret"]
    assert mine.delete("/api/games").status_code == 204
    assert mine.get("/games.json").json()["games"] == []


@pytest.mark.slow
def test_a_friend_looks_for_the_same_code(client: TestClient) -> None:
    mine, friend = visitor(client), visitor(client)
    first = guess(mine, begin(mine, "5x8", max_guesses=9, hints=False), "AABBC")
    name = mine.post(f"/api/games/{first['id']}/challenge").json()["name"]
    again = mine.post(f"/api/games/{first['id']}/challenge").json()
    assert again == {"name": name, "path": f"/challenge/{name}"}
    shown = friend.get(f"/challenge/{name}")
    assert shown.url.query.decode() == f"rules=5x8&hints=0&max=9&challenge={name}"
    assert first["id"] not in shown.text
    game = friend.post(f"/api/challenges/{name}").json()
    assert (game["turns"], game["max_guesses"], game["hints"]) == ([], 9, False)
    assert friend.post(f"/api/challenges/{name}").json()["id"] == game["id"]
    assert game["id"] in friend.get(f"/challenge/{name}").url.query.decode()
    assert friend.post(f"/api/games/{game['id']}/give-up").json()["challenge"] == name
    page = friend.get(f"/challenge/{name}").text  # the first player still looks for it
    assert 'aria-label="A A B B C"' not in page
    assert "No other game has ended yet" in page
    assert first["id"] in mine.get(f"/challenge/{name}").url.query.decode()
    ended = mine.post(f"/api/games/{first['id']}/give-up").json()
    assert ended["secret"] == mine.get(f"/api/games/{game['id']}").json()["secret"]
    assert mine.get(f"/challenge/{name}").text.count("<section") == 2
    assert 'aria-label="A A B B C"' in friend.get(f"/challenge/{name}").text
    evil = begin(friend, codemaker="evil")
    sentence = refused(friend.post(f"/api/games/{evil['id']}/challenge"), 409)
    assert "the evil codemaker has no code" in sentence
    assert "no challenge 'nobody'" in refused(friend.post("/api/challenges/nobody"), 404)


def test_what_a_game_cost_is_computed_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = guess(client, begin(client, "3x4", max_guesses=1), "AAA")
    path = f"/api/games/{game['id']}/above"

    async def late(*_: object) -> float:
        raise TooLongError("late")

    with monkeypatch.context() as busy:  # what is not known in time is asked again
        busy.setattr(client.app.state.services.quick, "ask", late)  # type: ignore[attr-defined]
        assert client.post(path).json() == {"above": None}
    cost = client.post(path).json()["above"]
    assert cost == pytest.approx(excess_guesses(parse_record(game["record"])))
    assert cost > 0
    monkeypatch.setattr(own_games, "excess_guesses", None)
    assert client.post(path).json() == {"above": cost}
    begun = begin(client, "3x4")
    assert "not over" in refused(client.post(f"/api/games/{begun['id']}/above"), 409)


def test_only_who_has_begun_a_game_plays_it(client: TestClient) -> None:
    own, other = visitor(client), visitor(client)
    game = begin(own)
    for answer in (
        other.post(turns_of(game), json={"guess": "AABB", "turn": 1}),
        other.post(f"/api/games/{game['id']}/hint"),
        other.post(f"/api/games/{game['id']}/give-up"),
    ):
        assert "another visitor" in refused(answer, 403)
    assert other.get(f"/api/games/{game['id']}").json()["turns"] == []
    assert guess(own, game, "AABB")["turns"]
    client.cookies.clear()  # a program without a session plays what it has begun
    game = begin(client)
    assert guess(client, game, "AABB")["turns"]


@pytest.mark.slow
def test_hints_are_counted(client: TestClient) -> None:
    own = visitor(client)
    game = begin(own, "3x4")
    while not game["over"]:
        code = own.post(f"/api/games/{game['id']}/hint").json()["guess"]
        own.post(f"/api/games/{game['id']}/hint")  # asked twice, it is one hint
        game = guess(own, game, code)
    turns = len(game["turns"])
    assert game["hinted"] == list(range(1, turns + 1))
    page = own.get("/games").text
    assert f"{turns} hint" in page
    assert f"&amp;hints={','.join(map(str, game['hinted']))}" in page
    assert '"unknown": []' in page  # its choices were no choices of the player
    history = ",".join(f"{turn['guess']}:{turn['mark']}" for turn in game["turns"])
    review = own.get(f"/review?rules=3x4&history={history}&hints=1,99,x").text
    assert review.count(">by a hint<") == 1
    # the record tells them too, and its review
    assert parse_record(game["record"]).hinted == tuple(game["hinted"])
    line = own.post("/api/review", json={"record": game["record"]}).json()["line"]
    assert f"{turns} by" in line and line.endswith("⬜" * turns)  # what is shared does not boast
    pasted = own.post("/review", data={"record": game["record"]}).text
    assert pasted.count(">by a hint<") == turns
    name = own.post(f"/api/games/{game['id']}/challenge").json()["path"]
    assert f"{turns} hint" in own.get(name).text


def test_games_that_are_not_finished_are_forgotten(client: TestClient) -> None:
    storage = client.app.state.services.storage  # type: ignore[attr-defined]
    empty, open_game, ended = (begin(client) for _ in range(3))
    guess(client, open_game, "AABB")
    client.post(f"/api/games/{ended['id']}/give-up")
    for days, status in ((0.5, 200), (2, 404), (100, 404)):
        with storage.write() as session:
            old = GAMES.c.id.in_([game["id"] for game in (empty, open_game, ended)])
            begun = now() - timedelta(days=days)
            session.execute(update(GAMES).where(old).values(begun=begun))
        games.delete_old(storage, 90)
        assert client.get(f"/api/games/{empty['id']}").status_code == status
        assert client.get(f"/api/games/{open_game['id']}").status_code == (
            200 if days < 90 else 404
        )
        assert client.get(f"/api/games/{ended['id']}").status_code == 200


@pytest.mark.slow
def test_a_client_does_not_begin_games_without_end(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path, rate=10))
    client = TestClient(app, client=("192.0.2.7", 1))  # not started: no worker is asked
    answers = [client.post("/api/games", json={}) for _ in range(20)]
    assert {answer.status_code for answer in answers} == {201}
    for path in ("/api/games", "/api/challenges/name"):  # some more are allowed meanwhile
        said = {client.post(path, json={}).json().get("detail") for _ in range(9)}
        assert "you begin too many games: finish one of them, or wait a moment" in said
    app.state.services.close()


def test_from_five_games_on_a_player_is_told_where_most_is_lost(client: TestClient) -> None:
    for _ in range(4):
        guess(client, begin(client, "2x3", max_guesses=1), "AA")
    assert client.get("/api/losses").json() is None
    rules = Rules.parse("2x3")
    games = [("AA:-", 0), ("AA:-,AA:-", 1), ("AB:O,AA:-", 2)]
    records = [
        (
            f"/review?{number}",
            Record.of_turns(game_of(rules), history_of(text, game_of(rules)), result="lost"),
        )
        for text, number in games
    ]
    lost = losses(records, seconds=60)
    assert lost is not None
    assert (lost.turn, lost.unfit, lost.address) == (2, True, "/review?1#try-2")
    reviewed = [review(record, solver=best_play_within(60)) for _, record in records[1:]]
    assert lost.cost == pytest.approx(sum(game.turns[1].excess or 0 for game in reviewed) / 3)


def test_hard_rules_refuse_a_guess_that_does_not_use_the_marks(client: TestClient) -> None:
    rules = "3x4,hard"
    game = guess(client, begin(client, rules), "AAB")
    fits = {str(code) for code in candidates(rules, [f"AAB={game['turns'][0]['mark']}"])}
    other = next(code for code in ("CCC", "AAB", "DAB", "ABA") if code not in fits)
    refused(client.post(turns_of(game), json={"guess": other, "turn": 2}))
    hint = client.post(f"/api/games/{game['id']}/hint").json()["guess"]
    assert hint in fits
    assert len(guess(client, game, hint)["turns"]) == 2


def test_the_form_of_rules_asks_for_hard_ones(client: TestClient) -> None:
    answer = client.get("/play?words=sgb&marks=placed&hard=1", follow_redirects=False)
    assert answer.headers["location"] == "/play?rules=wordle,hard"
    assert client.get("/play?rules=wordle,hard").status_code == 200
