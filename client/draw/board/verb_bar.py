"""Drawing of the bars of verbs: beside the group in focus, at the pointer, and along the foot of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from client.draw.board.places import box_of
from client.input.choice_numbers import ChoiceNumbers
from client.input.gestures.bars import BarVerb, foot_verbs, group_verbs
from client.input.gestures.controller import GestureController
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import measure, theme
from client.ui.camera import Camera
from client.ui.frame import Act, Ui
from client.ui.layout import Rect

HIGH = 26
GAP = 4
MOST_LIFTED = 12
"""Rows by which a bar is moved up at most."""


class BarButton(NamedTuple):
    """Button of a bar; without `act` it is greyed, and `tip` says why. `number`: of the same line of the form, 0
    where it takes the next free one."""

    label: str
    act: Act | None
    tip: str = ""
    chosen: bool = False
    primary: bool = False
    number: int = 0


Placed = list[tuple[Rect, BarButton]]
"""Buttons of a bar with their places."""


def placed_bars(
    ui: Ui, camera: Camera, model: ViewModel, gestures: GestureController, numbers: ChoiceNumbers
) -> list[Placed]:
    """Return every bar that the prompt asks for now; no button lies on another. `numbers`: of the form's choices."""
    prompt = gestures.prompt
    if prompt is None:
        return []
    own = numbers.of(prompt)
    foot = [_button(model, gestures, verb, own) for verb in foot_verbs(gestures, prompt, model.top)]
    if gestures.held or gestures.picking is not None:
        can = gestures.held or (gestures.picking is not None and gestures.picking.is_complete)
        foot.insert(0, BarButton(phrase("gesture.accept"), gestures.accept if can else None, primary=True))
    board = camera.board
    placed = _rows(ui, camera, foot, board.centre[0], board.y + ui.px(HIGH + GAP) * 2)
    if gestures.menu is not None:
        point, aims = gestures.menu
        names = [model.texts.say(aim.choice.name) for aim in aims]
        acts = [partial(gestures.begin, aim) for aim in aims]
        x, y = camera.to_window(*point)
        return [placed, _beside(ui, camera, [*map(BarButton, names, acts)], Rect(x, y, 1, 1), placed)]
    around = box_of(camera, model.top, gestures.subject)
    if around is None or gestures.is_glance:
        return [placed]
    buttons = [_button(model, gestures, verb, own) for verb in group_verbs(gestures, prompt)]
    return [placed, _beside(ui, camera, buttons, around, placed)]


def draw_bars(ui: Ui, bars: Sequence[Placed]) -> None:
    """Draw the buttons of bars over the board, each bar above whatever can be clicked in its place."""
    ui.on("panels")
    for bar in bars:
        taken = [spot.rect for spot in ui.hotspots if spot.act is not None]
        for rect, button in _lifted(bar, taken, ui.px(HIGH + GAP)):
            ui.painter.rect(rect, theme.faded(theme.VEIL, 225), 5)
            ui.button(
                rect,
                button.label,
                button.act,
                tip=button.tip,
                chosen=button.chosen,
                primary=button.primary,
                listed=True,
                number=button.number,
            )


def _lifted(bar: Placed, taken: Sequence[Rect], step: int) -> Placed:
    """Return a bar moved up as far as needed to cover none of these places; where it was, if that is too far."""
    for rows in range(MOST_LIFTED):
        moved = [(Rect(rect.x, rect.y + rows * step, rect.w, rect.h), button) for rect, button in bar]
        if not any(rect.overlaps(other) for rect, _ in moved for other in taken):
            return moved
    return bar


def _button(model: ViewModel, gestures: GestureController, verb: BarVerb, numbers: Mapping[str, int]) -> BarButton:
    """Return the button of a verb. One without fields does the same as its line in the form, and has its number."""
    name = model.texts.say(verb.name) if verb.name is not None else model.group_name(verb.thing)
    tip = model.texts.say(verb.why) or model.texts.say(verb.hint)
    if verb.choice is None:
        return BarButton(name, partial(gestures.focus, verb.thing), tip, verb.thing == gestures.subject)
    act = partial(gestures.arm, verb.choice) if verb.why is None else None
    number = 0 if verb.choice.fields else numbers.get(verb.choice.id, 0)
    return BarButton(name, act, tip, verb.choice.id == gestures.armed, number=number)


def _beside(ui: Ui, camera: Camera, buttons: Sequence[BarButton], around: Rect, others: Placed) -> Placed:
    """Place buttons below what they belong to, else above it, where they cover no others."""
    x, below = around.centre[0], around.y - ui.px(24)
    first = _rows(ui, camera, buttons, x, below)
    if not any(rect.overlaps(other) for rect, _ in first for other, _ in others):
        return first
    tall = len({rect.y for rect, _ in first}) * ui.px(HIGH + GAP)
    second = _rows(ui, camera, buttons, x, around.top + ui.px(24) + tall)
    return [pair for pair in second if not any(pair[0].overlaps(other) for other, _ in others)]


def _rows(ui: Ui, camera: Camera, buttons: Sequence[BarButton], middle: float, top: float) -> Placed:
    """Place buttons in rows below `top`, moved so that all of them lie on the board."""
    board, high, gap = camera.board.inset(4), ui.px(HIGH), ui.px(GAP)
    widths = [measure.width(button.label, ui.px(theme.BODY)) + ui.px(44) for button in buttons]
    most = min(board.w, ui.px(520))
    rows: list[list[int]] = [[]]
    for number, width in enumerate(widths):
        if rows[-1] and sum(widths[i] + gap for i in rows[-1]) + width > most:
            rows.append([])
        rows[-1].append(number)
    top = min(max(top, board.y + len(rows) * (high + gap)), board.top)
    placed: Placed = []
    for line, row in enumerate(rows):
        wide = sum(widths[i] + gap for i in row) - gap
        x = min(max(middle - wide / 2, board.x), max(board.right - wide, board.x))
        for i in row:
            placed.append((Rect(x, top - (line + 1) * (high + gap), widths[i], high), buttons[i]))
            x += widths[i] + gap
    return placed
