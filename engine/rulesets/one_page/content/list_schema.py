"""Schema of the TOML of an army list."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Key
from engine.rulesets.one_page.content.army_schema import UnitId
from engine.rulesets.one_page.content.lists import MOST_COUNT, MOST_ENTRIES, MOST_LIMIT, MOST_NUMBER, MOST_UPGRADES


class HeadEntry(Entry):
    """Head of a list: its army, the version of the army's page, its limit of points."""

    army: Id
    version: Annotated[int, Field(ge=1, le=999)]
    limit: Annotated[int, Field(ge=0, le=MOST_LIMIT, multiple_of=100)]
    name: Annotated[Key, Field(max_length=60)] | None = None


class LineEntry(Entry):
    """A line of a list: `count` of a unit, each with these rows of its upgrades, by number."""

    id: UnitId
    count: Annotated[int, Field(ge=1, le=MOST_COUNT)] = 1
    upgrades: Annotated[list[Annotated[int, Field(ge=1, le=MOST_NUMBER)]], Field(max_length=MOST_UPGRADES)] = []
    discipline: Id | None = None
    doubled: bool = False


class ListDocument(Entry):
    """An army list as a file."""

    list_: Annotated[HeadEntry, Field(alias="list")]
    unit: Annotated[list[LineEntry], Field(max_length=MOST_ENTRIES)] = []
