"""The parts that pictures are made in, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Final

from tools.pictures import match_pictures as matches, people_pictures as people, table_pictures as tables
from tools.pictures.boards import draw_boards
from tools.pictures.camera import Camera
from tools.pictures.company import company
from tools.pictures.eyes.part import draw_eyes
from tools.pictures.first import draw_first
from tools.pictures.lessons import draw_lessons
from tools.pictures.sheets import draw_sheets

EVENING: Final = (
    people.talk,
    people.people,
    people.order,
    people.account,
    people.guest,
    tables.set_up,
    tables.ranked,
    tables.lobby,
    tables.quick_match,
    matches.play,
    matches.end,
    matches.linked,
    matches.rematch,
    matches.record,
    people.arrive,
)


async def draw_lobby(folder: Path, camera: Camera) -> None:
    """Draw the lobby's pictures, one act of the evening after the other."""
    async with company(folder) as four:
        for act in EVENING:
            await four.to_lobby()
            await act(four, camera)


PARTS: Final[Mapping[str, Callable[[Path, Camera], Coroutine[None, None, None]]]] = {
    "first": draw_first,
    "lobby": draw_lobby,
    "boards": draw_boards,
    "lessons": draw_lessons,
}
"""Those of the documentation."""
SHEETS: Final = {"sheets": draw_sheets, "eyes": draw_eyes}
"""Drawn where they are asked for alone."""
