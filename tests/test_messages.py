"""The catalogues: whole, in step with the sources, with the same places for values."""

import ast
import builtins
import gettext
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from tools.messages import (
    PACKAGE,
    SOURCES,
    as_binary,
    as_text,
    catalogues,
    click_texts,
    sentences,
    updated,
)

from pegwise.i18n import LANGUAGES, SOURCE

FILES = {kind: catalogues(kind) for kind in SOURCES}
each_catalogue = pytest.mark.parametrize(
    ("kind", "language"), [(kind, language) for kind, files in FILES.items() for language in files]
)


@cache
def messages_of(kind: str, language: str) -> Catalog:
    """A catalogue in step with the sources."""
    return updated(language, FILES[kind][language], SOURCES[kind]())


TRANSLATING = {"tr", "trn", "Phrase", "say", "tell", "warn", "note"}
SHOWING = {
    *("echo", "secho", "say", "tell", "warn", "note", "beside", "print", "working"),
    *("progress_bar", "add_column", "section", "UsageError"),
}
"""Functions that show their texts."""

TITLES = {"description", "subtitle", "title"}
"""Arguments that are shown."""

NAMES = {
    *("give up", "given up"),  # a command, and a result, as they are written in files
    *("pegwise review", "model name", "not bold", "bold green", "pegwise pw-"),
    *("black on yellow", "white on green"),
}
"""Words in a row that are names of something."""

NO_PROSE = {"bold", "bold green", "dim", "pegwise: "}
"""Styles, and the name of the program."""


def texts(message: Message) -> tuple[list[str], list[str]]:
    """What a message says in the source, and in the other language."""
    sources = [message.id] if isinstance(message.id, str) else [*message.id]
    words = [message.string] if isinstance(message.string, str) else [*(message.string or ())]
    return sources, words


def places(text: str) -> set[tuple[str, str, str]]:
    """The places for values, with how they are written."""
    return {
        (name, form or "", conversion or "")
        for _, name, form, conversion in Formatter().parse(text)
        if name is not None
    }


def test_every_language_has_its_catalogues() -> None:
    for files in FILES.values():
        assert set(files) == set(LANGUAGES) - {SOURCE}


@each_catalogue
def test_catalogues_are_in_step_with_the_sources(kind: str, language: str) -> None:
    file, catalogue = FILES[kind][language], messages_of(kind, language)
    assert file.read_bytes() == as_text(catalogue), "run python -m tools.messages"
    assert file.with_suffix(".mo").read_bytes() == as_binary(catalogue)


@each_catalogue
def test_everything_is_translated(kind: str, language: str) -> None:
    messages = [message for message in messages_of(kind, language) if message.id]
    assert len(messages) > 200
    assert not [message.id for message in messages if message.fuzzy]
    assert not [message.id for message in messages if not all(texts(message)[1])]


@each_catalogue
def test_translations_have_the_same_places(kind: str, language: str) -> None:
    of_click = set(click_texts())
    for message in messages_of(kind, language):
        sources, words = texts(message)
        if of_click & {*sources, tuple(sources)} or not message.id:
            continue  # click's sentences have other places for one than for many
        for text in words:
            if "{" in sources[0] and "(1122: ...)" not in sources[0]:
                assert places(text) == places(sources[-1]), sources
            assert set(re.findall(r"%\(\w+\)s", text)) == set(re.findall(r"%\(\w+\)s", sources[-1]))
        if kind == "pegwise":
            for source, text in zip(sources, words, strict=False):
                assert source[:1].isspace() <= text[:1].isspace(), sources
                assert source[-1:].isspace() <= text[-1:].isspace(), sources


def test_compiled_catalogue_is_read_by_gettext() -> None:
    with FILES["pegwise"]["fr"].with_suffix(".mo").open("rb") as file:
        french = gettext.GNUTranslations(file)
    assert french.gettext("no code left") == "aucun code ne reste"
    assert french.ngettext("{n} code", "{n} codes", 2) == "{n} codes"


def test_sentences_are_found_where_they_are_handed_over() -> None:
    source = '''
@click.command(epilog="an example")
@click.option("--much", help="how much", metavar="N")
def weigh():
    """What it does.

    And more.
    """
    tr("a {b}", b=1), trn("{n} x", "{n} xs", 2), Phrase("c" if d else "e"), tr(name)
    raise RulesError("no {a}", a=1) from ValueError("unseen")
    raise UnknownNameError.of("kind", "unseen", [])
'''
    assert sorted(map(str, filter(None, sentences(source)))) == sorted(
        map(
            str,
            [
                *("an example", "how much", "N", "What it does.\n\nAnd more."),
                *("a {b}", ("{n} x", "{n} xs"), "c", "e", "no {a}", "kind"),
            ],
        )
    )


def prose(node: ast.expr) -> Iterator[str]:
    """Words in an argument that no function translates."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from prose(part.value if isinstance(part, ast.FormattedValue) else part)
    elif isinstance(node, ast.BinOp):
        yield from prose(node.left)
        yield from prose(node.right)
    elif isinstance(node, ast.IfExp):
        yield from prose(node.body)
        yield from prose(node.orelse)


@pytest.mark.parametrize("room", ["cli", "pictures"])
def test_nothing_is_shown_without_being_translated(room: str) -> None:
    bare = []
    for path in sorted((PACKAGE / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            said = name in TRANSLATING and node.args and isinstance(node.args[0], ast.Constant)
            shown = node.args if name in SHOWING and not said else []
            if name not in TRANSLATING:
                shown = [*shown, *(word.value for word in node.keywords if word.arg in TITLES)]
            bare += [
                f"{path.name}:{node.lineno}: {text!r}"
                for argument in shown
                for text in prose(argument)
                if text not in NO_PROSE and any(len(word) > 2 for word in letters(text))
            ]
    assert not bare


@pytest.mark.parametrize("room", ["cli", "pictures"])
def test_no_words_stand_outside_what_is_translated(room: str) -> None:
    """Whatever is done with them: two words in a row are taken for prose."""
    bare = []
    for path in sorted((PACKAGE / room).glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and translates(node):
                docstrings |= {id(part) for part in ast.walk(node)}
        bare += [
            f"{path.name}:{node.lineno}: {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search("[A-Za-z]{2} [a-z]{2}", node.value)
            and not re.search("[<>;]", node.value)  # markup
            and id(node) not in docstrings
            and node.value.strip() not in NAMES
        ]
    assert not bare


def translates(call: ast.Call) -> bool:
    """Whether what a call is given is translated sooner or later."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    helps = {"command", "group", "option", "argument", "version_option"}
    helps |= {"file_option", "output_option", "path_option", "strategy_option"}
    return name in {"of", *TRANSLATING, *helps} or name.endswith("Error")


def letters(text: str) -> list[str]:
    """The words of a text."""
    return "".join(sign if sign.isalpha() else " " for sign in text).split()


def test_no_sentence_is_put_together_before_it_is_translated() -> None:
    """A text with values in it is no longer the one that the catalogue knows."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                name = node.func.id
                ours = name.endswith("Error") and not hasattr(builtins, name)
                ours = ours and name != "SQLAlchemyError"
                if ours or name in TRANSLATING:
                    where = f"{path.name}:{node.lineno}"
                    assert not isinstance(node.args[0], ast.JoinedStr | ast.BinOp), where
