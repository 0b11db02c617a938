"""Files damaged on purpose."""

from pathlib import Path


def damage(path: Path, where: int | str) -> bytes:
    """Change one bit of a file, or cut it: half if `cut`, all if `empty`; what is left."""
    content = bytearray(path.read_bytes())
    if isinstance(where, int):
        content[where] ^= 1
    else:
        del content[0 if where == "empty" else len(content) // 2 :]
    path.write_bytes(content)
    return bytes(content)
