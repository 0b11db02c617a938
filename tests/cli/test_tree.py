"""`pegwise tree`, `verify` and `show`, as typed."""

import json
from pathlib import Path
from typing import Any

import pytest

from pegwise.game import FiniteGame, board_game
from pegwise.game.rules import Rules
from pegwise.strategies import load
from pegwise.trees import build, load_tree, save_tree
from tests.cli.running import Run, refused

DATA = Path(__file__).parent.parent / "data"
VIAUD = str(DATA / "viaud-1979-4x4.txt")


def test_a_tree_is_built_verified_and_shown(run: Run) -> None:
    assert run("tree", "3x4", "-s", "first", "-o", "first.tree") == (
        0,
        "first.tree: 3x4, first: 64 secrets, 250 guesses, mean 3.906, worst 6\n",
        "",
    )
    assert run("verify", "first.tree").text().splitlines() == [
        "first.tree: 3x4, tree file",
        "64 secrets, 250 guesses, worst 6",
        "secrets found: 1 in 1, 3 in 2, 12 in 3, 35 in 4, 11 in 5, 2 in 6",
        "Verified: the tree finds every secret as it says.",
        "Not checked: the name of its strategy.",
    ]
    assert run("verify", "first.tree", "--json").document() == {
        "valid": True, "secrets": 64, "total": 250, "worst": 6, "problems": [],
        "unchecked": ["strategy"],
    }  # fmt: skip
    assert run("show", "first.tree").text().splitlines()[:5] == [
        "3x4, first: 64 secrets, 250 guesses, mean 3.906, worst 6",
        "",
        "mark  codes  guess",
        "         64  AAA",
        "-        27  BBB    ...",
    ]


def test_the_printed_strategy_of_viaud(run: Run) -> None:
    _, out, err = ended = run("verify", VIAUD)
    assert "4x4, Viaud's lines" in ended.text(silent=False)
    assert "256 secrets, 918 guesses, worst 4\n" in out
    assert err == "corrected: '+0' read as '40' in lines 1, 2, 15, 39, 41, 49, 54\n"
    assert run("verify", VIAUD, "--rules", "4x4").status == 0
    assert run("verify", "-", typed=Path(VIAUD).read_text()).out == out.replace(VIAUD, "-")
    assert "'standard input' is empty" in refused(run("show", "-"))
    assert run("verify", VIAUD, "--rules", "4x5").status == 1


def test_problems_are_told_in_the_notation_that_is_asked_for(run: Run) -> None:
    run("tree", "3x3", "-s", "knuth", "--format", "viaud", "-o", "all.txt")
    lines = Path("all.txt").read_text().splitlines()
    Path("cut.txt").write_text("\n".join(lines[3:]))
    for notation, guess in (("letters", "AAB"), ("digits", "112"), ("discs", "🔴🔴🟢")):
        out = run("verify", "cut.txt", "--notation", notation).text(1)
        assert f" {guess}=" in out


def test_trees_that_do_not_verify(run: Run) -> None:
    lines = Path(VIAUD).read_text().splitlines()
    Path("cut.txt").write_text("\n".join(lines[30:]))
    out = run("verify", "cut.txt").text(1, silent=False)
    assert "Not verified: 30 problems, of which 10 are\n" in out
    assert out.count(" is not found: turn ") == 10
    document = run("verify", "cut.txt", "--json").document(1)
    assert (document["valid"], document["secrets"]) == (False, 226)
    assert len(document["problems"]) == 10
    # claims of a printed tree are problems too
    text = (DATA / "mmstrat-3x4-minmax.txt").read_text()
    Path("a.irving").write_text(text.replace("3 (112*)", "4 (112*)"))
    out = run("verify", "a.irving").text(1)
    assert "Not verified: 1 problem\n  line 1 counts 4 codes, but 3 codes are left at 112\n" in out
    # they are shown with a warning
    Path("cut.txt").write_text("\n".join(lines[3:]))
    ended = run("show", "cut.txt", "--secret", "BDAD")
    assert "this tree does not verify: secret " in ended.err
    assert (
        ended.text(silent=False).splitlines()[-1]
        == "the tree has no further guess: this secret is not found"
    )
    assert "does not find the secret" in run("show", "cut.txt", "-o", "a.csv").err
    assert not Path("a.csv").exists()


# formats


@pytest.mark.parametrize("name", ["a.txt", "a.viaud", "a.irving", "a.json"])
def test_written_and_read_again(run: Run, name: str) -> None:
    assert run("tree", "3x4", "-s", "knuth", "-o", name).status == 0
    unchecked = ["strategy"] if name == "a.json" else []
    assert run("verify", name, "--json").document() == {
        "valid": True, "secrets": 64, "total": 216, "worst": 4, "problems": [],
        "unchecked": unchecked,
    }  # fmt: skip
    assert run("show", name, "-o", "again.tree").status == 0
    again, built = (
        load_tree(Path("again.tree")),
        build(board_game(Rules.parse("3x4")), load("knuth")),
    )
    assert all((a == b).all() for a, b in zip(again.nodes, built.nodes, strict=True))


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.csv", "secret,guesses,guess_1,mark_1,"),
        ("a.dot", "digraph tree {"),
        ("a.GV", "digraph tree {"),
        ("a.svg", "<svg "),
        ("a.tree", "pegwise-tree sha256="),
        ("a.json", '{"rules": "2x3", "strategy": "first", '),
    ],
)
def test_the_suffix_tells_the_format(run: Run, name: str, start: str) -> None:
    run("tree", "2x3", "-s", "first", "-o", "x.tree")
    status, out, _ = run("show", "x.tree", "-o", name)
    assert (status, out.split(":")[0]) == (0, name)
    assert Path(name).read_bytes().startswith(start.encode())
    assert run("optimal", "2x3", "-o", f"best-{name}").status == 0
    optimal = start.replace("first", "optimal").encode()
    assert Path(f"best-{name}").read_bytes().startswith(optimal)
    assert run("optimal", "2x3", "-o", "x", "--format", "csv").status == 0
    assert Path("x").read_text().startswith("secret,")


def test_a_tree_as_json(run: Run) -> None:
    document = run("tree", "1x3", "-s", "first", "--format", "json").document()
    assert (document["total"], document["nodes"]) == (6, 3)
    assert document["tree"] == [
        {"guess": "A", "wins": True, "codes": 3, "parent": None, "mark": None},
        {"guess": "B", "wins": True, "codes": 2, "parent": 0, "mark": "-"},
        {"guess": "C", "wins": True, "codes": 1, "parent": 1, "mark": "-"},
    ]


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("tree", []), ("tree", 7), ("rules", "3x"), ("options", 3),
        ("parent", 2), ("parent", -1), ("parent", "0"), ("guess", "D"), ("mark", "XX"),
    ],
)  # fmt: skip
def test_a_damaged_tree_as_json_is_refused(run: Run, change: str, value: Any) -> None:
    document = run("tree", "1x3", "-s", "first", "--format", "json").document()
    (document if change in document else document["tree"][1])[change] = value
    Path("a.json").write_text(json.dumps(document))
    assert "'a.json'" in refused(run("show", "a.json"))


def test_the_tree_of_a_certificate_is_shown(run: Run) -> None:
    assert run("optimal", "2x3", "--certificate", "best.proof").status == 0
    assert run("show", "best.proof").text().startswith("2x3, optimal: 9 secrets, 21 guesses")
    assert run("static", "2x3", "-o", "set.json").status == 0
    assert "'set.json'" in refused(run("show", "set.json"))


def test_other_ways_to_write(run: Run) -> None:
    viaud = run("tree", "1x2", "-s", "first", "--format", "viaud")
    assert viaud.text() == "1 10\n1 00 2 10\n"
    run("tree", "1x2", "-s", "first", "-o", "a.weird", "--format", "irving")
    assert Path("a.weird").read_text() == "2 (1)\n\n"
    ended = run("tree", "4x6", "-s", "first", "-o", "a.svg")
    assert (ended.status, "too many to draw whole: a summary" in ended.err) == (0, True)
    assert Path("a.svg").read_text().startswith("<svg ")
    for name in ("a.tree", "b.tree"):
        run("tree", "3x4", "-s", "irving", "-o", name)
    assert Path("a.tree").read_bytes() == Path("b.tree").read_bytes()


def test_trees_of_other_games(run: Run) -> None:
    game = FiniteGame(["yes", "no"], lambda g, s: g == s, guesses=["what", "yes", "no"])
    save_tree(build(game, load("first")), Path("a.tree"))
    out = run("verify", "a.tree").text()
    assert "Not checked: the name of its strategy, its table of marks.\n" in out
    assert run("show", "a.tree", "--secret", "no").text().splitlines()[-2:] == [
        "   1  yes    False             2",
        "   2  no     True              1",
    ]
    assert "'never' is not a secret" in refused(run("show", "a.tree", "--secret", "never"))
    assert "only trees of a board" in refused(run("show", "a.tree", "-o", "a.txt"))
    assert run("show", "a.tree", "-o", "a.csv").status == 0


# in the terminal


def test_more_turns_are_shown(run: Run) -> None:
    run("tree", "2x3", "-s", "first", "-o", "a.tree")
    out = run("show", "a.tree", "--depth", "4").out
    assert out.splitlines()[2:] == [
        "mark    codes  guess",
        "            9  AA",
        "-           4  BB",
        "  -         1  CC",
        "  X         2  BC",
        "    OO      1  CB",
        "X           4  AB",
        "  O         1  CA",
        "  OO        1  BA",
        "  X         1  AC",
    ]
    lines = run("tree", "4x6", "-s", "knuth").out.splitlines()
    assert "OO       96  BCDD   * ..." in lines
    assert "O       256  BCDD   ..." in lines
    assert lines[-2:] == [
        "* cannot be the secret",
        "... continues: --depth 3, or --secret CODE",
    ]


def test_one_game_is_shown(run: Run) -> None:
    run("tree", "2x3", "-s", "first", "-o", "a.tree")
    assert run("show", "a.tree", "--secret", "cb").text().splitlines()[2:] == [
        "secret CB",
        "turn  guess  mark  codes before",
        "   1  AA     -                9",
        "   2  BB     X                4",
        "   3  BC     OO               2",
        "   4  CB     XX               1",
    ]
    document = run("show", "a.tree", "--secret", "32", "--json").document()
    assert (document["secret"], document["solved"]) == ("CB", True)
    assert document["turns"][2] == {"guess": "BC", "mark": "OO", "candidates": 2}
    run("tree", "2x3,placed", "-s", "first", "-o", "b.tree")
    assert "secret CB" in run("show", "b.tree", "--secret", "cb").text()


@pytest.mark.parametrize(
    ("permutation", "first", "game"),
    [("colors=4321", "DDCB", "DDCB"), ("colors=badc,pegs=4321", "DABB", "DABB")],
)
def test_a_tree_is_permuted(run: Run, permutation: str, first: str, game: str) -> None:
    """Viaud, p. 319: another strategy, and as good."""
    run("tree", "4x4", "-s", "knuth", "-o", "a.tree")  # begins with AABC
    out = run("show", "a.tree", "--permute", permutation, "-o", "b.tree").out
    assert "919 guesses, mean 3.590, worst 4" in out
    assert "Verified" in run("verify", "b.tree").out
    assert run("show", "b.tree").out.splitlines()[3].split() == ["256", first]
    turns = run("show", "b.tree", "--secret", game, "--json").document()["turns"]
    assert len(turns) == 1


@pytest.mark.parametrize(
    "permutation", ["", "pegs=", "pegs=432", "pegs=4322", "peg=4321", "colors=ABCD,colors=ABCD"]
)
def test_what_is_no_permutation(run: Run, permutation: str) -> None:
    run("tree", "4x4", "-s", "knuth", "-o", "a.tree")
    sentence = refused(run("show", "a.tree", "--permute", permutation))
    assert "colors= and all 4 colors" in sentence


def test_facts_in_json(run: Run) -> None:
    command = ("tree", "2x3", "-s", "random", "--seed", "5", "--json", "-o", "a.tree")
    document = json.loads(run(*command).text())
    tree = load_tree(Path("a.tree"))
    assert document == {
        "rules": "2x3", "strategy": "random", "options": {"seed": 5}, "secrets": 9,
        "total": tree.total, "mean": tree.mean, "worst": tree.worst,
        "histogram": list(tree.histogram),
        "histogram_by_guesses": {str(k): n for k, n in enumerate(tree.histogram, 1)},
        "nodes": len(tree), "file": "a.tree", "format": "tree",
    }  # fmt: skip
    shown = run("show", "a.tree", "--json").document()
    assert shown == {k: v for k, v in document.items() if k not in {"file", "format"}}


def test_a_tree_is_shown_in_the_notation_that_is_asked_for_or_typed(run: Run) -> None:
    run("tree", "4x4", "-s", "viaud", "-o", "v.tree").text()
    letters = run("show", "v.tree", "--secret", "BDDB").text()
    digits = run("show", "v.tree", "--secret", "2442").text()
    assert "secret BDDB" in letters and "secret 2442" in digits
    assert run("show", "v.tree", "--secret", "BDDB", "--notation", "digits").text() == digits
    assert "2442" not in letters and "BDDB" not in digits
    whole = run("show", "v.tree", "--notation", "digits", "--depth", "9").text()
    assert "  2442" in whole and "BDDB" not in whole
    discs = run("show", "v.tree", "--secret", "2442", "--notation", "discs").text()
    assert "🟢🟡🟡🟢" in discs
    turns = run("show", "v.tree", "--secret", "2442", "--json").document()["turns"]
    assert turns[-1]["guess"] == "BDDB"
