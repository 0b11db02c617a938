"""A Python file of somebody else in its process: loaded, its errors told, its answers kept apart.

What the file prints goes to standard error, so that it cannot be taken for an answer.
"""

from __future__ import annotations

import json
import linecache
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from pegwise.errors import InputError, PegwiseError, Phrase, quoted


class Channel:
    """The lines that a process is asked, and where it writes its answers."""

    def __init__(self) -> None:
        self._questions = os.fdopen(os.dup(0), encoding="utf-8")  # the file has nothing to read
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._answers: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # what the file prints
        if sys.platform != "win32":
            threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()

    def read(self) -> str:
        """The next line."""
        return self._questions.readline()

    def lines(self) -> Iterator[str]:
        """The lines that follow."""
        yield from self._questions

    def say(self, line: str) -> None:
        """Answer."""
        self._answers.write(line + "\n")
        self._answers.flush()

    def say_error(self, phrase: Phrase) -> None:
        """Answer with what went wrong; the other process translates it."""
        self.say(json.dumps({"error": phrase.document()}))


def _end_with(parent: int) -> None:
    """End this process and its children once the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def error_words(error: BaseException) -> Phrase:
    """An error of somebody's code, as the last line of its traceback has it."""
    return Phrase("".join(traceback.format_exception_only(error)).strip().splitlines()[-1])


def line_of(error: BaseException, path: str) -> int | None:
    """The line of the file in which an error was raised; None where it was raised elsewhere."""
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == path]
    return lines[-1] if lines else None


def load_module(path: Path, source: str) -> ModuleType:
    """The module of a file; InputError says why it cannot be loaded."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules.setdefault(path.stem, module)
    sys.path.append(str(path.parent))
    linecache.cache[str(path)] = (len(source), None, source.splitlines(True), str(path))
    try:
        exec(compile(source, str(path), "exec"), vars(module))  # noqa: S102 - what it is for
    except SyntaxError as error:
        raise InputError(
            "{file}, line {line}: {what}: {text}",
            file=path.name,
            line=error.lineno or 0,
            what=error.msg,
            text=quoted((error.text or "").strip()),
        ) from None
    except BaseException as error:
        raise _failed(path, error) from None
    return module


def _failed(path: Path, error: BaseException) -> InputError:
    traceback.print_exc()
    words = error_words(error)
    if (line := line_of(error, str(path))) is not None:
        return InputError("{file}, line {line}: {error}", file=path.name, line=line, error=words)
    return InputError("{file}: {error}", file=path.name, error=words)


def call(path: Path, function: Any, *arguments: Any, **options: Any) -> Any:
    """Call a function of a file; an InputError names the line where it fails."""
    try:
        return function(*arguments, **options)
    except PegwiseError:
        raise
    except BaseException as error:
        raise _failed(path, error) from None
