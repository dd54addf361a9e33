"""docs/looks.md written anew: the glyphs, grounds and kinds of terrain that content may name, and the sounds."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from client.ui import theme
from engine.core.rules.system import System
from protocol.scene.looks import GLYPHS, GROUNDS, ICONS, SOUNDS
from protocol.text_format import format_text
from server.content.systems import find_systems, texts_of

PAGE: Final = Path("docs/looks.md")
HEAD: Final = """\
# Glyphs, grounds, terrain and sounds

Names that [content of your own](content.md) may use for what a table looks like, and [rule systems](ruleset.md) for
what is heard. This page is written by `python -m tools.looks`.

## Glyphs

`glyph` of a faction or a figure: the silhouette on its base. Each icon is a glyph by its own name, and some have
another word. Other names are refused; the check offers the nearest.
`eschaton-server content icons icons.png` draws this list. Whose icons they are: [credits.md](credits.md).

![All icons with their names](pictures/icons.png)
"""
WORDS_HEAD: Final = """\
Other words for some of them:
"""
GROUND_HEAD: Final = """\
## Grounds

`ground` of a map or a scenario. Other names are refused, too.
"""
TERRAIN_HEAD: Final = """\
## Terrain

`kind` of a feature: one of those that the game ships, or one that your own files define under `[terrain.ID]`. Kinds
without a look of their own are drawn as plain ground.
"""
SOUND_HEAD: Final = """\
## Sounds

Each kind of cue has a sound. A rule system names others in its English catalogue, `"sound.KEY" = "NAME"`: KEY is that
of a text that a cue tells, the beginning of one up to a dot, or the key of a thing that it names, such as a weapon.
Dice roll at first whatever is named, and at their end have the named sound or settle. A name that a client does not
know changes nothing.
"""


def page() -> str:
    """Return the text of the page."""
    words = ((f"`{word}`", f"`{name}`") for word, name in GLYPHS.items() if word != name)
    parts = [
        HEAD,
        _table(("about", "glyphs"), ((about, _listed(names)) for about, names in ICONS.items())),
        WORDS_HEAD,
        _table(("glyph", "shows"), words),
    ]
    parts += [GROUND_HEAD, _table(("ground", "is"), ((f"`{id}`", words) for id, words in GROUNDS.items()))]
    parts.append(TERRAIN_HEAD)
    for system in find_systems().values():
        parts += [
            f"### {format_text(system.title, system.catalogue('en'))}\n",
            _table(("kind", "says", "look"), _terrain(system)),
        ]
    parts += [SOUND_HEAD, _table(("sound", "is"), ((f"`{id}`", words) for id, words in SOUNDS.items()))]
    return "\n".join(parts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _terrain(system: System[Any]) -> Iterator[tuple[str, ...]]:
    for text in texts_of(system).values():
        for id, kind in tomllib.loads(text).get("terrain", {}).items():
            yield f"`{id}`", _keys(kind), "its own" if id in theme.TERRAIN else "plain"


def _keys(kind: Mapping[str, Any]) -> str:
    told = [key if value is True else f"{key}: {_words(value)}" for key, value in kind.items() if _counts(key, value)]
    return ", ".join(told) or "nothing"


def _words(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def _counts(key: str, value: object) -> bool:
    return key not in ("id", "name", "hint", "rule", "rules") and value not in (False, "", [])


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
