"""Machine code on disk: what one process keeps, another never takes for something else."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pegwise.kernels import jit

SOURCE = """
from pegwise.kernels.jit import kernel, part

@part
def add(number, other):
    return number + other

@kernel
def double(number):
    return add(number, number)

@kernel
def triple(number):
    return add(add(number, number), number)
"""


def process(path: Path) -> ModuleType:
    """The module as another process has it."""
    spec = importlib.util.spec_from_file_location("doubling", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of kernels whose machine code has a folder of its own."""
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))
    monkeypatch.setattr(jit, "machine_code", lambda: tmp_path / "code")
    return path


def store(module: ModuleType) -> Any:
    return module.double._cache._cache_file


def test_two_processes_compile_one_kernel_for_different_types(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = process(source), process(source)
    save = store(first)._save_data

    def meanwhile(name: str, data: Any) -> None:
        monkeypatch.setattr(store(second), "_load_index", dict)
        assert second.double(2.5) == 5.0
        save(name, data)

    monkeypatch.setattr(store(first), "_save_data", meanwhile)
    assert first.double(3) == 6
    third = process(source)
    assert third.double(2.5) == 5.0
    assert third.double(3) == 6
    assert type(third.double(3)) is int
    assert sum(third.double.stats.cache_hits.values()) == 2


def test_a_part_that_is_read_back_is_linked(source: Path) -> None:
    assert process(source).double(3) == 6
    later = process(source)
    assert later.triple(3) == 9
    assert sum(later.add.stats.cache_hits.values()) == 1
    assert process(source).triple(3) == 9


def test_parts_of_kernels_are_called_by_kernels_only() -> None:
    """A call from Python would crash."""
    kernels, parts = Path(jit.__file__).parent, set()
    for path in kernels.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
                parts |= {node.name} if marks & {"part", "inlined"} else set()
    assert len(parts) > 20
    root = kernels.parents[2]
    for path in [path for room in ("src", "tests") for path in (root / room).rglob("*.py")]:
        if not path.is_relative_to(kernels):
            imported = {
                name.name
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.ImportFrom)
                and str(node.module).startswith("pegwise.kernels")
                for name in node.names
            }
            assert not imported & parts, path
