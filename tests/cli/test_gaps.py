"""`pegwise gaps`: files for pupils, and what keeps it from writing any."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Run, refused
from tests.practical.test_gaps import SOLUTION, changed, notebook


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "mine-solved.ipynb"
        path.write_text(text, "utf-8")
        return path

    return write


def test_the_command(run: Run, tmp_path: Path, own: Callable[[str], Path]) -> None:
    run("gaps", "--folder", str(tmp_path / "class"), "--solved", "--lang", "fr").text()
    names = {path.name for path in (tmp_path / "class").iterdir()}
    stem = "TP_1_mastermind"
    assert names == {f"{stem}.ipynb", f"{stem}.py", f"{stem}-corrige.ipynb"}
    path = own(notebook("\n".join(SOLUTION)))
    assert run("gaps", str(path), "--folder", str(tmp_path), "--json").document()["gaps"] == [1]
    assert "total" not in (tmp_path / "mine.ipynb").read_text("utf-8")
    pupils = tmp_path / "mine.ipynb"
    pupils.write_text("what a pupil has written")
    assert "mine.ipynb" in refused(run("gaps", str(path), "--folder", str(tmp_path)))
    assert pupils.read_text() == "what a pupil has written"
    run("gaps", str(path), "--folder", str(tmp_path), "--force").text()
    assert "todo" in pupils.read_text()
    refused(run("gaps", str(path), "--folder", str(tmp_path), "--force", "--solved"))


@pytest.mark.parametrize("name", ["missing.ipynb", "", "."])
def test_no_notebook(run: Run, name: str, tmp_path: Path) -> None:
    refused(run("gaps", str(tmp_path / name), "--folder", str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_if_a_solution_would_stay(
    run: Run, tmp_path: Path, own: Callable[[str], Path]
) -> None:
    path = own(notebook(changed({4: ""})))
    refused(run("gaps", str(path), "--folder", str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()
