"""A signal that comes while a kernel hands over its result is still that signal."""

import ast
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest

from pegwise import cli
from pegwise.cli.terminal import interruptible, patient, stoppable
from pegwise.kernels.marking import signatures


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_signal_beneath_a_system_error() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()
    with pytest.raises(GeneratorExit), interruptible():
        try:
            raise GeneratorExit
        except GeneratorExit:
            raise SystemError("while another was handled")  # noqa: B904 - as CPython chains it


def catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and "KeyboardInterrupt" in ast.unparse(handler.type)


def raises_signals(statement: ast.stmt) -> bool:
    return any(
        ast.unparse(item.context_expr) == "interruptible()"
        for node in ast.walk(statement)
        if isinstance(node, ast.With)
        for item in node.items
    )


def test_whoever_keeps_what_is_finished_keeps_it_then_too() -> None:
    keepers = []
    for path in sorted(Path(cli.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Try) and any(map(catches, node.handlers)):
                keepers.append(path.name)
                assert any(map(raises_signals, node.body)), path.name
    assert {"main.py", "race.py", "searching.py", "sitting.py"} <= set(keepers)


@pytest.mark.parametrize("command", ["optimal", "effort", "static", "value"])
def test_long_searches_are_gone_through_alike(command: str) -> None:
    source = (Path(cli.__file__).parent / f"{command}.py").read_text(encoding="utf-8")
    assert "go_through(search, steps" in source
    assert not {"signal", "KeyboardInterrupt", "patient"} & {
        node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)
    }


COMPILING = {"__name__": "llvmlite.binding.executionengine", "press": press}


@pytest.mark.parametrize("held", [stoppable, patient])
def test_the_compiler_is_left_before_a_signal_is_raised(
    held: Callable[[], AbstractContextManager[object]],
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), held():
            if held is patient:
                press()  # the first one waits until it is looked for
            exec("press()", COMPILING)
            end = time.monotonic() + 20
            while time.monotonic() < end:
                time.sleep(0.01)
    finally:
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, before)


def test_a_program_that_is_to_ignore_ctrl_c_does() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable():
            press()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("cause", [None, ValueError("an error like any other")])
def test_other_system_errors_stay_what_they_are(cause: Exception | None) -> None:
    with pytest.raises(SystemError, match="something else"), interruptible():
        raise SystemError("something else") from cause


def test_ctrl_c_at_any_moment_of_a_kernel_is_ctrl_c() -> None:
    codes = np.zeros((200, 4), np.uint8)
    signatures(codes, 6)  # compiled
    for delay in range(60):
        with pytest.raises(KeyboardInterrupt), interruptible():
            old = signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, 0.001 + delay / 50_000)
            try:
                end = time.monotonic() + 20
                while time.monotonic() < end:
                    signatures(codes, 6)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, old)
            pytest.fail("not interrupted")
