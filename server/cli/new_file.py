"""Files that a command makes: none is ever overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.runtime.errors import CommandError


@contextmanager
def making(path: Path, instead: str = "Name a new file.") -> Iterator[None]:
    """Tell in plain words of a file that is opened inside, in mode "x", and cannot be made. `instead`: what to do where
    it is there already.

    Raises CommandError: 2 where it is there already, else 1.
    """
    try:
        yield
    except FileExistsError as problem:
        raise CommandError(f"{path} is there already. {instead}") from problem
    except OSError as problem:
        raise CommandError(f"{path} cannot be written: {problem.strerror or problem}.", 1) from problem
