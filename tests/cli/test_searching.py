"""How a long search is left: by its end, the user, the memory, the clock or the disk."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from pegwise.cli.search import Ended, go_through
from pegwise.errors import OutputError, PegwiseError, Phrase
from pegwise.game import mastermind
from pegwise.search.checkpoint import Checkpoint
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.value import ValueSearch


class Counting:
    """A search that counts to ten, and raises a signal when it meets one."""

    game = None

    def __init__(self, stops: dict[int, Callable[[], object]] | None = None) -> None:
        self.stops = stops or {}
        self.done = 0
        self.closed = False

    @property
    def finished(self) -> bool:
        return self.done == 10

    def __iter__(self) -> Iterator[int]:
        try:
            while not self.finished:
                self.done += 1
                self.stops.get(self.done, int)()
                yield self.done
        finally:
            self.closed = True


class Kept(Checkpoint[Counting, int]):
    """Its file is never written: something else happens instead."""

    def __init__(self, instead: Callable[[], object], **options: float) -> None:
        super().__init__(Path("none"), **options)
        self.instead = instead

    @staticmethod
    def identity(search: Counting) -> Any:
        raise AssertionError(search)

    def contents(self, search: Counting) -> Any:
        raise AssertionError(search)

    def restore(self, search: Counting, *_: object) -> None:
        raise AssertionError(search)

    def done(self, search: Counting) -> Phrase:
        raise AssertionError(search)

    def save(self, search: Counting) -> None:
        assert not search.finished
        self.instead()


class Watched:
    """Shows steps, and knows whether it was left."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.left = False

    @contextmanager
    def __call__(self) -> Iterator[Callable[[int], None]]:
        try:
            yield self.seen.append
        finally:
            self.left = True


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Signals as they are for a program, and afterwards as they were."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press() -> None:
    """What Ctrl-C sends."""
    signal.raise_signal(signal.SIGINT)


def full() -> None:
    raise OutputError("the disk is full")


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_to_the_end(watched: Watched) -> None:
    search = Counting()
    assert go_through(search, iter(search), watched()) == Ended()
    assert watched.seen == list(range(1, 11))
    assert watched.left
    assert search.closed


def test_ctrl_c_lets_a_step_end(watched: Watched) -> None:
    search = Counting({3: press})
    assert go_through(search, iter(search), watched()) == Ended(interrupted=True)
    assert watched.seen == [1, 2, 3]
    assert search.closed


def test_ctrl_c_that_comes_too_late_interrupts_nothing(watched: Watched) -> None:
    search = Counting({10: press})
    assert go_through(search, iter(search), watched()) == Ended()
    assert watched.seen[-1] == 10


def test_ctrl_c_twice_stops_within_a_step(watched: Watched) -> None:
    def twice() -> None:
        press()
        press()
        raise AssertionError("it goes on")

    search = Counting({3: twice})
    assert go_through(search, iter(search), watched()) == Ended(interrupted=True)
    assert watched.seen == [1, 2]
    assert search.closed


def test_ctrl_c_beneath_a_system_error_is_ctrl_c(watched: Watched) -> None:
    def hand_over() -> None:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    search = Counting({3: hand_over})
    assert go_through(search, iter(search), watched()) == Ended(interrupted=True)


def test_ctrl_c_while_the_checkpoint_is_written_loses_no_answer(watched: Watched) -> None:
    search = Counting({3: press})
    steps = Kept(press).run(search)
    assert go_through(search, steps, watched()) == Ended(interrupted=True)


def test_ctrl_c_while_threads_end_loses_no_answer() -> None:
    """Threads end when the innermost steps are closed, which others go through."""

    def stubborn(*_: object) -> Iterator[None]:
        try:
            yield
        finally:
            press()

    best, value = OptimalSearch(mastermind("3x4")), ValueSearch(mastermind("3x4"))
    best._search_limit = stubborn  # type: ignore[method-assign,assignment]
    value.answer = stubborn  # type: ignore[method-assign,assignment]
    for search in (best, value):
        steps: Iterator[object] = iter(search)
        watched: list[object] = []
        ended = go_through(search, steps, nullcontext(watched.append), enough=lambda: True)
        assert ended == Ended(interrupted=True)
        assert len(watched) == 1


def test_enough_is_enough(watched: Watched) -> None:
    search = Counting()
    ended = go_through(search, iter(search), watched(), enough=lambda: search.done == 4)
    assert ended == Ended()
    assert watched.seen == [1, 2, 3, 4]
    assert search.closed


def test_a_full_disk_ends_the_search_and_is_told_at_last(watched: Watched) -> None:
    search = Counting()
    ended = go_through(search, Kept(full, every=0).run(search), watched())
    assert not ended.interrupted
    assert watched.seen == [1]
    assert watched.left
    with pytest.raises(OutputError, match="the disk is full"):
        ended.leave()


def test_a_full_disk_after_ctrl_c(watched: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    search = Counting({3: press})
    ended = go_through(search, Kept(full).run(search), watched())
    assert ended.interrupted
    ended.say("4x6", kept=True)
    assert capsys.readouterr().err == "Interrupted.\n"
    with pytest.raises(OutputError, match="the disk is full"):
        ended.leave()


def test_other_errors_end_the_command(watched: Watched) -> None:
    def fail() -> None:
        raise PegwiseError("a mistake")

    search = Counting({3: fail})
    with pytest.raises(PegwiseError, match="a mistake"):
        go_through(search, iter(search), watched())
    assert watched.left


@pytest.mark.parametrize(
    ("kept", "says"),
    [(True, "Interrupted; the same command goes on with 4x6.\n"), (False, "Interrupted.\n")],
)
def test_the_user_is_told_how_it_goes_on(
    kept: bool, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Ended().say("4x6", kept=kept)
    Ended().leave()
    ended = Ended(interrupted=True)
    ended.say("4x6", kept=kept)
    assert capsys.readouterr() == ("", says)
    with pytest.raises(SystemExit) as left:
        ended.leave()
    assert left.value.code == 130


def test_an_answer_that_cannot_be_stored_is_shown() -> None:
    ended = Ended()
    with ended.noting():
        full()
    with pytest.raises(OutputError, match="the disk is full"):
        ended.leave()
