"""Checks of what pupils write: each prints a line, and each ends.

    @check(2)
    def test():
        assert in_place([1, 1, 3, 6], [3, 1, 1, 2]) == 1

A check prints ✓ where the answer is right, ✗ where it is not, ✎ where it is still missing. An
answer that never ends is stopped; one that prints or draws without end is cut. Where Python cannot
start threads, as in a browser, no answer is stopped; the checks are the same.
"""

from __future__ import annotations

import ast
import io
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from reprlib import repr as shortened
from threading import Event, Timer, current_thread, main_thread
from types import FrameType
from typing import Final, TextIO, cast

from pegwise import hooks
from pegwise.errors import PegwiseError, Phrase
from pegwise.game import Code, Mark, Notation, Turn
from pegwise.game.codes import COLOR_LETTERS
from pegwise.i18n import tr

Test = Callable[[], object]

_DIGITS: Final = Notation("digits")
_SECONDS: Final = 10.0
_CHARACTERS: Final = 10_000  # that one check may print
_PICTURES: Final = 20  # that one check may draw
_AGAIN: Final = 1.0  # seconds until an answer that went on is interrupted once more


class NotYet(PegwiseError):  # noqa: N818
    """An answer that is not right yet; the message says why, to the pupil."""


class _ToDo(PegwiseError):  # noqa: N818
    """A question that waits for its answer."""

    def __init__(self, question: int) -> None:
        super().__init__("question {n} has no answer yet", n=question)
        self.question = question


_pictures: Final[list[int]] = []
"""How many pictures each check that runs may still draw, the innermost last."""


def todo(question: int) -> None:
    """Stand in for an answer: the check of the question says that it is missing."""
    raise _ToDo(question)


def check(question: int, seconds: float = _SECONDS) -> Callable[[Test], None]:
    """Make a decorator that runs a test at once, and prints what becomes of it.

    Args:
        question: the number of the question.
        seconds: after which an answer is stopped that has not ended.
    """

    def run(test: Test) -> None:
        _pictures.append(_PICTURES)
        try:
            with redirect_stdout(_Cut(sys.stdout)):
                verdict = _verdict(question, test, seconds)
        finally:
            _pictures.pop()
        _print(verdict)

    return run


def show(thing: object, mark: tuple[int, int] | None = None) -> None:
    """Draw a code and, if it is given, its mark, or a result; where nothing is drawn, print it.

    Args:
        thing: a code, that is a list of colors, numbered from 1; or a result of pegwise, such as a
            tree.
        mark: how many pegs are right in color and place, and how many in color only.
    """
    if not _is_code(thing):
        if (display := _display()) is not None:
            display(thing)
        else:
            _print(hooks.tell()(thing, _DIGITS) if hooks.tell else str(thing))
        return
    code = cast(Sequence[int], thing)
    if _pictures:
        _pictures[-1] -= 1
        if _pictures[-1] < 0:
            if _pictures[-1] == -1:
                _print(tr("… (further codes are not shown)"))
            return
    pegs = Code(color - 1 for color in code)
    turn = None if mark is None else Turn(pegs, Mark(*mark))
    if (display := _display()) is not None:
        display(turn or pegs)
    else:
        marks = "" if turn is None else f"  {turn.mark.write('discs')}"
        _print(" ".join(map(str, code)) + marks)


def _is_code(thing: object) -> bool:
    """Whether a value is meant as a code: a list of numbers, or a tuple of small ones."""
    if isinstance(thing, tuple):
        return all(isinstance(color, int) and 0 < color <= len(COLOR_LETTERS) for color in thing)
    return isinstance(thing, list) and not any(isinstance(color, list) for color in thing)


def _print(text: str) -> None:
    print(text)  # noqa: T201


def _display() -> Callable[[object], object] | None:
    """IPython's function that draws in a notebook; None elsewhere."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        return None
    return display if get_ipython() is not None else None


def _verdict(question: int, test: Test, seconds: float) -> str:
    """Run a test; the line that is printed, or two."""
    try:
        with _stopped_after(seconds):
            test()
    except _ToDo as missing:
        return tr(
            "✎ Question {question}: first replace the line that says {line}.",
            question=question,
            line=Phrase("todo({number})", number=str(missing.question)),
        )
    except NotYet as error:
        return tr("✗ Question {question}: not yet.", question=question) + f"\n  {error}"
    except (Exception, SystemExit) as error:  # SystemExit: the answer calls `exit()`
        line, reason = _line(test, error), tr("(outside the test)")
        if line is not None:
            reason = line[0]
        first = tr(
            "✗ Question {question}: not yet. The test that fails: {line}",
            question=question,
            line=reason,
        )
        return f"{first}\n  {_told(error, line)}"
    return tr("✓ Question {question}: right.", question=question)


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Raise NotYet in the block when it takes longer; the clock is a thread beside the main one."""
    if current_thread() is not main_thread():
        yield
        return
    late, done = Event(), Event()

    def interrupt() -> None:
        late.set()
        while not done.is_set():  # an answer may catch what stops it
            signal.raise_signal(signal.SIGINT)
            done.wait(_AGAIN)

    timer = Timer(seconds, interrupt)
    timer.daemon = True
    with suppress(RuntimeError):  # Python in a browser cannot start threads
        timer.start()
    if not timer.is_alive():
        yield
        return
    try:
        try:
            yield
        finally:
            done.set()
            timer.cancel()
            timer.join()
    except KeyboardInterrupt:
        done.set()
        if not late.is_set():
            raise
        raise NotYet(
            tr(
                "Stopped after {seconds:g} seconds: a loop that never ends, or far too much work?",
                seconds=seconds,
            )
        ) from None


def _line(test: Test, error: BaseException) -> tuple[str, FrameType] | None:
    """The line of the test where an error passed, and its frame."""
    code = getattr(test, "__code__", None)
    for (frame, number), summary in zip(
        traceback.walk_tb(error.__traceback__),
        traceback.extract_tb(error.__traceback__),
        strict=True,
    ):
        if frame.f_code is code:
            return summary.line or str(number), frame
    return None


def _told(error: BaseException, line: tuple[str, FrameType] | None) -> str:
    """Lines with the value that an answer returned in a test that failed, or its error."""
    if not isinstance(error, AssertionError) or line is None:
        hint = tr("None came back: is a `return` missing?") if "NoneType" in str(error) else ""
        return f"{type(error).__name__} {error} {hint}".rstrip()
    text, frame = line
    try:
        (statement,) = ast.parse(text).body
        if not isinstance(statement, ast.Assert):  # the line calls what asserts, or is not there
            return f"AssertionError {error}".rstrip()
        tested = statement.test
        call = ast.unparse(tested.left if isinstance(tested, ast.Compare) else tested)
        with _stopped_after(_SECONDS):
            value = eval(call, frame.f_globals, frame.f_locals)  # noqa: S307
    except Exception:  # a test of several lines, or one that cannot be run again
        return f"AssertionError {error}".rstrip()
    hint = tr("Is a `return` missing?") if value is None else ""
    returned = tr("{call} returned {value}", call=call, value=shortened(value))
    return f"{returned} {error} {hint}".rstrip().replace("  ", " ")


class _Cut(io.TextIOBase):
    """Standard output for a check: its first characters, and a word that there were more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._room = _CHARACTERS

    def write(self, text: str) -> int:
        if self._room > 0:
            self._stream.write(text[: self._room])
            self._room -= len(text)
            if self._room <= 0:
                self._stream.write(tr("\n… (the rest is left out)\n"))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()
