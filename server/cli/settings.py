"""Settings that a host may also give in the environment or a file, since everybody on the computer can read command
lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Parameter, env_var_split

from server.runtime.errors import CommandError

PREFIX: Final = "ESCHATON_"
MOST_BYTES: Final = 4096
"""Most bytes of a file with one setting."""


def _words(kind: Any, value: str, *, delimiter: str | None = None) -> list[str]:
    """Split a variable's value; one that is set to nothing counts as not set."""
    return env_var_split(kind, value, delimiter=delimiter) if value else []


def setting(name: str, **more: Any) -> Parameter:
    """Return an option that the variable ESCHATON_`name` gives where the command line does not."""
    return Parameter(env_var=PREFIX + name, env_var_split=_words, **more)


DataFolder = Annotated[Path | None, setting("DATA")]
ContentFolder = Annotated[Path | None, setting("CONTENT")]
StorePlace = Annotated[str, setting("STORE")]
StoreFile = Annotated[Path | None, setting("STORE_FILE")]


def store_place(store: str, file: Path | None) -> str:
    """Return the place of the matches: as it is given, or as it stands in a file alone. Raises CommandError."""
    if file is None:
        return store
    if store:
        raise CommandError("--store and --store-file name the same thing: give one of them.")
    try:
        with file.open("rb") as opened:
            place = opened.read(MOST_BYTES + 1).decode("ascii").strip()
    except OSError as problem:
        raise CommandError(f"--store-file {file} cannot be read: {problem.strerror or problem}.", 1) from problem
    except UnicodeDecodeError as problem:
        raise CommandError(f"--store-file {file} holds signs that no store's address has.", 1) from problem
    if not place or len(place) > MOST_BYTES or len(place.splitlines()) != 1:
        raise CommandError(f"--store-file {file} must hold one line: the store, as --store takes it.", 1)
    return place
