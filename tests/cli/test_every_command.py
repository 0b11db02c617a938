"""Each command once, in its cheapest form: what it imports is there, in the oldest versions too."""

import re
import signal
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


def test_every_command_runs(run: Run) -> None:
    for name, arguments in CHEAPEST.items():
        ended = run(*arguments, typed="quit\n" if name in ("play", "puzzle") else "")
        assert ended.status == 0, (arguments, ended.err)
        assert ended.out, arguments
    assert {*CHEAPEST, "serve"} == set(cli.list_commands(click.Context(cli)))


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
