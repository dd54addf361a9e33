"""Guide of a lesson at the table: shows the step that fits, and points at what to click next."""

from __future__ import annotations

from functools import partial

from client.draw.board.groups import group_label
from client.draw.board.places import box_of
from client.draw.panels.lesson import LessonWords, draw_frame, draw_lesson_box, draw_lesson_chip, draw_sign
from client.input.gestures.clicks import Note
from client.input.gestures.controller import GestureController
from client.input.lesson_way import NOWHERE, LessonWay, Places, Sign
from client.model.lesson_run import only_tells
from client.model.session import ClientSession
from client.model.tabletop import Tabletop
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui.frame import Hotspot, Ui
from client.ui.layout import Rect, TableLayout
from client.views.board.board_panel import BoardPanel
from protocol.ids import NodeId
from protocol.scene.nodes import Point, Prompt
from protocol.wire.lessons import LessonStep

GROUND = 12
"""Half the width in pixels of the mark on a place of the ground."""


class LessonGuide:
    """Guide at one table. `pointed`: what is pointed at, in pixels; `spot`: where a click on it lands, None where
    nothing is to be clicked."""

    def __init__(self, session: ClientSession, gestures: GestureController, board: BoardPanel) -> None:
        self.session = session
        self.gestures = gestures
        self.board = board
        self.way = LessonWay(gestures)
        self.note: Note | None = None
        self.pointed: Rect | None = None
        self.spot: tuple[float, float] | None = None

    def sync(self, prompt: Prompt | None) -> None:
        """Take in the prompt, and what gestures have refused."""
        lessons, note = self.session.lessons, self.gestures.note
        lessons.look(prompt)
        if note is not None and note is not self.note:
            lessons.refused()
        self.note = note

    def draw(self, ui: Ui, layout: TableLayout, model: ViewModel) -> None:
        """Draw the step over the table as it has been described so far."""
        self.pointed = self.spot = None
        lessons = self.session.lessons
        if lessons.run is None or model.top.result is not None:
            return
        ui.on("over")
        if lessons.present is None:
            draw_lesson_chip(ui, layout.board, lessons.take_up)
            return
        behind = self.session.story.scene.is_behind
        sign = None if behind else self._find(ui, model.top)
        step = lessons.run.step
        if not behind:
            self._point(ui, layout, model, step, sign)
        done, most = lessons.run.progress
        words = phrase("lesson.behind") if behind else self._words(model, step, sign)
        go_on = lessons.go_on if step is not None and only_tells(step) and not behind else None
        title = model.texts.say(lessons.run.lesson.name)
        told = LessonWords(title, done, most, words, go_on, lessons.leave)
        draw_lesson_box(ui, layout.board, told, self._covers)
        if go_on is not None:
            if self.pointed is not None:
                draw_frame(ui, self.pointed)
            self._aim(self._button(ui, phrase("lesson.go_on")))
        if self.pointed is not None:
            # a part of the window is looked at, and not clicked
            (draw_sign if self.spot is not None else draw_frame)(ui, self.pointed)

    def _find(self, ui: Ui, top: Tabletop) -> Sign | None:
        """Return what the step that fits points at, passing over steps that lead nowhere now."""
        run = self.session.lessons.run
        assert run is not None
        for _ in run.lesson.steps:
            step = run.step
            if step is None or step.part or self.gestures.prompts.driver is None:
                return None
            places = Places(partial(self._is_open, ui), run.refusals)
            sign = self.way.sign(step, top, places)
            if sign != NOWHERE:
                return sign
            run.pass_over()
        return None

    def _words(self, model: ViewModel, step: LessonStep | None, sign: Sign | None) -> str:
        if step is None:
            return phrase("lesson.free")
        if sign is not None and sign.accepts and step.choice:
            return phrase("lesson.accept")
        if sign is not None and sign.back:
            return phrase("lesson.back")
        second = sign is not None and sign.is_second
        return model.texts.say(step.picked if second and step.picked is not None else step.text)

    def _point(self, ui: Ui, layout: TableLayout, model: ViewModel, step: LessonStep | None, sign: Sign | None) -> None:
        """Find the place in the window of what is pointed at."""
        if sign is None:
            if step is not None and step.part:
                self.pointed = _part(layout, step.part)
        elif sign.node:
            self._at_node(ui, model, sign.node)
        elif sign.point is not None:
            x, y = self.board.camera.to_window(*sign.point)
            self.pointed = Rect(x - GROUND, y - GROUND, 2 * GROUND, 2 * GROUND)
            self.spot = (x, y)
        elif sign.choice is not None:
            self._aim(self._button(ui, model.texts.say(sign.choice.name)))
        elif sign.accepts:
            self._aim(self._button(ui, phrase("gesture.accept"), phrase("prompt.accept"), phrase("prompt.done")))
        elif sign.back:
            self._aim(self._button(ui, phrase("prompt.back")))

    def _at_node(self, ui: Ui, model: ViewModel, node: NodeId) -> None:
        """Point at a group or a figure: at a base of it that nothing else covers, else at its name."""
        top, camera = model.top, self.board.camera
        self.pointed = box_of(camera, top, node)
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

    def _aim(self, spot: Hotspot | None) -> None:
        if spot is not None:
            self.pointed, self.spot = spot.rect, spot.rect.centre

    @staticmethod
    def _button(ui: Ui, *labels: str) -> Hotspot | None:
        """Return the newest button with one of these labels that can be clicked."""
        return next((spot for spot in reversed(ui.hotspots) if spot.label in labels and spot.act is not None), None)

    def _is_open(self, ui: Ui, point: Point) -> bool:
        """Tell whether a click at a place of the table means that place."""
        return self._is_bare(ui, self.board.camera.to_window(*point))

    def _is_bare(self, ui: Ui, spot: tuple[float, float]) -> bool:
        over = ui.hit(*spot)
        return self.board.rect.inset(GROUND).contains(*spot) and (over is None or over.act is None)

    def _covers(self, box: Rect) -> bool:
        """Tell whether a box would lie on what is pointed at."""
        return self.pointed is not None and box.overlaps(self.pointed)


def _part(layout: TableLayout, name: str) -> Rect | None:
    """Return the place of a named part of the window."""
    parts = {
        "board": layout.board,
        "row": layout.row,
        "seats": layout.seats,
        "prompt": layout.prompt,
        "log": layout.log,
        "dice": layout.log.cut_left(layout.log.w * 0.42)[1].cut_left(layout.log.w * 0.27)[0],
    }
    part = parts.get(name)
    return part if part is None or part.w else layout.tabs  # in a drawer that is shut
