"""`pegwise candidates`, as typed."""

import importlib
import json
import shlex
from pathlib import Path

import pytest

from tests.cli.running import Run, refused

counting = importlib.import_module("pegwise.knowledge.candidates")
PAGE = Path(__file__).parents[2] / "docs" / "decoding.md"


def test_codes_are_counted_and_listed(run: Run) -> None:
    status, out, err = run("candidates", "4x6", "ABCD=XXO", "ABEF=X")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "8 codes of 4x6 fit these 2 turns.",
        "ACAD ACDD ADCA ADCC CBBD CBDD DBCB DBCC",
    ]
    status, out, _ = run("candidates", "ABCD=XXO", "--limit", "3")
    assert status == 0
    assert out.splitlines() == [
        "48 codes of 4x6 fit this turn.",
        "AABD AACB ABAC",
        "... and 45 more (see --limit)",
    ]
    assert run("candidates", "classic", "ABCD=XXXX").out == "1 code of 4x6 fits this turn.\nABCD\n"
    assert run("candidates", "3x2", "--limit", "0").out == "3x2 has 8 codes.\n"


def test_any_notation_may_be_typed(run: Run) -> None:
    expected = run("candidates", "4x6", "ABCD=XXO").out
    for turn in ("1234=2b1w", "abcd=2 1", "1 2 3 4=(2, 1)", "🔴🟢🔵🟡=●●○"):
        assert run("candidates", "4x6", turn) == (0, expected, "")


def test_json(run: Run) -> None:
    status, out, err = run("candidates", "6x26", "ABCDEF=XO", "--json", "--limit", "2")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "rules": "6x26",
        "history": [{"guess": "ABCDEF", "mark": "XO"}],
        # a color in place, another one out of place, and the rest without a third: by hand
        "count": 6 * 5 * 21 * (22**4 - 21**4),
        "codes": ["AAAAAB", "AAAAAC"],
    }


def test_json_of_a_contradiction(run: Run) -> None:
    status, out, err = run("candidates", "4x6", "ABCD=XXO", "ABCD=XX", "--json")
    assert (status, err) == (1, "")
    assert json.loads(out) == {
        "count": 0,
        "suspects": [
            {"turn": 1, "mark": "XXO", "instead": [{"mark": "XX", "count": 96}]},
            {"turn": 2, "mark": "XX", "instead": [{"mark": "XXO", "count": 48}]},
        ],
    }


CONTRADICTIONS = [
    (
        ["ABCD=XXO", "ABCD=XX"],
        [
            "No code of 4x6 fits these 2 turns: 48 codes fit turn 1, and none of them turn 2.",
            "If only one mark is wrong, it is one of these, the most likely first:",
            "  turn 1 (ABCD): XX instead of XXO would leave 96 codes",
            "  turn 2 (ABCD): XXO instead of XX would leave 48 codes",
        ],
    ),
    (
        ["AABB=XX", "AABC=XXX", "CCDD=XXOO", "EEEE=X"],
        [
            "No code of 4x6 fits these 4 turns: 13 codes fit turns 1 and 2, and none of them "
            "turn 3.",
            "If only one mark is wrong, it is that of turn 3 (CCDD): O instead of XXOO would leave "
            "3 codes.",
        ],
    ),
    (
        ["AAAA=-", "BBBB=XXX", "CCCC=XXX", "DDDD=XXX"],
        [
            "No code of 4x6 fits these 4 turns: 16 codes fit turns 1 and 2, and none of them "
            "turn 3.",
            "No change of one mark helps: at least 2 marks are wrong.",
        ],
    ),
]


@pytest.mark.parametrize(("turns", "said"), CONTRADICTIONS)
def test_contradictions_are_explained(run: Run, turns: list[str], said: list[str]) -> None:
    status, out, err = run("candidates", "4x6", *turns)
    assert (status, err) == (1, "")
    assert out.splitlines() == said


def test_long_lists_of_marks_are_cut(run: Run) -> None:
    out = run("candidates", "4x6", "AAAA=XXX", "ABCD=-").out
    (line,) = (line for line in out.splitlines() if "turn 2" in line and "instead" in line)
    assert line.count("code") <= 4


REFUSED = [
    (["4x6", "AAAA=O"], "pegwise: mark O cannot happen for AAAA: it has one color only"),
    (["4x6", "ABCD=XXXO"], "pegwise: mark 'XXXO' cannot happen: with 3 of 4 pegs in place"),
    (["4x6", "ABCD"], "pegwise: cannot read turn 'ABCD': write GUESS=MARK"),
    (["4x6", "ABCG=X"], "pegwise: 'ABCG': 'G' at position 4: "),
    (["4x0", "ABCD=X"], "pegwise: rules '4x0': colors must be 1 to 26, not 0"),
    (["ABCD", "ABCD=X"], "pegwise: unknown rules 'abcd'"),
    (["4x6", "--limit", "-1"], "pegwise: --limit '-1': give a whole number from 0"),
    (["8x10", "--limit", "99999999"], "pegwise: 99,999,999 codes of 8x10 are too many to list"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_bad_input_is_refused_in_one_sentence(run: Run, arguments: list[str], said: str) -> None:
    assert refused(run("candidates", *arguments)).startswith(said)


def test_what_cannot_be_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAX_STATES", 5)
    line = refused(run("candidates", "8x8", "ABCDEFGH=XOO"))
    assert line.startswith("pegwise: the codes of 8x8 that fit these turns cannot be counted")


def test_ctrl_c_ends_it_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(counting, "join", interrupt)
    assert run("candidates", "4x6", "ABCD=X") == (130, "", "\npegwise: interrupted\n")


def test_the_page_shows_what_is_printed(run: Run) -> None:
    blocks = [block for block in PAGE.read_text("utf-8").split("\n\n") if "$ pegwise" in block]
    assert len(blocks) == 5
    for block in blocks:
        command, *printed = (line.removeprefix("    ") for line in block.splitlines())
        ended = run(*shlex.split(command.removeprefix("$ pegwise ")))
        assert (ended.out + ended.err).splitlines() == printed


def test_ctrl_c_while_a_kernel_hands_over_its_result(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr(counting, "extend", interrupt)
    assert run("candidates", "4x6", "ABCD=X") == (130, "", "pegwise: interrupted\n")


def test_other_failures_of_the_system_are_not_hidden(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise SystemError("something else")

    monkeypatch.setattr(counting, "extend", fail)
    with pytest.raises(SystemError, match="something else"):
        run("candidates", "4x6", "ABCD=X")
