"""Draw the pictures of the site, docs/pictures/web-*.png, from a running server.

python -m tools.screenshots http://127.0.0.1:8000
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
GAME = "rules=4x6&history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
SLIP = "/decode?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO,CFCB:O"
_BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 360, "height": 780}, "device_scale_factor": 1.5}
PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "start": ("/", {"reduced_motion": "reduce"}),
    "contradiction": (SLIP, {}),
    "contradiction-french-phone": (SLIP, PHONE | {"locale": "fr-FR"}),
    "review": (f"/review?{GAME}&answers=1", {}),
    "puzzle": ("/puzzle?date=2026-11-20", {}),
    "strategy": ("/learn/knuth?rules=4x6&secret=EEFC", {}),
}


def play(page: Page, name: str) -> None:
    """A game in its fourth turn, with a whole guess that is not submitted."""
    page.goto("/play?rules=4x6")
    for number, guess in enumerate(("FEDB", "FABA", "CEAD"), 1):
        page.keyboard.type(guess)
        page.keyboard.press("Enter")
        page.locator("#turns .turn .mark[role]").nth(number - 1).wait_for()
    if page.locator("#submit").is_visible():
        page.keyboard.type("CDCB")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(600)
    page.screenshot(path=PICTURES / f"web-{name}.png")


def race(page: Page, name: str) -> None:
    """A race of five strategies, paused in its course."""
    page.goto("/race?rules=4x6")
    page.locator("input[value=first]").check()
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/race/*")
    page.locator("#speeds").get_by_text("500").click()
    while "0" in page.locator("#entrants .done").all_text_contents():
        page.wait_for_timeout(200)
    page.wait_for_timeout(3000)
    page.get_by_role("button", name="Pause").click()
    page.locator("#pause:has-text('Go on')").wait_for()
    page.mouse.move(0, 0)
    page.screenshot(path=PICTURES / f"web-{name}.png")
    page.get_by_role("button", name="Stop").click()
    page.locator("#again").wait_for()


def tree(page: Page, name: str) -> None:
    """A tree with one branch open."""
    page.goto("/tree?rules=4x6")
    page.get_by_label("Strategy").select_option("parts")
    page.get_by_role("button", name="Open the tree").click()
    page.locator("details[data-path='AABC:XX'] > summary").click(timeout=120_000)
    page.locator(".facts").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"web-{name}.png")


def room(page: Page, name: str) -> None:
    """The board of a room: thirty pupils play the same code."""
    page.goto("/room")
    page.get_by_role("button", name="Open the room").click()
    page.locator(".room-code").wait_for()
    browser = page.context.browser
    assert browser is not None
    drawn = Random(7)
    names = (
        "Ana Ben Chloé Dina Emil Fatou Gita Hugo Inès Jonas Kofi Lena Milo Nora Omar Paula Quentin "
        "Rosa Sami Tara Uma Viktor Wanda Xenia Yusuf Zoé Anton Bella Carl Daria"
    )
    guesses = {
        name: ["".join(drawn.choices("ABCDEF", k=4)) for _ in range(drawn.randint(1, 5))]
        for name in names.split()
    }
    pupils = [browser.new_page() for _ in guesses]
    for pupil, nickname in zip(pupils, guesses, strict=True):
        pupil.goto(page.url)
        pupil.locator("input[name=name]").fill(nickname)
        pupil.keyboard.press("Enter")
        pupil.locator("#note").wait_for()
    page.locator("#begin").click()
    for pupil, codes in zip(pupils, guesses.values(), strict=True):
        pupil.locator("#board").wait_for()
        for number, code in enumerate(codes):
            pupil.keyboard.type(code)
            pupil.keyboard.press("Enter")
            pupil.locator("#turns .turn .mark[role]").nth(number).wait_for()
    page.wait_for_timeout(2500)
    page.screenshot(path=PICTURES / f"web-{name}.png")
    for pupil in pupils:
        pupil.close()


def draw(browser: Browser, server: str) -> None:
    """All pictures."""
    usual: dict[str, Any] = {
        "base_url": server,
        "viewport": {"width": 1280, "height": 860},
        "locale": "en-US",
    }
    for name, (path, options) in PAGES.items():
        page = browser.new_page(**{**usual, **options})
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=PICTURES / f"web-{name}.png")
        page.close()
    for name, take in {"play": play, "race": race, "room": room, "tree": tree}.items():
        page = browser.new_page(**usual)
        take(page, name)
        page.close()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, _BROWSERS))), args=["--no-sandbox"]
        )
        draw(chromium, sys.argv[1])
        chromium.close()
