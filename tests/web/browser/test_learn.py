"""The page Learn, as teachers use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.test_everywhere import faults, overflowing
from tests.web.browser.test_play import hint

pytestmark = pytest.mark.slow


def test_a_pupil_is_led_through_a_game(visit: Visit) -> None:
    page = visit("/learn")
    page.get_by_role("link", name="A first game, explained").click()
    expect(page.locator("#next")).to_contain_text("A secret is hidden")
    hint(page)
    expect(page.locator("#advice")).to_contain_text("Two colors are a good beginning")
    page.keyboard.press("Enter")
    rows = page.locator("#turns .turn:not(.now):not(.next)")
    expect(rows).to_have_count(1)
    if page.locator("#result").is_hidden():
        expect(page.locator("#tells")).to_contain_text("Turn 1 has")
        page.keyboard.type("AABB")
        expect(page.locator("#advice")).to_contain_text("A A B B does not fit turn 1")
        assert faults(page) == []
        page.set_viewport_size({"width": 360, "height": 740})
        assert overflowing(page) == []
    page.reload()
    for number in range(2, 12):
        expect(rows).to_have_count(number - 1)
        if page.locator("#result").is_visible():
            break
        expect(page.locator("#tells")).to_contain_text(f"Turn {number - 1} has")
        hint(page)
        expect(page.locator("#advice")).to_contain_text(re.compile("fits all turns"))
        page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text(re.compile("^Solved in .*, [0-9]+ by (a )?hint"))
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#grid .sure")).to_have_count(4)
    page.get_by_text("What earlier turns tell").click()
    page.locator("#earlier button").first.click()
    expect(page.locator("#earlier button").first).to_have_attribute("aria-pressed", "true")


def test_a_strategy_shows_a_game_and_a_table_is_made_in_one_click(visit: Visit) -> None:
    page = visit("/learn")
    page.get_by_role("link", name="Minimax", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Minimax")
    expect(page.locator(".picture svg")).to_be_visible()
    assert "secret=" in page.url  # drawn, and now part of the link
    page.goto("/learn")
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Entropy")
    rows = page.locator(".rounds tbody tr")
    expect(rows.last.locator("td").last).to_have_text("0.00")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "round,guess,mark,candidates,log2_candidates"
    assert len(lines) == 1 + rows.count()
    page.get_by_role("link", name="all blank").click()
    expect(rows).to_have_count(10)
    expect(page.locator(".rounds td").get_by_text(re.compile("."))).to_have_count(0)
    expect(page.locator("main .peg")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.locator(".rounds")).to_be_visible()
    expect(page.locator("header.top")).to_be_hidden()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
