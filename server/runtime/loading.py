"""Loading of what lives as long as the process: modules, schemas, content."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def load_uncollected() -> Iterator[None]:
    """Collect no garbage within the block, and leave what there is at its end out of collections until `gc.unfreeze`:
    to look through what is loaded, again and again, would take a fifth of the time to load it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
