"""Tree files taken apart, and put together whatever they say."""

import hashlib
import json
from typing import Any

import numpy as np

from pegwise.game import mastermind
from pegwise.strategies import load as load_strategy
from pegwise.trees import Tree, build
from pegwise.trees.store import to_bytes


def small_file() -> bytes:
    """The file of a small tree."""
    return to_bytes(build(load_strategy("first"), mastermind("3x4")))


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and packed nodes of a tree file."""
    _, header, packed = data.split(b"\n", 2)
    return json.loads(header), packed


def sealed(header: dict[str, Any] | bytes, packed: bytes) -> bytes:
    """A tree file with a right checksum, whatever it says."""
    line = header if isinstance(header, bytes) else json.dumps(header).encode()
    rest = line + b"\n" + packed
    digest = hashlib.sha256(rest).hexdigest()
    return f"pegwise-tree sha256={digest} bytes={len(rest)}\n".encode() + rest


def arrays(tree: Tree) -> dict[str, Any]:
    """The packed arrays of a small tree by name, as docs/tree-format.md describes them."""
    nodes = tree.nodes
    return {
        "guess": nodes.guess.astype(np.uint8),
        "mark": nodes.mark.astype(np.uint8),
        "children": np.bincount(nodes.parent[1:], minlength=len(tree)).astype(np.uint8),
        "wins": np.packbits(nodes.wins),
    }
