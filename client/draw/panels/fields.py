"""Drawing of the field being filled in, one for each kind of field."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.draw.panels.choices import scrolled_rows
from client.input.board_drafts import CellDraft, FacingDraft, PathDraft, PlacementDraft, PointDraft, TemplateDraft
from client.input.drafts import AssignDraft, Draft, NumberDraft, OptionDraft, OrderDraft, PiecesDraft, WordsDraft
from client.input.way_draft import WayDraft
from client.model.table.view_model import ViewModel
from client.model.words.option_names import option_name
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.ids import NodeId
from protocol.scene.fields import Barred, Option

if TYPE_CHECKING:
    from client.draw.panels.prompt import PromptPanel


ROW = 28
"""Pixels from foot to top of a row of a list."""


def draw_field(ui: Ui, rect: Rect, model: ViewModel, draft: Draft, panel: PromptPanel) -> None:
    """Draw everything between the field's name and its buttons."""
    match draft:
        case PiecesDraft() | OptionDraft():
            _options(ui, rect, model, draft, panel)
        case PointDraft():
            ui.lines(phrase("fields.point"), rect)
        case PlacementDraft():
            below = ui.lines(phrase("fields.placement"), rect, gap=8)
            ui.lines(draft.missing(), below, colour=theme.WARN)
        case WayDraft():
            _way(ui, rect, model, draft)
        case NumberDraft():
            _number(ui, rect, draft)
        case CellDraft():
            _steps(ui, rect, draft, _cell_words(draft), phrase("fields.cell"))
        case PathDraft():
            words = phrase("fields.path_at", number=draft.number, last=len(draft.field.path) - 1)
            _steps(ui, rect, draft, words, phrase("fields.path"))
        case FacingDraft():
            _steps(ui, rect, draft, f"{draft.angle}°", phrase("fields.facing"))
        case TemplateDraft():
            ui.lines(phrase("fields.template"), rect)
        case AssignDraft():
            _assign(ui, rect, model, draft, panel)
        case OrderDraft():
            _order(ui, rect, model, draft, panel)
        case WordsDraft():
            _words(ui, rect, draft, panel)


def _options(ui: Ui, rect: Rect, model: ViewModel, draft: PiecesDraft | OptionDraft, panel: PromptPanel) -> None:
    if isinstance(draft, PiecesDraft) and draft.field.most > 1:
        head, rect = rect.cut_top(ui.px(20), ui.px(4))
        most, least = draft.field.most, draft.field.least
        span = f"{least}" if least == most else phrase("fields.span", least=least, most=most)
        ui.line(phrase("fields.picked", picked=len(draft.picked()), span=span), head, colour=theme.MUTED)
    rows: list[Option | Barred] = [*draft.field.options, *draft.field.barred]
    picked = draft.picked()
    if not draft.field.options:
        words = phrase("fields.none_now") if rows else phrase("fields.none")
        rect = ui.lines(words, rect, colour=theme.WARN, gap=8)
    boxes = scrolled_rows(ui, rect, len(rows), ui.px(ROW), panel)
    for box, row in zip(boxes, rows[panel.scroll :], strict=False):
        thing = NodeId(row.id)
        if box.contains(*ui.mouse):
            panel.hover = thing
        if isinstance(row, Barred):
            ui.button(box, option_name(model, thing, None), None, tip=model.texts.say(row.why), left=True)
        else:
            act, tip = partial(panel.controller.pick, (thing,)), model.texts.say(row.hint)
            name, is_picked = option_name(model, thing, row.name), thing in picked
            ui.button(box, name, act, chosen=is_picked, tip=tip, left=True, listed=True)


def _cell_words(draft: CellDraft) -> str:
    if draft.cell is None:
        return phrase("fields.no_cell")
    return phrase("fields.cell_at", column=draft.cell[0] + 1, row=draft.cell[1] + 1)


def _steps(ui: Ui, rect: Rect, draft: CellDraft | PathDraft | FacingDraft, now: str, words: str) -> None:
    """Draw a value out of an ordered few, with buttons for the one before and the next."""
    rect = ui.lines(words, rect, gap=8)
    row, rect = rect.cut_top(ui.px(36), ui.px(4))
    before, after = row.columns(2)
    ui.button(before, phrase("fields.before"), lambda: draft.step(-1), key="-")
    ui.button(after, phrase("fields.next"), lambda: draft.step(1), key="+")
    ui.label(now, rect.x, rect.top - ui.px(14), bold=True, room=rect.w)


def _way(ui: Ui, rect: Rect, model: ViewModel, draft: WayDraft) -> None:
    """Draw how many corners the way has, with buttons for one more and one less, and the names of the ground within
    reach."""
    rect = ui.lines(phrase("fields.way"), rect, gap=8)
    row, rect = rect.cut_top(ui.px(36), ui.px(4))
    less, more = row.columns(2)
    drawn, most = len(draft.corners), draft.field.most
    ui.button(less, phrase("fields.way.less"), (lambda: draft.step(-1)) if drawn else None, key="-")
    ui.button(more, phrase("fields.way.more"), (lambda: draft.step(1)) if drawn < most else None, key="+")
    rect = ui.lines(phrase("fields.way.corners", corners=drawn, most=most), rect, colour=theme.MUTED, gap=8)
    for band in draft.field.bands:
        rect = ui.lines(model.texts.say(band.name), rect, size=theme.SMALL, colour=theme.MUTED)


def _number(ui: Ui, rect: Rect, draft: NumberDraft) -> None:
    row, _ = rect.cut_top(ui.px(36))
    less, middle, more = row.columns(3)
    at = draft.number
    ui.button(less, phrase("fields.less"), (lambda: draft.set(at - 1)) if at > draft.field.least else None, key="-")
    ui.label(str(at), *middle.centre, size=theme.TITLE, bold=True, anchor="center")
    ui.button(more, phrase("fields.more"), (lambda: draft.set(at + 1)) if at < draft.field.most else None, key="+")


def _assign(ui: Ui, rect: Rect, model: ViewModel, draft: AssignDraft, panel: PromptPanel) -> None:
    """Draw a row for each item; clicking it puts the item into the next slot that takes it."""

    def turn(item: NodeId) -> None:
        draft.hold(item)
        draft.turn(item, 1)

    names = {slot.id: option_name(model, NodeId(slot.id), slot.name) for slot in draft.field.slots}
    boxes = scrolled_rows(ui, rect, len(draft.field.items), ui.px(ROW), panel)
    for box, item in zip(boxes, draft.field.items[panel.scroll :], strict=False):
        slot = names.get(draft.slot_of.get(item.id, ""), phrase("fields.no_slot"))
        label = f"{option_name(model, NodeId(item.id), item.name)}: {slot}"
        bars = [(names.get(bar.id, bar.id), model.texts.say(bar.why)) for bar in draft.field.bars.get(item.id, ())]
        tip = "\n".join((phrase("fields.slot.tip"), *(phrase("fields.slot.bar", slot=s, why=w) for s, w in bars)))
        if box.contains(*ui.mouse):
            panel.hover = NodeId(item.id)
        held = item.id == draft.held
        ui.button(box, label, partial(turn, NodeId(item.id)), left=True, tip=tip, chosen=held, listed=True)


def _order(ui: Ui, rect: Rect, model: ViewModel, draft: OrderDraft, panel: PromptPanel) -> None:
    names = {item.id: option_name(model, NodeId(item.id), item.name) for item in draft.field.items}
    boxes = scrolled_rows(ui, rect, len(draft.ids), ui.px(ROW), panel)
    for number, (box, item) in enumerate(zip(boxes, draft.ids[panel.scroll :], strict=False), panel.scroll + 1):
        move, label = box.cut_right(ui.px(128), ui.px(8))
        ui.line(f"{number}. {names[item]}", label)
        up, down = move.columns(2, ui.px(4))
        upwards, name = partial(draft.move, item, -1), phrase("fields.up.of", item=names[item])
        ui.button(up, phrase("fields.up"), upwards, name=name, left=True, listed=True)
        downwards, name = partial(draft.move, item, 1), phrase("fields.down.of", item=names[item])
        ui.button(down, phrase("fields.down"), downwards, name=name)


def _words(ui: Ui, rect: Rect, draft: WordsDraft, panel: PromptPanel) -> None:
    box = panel.words
    box.most = draft.field.most
    if box.text != draft.text:
        box.set(draft.text)
    box.changed = lambda: draft.write(box.text)
    box.enter = panel.controller.confirm
    row, _ = rect.cut_top(ui.px(36))
    ui.input(row, box, phrase("fields.write"))
