"""Films read back by the program that makes them: ffmpeg, with its ffprobe."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from tests.support.runs.patience import PATIENCE


class Film(NamedTuple):
    """Film with its size in pixels, frames a second, the space of its colours, and its frames."""

    size: tuple[int, int]
    rate: int
    colours: str
    frames: list[Image.Image]


def film_of(path: Path) -> Film:
    """Read a film. Raises CalledProcessError for one that is damaged."""
    asked = "stream=width,height,r_frame_rate,color_space"
    told = _run("ffprobe", "-v", "error", "-show_entries", asked, "-of", "json", str(path))
    (stream,) = json.loads(told)["streams"]
    size = stream["width"], stream["height"]
    pixels = _run("ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    length = 3 * size[0] * size[1]
    frames = [Image.frombytes("RGB", size, pixels[at : at + length]) for at in range(0, len(pixels), length)]
    return Film(size, int(stream["r_frame_rate"].split("/")[0]), stream["color_space"], frames)


def _run(*command: str) -> bytes:
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)
    assert done.stderr == b""
    return done.stdout
