"""The process of a game in a file: it loads the file, makes the game and writes its marks."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from pegwise.errors import InputError, PegwiseError, Phrase, UnknownNameError, quoted
from pegwise.game.finite import FiniteGame, Row
from pegwise.game_files.marks import WRITTEN, FileMarks, file_digest
from pegwise.hooks import hooks
from pegwise.programs.module import Channel, call, load_module
from pegwise.progress import Progress

_REPORTS: Final = 0.5  # seconds between two reports
_ALONE: Final = 1.0  # seconds after which other cores help, where more than `_WORTH` remain
_WORTH: Final = 2.0
_TRUTHS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def main() -> None:
    """Answer with the files of the game, or with what is wrong."""
    answers = Channel()
    path, source, name, options, folder = json.loads(answers.read())
    last = begun = time.monotonic()
    lock, marking = threading.Lock(), threading.Event()

    def load() -> None:
        """Tell that the file is still being loaded, until it marks."""
        while not marking.wait(_REPORTS):
            with lock:
                answers.say(json.dumps({"loading": time.monotonic() - begun}))

    def report(step: Progress) -> None:
        nonlocal last
        marking.set()
        if (now := time.monotonic()) > last + _REPORTS:
            with lock:
                answers.say(json.dumps({"marked": step.done, "of": step.total}))
            last = now

    hooks.aside, hooks.rows = lambda _kind, _name: nullcontext(report), _rows_on_cores
    loader = threading.Thread(target=load, daemon=True)
    loader.start()
    try:
        with _files_read(Path(path)) as read:
            game = made_game(Path(path), source, name, options)
        marking.set()
        loader.join()
        _write(game, Path(folder), sorted(read))
    except PegwiseError as error:
        marking.set()
        loader.join()
        answers.say_error(error.phrase)
    else:
        answers.say(json.dumps({"done": time.monotonic() - begun}))


# rows of marks, on all cores


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_row: Callable[[Any], Row] | None = None  # what the processes of a pool make rows with


def _rows_on_cores(row: Callable[[Any], Row], guesses: Sequence[Any]) -> Iterator[Row]:
    """The rows of guesses in order: on this core, then on all cores where it takes long."""
    global _row
    begun = time.monotonic()
    marked, taken = 0, 0.0
    while marked < len(guesses) and taken < _ALONE:
        yield row(guesses[marked])
        marked, taken = marked + 1, time.monotonic() - begun
    rest = guesses[marked:]
    long = bool(rest) and taken / marked * len(rest) > _WORTH
    if not long or _cores() == 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(row, rest)
        return
    _row = row
    with multiprocessing.get_context("fork").Pool(_cores()) as pool:
        for guess, packed in zip(rest, pool.imap(_packed_row, rest, chunksize=4), strict=True):
            yield row(guess) if packed is None else pickle.loads(packed)  # noqa: S301 - our own


def _packed_row(guess: Any) -> bytes | None:
    """A row as bytes; None where it cannot be sent, or raises what the other process has to."""
    try:
        return None if _row is None else pickle.dumps(_row(guess), pickle.HIGHEST_PROTOCOL)
    except Exception:
        return None


# files that a game reads, which another version of it may have changed


@contextmanager
def _files_read(path: Path) -> Iterator[set[str]]:
    """The files that the block reads, but for the game's own and those of Python."""
    read, ended = set[str](), threading.Event()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str) and not ended.is_set():
            read.add(str(Path(arguments[0]).absolute()))

    sys.addaudithook(note)
    try:
        yield read
    finally:
        ended.set()
        ours = [Path(each).resolve() for each in (sys.prefix, sys.base_prefix)]
        ours += [Path(__file__).resolve().parents[1], Path("/proc"), Path("/dev"), Path("/sys")]
        for name in list(read):
            file = Path(name).resolve()
            if not file.is_file() or file == path or any(map(file.is_relative_to, ours)):
                read.discard(name)


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


def _write(game: FiniteGame, folder: Path, read: Sequence[str]) -> None:
    """Write the texts and the table of a game, and what files it read.

    The winning mark becomes the last.
    """
    order = [number for number in range(game.n_marks) if number != game.winning]
    order.append(game.winning)
    places = np.empty(game.n_marks, np.uint16)
    places[order] = np.arange(game.n_marks)
    guesses = [game.write_guess(number) for number in range(game.n_guesses)]
    secrets = [guesses[number] for number in game.guess_of_secret.tolist()]
    marks = [game.write_mark(number) for number in order]
    if game.winning != game.n_marks - 1:
        for row in game.table:
            row[:] = places[row]
    digests = {name: file_digest(name) for name in read}
    texts = secrets, guesses, marks
    marked = FileMarks(
        texts, game.table.astype(np.uint16, copy=False), game.weights, game.n_questions, digests
    )
    (folder / WRITTEN).write_bytes(marked.to_bytes())


if __name__ == "__main__":
    main()
