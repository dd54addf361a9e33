"""Every colour, size and shape of the client, in one place; the colours of what the protocol names: theme.toml.

Colours are (red, green, blue, alpha), 0 to 255. Sizes are pixels at text scale 1. The colours of panels and words are
those of the chosen theme (themes.toml), the colours of seats those of the chosen palette: they are read when something
is drawn, never kept. The table and the marks on it look the same in every theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from protocol.words import read_toml

Colour = tuple[int, int, int, int]


class _Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours in theme.toml, by what the protocol names; `palettes`: those of the seats."""

    palettes: dict[str, tuple[Colour, ...]]
    grounds: dict[str, Colour]
    terrain: dict[str, tuple[Colour, Colour]]
    zones: dict[str, Colour]
    card_states: dict[str, Colour]


_NAMED: Final = msgspec.convert(read_toml(__package__, "theme"), _Named)

_THEMES: Final = msgspec.convert(read_toml(__package__, "themes"), dict[str, dict[str, Colour]])
_FIRST: Final = _THEMES["dark"]

SMALL: Final = 13
"""The smallest size of text: labels, notes, lists. It is set in the condensed cut."""
BODY: Final = 15
LARGE: Final = 18
HEAD: Final = 22
TITLE: Final = 28
SIZES: Final = (SMALL, BODY, LARGE, HEAD, TITLE)
"""The sizes of all text, in two weights each."""
LINES: Final[Mapping[float, int]] = {SMALL: 16, BODY: 20, LARGE: 24, HEAD: 28, TITLE: 36}
"""Height of a line of text by its size."""
STEP: Final = 4
"""Pixels of which the places and sizes of panels, buttons and gaps are multiples."""
GAP: Final = 8
ROW: Final = 32

THEMES: Final = ("dark", "light", "contrast")
"""The themes, the first as long as none is chosen."""
PALETTES: Final = tuple(_NAMED.palettes)

FACES: Final = ("named", "playing")
"""Faces of cards: with the words of the game alone, or with those of playing cards beside them."""

THEME: str = THEMES[0]
"""The chosen theme."""
PALETTE: str = PALETTES[0]
"""The chosen palette."""
CARD_FACES: str = FACES[0]
"""The chosen faces."""

BACK: Colour = _FIRST["back"]
PANEL: Colour = _FIRST["panel"]
PANEL_EDGE: Colour = _FIRST["panel_edge"]
RAISED: Colour = _FIRST["raised"]
HOVER: Colour = _FIRST["hover"]
FIELD: Colour = _FIRST["field"]
ACCENT: Colour = _FIRST["accent"]
ACCENT_HOVER: Colour = _FIRST["accent_hover"]
CHOSEN: Colour = _FIRST["chosen"]
"""Colour of the edge of what is chosen, or marked by the keyboard."""
FOCUS: Colour = _FIRST["focus"]
"""Colour of the edge of what one types in, or plays now."""
TEXT: Colour = _FIRST["text"]
MUTED: Colour = _FIRST["muted"]
FAINT: Colour = _FIRST["faint"]
GOOD: Colour = _FIRST["good"]
BAD: Colour = _FIRST["bad"]
WARN: Colour = _FIRST["warn"]
HINT: Colour = _FIRST["hint"]
"""Colour of words that say what can be done on the table."""
PARTLY: Colour = _FIRST["partly"]
"""Colour of dice that hold, but that others could have chosen so far."""
OTHERS: Colour = _FIRST["others"]
"""Colour of dice that hold, and rest on others."""
SHADE: Colour = _FIRST["shade"]
"""Colour over all that a page covers."""
VEIL: Colour = _FIRST["veil"]
"""Colour behind words of several lines over the board, faded."""

INK: Final[Colour] = (20, 22, 24, 255)
PAPER: Final[Colour] = (244, 240, 228, 255)
SUIT_RED: Final[Colour] = (150, 16, 24, 255)
LEADS: Final[Colour] = (250, 246, 226, 255)
PLATE: Final[Colour] = (14, 16, 20, 255)
"""Colour of the plates behind names and numbers on the board, faded, ..."""
PLATE_TEXT: Final[Colour] = (234, 237, 242, 255)
"""... and of their words."""

SEAT_COLOURS: tuple[Colour, ...] = _NAMED.palettes[PALETTE]
SEAT_SHAPES: Final = ("circle", "square", "triangle", "diamond", "star", "cross", "pentagon", "hexagon")
NOBODY: Final[Colour] = (190, 190, 190, 255)

LESSON: Final[Colour] = (255, 214, 64, 255)
"""Colour of what a lesson points at."""
SELECT: Final[Colour] = (255, 255, 255, 255)
MARK_GOOD: Final[Colour] = (110, 205, 150, 255)
MARK_BAD: Final[Colour] = (255, 158, 142, 255)
MARK_WARN: Final[Colour] = (250, 205, 95, 255)
CASING: Final[Colour] = (12, 14, 16, 220)
"""Colour around rings and edges on the table, which makes them stand off from every ground."""
CAN_PICK: Final[Colour] = (120, 230, 255, 255)
CANNOT_PICK: Final[Colour] = (255, 158, 142, 255)
REACH: Final[Colour] = (120, 230, 255, 46)
GRID: Final[Colour] = (20, 26, 30, 90)
REACH_EDGE: Final[Colour] = (120, 230, 255, 190)
TARGET: Final[Colour] = (255, 178, 92, 255)
"""Colour of what the group in focus could act on."""
UNSEEN: Final[Colour] = (10, 12, 24, 96)
"""Veil over ground that is not seen."""
GHOST: Final[Colour] = (255, 255, 255, 150)
RULER: Final[Colour] = (255, 240, 160, 255)
SIGHT_CLEAR: Final[Colour] = (130, 235, 150, 255)
SIGHT_BLOCKED: Final[Colour] = (255, 120, 100, 255)

GROUNDS: Final = _NAMED.grounds
GROUND_ELSE: Final[Colour] = (106, 118, 84, 255)

TERRAIN: Final = _NAMED.terrain
"""Fill and edge of each kind; a kind the theme does not know is drawn as TERRAIN_ELSE."""
TERRAIN_ELSE: Final[tuple[Colour, Colour]] = ((130, 126, 110, 255), (72, 70, 60, 255))

ZONES: Final = _NAMED.zones
ZONE_ELSE: Final[Colour] = (220, 220, 240, 255)

# States that stand beside a group's name on the board; all others are in its tooltip.
LOUD_STATES: Final = frozenset(
    {"locked", "stunned", "marked", "airborne", "loaded", "pinned", "shaken", "tracked", "done"}
)

CARD_STATES: Final = _NAMED.card_states


def goal_tone(state: str) -> Colour | None:
    """Return the colour of a condition that is decided, by its state; None of one that is open."""
    return {"met": GOOD, "failed": BAD}.get(state)


def choose(theme: str, palette: str, faces: str = "") -> None:
    """Take the colours of a theme and of a palette, and what is on cards; the first ones in place of those that are
    not known."""
    theme = theme if theme in THEMES else THEMES[0]
    palette = palette if palette in PALETTES else PALETTES[0]
    chosen = {"THEME": theme, "PALETTE": palette, "SEAT_COLOURS": _NAMED.palettes[palette]}
    chosen["CARD_FACES"] = faces if faces in FACES else FACES[0]
    globals().update({name.upper(): tone for name, tone in _THEMES[theme].items()} | chosen)


def seat_colour(index: int) -> Colour:
    """Return the colour of a palette index; any index is allowed, -1 is nobody's."""
    return NOBODY if index < 0 else SEAT_COLOURS[index % len(SEAT_COLOURS)]


def seat_shape(index: int) -> str:
    """Return the shape that goes with a palette index, so that seats differ in more than colour."""
    return "circle" if index < 0 else SEAT_SHAPES[index % len(SEAT_SHAPES)]


def faded(colour: Colour, alpha: int) -> Colour:
    """Return the colour at another opacity, 0 to 255."""
    return (colour[0], colour[1], colour[2], alpha)


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """Return the colour with `share` of `other` (0 to 1) mixed in; the opacity stays."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour[:3], other[:3], strict=True))
    return (red, green, blue, colour[3])


def readable_on(colour: Colour) -> Colour:
    """Return ink or paper, whichever reads better on `colour`."""
    return max(INK, PAPER, key=lambda ink: contrast(colour, ink))


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours as WCAG 2 defines it: 1 for the same, 21 for black on white."""
    low, high = sorted(_luminance(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    shares = [part / 255 for part in colour[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
