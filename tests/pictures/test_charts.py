"""Charts: what they show is what the race found; files need no network."""

import re
import struct
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pegwise.arena.results import PlayedGames, RaceResults
from pegwise.cli.race import RaceFiles
from pegwise.errors import InputError, MissingExtraError
from pegwise.i18n import speaking
from pegwise.pictures.charts import chart_bytes, protocol_chart, race_chart
from pegwise.pictures.notebook import show_race
from pegwise.pictures.report import report_template
from tests.pictures.races import HOSTILE, classic, drawn, empty, hostile, many, race
from tests.pictures.reading import SVG, Page, read_svg, texts_of

BY_MEAN = ["Most parts", "Expected size", "Entropy", "Minimax", "First candidate"]


def bars_of(svg: str) -> dict[str, float]:
    """The height of each bar by the words that it tells."""
    rects = read_svg(svg).iter(f"{SVG}rect")
    told = [(rect.findtext(f"{SVG}title"), float(rect.get("height", "0"))) for rect in rects]
    return {words: height for words, height in told if words}


@pytest.mark.slow
def test_a_chart_holds_every_count() -> None:
    results = classic()
    chart = race_chart(results)
    shown = bars_of(chart)
    scale = shown["First candidate: 602 games in 6"] / 602
    for standing in results.standings:
        for guesses, n in enumerate(standing.histogram, 1):
            if n:
                words = f"{standing.card.name}: {n} game{'s' * (n > 1)} in {guesses}"
                assert shown.pop(words) == pytest.approx(scale * n, abs=0.01)
    assert not shown
    texts = texts_of(read_svg(chart))
    assert texts[0] == "Guesses needed on 4x6"
    assert "every secret, 1,296 in all" in texts[1]


def test_the_drawing_shows_names_counts_and_means() -> None:
    texts = texts_of(read_svg(race_chart(classic())))
    assert {"4.373", "635", "569", "4.476", "694", "5.765"} <= set(texts)
    assert [text for text in texts if text in BY_MEAN] == BY_MEAN
    narrow = race_chart(classic(), width=300, shade="dark")
    root = read_svg(narrow)
    assert [text for text in texts_of(root) if text in BY_MEAN] == BY_MEAN
    assert float(root.get("width", "0")) < 360
    assert "#1a1b1f" in narrow


def test_ticks_of_means_stand_in_their_order() -> None:
    root = read_svg(race_chart(classic()))
    marks = [
        float(rect.get("x", "0")) for rect in root.iter(f"{SVG}rect") if rect.get("height") == "14"
    ]
    assert len(marks) == 5
    assert marks == sorted(marks)


def protocol_races(*, timed: bool = True) -> list[RaceResults]:
    """Two strategies on three boards; one of them has no result on the last."""
    boards = [race(rules, "knuth", "first") for rules in ("2x3", "2x4", "3x3,distinct-secrets")]
    boards[2] = replace(boards[2], standings=boards[2].standings[:1])
    return [
        replace(
            results,
            standings=tuple(
                replace(standing, played=PlayedGames(9, 0.002 * k) if timed else None)
                for k, standing in enumerate(results.standings, 1)
            ),
        )
        for results in boards
    ]


@pytest.mark.parametrize("timed", [True, False])
def test_a_protocol_compares_means_maxima_and_times(timed: bool) -> None:
    races = protocol_races(timed=timed)
    chart = protocol_chart([*races, empty()], "Five rules")
    shown = list(bars_of(chart).items())
    standings = [(results.rules, standing) for results in races for standing in results.standings]
    seconds = [(s.played.seconds if s.played else s.seconds) for _, s in standings]
    means, worst = [s.mean for _, s in standings], [float(s.worst) for _, s in standings]
    for values in (means, worst, [1000 * time for time in seconds]):
        drawn_bars, shown = shown[: len(values)], shown[len(values) :]
        scale = drawn_bars[0][1] / values[0]
        for (words, height), value, (rules, standing) in zip(
            drawn_bars, values, standings, strict=True
        ):
            assert words.startswith(f"{rules}, {standing.card.name}: ")
            assert float(words.rpartition(" ")[2]) == pytest.approx(value, abs=0.06)
            assert height == pytest.approx(scale * value, abs=0.02)
    assert not shown
    texts = texts_of(read_svg(protocol_chart(races)))
    assert ("Time to work out the tree, in ms" in texts) is not timed
    assert texts.count("Minimax") == 1  # one legend for all
    assert {"2x3", "4.00" if timed else "12.3"} <= set(texts)
    narrow = read_svg(protocol_chart(races, width=290, shade="dark"))
    assert float(narrow.get("width", "0")) < 380
    with pytest.raises(InputError):
        protocol_chart([empty()])


def test_options_and_long_names_are_shown_whole() -> None:
    results = race("2x3", "knuth", "knuth:then=entropy", "optimal-worst")
    for width in (300, 640):
        with speaking("fr"):
            texts = texts_of(read_svg(race_chart(results, width=width)))
        assert {"Minimax", "Minimax (then=entropy)"} <= set(texts)
        assert "Lepluspetitpirecas,puistotal,démontré" in "".join(texts).replace(" ", "")


def test_strategies_of_one_name_keep_rows_of_their_own() -> None:
    results = classic()
    card = results.standings[0].card
    first, second = (replace(standing, card=card) for standing in results.standings[:2])
    texts = texts_of(read_svg(race_chart(replace(results, standings=(first, second)))))
    lines = "".join(texts).replace(" ", "")
    assert f"Firstcandidate({first.strategy})" in lines
    assert f"Firstcandidate({second.strategy})" in lines


def test_drawn_games_show_their_interval() -> None:
    chart = race_chart(drawn())
    assert "95 % interval" in chart
    root = read_svg(chart)
    for low, mean in zip(
        (rect for rect in root.iter(f"{SVG}rect") if rect.get("opacity")),
        (rect for rect in root.iter(f"{SVG}rect") if rect.get("height") == "14"),
        strict=True,
    ):
        start, wide = float(low.get("x", "0")), float(low.get("width", "0"))
        # from 0.05 below the mean to 0.07 above it
        assert start + wide * 5 / 12 == pytest.approx(float(mean.get("x", "0")) + 1.25, abs=0.02)
    assert "95 %" not in race_chart(classic())


def test_long_histograms_keep_their_bars_apart() -> None:
    results = classic()
    long = replace(results.standings[0], histogram=(*[1] * 99, 5), mean=100.0, worst=100)
    root = read_svg(race_chart(replace(results, standings=(long,))))
    bars = [rect for rect in root.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    places = [float(rect.get("x", "0")) for rect in bars]
    assert len(bars) == 100
    assert min(b - a for a, b in pairwise(places)) > 6
    assert max(float(rect.get("width", "0")) for rect in bars) < 6
    assert sum(text.isdigit() for text in texts_of(root)) <= 20


def test_every_form_of_file() -> None:
    chart = race_chart(many(2))
    svg = chart_bytes(chart, "svg")
    assert svg == chart_bytes(race_chart(many(2)), "svg")
    root = ElementTree.fromstring(svg)
    png = chart_bytes(chart, ".PNG")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    sizes = [2 * float(root.get(side, "0")) for side in ("width", "height")]
    assert struct.unpack(">II", png[16:24]) == pytest.approx(sizes, abs=2)
    with pytest.raises(InputError, match="'gif'; known: html, png, svg"):
        chart_bytes(chart, "gif")
    with pytest.raises(InputError):
        race_chart(empty())


def test_html_asks_no_network() -> None:
    html = chart_bytes(race_chart(hostile()), "html").decode()
    assert html.startswith("<!doctype html>")
    page = Page(html)
    assert "script" not in page.tags
    assert not page.addresses
    assert "default-src 'none'" in html[: html.index("<title>")]
    assert re.search(r"<title>Guesses needed on .*</title>", html)
    assert HOSTILE not in html


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    report_template.cache_clear()
    with pytest.raises(MissingExtraError, match=r"a chart as PNG needs .* 'pegwise\[charts\]'"):
        chart_bytes(race_chart(classic()), "png")
    assert "data:image/svg+xml" in show_race(classic())
    # refused before anything is played
    RaceFiles(None, None, None, tmp_path / "a.svg").check()
    for files in (
        RaceFiles(None, None, tmp_path / "a.html", None),
        RaceFiles(None, None, None, tmp_path / "a.PNG"),
    ):
        with pytest.raises(MissingExtraError):
            files.check()
