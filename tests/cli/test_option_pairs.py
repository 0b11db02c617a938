"""A refusal of options comes before any work: pairs of options of the commands that work long."""

from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pegwise.cli import tree
from pegwise.search.beam.search import BeamSearch
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.static.search import StaticSearch
from pegwise.search.value import ValueSearch
from tests.cli.running import Run

VALUES = {
    "optimal": (
        *("--objective worst-case", "--within 4", "--utility utility.txt", "--against first"),
        *("--max-guesses 4", "--weights weights.txt", "--guesses candidates", "--first AB"),
        *("--effort 1", "--format csv", "--notation digits", "--certificate a.proof", "--jobs 1"),
        *("--memory 64MiB", "--checkpoint a.cp", "--fresh", "--search", "-o a.tree", "--json"),
    ),
    "value": (
        *("--also guesses.txt", "--stored", "--notation digits", "--certificate a.proof"),
        *("--jobs 1", "--memory 64MiB", "--checkpoint a.cp", "--fresh", "--search", "-o a.value"),
        "--json",
    ),
    "static": (
        *("--size 3", "--certificate a.proof", "--seed 3", "--notation digits", "--jobs 1"),
        *("--memory 64MiB", "--checkpoint a.cp", "--fresh", "--search", "-o a.txt", "--json"),
    ),
    "tree -s first": (
        *("--also guesses.txt", "-o a.tree", "--format csv", "--depth 2", "--notation digits"),
        *("--json", "--weights weights.txt", "--seed 3", "--jobs 1", "--memory 64MiB"),
    ),
    "race -s first": (
        *("--also guesses.txt", "--secrets 2", "--games 3", "--max-guesses 3", "--played 2"),
        *("--weights weights.txt", "--seed 3", "--jobs 1", "--memory 64MiB", "--dry-run"),
        *("--guess-seconds 1", "--losses", "--losses-seconds 1", "--notation digits", "--json"),
        *("--csv a.csv", "--turns b.csv", "--transcript t.txt"),
    ),
}
GAMES = ("2x3", "2x3,hard", "placed,hard --words words.txt")


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the works that were begun."""
    begun: list[str] = []

    def note(owner: Any, name: str) -> None:
        work = getattr(owner, name)

        def begin(*values: Any, **named: Any) -> Any:
            begun.append(owner.__name__)
            return work(*values, **named)

        monkeypatch.setattr(owner, name, begin)

    for search in (OptimalSearch, BeamSearch, StaticSearch, ValueSearch):
        note(search, "run")
    race = import_module("pegwise.arena.race")  # the package has a function of this name
    note(race, "build")
    note(race, "play_draw")
    note(tree, "build")
    return begun


@pytest.mark.slow
@pytest.mark.parametrize("command", VALUES)
@pytest.mark.parametrize("game", GAMES)
def test_refusals_come_before_work(
    run: Run, entered: list[str], tmp_path: Path, command: str, game: str
) -> None:
    words = ["AB", "BA", "CA", "CB", "AC"]
    texts = {"words.txt": words, "guesses.txt": ["AA", "BB"]}
    texts |= {"weights.txt": ["* 1", "AB 2"], "utility.txt": ["1 3", "2 2", "3 1"]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    name, *strategy = command.split()
    statuses = set()
    for pair in combinations(VALUES[command], 2):
        for written in tmp_path.glob("[abt].*"):
            written.unlink()
        entered.clear()
        arguments = [name, *game.split(), *strategy, *" ".join(pair).split()]
        ended = run(*arguments)
        statuses.add(ended.status)
        assert ended.status in (0, 1, 2), (arguments, ended)
        if ended.status == 2:
            assert not entered, (arguments, ended.err)
            assert ended.out == "" and ended.err.startswith("pegwise: "), (arguments, ended)
    assert 2 in statuses
