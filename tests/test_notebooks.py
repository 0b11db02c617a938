"""The notebooks run from top to bottom, and those made from others are in step with them."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tools.notebooks import DOCS, ENGLISH, FRENCH, made, twins

from pegwise.practical import shipped

pytestmark = pytest.mark.slow

SOLVED = {name: shipped(name) for name in ("en", "fr")}
ALL = sorted(chain(ENGLISH.glob("*.ipynb"), FRENCH.glob("*.ipynb")))
QUESTIONS = set(range(1, 14))
WITHOUT_CHECK = {6}  # to play


def read(path: Path) -> Any:
    import nbformat

    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run(notebook: Any, folder: Path) -> str:
    """Run a notebook; everything that it prints. An error in a cell is an error here."""
    import nbformat
    from nbclient import NotebookClient

    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(folder))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream")


def checked(printed: str, sign: str) -> set[int]:
    """The questions that a sign stands before."""
    return {int(number) for number in re.findall(rf"^{sign} Question (\d+)", printed, re.M)}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_every_notebook_runs(path: Path) -> None:
    printed = run(read(path), path.parent)
    if path.stem in {solved.stem for solved in SOLVED.values()}:
        assert checked(printed, "✎") == QUESTIONS - WITHOUT_CHECK  # a hint, not a traceback
        assert not checked(printed, "[✓✗]")


@pytest.mark.parametrize("language", SOLVED)
def test_solved_practicals_run(language: str, tmp_path: Path) -> None:
    import nbformat

    notebook = nbformat.reads(SOLVED[language].text, as_version=4)  # type: ignore[no-untyped-call]
    printed = run(notebook, tmp_path)
    assert checked(printed, "✓") == QUESTIONS - WITHOUT_CHECK
    assert not checked(printed, "[✗✎]")


def test_notebooks_are_stored_without_outputs() -> None:
    for text in (*(path.read_text("utf-8") for path in ALL), *(s.text for s in SOLVED.values())):
        cells = [cell for cell in json.loads(text)["cells"] if "outputs" in cell]
        assert cells
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_notebooks_made_from_others_are_in_step() -> None:
    for path, content in made():
        assert path.read_text("utf-8") == content, "run: python -m tools.notebooks"


def test_every_notebook_has_its_twin() -> None:
    english = {path.name for path in ENGLISH.glob("*.ipynb")} - {f"{SOLVED['en'].stem}.ipynb"}
    french = {path.name for path in FRENCH.glob("*.ipynb")} - {f"{SOLVED['fr'].stem}.ipynb"}
    assert english == french == {path.name for path in twins()}


def test_both_practicals_do_the_same() -> None:
    english, french = (json.loads(solved.text)["cells"] for solved in SOLVED.values())
    assert [cell["cell_type"] for cell in english] == [cell["cell_type"] for cell in french]

    def figures(cells: list[dict[str, Any]]) -> list[list[str]]:
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        return [re.findall(r"(?<![a-z\d_])\d+", source) for source in code]

    assert figures(english) == figures(french)


def test_a_wrong_answer_is_told_from_a_missing_one(tmp_path: Path) -> None:
    notebook = read(ENGLISH / "practical.ipynb")
    for cell in notebook.cells:
        cell.source = cell.source.replace("todo(2)", "return 0").replace("todo(3)", "return (")
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:9]
    printed = run(notebook, tmp_path)
    assert checked(printed, "✗") == {2, 3}  # an error in a gap does not stop the rest
    assert "assert in_place([1, 1, 3, 6], [3, 1, 1, 2]) == 1" in printed
    assert "in_place([1, 1, 3, 6], [3, 1, 1, 2]) returned 0" in printed
    assert "NameError name 'in_common' is not defined" in printed
    assert checked(printed, "✎") == {1}
