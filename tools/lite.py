"""Build JupyterLite with pegwise and its notebooks: a folder that any web space serves.

python -m tools.lite [-o FOLDER] [--pyodide FOLDER]

The wheel of pegwise and what it needs lie in it, so that notebooks install it from there. Pyodide
itself comes from its project when a page is opened, unless a folder with one is given.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from pegwise.practical.gaps import BROWSER, with_browser_cell

ROOT: Final = Path(__file__).parents[1]
NOTEBOOKS: Final = {"en": ROOT / "docs" / "notebooks", "fr": ROOT / "docs" / "fr" / "notebooks"}

NEEDED: Final = ("click", "comm", "filelock", "markdown-it-py", "mdurl", "platformdirs", "rich")
"""What pegwise needs in a browser beside what Pyodide has, and `comm`, which the kernel needs."""

LEFT_OUT: Final = {"knuth-greenwell", "viaud", "value"}
"""The first depends on the order of sets in 64 bits, the others work by compiled loops."""


def build(output: Path, pyodide: Path | None) -> None:
    """Write the folder anew."""
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for language, notebooks in NOTEBOOKS.items():
            (folder / "files" / language).mkdir(parents=True)
            for path in notebooks.glob("*.ipynb"):
                if path.stem in LEFT_OUT:
                    continue
                text = path.read_text("utf-8")
                (folder / "files" / language / path.name).write_text(_for_lite(text, language))
        wheels = folder / "pypi"
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", wheels, ROOT], check=True)
        needed = [*pip, "download", "--no-deps", "-c", str(ROOT / "constraints.txt"), *NEEDED]
        subprocess.run([*needed, "-d", wheels], check=True)
        if pyodide is not None:
            shutil.copytree(pyodide, folder / "static" / "pyodide")
        apps = {"LiteBuildConfig": {"contents": ["files"], "output_dir": str(output.absolute())}}
        (folder / "jupyter_lite_config.json").write_text(json.dumps(apps))
        command = [sys.executable, "-m", "jupyter", "lite", "build"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _for_lite(text: str, language: str) -> str:
    """A notebook as JupyterLite runs it: with the cell that installs pegwise, and its kernel."""
    if BROWSER not in text:
        text = with_browser_cell(text, language)
    notebook = json.loads(text)
    notebook["metadata"]["kernelspec"] = {
        "name": "python",
        "display_name": "Python (Pyodide)",
        "language": "python",
    }
    return json.dumps(notebook)


def main() -> None:
    """Build it below build/lite, or in another folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "lite")
    parser.add_argument("--pyodide", type=Path, help="a folder with a Pyodide, to lie in it too")
    options = parser.parse_args()
    build(options.output, options.pyodide)
    print(f"The folder: {options.output}")


if __name__ == "__main__":
    main()
