"""The page Decode, as people use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import WEIGHT, Held, Visit, rest
from tests.web.browser.test_everywhere import faults

pytestmark = pytest.mark.slow


def give(page: Page, turn: int, words: str) -> None:
    """Press a mark of the grid in this turn, and wait until it is there."""
    expect(page.locator("#past > li")).to_have_count(turn - 1)
    page.locator("#marks").get_by_role("button", name=words, exact=True).click()
    expect(page.locator("#past > li")).to_have_count(turn)


def test_a_mark_is_corrected_or_ignored_after_a_contradiction(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO")
    expect(page.locator("#left")).to_have_text("4")
    expect(page.locator(".slot")).to_have_text(["C", "F", "C", "B"])
    give(page, 4, "0 exact, 1 misplaced")
    expect(page.get_by_role("alert").get_by_role("heading")).to_have_text(
        "No code fits these marks."
    )
    expect(page.locator("#conflict")).to_contain_text("Most likely: turn 2.")
    # what the alert says is not said a second time
    expect(page.locator("#status")).to_have_text("Turn 4, C F C B: 0 exact, 1 misplaced")
    expect(page.get_by_role("button", name="Change turn 2", exact=True)).to_be_focused()
    page.get_by_role("button", name="Change turn 2", exact=True).click()
    expect(page.locator("#left")).to_have_text("6")
    expect(page.locator("#status")).to_contain_text("Turn 2 is now marked 1 exact, 1 misplaced")
    expect(page.locator("#asking")).to_be_visible()
    expect(page.locator("#marks button").first).to_be_focused()
    assert "BCDD:XO" in page.url
    page.get_by_role("button", name="Undo").click()
    page.locator("#conflict summary").first.click()
    expect(page.locator("#conflict .reason").first).to_contain_text("6 codes would fit")
    page.get_by_role("button", name="Ignore turn 2").click()
    expect(page.locator("#asking")).to_be_visible()
    assert "BCDD:OO~" in page.url
    page.get_by_role("button", name="Change the mark of turn 2").click()
    page.get_by_role("button", name="Use turn 2 again").click()
    expect(page.locator("#conflict")).to_be_visible()


def test_any_past_mark_is_edited_and_taken_back(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO&strategy=knuth")
    expect(page.locator("#left")).to_have_text("222")
    expect(page.locator("#by")).to_have_text("Proposed by Minimax.")
    page.get_by_text("Why this guess?").click()
    expect(page.locator("#reasons tbody tr").first).to_be_visible()
    page.get_by_role("button", name="Change the mark of turn 1").click()
    expect(page.locator(".editor button").first).to_be_focused()
    assert faults(page) == []
    page.locator(".editor").get_by_role("button", name="1 exact, 0 misplaced").click()
    expect(page.locator("#left")).to_have_text("182")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#left")).to_have_text("222")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#left")).to_have_text("1,296")
    page.go_back()
    expect(page.locator("#left")).to_have_text("222")


THREE = "/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO"


def test_the_answer_to_an_older_edit_is_not_shown(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO")
    expect(page.locator("#left")).to_have_text("222")
    held = Held(page, "**/api/decode")
    page.get_by_role("button", name="Change the mark of turn 1").click()
    page.locator(".editor").get_by_role("button", name="1 exact, 0 misplaced").click()
    page.get_by_role("button", name="Undo").click()
    held.wait(2)
    assert held.release(1)["count"] == 222
    assert held.release(0)["count"] == 182
    expect(page.locator("#left")).to_have_text("222")
    expect(page.locator("#past .edit")).to_have_accessible_name(re.compile("0 exact, 2 misplaced"))
    assert page.url.endswith("history=AABC:OO")


def test_a_double_click_removes_one_turn_and_steps_back_are_counted(visit: Visit) -> None:
    page = visit(THREE)
    left, past = page.locator("#left"), page.locator("#past > li")
    expect(left).to_have_text("4")
    page.get_by_role("button", name="Change the mark of turn 1").click()
    held = Held(page, "**/api/decode")
    page.get_by_role("button", name="Remove turn 1").dblclick()
    held.wait(1)
    held.release(0)
    expect(past).to_have_count(2)
    assert page.url.endswith("history=BCDD:OO,CBEE:XO")
    for _ in range(3):  # however fast
        page.get_by_role("button", name="Undo").click()
    held.wait(4)
    for place in range(1, 4):
        held.release(place)
    expect(left).to_have_text("222")
    expect(past).to_have_count(1)


def test_a_mark_is_typed_wherever_the_focus_is(visit: Visit) -> None:
    page = visit("/decode?rules=4x6")
    expect(page.locator("#marks button").first).to_be_visible()
    page.keyboard.type("01")
    page.keyboard.press("Enter")
    expect(page.locator("#past > li")).to_have_count(1)
    give(page, 2, "0 exact, 1 misplaced")
    expect(page.locator("#marks button").first).to_be_focused()
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    expect(page.locator("#past > li")).to_have_count(3)
    assert re.findall(r":(\w+)", page.url.partition("history")[2]) == ["O", "O", "XO"]


def test_where_the_server_is_lost_a_change_can_be_taken_back(visit: Visit) -> None:
    page = visit("/decode?rules=4x6", refused=True)
    expect(page.locator("#left")).to_have_text("1,296")
    page.route("**/api/decode", lambda route: route.abort())
    page.locator("#marks").get_by_role("button", name="1 exact, 0 misplaced").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(page.locator("#past > li")).to_have_count(1)
    page.unroute("**/api/decode")
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.locator("#past > li")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("1,296 codes left; Turn 1. Is it this?")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.locator("#marks button").first).to_be_focused()
    give(page, 1, "1 exact, 0 misplaced")


@pytest.mark.slow
def test_another_guess_than_the_proposed_one(visit: Visit) -> None:
    page = visit("/decode?rules=3x3,distinct")
    # of all three colors none is missing: 3, 1 or 0 of them stand right
    expect(page.locator("#marks button")).to_have_count(3)
    page = visit("/decode?rules=4x6", refused=True)
    expect(page.locator("#marks button")).to_have_count(14)
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.type("FFFF")
    expect(page.locator(".slot")).to_have_text(["F"] * 4)
    assert faults(page) == []
    page.get_by_role("button", name="Play the proposed one").click()
    expect(page.locator(".slot")).to_have_text(["A", "B", "C", "D"])
    for _ in range(4):  # the first tap begins another guess
        page.locator("#palette").get_by_text("F").click()
    page.keyboard.press("Enter")
    field = page.locator("#typed input")
    field.fill("31")
    field.press("Enter")
    expect(page.locator("#problem")).to_contain_text("cannot happen")
    field.fill("1b0w")
    field.press("Enter")
    expect(page.locator("#past > li")).to_have_count(1)
    expect(page.locator("#left")).to_have_text("500")
    assert "history=FFFF:X" in page.url
    page.keyboard.type("EEEE")
    page.keyboard.press("Enter")
    field.fill("0")
    field.press("Enter")
    expect(page.locator("#past > li")).to_have_count(2)
    page.locator(".slot").nth(2).click()  # a single peg of the proposal
    proposed = page.locator(".slot").all_text_contents()
    page.keyboard.type("F")
    expect(page.locator(".slot")).to_have_text([*proposed[:2], "F", proposed[3]])


@pytest.mark.slow
def test_a_guess_of_the_address_without_a_mark_is_asked_for(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABB=X,AABC")
    expect(page.locator("#question")).to_have_text("Turn 2. Your own guess:")
    expect(page.locator(".slot")).to_have_text(["A", "A", "B", "C"])
    give(page, 2, "1 exact, 1 misplaced")
    assert page.url.endswith("history=AABB:X,AABC:XO")
    page = visit("/decode?rules=4x6&history=AABC,AABB:X", refused=True)
    expect(page.get_by_role("alert")).to_contain_text("Turn 1: cannot read mark")
    expect(page.get_by_role("link", name="Begin again")).to_be_visible()


@pytest.mark.slow
def test_a_long_code_is_marked_by_two_numbers(visit: Visit) -> None:
    page = visit("/decode?rules=7x3&history=AAAABBB:XXXXOO", viewport={"width": 360, "height": 740})
    exact = page.locator("#marks").get_by_role("group", name="exact")
    misplaced = page.locator("#marks").get_by_role("group", name="misplaced")
    exact.get_by_role("button", name="6", exact=True).click()
    expect(misplaced.get_by_role("button", name="1", exact=True)).to_be_disabled()
    exact.get_by_role("button", name="3", exact=True).click()
    misplaced.get_by_role("button", name="2", exact=True).click()
    page.locator("#marks").get_by_role("button", name="3 exact, 2 misplaced").click()
    expect(page.locator("#past > li")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"history=AAAABBB:XXXXOO,[ABC]{7}:XXXOO$"))
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_code_is_found(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO,BCDD:XO")
    give(page, 3, "4 exact, 0 misplaced")
    expect(page.locator("#outcome")).to_have_text("Solved in 3 guesses")
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("in 3 guesses")


def test_two_slips_are_told(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AAAA:XXXX~,AAAA:X,AAAA:XX,BBBB:X,BBBB:XX")
    expect(page.locator("#conflict")).to_contain_text("More than one mark is a slip")
    expect(page.get_by_role("button", name="Mark it again")).to_have_count(4)


def test_the_options_of_a_strategy_are_loaded_when_they_are_opened(visit: Visit) -> None:
    """The page weighs less than 112 kB, uncompressed, with them too."""
    page = visit("/decode?rules=4x6&strategy=knuth", locale="fr-FR")
    page.get_by_text("Options de cette stratégie").click()
    expect(page.locator("#declared dt")).to_have_count(6)
    expect(page.locator("#declared dt").first).to_have_text("guesses=all")
    rest(page)
    assert 60_000 < page.evaluate(WEIGHT) < 116_000
    page.locator("#strategy").select_option("optimal-worst")
    expect(page.locator("#declared dt")).to_have_count(0)
    expect(page.locator("#declared p")).to_have_count(1)  # it has none
    page.locator("#strategy").select_option("")
    expect(page.locator("#declared")).to_be_hidden()


@pytest.mark.slow
def test_marks_that_are_noted_in_part(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABB:XX?")
    expect(page.locator("#left")).to_have_text("150")
    page.locator("#typed input").fill("=1")
    page.locator("#typed input").press("Enter")
    expect(page.locator("#past li")).to_have_count(2)
    expect(page.locator("#past")).to_contain_text("=1")
    expect(page.locator("#past .edit").first).to_have_accessible_name(re.compile(r"XX\?"))
    assert faults(page) == []


def test_the_grid_is_one_tab_stop(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&history=AABC:OO")
    grid = page.locator("#marks .tri")
    expect(grid.locator("button[tabindex='0']")).to_have_count(1)
    grid.locator("button[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="1 exact, 1 misplaced", exact=True)).to_be_focused()
    expect(grid.locator("button[tabindex='0']")).to_have_count(1)


@pytest.mark.slow
def test_pasted_turns_are_read_told_and_read_otherwise(visit: Visit) -> None:
    page = visit("/decode?rules=4x6")
    page.get_by_role("button", name="Paste turns").click()
    page.locator("#paste textarea").fill("RRGB 2 1\nRYBO 0 2")
    page.get_by_role("button", name="Read them").click()
    expect(page.locator("#told")).to_contain_text("R = red = A, G = green = B")
    expect(page.locator("#left")).to_have_text("7")
    expect(page.locator("#past .code").first).to_have_text("RRGB")
    expect(page.locator("#palette .peg")).to_have_text([*"RGBYOP"])
    assert faults(page) == []
    page.locator(".slot").first.focus()
    page.keyboard.type("ppyo")
    expect(page.locator(".slot")).to_have_text([*"PPYO"])
    give(page, 3, "0 exact, 1 misplaced")
    assert page.url.endswith("history=AABC:XXO,ADCE:OO,FFDE:O&colors=R,G,B,Y,O,P")
    page.get_by_role("button", name="Change how it is read").click()
    page.locator("#paste textarea").fill("1234 1 2\n5612 0 2")
    page.get_by_role("button", name="Read them").click()
    expect(page.locator("#left")).to_have_text("36")
    page.locator("#others a").first.click()
    expect(page.locator("#left")).to_have_text("66")
    own = "red,green,blue,yellow,orange,white"
    page = visit(f"/decode?rules=4x6&history=RRGW:XO&colors={own}")
    expect(page.locator("#left")).to_have_text("230")
    expect(page.locator("#palette .peg")).to_have_text(own.split(","))
    expect(page.locator("#past .code")).to_have_accessible_name("red red green white")
    page = visit("/decode?text=crane%3DXXXXX")
    page.locator("#readings a").nth(1).click()
    expect(page.locator("#told")).to_contain_text("X is absent")
    expect(page.locator("#left")).to_have_text("738")


def test_an_ambiguous_mark_is_asked_about_once(visit: Visit) -> None:
    page = visit("/decode?rules=4x6&colors=red,orange,yellow,green,blue,black&history=AABC:XO")
    expect(page.locator("#past .code")).to_have_accessible_name("red red orange yellow")
    field = page.locator("#typed input")
    field.fill("1/2")
    field.press("Enter")
    expect(page.locator("#typed li button")).to_have_count(2)
    page.keyboard.press("2")
    expect(page.locator("#past > li")).to_have_count(2)
    expect(page.locator("#told")).to_contain_text("the second number includes the first")
    field.fill("0/2")
    field.press("Enter")
    expect(page.locator("#past > li")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"history=AABC:XO,\w+:XO,\w+:OO&colors=red,orange,"))


@pytest.mark.parametrize("turn", ["rules=8x12&history=ABCDEFGH:XOO", "rules=5x8&history=AABBC:XOO"])
def test_a_phone_has_a_code_in_one_line_and_counts_beside_marks(visit: Visit, turn: str) -> None:
    phone = {"width": 360, "height": 740}
    page = visit(f"/decode?{turn}", viewport=phone, locale="fr-FR")
    expect(page.locator("#marks")).to_be_visible()
    tops = page.locator("#slots > *").evaluate_all("pegs => pegs.map(peg => peg.offsetTop)")
    assert len(set(tops)) == 1
    mark, count = (page.locator(f".past {part}").bounding_box() for part in (".edit", ".left"))
    assert mark is not None and count is not None
    assert mark["y"] < count["y"] + count["height"] / 2 < mark["y"] + mark["height"]


@pytest.mark.parametrize("rules", ["bulls-and-cows", "number-baseball", "fallout"])
def test_buttons_of_marks_have_room_for_what_they_show(visit: Visit, rules: str) -> None:
    page = visit(f"/decode?rules={rules}")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#marks button").first).to_be_visible()
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert page.locator("#marks button").evaluate_all(wide) == 0


ASKED = """() => [...document.querySelectorAll("#slots .slot, #marks button")].map((part) => {
  const { top, bottom } = part.getBoundingClientRect();
  return [Math.round(top), Math.round(bottom), innerHeight];
})"""


@pytest.mark.parametrize("rules", ["4x6", pytest.param("6x9", marks=pytest.mark.slow)])
def test_a_guess_and_all_its_marks_are_seen_at_every_turn(visit: Visit, rules: str) -> None:
    page = visit(f"/decode?rules={rules}&strategy=first", locale="fr-FR")
    for turn in range(1, 4):
        grids = []
        for width, height in ((360, 640), (360, 740), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
            expect(page.locator("#marks button").first).to_be_visible()
            rest(page)
            parts = page.evaluate(ASKED)
            assert [part for part in parts if part[0] < 0 or part[1] > part[2]] == []
            grids.append(page.locator("#marks").bounding_box())
        give(page, turn, "0 bien placé, 0 mal placé")
        expect(page.locator("#question")).to_contain_text(f"Tour {turn + 1}")
        parts = page.evaluate(ASKED)
        assert [part for part in parts if part[0] < 0 or part[1] > part[2]] == []
        assert page.locator("#marks").bounding_box() == grids[-1]  # it stays where it was
