"""Entrants: files, folders and programs of others; whatever they do ends as a result."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

import pegwise
from pegwise.arena import Race, RaceResults
from pegwise.errors import InputError, Phrase, StrategyError
from pegwise.programs import NoAnswerError
from pegwise.statistics import share_interval
from pegwise.strategies import parse_any
from pegwise.strategies.entrants import Limits, entrants_of
from pegwise.trees.build import RANDOM, Failure, lost_words
from tests.programs import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples" / "entrants"
PATIENT = Limits(guess_seconds=30, start_seconds=60)
PYTHON = f"{sys.executable} -S -E"

SPEAKS = """
import itertools, os, sys, time
def mark(g, c):
    x = sum(a == b for a, b in zip(g, c))
    return "X" * x + "O" * (sum(min(g.count(k), c.count(k)) for k in set(g)) - x) or "-"
for line in sys.stdin:
    word, *turns = line.split()
    if word == "pegwise":
        codes = ["".join(c) for c in itertools.product("ABCDEF"[:int(turns[1][2])], repeat=2)]
    if word == "quit":
        break
    if word == "guess":
        turns = [turn.split("=") for turn in turns]
        fitting = [c for c in codes if all(mark(g, c) == m for g, m in turns)]
"""
PLAYS = SPEAKS + "        print(fitting[0], flush=True)\n"


def program(folder: Path, source: str) -> str:
    """A program in Python that knows nothing of pegwise."""
    path = folder / "theirs.py"
    path.write_text(source, encoding="utf-8")
    return f"program:{PYTHON} {path}"


def raced(
    text: str, board: str = "2x4", limits: Limits = PATIENT, games: int | None = None
) -> RaceResults:
    return Race(board, entrants_of(text, limits), games=games).run()


def told(results: RaceResults) -> str:
    """What is said of the only entrant, which does not find every code."""
    if results.skipped:
        return results.skipped[0][1]
    return results.standings[0].failure


def test_a_program_plays_as_one_of_ours(tmp_path: Path) -> None:
    theirs = program(tmp_path, PLAYS.replace('"pegwise":', '"pegwise":\n        print("name Me")'))
    results = pegwise.race("2x4", [theirs, "first", "knuth"])
    (standing, first, _) = results.standings
    assert (standing.strategy, standing.card.name) == ("theirs.py", "Me")
    assert (standing.histogram, standing.nodes) == (first.histogram, first.nodes)
    assert (standing.failure, standing.notes) == ("", ())
    assert results.identical == (("theirs.py", "first"),)
    assert results.command is not None
    assert repr(theirs) in results.command or "program:" in results.command
    assert pegwise.build("2x4", theirs).nodes.guess.tolist() == [
        *pegwise.build("2x4", "first").nodes.guess
    ]
    assert pegwise.play("2x4", theirs, "DC")[-1].guess == (3, 2)


FAILS = """
import os
def fails(candidates):
    if len(candidates) == 2:
        raise ValueError("two")
    if len(candidates) == 3:
        os._exit(3)
    return candidates[0]
"""


@pytest.mark.slow
def test_questions_sent_together_are_answered_one_by_one(tmp_path: Path) -> None:
    """A process that ends leaves the questions after it to the next one."""
    (tmp_path / "fails.py").write_text(FAILS)
    (together,) = raced(f"{tmp_path}/fails.py").standings
    (entrant,) = entrants_of(f"{tmp_path}/fails.py", PATIENT)
    said: list[str] = []
    entrant.transcript = lambda _name, _way, line: said.append(line.partition(" ")[0])
    (alone,) = Race("2x4", [entrant]).run().standings
    assert ("guess", "guess") not in pairwise(said)
    assert (alone.histogram, alone.failure) == (together.histogram, together.failure)
    assert 0 < together.secrets < 16


@pytest.mark.slow
def test_an_entrant_that_wins_no_game(tmp_path: Path) -> None:
    """Its guess may be played, but is no secret."""
    (tmp_path / "same.py").write_text("def same(game, turns):\n    return 'AA'\n")
    results = raced(f"{tmp_path}/same.py", "2x4,distinct-secrets")
    assert results.standings == ()
    assert "none of 12 codes found" in told(results)


@pytest.mark.parametrize(
    ("source", "says", "found"),
    [
        (SPEAKS + "        time.sleep(60)", "no answer within 0.5 s", 0),
        ("while True: print('name Me', flush=True)", "no answer within 0.5 s", 0),
        (SPEAKS + "        print('I guess AA')\n        sys.stdout.flush()", "'I guess AA'", 0),
        (SPEAKS + "        print('AE', flush=True)", "'AE': 'E' at position 2", 0),
        (
            SPEAKS + "        print('AA', flush=True)",
            "after AA=X AA=X, secret AB: it plays AA ag",
            1,
        ),
        (SPEAKS + "        sys.exit('out of ideas')", "ended with status 1: 'out of ideas'", 0),
        (SPEAKS + "        os.kill(os.getpid(), 11)", "ended by signal SIGSEGV", 0),
        (
            SPEAKS + "        print(fitting[0], fitting[0], sep='\\n', flush=True)",
            "more than it",
            None,
        ),
        (
            SPEAKS + "        assert len(turns) < 2, 'lost'\n        print(fitting[0], flush=True)",
            "status 1: 'AssertionError: lost'",
            3,
        ),
        ("while True: print('A' * 9999, end='')", "a line without end: 'AAAAA", 0),
        (SPEAKS + "        x = bytearray(1 << 28)\n        time.sleep(70)", "more than 100 MiB", 0),
    ],
    ids=lambda value: value[-30:] if isinstance(value, str) else str(value),
)
def test_what_a_program_does_ends_as_a_result(
    tmp_path: Path, source: str, says: str, found: int | None
) -> None:
    seconds = 0.5 if "0.5 s" in says else 60.0
    limits = Limits(seconds, (100 << 20) if "bytearray" in source else 2 << 30, seconds)
    results = raced(program(tmp_path, source), limits=limits)
    assert says in told(results)
    assert found in (None, sum(standing.secrets for standing in results.standings))
    if found == 0:
        assert told(results).startswith("none of 16 codes found; first at its first guess")


def test_who_does_not_find_every_code_comes_after_all_who_do(tmp_path: Path) -> None:
    stubborn = SPEAKS + "        print('AA', flush=True)"
    results = pegwise.race("2x4", [program(tmp_path, stubborn), "first"])
    from pegwise.arena.results import by_mean

    assert [s.strategy for s in by_mean(results.standings)] == ["first", "theirs.py"]
    lost = results.standings[0]
    assert (lost.secrets, lost.total, lost.mean, lost.worst, lost.exact) == (1, 1, 1.0, 1, None)
    assert lost.failure.startswith("15 of 16 codes not found; first after AA=X AA=X")
    (duel,) = results.duels
    assert (duel.first_faster, duel.second_faster, duel.ties) == (0, 15, 1)
    assert duel.second_by_at_most == 0
    assert "15 of 16 codes not found" in str(results)


def test_the_share_that_is_lost_of_drawn_codes_has_wilsons_interval() -> None:
    lost = [Failure(Phrase(" after AA=X"), Phrase("it plays AA again"), n) for n in (3, 4)]
    low, high = share_interval(7, 40)
    words = f"7 of 40 codes not found, 17.5% (95 %: {low:.1%} to {high:.1%}); first after AA=X: it"
    assert lost_words(lost, 40, drawn=True).startswith(words)
    assert lost_words(lost, 40).startswith("7 of 40 codes not found; first after AA=X: it")


@pytest.mark.slow
def test_another_guess_when_asked_again_is_random(tmp_path: Path) -> None:
    source = "import random\n" + SPEAKS + "        print(random.choice(fitting), flush=True)"
    for games in (None, 100):
        results = raced(program(tmp_path, source), "2x6", games=games)
        assert results.standings[0].notes == (str(RANDOM),)
    file = tmp_path / "drawn.py"  # its process keeps decisions
    file.write_text(
        "import random, pegwise\n"
        "def guess(game, turns):\n"
        "    return random.choice(pegwise.candidates(game, turns))\n"
    )
    assert raced(str(file), "2x6").standings[0].notes == (str(RANDOM),)


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_position_is_asked_once(tmp_path: Path, jobs: int) -> None:
    said: list[str] = []
    (entrant,) = entrants_of(program(tmp_path, PLAYS))
    entrant.transcript = lambda _name, way, line: said.append(f"{way} {line}")
    tree = pegwise.build("2x4", "first")
    results = Race("2x4", [entrant], threads=jobs).run()
    questions = [line for line in said if line.startswith("> guess")]
    again = len(questions) - len(set(questions))
    assert len(set(questions)) == len(tree)
    assert again <= 8 * tree.worst  # games that are played again
    assert results.standings[0].total == tree.total
    assert said[0] == "> pegwise 1 2x4"


def test_what_was_answered_is_not_asked_again_when_a_race_resumes(tmp_path: Path) -> None:
    count = f"        open({str(tmp_path / 'asked')!r}, 'a').write('x')\n"
    theirs = program(tmp_path, SPEAKS + count + "        print(fitting[0], flush=True)")
    stopped = Race("2x4", [theirs], folder=tmp_path / "pieces")

    def stop(step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(report=stop)
    before = (tmp_path / "asked").stat().st_size
    assert before >= 1
    again = Race("2x4", [theirs], folder=tmp_path / "pieces")
    assert again.run().standings[0].total == pegwise.build("2x4", "first").total
    replayed = 8 * 4
    nodes = len(pegwise.build("2x4", "first"))
    assert (tmp_path / "asked").stat().st_size <= nodes + replayed
    again.forget()
    assert not list((tmp_path / "pieces").iterdir())


@pytest.mark.slow
def test_a_race_that_is_stopped_waits_for_no_answer(tmp_path: Path) -> None:
    """The other processes of the program are ended, and no other is started."""
    wait = f"""
        open({str(tmp_path / "asked")!r}, 'a').write('x')
        time.sleep(30 if turns else 0)
        print(fitting[0], flush=True)
"""
    (entrant,) = entrants_of(program(tmp_path, SPEAKS + wait), limits=Limits(guess_seconds=30))
    game = pegwise.game_of("2x4")
    opening = entrant.begin(game)
    assert opening.guess == pegwise.Code([0, 0])
    second = [opening.after(mark) for mark in game.marking.legal[:-1]]
    before = time.monotonic()
    here = threading.main_thread().ident
    threading.Timer(2, signal.pthread_kill, [here, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        entrant.ask_ahead(second, 2)
    assert time.monotonic() - before < 10
    assert (tmp_path / "asked").stat().st_size <= 3


FILES = {
    "one.py": "import pegwise\ndef one(game, turns):\n    print('thinking')\n"
    "    return pegwise.candidates(game, turns)[0]\n",
    "two.py": "def lowest(game, turns): ...\ndef highest(game, turns, *, by=1):\n    return 'AA'\n",
    "helper.py": "def mark_of_two(first, second):\n    return 0\n",
    "syntax.py": "def broken(game, turns)\n    return 'AA'\n",
    "imports.py": "import nobody_wrote_this\n",
    "leaves.py": "input()\n",
    "choice.py": "def show(code): ...\ndef choix(candidates, *, place=0):\n"
    "    return candidates[place]\n",
    "late.py": "def late(game, turns):\n    if turns:\n        turns.append(1)\n    return 'AA'\n",
}


@pytest.fixture(scope="module")
def pupils(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class") / "pupils"
    folder.mkdir()
    for name, source in FILES.items():
        (folder / name).write_text(source, encoding="utf-8")
    (folder / "readme.txt").touch()
    (folder / "programs").mkdir()
    for name in ("one.sh", "two"):
        (folder / "programs" / name).touch(0o755)
    return folder


@pytest.mark.slow
def test_a_folder_races(pupils: Path) -> None:
    results = pegwise.race("2x3", [f"{pupils}/", "first"])
    assert [s.strategy for s in results.standings] == ["choice.py", "late", "one", "first"]
    choice, late, one, first = results.standings
    assert choice.histogram == one.histogram == first.histogram
    assert results.identical == (("choice.py", "one", "first"),)
    assert (one.card.id, one.failure) == ("one", "")
    assert "after AA=" in late.failure
    assert "'tuple' object has no attribute 'append' (line 3)" in late.failure
    skipped = dict(results.skipped)
    assert skipped["syntax.py"].startswith("syntax.py, line 1: expected ':': 'def broken(")
    assert "No module named 'nobody_wrote_this'" in skipped["imports.py"]
    assert skipped["helper.py"].startswith("helper.py has no strategy: define a function")
    assert "lowest, highest: name one, as in two.py:lowest" in skipped["two.py"]
    assert "EOFError" in skipped["leaves.py"]


@pytest.mark.slow
def test_a_file_is_named_with_its_function_and_options(pupils: Path) -> None:
    strategy = parse_any(f"{pupils}/two.py:highest:by=2")
    assert (strategy.card.id, strategy.options) == ("highest", {"by": 2})
    assert str(pegwise.play("2x3", strategy, "AA")[0].guess) == "AA"
    # of candidates, as lists of numbers from 1
    strategy = parse_any(f"{pupils}/choice.py:choix:place=-1")
    assert str(pegwise.play("2x3", strategy, "AA")[0].guess) == "CC"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("nowhere/", "there is no folder 'nowhere/'"),
        ("nowhere/x.sh", "there is no file 'nowhere/x.sh'"),
        ("nowhere.awk", "there is no file 'nowhere.awk'"),
        ("nowhere/x", "there is no file or folder 'nowhere/x'"),
        ("program:nowhere --fast", "there is no program 'nowhere'"),
        ("program:", "program: needs a command"),
        ("program:'", "a quote is not closed"),
        ("PUPILS/syntax.py", "syntax.py, line 1: expected ':'"),
        ("PUPILS/two.py", "two.py has several strategies"),
        ("PUPILS/two.py:middle", "two.py has no strategy 'middle'; it has lowest, highest"),
        ("PUPILS/two.py:highest:to=2", "unknown option of strategy .*'to'; known: by"),
        ("program:PUPILS/one.py", "one.py is not executable"),
        ("PUPILS/readme.txt", "a program is written program:"),
        ("PUPILS/programs/", "holds several strategies: name one"),
    ],
)
def test_what_is_refused_before_anything_is_raced(pupils: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_any(text.replace("PUPILS", str(pupils)))


@pytest.mark.slow
def test_a_strategy_of_a_file_is_named_by_its_card_too(tmp_path: Path) -> None:
    path = tmp_path / "curious.py"
    path.write_text(
        "from pegwise.strategies import load\n"
        "plain = load('first')\n"
        "class Curious(type(load('knuth'))):\n"
        "    def __init__(self, *, ties: str = 'a', depth: int = 1) -> None: ...\n"
    )
    assert parse_any(f"{path}:first").card.id == "first"
    assert parse_any(f"{path}:knuth:depth=2:ties=b").card.id == "knuth"


@pytest.mark.slow
def test_a_file_that_answers_late_gets_no_advice_for_programs(tmp_path: Path) -> None:
    """Their lines are written by a process of pegwise."""
    for name, line in (("loads.py", ""), ("plays.py", "def plays(game, turns):\n    ")):
        (tmp_path / name).write_text(f"{line}while True: pass\n")
    with pytest.raises(InputError) as refused:
        entrants_of(f"{tmp_path}/loads.py", Limits(0.5, start_seconds=0.5))
    late = NoAnswerError("no answer within {seconds:g} s{advice}", seconds=0.5, advice="")
    assert refused.value.phrase.values["error"] == late.phrase
    results = raced(f"{tmp_path}/plays.py", limits=Limits(0.5))
    assert told(results).endswith(str(late))


def test_a_game_without_rules_is_refused(tmp_path: Path) -> None:
    game = pegwise.FiniteGame(["a", "b"], lambda one, other: one == other)
    with pytest.raises(StrategyError):
        pegwise.play(game, program(tmp_path, PLAYS), "a")


@pytest.mark.slow
def test_a_file_travels_and_a_program_does_not(pupils: Path, tmp_path: Path) -> None:
    sent = pickle.loads(pickle.dumps(parse_any(f"{pupils}/one.py")))
    assert str(pegwise.play("2x3", sent, "CC")[-1].guess) == "CC"
    with pytest.raises(StrategyError):
        pickle.dumps(parse_any(program(tmp_path, PLAYS)))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere some children stay")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_running(tmp_path: Path, sent: signal.Signals) -> None:
    script = tmp_path / "leaves.sh"
    script.write_text("#!/bin/sh\nsleep 600 &\necho $! > child\nwhile read -r line; do :; done\n")
    script.chmod(0o755)
    command = [sys.executable, "-m", "pegwise", "race", "2x3", "-s", f"program:{script}"]
    racing = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + PATIENCE
    while not (child := tmp_path / "child").exists() or not child.read_text().strip():
        assert time.monotonic() < end and racing.poll() is None
        time.sleep(0.05)
    racing.send_signal(sent)
    assert racing.wait(PATIENCE) == (-sent if sent == signal.SIGKILL else 128 + sent)
    while psutil.pid_exists(number := int(child.read_text())):
        if sent != signal.SIGKILL:  # which nobody can wait for
            assert psutil.Process(number).status() == psutil.STATUS_ZOMBIE
            break
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_rows_have_names_of_their_own(tmp_path: Path) -> None:
    """Whatever the card of a file says."""
    card = "class Mine(Strategy):\n    card = Card('knuth')\n"
    begin = "    def begin(self, game):\n        return load('first').begin(game)\n"
    source = f"from pegwise.strategies import Card, Strategy, load\n{card}{begin}"
    for name in ("mine.py", "other.py"):
        (tmp_path / name).write_text(source)
    for strategies in (["knuth", f"{tmp_path}/mine.py"], [f"{tmp_path}/mine.py:Mine", "knuth"]):
        results = pegwise.race("2x3", strategies)
        assert {one.strategy for one in results.standings} == {"knuth", "mine.py"}
        document = results.document()["results"]
        assert {row["strategy"] for row in document} == {"knuth", "mine.py"}
        assert results.duels
    (alone,) = pegwise.race("2x3", [f"{tmp_path}/other.py"]).standings
    assert alone.strategy == "other.py"


@pytest.mark.slow
def test_what_others_say_has_no_control_signs(tmp_path: Path) -> None:
    sign = "\\x1b]0;mine\\x07\\u202e"
    (tmp_path / "raises.py").write_text(
        f"def raises(game, turns):\n    raise ValueError('oh {sign} no')\n"
    )
    (tmp_path / "loads.py").write_text(f"raise ValueError('oh {sign} no')\n")
    refuses = SPEAKS.replace('"pegwise":', f'"pegwise":\n        print("name Me{sign}")')
    theirs = program(tmp_path, f"{refuses}        print('error oh {sign} no', flush=True)\n")
    for text in (f"{tmp_path}/raises.py", theirs):
        results = raced(text)
        assert f"oh {sign} no" in told(results)
        assert str(results).replace("\n", "").isprintable()
    with pytest.raises(InputError) as refused:
        entrants_of(f"{tmp_path}/loads.py")
    assert str(refused.value).isprintable()


FORKS = """
import os, sys, time
def leave():
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\n")
    os.close(1)
    time.sleep(600)
"""
DAEMON = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        leave()
    os._exit(0)
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
for line in sys.stdin: print("none", flush=True)
"""
FORKS_WHILE_ENDED = """
for line in sys.stdin: print("none", flush=True)
for _ in range(50):
    if os.fork() == 0:
        os.setsid()
        leave()
while True: time.sleep(1)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a daemon stays")
@pytest.mark.parametrize("source", [DAEMON, FORKS_WHILE_ENDED], ids=["daemon", "forks"])
def test_no_child_escapes(tmp_path: Path, source: str) -> None:
    pids = tmp_path / "pids"
    theirs = program(tmp_path, FORKS + source)
    for _ in range(3):
        raced(f"{theirs} {pids}")
    assert not [n for n in pids.read_text().split() if psutil.pid_exists(int(n))]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file may be of any size")
def test_what_is_written_into_a_file_is_limited(tmp_path: Path) -> None:
    limits = Limits(guess_seconds=30, start_seconds=60, written=1 << 20)
    writes = f"open({str(tmp_path / 'full')!r}, 'ab', buffering=0).write(bytes(1 << 21))"
    (tmp_path / "fills.py").write_text(
        f"def fills(game, turns):\n    {writes}\n    {writes}\n", encoding="utf-8"
    )
    assert "File too large (line" in told(raced(f"{tmp_path}/fills.py", limits=limits))
    theirs = program(
        tmp_path, f"import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n{writes}\n" * 2
    )
    assert "more than 1 MiB into a file" in told(raced(theirs, limits=limits))
    assert (tmp_path / "full").stat().st_size == 1 << 20


@pytest.mark.parametrize(
    ("command", "board", "same"),
    [
        ("awk -f {}/first.awk", "3x3", "first"),
        ("perl {}/last.pl", "3x3", None),
        ("{}/counting.sh", "2x3", None),
        (f"{PYTHON} {{}}/smallest.py", "3x3", None),
        ("cc -O1 -o {1}/first {0}/first.c", "3x3", "first"),
        ("swipl -g main -t halt {}/shapiro.pl", "3x3", "first"),
        pytest.param("swipl -g main -t halt {}/shapiro.pl", "4x6", "first", marks=pytest.mark.slow),
    ],
    ids=["awk", "perl", "sh", "python", "c", "prolog", "prolog-4x6"],
)
def test_examples(tmp_path: Path, command: str, board: str, same: str | None) -> None:
    command = command.format(EXAMPLES, tmp_path)
    interpreter = command.split()[0]
    if os.sep not in interpreter and shutil.which(interpreter) is None:
        pytest.skip(f"no {interpreter}")
    if interpreter == "awk" and Path(shutil.which("awk") or "").resolve().name == "mawk":
        command = command.replace("awk", "awk -W interactive", 1)
    if interpreter == "cc":
        subprocess.run(command.split(), check=True)
        command = f"{tmp_path}/first"
    results = pegwise.race(board, [f"program:{command}", "first"])
    theirs, first = results.standings
    assert (theirs.failure, theirs.secrets) == ("", first.secrets)
    assert bool(results.identical) == (same is not None)
    for name in ("first.awk", "last.pl", "counting.sh", "smallest.py", "first.c", "shapiro.pl"):
        assert len((EXAMPLES / name).read_text().splitlines()) <= 40


@pytest.mark.slow
def test_a_file_tells_the_number_of_its_first_color(tmp_path: Path) -> None:
    """A first guess without a 0 and without the last color does not tell it."""
    path = tmp_path / "ones.py"
    path.write_text(
        "from itertools import product\n"
        "import pegwise\n"
        "def ones(game, turns):\n"
        "    for code in product(range(1, 5), repeat=2):\n"
        "        if all(pegwise.mark(g, code) == m for g, m in turns):\n"
        "            return list(code)\n",
        encoding="utf-8",
    )
    assert (
        raced(f"{path}:ones:base=1").standings[0].total
        == Race("2x4", ["first"]).run().standings[0].total
    )
    assert "base" in told(raced(f"{path}:ones"))
    with pytest.raises(InputError, match="base=2"):
        raced(f"{path}:ones:base=2")
