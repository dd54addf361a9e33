"""Picture of the table: its ground with every piece of terrain on it, in the order in which they lie on one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from client.art.icons import icon
from client.draw.board.terrain import buildings, plants, stones, strips, water
from client.draw.board.terrain.canvas import Canvas, Spot
from client.draw.board.terrain.ground import ground
from client.draw.board.terrain.textures import BLACK, soft, times
from client.ui import theme
from client.ui.theme import Colour
from protocol.scene.nodes import Feature, Table

INCHES: Final = {"in": 100.0, "cm": 254.0}
"""Hundredths of a table's unit in an inch: terrain shows things of the same size whatever a book measures in."""
LONGEST: Final = 2_048
"""Pixels of the picture's longer side, at most."""
SMALL: Final = 512
"""The same of a picture that is shown small."""
FINEST: Final = 40.0
"""Pixels of an inch, at most."""
LEAST: Final = 4.0
"""Pixels of an inch from which terrain has detail; tables of any size may come, and get a picture of plain ground."""
MOST_COVERED: Final = 3
"""Times that terrain may cover the whole table; what comes after is painted plain, as each piece takes its time."""
Painter = Callable[[Canvas, Colour, Colour], None]

PAINTERS: Final[Mapping[str, Painter]] = {
    "road": strips.road,
    "open": plants.tall_grass,
    "grass": plants.tall_grass,
    "crops": plants.crops,
    "broken": stones.broken,
    "swamp": water.swamp,
    "marsh": water.swamp,
    "water": water.water,
    "river": water.water,
    "hill": stones.hill,
    "steep_hill": stones.steep_hill,
    "minefield": strips.minefield,
    "crater": stones.crater,
    "trench": strips.trench,
    "scrub": plants.scrub,
    "rubble": stones.rubble,
    "wire_fence": strips.wire,
    "wire": strips.wire,
    "wooden_fence": strips.fence,
    "fence": strips.fence,
    "low_wall": strips.low_wall,
    "barricade": strips.barricade,
    "wall": strips.wall,
    "hedge": plants.hedge,
    "vehicle": buildings.vehicle,
    "wreck": buildings.wreck,
    "ruins": buildings.ruins,
    "hut": buildings.hut,
    "bunker": buildings.bunker,
    "building": buildings.house,
    "brick_house": buildings.house,
    "stone_house": buildings.house,
    "concrete_block": buildings.block,
    "rocks": stones.rocks,
    "trees": plants.woods,
    "forest": plants.woods,
    "woods": plants.woods,
}
"""Painter of each kind, the lowest first: what stands high lies over what is flat."""
_ORDER: Final = {kind: place for place, kind in enumerate(PAINTERS)}


def terrain_picture(table: Table, features: Iterable[Feature], most: int = LONGEST) -> Image.Image:
    """Paint a table, in RGB, its longer side of `most` pixels at most."""
    longest = max(*table.size, 1)
    unit = INCHES.get(table.unit, 100.0)
    inch = min(most / longest * unit, FINEST)
    scale = inch / unit
    size = (max(round(table.size[0] * scale), 1), max(round(table.size[1] * scale), 1))
    picture = _ground(size, max(inch, LEAST), table.ground).convert("RGBA")
    colour = theme.GROUNDS.get(table.ground, theme.GROUND_ELSE)
    left: float = MOST_COVERED * size[0] * size[1]
    for feature in sorted(features, key=lambda feature: _ORDER.get(feature.kind, -1)):
        outline = _near([(x * scale, size[1] - y * scale) for x, y in feature.outline], size, inch)
        if len(outline) < 2:
            continue
        left -= _covered(outline)
        if left < 0:
            ImageDraw.Draw(picture).polygon(outline, fill=theme.TERRAIN.get(feature.kind, theme.TERRAIN_ELSE)[0])
            continue
        burns = "burning" in feature.states
        sheet, place = _painted(outline, feature.kind, inch, colour, line=feature.line, burns=burns)
        _lay(picture, sheet, place)
    return picture.convert("RGB")


def plain_ground(table: Table) -> Image.Image:
    """Return the colour of a table's ground, for as long as it is being painted."""
    return Image.new("RGB", (1, 1), theme.GROUNDS.get(table.ground, theme.GROUND_ELSE)[:3])


def _near(outline: Iterable[Spot], size: tuple[int, int], inch: float) -> tuple[Spot, ...]:
    """Return an outline without what lies more than an inch off the table: a scene may name any place."""
    wide, high = size[0] + inch, size[1] + inch
    return tuple([(min(max(x, -inch), wide), min(max(y, -inch), high)) for x, y in outline])


def _covered(outline: Sequence[Spot]) -> float:
    """Return the pixels of the rectangle around an outline."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (max(xs) - min(xs) + 1) * (max(ys) - min(ys) + 1)


@lru_cache(maxsize=4)
def _ground(size: tuple[int, int], inch: float, kind: str) -> Image.Image:
    return ground(size, inch, kind)


@lru_cache(maxsize=160)
def _painted(
    outline: tuple[Spot, ...], kind: str, inch: float, colour: Colour, *, line: bool, burns: bool
) -> tuple[Image.Image, tuple[int, int]]:
    """Paint one piece of terrain; kept, as a table is painted anew whenever one of its pieces changes."""
    fill, edge = theme.TERRAIN.get(kind, theme.TERRAIN_ELSE)
    sheet = Canvas(outline, max(inch, LEAST), colour)
    painter = PAINTERS.get(kind, _plain)
    if line != (kind in LINES):
        painter = strips.wall if line else _plain
    painter(sheet, fill, edge)
    if burns:
        _burn(sheet)
    return sheet.finished()


LINES: Final = frozenset({"wire_fence", "wire", "wooden_fence", "fence", "low_wall", "barricade", "wall", "hedge"})
"""Kinds that are painted along a line."""


def _plain(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a kind without a look of its own."""
    sheet.lay(fill, sheet.mask)
    sheet.edge(edge, 0.08)


def _burn(sheet: Canvas) -> None:
    """Paint soot and flames over what burns."""
    sheet.lay(BLACK, times(soft(sheet.mask, sheet.inch * 0.2), 0.45))
    size = max(round(sheet.inch * 0.8), 8)
    flame = icon("flame", size)
    assert flame is not None
    for x, y in sheet.strewn(1.6):
        mask = Image.new("L", sheet.size)
        mask.paste(flame, (round(x - size / 2), round(y - size / 2)))
        sheet.lay((255, 150, 40, 255), times(soft(mask, size * 0.06), 1.3))
        sheet.lay((255, 226, 120, 255), times(mask, 0.8))


def _lay(picture: Image.Image, sheet: Image.Image, place: tuple[int, int]) -> None:
    """Lay a sheet on the picture; what reaches beyond its edge is cut off."""
    left, top = max(-place[0], 0), max(-place[1], 0)
    at = (place[0] + left, place[1] + top)
    if at[0] < picture.width and at[1] < picture.height and left < sheet.width and top < sheet.height:
        picture.alpha_composite(sheet, at, (left, top))
