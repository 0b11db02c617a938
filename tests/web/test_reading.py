"""Histories as people note them, read alike by every command, the library, the API and a page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from pegwise.game import game_of
from pegwise.knowledge import count
from pegwise.playing import parse_game
from pegwise.reading import read_history
from tests.cli.conftest import run as run
from tests.cli.running import Run

# a text, the rules that it is read as, and how many codes fit; None: it raises a question
ROWS: Final = [
    ("AABB XO / CCDD O", "4x6", 52),
    ("RRGB 2 1\nRYBO 0 2", "4x6", 7),
    ("RVBJ 1 1\nRRVV 1 0", "4x6", 56),
    ("red red green blue: 2 1\nred green red red: 1 1", "4x6", 11),
    ("🔴🔴🟢🔵 ⚪⚪\n🟢🟢🔵🔵 ⚫", "4x6", 45),
    ("1532 0 0 / 5015 1 0 / 1405 1 0", "4x6", 1),
    ("1234 1 2\n5612 0 2", "4x6", 36),
    ("1234 2 3\n1255 0 1", "4x6", 6),
    ("guess,black,white\n1122,1,0\n3344,0,1", "4x6", 48),
    ('[["AABB","XO"],["CCDD",[0,1]]]', "4x6", 52),
    ("AABB 2 ?\nCCDD =1", "4x6", 72),
    (
        "682: one number is correct and well placed; 614: one number is correct but wrongly "
        "placed; 206: two numbers are correct but wrongly placed; 738: nothing is correct; "
        "780: one number is correct but wrongly placed",
        "3x10",
        1,
    ),
    ("crane xxxxg\nslate xxxxg", "sgb,placed", 44),
    ("BGBG 1 1", None, None),
    ("crane=XXXXX", None, None),
]


USUAL: Final = (0, 1, 4, 8, 11, 13)
"""Letters, names of colors, discs, a table, sentences, a question; `tests/game` has all of them."""


@pytest.fixture(
    params=[
        pytest.param(row, marks=[] if place in USUAL else [pytest.mark.slow])
        for place, row in enumerate(ROWS)
    ],
    ids=lambda row: row[0][:20],
)
def row(request: pytest.FixtureRequest) -> tuple[str, str | None, int | None]:
    """A row of the table."""
    texts: tuple[str, str | None, int | None] = request.param
    return texts


def by_commands(run: Run, text: str) -> Iterator[tuple[str, int]]:
    """The rules and the number of codes, as commands tell them."""
    counted = run("candidates", "-", "--json", "--limit", "0", typed=text).document()
    yield counted["rules"], counted["count"]
    reviewed = run("review", "-", "--json", typed=text).document()
    yield reviewed["rules"], reviewed["turns"][-1]["after"]
    assert reviewed.get("read_as") == counted.get("read_as")
    if counted["rules"] != "sgb,placed" and counted["count"] <= 2000:
        why = run("why", "-", "--json", typed=text).document()
        yield why["rules"], len(why["guesses"])
    explained = run("explain", "-", "--json", typed=text).document()
    yield explained["rules"], explained["count"]


def by_server(client: TestClient, text: str) -> Iterator[tuple[str, int]]:
    """The same, as the API and the page tell them."""
    decoded = client.post("/api/decode", json={"text": text, "limit": 0}).json()
    yield decoded["rules"], decoded["count"]
    reviewed = client.post("/api/review", json={"record": text}).json()
    yield reviewed["rules"], reviewed["turns"][-1]["after"]
    page = client.get("/decode", params={"text": text}, follow_redirects=True)
    data: Any = json.loads(re.findall(r'id="page">(.*?)</script>', page.text, re.DOTALL)[0])
    rules = data["rules"]["text"]
    assert html.unescape(decoded["read_as"] or "") in html.unescape(page.text)
    yield rules, decoded["count"]


@pytest.mark.slow
def test_every_face_reads_alike(
    row: tuple[str, str | None, int | None], run: Run, client: TestClient
) -> None:
    text, rules, number = row
    if rules is None or number is None:
        for command in ("candidates", "review", "why", "solve", "explain"):
            ended = run(command, "-", typed=text)
            assert ended.status == 2 and "(1)" in ended.err
        answer = client.post("/api/decode", json={"text": text})
        assert answer.status_code == 422 and len(answer.json()["readings"]) > 1
        assert 'id="readings"' in client.get("/decode", params={"text": text}).text
        return
    noted = read_history(text)
    record = parse_game(text)
    told = [(str(noted.game), count(noted.game, noted.turns))]
    told.append((str(record.game), count(record.game, record.turns)))
    told += [*by_commands(run, text), *by_server(client, text)]
    read = [(str(game_of(board)), codes) for board, codes in told]
    assert read == [(rules, number)] * len(told)


@pytest.mark.slow
def test_colors_are_called_on_pages_as_they_were_typed(client: TestClient) -> None:
    """Digits where digits were typed; letters where letters were, or the game has digits itself."""
    for text, rules, colors in [
        ("1122 XO / 1344 XX", "4x6", "1,2,3,4,5,6"),
        ("AABB XO / ACDD XX", "4x6", ""),
        ("1,1,12,2 XO", "4x12", ",".join(map(str, range(1, 13)))),
        ("1234 2 bulls", "bulls-and-cows", ""),
    ]:
        sent = {"text": text, "rules": rules}
        page = client.get("/decode", params=sent, follow_redirects=False)
        where = parse_qs(urlsplit(page.headers["location"]).query)
        assert where.get("colors", [""]) == [colors]
        assert client.get(page.headers["location"]).status_code == 200
    shown = client.get("/puzzle/explain", params={"text": "1122 XO / 1344 XX"}).text
    assert 'data-sign="1"' in shown or ">1<" in shown
