"""Schema of the head of a faction's page: checked by pydantic, unknown keys refused."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.core.content.content_schema import Entry, Glyph, Id, Key, Words


class PageEntry(Entry):
    """Head of a page. `code`: the letters before its units' numbers; `version` rises when a list that was saved before
    may read otherwise. `about`: paragraphs with an empty line between them; the last says how it plays. `glyph`: its
    emblem; `strong`, `weak`: what it is good and bad at."""

    id: Id
    code: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    name: Key
    version: Annotated[int, Field(ge=1, le=999)]
    about: Annotated[str, Field(max_length=8_000)] = ""
    glyph: Glyph = ""
    strong: Words = ""
    weak: Words = ""
