"""A game in a Python file: `FILE.py:NAME[:option=value,...]`, marked by a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pegwise.errors import PegwiseError, Phrase, RulesError, quoted
from pegwise.game.table import TextTable
from pegwise.game.words import lookup
from pegwise.hooks import hooks
from pegwise.paths import read_text
from pegwise.progress import Progress

FILE: Final = re.compile(
    r"(?P<path>[^:]*\.py)(?::(?P<name>\w+))?(?::(?P<options>[^@:]*=[^@:]*(?::[^@:]*=[^@:]*)*?))?(?:@(?P<digest>[0-9a-f]{8}))?"
    r"(?P<flags>(?:,[a-z]+)*)"
)
_HOST: Final = (sys.executable, "-m", "pegwise.game_files.host")
_MAX_BYTES: Final = 1 << 22
_LOADING: Final = 600.0  # seconds that a file may take before its game begins to be marked
_WORTH: Final = 1.0  # seconds of marking from which on the marks are kept

FOLDER: Final = "PEGWISE_GAMES"
"""The variable of the folder whose files are named without their path, also on the site."""

_known: dict[tuple[str, ...], TextTable] = {}
sent_by_text = False
"""Whether other processes get the text of a game, and no table of marks."""


_offered: dict[str, Path] = {"jotto": Path(__file__).with_name("jotto.py")}


def names_game(text: str) -> bool:
    """Whether a text names a game in a file, or one that is offered."""
    return FILE.fullmatch(text.strip()) is not None or _head(text)[0] in _offered


def game_named(text: str) -> tuple[TextTable, str] | None:
    """The game that a text names, and the flags behind it; None where it names none.

    RulesError: there is no such file or game, or another version of it.
    """
    if (match := FILE.fullmatch(text.strip())) is not None:
        return game_in_file(text.strip()), match["flags"]
    name, digest, flags = _head(text)
    game = _game_offered(name, digest)
    return None if game is None else (game, flags)


def _head(text: str) -> tuple[str, str, str]:
    """Name, digest and flags of a game that has a name."""
    head, _, flags = text.strip().lower().partition(",")
    name, _, digest = head.strip().partition("@")
    return name, digest, flags


def _game_offered(name: str, digest: str) -> TextTable | None:
    if name not in _offered:
        return None
    game = _game(_offered[name], name, ("", ""))
    if digest not in ("", game.digest):
        raise RulesError(
            "{text} is another version of the game than {path} has now, {game}",
            text=quoted(f"{name}@{digest}"),
            path=_offered[name].name,
            game=str(game),
        )
    return game


def game_in_file(text: str) -> TextTable:
    """The game that a text names; loaded once in this process for each version of the file.

    RulesError: no such file or game, or another version than the digest in the text tells; or
    what the file raises.
    """
    match = FILE.fullmatch(text)
    if match is None:
        raise RulesError(
            "{text} names no game in a file: write FILE.py:NAME, or FILE.py:NAME:option=value",
            text=quoted(text),
        )
    path = Path(match["path"]).expanduser()
    folder = os.environ.get(FOLDER)
    if folder and path.parent == Path() and (Path(folder) / path.name).is_file():
        path = Path(folder) / path.name
    elif not lookup.get().files:
        raise RulesError("{text}: a game in a file cannot be named here", text=quoted(text))
    if not lookup.get().files and (match["name"] or match["options"]):
        raise RulesError(
            "{text}: here a game is named by its file alone, {file}",
            text=quoted(text),
            file=path.name,
        )
    if not path.is_file():
        raise RulesError("there is no file {path}", path=quoted(str(path)))
    wanted = match["name"] or "", (match["options"] or "").replace(":", ",")
    game = _game(path, ":".join(filter(None, (match["path"], *wanted))), wanted)
    if match["digest"] not in (None, game.digest):
        raise RulesError(
            "{text} is another version of the game than {path} has now, {game}",
            text=quoted(text),
            path=path.name,
            game=str(game),
        )
    return game


def send_games_by_text() -> None:
    """Let other processes, which must be of this machine, load games that are sent to them.

    They are then sent the text of each and no table of marks. A game that takes long to mark and
    cannot be kept is sent as a whole.
    """
    global sent_by_text
    sent_by_text = True


@cache
def _loaded(text: str) -> TextTable:
    """In another process: the game of a text with a digest."""
    game = game_named(text)
    assert game is not None  # noqa: S101 (the process that sends it has it)
    return replace(game[0], loader=_loaded)


def _game(path: Path, called: str, wanted: tuple[str, str]) -> TextTable:
    """The game of this name with these options in a file, called so."""
    source = read_text(path, _MAX_BYTES)
    key = (str(path.absolute()), hashlib.sha256(source.encode()).hexdigest(), *wanted)
    game = _known.get(key)
    if game is None:
        game = _known[key] = _stored_or_marked(called, path.absolute(), source, wanted)
    return game


def _stored_or_marked(typed: str, path: Path, source: str, wanted: tuple[str, str]) -> TextTable:
    """The game as another process marks it, or as it has been marked before."""
    # most commands have no game of a file
    import tempfile

    from pegwise.game_files.marks import WRITTEN, FileMarks, MarksStore
    from pegwise.programs import HOST_ENVIRONMENT, Engine, Limits, NoAnswerError

    store = MarksStore.of(path, source, wanted)
    loader = _loaded if sent_by_text else None
    if (stored := store.load()) is not None:
        return replace(stored.listed(typed), loader=loader)
    with (
        tempfile.TemporaryDirectory(prefix="pegwise-") as folder,
        hooks.aside("marking", path.name) as report,
    ):
        limits = Limits(guess_seconds=60, start_seconds=60, memory=4 << 30, written=16 << 30)
        engine = Engine(_HOST, limits, environment=HOST_ENVIRONMENT, host=True)
        try:
            engine.tell(json.dumps([str(path), source, *wanted, folder]))
            told: dict[str, Any] = {}
            while not told.keys() & {"error", "done"}:
                told = json.loads(engine.hear())
                if "marked" in told:
                    report(Progress(told["marked"], told["of"], "guesses"))
                elif told.get("loading", 0) > _LOADING:
                    raise NoAnswerError(
                        "after {seconds:g} s it has not begun to mark", seconds=_LOADING
                    )
        except (NoAnswerError, ValueError) as error:
            reason = error if isinstance(error, PegwiseError) else Phrase("it gives no game")
            raise RulesError("{file}: {reason}", file=path.name, reason=reason) from None
        finally:
            engine.kill()
        if "error" in told:
            raise RulesError(Phrase.of_document(told["error"]))
        written = (Path(folder) / WRITTEN).read_bytes()
        marked = FileMarks.from_bytes(written)
        if told["done"] > _WORTH and not store.keep(written):
            loader = None
    return replace(marked.listed(typed), loader=loader)
