"""The pointer over the table: what presses, drags and releases of the mouse mean there.

`click_at` is a click at a place of the table, whatever made it: the mouse, or a cursor that keys move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import arcade
from arcade import key as keys

from client.draw.board.gestures import draw_gestures, draw_unjudged, draw_unseen
from client.draw.board.verb_bar import Placed, placed_bars
from client.input.board_drafts import BoardDraft
from client.input.choice_numbers import ChoiceNumbers
from client.input.gestures.aims import Pointed, answers, subjects
from client.input.gestures.controller import GestureController
from client.input.prompt_controller import PromptController
from client.input.prompt_driver import CHOOSING
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.forecast_words import chance_words, forecast_lines, short_words
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.board.board_panel import BoardPanel
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Point

GRASP: Final = 50
"""Distance from a ghost's middle within which it is taken in hand, in hundredths."""
STILL: Final = 6
"""Pixels that the mouse may move between a press and a release that are one click."""


@dataclass
class Press:
    """Press of a mouse button: where, on what, and whether the mouse has been dragged since. `named`: on the name of
    this group; `in_bar`: on a thing that stands in a bar, not on the table."""

    x: float
    y: float
    button: int
    thing: NodeId = NO_NODE
    is_drag: bool = False
    named: NodeId = NO_NODE
    in_bar: bool = False


class TablePointer:
    """Pointer of one table. `scene` gives the true scene, on which clicks act."""

    def __init__(
        self,
        board: BoardPanel,
        controller: PromptController,
        gestures: GestureController,
        scene: Callable[[], Tabletop],
    ) -> None:
        self.board = board
        self.controller = controller
        self.gestures = gestures
        self.scene = scene
        self.pressed: Press | None = None

    def pointed(self, point: Point, things: tuple[NodeId, ...] | None = None, *, held: bool = False) -> Pointed:
        """Return a place of the table with what lies there. `held`: the group in focus is being dragged."""
        top = self.scene()
        found = top.things_at(point, self.board.slack()) if things is None else things
        from_at = top.centre_of(self.gestures.subject)
        return Pointed(point, found, top.table.grid, from_at, held, top.table.unit)

    def click_at(self, point: Point, things: tuple[NodeId, ...] | None = None, modifiers: int = 0) -> None:
        """Take a click at a place of the table, in hundredths. `things`: what is clicked, where it is not what lies
        there. With Ctrl what it proposes is shown to be changed before it is accepted, with Shift it is a corner of a
        way."""
        keep, corner = bool(modifiers & keys.MOD_CTRL), bool(modifiers & keys.MOD_SHIFT)
        at, driver = self.pointed(point, things), self.controller.driver
        if driver is not None and driver.stage != CHOOSING:
            if things is not None or not self.controller.point(point):
                self.controller.pick(at.things)
        elif not self.gestures.click(at, keep=keep, corner=corner) and not self.controller.pick(at.things):
            self.gestures.take_back()

    def takes(self, thing: NodeId) -> bool:
        """Tell whether a click on the name of a thing means the thing: else it means the ground below its name."""
        driver, prompt = self.controller.driver, self.gestures.prompt
        if driver is None or prompt is None:
            return driver is not None and thing in {**driver.selectable(), **driver.barred()}
        if thing in subjects(prompt) or answers(prompt, thing):
            return thing != self.gestures.subject
        pair = self.gestures.targets(prompt).get(thing)
        return (pair is not None and pair[1].why is None) or thing in driver.selectable()

    def offer_at(self, point: Point, things: tuple[NodeId, ...] | None = None) -> bool:
        """Offer all that a click at a place could mean in a bar there; return False where it is not more than one
        thing. `things`: as of `click_at`."""
        return self.gestures.offer(self.pointed(point, things))

    def click_name(self, group: NodeId, modifiers: int) -> None:
        """Take a click on the name of a group as one on the group."""
        self.click_at(self._middle(group), (group,), modifiers)

    def _middle(self, group: NodeId) -> Point:
        return self.scene().centre_of(group) or (0, 0)

    def press(self, x: float, y: float, button: int, named: NodeId = NO_NODE, *, in_bar: bool = False) -> None:
        """Take a press of a mouse button over the board; `named`, `in_bar`: as of a Press."""
        self.pressed = None
        point = self.board.camera.to_table(x, y)
        if button == arcade.MOUSE_BUTTON_LEFT:
            if self.board.measure_from(x, y) or self.controller.hold(point, self.board.slack()):
                return
            self.gestures.grab(point, GRASP + self.board.slack())
            self.pressed = Press(x, y, button, self._own(point))
        elif button == arcade.MOUSE_BUTTON_RIGHT:
            self.pressed = Press(x, y, button, named=named, in_bar=in_bar)

    def grip(self, x: float, y: float, button: int) -> None:
        """Take a press on the thing of a bar that has just come into focus."""
        self.pressed = Press(x, y, button, self.gestures.subject, in_bar=True)

    def _own(self, point: Point) -> NodeId:
        """Return the thing at a place that could be dragged."""
        prompt = self.gestures.prompt
        known = subjects(prompt) if prompt is not None else {}
        return next((thing for thing in self.pointed(point).things if thing in known), NO_NODE)

    def drag(self, x: float, y: float, dx: float, dy: float, buttons: int) -> None:
        """Take a move of the mouse with a button down."""
        pressed = self.pressed
        if pressed is not None and math.dist((x, y), (pressed.x, pressed.y)) > STILL and not pressed.is_drag:
            pressed.is_drag = True
            if pressed.thing and not self.gestures.ghosts.held and pressed.thing != self.gestures.subject:
                self.gestures.focus(pressed.thing)
        if buttons & (arcade.MOUSE_BUTTON_RIGHT | arcade.MOUSE_BUTTON_MIDDLE):
            self.board.camera.pan(dx, dy)
        elif self.board.tool is not None:
            self.board.measure_to(x, y)
        elif self.gestures.ghosts.held:
            self.gestures.move_ghost(self.board.camera.to_table(x, y))
        else:
            self.controller.drag(self.board.camera.to_table(x, y))

    def release(self, x: float, y: float, button: int, modifiers: int = 0) -> None:
        """Take the release of a mouse button."""
        self.controller.drop()
        has_ghost = bool(self.gestures.ghosts.held)
        self.gestures.drop_ghost()
        pressed, self.pressed = self.pressed, None
        if pressed is None or button != pressed.button:
            return
        point = self.board.camera.to_table(x, y)
        if button == arcade.MOUSE_BUTTON_RIGHT:
            if not pressed.is_drag and not self._offer(pressed, point):
                self.gestures.take_back()
        elif not pressed.is_drag:
            if not pressed.in_bar:
                self.click_at(point, modifiers=modifiers)
        elif not has_ghost and not pressed.thing:
            self._click_towards(pressed, point)
        elif not has_ghost:
            self.gestures.click(self.pointed(point, held=True), keep=bool(modifiers & keys.MOD_CTRL))

    def _offer(self, pressed: Press, point: Point) -> bool:
        """Offer all that a click with the left button could mean where the right one was pressed."""
        if pressed.named:
            return self.offer_at(self._middle(pressed.named), (pressed.named,))
        return not pressed.in_bar and self.offer_at(point)

    def _click_towards(self, pressed: Press, point: Point) -> None:
        """Take a press on the ground that was dragged: what goes there looks at where it was let go."""
        driver = self.controller.driver
        if driver is not None and driver.stage == CHOOSING:
            start = self.pointed(self.board.camera.to_table(pressed.x, pressed.y))
            self.gestures.click(start, towards=point)

    @property
    def is_dragging(self) -> bool:
        """True while a group is being dragged."""
        is_drag = self.pressed is not None and self.pressed.is_drag and bool(self.pressed.thing)
        return is_drag and not self.gestures.ghosts.held

    def tick(self, mouse: tuple[float, float]) -> bool:
        """Let time pass with the mouse at a place of the window; return True if what is drawn has changed."""
        driver = self.controller.driver
        on_board = self.board.rect.contains(*mouse) and self.board.tool is None
        if driver is None or not on_board:
            return self.gestures.tick(None)
        return self.gestures.tick(self.pointed(self.board.camera.to_table(*mouse), held=self.is_dragging))

    def draw(self, ui: Ui, model: ViewModel, names: Sequence[Rect]) -> list[Rect]:
        """Draw what gestures show on the board, beside the names of groups; return the places of what is ringed."""
        shown = self.gestures.proposals.shown
        if shown is not None and (self.gestures.held or self.is_dragging):
            draw_unseen(ui, self.board.camera, model.top, shown.seen)
        ringed = draw_gestures(ui, self.board.camera, model, self.gestures, names)
        pressed = self.pressed
        if pressed is not None and pressed.is_drag and not pressed.thing and self.gestures.subject:
            ui.painter.cased([(pressed.x, pressed.y), ui.mouse], 2, theme.GHOST)
        if self.is_dragging:
            at = model.top.centre_of(self.gestures.subject)
            pieces = model.top.pieces_of(self.gestures.subject)
            if at is not None and pieces:
                draw_unjudged(ui, self.board.camera, at, ui.mouse, pieces[0][1].radius)
        return ringed

    def place_bars(self, ui: Ui, model: ViewModel, numbers: ChoiceNumbers, clear: Sequence[Rect] = ()) -> list[Placed]:
        """Return the bars of verbs over the board, with their places, off `clear` ones where there are others.
        `numbers`: of the form's choices."""
        return placed_bars(ui, self.board.camera, model, self.gestures, numbers, clear)

    def tip(self, model: ViewModel, thing: NodeId) -> list[str]:
        """Return the lines about a thing under the pointer: why it cannot be met, or what meeting it comes to."""
        prompt = self.gestures.prompt
        if prompt is None:
            return []
        of_thing = [id for id in (thing, model.top.group_of.get(thing, NO_NODE)) if id]
        targets = self.gestures.targets(prompt)
        pair = next((targets[id] for id in of_thing if id in targets), None)
        aim, shown = self.gestures.aim, self.gestures.proposals.shown
        forecast = shown.forecast if shown is not None and aim is not None else None
        below = {model.top.group_of.get(piece, piece) for piece in forecast.touched} if forecast is not None else set()
        if forecast is not None and aim is not None and {aim.thing, *below} & {*of_thing}:
            return [model.texts.say(aim.choice.name), *forecast_lines(forecast, model.texts, model.group_name)]
        if pair is None:
            return []
        choice, target = pair
        if target.why is not None:
            return [model.texts.say(choice.name), model.texts.say(target.why)]
        short = short_words(target)
        meaning = phrase("tip.means", name=short, words=chance_words(target)) if short else ""
        lines = (model.texts.say(choice.name), meaning, model.texts.say(target.cover))
        return [line for line in lines if line]

    @property
    def is_placing(self) -> bool:
        """True while a form asks for a place on the board."""
        driver = self.controller.driver
        return driver is not None and isinstance(driver.draft, BoardDraft)
