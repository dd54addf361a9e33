"""Screen of a replay: forwards, backwards, at once or step by step, through the eyes of everybody or of one seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import arcade

from client.draw.board.groups import Marks, group_label
from client.draw.die import tumbling
from client.draw.panels.seats import draw_seats
from client.draw.panels.victory_conditions import draw_victory_conditions
from client.input.key_table import KeyPress
from client.model.playback.shown_scene import ShownScene
from client.model.playback.walking import places_of
from client.model.replay_player import PUBLIC, ReplayPlayer
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.views.board.board_screen import BoardScreen
from client.views.board.replay_dice import ReplayDicePage
from client.views.board.table_panels import draw_bottom, draw_top
from client.views.link_row import draw_link
from protocol.game_links import GameLink
from protocol.wire.from_server import Delta

if TYPE_CHECKING:
    from client.app.window import App

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
BETWEEN = 0.2
"""Seconds between two steps that play."""
HEIGHT = 236
"""Height in pixels of all controls; where there is less room they are lower."""


class LinkedReplayControls(NamedTuple):
    """Controls of a replay that has come by a link. `link` gives that to an act; `copy` puts words on the clipboard;
    `leave` goes back to the server's tables."""

    link: Callable[[int], GameLink | None]
    copy: Callable[[str], object]
    leave: Callable[[], None]


class ReplayScreen(BoardScreen):
    """The table as it was, with the replay's controls at the right. `linked`: of one that has come by a link."""

    def __init__(
        self, app: App, player: ReplayPlayer, step: int = 0, linked: LinkedReplayControls | None = None
    ) -> None:
        super().__init__(app)
        self.player = player
        self.linked = linked
        self.dice = ReplayDicePage(player.replay)
        player.go(step)
        self.scene = ShownScene(is_led=True)
        self.scene.begin(player.nodes())
        self.told = player.log(), player.dice()
        """Log and dice as far as they have been shown."""
        self.model = self._gather()
        self.playing = False
        self.speed = 1
        self.since = 0.0

    def _gather(self) -> ViewModel:
        player, scene = self.player, self.scene
        if not scene.is_behind:
            self.told = player.log(), player.dice()
        log, dice = self.told
        return ViewModel(
            self.index(scene.nodes).with_pieces_at(places_of(scene.playing, scene.nodes)),
            player.texts,
            None,
            log,
            (),
            dice,
            player.title(),
            names=player.names(),
            playing=scene.playing,
            strictness=self.dice.strictness,
        )

    def go(self, step: int) -> None:
        """Show a step as it is after all that happens in it."""
        self.player.go(step)
        self.scene.begin(self.player.nodes())
        self.model = self._gather()
        self.app.refresh()

    def _play_step(self) -> None:
        """Begin to show what happens in the next step."""
        before = dict(self.player.nodes())
        self.player.go(self.player.step + 1)
        after, frame = self.player.nodes(), self.player.frame
        changes = {id: after.get(id) for id in before.keys() | after.keys() if before.get(id) is not after.get(id)}
        self.scene.begin(before)
        acts, cues = (frame.acts, frame.cues) if isinstance(frame, Delta) else ((), ())
        self.scene.tell(acts, cues, changes)

    def build(self, ui: Ui) -> None:
        self.lay_out(ui)
        draw_top(ui, self.layout.row, self.model)
        if self.layout.seats.w:
            draw_seats(ui, self.layout.seats, self.model)
        if self.layout.prompt.w:
            self._side(ui, self.layout.prompt)
        if self.layout.log.w:
            draw_bottom(ui, self.layout.log, self.model, self.log, self.chat, None, tumbling(self.model.playing))
        self.draw_tabs(ui)
        stack = frozenset(thing for _, item in self.model.top.stack for thing in item.about)
        names = self.board.build(ui, self.layout.board, self.model, Marks(about=stack), glide=self.playing)
        for group, box in names.items():
            ui.tag(box, group_label(self.model.texts, self.model.top.groups[group]))
        if self.dice.is_open:
            self.dice.draw(ui, self.model.texts)

    def tick(self, seconds: float) -> bool:
        glided = self.board.glide(self.model, seconds)
        if not self.playing:
            return glided
        speed = SPEEDS[self.speed]
        self.since += seconds
        if not self.scene.is_behind and self.since * speed >= BETWEEN:
            self.playing = self.player.step < self.player.last
            if self.playing:
                self._play_step()
        elif self.scene.advance(seconds * speed):
            self.since = 0.0
        else:
            return glided
        self.model = self._gather()
        return True

    def _side(self, ui: Ui, rect: Rect) -> None:
        inside = ui.panel(rect, phrase("replay.title"))
        fit = min(inside.h / ui.px(HEIGHT), 1)
        player = self.player
        row, inside = inside.cut_top(ui.px(20) * fit, ui.px(4) * fit)
        ui.line(phrase("replay.step", step=player.step, last=player.last), row)
        bar, inside = inside.cut_top(ui.px(14) * fit, ui.px(8) * fit)
        self._bar(ui, bar)
        row, inside = inside.cut_top(ui.px(32) * fit, ui.px(6) * fit)
        self._steps(ui, row)
        row, inside = inside.cut_top(ui.px(30) * fit, ui.px(6) * fit)
        words = phrase("replay.speed", speed=SPOKEN.decimal(SPEEDS[self.speed], "0.##"))
        ui.button(row, words, self._faster, left=True, name=phrase("replay.speed.name"))
        row, inside = inside.cut_top(ui.px(30) * fit, ui.px(10) * fit)
        eyes = phrase("replay.everybody") if player.audience == PUBLIC else self.model.seat_name(player.seat)
        words, name = phrase("replay.eyes", who=eyes), phrase("replay.eyes.name")
        ui.button(row, words, self._other_eyes, left=True, name=name, tip=phrase("replay.eyes.tip"))
        row, inside = inside.cut_top(ui.px(30) * fit, ui.px(6) * fit)
        words, tip = phrase("replay.dice"), phrase("replay.dice.tip")
        ui.button(row, words, self.dice.toggle, key=ui.keys.shown("fair"), tip=tip)
        out, inside = inside.cut_bottom(ui.px(32) * fit, ui.px(8) * fit)
        if self.linked is not None:
            row, inside = inside.cut_top(ui.px(30) * fit, ui.px(6) * fit)
            draw_link(ui, row, self.linked.link(player.act), self.linked.copy)
            back, out = out.columns(2, ui.px(6))
            ui.button(back, phrase("to_lobby"), self.linked.leave, primary=True)
        ui.button(out, phrase("quit"), self.app.close)
        draw_victory_conditions(ui, inside, self.model)

    def _steps(self, ui: Ui, row: Rect) -> None:
        """Draw the buttons to the beginning, back, play, forward, to the end."""
        at, last = self.player.step, self.player.last
        sign = "||" if self.playing else phrase("steps.play")
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

    def _bar(self, ui: Ui, rect: Rect) -> None:
        ui.painter.rect(rect, theme.FIELD, 4)
        share = self.player.step / max(self.player.last, 1)
        ui.painter.rect(Rect(rect.x, rect.y, max(rect.w * share, 4), rect.h), theme.ACCENT, 4)
        ui.tag(rect, phrase("replay.progress"), phrase("replay.progress.tip"), lambda: self._jump(rect))

    def _jump(self, rect: Rect) -> None:
        share = (self.app.ui.mouse[0] - rect.x) / max(rect.w, 1)
        self.go(round(share * self.player.last))

    def _play(self) -> None:
        self.playing = not self.playing
        self.scene.jump()
        if self.playing and self.player.step >= self.player.last:
            self.go(0)

    def _faster(self) -> None:
        self.speed = (self.speed + 1) % len(SPEEDS)

    def _other_eyes(self) -> None:
        eyes = self.player.audiences
        self.player.see_as(eyes[(eyes.index(self.player.audience) + 1) % len(eyes)])
        self.go(self.player.step)

    def places(self) -> tuple[str, ...]:
        return ("page",) if self.dice.is_open else ("replay", "board")

    def key(self, press: KeyPress) -> bool:
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
        else:
            return self.board.key(press)
        return True

    def escape(self) -> None:
        self.dice.is_open, self.board.tool = False, None

    def press(self, x: float, y: float, button: int) -> None:
        if self.layout.board.contains(x, y):
            self.board.measure_from(x, y)

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        if self.board.tool is not None and buttons & arcade.MOUSE_BUTTON_LEFT:
            self.board.measure_to(x, y)
        elif self.layout.board.contains(x, y):
            self.board.camera.pan(dx, dy)
