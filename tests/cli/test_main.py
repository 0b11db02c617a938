"""Help, languages and completion: of every command, in a terminal of any width."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from pegwise.cli.completion import SHELLS
from pegwise.cli.main import cli
from pegwise.i18n import speaking
from tests.cli.running import Run, refused
from tests.programs import PATIENCE

COMMANDS = cli.list_commands(click.Context(cli))


def command(name: str) -> click.Command:
    loaded = cli.get_command(click.Context(cli), name)
    assert loaded is not None
    return loaded


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_and_explains_its_options(run: Run, name: str) -> None:
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
    for parameter in command(name).params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").endswith("."), parameter.name
    assert (command(name).help or "").partition("\n")[0].endswith(".")


def test_the_name_alone_says_what_to_type(run: Run) -> None:
    ended = run()
    assert (ended.status, ended.err) == (0, "")
    typed = re.findall(r"^  pegwise (\S+) ", ended.out, re.MULTILINE)
    assert typed == ["play", "solve", "race", "serve", "--help"]
    listed = re.findall(r"^  ([a-z]+)  ", run("--help").out, re.MULTILINE)
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


# languages

OURS = re.compile(
    r"\b(the|of|and|with|every|which|what|this|that|from|each|guess|guesses|mark|tree|file|write)\b",
    re.IGNORECASE,
)
"""Words of English sentences, which stand in no French one."""


def unbroken(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def texts(name: str) -> list[str]:
    """The help of a command and of its options, each as one line."""
    options = [p.help for p in command(name).params if isinstance(p, click.Option)]
    all_texts = (command(name).help, command(name).epilog, *options)
    return [" ".join(text.split()) for text in all_texts if text]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_french(run: Run, name: str) -> None:
    ended = run(*filter(None, [name]), "--help", "--lang", "fr")
    assert ended.status == 0
    text = re.sub(r"Exemple\s:.*", "", ended.out, flags=re.DOTALL)
    text = re.sub(r"\[[^]]*\]|[\w]*-[\w-]+|PEGWISE_\w+", "", text)  # values and names are English
    assert set(OURS.findall(text)) <= {"mark", "tree"}, text  # commands, and a format
    for words in ("Usage\u00a0:", "Options\u00a0:", "Montrer ce message et finir."):
        assert words in ended.out
    if name:
        with speaking("fr"):
            french = texts(name)
        assert len(french) > 1
        assert not set(french) & set(texts(name))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["racee"],
            "commande : 'racee' est introuvable (peut-être 'race' ?) ; possibles : ",
        ),
        (["race", "--gamess"], "Il n’y a pas d’option '--gamess'"),
        (["show"], "Il manque l’argument 'FICHIER' (voir pegwise show --help)"),
        (["verify", "a"], "impossible de lire 'a' : aucun fichier ni dossier de ce nom"),
        (["optimal", "9x9"], "9x9 a 387 420 489 codes, trop pour une recherche exacte (au plus "),
        (["--lang"], "--lang needs a language: en, fr"),
        (["--lang", "de"], "unknown language 'de'; known: en, fr"),
    ],
)
def test_errors_in_french(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    if "--lang" not in arguments:
        monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert unbroken(refused(run(*arguments))).startswith(f"pegwise: {sentence}")


def test_a_language_is_chosen_anywhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    french = run("--lang", "fr", "bounds", "2x2").out
    assert french.startswith("2x2\u00a0: 4 codes, ")
    assert run("bounds", "--lang=fr", "2x2").out == french
    monkeypatch.setenv("PEGWISE_LANG", "fr")
    assert run("bounds", "2x2").out == french
    assert run("bounds", "2x2", "--lang", "en").out.startswith("2x2: 4 codes, ")


@pytest.mark.parametrize(
    "arguments",
    [["candidates", "2x2", "AA=XX", "BB=XX"], ["bounds", "2x3"], ["strategies", "knuth"]],
)
def test_json_is_the_same_in_every_language(run: Run, arguments: list[str]) -> None:
    documents = [json.loads(run(*arguments, "--json", "--lang", name).out) for name in ("en", "fr")]
    assert documents[0] == documents[1]


def test_a_race_in_french(run: Run) -> None:
    files = ["--report", "r.html", "--lang", "fr"]
    out = run("race", "2x3", "-s", "knuth", "-s", "first", *files).out
    rules = "2x3 (2 pions, 3 couleurs, les couleurs peuvent se répéter)"
    assert out.replace("\n", " ").startswith(f"{rules}\u00a0: tous les codes, 9 en tout")
    assert re.search(r"^knuth +\d,\d{3} ", out, re.MULTILINE)
    page = Path("r.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    assert "Deux stratégies, tous les codes" in page and "Strategies" not in page


def test_a_game_with_french_words(run: Run) -> None:
    """Commands are known in French and in English, and near misses of both."""
    ended = run(
        *("solve", "4x6", "-s", "knuth", "--lang", "fr"),
        typed="aide\nXO\nannuler\nrestant\npourquoi\nundo\nrien\ncode ABCD\n",
    )
    said = unbroken(ended.out)
    assert "Le tour 1, AABB=XO, est annulé." in said
    assert "(peut-être 'restants' ?)" in " ".join(said.split())
    assert "Réponse donnée au tour 1, AABB : - ; le code ABCD donne XO." in said
    assert ended.status == 0


# streams that fail

PRINTING = [
    ["--help"], ["--version"], ["completion", "bash"], ["candidates", "2x2", "AA=XX", "BB=XX"],
    ["race", "2x3", "-s", "first"], ["solve", "2x3", "--secret", "AB"], ["bounds", "2x2", "--json"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_standard_output_that_is_full_or_closed(run: Run, arguments: list[str]) -> None:
    assert run(*arguments, stdout=None) == (2, "", "pegwise: standard output is closed\n")
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    with Path("/dev/full").open("w") as full:
        reason = "pegwise: cannot write to standard output: No space left on device\n"
        assert run(*arguments, stdout=full) == (2, "", reason)


@pytest.mark.parametrize("command", [["play"], ["solve"], ["review", "-"]])
def test_standard_input_that_is_closed(run: Run, command: list[str]) -> None:
    ended = run(*command, typed=None)
    assert ended.status == 2
    assert ended.err.endswith("pegwise: standard input is closed\n")


def test_standard_error_that_is_full_or_closed(run: Run) -> None:
    assert run("race", "4x0", stderr=None).status == 2
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            assert run("race", "4x0", stderr=full).status == 2


# completion


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["ra"], ["race"]),
        (["re"], ["review", "records"]),
        ([""], COMMANDS),
        *((([name, "4x6", "-s", "kn"]), ["knuth"]) for name in ("race", "tree", "solve")),
        (["race", "4x6", "--strategy", "marechal"], [f"marechal-rastoix-{k}" for k in (1, 2, 3)]),
        (["strategies", "knuth", "irv"], ["irving"]),
        (["race", "cl"], ["classic"]),
        *(
            ([name, "bulls"], ["bulls-and-cows"])
            for name in ("bounds", "candidates", "explain", "mark")
        ),
        (["race", "4x10,dis"], ["4x10,distinct", "4x10,distinct-secrets"]),
        (["race", "4x10,black,b"], ["4x10,black,blank"]),
        (["race", "--rep"], ["--report"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_completion(words: list[str], values: list[str]) -> None:
    complete = ShellComplete(cli, {}, "pegwise", "_PEGWISE_COMPLETE")
    assert [item.value for item in complete.get_completions(words[:-1], words[-1])] == values


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


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_real_shells(run: Run, tmp_path: Path, shell: str) -> None:
    script = run("completion", shell)
    assert (script.status, script.err) == (0, "")
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not here")
    (tmp_path / "script").write_text(script.out)
    called = tmp_path / "pegwise"
    called.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pegwise "$@"\n')
    called.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(
        [program, "-c", QUESTIONS[shell]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=PATIENCE,
    )
    answer = "_pegwise_completion" if shell == "zsh" else "knuth"
    assert done.stdout.split()[:1] == [answer], done.stderr


def test_help_shows_the_usual_options_and_help_all_the_rest(run: Run) -> None:
    usual, whole = run("race", "--help").out, run("race", "--help-all").out
    assert "\n  --help-all " in usual
    assert "--help-all" not in whole
    for option in command("race").params:
        name = option.opts[-1] if isinstance(option, click.Option) else ""
        if name.startswith("--") and name != "--help-all":
            assert f"{name} " in whole
            assert (f"{name} " in usual) != option.hidden  # type: ignore[attr-defined]
    assert "--memory" not in usual
    assert "--help-all" not in run("mark", "--help-all").out
    assert "Montrer" in run("race", "--help", "--lang", "fr").out


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help").out == run("--help").out
    assert run("help", "race").out == run("race", "--help").out
    assert "unknown command 'rice'" in run("help", "rice").err
