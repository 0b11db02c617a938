"""What comes of a race that has ended: results, documents, tables, report, chart and notebook.

Computed in a process of a line, from what the jobs have found.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from pegwise._version import __version__
from pegwise.arena import Exact, RaceResults
from pegwise.arena.protocols import standings_csv, to_document
from pegwise.arena.race import command_line, standing
from pegwise.arena.results import duels
from pegwise.game import Rules
from pegwise.strategies import parse
from pegwise.web.racing import drawn, order_of

__all__ = ["FORMS", "chart", "results_of", "write"]


def results_of(found: dict[str, Any]) -> RaceResults:
    """The results of a race.

    Args:
        found: as `Races.results` gives it.
    """
    rules, games, seed = Rules.parse(found["rules"]), found["games"], found["seed"]
    draw = drawn(rules, games, seed)
    order = order_of(draw, seed)
    standings, depths = [], {}
    for lane in found["lanes"]:
        of_secret = np.zeros(len(draw), np.int32)
        of_secret[order] = lane["depths"]
        exact = None
        if lane["exact"] is not None:
            mean, total, worst = lane["exact"]
            exact = Exact(mean, total, worst)
        depths[lane["name"]] = of_secret
        strategy = parse(lane["name"])
        standings.append(standing(strategy, of_secret, draw, exact, lane["seconds"], lane["nodes"]))
    return RaceResults(
        version=__version__,
        rules=draw.game.name,
        secrets=draw.game.n_secrets,
        seed=seed,
        games=games,
        standings=tuple(standings),
        duels=duels(depths, draw.times),
        skipped=tuple(tuple(pair) for pair in found["skipped"]),
        command=command_line(str(rules), found["names"], games, seed),
    )


def write(found: dict[str, Any], form: str) -> str:
    """The results in one of `FORMS`."""
    return FORMS[form](results_of(found))


def chart(found: dict[str, Any], dark: bool, narrow: bool) -> str:
    """The chart of the histograms, as SVG for a page in light or dark."""
    from pegwise.pictures.charts import chart_svg, race_chart

    drawing = race_chart(
        results_of(found),
        shade="dark" if dark else "light",
        width=290 if narrow else 740,
        titled=False,
        labelled=False,
    )
    return chart_svg(drawing)


def _json(results: RaceResults) -> str:
    return json.dumps(to_document(results), indent=2)


def _csv(results: RaceResults) -> str:
    return standings_csv([results])


def _report(results: RaceResults) -> str:
    from pegwise.pictures.report import race_report

    return race_report(results)


def _notebook(results: RaceResults) -> str:
    from pegwise.web.notebook import race_notebook

    return json.dumps(race_notebook(results), indent=1)


FORMS: Final[dict[str, Callable[[RaceResults], str]]] = {
    "json": _json,
    "csv": _csv,
    "html": _report,
    "ipynb": _notebook,
}
