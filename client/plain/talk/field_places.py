"""Talk about fields that are filled in on the table: places, ways, cells, facings and templates, by names, compass and
distance, or numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, PlacementDraft, PointDraft, TemplateDraft
from client.input.drafts import Draft
from client.input.way_draft import WayDraft
from client.model.words.option_names import option_name
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.talk.talk_kind import Notes, TalkKind
from client.plain.told.compass import (
    COMPASS,
    direction_named,
    direction_of,
    direction_words,
    length_words,
    place_words,
    step,
    way_words,
)
from client.plain.told.places import PlaceReader, UnknownPlace
from client.plain.told.reach import reach_lines
from client.plain.told.shown_table import ShownTable
from client.text.phrases import phrase
from protocol.scene.grid import Cell, Grid
from protocol.scene.nodes import Point

Spot = PointDraft | TemplateDraft
MOST_CELLS: Final = 24
"""Cells that are listed one by one."""
MOST_REGIONS: Final = 6
"""Outlines of allowed ground that are told one by one."""
FAR: Final = 100_000
"""Hundredths from a thing within which it looks in a direction."""


def _read(words: str, shown: ShownTable, start: Point | None) -> Point:
    try:
        return PlaceReader(shown.top, shown.names).read(words, start)
    except UnknownPlace as unknown:
        raise BadAnswer(str(unknown)) from None


def _spot_lines(draft: Spot, shown: ShownTable, _: Notes) -> Iterator[str]:
    field = draft.field
    yield phrase("plain.place.how")
    if field.start is not None:
        place, length = place_words(field.start), length_words(field.reach, shown.unit)
        within = phrase("plain.place.within", place=place, length=length)
        yield within if field.reach else phrase("plain.place.from", place=place)
        yield from reach_lines(field.start, field.regions, shown.unit)
        return
    for region in field.regions[:MOST_REGIONS]:
        yield phrase("plain.place.region", extent=shown.extent_words(region))
    if draft.point is not None:
        yield phrase("plain.place.from", place=place_words(draft.point))


def _take_spot(draft: Spot, words: str, shown: ShownTable) -> str:
    """Aim at a place, measured from the start or else from what is proposed; one out of reach counts as the furthest on
    the way there, which is told and may be changed."""
    start = draft.field.start
    wanted = _read(words, shown, start if start is not None else draft.point)
    before = draft.point, draft.touched
    draft.aim(wanted)
    if draft.point == start and wanted != start:
        draft.point, draft.touched = before
        raise BadAnswer(phrase("gesture.nowhere"))
    return "" if draft.point == wanted else phrase("plain.place.nearest", place=_spot_words(draft, shown))


def _spot_words(draft: Spot, shown: ShownTable) -> str:
    if draft.point is None:
        return phrase("plain.nothing")
    if draft.field.start is None:
        return place_words(draft.point)
    way = way_words(draft.field.start, draft.point, shown.unit)
    return phrase("plain.place.way", place=place_words(draft.point), way=way)


def _placement_lines(draft: PlacementDraft, shown: ShownTable, _: Notes) -> Iterator[str]:
    yield phrase("plain.placement.how")
    for number, piece in enumerate(draft.field.pieces, 1):
        at = draft.places.get(piece)
        where = place_words(at) if at is not None else phrase("plain.nothing")
        yield phrase("plain.line", number=number, words=f"{option_name(shown.model, piece, None)}: {where}")


def _take_placement(draft: PlacementDraft, words: str, shown: ShownTable) -> str:
    """Put the figure of a number somewhere else: "2 1 n" moves figure 2 by an inch."""
    number, _, rest = words.partition(" ")
    piece = draft.field.pieces[numbered(number, len(draft.field.pieces)) - 1]
    place = _read(rest, shown, draft.places.get(piece, draft.field.around))
    draft.put(piece, place)
    return phrase("plain.placement.put", number=int(number), place=place_words(place))


def _placement_words(draft: PlacementDraft, _: ShownTable) -> str:
    return phrase("plain.placement.value", count=len(draft.places))


def _path_lines(draft: PathDraft, _: ShownTable, __: Notes) -> Iterator[str]:
    yield phrase("plain.path.how", least=draft.field.least, last=len(draft.field.path) - 1)
    for number, at in enumerate(draft.field.path):
        if number >= draft.field.least:
            yield phrase("plain.line", number=number, words=place_words(at))


def _take_path(draft: PathDraft, words: str, shown: ShownTable) -> str:
    if words.isdecimal() and len(words) < 5 and draft.field.least <= int(words) < len(draft.field.path):
        draft.number, draft.touched = int(words), True
    else:
        draft.aim(_read(words, shown, draft.field.path[draft.number] if draft.field.path else None))
    return ""


def _path_words(draft: PathDraft, _: ShownTable) -> str:
    known = 0 <= draft.number < len(draft.field.path)
    place = place_words(draft.field.path[draft.number]) if known else ""
    return phrase("plain.path.value", number=draft.number, place=place)


def _way_lines(draft: WayDraft, shown: ShownTable, _: Notes) -> Iterator[str]:
    field = draft.field
    yield phrase("plain.way.how", most=field.most)
    if field.grid is not None:
        yield phrase("plain.way.cells")
    if field.start is not None:
        start = field.grid.centre(field.start) if field.grid is not None else field.start
        yield phrase("plain.place.from", place=place_words(start))
    for band in field.bands:
        yield phrase("plain.band", name=shown.texts.say(band.name), cost=_cost_words(band.cost, draft, shown))
        if field.grid is None and field.start is not None:
            yield from reach_lines(field.start, band.regions, shown.unit)
        elif len(band.cells) <= MOST_CELLS:
            yield ", ".join(map(_cell_words, band.cells))


def _cost_words(cost: int, draft: WayDraft, shown: ShownTable) -> str:
    return str(cost) if draft.field.grid is not None else length_words(cost, shown.unit)


def _take_way(draft: WayDraft, words: str, shown: ShownTable) -> str:
    """Draw the way anew, corner by corner, each measured from the one before."""
    field, corners = draft.field, list[Point]()
    at, grid = field.start, field.grid
    parts = words.split(phrase("plain.way.then"))
    if len(parts) > field.most:
        raise BadAnswer(phrase("plain.way.corners", most=field.most))
    for part in parts:
        at = _read(part, shown, at) if grid is None else _read_cell(part, shown, grid, at)
        corners.append(at)
    draft.corners, draft.touched = corners, True
    return ""


def _read_cell(words: str, shown: ShownTable, grid: Grid, start: Cell | None) -> Cell:
    """Return the cell that is meant: by its column and row, counted from 1, or by a place in it. Raises BadAnswer."""
    typed = words.replace(",", " ").split()
    if len(typed) == 2 and all(one.isdecimal() and len(one) < 5 for one in typed):
        return (int(typed[0]) - 1, int(typed[1]) - 1)
    return grid.nearest(_read(words, shown, grid.centre(start) if start is not None else None))


def _way_value(draft: WayDraft, shown: ShownTable) -> str:
    places = [place_words(draft.at(corner)) for corner in draft.corners]
    return f" {phrase('plain.way.then').strip()} ".join(places) or phrase("plain.nothing")


def _cell_lines(draft: CellDraft, _: ShownTable, __: Notes) -> Iterator[str]:
    yield phrase("plain.cell.how", count=len(draft.field.options))
    if len(draft.field.options) <= MOST_CELLS:
        yield ", ".join(map(_cell_words, draft.field.options))


def _take_cell(draft: CellDraft, words: str, shown: ShownTable) -> str:
    grid = draft.field.grid
    cell = _read_cell(words, shown, grid, draft.cell) if grid is not None else None
    if cell is None or cell not in draft.field.options:
        raise BadAnswer(phrase("plain.cell.not", cell=_cell_words(cell) if cell is not None else words))
    draft.cell, draft.touched = cell, True
    return ""


def _cell_words(cell: Cell) -> str:
    return phrase("fields.cell_at", column=cell[0] + 1, row=cell[1] + 1)


def _cell_value(draft: CellDraft, _: ShownTable) -> str:
    return _cell_words(draft.cell) if draft.cell is not None else phrase("plain.nothing")


def _facing_lines(draft: FacingDraft, _: ShownTable, __: Notes) -> Iterator[str]:
    known = dict.fromkeys(direction_of(angle) for angle in draft.field.angles)
    names = [direction_words(direction) for direction in COMPASS if direction in known]
    yield phrase("plain.facing.how", directions=", ".join(names))


def _take_facing(draft: FacingDraft, words: str, shown: ShownTable) -> str:
    direction = direction_named(words)
    place = step(draft.field.at, direction, FAR) if direction else _read(words, shown, draft.field.at)
    draft.aim(place)
    return ""


def _facing_words(draft: FacingDraft, _: ShownTable) -> str:
    return direction_words(direction_of(draft.angle))


KINDS: Final[Mapping[type[Draft], TalkKind]] = {
    PointDraft: TalkKind(_spot_lines, _take_spot, _spot_words),
    TemplateDraft: TalkKind(_spot_lines, _take_spot, _spot_words),
    PlacementDraft: TalkKind(_placement_lines, _take_placement, _placement_words),
    PathDraft: TalkKind(_path_lines, _take_path, _path_words),
    WayDraft: TalkKind(_way_lines, _take_way, _way_value),
    CellDraft: TalkKind(_cell_lines, _take_cell, _cell_value),
    FacingDraft: TalkKind(_facing_lines, _take_facing, _facing_words),
}
