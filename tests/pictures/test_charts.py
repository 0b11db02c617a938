"""Charts: what they show is what the race found; files need no network."""

import importlib
import struct
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pegwise.arena.results import PlayedGames, RaceResults
from pegwise.cli.race import RaceFiles
from pegwise.errors import InputError, MissingExtraError
from pegwise.i18n import speaking
from pegwise.pictures.charts import AnyChart, chart_bytes, chart_svg, protocol_chart, race_chart
from pegwise.pictures.notebook import show_race
from tests.pictures.races import HOSTILE, classic, drawn, empty, hostile, many, race
from tests.pictures.reading import Page, texts_of

BY_MEAN = ["Most parts", "Expected size", "Entropy", "Minimax", "First candidate"]


def data_of(chart: dict[str, Any]) -> list[dict[str, Any]]:
    (rows,) = chart["datasets"].values() if "datasets" in chart else [chart["data"]["values"]]
    return list(rows)


def drawing(chart: AnyChart) -> ElementTree.Element:
    return ElementTree.fromstring(chart_svg(chart))


def test_a_chart_holds_every_count() -> None:
    results = classic()
    chart = race_chart(results).to_dict()
    shown = {(row["strategy"], row["guesses"]): row for row in data_of(chart)}
    for standing in results.standings:
        name = standing.card.name
        for guesses, games in enumerate(standing.histogram, 1):
            row = shown.pop((name, guesses))
            assert row["games"] == games
            assert row["share"] == games / 1296
            assert row["mean"] == standing.mean
            assert row["rank"] == BY_MEAN.index(name)
    assert not shown
    assert chart["facet"]["row"]["sort"] == BY_MEAN
    assert chart["title"]["text"] == "Guesses needed on 4x6"
    assert "every secret, 1,296 in all" in chart["title"]["subtitle"]


def test_the_drawing_shows_names_counts_and_means() -> None:
    texts = texts_of(drawing(race_chart(classic())))
    assert {"4.373", "635", "569", "4.476", "694", "5.765"} <= set(texts)
    assert [text for text in texts if text in BY_MEAN] == BY_MEAN
    narrow = chart_svg(race_chart(classic(), width=300, shade="dark"))
    root = ElementTree.fromstring(narrow)
    assert [text for text in texts_of(root) if text in BY_MEAN] == BY_MEAN
    assert float(root.get("width", "0")) < 360
    assert "#1a1b1f" in narrow


def test_a_group_says_once_what_all_its_children_have() -> None:
    groups = drawing(race_chart(classic())).iter("{http://www.w3.org/2000/svg}g")
    fills = [{child.get("fill") for child in group} for group in groups if len(group) > 1]
    assert fills and all(len(each) > 1 or each == {None} for each in fills)


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
    chart = protocol_chart([*races, empty()], "Five rules").to_dict()
    shown = [chart["datasets"][group["data"]["name"]] for group in chart["vconcat"]]
    standings = [(results.rules, standing) for results in races for standing in results.standings]
    seconds = [(s.played.seconds if s.played else s.seconds) for _, s in standings]
    values = [[s.mean for _, s in standings], [s.worst for _, s in standings]]
    for rows, expected in zip(shown, [*values, [1000 * time for time in seconds]], strict=True):
        assert [row["value"] for row in rows] == expected
        assert [(row["rules"], row["strategy"]) for row in rows] == [
            (rules, standing.card.name) for rules, standing in standings
        ]
    assert ("tree" in chart["vconcat"][2]["title"]["text"]) is not timed
    drawn_texts = texts_of(drawing(protocol_chart(races)))
    assert drawn_texts.count("Minimax") == 1  # one legend for all
    assert {"2x3", "4.00" if timed else "12.3"} <= set(drawn_texts)
    narrow = drawing(protocol_chart(races, width=290, shade="dark"))
    assert float(narrow.get("width", "0")) < 380
    with pytest.raises(InputError):
        protocol_chart([empty()])


def test_options_and_long_names_are_shown_whole() -> None:
    results = race("2x3", "knuth", "knuth:then=entropy", "optimal-worst")
    for width in (300, 640):
        with speaking("fr"):
            texts = texts_of(drawing(race_chart(results, width=width)))
        assert {"Minimax", "Minimax (then=entropy)"} <= set(texts)
        assert "Lepluspetitpirecas,puistotal,démontré" in "".join(texts).replace(" ", "")


def test_strategies_of_one_name_keep_rows_of_their_own() -> None:
    results = classic()
    card = results.standings[0].card
    first, second = (replace(standing, card=card) for standing in results.standings[:2])
    rows = data_of(race_chart(replace(results, standings=(first, second))).to_dict())
    assert {row["strategy"] for row in rows} == {
        f"First candidate ({first.strategy})",
        f"First candidate ({second.strategy})",
    }


def test_drawn_games_show_their_interval() -> None:
    chart = race_chart(drawn()).to_dict()
    assert "95 % interval" in str(chart)
    assert all(row["low"] == row["mean"] - 0.05 for row in data_of(chart))
    assert "95 %" not in str(race_chart(classic()).to_dict())


def test_long_histograms_keep_their_bars_apart() -> None:
    results = classic()
    long = replace(results.standings[0], histogram=(*[0] * 99, 5), mean=100.0, worst=100)
    chart = race_chart(replace(results, standings=(long,))).to_dict()
    bars = [layer for layer in chart["spec"]["layer"] if layer["mark"]["type"] == "bar"]
    assert bars[0]["mark"]["size"] <= 6.4
    assert len(bars[0]["encoding"]["x"]["axis"]["values"]) <= 20


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
    assert html.count("<script>") == html.count("<script") == html.count("</script>") == 2
    page = Page(html)
    assert page.tags.count("script") == 2
    assert not page.addresses
    assert "default-src 'none'" in html[: html.index("<script>")]
    assert 'vegaEmbed("#chart", {' in html
    assert HOSTILE not in html


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    for module in ("pegwise.pictures.charts", "pegwise.pictures.report"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtraError, match=r"a chart needs .* 'pegwise\[charts\]'"):
        importlib.import_module("pegwise.pictures.charts")
    assert "pip install &#x27;pegwise[charts]&#x27;" in show_race(classic())
    # refused before anything is played
    for files in (
        RaceFiles(None, None, tmp_path / "a.html", None),
        RaceFiles(None, None, None, tmp_path / "a.svg"),
    ):
        with pytest.raises(MissingExtraError):
            files.check()
