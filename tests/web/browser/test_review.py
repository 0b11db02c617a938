"""The page Review, as people use it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Held, Visit

pytestmark = pytest.mark.slow

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


def test_a_pasted_record_is_reviewed_or_given_back_with_a_sentence(visit: Visit) -> None:
    page = visit("/review", refused=True)
    field = page.get_by_label("The turns of the game")
    review = page.get_by_role("button", name="Review", exact=True)
    field.fill("1. AAAA = Y")
    review.click()
    said = re.compile("^Line 1: cannot read mark 'Y'")
    expect(page.locator(".alert")).to_have_text(said)
    expect(field).to_have_value("1. AAAA = Y")
    expect(field).to_be_focused()  # and with it, the sentence is read
    expect(field).to_have_accessible_description(said)
    field.fill(RECORD)
    review.click()
    verdict = "Solved in 5 guesses"
    expect(page.get_by_role("heading", level=1)).to_have_text(verdict)
    # one grade for skill, one for luck
    grades = page.locator(".tiles-of-game .card")
    expect(grades.nth(1)).to_have_text("skill98% your choices cost 0.26 guesses")
    expect(grades.nth(2)).to_have_text("luck36% 50% is average")
    assert "history=FEDB:XO,FABA:O" in page.url
    assert "secret=EEFC" in page.url


@pytest.mark.slow
def test_the_arrow_keys_step_through_the_turns(visit: Visit) -> None:
    page = visit(PLAYED, locale="fr-FR")
    step, left, board = page.locator("#step"), page.locator("#left"), page.locator(".played li")
    expect(step).to_have_text("Tour 1 sur 5\u00a0: bonne")
    expect(page.locator("#back")).to_be_disabled()
    expect(page.locator("#codes .code")).to_have_count(12)
    expect(page.locator("#codes")).to_contain_text("et 240 autres")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_text("Tour 3 sur 5\u00a0: imprécise")
    expect(left).to_have_text("14 codes restants")
    expect(page.locator("#status")).to_contain_text("imprécise. 14 codes restants")
    assert [board.nth(place).is_visible() for place in range(5)] == [True] * 3 + [False] * 2
    expect(page.locator("#turn-3")).to_have_class("now")
    expect(page.locator("#told")).to_contain_text("La réponse a laissé 14 codes")
    expect(page.locator("#from")).to_have_attribute(
        "href", "/decode?rules=4x6&history=FEDB:XO,FABA:O"
    )
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(left).to_have_text("trouvé")
    expect(page.locator("#trial")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(left).to_have_text("1 code restant")
    page.goto(f"{PLAYED}#try-2")
    page.reload()
    expect(step).to_have_text("Tour 2 sur 5\u00a0: bonne")
    expect(step).to_be_in_viewport()


def test_the_line_that_is_shared_gives_nothing_away(visit: Visit) -> None:
    page = visit(PLAYED, permissions=["clipboard-read", "clipboard-write"])
    page.locator("summary", has_text="More").click()
    page.get_by_role("button", name="Copy this line").click()
    expect(page.locator("#status")).to_have_text("Line copied")
    shared = "pegwise 4x6: solved in 5 guesses 🟦🟦🟨🟩🟩"
    assert page.evaluate("navigator.clipboard.readText()") == shared
    # at the address of a machine in the local network a browser gives scripts no clipboard
    page.evaluate(
        "text => { navigator.clipboard.writeText('');"
        " Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        " document.querySelector('#status').textContent = ''; }"
    )
    page.get_by_role("button", name="Copy this line").click()
    expect(page.locator("#status")).to_have_text("Line copied")
    expect(page.locator("#copy-line")).to_be_focused()  # which says so too
    assert page.evaluate("Navigator.prototype.__lookupGetter__('clipboard')"
                         ".call(navigator).readText()") == shared  # fmt: skip


def test_a_turn_is_tried_again_before_the_answer_is_shown(visit: Visit) -> None:
    page = visit(PLAYED)
    row, form = page.locator("#turn-3"), page.locator("#trial")
    expect(row.locator(".answer")).to_be_hidden()
    expect(page.locator("#told .answer")).to_be_hidden()
    row.get_by_role("button", name="Try again").click()
    expect(form.locator("input")).to_be_focused()
    page.keyboard.type("cbdd")
    page.keyboard.press("Enter")
    expect(page.locator("#result")).to_contain_text("0.04 guesses fewer")
    form.get_by_role("button", name="Show the best guess").click()
    expect(row.locator(".answer .code")).to_have_attribute("aria-label", "B D D C")
    told = page.locator("#told")
    expect(told).to_be_focused()  # where the guess is told
    expect(told).to_contain_text("needs 0.21 guesses fewer")
    expect(form.get_by_role("button", name="Show the best guess")).to_be_hidden()
    # the guess that was tried last is shown
    held = Held(page, "**/api/weigh")
    for place, guess in enumerate(("cbdd", "aabb")):
        page.get_by_label("Try this turn again").fill(guess)
        page.get_by_role("button", name="Compare it").click()
        held.wait(place + 1)
    for place in (1, 0):
        held.release(place)
        expect(page.locator("#result .code")).to_have_attribute("aria-label", "A A B B")


def test_a_bad_guess_is_refused_with_a_sentence(visit: Visit) -> None:
    page = visit("/review?rules=4x6&history=FEDB:XO,FABA:O", refused=True)
    page.get_by_label("Try this turn again").fill("ABCDE")
    with page.expect_response("**/api/weigh") as answer:
        page.get_by_role("button", name="Compare it").click()
    assert 400 <= answer.value.status < 500
    expect(page.locator("#result")).to_contain_text("ABCDE")


@pytest.mark.slow
def test_a_review_leads_to_files_and_to_other_rules(visit: Visit) -> None:
    page = visit(PLAYED)
    page.locator("summary", has_text="More").click()
    for name, ending, begins in [
        ("Text", "txt", "pegwise 4x6"),
        ("Picture (SVG)", "svg", "<svg"),
        ("Record", "txt", "pegwise game 1"),
    ]:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename.endswith(ending)
        assert download.value.path().read_text(encoding="utf-8").startswith(begins)
    page.get_by_role("link", name="Show all best guesses").click()
    expect(page.locator("#turn-2 .answer .code")).to_have_attribute("aria-label", "A B D D")
    page.get_by_role("link", name="possible codes").click()
    page.wait_for_url("**rule=candidates**")
    expect(page.locator("#turn-1")).to_be_visible()


@pytest.mark.slow
def test_a_printed_review_is_a_table_on_one_page(visit: Visit) -> None:
    page = visit(f"{PLAYED}&answers=1")
    printed = page.pdf(format="A4", print_background=False)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.set_viewport_size({"width": 700, "height": 900})
    page.emulate_media(media="print")
    for part in ("#steps", ".options .seg", ".share"):
        assert not page.locator(part).is_visible()
    said = page.locator(".review .say").first
    expect(said).to_contain_text("needs 0.04 guesses fewer")
    assert said.evaluate("part => getComputedStyle(part).display") == "table-row"


@pytest.mark.slow
def test_contradicting_marks_lead_to_decode(visit: Visit) -> None:
    page = visit("/review?rules=4x6&history=red red blue green:2 0")
    expect(page.locator("#step")).to_have_text("Turn 1 of 1: best")
    expect(page.locator("#read-as")).to_contain_text("red = A")  # how it was read stays
    page = visit("/review?rules=4x6&history=AABC:OO,BCDD:OO,CBEE:XO,CFCB:O")
    page.get_by_role("link", name="Find the slip").click()
    expect(page.locator("#conflict")).to_be_visible()


@pytest.mark.slow
def test_a_game_lost_to_the_evil_codemaker_is_reviewed_as_that(visit: Visit) -> None:
    page = visit("/play?codemaker=evil&max=1")
    page.keyboard.type("ABCD")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Review this game").click()
    verdict = page.get_by_role("heading", level=1)
    expect(verdict).to_have_text("Not found in 1 guess")
    expect(page.locator(".tiles-of-game")).not_to_contain_text("luck")
    expect(page.locator(".note")).to_contain_text("The evil codemaker chose every mark")
    expect(page.locator(".note")).to_contain_text("none of it is luck")
