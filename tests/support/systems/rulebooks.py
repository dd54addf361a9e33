"""Questions to the rulebook of a rule system."""

from __future__ import annotations

import re
from pathlib import Path

from client.model.rulebook import Rulebook


def told(book: Rulebook) -> str:
    """Return all that a book says."""
    return " ".join(paragraph for section in book.sections for paragraph in section.paragraphs)


def rules_named(folder: Path, prefix: str) -> set[str]:
    """Return the rules that the code and the data of a system name."""
    files = [*folder.rglob("*.py"), *(folder / "data").rglob("*.toml")]
    return set(re.findall(rf"\"({prefix}-[A-Z]+-\d\d)\"", "".join(path.read_text("utf-8") for path in files)))
