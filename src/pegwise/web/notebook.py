"""A race as a Jupyter notebook, which runs it again with the installed package."""

from __future__ import annotations

from typing import Any

from pegwise.arena import RaceResults

__all__ = ["race_notebook"]

_TABLE = """\
print(f"{'strategy':<28}{'mean':>8}{'worst':>7}{'total':>10}")
for standing in sorted(results.standings, key=lambda standing: standing.mean):
    print(
        f"{standing.strategy:<28}{standing.mean:>8.3f}{standing.worst:>7}{standing.total:>10}"
    )"""
_PAIRS = """\
for duel in results.duels:
    print(
        f"{duel.first} is faster on {duel.first_faster} games, "
        f"{duel.second} on {duel.second_faster}; equal on {duel.ties}"
    )"""


def race_notebook(results: RaceResults) -> dict[str, Any]:
    """The notebook as a document of nbformat 4.

    Its cells run the race, draw its chart, and compare every pair of strategies.
    """
    names = [standing.strategy for standing in results.standings]
    played = "every secret" if results.games is None else f"{results.games} drawn games"
    expected = {standing.strategy: standing.total for standing in results.standings}
    race = (
        "from pegwise.arena import race\n"
        "from pegwise.game import mastermind\n"
        "from pegwise.strategies import parse\n\n"
        f"names = {names!r}\n"
        "results = race(\n"
        f"    mastermind({results.rules!r}),\n"
        "    [parse(name) for name in names],\n"
        f"    games={results.games!r},\n"
        f"    seed={results.seed!r},\n"
        ")\n"
        "results  # its chart"
    )
    check = (
        "# the race on the page had these totals\n"
        f"expected = {expected!r}\n"
        "assert {s.strategy: s.total for s in results.standings} == expected"
    )
    cells = [
        _text(
            f"# A race on {results.rules}",
            f"\n\nStrategies play {played}. Made by pegwise {results.version}; the same version, ",
            f"rules and seed give the same result.\n\n    {results.command}\n",
        ),
        _code("race", race),
        _code("table", _TABLE),
        _text("## Pair by pair"),
        _code("pairs", _PAIRS),
        _text("## The same as on the page"),
        _code("check", check),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _text(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": "".join(lines)}


def _code(tag: str, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"tags": [tag]},
        "outputs": [],
        "source": source,
    }
