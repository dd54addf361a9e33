"""The part `eyes`: twelve matches, a picture and its answers of each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from client.art.fonts import font_file
from protocol.scene.nodes import TURN, Prompt
from server.content.systems import find_systems
from tests.support.clients.programs import until
from tests.support.lobby_evening.visitor import Visitor
from tools.pictures.camera import Camera
from tools.pictures.eyes.answers import answers_of, as_toml
from tools.pictures.eyes.moments import Spot, find_terrain, mark_group
from tools.pictures.eyes.opponents import PERSON, Opponent
from tools.pictures.eyes.seats import Seat
from tools.pictures.unpaced_server import UnpacedServer

OUT: Final = Path("out/eyes")
MOST_BYTES: Final = 2_000_000
"""Of a picture that is not kept."""
TRIES: Final = 4
"""Matches of a kind that are played until one has a moment for a picture."""
MOST_ANSWERS: Final = 400
SIZE: Final = (1280, 800)


class Match(NamedTuple):
    """Match with the seat of the window, its player and their opponent; the picture comes after so many acts."""

    system: str
    scenario: str
    seat: int
    player: str
    opponent: str
    acts: int


MATCHES: Final = (
    Match("action_cards", "low_water", 2, "Ann", "Cid", 30),
    Match("one_page", "open_field_3000", 1, "Ben", "Dora", 30),
    Match("apocalypse_earth", "three_bridges", 1, "Cid", "Ann", 30),
    Match("action_cards", "salt_road", 1, "Dora", "Ben", 40),
    Match("one_page", "crossroads_3000", 1, "Ann", "Ben", 45),
    Match("apocalypse_earth", "loophole", 1, "Ben", "Cid", 15),
    Match("action_cards", "harrow_cross", 3, "Cid", "Dora", 50),
    Match("one_page", "first_clash", 1, "Dora", "Ann", 20),
    Match("apocalypse_earth", "the_hummvees", 1, "Ann", "Dora", 12),
    Match("action_cards", "kiln_row", 1, "Ben", "Ann", 35),
    Match("one_page", "open_field_6000", 1, "Cid", "Ben", 40),
    Match("apocalypse_earth", "out_of_the_treeline", 1, "Dora", "Cid", 12),
)


async def draw_eyes(folder: Path, _: Camera) -> None:
    """Play the matches, and write a picture of each with the key. Raises OSError, and LookupError where a match has no
    moment for it in so many tries."""
    camera, asked, key = Camera(OUT, MOST_BYTES), Counter[str](), []
    server = UnpacedServer(folder)
    await server.start()
    try:
        for number, match in enumerate(MATCHES, 1):
            name = f"{number:02}"
            for seed in range(number, number + TRIES * len(MATCHES), len(MATCHES)):
                with suppress(LookupError):
                    async with _seated(folder / f"{name}-{seed}", server, match, seed) as seat:
                        prompt = await _middle(seat, match.acts)
                        seat.visitor.app.build()
                        spot = find_terrain(seat.screen, asked)
                        key.append(as_toml(f"{name}.png", answers_of(seat.screen, prompt, spot.feature)))
                        camera.put(name, with_pin(camera.picture(seat.visitor.app, mouse=spot.at), spot))
                    break
            else:
                raise LookupError(f"no match of {match.scenario} has had a moment that is worth a picture")
            (OUT / "key.toml").write_text("\n".join(key), encoding="utf-8")
    finally:
        await server.end()


@asynccontextmanager
async def _seated(folder: Path, server: UnpacedServer, match: Match, seed: int) -> AsyncIterator[Seat]:
    """Seat a window at a match that has begun."""
    systems = find_systems()
    owner = Opponent(server.url, match.opponent, seed, systems, match.system, match.scenario, match.seat)
    tasks: list[asyncio.Task[object]] = [owner.tasks.begin(owner.play(), "opponent")]
    visitor = Visitor(match.player, folder, SIZE)
    try:
        seat = Seat(visitor, systems[match.system].bots[PERSON](seed), tasks)
        visitor.come(server.port)
        await until(lambda: owner.code, tasks=tasks)
        await seat.until(lambda: visitor.can("Create table"))
        await seat.sit_down(owner.code, match.seat)
        yield seat
    finally:
        visitor.close()
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _middle(seat: Seat, acts: int) -> Prompt:
    """Play on until the seat has its turn after so many acts, and a group that can do something. Raises LookupError."""
    ribbon = seat.session.story.ribbon
    for _ in range(MOST_ANSWERS):
        prompt = await seat.asked()
        seat.screen.to_truth()
        number = max((entry.n for entry in ribbon.entries), default=0)
        if prompt.window == TURN and number >= acts and await mark_group(seat, prompt):
            seat.screen.to_truth()
            await seat.until(lambda: seat.screen.model.playing is None)
            return prompt
        await seat.play()
    raise LookupError("no moment has come that is worth a picture")


def with_pin(picture: Image.Image, spot: Spot) -> Image.Image:
    """Return a picture with a pin, marked A, whose point stands at a place."""
    pen, (x, y) = ImageDraw.Draw(picture), (spot.at[0], picture.height - spot.at[1])
    pen.polygon([(x, y), (x - 8, y - 16), (x + 8, y - 16)], fill="white", outline="black")
    pen.ellipse((x - 11, y - 34, x + 11, y - 12), fill="white", outline="black", width=2)
    pen.text((x, y - 23), "A", fill="black", anchor="mm", font=ImageFont.truetype(font_file(bold=True), 15))
    return picture
