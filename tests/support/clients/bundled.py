"""The bundle on a friend's computer: unpacked from its archive, with an empty home and no settings of this process."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageGrab

from tests.support.clients.windows.screen import Screen
from tests.support.runs.patience import PATIENCE
from tools.bundle import NAME, OUT

PICTURES = OUT / "pictures"
"""Folder of pictures of the window, which are kept for people."""


class FriendsComputer:
    """A folder with the unpacked program, and the programs that were started from it; they end with `end`."""

    def __init__(self, folder: Path, archive: Path) -> None:
        shutil.unpack_archive(archive, folder)
        self.program = folder / NAME / NAME
        self.home = folder / "home"
        self.home.mkdir()
        self._started: list[asyncio.subprocess.Process] = []

    async def start(self, *words: str, screen: Screen | None = None) -> asyncio.subprocess.Process:
        """Start the program with these words, on a screen or without one."""
        settings = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LIBGL_ALWAYS_SOFTWARE": "1"}
        if screen is not None:
            settings["DISPLAY"] = screen.name
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            self.program,
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            env=settings,
            cwd=self.home,
        )
        self._started.append(process)
        return process

    async def told(self, *words: str) -> str:
        """Run the program to its end and return what it prints. Raises AssertionError where it fails."""
        process = await self.start(*words)
        async with asyncio.timeout(PATIENCE):
            said, complaint = await process.communicate()
        assert process.returncode == 0, complaint.decode()
        return said.decode()

    async def steps(self) -> list[dict[str, Any]]:
        """Return all steps of the matches that the window's server has stored."""
        lines = map(json.loads, (await self.told("server", "export")).splitlines())
        return [line for line in lines if line["kind"] == "step"]

    def processes(self) -> dict[int, list[str]]:
        """Return the words with which each process of this program was started that runs now, by its id."""
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if (place / "exe").readlink() == self.program:
                    found[int(place.name)] = (place / "cmdline").read_text().rstrip("\0").split("\0")[1:]
            except OSError:  # it has ended meanwhile
                continue
        return found

    def mapped(self) -> set[str]:
        """Return the files that the running processes have in their memory."""
        lines = [line for id in self.processes() for line in Path(f"/proc/{id}/maps").read_text().splitlines()]
        return {parts[5] for parts in (line.split(maxsplit=5) for line in lines) if len(parts) == 6}

    async def end(self) -> None:
        """End what was started and still runs."""
        for process in self._started:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def picture_of(screen: Screen, name: str = "") -> Image.Image:
    """Return what is on a screen; with a name, keep it, too."""
    picture = ImageGrab.grab(xdisplay=screen.name).convert("RGB")
    if name:
        PICTURES.mkdir(parents=True, exist_ok=True)
        picture.save(PICTURES / f"{name}.png")
    return picture


def boxes_of(picture: Image.Image, colour: tuple[int, ...], least: int = 20) -> list[tuple[float, float]]:
    """Return the middles of the areas of a colour that are at least so high, from the top."""
    differs = ImageChops.difference(picture, Image.new("RGB", picture.size, tuple(colour[:3]))).convert("L")
    same = differs.point([255] + [0] * 255)
    middles, top = [], None
    for y in range(same.height + 1):
        row = same.crop((0, y, same.width, y + 1)).getbbox() if y < same.height else None
        if row is not None and top is None:
            top = y
        elif row is None and top is not None:
            box = same.crop((0, top, same.width, y)).getbbox()
            if y - top >= least and box is not None:
                middles.append(((box[0] + box[2]) / 2, (top + y) / 2))
            top = None
    return middles
