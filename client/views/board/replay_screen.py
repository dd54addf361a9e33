"""Screen of a replay: forwards, backwards, at once or step by step, through the eyes of everybody, of one seat or of
all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import arcade

from client.draw.board.groups import Marks, group_label
from client.draw.die import tumbling
from client.draw.panels.seats import draw_seats
from client.draw.panels.victory_conditions import draw_victory_conditions
from client.input.key_table import AT_REPLAY, KeyPress
from client.model.replay.replay_player import ALL_SEEING, PUBLIC, ReplayPlayer
from client.model.replay.replay_show import SPEEDS, ReplayShow
from client.model.sound.cue_sounds import CueSounds
from client.model.table.tabletop import Tabletop
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.table_layout import GOALS, LOG
from client.views.board.board_screen import BoardScreen
from client.views.board.clip_page import ClipPage
from client.views.board.replay_dice import ReplayDicePage
from client.views.board.replay_timeline import ReplayTimeline
from client.views.board.table_panels import draw_log_and_dice, draw_top
from client.views.link_row import draw_link
from protocol.game_links import GameLink

if TYPE_CHECKING:
    from client.app.window import App

HEAD = 48
"""Pixels from foot to top of the heading and the timeline of the controls, ..."""
ROWS = 5
"""... and their rows."""


class LinkedReplayControls(NamedTuple):
    """Controls of a replay that a server has sent. `link` gives that to an act, None where the replay has none; `copy`
    puts words on the clipboard; `leave` goes back to the screen before."""

    link: Callable[[int], GameLink | None] | None
    copy: Callable[[str], object]
    leave: Callable[[], None]


class ReplayScreen(BoardScreen):
    """The table as it was, with the replay's controls at the right. `linked`: of one that a server has sent."""

    feeds = (LOG, GOALS)

    def __init__(
        self, app: App, player: ReplayPlayer, step: int = 0, linked: LinkedReplayControls | None = None
    ) -> None:
        super().__init__(app)
        self.player = player
        self.linked = linked
        self.dice = ReplayDicePage(player.replay)
        player.go(step)
        self.show = ReplayShow(player, self.dice.strictness, CueSounds(app.sounds, player.texts))
        self.timeline = ReplayTimeline(player, self.go)
        self.clips = ClipPage(app, player, self.board)
        self.is_scrubbing = False
        self.is_hurried = self.has_hurried = False
        """True from a jump to the frame after it; true once the frame of the jump has been described."""
        self._prepare()
        self.model = self.show.model()

    def _prepare(self) -> None:
        """Paint the terrain of the end, so that no jump has to: a match begins with an empty table."""
        step = self.player.step
        self.player.go(self.player.last)
        self.board.prepare(Tabletop(self.player.nodes()))
        self.player.go(step)

    def go(self, step: int) -> None:
        """Show a step as it is after all that happens in it."""
        self.show.go(step)
        self.is_hurried, self.has_hurried = True, False
        self._refresh()

    def _refresh(self) -> None:
        self.model = self.show.model()
        self.app.refresh()

    def leave(self) -> None:
        self.clips.close()

    def build(self, ui: Ui) -> None:
        self.lay_out(ui)
        draw_top(ui, self.layout.row, self.model)
        if self.layout.seats.w:
            draw_seats(ui, self.layout.seats, self.model)
        if self.layout.prompt.w:
            self._side(ui, self.layout.prompt)
        if self.layout.place_of(LOG).w:
            draw_log_and_dice(ui, self.layout.feed, self.model, self.log, tumble=tumbling(self.model.playing))
        elif self.layout.place_of(GOALS).w:
            draw_victory_conditions(ui, ui.panel(self.layout.feed), self.model)
        self.draw_tabs(ui)
        marks = Marks(about=self.model.top.resolved)
        names = self.board.build(
            ui, self.layout.board, self.model, marks, glide=self.show.is_playing, is_hurried=self.is_hurried
        )
        self.has_hurried = self.is_hurried
        for group, box in names.items():
            ui.tag(box, group_label(self.model.texts, self.model.top.groups[group]))
        if self.dice.is_open:
            self.dice.draw(ui, self.model.texts)
        elif self.clips.is_open:
            self.clips.draw(ui)

    def tick(self, seconds: float) -> bool:
        is_exporting = self.clips.tick()
        if self.has_hurried:
            self.is_hurried = self.has_hurried = False
            self.app.refresh()
        glided = self.board.glide(self.model, seconds)
        if not self.show.advance(seconds):
            return glided or is_exporting
        self.model = self.show.model()
        return True

    def _side(self, ui: Ui, rect: Rect) -> None:
        """Draw the controls: where there is less room for them than they take, each is lower."""
        inside = ui.panel(rect)
        count = ROWS + (self.linked is not None and self.linked.link is not None)
        gap = ui.px(4)
        high = min(ui.px(theme.ROW), on_grid((inside.h - ui.px(HEAD)) / count) - gap)
        player, keys = self.player, ui.keys
        title, inside = inside.cut_top(ui.px(24))
        words = phrase("replay.step", step=player.step, last=player.last)
        ui.line(phrase("replay.title"), title, size=theme.LARGE, bold=True)
        ui.line(words, title, colour=theme.MUTED, anchor="right")
        bar, inside = inside.cut_top(ui.px(16), ui.px(8))
        self.timeline.draw(ui, bar, self.model.top)
        rows = inside.rows(high, gap)
        self._steps(ui, next(rows))
        words = phrase("replay.speed", speed=SPOKEN.decimal(self.show.speed, "0.##"))
        name, key = phrase("replay.speed.name"), keys.shown("speeds")
        ui.button(next(rows), words, self._faster, left=True, name=name, key=key)
        words, name = phrase("replay.eyes", who=self._eyes()), phrase("replay.eyes.name")
        tip, key = phrase("replay.eyes.tip"), keys.shown("eyes")
        ui.button(next(rows), words, self._other_eyes, left=True, name=name, tip=tip, key=key)
        dice, clip = next(rows).columns(2)
        ui.button(dice, phrase("replay.dice"), self.dice.toggle, key=keys.shown("fair"), tip=phrase("replay.dice.tip"))
        ui.button(clip, phrase("clip.open"), self._open_clips, key=keys.shown("clip"), tip=phrase("clip.open.tip"))
        if self.linked is not None and self.linked.link is not None:
            draw_link(ui, next(rows), self.linked.link(player.act), self.linked.copy)
        out = next(rows)
        if self.linked is not None:
            back, out = out.columns(2)
            ui.button(back, phrase("replay.leave"), self.linked.leave, primary=True)
        ui.button(out, phrase("quit"), self.app.close)

    def _eyes(self) -> str:
        """Return the name of the audience through whose eyes the table is seen."""
        named = {PUBLIC: phrase("replay.everybody"), ALL_SEEING: phrase("replay.all_seeing")}
        return named.get(self.player.audience) or self.model.seat_name(self.player.seat)

    def _steps(self, ui: Ui, row: Rect) -> None:
        """Draw the buttons to the beginning, back, play, forward, to the end."""
        at, last = self.player.step, self.player.last
        sign = "||" if self.show.is_playing else phrase("steps.play")
        back, forward = at > 0, at < last
        deeds: tuple[tuple[str, str, str, Act | None], ...] = (
            ("first", "|<", ui.keys.shown("ends", 0), (lambda: self.go(0)) if back else None),
            ("back", "<", ui.keys.shown("steps", 0), (lambda: self.go(at - 1)) if back else None),
            ("play", sign, ui.keys.shown("play"), self._play),
            ("forward", ">", ui.keys.shown("steps", 1), (lambda: self.go(at + 1)) if forward else None),
            ("last", ">|", ui.keys.shown("ends", 1), (lambda: self.go(last)) if forward else None),
        )
        for box, (deed, words, key, act) in zip(row.columns(len(deeds), ui.px(4)), deeds, strict=True):
            ui.button(box, words, act, name=phrase(f"steps.{deed}"), tip=key, primary=deed == "play")

    def _play(self) -> None:
        self.show.play()
        self._refresh()

    def _faster(self, by: int = 1) -> None:
        self.show.speed = SPEEDS[(SPEEDS.index(self.show.speed) + by) % len(SPEEDS)]

    def _other_eyes(self) -> None:
        eyes = self.player.audiences
        self.show.see_as(eyes[(eyes.index(self.player.audience) + 1) % len(eyes)])
        self._refresh()

    def _open_clips(self) -> None:
        """Open the page of exports at the present step, which stands still meanwhile."""
        if self.show.is_playing:
            self._play()
        self.clips.open()

    @property
    def _has_page(self) -> bool:
        return self.dice.is_open or self.clips.is_open

    def places(self) -> tuple[str, ...]:
        return ("page",) if self._has_page else AT_REPLAY

    def key(self, press: KeyPress) -> bool:
        if self.clips.is_open:
            return False
        if self.dice.is_open and self.dice.key(press):
            return True
        if press.means("fair"):
            self.dice.toggle()
        elif (on := press.which("ends")) is not None:
            self.go(self.player.last if on else 0)
        elif (on := press.which("steps")) is not None:
            self.go(self.player.step + (1 if on else -1))
        elif press.means("play"):
            self._play()
        elif (up := press.which("speeds")) is not None:
            self._faster(1 if up else -1)
        elif press.means("eyes"):
            self._other_eyes()
        elif press.means("clip"):
            self._open_clips()
        else:
            return self.board.key(press)
        return True

    def escape(self) -> None:
        if self.clips.is_open:
            self.clips.close()
        elif self.dice.is_open:
            self.dice.is_open = False
        else:
            self.board.tool = None

    def grip(self, x: float, y: float, button: int) -> None:
        self.is_scrubbing = self.timeline.holds(x, y)

    def press(self, x: float, y: float, button: int) -> None:
        if self.layout.board.contains(x, y):
            self.board.measure_from(x, y)

    def release(self, x: float, y: float, button: int) -> None:
        self.is_scrubbing = False

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        if self.is_scrubbing:
            self.timeline.go_to(x)
        elif self.board.tool is not None and buttons & arcade.MOUSE_BUTTON_LEFT:
            self.board.measure_to(x, y)
        elif self.layout.board.contains(x, y):
            self.board.camera.pan(dx, dy)
