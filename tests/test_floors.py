"""A module imports only from floors below its own (the house's first rule)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pegwise

SOURCE = Path(pegwise.__file__).parent

FLOORS = {
    "errors": 0, "progress": 0, "kernels": 0, "display": 0, "home": 0, "workers": 0,
    "cores": 0, "files": 0,
    "painters": 1,
    "game": 1, "cluster": 1, "language": 1,
    "knowledge": 2,
    "strategies": 3,
    "trees": 4,
    "search": 5, "arena": 5, "coach": 5,
    "pictures": 6, "messages": 6,
    "cli": 7, "web": 7,
}  # fmt: skip

MODULES = sorted(SOURCE.rglob("*.py"))


def room(path: Path) -> str:
    """The part of the house that a file belongs to."""
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[str]:
    """Rooms that a file imports from, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            names = [module] if module != "pegwise" else [f"pegwise.{a.name}" for a in node.names]
        for name in names:
            head, _, rest = name.partition(".")
            if head == "pegwise" and rest and not rest.startswith("__"):
                yield rest.split(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    here = room(path)
    if here in {"__init__", "__main__"}:  # the roof
        return
    for there in imported_rooms(path):
        assert there in FLOORS, f"{there} has no floor"
        assert there == here or FLOORS[there] < FLOORS[here], f"{here} imports {there}"


def test_judge_is_independent_of_kernels() -> None:
    for path in [SOURCE / "trees/verify.py", SOURCE / "game/marks.py"]:
        assert "kernels" not in set(imported_rooms(path)), path


def test_every_room_has_a_floor() -> None:
    rooms = {room(path) for path in MODULES} - {"__init__", "__main__"}
    assert rooms <= set(FLOORS)
