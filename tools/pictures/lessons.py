"""Pictures of lessons, as a learner at a real server meets them who clicks what is pointed at."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.support.clients.programs import ServerProgram
from tests.support.clients.windows.pupil import Pupil
from tests.support.clients.windows.readable_app import ReadableApp
from tools.pictures.camera import Camera

SIZE: Final = (1040, 650)
WAYS: Final = {"action_cards": ((2, "lesson"),), "apocalypse_earth": ((0, "earth-deploy"), (3, "earth"))}
"""Of each game the inputs after which a picture is taken."""


async def draw_lessons(folder: Path, camera: Camera) -> None:
    """Draw the lesson of the action cards and that of Apocalypse: Earth."""
    server = ServerProgram(folder)
    await server.start()
    app = ReadableApp(SIZE, visible=False)
    try:
        for system, pictures in WAYS.items():
            app.front = app.confirmation = None
            pupil = Pupil(app, folder / system, f"127.0.0.1:{server.port}")
            try:
                if system != "action_cards":
                    pupil.choose_lesson(system)
                for inputs, name in pictures:
                    if inputs:
                        await pupil.learn(inputs=inputs)
                    pupil.rest()
                    camera.take(app, name)
            finally:
                pupil.close()
    finally:
        app.close()
        await server.end()
