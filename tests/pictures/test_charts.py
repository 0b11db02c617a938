"""Charts: what they show is what the race found; files need no network."""

import struct
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from pegwise.errors import InputError
from pegwise.i18n import speaking
from pegwise.pictures.charts import (
    chart_bytes,
    chart_html,
    chart_png,
    chart_svg,
    duel_chart,
    race_chart,
)
from pegwise.pictures.words import strategy_names
from tests.pictures.races import HOSTILE, classic, drawn, empty, hostile, many, race
from tests.pictures.reading import SVG, Page, texts_of

BY_MEAN = ["Most parts", "Expected size", "Entropy", "Minimax", "First candidate"]


def data_of(chart: dict[str, Any]) -> list[dict[str, Any]]:
    (rows,) = chart["datasets"].values() if "datasets" in chart else [chart["data"]["values"]]
    return list(rows)


def test_race_chart_holds_every_count() -> None:
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


def test_race_chart_as_svg_shows_names_counts_and_means() -> None:
    texts = texts_of(ElementTree.fromstring(chart_svg(race_chart(classic()))))
    assert {"4.373", "635", "569", "4.476", "694", "5.765"} <= set(texts)
    names = [text for text in texts if text in BY_MEAN]
    assert names == BY_MEAN


def test_options_and_long_names_are_shown_whole() -> None:
    results = race("2x3", "knuth", "knuth:then=entropy", "optimal-worst")
    for width in (300, 640):
        with speaking("fr"):
            texts = texts_of(ElementTree.fromstring(chart_svg(race_chart(results, width=width))))
        assert {"Minimax", "Minimax (then=entropy)"} <= set(texts)
        assert "Lepluspetitpirecas,puistotal,démontré" in "".join(texts).replace(" ", "")
    rows = data_of(duel_chart(results).to_dict())
    assert {row["faster"] for row in rows} == {
        "Minimax",
        "Minimax (then=entropy)",
        "Smallest worst case, then total, proven",
    }


def test_strategies_of_one_name_keep_rows_of_their_own() -> None:
    results = classic()
    card = results.standings[0].card
    one, other = (replace(standing, card=card) for standing in results.standings[:2])
    rows = data_of(race_chart(replace(results, standings=(one, other))).to_dict())
    assert {row["strategy"] for row in rows} == {
        f"First candidate ({one.strategy})",
        f"First candidate ({other.strategy})",
    }


@pytest.mark.parametrize("mean", [32.3925, 5.0625, 5.1875, 4.0005])
def test_means_are_rounded_as_everywhere(mean: float) -> None:
    results = classic()
    one = replace(results.standings[0], mean=mean)
    chart = race_chart(replace(results, standings=(one,)))
    assert f"{mean:.3f}" in texts_of(ElementTree.fromstring(chart_svg(chart)))
    with speaking("fr"):
        chart = race_chart(replace(results, standings=(one,)))
        texts = texts_of(ElementTree.fromstring(chart_svg(chart)))
    assert f"{mean:.3f}".replace(".", ",") in texts


def test_narrow_chart_has_the_same_names() -> None:
    svg = chart_svg(race_chart(classic(), width=300, shade="dark"))
    root = ElementTree.fromstring(svg)
    assert [text for text in texts_of(root) if text in BY_MEAN] == BY_MEAN
    assert float(root.get("width", "0")) < 360
    assert "#1a1b1f" in svg


@pytest.mark.parametrize("count", [1, 2, 12])
def test_race_chart_of_few_and_many(count: int) -> None:
    results = many(count)
    names = set(strategy_names(results.standings).values())
    assert len(names) == count
    assert names <= set(texts_of(ElementTree.fromstring(chart_svg(race_chart(results)))))


def test_drawn_games_show_their_interval() -> None:
    marks = str(race_chart(drawn()).to_dict())
    assert "low" in marks
    assert "95 % interval" in marks
    rows = data_of(race_chart(drawn()).to_dict())
    assert all(row["low"] == row["mean"] - 0.05 for row in rows)
    assert "95 %" not in str(race_chart(classic()).to_dict())


def test_long_histograms_keep_their_bars_apart() -> None:
    results = classic()
    long = replace(results.standings[0], histogram=(*[0] * 99, 5), mean=100.0, worst=100)
    chart = race_chart(replace(results, standings=(long,))).to_dict()
    bars = [layer for layer in chart["spec"]["layer"] if layer["mark"]["type"] == "bar"]
    assert bars[0]["mark"]["size"] <= 6.4
    assert len(bars[0]["encoding"]["x"]["axis"]["values"]) <= 20


def test_duel_chart_shows_both_sides_of_a_pair() -> None:
    results = classic()
    rows = {(row["faster"], row["slower"]): row for row in data_of(duel_chart(results).to_dict())}
    assert len(rows) == 20
    names = strategy_names(results.standings)
    for duel in results.duels:
        first, second = names[duel.first], names[duel.second]
        one, other = rows[first, second], rows[second, first]
        assert (one["games"], other["games"]) == (duel.first_faster, duel.second_faster)
        assert (one["lost"], other["lost"]) == (duel.second_faster, duel.first_faster)
        assert (one["most"], other["most"]) == (duel.first_by_at_most, duel.second_by_at_most)
        assert one["net"] == -other["net"] == (duel.first_faster - duel.second_faster) / 1296
        assert one["ties"] == other["ties"] == duel.ties
    texts = texts_of(ElementTree.fromstring(chart_svg(duel_chart(results))))
    assert all(f"{duel.first_faster:,}" in texts for duel in results.duels)


def test_same_chart_same_svg() -> None:
    assert chart_svg(race_chart(many(2))) == chart_svg(race_chart(many(2)))


def test_png_is_a_picture_of_the_right_size() -> None:
    chart = race_chart(many(2))
    root = ElementTree.fromstring(chart_svg(chart))
    assert root.tag == f"{SVG}svg"
    for scale in (1, 2):
        png = chart_png(chart, scale=scale)
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", png[16:24])
        assert width == pytest.approx(scale * float(root.get("width", "0")), abs=2)
        assert height == pytest.approx(scale * float(root.get("height", "0")), abs=2)


def test_html_asks_no_network() -> None:
    html = chart_html(race_chart(hostile()))
    assert html.count("<script>") == html.count("<script") == html.count("</script>") == 2
    page = Page(html)
    assert page.tags.count("script") == 2
    assert not page.addresses
    assert "default-src 'none'" in html[: html.index("<script>")]
    assert 'vegaEmbed("#chart", {' in html
    assert HOSTILE not in html


def test_bytes_by_form() -> None:
    chart = race_chart(many(2))
    assert chart_bytes(chart, "svg").startswith(b"<svg")
    assert chart_bytes(chart, ".PNG").startswith(b"\x89PNG")
    assert chart_bytes(chart, "html").startswith(b"<!doctype html>")
    with pytest.raises(InputError, match="'gif'; known: html, png, svg"):
        chart_bytes(chart, "gif")


def test_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="no result"):
        race_chart(empty())
    with pytest.raises(InputError, match="at least two"):
        duel_chart(many(1))
