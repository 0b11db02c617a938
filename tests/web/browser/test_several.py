"""The page of several secrets at once, as people use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.test_everywhere import faults, overflowing

pytestmark = pytest.mark.slow


@pytest.mark.slow
def test_two_codes_are_found_by_keyboard(visit: Visit) -> None:
    page = visit("/play", viewport={"width": 360, "height": 740})
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("spinbutton", name="Pegs").fill("3")
    page.get_by_role("spinbutton", name="Colors").fill("4")
    page.get_by_label("Secrets at once").select_option("2")
    page.get_by_role("button", name="Start").click()
    boards = page.locator("#boards section")
    expect(boards).to_have_count(2)
    page.keyboard.type("ABC")
    page.keyboard.press("Enter")
    expect(boards.locator("li")).to_have_count(2)
    expect(page.locator("#status")).to_have_text(re.compile("Turn 1, A B C: Board 1: .*; Board 2"))
    page.reload()  # the address holds the game
    expect(boards.locator("li")).to_have_count(2)
    turn = page.locator("#turns .n")
    for number in range(2, 10):
        expect(turn).to_have_text(str(number))
        page.keyboard.press(".")
        expect(page.locator("#submit")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")
        expect(turn).to_have_text(str(number + 1))
        if page.locator("#result").is_visible():
            break
    expect(page.locator("#outcome")).to_have_text(
        re.compile(r"All found in \d turns, \d by hints?")
    )
    expect(page.get_by_role("link", name="Play again")).to_be_focused()
    expect(boards.locator("h2")).to_contain_text(["found in", "found in"])
    expect(page.locator("#review tbody tr").first).to_be_visible()
    expect(page.locator("#review dt")).to_have_text(["guesses", "skill", "luck"])
    assert faults(page) == []
    assert overflowing(page) == []
    line = page.locator("#line").text_content()
    page.get_by_role("link", name="Review this game").click()
    expect(page.locator("#line")).to_have_text(line or "")
    expect(page.locator("#boards section")).to_have_count(2)
    assert (
        page.locator("#boards").evaluate("boards => boards.style.getPropertyValue('--pegs')") == "3"
    )
    page.locator("summary", has_text="More").click()
    expect(page.get_by_role("link", name="Record")).to_be_visible()
    assert faults(page) == []
    assert overflowing(page) == []
