"""The report of a race as one HTML page that holds everything it shows and asks no network.

The page is a template, `report.html.j2`, which escapes every value; scripts and requests are
forbidden to it. Jinja comes with the extras `charts` and `web`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from pegwise.arena.results import (
    RaceResults,
    Standing,
    by_mean,
    duels_by_rank,
    fewest,
    safest,
)
from pegwise.errors import InputError, MissingExtraError, PegwiseError, Phrase, quoted
from pegwise.game import game_of
from pegwise.i18n import duration, figure, language, tr, translated, trn
from pegwise.pictures.board import code_svg
from pegwise.pictures.charts import protocol_image, race_image
from pegwise.pictures.svg import FONT, custom_properties
from pegwise.strategies import Card
from pegwise.telling.blocks import Head, Table
from pegwise.telling.race import (
    compared,
    costly_words,
    counts_block,
    game_duration,
    histograms_words,
    identical_words,
    in_order,
    loss_title,
    losses_block,
    means_words,
    pairs_words,
    played,
    reasons,
    reasons_title,
    strategy_names,
    unsolved_words,
    verdict,
)
from pegwise.telling.strategies import credit
from pegwise.telling.words import histogram_words, rules_words_of

if TYPE_CHECKING:
    from jinja2 import Template

_PLACES: Final = 3  # of a podium
_CHARTED: Final = 12  # strategies in a chart; of more, the table alone shows the histograms
_PAIRS: Final = 15  # of more, those with the best strategy stand before the others

_NUMBERS: Final = (
    *(Phrase("No"), Phrase("One"), Phrase("Two"), Phrase("Three"), Phrase("Four"), Phrase("Five")),
    *(Phrase("Six"), Phrase("Seven"), Phrase("Eight"), Phrase("Nine"), Phrase("Ten")),
    *(Phrase("Eleven"), Phrase("Twelve")),
)


def race_report(results: RaceResults) -> str:
    """One self-contained HTML page on a race: figures, chart, pairs, cards, how to run it again.

    InputError: no results of a race.

    Examples:
        >>> page = pegwise.race_report(pegwise.race("3x3", ["first", "knuth"]))
        >>> page[:15]
        '<!doctype html>'
    """
    if not isinstance(results, RaceResults):
        raise InputError(
            "{value} is not a result of a race: give what race returned", value=quoted(results)
        )
    standings = by_mean(results.standings)
    names = strategy_names(results.standings)
    pairs = duels_by_rank(results.duels, standings)
    shown = pairs
    if len(pairs) > _PAIRS:
        shown = [duel for duel in pairs if duel.first == standings[0].strategy]
    title = _title(results, len(standings))
    return _page(
        results.version,
        heading=f"{title}, {results.rules}",
        title=title,
        names=names,
        results=results,
        standings=standings,
        facts=_facts(results, standings),
        verdict=verdict(results, names) if standings else "",
        counts=_counts(standings, names) if standings else None,
        charted=len(standings) <= _CHARTED,
        duels=shown,
        more_duels=[duel for duel in pairs if duel not in shown],
        about_pairs=pairs_words(results),
        podium=_podium(standings, names),
        losses=_losses(results, names),
        failures=reasons(results, names),
        identical=identical_words(results, names),
        again=_again(results),
    )


def protocol_report(name: str, source: str, races: Sequence[RaceResults]) -> str:
    """A page on the races of a protocol: what each strategy needs under each of its rules."""
    finished = [results for results in races if results.standings]
    standings = [standing for results in finished for standing in results.standings]
    names = strategy_names(standings)
    return _page(
        races[0].version,
        heading=tr(name),
        title=tr(name),
        source=tr(source),
        names=names,
        races=races,
        across=list(compared(finished, names)),
        entered=[*{standing.strategy: standing for standing in standings}.values()],
    )


def _page(version: str, **values: Any) -> str:
    made = tr(
        "Made by pegwise {version}. The charts are in this page, which needs no network.",
        version=version,
    )
    pictures = {"picture": partial(race_image, titled=False), "pictures": protocol_image}
    return report_template().render(pictures, made=made, **values).lstrip()


@cache
def report_template() -> Template:
    """The template of reports; MissingExtraError without the library that reads it."""
    try:
        from jinja2 import Environment, PackageLoader
    except ImportError:
        raise MissingExtraError.of("a report", "charts") from None

    environment = Environment(
        loader=PackageLoader("pegwise.pictures", ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    functions = (
        *(fewest, in_order, reasons_title, _colors, custom_properties, duration, game_duration),
        *(figure, _heights, _labels_by_card, language, played, rules_words_of, histogram_words),
        *(_notes, tr, trn, credit, histograms_words, means_words),
    )
    environment.globals |= {function.__name__.lstrip("_"): function for function in functions}
    environment.globals |= {
        "deepest": lambda standings: max(len(standing.histogram) for standing in standings),
        "font": FONT,
        "style": files("pegwise.pictures").joinpath("report.css").read_text("utf-8"),
    }
    return environment.get_template("report.html.j2")


def _podium(
    standings: list[Standing], names: dict[str, str]
) -> list[tuple[int, list[str], Standing]]:
    """The three best means with their places, where strategies without a source race.

    Whoever does not find every code has no place.
    """
    if all(standing.card.source for standing in standings):
        return []
    places: list[tuple[int, list[str], Standing]] = []
    for place, standing in enumerate((s for s in standings if not s.failure), 1):
        if places and places[-1][2].mean == standing.mean:
            places[-1][1].append(names[standing.strategy])
        elif place <= _PLACES:
            places.append((place, [names[standing.strategy]], standing))
    return places


def _counts(standings: Sequence[Standing], names: dict[str, str]) -> Table:
    """Games by number of guesses, and more exact figures than those of the lanes."""
    block = counts_block(standings, names)
    more = [(figure(s.total, ","), figure(s.mean, ".4f"), figure(s.nodes, ",")) for s in standings]
    heads = (Head(words, "number") for words in (tr("Total"), tr("Mean"), tr("Nodes")))
    rows = tuple((*row, *cells) for row, cells in zip(block.rows, more, strict=True))
    return block._replace(heads=(*block.heads, *heads), rows=rows)


def _losses(results: RaceResults, names: dict[str, str]) -> dict[str, Any] | None:
    """Guesses lost, and the positions that cost each strategy most."""
    if not results.lost:
        return None
    return {
        "title": loss_title(results),
        "table": losses_block(results, names),
        "notes": unsolved_words(results, names),
        "positions": list(costly_words(results, names)),
    }


def _title(results: RaceResults, number: int) -> str:
    against = tr("every secret")
    if results.games is not None:
        against = trn("{n:,} drawn game", "{n:,} drawn games", results.games)
    return trn(
        "{words} strategy, {against}",
        "{words} strategies, {against}",
        number,
        words=_NUMBERS[number] if number < len(_NUMBERS) else figure(number, ","),
        against=against,
    )


def _facts(results: RaceResults, standings: list[Standing]) -> list[tuple[str, str]]:
    """The figures at the head of the page, with their words."""
    if not standings:
        return []
    facts = [
        (figure(fewest(standings)[0].mean, ".3f"), tr("fewest guesses on average")),
        (figure(safest(standings)[0].worst, ","), tr("fewest at worst")),
        (figure(results.secrets, ","), tr("secrets")),
    ]
    if results.games is not None:
        drawn = tr("games drawn with seed {seed}", seed=str(results.seed))
        facts.append((figure(results.games, ","), drawn))
    seconds = sum(standing.seconds for standing in standings)
    return [*facts, (duration(seconds), tr("to play them all"))]


def _colors(name: str) -> str:
    """The colors of a board as pegs; nothing for words or another game."""
    try:
        codes = game_of(name).alphabet
    except PegwiseError:
        return ""
    return code_svg(codes.signs, size=22) if codes.named else ""


def _heights(standing: Standing, worst: int) -> list[float]:
    """The bars of a histogram, with the same columns for every strategy."""
    histogram = [*standing.histogram, *[0] * (worst - len(standing.histogram))]
    highest = max(max(histogram), sum(histogram) / 2, 1)
    return [won / highest for won in histogram]


def _labels_by_card(standings: Sequence[Standing]) -> list[tuple[Card, list[str]]]:
    """A strategy with other options shares its card."""
    labels: dict[Card, list[str]] = {}
    for standing in standings:
        if standing.card.about or standing.card.authors or standing.card.source:
            labels.setdefault(standing.card, []).append(standing.strategy)
    return list(labels.items())


def _notes(standing: Standing) -> list[str]:
    notes = []
    if standing.failure:
        notes.append(
            trn(
                "of the {n:,} code that it finds",
                "of the {n:,} codes that it finds",
                standing.secrets,
            )
        )
    return notes + [translated(note) for note in standing.notes]


def _again(results: RaceResults) -> list[tuple[str, str]]:
    """The rows that tell how to run the same race again."""
    secrets = trn("{n:,} secret", "{n:,} secrets", results.secrets)
    return [
        (tr("Program"), f"pegwise {results.version}"),
        (tr("Rules"), f"{results.rules} ({secrets})"),
        (tr("Played"), played(results)),
        (tr("Seed"), str(results.seed)),
    ]
