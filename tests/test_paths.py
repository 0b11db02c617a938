"""Files that appear as a whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from pegwise.errors import DataFileError
from pegwise.paths import SHARED, new_beside, read_text, replacing


def test_filled_then_put_in_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt), replacing(path) as beside:
        beside.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "before"
    with replacing(path) as beside:
        beside.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]
    assert len({new_beside(path) for _ in range(5)}) == 5


def test_folders_are_not_replaced_or_made(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"), replacing(tmp_path / "folder"):
        pass
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "nowhere" / "file"):
        raise AssertionError("nothing to fill")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_who_may_read(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        with replacing(tmp_path / "mine"):
            pass
        with replacing(tmp_path / "ours", SHARED):
            pass
    finally:
        os.umask(mask)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("mine", "ours")]
    assert modes == [0o600, 0o640]


def test_text_is_read_as_windows_and_others_write_it(tmp_path: Path) -> None:
    path = tmp_path / "turns.txt"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text("forêt=XO", encoding=encoding)
        assert read_text(path, 100) == "forêt=XO"
    path.write_text("forêt=XO", encoding="latin-1")
    with pytest.raises(DataFileError, match="UTF-8"):
        read_text(path, 100)
