"""Rows and columns of the tables of records, as b-files of the OEIS.

`python -m tools.sequences FOLDER` writes them, each with its definition.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Final

from pegwise.game.rules import MAX_COLORS
from pegwise.search.certificates.files import shipped_certificates
from pegwise.search.certificates.optima import ProvenTrees
from pegwise.search.certificates.sets import FixedSet

__all__ = ["sequences"]

_FEWEST_TERMS: Final = 5
_DISTINCT: Final = ", where no color comes twice in a secret or a guess"
_BLACK: Final = "only black marks (right color in the right place) are given"
_FLAGS: Final = {
    "": "",
    ",distinct": _DISTINCT,
    ",black": f", where {_BLACK}",
    ",distinct,black": f"{_DISTINCT}, and {_BLACK}",
}
_MEANINGS: Final = {
    "total": "Smallest sum of the guesses that find each secret",
    "worst": "Fewest guesses that are enough to find every secret",
    "static": "Fewest guesses made beforehand whose marks tell all secrets apart",
}


def sequences() -> dict[str, str]:
    """Rows and columns of proven figures as b-files of the OEIS: contents by name of the file.

    A file has a line `n a(n)` for each term, after the definition. Only runs of at least
    `_FEWEST_TERMS` neighboring boards make a sequence.
    """
    optima, sets = [*shipped_certificates(ProvenTrees)], shipped_certificates(FixedSet)
    figures: dict[str, dict[str, int]] = {
        "total": {str(row.claim.game): row.claim.tree.total for row in optima},
        "worst": {str(row.claim.game): row.claim.limited.worst for row in optima},
        "static": {str(row.claim.game): row.claim.size or 0 for row in sets if row.claim.proven},
    }
    files: dict[str, str] = {}
    for name, meaning in _MEANINGS.items():
        for (flag, where), fixed in product(_FLAGS.items(), range(1, MAX_COLORS + 1)):
            for pegs, colors in (("n", fixed), (fixed, "n")):
                board = f"{pegs}x{colors}{flag}"
                terms = _run(figures[name], board)
                if len(terms) >= _FEWEST_TERMS:
                    definition = f"{meaning} in Mastermind, {pegs} pegs and {colors} colors{where}."
                    lines = [f"# {definition}", *(f"{n} {term}" for n, term in terms.items())]
                    files[f"{name}-{board}.txt"] = "\n".join(lines) + "\n"
    return files


def _run(figures: dict[str, int], board: str) -> dict[int, int]:
    """The first run of numbers n, one after another, for which there are figures."""
    terms: dict[int, int] = {}
    for n in range(1, MAX_COLORS + 1):
        rules = board.replace("n", str(n), 1)
        if rules in figures:
            terms[n] = figures[rules]
        elif terms:
            break
    return terms


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, content in sequences().items():
        (folder / name).write_text(content, encoding="utf-8")
