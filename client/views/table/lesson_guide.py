"""Guide of a lesson at the table: shows the step that fits, and points at what to click next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as changed
from functools import partial
from typing import Final

from client.draw.board.chance_labels import chance_place
from client.draw.board.groups import base_rects, group_label
from client.draw.board.places import box_of
from client.draw.panels.lesson import LessonWords, box_height, draw_frame, draw_lesson_box, draw_lesson_chip, draw_sign
from client.input.gestures.clicks import Note
from client.input.gestures.controller import GestureController
from client.input.lesson_features import is_due
from client.input.lesson_way import NOWHERE, LessonWay, Places, Sign
from client.input.lesson_words import words_of
from client.model.lesson_run import LessonRun, only_tells
from client.model.session import ClientSession
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.forecast_words import short_words
from client.text.phrases import phrase
from client.ui.frame import Hotspot, Ui
from client.ui.layout import Rect
from client.ui.table_layout import TableLayout
from client.views.board.board_panel import BoardPanel
from client.views.board.ribbon_view import RibbonView
from client.views.board.table_panels import named_parts
from protocol.ids import NodeId
from protocol.scene.nodes import Point, Prompt
from protocol.text import Text
from protocol.wire.lessons import LessonStep

GROUND: Final = 12
"""Half the width in pixels of the mark on a place of the ground."""
SOON: Final = 0.4
"""Seconds of waiting for an answer after which the box says so."""
TRIES_AGAIN: Final = 3.0
"""Seconds without any step after which those that were passed over are tried again."""
LOOKS: Final = 0.1
"""Seconds between two looks for an answer."""


class LessonGuide:
    """Guide at one table. `pointed`: what is pointed at, in pixels; `spot`: where a click on it lands, None where
    nothing is to be clicked; `kept`: places of the board that it points at, which nothing else may cover."""

    def __init__(
        self, session: ClientSession, gestures: GestureController, board: BoardPanel, ribbon: RibbonView
    ) -> None:
        self.session = session
        self.gestures = gestures
        self.board = board
        self.ribbon = ribbon
        self.way = LessonWay(gestures)
        self.note: Note | None = None
        self.pointed: Rect | None = None
        self.spot: tuple[float, float] | None = None
        self.kept: list[Rect] = []
        self.has_moved = False
        self.strip: Rect | None = None
        self.names: Mapping[NodeId, Rect] = {}
        self.awaits = False
        self.said = ""
        self.waited = self.looked = 0.0

    def make_room(self, ui: Ui, layout: TableLayout, model: ViewModel) -> TableLayout:
        """Return the layout without the strip above the board that the box is drawn in: so it covers nothing."""
        self.strip = None
        if self.session.lessons.present is None or model.top.result is not None:
            return layout
        self.strip, board = layout.board.cut_top(box_height(ui))
        return changed(layout, board=board)

    def tick(self, seconds: float) -> bool:
        """Let time pass; return True where what was awaited is to be looked for."""
        self.waited = self.waited + seconds if self.awaits else 0.0
        self.looked += seconds
        run = self.session.lessons.run
        if self.waited >= TRIES_AGAIN and run is not None and run.step is None:
            self.waited = 0.0
            self.way.try_again()
            run.try_again()
        if self.has_moved:
            return True
        if not self.awaits or self.looked < LOOKS:
            return False
        self.looked = 0.0
        return True

    def sync(self, prompt: Prompt | None) -> None:
        """Take in the prompt, and what gestures have refused."""
        lessons, note = self.session.lessons, self.gestures.note
        lessons.look(prompt)
        if note is not None and note is not self.note:
            lessons.refused()
        self.note = note

    def draw(self, ui: Ui, layout: TableLayout, model: ViewModel, names: Mapping[NodeId, Rect]) -> None:
        """Draw the step over the table as it has been described so far. `names`: the places of the groups' names."""
        before, self.kept = self.kept, []
        self.pointed, self.spot, self.names = None, None, names
        self._draw(ui, layout, model)
        self.has_moved = before != self.kept

    def _draw(self, ui: Ui, layout: TableLayout, model: ViewModel) -> None:
        run = self.session.lessons.run
        if run is None or model.top.result is not None:
            return
        ui.on("over")
        if self.strip is None:
            draw_lesson_chip(ui, layout.board, self.session.lessons.take_up)
        else:
            self._draw_step(ui, layout, model, run, self.strip)

    def _draw_step(self, ui: Ui, layout: TableLayout, model: ViewModel, run: LessonRun, strip: Rect) -> None:
        behind = self.session.story.scene.is_behind
        sign = None if behind else self._find(ui, model, run)
        step = run.step
        is_part = step is not None and bool(step.part)
        self.awaits = sign is None and not (behind or is_part or self.gestures.prompts.driver is None)
        if not behind:
            self._point(ui, layout, model, step, sign)
        if self.pointed is not None and sign is not None and (sign.node or sign.point is not None):
            self.kept = [self.pointed]
        words = phrase("lesson.behind") if behind else self._words(model, step, sign)
        go_on = self.session.lessons.go_on if step is not None and only_tells(step) and not behind else None
        title = model.texts.say(run.lesson.name)
        draw_lesson_box(ui, strip, LessonWords(title, *run.progress, words, go_on, self.session.lessons.leave))
        if self.pointed is not None and self.spot is not None:
            draw_sign(ui, self.pointed, layout.board, self._taken(ui, model))
        elif self.pointed is not None:
            draw_frame(ui, self.pointed)  # a part of the window is looked at, and not clicked
        if go_on is not None:
            self._aim(self._button(ui, phrase("lesson.go_on")))
            if self.pointed is not None:
                draw_frame(ui, self.pointed)

    def _taken(self, ui: Ui, model: ViewModel) -> list[Rect]:
        """Return the places on the board that an arrow would cover something at: buttons, groups and their names."""
        buttons = (spot.rect for spot in ui.hotspots if spot.act is not None and spot.label)
        groups = base_rects(ui, model.top, self.board.camera).values()
        return [rect for rect in (*buttons, *groups, *self.names.values()) if rect.overlaps(self.board.rect)]

    def _find(self, ui: Ui, model: ViewModel, run: LessonRun) -> Sign | None:
        """Return what the step that fits points at, passing over steps that lead nowhere now."""
        top = model.top
        for _ in run.lesson.steps:
            step = run.step
            if step is not None and not self._is_due(step, model):
                run.pass_over()
                continue
            if step is None or step.part or self.gestures.prompts.driver is None:
                return None
            places = Places(partial(self._is_open, ui), run.refusals)
            sign = self.way.sign(step, top, places)
            if sign != NOWHERE:
                return sign
            run.pass_over()
        return None

    def _is_due(self, step: LessonStep, model: ViewModel) -> bool:
        """Tell whether what a step is about is there: dice that can be seen, a feature that is held, or is not."""
        if step.part == "dice" and (self.ribbon.is_open or not model.dice):
            return False
        return is_due(step, model.top, model.seat)

    def _words(self, model: ViewModel, step: LessonStep | None, sign: Sign | None) -> str:
        """Return the words of the box; those that stand there stay for a moment while an answer is awaited."""
        if step is None:
            return phrase("lesson.free")
        if self.awaits:
            if self.waited < SOON and self.said:
                return self.said
            is_clicked = self.gestures.waiting is not None or self.gestures.prompts.sent is not None
            return phrase("lesson.awaited" if is_clicked else "lesson.looking")
        driver = self.gestures.prompts.driver
        title = driver.prompt.title if driver is not None else Text("")
        self.said = words_of(step, sign, model.texts, model.top, self.gestures.subject, title)
        return self.said

    def _point(self, ui: Ui, layout: TableLayout, model: ViewModel, step: LessonStep | None, sign: Sign | None) -> None:
        """Find the place in the window of what is pointed at."""
        if sign is None:
            if step is not None and step.part:
                self.pointed = _part(ui, layout, step.part)
        elif sign.node:
            self._at_node(ui, model, sign.node)
        elif sign.point is not None:
            x, y = self.board.camera.to_window(*sign.point)
            self.pointed = Rect(x - GROUND, y - GROUND, 2 * GROUND, 2 * GROUND)
            self.spot = (x, y)
        elif sign.choice is not None:
            self._aim(self._button(ui, model.texts.say(sign.variant or sign.choice.name)))
        elif sign.accepts:
            self._aim(self._button(ui, phrase("gesture.accept"), phrase("prompt.accept"), phrase("prompt.done")))
        elif sign.back:
            self._aim(self._button(ui, phrase("prompt.back")))

    def _at_node(self, ui: Ui, model: ViewModel, node: NodeId) -> None:
        """Point at a group or a figure: at a base of it that nothing else covers, else at its name."""
        top, camera = model.top, self.board.camera
        box = box_of(camera, top, node)
        self.pointed = self._with_labels(ui, top, node, box) if box is not None else None
        bases = [piece.at for _, piece in top.pieces_of(node)] or [
            piece.at for piece in [top.pieces.get(node)] if piece
        ]
        for at in bases:
            spot = camera.to_window(*at)
            if self._is_bare(ui, spot):
                self.spot = spot
                return
        if node in top.groups:
            self._aim(self._button(ui, group_label(model.texts, top.groups[node])))

    def _with_labels(self, ui: Ui, top: Tabletop, node: NodeId, box: Rect) -> Rect:
        """Return the box of a thing with its name, where that is above or below it, and with its chance."""
        name, prompt = self.names.get(node), self.gestures.prompt
        targets = self.gestures.targets(prompt) if prompt is not None else {}
        pair = targets.get(node)
        words = short_words(pair[1]) if pair is not None and pair[1].why is None else ""
        around = box
        if name is not None and abs(name.centre[0] - box.centre[0]) < box.w / 2:
            around = _around(around, name)
        if not words:
            return around
        places = (box_of(self.board.camera, top, target) for target in targets if target != node)
        others = [place for place in places if place is not None]
        return _around(around, chance_place(ui, words, box, list(self.names.values()), self.board.rect, others))

    def _aim(self, spot: Hotspot | None) -> None:
        if spot is not None:
            self.pointed, self.spot = spot.rect, spot.rect.centre

    @staticmethod
    def _button(ui: Ui, *labels: str) -> Hotspot | None:
        """Return the newest button with one of these labels that can be clicked."""
        return next((spot for spot in reversed(ui.hotspots) if spot.label in labels and spot.act is not None), None)

    def _is_open(self, ui: Ui, point: Point) -> bool:
        """Tell whether a click at a place of the table means that place, and nothing covers a mark there."""
        x, y = self.board.camera.to_window(*point)
        corners = [(x + dx, y + dy) for dx in (-GROUND, 0, GROUND) for dy in (-GROUND, 0, GROUND)]
        mark = Rect(x - GROUND, y - GROUND, 2 * GROUND, 2 * GROUND)
        is_bare = all(self._is_bare(ui, corner) for corner in corners)
        return is_bare and not any(mark.overlaps(name) for name in self.names.values())

    def _is_bare(self, ui: Ui, spot: tuple[float, float]) -> bool:
        over = ui.hit(*spot)
        return self.board.rect.inset(GROUND).contains(*spot) and (over is None or over.act is None)


def _around(a: Rect, b: Rect) -> Rect:
    """Return the rectangle around both."""
    x, y = min(a.x, b.x), min(a.y, b.y)
    return Rect(x, y, max(a.right, b.right) - x, max(a.top, b.top) - y)


def _part(ui: Ui, layout: TableLayout, name: str) -> Rect | None:
    """Return the place of a named part of the window: of one that is shut, that of the tabs."""
    part = named_parts(ui, layout).get(name)
    return part if part is None or part.w else layout.tabs
