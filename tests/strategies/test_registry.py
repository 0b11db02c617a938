"""The registry: names, options, strategies that other packages bring, and those of one's own."""

import pickle
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import pegwise
from pegwise.cli.main import main
from pegwise.errors import (
    CodeError,
    InputError,
    MissingExtraError,
    StrategyError,
    UnknownNameError,
)
from pegwise.game import FiniteGame, board_game
from pegwise.game.rules import Rules
from pegwise.strategies import (
    Decision,
    Strategy,
    as_strategy,
    cards,
    label,
    load,
    names,
    parse,
    registry,
)
from pegwise.strategies.entrants import Limits
from pegwise.strategies.registry import offer, offers_of
from pegwise.trees import build

PLUGIN = Path(__file__).parent / "plugin"
CLASSICAL = ["first", "random", "knuth", "irving", "entropy", "parts"]


def install(folder: Path, package: str, entries: dict[str, str], source: str) -> Path:
    """Lay a package out in a folder as pip does: a module, and metadata with entry points."""
    (folder / f"{package}.py").write_text(source, encoding="utf-8")
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (metadata / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")
    return folder


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The folder where the package of somebody else is installed."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = project["entry-points"][registry.GROUP]
    source = (PLUGIN / "last_candidate.py").read_text(encoding="utf-8")
    return install(tmp_path, "last_candidate", entries, source)


def test_ours_come_first() -> None:
    assert [name for name in names() if name in CLASSICAL] == CLASSICAL
    assert names()[0] == "first"
    assert len(names()) == len(set(names()))
    assert [card.id for card in cards()] == names()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("knuth", "knuth"),
        (" knuth ", "knuth"),
        ("knuth:", "knuth"),
        ("knuth:guesses=all", "knuth"),
        ("knuth:guesses=candidates", "knuth:guesses=candidates"),
        ("knuth: guesses = candidates , then = entropy", "knuth:guesses=candidates,then=entropy"),
        ("knuth:then=entropy,guesses=candidates", "knuth:guesses=candidates,then=entropy"),
        ("knuth:then=minimax", "knuth"),
        ("random:seed=7", "random:seed=7"),
    ],
)
def test_a_strategy_is_written_with_its_options(text: str, same: str) -> None:
    assert label(parse(text)) == same
    assert label(parse(same)) == same


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("knut", "unknown strategy 'knut' (did you mean 'knuth'?); known: first, random, knuth"),
        ("", "unknown strategy ''; known: first"),
        ("\udc80", "unknown strategy '\\udc80'; known: first"),
        ("x" * 10_000, "unknown strategy 'xxx"),
        ("knuth:gueses=all", "option of strategy 'knuth': 'gueses' (did you mean 'guesses'?)"),
        ("first:seed=1", "unknown option of strategy 'first': 'seed'; known: opening"),
        ("constraint:seed=1", "option of strategy 'constraint': 'seed'; known: c2, c3"),
        ("optimal-worst:seed=1", "option of strategy 'optimal-worst': 'seed'; known: (none)"),
        ("knuth:then=knuth", "unknown value of option 'then': 'knuth'; known: none, minimax, size"),
        ("forget-entropy:limit=1", "limit=1: give a whole number from 2 to 65536, or all"),
        ("forget-entropy:switch=1001", "switch=1001: give a whole number from 0 to 1000"),
        ("knuth:name=x", "unknown option of strategy 'knuth': 'name'"),
        ("optimal:objective=within-1000", "unknown objective 'within-1000'"),
        ("forget-entropy:switch=all", "switch='all': give a whole number from 0 to 1000"),
        ("knuth:guesses=some", "unknown value of option 'guesses': 'some'; known: all, candidates"),
        ("knuth:guesses", "'guesses' in strategy 'knuth:guesses': write option=value"),
        ("random:seed=x", "seed='x': give a whole number from 0"),
        ("random:seed=" + "9" * 5000, "give a whole number from 0"),
        ("random:seed=-1", "seed=-1: give a whole number from 0"),
        ("random:seed=1,seed=2", "'seed=2' in strategy 'random:seed=1,seed=2': this option is"),
    ],
)
def test_what_is_no_strategy(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)
    for value in ("1", True, 1.0):
        with pytest.raises(InputError, match=f"seed={value!r}"):
            load("random", seed=value)  # type: ignore[arg-type]


def test_a_package_of_somebody_else_brings_a_strategy(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "last" not in names()
    monkeypatch.syspath_prepend(plugin)
    assert "last" in names()
    assert "Last candidate" in {card.name for card in cards()}
    strategy = load("last")
    game = board_game(Rules.parse("3x4"))
    # numeric order backwards is the same game with the colors renamed
    assert build(game, strategy).histogram == build(game, load("first")).histogram
    assert str(strategy.begin(game).guess) == "DDD"
    assert str(parse("last:skip=2").begin(game).guess) == "DDB"
    with pytest.raises(UnknownNameError, match="did you mean 'last'"):
        parse("lst")
    # the command line knows it too
    monkeypatch.setattr(sys, "argv", ["pegwise", "strategies", "last"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert "Somebody else, 2024" in capsys.readouterr().out
    # an illegal guess is its own fault
    decision = type(strategy.begin(game))
    monkeypatch.setattr(decision, "guess", (0, 5))
    with pytest.raises(StrategyError, match=r"last fails on 2x2 at its .*color F at"):
        build(board_game(Rules.parse("2x2")), strategy)


CARD = """
from pegwise.strategies import Card
card = Card(id="broken", name="", authors="", year=None, source="", about="")
"""


@pytest.mark.parametrize(
    ("value", "source", "says"),
    [
        ("nowhere:Broken", "", "does not load: No module named 'nowhere'"),
        ("theirs:Broken", "1 / 0", "does not load: division by zero"),
        ("theirs:Broken", "x = (", "does not load: '(' was never closed"),
        ("theirs:Broken", "", "does not load: module 'theirs' has no attribute 'Broken'"),
        ("theirs:Broken", "class Broken: card = 'mine'", "is not a class with a card"),
        ("theirs", CARD, "is not a class with a card"),
        (
            "theirs:Broken",
            CARD + "import dataclasses\nclass Broken: card = dataclasses.replace(card, id='mine')",
            "its card says 'mine'",
        ),
        ("theirs:Broken", "def Broken(game): return 'AA'", "is not a class with a card"),
        ("theirs:Broken", CARD + "class Broken: card = card", "has no 'begin'"),
        (
            "theirs:Broken",
            CARD + "class Broken:\n    card = card\n    def __init__(self): 1 / 0",
            "is registered but fails: division by zero",
        ),
        (
            "theirs:Broken",
            "from pegwise.errors import MissingExtraError\nraise MissingExtraError('needs more')",
            "needs more",
        ),
    ],
)
def test_a_broken_package_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, source: str, says: str
) -> None:
    install(tmp_path, "theirs", {"broken": value}, source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "theirs", raising=False)
    with pytest.raises((StrategyError, MissingExtraError)) as caught:
        load("broken")
    # a library that is missing is named by the package itself
    theirs = isinstance(caught.value, MissingExtraError)
    assert theirs == (says == "needs more")
    assert str(caught.value).startswith("strategy 'broken' is registered but ") != theirs
    assert says in str(caught.value)
    # and it takes nothing else down
    assert {"first", "knuth"} <= {card.id for card in cards()}
    assert load("first").card.id == "first"


def test_our_names_cannot_be_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {name: type(load(name)) for name in names()}
    install(tmp_path, "theirs", dict.fromkeys(ours, "theirs:Broken"), "1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    assert names() == list(ours)
    for name, kind in ours.items():
        assert type(load(name)) is kind


# strategies of one's own: functions and classes


def last(game: Any, turns: Any) -> Any:
    """Play the last candidate."""
    return pegwise.candidates(game, turns)[-1]


class Last(Strategy):
    card = pegwise.Card("last-one", about="Plays the last code that agrees with every mark.")

    def begin(self, game: Any) -> "LastCode":
        return LastCode(game)


class LastCode(Decision):
    def __init__(self, game: Any, turns: Any = ()) -> None:
        self.game, self.turns = game, turns

    @property
    def guess(self) -> Any:
        return pegwise.candidates(self.game, self.turns)[-1]

    def after(self, mark: Any) -> "LastCode":
        return LastCode(self.game, (*self.turns, (self.guess, mark)))


@pytest.mark.parametrize("ours", [last, Last, Last()], ids=["function", "class", "object"])
def test_it_plays_and_becomes_a_tree(ours: Any, tmp_path: Path) -> None:
    turns = pegwise.play("3x4", ours, "ABC")
    assert str(turns[0].guess) == "DDD"
    assert str(turns[-1]) == "ABC=XXX"
    tree = pegwise.build("3x4", ours)
    # the last candidate is the first one with the colors named the other way round
    assert tree.histogram == pegwise.build("3x4", "first").histogram
    assert pegwise.verify(tree).valid
    pegwise.save_tree(tree, tmp_path / "last.tree")
    assert pegwise.load_tree(tmp_path / "last.tree").strategy == tree.strategy
    # another process plays the same
    assert pickle.loads(pickle.dumps(as_strategy(ours))).card.id == tree.strategy


def test_they_race() -> None:
    results = pegwise.race("3x3", [last, Last, "first"])
    assert len({(standing.total, standing.worst) for standing in results.standings}) == 1
    assert "last-one" in str(results)
    assert results.command is not None
    assert results.command.startswith("pegwise.race('3x3', [last")


def test_a_function_is_named_by_itself() -> None:
    strategy = as_strategy(last)
    assert (strategy.card.id, strategy.card.name) == ("last", "last")
    assert strategy.card.about == "Play the last candidate."
    assert (label(strategy), strategy.options) == ("last", {})
    assert as_strategy(lambda _game, _turns: "AB").card.id == "lambda"


def test_a_function_may_play_text_and_follow_other_guesses() -> None:
    decision = as_strategy(lambda _game, turns: "AB" if turns else "AA").begin(
        board_game(Rules.parse("2x2"))
    )
    following = decision.instead("BB", "X")
    assert following is not None
    assert str(following.guess) == "AB"
    assert (
        pegwise.build("2x2", lambda _game, turns: ["AA", "AB", "BA", "BB"][len(turns)]).worst == 4
    )


def in_place(guess: str, secret: str) -> int:
    return sum(a == b for a, b in zip(guess, secret, strict=True))


def test_a_function_plays_any_game() -> None:
    words = FiniteGame(["cat", "cot", "dog"], in_place)
    tree = pegwise.build(words, last)
    assert pegwise.verify(tree).valid
    assert str(pegwise.play(words, last, "cat")[-1]) == "cat=3"
    with pytest.raises(CodeError, match="'cow' is not a guess of finite game"):
        pegwise.play(words, last, "cow")


class Alone:
    """It has what a strategy needs, but inherits from nothing."""

    card = pegwise.Card("alone")

    def begin(self, game: Any) -> "Alone":
        return self


@pytest.mark.parametrize("thing", [None, 3, ["knuth"], Alone, Alone()])
def test_what_cannot_become_a_strategy(thing: Any) -> None:
    with pytest.raises(InputError, match="is not a strategy: give a name such as 'knuth'"):
        as_strategy(thing)


def test_what_goes_wrong_is_told_with_the_name() -> None:
    def stubborn(_game: Any, _turns: Any) -> str:
        return "AA"

    with pytest.raises(StrategyError, match="stubborn does not find BB of 2x2 within 1000"):
        pegwise.build("2x2", stubborn)
    with pytest.raises(StrategyError, match="stubborn does not find AB of 2x2 within 1000"):
        pegwise.play("2x2", stubborn, "AB")
    first = "fails on 2x2 at its first guess, secret A[AB]: "
    with pytest.raises(StrategyError, match=f"lambda {first}'AC': 'C' at position 2"):
        pegwise.play("2x2", lambda _game, _turns: "AC", "AB")
    with pytest.raises(StrategyError, match=r"lambda fails on 2x2 after AA=-.*plays None"):
        pegwise.build("2x2", lambda _game, turns: None if turns else "AA")
    for plays in (pegwise.build, lambda board, who: pegwise.play(board, who, "AA")):
        with pytest.raises(StrategyError, match=f"fails {first}IndexError: tuple index"):
            plays("2x2", fails)


def fails(_game: Any, turns: Any) -> Any:
    return turns[-1]


def test_what_a_stranger_writes_runs_no_file_and_no_program(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("open('ran', 'w')\ndef choix(candidates):\n    return candidates[0]\n")
    for text in (str(mine), f"program:touch {tmp_path}/ran", f"{tmp_path}/", "mine.py"):
        with pytest.raises(UnknownNameError):
            parse(text)
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_offered_entrants_are_named_like_strategies(tmp_path: Path) -> None:
    for name in ("knuth", "mine", "broken"):
        source = "def guess(game, turns)" if name == "broken" else f"def {name}(candidates):"
        (tmp_path / f"{name}.py").write_text(f"{source}\n    return candidates[0]\n")
    offers = offers_of([f"{tmp_path}/"], Limits())
    assert [each.card.id for each in offers] == ["broken.py", "knuth.py", "mine"]
    try:
        offer(offers)
        strategy = parse("knuth.py")
        assert (label(strategy), strategy.typed) == ("knuth.py", "knuth.py")
        assert pegwise.build("2x3", strategy).total == pegwise.build("2x3", "first").total
        assert {card.id for card in cards()} > {"broken.py", "knuth.py", "mine", "knuth"}
        assert offers[0].problem.startswith("broken.py, line 1")
        with pytest.raises(StrategyError, match=r"broken\.py, line 1"):
            pegwise.play("2x3", parse("broken.py"), "AA")
    finally:
        offer([])
    with pytest.raises(UnknownNameError):
        parse("mine")
