"""The catalogues: whole, in step with the sources, with the same places for values."""

import ast
import builtins
import gettext
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from tools.catalogues import compile_catalogues
from tools.messages import (
    PACKAGE,
    SOURCES,
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
    *("black on yellow", "white on green", "bold", "dim", "pegwise:"),
}
"""Words that are names of something, and styles."""


def texts(message: Message) -> tuple[list[str], list[str]]:
    """What a message says in the source, and in the other language."""
    sources = [message.id] if isinstance(message.id, str) else [*message.id]
    words = [message.string] if isinstance(message.string, str) else [*(message.string or ())]
    return sources, words


def places(text: str) -> set[tuple[str, str, str]]:
    """The places for values, with how they are written; not the words for one or for many."""
    return {
        (name, form or "", conversion or "")
        for _, name, form, conversion in Formatter().parse(text)
        if name is not None and "|" not in (form or "")
    }


def test_every_language_has_its_catalogues() -> None:
    for files in FILES.values():
        assert set(files) == set(LANGUAGES) - {SOURCE}


@each_catalogue
def test_catalogues_are_in_step_with_the_sources(kind: str, language: str) -> None:
    file, catalogue = FILES[kind][language], messages_of(kind, language)
    assert file.read_bytes() == as_text(catalogue), "run python -m tools.messages"


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


def test_compiled_catalogue_is_read_by_gettext(tmp_path: Path) -> None:
    (tmp_path / "fr" / "LC_MESSAGES").mkdir(parents=True)
    source = tmp_path / "fr" / "LC_MESSAGES" / "pegwise.po"
    source.write_bytes(FILES["pegwise"]["fr"].read_bytes())
    (compiled,) = compile_catalogues(tmp_path)
    with compiled.open("rb") as file:
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


def name_of(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def translates(call: ast.Call) -> bool:
    """Whether what a call is given is translated sooner or later."""
    name = name_of(call)
    helps = {"command", "group", "option", "argument", "version_option"}
    helps |= {"file_option", "output_option", "path_option", "strategy_option"}
    if name in TRANSLATING & SHOWING:
        return bool(call.args) and isinstance(call.args[0], ast.Constant)
    return name in {"of", *TRANSLATING, *helps} or name.endswith("Error")


def texts_in(node: ast.AST, *through: type[ast.AST]) -> Iterator[ast.Constant]:
    """The texts in a part of a program that no function translates, docstrings left out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    elif isinstance(node, through) and not (isinstance(node, ast.Call) and translates(node)):
        for part in ast.iter_child_nodes(node):
            if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
                yield from texts_in(part, *through)


@pytest.mark.parametrize("package", ["cli", "pictures"])
def test_nothing_is_shown_without_being_translated(package: str) -> None:
    """No word in what is shown; nowhere two words in a row, whatever is done with them."""
    bare = []
    for path in sorted((PACKAGE / package).glob("*.py")):
        tree, shown = ast.parse(path.read_text(encoding="utf-8")), list[ast.Constant]()
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and not translates(call):
                arguments = call.args if name_of(call) in SHOWING else []
                arguments = [*arguments, *(k.value for k in call.keywords if k.arg in TITLES)]
                for part in arguments:
                    shown += texts_in(part, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.IfExp)
        words = [text for text in shown if re.search(r"[^\W\d_]{3}", str(text.value))]
        for text in texts_in(tree, ast.AST):
            in_a_row = re.search("[A-Za-z]{2} [a-z]{2}", str(text.value))
            words += [text] * bool(in_a_row and not re.search("[<>;]", str(text.value)))  # markup
        bare += [
            f"{path.name}:{text.lineno}: {text.value!r}"
            for text in words
            if str(text.value).strip() not in NAMES
        ]
    assert not bare


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


def test_templates_of_pictures_are_collected() -> None:
    known = messages_of("pegwise", "fr")
    for path in (PACKAGE / "pictures").glob("*.j2"):
        for text in re.findall(r"\btrn?\(\s*\"(.+?)\"[,)]", path.read_text("utf-8")):
            assert known.get(text) is not None, text
