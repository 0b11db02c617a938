"""The names of `import pegwise`: what is promised is there, documented, light, and of one tree."""

import ast
import doctest
import importlib.util
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Final, assert_type

import pytest

import pegwise
from pegwise.errors import MissingExtraError, PegwiseError


def modules() -> Iterator[ModuleType]:
    """Every module of the package whose libraries are here."""
    for module in pkgutil.walk_packages(pegwise.__path__, "pegwise."):
        if module.name.endswith("__main__"):
            continue
        with suppress(MissingExtraError):  # of packages that pegwise is developed without
            yield importlib.import_module(module.name)


def test_names_are_sorted_and_there() -> None:
    assert pegwise.__all__ == sorted(set(pegwise.__all__))
    for name in pegwise.__all__:
        assert getattr(pegwise, name) is getattr(pegwise, name)
    assert dir(pegwise) == sorted([*pegwise.__all__, "__version__"])
    namespace: dict[str, Any] = {}
    exec("from pegwise import *", namespace)
    assert set(pegwise.__all__) <= set(namespace)


def test_type_checkers_know_the_same_names() -> None:
    tree = ast.parse(Path(str(pegwise.__file__)).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    known = {
        alias.asname or alias.name: getattr(importlib.import_module(str(node.module)), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in block.body:
        if isinstance(node, ast.Assign):
            known[ast.unparse(node.targets[0])] = known.pop(ast.unparse(node.value))
    assert known == {name: getattr(pegwise, name) for name in pegwise.__all__}


@pytest.mark.parametrize("name", pegwise.__all__)
def test_every_name_says_what_it_is(name: str) -> None:
    about = inspect.getdoc(getattr(pegwise, name)) or ""
    first = about.partition("\n")[0]
    assert len(first) > 15 and first.endswith(".")
    assert not first.startswith(f"{name}(")


def test_results_have_types_and_can_be_read() -> None:
    tree: pegwise.Tree = pegwise.find_optimum("2x2").tree  # a type checker knows that there is one
    optimum: pegwise.Optimum = pegwise.find_optimum("2x2", max_guesses=1)
    code = pegwise.candidates("2x2")[3]
    assert_type(code, pegwise.Code)
    assert (tree.total, optimum.best, str(code)) == (8, None, "BB")
    position = pegwise.Position("4x6", ["AABB=XO"])
    assert repr(position) == "Position('4x6', ['AABB=XO'])"
    assert eval(repr(position), vars(pegwise)).turns == position.turns


RESULTS: Final[dict[str, Callable[[], Any]]] = {
    "ranking": lambda: pegwise.rank("4x6", limit=10),
    "puzzle": lambda: pegwise.puzzle("4x6", seed=1),
    "optimum": lambda: pegwise.find_optimum("3x4"),
    "bounds": lambda: pegwise.bounds("4x6"),
    "race": lambda: pegwise.race("3x3", ["first", "knuth"]),
    "value": lambda: pegwise.find_value("2x4"),
    "card": lambda: pegwise.cards()[0],
    "tree": lambda: pegwise.build("3x3", "first"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_told_in_a_line(name: str) -> None:
    said = repr(RESULTS[name]())
    assert len(said) < 200 and "\n" not in said


def test_a_ranking_is_a_table() -> None:
    best, *_ = pegwise.rank("4x6", limit=2).rows()
    assert (best["guess"], best["n_parts"], best["possible"]) == ("ABCD", 14, True)


def test_equal_trees_are_equal(tmp_path: Path) -> None:
    tree = pegwise.build("3x4", "knuth")
    pegwise.save_tree(tree, tmp_path / "k.tree")
    same = pegwise.load_tree(tmp_path / "k.tree")
    assert tree == same and hash(tree) == hash(same)
    assert tree != pegwise.build("3x4", "first") and tree != "knuth"


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'pegwise' has no attribute 'knuth'"):
        _ = pegwise.knuth
    with pytest.raises(ImportError):
        exec("from pegwise import knuth")


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import pegwise", "numpy numba click rich jinja2 pegwise.pictures pegwise.game ast"),
        ("import pegwise.pictures, pegwise.pictures.charts", "vl_convert"),
        ("from pegwise import *", "vl_convert jinja2"),
        ("from pegwise.game import Code; Code([0])._repr_html_()", "vl_convert numba"),
    ],
)
def test_imports_are_light(statement: str, absent: str) -> None:
    program = f"import sys; {statement}; sys.exit(bool({set(absent.split())} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", program], check=True)


NAME = re.compile(r"\bpegwise(?:\.[A-Za-z_]\w*)+")
ROOT = Path(__file__).parents[1]


def named_in_docstrings() -> Iterator[str]:
    for module in modules():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield from NAME.findall(ast.get_docstring(node) or "")


def named_on_pages() -> Iterator[str]:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        yield from NAME.findall(page.read_text("utf-8"))


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or leads through attributes of one."""
    parts = name.split(".")
    with suppress(ModuleNotFoundError):
        if importlib.util.find_spec(name) is not None:  # also one whose libraries are not here
            return True
    for n in range(len(parts), 0, -1):
        with suppress(ModuleNotFoundError):
            thing: Any = importlib.import_module(".".join(parts[:n]))
            break
    for attribute in parts[n:]:
        if not hasattr(thing, attribute) and attribute not in getattr(thing, "__annotations__", ()):
            return False
        thing = getattr(thing, attribute, None)
    return True


def test_every_name_that_is_mentioned_is_there() -> None:
    mentioned = {*named_in_docstrings(), *named_on_pages()}
    assert len(mentioned) > 50
    assert "pegwise.compute.Cluster" in mentioned
    assert sorted(name for name in mentioned if not is_there(name)) == sorted(NO_NAMES)


NO_NAMES = {"pegwise.fish", "pegwise.mo", "pegwise.po"}
"""What looks like a name and is none: names of files."""


def test_places_of_work_are_documented_and_light() -> None:
    from pegwise.compute import Cluster, Processes

    assert Processes(2).workers == 2
    assert Cluster.__module__ == "pegwise.compute.backends"
    program = (
        "import pegwise.compute, sys; sys.exit('pebble' in sys.modules or 'dask' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_error_is_of_one_tree() -> None:
    errors = {
        value
        for module in modules()
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__.startswith("pegwise.")
        and not value.__name__.startswith("_")  # caught where it is raised
    }
    assert len(errors) > 12
    assert [kind for kind in errors if not issubclass(kind, PegwiseError)] == []


# what no test of a package hands over, or only to another function
BAD: dict[str, Callable[[], object]] = {
    "rules that are none": lambda: pegwise.game_of(46),  # type: ignore[arg-type]
    "a code of numbers": lambda: pegwise.Code("AB"),  # type: ignore[arg-type]
    "a board to bound": lambda: pegwise.bounds("4x"),
    "no board to bound": lambda: pegwise.bounds(None),  # type: ignore[arg-type]
    "an unknown strategy": lambda: pegwise.strategy("knut"),
    "a strategy without card": lambda: pegwise.build("2x2", type("T", (), {"begin": None})()),
    "a strategy on another board": lambda: pegwise.build("3x4", "greenwell"),
    "no game": lambda: pegwise.build(["4x6"], "knuth"),  # type: ignore[arg-type]
    "too large a game": lambda: pegwise.build("16x26", "knuth"),
    "a race of numbers": lambda: pegwise.race("2x2", [1]),  # type: ignore[list-item]
    "a turn": lambda: pegwise.candidates("4x6", ["AABB"]),
    "half a turn": lambda: pegwise.candidates("4x6", [("AABB",)]),  # type: ignore[list-item]
    "a number for a turn": lambda: pegwise.count("4x6", [5]),  # type: ignore[list-item]
    "an objective": lambda: pegwise.find_optimum("2x2", objective="mean"),
    "a value of weights": lambda: pegwise.find_value("2x"),
    "a set of none": lambda: pegwise.find_static("2x2", size=-1),
    "no tree to verify": lambda: pegwise.verify("knuth.tree"),
    "a tree that is not there": lambda: pegwise.load_tree(Path("nowhere.tree")),
    "a tree by name": lambda: pegwise.load_tree("nowhere.tree"),
    "a place that is none": lambda: pegwise.save_tree(pegwise.build("1x1", "first"), Path("/a/b")),
    "a record that is not there": lambda: pegwise.load_record("nowhere.txt"),
    "no record": lambda: pegwise.review(5),  # type: ignore[arg-type]
    "a secret": lambda: pegwise.play("4x6", "first", "ZZZZ"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_with_one_of_ours(what: str) -> None:
    with pytest.raises(PegwiseError) as caught:
        BAD[what]()
    said = str(caught.value)
    assert 10 < len(said) < 600
    assert "\n" not in said


def test_results_tell_themselves_in_a_line_a_picture_and_a_document() -> None:
    tree = pegwise.build("3x3", "first")
    played = pegwise.Record.of_turns("3x3", pegwise.play("3x3", "first", "ABA"))
    race = pegwise.race("3x3", ["first", "knuth"])
    results: list[Any] = [
        *(tree, race, race.standings[0], pegwise.verify(tree), pegwise.losses(tree)),
        *(pegwise.find_optimum("3x3"), pegwise.find_static("3x3"), pegwise.find_value("2x3")),
        *(pegwise.bounds("3x3"), pegwise.puzzle("3x3", seed=1), pegwise.review(played), played),
        *(pegwise.rank("3x3", limit=2), pegwise.cards()[0]),
        pegwise.Position("3x3", "AAB=XO"),
    ]
    for result in results:
        line = repr(result)
        assert "\n" not in line and " object at 0x" not in line and len(line) < 320, line
        assert result._repr_html_(), line
        assert json.loads(json.dumps(result.to_document())), line
    for result in (tree, race, pegwise.losses(tree), pegwise.bounds("3x3"), pegwise.review(played)):
        rows = result.rows()
        assert rows and len({tuple(row) for row in rows}) == 1


def test_a_tree_is_a_graph() -> None:
    networkx = pytest.importorskip("networkx")
    tree = pegwise.build("3x3", "first")
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph) and len(graph) == len(tree)
    depths = networkx.shortest_path_length(graph, 0)
    won = [depths[node] + 1 for node, row in graph.nodes(data=True) if row["wins"]]
    assert sum(won) == tree.total


def test_signatures_show_no_address_of_a_function() -> None:
    for name in pegwise.__all__:
        if inspect.isfunction(function := getattr(pegwise, name)):
            assert " at 0x" not in str(inspect.signature(function)), name


def _examples() -> list[doctest.DocTest]:
    """The examples of all public names; a name without one has none."""
    parser = doctest.DocTestParser()
    return [
        parser.get_doctest(
            inspect.getdoc(getattr(pegwise, name)) or "", {"pegwise": pegwise}, name, name, 0
        )
        for name in pegwise.__all__
    ]


@pytest.mark.parametrize("example", _examples(), ids=lambda example: str(example.name))
def test_each_public_name_has_an_example_that_is_so(
    example: doctest.DocTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert example.examples
    printed: list[str] = []
    assert not doctest.DocTestRunner(verbose=False).run(example, out=printed.append).failed, printed


@pytest.mark.slow  # the type checker reads all of pegwise
def test_the_examples_are_typed(tmp_path: Path) -> None:
    functions = [
        f"def example_{example.name}() -> None:\n"
        + textwrap.indent("".join(each.source for each in example.examples), "    ")
        for example in _examples()
    ]
    script = tmp_path / "script.py"
    script.write_text("import pegwise\n\n" + "\n".join(functions))
    untyped = ["--allow-untyped-defs", "--allow-untyped-calls"]
    command = [sys.executable, "-m", "mypy", "--strict", *untyped, str(script)]
    checked = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
