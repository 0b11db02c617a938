"""Work of the processes behind races: draws, games of strategies, results and their files."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal

from pegwise.arena import ExactFigures, Race, RaceResults
from pegwise.arena.games import EntrantGames
from pegwise.arena.race import command_line, protocol, typed_with
from pegwise.arena.results import KEPT, by_mean, fewest, standings_table
from pegwise.encoder import encoded
from pegwise.errors import Phrase, StrategyError, TooLargeError
from pegwise.game import Game, game_of
from pegwise.i18n import SOURCE, speaking
from pegwise.pictures import charts
from pegwise.pictures.report import protocol_report, race_report
from pegwise.search.exact.optimal import MAX_SECRETS as MAX_SECRETS_OF_PROOFS
from pegwise.strategies import cards, parse
from pegwise.telling.race import (
    game_duration,
    half_interval,
    reason_words,
    remarks,
    verdict,
)
from pegwise.trees.build import Failure, lost_words
from pegwise.web.jobs import Job, pack_sentence, unpack_sentence
from pegwise.web.pages import strategy_words, template_of
from pegwise.web.race.races import MAX_GAMES, MAX_SECRETS, MAX_STRATEGIES
from pegwise.web.race.views import LossesView
from pegwise.web.spreadsheet import spreadsheet
from pegwise.web.storage import JobRow, RaceRow, new_id

MAX_LOSSES: Final = MAX_SECRETS_OF_PROOFS
"""Most secrets of a game whose losses are worked out."""

Shade = Literal["light", "dark"]


def prepare(rules: Game, names: Sequence[str], games: int | None, seed: int) -> RaceRow:
    """Check a race, and draw its secrets: what `race.begin` takes."""
    if games is None and rules.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets:,} secrets, too many to play each of them here (at most "
            "{most:,}): draw games, 1 to {games:,} of them",
            rules=rules,
            secrets=rules.n_secrets,
            most=MAX_SECRETS,
            games=MAX_GAMES,
        )
    race = Race(rules, [parse(name, seed) for name in names], games=games, seed=seed)
    race.check_entry()
    order = race.order
    secrets = rules.alphabet.to_rows(map(race.draw.secret, range(len(race.draw))))
    return RaceRow(
        rules=str(rules),
        games=games,
        seed=seed,
        length=len(order),
        secrets=zlib.compress(secrets[order].tobytes()),
        jobs=[
            JobRow(place=place, rules=str(rules), name=name, total=len(order))
            for place, name in enumerate(race.strategies)
        ],
    )


def prepare_protocol(name: str, games: int | None) -> list[RaceRow]:
    """The rows of the races of a published protocol, with a job for each strategy."""
    published = protocol(name)
    names, n_games = published.strategies, games or published.games
    races, series = [prepare(rules, names, n_games, 0) for rules in published.rules], new_id()
    for race in races:
        race.protocol, race.series = name, series
    return races


def playable(rules: Game) -> dict[str, bool]:
    """The strategies that can play a board: by id, whether each takes seconds there."""
    game = game_of(rules)
    strategies = [parse(card.id) for card in cards()]
    return {s.card.id: s.is_slow(game) for s in strategies if s.plays(game)}


@lru_cache(maxsize=MAX_STRATEGIES)
def _race(rules: str, name: str, games: int | None, seed: int) -> Race:
    """A strategy with the games of its race, cached for its next turn."""
    return Race(rules, [parse(name)], games=games, seed=seed)


def _race_of(job: Job) -> Race:
    assert job.race is not None  # noqa: S101 (an entrant has a race)
    return _race(job.race.rules, job.row.name, job.race.games, job.race.seed)


def play_entrant(job: Job) -> None:
    """Play all games of a strategy that are not played yet, piece by piece."""
    race, name, games = _race_of(job), job.row.name, EntrantGames(job.pieces())
    failures: list[Failure] = []
    problem = job.row.problem
    for piece in race.play_games(name, games, failures=failures, report=job.report):
        games.extend([piece])
        if games.lost:
            problem = pack_sentence(_failure(problem, failures, games.lost, len(race.order)))
        job.add_piece(piece.to_bytes(), len(games), int(games.ends[-1]), problem=problem)
    if problem is not None and not games.depths.any():
        raise StrategyError(unpack_sentence(problem))
    exact, seconds = race.built.get(name, (None, job.seconds))
    figures = exact and [exact.mean, exact.total, exact.worst]
    job.finish({"nodes": len(games.parents), "exact": figures, "seconds": seconds})


def _failure(problem: str | None, failures: Sequence[Failure], lost: int, games: int) -> Phrase:
    """How many games are lost, and the first failure, which may be one of an earlier piece."""
    if problem is None:
        first = replace(failures[0], secrets=lost)
    else:
        told: Any = unpack_sentence(problem).values
        first = Failure(told["where"], told["why"], lost)
    return lost_words([first], games)


def play_timed(job: Job) -> None:
    """Really play the games of a strategy, one by one, and measure their processor time.

    Where other jobs wait, this one is left after a piece: strategies take turns.
    """
    race, games = _race_of(job), EntrantGames(job.pieces())
    for piece in race.play_by_clock(job.row.name, games, job.limit):
        games.extend([piece])
        guesses = int(games.ends[-1])
        job.add_piece(piece.to_bytes(), len(games), guesses, seconds=games.seconds)
        if len(games) < job.row.total:
            job.give_way()
    problem = None
    if len(games) < job.row.total:
        problem = pack_sentence(Phrase("the time of {limit:g} seconds is up", limit=job.limit))
    result = {"nodes": len(games.parents), "exact": None, "seconds": games.seconds}
    job.finish(result, seconds=games.seconds, problem=problem)


def race_results(stored: dict[str, Any], *, trees: bool = False) -> RaceResults:
    """The results of a race, from what `races.results` gives; with trees where they are small."""
    rules, games, seed = stored["rules"], stored["games"], stored["seed"]
    typed = [typed_with(parse(name), seed) for name in stored["names"]]
    command = None
    if rules.everywhere:
        command = command_line(str(rules), typed, games, seed, stored["played"])
    strategies = [parse(entrant["name"]) for entrant in stored["entrants"]]
    race = Race(rules, strategies, games=games, seed=seed, command=command)
    for entrant in stored["entrants"]:
        games, exact = entrant["games"], entrant["exact"]
        taken = {key: value for key, value in entrant.items() if key != "games"}
        taken |= {"depths": games.depths, "exact": exact and ExactFigures(*exact)}
        race.take(**taken)
        if trees and race.game.n_secrets <= KEPT:
            race.take_tree(entrant["name"], games.nodes(race.game))
    for name, why in stored["skipped"]:
        race.skip(name, why)
    return race.results


def race_chart(stored: dict[str, Any], shade: Shade, narrow: bool, language: str) -> str:
    """The chart of the histograms, as SVG for a page in light or dark."""
    with speaking(language):
        width = 290 if narrow else 740
        results = race_results(stored)
        return charts.race_chart(results, shade=shade, width=width, titled=False, labelled=False)


def race_losses(stored: dict[str, Any], seconds: float) -> LossesView:
    """Where the only strategy of these results loses, worked out within `seconds`."""
    results = race_results(stored, trees=True)
    (standing,) = results.standings
    if results.secrets > MAX_LOSSES:
        raise TooLargeError(
            "{game} has {secrets:,} secrets: losses are worked out for at most {most:,}",
            game=results.rules,
            secrets=results.secrets,
            most=MAX_LOSSES,
        )
    results.work_out_losses(seconds=seconds)
    if not results.lost:
        raise StrategyError(
            "{strategy} {failure}. Losses are shown if every code is found",
            strategy=standing.strategy,
            failure=standing.failure,
        )
    losses = results.lost[standing.strategy]
    return LossesView(
        rules=results.rules,
        games=results.games,
        strategy=standing.strategy,
        played=standing.total,
        best=standing.total - int(losses.total) if losses.games is None else None,
        losses=encoded(losses),
    )


def protocol_file(
    name: str,
    stored: Sequence[dict[str, Any]],
    form: str,
    shade: Shade,
    narrow: bool,
    language: str,
) -> str:
    """The races of a protocol compared: `svg` for a chart, `html` for a report."""
    published, races = protocol(name), [race_results(each) for each in stored]
    with speaking(language):
        if form == "html":
            return protocol_report(published.name, published.source, races)
        width = 290 if narrow else 740
        return charts.protocol_chart(races, shade=shade, width=width, labelled=False)


def race_table(stored: dict[str, Any], length: int, stopped: bool, language: str) -> str:
    """The final table of a race of `length` games, as a piece of its page."""
    results = race_results(stored)
    standings, labels = by_mean(results.standings), list(stored["names"])
    words = {label: strategy_words(label, language) for label in labels}
    names = {label: words[label]["name"] for label in labels}
    timed = any(standing.played for standing in standings)
    with speaking(language):
        table = template_of("race_table.html.j2", language)
        return table.render(
            standings=standings,
            first=[] if stopped or timed else [labels.index(s.strategy) for s in fewest(standings)],
            timed=timed,
            longest=max(standing.worst for standing in standings),
            verdict=verdict(results, names, stopped=stopped),
            told=[*remarks(results, names), *reason_words(results, names)],
            half_interval=half_interval,
            game_duration=game_duration,
            names=words,
            length=length,
        )


def race_file(stored: dict[str, Any], form: str, language: str) -> str:
    """The results in a form: `json`, `csv`, `html` for a report, or `ipynb` for a notebook."""
    results = race_results(stored, trees=True)
    with speaking(language):
        if form == "json":
            return json.dumps(results.document(), indent=2)
        if form == "csv":
            return spreadsheet(*standings_table([results]), language)
        return race_report(results) if form == "html" else json.dumps(_notebook(results), indent=1)


def _notebook(results: RaceResults) -> dict[str, Any]:
    """A document of nbformat 4 that runs the race again with the installed package."""
    asked = results.games or results.secrets
    totals = {s.strategy: s.total for s in results.standings if s.secrets == asked}
    template = template_of("race_notebook.txt.j2", SOURCE)
    text = template.render(results=results, rules=repr(results.rules), totals=totals)
    cells: list[dict[str, Any]] = []
    for cell in text.split("# %% ")[1:]:
        tag, _, source = cell.removesuffix("\n").partition("\n")
        document: dict[str, Any] = {"metadata": {}, "source": source, "id": f"cell-{len(cells)}"}
        if tag == "text":
            document["cell_type"] = "markdown"
        else:
            document |= {"cell_type": "code", "execution_count": None, "outputs": []}
            document["metadata"] = {"tags": [tag]}
        cells.append(document)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
