"""Notebooks and files for pupils, made from a solved notebook.

In the code of a solved notebook a line `# ▼ question 3` begins what pupils are to write, and a
line `# ▲` ends it; a cell of text that begins with **Answer.** is a written answer. What is made
holds none of them, nor any output. A notebook whose markers are not in pairs is refused.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from pegwise.errors import DataFileError, Phrase, quoted
from pegwise.i18n import LANGUAGES, language, speaking, tr, translated
from pegwise.paths import read_text

Cell = dict[str, Any]
"""A cell of a notebook, as nbformat 4 describes it."""

MAX_BYTES: Final = 50_000_000

_NAMES: Final = {"en": "practical-solved.ipynb", "fr": "TP_1_mastermind-corrige.ipynb"}
"""The solved notebook of each language that comes with pegwise."""

_BEGIN: Final = re.compile(r"( *)# ▼ question (\d+)")
_END: Final = re.compile(r" *# ▲")
_NEARLY: Final = re.compile(r".*[▼▲▾▴▽△].*|\W*\w?\W*question\W*\d+\W*", re.IGNORECASE)
_ANSWER: Final = Phrase("**Answer.**")
_ANSWERS: Final = tuple(translated(_ANSWER, name) for name in LANGUAGES)
_NEARLY_ANSWER: Final = re.compile(
    r"[\W_]*(Answer|R[ée]ponse|(?<=[*_#])(?i:answer|r[ée]ponse))s?\s*[.:*_]"
)
_SHORT: Final = 10  # characters: a shorter line stands in many programs

BROWSER: Final = "pegwise-in-a-browser"
"""The tag of the cell that installs pegwise in a browser."""

_IN_BROWSER: Final = """\
import sys

if sys.platform == "emscripten":
    from pathlib import Path

    try:
        from piplite import install  # JupyterLite
    except ImportError:
        from micropip import install
    wheels = [f"emfs:{path.absolute()}" for path in Path().glob("pegwise-*.whl")]
    await install(wheels or "pegwise")
"""
"""A wheel of pegwise that lies beside the notebook comes before the index of packages."""

_YOURS: Final = Phrase("✏️ *Your answer (double-click here to write):*")
_SHOWS: Final = re.compile(
    r"^from pegwise\.practical import .*?\bshow\b(?: as (\w+))?", re.MULTILINE
)
"""The import of the function that shows a result."""
_PRINTING: Final = {"print", "show", "montre", "todo", "a_faire"}


@dataclass(frozen=True)
class _Gap:
    """A gap that pupils are to fill: lines `begin` to `end` of a cell, from 0."""

    question: int
    indent: str
    begin: int
    end: int
    lines: tuple[str, ...]


class Solved:
    """A solved notebook.

    Args:
        text: the content of its file.
        name: the name of the file, for errors and for what is made of it.

    Raises:
        DataFileError: it is no notebook, has no gap, or its markers are not in pairs.
    """

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        try:
            notebook = json.loads(text)
            cells = [_checked(cell) for cell in notebook["cells"]]
            metadata = notebook.setdefault("metadata", {})
            named = metadata.pop("pegwise", {}).get("language", language())
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise DataFileError(
                "{name} is not a Jupyter notebook of format 4", name=quoted(name)
            ) from None
        self.language: str = named if named in LANGUAGES else language()
        self._notebook: dict[str, Any] = notebook
        self._cells = cells
        self._gaps = [
            self._read_gaps(cell, number) if cell["cell_type"] == "code" else []
            for number, cell in enumerate(cells, 1)
        ]
        if not any(self._gaps):
            raise DataFileError(
                "{name} has no gap: a line '# ▼ question 1' begins one, and '# ▲' ends it",
                name=quoted(name),
            )

    @classmethod
    def read(cls, path: Path) -> Solved:
        """The solved notebook in a file; DataFileError if there is none."""
        return cls(read_text(path, MAX_BYTES), path.name)

    @property
    def stem(self) -> str:
        """The name of what is made, without its end."""
        stem = self.name.removesuffix(".ipynb")
        for end in ("-solved", "-corrige", "-corrigé"):
            if stem.endswith(end) and stem != end:
                return stem.removesuffix(end)
        return stem + ("-trous" if self.language == "fr" else "-gaps")

    @property
    def questions(self) -> list[int]:
        """The questions that have a gap."""
        return sorted({gap.question for gaps in self._gaps for gap in gaps})

    @property
    def without_gap(self) -> list[int]:
        """The questions that the text asks and that have no gap."""
        texts = [_source(cell) for cell in self._cells if cell["cell_type"] == "markdown"]
        asked = {int(n) for text in texts for n in re.findall(r"\*\*Question (\d+)\.?\*\*", text)}
        return sorted(asked - set(self.questions))

    @cached_property
    def _with_gaps(self) -> list[Cell]:
        """The cells for pupils; DataFileError if something of a solution remains in them."""
        with speaking(self.language):
            made = [
                self._for_pupils(deepcopy(cell), gaps, number)
                for number, (cell, gaps) in enumerate(zip(self._cells, self._gaps, strict=True), 1)
            ]
        for number, cell in enumerate(made, 1):
            self._refuse_remains(_source(cell), number)
        return made

    def notebook(self) -> str:
        """The notebook with gaps, as the text of its file."""
        made = self._notebook | {"cells": self._with_gaps}
        made["metadata"] = {k: v for k, v in made["metadata"].items() if k != "widgets"}
        return with_browser_cell(json.dumps(made), self.language)

    def script(self) -> str:
        """The notebook with gaps as Python for Spyder or IDLE: text is in comments after `# %%`."""
        shows = [m[1] or "show" for m in map(_SHOWS.search, map(_source, self._cells)) if m]
        with speaking(self.language):
            cells = [_as_python(cell, shows[0] if shows else "print") for cell in self._with_gaps]
        return "\n\n\n".join(cells) + "\n"

    def _read_gaps(self, cell: Cell, number: int) -> list[_Gap]:
        """The gaps of a cell of code."""
        lines = _source(cell).splitlines()
        gaps: list[_Gap] = []
        opened: tuple[int, re.Match[str]] | None = None
        for k, line in enumerate(lines):
            begins, ends = _BEGIN.fullmatch(line.rstrip()), _END.fullmatch(line.rstrip())
            if begins and opened:
                question = opened[1][2]
                raise self._error(
                    Phrase(
                        "question {next} begins before '# ▲' ends question {question}",
                        next=begins[2],
                        question=question,
                    ),
                    number,
                )
            if begins:
                opened = k, begins
            elif ends and not opened:
                raise self._error(
                    Phrase("'# ▲' ends a gap that no '# ▼ question N' begins"), number
                )
            elif ends and opened:
                begin, match = opened
                solution = tuple(dedent("\n".join(lines[begin + 1 : k])).splitlines())
                gaps.append(_Gap(int(match[2]), match[1], begin, k, solution))
                opened = None
            elif "#" in line and _NEARLY.fullmatch(line[line.index("#") :]):
                raise self._error(
                    Phrase(
                        "{line} is not a marker: write '# ▼ question 3' or '# ▲', alone on its "
                        "line",
                        line=quoted(line.strip()),
                    ),
                    number,
                )
        if opened:
            raise self._error(
                Phrase("no '# ▲' ends question {question}", question=opened[1][2]), number
            )
        return gaps

    def _for_pupils(self, cell: Cell, gaps: list[_Gap], number: int) -> Cell:
        """The cell with lines to replace, or with room for a written answer; without outputs."""
        lines = _source(cell).splitlines()
        if cell["cell_type"] == "code":
            for gap in reversed(gaps):
                line = tr("todo({number})  # replace this line by yours", number=str(gap.question))
                lines[gap.begin : gap.end + 1] = [gap.indent + line]
            cell["outputs"], cell["execution_count"] = [], None
            if gaps:  # an error in what pupils write does not stop the cells after it
                cell["metadata"] = cell["metadata"] | {"tags": ["raises-exception"]}
        elif cell["cell_type"] == "markdown":
            if lines and lines[0].startswith(_ANSWERS):
                lines = [tr(_YOURS)]
            elif line := next(filter(_NEARLY_ANSWER.match, lines), ""):
                raise self._error(
                    Phrase(
                        "{line} would stay for pupils: an answer begins its cell with {answer}",
                        line=quoted(line, 40),
                        answer=quoted(tr(_ANSWER)),
                    ),
                    number,
                )
            if number == 1 and lines:
                lines[0] = lines[0].removesuffix(tr(", solved"))
        cell["source"] = "\n".join(lines).splitlines(keepends=True)
        return cell

    def _refuse_remains(self, source: str, number: int) -> None:
        """Refuse a cell for pupils in which a marker or a piece of a solution stands."""
        lines = [line.strip() for line in source.splitlines() if line.strip()]
        if any(sign in line for line in lines for sign in "▼▲"):
            raise self._error(Phrase("a marker, '▼' or '▲', would stay for pupils"), number)
        single, double = set(lines), set(pairwise(lines))
        for gap in (gap for gaps in self._gaps for gap in gaps):
            solution = [line.strip() for line in gap.lines if line.strip()]
            remains = [first for first, second in pairwise(solution) if (first, second) in double]
            if len(solution) == 1 and len(solution[0]) >= _SHORT:
                remains = [line for line in solution if line in single]
            if remains:
                raise self._error(
                    Phrase(
                        "the solution of question {question} would stay for pupils: {line}",
                        question=str(gap.question),
                        line=quoted(remains[0]),
                    ),
                    number,
                )

    def _error(self, why: Phrase, number: int) -> DataFileError:
        return DataFileError(
            "{name}, cell {number}: {why}", name=quoted(self.name), number=str(number), why=why
        )


def with_browser_cell(notebook: str, name: str) -> str:
    """A notebook with a first cell of code, in a language, that installs pegwise in a browser."""
    document = json.loads(notebook)
    cells: list[Cell] = document["cells"]
    with speaking(name):
        comment = tr("In a browser this cell installs pegwise; elsewhere it does nothing.")
    cell: Cell = {"cell_type": "code", "execution_count": None}
    if cells and "id" in cells[0]:
        cell["id"] = BROWSER
    cell |= {"metadata": {"tags": [BROWSER]}, "outputs": []}
    cell["source"] = f"# {comment}\n{_IN_BROWSER}".rstrip().splitlines(keepends=True)
    first = next((k for k, one in enumerate(cells) if one["cell_type"] == "code"), len(cells))
    cells.insert(first, cell)
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def shipped(name: str) -> Solved:
    """The solved notebook of a language that comes with pegwise: `en` or `fr`."""
    place = files("pegwise.practical") / _NAMES[name]
    return Solved(place.read_text(encoding="utf-8"), _NAMES[name])


def _checked(cell: Cell) -> Cell:
    """A cell if it is one; ValueError if not."""
    source = cell["source"]
    lines = source if isinstance(source, list) else [source]
    if not isinstance(cell["cell_type"], str) or not all(isinstance(line, str) for line in lines):
        raise ValueError
    cell.setdefault("metadata", {})
    return cell


def _source(cell: Cell) -> str:
    return "".join(cell["source"])


def _as_python(cell: Cell, show: str) -> str:
    """A cell as Python: text as comments, and code that shows its last value by this function."""
    source = _source(cell)
    if source == tr(_YOURS):
        return "\n".join(["# %% [markdown]", *_comments(tr("✏️ Your answer:")), "#", "#"])
    if cell["cell_type"] != "code":
        return "\n".join(["# %% [markdown]", *_comments(source)])
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a command of notebooks, such as %timeit
        return "\n".join(["# %%", *_comments(source)])
    lines = source.splitlines()
    if body and isinstance(last := body[-1], ast.Expr) and not _prints(last.value):
        first = last.lineno - 1
        shown = ast.get_source_segment(source, last.value) or ""
        lines[first:] = f"{show}({shown})".splitlines()
    return "\n".join(["# %%", *lines])


def _comments(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"# {line}".rstrip()


def _prints(value: ast.expr) -> bool:
    """Whether an expression says what it has to say by itself."""
    match value:
        case ast.Call(func=ast.Name(id=name)):
            return name in _PRINTING
    return isinstance(value, ast.Constant)
