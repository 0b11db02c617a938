"""Wheel and source distribution: built, looked into, installed in a clean environment, and run."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import pegwise
from tests.programs import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def call(arguments: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """What a program prints, run away from the sources and from whatever is set for them."""
    done = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder)} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
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
    purelib = "import sysconfig; print(sysconfig.get_path('purelib'))"
    where = Path(call([python, "-c", purelib], folder).strip())
    (where / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv" / "bin" / "pegwise"


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    name = f"pegwise-{pegwise.__version__}"
    files = {path.name for path in built.iterdir()}
    assert files == {f"{name}-py3-none-any.whl", f"{name}.tar.gz"}
    wheel = set(zipfile.ZipFile(built / f"{name}-py3-none-any.whl").namelist())
    inside = {file for file in wheel if not file.startswith(f"{name}.dist-info/")}
    paths = [path for path in (ROOT / "src").rglob("*") if path.is_file()]
    sources = [path for path in paths if "__pycache__" not in path.parts]
    assert inside == {path.relative_to(ROOT / "src").as_posix() for path in sources}
    assert not [file for file in inside if re.search(r"(^|/)(tests?/|test_|conftest)", file)]
    assert (built / f"{name}-py3-none-any.whl").stat().st_size <= 6_000_000


def test_the_source_distribution_can_build_and_test(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    needed = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"]
    needed += ["constraints.txt", "tests/naive.py", "tests/data/viaud-1979-4x4.txt"]
    needed += ["docs/race.md", "docs/pictures/race.svg", "benchmarks/__main__.py"]
    assert set(needed) <= names
    hidden = [name for name in names if "__pycache__" in name or name.startswith(".")]
    assert hidden == [".gitignore"]


def test_it_runs_where_it_is_installed(program: Path, tmp_path: Path) -> None:
    python = program.with_name("python")
    where = call([python, "-c", "import pegwise; print(pegwise.__file__)"], tmp_path).strip()
    assert Path(where).is_relative_to(program.parents[1])
    version = call([python, "-m", "pegwise", "--version"], tmp_path)
    assert version == call([program, "--version"], tmp_path)
    assert version == f"pegwise, version {pegwise.__version__}\n"
    said = call([program, "race", "3x4", "-s", "first", "-s", "optimal"], tmp_path)
    assert "first     " in said and "Fewest on average: optimal" in said
    assert "codes" in call([program, "race", "2x3", "-s", "first", "--lang", "fr"], tmp_path)
    call([program, "gaps", "--lang", "fr"], tmp_path)
    assert (tmp_path / "TP_1_mastermind.py").exists()


def test_the_site_finds_its_pages(program: Path, tmp_path: Path) -> None:
    look = (
        "from fastapi.testclient import TestClient; from pegwise.web.app import create_app\n"
        "with TestClient(create_app()) as client:\n"
        "    pages = [client.get(path).status_code for path in ('/', '/play', '/learn')]\n"
        "    french = 'Jouer' in client.get('/play', headers={'Accept-Language': 'fr'}).text\n"
        "print(pages, french)"
    )
    python = program.with_name("python")
    said = call([python, "-c", look], tmp_path, PEGWISE_HOME=str(tmp_path / "home"))
    assert said == "[200, 200, 200] True\n"


IMPORTED = {
    "": "import pegwise",
    "charts": "import jinja2, vl_convert",
    "constraint": "import ortools",
    "web": "import pegwise.web.app, uvicorn, psycopg, segno",
    "cluster": "import distributed",
    "gym": "import gymnasium, pegwise.environment",
    "agents": "import pegwise.agents.textarena, pegwise.agents.mcp",
    "lite": "import jupyterlite_core, jupyterlite_pyodide_kernel",
    "notebook": "import jupyterlab, vl_convert",
    "docs": "import mkdocs, mkdocstrings, material",
    "all": "import vl_convert, ortools, pegwise.web.app, distributed, gymnasium, jupyterlab",
}
"""What each extra is for; `dev` has what this environment has."""

MOST_WEB = 430_000_000
"""Bytes of the site with all that it needs, most of which is the compiler of kernels."""


@pytest.mark.parametrize(
    ("extra", "suffix", "resolution"),
    [
        *((extra, ".whl", "highest") for extra in IMPORTED),
        ("all", ".tar.gz", "highest"),
        ("all", ".whl", "lowest-direct"),
    ],
)
def test_every_extra_can_be_installed(
    built: Path, tmp_path: Path, extra: str, suffix: str, resolution: str
) -> None:
    """From wheel and source distribution, with the newest libraries and the lowest allowed."""
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        pytest.skip("needs uv, which make installs")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    call([uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "venv"], tmp_path, **kept)
    python = tmp_path / "venv" / "bin" / "python"
    (package,) = built.glob(f"*{suffix}")
    wanted = f"pegwise[{extra}] @ {package.as_uri()}"
    install: list[str | Path] = [uv, "pip", "install", "--quiet", "--python", python]
    install += ["--resolution", resolution]
    call([*install, wanted], tmp_path, **kept)
    home = {"PEGWISE_HOME": str(tmp_path / "home")}
    call([python, "-c", IMPORTED[extra]], tmp_path, **home)
    said = call([python, "-m", "pegwise", "race", "2x3", "-s", "first", "--json"], tmp_path, **home)
    assert json.loads(said)["results"][0]["total"] > 0
    if extra == "web":
        installed = sum(path.lstat().st_size for path in (tmp_path / "venv").rglob("*"))
        assert installed < MOST_WEB


def test_every_extra_is_tried() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    assert IMPORTED.keys() - {""} == extras.keys() - {"dev"}


def test_the_extra_of_all_runs_notebooks() -> None:
    """Whoever installs `pegwise[all]` has Jupyter, and with it IPython; but no other frameworks."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert any(requirement.startswith("jupyterlab") for requirement in extras["notebook"])
    (everything,) = extras["all"]
    named = set(everything.removeprefix("pegwise[").removesuffix("]").split(","))
    assert named == extras.keys() - {"agents", "all", "dev", "docs", "lite"}
