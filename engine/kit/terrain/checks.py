"""Checks of terrain that a schema cannot make: kinds that exist, outlines that are simple and on the table, doors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Final

from pydantic import BaseModel

from engine.core.content.content_files import ContentFault, Unread, used_twice
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import Unsound, is_unsound, part, sound
from engine.core.rules.errors import UnsoundValue
from engine.kit.scenario.references import defined, ids_of, unknown
from engine.kit.terrain.place_schema import FeatureEntry, PlaceEntry, ZoneEntry
from engine.kit.terrain.scatter import Scatter
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, checked, nearest_on_edges
from engine.space.vectors.points import Point, box_of, boxes_meet, widened, within

INCH: Final = 100
LEAST_START: Final = 300
"""A start zone is at least so wide and high."""
AT_DOOR: Final = 10
"""A door is at most so far from the outline of its building, in hundredths."""


def on_table(outline: Sequence[Point], size: Point) -> bool:
    """Tell whether all of an outline is on a table of that size."""
    left, bottom, right, top = box_of(outline)
    return left >= 0 and bottom >= 0 and right <= size[0] and top <= size[1]


def outline_faults(loc: Loc, outline: Outline, *, line: bool) -> Iterator[ContentFault]:
    """Yield the fault of corners that are no simple polygon, or of a line that stands still."""
    if line:
        if any(a == b for a, b in pairwise(outline)):
            yield ContentFault(loc, "names a point twice running")
        return
    try:
        checked(outline)
    except UnsoundValue:
        raise
    except ValueError as fault:
        yield ContentFault(loc, str(fault))


def shape_faults(loc: Loc, shape: PlaceEntry, size: Point, *, line: bool = False) -> Iterator[ContentFault]:
    """Yield the faults of a place on a table of that size. `line` may be unsound: then its corners may be any."""
    given = [key for key in ("outline", "box", "patch") if getattr(shape, key)]
    if len(given) != 1:
        yield ContentFault(loc, "give the place in one way: outline, box or patch")
        return
    here = (*loc, given[0])
    yield from sound(beyond_faults(here, shape.corners, size), outline_faults(here, shape.corners, line=line))


def beyond_faults(
    loc: Loc, outline: Sequence[Point], size: Point, reason: str = "reaches beyond the table"
) -> Iterator[ContentFault]:
    """Yield the fault of an outline that is not on a table of that size."""
    if not on_table(outline, size):
        yield ContentFault(loc, reason)


def feature_faults(
    loc: Loc, feature: FeatureEntry, size: Point, kinds: Mapping[str, bool], *, blind: bool
) -> Iterator[ContentFault]:
    """Yield the faults of a piece of terrain. `kinds`: by id, whether they are barriers; `blind`: some may lack."""
    yield from sound(
        unknown((*loc, "kind"), "terrain", (feature.kind,), kinds.keys(), blind=blind),
        _feature_place(loc, feature, size, kinds),
    )


def outlined_faults(
    loc: Loc, features: Sequence[Any], size: Point, kinds: Mapping[str, bool], *, blind: bool
) -> Iterator[ContentFault]:
    """Yield the faults of pieces of terrain that are given by their outlines; as of `feature_faults`."""
    yield from used_twice(loc, ids_of(features))
    for place, feature in enumerate(features):
        here, outline, kind = (*loc, place, "outline"), part(feature, "outline"), part(feature, "kind")
        yield from sound(
            unknown((*loc, place, "kind"), "terrain", (kind,), kinds.keys(), blind=blind),
            beyond_faults(here, outline, size),
            outline_faults(here, outline, line=is_barrier(kinds, kind)),
        )


def _feature_place(loc: Loc, feature: FeatureEntry, size: Point, kinds: Mapping[str, bool]) -> Iterator[ContentFault]:
    faults = [*shape_faults(loc, feature, size, line=is_barrier(kinds, feature.kind))]
    yield from faults
    edges = () if faults else edges_of(feature.corners)
    for door in feature.doors if edges else ():
        if not within(door, nearest_on_edges(door, edges), AT_DOOR):
            yield ContentFault((*loc, "doors"), "a door is not on the outline of its building")


def barrier_kinds(documents: Iterable[BaseModel], unread: Unread) -> dict[str, Any]:
    """Return for each kind of terrain that files define, by id, whether it is a barrier; unsound where that cannot be
    read."""
    kinds = defined("terrain", documents, unread)
    return {id: kind.get("line") is True if isinstance(kind, dict) else _line_of(kind) for id, kind in kinds.items()}


def _line_of(kind: object) -> Any:
    return kind if is_unsound(kind) else getattr(kind, "line", False)


def is_barrier(kinds: Mapping[str, bool], kind: str) -> Any:
    """Tell whether a kind of terrain is a barrier; unsound where that cannot be known."""
    return kinds.get(kind, Unsound("")) if not is_unsound(kind) else kind


def layout_faults(
    table: str,
    features: Sequence[FeatureEntry],
    zones: Sequence[ZoneEntry],
    size: Point,
    kinds: Mapping[str, bool],
    *,
    blind: bool = False,
) -> Iterator[ContentFault]:
    """Yield the faults of all features and zones of a table, [table.feature] and [table.zone]."""
    yield from sound(
        _features((table, "feature"), features, size, kinds, blind=blind), _zones((table, "zone"), zones, size)
    )


def _features(
    loc: Loc, features: Sequence[FeatureEntry], size: Point, kinds: Mapping[str, bool], *, blind: bool
) -> Iterator[ContentFault]:
    yield from used_twice(loc, ids_of(features))
    for place, feature in enumerate(features):
        yield from sound(feature_faults((*loc, place), feature, size, kinds, blind=blind))


def _zones(loc: Loc, zones: Sequence[ZoneEntry], size: Point) -> Iterator[ContentFault]:
    yield from used_twice(loc, ids_of(zones))
    for place, zone in enumerate(zones):
        yield from sound(shape_faults((*loc, place), zone, size))


def start_faults(loc: Loc, starts: Sequence[Outline]) -> Iterator[ContentFault]:
    """Yield the faults of start zones by their boxes: each is wide and high enough, and lies over no other."""
    pairs = combinations(range(len(starts)), 2)
    yield from sound(
        *[_small((*loc, place, "start"), start) for place, start in enumerate(starts)],
        *[_over((*loc, other, "start"), starts[other], one, starts[one]) for one, other in pairs],
    )


def _small(loc: Loc, start: Outline) -> Iterator[ContentFault]:
    left, bottom, right, top = box_of(start)
    if min(right - left, top - bottom) < LEAST_START:
        yield ContentFault(loc, f"a start zone is {LEAST_START // 100} inches wide and high at least")


def _over(loc: Loc, start: Outline, one: int, other: Outline) -> Iterator[ContentFault]:
    if boxes_meet(box_of(other), widened(box_of(start), -1)):
        yield ContentFault(loc, f"the start zone lies over that of role {one}")


def scatter_faults(
    loc: Loc, scatter: Scatter, size: Point, kinds: Mapping[str, bool], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield the faults of terrain that is left to chance. `kinds`: by id, whether they are barriers; `blind`: some may
    lack."""
    yield from sound(
        beyond_faults((*loc, "within"), scatter.within, size),
        _form(loc, scatter, kinds, blind=blind),
        _room(loc, scatter),
    )


def _form(loc: Loc, scatter: Scatter, kinds: Mapping[str, bool], *, blind: bool) -> Iterator[ContentFault]:
    if scatter.kind not in kinds:
        yield from unknown((*loc, "kind"), "terrain", (scatter.kind,), kinds.keys(), blind=blind)
    elif kinds[scatter.kind] != (scatter.form == "line"):
        form = "a barrier: a line" if kinds[scatter.kind] else "no barrier: a patch or box"
        yield ContentFault((*loc, "form"), f"{scatter.kind} is {form}")


def _room(loc: Loc, scatter: Scatter) -> Iterator[ContentFault]:
    left, bottom, right, top = box_of(scatter.within)
    wide, high = sorted(scatter.size)
    if wide < 0 or high < INCH or (wide < INCH and scatter.form != "line"):
        yield ContentFault((*loc, "size"), "a piece is an inch wide and high at least")
    elif wide > min(right - left, top - bottom) or high > max(right - left, top - bottom):
        yield ContentFault((*loc, "size"), "a piece finds no room in its part of the table")
    if scatter.apart < 0:
        yield ContentFault((*loc, "apart"), "pieces lie apart from each other, by 0 at least")
