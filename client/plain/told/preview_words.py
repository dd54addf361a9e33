"""The table of a scenario before its set-up in words: its size, its terrain by kind, and where each seat starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from client.model.lobby.scenario_previews import SeenScenario
from client.model.table.start_zones import middle_of, starts_of
from client.model.table.tabletop import Tabletop
from client.plain.told.compass import direction_between, direction_words, length_words
from client.text.phrases import named, phrase
from protocol.scene.nodes import Point
from protocol.wire.from_server import TableView

MIDDLE: Final = 6
"""A zone whose middle is nearer to that of the table than its shorter side divided by this lies in the middle."""


def preview_lines(seen: SeenScenario, table: TableView) -> Iterator[str]:
    """Yield the table in a line or two."""
    top = Tabletop(seen.nodes)
    width, height = (length_words(side, top.table.unit) for side in top.table.size)
    counts = Counter(feature.kind for feature in top.features.values())
    terrain = [_kind_words(kind, count) for kind, count in counts.most_common()]
    if seen.left_out:
        terrain.append(phrase("plain.map.dice", count=seen.left_out))
    told = ", ".join(terrain) or phrase("plain.map.none")
    yield phrase("plain.map.table", width=width, height=height, terrain=told)
    zones = starts_of(top)
    if zones:
        starts = [_start_words(outline, seats, top.table.size, table) for outline, seats in zones.items()]
        yield phrase("plain.map.starts", starts="; ".join(starts))


def _kind_words(kind: str, count: int) -> str:
    return phrase("plain.map.kind", count=count, kind=named("plain.kind", kind).replace("_", " "))


def _start_words(outline: Sequence[Point], seats: Sequence[int], size: Point, table: TableView) -> str:
    """Return who starts in a zone, and in which direction from the middle of the table it lies."""
    middle, at = (size[0] // 2, size[1] // 2), middle_of(outline)
    who = ", ".join(_who(seat, table) for seat in seats)
    near = min(size) // MIDDLE
    if abs(at[0] - middle[0]) < near and abs(at[1] - middle[1]) < near:
        return phrase("plain.map.start.middle", who=who) if seats else phrase("plain.map.open.middle")
    where = direction_words(direction_between(middle, at))
    return phrase("plain.map.start", who=who, where=where) if seats else phrase("plain.map.open", where=where)


def _who(seat: int, table: TableView) -> str:
    """Return the number of a seat with the name of who holds it."""
    name = next((view.name for view in table.seats if view.seat == seat), "")
    return " ".join(filter(None, (str(seat + 1), name)))
