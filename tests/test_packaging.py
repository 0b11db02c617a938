"""Wheel and source distribution: built, looked into, installed in a clean environment, and run."""

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import pegwise

pytestmark = pytest.mark.whole(of="documents")

ROOT = Path(__file__).parents[1]

NEEDED = [
    "pegwise/py.typed",
    "pegwise/locale/fr/LC_MESSAGES/pegwise.mo",
    "pegwise/pictures/report.css",
    "pegwise/search/certificates/data/optima/4x6.optimum",
    "pegwise/search/certificates/data/values/4x6.value",
    "pegwise/search/certificates/data/static_sets.json",
    "pegwise/web/locale/fr/LC_MESSAGES/web.po",
    "pegwise/web/templates/play.html.j2",
    "pegwise/web/static/play.js",
]


def call(arguments: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """What a program prints, run away from the sources and from whatever is set for them."""
    done = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that is made of it."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    call([sys.executable, "-m", "build", "--no-isolation", "-o", folder, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, installed from the wheel into an environment with the libraries of this one."""
    folder = tmp_path_factory.mktemp("clean")
    call([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], folder)
    python = folder / "venv" / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    install = ["install", "--no-deps", "--no-index", "--quiet"]
    call([sys.executable, "-m", "pip", "--python", python, *install, wheel], folder)
    where = Path(
        call(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder
        ).strip()
    )
    (where / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv" / "bin" / "pegwise"


def names_in_wheel(built: Path) -> list[str]:
    (wheel,) = built.glob("*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_is_named_as_it_should_be(built: Path) -> None:
    assert {path.name for path in built.iterdir()} == {
        f"pegwise-{pegwise.__version__}-py3-none-any.whl",
        f"pegwise-{pegwise.__version__}.tar.gz",
    }


def test_the_wheel_holds_all_that_the_package_needs(built: Path) -> None:
    names = names_in_wheel(built)
    assert [name for name in NEEDED if name not in names] == []
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "pegwise").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    inside = {name for name in names if name.startswith("pegwise/")}
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "src"], capture_output=True, text=True
    ).stdout.split()
    if tracked:
        sources &= {name.removeprefix("src/") for name in tracked}
    assert sources - inside == set()


def test_the_wheel_holds_nothing_else(built: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in_wheel(built)}
    assert tops == {"pegwise", f"pegwise-{pegwise.__version__}.dist-info"}
    stray = ("__pycache__", ".nbi", ".nbc", ".pyc", "/tests/", ".DS_Store")
    assert [name for name in names_in_wheel(built) if any(sign in name for sign in stray)] == []


def test_the_source_distribution_can_build_and_test(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    needed = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"]
    needed += ["constraints.txt", "tests/naive.py", "tests/data/viaud-1979-4x4.txt"]
    needed += ["docs/race.md", "docs/pictures/race.svg", "benchmarks/__main__.py"]
    assert [
        name for name in [*needed, *(f"src/{name}" for name in NEEDED)] if name not in names
    ] == []
    assert [name for name in names if "__pycache__" in name or name.startswith(".")] == [
        ".gitignore"
    ]


def test_it_runs_where_it_is_installed(program: Path, tmp_path: Path) -> None:
    python = program.with_name("python")
    where = call([python, "-c", "import pegwise; print(pegwise.__file__)"], tmp_path).strip()
    assert Path(where).is_relative_to(program.parents[1])
    assert call([program, "--version"], tmp_path) == f"pegwise, version {pegwise.__version__}\n"
    assert call([python, "-m", "pegwise", "--version"], tmp_path).endswith(
        f"{pegwise.__version__}\n"
    )
    said = call([program, "race", "3x4", "-s", "first", "-s", "optimal"], tmp_path)
    assert "first     " in said and "Fewest on average: optimal" in said


def test_the_site_finds_its_pages(program: Path, tmp_path: Path) -> None:
    look = (
        "from fastapi.testclient import TestClient; from pegwise.web.app import create_app\n"
        "with TestClient(create_app()) as client:\n"
        "    pages = [client.get(path).status_code for path in ('/', '/play', '/learn')]\n"
        "print(pages)"
    )
    python = program.with_name("python")
    said = call([python, "-c", look], tmp_path, PEGWISE_HOME=str(tmp_path / "home"))
    assert said == "[200, 200, 200]\n"
