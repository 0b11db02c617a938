"""The program: `pegwise`, or `python -m pegwise`."""

import os
import signal
from types import FrameType
from typing import Final, NoReturn

_EARLY: Final = [
    number
    for number in (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(number) is not signal.SIG_IGN
]


def _end(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


# nothing has begun: while libraries are imported a signal ends the program, without a traceback
for _number in _EARLY:
    signal.signal(_number, _end)


def main() -> NoReturn:
    """Run the command line as a process of its own."""
    from pegwise.cli import signals
    from pegwise.cli.main import main

    try:
        main()
    finally:
        signals.ignore()  # until the interpreter has ended
        signals.leave_threads()


if __name__ == "__main__":
    main()
