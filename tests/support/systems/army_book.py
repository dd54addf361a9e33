"""The shipped army pages, read under the rules that are in force."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engine.core.content import content_files
from engine.rulesets.one_page.content import armies
from engine.rulesets.one_page.content.army_checks import complaints
from engine.rulesets.one_page.content.army_schema import Document

DATA: Final = Path(armies.__file__).parents[1] / "data"


def army_texts() -> dict[str, str]:
    """Return {file name: TOML} of weapons, points, disciplines and armies."""
    files = [DATA / f"{name}.toml" for name in ("disciplines", "points", "weapons")]
    files += sorted((DATA / "armies").glob("*.toml"))
    return {path.relative_to(DATA).as_posix(): path.read_text("utf-8") for path in files}


def read(texts: Mapping[str, str]) -> armies.Book:
    """Read army pages alone. Raises ContentRefused with every fault."""
    raw, documents = content_files.read(texts, Document, complaints)
    return armies.book_of(content_files.as_ruled(raw, documents, Document))


@functools.cache
def book() -> armies.Book:
    """Return all shipped armies."""
    return read(army_texts())
