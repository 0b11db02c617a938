"""The page Play, as people use it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from tests.web.browser.conftest import Held, Visit, rest, wait
from tests.web.browser.test_everywhere import ON_SCREEN, faults, overflowing

pytestmark = pytest.mark.slow

PAGES = pytest.mark.slow
PLAYED = "#turns .turn:not(.now):not(.next)"


LEFT = """async () => (await (await fetch(`/api/games/${
  new URLSearchParams(location.search).get("game")}/left`)).json()).codes[0]"""
"""A code that is possible after the turns of a game."""


def wait_for_turn(page: Page, number: int) -> None:
    expect(page.locator(PLAYED)).to_have_count(number)


def play(page: Page, guess: str, number: int = 1) -> None:
    """Play a guess by the keyboard, as this turn."""
    page.keyboard.type(guess)
    page.keyboard.press("Enter")
    wait_for_turn(page, number)


def hint(page: Page) -> None:
    """Ask for a hint, until it stands in the row; a page that is at something else takes no key."""
    rest(page)
    page.keyboard.press(".")
    expect(page.locator("#submit")).to_be_enabled()
    rest(page)


def win(page: Page) -> None:
    """Play hints by the keyboard until the game is won."""
    for number in range(page.locator(PLAYED).count() + 1, 12):
        if page.locator("#result").is_visible():
            break
        hint(page)
        page.keyboard.press("Enter")
        wait_for_turn(page, number)
    expect(page.locator("#outcome")).to_have_text(re.compile(r"(Solved in|Trouvé en) \d+"))


def test_a_game_is_won_by_mouse(visit: Visit) -> None:
    page = visit("/play?rules=4x6")
    palette = page.locator("#palette")
    for name in ("A, red", "A, red", "B, green", "C, blue"):
        palette.get_by_role("button", name=name).click()
    submit = page.get_by_role("button", name="Submit")
    submit.click()
    wait_for_turn(page, 1)
    if page.locator("#result").is_hidden():
        page.get_by_role("button", name="Hint").click()
        expect(submit).to_be_enabled()
        submit.click()
        wait_for_turn(page, 2)
    page.set_viewport_size({"width": 360, "height": 640})
    win(page)
    expect(page.locator("#again")).to_be_in_viewport(ratio=1)  # it comes first
    expect(page.locator("#secret .peg")).to_have_count(0)  # it stands in the last row
    expect(page.locator("#worth")).to_contain_text("Best play averages 4.34.")
    expect(page.locator("#turns .turn .left").last).to_have_text("found")
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Solved in"))


def test_a_game_is_won_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/play?rules=4x6")
    for key in ("a", "b", "c", "f", "Backspace", "d", "ArrowLeft", "ArrowLeft", "e", "Enter"):
        page.keyboard.press(key)
    wait_for_turn(page, 1)
    first = page.locator("#turns .turn").first
    expect(first.locator(".code")).to_have_attribute("aria-label", "A E C D")
    expect(page.locator("#status")).to_have_text(
        re.compile(r"Turn 1, A E C D: \d exact, \d misplaced; \d+ codes? left")
    )
    page.keyboard.press("ArrowUp")
    expect(page.locator(".slot")).to_have_text(["A", "E", "C", "D"])
    page.keyboard.press(".")
    expect(page.locator("#status")).to_have_text(re.compile("Hint: "))
    page.keyboard.press("Enter")
    wait_for_turn(page, 2)
    win(page)
    expect(page.locator("#status")).to_have_text(re.compile(r"Solved in \d guess"))
    expect(page.get_by_role("link", name="Play again")).to_be_focused()


def test_a_game_that_was_left_is_gone_on_with_reviewed_and_deleted(visit: Visit) -> None:
    page = visit("/play?rules=3x4&codemaker=evil")
    page.keyboard.type("ABC")
    page.keyboard.press("Enter")
    page.keyboard.type("CB")  # while the server is asked
    wait_for_turn(page, 1)
    expect(page.locator(".slot")).to_have_text(["C", "B", ""])
    page.reload()
    wait_for_turn(page, 1)
    expect(page.locator("#turns .code").first).to_have_attribute("aria-label", "A B C")
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("link", name="Go on with it").click()
    wait_for_turn(page, 1)
    assert "game=" in page.url
    give_up = page.get_by_role("button", name="Give up and see the code")
    give_up.click()
    expect(page.get_by_role("button", name="Play on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(give_up).to_be_focused()
    expect(page.locator("#result")).to_be_hidden()
    give_up.click()
    page.get_by_role("button", name="Give up", exact=True).click()
    expect(page.locator("#outcome")).to_have_text("Not found this time")
    page.get_by_role("link", name="Play again").click()
    expect(page.locator("#offer")).to_have_count(0)
    page.get_by_role("link", name="Your games").click()
    expect(page.locator("#above")).to_contain_text("over 1 game")
    page.locator("#own").get_by_role("link", name="Review").click()
    expect(page.get_by_role("img", name="A B C").first).to_be_visible()
    page.go_back()
    page.locator("#own").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#own li")).to_have_count(0)


@pytest.mark.slow
def test_a_friend_is_challenged(visit: Visit) -> None:
    mine = visit("/play?rules=3x4")
    play(mine, "AAB")
    win(mine)
    mine.get_by_role("button", name="Challenge a friend").click()
    link = mine.locator("dialog .address").inner_text()
    mine.keyboard.press("Enter")
    expect(mine.get_by_role("dialog")).to_have_count(0)
    page = visit(link, color_scheme="light", locale="fr-FR", has_touch=True)
    play(page, "ABC")
    win(page)
    page.get_by_role("link", name="Comparer les deux parties").click()
    expect(page.locator(".compared section")).to_have_count(2)
    expect(page.locator(".compared section").last.locator(".code").first).to_have_text("AAB")
    mine.goto("/games")
    mine.get_by_role("link", name="Compare").click()
    expect(mine.locator(".compared section").last.locator(".code").first).to_have_text("ABC")
    for shown in (page, mine):
        shown.set_viewport_size({"width": 360, "height": 740})
        assert faults(shown) == []
        assert overflowing(shown) == []
    mine.goto("/games")
    expect(mine.locator("#own")).to_contain_text(re.compile(r"\d hint|1 guess"))
    assert faults(mine) == []
    assert overflowing(mine) == []
    with mine.expect_download() as file:
        mine.get_by_role("link", name="All in one file").click()
    exported = json.loads(Path(file.value.path()).read_text())
    assert [len(exported[part]) for part in ("games", "puzzles", "days")] == [1, 0, 0]
    mine.get_by_role("button", name="Delete all").click()
    mine.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(mine.locator("#own")).to_have_count(0)


def test_games_move_to_another_browser(visit: Visit) -> None:
    mine = visit("/play?rules=2x3")
    play(mine, "AB")
    while mine.locator("#result").is_hidden():  # without hints: these are left out of the figures
        play(mine, mine.evaluate(LEFT), mine.locator(PLAYED).count() + 1)
    mine.evaluate("localStorage.setItem('pegwise-puzzles', '[\"4x6 20261120\"]')")
    mine.goto("/games")
    expect(mine.get_by_role("img", name="Your games on this board")).to_be_visible()
    with mine.expect_download() as file:
        mine.get_by_role("link", name="All in one file").click()
    page = visit("/games", locale="fr-FR", viewport={"width": 360, "height": 740})
    wrong = FilePayload(name="other.json", mimeType="application/json", buffer=b"[1]")
    page.locator("#import").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("pegwise-games.json")
    page.locator("#import").set_input_files(file.value.path())
    expect(page.locator("#own li")).to_have_count(1)
    expect(page.locator("#puzzles")).to_have_text("1 énigme résolue")
    expect(page.get_by_role("img", name="Vos parties sur ce plateau")).to_be_visible()
    assert faults(page) == []
    assert overflowing(page) == []


def test_another_device_takes_over_by_a_code(visit: Visit) -> None:
    mine = visit("/play?rules=2x3&codemaker=evil", viewport={"width": 390, "height": 844})
    play(mine, "AB")
    mine.get_by_role("button", name="Give up and see the code").click()
    mine.get_by_role("button", name="Give up", exact=True).click()
    expect(mine.locator("#result")).to_be_visible()
    mine.evaluate("localStorage.setItem('pegwise-puzzles', '[\"4x6 20261120\"]')")
    mine.goto("/games")
    mine.get_by_role("button", name="To another device").click()
    picture = mine.get_by_role("img", name="QR code of the link that takes over your games")
    expect(picture).to_be_visible()
    assert mine.evaluate("document.querySelector('#drawn img').naturalWidth") > 40
    expect(mine.locator("#drawn")).to_contain_text("1 game that is over and 1 solved puzzle")
    expect(mine.locator("#drawn")).to_contain_text("within 15 minutes")
    assert faults(mine) == []
    assert overflowing(mine) == []
    link = mine.locator("#drawn button").get_attribute("data-link") or ""
    address = "/games#" + link.partition("#")[2]
    page = visit(address, locale="fr-FR", viewport={"width": 360, "height": 740})
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 partie terminée, 1 énigme résolue")
    assert faults(page) == []
    assert overflowing(page) == []
    dialog.get_by_role("button", name="Annuler").click()
    expect(page.locator("#own li")).to_have_count(0)
    assert page.url.endswith("/games")
    for _ in range(2):  # the second time it is there
        page.evaluate("hash => { location.hash = hash }", address.partition("#")[2])
        with page.expect_event("load"):
            dialog.get_by_role("button", name="Reprendre").click()
        expect(page.locator("#own li")).to_have_count(1)
        expect(page.locator("#puzzles")).to_have_text("1 énigme résolue")


def test_a_code_that_is_none_is_refused(visit: Visit) -> None:
    for code in ("", "x", "%FF", "a" * 9000):
        page = visit("/words", refused=True)
        page.goto(f"/games#take={code}")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.url.endswith("/games")
    page.get_by_role("button", name="To another device").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^There is nothing to take over yet"))


SECONDS = """() => [(text) => text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0)]
  .map((read) => read(document.querySelector("#clock").textContent))[0]"""
"""What the clock of a page shows."""


def test_a_clock_is_switched_on_and_times_are_told(visit: Visit) -> None:
    page = visit("/play?rules=2x3&codemaker=evil")
    switch, clock = page.get_by_role("switch", name="Count the time"), page.get_by_role("timer")
    expect(switch).not_to_be_checked()
    play(page, "AB")
    switch.click()  # in the middle of a game
    expect(page.locator("#working")).to_contain_text("it counts from the next game on")
    expect(clock).to_be_hidden()
    page.goto("/play?rules=2x3&codemaker=evil")
    expect(switch).to_be_checked()
    expect(clock).to_have_text("0:00")
    page.wait_for_timeout(1200)
    assert page.evaluate(SECONDS) == 0  # no peg was placed
    page.keyboard.type("A")
    wait(page, lambda: page.evaluate(SECONDS) > 1)
    page.reload()
    expect(clock).to_be_visible()
    assert page.evaluate(SECONDS) > 1
    play(page, "B")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    shown = page.evaluate(SECONDS)
    page.wait_for_timeout(1500)
    assert page.evaluate(SECONDS) == shown  # nobody sees the page
    page.evaluate("delete document.hidden")
    page.reload()
    expect(clock).to_be_visible()
    assert page.evaluate(SECONDS) >= shown
    while page.locator("#result").is_hidden():
        code = page.evaluate(LEFT)
        play(page, code, page.locator(PLAYED).count() + 1)
    expect(page.locator("#outcome")).to_have_text(re.compile(r"^Solved in \d guess(es)?, 0:\d\d$"))
    expect(clock).to_be_hidden()
    told = re.compile(r"0:\d\d on average, at best 0:\d\d")
    expect(page.locator("#distribution")).to_contain_text(told)
    page.get_by_role("link", name="Play again").click()
    expect(clock).to_have_text("0:00")
    play(page, "AB")
    switch.click()
    expect(clock).to_be_hidden()
    page.reload()
    expect(switch).not_to_be_checked()
    page.goto("/games")
    expect(page.locator("#own")).to_contain_text(re.compile(r"Solved in \d guess(es)?, 0:\d\d"))
    expect(page.get_by_text(told)).to_be_visible()


def test_what_is_switched_on_is_switched_off(visit: Visit) -> None:
    page = visit("/play?rules=4x6", locale="fr-FR", viewport={"width": 360, "height": 640})
    expect(page.locator("#notes")).to_be_enabled()
    for name in ("À chaque pion", "Compter le temps", "Conseiller"):
        switch = page.get_by_role("switch", name=name)
        before = switch.get_attribute("aria-checked")
        for _ in range(2):
            switch.click()
            expect(switch).not_to_have_attribute("aria-checked", before or "")
            page.reload()
            expect(page.locator("#notes")).to_be_enabled()
            expect(switch).not_to_have_attribute("aria-checked", before or "")
            switch.click()
            expect(switch).to_have_attribute("aria-checked", before or "")
    page.get_by_role("switch", name="Compter le temps").click()
    expect(page.get_by_role("timer")).to_be_visible()
    assert faults(page) == []
    assert overflowing(page) == []


def test_what_was_chosen_and_typed_is_there_after_a_reload(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")
    page.get_by_role("switch", name="Advise").click()
    page.get_by_role("switch", name="Show").click()
    page.keyboard.type("AB")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("D")
    for turn in (1, 2):
        page.reload()
        expect(page.get_by_role("switch", name="Advise")).not_to_be_checked()
        expect(page.locator("#counted")).to_be_hidden()
        expect(page.locator("#advice")).to_have_text("The coach is silent.")
        expect(page.locator(".slot")).to_have_text(["A", "B", "", "D"])
        if turn == 1:
            play(page, "C")
            page.keyboard.type("AB")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("D")
    page.keyboard.type("C")
    expect(page.locator("#advice")).to_have_text("Turn 1 was this guess already.")
    page.get_by_role("switch", name="Advise").click()
    expect(page.locator("#advice")).to_have_text("Turn 1 was this guess already.")  # as before
    held = Held(page, "**/api/weigh")
    page.keyboard.press("Backspace")
    page.keyboard.type("E")
    expect(page.locator("#advice")).to_have_text("Working it out…")
    held.wait(1)
    held.release(0)
    expect(page.locator("#advice")).to_have_text(re.compile("^ABCE does not fit all marks"))


def test_letters_work_wherever_the_focus_is(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")
    slots = page.locator(".slot")
    page.get_by_role("button", name="Keys and marks").focus()
    page.keyboard.type("A")
    expect(slots.nth(1)).to_be_focused()
    page.get_by_role("switch", name="Show").focus()
    page.keyboard.type("BC")
    page.get_by_role("button", name="Submit").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#advice")).to_have_text("1 peg is missing.")
    page.locator("#palette").get_by_role("button", name="D, yellow").click()
    page.keyboard.press("Enter")
    wait_for_turn(page, 1)
    expect(page.locator("#turns .code").first).to_have_attribute("aria-label", "A B C D")
    page.get_by_role("button", name="Change").click()
    page.keyboard.type("AB")
    page.keyboard.press("Escape")
    expect(slots).to_have_text([""] * 4)


def test_a_count_that_comes_late_gets_to_its_row(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")

    def without_count(route: Route) -> None:
        answer = route.fetch()
        game = answer.json()
        game["turns"][0]["left"] = None
        route.fulfill(response=answer, json=game)

    page.route("**/api/games/*/turns", without_count)
    page.keyboard.type("ABCD")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .left b")).to_have_text("312")
    expect(page.locator("#left")).to_have_text("312")


def test_what_is_compiled_is_said_while_an_answer_is_awaited(visit: Visit) -> None:
    page = visit("/play?rules=4x6", locale="en-GB")
    Held(page, "**/api/games/*/hint")
    numbers = {"compiling": True, "done": 3, "total": 10}
    page.route("**/api/compiling", lambda route: route.fulfill(json=numbers))
    page.clock.install()  # for this visitor
    page.get_by_role("button", name="Hint").click()
    page.clock.run_for(600)
    expect(page.locator("#working")).to_have_text("Working it out…")
    page.clock.run_for(3000)
    expect(page.locator("#working")).to_contain_text("once on this machine; ready so far: 3")


def test_only_what_the_rules_allow_is_typed(visit: Visit) -> None:
    page = visit("/play?rules=3x6,distinct")
    page.keyboard.type("AA")
    expect(page.locator(".slot")).to_have_text(["", "A", ""])
    page = visit("/play?rules=4x6")
    page.keyboard.press(" ")
    expect(page.locator("#status")).to_have_text("These rules allow no holes.")
    page = visit("/play?rules=4x6,blank")
    page.keyboard.press("a")
    page.keyboard.press(" ")
    play(page, "BC")
    expect(page.locator("#turns .code").first).to_have_attribute("aria-label", "A hole B C")


def test_without_hints_nothing_is_told(visit: Visit) -> None:
    page = visit("/play?rules=4x6&hints=0&max=2&codemaker=evil")
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    for number in (1, 2):
        play(page, "ABCD", number)
    expect(page.locator("#outcome")).to_have_text("Not found this time")
    expect(page.locator("#secret .peg")).to_have_count(4)


def test_rules_are_changed_in_the_form(visit: Visit) -> None:
    page = visit("/play")
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Pegs", exact=True).fill("3")
    page.get_by_label("Colors", exact=True).and_(page.locator("input")).fill("14")
    page.get_by_label("The same color twice").select_option("distinct")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/play?rules=3x14,distinct")
    expect(page.locator("#palette button")).to_have_count(14)
    page.get_by_role("button", name="Change").click()
    page.get_by_label("Shapes on pegs").check()
    page.goto("/decode")
    expect(page.locator("html")).to_have_attribute("data-shapes", "on")


@pytest.mark.slow
def test_a_game_that_went_on_in_another_tab_is_caught_up_with(visit: Visit) -> None:
    page = visit("/play?rules=5x26&hints=0", refused=True)

    play(page, "AABBC")
    second = page.context.new_page()
    second.goto(page.url)
    wait_for_turn(second, 1)
    play(second, "CCDDE", 2)
    page.bring_to_front()
    play(page, "EEFFG", 2)
    expect(page.locator("#problem")).to_contain_text("CCDDE")


def test_what_pegs_do_is_said_where_the_focus_does_not_tell(visit: Visit) -> None:
    page = visit("/play?rules=4x6")
    status = page.locator("#status")
    page.locator("#palette").get_by_role("button", name="B, green").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Slot 1: B, green")
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Slot 1: empty")
    expect(page.locator(".slot").first).to_be_focused()  # Undo has nothing left to do
    page.keyboard.type("AB")
    page.keyboard.press("Enter")
    expect(status).to_have_text("2 pegs are missing.")
    expect(page.get_by_role("button", name="Submit")).to_be_disabled()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".slot")).to_have_text(["A", "", "", ""])
    wait_for_turn(page, 0)
    page.keyboard.type("BCD")
    expect(status).to_have_text("Slot 4: D, yellow")
    expect(page.locator("#advised")).to_have_text(re.compile("^A B C D may be the code. It would"))


@pytest.mark.slow
def test_what_opens_has_the_focus_and_gives_it_back(visit: Visit) -> None:
    page = visit("/play?rules=4x6")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and marks")).to_be_focused()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".slot").first).to_be_focused()
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("dialog", name="Rules")).to_be_focused()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Change")).to_be_focused()


def test_the_coach_speaks_of_the_turn_that_is_played_and_is_silent_once_told(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")
    held = Held(page, "**/api/weigh")
    page.keyboard.type("ABCD")
    held.wait(1)
    page.keyboard.press("Enter")
    wait_for_turn(page, 1)
    page.keyboard.type("ABCE")
    held.wait(2)
    held.release(1)
    expect(page.locator("#advice")).to_contain_text("ABCE does not fit all marks")
    held.release(0)
    expect(page.locator("#advice")).to_contain_text("ABCE does not fit all marks")
    page.keyboard.press("Escape")
    page.keyboard.type("AABB")
    held.wait(3)
    page.get_by_role("switch", name="Advise").click()
    expect(page.locator("#advice")).to_have_text("The coach is silent.")
    held.release(2)
    expect(page.locator("#advice")).to_have_text("The coach is silent.")


PHONES = [(360, 640), (360, 740), (390, 664), (390, 844)]
DESKTOPS = [(1024, 768), (1280, 800), (1366, 650), (1920, 1080)]
TRAY = """() => ["#palette", "#submit", "#undo", "#hint"].map((name) =>
  Math.round(document.querySelector(name).getBoundingClientRect().top))"""
"""Where the palette and the buttons are."""


@pytest.mark.parametrize(
    ("rules", "guess", "mark"),
    [pytest.param("4x6", "AABC", "X", marks=PAGES), ("wordle", "TARES", "-GY--")],
)
def test_what_a_finger_hits_stays_where_it_is(
    visit: Visit, rules: str, guess: str, mark: str
) -> None:
    """The coach speaks, turns are played, and the board is seen beside what is hit."""
    page = visit("/learn", locale="fr-FR")
    game = {"id": "g", "turns": [], "over": False, "won": False, "max_guesses": None}
    weighed = {"candidate": False, "count": 9, "expected": 2.5, "unit": "guesses", "above": 0.31}
    page.route("**/api/weigh", lambda route: route.fulfill(json=weighed))
    page.route("**/api/games", lambda route: route.fulfill(json=game))

    def answer(route: Route) -> None:
        guess = (route.request.post_data_json or {})["guess"]
        turn = {"guess": guess, "mark": mark, "left": 1234}
        game["turns"] = [*game["turns"], turn]  # type: ignore[misc]
        route.fulfill(json=game)

    page.route("**/api/games/g/turns", answer)
    page.goto(f"/play?rules={rules}")
    places: dict[tuple[int, int], list[list[int]]] = {size: [] for size in PHONES}

    def look(*sizes: tuple[int, int]) -> None:
        for size in sizes:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            wait(page, lambda: page.evaluate(ON_SCREEN) == [])
            if size in places:
                places[size].append(page.evaluate(TRAY))

    guesses = [guess[:-2] + end for end in ("FD", "FE", "FA", "FB", "DA", "DB", "DE", "DF")]
    for number, code in enumerate(guesses, 1):
        page.keyboard.type(code[:-1])
        look(*PHONES)
        page.keyboard.type(code[-1])
        expect(page.locator("#advice")).to_contain_text("0,31")
        look(*PHONES)
        page.keyboard.press("Enter")
        wait_for_turn(page, number)
    page.keyboard.type(guesses[0])
    expect(page.locator("#advice")).to_contain_text("du tour 1")  # which it repeats
    look(*PHONES, *DESKTOPS)
    assert [min(told) == max(told) for told in places.values()] == [True] * len(PHONES)


@PAGES
@pytest.mark.parametrize("rules", ["4x26", "5x8", "7x12", "16x26"])
def test_a_row_of_any_length_stays_on_its_board(visit: Visit, rules: str) -> None:
    page = visit(f"/play?rules={rules}")
    page.keyboard.type("ABCDEFGHIJKLMNOP"[: int(rules.partition("x")[0])])
    page.keyboard.press("Enter")
    expect(page.locator(".turn .copy")).to_be_visible()
    dots = page.locator(".turn.next").first.locator(".code > span")
    for width in (1280, 641, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert (width, overflowing(page)) == (width, [])
        rows = {dot.bounding_box()["y"] for dot in dots.all()}  # type: ignore[index]
        assert len(rows) == 1 or width < 390
    page.get_by_role("button", name="Give up and see the code").click()
    page.get_by_role("button", name="Give up", exact=True).click()
    expect(page.locator("#secret .peg").first).to_be_visible()
    assert overflowing(page) == []


@pytest.mark.parametrize("rules", [pytest.param("5x8", marks=PAGES), "6x9"])
def test_the_mark_stands_beside_its_pegs_on_a_phone(visit: Visit, rules: str) -> None:
    page = visit(f"/play?rules={rules}", viewport={"width": 360, "height": 740}, has_touch=True)
    pegs, mark = (page.locator(f".turn.now {part}").bounding_box() for part in (".code", ".mark"))
    assert pegs is not None
    assert mark is not None
    assert mark["x"] >= pegs["x"] + pegs["width"]
    assert mark["y"] < pegs["y"] + pegs["height"]
    assert overflowing(page) == []


def code_in_the_making(page: Page) -> str:
    """The letters of the slots, `.` for an empty one."""
    return "".join(text or "." for text in page.locator(".slot").all_inner_texts())


def drag(page: Page, start: Locator, end: Locator) -> None:
    for place, act in ((start, page.mouse.down), (end, page.mouse.up)):
        box = place.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


def press_long(page: Page, place: Locator) -> None:
    place.click(delay=600)


def test_pegs_are_dragged_held_copied_and_struck_out(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")
    slots, colors = page.locator(".slot"), page.locator("#palette .peg")
    expect(page.locator("#notes")).to_be_enabled()  # loaded after the page can be played
    drag(page, colors.nth(2), slots.nth(3))
    drag(page, colors.nth(0), slots.nth(0))
    assert code_in_the_making(page) == "A..C"
    drag(page, slots.nth(0), slots.nth(3))  # they change places
    assert code_in_the_making(page) == "C..A"
    drag(page, slots.nth(3), page.locator("h1"))  # away
    assert code_in_the_making(page) == "C..."
    press_long(page, slots.nth(0))
    expect(slots.nth(0)).to_have_accessible_name("Slot 1: C, blue, held for the next row")
    press_long(page, colors.nth(1))  # the row is filled but for the peg that is held
    assert code_in_the_making(page) == "CBBB"
    page.keyboard.press("Enter")
    wait_for_turn(page, 1)
    assert code_in_the_making(page) == "C..."
    page.locator("#turns .turn").first.locator(".peg").nth(2).click()  # its color, in its place
    assert code_in_the_making(page) == "C.B."
    # notes: a tap strikes a color out, and holds a peg; the game keeps them
    page.get_by_role("button", name="Notes").click()
    colors.nth(4).click()
    expect(colors.nth(4)).to_have_accessible_name("E, black, struck out")
    slots.nth(2).click()
    assert code_in_the_making(page) == "C.B."
    page.reload()
    expect(colors.nth(4)).to_have_accessible_name("E, black, struck out")
    expect(slots.nth(2)).to_have_accessible_name("Slot 3: B, green, held for the next row")
    # by keyboard
    slots.nth(3).click()
    page.keyboard.type("F")
    page.keyboard.press("End")
    page.keyboard.type("!/")
    expect(slots.nth(3)).to_have_accessible_name("Slot 4: F, white, held for the next row")
    expect(colors.nth(5)).to_have_accessible_name("F, white, struck out")
    page.keyboard.type("=")
    assert code_in_the_making(page) == "CFBF"
    page.keyboard.press("Enter")
    wait_for_turn(page, 2)
    assert code_in_the_making(page)[2:] == "BF"


def test_a_tap_touches_and_sounds_for_who_asks_for_it(visit: Visit) -> None:
    page = visit("/play?rules=4x6&codemaker=evil")
    page.evaluate("""() => {
      window.felt = 0;
      navigator.vibrate = () => (window.felt += 1);
    }""")
    expect(page.locator("#notes")).to_be_enabled()
    page.locator("#palette .peg").first.click()
    page.get_by_role("switch", name="Sound and vibration").click()
    before = page.evaluate("felt")
    page.locator("#palette .peg").first.click()
    assert page.evaluate("felt") == before + 1 == 2
    page.reload()
    expect(page.locator("#notes")).to_be_enabled()
    expect(page.get_by_role("switch", name="Sound and vibration")).to_be_checked()
