"""The folder that `make lite` builds, in Chromium with a Pyodide of its own."""

from __future__ import annotations

import json
import re
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.test_light import ROOT, UV, downloaded_pyodide, run
from tests.web.browser.conftest import PATIENCE, wait

pytestmark = pytest.mark.slow  # a Pyodide is downloaded, and started for each notebook

BUILDING = ("pip", "numpy", "click", "filelock", "platformdirs", "rich")

ANSWERS = {
    2: "return sum(a == b for a, b in zip(c1, c2))",
    3: "return len(set(c1) & set(c2))",  # wrong, as pupils write it
}

STATUS = "[...document.querySelectorAll('[data-status]')].map((part) => part.dataset.status)"
PROMPTS = "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map((p) => p.innerText)"
OUTPUTS = "[...document.querySelectorAll('.jp-OutputArea-output')].map((o) => o.innerText)"
ERRORS = "document.querySelectorAll('[data-mime-type$=stderr], [data-mime-type*=error]').length"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the folder."""
    home = tmp_path_factory.mktemp("lite")
    pyodide = downloaded_pyodide(home)
    python = home / "venv" / "bin" / "python"
    run([UV, "venv", "--quiet", "--python", sys.executable, home / "venv"])
    install = [UV, "pip", "install", "--quiet", "--python", python]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    run([*install, *BUILDING, *project["optional-dependencies"]["lite"]])
    run([*install, "--no-deps", "-e", ROOT])
    site = home / "site"
    run([python, "-m", "tools.lite", "-o", site, "--pyodide", pyodide])
    answer(site / "files" / "fr" / "TP_1_mastermind.ipynb")
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


def answer(path: Path) -> None:
    """Fill two gaps of the practical, one of them wrong."""
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for question, line in ANSWERS.items():
            source = re.sub(rf"a_faire\({question}\).*", line, source)
        cell["source"] = source
    path.write_text(json.dumps(notebook), "utf-8")


def run_all(chromium: Browser, address: str, path: str) -> tuple[Page, list[str]]:
    """Open a notebook and run all its cells; the page, and what they print."""
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/notebooks/index.html?path={path}")
    wait(page, lambda: "idle" in page.evaluate(STATUS))
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    wait(page, lambda: all(re.search(r"\d", prompt) for prompt in page.evaluate(PROMPTS)))
    return page, page.evaluate(OUTPUTS)


def test_one_answer_is_right_and_one_wrong(chromium: Browser, lite: str) -> None:
    page, outputs = run_all(chromium, lite, "fr/TP_1_mastermind.ipynb")
    verdicts = re.findall(r"^([✓✗✎]) Question (\d+)", "\n".join(outputs), re.MULTILINE)
    signs = {int(number): sign for sign, number in verdicts}
    assert (signs.pop(2), signs.pop(3)) == ("✓", "✗")
    assert set(signs.values()) == {"✎"}
    page.close()


def test_a_notebook_runs_whole(chromium: Browser, lite: str) -> None:
    page, outputs = run_all(chromium, lite, "en/entropy-minimax.ipynb")
    assert outputs
    assert page.evaluate(ERRORS) == 0
    page.close()
