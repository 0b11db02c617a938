"""The report: complete, self-contained, and safe whatever a strategy calls itself."""

import base64
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import pegwise
from pegwise.arena import RaceResults
from pegwise.i18n import duration
from pegwise.pictures.report import race_report
from tests.pictures.races import HOSTILE, classic, drawn, empty, hostile, many, race
from tests.pictures.reading import Page


@cache
def classic_report() -> str:
    """With its charts, which take most of the time."""
    return race_report(classic())


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No charts."""
    monkeypatch.setattr("pegwise.pictures.report.race_image", lambda *_, **__: "data:")


@pytest.mark.usefixtures("plain")
def test_report_holds_the_figures_of_the_race() -> None:
    results = classic()
    html = race_report(results)
    page = Page(html)
    assert "Five strategies, every secret" in page.text
    assert "4x6 , 4 pegs, 6 colors, colors may repeat" in page.text
    for standing in results.standings:
        assert f"{standing.mean:.4f}" in page.text
        assert f"{standing.total:,}" in page.text
        assert f"{standing.nodes:,}" in page.text
        counts = " ".join(str(games) for games in standing.histogram)
        card = standing.card
        assert f"{card.name} {counts}" in page.text
        for words in (card.name, card.authors, str(card.year), card.source, card.about):
            assert words in page.text
    for words in ("pegwise race 4x6 --seed 42", "1.2.3", "slowpoke takes seconds a game"):
        assert words in page.text
    # strategies in the order of their means
    table = html.split("<tbody", 2)[1]
    assert re.findall(r"<code>([a-z]+)</code>", table)[:5] == [
        *("parts", "irving", "entropy", "knuth", "first")
    ]
    assert table.count('class="lead"') == 1
    # of a pair the better strategy first
    duel = next(d for d in results.duels if {d.first, d.second} == {"first", "parts"})
    assert duel.first == "first"
    assert (
        f"Most parts {duel.second_faster:,} by up to {duel.second_by_at_most} "
        f"{duel.first_faster} by up to {duel.first_by_at_most} First candidate {duel.ties}"
    ) in page.text


def test_report_asks_no_network() -> None:
    html = classic_report()
    page = Page(html)
    assert not {"script", "link"} & set(page.tags)
    assert page.addresses
    assert all(address.startswith(("data:", "#")) for address in page.addresses)
    assert not re.search(r"@import|url\((?!#)", html)
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in html


def test_charts_of_the_page_are_drawings_for_each_theme_and_width() -> None:
    sources = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", classic_report())
    drawings = [base64.b64decode(source).decode() for source in sources]
    widths = [float(ElementTree.fromstring(svg).get("width", "0")) for svg in drawings]
    assert [width < 360 for width in widths] == [True, True, False, False]
    assert [".pw-fill-card{fill:#1a1b1f}" in svg for svg in drawings] == [True, False] * 2
    assert "Most parts" in drawings[0]


@pytest.mark.usefixtures("plain")
def test_hostile_words_stay_words() -> None:
    html = race_report(hostile())
    assert "<img src=http" not in html
    page = Page(html)
    assert "script" not in page.tags
    assert page.tags.count("img") == 1
    assert all(address.startswith(("data:", "#")) for address in page.addresses)
    assert HOSTILE in page.text


@pytest.mark.usefixtures("plain")
def test_drawn_games_show_interval_and_exact_figures() -> None:
    text = Page(race_report(drawn())).text
    for words in ("1,000 games drawn with seed 42", "4.323 to 4.443 exact 1.234", "exact 77"):
        assert words in text
    assert "exact" not in Page(race_report(classic())).text.replace("exactly", "")


@pytest.mark.usefixtures("plain")
def test_options_are_shown_wherever_a_strategy_is_named() -> None:
    page = race_report(race("2x3", "knuth", "knuth:then=entropy"))
    named = re.findall(r'<th [^>]*scope="row">([^<]+)<', page)
    # lanes and counts, each by its mean, and the pair
    assert named == ["Minimax (then=entropy)", "Minimax"] * 3


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("count", [1, 2, 13])
def test_few_and_many_strategies(count: int) -> None:
    html = race_report(many(count))
    page = Page(html)
    assert ("Pair by pair" in page.text) == (count > 1)
    assert ("details" in page.tags) == (count > 6)
    shown, _, behind = html.partition("<details")
    rows = len(re.findall('class="split"', shown)), len(re.findall('class="split"', behind))
    pairs = count * (count - 1) // 2
    assert rows == ((pairs, 0) if count <= 6 else (count - 1, pairs - count + 1))
    assert ("<h2>Guesses needed</h2>" in html) == (count <= 12)
    # one card for all seeds of the same strategy
    assert html.count('<li class="card">') == 1


@pytest.mark.usefixtures("plain")
def test_other_races() -> None:
    stopped = Page(race_report(empty()))
    assert "stopped before any strategy had finished" in stopped.text
    assert not {"img", "table"} & set(stopped.tags)
    other_game: RaceResults = replace(classic(), rules="Wordle, 2309 words")
    html = race_report(other_game)
    assert "Wordle, 2309 words" in Page(html).text
    assert "<svg" not in html
    assert "<svg" not in race_report(replace(classic(), rules="sgb,placed"))
    assert "<svg" in race_report(classic())
    long = replace(classic().standings[0], histogram=(1, *[0] * 30, 5), mean=26.8, worst=32)
    html = race_report(replace(classic(), standings=(long,), duels=()))
    assert 'class="dist many"' in html
    assert "1 in 1, 5 in 32" in html


def test_durations() -> None:
    words = "0.4 ms, 10 ms, 12 ms, 990 ms, 1.0 s, 1.0 s, 59 s, 1 min 0 s, 2 min 5 s, 3 h 20 min"
    seconds = (0.0004, 0.00996, 0.0123, 0.99, 0.9996, 1.0, 59.4, 59.6, 125.0, 12_010.0)
    assert ", ".join(map(duration, seconds)) == words


@pytest.mark.slow
@pytest.mark.usefixtures("plain")
def test_the_report_of_a_contest(tmp_path: Path) -> None:
    for name, guess in ("ada", "candidates[0]"), ("eva", "candidates[0]"), ("max", "[1, 1]"):
        (tmp_path / f"{name}.py").write_text(f"def {name}(candidates):\n    return {guess}\n")
    (tmp_path / "bad.py").write_text("def bad(game, turns)\n")
    results = pegwise.race("2x3", [f"{tmp_path}/", "knuth"])
    lost = results.losses
    assert set(lost) == {"ada", "eva", "knuth"}
    page = Page(race_report(results))
    assert "1 ada, eva" in page.text or "2 ada, eva" in page.text  # places of the podium
    for name in ("ada", "eva"):
        assert f"{name} {lost[name].total} " in page.text
    assert "max 8 of 9 codes not found" in page.text
    assert "bad.py, line 1: expected" in page.text
    assert ("ada", "eva") in [names[:2] for names in results.identical]
    # a race of strategies with a source has no podium
    assert "podium" not in race_report(classic()).partition("<main>")[2]
