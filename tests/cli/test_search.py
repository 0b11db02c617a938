"""How long searches end, and `pegwise optimal`."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from pegwise.cli.board import Screen
from pegwise.cli.search import SearchOptions, SearchOutcome, go_through, parse_effort
from pegwise.cli.signals import check, interruptible, stoppable
from pegwise.errors import InputError, OutputError, PegwiseError
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.search.certificates.files import load as load_certificate
from pegwise.search.certificates.files import save_certificate
from pegwise.search.certificates.optima import ProvenOptimum
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.storage import Checkpoint
from pegwise.telling.blocks import Sentence
from pegwise.trees import load_tree
from pegwise.trees.verify import verify
from tests.cli.running import Run, refused
from tests.programs import PATIENCE, Start

# how a search ends: by itself, the user, the memory, the clock or the disk


class Counting:
    """A search that counts to ten, and does something else at some numbers."""

    game = None

    def __init__(self, events: dict[int, Callable[[], object]] | None = None) -> None:
        self.events = events or {}
        self.done = 0
        self.closed = False

    @property
    def finished(self) -> bool:
        return self.done == 10

    @property
    def worth_storing(self) -> bool:
        return not self.finished

    def result(self) -> int:
        return self.done

    def run(self, report: Callable[[Any], None]) -> None:
        try:
            while not self.finished:
                self.done += 1
                self.events.get(self.done, int)()
                report(self.done)
        finally:
            self.closed = True


class Kept(Checkpoint):
    """Its file is never written: something else happens instead."""

    def __init__(self, instead: Callable[[], object], **options: float) -> None:
        super().__init__(Path("none"), **options)
        self.instead = instead

    def save(self, search: Any) -> None:
        assert not search.finished
        self.instead()


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Signals as they are for a program, and afterwards as they were."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press() -> None:
    """What Ctrl-C sends."""
    signal.raise_signal(signal.SIGINT)


def often() -> None:
    for _ in range(5):
        press()


def full() -> None:
    raise OutputError("the disk is full")


def through(
    search: Counting, kept: Kept | None = None, **options: Any
) -> tuple[SearchOutcome, list[int]]:
    """How the search ends, and the steps that are shown; the view is left in any case."""
    shown: list[int] = []
    exits: list[bool] = []

    @contextmanager
    def view() -> Iterator[Callable[[int], None]]:
        def show(step: int) -> None:
            shown.append(step)
            check()

        try:
            with interruptible():
                yield show
        finally:
            exits.append(True)

    try:
        with stoppable():
            ended = go_through(cast(Any, search), view(), checkpoint=kept, **options)
    finally:
        assert exits == [True]
    assert search.closed
    return ended, shown


STOPPED = SearchOutcome(interrupted=True)


@pytest.mark.parametrize(
    ("events", "ended", "shown"),
    [
        ({}, SearchOutcome(), 10),
        ({1: press}, STOPPED, 0),  # nothing has reported yet
        ({3: press}, STOPPED, 3),  # the step ends first
        ({10: press}, SearchOutcome(), 10),  # too late to interrupt anything
        ({3: often}, STOPPED, 3),
    ],
)
def test_to_the_end_or_to_ctrl_c(
    events: dict[int, Callable[[], object]], ended: SearchOutcome, shown: int
) -> None:
    assert through(Counting(events)) == (ended, list(range(1, shown + 1)))


def test_ctrl_c_while_the_checkpoint_is_written_loses_no_answer() -> None:
    search = Counting()
    assert through(search, Kept(press), enough=lambda: search.done == 4)[0] == STOPPED


def test_enough_is_enough() -> None:
    search = Counting()
    assert through(search, enough=lambda: search.done == 4) == (SearchOutcome(), [1, 2, 3, 4])


def test_other_errors_end_the_command() -> None:
    def fail() -> None:
        raise PegwiseError("a mistake")

    with pytest.raises(PegwiseError, match="a mistake"):
        through(Counting({3: fail}))


def settings_of(output: Path | None = None, *, fresh: bool = False) -> SearchOptions:
    return SearchOptions(None, 1, None, None, fresh, False, output, as_json=False)


def finish(ended: SearchOutcome, *, fresh: bool = False) -> None:
    blocks = [Sentence("the answer")]
    ended.finish(settings_of(fresh=fresh), {"rules": "4x6"}, Screen(), blocks)


def test_a_full_disk_ends_the_search_and_is_told_at_last(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended, shown = through(Counting(), Kept(full, every=0))
    assert (ended.interrupted, shown) == (False, [1])
    with pytest.raises(OutputError, match="the disk is full"):
        finish(ended)
    assert capsys.readouterr() == ("the answer\n", "")
    ended, _ = through(Counting({3: press}), Kept(full))
    assert ended.interrupted
    with pytest.raises(OutputError, match="the disk is full"):
        finish(ended)
    assert capsys.readouterr() == ("the answer\n", "Interrupted; no checkpoint is kept.\n")
    ended = SearchOutcome()
    answer = b"an answer that cannot be stored"
    ended.store(settings_of(Path("nowhere/file")), lambda: answer, None, {"looked_up": False})
    with pytest.raises(OutputError, match="there is no folder"):
        finish(ended)


@pytest.mark.parametrize(
    ("fresh", "says"),
    [
        (False, "Interrupted; the same command continues with 4x6.\n"),
        (True, "Interrupted; no checkpoint is kept.\n"),
    ],
)
def test_the_user_is_told_how_it_goes_on(
    fresh: bool, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(SearchOutcome())
    assert capsys.readouterr() == ("the answer\n", "")
    with pytest.raises(SystemExit) as ended:
        checkpoint = None if fresh else Checkpoint(Path("a.search"))
        finish(SearchOutcome(interrupted=True, checkpoint=checkpoint), fresh=fresh)
    assert ended.value.code == 130
    assert capsys.readouterr() == ("the answer\n", says)


# `pegwise optimal`


def test_proves_the_smallest_total(run: Run) -> None:
    answer = run("optimal", "4x6", "--json", "-o", "best.tree").document()
    assert answer["total"] == answer["lower_bound"] == 5625
    assert answer["proven"] is True
    assert answer["worst"] == 6
    assert sum(answer["histogram"].values()) == 1296
    assert verify(load_tree(Path("best.tree"))).total == 5625


def test_what_is_looked_up_says_what_the_proof_took(run: Run) -> None:
    out = run("optimal", "3x4").text()
    assert re.search(r"^  looked up: proven in [0-9.]+ s of processor time", out, re.M)


def test_fewest_codes_at_the_last_guess(run: Run) -> None:
    for options in ([], ["--search"], ["--max-guesses", "4"]):
        out = run("optimal", "4x4", "--objective", "total-fewest", *options).text()
        assert "smallest total, then fewest codes at the last guesses" in out
        assert "1 in 1, 11 in 2, 94 in 3, 150 in 4" in out
    run("optimal", "4x4", "--objective", "total-fewest", "--max-guesses", "3").text(1)


GOALS: dict[str, list[str]] = {
    "--objective fewest-at-worst": ["smallest worst case, fewest codes at it", "150 in 4"],
    "--within 3": ["most codes within the limit", "within 3 guesses: 111", "total 912"],
    "--utility worths.txt": ["largest worth, then smallest total", "worth 315"],
    "--against knuth": ["most wins minus losses", "losses: +25"],
    "--against rival.tree": ["most wins minus losses", "losses: +25"],
}


@pytest.mark.parametrize("goal", GOALS)
def test_other_goals(run: Run, tmp_path: Path, goal: str) -> None:
    (tmp_path / "worths.txt").write_text("2 # with one guess\n\n2.0\n1.5\n1\n0")
    if "rival.tree" in goal:
        run("tree", "4x4", "-s", "knuth", "-o", "rival.tree")
    out = run("optimal", "4x4", *goal.split()).text()
    assert "proven, verified" in out
    for text in GOALS[goal]:
        assert text in out
    assert run("optimal", "4x4", *goal.split(), "--json").document()["proven"]


def test_good_answers_to_a_tree_without_proof(run: Run) -> None:
    """More passes are never worse."""
    leads = []
    for passes in "15":
        goal = ["--against", "knuth", "--effort", passes, "--json"]
        document = run("optimal", "4x4", *goal).document()
        assert not document["proven"]
        leads.append(document["wins"] - document["losses"])
    assert 0 < leads[0] <= leads[1] <= 25


def test_impossible_limit_is_an_answer(run: Run) -> None:
    said = "Impossible, proven: no strategy finds every secret of 4x6 with at most 4"
    assert run("optimal", "4x6", "--max-guesses", "4").text(1).startswith(said)


def test_first_guess_is_played(run: Run) -> None:
    answer = run("optimal", "3x5", "--guesses", "candidates", "--first", "122", "--json").document()
    assert (answer["total"], answer["first"]) == (456, "ABB")


def test_weights_count(run: Run) -> None:
    Path("w.txt").write_text("AAA 0  # never\nBBB,0\n* 2\n")
    assert run("optimal", "3x3", "--weights", "w.txt", "--json").document()["total"] < 2 * 73


def test_a_certificate_is_checked_and_a_false_one_is_not_valid(run: Run) -> None:
    Path("w.txt").write_text("AAA 7\n* 1\n")
    for options in (["3x4"], ["3x4", "--max-guesses", "4"], ["2x4", "--objective", "worst-total"]):
        out = run("optimal", *options, "--certificate", "a.proof", "--force").text()
        assert "certificate a.proof: " in out
        assert run("verify", "a.proof", "--json").document()["sets"] > 0
    weighted = ("optimal", "3x3", "--weights", "w.txt", "--certificate", "w.proof")
    assert run(*weighted, "--json").document()["certificate"] == "w.proof"
    out = run("verify", "w.proof").text()
    assert "sets prove that no tree is better." in out
    assert "its weights" in out

    certificate = load_certificate(ProvenOptimum, Path("a.proof"))
    certificate.claim.proof.bounds[0] += 1
    save_certificate(certificate, Path("false.proof"))
    out = run("verify", "false.proof").text(1)
    assert "set 0: some guess may cost less than its bound" in out
    assert "certificate for 2x4, not for 3x4" in refused(run("verify", "a.proof", "--rules", "3x4"))
    twice = run("optimal", "3x3", "-o", "a.tree", "--certificate", "./a.tree")
    assert "'a.tree' is given for two outputs" in refused(twice)
    Path("damaged.proof").write_bytes(Path("a.proof").read_bytes()[:-40])
    assert "damaged, or not a certificate" in refused(run("verify", "damaged.proof"))
    ended = run("optimal", "3x3", "--max-guesses", "2", "--certificate", "none.proof")
    assert ended.status == 1
    assert "No certificate is written yet: no tree is proven best." in ended.err
    assert not Path("none.proof").exists()


PROVERS = {
    "optimal 4x4 --search": "pegwise.search.exact.proof.prove_bound",
    "optimal 4x4": "pegwise.search.exact.proof.prove_bound",
    "static 3x3 --search": "pegwise.search.static.tree.prove_set",
    "static 3x3": "pegwise.search.static.tree.prove_set",
    "value 2x3 --search": "pegwise.search.exact.proof.prove_bound",
    "value 2x3": "pegwise.search.exact.proof.prove_bound",
}


@pytest.mark.parametrize(("command", "prover"), PROVERS.items())
def test_a_command_whose_proof_was_interrupted_continues(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, prover: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    typed = (*command.split(), "-o", "a.tree", "--certificate", "a.proof")
    with monkeypatch.context() as patch:
        patch.setattr(prover, interrupted)
        said = run(*typed)
        assert said.status == 130 and "certificate" in said.err
        assert not Path("a.proof").exists()
        # where it was searched for, the answer is written, and the search need not be done again
        searched = "--search" in command
        assert Path("a.tree").exists() == searched
        assert bool(list(Path("home").glob("checkpoints/*"))) == searched
    ended = run(*typed)
    assert ended.status == 0 and ("esumed" in ended.err) == searched
    assert Path("a.tree").exists()
    assert "certificate a.proof" in ended.out and run("verify", "a.proof").status == 0
    assert not list(Path("home").glob("checkpoints/*"))
    assert "--force" in refused(run(*typed))


def test_hard_mode_of_words(run: Run) -> None:
    """A tree of hard rules is searched, stays one in its file, and is verified and raced as one."""
    words = [f"{sign}ight" for sign in "befmnlrst"] + [f"{sign}ound" for sign in "bfhmprsw"]
    Path("w.txt").write_text("\n".join(words))
    Path("g.txt").write_text("flirt\nstern\ngamer\nblend\nfrogs\nnests\nbumps\nflown")
    typed = ("--words", "w.txt", "--also", "g.txt")
    hard, free = (
        run("optimal", rules, *typed, "--json").document() for rules in ("placed,hard", "placed")
    )
    assert hard["proven"] and hard["rules"].endswith("placed,hard")
    assert hard["total"] > free["total"]
    limited = run("optimal", "placed,hard", *typed, "--max-guesses", "2", "--json")
    assert limited.document(1)["impossible"]
    said = run("optimal", "placed,hard", *typed, "--effort", "2", "-o", "a.tree", "--json")
    assert said.document()["total"] >= hard["total"]
    assert not said.document()["proven"]
    assert load_tree("a.tree").game.hard
    assert "placed,hard" in run("verify", "a.tree").text()
    assert "placed,hard" in run("optimal", "placed,hard", *typed, "--objective", "worst").out
    lost = run("race", "placed,hard", *typed, "-s", "a.tree", "-s", "optimal", "--losses", "--json")
    rows = {row["strategy"]: row for row in lost.document()["results"]}
    assert rows["optimal"]["total"] == hard["total"]
    assert rows["optimal"]["losses"]["total"] == 0
    for options in ((), ("--first", "blend", "--max-guesses", "8")):
        out = run("optimal", "placed,hard", *typed, *options, "--certificate", "a.proof", "--force")
        assert "certificate a.proof: " in out.out
        assert "prove that no tree is better" in run("verify", "a.proof").text()
    said = run("verify", "a.proof", "--json").document()
    assert said["valid"] and (said["begins_with"], said["max_guesses"]) == ("BLEND", 8)
    assert "that begins with BLEND" in run("verify", "a.proof").text()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("optimal hard --words w.txt --also g.txt", "where every place is marked"),
        ("value placed,hard --words w.txt", "its value is not searched with 'hard'"),
        ("static placed,hard --words w.txt", "guesses cannot be fixed beforehand with 'hard'"),
    ],
)
def test_what_hard_rules_do_not_have(run: Run, command: str, says: str) -> None:
    Path("w.txt").write_text("light\nnight\nright")
    Path("g.txt").write_text("stern")
    assert says in refused(run(*command.split()))


UTILITY, WEIGHTS = "4x4 --utility", "3x3 --weights"


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        (UTILITY, "10\nzehn", "line 2: 'zehn' is not a number"),
        (UTILITY, "10\n\n11 # more", "line 3: '11' is more than the number before"),
        (UTILITY, "# nothing", "write what 1, 2, ... guesses are worth"),
        (WEIGHTS, "AAA -1\n* 1", "a.txt, line 1: the weight '-1' is not a whole number from 0 to"),
        (WEIGHTS, "AAA 1", "no weight for AAB and 25 more codes of 3x3"),
        (WEIGHTS, "AAZ 1\n* 1", "'Z' at position 3"),
        (WEIGHTS, "AAA 1\nAAA 1\n* 1", "the code 'AAA' comes a second time"),
        (WEIGHTS, "AAA 1.5\n* 1", "'1.5' is not a whole number"),
        (WEIGHTS, "AAA\n* 1", "write a code and its weight"),
        (WEIGHTS, "* 0", "all weights are 0"),
    ],
)
def test_worths_and_weights_that_are_refused(run: Run, option: str, text: str, says: str) -> None:
    Path("a.txt").write_text(text)
    assert says in refused(run("optimal", *option.split(), "a.txt"))


def test_damaged_and_foreign_checkpoints(run: Run) -> None:
    Path("c.search").write_text("pegwise checkpoint 1\nnonsense")
    ended = run("optimal", "3x3", "--checkpoint", "c.search")
    assert "total 73" in ended.text(silent=False)
    assert "damaged" in ended.err
    assert Path("c.search.damaged").read_text() == "pegwise checkpoint 1\nnonsense"
    Checkpoint(Path("c.search")).save(OptimalSearch(board_game(Rules.parse("3x4"))))
    before = Path("c.search").read_bytes()
    said = refused(run("optimal", "3x3", "--checkpoint", "c.search"))
    assert "belongs to another search" in said
    assert Path("c.search").read_bytes() == before


# `--effort`


def test_efforts() -> None:
    seconds = {"90s": 90, "1.5m": 90, "2h": 7200, "1d": 86400, "forever": None}
    assert {text: parse_effort(text) for text in seconds} == {
        text: (None, budget) for text, budget in seconds.items()
    }
    assert parse_effort("12") == (12, None)


@pytest.mark.parametrize("text", ["0", "-1", "100", "0s", "10 m", "m", "1w", "", "٣", "ever"])
def test_other_efforts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"effort.*forever"):
        parse_effort(text)


@pytest.mark.slow
def test_stores_a_good_tree_and_goes_on_from_its_checkpoint(run: Run) -> None:
    ended = run("optimal", "3x10", "--effort", "1", "-o", "good.tree", "--json")
    answer = ended.document()
    assert 5235 <= answer["total"] < 5300
    assert answer["proven"] is False
    assert answer["lower_bound"] < 5235
    assert "stage 1: best" in ended.err
    assert verify(load_tree(Path("good.tree"))).total == answer["total"]
    other = ("optimal", "3x9", "--effort", "1", "-o", "good.tree")
    assert "--force" in refused(run(*other))
    # what it wrote itself is replaced, as long as nobody changed it
    ended = run("optimal", "3x10", "--effort", "2", "-o", "good.tree")
    assert load_tree(Path("good.tree")).total == 5242
    Path("good.tree").write_text("mine")
    again = run("optimal", "3x10", "--effort", "2", "-o", "good.tree")
    assert again.status == 2 and "--force" in again.err
    assert Path("good.tree").read_text() == "mine"
    assert "esumed from the checkpoint" in ended.err
    assert "stage 1:" not in ended.err
    assert "stage 2: best 5,242" in ended.err
    out = ended.text(silent=False)
    assert "not proven, verified" in out and "no tree has less than" in out


def test_ends_when_its_time_is_over(run: Run) -> None:
    assert run("optimal", "4x7", "--effort", "0.01s", "--json").document()["total"] >= 11228


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_stopped_it_reports_its_best_tree(start: Start, home: Path) -> None:
    running = start("optimal", "4x8", "--effort", "forever", "--json")
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("stage 1"):  # so that a tree is there
            break
    running.send_signal(signal.SIGTERM)
    out, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 143, said
    answer = json.loads(out)
    assert answer["proven"] is False
    assert 20471 <= answer["total"] < 21000
    assert list((home / "checkpoints").glob("*.effort"))
