"""Files of pictures and clips, written frame by frame.

A frame is the bytes of its pixels, three each, as a graphics card gives them: row by row from the lowest.
"""

from __future__ import annotations

import errno
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from PIL import GifImagePlugin, Image, ImageChops

Size = tuple[int, int]
COLOURS: Final = 256
LONGEST_WAIT: Final = 65_535
"""Hundredths of a second that a picture of a GIF can stand."""
COLOUR_SPACE: Final = (
    *("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"),
)
"""Options of a film that say how its colours are to be read: players guess by its size where nothing does."""
FOREVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"


class FrameFile(Protocol):
    """File that takes frames. `add` and `finish` raise OSError; `abandon` frees what a file that is not finished
    holds."""

    def add(self, frame: bytes) -> None:
        """Write the next frame."""

    def finish(self) -> None:
        """Write the end; the file is whole then."""

    def abandon(self) -> None:
        """Give the file up."""


def image_of(size: Size, frame: bytes) -> Image.Image:
    """Return a frame as a picture."""
    return Image.frombytes("RGB", size, frame, "raw", "RGB", 0, -1)


class PngFile:
    """PNG file of one frame."""

    def __init__(self, path: Path, size: Size) -> None:
        self._path = path
        self._size = size

    def add(self, frame: bytes) -> None:
        image_of(self._size, frame).save(self._path, "PNG", optimize=True)

    def finish(self) -> None:
        pass

    def abandon(self) -> None:
        pass


class GifFile:
    """GIF file that shows its frames over and over. `rate`: frames a second; `colours`: those that it has in any case,
    beside those of its first frame.

    One palette holds for all frames, so that what stands still does not flicker; of a frame only the rectangle that has
    changed is written, and one is kept in memory.
    """

    def __init__(self, path: Path, size: Size, rate: int, colours: Sequence[tuple[int, int, int]]) -> None:
        self._file = path.open("wb")
        self._size = size
        self._wait = 100 // rate
        self._colours = tuple(dict.fromkeys(colours))[: COLOURS // 2]
        self._palette: Image.Image | None = None
        self._shown: Image.Image | None = None
        self._held: tuple[Image.Image, tuple[int, int], int] | None = None
        """Changed part of the last frame with its place, and the hundredths of a second for which it stands."""

    def add(self, frame: bytes) -> None:
        image = image_of(self._size, frame)
        if self._palette is None:
            self._palette = self._begin(image)
        fresh = image.quantize(palette=self._palette, dither=Image.Dither.NONE)
        box = (0, 0, *self._size)
        if self._shown is not None:
            changed = ImageChops.subtract_modulo(fresh, self._shown).getbbox(alpha_only=False)
            if changed is None and self._held is not None and self._held[2] + self._wait <= LONGEST_WAIT:
                part, place, wait = self._held
                self._held = part, place, wait + self._wait
                return
            box = changed or (0, 0, 1, 1)
        self._write_held()
        self._shown, self._held = fresh, (fresh.crop(box), (box[0], box[1]), self._wait)

    def _begin(self, first: Image.Image) -> Image.Image:
        """Write the head; return a picture that has the palette."""
        few = first.quantize(COLOURS - len(self._colours), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        used = (few.getpalette() or [])[: 3 * (COLOURS - len(self._colours))]
        colours = used + [part for colour in self._colours for part in colour]
        table = bytes(colours).ljust(3 * COLOURS, b"\0")
        self._file.write(b"GIF89a" + struct.pack("<HHBBB", *self._size, 0xF7, 0, 0) + table + FOREVER)
        holder = Image.new("P", (1, 1))
        holder.putpalette(table)
        return holder

    def _write_held(self) -> None:
        if self._held is not None:
            part, place, wait = self._held
            self._file.writelines(GifImagePlugin.getdata(part, place, duration=10 * wait))

    def finish(self) -> None:
        self._write_held()
        self._file.write(b";")
        self._file.close()

    def abandon(self) -> None:
        with suppress(OSError):
            self._file.close()


class Mp4File:
    """MP4 file that a child, the program `ffmpeg`, makes of the frames. `rate`: frames a second; both sides of `size`
    are even."""

    def __init__(self, path: Path, size: Size, rate: int, ffmpeg: str) -> None:
        self._told = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        taken = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "{}x{}".format(*size), "-r", str(rate), "-i", "-"]
        shown = ["-vf", "vflip,scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", *COLOUR_SPACE]
        made = [*shown, "-movflags", "+faststart", "-f", "mp4", str(path.absolute())]
        command = [ffmpeg, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", *taken, *made]
        quiet = subprocess.DEVNULL
        try:
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=self._told)
        except OSError:
            self._told.close()
            raise

    def add(self, frame: bytes) -> None:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(frame)
        except BrokenPipeError:
            self.finish()

    def finish(self) -> None:
        with suppress(BrokenPipeError):
            self._child.communicate()
        if self._child.returncode:
            raise OSError(errno.EIO, self._why())
        self._told.close()

    def _why(self) -> str:
        """Return the last line that the program has told."""
        self._told.seek(0)
        lines = self._told.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else f"ffmpeg: {self._child.returncode}"

    def abandon(self) -> None:
        self._child.kill()
        with suppress(BrokenPipeError):
            self._child.communicate()
        self._told.close()
