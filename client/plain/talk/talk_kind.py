"""Kind of talk: how one kind of field is asked for, answered, and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from client.plain.told.shown_table import ShownTable

Notes = Mapping[str, str]
"""Notes on options beside their names, by id: their chances, as a survey has found them."""


class TalkKind(NamedTuple):
    """Functions for drafts of one kind: `lines` asks, `take` fills in what was typed and returns what to tell ("" where
    the field is complete with it; raises BadAnswer), `value` tells what stands in it."""

    lines: Callable[[Any, ShownTable, Notes], Iterator[str]]
    take: Callable[[Any, str, ShownTable], str]
    value: Callable[[Any, ShownTable], str]
