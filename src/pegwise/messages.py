"""The sentences of the sources, and the catalogues that are kept in step with them.

    python -m pegwise.messages

finds every sentence that `pegwise.i18n` translates, brings `locale/LANGUAGE/LC_MESSAGES/
pegwise.po` up to date, where what is new is left to translate, and compiles it beside itself.
Found are the texts of errors and phrases, of `tr` and `trn`, the help of the commands, the cards
of the strategies, the sources of published optima, and what click and the operating system say.
The pages of the web face have a catalogue of their own (`pegwise.web.messages`).
"""

from __future__ import annotations

import ast
import builtins
import inspect
import struct
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from pegwise.i18n import LOCALE
from pegwise.search.certificates.published import published
from pegwise.strategies.registry import cards

Text = str | tuple[str, ...]
"""A sentence, or that for one and that for many."""

_PACKAGE: Final = Path(__file__).parent
_CALLS: Final = {"Phrase", "tr", "trn"}
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
"""What the operating system says of files and addresses most often."""


def found() -> Catalog:
    """All sentences of the sources, with the files that each stands in."""
    files: dict[Text, set[str]] = {}
    for name, text in _texts():
        files.setdefault(text, set()).add(name)
    # what is said of one and of many answers for what is said of one alone
    for pair in [text for text in files if isinstance(text, tuple)]:
        files[pair] |= files.pop(pair[0], set())
    catalog = Catalog(project="pegwise", charset="utf-8", fuzzy=False)
    for text in sorted(files, key=str):
        catalog.add(text, locations=[(name, 0) for name in sorted(files[text])])
    return catalog


def sentences(source: str) -> Iterator[Text]:
    """What is translated in a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.FunctionDef) and any(map(_is_command, node.decorator_list)):
            yield inspect.cleandoc(ast.get_docstring(node) or "")


def catalogues() -> dict[str, Path]:
    """The file of each language that there is a catalogue of."""
    paths = sorted(LOCALE.glob("*/LC_MESSAGES/pegwise.po"))
    return {path.parent.parent.name: path for path in paths}


def updated(language: str, path: Path, sources: Catalog) -> Catalog:
    """A catalogue with exactly the sentences of the sources."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    catalog.update(sources, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def as_bytes(catalog: Catalog) -> bytes:
    """A catalogue as its file has it, without anything that changes from day to day."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=100, sort_output=True, omit_header=True, include_lineno=False)
    head = "".join(f'"{line}\\n"\n' for line in _head(catalog))
    return f'msgid ""\nmsgstr ""\n{head}\n'.encode() + buffer.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """A catalogue as `gettext` reads it (an MO file); what is not translated is left out."""
    texts = {"": "\n".join(_head(catalog)) + "\n"}
    for message in catalog:
        if message.id and message.string and all(message.string):
            texts["\0".join(_all(message.id))] = "\0".join(_all(message.string))
    pairs = sorted((one.encode(), other.encode()) for one, other in texts.items())
    count, tables, body = len(pairs), b"", b""
    place = 28 + 16 * count
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack("<II", len(pair[column]), place + len(body))
            body += pair[column] + b"\0"
    # magic number, revision, sentences, their two tables, and no table of hashes
    head = struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, place)
    return head + tables + body


def _head(catalog: Catalog) -> list[str]:
    return [
        f"Language: {catalog.locale_identifier or ''}",
        f"Plural-Forms: {catalog.plural_forms}",
        "Content-Type: text/plain; charset=utf-8",
    ]


def _all(text: str | Iterable[str]) -> Iterable[str]:
    return [text] if isinstance(text, str) else text


def _texts() -> Iterator[tuple[str, Text]]:
    """Each sentence with where it stands."""
    for path in _PACKAGE.rglob("*.py"):
        name = path.relative_to(_PACKAGE).as_posix()
        yield from ((name, text) for text in sentences(path.read_text(encoding="utf-8")) if text)
    for card in cards():
        authors = [card.authors] if " and " in card.authors else []
        for text in (card.name, card.about, card.source, *authors):
            yield "strategies", text
    yield from (("search/published.json", row.source) for row in published())
    yield from (("the system", text) for text in _SYSTEM)
    yield from (("click", text) for text in ("required", *_of_click()))  # by a variable


def _of_call(call: ast.Call) -> Iterator[Text]:
    """What a call hands to be translated."""
    name = _name(call.func)
    values = [_constant(value) for value in call.args]
    if name == "trn":
        if None not in values[:2]:
            yield values[0] or "", values[1] or ""
    elif name in _CALLS or (name.endswith(("Error", "Lost")) and not hasattr(builtins, name)):
        yield from _choices(call.args[:1])
    elif name == "Progress" and len(values) > 2:
        yield values[2] or ""
    elif _is_command(call) or name in {"option", "argument", "version_option"}:
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


def _of_click() -> Iterator[Text]:
    """What click says in its own name, by `_` and `ngettext`."""
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
    for name, place in catalogues().items():
        kept = updated(name, place, found())
        place.write_bytes(as_bytes(kept))
        place.with_suffix(".mo").write_bytes(compiled(kept))
