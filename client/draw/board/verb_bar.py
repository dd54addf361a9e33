"""Drawing of the bars of verbs: beside the group in focus, at the pointer, and along the foot of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from client.draw.board.places import box_of
from client.input.choice_numbers import ChoiceNumbers
from client.input.gestures.bars import BarVerb, foot_verbs, group_verbs, stands_alone
from client.input.gestures.controller import GestureController
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.camera import Camera
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid, up_to_grid
from protocol.scene.nodes import Choice, Prompt

HIGH = 28
GAP = 4
WIDEST = 520
"""Pixels that a bar beside a group is wide at most."""
MOST_LIFTED = 12
"""Rows by which a bar is moved up at most."""


class BarButton(NamedTuple):
    """Button of a bar; without `act` it is greyed, and `tip` says why. `number`: of the same line of the form, 0
    where it takes the next free one; `choice`: the id of what it makes; `grips`: as of a Hotspot."""

    label: str
    act: Act | None
    tip: str = ""
    chosen: bool = False
    primary: bool = False
    number: int = 0
    key: str = ""
    choice: str = ""
    grips: bool = False


Placed = list[tuple[Rect, BarButton]]
"""Buttons of a bar with their places."""


def placed_bars(
    ui: Ui,
    camera: Camera,
    model: ViewModel,
    gestures: GestureController,
    numbers: ChoiceNumbers,
    clear: Sequence[Rect] = (),
) -> list[Placed]:
    """Return every bar that the prompt asks for now; no button lies on another, and none that has another place on one
    of `clear`. `numbers`: of the form's choices."""
    prompt = gestures.prompt
    if prompt is None:
        return []
    placed = _foot(ui, camera, model, gestures, prompt, numbers)
    if gestures.menu is not None:
        place, aims = gestures.menu
        point = model.top.place_of(place) or camera.to_table(*camera.board.centre)
        names = [model.texts.say(aim.name or aim.choice.name) for aim in aims]
        acts = [partial(gestures.begin, aim) for aim in aims]
        x, y = camera.to_window(*point)
        return [placed, _beside(ui, camera, [*map(BarButton, names, acts)], Rect(x, y, 1, 1), placed, clear)]
    around = box_of(camera, model.top, gestures.subject)
    if around is None or gestures.is_glance:
        return [placed]
    own = numbers.of(prompt)
    verbs = [_button(model, gestures, verb, own) for verb in group_verbs(gestures, prompt, model.top)]
    return [placed, _beside(ui, camera, sorted(verbs, key=_place), around, placed, clear)]


def _foot(
    ui: Ui, camera: Camera, model: ViewModel, gestures: GestureController, prompt: Prompt, numbers: ChoiceNumbers
) -> Placed:
    """Return the bar at the foot of the board. Its verbs stand from the left in the order of their numbers, those that
    are shut among them, and those of a group in focus that is not on the table; what is accepted stands at the
    right."""
    own, top = numbers.of(prompt), model.top
    verbs = [_button(model, gestures, verb, own) for verb in foot_verbs(prompt, top)]
    if gestures.subject in top.groups and box_of(camera, top, gestures.subject) is None:
        verbs += [_button(model, gestures, verb, own) for verb in group_verbs(gestures, prompt, top)]
    for number, choice in numbers.shut(prompt).values():
        if stands_alone(choice, prompt, top):
            verbs.append(shut_button(model, prompt, choice, number))
    words, key = phrase("gesture.accept"), ui.keys.shown("take")
    wide = _width(ui, words) + up_to_grid(ui.width(key, size=theme.SMALL))
    low = camera.board.y + ui.px(HIGH) + 2 * GAP
    room = camera.board.inset(GAP).cut_right(wide, ui.px(GAP))[1]
    placed = _rows(ui, camera, sorted(verbs, key=_place), room, low)
    if gestures.held or gestures.picking is not None:
        can = gestures.held or (gestures.picking is not None and gestures.picking.is_complete)
        accept = BarButton(words, gestures.accept if can else None, primary=True, key=key)
        placed.append((Rect(camera.board.right - GAP - wide, low - ui.px(HIGH) - GAP, wide, ui.px(HIGH)), accept))
    return placed


def shut_button(model: ViewModel, prompt: Prompt, choice: Choice, number: int) -> BarButton:
    """Return the button of a choice that the prompt does not offer at present."""
    why = phrase("prompt.shut", title=model.prompt_title(prompt))
    return BarButton(model.texts.say(choice.name), None, why, number=number)


def _place(button: BarButton) -> int:
    """Return the place of a button in its bar: things to take up first, then the verbs by number."""
    return button.number


def draw_bars(ui: Ui, bars: Sequence[Placed], clear: Sequence[Rect] = ()) -> None:
    """Draw the buttons of bars over the board, each bar above whatever can be clicked, or is to be kept `clear`, in its
    place."""
    ui.on("panels")
    for bar in bars:
        taken = [*(spot.rect for spot in ui.hotspots if spot.act is not None), *clear]
        for rect, button in _lifted(bar, taken, ui.px(HIGH + GAP)):
            ui.painter.rect(rect, theme.faded(theme.VEIL, 225), 5)
            ui.button(
                rect,
                button.label,
                button.act,
                tip=button.tip,
                chosen=button.chosen,
                primary=button.primary,
                key=button.key,
                listed=not button.key,
                number=button.number,
                grips=button.grips,
            )


def _lifted(bar: Placed, taken: Sequence[Rect], step: int) -> Placed:
    """Return a bar moved up as far as needed to cover none of these places; where it was, if that is too far."""
    for rows in range(MOST_LIFTED):
        moved = [(Rect(rect.x, rect.y + rows * step, rect.w, rect.h), button) for rect, button in bar]
        if not any(rect.overlaps(other) for rect, _ in moved for other in taken):
            return moved
    return bar


def _button(model: ViewModel, gestures: GestureController, verb: BarVerb, numbers: Mapping[str, int]) -> BarButton:
    """Return the button of a verb, which has the number of its line in the form."""
    name = model.texts.say(verb.name) if verb.name is not None else model.group_name(verb.thing)
    tip = model.texts.say(verb.why) or model.texts.say(verb.hint)
    if verb.choice is None:
        return BarButton(name, partial(gestures.focus, verb.thing), tip, verb.thing == gestures.subject, grips=True)
    act, id = partial(gestures.arm, verb.choice) if verb.why is None else None, verb.choice.id
    return BarButton(name, act, tip, id == gestures.armed, number=numbers.get(id, 0), choice=id)


def _beside(
    ui: Ui, camera: Camera, buttons: Sequence[BarButton], around: Rect, others: Placed, clear: Sequence[Rect]
) -> Placed:
    """Place buttons below what they belong to, else above it, where they cover no others, and nothing `clear` if they
    need not."""
    x, below = around.centre[0], around.y - ui.px(24)
    wide = min(sum(_width(ui, button.label) + ui.px(GAP) for button in buttons), ui.px(WIDEST), camera.board.w)
    left = min(max(x - wide / 2, camera.board.x + GAP), max(camera.board.right - wide - GAP, camera.board.x))
    room = Rect(on_grid(left), camera.board.y, wide, camera.board.h)
    first = _rows(ui, camera, buttons, room, on_grid(below))
    taken = [*(other for other, _ in others), *clear]
    if not any(rect.overlaps(other) for rect, _ in first for other in taken):
        return first
    tall = len({rect.y for rect, _ in first}) * ui.px(HIGH + GAP)
    second = _rows(ui, camera, buttons, room, on_grid(around.top) + ui.px(24) + tall)
    return [pair for pair in second if not any(pair[0].overlaps(other) for other, _ in others)]


def _width(ui: Ui, label: str) -> float:
    return up_to_grid(ui.width(label)) + ui.px(44)


def _rows(ui: Ui, camera: Camera, buttons: Sequence[BarButton], room: Rect, top: float) -> Placed:
    """Place buttons from the left of `room` in rows below `top`, moved so that all of them lie on the board."""
    board, high, gap = camera.board.inset(GAP), ui.px(HIGH), ui.px(GAP)
    spots: list[tuple[int, float, float]] = []
    line, x = 0, room.x
    for button in buttons:
        wide = _width(ui, button.label)
        if x > room.x and x + wide > room.right:
            line, x = line + 1, room.x
        spots.append((line, x, wide))
        x += wide + gap
    top = min(max(top, board.y + (line + 1) * (high + gap)), board.top)
    boxes = [Rect(x, top - (line + 1) * (high + gap), wide, high) for line, x, wide in spots]
    return list(zip(boxes, buttons, strict=True))
