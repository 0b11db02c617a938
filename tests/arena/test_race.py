"""Races: exact figures, drawn games, what is kept when they stop, who may enter."""

from dataclasses import replace
from typing import Any

import pytest

from pegwise.arena import Exact, Race, RaceResults, Standing, entrants, race
from pegwise.arena.draw import Numbered
from pegwise.errors import InputError, MissingExtraError, StrategyError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, mastermind
from pegwise.progress import Progress
from pegwise.strategies import Strategy, load, names, options_of, parse, registry
from pegwise.trees import build
from tests.arena.strategies import FAILURES, Bad, Losing

ONE_STEP = ["knuth", "irving", "entropy", "parts"]


def strategies(*texts: str) -> list[Strategy]:
    return [parse(text) for text in texts]


def timeless(results: RaceResults) -> RaceResults:
    return replace(results, standings=tuple(replace(s, seconds=0) for s in results.standings))


@pytest.mark.parametrize(
    ("name", "total", "histogram"),
    [
        ("first", 7471, (1, 4, 25, 108, 305, 602, 196, 49, 6)),
        ("knuth", 5801, (1, 6, 62, 533, 694)),
        ("irving", 5696, (1, 10, 54, 645, 583, 3)),
        ("entropy", 5722, (1, 4, 71, 612, 596, 12)),
        ("parts", 5668, (1, 12, 72, 635, 569, 7)),
    ],
)
def test_the_published_figures(name: str, total: int, histogram: tuple[int, ...]) -> None:
    (standing,) = race(mastermind("4x6"), [load(name)]).standings
    assert (standing.total, standing.histogram) == (total, histogram)
    assert (standing.worst, standing.mean) == (len(histogram), total / 1296)
    assert (standing.secrets, standing.interval, standing.exact) == (1296, None, None)
    assert standing.nodes == len(build(load(name), mastermind("4x6")))


def test_results_say_what_was_raced() -> None:
    results = race(mastermind("3x4"), strategies("knuth:then=size", "first"), seed=5)
    assert (results.rules, results.secrets, results.seed, results.games) == ("3x4", 64, 5, None)
    assert [s.strategy for s in results.standings] == ["knuth:then=size", "first"]
    assert results.standings[0].card is load("knuth").card
    assert results.standings[0].options == {"then": "size"}
    assert results.command == "pegwise race 3x4 -s knuth:then=size -s first --seed 5"
    drawn = race(mastermind("3x4"), strategies("first"), games=7)
    assert drawn.command == "pegwise race 3x4 -s first --games 7"


def test_drawn_games_are_the_same_for_all() -> None:
    found = Race(mastermind("4x6"), strategies(*ONE_STEP), games=500, seed=9)
    results = found.run()
    whole = race(mastermind("4x6"), strategies(*ONE_STEP))
    assert isinstance(found.draw, Numbered)
    for standing, exact in zip(results.standings, whole.standings, strict=True):
        tree = build(parse(standing.strategy), mastermind("4x6"))
        played = tree.depths()[found.draw.numbers]
        assert found.depths[standing.strategy].tolist() == played.tolist()
        assert standing.secrets == sum(standing.histogram) == 500
        assert standing.total == (played * found.draw.times).sum()
        assert standing.mean == standing.total / 500
        assert standing.exact == Exact(exact.mean, exact.total, exact.worst)
        assert standing.interval is not None
        low, high = standing.interval
        assert low < standing.mean < high
    assert all(d.first_faster + d.second_faster + d.ties == 500 for d in results.duels)


@pytest.mark.parametrize("games", [None, 300])
def test_the_same_seed_gives_the_same_result_on_any_number_of_threads(games: int | None) -> None:
    one, two = (
        race(mastermind("4x5"), strategies(*ONE_STEP, "random"), games=games, seed=3, threads=k)
        for k in (1, 2)
    )
    assert timeless(one) == timeless(two)


def test_another_seed_draws_other_games() -> None:
    first, second = (
        race(mastermind("4x6"), strategies("knuth"), games=300, seed=k).standings[0] for k in (1, 2)
    )
    assert first.histogram != second.histogram
    assert first.exact == second.exact


def test_boards_too_large_to_list() -> None:
    results = race(mastermind("9x9"), strategies("marechal-rastoix-3"), games=5, seed=1)
    (standing,) = results.standings
    assert (results.secrets, standing.secrets, standing.exact) == (9**9, 5, None)
    assert standing.interval is not None
    assert sum(standing.histogram) == 5


def test_weights_count_in_total_and_mean() -> None:
    weights = [0, 5, *[1] * 14]
    game = Mastermind(Rules(2, 4), weights)
    tree = build(load("knuth"), game)
    (standing,) = race(game, strategies("knuth")).standings
    assert (standing.total, standing.mean, standing.worst) == (tree.total, tree.mean, tree.worst)
    assert standing.total != race(mastermind("2x4"), strategies("knuth")).standings[0].total
    assert sum(standing.histogram) == standing.secrets == 16
    (drawn,) = race(game, strategies("knuth"), games=20_000).standings
    assert drawn.exact == Exact(tree.mean, tree.total, tree.worst)
    assert drawn.mean == pytest.approx(tree.mean, abs=0.05)


def test_other_games() -> None:
    words = ["abc", "abd", "bca", "cab", "dad", "add", "bad", "dab"]
    game = FiniteGame(words, lambda g, s: sum(a == b for a, b in zip(g, s, strict=True)))
    results = race(game, strategies("first", "entropy"), games=30)
    assert [s.strategy for s in results.standings] == ["first", "entropy"]
    assert results.rules == "finite game"


def test_one_guess_is_enough_on_the_smallest_board() -> None:
    (standing,) = race(mastermind("1x1"), strategies("knuth")).standings
    assert (standing.total, standing.mean, standing.histogram) == (1, 1.0, (1,))


def test_the_clock_runs_while_a_strategy_plays() -> None:
    ticks = iter([10.0, 12.5, 20.0, 20.25])
    found = Race(mastermind("2x3"), strategies("first", "knuth"), clock=lambda: next(ticks))
    assert [standing.seconds for standing in found.run().standings] == [2.5, 0.25]


def test_standings_are_told_as_they_are_reached() -> None:
    told: list[Standing] = []
    results = race(mastermind("3x4"), strategies("first", "knuth"), on_standing=told.append)
    assert tuple(told) == results.standings


@pytest.mark.parametrize("games", [None, 10])
def test_progress_goes_forward_to_the_end(games: int | None) -> None:
    steps: list[Progress] = []
    race(mastermind("4x6"), strategies(*ONE_STEP, "first"), games=games, report=steps.append)
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert {step.total for step in steps} == {done[-1]}
    assert steps[0].best == ""
    assert steps[-1].best.startswith("best: parts 4.373" if games is None else "best: ")


def test_a_race_that_is_stopped_keeps_what_is_finished_and_goes_on() -> None:
    found = Race(mastermind("3x4"), strategies("knuth", "first", "random", "parts"), games=60)

    def stop(step: Progress) -> None:
        assert step.total is not None
        if step.done > step.total * 0.3:
            raise KeyboardInterrupt

    assert [who for who, _ in found.results.skipped] == ["knuth", "first", "random", "parts"]
    with pytest.raises(KeyboardInterrupt):
        found.run(report=stop)
    kept = found.results
    assert [s.strategy for s in kept.standings] == ["knuth"]
    assert kept.skipped == (
        ("first", "not finished"),
        ("random", "not finished"),
        ("parts", "not finished"),
    )
    whole = race(mastermind("3x4"), strategies("knuth", "first", "random", "parts"), games=60)
    assert timeless(found.run()) == timeless(whole)
    assert whole.skipped == ()


@pytest.mark.parametrize("name", FAILURES)
def test_a_strategy_that_fails_ends_the_race(name: str) -> None:
    found = Race(mastermind("2x3"), [load("knuth"), Bad(name), load("first")])
    with pytest.raises(StrategyError, match=FAILURES[name]):
        found.run()
    finished = [standing.strategy for standing in found.results.standings]
    # who cannot even begin is refused before anyone plays
    assert finished == ([] if name in {"refuses", "crashes-first"} else ["knuth"])


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("games", [None, 50])
def test_a_lenient_race_skips_a_strategy_that_fails(name: str, games: int | None) -> None:
    given = [load("knuth"), Bad(name), load("first")]
    results = Race(mastermind("2x3"), given, games=games, lenient=True).run()
    assert [standing.strategy for standing in results.standings] == ["knuth", "first"]
    assert [(duel.first, duel.second) for duel in results.duels] == [("knuth", "first")]
    ((who, why),) = results.skipped
    assert who == name
    with pytest.raises(StrategyError, match=FAILURES[name]):
        raise StrategyError(why)


def test_a_tree_that_loses_a_secret() -> None:
    with pytest.raises(StrategyError, match="losing never finds"):
        race(mastermind("2x3"), [Losing()])


def test_our_own_slips_are_not_excused(monkeypatch: pytest.MonkeyPatch) -> None:
    knuth = load("knuth")
    monkeypatch.setattr(type(knuth), "begin", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        Race(mastermind("2x3"), [knuth], lenient=True).run()


def test_strategies_that_need_the_list() -> None:
    given = strategies("marechal-rastoix-3", "knuth")
    with pytest.raises(TooLargeError, match="knuth: 9x9 has 387,420,489 secrets"):
        race(mastermind("9x9"), given, games=3)
    results = Race(mastermind("9x9"), given, games=3, lenient=True).run()
    assert [standing.strategy for standing in results.standings] == ["marechal-rastoix-3"]
    assert results.skipped[0][0] == "knuth"
    assert results.skipped[0][1].startswith("9x9 has 387,420,489 secrets, too many to list")


def test_strategies_that_cannot_play_these_rules() -> None:
    with pytest.raises(StrategyError, match="greenwell plays 4x6 only, not 3x4"):
        race(mastermind("3x4"), strategies("knuth", "greenwell"))


def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ortools.sat.python", None)
    line = r"pip install 'pegwise\[constraint\]'"
    with pytest.raises(MissingExtraError, match=line):
        race(mastermind("2x3"), strategies("constraint"))
    results = Race(mastermind("2x3"), strategies("constraint", "first"), lenient=True).run()
    assert [standing.strategy for standing in results.standings] == ["first"]
    assert "pip install 'pegwise[constraint]'" in results.skipped[0][1]


@pytest.mark.parametrize(
    ("texts", "numbers", "reason"),
    [
        ([], {}, "at least one strategy"),
        (["knuth", "first", "knuth:guesses=all"], {}, "'knuth' is given twice"),
        (["knuth"], {"games": 0}, "games=0"),
        (["knuth"], {"games": -1}, "games=-1"),
        (["knuth"], {"games": 5, "seed": -2}, "seed=-2"),
        (["knuth"], {"threads": 0}, "threads=0"),
    ],
)
def test_what_is_refused(texts: list[str], numbers: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        race(mastermind("2x3"), strategies(*texts), **numbers)


def test_everyone_races_who_is_not_slow() -> None:
    board = mastermind("4x13")  # of which no tree comes with the program
    found, left_out = entrants(board)
    slow = [name for name in names() if "slow" in load(name).card.traits]
    assert "constraint" in slow
    assert [s.card.id for s in found] == [name for name in names() if name not in slow]
    assert left_out == [(name, f"slow; name it to let it race: -s {name}") for name in slow]
    seeds = {s.card.id: options_of(s).get("seed") for s in entrants(board, seed=6)[0]}
    drawn = {name for name in seeds if "random" in load(name).card.traits}
    assert {name for name, seed in seeds.items() if seed == 6} == drawn == {"random", "sampling"}


def test_slow_strategies_race_where_their_tree_is_stored() -> None:
    racing = {s.card.id for s in entrants(mastermind("4x6"))[0]}
    assert {"optimal", "optimal-worst"} <= racing
    assert not {"constraint", "viaud"} & racing


def test_strategies_that_do_not_load_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "absent"
        value = "nowhere:Nothing"

        def load(self) -> None:
            raise MissingExtraError.of("strategy absent", "absent")

    monkeypatch.setattr(registry, "entry_points", lambda group: [Entry()])
    assert ("absent", "pip install 'pegwise[absent]'") in [
        (name, why[-29:]) for name, why in entrants(mastermind("4x6"))[1]
    ]
