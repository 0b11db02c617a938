"""The terminal: letters on colors, lines that fit, times, and signals as what they are."""

from __future__ import annotations

import ast
import gc
import io
import os
import re
import shutil
import signal
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pexpect
import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from pegwise import cli
from pegwise.cli import signals
from pegwise.cli.board import Screen
from pegwise.cli.progress import Timing, progress_bar, show_aside, timing
from pegwise.cli.signals import check, interruptible, stoppable
from pegwise.game import HOLE, Code, Mark, Notation, Rules, Turn, game_of
from pegwise.game.pegs import PEGS
from pegwise.hooks import hooks
from pegwise.i18n import speaking
from pegwise.kernels.marking import signatures
from pegwise.search.exact.driver import SearchProgress
from pegwise.telling.blocks import columns
from tests.cli.running import Run, plain, terminal
from tests.programs import PATIENCE


def screen(system: str | None, width: int = 80) -> Screen:
    made = Screen()
    made.color_system, made.width = system, width
    return made


@pytest.mark.parametrize("system", [None, "standard", "256", "truecolor"])
def test_all_letters_and_one_width_for_all(system: str | None) -> None:
    board = screen(system)
    assert len({board.code([color]) for color in range(26)}) == 26
    for color in [*range(26), HOLE]:
        text = plain(board.code([color]))
        assert str(Code([color])) in text
        assert len(text) == (1 if system is None else 3)
        assert plain(board.compact([color])) == str(Code([color]))
        if system is None:
            assert "\x1b" not in board.code([color])


def test_a_peg_with_the_name_of_a_color_is_painted_so() -> None:
    board, plainly = screen("truecolor"), screen("truecolor")
    board.use(Notation("names", names=("vert", "bleu", "rouge", "gris")), game_of(Rules(4, 4)))
    for color, own in enumerate("BCA"):
        painted = plainly.code([ord(own) - ord("A")])
        name = board.write(Code([color]))
        assert board.code([color]) == painted.replace(f" {own} ", f" {name} ")
    assert "48;" not in board.code([3])  # no peg is gray
    board.use(Notation("names", names=("p", "q", "r", "s")), game_of(Rules(4, 4)))
    assert board.code([0]) == plainly.code([0]).replace("A", "p")


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT])
def test_no_letter_vanishes_where_colors_are_few(system: ColorSystem) -> None:
    for peg in PEGS:
        fill, ink = (Color.parse(color).downgrade(system) for color in (peg.fill, peg.ink))
        assert fill.number != ink.number, peg.name
        if peg.ring:
            assert Color.parse(peg.ring).downgrade(system).number != fill.number, peg.name


def test_turns_marks_and_palettes_line_up() -> None:
    turn = Turn(Code([0, 1, HOLE, 3]), Mark(2, 1))
    assert screen(None).turn(3, turn) == " 3.  A B . D   XXO "
    assert screen(None).mark(Mark(0), 4) == "-   "
    colored = screen("truecolor")
    assert plain(colored.turn(12, turn)) == "12.   A   B   .   D    XXO "
    assert len(plain(colored.palette(game_of("4x6")))) == 23
    assert plain(colored.palette(game_of(Rules(4, 26)))) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_what_has_no_room_beside_goes_beneath(capsys: pytest.CaptureFixture[str]) -> None:
    for width, lines in ((38, 1), (37, 2)):
        board = screen("truecolor", width)
        board.beside(board.turn(1, Turn(Code([0, 1, 2, 3]), Mark(0, 1))), "152 left")
        said = plain(capsys.readouterr().out).splitlines()
        assert len(said) == lines
        assert max(map(len, said)) <= width
        assert "".join(said).split() == ["1.", *"ABCDO", "152", "left"]


@pytest.mark.parametrize(
    ("environment", "escape"),
    [
        ({"COLORTERM": "truecolor"}, "48;2;"),
        ({"TERM": "xterm-256color"}, "48;5;124"),
        ({"TERM": "xterm"}, "\x1b[1;97;41m"),
        ({"NO_COLOR": "1"}, None),
        ({"TERM": "dumb"}, None),
    ],
)
def test_colors_of_terminals(
    run: Run, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], escape: str | None
) -> None:
    for name in ("COLORTERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **environment}.items():
        monkeypatch.setenv(name, value)
    Style.parse.cache_clear()  # styles remember the codes of the terminal before
    out = run("solve", "3x4", "--secret", "ABC", colors=True).out
    assert (escape or "1.  A B C   XXX") in out
    assert ("\x1b" in out) == (escape is not None)


SHOWN = ["strategies", "knuth"]
RACED = ["race", "2x3", "-s", "first"]


@pytest.mark.parametrize(
    ("arguments", "colors"),
    [
        (SHOWN, True),
        ([*SHOWN, "--no-color"], False),
        (["--no-color", *SHOWN], False),
        (RACED, True),
        ([*RACED, "--no-color"], False),
        (["solve", "3x4", "--secret", "ABC", "--no-color"], False),
    ],
)
def test_no_colors_when_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], colors: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = run(*arguments, colors=True).out
    # a library may set back, at the end, what nobody has set
    assert bool(re.search(r"\x1b\[[1-9][0-9;]*m", out)) == colors


NARROW = {
    "strategies": ["strategies", "knuth", "optimal-worst"],
    "bounds": ["bounds", "2x3", "--tries", "2"],
    "a contradiction": ["candidates", "4x6", "AABB=XXX", "CDAE=XXX", "CCCC=XX"],
    "candidates": ["candidates", "4x6", "AABB=XO", "CDAE=X"],
    "a game": ["solve", "3x4", "--secret", "DAB"],
}
TABLES = {"why": ["why", "4x6", "AABB=XO"], "reasons": ["why", "4x6", "AABB=XO", "-s", "knuth"]}


@pytest.mark.parametrize(
    ("what", "most"),
    [*((what, most) for what in NARROW for most in (40, 200)), ("why", 60), ("reasons", 60)],
)
def test_lines_fit(run: Run, monkeypatch: pytest.MonkeyPatch, what: str, most: int) -> None:
    monkeypatch.setenv("COLUMNS", str(most))
    lines = run(*{**NARROW, **TABLES}[what]).out.splitlines()
    assert [line for line in lines if len(line) > most] == []


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    "command",
    [
        "games",
        "storage",
        "optimal 4x6",
        "value 3x4",
        "records 4x6",
        "tree 3x3 -s knuth",
        "race 3x4 -s knuth -s first -s parts",
    ],
)
def test_lines_fit_a_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, language: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    ended = run(*command.split(), "--lang", language, colors=True)
    assert ended.status == 0
    wide = [line for line in plain(ended.out).splitlines() if columns(line) > 60]
    assert not [line for line in wide if " " in line.strip()]  # a long path stays whole


# times


def test_compiling_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "aside", hooks.aside)
    show_aside()
    with timing() as taken:
        time.sleep(0.1)
        with hooks.aside("compiling", "kernel"):
            time.sleep(0.2)
    assert 0.2 <= taken.compiling <= taken.seconds + taken.compiling - 0.1
    assert taken.seconds >= 0.1
    with pytest.raises(ZeroDivisionError), timing() as later:
        time.sleep(0.01)
        raise ZeroDivisionError
    assert later.compiling == 0
    assert later.seconds >= 0.01


def test_times_in_words() -> None:
    assert str(Timing(0.284, 0.4)) == "0.28 s"
    assert str(Timing(0.284, 38.6)) == "0.28 s, and 39 s to compile"
    with speaking("fr"):
        assert str(Timing(1234.5, 38.6)) == "1234,50 s, et 39 s de compilation"


def test_the_rest_is_estimated_anew_with_every_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now, screen = [0.0], io.StringIO()
    monkeypatch.setattr("rich.console.monotonic", lambda: now[0])
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("4x9") as report:
        for seconds, part in ((0, 0.1), (10, 0.35), (20, 0.6), (50, 0.1), (60, 0.2)):
            now[0] = seconds
            report(SearchProgress(1, 9, fraction=part))
    assert re.findall(r"about (.+?) left", plain(screen.getvalue()))[-1] == "1 min 20 s"


@pytest.mark.parametrize("columns", [30, 60, 100])
def test_progress_takes_one_line(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("4x9,distinct-secrets") as report:
        report(SearchProgress(12, 87, "first guesses", "best 11231, at least 11100", fraction=0.3))
    shown = [line for line in re.split(r"[\r\n]", plain(screen.getvalue())) if line.strip()]
    assert any("12/87" in line or columns == 30 for line in shown)
    assert all(len(line) <= columns and line.startswith("4x9") for line in shown), shown


@pytest.mark.slow
def test_a_proof_tells_what_remains_and_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    with terminal(tmp_path, "records", "--prove", "4x9", "--jobs", "1") as shown:
        shown.sees("first guesses", " left")
        shown.child.sendintr()
        shown.sees("Interrupted; the same command continues with 4x9.")
        shown.sees("best total so far", "no tree has less than")
        assert shown.leaves() == 130
    assert list((tmp_path / "home").rglob("*4x9*"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="a shell with jobs is needed")
def test_prompt_and_editing_come_back_after_ctrl_z(tmp_path: Path) -> None:
    own = {"PEGWISE_HOME": str(tmp_path), "TERM": "xterm", "PS1": "$ ", "PEGWISE_LANG": "en"}
    shell = pexpect.spawn(
        "bash", ["--norc", "-i"], env=os.environ | own, encoding="utf-8", timeout=PATIENCE
    )
    try:
        shell.expect_exact("$ ")
        shell.sendline(f"{sys.executable} -m pegwise play 4x6 --seed 1")
        shell.expect_exact("\n> ")
        shell.send("AA")
        shell.expect_exact("AA")
        shell.send("\x1a")
        shell.expect_exact("$ ")
        shell.sendline("fg")
        shell.expect_exact("> AA")
        shell.send("BC\x01\x04\x04D\x05\x7fE\rboard\r")  # keys of readline: begin, delete, end
        shell.expect_exact("'DBE'")
    finally:
        shell.close(force=True)


# signals


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_error_that_a_signal_has_led_to_is_the_interruption() -> None:
    """Numba makes a SystemError of what is raised while a kernel hands over its result."""
    with stoppable(), pytest.raises(KeyboardInterrupt), interruptible():
        try:
            press()
        except KeyboardInterrupt as error:
            raise SystemError("returned a result with an exception set") from error
    with stoppable(), pytest.raises(SystemError, match="something else"), interruptible():
        raise SystemError("something else")


@pytest.mark.slow
def test_the_first_signal_asks_and_the_second_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(signals, "end_now", ended.append)
    with stoppable(), interruptible():
        check()  # the work reports
        press()
        press()  # at once: as one
        assert not ended
        time.sleep(0.5)
        press()
        assert ended == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            check()
        check()  # it has stopped


def uses(node: ast.AST, names: tuple[str, ...]) -> bool:
    return any(
        ast.unparse(item.context_expr).startswith(names)
        for statement in ast.walk(node)
        if isinstance(statement, ast.With)
        for item in statement.items
    )


def test_whoever_catches_ctrl_c_catches_it_beneath_a_system_error_too() -> None:
    catching = set()
    for path in {*Path(cli.__file__).parent.glob("*.py")} - {Path(signals.__file__)}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Try) and any(
                handler.type and "KeyboardInterrupt" in ast.unparse(handler.type)
                for handler in node.handlers
            ):
                catching.add(path.name)
                blocks = "interruptible()", "progress_bar("
                assert any(uses(statement, blocks) for statement in node.body), path
    assert {"main.py", "race.py", "records.py", "search.py", "session.py"} <= catching


def test_a_signal_within_what_python_ignores_stops_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Watched:
        """Whatever a weak reference can see die."""

    watched = [Watched()]
    seen = weakref.ref(watched[0], lambda _: press())
    with pytest.raises(KeyboardInterrupt), stoppable():
        watched.clear()
        check()
    assert seen() is None
    assert capsys.readouterr().err == ""


def test_a_program_that_is_to_ignore_ctrl_c_does() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable():
            press()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def _no_collection() -> Iterator[None]:
    """No garbage is collected: a signal within another library's callback of it would be lost."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collection")
def test_ctrl_c_at_any_moment_of_a_kernel_is_ctrl_c() -> None:
    codes = np.zeros((200, 4), np.uint8)
    signatures(codes, 6)  # compiled
    for delay in range(60):
        with stoppable(), pytest.raises(KeyboardInterrupt), interruptible():
            old = signal.signal(signal.SIGALRM, lambda *_: press())
            signal.setitimer(signal.ITIMER_REAL, 0.001 + delay / 50_000)
            try:
                end = time.monotonic() + PATIENCE
                while time.monotonic() < end:
                    signatures(codes, 6)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, old)
            pytest.fail("not interrupted")


@pytest.mark.slow
def test_an_error_in_a_terminal_breaks_at_blanks_alone(tmp_path: Path) -> None:
    name = f"{tmp_path}/{'-'.join(['name'] * 30)}.tree"
    with terminal(tmp_path, "verify", name) as shown:
        assert shown.leaves() == 2
    assert f"'{name}'" in shown.text
