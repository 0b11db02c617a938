"""Pieces of work in this process, in threads, and in processes that may die."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pegwise.arrays import from_bytes, to_bytes
from pegwise.compute.backends import (
    Backend,
    Cluster,
    OpenBackend,
    Processes,
    Serial,
    Threads,
    WorkersLost,
    backend,
    set_when_cancelled,
)
from pegwise.compute.cache import ResultCache, ResultForm
from pegwise.compute.pieces import run
from pegwise.errors import InputError, MissingExtraError, OutputError
from pegwise.kept import digest_of
from pegwise.progress import Progress

NUMBER = ResultForm[int](to_bytes, lambda value: int(from_bytes(value)[0]))


def square(n: int) -> int:
    return n * n


def fail(n: int) -> int:
    if n == 3:
        raise FileNotFoundError("three")
    return n


def die_once(path: str) -> str:
    """Kill the process at the first call for this path."""
    mark = Path(path)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return mark.name


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def pid(_: int) -> int:
    return os.getpid()


def note(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("ready ")


PLACES = pytest.mark.parametrize(
    "where", [Serial(), Threads(3), Processes(2)], ids=lambda where: type(where).__name__
)


@PLACES
def test_pieces_and_what_follows_them(where: Backend, tmp_path: Path) -> None:
    """Results come in the order of the pieces; errors of the work come through."""
    steps: list[Progress] = []
    results: dict[int, int] = {}
    store = ResultCache(tmp_path, "halves", NUMBER)

    def halves(n: int, result: int) -> list[int]:
        results[n] = result
        # 1 has followed more than one piece by then
        return [n // 2] if n > 1 and n // 2 not in results else []

    with OpenBackend(where) as pool:
        assert run(square, list(range(9)), pool) == [n * n for n in range(9)]
        with pytest.raises(FileNotFoundError, match="three"):
            run(fail, [1, 2, 3, 4], pool)
        assert run(fail, [], pool) == []
        squares = run(
            square,
            [12, 100],
            pool,
            store=store,
            follow=halves,
            report=steps.append,
            size=lambda n: n,
        )
    assert squares == [144, 10_000]
    assert results == {n: n * n for n in (12, 6, 3, 1, 100, 50, 25)}
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1] == Progress(steps[-1].done, steps[-1].done, "pieces")
    assert steps[-1].done >= sum(results)
    # what is stored is followed again
    results.clear()
    assert run(fail, [100], Serial(), store=store, follow=halves) == [10_000]
    assert sorted(results) == [1, 3, 6, 12, 25, 50, 100]


def test_the_largest_piece_is_begun_first() -> None:
    begun: list[int] = []
    run(
        begun.append,
        [3, 9, 5],
        Serial(),
        follow=lambda n, _: {9: [4, 7], 7: [1]}.get(n, []),
        size=lambda n: n,
    )
    assert begun == [9, 7, 5, 4, 3, 1]


@pytest.mark.slow
def test_workers_that_die(tmp_path: Path) -> None:
    pieces = [str(tmp_path / name) for name in "abc"]
    assert run(die_once, pieces, Processes(2)) == ["a", "b", "c"]
    store = ResultCache(tmp_path, "dying", NUMBER)
    store.save(1, 1)
    with pytest.raises(WorkersLost, match=r"1 of 2 pieces are finished and kept"):
        run(die, [1, 2], Processes(1), store=store)


def test_stopped_and_resumed(tmp_path: Path) -> None:
    store = ResultCache(tmp_path, "work, version 1", NUMBER)
    begun: list[int] = []

    def work(n: int) -> int:
        begun.append(n)
        if len(begun) == 3:
            raise KeyboardInterrupt
        return square(n)

    with pytest.raises(KeyboardInterrupt):
        run(work, [1, 2, 3, 4], Serial(), store=store)
    assert run(work, [1, 2, 3, 4], Serial(), store=store) == [1, 4, 9, 16]
    assert begun == [1, 2, 3, 3, 4]
    # other work has other files
    with pytest.raises(KeyError):
        ResultCache(tmp_path, "work, version 2", NUMBER).load(1)
    store.clear()
    with pytest.raises(KeyError):
        store.load(1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"1", b"[[], 3]\n", to_bytes("no number")])
def test_what_is_no_result_is_as_absent(content: bytes, tmp_path: Path) -> None:
    store = ResultCache(tmp_path, "work", NUMBER)
    store.save(5, -5)
    (path,) = tmp_path.glob("*/*")
    path.write_bytes(content + digest_of(content))
    assert run(square, [5], Serial(), store=store) == [25]


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-1], lambda data: b"", lambda data: data[:40] + b"x" + data[41:]],
    ids=["cut", "empty", "changed"],
)
def test_damaged_pieces_are_done_again(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    store = ResultCache(tmp_path, "work", NUMBER)
    store.save(5, -5)
    (path,) = tmp_path.glob("*/*")
    assert run(square, [5], Serial(), store=store) == [-5]
    path.write_bytes(damage(path.read_bytes()))
    assert run(square, [5], Serial(), store=store) == [25]


def test_a_piece_that_cannot_be_stored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match=r"cannot keep a finished piece in .*file"):
        run(square, [1], Serial(), store=ResultCache(tmp_path / "file", "work", NUMBER))


def test_places_are_chosen_and_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    assert backend() == Serial()
    assert backend(3) == pickle.loads(pickle.dumps(backend(3))) == Processes(3)
    with pytest.raises(InputError, match="jobs=0"):
        backend(0)
    with pytest.raises(InputError, match="'nonsense://x': write the address of a scheduler"):
        Cluster("nonsense://x")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pegwise\[cluster\]'"):
        Cluster("tcp://127.0.0.1:1")


def test_nothing_cancels_a_piece_of_this_machine() -> None:
    event = threading.Event()
    with set_when_cancelled(event):
        assert not event.wait(0.01)


@pytest.mark.slow
def test_a_pool_has_the_same_workers_until_they_break_down(tmp_path: Path) -> None:
    """They make themselves ready; new ones come when they die, perhaps before they are ready."""
    path = tmp_path / "notes"
    with OpenBackend(Processes(1)) as pool:
        pool.make_ready(note, path)
        first = run(pid, [1, 2], pool)
        assert run(pid, [3, 4], pool) == first
        assert path.read_text(encoding="utf-8") == "ready "
        with pool.executor() as executor:
            error = executor.submit(die, 1).exception()
        assert error is not None
        assert pool.is_broken(error)
        pool.make_ready(note, path)
        second = run(pid, [1], pool)
        assert second[0] not in {*first, os.getpid()}
        assert pool.workers == 1
    # the caller is ready, and so are threads, which share everything with it
    for where in (Serial(), Threads(2)):
        with OpenBackend(where) as pool:
            pool.make_ready(note, tmp_path / "never")
            assert run(pid, [1], pool) == [os.getpid()]
    assert not (tmp_path / "never").exists()
