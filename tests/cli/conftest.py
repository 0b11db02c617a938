"""`run`: the program as typed, in this process."""

import io
import os
import sys
from pathlib import Path

import pytest

from pegwise.cli.main import main
from pegwise.i18n import SOURCE, use
from tests.cli.running import Ended, Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run `pegwise` with arguments, in an empty folder, its data in `home` there.

    `typed` is its standard input, closed if None; `colors` makes its standard output look like a
    terminal's; `streams` replaces streams of `sys` by name.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path / "home"))

    def run(
        *arguments: str, typed: str | None = "", colors: bool = False, **streams: object
    ) -> Ended:
        typing = io.TextIOWrapper(io.BytesIO((typed or "").encode()), encoding="utf-8")
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as exited:
            patch.setattr(sys, "stdin", None if typed is None else typing)
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            if colors:
                patch.setattr(sys.stdout, "isatty", lambda: True)
            # what a run may set for itself
            for name in ("LANGUAGE", "NO_COLOR"):
                patch.setenv(name, os.environ.get(name, ""))
            main(arguments)
        use(SOURCE)
        out, err = capfd.readouterr()
        status = exited.value.code
        assert isinstance(status, int)
        assert "Traceback" not in out + err
        # said once on a machine, whatever runs first
        said = [line for line in err.splitlines(True) if not line.startswith("Compiling kernels")]
        return Ended(status, out, "".join(said))

    return run
