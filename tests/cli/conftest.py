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
    """Run `pegwise` with arguments, in an empty folder; `typed` is its standard input."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, typed: str = "") -> Ended:
        typing = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", typing)
        monkeypatch.setattr(sys, "argv", ["pegwise", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        use(SOURCE)
        os.environ.pop("LANGUAGE", None)  # which a run in another language sets for click
        out, err = capfd.readouterr()
        status = left.value.code
        assert isinstance(status, int)
        assert "Traceback" not in out + err
        # said once on a machine, whatever runs first
        said = [line for line in err.splitlines(True) if not line.startswith("Compiling kernels")]
        return Ended(status, out, "".join(said))

    return run
