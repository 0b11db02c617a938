"""A module imports only from layers below its own; no two modules or scripts import each other."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

import pytest
from tools.layers import drawings, game_layers, layers

import pegwise
from tests import naive, naive_strategies

SOURCE = Path(pegwise.__file__).parent

LAYERS = {name: number for number, (names, _) in layers().items() for name in names}
"""The layer of each package, from the table of docs/architecture.md."""


def name_of(path: Path) -> str:
    """The dotted name of a module below `pegwise`, '' for the package itself."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            head, _, rest = name.partition(".")
            if head != "pegwise":
                continue
            while rest and rest not in MODULES:  # a name in a module
                rest = rest.rpartition(".")[0]
            yield rest


@cache
def graph() -> dict[str, set[str]]:
    """The modules that each module imports."""
    return {name: set(imports(path)) - {name} for name, path in MODULES.items()}


def package(name: str) -> str:
    """The package of the table that a module belongs to."""
    return name.split(".")[0]


def test_imports_point_down() -> None:
    for name, targets in graph().items():
        own = package(name)
        if own in {"", "__main__"}:
            continue
        assert "" not in targets, f"{name} imports the package root"
        for target in map(package, targets):
            down = target == own or LAYERS[target] < LAYERS[own]
            assert down, f"{name} imports {target}"


def test_no_two_modules_import_each_other() -> None:
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


SCRIPTS = SOURCE / "web" / "static"
_SCRIPT_IMPORT = re.compile(r"""\b(?:from|import)\b\s*\(?\s*["']\./([\w-]+\.js)["']""")


def test_no_two_scripts_import_each_other() -> None:
    """Static imports and those at run time."""
    scripts = {
        path.name: set(_SCRIPT_IMPORT.findall(path.read_text(encoding="utf-8")))
        for path in SCRIPTS.glob("*.js")
    }
    assert "dom.js" in scripts["marks.js"] and "marks_wide.js" in scripts["marks.js"]
    assert set().union(*scripts.values()) <= set(scripts)
    try:
        TopologicalSorter(scripts).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_drawings_show_the_layers() -> None:
    """If it fails: python -m tools.layers."""
    for file, picture in drawings().items():
        assert file.read_text(encoding="utf-8") == picture
    assert len(game_layers()) <= 8


def test_every_package_has_a_layer() -> None:
    assert {package(name) for name in MODULES} - {"", "__main__"} == set(LAYERS)


DECIDING = {"as_inclusive", "explanations", "fewest_wrong", "suspects"}


@pytest.mark.parametrize("interface", ["cli", "web"])
def test_user_interfaces_decide_nothing(interface: str) -> None:
    """What is wrong with marks that contradict is for `knowledge.diagnosis` to say."""
    trees = [
        ast.parse(path.read_text("utf-8"))
        for name, path in MODULES.items()
        if package(name) == interface
    ]
    imported = {
        alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert len(trees) > 10 and not imported & DECIDING


def test_no_two_public_classes_share_a_name() -> None:
    names = [
        node.name
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert sorted(names) == sorted(set(names))


CHECKERS = {
    "trees.verify",
    "trees.lower_bound",
    "trees.plain_rules",
    "trees.set_bound",
    "game.marks",
    "search.certificates.claims",
    "search.certificates.optima",
    "search.certificates.sets",
    "search.certificates.values",
}
"""What checks trees, marks and certificates."""


def test_checkers_are_independent_of_kernels_and_search() -> None:
    """Checkers import no kernel and no search, directly; published figures are data."""
    allowed = {"_version", "arrays", "errors", "progress", "hooks", "game", "trees"}
    for name in CHECKERS:
        modules = graph()[name] - CHECKERS - {"search.certificates.published"}
        assert set(map(package, modules)) <= allowed, name
    for name in ("trees.lower_bound", "trees.plain_rules", "trees.set_bound"):
        lines = MODULES[name].read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300, "short enough to be read"


@pytest.mark.parametrize("module", [naive, naive_strategies])
def test_slow_twins_import_nothing_of_ours(module: ModuleType) -> None:
    assert module.__file__ is not None
    assert not list(imports(Path(module.__file__)))


def test_our_own_packages_register_nothing_by_name() -> None:
    """Imports upwards are no less so when they are written as text."""
    project = (SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert "entry-points" not in project
    for path in MODULES.values():
        text = path.read_text(encoding="utf-8")
        for target in LAYERS:
            if LAYERS[target] > 1 and f'"pegwise.{target}.' in text:
                assert LAYERS[package(name_of(path)) or "cli"] >= LAYERS[target], path


def test_files_that_the_page_names_exist() -> None:
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.]+\.(?:py|js|j2|md))`", page))
    assert len(named) > 40
    for name in named:
        assert (SOURCE / name).exists() or (SOURCE.parents[1] / name).exists(), name
