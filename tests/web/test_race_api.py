"""Races over the API."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import partial
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.arena import race
from pegwise.encoder import encoded
from pegwise.game import Rules, board_game, mark, parse_code
from pegwise.strategies import cards
from tests.programs import until
from tests.web.playing import refused, start_race, visitor

NAMES = ["knuth", "entropy", "first"]
HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def over(served: TestClient) -> dict[str, Any]:
    """A race that has ended."""
    served.cookies.clear()
    begun = start_race(served, NAMES, rules="3x5")
    return until(lambda: ended(served, begun["id"]))  # type: ignore[no-any-return]


def ended(client: TestClient, race_id: str) -> dict[str, Any] | None:
    view: dict[str, Any] = client.get(f"/api/races/{race_id}").json()
    return view if view["state"] in {"over", "stopped"} else None


def test_a_race_of_three_and_its_results(client: TestClient, over: dict[str, Any]) -> None:
    expected = race(board_game(Rules.parse("3x5")), NAMES)
    for entrant, standing in zip(over["lanes"], expected.standings, strict=True):
        assert (entrant["strategy"], entrant["state"]) == (standing.strategy, "done")
        assert entrant["games"] == entrant["computed"] == 125
        assert tuple(entrant["histogram"]) == standing.histogram
        assert tuple(entrant["histogram_by_guesses"].values()) == standing.histogram
        assert (entrant["mean"], entrant["worst"]) == (pytest.approx(standing.mean), standing.worst)
    document = client.get(f"/api/races/{over['id']}/results.json").json()
    assert [row["total"] for row in document["results"]] == [s.total for s in expected.standings]
    assert document["duels"] == [
        {name: getattr(duel, name) for name in duel.__slots__} for duel in expected.duels
    ]
    table = client.get(f"/api/races/{over['id']}/results.csv")
    assert "attachment" in table.headers["content-disposition"]
    for text, lang in ((table.text, "en"), (client.get(f"{table.url}?lang=fr").text, "fr")):
        assert text.startswith("\ufeffrules")  # so that a spreadsheet reads UTF-8
        separator, decimal = (";", ",") if lang == "fr" else (",", ".")
        rows = list(csv.DictReader(io.StringIO(text), delimiter=separator))
        assert [row["strategy"] for row in rows] == NAMES
        means = [float(row["mean"].replace(decimal, ".")) for row in rows]
        assert means == [pytest.approx(s.mean, abs=1e-4) for s in expected.standings]


@pytest.mark.slow
def test_report_chart_and_a_notebook_that_runs(client: TestClient, over: dict[str, Any]) -> None:
    path = f"/api/races/{over['id']}"
    report = client.get(f"{path}/report.html")
    assert "style-src 'unsafe-inline'" in report.headers["content-security-policy"]
    assert "script" not in report.headers["content-security-policy"]
    assert "Three strategies, every secret" in report.text
    chart = client.get(f"{path}/chart.svg?shade=dark&narrow=true")
    assert chart.text.startswith("<svg")
    assert "<style>" in chart.text  # has the colors of the dark theme
    assert "style-src 'unsafe-inline'" in chart.headers["content-security-policy"]
    refused(client.get(f"{path}/chart.svg?shade=pink"))
    notebook = client.get(f"{path}/notebook.ipynb").json()
    assert notebook["nbformat"] == 4
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    assert len(names["results"].standings) == 3


def test_a_bar_lists_its_secrets_and_a_secret_its_games(
    client: TestClient, over: dict[str, Any]
) -> None:
    entrant = over["lanes"][1]
    for guesses, won in enumerate(entrant["histogram"], 1):
        path = f"/api/races/{over['id']}/secrets?strategy=entropy&guesses={guesses}"
        bar = client.get(path).json()
        assert bar["count"] == bar["games"] == won == len(bar["codes"])
    secret = bar["codes"][0]
    games = client.get(f"/api/races/{over['id']}/secrets/{secret}").json()["games"]
    assert [game["strategy"] for game in games] == NAMES
    rules = Rules(3, 5)
    for game in games:
        assert game["turns"][-1] == {"guess": secret, "mark": "XXX"}
        for turn in game["turns"]:
            codes = parse_code(turn["guess"], rules), parse_code(secret, rules)
            assert str(mark(*codes)) == turn["mark"]
    assert len(games[1]["turns"]) == entrant["worst"]
    drawn = client.get(path.replace("?", ".html?")).text
    assert drawn.count("<button") == bar["count"] and f'data-code="{secret}"' in drawn
    columns = client.get(f"/api/races/{over['id']}/secrets/{secret}/games.html").text
    assert columns.count("<li>") == sum(len(game["turns"]) for game in games)


@pytest.mark.slow
def test_a_race_is_shown_in_names_of_colors(client: TestClient, over: dict[str, Any]) -> None:
    names = "colors=rouge,vert,bleu,jaune,noir"
    for page in ("race", "tree", "decode"):  # what the form of rules sends
        sent = f"/{page}?pegs=3&colors=5&names={names.removeprefix('colors=')}"
        answer = client.get(sent, headers=HTML, follow_redirects=False)
        assert answer.headers["location"] == f"/{page}?rules=3x5&{names}"
    page = client.get(f"/race/{over['id']}?{names}", headers=HTML).text
    assert '"name": "rouge"' in page and "/race?rules=3x5&amp;strategy=knuth" in page
    assert names.replace("&", "&amp;") in page
    base = f"/api/races/{over['id']}/secrets"
    secrets = client.get(f"{base}.html?strategy=first&guesses=3&{names}").text
    games = client.get(f"{base}/ABC/games.html?{names}").text
    losses = client.get(f"/race/{over['id']}/losses?strategy=first&{names}", headers=HTML).text
    for piece in (secrets, games, losses):
        assert 'title="rouge"' in piece
    assert f"&amp;{names}" in losses  # Decode goes on with them
    address = f"/api/races/{over['id']}/losses?strategy=first"
    assert f'href="{address}" download' in losses
    assert client.get(address).json()["losses"]["positions"]
    refused(client.get(f"{base}/ABC/games.html?colors=rouge"))


@pytest.mark.slow
def test_drawn_games_that_cannot_tell_strategies_apart_have_no_single_winner(
    client: TestClient, over: dict[str, Any]
) -> None:
    begun = start_race(client, ["knuth", "entropy", "marechal-rastoix-1"], rules="3x5", games=30)
    until(lambda: ended(client, begun["id"]))
    places = re.compile(r'data-places="([0-9 ]*)"')
    drawn = client.get(f"/api/races/{begun['id']}/table.html").text
    assert places.findall(drawn)[0].split() in (["0", "1"], ["1", "0"])
    assert drawn.count("±") >= 3
    every = client.get(f"/api/races/{over['id']}/table.html").text
    means = [entrant["mean"] for entrant in over["lanes"]]
    best = [str(place) for place, mean in enumerate(means) if mean == min(means)]
    assert sorted(places.findall(every)[0].split()) == best
    assert "±" not in every


@pytest.mark.slow
def test_where_a_strategy_loses(client: TestClient, over: dict[str, Any]) -> None:
    expected = race(board_game(Rules.parse("3x5")), NAMES)
    for standing in expected.standings:
        path = f"/race/{over['id']}/losses?strategy={standing.strategy}"
        told = client.get(f"/api{path.replace('/race/', '/races/')}").json()
        lost = expected.losses[standing.strategy]
        assert told["losses"] == encoded(lost)
        assert told["played"] - told["best"] == lost.total == sum(told["losses"]["by_turn"])
        page = client.get(path, headers=HTML).text
        assert f"<b>{lost.total}</b>" in page
        assert page.count("/decode?rules=3x5") == len(lost.positions)


@pytest.mark.slow
def test_where_a_strategy_loses_in_drawn_games_and_where_that_is_not_told(
    client: TestClient, over: dict[str, Any]
) -> None:
    begun = start_race(client, ["first"], rules="3x5", games=50, seed=3)
    until(lambda: ended(client, begun["id"]))
    told = client.get(f"/api/races/{begun['id']}/losses?strategy=first").json()
    lost = race(board_game(Rules.parse("3x5")), ["first"], games=50, seed=3).losses["first"]
    assert told["losses"]["mean"] == pytest.approx(lost.mean)
    assert (told["best"], told["losses"]["games"]) == (None, 50)
    missing = client.get(f"/race/{over['id']}/losses?strategy=parts", headers=HTML)
    assert missing.status_code == 404
    assert "parts" in missing.text
    running = start_race(client, ["entropy"], rules="6x6", speed=0.001)
    refused(client.get(f"/api/races/{running['id']}/losses?strategy=entropy"), 409)
    client.post(f"/api/races/{running['id']}/stop")


@pytest.mark.slow
def test_one_seed_gives_one_race(client: TestClient) -> None:
    """On the site as in Python and at the terminal; the command says so too."""
    names = [card.id for card in cards() if "random" in card.traits]
    for options in ({"seed": 5}, {"seed": 3, "games": 40}):
        begun = start_race(client, [*names, "knuth"], rules="3x4", **options)
        lanes = until(partial(ended, client, begun["id"]))["lanes"]
        expected = race("3x4", [*names, "knuth"], **options)  # type: ignore[arg-type]
        histograms = [standing.histogram for standing in expected.standings]
        assert [tuple(lane["histogram"]) for lane in lanes] == histograms
        document = client.get(f"/api/races/{begun['id']}/results.json").json()
        assert [row["total"] for row in document["results"]] == [
            standing.total for standing in expected.standings
        ]
        again = expected.document()["command"].replace(f":seed={options['seed']}", "")
        assert document["command"].replace(f":seed={options['seed']}", "") == again
    other = race("3x4", names, seed=6)
    assert other.standings[0].histogram != race("3x4", names, seed=5).standings[0].histogram


@pytest.mark.slow
def test_who_cannot_play_is_named_and_the_rest_races(client: TestClient) -> None:
    begun = start_race(client, ["first", "marechal-rastoix-1"], rules="4x6,distinct")
    over = until(lambda: ended(client, begun["id"]))
    assert [lane["strategy"] for lane in over["lanes"] if lane["state"] == "done"] == ["first"]
    document = client.get(f"/api/races/{begun['id']}/results.json").json()
    assert [row["strategy"] for row in document["results"]] == ["first"]
    assert [one["strategy"] for one in document["skipped"]] == ["marechal-rastoix-1"]
    page = client.get(f"/race/{begun['id']}", headers=HTML).text
    assert "marechal-rastoix-1" in page
    assert "marechal-rastoix-1" in client.get(f"/api/races/{begun['id']}/report.html").text
    alone = start_race(client, ["marechal-rastoix-1"], rules="4x6,distinct")
    (lane,) = until(lambda: ended(client, alone["id"]))["lanes"]
    assert (lane["state"], lane["games"]) == ("failed", 0)
    assert "4x6,distinct" in lane["problem"]


def test_what_is_not_in_a_race(client: TestClient, over: dict[str, Any]) -> None:
    path = f"/api/races/{over['id']}"
    assert "'parts'" in refused(client.get(f"{path}/secrets?strategy=parts&guesses=2"), 404)
    assert "ABZ" in refused(client.get(f"{path}/secrets/ABZ"))
    refused(client.get(f"{path}/secrets?strategy=knuth&guesses=0"))
    assert "nosuchrace" in refused(client.get("/api/races/nosuchrace"), 404)
    assert "another visitor" in refused(client.delete(path), 403)
    refused(client.get("/api/races/nosuchrace/events"), 404)


def events(text: str) -> list[tuple[str, str, Any]]:
    blocks = [
        dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        for block in text.split("\n\n")
    ]
    return [
        (fields["event"], fields["id"], json.loads(fields["data"]))
        for fields in blocks
        if "event" in fields
    ]


def test_events_tell_the_race_to_its_end(client: TestClient) -> None:
    begun = start_race(client, ["knuth", "random"], games=30, seed=7, speed=1000)
    answer = client.get(f"/api/races/{begun['id']}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer.text)
    kinds = [kind for kind, _, _ in told]
    assert kinds[-1] == "end"
    assert kinds.count("result") <= 2
    games = [data["lanes"][0]["games"] for kind, _, data in told if kind == "progress"]
    assert games == sorted(games)
    assert games[-1] == 30
    assert [entrant["strategy"] for entrant in told[-1][2]["lanes"]] == ["knuth", "random:seed=7"]
    again = client.get(f"/api/races/{begun['id']}/events", headers={"last-event-id": told[-1][1]})
    assert [kind for kind, _, _ in events(again.text)] == ["end"]  # the rest is known


@pytest.mark.slow
def test_pause_and_pace_belong_to_who_asks(client: TestClient) -> None:
    begun = start_race(client, ["knuth"])
    path = f"/api/races/{begun['id']}"
    whole = until(lambda: ended(client, begun["id"]))

    def shown(query: str) -> dict[str, Any]:
        view: dict[str, Any] = client.get(f"{path}?{query}").json()
        assert view["lanes"][0]["computed"] == 64
        return view

    early, late = shown("clock=0"), shown("clock=40")
    assert [early["state"], late["state"]] == ["running"] * 2
    assert early["lanes"][0]["games"] == 0 < late["lanes"][0]["games"] < 64
    assert late["clock"] == 40
    assert late == shown("clock=40")  # whoever asks, and whenever
    assert shown("clock=1e9") == shown("clock=7&speed=0") == whole
    assert whole["clock"] == whole["lanes"][0]["guesses"]

    told = events(client.get(f"{path}/events?clock=40&speed=500").text)
    guesses = [data["lanes"][0]["guesses"] for kind, _, data in told if kind == "progress"]
    assert 30 < guesses[0] < guesses[-1] == whole["lanes"][0]["guesses"]
    bar = f"{path}/secrets?strategy=knuth&guesses={whole['lanes'][0]['worst']}"
    assert client.get(f"{bar}&clock=3").json()["count"] == 0 < client.get(bar).json()["count"]
    secret = client.get(bar).json()["codes"][0]
    games = client.get(f"{path}/secrets/{secret}?clock=0").json()["games"]
    assert games == [{"strategy": "knuth", "turns": None}]
    for wrong in ("clock=-1", "clock=nan", "speed=-1", "speed=fast"):
        refused(client.get(f"{path}?{wrong}"))


@pytest.mark.slow
def test_a_race_is_stopped_once_and_for_good(client: TestClient) -> None:
    begun = start_race(client, ["constraint"], rules="5x8", games=500)
    path = f"/api/races/{begun['id']}"
    assert refused(client.get(f"{path}/results.json"), 409).startswith("this race is still running")
    # what would be refused is not offered: losses of larger boards
    assert "/losses?" not in client.get(f"/race/{begun['id']}", headers=HTML).text
    assert client.post(f"{path}/stop").json()["state"] == "stopped"
    assert client.post(f"{path}/stop").json()["state"] == "stopped"
    over = start_race(client, ["knuth"])
    until(lambda: ended(client, over["id"]))
    assert "/losses?" in client.get(f"/race/{over['id']}", headers=HTML).text
    assert client.post(f"/api/races/{over['id']}/stop").json()["state"] == "over"


@pytest.mark.slow
def test_a_client_has_few_races_at_a_time(client: TestClient) -> None:
    long = {"rules": "5x8", "games": 500}
    begun = [start_race(client, ["constraint"], **long) for _ in range(3)]
    body = {"rules": "3x4", "strategies": ["knuth"]}
    assert "/losses" not in client.get(f"/race/{begun[0]['id']}").text  # too large for them
    late = client.post("/api/races", json=body)
    assert "3 races of yours" in refused(late, 429)
    assert int(late.headers["retry-after"]) > 0
    for running in begun:
        client.post(f"/api/races/{running['id']}/stop")
    last = start_race(client, ["knuth"])
    assert "/losses" in client.get(f"/race/{last['id']}").text
    until(lambda: ended(client, last["id"]))


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        # the best strategy too where its tree comes with the program
        ("rules=4x6", ["knuth", "entropy", "parts", "optimal"]),
        ("rules=5x8", ["knuth", "entropy", "parts"]),
        ("rules=13x13", ["forget-entropy", "forget-minimax"]),
        ("rules=4x6&strategy=first", ["first"]),
        (
            "rules=4x6&strategy=knuth&strategy=knuth:guesses%3Dcandidates",
            ["knuth", "knuth:guesses=candidates"],
        ),
    ],
)
def test_the_form_begins_with_what_races_well(
    client: TestClient, query: str, chosen: list[str]
) -> None:
    page = client.get(f"/race?{query}", headers=HTML)
    assert page.status_code == 200
    assert re.findall(r'name="strategy" value="([^"]+)" checked', page.text) == chosen


@pytest.mark.parametrize(
    ("rules", "some", "none"),
    [
        ("4x6", "greenwell static optimal viaud", ""),
        ("5x8", "knuth constraint", "greenwell static optimal optimal-worst viaud"),
        ("4x6,black", "knuth", "marechal-rastoix-1 marechal-rastoix-3 greenwell"),
        ("13x13", "constraint sampling", "knuth first viaud"),
        ("4x6,placed", "knuth first sampling", "greenwell marechal-rastoix-1"),
        ("wordle", "knuth first sampling", "greenwell marechal-rastoix-1"),
    ],
)
def test_the_forms_offer_what_can_play_the_board(
    client: TestClient, rules: str, some: str, none: str
) -> None:
    for page in ("race", "tree"):
        offered = re.findall(r' value="([^"]+)"', client.get(f"/{page}?rules={rules}").text)
        assert set(some.split()) <= set(offered)
        assert not set(none.split()) & set(offered)


def test_only_who_has_begun_a_race_stops_it(client: TestClient) -> None:
    own, other = visitor(client), visitor(client)
    race = start_race(own, ["constraint", "first"], rules="5x8", games=500)
    address = f"/api/races/{race['id']}"
    assert "another visitor" in refused(other.post(f"{address}/stop"), 403)
    assert other.get(address).json()["state"] == "running"  # and looks on
    assert '"own": false' in other.get(f"/race/{race['id']}").text
    assert '"own": true' in own.get(f"/race/{race['id']}").text
    assert own.post(f"{address}/stop").json()["state"] == "stopped"
