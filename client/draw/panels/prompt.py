"""Drawing of the prompt panel: the choices, the field being filled in, undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from client.draw.panels.choices import GAP, TALL, aside_lines, choice_lines, draw_choices, draw_question_mark
from client.draw.panels.fields import draw_field
from client.draw.panels.turn_head import draw_turn_head
from client.draw.panels.victory_conditions import draw_victory_conditions
from client.draw.panels.word_tags import tag_words
from client.input.choice_numbers import ChoiceNumbers
from client.input.gestures.picking import Picking
from client.input.prompt_controller import PromptController
from client.input.prompt_driver import ASKING, CHOOSING, FILLING, PromptDriver
from client.model.table.group_card import GroupCard
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.ui.text_input import TextInput
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE
from protocol.text import Text
from protocol.wire.from_server import Surveyed

AROUND = 164
"""Pixels of the panel around its list of choices, with a title of one line and two lines of the last act."""
MOST_NAMED = 3
"""Groups that are named of those that a question is about."""
Explain = Callable[[str, str], Act | None]
"""Function from a choice and a rule to an act that opens the rulebook at either; None where it tells of neither."""


@dataclass
class PromptPanel:
    """The panel's acts, and its state between frames. `choice`: the one under the mouse; `barred`: why the group in
    focus cannot make a choice, by id; `found`: what it can do by each choice; `picking`: what answers a question by
    clicks on the table, and `accept` gives that answer."""

    controller: PromptController
    leave: Callable[[], None]
    explain: Explain
    accept: Act = lambda: None
    choice: str = ""
    barred: Mapping[str, str] = field(default_factory=dict)
    found: Mapping[str, Surveyed] = field(default_factory=dict)
    picking: Picking | None = None
    scroll: int = 0
    fits: int = 1
    """Rows of its list that are in sight, and so the most that one turn moves it; `longest`: the most that it has had
    of choices."""
    longest: int = 0
    words: TextInput = field(default_factory=lambda: TextInput(most=200))
    hover: NodeId = NO_NODE
    numbers: ChoiceNumbers = field(default_factory=ChoiceNumbers)

    def turn(self, steps: int) -> None:
        self.scroll = max(self.scroll - min(max(steps, -self.fits), self.fits), 0)

    def wanted(self, model: ViewModel) -> int:
        """Return the pixels at text scale 1 in which all choices that it has had at once have room: it never
        shrinks."""
        driver = self.controller.driver
        if driver is not None and driver.stage == CHOOSING:
            lines = len(choice_lines(model, driver, self)) + len(aside_lines(driver, self))
            self.longest = max(self.longest, lines)
        return AROUND + (theme.ROW + GAP) * self.longest


def draw_prompt(ui: Ui, rect: Rect, model: ViewModel, panel: PromptPanel, card: GroupCard | None) -> None:
    """Draw the whole panel at the right, with a unit card at its foot as far as there is room."""
    inside = ui.panel(rect)
    foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
    _foot(ui, foot, model, panel)
    controller, driver = panel.controller, panel.controller.driver
    inside = draw_turn_head(ui, inside, model)
    room = inside.h - _wanted(ui, model, driver, panel)
    if card is not None and room > ui.px(60):
        inside = _unit_card(ui, inside, model, card, room)
    if driver is None:
        top = model.top
        given = inside, top.waits, top.result, top.seats, top.objectives, model.notice, model.seat, model.words
        ui.part("waiting", given, partial(_waiting, ui, inside, model))
        return
    height, title = inside.h, model.prompt_title(driver.prompt)
    inside = ui.lines(title, inside, size=theme.LARGE, bold=True, most=3, gap=4)
    if driver.prompt.rule:
        rule = phrase("prompt.rule", rule=driver.prompt.rule)
        act = panel.explain("", driver.prompt.rule)
        # the mark of the part lies in the corner
        title_box = Rect(inside.x, inside.top, inside.w - ui.px(8), height - inside.h - ui.px(4))
        ui.tag(title_box, rule, tip=rule, act=act)
    if controller.is_given and driver.stage == CHOOSING:
        inside = _answer(ui, inside, model, controller)
    note = driver.note
    if note:
        words = model.texts.say(note) if isinstance(note, Text) else note
        inside = ui.lines(words, inside, colour=theme.BAD, most=4, gap=8)
    if driver.stage == CHOOSING and controller.sent is None:
        if panel.picking is not None:
            inside = _picking(ui, inside, model, panel.picking, panel.accept)
        draw_choices(ui, inside, model, driver, panel)
    elif driver.stage == FILLING:
        _filling(ui, inside, model, driver, panel)
    else:
        _on_its_way(ui, inside, model, panel)


def _picking(ui: Ui, rect: Rect, model: ViewModel, picking: Picking, accept: Act) -> Rect:
    """Draw what answers a question by clicks on the table, with the button that gives the answer; return the room
    below."""
    field, picked = picking.draft.field, len(picking.draft.picked())
    groups = dict.fromkeys(model.top.group_of.get(thing, thing) for thing in picking.draft.selectable())
    names = ", ".join(map(model.group_name, list(groups)[:MOST_NAMED]))
    if picking.settles_at_once:
        words = phrase("picking.one", names=names)
    else:
        words = phrase("picking.proposed", count=field.most, names=names)
    rect = ui.lines(words, rect, colour=theme.HINT, most=6, gap=8)
    row, rest = rect.cut_top(ui.px(theme.ROW), ui.px(8))
    answer = phrase("picking.accept", picked=picked, most=field.most)
    act = accept if picking.is_complete else None
    ui.button(row, answer, act, primary=True, key=ui.keys.shown("take"), tip=picking.draft.missing())
    return rest


def _on_its_way(ui: Ui, rect: Rect, model: ViewModel, panel: PromptPanel) -> None:
    """Draw what the server is asked or told now, with a way back as long as nothing has been sent."""
    driver = panel.controller.driver
    is_asked = driver is not None and driver.stage == ASKING
    if model.link_good:
        words = phrase("prompt.asking" if is_asked else "prompt.sending")
    else:
        words = phrase("prompt.asking.away" if is_asked else "prompt.sending.away", why=model.link)
    rest = ui.lines(words, rect, colour=theme.MUTED if model.link_good else theme.WARN, most=4, gap=8)
    if is_asked:
        row, _ = rest.cut_top(ui.px(theme.ROW))
        back = phrase("prompt.asking.back")
        ui.button(row, back, panel.controller.back, key=ui.keys.shown("back"), left=True)


def _foot(ui: Ui, rect: Rect, model: ViewModel, panel: PromptPanel) -> None:
    undo, out = rect.columns(2)
    controller = panel.controller
    state = controller.driver.prompt.undo if controller.driver is not None else None
    can = state is not None and state.can and not controller.busy
    why = model.texts.say(state.why if state is not None else None) or phrase("undo.nothing")
    ui.button(undo, phrase("undo"), controller.undo if can else None, key=ui.keys.shown("undo"), tip="" if can else why)
    ui.button(out, phrase("menu"), panel.leave, key=ui.keys.shown("menu"))


def _answer(ui: Ui, rect: Rect, model: ViewModel, controller: PromptController) -> Rect:
    """Draw the player's answer to a question that is still open; return the room below."""
    name = model.texts.say(controller.answered_name)
    words = phrase("prompt.answered", name=name) if name else phrase("prompt.given")
    return ui.lines(words, rect, colour=theme.GOOD, most=3, gap=8)


def _wanted(ui: Ui, model: ViewModel, driver: PromptDriver | None, panel: PromptPanel) -> int:
    """Return about how much height in pixels the prompt itself takes."""
    if driver is None:
        return ui.px(120)
    if driver.stage == CHOOSING:
        lines = len(choice_lines(model, driver, panel)) + (3 if panel.picking is not None else 0)
        return ui.px(112 + (TALL + GAP) * lines + (theme.ROW + GAP) * len(aside_lines(driver, panel)))
    field = driver.field
    rows = len(getattr(field, "options", ())) + len(getattr(field, "barred", ())) + len(getattr(field, "items", ()))
    return ui.px(240 + 32 * rows)


def _unit_card(ui: Ui, rect: Rect, model: ViewModel, card: GroupCard, room: float) -> Rect:
    """Draw a unit's card of at most `room` height; return the room above it."""
    pad = ui.px(8)
    width = rect.w - 2 * pad
    own = [(card.title, True), *([(card.now, True)] if card.now else [])]
    lines = [*own, *((model.texts.say(line), False) for line in card.lines)]
    wanted = sum(ui.lines_height(words, width, size=theme.SMALL, bold=bold) for words, bold in lines) + 2 * pad
    box, rest = rect.cut_bottom(min(wanted, room), pad)
    ui.painter.rect(box, theme.FIELD, 5)
    inside = box.inset(pad)
    for (words, bold), text in zip(lines, (*(None for _ in own), *card.lines), strict=True):
        top = inside.top
        inside = ui.lines(words, inside, size=theme.SMALL, bold=bold, colour=theme.TEXT if bold else theme.MUTED)
        tag_words(ui, Rect(inside.x, inside.top, inside.w, top - inside.top), model.texts, text)
    return rest


def _waiting(ui: Ui, rect: Rect, model: ViewModel) -> None:
    waits = model.top.waits
    if model.top.result is not None:
        words = phrase("prompt.over")
    elif waits is not None and waits.seats:
        words = phrase("prompt.waiting_for", names=", ".join(model.seat_name(seat) for seat in waits.seats))
    else:
        words = phrase("prompt.waiting")
    rect = ui.lines(words, rect, size=theme.LARGE, bold=True, most=3, gap=8)
    if model.notice:
        rect = ui.lines(model.notice, rect, colour=theme.WARN, most=4, gap=8)
    if waits is not None and model.top.result is None:
        rect = ui.lines(model.texts.say(waits.what), rect, colour=theme.MUTED, gap=16)
    if model.seat < 0:
        draw_victory_conditions(ui, rect, model)


def _filling(ui: Ui, rect: Rect, model: ViewModel, driver: PromptDriver, panel: PromptPanel) -> None:
    assert driver.choice is not None
    assert driver.draft is not None
    draft, controller, say = driver.draft, panel.controller, model.texts.say
    title, choice, name = say(driver.prompt.title), say(driver.choice.name), say(draft.field.name)
    trail = [choice] if choice != title else []
    if len(driver.fields) > 1:
        trail.append(phrase("prompt.step", step=len(driver.values) + 1, steps=len(driver.fields)))
    if trail:
        head, rect = rect.cut_top(ui.px(24), ui.px(4))
        head = draw_question_mark(ui, head, model, driver.choice, driver.prompt.rule, panel)
        ui.line(" · ".join(trail), head, colour=theme.MUTED)
    if name not in (title, choice):
        rect = ui.lines(name, rect, bold=True, most=2, gap=8)
    foot, rect = rect.cut_bottom(ui.px(theme.ROW), ui.px(8))
    back, done = foot.columns(2)
    ui.button(back, phrase("prompt.back"), controller.back, key=ui.keys.shown("back"))
    missing = draft.missing()
    accept = phrase("prompt.accept") if draft.field.auto and not draft.touched else phrase("prompt.done")
    ui.button(
        done, accept, None if missing else controller.confirm, key=ui.keys.shown("take"), primary=True, tip=missing
    )
    draw_field(ui, rect, model, draft, panel)
