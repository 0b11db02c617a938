"""A PostgreSQL server of its own, as an unprivileged user, on a socket in a folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["find_programs", "server"]

_USERS = ("postgres", "nobody")


def find_programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, newest version first."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


@contextmanager
def server(programs: Path) -> Iterator[str]:
    """A running server; yields the URL of an empty database."""
    user = _unprivileged()
    with tempfile.TemporaryDirectory(prefix="pegwise-pg-") as name:
        folder = Path(name)
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        data = folder / "data"

        def call(*command: str) -> None:
            subprocess.run(
                command,
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
                user=None if user is None else user.pw_uid,
                group=None if user is None else user.pw_gid,
                extra_groups=None if user is None else [],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                timeout=120,
            )

        call(str(programs / "initdb"), "-D", str(data), "-U", "pegwise", "-A", "trust", "-N")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control = str(programs / "pg_ctl")
        log = str(folder / "log")
        call(control, "start", "-w", "-D", str(data), "-l", log, "-o", options)
        try:
            yield f"postgresql://pegwise@/postgres?host={folder}"
        finally:
            call(control, "stop", "-D", str(data), "-m", "immediate")


def _unprivileged() -> pwd.struct_passwd | None:
    """Who runs the server: it refuses to be run by root."""
    if os.getuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in _USERS if name in known)
