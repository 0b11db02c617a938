"""Keep the catalogues of messages in step with the sources.

    python -m tools.messages

finds every sentence that is translated, updates the catalogues of each language, where a new
sentence waits for its translation, and compiles them. There are two kinds: `pegwise.po` for the
program (errors and phrases, `tr` and `trn`, help of commands, cards of strategies, sources of
published figures, names of colors, meanings of marks, sentences of click and of the operating
system), and `web.po` for the pages.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

import pegwise
from pegwise.reading.forms import FORMS
from pegwise.reading.vocabulary import COLOR_NAMES
from pegwise.search.certificates.published import published
from pegwise.strategies.registry import cards, options
from tools.catalogues import compile_catalogues

Text = str | tuple[str, ...]
"""A sentence, or that for one and that for many."""

PACKAGE: Final = Path(pegwise.__file__).parent
FOLDERS: Final = {"pegwise": PACKAGE / "locale", "web": PACKAGE / "web/locale"}
"""Where the catalogues of each kind are."""

_CALLS: Final = {"Phrase", "tr", "trn", "say", "tell", "warn", "note"}
_OPTIONS: Final = {
    *("option", "argument", "version_option"),
    *("file_option", "output_option", "path_option", "strategy_option"),
}  # fmt: skip
_HELP: Final = {"epilog", "help", "metavar"}
_SYSTEM: Final = (
    "Address already in use",
    "Cannot assign requested address",
    "Connection refused",
    "File exists",
    "File name too long",
    "Is a directory",
    "Name or service not known",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
)
"""The messages of the operating system on files and addresses that come most often."""


def program_texts() -> Catalog:
    """All sentences of the program."""
    texts = {text for text in _texts() if text}
    for pair in [text for text in texts if isinstance(text, tuple)]:
        texts.discard(pair[0])  # the form for many serves both
    catalog = Catalog(project="pegwise", charset="utf-8", fuzzy=False)
    for text in sorted(texts, key=str):
        catalog.add(text)
    return catalog


def page_texts() -> Catalog:
    """All sentences of the pages, of their scripts too, but for those that the program has."""
    catalog = Catalog(project="pegwise", charset="utf-8", fuzzy=False)
    program = program_texts()
    for _, _, message, comments, context in extract_from_dir(
        PACKAGE / "web",
        [("**.py", "python"), ("**.j2", "jinja2")],
        {"**.j2": {"newstyle_gettext": "true", "trimmed": "true"}},
        DEFAULT_KEYWORDS,
        strip_comment_tags=True,
    ):
        if not _has(program, message, context):
            catalog.add(message, auto_comments=comments, context=context)
    scripts = json.loads((PACKAGE / "web/texts.json").read_text(encoding="utf-8"))
    for text in (text for texts in scripts.values() for text in texts.values()):
        message = text if isinstance(text, str) else tuple(text)
        if not _has(program, message):
            catalog.add(message)
    return catalog


def _has(catalog: Catalog, text: Any, context: str | None = None) -> bool:
    """Whether a catalogue has a text in as many forms."""
    message = catalog.get(text, context)
    return message is not None and message.id == text


SOURCES: Final = {"pegwise": program_texts, "web": page_texts}


def sentences(source: str) -> Iterator[Text]:
    """The messages of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.FunctionDef) and any(map(_is_command, node.decorator_list)):
            yield inspect.cleandoc(ast.get_docstring(node) or "")


def catalogues(kind: str) -> dict[str, Path]:
    """The catalogue of each language."""
    return {path.parts[-3]: path for path in sorted(FOLDERS[kind].glob(f"*/LC_MESSAGES/{kind}.po"))}


def updated(language: str, path: Path, sources: Catalog) -> Catalog:
    """A catalogue with exactly the sentences of the sources."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    catalog.update(sources, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    for message in catalog if language == "fr" else ():
        forms: Any = message.string
        plural = isinstance(forms, tuple)
        message.string = tuple(map(_french, forms)) if plural else _french(forms)
    catalog.header_comment = ""
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    return catalog


def _french(text: str | None) -> str:
    """A text with unbreakable spaces inside quotes and before double signs."""
    text = re.sub(r"(?<=«) | (?=»|:(\s|$))", "\N{NO-BREAK SPACE}", text or "")
    return re.sub(r"[ \N{NO-BREAK SPACE}](?=[;!?](\W|$))", "\N{NARROW NO-BREAK SPACE}", text)


def as_text(catalog: Catalog) -> bytes:
    """A catalogue as its PO file has it, without anything that changes from day to day."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=100, sort_output=True, omit_header=True, no_location=True)
    head = f"Language: {catalog.locale_identifier}", f"Plural-Forms: {catalog.plural_forms}"
    lines = "".join(f'"{line}\\n"\n' for line in (*head, "Content-Type: text/plain; charset=utf-8"))
    return f'msgid ""\nmsgstr ""\n{lines}\n'.encode() + buffer.getvalue()


def _texts() -> Iterator[Text]:
    """Each sentence, some several times."""
    for path in PACKAGE.rglob("*.py"):
        yield from sentences(path.read_text(encoding="utf-8"))
    pictures = [("**.j2", "jinja2")], {"**.j2": {"trimmed": "true"}}
    keywords = {"tr": None, "trn": (1, 2)}
    for _, _, message, _, _ in extract_from_dir(PACKAGE / "pictures", *pictures, keywords):
        yield message
    for card in cards():
        authors = [card.authors] if " and " in card.authors else []
        yield from (card.name, card.about, card.source, card.reason, *authors)
        yield from (text for option in options(card.id) for text in (option.meaning, option.form))
    yield from (row.source for row in published())
    yield from COLOR_NAMES["en"].values()
    yield from (form.says for form in FORMS)
    yield from _SYSTEM
    yield from ("required", *click_texts())


def _of_call(call: ast.Call) -> Iterator[Text]:
    """The messages that a call hands to be translated."""
    name = _name(call.func)
    values = [_constant(value) for value in call.args]
    if name == "trn":
        if None not in values[:2]:
            yield values[0] or "", values[1] or ""
    elif name in _CALLS or (name.endswith(("Error", "Lost")) and not hasattr(builtins, name)):
        yield from _choices(call.args[:1])
    elif name.endswith("Progress") and len(values) > 2:
        yield values[2] or ""
    elif _is_command(call) or name in _OPTIONS:
        yield from (_constant(word.value) or "" for word in call.keywords if word.arg in _HELP)


def _choices(arguments: list[ast.expr]) -> Iterator[Text]:
    """The text that is handed over, or both where a condition chooses."""
    for node in arguments:
        if isinstance(node, ast.IfExp):
            yield from _choices([node.body, node.orelse])
        else:
            yield _constant(node) or ""


def _name(function: ast.expr) -> str:
    """The name that a call goes by; that of the class for a class method."""
    if isinstance(function, ast.Attribute):
        return _name(function.value) if function.attr == "of" else function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_command(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in {"command", "group"}


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def click_texts() -> Iterator[Text]:
    """The messages of click itself, by `_` and `ngettext`."""
    place = find_spec("click")
    folders = (place and place.submodule_search_locations) or []
    for path in (path for folder in folders for path in Path(folder).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in {"_", "ngettext"}:
                texts = [text for text in map(_constant, node.args) if text]
                if len(texts) == 2:
                    yield texts[0], texts[1]
                elif texts:
                    yield texts[0]


if __name__ == "__main__":
    for kind, texts in SOURCES.items():
        for language, file in catalogues(kind).items():
            catalog = updated(language, file, texts())
            file.write_bytes(as_text(catalog))
    list(compile_catalogues(PACKAGE))
