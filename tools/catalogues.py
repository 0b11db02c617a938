"""Compile the catalogues of messages, whenever hatchling builds or installs the package.

A catalogue `NAME.po` is in the repository. Beside it stands `NAME.mo`, which `gettext` reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(package: Path) -> Iterator[Path]:
    """Write each compiled catalogue below a folder, and give its path.

    A sentence that is not translated is left out.
    """
    for source in sorted(package.rglob("*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3])
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        path = source.with_suffix(".mo")
        path.write_bytes(compiled.getvalue())
        yield path


class CatalogueHook(BuildHookInterface[Any]):
    """Adds the compiled catalogues to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        root = Path(self.root)
        paths = compile_catalogues(root / "src" / "pegwise")
        build_data["artifacts"] += [path.relative_to(root).as_posix() for path in paths]
