"""Games of words and marks of places, as people play, decode and review them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.test_everywhere import faults, overflowing
from tests.web.browser.test_play import wait_for_turn, win

pytestmark = pytest.mark.slow

PHONE = {"width": 360, "height": 740}


def test_a_word_is_found_on_a_phone(visit: Visit) -> None:
    page = visit("/play?rules=wordle", refused=True, viewport=PHONE)
    keyboard = page.locator("#palette")
    expect(keyboard.locator("> div").first).to_have_text("QWERTYUIOP")
    page.keyboard.type("tarez")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_contain_text("TARES")
    page.keyboard.press("Backspace")
    keyboard.get_by_role("button", name="S", exact=True).click()
    page.get_by_role("button", name="Submit").click()
    wait_for_turn(page, 1)
    expect(page.locator("#status")).to_have_text(
        re.compile(r"Turn 1, TARES: (absent|elsewhere|right)(, (absent|elsewhere|right)){4}")
    )
    signs = [str(tile.get_attribute("data-m")) for tile in page.locator(".turn .peg").all()[:5]]
    says = {"n": "absent", "y": "elsewhere", "g": "right"}
    for letter, sign in zip("TARES", signs, strict=True):
        name = f"{letter}, {says[sign]}"
        expect(keyboard.get_by_role("button", name=name, exact=True)).to_have_count(1)
    assert faults(page) == []
    assert overflowing(page) == []
    win(page)
    page.get_by_role("link", name="Review this game").click()
    expect(page.locator(".played .mark").first).to_have_attribute(
        "aria-label", ", ".join(says[sign] for sign in signs)
    )


@pytest.mark.slow
def test_a_code_is_found_by_marks_of_places(visit: Visit) -> None:
    page = visit("/play?rules=4x6,placed")
    page.keyboard.type("AABB")
    page.keyboard.press("Enter")
    wait_for_turn(page, 1)
    expect(page.locator(".turn .peg[data-m]")).to_have_count(4)
    assert faults(page) == []
    win(page)


@pytest.mark.slow
def test_marks_of_places_are_tapped_or_typed(visit: Visit) -> None:
    page = visit("/decode?rules=wordle&history=TARES:-GY--", refused=True, viewport=PHONE)
    places = page.locator(".places button")
    expect(places).to_have_count(5)
    proposed = page.locator("#slots").inner_text().replace("\n", "")
    places.nth(1).click()
    places.nth(1).click()
    name = f"Place 2, {proposed[1]}: right"
    expect(places.nth(1)).to_have_attribute("aria-label", name)
    expect(page.locator("#status")).to_have_text(name)
    for place in (0, 2, 3, 4):
        places.nth(place).click()
    expect(page.get_by_role("button", name="Enter mark").first).to_be_enabled()
    for place in (0, 2, 3):
        places.nth(place).click()
    # all right but one, which has no other place
    expect(page.get_by_role("button", name="Enter mark").first).to_be_disabled()
    page.locator("#typed input").fill("GGGG")
    page.locator("#typed input").press("Enter")
    expect(page.locator("#problem")).to_contain_text("GGGG")
    page.locator("#slots button").first.focus()
    page.keyboard.type("cairn")
    page.locator("#typed input").fill("ggggg")
    page.locator("#typed input").press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved in 2 guesses")
    page.get_by_role("link", name="Another code").click()
    expect(places).to_have_count(5)
    page.locator("#slots button").first.focus()
    page.keyboard.type("zzzzz")
    expect(page.locator("#problem")).to_contain_text("ZZZZZ")
    expect(page.locator("#marks")).to_be_hidden()


def test_a_list_is_pasted_played_and_deleted(visit: Visit) -> None:
    page = visit("/play?rules=4x6", refused=True, viewport=PHONE)
    page.get_by_role("button", name="Change").click()
    page.get_by_role("link", name="Your own list of words").click()
    page.get_by_label("Name").fill("tiere")
    page.get_by_label("Words that may be hidden").fill("katze\nmaus")
    page.get_by_role("button", name="Play with these words").click()
    expect(page.get_by_role("alert")).to_contain_text("MAUS")
    assert faults(page) == []
    page.get_by_label("Words that may be hidden").fill("katze\nmäuse\nstöre")
    page.get_by_role("button", name="Play with these words").click()
    expect(page.get_by_role("button", name="Ö", exact=True)).to_be_visible()
    page.keyboard.type("st")
    page.get_by_role("button", name="Ö", exact=True).click()
    page.keyboard.type("re")
    page.keyboard.press("Enter")
    wait_for_turn(page, 1)
    win(page)
    page.goto("/words")
    assert overflowing(page) == []
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#own li")).to_have_count(0)
