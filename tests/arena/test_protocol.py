"""The races of Maréchal and Rastoix."""

import pytest

from pegwise._version import __version__
from pegwise.arena.protocols import PROTOCOLS, protocol
from pegwise.errors import InputError, UnknownNameError
from pegwise.strategies import load

REPORT = PROTOCOLS["marechal-rastoix"]


def test_what_the_report_says() -> None:
    # section 5.1: six, eight, eight, twenty colors in four holes, the third without repetition,
    # and four colors in six holes; a million codes each; three strategies
    boards = [str(rules) for rules in REPORT.rules]
    assert boards == ["4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4"]
    assert REPORT.games == 1_000_000
    assert list(REPORT.strategies) == [f"marechal-rastoix-{k}" for k in (1, 2, 3)]


def test_the_races() -> None:
    strategies = [load(name) for name in ("marechal-rastoix-3", "greenwell", "parts")]
    races = REPORT.races(strategies[:2], games=3000, seed=4)
    results = [race.run() for race in races]
    assert [found.rules for found in results] == [str(rules) for rules in REPORT.rules]
    for found in results:
        assert (found.games, found.seed) == (3000, 4)
        assert found.standings[0].exact is not None
        raced = [standing.strategy for standing in found.standings]
        # greenwell plays 4x6 only
        assert raced == ["marechal-rastoix-3", "greenwell"][: len(raced)]
        assert (len(raced) == 2) == (found.rules == "4x6")
        assert [who for who, _ in found.skipped] == ["greenwell"] * (2 - len(raced))
    document = REPORT.document(results)
    assert document["version"] == __version__
    assert document["protocol"] == "marechal-rastoix"
    assert [race["rules"] for race in document["races"]] == [found.rules for found in results]


def test_a_million_games_by_default() -> None:
    race = REPORT.races([load("marechal-rastoix-3")])[0]
    (standing,) = race.run().standings
    assert standing.secrets == sum(standing.histogram) == 1_000_000
    assert standing.interval is not None
    assert standing.interval[1] - standing.interval[0] < 0.01


def test_names_and_numbers() -> None:
    assert protocol("marechal-rastoix") is REPORT
    with pytest.raises(UnknownNameError, match="did you mean 'marechal-rastoix'"):
        protocol("marechal")
    with pytest.raises(InputError):
        REPORT.races([load("knuth")], games=-5)
