"""The page Puzzle, as a pupil uses it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import expect

from pegwise.game import Code
from pegwise.knowledge.puzzles import puzzle
from tests.web.browser.conftest import WEIGHT, Visit, rest
from tests.web.browser.test_everywhere import faults

pytestmark = pytest.mark.slow

HEIGHTS = "rows => rows.map(row => row.offsetHeight)"


def test_a_puzzle_is_solved_with_hints(visit: Visit) -> None:
    drawn = puzzle("3x4", date="2026-11-21")
    page = visit("/puzzle?rules=3x4&date=2026-11-21", permissions=["clipboard-write"])
    page.keyboard.type("AA")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("1 peg is missing.")
    page.keyboard.type("A")
    expect(page.locator("#said")).to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("A A A does not fit turn")
    heights = page.locator("#turns .turn").evaluate_all(HEIGHTS)
    for number, words in enumerate(drawn.sentences, 1):
        page.keyboard.press(".")
        expect(page.locator("#hints > li")).to_have_count(number)
        expect(page.locator("#hints button").last).to_have_text(words)
        expect(page.locator(".told")).to_have_count(len(set(drawn.steps[number - 1].pegs)))
        assert page.locator("#turns .turn").evaluate_all(HEIGHTS) == heights
        if number == 1:
            assert faults(page) == []
    page.evaluate("sessionStorage.clear()")
    page.reload()  # the hints stay, and count, in another tab too
    expect(page.locator("#hints > li")).to_have_count(len(drawn.steps))
    expect(page.locator("#grid .sure")).to_have_count(3)
    page.locator("#hints button").first.click()  # back to what was possible then
    expect(page.locator("#grid .sure")).to_have_count(len(drawn.steps[0].placed))
    page.keyboard.type("AAA")
    page.keyboard.press("Enter")
    expect(page.locator(".misfit")).to_have_count(1)
    page.keyboard.type(str(drawn.solution))
    page.get_by_role("button", name="Check").click()
    outcome = f"Solved with {len(drawn.steps)} hints, 3 tries"
    expect(page.locator(".misfit")).to_have_count(0)
    expect(page.locator("#outcome")).to_have_text(outcome)
    expect(page.locator("#outcome")).to_be_focused()
    solved = page.locator(".month .solved")
    expect(solved).to_have_accessible_name(re.compile("^21 level 4 ?, solved$"))
    expect(page.get_by_role("link", name="Another puzzle")).to_have_count(1)
    assert faults(page) == []
    page.goto("/puzzle?rules=3x4&date=2026-11-20")  # the browser knows what is solved
    expect(page.locator(".month .solved")).to_have_count(1)
    # opened again it is solved, and asks what was best before
    page.goto("/puzzle?rules=3x4&date=2026-11-21")
    expect(page.locator("#outcome")).to_have_text(outcome)
    expect(page.locator("#tray")).to_be_hidden()
    today = date.today()
    page.goto("/puzzle?rules=3x4")
    cell = page.locator("#grid button").first
    for state in ("not possible", "certain", "possible"):  # what the visitor notes
        cell.click()
        expect(cell).to_have_attribute("aria-label", re.compile(f": {state}$"))
    page.keyboard.type(str(puzzle("3x4", date=today).solution))
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved without a hint")
    expect(page.locator("#next")).to_have_text(re.compile("^1 day in a row. The next one comes in"))
    expect(page.locator(".month .gold")).to_have_count(1)
    page.goto("/puzzle?rules=3x4&date=2026-11-20")
    for code in ("AAA", str(puzzle("3x4", date="2026-11-20").solution)):  # a check is a hint
        page.keyboard.type(code)
        page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved, 2 tries")
    expect(page.locator(".month .solved:not(.gold)")).to_have_count(2)
    page.goto("/puzzle?rules=3x4")
    page.locator("#share").click()
    expect(page.locator("#status")).to_have_text("Line copied")
    expect(page.locator("#share")).to_have_text("Line copied")  # for those who see, for a moment
    expect(page.locator("#share")).to_have_text("Share")
    page.get_by_role("link", name="Your games and puzzles").click()
    expect(page.get_by_text("3 puzzles solved")).to_be_visible()  # though no game was played
    expect(page.get_by_text("You have not played a game yet.")).to_have_count(0)
    expect(page.locator("#streak")).to_have_text(re.compile("^1 day in a row"))
    # a game that has a name is known by it in the calendar too
    page.evaluate("localStorage.setItem('pegwise-puzzles', '[\"wordle 20261120\"]')")
    page.goto("/puzzle?rules=wordle&date=2026-11-20")
    expect(solved).to_have_accessible_name(re.compile(r"^20 level \d ?, solved$"))
    rest(page)
    assert 60_000 < page.evaluate(WEIGHT) < 116_000


def test_a_puzzle_that_was_begun_ends_without_the_network(visit: Visit) -> None:
    path, solution = "/puzzle?rules=3x4&date=2026-11-19", puzzle("3x4", date="2026-11-19").solution
    page = visit(path, service_workers="allow", refused=True)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()  # from now on it is kept
    page.context.set_offline(True)
    try:
        page.reload()
        page.keyboard.type(str(solution))
        page.keyboard.press("Enter")
        expect(page.locator("#outcome")).to_have_text("Solved without a hint")
        # the rules and today's puzzle are kept though nobody has opened them; other pages say so
        page.goto("/learn")
        expect(page.get_by_role("heading", name="The rules")).to_be_visible()
        page.goto("/puzzle")
        expect(page.locator("#board .slot")).to_have_count(4)
        page.goto("/play")
        expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
        page.get_by_role("link", name="Today’s puzzle").click()
        expect(page.locator("#board .slot")).to_have_count(4)
    finally:
        page.context.set_offline(False)


@pytest.mark.slow
def test_every_place_is_marked(visit: Visit) -> None:
    drawn = puzzle("4x6,placed", level=3, seed=5)
    page = visit("/puzzle?rules=4x6,placed&level=3&seed=5")
    for code in (Code([3, 3, 0, 3]), Code([0, 0, 5, 5]), Code([0, 0, 5, 3])):
        wrong = drawn.misfits(code)[0]
        signs = drawn.game.marking.mark(drawn.turns[wrong - 1].guess, code)
        marked = ", ".join(("absent", "elsewhere", "right")[sign] for sign in signs)
        page.keyboard.type(str(code))
        page.keyboard.press("Enter")
        words = f"{' '.join(str(code))} does not fit turn {wrong}, which would have {marked}."
        expect(page.locator("#said")).to_have_text(words)
    page = visit("/puzzle?rules=wordle&level=3&seed=5")  # the word is CARVE
    page.keyboard.press(".")
    expect(page.locator(".told")).to_have_text("E")
    page.keyboard.type("CARFE")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("CARFE fits all turns, but it is not in the list.")
    assert faults(page) == []
    page.keyboard.type("CARVE")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved with 1 hint")
    expect(page.locator("#grid .sure")).to_have_count(5)
    page.goto("/puzzle?rules=wordle&level=2&seed=5")  # another puzzle, which is not solved
    expect(page.locator("#board .slot")).to_have_count(5)
    expect(page.locator("#tray")).to_be_visible()


@pytest.mark.slow
def test_a_sheet_fits_its_pages(visit: Visit) -> None:
    page = visit("/puzzle?rules=5x8&level=2&seed=3", locale="en-US")
    page.get_by_label("Puzzles").fill("12")
    page.get_by_role("button", name="A sheet for a class").click()
    expect(page.locator("article")).to_have_count(12)
    for paper in ("A4", "Letter"):
        assert page.pdf(format=paper).count(b"/Type /Page\n") == 3
    page = visit("/puzzle/sheet?rules=5x8,placed&level=3&seed=5&count=12&lang=fr")
    assert page.pdf(format="Letter").count(b"/Type /Page\n") == 3
    page.goto("/puzzle/sheet?rules=wordle&empty=1&lang=en")
    expect(page.locator("article .mark")).to_have_count(0)


def test_a_puzzle_of_ones_own_is_explained(visit: Visit) -> None:
    page = visit("/puzzle/explain")
    page.get_by_label("The turns, as you noted them").fill("RRGB 2 1\nRYBO 0 2")
    page.get_by_role("button", name="Explain").click()
    expect(page.locator("#told")).to_contain_text("R = red = A")
    expect(page.locator("#explained")).to_contain_text("7 codes fit all turns.")
    assert page.locator("#explained ol.stack > li").count() > 0
    page.get_by_role("link", name="Decode", exact=True).last.click()
    expect(page.locator("#left")).to_have_text("7")


HIDDEN = """() => {
  const [row, tray] = [".turn.now", "#tray"].map((name) => document.querySelector(name));
  return row.getBoundingClientRect().bottom - tray.getBoundingClientRect().top;
}"""
"""Pixels of the row that is filled behind the palette."""


def test_the_row_that_is_filled_is_seen_on_a_small_phone(visit: Visit) -> None:
    phone: dict[str, Any] = {
        "viewport": {"width": 360, "height": 640},
        "has_touch": True,
        "is_mobile": True,
    }
    page = visit("/puzzle?rules=4x6&date=2026-11-22&lang=fr", **phone)
    page.locator("#palette").get_by_text("A", exact=True).tap()
    expect(page.locator(".turn.now .slot").first).to_have_text("A")
    assert page.evaluate(HIDDEN) < 2
    # the buttons below the palette stand in one row, in French too
    tops = {
        box["y"] for button in page.locator("#tray .btn").all() if (box := button.bounding_box())
    }
    assert len(tops) == 1
