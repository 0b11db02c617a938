"""The page Race, as people use it."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from tests.web.browser.conftest import Held, Visit, rest, wait
from tests.web.browser.test_everywhere import faults, overflowing

pytestmark = pytest.mark.slow

PATIENCE = 240_000
"""Milliseconds until a race has ended, on a machine that is busy."""


STOP_RACES = """async () => {
  const { post } = await import("/static/api.js");
  for (const { dataset } of document.querySelectorAll("#own li"))
    for (const id of dataset.ids.split(" ")) await post(`races/${id}/stop`).catch(() => {});
}"""


def start(page: Page, *strategies: str) -> None:
    """Begin a race of these strategies by its form."""
    button = page.get_by_role("button", name="Start the race")
    expect(button).to_be_visible()  # a page that waits for kernels has no form
    for box in page.locator("input[name=strategy][type=checkbox]").all():
        box.set_checked(box.get_attribute("value") in strategies)
    button.click()
    page.wait_for_url("**/race/*")


def at_once(page: Page) -> None:
    """Have all games shown at once, unless the race is over already; wait for its report."""
    every, report = page.locator("#speeds").get_by_text("All"), page.locator("#report")
    chosen = False

    def shown() -> bool:
        nonlocal chosen
        if not chosen and every.is_visible():
            with suppress(Error):  # a race that ends has no speeds
                every.click(timeout=3000)
                chosen = True
        return report.is_visible()

    wait(page, shown)


def test_a_live_race_of_three_strategies_to_its_end(visit: Visit) -> None:
    page = visit("/race?rules=4x6", refused=True)  # the page of losses may be too busy at first
    start(page, "knuth", "marechal-rastoix-1", "parts")
    entrants = page.locator("#entrants > li")
    expect(entrants).to_have_count(3)
    # it moves while it goes on, and each strategy at the same pace
    done = entrants.nth(0).locator(".done")
    expect(done).not_to_have_text("0", timeout=PATIENCE)
    expect(page.locator(".entrant.lead .live .code").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#status")).to_have_text("The race is paused.")

    def stands() -> bool:
        before = done.text_content()
        page.wait_for_timeout(300)
        return done.text_content() == before

    assert stands()
    page.get_by_role("button", name="Go on").click()
    page.locator("#speeds").get_by_text("All").click()
    expect(page.locator("#report")).to_be_visible(timeout=PATIENCE)
    for entrant, mean in zip(entrants.all(), ("4.373", "4.476", "9.600"), strict=True):
        expect(entrant.locator(".mean")).to_have_text(mean)
        expect(entrant.locator(".done")).to_have_text("1,296")
        progress = entrant.get_by_role("progressbar")
        expect(progress).to_have_attribute("aria-valuetext", "1,296 of 1,296")
    expect(entrants.nth(0)).to_contain_text("Mean 4.373")  # in the order of the finish
    expect(page.locator("table.final tbody tr").first).to_contain_text("5,668")
    expect(page.locator("#best")).to_contain_text("4.373")
    rest(page)
    drawn = page.locator("#chart img").evaluate("picture => picture.decode().then(() => true)")
    assert drawn is True

    # a bar lists its secrets, a secret its games
    bar = page.get_by_role("button", name="Minimax: 6 games won in 2; show their secrets")
    bar.click()
    expect(page.locator("#picked-title")).to_be_focused()
    expect(page.locator("#codes button")).to_have_count(6)
    page.get_by_role("button", name="Games of A B A C").click()
    games = page.locator("#games .game")
    expect(games).to_have_count(3)
    expect(games.nth(0).locator("li")).to_have_count(2)
    assert faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []

    # where a strategy loses is a page behind its row
    race = page.url
    entrants.nth(1).get_by_role("link", name="Where it loses").click()
    expect(page.locator("h1")).to_have_text("Where Minimax loses")
    turns = page.locator(".lost-turns tbody tr")
    again = page.get_by_role("link", name="Try again")
    page.wait_for_load_state()
    while again.count():  # a server that is too busy offers it
        with page.expect_navigation():
            again.click()
    expect(turns).to_have_count(5)
    assert faults(page) == []
    size = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 740})
    beyond = page.locator(".costly td:first-child .mark").evaluate_all("""marks => marks.filter(
      (mark) => mark.getBoundingClientRect().right
        > mark.closest("td").getBoundingClientRect().right).length""")
    assert beyond == 0  # no code lies over the next one
    assert size is not None
    page.set_viewport_size(size)
    page.goto(race)

    report = page.get_by_role("link", name="Report")
    for address in (report.get_attribute("href") or "", page.url):
        page.goto(address)
        expect(page.locator(".wide th").last).to_be_attached()
        hidden = page.evaluate(
            "[...document.querySelectorAll('.wide:not(.dist)')]"
            ".map((b) => b.scrollWidth - b.clientWidth)"
        )
        assert set(hidden) == {0}  # no table is scrolled

    for name, ending in [("CSV", "csv"), ("JSON", "json"), ("Notebook", "ipynb")]:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename.endswith(ending)
    page.get_by_role("link", name="Another race").click()
    expect(page.locator("input[value=parts]")).to_be_checked()
    expect(page.locator("input[value=first]")).not_to_be_checked()


def test_all_that_need_fewest_guesses_are_named(visit: Visit) -> None:
    page = visit("/race?rules=2x3&strategy=irving&strategy=entropy", refused=True)
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/race/*")
    at_once(page)
    means = page.locator("table.final tbody b").all_text_contents()
    assert len(means) == 2
    assert len(set(means)) == 1
    expect(page.locator("#best")).to_contain_text(" and ")
    expect(page.locator("#best")).to_contain_text(means[0])


@pytest.mark.slow
def test_a_race_by_the_clock_shows_who_is_faster(visit: Visit) -> None:
    query = "rules=3x4&strategy=first&strategy=marechal-rastoix-1&games=100&timed=1"
    page = visit(f"/race?{query}", refused=True)  # a race that is over is not stopped
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/race/*")
    expect(page.locator("h1")).to_have_text("2 strategies, by the clock")
    expect(page.locator("#speeds")).to_be_hidden()
    expect(page.locator("#report")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#clock")).to_have_text(re.compile(r"^\d+\.\d s$"))
    expect(page.locator("#best")).to_have_text(re.compile(r"^Fastest: .*, \d+\.\d{3} ms"))
    expect(page.locator(".entrant.lead .state")).to_have_text("fastest")
    expect(page.locator("table.final thead th").last).to_have_text("A game")
    assert faults(page) == []
    page.get_by_role("link", name="Another race").click()
    page.wait_for_url("**/race?*")  # and until its script runs
    expect(page.get_by_label("Result").first).to_have_value("1")
    protocol = page.locator("#protocol")
    protocol.get_by_label("Games").fill("50")
    protocol.get_by_label("Result").select_option("1")
    protocol.get_by_role("button").click()
    page.wait_for_url("**/race/protocols/*")  # the five races are one
    expect(page.locator("#races tbody tr").filter(has_text="4x8,distinct-secrets")).to_have_count(1)
    expect(page.locator("#races tbody tr")).to_have_count(5)
    expect(page.locator("#report")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#races tbody td.state").first).to_have_text("50 of 50")
    expect(page.locator("#races tbody td.num").last).to_have_text(
        re.compile(r"^\d+\.\d{3} · .* ms$")
    )
    wait(page, lambda: page.evaluate("document.querySelector('#chart img').naturalWidth > 200"))
    assert faults(page) == []
    report = page.request.get(page.evaluate("document.querySelector('#whole').href"))
    assert report.text().count("pegwise race ") == 5
    page.goto("/race")
    expect(page.locator("#own li")).to_have_count(2)
    own = page.locator("#own li").filter(has_text="five rules")
    expect(own).to_contain_text("50 games under each of 5 rules · finished")
    page.get_by_text("Your races").click()
    own.get_by_role("link", name="Results").click()
    page.wait_for_url("**/race/protocols/*")
    page.go_back()
    page.evaluate(STOP_RACES)  # others race after this


@pytest.mark.slow
def test_many_entrants_fit_a_screen_and_a_projector_is_used(visit: Visit) -> None:
    names = (
        *("first", "random", "knuth", "irving", "entropy", "parts", "forget-entropy"),
        *("marechal-rastoix-1", "marechal-rastoix-2", "marechal-rastoix-3", "static", "sampling"),
    )
    page = visit("/race?rules=2x3", viewport={"width": 1280, "height": 860})
    start(page, *names)
    at_once(page)
    size = "document.querySelector('#entrants').getBoundingClientRect().height"
    assert page.evaluate(size) < 12 * 64
    page.set_viewport_size({"width": 1920, "height": 1080})
    for address in (page.url, "/tree/proven.4x6", "/learn/table"):
        page.goto(address)
        # a page that waits for a kernel to be compiled is narrow, and followed by the page itself
        wait(page, lambda: page.evaluate("document.querySelector('main').clientWidth > 1500"))
        assert (address, overflowing(page)) == (address, [])


def test_a_pause_is_of_one_page_and_a_stop_of_all(visit: Visit) -> None:
    page = visit("/race?rules=5x8&games=2000")
    start(page, "sampling")
    address, done = page.url, "#entrants .done"
    expect(page.locator(done).first).not_to_have_text("0", timeout=PATIENCE)
    page.get_by_role("button", name="Pause").click()
    page.reload()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.locator(".entrant .state", has_text="paused").first).to_be_visible()
    shown = page.locator(done).first.text_content()
    other = page.context.new_page()  # of the same visitor
    other.goto(address)
    expect(other.get_by_role("button", name="Pause")).to_be_visible()
    wait(other, lambda: other.locator(done).first.text_content() not in {"0", shown})
    assert page.locator(done).first.text_content() == shown
    page.goto("/race")  # where the race is found again
    page.get_by_role("link", name="Go on with it").click()
    page.wait_for_url(address)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("link", name="Another race")).to_be_focused()
    expect(other.get_by_role("link", name="Another race")).to_be_visible()
    other.close()

    page.goto("/race?lang=fr")
    expect(page.locator(".offer")).to_have_count(0)
    page.get_by_text("Vos courses").click()
    expect(page.locator("#own li")).to_contain_text("arrêtée")
    assert faults(page) == []
    page.goto("/race?lang=en")
    page.get_by_text("Your races").click()
    page.locator("#own").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#own li")).to_have_count(0)
    assert page.request.get(address).status == 404


@pytest.mark.slow
def test_options_are_part_of_a_name(visit: Visit) -> None:
    name = "Minimax (then=entropy)"
    page = visit(
        "/race?rules=3x4&strategy=knuth&strategy=knuth:then=entropy", refused=True, has_touch=True
    )
    expect(page.get_by_label(name)).to_be_checked()
    start(page, "knuth", "knuth:then=entropy")
    at_once(page)
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    expect(page.get_by_role("link", name="Another race")).to_be_visible()

    expect(page.locator("#entrants h2", has_text="then")).to_have_text(name)
    expect(page.locator("table.final tbody th").filter(has_text=name)).to_have_count(1)
    drawn = page.request.get(page.locator("#chart img").get_attribute("src") or "").text()
    assert name in drawn

    held = Held(page, "**/secrets.html?**")
    entrant = page.locator("#entrants > li", has_text="then")
    bars = entrant.locator(".dist button:enabled")
    expect(bars.first).to_have_accessible_name(f"{name}: 1 game won in 1; show its secret")
    expect(page.locator(".dist [tabindex='0']")).to_have_count(2)  # one stop in each row
    bars.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(bars.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(bars.nth(1)).to_be_focused()
    assert min(bars.evaluate_all("all => all.map(bar => bar.offsetWidth)")) >= 24
    bars.nth(0).click()
    bars.nth(1).click()
    held.wait(2)
    for place in (1, 0):
        held.release(place)
    expect(page.locator("#picked-title")).to_have_text(f"{name}, won with 2 guesses")  # chosen last
    page.locator("#codes button").first.click()
    expect(page.locator("#games h3").last).to_have_text(name)

    page.set_viewport_size({"width": 360, "height": 740})
    busy = {"detail": "too busy"}  # the page asks again for its table
    page.route("**/table.html", lambda route: route.fulfill(status=503, json=busy), times=1)
    page.goto(f"{page.url}?lang=fr")
    expect(page.locator("#problem")).to_have_text("Too busy")
    expect(page.locator("#report")).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#problem")).to_be_hidden()
    assert overflowing(page) == []
    assert faults(page) == []


def test_what_cannot_be_raced_is_said(visit: Visit) -> None:
    page = visit("/race?rules=13x13")
    expect(page.get_by_label("Games").first).to_have_attribute("required", "")
    page = visit("/race?rules=4x6")
    for box in page.locator("input[name=strategy][type=checkbox]").all():
        box.uncheck()
    page.get_by_role("button", name="Start the race").click()
    expect(page.get_by_role("alert")).to_have_text("Choose at least one strategy.")


@pytest.mark.slow
def test_games_of_long_codes_stay_on_their_cards(visit: Visit) -> None:
    page = visit("/race?rules=9x12&games=20")
    start(page, "marechal-rastoix-3")
    at_once(page)
    page.locator("#entrants .dist button:enabled").first.click()
    page.locator("#codes button").first.click()
    expect(page.locator("#games .game .mark").first).to_be_visible()
    for width in (1280, 961, 641, 360, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, overflowing(page)) == (width, [])

    # no column of a table is lost, there and in the report
    report = page.get_by_role("link", name="Report").get_attribute("href") or ""
    for address in (report, page.url):
        page.goto(address)
        expect(page.locator(".wide th").last).to_be_attached()
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert (width, lost_columns(page)) == (width, [])


def lost_columns(page: Page) -> list[str]:
    """Tables whose last column is out of sight when the right arrow key was held."""
    lost = []
    for table in page.locator(".wide:not(.dist)").all():
        table.focus()
        table.evaluate("table => table.scrollIntoView({ block: 'center' })")
        for _ in range(40):
            page.keyboard.press("ArrowRight")
        name = table.get_attribute("aria-label") or ""
        last = table.locator("thead th").last
        try:
            expect(last).to_be_in_viewport(ratio=0.9, timeout=20_000)
        except AssertionError:
            lost.append(name)
    return lost


@pytest.mark.parametrize("timed", [False, True])
def test_a_race_fills_a_projector_screen_by_screen(visit: Visit, timed: bool) -> None:
    query = "rules=3x4&strategy=first&strategy=marechal-rastoix-1&strategy=knuth"
    page = visit(f"/race?{query}" + ("&games=100&timed=1" if timed else ""))
    page.get_by_role("button", name="Start the race").click()
    page.wait_for_url("**/race/*")
    if not timed:
        at_once(page)
    page.get_by_role("button", name="On a projector").click(timeout=PATIENCE)
    slides = page.get_by_role("dialog", name="Results, screen by screen")
    told, where = slides.locator(".told"), slides.locator(".where")
    expect(told).to_have_text(page.locator("#best").text_content() or "none")
    expect(slides.get_by_role("img")).to_be_visible()
    for number in (2, 3, 4):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text(f"{number} of 4")
        row = page.locator("#entrants > li").nth(number - 2)  # the best first
        mean = row.locator(".mean").text_content()
        said = (
            rf"\S+ ms a game, {mean} guesses on" if timed else f"{mean} guesses on average, at most"
        )
        expect(told).to_have_text(re.compile(said))
        expect(told).to_contain_text(row.locator("h2").text_content() or "none")
        won = [int(text) for text in slides.locator(".bars b").all_text_contents()]
        assert sum(won) == (100 if timed else 64)
        assert faults(page) == []
        assert overflowing(page) == []
    page.keyboard.press("End")
    expect(slides.get_by_role("button", name="Next")).to_be_disabled()
    slides.get_by_role("button", name="Close").click()
    expect(slides).to_have_count(0)
