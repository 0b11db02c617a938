"""Processes that compute: they answer, are ended when they take too long, and come back."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator

import pytest

from pegwise.errors import RulesError, TooLargeError
from pegwise.game import Rules
from pegwise.web.work import BusyError, Line, TooLongError, asking, more_time


def nothing() -> None:
    pass


def refuse(text: str) -> Rules:
    return Rules.parse(text)


def break_down() -> None:
    raise ZeroDivisionError("unforeseen")


def eat() -> int:
    return len(bytes(1 << 40))


def die() -> None:
    os._exit(1)


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    line = Line(1, 30.0, nothing)
    line.start()
    yield line
    line.close()


def test_a_function_answers(line: Line) -> None:
    assert asyncio.run(line.ask(pow, 2, 10)) == 1024
    assert asyncio.run(line.ask(os.getpid)) != os.getpid()


def test_errors_come_back(line: Line) -> None:
    with pytest.raises(RulesError, match="cannot read rules '4y6'"):
        asyncio.run(line.ask(refuse, "4y6"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError: unforeseen"):
        asyncio.run(line.ask(break_down))
    with pytest.raises(TooLargeError, match="more memory"):
        asyncio.run(line.ask(eat))
    with pytest.raises(TooLargeError, match="more memory"):
        asyncio.run(line.ask(die))
    assert asyncio.run(line.ask(pow, 3, 2)) == 9


def test_what_takes_too_long_is_ended(line: Line) -> None:
    before = asyncio.run(line.ask(os.getpid))
    with pytest.raises(TooLongError, match=r"longer than 0\.2 seconds"):
        asyncio.run(line.ask(time.sleep, 600, seconds=0.2))
    assert asyncio.run(line.ask(os.getpid)) != before
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def compile_slowly() -> str:
    more_time(30)
    time.sleep(0.5)
    return "done"


def test_what_is_done_once_gets_more_time(line: Line) -> None:
    assert asyncio.run(line.ask(compile_slowly, seconds=0.2)) == "done"


def test_the_line_is_not_endless(line: Line) -> None:
    async def crowd() -> list[object]:
        asked = [line.ask(time.sleep, 0) for _ in range(200)]
        return await asyncio.gather(*asked, return_exceptions=True)

    found = asyncio.run(crowd())
    refused = [answer for answer in found if isinstance(answer, BusyError)]
    assert len(refused) == 200 - 64
    assert found.count(None) == 64


def test_one_client_cannot_fill_the_line(line: Line) -> None:
    async def crowd() -> list[object]:
        asking.set("192.0.2.7")
        asked = [line.ask(time.sleep, 0) for _ in range(20)]
        return await asyncio.gather(*asked, return_exceptions=True)

    for _ in range(2):
        found = asyncio.run(crowd())
        assert found.count(None) == 8
        assert sum(isinstance(answer, BusyError) for answer in found) == 12


def test_a_closed_line_ends_its_processes() -> None:
    line = Line(1, 30.0, nothing)
    process = asyncio.run(line.ask(os.getpid))
    line.close()
    for _ in range(500):
        try:
            os.waitpid(process, os.WNOHANG)
            os.kill(process, 0)
        except (ChildProcessError, ProcessLookupError):
            return
        time.sleep(0.01)
    pytest.fail("the process is still there")
