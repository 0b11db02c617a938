"""Tell whether what `make test-all` covers has changed since it last passed.

    python -m tools.covered [--note]

`make test` leaves out the tests marked `whole`: every tutorial in both languages, the notebooks,
the site, the packages. They break when documents, the command line or the package's face change.
A digest of those files is kept beside the tests: exit status 0 says that nothing has changed since
then, 1 that `make test-all` should run. `--note` writes the digest, as `make test-all` does at its
end.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIGEST = ROOT / "tests" / "whole.sha256"
COVERED = (
    *("docs", "README.md", "mkdocs.yml", "pyproject.toml", "constraints.txt"),
    *("src/pegwise/__init__.py", "src/pegwise/cli", "src/pegwise/locale", "src/pegwise/pictures"),
)


def digest() -> str:
    """The digest of the names and contents of all covered files."""
    total = hashlib.sha256()
    for top in COVERED:
        paths = [ROOT / top] if (ROOT / top).is_file() else sorted((ROOT / top).rglob("*"))
        for path in paths:
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                total.update(path.read_bytes() + b"\0")
    return total.hexdigest()


if __name__ == "__main__":
    if sys.argv[1:] == ["--note"]:
        DIGEST.write_text(digest() + "\n", encoding="ascii")
    elif not DIGEST.exists() or DIGEST.read_text(encoding="ascii").strip() != digest():
        sys.exit(1)
