"""How much memory is taken, and how much a search is estimated to take."""

from __future__ import annotations

import numpy as np
import pytest

from pegwise.search.memory import peak_memory, taken_memory


def test_what_is_taken_is_counted_while_it_is_held() -> None:
    before = taken_memory()
    if before is None:
        pytest.skip("the system does not tell how much memory is taken")
    held = np.ones(96 << 20, np.uint8)
    assert (taken_memory() or 0) - before > 64 << 20
    most = peak_memory()
    assert most > held.nbytes
    del held
    assert (taken_memory() or 0) - before < 64 << 20
    assert peak_memory() >= most
