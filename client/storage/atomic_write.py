"""Writing of a file, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Put this in place of what the file held; only its owner may read it. Raises OSError: then nothing has changed."""
    with replacing(path) as fresh:
        fresh.write_bytes(data)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a new file beside `path`, which only its owner may read, and put it in the place of `path` at the end; where
    an exception ends it, nothing has changed. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    fresh = Path(name)
    try:
        yield fresh
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
