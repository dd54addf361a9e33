"""The shipped army pages, read under the rules that are in force."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from engine.rulesets.one_page.content import armies

DATA: Final = Path(armies.__file__).parents[1] / "data"


def army_texts() -> dict[str, str]:
    """Return {file name: TOML} of weapons, points, disciplines and armies."""
    files = [DATA / f"{name}.toml" for name in ("disciplines", "points", "weapons")]
    files += sorted((DATA / "armies").glob("*.toml"))
    return {path.relative_to(DATA).as_posix(): path.read_text("utf-8") for path in files}


@functools.cache
def book() -> armies.Book:
    """Return all shipped armies."""
    return armies.read(army_texts())
