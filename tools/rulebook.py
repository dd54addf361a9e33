"""The rulebook's page, made of the rule system's own words, and its pictures: `make rulebook`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from client.display import go_headless
from engine.core.rulebook import Section
from engine.rulesets.action_cards.rulebook_text import SECTIONS

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = "docs/rulebook"
HEAD: Final = """\
# The rules of the action-card skirmish

All of them, for one cup of coffee. At the table **H**, or the **?** beside a choice, opens the paragraph that matters
just then. Made of `engine/rulesets/action_cards/rulebook_text.py` by `make rulebook`; what the code decides where the
rules are silent stands in `engine/rulesets/action_cards/RULINGS.md`.
"""
WIDTH: Final = 120


def markdown() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(line for section in SECTIONS for line in _section(section))])


def _section(section: Section) -> Iterator[str]:
    yield f"## {section.title}"
    name, caption = section.picture
    for number, paragraph in enumerate(section.paragraphs):
        yield from _wrapped(paragraph.words)
        yield ""
        if name and number == 0:
            yield f"![{caption}]({name}.png)"
            yield ""
            yield f"*{caption}*"
            yield ""


def _wrapped(words: str) -> Iterator[str]:
    line = ""
    for word in words.split():
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def main() -> int:
    go_headless()  # before anything opens a display
    from tools.rulebook_pictures import draw_all

    folder = ROOT / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(markdown(), "utf-8")
    for path in draw_all(folder):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
