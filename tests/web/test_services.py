"""Workers that answer questions: they are ended when they take too long, and come back."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from pebble import ProcessExpired

from pegwise.compute.workers import WorkerPool, do_nothing
from pegwise.errors import InputError, RulesError, TooLargeError
from pegwise.game import Rules, game_of
from pegwise.hooks import hooks
from pegwise.progress import Progress
from pegwise.strategies.registry import offer
from pegwise.web.decode import decode
from pegwise.web.pages import strategy_words
from pegwise.web.race.worker import playable
from pegwise.web.services import (
    Asker,
    CompilingError,
    QuestionWorkers,
    StoppingError,
    TooLongError,
    asker,
    offers_by,
    prepare_offering,
)
from pegwise.web.settings import Settings
from pegwise.web.storage import BusyError
from tests.programs import PATIENCE, until


def break_down() -> None:
    raise ZeroDivisionError("unforeseen")


def use_memory() -> int:
    return len(bytes(1 << 40))


def die() -> None:
    os._exit(1)


def compile_slowly(end: Path | float) -> str:
    """What the pool learns while Numba compiles a kernel: for seconds, or until a file is there."""
    with hooks.aside("compiling", "kernel") as report:
        report(Progress(3, 10))
        if isinstance(end, Path):
            wait_for(end)
        else:
            time.sleep(end)
    return "compiled"


def wait_for(file: Path) -> None:
    while not file.exists():
        time.sleep(0.01)


def has_ended(process: int) -> bool:
    """Whether a process of this user is there no more."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def questions() -> Iterator[QuestionWorkers]:
    questions = QuestionWorkers(1, 30.0, do_nothing)
    asyncio.run(questions.start())
    yield questions
    questions.close()


def test_answers_and_errors_come_back(questions: QuestionWorkers) -> None:
    assert asyncio.run(questions.ask(os.getpid)) != os.getpid()
    with pytest.raises(RulesError, match="'4y6'"):
        asyncio.run(questions.ask(Rules.parse, "4y6"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError: unforeseen"):
        asyncio.run(questions.ask(break_down))
    for function in (use_memory, die):
        with pytest.raises(TooLargeError):
            asyncio.run(questions.ask(function))
    assert asyncio.run(questions.ask(pow, 3, 2)) == 9


def test_a_worker_that_dies_idle_is_replaced(questions: QuestionWorkers) -> None:
    worker = asyncio.run(questions.ask(os.getpid))
    os.kill(worker, 9)

    def answer() -> int:
        with suppress(TooLargeError):  # of the dead one, whose end is not yet noticed
            return asyncio.run(questions.ask(pow, 3, 2))
        return 0

    assert until(answer) == 9


@pytest.mark.slow
def test_what_takes_too_long_is_ended(
    questions: QuestionWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asyncio.run(questions.ask(os.getpid))
    with monkeypatch.context() as patch:
        patch.setattr(questions, "seconds", 0.2)
        with pytest.raises(TooLongError):
            asyncio.run(questions.ask(time.sleep, 600))
    assert asyncio.run(questions.ask(os.getpid)) != before
    assert has_ended(before)


@pytest.mark.slow
def test_who_compiles_a_kernel_gets_more_time(
    questions: QuestionWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asyncio.run(questions.ask(pow, 3, 2)) == 9  # a worker is there
    monkeypatch.setattr(questions, "seconds", 1.0)  # in which it begins
    assert asyncio.run(questions.ask(compile_slowly, 1.5)) == "compiled"
    with pytest.raises(TooLongError):  # which is over
        asyncio.run(questions.ask(time.sleep, 600))


@pytest.mark.slow
def test_a_page_does_not_wait_until_kernels_are_compiled(
    questions: QuestionWorkers, tmp_path: Path
) -> None:
    async def visit() -> str:
        asker.set(Asker(for_page=True))
        return await questions.ask(compile_slowly, tmp_path / "end")

    for _ in range(2):  # the second time the question is not even asked
        with pytest.raises(CompilingError, match="3"):
            asyncio.run(visit())
    (tmp_path / "end").touch()
    assert asyncio.run(questions.ask(pow, 2, 3)) == 8


def test_who_no_longer_waits_does_not_end_the_worker(
    questions: QuestionWorkers, tmp_path: Path
) -> None:
    async def impatient() -> None:
        async with asyncio.timeout(0.1):
            await questions.ask(wait_for, tmp_path / "end")

    before = asyncio.run(questions.ask(os.getpid))
    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    (tmp_path / "end").touch()
    assert asyncio.run(questions.ask(os.getpid)) == before


def test_a_question_counts_until_it_is_answered(questions: QuestionWorkers, tmp_path: Path) -> None:
    async def impatient() -> list[object]:
        asker.set(Asker("192.0.2.8"))
        answers: list[object] = []
        for _ in range(9):
            try:
                async with asyncio.timeout(0.01):
                    await questions.ask(wait_for, tmp_path / "end")
            except (TimeoutError, BusyError) as error:
                answers.append(type(error))
        (tmp_path / "end").touch()
        return answers

    assert asyncio.run(impatient()) == [*[TimeoutError] * 8, BusyError]


@pytest.mark.parametrize(("client", "most"), [("", 64), ("192.0.2.7", 8)])
def test_a_queue_is_not_endless(questions: QuestionWorkers, client: str, most: int) -> None:
    async def crowd() -> list[object]:
        asker.set(Asker(client))
        asked = [questions.ask(time.sleep, 0) for _ in range(100)]
        return await asyncio.gather(*asked, return_exceptions=True)

    for _ in range(2):
        answers = asyncio.run(crowd())
        assert answers.count(None) == most
        assert sum(isinstance(answer, BusyError) for answer in answers) == 100 - most


def test_a_closed_pool_ends_its_workers() -> None:
    closing = QuestionWorkers(1, 30.0, do_nothing)
    worker = asyncio.run(closing.ask(os.getpid))

    async def close_while_it_computes() -> None:
        answer = asyncio.ensure_future(closing.ask(time.sleep, 600))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(closing.close)
        await answer

    for question in (close_while_it_computes(), closing.ask(pow, 3, 2)):
        with pytest.raises(StoppingError):
            asyncio.run(question)
    assert has_ended(worker)


@pytest.mark.slow
def test_a_pool_closes_while_its_workers_start(capfd: pytest.CaptureFixture[str]) -> None:
    for seconds in (0.0, 0.05, 0.1, 0.15, 0.2):
        pool_of_two = WorkerPool(2)
        answer = pool_of_two.submit(pow, 2, 10)
        time.sleep(seconds)
        pool_of_two.close()
        assert answer.done()
    assert capfd.readouterr().err == ""


def test_no_task_waits_for_workers_that_end_before_they_begin() -> None:
    pool_of_two = WorkerPool(2, prepare=_end)
    answers = [pool_of_two.submit(pow, 2, n) for n in range(9)]
    for answer in answers:
        with pytest.raises((ProcessExpired, BrokenExecutor)):
            answer.result(timeout=PATIENCE)
    pool_of_two.close()


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_workers_are_copies_with_the_environment_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for home in ("one", "another"):
        monkeypatch.setenv("PEGWISE_HOME", home)
        workers = WorkerPool(1)
        answers.append((workers.submit(os.getppid).result(), workers.submit(_home).result()))
        workers.close()
    assert [home for _, home in answers] == ["one", "another"]
    if sys.platform == "linux":
        assert answers[0][0] == answers[1][0] != os.getpid()


def _home() -> str:
    return os.environ["PEGWISE_HOME"]


@pytest.mark.slow
def test_strategies_of_the_owner_are_offered_in_workers(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choix(candidates):\n    return candidates[0]\n")
    settings = Settings(tmp_path, strategies=(str(tmp_path / "mine.py"),))
    offers = offers_by(settings)
    try:
        prepare_offering(pickle.loads(pickle.dumps(offers)), lambda: None)
        assert decode(game_of(Rules(2, 3)), "mine.py", {}, 0, 9).guess == "AA"
        assert "mine.py" in playable(game_of(Rules(2, 3)))
        assert strategy_words("mine.py", "en")["name"] == "mine.py"
    finally:
        offer([])
    with pytest.raises(InputError):
        offers_by(Settings(tmp_path, strategies=("nowhere.py",)))
