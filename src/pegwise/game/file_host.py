"""The process of a game in a file: it loads the file, makes the game and writes its marks."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from pegwise.errors import InputError, PegwiseError, Phrase, UnknownNameError, quoted
from pegwise.game.game import FiniteGame, default_report
from pegwise.programs.module import Channel, call, load_module
from pegwise.progress import Progress

_REPORTS: Final = 0.5  # seconds between two reports
_TRUTHS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def main() -> None:
    """Answer with the files of the game, or with what is wrong."""
    answers = Channel()
    path, source, name, options, folder = json.loads(answers.read())
    last = time.monotonic()

    def report(step: Progress) -> None:
        nonlocal last
        if (now := time.monotonic()) > last + _REPORTS:
            answers.say(json.dumps({"marked": step.done, "of": step.total}))
            last = now

    default_report.set(report)
    try:
        _write(made_game(Path(path), source, name, options), Path(folder))
    except PegwiseError as error:
        answers.say_error(error)
    else:
        answers.say(json.dumps({"done": True}))


def made_game(path: Path, source: str, name: str, options: str) -> FiniteGame:
    """The game of a file; InputError says why there is none."""
    module = load_module(path, source)
    thing = vars(module)[_name(path, module, name)]
    if isinstance(thing, FiniteGame):
        if options:
            raise InputError("{name} of {file} takes no options", name=name, file=path.name)
        return thing
    game = call(path, thing, **_options(thing, name, options))
    if not isinstance(game, FiniteGame):
        raise InputError(
            "{name} of {file} makes {value}, not a FiniteGame",
            name=thing.__name__,
            file=path.name,
            value=quoted(game),
        )
    return game


def _name(path: Path, module: ModuleType, name: str) -> str:
    """The name of the game that is wanted, or of the only one in a file."""
    games = {
        key: value
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (
            isinstance(value, FiniteGame)
            or (inspect.isfunction(value) and value.__module__ == module.__name__)
        )
    }
    if name in games:
        return name
    if name:
        raise InputError(
            "{file} has no game {name}; it has {names}",
            file=path.name,
            name=quoted(name),
            names=", ".join(games) or "-",
        )
    named = [key for key in games if key in ("game", path.stem)]
    if not named and len(games) != 1:
        raise InputError(
            "{file}: name its game, as in {file}:{first}; it has {names}",
            file=path.name,
            first=next(iter(games), "NAME"),
            names=", ".join(games) or "-",
        )
    return (named or [*games])[0]


def _options(function: Callable[..., Any], name: str, text: str) -> dict[str, Any]:
    """The values of `option=value,option=value`, each of the type of its default."""
    parameters = {
        key: parameter.default
        for key, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }
    values: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in parameters:
            raise UnknownNameError.of(
                Phrase("option of {name}:", name=name), key, parameters or ["(none)"]
            )
        kind = type(parameters[key])
        try:
            values[key] = _TRUTHS[value.lower()] if kind is bool else kind(value)
        except (KeyError, TypeError, ValueError):
            allowed = {bool: Phrase("true or false"), int: Phrase("a whole number")}
            raise InputError(
                "{name}={value}: give {allowed}",
                name=key,
                value=quoted(value),
                allowed=allowed.get(kind, Phrase("a text")),
            ) from None
    return values


def _write(game: FiniteGame, folder: Path) -> None:
    """Write the texts and the table of a game; the winning mark becomes the last."""
    order = [number for number in range(game.n_marks) if number != game.winning]
    order.append(game.winning)
    places = np.empty(game.n_marks, np.uint16)
    places[order] = np.arange(game.n_marks)
    guesses = [game.write_guess(number) for number in range(game.n_guesses)]
    secrets = [guesses[number] for number in game.guess_of_secret.tolist()]
    marks = [game.write_mark(number) for number in order]
    texts = json.dumps([secrets, guesses, marks, game.n_questions])
    (folder / "texts.json").write_text(texts, encoding="utf-8")
    table = places[game.table]
    if game.weights is None:
        np.savez(folder / "arrays.npz", table=table)
    else:
        np.savez(folder / "arrays.npz", table=table, weights=game.weights)


if __name__ == "__main__":
    main()
