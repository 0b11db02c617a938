"""The page Review, as people use it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browser.conftest import Held, Visit

RECORD = """pegwise game 1
rules: 4x6
secret: EEFC

1. FEDB = XO
2. FABA = O
3. CEAD = XO
4. CDCB = O
5. EEFC = XXXX

result: solved
"""
PLAYED = "/review?rules=4x6&history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"


def test_a_pasted_record_is_reviewed(visit: Visit) -> None:
    page = visit("/review")
    page.get_by_label("The turns of the game").fill(RECORD)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Solved in 5 turns")
    expect(page.locator(".stats b").nth(1)).to_have_text("12.22")
    expect(page.locator(".stats b").nth(2)).to_have_text("−1.88")
    expect(page.locator(".stats b").nth(3)).to_have_text("0.26")  # exact, by search to the end
    assert "history=FEDB:XO,FABA:O" in page.url
    assert "secret=EEFC" in page.url


def test_a_turn_is_tried_again_before_the_answer_is_shown(visit: Visit) -> None:
    page = visit(PLAYED)
    row = page.locator("#turn-3")
    expect(row.locator(".answer")).to_be_hidden()
    row.get_by_role("button", name="Try again").click()
    form = page.locator("#try-3")
    form.get_by_label("Your new guess").fill("cbdd")
    form.get_by_role("button", name="Compare it").click()
    expect(form.locator(".result")).to_contain_text("0.04 guesses fewer")
    form.get_by_role("button", name="Show the best guess").click()
    expect(row.locator(".answer .code")).to_have_attribute("aria-label", "B D D C")
    expect(page.locator("#turn-3 + tr td")).to_be_focused()  # where the guess is told


def test_the_guess_that_was_tried_last_is_weighed(visit: Visit) -> None:
    page = visit(PLAYED)
    page.locator("#turn-3").get_by_role("button", name="Try again").click()
    form = page.locator("#try-3")
    held = Held(page, "**/api/weigh")
    for place, guess in enumerate(("cbdd", "aabb")):
        form.get_by_label("Your new guess").fill(guess)
        form.get_by_role("button", name="Compare it").click()
        held.wait(place + 1)
    held.release(1)
    expect(form.locator(".result .code")).to_have_attribute("aria-label", "A A B B")
    held.release(0)
    expect(form.locator(".result .code")).to_have_attribute("aria-label", "A A B B")


def test_a_bad_guess_is_refused_with_a_sentence(visit: Visit) -> None:
    page = visit("/review?rules=4x6&history=FEDB:XO,FABA:O", refused=True)
    page.locator("#turn-2").get_by_role("button", name="Try again").click()
    form = page.locator("#try-2")
    form.get_by_label("Your new guess").fill("ABCDE")
    with page.expect_response("**/api/weigh") as answer:
        form.get_by_role("button", name="Compare it").click()
    assert 400 <= answer.value.status < 500
    expect(form.locator(".result")).to_contain_text("ABCDE")


def test_all_best_guesses_and_the_players_own_rule(visit: Visit) -> None:
    page = visit(PLAYED)
    page.get_by_role("link", name="Show all best guesses").click()
    expect(page.locator("#turn-2 .answer .code")).to_have_attribute("aria-label", "A B D D")
    page.get_by_role("link", name="possible codes").click()
    page.wait_for_url("**rule=candidates**")
    expect(page.locator("#turn-1")).to_be_visible()


def test_text_picture_and_record_are_there_to_share(visit: Visit) -> None:
    page = visit(PLAYED)
    for name, ending, begins in [
        ("Text", "txt", "pegwise 4x6"),
        ("Picture (SVG)", "svg", "<svg"),
        ("Record", "txt", "pegwise game 1"),
    ]:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename.endswith(ending)
        assert download.value.path().read_text(encoding="utf-8").startswith(begins)


def test_what_is_no_record_is_given_back_with_a_sentence(visit: Visit) -> None:
    page = visit("/review", refused=True)
    page.get_by_label("The turns of the game").fill("1. AAAA = Y")
    page.get_by_role("button", name="Review", exact=True).click()
    said = re.compile("cannot read mark 'Y'")
    expect(page.locator(".alert")).to_have_text(said)
    field = page.get_by_label("The turns of the game")
    expect(field).to_have_value("1. AAAA = Y")
    expect(field).to_be_focused()  # and with it, the sentence is read
    expect(field).to_have_accessible_description(said)


def test_contradicting_marks_lead_to_decode(visit: Visit) -> None:
    page = visit("/review?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO,CFCB:O")
    page.get_by_role("link", name="Find the slip").click()
    expect(page.locator("#conflict")).to_be_visible()
