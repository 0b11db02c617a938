"""The interface that users build on: names, commands, keys of JSON, addresses of the site.

`python -m tools.interface` writes it into `tests/interface.txt`. A test compares it with that
file, so that nothing of it changes unnoticed; `docs/stability.md` says how it may change.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

__all__ = ["FILE", "interface", "members"]

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "tests" / "interface.txt"

_WORD: Final = re.compile("[a-z][a-z0-9_]*")
_LIBRARY: Final = ("HTTPValidationError", "ValidationError")  # schemas that FastAPI adds


def interface() -> str:
    """One line for each thing, in four sections."""
    sections = {
        "Python": _names(),
        "Commands": _commands(),
        "JSON documents": _documents(),
        "Addresses": _addresses(),
    }
    parts = ["\n".join([f"# {title}", *lines]) for title, lines in sections.items()]
    return "\n\n".join(parts) + "\n"


def _names() -> Iterator[str]:
    """Names of `import pegwise`, with signatures; members of classes below their class."""
    import pegwise

    for name in pegwise.__all__:
        thing = getattr(pegwise, name)
        if not inspect.isclass(thing):
            yield f"{name}{_signature(thing)}"
            continue
        bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
        yield f"class {name}({bases})" if bases else f"class {name}"
        for member in members(thing):
            yield f"{name}.{member}{_member(thing, member)}"
        if dataclasses.is_dataclass(thing):
            yield f"{name}: fields " + ", ".join(field.name for field in dataclasses.fields(thing))


def members(thing: type) -> Iterator[str]:
    """The public members of a class that a class of this package defines."""
    for member in dir(thing):
        owner = next((each for each in thing.__mro__ if member in vars(each)), thing)
        if not member.startswith("_") and owner.__module__.startswith("pegwise"):
            yield member


def _member(thing: type, member: str) -> str:
    value = inspect.getattr_static(thing, member)
    value = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    return _signature(value) if inspect.isfunction(value) else ""


def _signature(function: Any) -> str:
    """Its parameters with their defaults; annotations differ between versions of Python."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    written = []
    for parameter in parameters:
        default = parameter.default
        if default is not parameter.empty:
            plain = default is None or isinstance(default, str | int | float | tuple)
            default = repr(default) if plain else getattr(default, "__name__", "...")
        parameter = parameter.replace(annotation=parameter.empty, default=parameter.empty)
        text = str(parameter)
        written.append(text if default is parameter.empty else f"{text}={default}")
    kinds = [parameter.kind for parameter in parameters]
    if inspect.Parameter.VAR_POSITIONAL not in kinds and inspect.Parameter.KEYWORD_ONLY in kinds:
        written.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    if inspect.Parameter.POSITIONAL_ONLY in kinds:
        last = len(kinds) - kinds[::-1].index(inspect.Parameter.POSITIONAL_ONLY)
        written.insert(last, "/")
    return f"({', '.join(written)})"


def _commands() -> Iterator[str]:
    """Commands with their arguments and options."""
    from pegwise.cli.main import cli

    context = click.Context(cli)
    for name in sorted(cli.list_commands(context)):
        command = cli.get_command(context, name)
        if command is None:
            continue
        arguments = [each for each in command.params if isinstance(each, click.Argument)]
        yield " ".join([name, *(each.human_readable_name for each in arguments)])
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                names = ", ".join([*option.opts, *option.secondary_opts])
                value = " VALUE" if not (option.is_flag or option.count) else ""
                yield f"{name} {names}{value}"


def _documents() -> Iterator[str]:
    """Keys of the documents that `docs/formats.md` shows, which tests play, and of a race."""
    import pegwise

    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    shown = re.findall(r"^\$ pegwise (\w+) .*\n([\[{].*)$", text, re.MULTILINE)
    documents = [(name, json.loads(line)) for name, line in shown]
    raced = pegwise.race("2x2", ["first", "knuth"])
    raced.work_out_losses()
    documents.append(("race", raced.document()))
    yield from sorted({name + path for name, shown in documents for path in _paths(shown, "")})


def _paths(document: Any, path: str) -> Iterator[str]:
    """The path of each key; * stands for keys that are data."""
    if isinstance(document, dict):
        for key, value in document.items():
            step = f" {key}" if not path else f".{key}"
            yield from _paths(value, path + (step if _WORD.fullmatch(key) else ".*"))
    elif isinstance(document, list):
        for value in document:
            yield from _paths(value, f"{path}[]")
    if path and not path.endswith("[]"):
        yield path


def _addresses() -> Iterator[str]:
    """Addresses of the site, and keys of what its API takes and gives."""
    from fastapi import APIRouter

    from pegwise import web
    from pegwise.web.app import create_app
    from pegwise.web.settings import Settings

    with TemporaryDirectory() as home:
        documented = create_app(Settings(Path(home))).openapi()
    for path, methods in sorted(documented["paths"].items()):
        for method, operation in sorted(methods.items()):
            names = [each["name"] for each in operation.get("parameters", [])]
            yield " ".join([method.upper(), path, *(f"?{name}" for name in sorted(names))])
    for name, schema in sorted(documented["components"]["schemas"].items()):
        if name not in _LIBRARY:
            for key in sorted(schema.get("properties", {})):
                yield f"{name}.{key}"
    paths = set()
    for module in pkgutil.walk_packages(web.__path__, "pegwise.web."):
        router = getattr(importlib.import_module(module.name), "pages", None)
        if isinstance(router, APIRouter):
            shown = [route for route in router.routes if "GET" in getattr(route, "methods", ())]
            paths |= {getattr(route, "path", "") for route in shown}
    yield from (f"page {path}" for path in sorted(paths))


if __name__ == "__main__":
    FILE.write_text(interface(), "utf-8")
    print(f"written: {FILE.relative_to(ROOT)}")
