"""Best play without kernels gives the answers of the kernels, the guess among equals included."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest
from tools.pages import timeless

from pegwise.game import Rules, Turn, board_game, game_of
from pegwise.kernels import cache
from pegwise.kernels.exact.bounds import build_bounds
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.position import position_value
from pegwise.search.plain import FIRST_TOTALS, _least, plain_value
from pegwise.search.solver import best_play_within, wants_kernels

ROOT: Final = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("rules", "positions"),
    [
        *(("3x4", 20), ("3x6", 10), ("4x6", 6), ("4x6,distinct", 6), ("3x4,black", 10)),
        pytest.param("4x6", 120, marks=pytest.mark.slow),
        *(
            pytest.param(rules, 20, marks=pytest.mark.slow)
            for rules in ("2x8", "4x4", "4x7", "5x3", "5x4", "3x4,blank", "3x4,placed")
        ),
    ],
)
def test_the_same_as_by_kernels(rules: str, positions: int) -> None:
    board = Rules.parse(rules)
    game, draw = game_of(board), Random(f"{rules} {positions}")
    answered = 0
    for _ in range(positions):
        secret, history = draw.randrange(game.n_secrets), []
        for _ in range(draw.choice([0, 1, 1, 2, 3])):
            asked = draw.randrange(game.n_guesses)
            mark = int(game.marks(asked, np.array([secret], np.int32))[0])
            history.append(Turn(game.guess(asked), game.mark(mark)))
        guess = game.guess(draw.randrange(game.n_guesses))
        if (value := plain_value(game_of(board), history, guess, seconds=600)) is not None:
            assert value == position_value(game_of(board), history, guess), (history, guess)
            answered += 1
    assert answered >= positions // 2


@pytest.mark.slow
def test_totals_after_a_first_guess() -> None:
    for name, totals in FIRST_TOTALS.items():
        game = board_game(Rules.parse(name))
        for kind, total in totals.items():
            code = [color for color, times in enumerate(kind) for _ in range(times)]
            found = find_optimum(game, first=game.guess_number(code))
            assert (found.proven, found.tree and found.tree.total) == (True, total)


def test_bounds_are_those_of_the_kernels() -> None:
    bounds = build_bounds(14, 120)
    for inside in range(2, 15):
        for most in range(inside - 1, 15):
            row = bounds.row[bounds.level[inside], bounds.level[most]]
            least, minorant = _least(inside, most, 120)
            assert least[:121].tolist() == bounds.least[0, row, :121].tolist()
            assert minorant == bounds.minorant[0, row].tolist()


def test_a_machine_without_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "compiled", lambda *_: False)
    rules, large = Rules(4, 6), Rules(5, 8)
    value = best_play_within(600)(game_of(rules), (), board_game(rules).guess(7), "all")
    assert value is not None
    assert (str(value.guess), value.total, value.played) == ("AABC", 5625, 5702)
    assert best_play_within(600)(game_of(large), (), None, "all") is None
    assert best_play_within(0)(game_of(rules), (), None, "all") is None
    assert wants_kernels(game_of(rules), 300)
    assert not wants_kernels(game_of(large), 3000)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["tutorials/play.md", "fr/tutorials/play.md"])
def test_a_first_game_on_a_new_machine(page: str, tmp_path: Path) -> None:
    """What the page shows is said where nothing is compiled yet."""
    path = ROOT / "docs" / page
    program = (
        "import sys; from pathlib import Path; from tools.pages import played; "
        "text = Path(sys.argv[1]).read_text('utf-8'); "
        "sys.stdout.write(played(text, Path(sys.argv[2]), sys.argv[3]))"
    )
    (tmp_path / "page").mkdir()
    said = subprocess.run(
        [sys.executable, "-c", program, path, tmp_path / "page", "fr" if "fr/" in page else "en"],
        cwd=ROOT,
        env=os.environ
        | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert timeless(said.stdout) == timeless(path.read_text("utf-8"))
    assert not list((tmp_path / "kernels").glob("*/*.nbi"))  # still nothing is compiled
