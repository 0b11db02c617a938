"""The command line in French: help, errors, games, tables; and what stays the same in it."""

import json
import re
from pathlib import Path

import click
import pytest

from pegwise.cli.main import _COMMANDS, cli
from pegwise.i18n import speaking
from tests.cli.running import Run, refused

OURS = re.compile(
    r"\b(the|of|and|with|every|which|what|this|that|from|each|guess|guesses|mark|tree|file|write)\b",
    re.IGNORECASE,
)
"""Words of English sentences, which stand in no French one."""


@pytest.mark.parametrize("name", ["", *_COMMANDS])
def test_help_is_french(run: Run, name: str) -> None:
    ended = run(*filter(None, [name]), "--help", "--lang", "fr")
    assert ended.status == 0
    text = re.sub(r"Exemple\s:.*", "", ended.out, flags=re.DOTALL)
    text = re.sub(r"\[[^]]*\]|[\w]*-[\w-]+|PEGWISE_\w+", "", text)  # values and names are English
    assert set(OURS.findall(text)) <= {"tree"}, text  # the command, and a format
    assert "Usage\u00a0:" in ended.out
    assert "Options\u00a0:" in ended.out
    assert "Montrer ce message et finir." in ended.out


def texts(name: str) -> list[str]:
    """The help of a command and of its options, each as one line."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = [p.help for p in command.params if isinstance(p, click.Option)]
    return [" ".join(text.split()) for text in (command.help, command.epilog, *options) if text]


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_help_text_is_translated(name: str) -> None:
    """Not only those in whose English one of the words above stands."""
    with speaking("fr"):
        french = texts(name)
    assert len(french) > 1
    assert not set(french) & set(texts(name))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["racee"], "nom inconnu (commande) : 'racee' (vouliez-vous dire 'race' ?) ; possibles : "),
        (["race", "4x99"], "règles '4x99' : couleurs : de 1 à 26, non 99"),
        (
            ["race", "-s", "kunth"],
            "nom inconnu (stratégie) : 'kunth' (vouliez-vous dire 'knuth' ?)",
        ),
        (["race", "--gamess"], "Il n’y a pas d’option '--gamess'"),
        (["race", "--games", "0"], "--games '0' : donnez un nombre entier de 1 à "),
        (["show"], "Il manque l’argument 'FICHIER' (voir pegwise show --help)"),
        (
            ["verify", "no.tree"],
            "impossible de lire 'no.tree' : aucun fichier ni dossier de ce nom",
        ),
        (
            ["candidates", "ABCD=XXXO"],
            "la réponse 'XXXO' est impossible : avec 3 pions sur 4 à leur place, un dernier pion "
            "de la bonne couleur serait aussi à sa place ; ",
        ),
        (
            ["optimal", "9x9"],
            "9x9 a 387 420 489 codes, trop pour une recherche exacte (au plus 25 000 ; il y "
            "faudrait des millions d’années) ; ",
        ),
        (["--lang"], "--lang needs a language: en, fr"),
        (["--lang", "de"], "unknown language 'de'; known: en, fr"),
    ],
)
def test_errors(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    if "--lang" not in arguments:
        monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    said = refused(run(*arguments)).replace("\u00a0", " ").replace("\u202f", " ")
    assert said.startswith(f"pegwise: {sentence}")


def test_a_language_is_chosen_anywhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    french = run("--lang", "fr", "bounds", "2x2").out
    assert french.startswith("2x2\u00a0: 4 codes, ")
    assert run("bounds", "--lang=fr", "2x2").out == french
    monkeypatch.setenv("PEGWISE_LANG", "fr")
    assert run("bounds", "2x2").out == french
    assert run("bounds", "2x2", "--lang", "en").out.startswith("2x2: 4 codes, ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["candidates", "4x6", "ABCD=XXO"],
        ["candidates", "2x2", "AA=XX", "BB=XX"],
        ["bounds", "2x3"],
        ["static", "2x3", "--fresh"],
        ["strategies", "knuth"],
    ],
)
def test_json_is_the_same_in_every_language(run: Run, arguments: list[str]) -> None:
    documents = [json.loads(run(*arguments, "--json", "--lang", name).out) for name in ("en", "fr")]
    assert documents[0] == documents[1]


def test_a_race(run: Run) -> None:
    out = run("race", "2x3", "-s", "knuth", "-s", "first", "--lang", "fr").out
    rules = "2x3 (2 pions, 3 couleurs, les couleurs peuvent se répéter)"
    assert out.replace("\n", " ").startswith(f"{rules}\u00a0: tous les codes, 9 en tout")
    assert re.search(r"^stratégie +moyenne +total +pire cas +temps", out, re.MULTILINE)
    assert re.search(r"^knuth +\d,\d{3} ", out, re.MULTILINE)
    assert "Paire par paire\u00a0: " in out


def test_a_report_and_a_chart(run: Run, tmp_path: Path) -> None:
    files = ["--report", "r.html", "--chart", "c.svg"]
    assert run("race", "2x3", "-s", "knuth", *files, "--lang", "fr").status == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    for words in ("Une stratégie, tous les codes", "Rapport d’une course", "Recommencer"):
        assert words in page
    assert "Strategies" not in page
    assert "Propositions nécessaires sur 2x3" in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_a_game_with_french_words(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands are known in French and in English, and near misses of both."""
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    ended = run(
        *("solve", "4x6", "-s", "knuth", "--lang", "fr"),
        typed="aide\nXO\nannuler\nrestant\npourquoi\nundo\nrien\ncode ABCD\n",
    )
    said = ended.out.replace("\u00a0", " ").replace("\u202f", " ")
    assert re.search(r"^  annuler +annuler le dernier tour$", said, re.MULTILINE)
    assert "Le tour 1, AABB=XO, est annulé." in said
    assert "(vouliez-vous dire 'restants' ?)" in " ".join(said.split())
    assert "Les meilleures propositions selon minimax : la plus petite des plus grandes" in said
    assert "Réponse donnée au tour 1, AABB : - ; ABCD donne XO." in said
    assert "1 296" in said
    assert ended.status == 0


def test_a_contradiction_is_explained(run: Run) -> None:
    ended = run("candidates", "ABCD=-", "ABCD=XX", "--lang", "fr")
    assert ended.status == 1
    said = ended.out.replace("\u00a0", " ").replace("\u202f", " ")
    assert said.startswith("Aucun code de 4x6 ne convient à ces 2 tours : ")
    assert "Si une seule réponse est fausse, c’est l’une de celles-ci" in said
