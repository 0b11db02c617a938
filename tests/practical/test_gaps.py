"""Files for pupils hold no solution; what would leave one is refused, in one sentence."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pegwise.errors import DataFileError
from pegwise.i18n import speaking
from pegwise.practical import Solved, shipped

SOLUTION = ["def f():", "    # ▼ question 1", "    total = 40 + 2", "    return total", "    # ▲"]


def notebook(*code: str, text: str = "**Question 1.** Write `f`.", **more: Any) -> str:
    """A solved notebook of a cell of text and some of code, which was run."""
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": text}]
    for source in code:
        shown = {"output_type": "stream", "name": "stdout", "text": ["return total\n"]}
        cell = {"metadata": {}, "execution_count": 3, "outputs": [shown]}
        cells.append({"cell_type": "code", "source": source.splitlines(keepends=True), **cell})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def refused(text: str) -> str:
    with pytest.raises(DataFileError) as caught:
        Solved(text, "mine.ipynb").notebook()
    message = str(caught.value)
    assert "mine.ipynb" in message
    assert "\n" not in message
    return message


def changed(lines: dict[int, str]) -> str:
    """The solution with other lines."""
    return "\n".join(lines.get(k, line) for k, line in enumerate(SOLUTION))


def test_a_gap_takes_the_place_of_a_solution() -> None:
    solved = Solved(notebook("\n".join(SOLUTION), "f()"), "mine-solved.ipynb")
    made = json.loads(solved.notebook())
    source = "".join(made["cells"][2]["source"])
    assert source == "def f():\n    todo(1)  # replace this line by yours"
    assert all(cell.get("outputs", []) == [] for cell in made["cells"])
    assert "total" not in solved.notebook() + solved.script()
    assert (solved.stem, solved.questions, solved.without_gap) == ("mine", [1], [])
    assert "print(f())" in solved.script()
    with speaking("fr"):
        french = Solved(notebook("\n".join(SOLUTION)), "le-mien.ipynb")
    assert "a_faire(1)  # remplacez" in french.notebook()
    assert french.stem == "le-mien-trous"


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        (changed({4: ""}), "question 1"),  # never closed
        (changed({4: "    # ▲ end"}), "# ▲ end"),
        (changed({4: "    #▲"}), "#▲"),
        (changed({4: "    return 0  # ▲"}), "# ▲"),
        (changed({4: "    # △"}), "△"),
        (changed({1: "    # ▼ question"}), "# ▼ question"),
        (changed({1: "    # ▼question 1"}), "# ▼question 1"),
        (changed({1: "    # ▼ Question 1"}), "# ▼ Question 1"),
        (changed({1: "    # ▼ question one"}), "question one"),
        (changed({1: "    # v question 1"}), "# v question 1"),
        (changed({1: "    # question 1"}), "# question 1"),
        (changed({1: "    # begin"}), "# ▲"),  # closed, never opened
        (changed({2: "    # ▼ question 2"}), "question 2"),  # nested
        (changed({4: "    # ▼ question 2"}), "question 2"),
    ],
)
def test_markers_that_are_not_in_pairs(source: str, quoted: str) -> None:
    assert quoted in refused(notebook(source, "\n".join(SOLUTION)))


def test_what_would_stay_of_a_solution() -> None:
    whole = "\n".join(SOLUTION)
    copied = "def again():\n    total = 40 + 2\n    return total"
    assert "question 1" in refused(notebook(whole, copied))
    assert "total = 40 + 2" in refused(notebook(whole, text=f"As in\n\n{copied}"))
    assert "▲" in refused(notebook(whole, text="The line # ▲ ends it."))
    single = changed({2: "", 3: "    return 40 + 1 + 1"})
    assert "return 40" in refused(notebook(single, "return 40 + 1 + 1"))
    common = "def other():\n    return total"  # one line of several may stand elsewhere
    assert Solved(notebook(whole, common), "mine.ipynb").questions == [1]


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("**Answer.** It is 42.", True),
        ("**Réponse.** C'est 42.", True),
        ("The answer\nto the question follows.", None),
        ("Answers of the codemaker\nare marks.", None),
        ("**answer.** It is 42.", False),
        ("**Reponse.** C'est 42.", False),
        ("## Answer: 42", False),
        ("How many?\n\n**Answer.** 42", False),
        ("__Answer__ 42", False),
    ],
)
def test_written_answers(text: str, blank: bool | None) -> None:
    written = notebook("\n".join(SOLUTION), text=text)
    if blank is False:
        assert "nswer" in refused(written)
        return
    made = Solved(written, "mine.ipynb").notebook()
    assert ("42" in made) is False
    assert ("double-click" in made) is bool(blank)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", "7", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{}]}'),
        *('{"cells": [{"cell_type": "code", "source": 3}]}', "[" * 99999, notebook("f()")),
    ],
    ids=range(11),
)
def test_broken_notebooks(text: str) -> None:
    assert len(refused(text)) < 120


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_shipped_practical(language: str) -> None:
    solved = shipped(language)
    assert (solved.questions, solved.without_gap) == ([1, 2, 3, 4, 5, 7, *range(9, 14)], [6, 8])
    assert solved.stem == {"en": "practical", "fr": "TP_1_mastermind"}[language]
    for made in (solved.notebook(), solved.script()):
        assert not re.search("[▼▲]|corrigé|solved|Answer\\.|Réponse\\.", made)
        assert set(re.findall(r" (?:todo|a_faire)\((\d+)\)  #", made)) == set(
            map(str, solved.questions)
        )
    ast.parse(solved.script())
    assert "IPython" not in solved.script()


@pytest.mark.slow
def test_the_file_for_spyder_prints_results_in_its_language(tmp_path: Path) -> None:
    """A tree and the parts of a guess are text in digits; what is only written has room."""
    script = shipped("fr").script()
    assert "double-cliquez" not in script
    assert "print(arbre)" not in script
    path = tmp_path / "tp.py"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert "Split(" not in done.stdout
    assert "Tree(" not in done.stdout
    assert "1122 peut recevoir 13 réponses différentes" in done.stdout
    assert "XX         150  1122" in done.stdout
