"""Page of exports of a replay: a picture of the board as it is now, or a clip of a span of steps."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.model.replay.clip_plan import (
    KINDS,
    MP4,
    PNG,
    WIDTHS,
    ClipKind,
    ClipPlan,
    export_folder,
    free_path,
    seconds_of,
    size_of,
    why_not,
)
from client.model.replay.replay_player import ReplayPlayer
from client.model.replay.replay_show import NORMAL, SPEEDS
from client.storage.downloads import short_folder
from client.storage.ffmpeg import ffmpeg_command, find_ffmpeg
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.board.board_panel import BoardPanel
from client.views.board.clip_run import ClipRun

if TYPE_CHECKING:
    from client.app.window import App

WIDE: Final = 620
HIGH: Final = 400
SPAN: Final = 10
"""Steps after the present one that a clip has at first."""
BY: Final = (-10, -1, 1, 10)
"""Steps by which the ends of a span are moved."""
LONGEST_PATH: Final = 400


class ClipPage:
    """Popup above a replay. `folder`: where exports go as long as no other path is typed."""

    def __init__(self, app: App, player: ReplayPlayer, board: BoardPanel) -> None:
        self.is_open = False
        self.run: ClipRun | None = None
        self.folder = export_folder()
        self.path = TextInput(most=LONGEST_PATH, changed=self._typed)
        self._app = app
        self._player = player
        self._board = board
        self._kind = PNG
        self._span = 0, 0
        self._speed = NORMAL
        self._width = WIDTHS[2]
        self._is_typed = False
        self._note = ""
        self._is_well = True
        self._lasts: tuple[ClipPlan, float] | None = None

    def open(self) -> None:
        """Open the page at the player's present step."""
        self.is_open, self._note = True, ""
        last = min(self._player.step + SPAN, self._player.last)
        self._span = min(self._player.step, max(last - 1, 0)), last
        self._name()

    def close(self) -> None:
        """Give up an export that is under way, else close the page."""
        if self.run is not None:
            self._cancel()
        else:
            self.is_open = False

    def _typed(self) -> None:
        self._is_typed = True

    def _name(self) -> None:
        """Propose a path, where the person has typed none."""
        if not self._is_typed:
            self.path.set(str(free_path(self.folder, self._player, self._plan())))

    def _plan(self) -> ClipPlan:
        first, last = self._span if self._kind.rate else (self._player.step, self._player.step)
        aspect = self._board.rect.w / max(self._board.rect.h, 1)
        return ClipPlan(self._kind, first, last, SPEEDS[self._speed], size_of(self._width, aspect, self._kind))

    def _seconds(self, plan: ClipPlan) -> float:
        """Return the seconds of a plan; worked out again where it is another."""
        if self._lasts is None or self._lasts[0] != plan:
            self._lasts = plan, seconds_of(self._player, plan)
        return self._lasts[1]

    def _begin(self) -> None:
        path = Path(self.path.text.strip()).expanduser()
        if not path.is_absolute():
            path = self.folder / path
        if path.suffix.lower() != self._kind.suffix:
            path = path.with_name(path.name + self._kind.suffix)
        if path.exists():
            self._say(phrase("clip.taken", name=path.name), well=False)
            return
        self._note = ""
        self.run = ClipRun(self._app.ctx, self._player, self._plan(), path, self._board.camera)

    def _cancel(self) -> None:
        if self.run is not None:
            self.run.cancel()
            self.run = None
            self._say(phrase("clip.cancelled"))

    def _say(self, words: str, *, well: bool = True) -> None:
        self._note, self._is_well = words, well

    def tick(self) -> bool:
        """Go on with an export for a frame; return True while there is one."""
        run = self.run
        if run is None:
            return False
        run.work()
        if run.is_over:
            run.close()
            self.run, path = None, run.writer.path
            if run.writer.state == "written":
                self._say(phrase("clip.written", name=path.name, folder=short_folder(path.parent)))
            else:
                self._say(phrase("clip.refused", path=str(path), why=run.writer.why), well=False)
            self._is_typed = False
            self._name()
        return True

    def draw(self, ui: Ui) -> None:
        """Draw the page over everything."""
        inside = ui.popup(ui.px(WIDE), ui.px(HIGH), phrase("clip.title"))
        foot, inside = inside.cut_bottom(ui.px(36), ui.px(8))
        rows = inside.share(8, ui.px(32), ui.px(8))
        self._kinds(ui, next(rows))
        plan = self._plan()
        for end, row in zip(("first", "last"), rows, strict=False):
            self._end(ui, row, end)
        speed, size = next(rows).columns(2)
        words = phrase("replay.speed", speed=SPOKEN.decimal(plan.speed, "0.##"))
        act = self._faster if plan.kind.rate and self.run is None else None
        ui.button(speed, words, act, left=True, name=phrase("replay.speed.name"), listed=act is not None)
        words = phrase("clip.size", width=plan.size[0], height=plan.size[1])
        act = self._wider if self.run is None else None
        ui.button(size, words, act, left=True, name=phrase("clip.size.name"), listed=act is not None)
        if self.run is None:
            ui.input(next(rows), self.path, phrase("clip.path"))
        else:
            ui.line(str(self.run.writer.path), next(rows), colour=theme.MUTED)
        why = why_not(plan, self._seconds(plan))
        self._about(ui, next(rows), plan, why)
        self._progress(ui, next(rows))
        if find_ffmpeg() is None:
            words = phrase("clip.no_ffmpeg", command=ffmpeg_command())
            ui.lines(words, next(rows), size=theme.SMALL, colour=theme.MUTED, most=2)
        self._foot(ui, foot, can=not why)

    def _kinds(self, ui: Ui, row: Rect) -> None:
        for box, (id, kind) in zip(row.columns(len(KINDS)), KINDS.items(), strict=True):
            is_there = kind is not MP4 or find_ffmpeg() is not None
            act = partial(self.choose, kind) if self.run is None and is_there else None
            tip = "" if is_there else phrase("clip.no_ffmpeg", command=ffmpeg_command())
            ui.button(box, phrase(f"clip.kind.{id}"), act, chosen=kind is self._kind, tip=tip, listed=act is not None)

    def choose(self, kind: ClipKind) -> None:
        """Export this kind of file."""
        self._kind = kind
        self._name()

    def _end(self, ui: Ui, row: Rect, end: str) -> None:
        """Draw an end of the span with the buttons that move it; of a picture the present step."""
        is_last = end == "last"
        if not self._kind.rate:
            if not is_last:
                ui.line(phrase("clip.now", step=self._player.step), row)
            return
        words, buttons = row.cut_left(on_grid(row.w * 0.4), ui.px(8))
        step = self._span[is_last]
        ui.line(phrase(f"clip.end.{end}", step=step), words)
        for box, by in zip(buttons.columns(len(BY), ui.px(8)), BY, strict=True):
            to = min(max(step + by, 0), self._player.last)
            sign = "+" if by > 0 else "\N{MINUS SIGN}"
            name = phrase(f"clip.move.{end}", sign=sign, steps=abs(by))
            act = partial(self._move, to, is_last=is_last) if self.run is None and to != step else None
            ui.button(box, f"{sign}{abs(by)}", act, name=name)

    def _move(self, to: int, *, is_last: bool) -> None:
        first, last = self._span
        self._span = (min(first, to), to) if is_last else (to, max(last, to))
        self._name()

    def _faster(self) -> None:
        self._speed = (self._speed + 1) % len(SPEEDS)

    def _wider(self) -> None:
        widths = [width for width in WIDTHS if width <= self._kind.widest]
        self._width = next((width for width in widths if width > self._width), widths[0])

    def _about(self, ui: Ui, row: Rect, plan: ClipPlan, why: str) -> None:
        """Say how long the clip is, or why there can be none."""
        if why:
            ui.lines(why, row, size=theme.SMALL, colour=theme.WARN, most=2)
        elif plan.kind.rate:
            seconds = SPOKEN.decimal(round(self._seconds(plan)), "0")
            words = phrase("clip.lasts", seconds=seconds, rate=plan.kind.rate, most=plan.kind.seconds)
            ui.line(words, row, size=theme.SMALL, colour=theme.MUTED)

    def _progress(self, ui: Ui, row: Rect) -> None:
        """Draw how far the export is, or what has become of it."""
        if self.run is None:
            ui.lines(self._note, row, size=theme.SMALL, colour=theme.GOOD if self._is_well else theme.WARN, most=2)
            return
        bar = row.middle(row.w, ui.px(16))
        ui.painter.rect(bar, theme.FIELD)
        ui.painter.rect(Rect(bar.x, bar.y, bar.w * self.run.progress, bar.h), theme.ACCENT)
        ui.tag(bar, phrase("clip.progress"), phrase("clip.frames", frames=self.run.frames))

    def _foot(self, ui: Ui, foot: Rect, *, can: bool) -> None:
        begin, out = foot.columns(2)
        if self.run is not None:
            ui.button(begin, phrase("clip.cancel"), self._cancel, key=ui.keys.shown("back"))
            return
        act = self._begin if can else None
        ui.button(begin, phrase("clip.begin"), act, primary=can, listed=can)
        ui.button(out, phrase("clip.close"), self.close, key=ui.keys.shown("back"))
