"""The parent of a program, on Linux: it ends with the program all that the program has started.

As a subreaper it becomes the parent of each process below it whose own parent has ended, also of
one that has left its session; so none leaves the tree of its children. It is run by its path, with
`python -I -S`, and imports nothing of pegwise, so that it starts in a few hundredths of a second.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

_PR_SET_CHILD_SUBREAPER: Final = 36
_ASKED: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})  # to end the program
_LOOK: Final = 1.0  # seconds between two looks whether pegwise still runs
_ENDING: Final = 5.0  # seconds for all processes to end


def main() -> NoReturn:
    """Run a program until it ends, a signal comes, or pegwise has ended; then end all of it.

    The arguments are the number of the process of pegwise, a pipe that receives the number of the
    error if the program cannot be started, else 0, the most bytes of a file that it writes, and the
    command.
    """
    parent, told, most = map(int, sys.argv[1:4])
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *_ASKED})
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    reads, failed = os.pipe()
    program = os.fork()
    if program == 0:
        os.close(told)
        _execute(sys.argv[4:], failed, most)
    os.close(failed)
    os.write(told, os.read(reads, 16) or b"0")  # nothing can be read once the program has started
    os.close(told)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # the pipes of the program are its own
        os.dup2(nothing, number)
    status = None
    while status is None and os.getppid() == parent:
        caught = signal.sigtimedwait({signal.SIGCHLD, *_ASKED}, _LOOK)
        if caught is not None and caught.si_signo in _ASKED:
            break
        status = _reaped().get(program)
    _end_all()
    _end_as(status or 0)


def _execute(command: list[str], failed: int, most: int) -> NoReturn:
    """Become the program, in a session of its own."""
    try:
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.setsid()
        allowed = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        if allowed == resource.RLIM_INFINITY or allowed > most:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        os.execvp(command[0], command)  # noqa: S606 - it is what the user names
    except OSError as error:
        os.write(failed, str(error.errno).encode())
    os._exit(127)


def _reaped() -> dict[int, int]:
    """The status of each child that has ended since the last call."""
    ended: dict[int, int] = {}
    with suppress(ChildProcessError):  # no child is left
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            ended[child[0]] = child[1]
    return ended


def _children() -> dict[int, list[int]]:
    """The processes of this machine by their parents."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # the name of a program, in brackets, may hold anything
            parent = int(path.read_bytes().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    return children


def _end_all() -> None:
    """End all processes below this one, until none is left, or those that are left cannot be."""
    end = time.monotonic() + _ENDING
    while time.monotonic() < end:
        _reaped()
        children, below = _children(), [os.getpid()]
        for each in below:
            below += children.get(each, [])
        if len(below) == 1:
            return
        for each in below[1:]:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
        signal.sigtimedwait({signal.SIGCHLD}, 0.02)


def _end_as(status: int) -> NoReturn:
    """End as the program has ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


if __name__ == "__main__":
    main()
