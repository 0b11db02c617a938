"""Pages whose blocks are run, so that what a page shows is what its reader gets.

A page plays in an empty folder and in the order of its blocks:

- In a fence ``console`` each line ``$ COMMAND`` is typed in a shell. `pegwise` and `python FILE`
  run in this process; where the program asks, lines ``> TEXT`` answer. ``COMMAND &`` goes on
  beside the rest until the page ends. Everything else is bash. A line ``...`` of an answer
  stands for any lines.
- In a fence ``python`` lines with ``>>>`` are typed in Python, which speaks English; names last to
  the end of the page.
- In a fence with ``title="FILE"`` stands a file, which is written.

`python -m tools.pages PAGE...` plays pages and writes into them what is said now.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import math
import os
import re
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from unittest import mock

__all__ = ["blocks", "played", "timeless"]

FENCE: Final = re.compile(
    r"^(?P<open>```(?P<kind>\w+)(?P<rest>[^\n]*)\n)(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
TIME: Final = re.compile(
    r"\d[\d.,]*\s?(?:ms|s|min|positions?)\b|"
    r'(?<="seconds": )[\d.e-]+|(?<="positions": )\d+'
)
SCHEDULER: Final = "8786"
"""The port that pages name; another one that is free is taken."""


def blocks(text: str) -> list[tuple[str, str]]:
    """Kind and content of every fence."""
    return [(fence["kind"], fence["body"]) for fence in FENCE.finditer(text)]


COMPILING = re.compile(
    r", (?:and \d+ s to compile|et \d+ s de compilation)"
    r"|^(?:Compiling kernels|Compilation des noyaux).*\n",
    re.M,
)
"""The lines of a search that runs for the first time on a machine."""

WAITING = re.compile(
    r"^(?:No worker has|Aucun processus de travail n’a encore"
    r"|Marking .* takes about|Le marquage de .* prend encore environ) .*\n",
    re.M,
)
"""Lines that tell what is waited for: a worker that is about to join, marks on a slow machine."""


def timeless(text: str) -> list[str]:
    """The words, without what differs from run to run.

    These are times, with them the widths of columns, how far threads search, and where lines break.
    """
    return TIME.sub("TIME", COMPILING.sub("", WAITING.sub("", text))).split()


def played(text: str, folder: Path, language: str = "en") -> str:
    """The page with what is said now in place of what it shows.

    Args:
        text: the page.
        folder: where its files come to lie; empty.
        language: what the program speaks: `en` or `fr`.
    """
    with _Shell(folder, language) as shell:
        return FENCE.sub(lambda fence: fence["open"] + shell.block(fence) + "```", text)


class _Shell:
    """A folder with a terminal and a Python prompt."""

    def __init__(self, folder: Path, language: str) -> None:
        self.folder = folder
        (folder / "examples").symlink_to(Path(__file__).parents[1] / "examples")
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.beside: list[subprocess.Popen[bytes]] = []
        self.status = 0
        self.port = _free_port()
        self.environment = os.environ | {
            "COLUMNS": "80",
            "LANG": {"en": "C.UTF-8", "fr": "fr_FR.UTF-8"}[language],
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PEGWISE_HOME": str(folder / ".pegwise"),
        }
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "FORCE_COLOR"):
            self.environment.pop(name, None)

    def __enter__(self) -> _Shell:
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(contextlib.chdir(self.folder))
        self._stack.enter_context(mock.patch.dict(os.environ, self.environment, clear=True))
        self._stack.enter_context(mock.patch.object(sys, "path", ["", *sys.path]))
        # a busy machine would leave out of a review what takes some seconds
        self._stack.enter_context(mock.patch("pegwise.cli.review._JUDGING", math.inf))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        from pegwise.i18n import SOURCE, use

        for process in reversed(self.beside):
            process.send_signal(signal.SIGINT)
        for process in reversed(self.beside):
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:  # a worker that starts may miss the signal
                process.kill()
                process.wait()
        use(SOURCE)
        self._stack.close()

    def block(self, found: re.Match[str]) -> str:
        """The text of a fence after it was played."""
        kind, body = found["kind"], found["body"]
        title = re.search(r'title="([^"]+)"', found["rest"])
        if title:
            (self.folder / title[1]).write_text(body, "utf-8")
            return body
        if kind == "console":
            return "".join(self._command(part) for part in re.split(r"^(?=\$ )", body, flags=re.M))
        if kind == "python":
            return self._prompt(body)
        return body

    def _command(self, part: str) -> str:
        """A line that begins with a dollar, and what is said then."""
        if not part.startswith("$ "):
            return part
        first, _, shown = part.partition("\n")
        typed = "".join(f"{line}\n" for line in re.findall(r"^> (.*)$", shown, re.MULTILINE))
        said = self._said(first[2:].replace(SCHEDULER, self.port), typed)
        said = re.sub(rf"\b{self.port}\b", SCHEDULER, said).replace(f"{self.folder}{os.sep}", "")
        said = re.sub(r"\.pegwise[/\\]games[/\\]\S+\.txt", "GAME", said)
        lines = [line.rstrip() for line in said.strip("\n").splitlines()]
        if _leaves_out(shown, "\n".join(lines)):
            return part
        blank = "\n" if shown.endswith("\n\n") else ""
        return "".join(f"{line}\n" for line in [first, *lines]) + blank

    def _said(self, command: str, typed: str) -> str:
        if command == "echo $?":
            return str(self.status)
        if command.endswith(" &"):
            words = shlex.split(command[:-2])
            self.beside.append(subprocess.Popen(words, stderr=subprocess.DEVNULL))
            _await(int(self.port))
            return ""
        words = shlex.split(command)
        if words[0] in ("pegwise", "python") and not re.search("[|>;]", command):
            return self._here(words, typed)
        ended = subprocess.run(
            ["bash", "-c", command], input=typed, capture_output=True, encoding="utf-8", check=False
        )
        self.status = ended.returncode
        return ended.stdout + ended.stderr

    def _here(self, words: list[str], typed: str) -> str:
        """A program of Python in this process: its start would be most of the time."""
        from pegwise.cli.main import main

        with _caught(typed) as said, mock.patch.object(sys, "argv", words):
            try:
                if words[0] == "pegwise":
                    main()
                with mock.patch.object(sys, "argv", words[1:]):
                    runpy.run_path(words[1], run_name="__main__")
                self.status = 0
            except SystemExit as left:
                self.status = int(left.code or 0)
        return _without_compiling(said())

    def _prompt(self, body: str) -> str:
        """A session of Python, or lines that say nothing."""
        from pegwise.i18n import SOURCE, use

        use(SOURCE)  # a command before it may have spoken another language
        if ">>>" not in body:
            exec(compile(body, "<page>", "exec"), self.names)
            return body
        said = []
        for piece in doctest.DocTestParser().parse(body):
            if isinstance(piece, str):
                said.append(piece)
                continue
            lines = piece.source.splitlines()
            said.extend(f"{'... ' if n else '>>> '}{line}\n" for n, line in enumerate(lines))
            with _caught("") as answer:
                try:
                    exec(compile(piece.source, "<page>", "single"), self.names)
                except Exception as error:
                    told = "".join(traceback.format_exception_only(error))
                    sys.stdout.write(f"Traceback (most recent call last):\n{told}")
            said.append(re.sub(r"^\.\.\. $", "...", _without_compiling(answer()), flags=re.M))
        return "".join(said)


def _without_compiling(said: str) -> str:
    """Without what is said once on a machine, whatever runs first."""
    return re.sub(r"^Compiling kernels.*\n|^Compilation des noyaux.*\n", "", said, flags=re.M)


def _leaves_out(shown: str, said: str) -> bool:
    """Whether an answer that is shown is what is said, but for lines that `...` stands for."""
    pieces = [" ".join(timeless(piece)) for piece in re.split(r"^\.\.\.$", shown, flags=re.M)]
    pattern = "(.* )?".join(re.escape(f"{piece} ") if piece else "" for piece in pieces)
    return len(pieces) > 1 and bool(re.fullmatch(pattern, f"{' '.join(timeless(said))} "))


@contextlib.contextmanager
def _caught(typed: str) -> Iterator[Any]:
    """Catch what is said, on both streams in their order; the value returns it."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    typed_text = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")

    def said() -> str:
        out.flush()
        return raw.getvalue().decode()

    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        mock.patch.object(sys, "stdin", typed_text),
    ):
        yield said


def _free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def _await(port: int) -> None:
    """Wait until somebody listens there."""
    for _ in range(600):
        with socket.socket() as knocking:
            if knocking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nobody listens at {port}")


def _write(page: Path) -> None:
    """Play a page, write what is said into it, and keep the pictures that it draws and shows."""
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        now = played(text, Path(folder), "fr" if "fr" in page.parts else "en")
        for shown in re.findall(r"\]\((\S+/tutorials/\S+\.svg)\)", text):
            drawn = Path(folder, Path(shown).name)
            if drawn.exists():
                shutil.copy(drawn, page.parent / shown)
    if timeless(now) != timeless(text):
        page.write_text(now, "utf-8")


if __name__ == "__main__":
    for named in sys.argv[1:]:
        _write(Path(named).resolve())
