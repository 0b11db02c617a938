"""Checks of answers: right ones, missing ones, and the slips that pupils make; each check ends."""

import json
import re
from pathlib import Path
from textwrap import indent
from time import monotonic, sleep
from typing import Any

import pytest

from pegwise import i18n
from pegwise.practical import NotYet, check, shipped, show, todo

GAP = r"^( *)# ▼ question {}\n.*?^ *# ▲$"
QUICK = [*range(1, 6), *range(7, 11)]  # questions whose checks take no time
ENGLISH = {
    "genere_config": "random_code",
    "nb_bien_places": "in_place",
    "nb_communs": "in_common",
    "joueur_devine": "person_guesses",
    "machine_devine": "machine_guesses",
    "reduction_configurations_possibles": "reduce_candidates",
    "premiere": "first",
    "prochaine_tentative": "next_guess",
    "mystere": "mystery",
    "tentatives": "guesses",
    "tentative": "guess",
    "sc": "mark",
    "proposition": "guess",
    "noires": "black",
    "affiche": "shown",
    "saisie": "read",
}
"""The English name of what a slip names."""

SLIPS: dict[int, list[str]] = {
    1: [
        "return [randint(1, N)] * P",
        "return [randint(0, N - 1) for _ in range(P)]",
        "randint(1, N)",
    ],
    2: [
        "for i in range(P):\n    if c1[i] == c2[i]:\n        return 1",
        "return sum(c in c2 for c in c1)",
        "total = 0\nfor i in range(P):\n    total += c1[i] == c2[i]\nprint(total)",
        "return c1.place(c2)",
    ],
    3: [
        "return sum(max(c1.count(k), c2.count(k)) for k in range(1, N + 1))",
        "return sum(min(c1.count(k), c2.count(k)) for k in range(2, N + 1))",
        "return len(set(c1) & set(c2))",
    ],
    4: [
        "return nb_communs(c1, c2), nb_bien_places(c1, c2)",
        "return nb_bien_places(c1, c2), nb_communs(c1, c2)",
        "noires = nb_bien_places(c1, c2)",
        "return score(c1, c2)",
    ],
    5: ["pass", "score(proposition, secret)", "if proposition == secret:\n    print('!')", "break"],
    7: ["assert len(mystere()) == 4**6"],
    9: [
        "return [c for c in candidates if score(c, tentative) != sc]",
        "return [c for c in candidates if c == sc]",
        "for c in candidates:\n    if score(c, tentative) != sc:\n        candidates.remove(c)",
        "return candidates",
    ],
    10: [
        "if sc == (P, 0):\n    return tentatives\n"
        "reduction_configurations_possibles(candidates, tentative, sc)",
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)",
        "if sc == P:\n    return tentatives",
        "pass",
        "if sc == (P, 0):\n    return tentatives\ncandidates = []",
        "if sc == (P, 0):\n    return tentatives\ncandidates = candidates.remove(tentative)",
        "return tentatives",
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)\n"
        "if sc == (P, 0):\n    return",
    ],
    11: ["assert machine_devine([6, 6, 6, 6]) <= 5"],
    13: [
        "return [1, 1, 2, 2]",
        "return knuth(candidates)",
        "return premiere(candidates)",
        "return min(candidates, key=len)",
        "[1, 1, 2, 2]",
    ],
}
"""What pupils write instead of the answer to a question."""


def cells(language: str) -> list[str]:
    """The code of the solved practical, without what takes long."""
    code = [
        "".join(cell["source"])
        for cell in json.loads(shipped(language).text)["cells"]
        if cell["cell_type"] == "code"
    ]
    slow = ("pegwise.build", "pegwise.race", "Position", "(12, ")
    return [source for source in code if not any(word in source for word in slow)]


def run(code: list[str], folder: Path, *questions: int) -> None:
    """Run cells as a notebook does, but for the checks of other questions."""
    names: dict[str, Any] = {}
    for number, source in enumerate(code):
        checked = re.match(r"@(?:check|verifie)\((\d+)", source)
        if checked is None or int(checked[1]) in questions:
            path = folder / f"cell{number}.py"
            path.write_text(source, "utf-8")
            exec(compile(source, str(path), "exec"), names)


@pytest.fixture(autouse=True)
def _english() -> Any:
    yield
    i18n.use("en")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_right_answers(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(cells(language), tmp_path, *QUICK)
    out = capsys.readouterr().out
    assert [int(n) for n in re.findall(r"^✓ Question (\d+)", out, re.M)] == QUICK
    assert not re.search("^[✗✎]", out, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("question", SLIPS)
def test_slips(
    question: int, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each ends soon, in one sentence or two, whatever the pupil wrote."""
    for slip in SLIPS[question]:
        if language == "en":
            slip = re.sub(r"\w+", lambda word: ENGLISH.get(word[0], word[0]), slip)
        wrong = [
            re.sub(
                GAP.format(question),
                lambda gap, text=slip: indent(text, gap[1]),  # type: ignore[misc]
                source,
                flags=re.DOTALL | re.MULTILINE,
            )
            for source in cells(language)
        ]
        assert sum(a != b for a, b in zip(wrong, cells(language), strict=True)) == 1, slip
        run(wrong, tmp_path, question)
        out = capsys.readouterr().out
        said = out[out.index("✗") :]
        assert re.findall(r"^[✗✎] Question (\d+)", out, re.M) == [str(question)], (slip, out)
        assert len(said.splitlines()) == 2, said
        assert len(said.splitlines()[1].strip()) > 2, said
        assert out.count("\n") < 60
    assert "Traceback" not in out


def test_a_game_that_goes_on_says_how_things_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cells("en")
    line = "candidates = reduce_candidates(candidates, guess, mark)"
    wrong = [source.replace(line, line.removeprefix("candidates = ")) for source in code]
    run(wrong, tmp_path, 10)
    said = capsys.readouterr().out.splitlines()[-2:]
    assert said == [
        "✗ Question 10: not yet.",
        "  After 20 guesses the game still goes on, though the secret is [2, 2, 4, 6]. "
        "The last guess was [1, 1, 1, 1], its mark (0, 0); candidates left: 1296.",
    ]


def test_what_never_ends_is_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    begun = monotonic()

    @check(2, seconds=0.2)
    def loops() -> None:
        while True:
            pass

    @check(3, seconds=0.2)
    def catches() -> None:
        while True:
            try:
                sleep(0.01)
            except KeyboardInterrupt:
                if monotonic() - begun > 1.5:
                    raise

    @check(4)
    def ends() -> None:
        sleep(0.3)

    out = capsys.readouterr().out
    assert re.findall(r"^(.) Question (\d)", out, re.M) == [("✗", "2"), ("✗", "3"), ("✓", "4")]
    assert out.count("Stopped after 0.2 seconds") == 2


def test_an_interrupt_of_the_pupil_is_theirs() -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(1)(interrupted)


def test_what_is_printed_and_drawn_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    @check(1)
    def prints() -> None:
        for _ in range(100_000):
            print("again")  # noqa: T201

    @check(2)
    def draws() -> None:
        for _ in range(1000):
            show([1, 1, 2, 2], (1, 0))

    out = capsys.readouterr().out
    lines = out.splitlines()
    assert 500 < lines.count("again") < 5000
    assert lines.count("1 1 2 2  ●") == 20
    assert lines[-1].startswith("✓ Question 2")
    show([1, 1, 3, 6])  # by itself it draws as often as it is asked
    assert capsys.readouterr().out == "1 1 3 6\n"


def test_what_is_missing_and_what_was_returned(capsys: pytest.CaptureFixture[str]) -> None:
    def answer() -> None:
        return None

    @check(3)
    def missing() -> None:
        todo(2)

    @check(4)
    def none() -> None:
        assert answer() == 3  # type: ignore[func-returns-value]

    @check(5)
    def several() -> None:
        assert [answer()] == [  # type: ignore[func-returns-value]
            3,
        ]

    @check(6)
    def own() -> None:
        raise NotYet("Try again.")

    out = capsys.readouterr().out.splitlines()
    assert out[0] == "✎ Question 3: first replace the line that says todo(2)."
    assert "answer() returned None" in out[2]
    assert "return" in out[2]
    assert out[-2:] == ["✗ Question 6: not yet.", "  Try again."]
