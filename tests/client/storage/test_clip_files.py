"""Files of clips: whole or not there at all, and read back as they were drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from client.storage.clip_files import FrameFile, GifFile, Mp4File, PngFile, image_of
from client.storage.clip_writer import ClipWriter
from client.storage.ffmpeg import find_ffmpeg
from tests.support.clients.films import film_of
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

SIZE: Final = (64, 40)
RED, BLUE = (200, 30, 20), (20, 40, 220)
COUNTING: Final = """#!{python}
import sys
data = sys.stdin.buffer.read()
if "bad" in sys.argv[-1]:
    sys.exit("libx264: no such thing")
open(sys.argv[-1], "w").write(f"{{len(data)}} {{' '.join(sys.argv[1:-1])}}")
"""
"""Stands for ffmpeg, which few computers have: it counts what it is told."""


def frame(x: int) -> bytes:
    """Return a frame of red with a blue square whose lower left corner is at (x, 0)."""
    image = Image.new("RGB", SIZE, RED)
    image.paste(BLUE, (x, SIZE[1] - 8, x + 8, SIZE[1]))
    return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes()


def written(path: Path, make: Callable[[Path], FrameFile], *frames: bytes) -> ClipWriter:
    writer = ClipWriter(path, make)
    for one in (*frames, None):
        if not writer.offer(one, PATIENCE):
            break
    writer.wait(PATIENCE)
    return writer


def gif(path: Path) -> FrameFile:
    return GifFile(path, SIZE, 10, [BLUE])


def test_a_picture_stands_upright(tmp_path: Path) -> None:
    path = tmp_path / "new" / "one.png"
    assert written(path, partial(PngFile, size=SIZE), frame(8)).state == "written"
    with Image.open(path) as image:
        assert image.size == SIZE
        assert image.getpixel((9, SIZE[1] - 1)) == BLUE
        assert image.getpixel((9, 0)) == RED
    assert list(path.parent.iterdir()) == [path]


def test_a_gif_is_read_back_frame_by_frame_and_what_stands_still_is_one(tmp_path: Path) -> None:
    path = tmp_path / "one.gif"
    drawn = [frame(0), frame(0), frame(20), frame(40), frame(40), frame(40)]
    assert written(path, gif, *drawn).state == "written"
    with Image.open(path) as image:
        assert (image.size, getattr(image, "n_frames", 1), image.info["loop"]) == (SIZE, 3, 0)
        waits = []
        for place, shown in enumerate((drawn[0], drawn[2], drawn[3])):
            image.seek(place)
            waits.append(image.info["duration"])
            assert image.convert("RGB").tobytes() == image_of(SIZE, shown).tobytes()
    assert waits == [200, 100, 300]


def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    writer = written(tmp_path / "file" / "one.gif", gif, frame(0))
    assert (writer.state, bool(writer.why)) == ("refused", True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_disk_that_fills_up_leaves_what_was_there(tmp_path: Path) -> None:
    class Full(PngFile):
        def add(self, frame: bytes) -> None:
            raise OSError(28, "No space left on device")

    path = tmp_path / "one.png"
    path.write_text("before")
    writer = written(path, partial(Full, size=SIZE), frame(0))
    assert (writer.state, writer.why) == ("refused", "No space left on device")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_clip_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    writer = ClipWriter(tmp_path / "one.gif", gif)
    assert writer.offer(frame(0), PATIENCE)
    writer.cancel()
    assert writer.state == "cancelled"
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def counting(tmp_path: Path) -> str:
    """The program that stands for ffmpeg."""
    program = tmp_path / "ffmpeg"
    program.write_text(COUNTING.format(python=sys.executable))
    program.chmod(0o755)
    return str(program)


@pytest.mark.skipif(sys.platform == "win32", reason="scripts are no programs there")
def test_a_film_is_made_of_all_frames_by_the_program_for_films(tmp_path: Path, counting: str) -> None:
    path = tmp_path / "one.mp4"
    writer = written(path, partial(Mp4File, size=SIZE, rate=25, ffmpeg=counting), *map(frame, range(20)))
    assert writer.state == "written"
    count, *said = path.read_text().split()
    assert int(count) == 20 * 3 * SIZE[0] * SIZE[1]
    assert said[said.index("-s") + 1] == "64x40"


@pytest.mark.skipif(find_ffmpeg() is None, reason="ffmpeg is not on this computer")
@pytest.mark.parametrize("size", [(64, 40), (1280, 720)])
def test_a_film_is_read_back_upright_in_its_colours_with_all_its_frames(tmp_path: Path, size: tuple[int, int]) -> None:
    """Players take other colours for those of large films than for those of small ones, unless the film says which."""
    path, ffmpeg = tmp_path / "one.mp4", find_ffmpeg()
    assert ffmpeg is not None
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (0, size[1] // 2, size[0], size[1]))
    shown = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes()
    assert written(path, partial(Mp4File, size=size, rate=25, ffmpeg=ffmpeg), *[shown] * 10).state == "written"
    film = film_of(path)
    assert (film.size, film.rate, film.colours, len(film.frames)) == (size, 25, "bt709", 10)
    for x, y, tone in ((5, 5, RED), (size[0] - 5, size[1] - 5, BLUE)):
        seen = film.frames[9].getpixel((x, y))
        assert isinstance(seen, tuple)
        assert max(abs(a - b) for a, b in zip(seen, tone, strict=True)) < 6


@pytest.mark.skipif(find_ffmpeg() is None, reason="ffmpeg is not on this computer")
def test_a_film_that_is_given_up_leaves_neither_file_nor_program(tmp_path: Path) -> None:
    files: list[Mp4File] = []

    def begun(path: Path) -> Mp4File:
        files.append(Mp4File(path, SIZE, 25, find_ffmpeg() or ""))
        return files[0]

    writer = ClipWriter(tmp_path / "one.mp4", begun)
    assert writer.offer(frame(0), PATIENCE)
    writer.cancel()
    assert (writer.state, list(tmp_path.iterdir())) == ("cancelled", [])
    assert files[0]._child.returncode is not None


@pytest.mark.skipif(sys.platform == "win32", reason="scripts are no programs there")
def test_what_the_program_for_films_says_is_told(tmp_path: Path, counting: str) -> None:
    writer = written(tmp_path / "bad.mp4", partial(Mp4File, size=SIZE, rate=25, ffmpeg=counting), frame(0))
    assert (writer.state, writer.why) == ("refused", "libx264: no such thing")
    none = written(tmp_path / "x.mp4", partial(Mp4File, size=SIZE, rate=25, ffmpeg=str(tmp_path / "none")), frame(0))
    assert none.state == "refused"
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]
