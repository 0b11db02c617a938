"""Each command once, in its cheapest form: what it imports is there, in the oldest versions too."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from pegwise.cli.main import cli
from tests.cli.running import Run
from tests.programs import PATIENCE, Start

CHEAPEST: dict[str, tuple[str, ...]] = {
    "play": ("play", "2x2", "--seed", "1"),
    "solve": ("solve", "2x2", "--secret", "AB"),
    "puzzle": ("puzzle", "2x3", "--seed", "1"),
    "candidates": ("candidates", "2x3", "AB=O"),
    "why": ("why", "2x3", "--among", "AB,BA"),
    "explain": ("explain", "2x3", "AB=O"),
    "mark": ("mark", "2x3", "AB", "BA"),
    "review": ("review", "2x3", "AB=O", "BC=XX"),
    "games": ("games",),
    "race": ("race", "2x3", "-s", "knuth", "-s", "first", "--report", "race.html"),
    "strategies": ("strategies",),
    "tree": ("tree", "2x3", "-s", "first", "-o", "first.tree"),
    "verify": ("verify", "first.tree"),
    "show": ("show", "first.tree"),
    "optimal": ("optimal", "2x3", "--search"),
    "value": ("value", "2x2"),
    "static": ("static", "2x2"),
    "bounds": ("bounds", "2x3"),
    "records": ("records", "2x3"),
    "gaps": ("gaps",),
    "words": ("words",),
    "storage": ("storage",),
    "compile": ("compile", "--help"),  # `make` has run it before the tests
    "completion": ("completion", "bash"),
}
"""Each ends by itself; `serve`, which does not, has a test of its own."""


@pytest.mark.slow
def test_every_command_runs(run: Run) -> None:
    for name, arguments in CHEAPEST.items():
        ended = run(*arguments, typed="quit\n" if name in ("play", "puzzle") else "")
        assert ended.status == 0, (arguments, ended.err)
        assert ended.out, arguments
    assert {*CHEAPEST, "serve"} == set(cli.list_commands(click.Context(cli)))


HEAVY = {"numba", "rich.table", "pegwise.pictures", "pegwise.arena", "ortools", "sqlalchemy"}
"""Modules that take long to import: a command loads one only for what it does."""

USUAL: dict[tuple[str, ...], set[str]] = {
    ("--help",): set(),
    ("play", "4x6", "--seed", "1"): set(),
    ("solve", "4x6", "-s", "knuth", "--secret", "AABB"): set(),
    ("puzzle", "4x6", "--seed", "1"): set(),
    ("candidates", "4x6", "AABB=XXO"): set(),
    ("why", "4x6", "--among", "AABB,AAAB"): set(),
    ("explain", "4x6", "AABB=XO"): set(),
    ("mark", "4x6", "AABB", "BBAA"): set(),
    ("review", "4x6", "AABB=O", "CCDD=XX"): {"numba"},
    ("games",): set(),
    ("race", "4x6", "-s", "knuth", "-s", "entropy"): {"pegwise.arena"},
    ("strategies",): set(),
    ("tree", "4x6", "-s", "knuth", "-o", "knuth.tree"): {"pegwise.arena"},
    ("optimal", "4x6"): set(),
    ("value", "4x4"): set(),
    ("static", "4x4"): set(),
    ("bounds", "4x6"): set(),
    ("records", "4x6"): set(),
    ("words",): set(),
    ("storage",): set(),
}
"""What a command may load of `HEAVY`, with small games and where its output is no terminal."""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", USUAL, ids=" ".join)
def test_a_command_loads_only_what_it_needs(arguments: tuple[str, ...], tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pegwise.__main__ import main\n"
        f"try:\n    main()\nfinally:\n    print({HEAVY} & {{*sys.modules}}, file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        check=False,
        cwd=tmp_path,
        input="quit\n",
        capture_output=True,
        text=True,
    )
    loaded = eval(ended.stderr.splitlines()[-1], {"set": set})
    assert (ended.returncode, loaded - USUAL[arguments]) == (0, set())


@pytest.mark.slow
def test_the_site_starts(start: Start) -> None:
    pytest.importorskip("uvicorn")
    serving = start("serve", "--port", "0")
    assert serving.stdout is not None
    said = serving.stdout.readline()
    address = re.search(r"http://\S+", said)
    assert address, said or serving.communicate()
    with urlopen(address[0], timeout=PATIENCE) as answer:
        assert answer.status == 200
        assert b"pegwise" in answer.read()
    serving.send_signal(signal.SIGTERM)
    _, err = serving.communicate(timeout=PATIENCE)
    assert (serving.returncode, err) == (0, "")
