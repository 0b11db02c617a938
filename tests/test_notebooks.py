"""The notebooks run from top to bottom, and those for pupils are in step with the solved ones."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.whole(of="documents")

NOTEBOOKS = Path(__file__).parents[1] / "docs" / "notebooks"
ALL = sorted(NOTEBOOKS.glob("*.ipynb"))
QUESTIONS = set(range(1, 14))
WITHOUT_CHECK = {6}  # to play
WITHOUT_GAP = {6, 8}  # to play, and to answer by hand


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gaps = _load(NOTEBOOKS / "gaps.py")
SOLVED: list[Path] = gaps.solved_notebooks()


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def run(notebook: Any) -> str:
    """Run a notebook; everything that it prints. An error in a cell is an error here."""
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(NOTEBOOKS))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream")


def checked(printed: str, sign: str) -> set[int]:
    """The questions that a sign stands before."""
    return {int(number) for number in re.findall(rf"^{sign} Question (\d+)", printed, re.M)}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_notebook_runs(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    printed = run(notebook)
    if path in SOLVED:
        assert checked(printed, "✓") == QUESTIONS - WITHOUT_CHECK
        assert not checked(printed, "[✗✎]")
    elif path.name in {gaps.with_gaps(solved)[0].name for solved in SOLVED}:
        assert checked(printed, "✎") == QUESTIONS - WITHOUT_CHECK  # a hint, not a traceback
        assert not checked(printed, "[✓✗]")


def test_notebooks_are_stored_without_outputs() -> None:
    for path in ALL:
        cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if "outputs" in cell]
        assert cells
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_gaps_are_in_step(path: Path) -> None:
    file, content = gaps.with_gaps(path)
    assert file.read_text("utf-8") == content, "run: python docs/notebooks/gaps.py"
    solved = path.read_text("utf-8")
    for question in QUESTIONS:
        assert f"**Question {question}.**" in content
    opened = {int(number) for number in re.findall(r"# ▼ question (\d+)", solved)}
    gaps_shown = {int(number) for number in re.findall(r" (?:todo|a_faire)\((\d+)\)  #", content)}
    assert opened == gaps_shown == QUESTIONS - WITHOUT_GAP
    assert "▼" not in content
    assert "▲" not in content


def test_both_languages_do_the_same() -> None:
    english, french = (json.loads(path.read_text("utf-8"))["cells"] for path in SOLVED)
    assert [cell["cell_type"] for cell in english] == [cell["cell_type"] for cell in french]

    def figures(cells: list[dict[str, Any]]) -> list[list[str]]:
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        return [re.findall(r"(?<![a-z\d])\d+", source) for source in code]

    assert figures(english) == figures(french)


def test_a_wrong_answer_is_told_from_a_missing_one() -> None:
    notebook = read(gaps.with_gaps(SOLVED[0])[0])
    for cell in notebook.cells:
        cell.source = cell.source.replace("todo(2)", "return 0").replace("todo(3)", "return (")
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:8]
    printed = run(notebook)
    assert checked(printed, "✗") == {2, 3}  # an error in a gap does not stop the rest
    assert "assert in_place([1, 1, 3, 6], [3, 1, 1, 2]) == 1" in printed
    assert "in_place([1, 1, 3, 6], [3, 1, 1, 2]) returned 0" in printed
    assert "NameError name 'in_common' is not defined" in printed
    assert checked(printed, "✎") == {1}
