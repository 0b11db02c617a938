"""The game of the day, as people play it, also without the network."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit, rest
from tests.web.browser.test_everywhere import faults, overflowing

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}}


def secret_of(text: str | None) -> str:
    return str(json.loads(text or "")["secret"])


def test_the_code_of_a_day_is_found_and_told(visit: Visit) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = visit("/day?rules=4x6&date=2026-11-20", permissions=allowed, **PHONE)
    secret = secret_of(page.locator("#page").text_content())
    page.get_by_role("switch", name="Count the time").click()
    page.keyboard.type("AABB")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(re.compile("^Turn 1, A A B B: "))
    page.reload()  # what was played is still there
    expect(page.locator("#turns .turn")).to_have_count(2)
    page.keyboard.type(secret)
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text(re.compile("^Solved in 2 guesses, 0:"))
    expect(page.locator("#needed")).to_have_text(re.compile(r"^To compare: Knuth \d, best play \d"))
    expect(page.locator("#distribution svg")).to_have_accessible_name(re.compile("2 guesses: 1$"))
    expect(page.locator(".month .gold")).to_have_accessible_name(re.compile("^20 , found"))
    expect(page.locator("#next")).to_have_text("")  # of another day
    assert faults(page) == []
    assert overflowing(page) == []
    page.locator("#share").click()
    expect(page.locator("#share")).to_have_text("Line copied")
    line = page.evaluate("navigator.clipboard.readText()")
    assert re.match(r"pegwise 324, code of the day\. Solved in 2 guesses\. To compare: Knuth", line)
    assert line.count("\n") == 3
    assert "⚫⚫⚫⚫\n⚫ exact ⚪ misplaced http" in line
    assert secret not in line
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Solved in 2 guesses"))
    page.goto("/games")
    expect(page.locator("#own li")).to_have_count(1)


def test_the_word_of_a_day_is_given_up(visit: Visit) -> None:
    page = visit("/day?rules=wordle&date=2026-11-20", locale="fr-FR")
    page.keyboard.type("ABABA")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_have_text("ABABA n’est pas dans la liste.")
    for _ in range(5):
        page.keyboard.press("Backspace")
    page.keyboard.type("CRANE")
    page.keyboard.press("Enter")
    expect(page.locator("#turns .turn")).to_have_count(2)
    page.get_by_role("button", name="Abandonner et voir le mot").click()
    page.get_by_role("dialog").get_by_role("button", name="Abandonner", exact=True).click()
    expect(page.locator("#secret")).to_have_text(re.compile("^Le mot"))
    expect(page.locator(".month .solved")).to_have_count(0)
    rest(page)
    assert faults(page) == []


def test_the_game_of_today_is_there_without_the_network(visit: Visit) -> None:
    page = visit("/", service_workers="allow", refused=True)
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()  # from now on it is kept
    page.context.set_offline(True)
    try:
        page.get_by_role("link", name="Code of the day").last.click()
        expect(page.locator("#board .slot")).to_have_count(4)
        secret = secret_of(page.locator("#page").text_content())
        page.keyboard.type(secret)
        page.keyboard.press("Enter")
        expect(page.locator("#outcome")).to_have_text("Solved in 1 guess")
        expect(page.locator("#next")).to_have_text("1 day in a row.")
        page.get_by_role("link", name="Word of the day").click()
        expect(page.locator("#board .slot")).to_have_count(5)
    finally:
        page.context.set_offline(False)
    page.goto(f"/day?rules=4x6&date={date.today()}")  # now it is stored with the others
    expect(page.locator("#distribution svg")).to_be_visible()
    page.goto("/games")
    expect(page.locator("#own li")).to_have_count(1)
