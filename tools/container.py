"""Do the steps of the Containerfile in clean Debian roots, and see that the site runs there.

python -m tools.container [--database ADDRESS]

It stands in for a container runtime where there is none: each `FROM` is a root that mmdebstrap
makes, and commands run there by chroot. So it must run as root, and it shows nothing of what a
runtime adds: networks of their own, limits, layers. It reads only the instructions that the file
has. pip finds packages as it does outside, where its settings name no folder.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[1]
_STARTED: Final = 120.0  # seconds within which the site must be healthy
_PASSED: Final = ("PIP_", "http_proxy", "https_proxy")  # variables of the network
_LENT: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf")  # files of this machine
_CHROOT: Final = shutil.which("chroot") or "/usr/sbin/chroot"
_CERTIFICATES: Final = "/machine-certificates.pem"  # what this machine trusts, in a root


@dataclass
class Image:
    """A root of files, and how programs run in it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def popen(
        self, command: list[str], environment: Mapping[str, str], *, silent: bool = False
    ) -> subprocess.Popen[bytes]:
        """Start a command in the root, as its user."""
        known = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | self.environment | dict(environment)
        return subprocess.Popen(
            [_CHROOT, f"--userspec={self.user}", self.root, *command],
            env=known,
            cwd="/",
            stderr=subprocess.DEVNULL if silent else None,
        )

    def run(self, command: list[str], environment: Mapping[str, str]) -> None:
        """Run a command, which must succeed."""
        status = self.popen(command, environment).wait()
        if status:
            raise SystemExit(f"{shlex.join(command)}: exit status {status}")


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with its arguments."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def build(file: Path, folder: Path) -> Image:
    """The last image of a Containerfile, made below this folder."""
    network = {name: value for name, value in os.environ.items() if name.startswith(_PASSED)}
    network["DEBIAN_FRONTEND"] = "noninteractive"
    if "PIP_CERT" in network:
        network["PIP_CERT"] = _CERTIFICATES
    stages: dict[str, Image] = {}
    image = Image(folder)
    for name, rest in instructions(file.read_text("utf-8")):
        print(f"{name} {rest}", flush=True)
        match name:
            case "FROM":
                base, _, stage = rest.partition(" AS ")
                image = stages[stage or "last"] = Image(folder / (stage or "last"))
                _make_root(image.root, base)
            case "RUN":
                image.run(["sh", "-ec", rest], network)
            case "COPY" if rest.startswith("--from="):
                stage, source, target = rest.removeprefix("--from=").split()
                _copy(stages[stage].root / source[1:], image.root / target[1:])
            case "COPY":
                _copy_context(image.root / rest.removeprefix(". ").lstrip("/"))
            case "ENV":
                image.environment |= dict(each.split("=", 1) for each in shlex.split(rest))
            case "USER":
                image.user = rest
            case "HEALTHCHECK":
                image.health = json.loads(rest[rest.index("[") :])
            case "CMD":
                image.command = json.loads(rest)
            case "VOLUME" | "EXPOSE":
                pass  # there is one file system, and one network
            case _:
                raise SystemExit(f"{file}: {name} is not known to this script")
    return image


def _make_root(root: Path, base: str) -> None:
    """A root as slim images of Debian are: `debian:trixie-slim` is the suite trixie."""
    suite = base.removeprefix("debian:").removesuffix("-slim")
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", suite, root], check=True)
    for name in _LENT:
        if Path(name).exists():
            _copy(Path(name), root / name[1:])
    if certificates := os.environ.get("PIP_CERT"):
        _copy(Path(certificates), root / _CERTIFICATES[1:])


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copyfile(source, target)


def _copy_context(target: Path) -> None:
    """The files of the clone that .dockerignore leaves."""
    lines = (SOURCE / ".dockerignore").read_text("utf-8").split()
    kept = {line[1:] for line in lines if line.startswith("!")}
    for path in sorted(SOURCE.iterdir()):
        if any(fnmatch(path.name, name) for name in kept):
            _copy(path, target / path.name)


def check(image: Image, database: str) -> None:
    """Start the command, wait until it is healthy, and end it."""
    shared = image.root / "dev" / "shm"  # a runtime mounts both
    shared.mkdir(exist_ok=True)
    shared.chmod(0o1777)
    subprocess.run(["mount", "-t", "proc", "proc", image.root / "proc"], check=True)
    try:
        _check_site(image, database)
    finally:
        subprocess.run(["umount", image.root / "proc"], check=True)


def _check_site(image: Image, database: str) -> None:
    named = {"PEGWISE_DATABASE_URL": database} if database else {}
    site = image.popen(image.command, named)
    begun = time.monotonic()
    try:
        while image.popen(image.health, {}, silent=True).wait():
            if site.poll() is not None or time.monotonic() - begun > _STARTED:
                raise SystemExit("the site does not start")
            time.sleep(1)
        print(f"healthy after {time.monotonic() - begun:.1f} s")
        uid = Path(f"/proc/{site.pid}").stat().st_uid
        print(f"user id {uid}")
        if not uid:
            raise SystemExit("the site runs as root")
        kept = sorted(path.name for path in (image.root / "data").iterdir())
        print("in /data:", *kept)
        if bool(database) == ("web.sqlite" in kept):
            raise SystemExit("the database is not the one that was named")
    finally:
        site.send_signal(signal.SIGTERM)
        if site.wait(30):
            raise SystemExit(f"the site ended with status {site.returncode}")


def main() -> None:
    """Build the image below a temporary folder, and run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", default="", help="address of a PostgreSQL for the site")
    options = parser.parse_args()
    if os.geteuid() or not shutil.which("mmdebstrap"):
        sys.exit("tools.container needs mmdebstrap and the rights of root")
    with tempfile.TemporaryDirectory(prefix="pegwise-container-") as folder:
        image = build(SOURCE / "Containerfile", Path(folder))
        size = sum(path.lstat().st_size for path in image.root.rglob("*"))
        print(f"{size / 1e6:.0f} MB")
        check(image, options.database)


if __name__ == "__main__":
    main()
