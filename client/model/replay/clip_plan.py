"""Plans of exports from a replay: a picture of a step, or a clip of a span, within the limits that stand here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from client.model.playback.durations import LONGEST_QUEUE, moments_of, seconds_after
from client.model.playback.told_acts import QueuedAct, ShownCue, told_acts
from client.model.replay.replay_player import ReplayPlayer
from client.model.replay.replay_show import BETWEEN
from client.storage.downloads import harmless
from client.storage.ffmpeg import ffmpeg_command, find_ffmpeg
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from protocol.scene.nodes import Act

Size = tuple[int, int]


class ClipKind(NamedTuple):
    """Kind of file. `rate`: frames a second, 0 of a single picture; `seconds`: the longest clip; `widest`: pixels
    across, at most."""

    suffix: str
    rate: int
    seconds: int
    widest: int

    @property
    def most_frames(self) -> int:
        return max(self.rate * self.seconds, 1)


PNG: Final = ClipKind(".png", 0, 0, 3840)
GIF: Final = ClipKind(".gif", 10, 90, 1280)
MP4: Final = ClipKind(".mp4", 25, 600, 1920)
KINDS: Final = {"png": PNG, "gif": GIF, "mp4": MP4}
WIDTHS: Final = (640, 960, 1280, 1920, 3840)
NARROWEST: Final = 160
HIGHEST: Final = 2160
"""Pixels up, at most; a picture that would be higher is less wide."""
LAST_STANDS: Final = 1.0
"""Seconds for which the end of a clip stands."""
MOST_NAMES: Final = 1000
"""Numbers that are tried behind a name that is taken."""


@dataclass(frozen=True)
class ClipPlan:
    """Export of the steps `first` to `last` at a speed, `size` in pixels; a picture is of step `first`."""

    kind: ClipKind
    first: int
    last: int
    speed: float
    size: Size


def size_of(width: int, aspect: float, kind: ClipKind) -> Size:
    """Return the sides of an export so many pixels wide, or as wide as its kind may be, of `aspect` width to height.
    Both are even, as films need them."""
    width = max(NARROWEST, min(width, kind.widest, int(HIGHEST * aspect)))
    height = max(NARROWEST, min(round(width / aspect), HIGHEST))
    return width // 2 * 2, height // 2 * 2


def seconds_of(player: ReplayPlayer, plan: ClipPlan) -> float:
    """Return the seconds that the clip of a plan lasts, to within a tenth."""
    if not plan.kind.rate:
        return 0.0
    steps = range(plan.first + 1, plan.last + 1)
    known: dict[int, Act] = {}
    return sum(_shown(player, step, known) + BETWEEN for step in steps) / plan.speed + LAST_STANDS


def _shown(player: ReplayPlayer, step: int, known: dict[int, Act]) -> float:
    """Return the seconds for which a step is shown at normal speed; what is queued for longer is hurried. `known`: acts
    that are open."""
    told = player.told(step)
    queued = [QueuedAct(part, tuple(map(ShownCue, part.cues))) for part in told_acts(told.acts, told.cues, known)]
    for act in told.acts:
        known.pop(act.n, None)
        if not act.how:
            known[act.n] = act
    seconds = sum(sum(moments_of(act)) + seconds_after(act) for act in queued)
    return min(seconds, LONGEST_QUEUE * (1 + math.log(max(seconds, LONGEST_QUEUE) / LONGEST_QUEUE)))


def why_not(plan: ClipPlan, seconds: float) -> str:
    """Return in words why a plan, which lasts so many seconds, cannot be carried out; "" where it can."""
    if plan.kind is MP4 and find_ffmpeg() is None:
        return phrase("clip.no_ffmpeg", command=ffmpeg_command())
    if plan.kind.rate and plan.first >= plan.last:
        return phrase("clip.no_span")
    if plan.kind.rate and seconds > plan.kind.seconds:
        return phrase("clip.too_long", seconds=SPOKEN.decimal(round(seconds), "0"), most=plan.kind.seconds)
    return ""


def export_folder() -> Path:
    """Return the folder of exports where none is said."""
    return Path(platformdirs.user_pictures_dir()) / "Eschaton"


def free_path(folder: Path, player: ReplayPlayer, plan: ClipPlan) -> Path:
    """Return a path in this folder that is no file yet, named after match and steps."""
    stem = harmless(player.title()) or "replay"
    span = f"{plan.first}-{plan.last}" if plan.kind.rate else str(plan.first)
    paths = (folder / f"{stem}-{span}{f'-{n}' if n > 1 else ''}{plan.kind.suffix}" for n in range(1, MOST_NAMES))
    return next((path for path in paths if not path.exists()), folder / f"{stem}-{span}-last{plan.kind.suffix}")
