"""The rulebooks' pages, made of the rule systems' own words, and their pictures: `make rulebook`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from client.app.display import go_headless
from engine.core.view.rulebook import BookSection
from engine.rulesets.action_cards.text import texts as card_texts
from engine.rulesets.apocalypse_earth.text import texts as earth_texts
from engine.rulesets.one_page.text import texts
from protocol.scene.diagrams import Diagram

ROOT: Final = Path(__file__).resolve().parent.parent
WIDTH: Final = 120


class Page(NamedTuple):
    """A page of a rulebook: its folder of docs, the text above the sections, the sections and their pictures."""

    folder: str
    head: str
    sections: tuple[BookSection, ...]
    pictures: Mapping[str, Diagram]


PAGES: Final = (
    Page(
        "docs/rulebook",
        """\
# The rules of the action-card skirmish

All of them, for one cup of coffee. At the table **H**, or the **?** beside a choice, opens the paragraph that matters
just then. Made of `engine/rulesets/action_cards/text/rulebook.toml` by `make rulebook`; what the code decides where
the rules are silent stands in `engine/rulesets/action_cards/RULINGS.md`.
""",
        card_texts.BOOK.sections,
        card_texts.PICTURES,
    ),
    Page(
        "docs/rulebook/one_page",
        """\
# The rules of One Page Apocalypse

All of them, on a page and a bit. At the table **H**, or the **?** beside a choice, opens the paragraph that matters
just then. Made of `engine/rulesets/one_page/text/rulebook.toml` by `make rulebook`; what the code decides where the
rules are silent stands in `engine/rulesets/one_page/RULINGS.md`. How an army is built: [army lists](../../armies.md).
""",
        texts.BOOK.sections,
        texts.PICTURES,
    ),
    Page(
        "docs/rulebook/apocalypse_earth",
        """\
# The rules of Apocalypse: Earth

All of them, in a quarter of an hour. At the table **H**, or the **?** beside a choice, opens the paragraph that matters
just then. Made of `engine/rulesets/apocalypse_earth/text/rulebook.toml` by `make rulebook`; what the code decides where
the rules are silent stands in `engine/rulesets/apocalypse_earth/RULINGS.md`. How a force is built:
[army lists](../../armies.md).
""",
        earth_texts.BOOK.sections,
        earth_texts.PICTURES,
    ),
)


def markdown(page: Page) -> str:
    """Return the whole page as Markdown."""
    return "\n".join([page.head, *(line for section in page.sections for line in _section(section))])


def _section(section: BookSection) -> Iterator[str]:
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

    for page in PAGES:
        folder = ROOT / page.folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.md").write_text(markdown(page), "utf-8")
    for path in draw_all({ROOT / page.folder: page.pictures for page in PAGES}):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
