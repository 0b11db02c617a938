"""Learn: worked games, tables, and the cards of the strategies."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pegwise.game import Rules, game_of, parse_code
from pegwise.strategies import registry
from pegwise.strategies.registry import cards
from pegwise.web.learn import as_csv, by_idea, figures, worked_game
from tests import naive
from tests.web.playing import refused


@pytest.mark.parametrize("name", ["knuth", "first", "marechal-rastoix-3"])
def test_worked_games_count_as_the_slow_twin_does(name: str) -> None:
    rules, secret = Rules.parse("3x4"), "BDA"
    rounds = worked_game(game_of(rules), name, parse_code(secret, rules))
    possible = [tuple(code) for code in naive.secrets(3, 4)]
    for step in rounds:
        guess, mark = tuple(step.turn.guess), tuple(step.turn.mark)
        possible = [code for code in possible if tuple(naive.mark(guess, code)) == mark]
        assert step.candidates == len(possible)
        assert step.bits == pytest.approx(math.log2(len(possible)))
    assert str(rounds[-1].turn.guess) == secret
    assert as_csv(rounds).splitlines()[-1].split(",")[1:] == ["BDA", "3b0w", "1", "0.0"]


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("knuth", 0, "No guess leaves fewer codes in the worst case: 256. It could be the code."),
        ("knuth", 2, "No guess leaves fewer codes in the worst case: 2. It cannot be the code."),
        ("first", 1, "It is the first, in numeric order, of the codes that agree with all marks ("),
        ("greenwell", 0, "This guess was fixed beforehand: the marks do not change it."),
        ("static", 3, "No other code is possible. This follows from turns 1, 2 and 3."),
        ("marechal-rastoix-1", 0, "All open places get A: the mark tells how often it occurs."),
        ("marechal-rastoix-1", 2, "B is tried at place 1, with C in the other open places: it is"),
        ("marechal-rastoix-3", -1, "All places are known."),
        ("forget-entropy", 0, "Opening: the marks add up to 0 (3 would end it); still to be play"),
        ("forget-minimax", -1, "Endgame: one code is left."),
    ],
)
def test_worked_games_say_why_each_guess_is_made(name: str, number: int, words: str) -> None:
    rules = Rules.parse("4x6")
    assert worked_game(game_of(rules), name, parse_code("BEDC", rules))[number].why.startswith(
        words
    )


def test_a_table_comes_with_its_file(client: TestClient) -> None:
    drawn = client.get("/learn/table?strategy=parts&blank=all", follow_redirects=False)
    assert re.search(r"secret=[A-F]{4}&blank=all", drawn.headers["location"])
    address = "strategy=parts&rules=4x6&secret=EEFC"
    page = client.get(f"/learn/table?{address}").text
    assert ">Name<" not in page
    assert ">Name<" in client.get(f"/learn/table?{address}&blank=numbers").text
    answer = client.get(f"/learn/table.csv?{address}")
    assert answer.headers["content-type"].startswith("text/csv")
    assert len(answer.text.splitlines()) - 1 == page.count('<th scope="row">')


@pytest.mark.parametrize("path", ["/learn/knuth", "/learn/table"])
def test_a_drawn_game_keeps_the_language(client: TestClient, path: str) -> None:
    drawn = client.get(f"{path}?lang=fr", follow_redirects=False).headers["location"]
    client.cookies.clear()
    assert client.get(drawn).headers["content-language"] == "fr"


def test_cards_speak_to_people(client: TestClient) -> None:
    page = client.get("/learn").text
    assert not re.search(r"\w=(true|false)|options|the extra|<code>", page)


def test_every_strategy_has_its_card(client: TestClient) -> None:
    cards = client.get("/api/strategies").json()
    assert [card["id"] for card in cards] == [card.id for card in registry.cards()]
    assert all(card["about"] and card["plays"] is None for card in cards)
    large = {card["id"]: card for card in client.get("/api/strategies?rules=8x12").json()}
    assert not large["knuth"]["plays"]
    assert "too many to list" in large["knuth"]["why_not"]
    assert large["forget-entropy"]["plays"]
    knuth = client.get("/api/strategies/knuth", headers={"accept-language": "fr"}).json()
    assert (knuth["year"], knuth["options"][0]["typed"]) == (1976, "guesses=all")
    assert knuth["options"][0]["meaning"].startswith("les propositions comparées")
    assert "did you mean 'knuth'" in refused(client.get("/api/strategies/knuht"), 404)
    assert "did you mean 'classic'" in refused(client.get("/api/strategies?rules=clasic"))


def test_learn_has_every_strategy_once_with_published_figures(client: TestClient) -> None:
    published = (Path(__file__).parents[2] / "docs" / "race.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| ([\d.]+) \| (\d+) \|$", published, re.MULTILINE)
    means = {name: (mean, worst) for name, mean, worst in rows}
    for name, (mean, worst) in figures().items():
        assert means[name] == (f"{mean:.3f}", str(worst))
    shown = [card.id for _, group in by_idea() for card in group]
    assert sorted(shown) == sorted(card.id for card in cards())
    page = client.get("/learn").text
    assert [page.count(f'href="/race?strategy={name}&amp;') for name in shown] == [1] * len(shown)
