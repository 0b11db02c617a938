"""Races: exact figures, drawn games, what remains when they stop, who may enter; protocols."""

import importlib
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pegwise._version import __version__
from pegwise.arena import ExactFigures, Race, RaceResults, entrants, race
from pegwise.arena.draw import MAX_GAMES, play_draw
from pegwise.arena.games import EntrantGames
from pegwise.arena.race import PROTOCOLS, protocol
from pegwise.encoder import encoded
from pegwise.errors import (
    ContradictionError,
    InputError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Game, Mastermind, Rules, board_game, game_of
from pegwise.progress import Progress
from pegwise.strategies import Card, Decision, Nodes, Strategy, StrategyLike, load, names, parse
from pegwise.trees import build, play

ONE_STEP = ["knuth", "irving", "entropy", "parts"]
PROTOCOL = PROTOCOLS["marechal-rastoix"]
RACING = importlib.import_module("pegwise.arena.race")
"""The module, whose name in the package is that of the function."""


# strategies that break what a strategy promises

FAILURES = {
    "refuses": "refuses cannot play",
    "crashes-first": "crashes-first fails on 2x3: ZeroDivisionError",
    "crashes-later": "crashes-later fails on 2x3 after AA=[X-], secret A?B+: ZeroDivisionError",
    "cheats": "cheats fails on 2x3 after AA=[X-], secret A?B+: .*position 1",
    "stubborn": "stubborn does not find [A-C]+ of 2x3 within 1000 guesses",
    "confused": "confused fails on 2x3 after AA=[X-], secret A?B+: no secret",
}


class Bad(Strategy):
    """Plays the first code and then does what its name says."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def card(self) -> Card:
        return Card(self.name)

    def begin(self, game: Game) -> Decision:
        if self.name == "refuses":
            raise StrategyError(f"refuses cannot play {game.name}")
        if self.name == "crashes-first":
            raise ZeroDivisionError
        return BadDecision(self.name)


@dataclass
class BadDecision(Decision):
    """A bad strategy after some turns."""

    name: str
    turns: int = 0

    @property
    def guess(self) -> Any:
        return (9, 9) if self.turns and self.name == "cheats" else (0, 0)

    def after(self, mark: Any) -> Decision:
        if self.name == "crashes-later":
            raise ZeroDivisionError
        if self.name == "confused":
            raise ContradictionError("no secret gives this")
        return BadDecision(self.name, self.turns + 1)


class Losing(Strategy):
    """Compiles itself to a tree without the last of its branches."""

    card = Card("losing")

    def begin(self, game: Game) -> Decision:
        return load("first").begin(game)

    def compile(self, game: Game, *, threads: int = 1, report: Any = None) -> Nodes:
        guess, parent, mark, wins = build(game, load("first")).nodes
        return Nodes(guess[:-1], parent[:-1], mark[:-1], wins[:-1])


def timeless(results: RaceResults) -> RaceResults:
    return replace(results, standings=tuple(replace(s, seconds=0) for s in results.standings))


def test_results_say_what_was_raced() -> None:
    results = race("3x4", ["knuth:then=size", "first"], seed=5)
    assert (results.rules, results.secrets, results.seed, results.games) == ("3x4", 64, 5, None)
    assert [s.strategy for s in results.standings] == ["knuth:then=size", "first"]
    assert results.standings[0].card is load("knuth").card
    assert results.standings[0].options == {"then": "size"}
    assert results.command == "pegwise race 3x4 -s knuth:then=size -s first --seed 5"
    assert race("3x4", "first", games=7).command == "pegwise race 3x4 -s first --games 7"
    # figures over all secrets
    for board, total, histogram in (("4x6", 5801, (1, 6, 62, 533, 694)), ("1x1", 1, (1,))):
        (standing,), secrets = race(board, "knuth").standings, sum(histogram)
        assert (standing.total, standing.histogram) == (total, histogram)
        assert (standing.worst, standing.mean) == (len(histogram), total / secrets)
        assert (standing.secrets, standing.interval, standing.exact) == (secrets, None, None)
        assert standing.nodes == len(build(board, "knuth"))


@pytest.mark.slow
def test_drawn_games_are_the_same_for_all() -> None:
    drawn = Race("4x6", ONE_STEP, games=500, seed=9)
    results = drawn.run()
    for standing in results.standings:
        tree = build("4x6", standing.strategy)
        played = tree.depths[drawn.draw.secrets]
        assert drawn.depths[standing.strategy].tolist() == played.tolist()
        assert standing.secrets == sum(standing.histogram) == 500
        assert standing.total == (played * drawn.draw.times).sum()
        assert standing.mean == standing.total / 500
        assert standing.exact == ExactFigures(tree.mean, tree.total, tree.worst)
        assert standing.interval is not None
        low, high = standing.interval
        assert low < standing.mean < high
    assert all(d.first_faster + d.second_faster + d.ties == 500 for d in results.duels)
    reseeded = race("4x6", "knuth", games=500, seed=2).standings[0]
    assert reseeded.histogram != results.standings[0].histogram
    assert reseeded.exact == results.standings[0].exact


@pytest.mark.slow
@pytest.mark.parametrize("games", [None, 300])
def test_the_same_seed_gives_the_same_result_on_any_number_of_threads(games: int | None) -> None:
    entrants = [*ONE_STEP, "random"]
    first, second = (race("4x5", entrants, games=games, seed=3, threads=k) for k in (1, 2))
    assert timeless(first) == timeless(second)


def test_boards_too_large_to_list() -> None:
    names_of_both = ["marechal-rastoix-3", "knuth"]
    with pytest.raises(TooLargeError, match="9x9"):
        race("9x9", ["knuth", "entropy"], games=2)
    results = race("9x9", names_of_both, games=2, seed=1)
    (standing,) = results.standings
    assert (results.secrets, standing.secrets, standing.exact) == (9**9, 2, None)
    assert standing.interval is not None
    ((who, why),) = results.skipped
    assert who == "knuth"
    assert why.startswith("9x9 has 387,420,489 secrets, too many to list")


def test_weights_count_in_total_and_mean() -> None:
    game = Mastermind(Rules(2, 4), [0, 5, *[1] * 14])
    tree = build(game, "knuth")
    (standing,) = race(game, "knuth").standings
    assert (standing.total, standing.mean, standing.worst) == (tree.total, tree.mean, tree.worst)
    assert standing.total != race("2x4", "knuth").standings[0].total
    assert sum(standing.histogram) == standing.secrets == 16
    (drawn,) = race(game, "knuth", games=20_000).standings
    assert drawn.exact == ExactFigures(tree.mean, tree.total, tree.worst)
    assert drawn.mean == pytest.approx(tree.mean, abs=0.05)


@pytest.mark.slow
def test_the_clock_stands_while_kernels_are_loaded() -> None:
    program = """
import importlib, sys
from pegwise.kernels import jit
module = importlib.import_module("pegwise.arena.race")

loaded, late, play, load = [], [], module.build, jit.Kernel.compile

def loading(kernel, *arguments):
    loaded.append(kernel)
    load(kernel, *arguments)

def timed(*arguments, **options):
    before = len(loaded)
    tree = play(*arguments, **options)
    late.extend(loaded[before:] if "where" in options else [])
    return tree

jit.Kernel.compile, module.build = loading, timed
module.race("5x7", ["knuth"])  # more marks than NumPy counts
sys.exit(len(late) if loaded else 99)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_clock_runs_while_a_strategy_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([10.0, 12.5, 20.0, 20.25])
    monkeypatch.setattr(RACING, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    timed = Race("2x3", ["first", "knuth"])
    assert [standing.seconds for standing in timed.run().standings] == [2.5, 0.25]


@pytest.mark.parametrize("games", [None, 10])
def test_progress_goes_forward_to_the_end(games: int | None) -> None:
    steps: list[Progress] = []
    race("4x6", [*ONE_STEP, "first"], games=games, report=steps.append)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert {step.total for step in steps} == {done[-1]}
    assert steps[0].best == ""
    assert steps[-1].best.startswith("best: parts 4.373" if games is None else "best: ")


def test_a_race_that_is_stopped_keeps_what_is_finished_and_resumes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RACING, "LONG", 0.0)
    who = ["knuth", "first", "random", "parts"]
    stopped = Race("3x4", who, games=60, folder=home)

    def stop(step: Progress) -> None:
        assert step.total is not None
        if step.done > step.total * 0.3:
            raise KeyboardInterrupt

    assert [name for name, _ in stopped.results.skipped] == who
    with pytest.raises(KeyboardInterrupt):
        stopped.run(report=stop)
    finished = stopped.results
    assert [s.strategy for s in finished.standings] == ["knuth"]
    assert finished.skipped == tuple((name, "not finished") for name in who[1:])
    whole = race("3x4", who, games=60)
    assert whole.skipped == ()
    # another process, which plays only the rest
    again = Race("3x4", who, games=60, folder=home)
    assert timeless(again.run()) == timeless(whole)
    assert again.results.standings[0] == finished.standings[0]
    assert timeless(stopped.run()) == timeless(whole)
    again.forget()
    assert not any(home.iterdir())


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("games", [None, 50])
def test_a_strategy_that_fails_ends_the_race_or_is_skipped(name: str, games: int | None) -> None:
    racers: list[StrategyLike] = [load("knuth"), Bad(name), load("first")]
    entered = Race("2x3", racers, games=games)
    if name in {"refuses", "crashes-first"}:  # it cannot even begin, which stops no other
        assert [standing.strategy for standing in entered.run().standings] == ["knuth", "first"]
        with pytest.raises(StrategyError, match=FAILURES[name]):
            race("2x3", [Bad(name)], games=games)
    else:
        with pytest.raises(StrategyError, match=FAILURES[name]):
            entered.run()
        assert [standing.strategy for standing in entered.results.standings] == ["knuth"]
    results = Race("2x3", racers, games=games, lenient=True).run()
    assert [standing.strategy for standing in results.standings] == ["knuth", "first"]
    assert [(duel.first, duel.second) for duel in results.duels] == [("knuth", "first")]
    ((who, why),) = results.skipped
    assert who == name
    assert re.match(FAILURES[name], why)


@pytest.mark.parametrize("failure", [RuntimeError(), InputError("enough")])
def test_who_receives_the_progress_may_stop_the_race(failure: Exception) -> None:
    def stop(step: Progress) -> None:
        raise failure

    with pytest.raises(type(failure)) as caught:
        Race("3x4", [Bad("good"), "first"], games=60, lenient=True).run(report=stop)
    assert caught.value is failure


def test_our_own_slips_are_not_excused(monkeypatch: pytest.MonkeyPatch) -> None:
    knuth = load("knuth")
    monkeypatch.setattr(type(knuth), "begin", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        Race("2x3", [knuth], lenient=True).run()


def test_strategies_that_cannot_play() -> None:
    with pytest.raises(StrategyError, match="losing"):
        race("2x3", [Losing()])
    results = race("4x6,distinct", ["first", "marechal-rastoix-1"])
    ((name, why),) = results.skipped
    assert name == "marechal-rastoix-1" and why
    assert [standing.strategy for standing in results.standings] == ["first"]
    with pytest.raises(StrategyError, match="greenwell"):
        race("3x4", ["greenwell"])
    with pytest.raises(StrategyError, match="marechal-rastoix-1"):
        race("4x6,distinct", ["marechal-rastoix-1", "greenwell"])


def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    ((name, why),) = Race("2x3", ["constraint"], lenient=True).run().skipped
    assert name == "constraint" and "pip install 'pegwise[constraint]'" in why


@pytest.mark.parametrize(
    ("texts", "numbers", "reason"),
    [
        ([], {}, "at least one strategy"),
        (["knuth", "first", "knuth:guesses=all"], {}, "'knuth' is given twice"),
        (["knuth"], {"games": 0}, "games=0"),
        (["knuth"], {"games": MAX_GAMES + 1}, "games=20000001"),
        (["knuth"], {"games": 5, "seed": -2}, "seed=-2"),
        (["knuth"], {"threads": 0}, "threads=0: give a whole number from 1"),
    ],
)
def test_what_is_refused(texts: list[str], numbers: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        race("2x3", texts, **numbers)


def test_everyone_races_who_is_not_slow() -> None:
    board = board_game(Rules.parse("4x13"))  # of which no tree comes with the program
    slow = [name for name in names() if "slow" in load(name).card.traits]
    random = [name for name in names() if "random" in load(name).card.traits]
    entered, left_out = entrants(board, seed=6)
    assert [s.card.id for s in entered] == [name for name in names() if name not in slow]
    assert left_out == {name: f"slow; name it to let it race: -s {name}" for name in slow}
    assert [s.card.id for s in entered if s.options.get("seed") == 6] == random
    # slow strategies race where their tree is stored
    racing = {s.card.id for s in entrants(board_game(Rules.parse("4x6")))[0]}
    assert {"optimal", "optimal-worst"} <= racing
    assert not {"constraint", "viaud"} & racing


def test_the_protocol_of_marechal_and_rastoix() -> None:
    # section 5.1 of their report: six, eight, eight, twenty colors in four holes, the third
    # without repetition, and four colors in six holes; a million codes each; three strategies
    boards = [str(rules) for rules in PROTOCOL.rules]
    assert boards == ["4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4"]
    assert PROTOCOL.games == 1_000_000
    assert list(PROTOCOL.strategies) == [f"marechal-rastoix-{k}" for k in (1, 2, 3)]
    assert [race.draw.games for race in PROTOCOL.races([load("first")])] == [1_000_000] * 5
    assert protocol("marechal-rastoix") is PROTOCOL
    with pytest.raises(UnknownNameError, match="'marechal-rastoix'"):
        protocol("marechal")
    with pytest.raises(InputError):
        PROTOCOL.races([load("knuth")], games=-5)


@pytest.mark.slow
def test_the_races_of_a_protocol() -> None:
    racers = [load("marechal-rastoix-3"), load("greenwell")]
    results = [race.run() for race in PROTOCOL.races(racers, games=300, seed=4)]
    for raced, rules in zip(results, PROTOCOL.rules, strict=True):
        assert (raced.rules, raced.games, raced.seed) == (str(rules), 300, 4)
        assert raced.standings[0].exact is not None
        # greenwell plays 4x6 only
        who = [standing.strategy for standing in raced.standings]
        assert who == ["marechal-rastoix-3", "greenwell"][: 1 + (raced.rules == "4x6")]
        assert [name for name, _ in raced.skipped] == ["greenwell"] * (2 - len(who))
    document = encoded(PROTOCOL.document(results))
    assert (document["version"], document["protocol"]) == (__version__, "marechal-rastoix")
    assert [raced["rules"] for raced in document["races"]] == [raced.rules for raced in results]


@pytest.mark.parametrize("games", [None, 60])
def test_games_as_they_come_are_those_of_the_race(games: int | None) -> None:
    entered = ["knuth", "first", "random:seed=2"]
    expected = race("3x4", entered, games=games, seed=2)
    watched = Race("3x4", entered, games=games, seed=2)
    for name in entered:
        stored: list[bytes] = []
        # as two workers do, of which the second goes on after the first piece
        for piece in watched.play_games(name, EntrantGames()):
            stored.append(piece.to_bytes())
            break
        stored += [p.to_bytes() for p in watched.play_games(name, EntrantGames(stored))]
        played = EntrantGames(stored)
        for game in (0, len(played) - 1):
            turns = played.turns(game, game_of("3x4"))
            secret = watched.draw.secret(int(watched.order[game]))
            assert (len(turns), turns[-1].guess) == (played.depths[game], secret)
            assert turns == play("3x4", parse(name), secret)
        depths, _ = play_draw(parse(name), watched.draw)  # as large boards are played
        assert (depths[watched.order] == played.depths).all()
        watched.take(name, played.depths, seconds=1.0, nodes=len(played.parents))
    assert watched.results.duels == expected.duels
    for one, other in zip(watched.results.standings, expected.standings, strict=True):
        assert (one.total, one.histogram, one.interval) == (
            other.total,
            other.histogram,
            other.interval,
        )


def test_games_by_the_clock_end_with_their_time() -> None:
    watched = Race("3x4", ["first"], games=50)
    played = EntrantGames(p.to_bytes() for p in watched.play_by_clock("first", EntrantGames(), 60))
    assert len(played) == 50
    watched.take("first", played.depths, seconds=played.seconds, nodes=1, timed=True)
    (standing,) = watched.results.standings
    assert standing.played is not None
    assert 50 * standing.played.seconds == pytest.approx(played.seconds)
    assert list(watched.play_by_clock("first", EntrantGames(), 0.0)) == []
