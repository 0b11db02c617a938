"""A room with a teacher and three pupils at once, each in a browser context of their own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.test_everywhere import faults, overflowing

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
SILENCE = """() => { const later = setTimeout;
  window.setTimeout = (task, time) => {
    if (time < 60_000) return later(task, time);
    window.setTimeout = later;
    return later(task); }; }"""
"""Let the page not wait the next time that it would wait for a minute."""


def type_guess(page: Page, code: str) -> None:
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def opened(visit: Visit, mode: str, rules: str = "4x6") -> tuple[Page, str]:
    """A new room: the page of its teacher, and its path."""
    teacher = visit(f"/room?rules={rules}", has_touch=True)
    teacher.locator(f"[value={mode}]").check()
    teacher.get_by_role("button", name="Open the room").click()
    teacher.wait_for_url("**/room/*")
    return teacher, "/room/" + teacher.url.rpartition("/")[2]


def joined(visit: Visit, path: str, name: str, **options: Any) -> Page:
    """The page of a pupil who has joined."""
    page = visit(path, **options)
    page.locator("[name=name]").fill(name)
    page.locator("[name=name]").press("Enter")
    expect(page.locator("#note")).to_be_visible()
    return page


def test_a_lesson(visit: Visit) -> None:
    teacher, path = opened(visit, "teacher")
    lea = visit("/room", refused=True, **PHONE)  # types the code that is shown
    lea.locator("[name=code]").fill(path[-5:].lower())
    lea.locator("[name=code]").press("Enter")
    lea.locator("[name=name]").fill("Léa")
    lea.locator("[name=name]").press("Enter")
    tom = visit(path, locale="fr-FR", refused=True)
    tom.locator("[name=name]").fill("LÉA")
    tom.locator("[name=name]").press("Enter")
    expect(tom.get_by_role("alert")).to_contain_text("il faut un autre pseudo")
    tom.locator("[name=name]").fill("Tom")
    tom.locator("[name=name]").press("Enter")
    expect(tom.locator("#note")).to_have_text(
        "Vous êtes dans la salle. Attendez que l’enseignant commence."
    )
    options = {"color_scheme": "light", "locale": "fr-FR", "has_touch": True}
    zoe = joined(visit, path, "Zoé", refused=True, **options)
    expect(teacher.locator("#pupils li")).to_have_count(3)
    teacher.get_by_role("button", name="Steer from your phone").click()
    teacher.locator("#steering").get_by_role("button", name="Close").click()
    expect(teacher.locator("#steering")).to_be_hidden()

    teacher.locator("#secret").fill("ABCA")
    teacher.keyboard.press("Enter")
    expect(lea.locator("#board")).to_be_visible()
    for letter in "AABB":
        lea.locator("#palette").get_by_text(letter, exact=True).tap()
    lea.get_by_role("button", name="Submit").tap()
    expect(lea.locator("#status")).to_have_text("Turn 1, A A B B: 1 exact, 2 misplaced")
    lea.locator("#palette").get_by_text("C", exact=True).tap()
    lea.reload()  # the guess in the making is still there
    expect(lea.locator("#turns .turn")).to_have_count(2)
    expect(lea.locator(".slot").first).to_have_text("C")
    second = lea.context.new_page()  # a second tab plays on
    second.goto(path)
    second.locator(".slot").first.focus()
    second.keyboard.press("Delete")
    type_guess(second, "DDDD")
    expect(second.locator("#turns .turn")).to_have_count(3)
    lea.get_by_role("button", name="Undo").tap()
    type_guess(lea, "EEEE")
    expect(lea.get_by_role("alert")).to_contain_text("Turn 2 was DDDD already")
    expect(lea.locator("#turns .turn")).to_have_count(3)
    assert overflowing(lea) == []
    assert faults(lea) == []
    expect(tom.locator("#board")).to_be_visible()
    type_guess(tom, "ABCA")
    expect(tom.locator("#outcome")).to_be_focused()
    expect(tom.locator("#note")).to_have_text("1 sur 3 a fini")
    expect(teacher.locator("#count")).to_have_text("1 of 3 has finished")
    expect(teacher.locator("#pupils .mark")).to_have_count(3)
    expect(teacher.locator("main")).not_to_contain_text("ABCA")
    for width, height, least in ((1280, 800, 16), (1920, 1080, 24)):  # read from the last row
        teacher.set_viewport_size({"width": width, "height": height})
        sizes = teacher.locator("#pupils :is(b, .mark .x, .mark .o)").evaluate_all(
            "all => all.map(one => { const { fontSize, width } = getComputedStyle(one);"
            " return one.tagName === 'B' ? fontSize : width; })"
        )
        assert len(sizes) > 3
        assert min(float(size.removesuffix("px")) for size in sizes) >= least

    zoe.route(f"**/api/rooms/{path[-5:]}", lambda route: route.abort(), times=1)  # a bad network
    with zoe.expect_request("**/events"):  # a connection that was silent for a minute is made again
        zoe.evaluate(SILENCE)
        teacher.get_by_role("button", name="Pause").click()
    expect(zoe.locator("#note")).to_have_text("L’enseignant a mis le jeu en pause.")
    teacher.get_by_role("button", name="Go on").click()
    teacher.get_by_role("button", name="Remove Zoé").click()
    teacher.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(teacher.locator("#pupils li")).to_have_count(2)
    expect(zoe.get_by_role("alert")).to_contain_text("ne laisse plus entrer cet appareil")
    teacher.get_by_role("button", name="Show the results").click()
    teacher.get_by_role("dialog").get_by_role("button", name="Show the results").click()
    for page, firsts in ((teacher, 2), (lea, 2), (tom, 1)):  # pupils see the best and their own
        expect(page.locator("#results tbody tr")).to_have_count(2)
        expect(page.locator("#results .first li")).to_have_count(firsts)
        expect(page.locator("#results .first .code")).to_have_count(firsts)
        expect(page.locator("#results .secret .code")).to_have_attribute("aria-label", "A B C A")
    for page in (teacher, lea):
        assert faults(page) == []
    assert overflowing(lea) == []
    expect(teacher.locator("#results .podium li")).to_have_text("1Tom1 guess")
    expect(tom.locator("#results .own")).to_contain_text("Vous\u00a0: place 1 sur 2")
    expect(tom.locator("#status")).to_contain_text("place 1 sur 2")  # read aloud too
    expect(lea.locator("#results .own")).to_have_text("You have not found the code this time.")
    teacher.emulate_media(media="print")
    for needless in (".invite", ".games .link"):
        expect(teacher.locator(needless).first).to_be_hidden()
    teacher.emulate_media(media="screen")
    teacher.set_viewport_size({"width": 360, "height": 740})  # it steers from a phone
    assert overflowing(teacher) == []
    with teacher.expect_download() as download:
        teacher.get_by_role("link", name="CSV").click()
    assert "1,Tom,1,1," in download.value.path().read_text("utf-8")
    teacher.goto(f"{path}?lang=fr")
    teacher.get_by_role("switch", name="Tutoyer les élèves").click()
    expect(tom.locator("#results .own")).to_contain_text("Tu es à la place 1 sur 2")


@pytest.mark.slow
def test_a_duel_and_puzzles(visit: Visit) -> None:
    teacher, path = opened(visit, "duel", "3x4")
    lea = joined(visit, path, "Léa", **PHONE)
    tom = joined(visit, path, "Tom", locale="fr-FR")
    teacher.get_by_role("button", name="Begin round 1").click()
    teacher.set_viewport_size({"width": 1920, "height": 1080})
    doing = teacher.locator("#pupils .state", has_text="is hiding a code")
    expect(doing).to_have_count(2)
    expect(doing.first).to_have_css("clip-path", "none")  # shown where there are no marks
    for page, code in ((lea, "AAB"), (tom, "CCD")):
        expect(page.locator("#board")).to_be_visible()
        type_guess(page, code)
    expect(tom.locator("#note")).to_contain_text("Léa a caché ce code.")
    expect(lea.locator("#note")).to_contain_text("Tom has hidden this code.")
    type_guess(lea, "CCD")
    expect(lea.locator("#outcome")).to_have_text("Solved in 1 guess")
    teacher.get_by_role("button", name="End the room").click()
    teacher.get_by_role("dialog").get_by_role("button", name="End the room").click()
    expect(tom.locator("#note")).to_have_text("La salle est fermée.")

    teacher, path = opened(visit, "puzzles", "3x4")
    lea = joined(visit, path, "Léa", **PHONE)
    teacher.get_by_role("button", name="Begin round 1").click()
    expect(lea.locator("#title")).to_have_text("Puzzle 1 of 6")
    lea.get_by_role("button", name="Skip").tap()
    expect(lea.locator("#title")).to_have_text("Puzzle 2 of 6")
    wrong = lea.locator("#turns .code").first.inner_text()  # a guess whose mark is not the best
    type_guess(lea, "".join(wrong.split()))
    expect(lea.locator("#said")).to_contain_text("does not fit turn")
    expect(teacher.locator("#pupils .marks > i")).to_have_count(2)
    assert faults(lea) == []
    assert faults(teacher) == []
    teacher.get_by_role("button", name="Show the results").click()
    teacher.get_by_role("dialog").get_by_role("button", name="Show the results").click()
    explained = lea.locator("#results").get_by_role("link", name="Explain puzzle")
    expect(explained).to_have_count(6)
    assert overflowing(lea) == []


def show_results(teacher: Page) -> None:
    """End a round in which not all have found the code."""
    teacher.get_by_role("button", name="Show the results").click()
    teacher.get_by_role("dialog").get_by_role("button", name="Show the results").click()


def test_results_fill_a_projector_screen_by_screen(visit: Visit) -> None:
    teacher, path = opened(visit, "teacher", "3x4")
    start, projector = (
        teacher.locator("#begin"),
        teacher.get_by_role("button", name="On a projector"),
    )
    secret = teacher.locator("#secret")
    secret.fill("CDC")
    start.click()
    expect(teacher.locator("#live-title")).to_have_text("Round 1")
    teacher.get_by_role("button", name="Show the results").click()  # nobody is in the room
    expect(teacher.locator("#results")).to_contain_text("Nobody has played in this round.")
    expect(projector).to_have_count(0)
    lea = joined(visit, path, "Léa", **PHONE)
    tom = joined(visit, path, "Tom", locale="fr-FR")
    secret.fill("DDC")
    start.click()
    for page in (lea, tom):
        expect(page.locator("#board")).to_be_visible()
        type_guess(page, "AAB")
        expect(page.locator("#turns .code")).to_have_count(2)
    show_results(teacher)
    expect(lea.locator("#results")).to_be_visible()
    expect(lea.locator("#present")).to_have_count(0)
    expect(teacher.locator("#results .first li")).to_have_count(1)
    before = teacher.locator("#results .secret .peg").first.bounding_box()
    projector.click()
    slides = teacher.get_by_role("dialog", name="Results, screen by screen")
    where, told = slides.locator(".where"), slides.locator(".told")
    expect(slides.locator(".drawn")).to_contain_text("The code was")
    large = slides.locator(".secret .peg").first.bounding_box()
    assert before is not None
    assert large is not None
    assert large["width"] > 4 * before["width"]
    expect(where).to_have_text("1 of 4")
    seen = []
    teacher.keyboard.press("End")
    expect(where).to_have_text("4 of 4")
    teacher.keyboard.press("Home")
    for number, key in enumerate(("PageUp", "ArrowRight", "PageDown", "ArrowRight", "ArrowRight")):
        teacher.keyboard.press(key)
        expect(where).to_have_text(f"{max(1, min(number + 1, 4))} of 4")
        seen.append(told.text_content())
        assert overflowing(teacher) == []
    assert seen[1:4] == [
        "2 of 2 have not found it",
        "First guesses, the one that can tell most on top",
        "What strategies need for this code",
    ]
    assert faults(teacher) == []
    teacher.keyboard.press("Home")
    expect(where).to_have_text("1 of 4")
    slides.get_by_role("button", name="Next").click()
    expect(told).to_have_text("2 of 2 have not found it")
    expect(slides.locator(".bars i").last).to_have_css("inline-size", re.compile(r"^\d{3}"))
    teacher.set_viewport_size({"width": 360, "height": 640})
    assert overflowing(teacher) == []
    teacher.keyboard.press("Escape")
    expect(slides).to_have_count(0)
    expect(projector).to_be_focused()
    projector.click()
    expect(slides).to_be_visible()
    another = """id => fetch(`/api/rooms/${id}/next`, { method: "POST",
      headers: {"content-type": "application/json"}, body: '{"round": 2, "code": "ABC"}' })"""
    teacher.evaluate(another, path[-5:])  # as from the phone of the teacher
    expect(slides).to_have_count(0)
    expect(teacher.locator("#live-title")).to_have_text("Round 3")
