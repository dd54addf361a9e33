"""Run of an export, a frame at a time, so that the window goes on beside it."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Final

from arcade import ArcadeContext

from client.model.replay.clip_plan import GIF, LAST_STANDS, MP4, ClipPlan
from client.model.replay.replay_player import ReplayPlayer
from client.model.replay.replay_show import ReplayShow
from client.storage.clip_files import FrameFile, GifFile, Mp4File, PngFile
from client.storage.clip_writer import ClipWriter
from client.storage.ffmpeg import find_ffmpeg
from client.ui import theme
from client.ui.camera import Camera
from client.views.board.clip_stage import ClipStage

FINEST: Final = 1 / 60
"""Seconds by which the replay goes on at once, as in the window."""


class ClipRun:
    """Export of a plan to `path`, through the eyes of the player's audience. `work` draws a frame; `is_over` once the
    file is written, or is not going to be (its `writer` tells which)."""

    def __init__(
        self, context: ArcadeContext, player: ReplayPlayer, plan: ClipPlan, path: Path, camera: Camera | None = None
    ) -> None:
        self.plan = plan
        self.frames = 0
        self._player = ReplayPlayer(player.replay)
        self._player.see_as(player.audience)
        self._player.go(plan.first)
        self._show = ReplayShow(self._player)
        self._show.speed = plan.speed
        if plan.kind.rate:
            self._show.play()
        self._stage = ClipStage(context, plan.size, camera)
        self._waiting: bytes | None = None
        self._is_drawn = False
        self._has_ended = False
        self._left = LAST_STANDS
        self.writer = ClipWriter(path, partial(_file, plan))

    @property
    def is_over(self) -> bool:
        return self.writer.state != "writing"

    @property
    def progress(self) -> float:
        """Share that is done, 0 to 1, by steps."""
        done = self._player.step - self.plan.first
        return min(done / max(self.plan.last - self.plan.first, 1), 1.0)

    def work(self, wait: float = 0.0) -> None:
        """Draw the next frame and hand it on, where there is room for it within `wait` seconds; after the last one let
        the file be finished for so long."""
        if self._has_ended:
            self.writer.wait(wait)
            return
        if self._waiting is None and not self._is_drawn:
            self._waiting = self._next()
            self._is_drawn = self._waiting is None
        if self.writer.offer(self._waiting, wait):
            self._waiting, self._has_ended = None, self._is_drawn

    def _next(self) -> bytes | None:
        """Draw the next frame; None at the end."""
        rate = self.plan.kind.rate
        if self.frames >= self.plan.kind.most_frames:
            return None
        seconds = 1 / rate if rate else 0.0
        if self.frames:
            if self._player.step >= self.plan.last and not self._show.is_behind:
                self._left -= seconds
                if self._left < 0:
                    return None
            else:
                self._go_on(seconds)
        self.frames += 1
        return self._stage.frame(self._show.model(), seconds)

    def _go_on(self, seconds: float) -> None:
        """Let the replay go on, up to the end of the plan's last step."""
        parts = math.ceil(seconds / FINEST)
        for _ in range(parts):
            if self._player.step >= self.plan.last and not self._show.is_behind:
                break
            self._show.advance(seconds / parts)

    def cancel(self) -> None:
        """Give the export up; no file is left of it."""
        self.writer.cancel()
        self.close()

    def close(self) -> None:
        """Give back what was needed to draw."""
        self._stage.close()


def _file(plan: ClipPlan, path: Path) -> FrameFile:
    """Open the file of a plan. Raises OSError."""
    if plan.kind is GIF:
        colours = [*theme.SEAT_COLOURS, theme.TEXT, theme.ACCENT, theme.GOOD, theme.BAD, theme.WARN, theme.SELECT]
        return GifFile(path, plan.size, plan.kind.rate, [colour[:3] for colour in colours])
    if plan.kind is MP4:
        return Mp4File(path, plan.size, plan.kind.rate, find_ffmpeg() or "ffmpeg")
    return PngFile(path, plan.size)
