"""The practical with gaps for pupils, made from the solved one.

    python docs/notebooks/gaps.py

In the cells of a solved notebook a line `# ▼ question 3` begins what pupils are to write, and a
line `# ▲` ends it. The metadata of the notebook, under `pegwise`, say the rest: `gaps`, the file to
make; `todo`, the line that stands in a gap, with `{}` for the number of the question; `answer`, how
a cell with a written answer begins; `blank`, the cell that takes its place; `drop`, words of the
solved notebook alone.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

__all__ = ["HERE", "solved_notebooks", "with_gaps", "written"]

HERE: Final = Path(__file__).parent

_GAP: Final = re.compile(r"^( *)# ▼ question (\d+)\n.*?^ *# ▲$", re.DOTALL | re.MULTILINE)


def solved_notebooks() -> list[Path]:
    """The notebooks from which others with gaps are made."""
    return [path for path in sorted(HERE.glob("*.ipynb")) if "gaps" in _metadata(_read(path))]


def with_gaps(path: Path) -> tuple[Path, str]:
    """The file for pupils that belongs to a solved notebook, and its content."""
    notebook = _read(path)
    metadata = notebook["metadata"].pop("pegwise")
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).replace(metadata["drop"], "")
        if cell["cell_type"] == "code":
            source, gaps = _GAP.subn(lambda gap: gap[1] + metadata["todo"].format(gap[2]), source)
            if gaps:  # an error in what pupils write does not stop the cells after it
                cell["metadata"]["tags"] = ["raises-exception"]
        elif source.startswith(metadata["answer"]):
            source = metadata["blank"]
        cell["source"] = source.splitlines(keepends=True)
    return HERE / metadata["gaps"], written(notebook)


def written(notebook: dict[str, Any]) -> str:
    """A notebook as the text of its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _metadata(notebook: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = notebook["metadata"].get("pegwise", {})
    return found


def _read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


if __name__ == "__main__":
    for solved in solved_notebooks():
        file, content = with_gaps(solved)
        file.write_text(content, encoding="utf-8")
