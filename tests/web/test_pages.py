"""Pages as the server sends them: their state, what they refuse, and their stylesheets."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from fastapi.testclient import TestClient
from tools.start import race

from pegwise.errors import InputError
from pegwise.game import PartialMark, Rules, game_of
from pegwise.game.pegs import PEGS, WHITE_INK, contrast
from pegwise.i18n import whole
from pegwise.pictures import board_svg
from pegwise.pictures.svg import TONES
from pegwise.reading import parse_turn
from pegwise.telling.words import mark_words, rules_parts, rules_words
from pegwise.web.inputs import history_text, rules_of
from pegwise.web.pages import STATIC, filters
from pegwise.web.reading import history_of
from pegwise.web.start import runners
from tests.web.playing import begin, guess, start_race

HTML = {"accept": "text/html"}


@pytest.mark.slow
def test_pages_in_two_languages_at_once(client: TestClient) -> None:
    """Every page has its own language, whichever is rendered in another thread."""

    def get(request: tuple[str, str]) -> str:
        path, language = request
        return client.get(path, headers=HTML | {"accept-language": language}).text

    paths = ["/", "/play", "/decode", "/review", "/puzzle", "/learn", "/learn/knuth?secret=BEEF"]
    requests = [(path, language) for path in paths for language in ("en", "fr")]
    with ThreadPoolExecutor(6) as threads:
        pages = dict(zip(requests, threads.map(get, requests), strict=True))
    for (_, language), page in pages.items():
        assert f'<html lang="{language}">' in page
    assert "The strategies" in pages["/learn", "en"]
    assert "Les stratégies" in pages["/learn", "fr"]


def preview(client: TestClient, path: str) -> dict[str, str]:
    """What a link shows of its page in a chat."""
    page = client.get(path).text
    return dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', page))


@pytest.mark.slow
def test_a_preview_says_what_the_link_is_and_no_secret(client: TestClient) -> None:
    client.get("/play")
    game = guess(client, begin(client), "AABB")
    challenge = client.post(f"/api/games/{game['id']}/challenge").json()["path"]
    race_id = start_race(client, ["knuth", "first"], rules="3x4")["id"]
    client.cookies.clear()
    shown = preview(client, challenge)
    assert shown["og:title"] == "A challenge · pegwise"
    assert "Minimax, First candidate" in preview(client, f"/race/{race_id}")["og:description"]
    shown = preview(client, "/puzzle?rules=4x6&date=2026-11-22")
    assert "November 22, 2026" in shown["og:title"]
    assert "level 5" in shown["og:description"]
    shown = preview(client, "/review?rules=4x6&history=FEDB:XO,EEFC:XXXX&secret=EEFC")
    assert "solved in 2 guesses" in shown["og:description"]
    assert not re.search("EEFC|FEDB", str(shown))
    assert "4x6" in preview(client, "/tree/proven.4x6")["og:description"]


def test_a_link_has_a_preview(client: TestClient) -> None:
    for path in ("/", "/play", "/learn/knuth?rules=4x6&secret=BEEF&lang=fr"):
        page = client.get(path).text
        shown = preview(client, path)
        assert shown["og:title"] == re.findall("<title>(.*)</title>", page)[0]
        assert shown["og:description"] == shown["description"]
        picture = client.get(shown["og:image"])
        assert shown["og:image"].startswith("http://testserver/static/")
        assert size_of(picture.content) == (1200, 630)
    assert shown["og:locale"] == "fr_FR"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_for_those_without_a_connection(client: TestClient, language: str) -> None:
    """It needs no script, for it is shown in place of any other page."""
    page = client.get("/offline", headers={"accept-language": language}).text
    assert f'<html lang="{language}">' in page
    assert 'type="module"' not in page
    assert 'href="">' in page  # the page that was asked for, once more


def test_the_site_can_be_installed(client: TestClient) -> None:
    manifest = client.get("/static/manifest.json").json()
    for icon in manifest["icons"]:
        drawn = client.get(f"/static/{icon['src']}")
        assert drawn.headers["content-type"].startswith(icon["type"])
        if icon["sizes"] != "any":
            assert "x".join(map(str, size_of(drawn.content))) == icon["sizes"]
    assert client.get("/favicon.ico").headers["content-type"] == "image/png"


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_the_race_of_the_start_page_is_true() -> None:
    assert (STATIC / "start_race.json").read_text(encoding="utf-8") == race()
    assert [(strategy, reached) for strategy, _, reached in runners()] == [
        *(("optimal", 1296), ("knuth", 1258), ("first", 978), ("marechal-rastoix-1", 591)),
    ]


def test_the_start_page_offers_the_game_that_goes_on(client: TestClient) -> None:
    assert "Your game" not in client.get("/").text
    game = begin(client, codemaker="random")
    guess(client, game, "AABB")
    page = client.get("/").text
    assert "Your game, turn 2" in page
    assert f"/play?rules=4x6&amp;game={game['id']}" in page


def test_the_form_of_rules_leads_to_a_readable_address(client: TestClient) -> None:
    form = "pegs=5&colors=8&repeats=distinct&blank=1&hints=0&max=7&codemaker=evil"
    answer = client.get(f"/play?{form}", follow_redirects=False)
    assert answer.status_code == 303
    address = "/play?rules=5x8,distinct,blank&codemaker=evil&hints=0&max=7"
    assert answer.headers["location"] == address


@pytest.mark.parametrize(
    "path",
    [
        *("/play", "/decode"),
        *(
            pytest.param(path, marks=pytest.mark.slow)
            for path in ("/puzzle", "/race", "/tree", "/room")
        ),
    ],
)
def test_a_page_offers_no_game_that_it_refuses(client: TestClient, path: str) -> None:
    page = client.get(path, headers=HTML).text
    (choice,) = re.findall(r'<select name="rules">(.*?)</select>', page, re.DOTALL)
    games = [unescape(game) for game in re.findall(r'<option value="([^"]*)"', choice)]
    assert len(games) > 4
    for game in games:
        asked = client.get(path, params={"rules": game}, headers=HTML)
        assert asked.status_code == 200, game


def test_the_page_never_holds_the_secret(client: TestClient) -> None:
    game = client.post("/api/games", json={"rules": "4x6"}).json()
    page = client.get(f"/play?rules=4x6&game={game['id']}").text
    (data,) = re.findall(r'<script type="application/json" id="page">(.*?)</script>', page)
    assert json.loads(data)["game"] == game["id"]
    assert '"secret"' not in data


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/play?rules=4x99", "4x99"),
        ("/play?rules=4x6&max=0", "&#39;0&#39;"),
        ("/play?codemaker=kind", "kind"),
        ("/decode?rules=banana", "banana"),
        ("/review?rules=4x6&history=AB=X", "AB"),
        ("/review?rules=4x6&history=ABCD", "GUESS:MARK"),
        ("/review?rules=4x6&history=ABCD:XXXO", "XXXO"),
        ("/review?rules=wordle&history=SLATR:-----", "SLATR"),
        ("/bounds?rules=wordle", ">sgb,placed is too large"),
        ("/play?rules=sgb@00000000", "sgb"),
        (f"/review?rules=4x6&history={'ABCD:X,' * 101}", "at most 100"),
        ("/review?record=<script>alert(1)</script>", "at position 1"),
        ("/review?record=pegwise game 1%0Arules: 4x6%0Aresult: open", "no turn yet"),
        ("/learn/knut", "knuth"),
        ("/race?strategy=knut", "first, random, knuth, irving"),  # in the order of the list
        ("/tree?strategy=knut", "first, random, knuth, irving"),
        ("/race/nosuchrace", "nosuchrace"),
        ("/learn/knuth?secret=ABCZ", "ABCZ"),
        ("/nowhere", "nowhere"),
    ],
)
def test_bad_addresses_are_refused_on_a_page(client: TestClient, path: str, words: str) -> None:
    answer = client.get(path, headers=HTML)
    assert 400 <= answer.status_code < 500
    assert words in answer.text
    assert '<main id="main"' in answer.text
    assert 'class="btn" href="/' in answer.text or "<form" in answer.text
    assert "<script>" not in answer.text  # what was sent stays text


def test_a_page_says_that_kernels_are_compiled(client: TestClient) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    numbers = services.quick._pool._compiling
    numbers[:] = (3, 10)
    assert client.get("/api/compiling").json() == {"compiling": True, "done": 3, "total": 10}
    path = "/review?rules=3x3&history=ABC:X"
    page = client.get(path, headers=HTML)
    assert (page.status_code, page.headers["refresh"]) == (202, "3")
    assert "ready so far: 3" in page.text
    assert client.get("/learn", headers=HTML).status_code == 200
    numbers[:] = (0, 0)
    assert client.get(path, headers=HTML).status_code == 200
    assert client.get("/api/compiling").json() == {"compiling": False, "done": 0, "total": 0}


def test_history_is_written_as_it_is_read() -> None:
    rules = Rules.parse("4x6,blank")
    text = "AABB:XO,CC.D:-,ABCD:XX"
    assert history_text(history_of(text, game_of(rules))) == text
    assert history_text(history_of("AABB:XO,CC.D:-~", game_of(rules))) == "AABB:XO"


def test_rules_of_an_address() -> None:
    assert rules_of({}) == game_of(Rules())
    assert rules_of({"rules": "super"}) == game_of(Rules(5, 8))
    assert rules_of({"pegs": "3", "colors": "4", "black": "1"}) == game_of(
        Rules(3, 4, marks="black")
    )
    form = {"pegs": "3", "colors": "4", "repeats": "distinct", "marks": "placed"}
    assert str(rules_of(form)) == "3x4,distinct,placed"
    assert str(rules_of({"words": "sgb", "marks": "placed"})) == "sgb,placed"
    with pytest.raises(InputError, match="99"):
        rules_of({"pegs": "99"})


def test_filters_write_numbers_as_the_language_does() -> None:
    english, french = filters("en"), filters("fr")
    assert (english["number"](1234.5, 2), english["number"](-0.001, 2)) == ("1,234.50", "0.00")
    assert (french["number"](1234.5, 2), french["number"](-0.001, 2)) == ("1\u202f234,50", "0,00")
    assert english["number"](26**13) == "2.48 × 10¹⁸"
    assert english["number"](10**9 - 1) == "999,999,999"
    assert english["number"](8**12) == "6.87 × 10¹⁰"
    assert english["number"](9_999_999_999) == "1.00 × 10¹⁰"
    assert english["signed"](-1.875) == "−1.88"
    assert [whole(value) for value in (0.5, 1, 1.0, 1.5, 2, 2.5)] == [0, 1, 1, 0, 2, 2]
    prose = english["prose"]("run `pegwise <x>` & wait")
    assert prose == "run <code>pegwise &lt;x&gt;</code> &amp; wait"


# Stylesheets: pegs and tones have the colors of `pictures`, and everything can be read.


def sheet(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def colors() -> dict[str, str]:
    rules = r'(?:^| )\[data-c="(\w)"\] \{ --c: (#\w{6}); \}'
    return dict(re.findall(rules, sheet("pegs.css"), re.MULTILINE))


def tokens() -> dict[str, tuple[str, str]]:
    """The tones of the pages, light and dark."""
    rules = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", sheet("base.css"))
    return {name: (light, dark) for name, light, dark in rules}


def test_pegs_have_the_colors_of_the_palette_and_can_be_read() -> None:
    assert colors() == {peg.letter: peg.ring or peg.fill for peg in PEGS}
    named = json.loads((STATIC.parent / "texts.json").read_text("utf-8"))["board"]
    assert [named[f"color{peg.letter}"].split()[0] for peg in PEGS[:12]] == [
        peg.name for peg in PEGS[:12]
    ]
    rule = re.search(r":is\(([^)]*)\) \{ --on: #fff; \}", sheet("pegs.css"))
    assert rule is not None
    white = set(re.findall(r'"(\w)"', rule[1]))
    assert white == {peg.letter for peg in PEGS if peg.ink == WHITE_INK}
    for letter in "ABCDEFGHIJKL":
        ink = "#ffffff" if letter in white else "#111111"
        assert contrast(ink, colors()[letter]) >= 4.5, letter
    for letter in "MNOPQRSTUVWXYZ":  # rings on a face
        assert contrast("#f6f5f1", colors()[letter]) >= 3, letter
    assert contrast("#f6f5f1", "#111111") >= 7


def test_every_peg_has_a_shape_and_neighbors_differ() -> None:
    shapes: dict[str, str] = {}
    for letters, shape in re.findall(
        r"^(:is\([^{]*?\))\s*\{\s*--shape: (.*?);", sheet("pegs.css"), re.M | re.S
    ):
        shapes |= dict.fromkeys(re.findall(r'"(\w)"', letters), shape)
    assert set(shapes) == {peg.letter for peg in PEGS}
    assert len({shapes[letter] for letter in "ABCDEFGHIJKL"}) == 12


@pytest.mark.parametrize("theme", [0, 1])
def test_texts_and_outlines_are_readable(theme: int) -> None:
    tone = {name: pair[theme] for name, pair in tokens().items()}
    for ground in ("bg", "card", "sunk"):
        for text in ("ink", "soft", "accent"):
            assert contrast(tone[text], tone[ground]) >= 4.5, (text, ground)
    for ground in ("bg", "card"):
        assert contrast(tone["edge"], tone[ground]) >= 3, ground
    assert contrast(tone["warn"], tone["warn-wash"]) >= 4.5


def test_drawings_in_the_page_take_its_tones() -> None:
    for name, tone in TONES.items():
        assert tokens().get(name) in {None, (tone.light, tone.dark)}
        assert f"--{name}: " in sheet("base.css")
    for rules, turn in (("4x6", "FEAB=XO"), ("4x6,placed", "AABC=GY--")):
        board = Rules.parse(rules)
        drawn = board_svg(board, [parse_turn(turn, game_of(board))], theme="page")
        drawing = filters("en")["inline_svg"](drawn)
        assert "pw-fill" not in drawing
        painted = set(re.findall(r'(?:fill|stroke)="var\(--([\w-]+)\)"', drawing))
        assert {"card", "line", "soft", "rim"} <= painted <= set(TONES)


def test_templates_have_nothing_inline() -> None:
    for template in (STATIC.parent / "templates").iterdir():
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son\w+=\"|<style", text), template.name
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script, template.name


@pytest.mark.parametrize("name", ["4x6", "3x4,black", "3x4,placed", "bagels", "bulls-and-cows"])
def test_marks_of_pages_are_told_as_everywhere(name: str) -> None:
    rules, told = Rules.parse(name), filters("en")["mark_words"]
    for mark in rules.marking.legal:
        assert told(str(mark), rules) == mark_words(mark, game_of(rules))
    for partial in (PartialMark(0), PartialMark(2), PartialMark(total=0), PartialMark(total=3)):
        assert told(str(partial), rules) == mark_words(partial, game_of(rules))


@pytest.mark.parametrize("name", ["4x6,blank", "bulls-and-cows", "wordle,hard"])
def test_rules_of_pages_are_told_as_everywhere(name: str) -> None:
    game = game_of(name)
    assert ", ".join(filters("en")["rules_parts"](game)) == rules_words(game)
    hard, free = game_of("4x10,distinct,hard"), game_of("4x10,distinct")
    assert len(rules_parts(hard)) == len(rules_parts(free)) + 1
