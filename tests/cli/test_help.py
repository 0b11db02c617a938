"""Help: every command has one with an example that can be typed; colors go off when asked."""

import re
import shlex
from pathlib import Path

import click
import pytest

from pegwise.cli.main import cli
from tests.cli.running import Run
from tests.cli.terminal import terminal

COMMANDS = cli.list_commands(click.Context(cli))


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(run: Run, name: str) -> None:
    ended = run(name, "--help")
    assert (ended.status, ended.err) == (0, "")
    epilog = command(name).epilog or ""
    assert epilog.startswith("Example: ")
    assert " ".join(epilog.split()) in " ".join(ended.out.split())
    # the example is one that this command takes
    words = shlex.split(epilog.removeprefix("Example: ").removeprefix('eval "$(').rstrip(')"'))
    assert words[:2] == ["pegwise", name]
    context = command(name).make_context(name, words[2:], resilient_parsing=True)
    assert not context.args


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").endswith("."), parameter.name
    assert (command(name).help or "").partition("\n")[0].endswith(".")


def test_the_name_alone_shows_what_there_is(run: Run) -> None:
    ended = run()
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == run("--help").out
    listed = re.findall(r"^  ([a-z]+)  ", ended.out, re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("columns", ["40", "200"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_its_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = run(*filter(None, [name]), "--help").out.splitlines()
    # an option with its value is one word, and so is a command to type
    readable = [line for line in lines if not re.match(r"  +(-|\S+$)", line)]
    assert [line for line in readable if len(line) > min(int(columns), 100)] == []


SHOWN = ["strategies", "knuth"]
RACED = ["race", "2x3", "-s", "first"]
PLAYED = ["solve", "3x4", "--secret", "ABC"]


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ([*SHOWN, "--no-color"], {}),
        (["--no-color", *SHOWN], {}),
        (SHOWN, {"TERM": "dumb"}),
        ([*RACED, "--no-color"], {}),
        (RACED, {"NO_COLOR": "1"}),
        ([*PLAYED, "--no-color"], {}),
        (PLAYED, {"TERM": "dumb"}),
    ],
)
def test_no_colors_when_asked(
    tmp_path: Path, arguments: list[str], environment: dict[str, str]
) -> None:
    with terminal(tmp_path, *arguments, environment=environment) as screen:
        assert screen.leaves() == 0
        # a library may set back, at the end, what nobody has set
        assert not re.search(r"\x1b\[[1-9][0-9;]*m", screen.read)


def test_colors_otherwise(tmp_path: Path) -> None:
    with terminal(tmp_path, "strategies", "knuth") as screen:
        assert screen.leaves() == 0
        assert "\x1b[1mknuth" in screen.read
