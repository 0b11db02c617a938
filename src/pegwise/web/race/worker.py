"""What workers compute for races: the draw, the games of a strategy, and the results.

A strategy that compiles itself to a tree plays from it. Any other is asked guess by guess, and its
decisions are remembered for the games that begin alike.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any, Final, Literal

import numpy as np

from pegwise._version import __version__
from pegwise.arena import ExactFigures, Race, RaceResults
from pegwise.arena.draw import Draw, draw_games, every_secret, exact_depths, plays_everything
from pegwise.arena.race import command_line, protocol, standing
from pegwise.arena.results import PlayedGames, duels, standings_csv, to_document
from pegwise.arrays import I32, I64
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Mark, Rules, Turn, game_of
from pegwise.i18n import SOURCE, speaking
from pegwise.progress import Progress
from pegwise.strategies import (
    Decision,
    Strategy,
    cards,
    label,
    naming_the_strategy,
    parse,
)
from pegwise.trees import Tree, build
from pegwise.trees.build import play, play_steps
from pegwise.web.jobs import Job, pack_sentence
from pegwise.web.pages import template_of
from pegwise.web.race.games import (
    EntrantGames,
    GamesPiece,
    code_of,
    code_rows,
    mark_of_row,
    mark_rows,
)
from pegwise.web.race.races import MAX_GAMES, MAX_SECRETS
from pegwise.web.storage import JobRow, RaceRow

Shade = Literal["light", "dark"]

_FIRST_GAMES: Final = 4  # games of the first piece: few, so that something is shown at once
_PIECE_SECONDS: Final = 0.4  # seconds that a piece should take
_TIMED_PIECE: Final = (0.3, 2.0)  # seconds of processor time of a piece of a timed race
_WARM_SECONDS: Final = 0.2  # of playing off the clock before a process begins with a strategy
_WARM_GAMES: Final = 50  # likewise, at most


def prepare(rules: Rules, names: Sequence[str], games: int | None, seed: int) -> RaceRow:
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
    race = Race(game_of(rules), [parse(name, seed) for name in names], games=games, seed=seed)
    for strategy in race.strategies.values():
        race.check_size(strategy)
    order = _order(race.draw, seed)
    secrets = code_rows(rules, [race.draw.secret(k) for k in range(len(race.draw))])
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
    """Likewise the races of a published protocol."""
    published = protocol(name)
    names, n_games = published.strategies, games or published.games
    return [prepare(rules, names, n_games, 0) for rules in published.rules]


def playable(rules: Rules) -> dict[str, bool]:
    """The strategies that can play a board: by id, whether each takes seconds there."""
    game = game_of(rules)
    strategies = [parse(card.id) for card in cards()]
    return {s.card.id: s.is_slow(game) for s in strategies if s.plays(game)}


def _order(draw: Draw, seed: int) -> I64:
    """int64 (games), the index in the draw of each game's secret, in the order of play.

    Mixed, so that the mean so far is near the mean to come.
    """
    places = np.repeat(np.arange(len(draw)), draw.times)
    return np.random.Generator(np.random.PCG64([seed, 1])).permutation(places)


def _to_play(job: Job) -> tuple[Strategy, Draw, I64]:
    """An entrant: its strategy, the draw of its race, and the order of play."""
    assert job.race is not None  # noqa: S101 (an entrant has a race)
    return parse(job.row.name), *_drawn(Rules.parse(job.race.rules), job.race.games, job.race.seed)


@lru_cache(maxsize=4)
def _drawn(rules: Rules, games: int | None, seed: int) -> tuple[Draw, I64]:
    """The draw of a race and the order of play, cached for the turns of its strategies."""
    game = game_of(rules)
    draw = every_secret(game) if games is None else draw_games(game, games, seed)
    return draw, _order(draw, seed)


def play_entrant(job: Job) -> None:
    """Play all games of a strategy that are not played yet, piece by piece."""
    strategy, draw, order = _to_play(job)
    start = time.perf_counter()
    if strategy.compiles and plays_everything(strategy, draw):
        tree = build(strategy, draw.game, report=job.report)
        depths = exact_depths(strategy, tree)  # refuses a tree that misses a secret
        seconds = time.perf_counter() - start
        nodes, exact = len(tree), [tree.mean, tree.total, tree.worst]
        if not job.row.pieces:
            guesses = int(depths[draw.secrets[order]].sum())
            job.add_piece(_whole(tree, draw, order), len(order), guesses)
    else:
        nodes, exact = _play(strategy, draw, order, job), None
        seconds = job.seconds
    job.finish({"nodes": nodes, "exact": exact, "seconds": seconds})


def play_timed(job: Job) -> None:
    """Really play the games of a strategy, one by one, and measure their processor time.

    Where other jobs wait, this one is left after a piece: strategies take turns.
    """
    strategy, draw, order = _to_play(job)
    played = EntrantGames(job.pieces())
    player = _Player(strategy, draw, played)
    strategy = _warmed(job.row.name, job.row.rules)
    done, guesses, seconds = len(played), int(played.depths.sum()), played.seconds
    while done < len(order) and seconds < job.limit:
        wins: list[int] = []
        n_nodes = len(player.guesses)
        end = min(job.limit, seconds + min(max(_TIMED_PIECE[0], seconds / 20), _TIMED_PIECE[1]))
        while seconds < end and done + len(wins) < len(order):
            secret = draw.secret(int(order[done + len(wins)]))
            begun = time.process_time()
            turns = play(strategy, draw.game, secret)
            seconds += time.process_time() - begun
            wins.append(player.add(turns))
            guesses += len(turns)
        done += len(wins)
        piece = player.piece(n_nodes, np.array(wins, np.int32), seconds)
        job.add_piece(piece.to_bytes(), done, guesses, seconds=seconds)
        if done < len(order):
            job.give_way()
    problem = None
    if done < len(order):
        problem = pack_sentence(Phrase("the time of {limit:g} seconds is up", limit=job.limit))
    result = {"nodes": len(player.guesses), "exact": None, "seconds": seconds}
    job.finish(result, seconds=seconds, problem=problem)


@lru_cache(maxsize=32)
def _warmed(name: str, rules: str) -> Strategy:
    """A strategy that this process has played with, so that the clock counts no loading."""
    strategy, game = parse(name), game_of(Rules.parse(rules))
    games = draw_games(game, _WARM_GAMES)
    end = time.process_time() + _WARM_SECONDS
    for k in range(len(games)):
        play(strategy, game, games.secret(k))
        if time.process_time() > end:
            break
    return strategy


def _whole(tree: Tree, draw: Draw, order: I64) -> bytes:
    """A tree with all games of a race, as one piece."""
    game, nodes = draw.game, tree.nodes
    assert game.rules is not None  # noqa: S101 (games by their rules)
    marks = mark_rows(game.rules, [game.mark(number) for number in range(game.n_marks)])
    winners = np.zeros(game.n_secrets, np.int32)
    winning = np.flatnonzero(nodes.wins)
    winners[game.secret_of_guess[nodes.guess[winning]]] = winning
    return GamesPiece(
        guesses=code_rows(game.rules, [game.guess(guess) for guess in nodes.guess.tolist()]),
        parents=nodes.parent.astype(np.int32),
        marks=marks[nodes.mark],
        wins=winners[draw.secrets[order]],
    ).to_bytes()


class _Player:
    """A strategy that is asked guess by guess, and the tree of its guesses so far."""

    def __init__(self, strategy: Strategy, draw: Draw, played: EntrantGames) -> None:
        self._strategy = strategy
        self._draw = draw
        game = draw.game
        assert game.rules is not None  # noqa: S101 (games by their rules)
        self._rules = rules = game.rules
        self._first = -1, mark_of_row(rules, [0] * (rules.pegs if rules.placed else 2))
        self.guesses: list[Any] = [code_of(rules, row) for row in played.guesses.tolist()]
        self.parents: list[int] = played.parents.tolist()
        self.marks: list[Any] = [mark_of_row(rules, row) for row in played.marks.tolist()]
        keys = zip(self.parents, self.marks, strict=True)
        self._children = {key: node for node, key in enumerate(keys)}
        self._decisions: dict[int, Decision] = {}

    def play(self, which: I64, look: Callable[[], None]) -> tuple[I32, int]:
        """Play games; int32 (games), the node that wins each, and the guesses of all."""
        draw, game = self._draw, self._draw.game
        nodes: list[int] = []
        wins, guesses = np.zeros(len(which), np.int32), 0
        for step in play_steps(
            _Node(self, self.node(*self._first)),
            game,
            np.arange(len(which)),
            lambda guess, games: draw.marks(guess, which[games]),
            lambda number: draw.secret(int(which[number])),
            label(self._strategy),
        ):
            first = step.parent < 0
            key = self._first if first else (nodes[step.parent], game.mark(step.mark))
            nodes.append(self._children[key])
            wins[step.won] = nodes[-1]
            guesses += step.depth * len(step.won)
            look()
        return wins, guesses

    def add(self, turns: Sequence[Turn]) -> int:
        """Remember a game that was played; the node that wins it."""
        node, mark = self._first
        for turn in turns:
            node, mark = self.node(node, mark, turn.guess), turn.mark
        return node

    def piece(self, start: int, wins: I32, seconds: float = 0.0) -> GamesPiece:
        """The nodes from `start` on, and the games that were won."""
        return GamesPiece(
            guesses=code_rows(self._rules, self.guesses[start:]),
            parents=np.array(self.parents[start:], np.int32),
            marks=mark_rows(self._rules, self.marks[start:]),
            wins=wins,
            seconds=np.array([seconds]),
        )

    def node(self, parent: int, mark: Mark, guess: Any = None) -> int:
        """The node after this mark; a new one has the guess, by default what is decided there."""
        node = self._children.setdefault((parent, mark), len(self.guesses))
        if node == len(self.guesses):
            self.parents.append(parent)
            self.marks.append(mark)
            self.guesses.append(guess or self._decision(node).guess)
        return node

    def _decision(self, node: int) -> Decision:
        """What the strategy decides at a node; worked out again after a new start."""
        if node not in self._decisions:
            parent = self.parents[node]
            self._decisions[node] = (
                self._strategy.begin(self._draw.game)
                if parent < 0
                else self._decision(parent).after(self.marks[node])
            )
        return self._decisions[node]


@dataclass(frozen=True, slots=True)
class _Node(Decision):
    """A decision whose guess and successors are remembered."""

    player: _Player
    number: int

    @property
    def guess(self) -> Any:
        return self.player.guesses[self.number]

    def after(self, mark: Mark) -> _Node:
        return _Node(self.player, self.player.node(self.number, mark))


def _play(strategy: Strategy, draw: Draw, order: I64, job: Job) -> int:
    """Play the games that are not played yet; the number of decisions in all."""
    played = EntrantGames(job.pieces())
    player = _Player(strategy, draw, played)
    done, guesses, size = len(played), int(played.depths.sum()), _FIRST_GAMES
    while done < len(order):
        step = Progress(done, len(order), "games")
        start, n_nodes = time.monotonic(), len(player.guesses)
        with naming_the_strategy(strategy, draw.game):
            wins, taken = player.play(order[done : done + size], partial(job.report, step))
        done += len(wins)
        guesses += taken
        job.add_piece(player.piece(n_nodes, wins).to_bytes(), done, guesses)
        seconds = time.monotonic() - start
        if seconds < _PIECE_SECONDS / 2:
            size *= 2
        elif seconds > _PIECE_SECONDS:
            size = max(1, size // 2)
    return len(player.guesses)


def race_results(stored: dict[str, Any]) -> RaceResults:
    """The results of a race, from what `race.results` gives."""
    rules, games, seed = stored["rules"], stored["games"], stored["seed"]
    draw, order = _drawn(rules, games, seed)
    standings, depths, times = [], {}, {}
    timed = any(entrant["timed"] for entrant in stored["entrants"])
    for entrant in stored["entrants"]:
        name, n_played = entrant["name"], len(entrant["depths"])
        of_secret = depths[name] = np.zeros(len(draw), np.int32)
        of_secret[order[:n_played]] = entrant["depths"]
        times[name] = np.bincount(order[:n_played], minlength=len(draw))
        # what was played before the race was stopped is a draw of that size
        played = (
            draw if n_played == len(order) else replace(draw, games=n_played, times=times[name])
        )
        exact = None if entrant["exact"] is None else ExactFigures(*entrant["exact"])
        seconds, nodes = entrant["seconds"], entrant["nodes"]
        each = PlayedGames(n_played, seconds / n_played) if entrant["timed"] else None
        standings.append(standing(parse(name), of_secret, played, exact, seconds, nodes, each))
    return RaceResults(
        version=__version__,
        rules=draw.game.name,
        secrets=draw.game.n_secrets,
        seed=seed,
        games=games,
        standings=tuple(standings),
        duels=tuple(
            duel
            for a, b in combinations(depths, 2)
            for duel in duels({a: depths[a], b: depths[b]}, np.minimum(times[a], times[b]))
        ),
        skipped=tuple(stored["skipped"]),
        command=command_line(str(rules), stored["names"], games, seed, len(order) if timed else 0),
    )


def race_chart(stored: dict[str, Any], shade: Shade, narrow: bool, language: str) -> str:
    """The chart of the histograms, as SVG for a page in light or dark."""
    from pegwise.pictures import charts

    with speaking(language):
        chart = charts.race_chart(
            race_results(stored),
            shade=shade,
            width=290 if narrow else 740,
            titled=False,
            labelled=False,
        )
        return charts.chart_svg(chart)


def protocol_file(
    name: str,
    stored: Sequence[dict[str, Any]],
    form: str,
    shade: Shade,
    narrow: bool,
    language: str,
) -> str:
    """The races of a protocol compared: `svg` for a chart, `html` for a report."""
    from pegwise.pictures.charts import chart_svg, protocol_chart
    from pegwise.pictures.report import protocol_report

    published, races = protocol(name), [race_results(each) for each in stored]
    with speaking(language):
        if form == "html":
            return protocol_report(published.name, published.source, races)
        width = 290 if narrow else 740
        return chart_svg(protocol_chart(races, shade=shade, width=width, labelled=False))


def race_file(stored: dict[str, Any], form: str, language: str) -> str:
    """The results in a form: `json`, `csv`, `html` for a report, or `ipynb` for a notebook."""
    from pegwise.pictures.report import race_report

    results = race_results(stored)
    with speaking(language):
        if form == "json":
            return json.dumps(to_document(results), indent=2)
        if form == "csv":
            return standings_csv([results])
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
