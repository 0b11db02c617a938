"""`pegwise gaps`: the practical for a class, with gaps for pupils."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from pegwise.cli import options
from pegwise.errors import InputError
from pegwise.i18n import language, tr, trn
from pegwise.practical import Solved, shipped


@click.command(epilog="Example: pegwise gaps --solved --folder class")
@click.argument("notebook", required=False, type=options.A_FILE, metavar="[NOTEBOOK]")
@options.path_option(
    "--folder", metavar="FOLDER", help="Where to write; if not given, into this folder."
)
@click.option("--solved", is_flag=True, help="Write the solved notebook too.")
@options.force_option
@options.json_option
def gaps(notebook: Path | None, folder: Path | None, solved: bool, as_json: bool) -> None:
    """Write the practical for a class, with gaps: a notebook, and a file for Spyder or IDLE.

    It is the school practical of thirteen questions, in English or, with --lang fr, in French;
    or it is made from NOTEBOOK, a solved notebook of your own. In its code a line "# ▼ question 3"
    begins what pupils write, and a line "# ▲" ends it; a cell of text that begins with
    **Answer.** is left blank. If part of a solution would stay, nothing is written.
    """
    source = shipped(language()) if notebook is None else Solved.read(notebook)
    folder = folder or Path()
    files = {f"{source.stem}.ipynb": source.notebook(), f"{source.stem}.py": source.script()}
    if solved:
        files[source.name] = source.text
    paths = {folder / name: text for name, text in files.items()}
    if notebook is not None and any(path.absolute() == notebook.absolute() for path in paths):
        raise InputError("{path} would be replaced: leave out --solved", path=repr(str(notebook)))
    if present := [repr(str(path)) for path in paths if path.exists()]:
        options.check_replaced(", ".join(present))
    with suppress(OSError):  # what is wrong with the folder is said below
        folder.mkdir(exist_ok=True)
    for path, text in paths.items():
        options.write_file(path, text.encode())
    if as_json:
        options.print_json(
            {
                "files": [str(path) for path in paths],
                "language": source.language,
                "gaps": source.questions,
                "without_gap": source.without_gap,
            }
        )
        return
    for path in paths:
        click.echo(path)
    n = len(source.questions)
    click.echo(trn("{n} question has a gap.", "{n} questions have a gap.", n), nl=False)
    if source.without_gap:
        numbers = ", ".join(map(str, source.without_gap))
        click.echo(" " + tr("Without a gap: {numbers}.", numbers=numbers), nl=False)
    click.echo()
