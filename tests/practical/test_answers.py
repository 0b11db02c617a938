"""Checks of answers: right ones, missing ones, and the slips that pupils make; each check ends."""

import json
import re
import threading
from pathlib import Path
from textwrap import indent
from time import monotonic, sleep
from typing import Any

import pytest

from pegwise import i18n
from pegwise.practical import NotYet, check, shipped, show, todo

GAP = r"^( *)# ▼ question {}\n.*?^ *# ▲$"
QUICK = [*range(1, 6), *range(7, 12)]  # questions whose right answers take no time
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
    "code_saisi": "typed_code",
    "toutes_une_fois": "all_once",
    "configurations": "codes",
    "experience": "experiment",
    "parties": "games",
}
"""The English name of what a slip names."""

SLIPS: dict[int, list[str]] = {
    1: [
        "return [randint(1, N)] * P",
        "return [randint(0, N - 1) for _ in range(P)]",
        "randint(1, N)",
        "pass",
        "print([randint(1, N) for _ in range(P)])",
        "return [randint(1, N) for _ in range(P - 1)]",
        "return [randint(1, N - 1) for _ in range(P)]",
        "return [1, 1, 3, 6]",
        "return randint(1111, 6666)",
        "return [str(randint(1, N)) for _ in range(P)]",
        "exit()",
    ],
    2: [
        "for i in range(P):\n    if c1[i] == c2[i]:\n        return 1",
        "return sum(c in c2 for c in c1)",
        "total = 0\nfor i in range(P):\n    total += c1[i] == c2[i]\nprint(total)",
        "return c1.place(c2)",
        "pass",
        "return 1",
        "return sum(c1[i] == c2[i] for i in range(P - 1))",
        "return sum(c1[i] == c2[i] for i in range(1, P))",
        "return sum(c1[i] == c2[i] for i in range(P + 1))",
        "return str(sum(c1[i] == c2[i] for i in range(P)))",
        "return [i for i in range(P) if c1[i] == c2[i]]",
        "return c1 == c2",
        "exit()",
    ],
    3: [
        "return sum(max(c1.count(k), c2.count(k)) for k in range(1, N + 1))",
        "return sum(min(c1.count(k), c2.count(k)) for k in range(2, N + 1))",
        "return len(set(c1) & set(c2))",
        "pass",
        "return 3",
        "return sum(min(c1.count(k), c2.count(k)) for k in range(1, N))",
        "return sum(min(c1.count(k), c2.count(k)) for k in range(N))",
        "return sum(min(c1.count(k), c2.count(k)) for k in c1)",
        "print(sum(min(c1.count(k), c2.count(k)) for k in range(1, N + 1)))",
        "return str(sum(min(c1.count(k), c2.count(k)) for k in range(1, N + 1)))",
    ],
    4: [
        "return nb_communs(c1, c2), nb_bien_places(c1, c2)",
        "return nb_bien_places(c1, c2), nb_communs(c1, c2)",
        "noires = nb_bien_places(c1, c2)",
        "return score(c1, c2)",
        "pass",
        "return 1, 2",
        "print(nb_bien_places(c1, c2), nb_communs(c1, c2) - nb_bien_places(c1, c2))",
        "return [nb_bien_places(c1, c2), nb_communs(c1, c2) - nb_bien_places(c1, c2)]",
        "return nb_bien_places(c1, c2) + nb_communs(c1, c2)",
    ],
    5: [
        "pass",
        "score(proposition, secret)",
        "if proposition == secret:\n    print('!')",
        "break",
        "return",
        "return tentative",
        "if proposition == secret:\n    return tentative + 1",
        "if proposition == secret:\n    return tentative - 1",
        "if proposition == secret:\n    print(tentative)\n    return",
        "if score(proposition, secret)[0] == 2:\n    return tentative",
        "if proposition == secret:\n    return str(tentative)",
        "if proposition == secret:\n    return True",
        "if tentative == 3:\n    return 3",
        "if proposition == secret or tentative == C:\n    return tentative",
    ],
    7: [
        "pass",
        "return",
        "return True",
        "return False",
        "return len(configurations)",
        "return len(configurations) == 4**6",
        "return len(configurations) == N**P",
        "return len({tuple(c) for c in configurations}) == N**P",
        "return len({tuple(c) for c in configurations}) == len(configurations)",
        "return len(set(configurations)) == N**P",
        "return len(configurations) >= N**P",
        "print(len(configurations) == len({tuple(c) for c in configurations}) == N**P)",
        "assert len(configurations) == len({tuple(c) for c in configurations}) == N**P",
        "return str(len(configurations) == len({tuple(c) for c in configurations}) == N**P)",
    ],
    9: [
        "return [c for c in candidates if score(c, tentative) != sc]",
        "return [c for c in candidates if c == sc]",
        "for c in candidates:\n    if score(c, tentative) != sc:\n        candidates.remove(c)",
        "return candidates",
        "pass",
        "return []",
        "return [c for c in candidates if score(c, tentative)[0] == sc[0]]",
        "return [c for c in candidates if sum(score(c, tentative)) == sum(sc)]",
        "return len([c for c in candidates if score(c, tentative) == sc])",
        "print([c for c in candidates if score(c, tentative) == sc])",
        "return [c for c in candidates[1:] if score(c, tentative) == sc]",
        "return tuple(c for c in candidates if score(c, tentative) == sc)",
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
        "return 6",
        "if sc == (P, 0):\n    return tentatives - 1\n"
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)",
        "if sc == (P, 0):\n    print(tentatives)\n"
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)",
        "if sc == (P, 0):\n    return str(tentatives)\n"
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)",
        "if sc == (P, 0):\n    return candidates\n"
        "candidates = reduction_configurations_possibles(candidates, tentative, sc)",
    ],
    11: [
        "pass",
        "return",
        "return 9",
        "return []",
        "return [9] * parties",
        "return machine_devine(affiche=False)",
        "return max(machine_devine(affiche=False) for _ in range(parties))",
        "return Counter(machine_devine(affiche=False) for _ in range(parties))",
        "return [machine_devine(affiche=False) for _ in range(1, parties)]",
        "return [machine_devine(affiche=False) for _ in range(parties + 1)]",
        "return [machine_devine([6, 6, 6, 6], affiche=False) for _ in range(parties)]",
        "return [str(machine_devine(affiche=False)) for _ in range(parties)]",
        "print([machine_devine(affiche=False) for _ in range(parties)])",
        "assert machine_devine([6, 6, 6, 6]) <= 5",
    ],
    12: [
        "pass",
        "return",
        "return candidates[0]",
        "return premiere(candidates)",
        "return [1, 1, 2, 2]",
        "return min(candidates, key=len)",
        "return max(candidates, key=lambda a: max(Counter(score(a, b) for b in candidates)"
        ".values()))",
        "return min(max(Counter(score(a, b) for b in candidates).values()) for a in candidates)",
        "print(min(candidates, key=lambda a: max(Counter(score(a, b) for b in candidates)"
        ".values())))",
        "return tuple(min(candidates, key=lambda a: max(Counter(score(a, b) for b in candidates)"
        ".values())))",
    ],
    13: [
        "return [1, 1, 2, 2]",
        "return knuth(candidates)",
        "return premiere(candidates)",
        "return min(candidates, key=len)",
        "[1, 1, 2, 2]",
        "pass",
        "return",
        "print(prochaine_tentative(candidates))",
        "return candidates[-1]",
        "if len(candidates) == N**P:\n    return [1, 1, 2, 2]",
        "if len(candidates) == N**P:\n    return [1, 1, 2, 2]\nreturn candidates[0]",
        "if len(candidates) == N**P:\n    return 1122\nreturn prochaine_tentative(candidates)",
    ],
}
"""What pupils write instead of the answer to a question."""


def cells(language: str) -> list[str]:
    """The code of the solved practical, without what `pegwise` counts."""
    code = [
        "".join(cell["source"])
        for cell in json.loads(shipped(language).text)["cells"]
        if cell["cell_type"] == "code"
    ]
    counts = ("pegwise.build", "pegwise.race", "Position")
    return [source for source in code if not any(word in source for word in counts)]


def run(code: list[str], folder: Path, *questions: int) -> dict[str, Any]:
    """Run cells as a notebook does, but for the checks of other questions; what they define."""
    names: dict[str, Any] = {}
    for number, source in enumerate(code):
        checked = re.match(r"@(?:check|verifie)\((\d+)", source)
        if checked is None or int(checked[1]) in questions:
            path = folder / f"cell{number}.py"
            path.write_text(source, "utf-8")
            exec(compile(source, str(path), "exec"), names)
    return names


@pytest.fixture(autouse=True)
def _english() -> Any:
    yield
    i18n.use("en")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_right_answers(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(cells(language), tmp_path, *QUICK)
    out = capsys.readouterr().out
    assert [int(n) for n in re.findall(r"^✓ Question (\d+)", out, re.M)] == QUICK
    assert not re.search("^[✗✎]", out, re.MULTILINE)


def answered(language: str, question: int, answer: str) -> list[str]:
    """The code with the answer, in French names, in the gap of the question."""
    if language == "en":
        names = ENGLISH | ({"tentative": "turn"} if question == 5 else {})
        answer = re.sub(r"\w+", lambda word: names.get(word[0], word[0]), answer)
    code = [
        re.sub(
            GAP.format(question),
            lambda gap: indent(answer, gap[1]),
            source,
            flags=re.DOTALL | re.MULTILINE,
        )
        for source in cells(language)
    ]
    assert sum(a != b for a, b in zip(code, cells(language), strict=True)) == 1, answer
    return code


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("question", SLIPS)
def test_slips(
    question: int, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each ends soon, in one sentence or two, whatever the pupil wrote."""
    for slip in SLIPS[question]:
        run(answered(language, question, slip), tmp_path, question)
        out = capsys.readouterr().out
        said = out[out.index("✗") :]
        assert re.findall(r"^[✗✎] Question (\d+)", out, re.M) == [str(question)], (slip, out)
        assert len(said.splitlines()) == 2, said
        assert len(said.splitlines()[1].strip()) > 2, said
        assert len(out) < 11_000  # what is printed or drawn is cut
    assert "Traceback" not in out


RIGHT: dict[int, list[str]] = {
    1: ["return tuple(randint(1, N) for _ in range(P))"],
    2: ["return sum(a == b for a, b in zip(c1, c2))"],
    3: [
        "return (Counter(c1) & Counter(c2)).total()",
        "return sum((Counter(c1) & Counter(c2)).values())",
    ],
    4: ["n = nb_bien_places(c1, c2)\nreturn (n, nb_communs(c1, c2) - n)"],
    5: ["if proposition == secret:\n    return tentative"],
    7: [
        "return sorted(configurations) == sorted(mystere())",
        "return [configurations.count(c) for c in configurations] == [1] * 1296",
        "for c in mystere():\n    if configurations.count(c) != 1:\n        return False\n"
        "return len(configurations) == 1296",
    ],
    9: [
        "return list(filter(lambda c: score(tentative, c) == sc, candidates))",
        "rest = []\nfor c in candidates:\n    if score(c, tentative) == sc:\n        rest += [c]\n"
        "return rest",
    ],
    11: [
        "rest = []\nfor _ in range(parties):\n"
        "    rest.append(machine_devine(genere_config(), affiche=False))\nreturn rest",
        "return tuple(machine_devine(affiche=False) for _ in range(parties))",
    ],
}
"""Right answers that are written otherwise."""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("question", RIGHT)
def test_right_answers_of_other_ways(
    question: int, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for answer in RIGHT[question]:
        run(answered(language, question, answer), tmp_path, question)
        out = capsys.readouterr().out
        assert re.findall(r"^(.) Question (\d+)", out, re.M) == [("✓", str(question))], (
            answer,
            out,
        )


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_without_threads_right_is_right_and_wrong_is_wrong(
    language: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a browser; the error is what Python raises there."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    run(cells(language), tmp_path, *QUICK)
    run(answered(language, 2, "return 1"), tmp_path, 2)
    out = capsys.readouterr().out
    assert re.findall(r"^(.) Question (\d+)", out, re.M) == [
        *(("✓", str(number)) for number in QUICK),
        ("✗", "2"),
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_no_code_is_asked_for_again(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(cells(language), tmp_path)
    typed = ["12a4", "112", "", "11222", "1127", "0112", "²²²²", "-112", "1 1 2 2", " 2246 "]
    play = names["person_guesses" if language == "en" else "joueur_devine"]
    assert play([2, 2, 4, 6], lambda prompt: typed.pop(0)) == 2
    assert not typed
    assert len(capsys.readouterr().out.splitlines()) == 8 + 2 + 1 + 1  # a code is drawn at first


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


@pytest.mark.slow
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
