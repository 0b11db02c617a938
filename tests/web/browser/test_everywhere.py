"""What holds on every page: accessibility, phones, both languages, both color schemes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from pegwise.web.pages import filters
from tests.web.browser.conftest import Visit, rest, wait

pytestmark = pytest.mark.slow

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
GAME = "history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
PAGES = {
    "start": "/",
    "play": "/play?rules=4x6",
    "many colors": "/play?rules=13x26,blank",
    "without hints": "/play?rules=4x6&hints=0",
    "decode": "/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO",
    "decode 6x9": "/decode?rules=6x9&strategy=first&history=AABBCD:OO",
    "decode 9x9": "/decode?rules=9x9&history=ABCDEFGHI:XXO",
    "decode 13x26": "/decode?rules=13x26&history=ABCDEFGHIJKLM:XXO",
    "contradiction": "/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO,CFCB:O",
    "decode places": "/decode?rules=4x6,placed&history=AABB:Y-Y-",
    "decode words": "/decode?rules=wordle&history=TARES:-GY--",
    "review words": "/review?rules=wordle&history=TARES:-GY--,CAIRN:GGGGG",
    "record": "/review",
    "review": f"/review?rules=4x6&{GAME}",
    "answers": f"/review?rules=4x6&{GAME}&answers=1",
    "review 13x26": "/review?rules=13x26&history=ABCDEFGHIJKLM:XXO",
    "race": "/race",
    "tree": "/tree",
    "bounds": "/bounds?rules=4x4",
    "bounds of turns": "/bounds?rules=4x4&turns=AABB%3DO",
    "games": "/games",
    "puzzle": "/puzzle?rules=5x8&date=2026-11-22",
    "day": "/day?rules=4x6&date=2026-11-22",
    "day of words": "/day?rules=wordle&date=2026-11-22",
    "sheet": "/puzzle/sheet?level=2&seed=100&count=2",
    "score sheet": "/puzzle/sheet?rules=6x9&empty=1",
    "class": "/room",
    "learn": "/learn",
    "guided game": "/learn/game",
    "strategy": "/learn/knuth?rules=4x6&secret=EEFC",
    "table": "/learn/table?strategy=entropy&rules=4x6&secret=EEFC",
    "blank table": "/learn/table?strategy=entropy&rules=4x6&secret=EEFC&blank=all",
}

OVERFLOWING = """() => {
  const out = [...document.querySelectorAll(":is(.card, .tray) *:not(.sr)")].filter((part) => {
    const boxes = [part, part.closest(".card, .tray")].map((one) => one.getBoundingClientRect());
    const [own, card] = boxes;
    const unseen = part.closest("thead")?.clientWidth < 2; // of a table that is shown as cards
    return own.width && own.right > card.right + 1 && !unseen && !part.closest(".wide");
  });
  const page = document.documentElement.scrollWidth > innerWidth ? ["page"] : [];
  return [...page, ...out.map((part) => part.outerHTML.slice(0, 80))];
}"""


SMALL = """() => [...document.querySelectorAll(
  "a, button, input:not([type=hidden]), select, textarea, summary")].filter((part) => {
  const text = part.closest("p:not(.row, .rules, .back), cite, dd, td")?.textContent.trim() ?? "";
  const longer = text.length > part.textContent.trim().length + 12;
  const inText = longer && part.matches("a, button.link");
  const closed = part.closest("[popover]:not(:popover-open)");
  if (inText || closed || !part.checkVisibility() || part.matches(".sr, :disabled")) return false;
  const box = (part.closest("label") ?? part).getBoundingClientRect();
  const around = getComputedStyle(part, "::before");
  const grown = around.content !== "none" && around.position === "absolute";
  const [wide, high] = ["width", "height"].map((side) =>
    Math.max(box[side], grown ? parseFloat(around[side]) : 0));
  // words, and what shares a row with as many as there are pegs or letters, may be narrower
  const narrow = part.matches(".slot, .keyboard *, .many *, .tri *, .dist *, a, summary");
  return box.width && (high < 43.5 || wide < (narrow ? 22 : 43.5));
}).map((part) => part.outerHTML.slice(0, 90))"""
"""What a finger misses: under 44 pixels, with what is hit around it."""


def faults(page: Page, *rules: str) -> list[str]:
    """What axe finds on a page at rest; with rules, by these only."""
    rest(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    report = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in report["violations"]
        for node in fault["nodes"]
    ]


def overflowing(page: Page) -> list[str]:
    """What juts out of its card, or out of a page; by touch, what a finger misses too."""
    parts: list[str] = page.evaluate(OVERFLOWING)
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        parts += page.evaluate(SMALL)
    return parts


def test_axe_is_awake(visit: Visit) -> None:
    page = visit("/learn")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [fault.partition(":")[0] for fault in faults(page)] == ["button-name"]


CUT = """() => [...document.querySelectorAll(".wide:has(.rounds), .alt li, .top nav")].filter(
  (part) => part.scrollWidth > part.clientWidth).map((part) => part.outerHTML.slice(0, 80))"""
"""What a phone shows whole, though it could be scrolled."""

SQUEEZED = """() => [...document.querySelectorAll(".tri button")].filter((button) =>
    button.querySelector(".mark").offsetWidth > button.offsetWidth).length"""


DOTS = """() => [...document.querySelectorAll(".rules > * + span")].filter((part) => {
  if (!part.checkVisibility()) return false;
  part.scrollIntoView({ block: "center" });
  const { left, top, bottom } = part.getBoundingClientRect();
  const begins = part.previousElementSibling.getBoundingClientRect().bottom <= top;
  return begins === (document.elementFromPoint(left - 9, (top + bottom) / 2) === part);
}).map((part) => part.textContent)"""
"""Parts of the rules that have a dot before them at the start of a line, or none within one."""

USUAL = {"play", "decode"}
"""A board and a grid; the others are tried when what they are made of has changed."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in USUAL else [pytest.mark.slow]) for name in PAGES],
)
def test_every_page(visit: Visit, name: str) -> None:
    """Axe finds nothing, light or dark; it fits, in French, which is longer, at any width."""
    page = visit(PAGES[name], color_scheme="light", locale="fr-FR", has_touch=True)
    assert faults(page) == []
    if name == "decode":  # what waits for an answer can be read
        page.locator("#asking").evaluate("part => part.ariaBusy = true")
        assert faults(page, "color-contrast") == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []
    if name.startswith("decode"):
        page.locator("#past .edit").first.click()
        expect(page.locator("#past .editor")).to_be_visible()
    for width in (1041, 1040, 961, 901, 844, 721, 641, 390, 360, 320):
        page.set_viewport_size({"width": width, "height": 390 if width == 844 else 740})
        assert (width, page.evaluate(SQUEEZED)) == (width, 0)
        assert (width, overflowing(page)) == (width, [])
        if width == 360:
            assert page.evaluate(CUT) == []
            assert page.evaluate(DOTS) == []


def test_the_start_page_begins_a_game(visit: Visit) -> None:
    page = visit("/")
    said = page.locator("#first .said")
    page.keyboard.type("AAB")  # wherever the focus is
    page.keyboard.press("Enter")
    expect(said).to_have_text("1 peg is missing.")
    page.keyboard.type("C")
    expect(said).to_be_empty()  # it is not missing any more
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Make your second guess")  # beside what its mark means
    assert faults(page) == []
    go = said.get_by_role("link")
    expect(go).to_be_focused()
    go.press("Enter")
    page.wait_for_url("**/play?rules=4x6&game=*")
    expect(page.locator(".turn .copy")).to_have_count(1)


@pytest.mark.slow
def test_the_race_of_the_start_page(visit: Visit) -> None:
    """It stands at its end, runs by its button, and can be paused."""
    page = visit("/")
    reached = page.locator("#race .reached")
    end = ["1,296", "1,258", "978", "591"]
    expect(reached).to_have_text(end)
    expect(page.get_by_role("button", name="Watch the race")).to_be_visible()
    page = visit("/", reduced_motion="no-preference")
    expect(reached).to_have_text(end)  # until it is begun
    page.get_by_role("button", name="Watch the race").click()
    expect(page.locator("#race .reached").first).not_to_have_text("1,296")
    page.get_by_role("button", name="Pause").click()
    stopped = page.locator("#race .reached").all_text_contents()
    codes = [int(text.replace(",", "")) for text in stopped]
    assert 0 <= min(codes) <= max(codes) < 1296
    expect(page.locator("#race .reached")).to_have_text(stopped)
    page = visit("/", java_script_enabled=False)
    expect(page.locator("#race .reached")).to_have_text(end)
    expect(page.locator("#first")).to_be_hidden()


def test_french_by_the_browser_and_by_the_switch(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO,CFCB:O", locale="fr-FR")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Pensez à un code")
    expect(page.locator("#conflict")).to_contain_text("Le plus probable\u00a0: le tour 2.")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Think of a code")
    expect(page.locator("#conflict")).to_contain_text("Most likely: turn 2.")
    page.goto("/learn")  # the choice is kept
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto("/play?rules=4x6&lang=fr")
    page.keyboard.type("ABCD")
    page.keyboard.press("Enter")
    said = re.compile("Tour 1, A B C D\u00a0: [0-4] bien placés?, [0-4] mal placés?")
    expect(page.locator("#status")).to_have_text(said)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_scripts_round_as_templates_do(visit: Visit, language: str) -> None:
    page = visit(f"/play?lang={language}")
    drawn = random.Random(0)
    values = [32.3925, 1.005, 0.0, 1e15, 2**53 + 2, 2.5e18]
    values += [drawn.choice([-1, 1]) * n / 64 for n in range(200)]  # often between two
    values += [round(drawn.expovariate(0.01), 4) for _ in range(200)]
    shown = page.evaluate(
        """async values => {
          const { number } = await import("/static/words.js");
          return values.map(value => [0, 1, 2, 3].map(digits => number(value, digits, digits)));
        }""",
        values,
    )
    number = filters(language)["number"]
    assert shown == [[number(value, digits) for digits in range(4)] for value in values]
    counted = page.evaluate(
        """async values => {
          const { count } = await import("/static/words.js");
          return values.map(value => count("left", value));
        }""",
        [0, 1, 1.04, 1.5, 1.96, 2],
    )
    french = ["0 code", "1 code", "1 code", "1,5 code", "2 codes", "2 codes"]
    english = ["0 codes", "1 code", "1 code", "1.5 codes", "2 codes", "2 codes"]
    word = "left" if language == "en" else "restant"
    assert [text.partition(f" {word}")[0] for text in counted] == (
        english if language == "en" else french
    )


def test_the_theme_is_switched_and_nothing_moves_where_that_is_asked(visit: Visit) -> None:
    page = visit("/play", color_scheme="light", reduced_motion="reduce")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter("
        "e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    )
    assert moving == 0
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(246, 245, 241)"
    for label in ("Theme: automatic", "Theme: light"):
        page.get_by_role("button", name=label).click()
    assert page.evaluate(ground) == "rgb(18, 19, 22)"
    page.goto("/learn")
    assert page.evaluate(ground) == "rgb(18, 19, 22)"


def test_focus_is_seen_and_the_skip_link_works(visit: Visit) -> None:
    page = visit("/learn")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    assert skip.bounding_box()["width"] > 50  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    assert page.evaluate("document.activeElement.closest('main') !== null")


ON_SCREEN = """() => [".turn.now", "#palette", "#submit", "#advice"].filter((name) => {
  const { top, bottom } = document.querySelector(name).getBoundingClientRect();
  const tray = document.querySelector("#tray").getBoundingClientRect();
  const row = document.querySelector(".turn.now").getBoundingClientRect();
  const hidden = name === ".turn.now" && row.bottom > tray.top + 1 && row.right > tray.left;
  return top < 0 || bottom > innerHeight + 1 || hidden;
})"""
"""What a player needs while a guess is composed and does not see."""

OVAL = """() => [...document.querySelectorAll(".peg:not(.keyboard *)")].filter((peg) =>
  peg.offsetHeight && Math.abs(peg.offsetWidth - peg.offsetHeight) > 1
).map((peg) => peg.outerHTML)"""

MISSED = """() => [...document.querySelectorAll(".turn .copy")].map((button) => {
  button.scrollIntoView({ block: "center" });
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return [[-21, 0], [21, 0], [0, -21], [0, 21]].filter(([across, down]) =>
    document.elementFromPoint(x + across, y + down)?.closest(".copy") !== button).length;
})"""
"""For each row, on how many of four sides a finger misses the button that copies it."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "guess", "mark"),
    [("4x6", "AABC", "X"), ("5x8", "AABBC", "X"), ("wordle", "TARES", "-GY--")],
)
def test_the_tenth_guess_is_composed_on_a_phone(
    visit: Visit, rules: str, guess: str, mark: str
) -> None:
    page = visit("/learn", locale="fr-FR", has_touch=True, is_mobile=True)
    played = [{"guess": guess, "mark": mark, "left": 1234}] * 9
    game = {"id": "g", "turns": played, "over": False, "won": False, "max_guesses": None}
    best = {"guess": guess, "expected": 20.5, "bits": 3.5}
    weighed = {"candidate": False, "count": 99, "expected": 28.5, "best": best}
    page.route("**/api/games/g", lambda route: route.fulfill(json=game))
    page.route(
        "**/api/weigh", lambda route: route.fulfill(json=weighed | {"unit": "bits", "above": 1})
    )
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/play?rules={rules}&game=g")
    expect(page.locator(".turn .copy")).to_have_count(9)
    assert page.evaluate(MISSED) == [0] * 9
    for letter in reversed(guess):
        page.locator("#palette").get_by_text(letter, exact=True).tap()
    expect(page.locator("#advice")).to_contain_text("28,5")
    for width, height in ((360, 640), (390, 844), (640, 430), (640, 360), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        wait(page, lambda: page.evaluate(ON_SCREEN) == [])
    page.evaluate("document.documentElement.dataset.shapes = 'on'")
    assert page.evaluate(OVAL) == []
    page.emulate_media(media="print")
    for part in ("#tray", ".copy", ".btn"):
        expect(page.locator(part).first).to_be_hidden()


EXACT = """() => [".mark .x", ".mark .o", ".peg", ".btn"].map((name) => {
  const part = document.querySelector(name);
  const { borderTopWidth, printColorAdjust, borderTopStyle } = getComputedStyle(part);
  return [name, borderTopStyle !== "none" && parseFloat(borderTopWidth) > 0, printColorAdjust];
})"""


def test_marks_are_printed_and_seen_in_forced_colors(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:XO", forced_colors="active")
    style = "part => getComputedStyle(part).borderTopStyle"
    assert page.locator(".tri button").first.evaluate(style) == "solid"
    page.locator(".slot").first.focus()
    page.keyboard.type("A")
    drawn = {name: border for name, border, _ in page.evaluate(EXACT)}
    assert drawn[".mark .x"] and drawn[".mark .o"] and drawn[".btn"]
    for part in ("#slots .hole", ".edit"):
        assert page.locator(part).first.evaluate(style) == "solid"
    page.emulate_media(media="print", forced_colors="none")
    assert {exact for _, _, exact in page.evaluate(EXACT)} == {"exact"}
    edge = "part => getComputedStyle(part).backgroundImage"  # that tells of more beside it
    assert page.locator("#reasons").evaluate(edge) == "none"
    page = visit("/tree?rules=4x6", forced_colors="active")  # which proven tree is open
    ground = "parts => [...new Set(parts.map(part => getComputedStyle(part).backgroundColor))]"
    assert len(page.locator(".boards a").evaluate_all(ground)) == 2


HIDDEN = """(name) => [...document.querySelectorAll(name)].filter((part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return width && top < innerHeight && !part.contains(seen);
}).map((part) => part.outerHTML)"""
"""Parts in view that something else covers."""


@pytest.mark.parametrize("path", ["/race", "/tree", "/bounds?rules=4x6", "/day?rules=4x6", "/room"])
def test_the_places_of_a_phone_cover_no_button_and_look_alike(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 390, "height": 844})
    places = page.locator(".top nav .thumb")
    expect(places).to_have_count(4)
    looks = places.evaluate_all(
        "all => all.map((one) => [one.offsetHeight, getComputedStyle(one).backgroundColor])"
    )
    assert [*map(tuple, looks)] == [(52, "rgba(0, 0, 0, 0)")] * 4
    assert page.evaluate(HIDDEN, ".btn.go, .top nav .thumb > *") == []
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("navigation", name="Main").get_by_role("link")).to_have_count(9)
    current = page.locator(".top nav [aria-current]")
    expect(current).to_have_count(1)
    if path.startswith("/day"):
        expect(current).to_have_text("Today")
