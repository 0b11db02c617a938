"""A program of somebody else: how it is started, asked line by line, timed and ended.

Each runs in a session of its own, so that Ctrl-C does not reach it, and is ended with its children:
when it is told to, when nothing refers to it any more, and when this program ends. On Linux a
process of its own sees to that (`supervisor.py`), so that no child escapes. What it writes waits in
a pipe until it is wanted; so a program that writes without end stops, and fills nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Full, Queue
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from pegwise.errors import (
    InputError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    SignRow,
    plain,
    quoted,
    system_reason,
)
from pegwise.hooks import hooks
from pegwise.progress import Progress, Report

if TYPE_CHECKING:
    import psutil

T = TypeVar("T")

_LINE: Final = 1 << 16  # bytes of the longest line that is read
_TAIL: Final = 4096  # bytes of standard error that are kept
_LOOK: Final = 0.1  # seconds between two looks at the memory
_LEAVE: Final = 0.3  # seconds that a program has to end once it is told `quit`
_TITLE: Final = "name "  # begins a line by which a program names itself

HOST_ENVIRONMENT: Final = {"PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
"""Variables of a process that loads a Python file of somebody else."""

_SUPERVISOR: Final = str(Path(__file__).with_name("supervisor.py"))

_Lines = Queue[bytes | None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a program of somebody else.

    Attributes:
        guess_seconds: for the answer to a question.
        memory: bytes that it and its children hold.
        start_seconds: for its first answer.
        written: bytes of each file that it writes; on Linux.
    """

    guess_seconds: float = 10.0
    memory: int = 2 << 30
    start_seconds: float = 30.0
    written: int = 1 << 30


class NoAnswerError(PegwiseError):
    """A program that gave no answer.

    Attributes:
        why: the reason in a few words, without the name of the program.
        silent: whether its time was up.
    """

    def __init__(self, template: str, /, *, silent: bool = False, **values: object) -> None:
        super().__init__(template, **values)
        self.why, self.silent = self.phrase, silent

    def named(self, name: str, turns: Sequence[object]) -> NoAnswerError:
        """This error, whose message names the program and the turns that it was asked about."""
        self.phrase = Phrase("{name} at its first guess: {why}", name=name, why=self.why)
        if turns:
            self.phrase = Phrase(
                "{name} after {turns}: {why}", name=name, turns=SignRow(turns), why=self.why
            )
        self.args = (str(self.phrase),)
        return self


class Engine:
    """A program that runs, and answers a line with a line.

    Args:
        command: the program and its arguments.
        limits: what it may take.
        environment: variables that differ from those of this process.
        transcript: receives each line of the dialogue, with `>` or `<` for its direction.
        host: whether it is pegwise's own, which runs a file of Python and writes whole lines.

    Raises:
        InputError: there is no such program, or it cannot be started.
        MissingExtraError: psutil is not installed.
    """

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        environment: Mapping[str, str] | None = None,
        transcript: Callable[[str, str], None] | None = None,
        host: bool = False,
    ) -> None:
        if find_spec("psutil") is None:
            raise MissingExtraError.of_package(Phrase("a program beside pegwise"), "psutil")
        try:
            self._process = _started(command, limits, {**os.environ, **(environment or {})})
        except FileNotFoundError:
            raise InputError("there is no program {name}", name=quoted(command[0])) from None
        except (OSError, ValueError) as error:
            reason = system_reason(error) if isinstance(error, OSError) else str(error)
            raise InputError(
                "cannot start {name}: {reason}", name=quoted(command[0]), reason=reason
            ) from None
        self.limits = limits
        self.rules = ""  # those that it was told
        self.title = ""  # what it calls itself
        self.transcript = transcript
        self._host = host
        self._answered = False
        self._looked = 0.0
        self._lines: _Lines = Queue(maxsize=4)
        self._errors: deque[bytes] = deque(maxlen=_TAIL // 256)
        self._ended = ended = threading.Event()
        self._kill = weakref.finalize(self, _kill, self._process, ended)
        assert self._process.stdout and self._process.stderr  # noqa: S101 (both are pipes)
        self._threads = [
            _begin(_read_lines, self._process.stdout, self._lines, ended),
            _begin(_keep_tail, self._process.stderr, self._errors),
        ]

    def tell(self, line: str) -> None:
        """Send a line that asks nothing; a program that has ended tells with the next question."""
        if self.transcript:
            self.transcript(">", line)
        assert self._process.stdin is not None  # noqa: S101 (a pipe)
        with suppress(OSError):
            self._process.stdin.write(line.encode() + b"\n")

    def ask(self, *lines: str) -> str:
        """The answer to a line; NoAnswerError if there is none that counts.

        Of several lines, which are all sent now, that to the first; `hear` has the others.
        """
        while self._answered and not self._lines.empty():
            if (more := self._lines.get()) is not None:
                raise NoAnswerError("it writes more than it is asked: {line}", line=_shown(more))
            raise self._has_ended()
        for line in lines:
            self.tell(line)
        return self.hear()

    def hear(self) -> str:
        """Its next answer, within the limits; lines that tell its name give it no more time."""
        limits = self.limits
        seconds = limits.guess_seconds if self._answered else limits.start_seconds
        end = time.monotonic() + seconds
        with hooks.aside("waiting", self.title) as report:
            return self._hear(end, seconds, report)

    def _hear(self, end: float, seconds: float, report: Report) -> str:
        """Its answer, if it comes before the end of these seconds."""
        while True:
            now = time.monotonic()
            if now > self._looked + _LOOK:
                self._look()
                self._looked = now
            try:
                read = self._lines.get(timeout=max(0.0, min(_LOOK, end - now)))
            except Empty:
                report(Progress(0))
                if self._ended.is_set():  # by another thread
                    raise self._has_ended() from None
                if now < end:
                    continue
                raise self._no_answer(seconds) from None
            if read is None:
                raise self._has_ended()
            if not read.endswith(b"\n") and len(read) > _LINE:
                raise NoAnswerError("it writes a line without end: {line}", line=_shown(read))
            answer = read.decode(errors="replace").strip()
            if self.transcript:
                self.transcript("<", answer)
            if not answer.startswith(_TITLE):
                self._answered = True
                return answer
            self.title = plain(answer.removeprefix(_TITLE).strip())[:80]
            if time.monotonic() >= end:
                raise self._no_answer(seconds)

    def end(self) -> None:
        """Tell it to quit, then end it with its children."""
        self.tell("quit")
        with suppress(OSError):
            assert self._process.stdin is not None  # noqa: S101 (a pipe)
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE)
        self.kill()

    def kill(self) -> None:
        """End it with its children at once."""
        self._kill()

    def _look(self) -> None:
        """Refuse more memory than allowed."""
        held = sum(_of_family(self._process.pid, lambda each: each.memory_info().rss))
        if held > self.limits.memory:
            raise NoAnswerError(
                "it takes more than {size} MiB of memory", size=self.limits.memory >> 20
            )

    def _no_answer(self, seconds: float) -> NoAnswerError:
        advice = Phrase("")
        if not self._answered and not self._host:
            advice = Phrase(
                "; it has never answered: a program must read its input and write its answers "
                "line by line, without waiting for a full block"
            )
        return NoAnswerError(
            "no answer within {seconds:g} s{advice}", silent=True, seconds=seconds, advice=advice
        )

    def _has_ended(self) -> NoAnswerError:
        """That it has ended, with its status and the end of its standard error."""
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return NoAnswerError("it has closed its output")
        for thread in self._threads:
            thread.join(0.5)
        lines = b"".join(self._errors).decode(errors="replace").strip().splitlines()
        said = Phrase(": {line}", line=quoted(lines[-1].strip(), 200)) if lines else ""
        if sys.platform != "win32" and status == -signal.SIGXFSZ:
            return NoAnswerError(
                "it writes more than {size} MiB into a file", size=self.limits.written >> 20
            )
        if status < 0:
            name = str(-status)
            with suppress(ValueError):
                name = signal.Signals(-status).name
            return NoAnswerError("it was ended by signal {name}{said}", name=name, said=said)
        return NoAnswerError("it ended with status {status}{said}", status=status, said=said)


def _started(
    command: Sequence[str], limits: Limits, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """The process of a program, on Linux under a supervisor; OSError if it cannot be started."""
    options: dict[str, Any] = {
        **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
        "bufsize": 0,
        "env": environment,
        "start_new_session": sys.platform != "win32",
    }
    if sys.platform != "linux":
        return subprocess.Popen(command, **options)  # noqa: S603 - it is what the user names
    supervisor = [sys.executable, "-I", "-S", _SUPERVISOR]
    reads, writes = os.pipe()
    with os.fdopen(reads, "rb", buffering=0) as reading:
        try:
            numbers = map(str, (os.getpid(), writes, limits.written))
            process = subprocess.Popen(  # noqa: S603
                [*supervisor, *numbers, *command], pass_fds=[writes], **options
            )
        finally:
            os.close(writes)
        if error := int(reading.read(16) or 0):
            process.communicate()
            raise OSError(error, os.strerror(error))
    return process


def _begin(target: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


def _read_lines(stream: IO[bytes], lines: _Lines, ended: threading.Event) -> None:
    """Read lines as long as somebody wants them; None at the end."""
    reader = os.fdopen(os.dup(stream.fileno()), "rb")
    read: bytes | None = b""
    while read is not None and not ended.is_set():
        with suppress(OSError, ValueError):
            read = reader.readline(_LINE + 1)
        read = read or None
        while not ended.is_set():
            with suppress(Full):
                lines.put(read, timeout=0.2)
                break
    reader.close()


def _keep_tail(stream: IO[bytes], tail: deque[bytes]) -> None:
    with suppress(OSError, ValueError):
        while read := stream.read(256):
            tail.append(read)


def _shown(line: bytes) -> str:
    return quoted(line[:400].decode(errors="replace").strip(), 40)


def _of_family(number: int, do: Callable[[psutil.Process], T]) -> list[T]:
    """Results of a function for a process and all that it has started, but for those that end."""
    import psutil  # takes longer to import than most commands that start no program

    results = list[T]()
    with suppress(psutil.Error):
        process = psutil.Process(number)
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                results.append(do(each))
    return results


def _kill(process: subprocess.Popen[bytes], ended: threading.Event) -> None:
    """End a program and all that it has started."""
    ended.set()
    if sys.platform == "linux":
        with suppress(subprocess.TimeoutExpired):
            process.terminate()  # its supervisor ends the rest
            process.wait(10)
    if sys.platform != "linux" or process.poll() is None:
        _of_family(process.pid, lambda each: each.kill())
        if sys.platform != "win32":
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
    for stream in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):
            if stream is not None:
                stream.close()
