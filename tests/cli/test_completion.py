"""Completion at the Tab key: what is proposed, and that real shells take the scripts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from pegwise.cli.completion import SHELLS
from pegwise.cli.main import cli
from tests.cli.running import Run, refused


def proposed(*words: str) -> list[str]:
    """What may stand for the last of the words."""
    complete = ShellComplete(cli, {}, "pegwise", "_PEGWISE_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


def test_commands() -> None:
    assert proposed("ra") == ["race"]
    assert proposed("re") == ["records", "review"]
    assert set(proposed("")) == set(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("command", ["race", "tree", "solve"])
def test_strategies(command: str) -> None:
    assert proposed(command, "4x6", "-s", "kn") == ["knuth"]
    assert proposed(command, "4x6", "--strategy", "marechal") == [
        f"marechal-rastoix-{k}" for k in (1, 2, 3)
    ]


def test_strategies_that_are_shown() -> None:
    assert proposed("strategies", "knuth", "irv") == ["irving"]


def test_rules() -> None:
    assert proposed("race", "cl") == ["classic"]
    assert proposed("bounds", "bulls") == ["bulls-and-cows"]
    assert "4x6" in proposed("race", "4")
    assert proposed("race", "4x10,dis") == ["4x10,distinct", "4x10,distinct-secrets"]
    assert proposed("race", "4x10,black,b") == ["4x10,black,blank"]


def test_options() -> None:
    assert "--report" in proposed("race", "--re")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script(run: Run, shell: str) -> None:
    ended = run("completion", shell)
    assert (ended.status, ended.err) == (0, "")
    assert "_PEGWISE_COMPLETE" in ended.out


def test_the_shell_in_use(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert run("completion").out == run("completion", "fish").out
    monkeypatch.setenv("SHELL", "/usr/bin/tcsh")
    assert "write pegwise completion bash, zsh or fish" in refused(run("completion"))
    assert "did you mean 'zsh'" in refused(run("completion", "szh"))


QUESTIONS = {
    "bash": (
        "source script; COMP_WORDS=(pegwise race 4x6 -s kn); COMP_CWORD=4; "
        "_pegwise_completion pegwise; echo ${COMPREPLY[@]}"
    ),
    "fish": "source script; complete -C 'pegwise race 4x6 -s kn'",
    # zsh completes only at a terminal; that it takes the script is what can be asked here
    "zsh": "autoload -U compinit; compinit -u -D; source ./script; echo ${_comps[pegwise]}",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_real_shells(run: Run, tmp_path: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not here")
    (tmp_path / "script").write_text(run("completion", shell).out)
    command = tmp_path / "pegwise"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pegwise "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(
        [program, "-c", QUESTIONS[shell]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=60,
    )
    wanted = "_pegwise_completion" if shell == "zsh" else "knuth"
    assert done.stdout.split()[:1] == [wanted], done.stderr
