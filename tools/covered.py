"""Tell which tests `make test` should not leave out: what they cover has changed since they passed.

    python -m tools.covered [GROUP | --note]

Some tests are heavy and rarely break; they are marked `whole(of=GROUP)`. A digest of the files
that each group covers is stored beside the tests. What is printed selects, for pytest's option -m,
all tests but the groups whose files are still the same. With the name of a group, the exit status
is 1 if its files have changed. `--note` stores the digests, as `make test-all` does at its end.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from tools.floors import floors

ROOT = Path(__file__).parents[1]
DIGESTS = ROOT / "tests" / "whole.sha256"


def _from_below(room: str) -> tuple[str, ...]:
    """A room and all that it may import, which are the floors below."""
    table = floors()
    own = next(floor for floor, (rooms, _) in table.items() if room in rooms)
    below = [name for floor, (rooms, _) in table.items() if floor < own for name in rooms]
    source = ROOT / "src" / "pegwise"
    paths = (source / name for name in [room, *below])
    each = (path if path.is_dir() else path.with_suffix(".py") for path in paths)
    return tuple(path.relative_to(ROOT).as_posix() for path in each)


_TWINS = ("tests/naive.py", "tests/boards.py", "tests/trees/wandering.py")
COVERED = {
    # tutorials in both languages, notebooks, the site, packages
    "documents": (
        *("docs", "README.md", "mkdocs.yml", "pyproject.toml", "constraints.txt"),
        *("src/pegwise/__init__.py", "src/pegwise/cli", "src/pegwise/locale"),
        "src/pegwise/pictures",
    ),
    # pages in a browser: more of the same with other boards, and at other widths
    "pages": ("src/pegwise/web", "src/pegwise/locale", "src/pegwise/pictures", "tests/web/browser"),
    # work and commands on clusters, also those that fail; kernels that no other test compiles
    "cluster": (
        *("src/pegwise/compute", "src/pegwise/search/beam/distributed.py", "tests/clusters.py"),
        *("src/pegwise/search/exact/distributed.py", "tests/compute/test_cluster.py"),
        *("src/pegwise/programs", "src/pegwise/strategies/entrants"),
        *("src/pegwise/arena", "src/pegwise/trees/build.py"),
        *("tests/cli/test_cluster.py", "constraints.txt"),
    ),
    "kernels": ("src/pegwise/kernels", "constraints.txt"),
    # more boards, options and strategies of the same kinds; workers that are killed
    "strategies": (
        *(*_from_below("trees"), "tests/strategies", "tests/knowledge", *_TWINS),
        "constraints.txt",
    ),
    "search": (*_from_below("search"), "tests/search", *_TWINS, "constraints.txt"),
    # more of the same through commands and pages, and programs that are stopped in more ways
    "faces": (
        *("src/pegwise", "tests/cli", "tests/web", "tests/programs.py", "tests/test_bad_days.py"),
        *("tests/kernels/test_numpy_backend.py", "tests/search/test_certificates.py"),
        *("examples", "benchmarks/load.py", "constraints.txt"),
        # the pages of records are written from certificates
        *("docs/records.md", "docs/records-best.md", "docs/records-optima.md"),
        *("docs/records-sets.md", "docs/records-values.md", "tools/records.py"),
    ),
}
OLDEST = "oldest"  # what `make test-oldest` runs, which are no tests of their own
COVERED[OLDEST] = ("pyproject.toml", "constraints.txt")


def digest(group: str) -> str:
    """The digest of the names and contents of all files that a group covers."""
    total = hashlib.sha256()
    for top in COVERED[group]:
        paths = [ROOT / top] if (ROOT / top).is_file() else sorted((ROOT / top).rglob("*"))
        if not paths:
            raise FileNotFoundError(top)  # moved: the group would not notice changes of it
        for path in paths:
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                total.update(path.read_bytes() + b"\0")
    return f"{total.hexdigest()}  {group}"


def main(arguments: list[str]) -> int:
    """Print or store what the module says; the exit status."""
    digests = {group: digest(group) for group in COVERED}
    if arguments == ["--note"]:
        DIGESTS.write_text("".join(f"{line}\n" for line in digests.values()), encoding="ascii")
        return 0
    passed = DIGESTS.read_text(encoding="ascii").splitlines() if DIGESTS.exists() else []
    changed = [group for group, line in digests.items() if line not in passed]
    if arguments:
        return int(arguments[0] in changed)
    groups = (f"whole(of='{group}')" for group in changed if group != OLDEST)
    print(" or ".join(["not whole", *groups]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
