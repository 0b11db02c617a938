"""The page Tree, as people use it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Held, Visit
from tests.web.browser.test_everywhere import faults, overflowing

pytestmark = pytest.mark.slow

PATIENCE = 240_000
WAITING = """tree => {
  document.querySelector("#page").textContent = JSON.stringify({ status: tree });
  document.querySelector("main").innerHTML =
    `<progress id="progress" max="2"></progress><p id="percent"></p><p id="problem" hidden></p>`;
  import("/static/tree_wait.js");
}"""
"""The page that waits for a tree, which a quick machine seldom shows."""


def open_tree(page: Page) -> None:
    """Have the tree of `parts` built, or find it kept."""
    page.get_by_label("Strategy").select_option("parts")
    page.get_by_role("button", name="Open the tree").click()
    expect(page.locator("#tree > *").first).to_be_visible(timeout=PATIENCE)


def test_a_branch_is_opened_and_can_be_linked(visit: Visit) -> None:
    page = visit("/tree?rules=4x6")
    open_tree(page)
    expect(page.locator(".root .code")).to_have_attribute("aria-label", "A A B C")
    expect(page.locator(".best")).to_contain_text("5,668")
    expect(page.locator(".best")).to_contain_text("5,625")
    branch = page.locator("details[data-path='AABC:XX']")
    branch.locator("> summary").click()
    expect(branch.locator("> .kids > [role=list] > [role=listitem]")).to_have_count(12)
    expect(branch.locator("> .kids > .facts")).to_contain_text("5 guesses more in all")
    expect(branch.locator("> summary b")).to_have_text("105")
    said = "2 exact, 0 misplaced: 105 codes, then guess A D B E"
    expect(branch.locator("> summary .sr")).to_have_text(said)
    last = branch.locator(".kids .leaf .sr").last
    expect(last).to_have_text("4 exact, 0 misplaced: 1 code, solved")
    expect(page).to_have_url(re.compile(r"\?path=AABC%3AXX$"))
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []
    page.reload()
    expect(branch.locator("> .kids > .facts")).to_be_visible()
    branch.locator("> summary").click()
    expect(branch.locator("> .kids")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"parts$"))
    # the same by the keyboard
    first = page.locator("#tree > * > details").first
    first.locator("> summary").focus()
    page.keyboard.press("ArrowRight")
    expect(first.locator("> .kids > .facts")).to_be_visible()
    page.keyboard.press("ArrowDown")
    second = first.locator("> .kids > [role=list] > * > details").first
    expect(second.locator("> summary")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(first.locator("> summary")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(first.locator("> .kids")).to_be_hidden()


def test_a_secret_is_found_in_its_branches(visit: Visit) -> None:
    page = visit("/tree?rules=4x6", refused=True)
    open_tree(page)
    page.get_by_label("Find a secret").fill("fedb")
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_contain_text("F E D B is found in 5 turns.")
    expect(page.locator("#found .code")).to_have_count(5)
    expect(page).to_have_url(re.compile(r"path=AABC%3AO%2FBDDE%3AXOO"))
    page.get_by_label("Find a secret").fill("FEDZ")
    with page.expect_response("**/find?**") as answer:
        page.keyboard.press("Enter")
    assert 400 <= answer.value.status < 500


def test_what_was_asked_for_last_is_shown(visit: Visit) -> None:
    """A branch that was opened last is in the address, a secret that was asked for last is told."""
    page = visit("/tree/proven.6x2")
    held = Held(page, "**/position.html?**")
    branches = page.locator("#tree > * > details")
    for place in range(2):
        branches.nth(place).locator("> summary").click()
    held.wait(2)
    for place in (1, 0):
        held.release(place)
        expect(branches.nth(place).locator("> .kids > .facts")).to_be_visible()
    path = branches.nth(1).get_attribute("data-path")
    assert parse_qs(urlsplit(page.url).query) == {"path": [path]}
    page.unroute("**/position.html?**")

    def seek(secret: str) -> None:
        page.get_by_label("Find a secret").fill(secret)
        page.keyboard.press("Enter")

    for secret in ("AAAAAB", "BBBBBA"):  # so that their branches are there
        seek(secret)
        expect(page.locator("#found")).to_contain_text(" ".join(secret))
    held = Held(page, "**/find?**")
    seek("AAAAAB")
    seek("BBBBBA")
    held.wait(2)
    assert held.release(1)["secret"] == "BBBBBA"
    expect(page.locator("#found")).to_contain_text("B B B B B A is found")
    address = page.url
    assert held.release(0)["secret"] == "AAAAAB"
    expect(page.locator("#found")).to_contain_text("B B B B B A is found")
    assert page.url == address


def test_a_page_that_waits_forgets_that_the_server_was_lost(visit: Visit) -> None:
    page = visit("/tree?rules=4x6", refused=True)
    tree = {"id": "built.4x6.irving", "state": "running", "done": 1, "total": 2, "problem": None}
    page.route("**/api/trees/*", lambda route: route.abort())
    page.evaluate(WAITING, tree)
    expect(page.locator("#problem")).to_contain_text("The server does not answer.")
    page.unroute("**/api/trees/*")
    page.route("**/api/trees/*", lambda route: route.fulfill(json=tree))
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#percent")).to_have_text("50 % done")


@pytest.mark.slow
def test_a_tree_of_longer_codes_stays_on_its_card(visit: Visit) -> None:
    page = visit("/tree/proven.6x2", viewport={"width": 360, "height": 740}, has_touch=True)
    page.locator("#tree summary").first.tap()
    expect(page.locator("#tree .kids .code").first).to_be_visible()
    assert faults(page) == []
    for width in (1280, 961, 641, 360, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, overflowing(page)) == (width, [])


@pytest.mark.slow
def test_bounds_of_a_board_and_of_what_fits_some_turns(visit: Visit) -> None:
    page = visit("/tree?rules=4x4")
    page.get_by_role("link", name="How many guesses are needed at least").click()
    taus = page.locator(".bounds table").nth(1).locator("tbody td")
    expect(taus).to_have_text(["256", "46", "6", "1"], timeout=PATIENCE)
    exact = page.get_by_role("row", name="Viaud q0")
    expect(exact).to_contain_text("exactly 4")
    assert faults(page) == []
    page.get_by_label("After these turns").fill("AABB=O\nCCCD=XX")
    page.get_by_role("button", name="Show the bounds").click()
    expect(page).to_have_url(re.compile("rules=4x4&turns=AABB"))
    page.set_viewport_size({"width": 320, "height": 800})
    assert overflowing(page) == []
    expect(page.get_by_role("row", name="Viaud q", exact=False).last).to_be_visible()
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []
