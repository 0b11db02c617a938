"""What pegwise must do where Numba, processes and threads are missing, as in a browser.

Run by `tests/test_light.py`, also in Pyodide: imports pegwise alone, prints a JSON document.
"""

import io
import json
import re
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pegwise
from pegwise.practical import shipped
from pegwise.practical.gaps import BROWSER

WRONG = {
    1: "return [randint(0, N - 1) for _ in range(P)]",
    2: "return sum(c in c2 for c in c1)",
    3: "return len(set(c1) & set(c2))",
    4: "return nb_bien_places(c1, c2), nb_communs(c1, c2)",
    9: "return candidates",
}
"""What pupils typically write instead of an answer."""

REFUSED: dict[str, Callable[[], object]] = {
    "viaud": lambda: pegwise.race("4x6", ["viaud"]),
    "optimum": lambda: pegwise.find_optimum("4x6"),
    "value": lambda: pegwise.find_value("2x4"),
    "static": lambda: pegwise.find_static("3x3"),
    "count": lambda: pegwise.count("9x12", "AABBCCDDE=XXO AABBCCDEF=XXO"),
    "large board": lambda: pegwise.race("5x8", ["knuth"], games=2),
}
"""What takes compiled loops."""


def middle(game: pegwise.Game, turns: tuple[Any, ...]) -> Any:
    """A strategy of one's own: the candidate in the middle."""
    fitting = pegwise.candidates(game, turns)
    return fitting[len(fitting) // 2]


def totals() -> dict[str, int]:
    """Guesses of strategies on 4x6, and of the first on a board that needs kernels elsewhere."""
    names = ["knuth", "entropy", "parts", "first", "optimal", "greenwell"]
    large = pegwise.race("6x6", ["marechal-rastoix-3"], games=20)
    return {
        row.strategy: row.total
        for row in pegwise.race("4x6", [*names, middle], threads=2).standings
    } | {"6x6": large.standings[0].total}


def told(source: list[str], *questions: int) -> list[tuple[str, int]]:
    """The verdict on each of these questions, or on all, when the cells are run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    out = io.StringIO()
    with redirect_stdout(out):
        for cell in source:
            checked = re.match(r"@(?:check|verifie)\((\d+)", cell)
            if not checked or not questions or int(checked[1]) in questions:
                exec(compile(cell, "cell", "exec"), names)
    verdicts = re.findall(r"^([✓✗✎]) Question (\d+)", out.getvalue(), re.MULTILINE)
    return [(sign, int(number)) for sign, number in verdicts]


def cells(notebook: str) -> list[str]:
    """The code of a notebook."""
    every = json.loads(notebook)["cells"]
    code = [cell for cell in every if cell["cell_type"] == "code"]
    return [
        "".join(cell["source"]) for cell in code if BROWSER not in cell["metadata"].get("tags", ())
    ]


def wrong() -> list[str]:
    """The gaps of the practical for pupils, filled in as pupils do."""
    source = cells(shipped("fr").notebook())[:20]
    for question, answer in WRONG.items():
        gap = re.compile(rf"a_faire\({question}\).*")
        source = [gap.sub(answer, cell) for cell in source]
    return source


def refusals() -> dict[str, str]:
    """The class of the error of what cannot be computed here."""
    classes = {}
    for name, work in REFUSED.items():
        try:
            work()
            classes[name] = "computed"
        except Exception as error:
            classes[name] = type(error).__name__
    return classes


def document(*questions: int) -> dict[str, Any]:
    """All that is checked, with the seconds that it took."""
    began = time.time()
    suspects = pegwise.suspects("4x6", "AABB=XXXX AABC=X")
    tree = pegwise.build("4x6", "knuth")
    return {
        "totals": totals(),
        "solved": told(cells(shipped("fr").text), *questions),
        "wrong": told(wrong(), *WRONG),
        "suspects": [suspect.turn for suspect in suspects],
        "refusals": refusals(),
        "verified": pegwise.verify(tree).valid,
        "bounds": pegwise.bounds("4x6").viaud_q0,
        "puzzle": len(pegwise.candidates("4x6", pegwise.puzzle("4x6", seed=1).turns)),
        "numba": sys.modules.get("numba") is not None,
        "seconds": round(time.time() - began, 1),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(document(*map(int, sys.argv[1:]))) + "\n")
