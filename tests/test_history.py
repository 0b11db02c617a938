"""What docs/history.md says of the documents, where no other test does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import pegwise
from tests import naive
from tests.cli.conftest import run as run
from tests.cli.running import Run

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("colors", "slots", "published", "enough"),
    [(3, 2, 1, 1), (4, 2, 2, 2), (5, 2, 2, 2), (3, 3, 2, 2), (4, 3, 2, 2), (5, 3, 5, 2)],
)
def test_guesses_that_identify_a_code(colors: int, slots: int, published: int, enough: int) -> None:
    """OEIS A231205: a mark for each slot, no color twice. Its last term, 5, is too large."""
    codes = [*permutations(range(colors), slots)]

    def mark(guess: naive.Code, secret: naive.Code) -> tuple[int, ...]:
        return tuple((g in secret) + (g == s) for g, s in zip(guess, secret, strict=True))

    def identified(candidates: Sequence[naive.Code], guesses: int) -> bool:
        if len(candidates) == 1 or not guesses:
            return len(candidates) == 1
        return any(
            all(identified(part, guesses - 1) for part in parts.values())
            for guess in codes
            if len(parts := naive.partition(guess, candidates, mark)) > 1
        )

    assert identified(codes, enough) and not identified(codes, enough - 1)
    assert published == enough or (colors, slots) == (5, 3)


PAGE = (ROOT / "docs" / "history.md").read_text("utf-8")

# the games of the notebook: proposed codes with black and white marks, and how many codes are left
KNUTH = {
    "ABCD": [("FAAF", 0, 1, 256), ("CBBA", 1, 2, 21), ("ABDC", 2, 2, 2), ("CDBE", 0, 3, 1)],
    "ECAF": [("FAAF", 2, 0, 114), ("EFAC", 2, 2, 2), ("ECAF", 4, 0, 1)],
    "CDBE": [("FAAF", 0, 0, 256), ("CECB", 1, 2, 40), ("CBBE", 3, 0, 4), ("CDBE", 4, 0, 1)],
    "DDDA": [("FAAF", 0, 1, 256), ("CBBA", 1, 0, 34), ("EFCC", 0, 0, 1)],
    "CFFD": [("FAAF", 0, 2, 96), ("CBBA", 1, 0, 15), ("AEFD", 2, 0, 2), ("CDBE", 1, 1, 1)],
    "AFDC": [("FAAF", 0, 2, 96), ("CBBA", 0, 2, 16), ("AFDC", 4, 0, 1)],
    "EFAC": [("FAAF", 1, 1, 208), ("BAAD", 1, 0, 22), ("ECAF", 2, 2, 1)],
}


def codes(texts: list[str]) -> list[tuple[int, ...]]:
    return [tuple("ABCDEF".index(letter) for letter in text) for text in texts]


@pytest.fixture(scope="module")
def notebook() -> tuple[list[tuple[int, ...]], npt.NDArray[np.int8]]:
    """All codes in the order of the notebook's set, and the mark of each pair, 5 black + white."""
    everything = list(set(product(*(range(6) for _ in range(4)))))
    pegs = np.array(everything)
    black = (pegs[:, None] == pegs).sum(2)
    often = np.stack([(pegs == color).sum(1) for color in range(6)], 1)
    common = np.minimum(often[:, None], often).sum(2)
    return everything, (4 * black + common).astype(np.int8)


def choice(marks: npt.NDArray[np.int8], candidates: npt.NDArray[np.intp]) -> int:
    """`nextPattern`: the first code in the order of the set whose largest part is smallest."""
    sizes = np.stack([(marks[:, candidates] == mark).sum(1) for mark in range(21)], 1)
    return int(sizes.max(1).argmin())


@pytest.fixture(scope="module")
def proposals(
    notebook: tuple[list[tuple[int, ...]], npt.NDArray[np.int8]],
) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """What the notebook proposes for each code, until one code is left."""
    everything, marks = notebook
    results: dict[tuple[int, ...], list[tuple[int, ...]]] = {}

    def go_on(candidates: npt.NDArray[np.intp], before: list[tuple[int, ...]]) -> None:
        guess = choice(marks, candidates)
        row = marks[guess, candidates]
        for mark in np.unique(row):
            part = candidates[row == mark]
            if len(part) == 1:
                results[everything[part[0]]] = [*before, everything[guess]]
            else:
                go_on(part, [*before, everything[guess]])

    go_on(np.arange(1296), [])
    return results


def test_the_notebook_plays_the_games_that_it_prints(
    proposals: dict[tuple[int, ...], list[tuple[int, ...]]],
) -> None:
    for secret, turns in KNUTH.items():
        (hidden,) = codes([secret])
        assert proposals[hidden] == codes([guess for guess, *_ in turns])
        history = []
        for guess, black, white, candidates in turns:
            assert naive.mark(codes([guess])[0], hidden) == (black, white)
            history.append((guess, (black, white)))
            assert pegwise.count("4x6", history) == candidates


def test_the_notebook_needs_five_proposals_and_six_guesses(
    proposals: dict[tuple[int, ...], list[tuple[int, ...]]],
) -> None:
    """It prints four: the maximum begins anew with each code. The page has the figures."""
    assert len(proposals) == 1296
    assert max(len(played) for played in proposals.values()) == 5
    guesses = {code: len(all_) + (all_[-1] != code) for code, all_ in proposals.items()}
    assert sum(guesses.values()) == 6155
    assert sum(needed == 6 for needed in guesses.values()) == 8
    assert max(guesses.values()) == guesses[codes(["AAEB"])[0]] == 6


COUNTS = re.findall(r"`pegwise candidates (\S+) ([^`]+)`: (\d+)", PAGE)


@pytest.mark.parametrize(("rules", "turns", "count"), COUNTS, ids=[row[1] for row in COUNTS])
def test_counts_beside_their_commands(rules: str, turns: str, count: str) -> None:
    assert len(COUNTS) > 5
    assert pegwise.count(rules, turns.split()) == int(count)


# secrets found with 1, 2, ... guesses. Shapiro 1983; Knuth 1976, who prints the mean 4.476 as
# 4.478; Irving 1978; Neuwirth 1982; Kooi 2005, who compares them. Some sources break ties in
# another way; all figures of ours are for our rule: a candidate first, then numeric order
HISTOGRAMS = {
    "first": [1, 4, 25, 108, 305, 602, 196, 49, 6],
    "knuth": [1, 6, 62, 533, 694],
    "irving": [1, 10, 54, 645, 583, 3],
    "entropy": [1, 4, 71, 612, 596, 12],
    "parts": [1, 12, 72, 635, 569, 7],
}
STANDINGS = re.findall(r"^\| `([\w-]+)` \| (\d+) \| ([\d.]+) \| (\d+) \|$", PAGE, re.MULTILINE)


def test_the_page_has_standings() -> None:
    totals = [int(total) for _, total, _, _ in STANDINGS]
    assert len(totals) == 13
    assert totals == sorted(totals)


@pytest.mark.parametrize(
    ("strategy", "total", "mean", "worst"), STANDINGS, ids=[row[0] for row in STANDINGS]
)
def test_standings(strategy: str, total: str, mean: str, worst: str) -> None:
    tree = pegwise.build("4x6", strategy)
    assert (tree.total, f"{tree.mean:.3f}", tree.worst) == (int(total), mean, int(worst))
    assert list(tree.histogram) == HISTOGRAMS.get(strategy, [*tree.histogram])


def test_the_sample_game_of_knuth() -> None:
    # Knuth 1976: the secret is 3632
    guesses = [guess.write("digits") for guess, _ in pegwise.play("4x6", "knuth", "3632")]
    assert guesses == ["1122", "1344", "3526", "1462", "3632"]


def test_the_practical() -> None:
    page = (ROOT / "docs" / "tp.md").read_text("utf-8")
    assert [n for n in range(1, 14) if f"**Question {n}" not in page] == []
    # questions 12 and 13: it weighs only candidates, then five guesses are not always enough
    tree = pegwise.build("4x6", "knuth:guesses=candidates")
    assert (str(tree.begin(tree.game).guess), tree.total, tree.worst) == ("AABB", 5828, 6)


def test_the_tests_that_the_page_names() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)`", PAGE))
    assert len(named) > 6
    assert all((ROOT / name).exists() for name in named)


# the figures of the documents, and the commands that give them

TABLE = re.compile(r"^\| [^|]+ \| [^|]+ \| `pegwise ([^`]+)` \| `([^`]+)` \|$", re.MULTILINE)
FIGURES = TABLE.findall((ROOT / "docs" / "history.md").read_text(encoding="utf-8"))
HEAVY = {"bounds 4x8", "solve 4x26 -s forget-entropy:limit=2000 --secret RIFC"}
COMMANDS = list(dict.fromkeys(command for command, _ in FIGURES))


def test_every_document_has_figures_in_the_table() -> None:
    assert len(FIGURES) == 38
    assert set(COMMANDS) > HEAVY


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.slow) if command in HEAVY else command
        for command in COMMANDS
    ],
)
def test_a_command_gives_what_is_printed(run: Run, command: str) -> None:
    arguments = command.replace("FILE", str(ROOT / "tests/data/viaud-1979-4x4.txt")).split()
    out = " ".join(run(*arguments).text(silent=False).split())
    for _, figure in (row for row in FIGURES if row[0] == command):
        assert figure in out
