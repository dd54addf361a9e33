"""Drawing of notices at the foot of the board: a vote, a rest, a bot in the player's seat, time running out."""

from __future__ import annotations

from dataclasses import dataclass

from client.draw.emblem import draw_emblem
from client.model.table.view_model import ViewModel, minutes
from client.model.words.vote_words import name_in_vote, vote_question
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from protocol.wire.from_server import TableView, VoteView

OTHER_RULES = "other_rules"
OPACITY = 238
WIDE = 640
"""Most pixels across of a notice: figures in the corners of the table stay free."""


@dataclass
class NoticeActions:
    """Acts behind the buttons of the notices."""

    yes: Act
    no: Act
    go_on: Act
    play_on: Act
    back: Act


def draw_notices(ui: Ui, board: Rect, model: ViewModel, actions: NoticeActions, seconds_left: float) -> None:
    """Draw the notices from the foot of the board upwards.

    `seconds_left`: seconds until the player's time is up, 0 where that is not soon.
    """
    view = model.view
    if view is None or view.state == "open":
        return
    room = board.inset(ui.px(8))
    room = room.middle(ui.px(WIDE), room.h)
    if view.vote is not None:
        room = _vote(ui, room, model, view, view.vote, actions)
    if view.state == "finished" and view.result is not None and model.top.result is None:
        room = _line(ui, room, model.texts.say(view.result), theme.WARN)
    if view.parked and view.state == "live":
        room = _parked(ui, room, model, view, actions)
    elif view.rest:
        room = _rest(ui, room, model, view, actions)
    mine = model.seat_view(model.seat)
    if mine is not None and mine.bot and view.state == "live":
        key = ui.keys.shown("again")
        room = _with_button(ui, room, theme.WARN, phrase("notice.bot"), phrase("notice.back"), actions.back, key)
    if seconds_left > 0:
        _line(ui, room, phrase("notice.time", left=minutes(seconds_left * 1000)), theme.BAD)
        ui.painter.frame(board, ui.px(4), theme.MARK_BAD if int(seconds_left * 2) % 2 else theme.MARK_WARN)


def _box(ui: Ui, room: Rect, height: float, edge: theme.Colour) -> tuple[Rect, Rect]:
    """Draw a box at the foot of the room; return its inside, and the room above it."""
    box, rest = room.cut_bottom(height, ui.px(4))
    ui.painter.box(box, theme.faded(theme.VEIL, OPACITY), 2, edge, 6)
    ui.tag(box, "notice")
    return box.inset(ui.px(8)), rest


def _line(ui: Ui, room: Rect, words: str, tone: theme.Colour) -> Rect:
    row, rest = _box(ui, room, ui.px(36), tone)
    ui.line(words, row, bold=True, colour=tone)
    return rest


def _with_button(
    ui: Ui, room: Rect, edge: theme.Colour, words: str, label: str, act: Act | None, key: str, tip: str = ""
) -> Rect:
    """Draw a notice with a button, or without one where it has no label; return the room above."""
    row, rest = _box(ui, room, ui.px(40), edge)
    if label:
        button, row = row.cut_right(ui.px(128), ui.px(8))
        ui.button(button, label, act, primary=True, key=key, tip=tip)
    ui.line(words, row, bold=True)
    return rest


def _rest(ui: Ui, room: Rect, model: ViewModel, view: TableView, actions: NoticeActions) -> Rect:
    words = phrase("notice.adjourned" if view.rest == "adjourned" else "notice.paused")
    label = phrase("rest.go_on") if model.seat >= 0 else ""
    act, tip = (actions.go_on, "") if view.vote is None else (None, phrase("vote.one"))
    return _with_button(ui, room, theme.ACCENT_HOVER, words, label, act, ui.keys.shown("pause", 0), tip)


def _parked(ui: Ui, room: Rect, model: ViewModel, view: TableView, actions: NoticeActions) -> Rect:
    """Draw the reason why the match is parked, with the players' way on, if any."""
    words = named("notice.parked", view.parked)
    label = phrase("notice.play_on") if model.seat >= 0 and view.parked == OTHER_RULES else ""
    act, tip = (actions.play_on, phrase("notice.play_on.tip")) if view.vote is None else (None, phrase("vote.one"))
    return _with_button(ui, room, theme.BAD, words, label, act, ui.keys.shown("pause", 0), tip)


def _vote(ui: Ui, room: Rect, model: ViewModel, view: TableView, vote: VoteView, actions: NoticeActions) -> Rect:
    inside, rest = _box(ui, room, ui.px(76), theme.WARN)
    head, foot = inside.cut_top(ui.px(28), ui.px(4))
    left = minutes(max(vote.left - model.elapsed * 1000, 0))
    ui.label(left, head.right, head.centre[1], anchor="right", colour=theme.WARN, bold=True)
    words = vote_question(model, view, vote)
    ui.label(words, head.x, head.centre[1], bold=True, room=head.w - ui.px(60))
    ui.tag(head, phrase("vote.tag", question=words), tip=words)
    if model.seat in vote.asked:
        width = min(ui.px(84), foot.w * 0.3)
        no, foot = foot.cut_right(width, ui.px(8))
        yes, foot = foot.cut_right(width, ui.px(8))
        has_yes, has_no = model.seat in vote.yes, model.seat in vote.no
        ui.button(
            yes, phrase("vote.yes"), actions.yes, primary=not has_no, chosen=has_yes, key=ui.keys.shown("vote", 0)
        )
        ui.button(no, phrase("vote.no"), actions.no, chosen=has_no, key=ui.keys.shown("vote", 1))
    chip = min(ui.px(104), on_grid(foot.w / max(len(vote.asked), 1)))
    for seat in vote.asked:
        box, foot = foot.cut_left(chip)
        _ballot(ui, box, model, vote, seat)
    return rest


def _ballot(ui: Ui, box: Rect, model: ViewModel, vote: VoteView, seat: int) -> None:
    """Draw a seat and its vote."""
    said = "yes" if seat in vote.yes else "no" if seat in vote.no else "open"
    tone = {"yes": theme.GOOD, "no": theme.BAD}.get(said, theme.MUTED)
    r = ui.px(8)
    draw_emblem(ui.painter, model.top.colour_of(seat), box.x + r, box.centre[1], r)
    name = name_in_vote(model, seat)
    x = box.x + 2 * r + ui.px(4)
    room = box.right - x - ui.px(4)
    ui.label(name, x, box.centre[1] + ui.px(8), size=theme.SMALL, room=room)
    word = phrase(f"vote.said.{said}")
    ui.label(word, x, box.centre[1] - ui.px(7), size=theme.SMALL, colour=tone, bold=True, room=room)
    tip = word if said != "open" else phrase("vote.silent")
    ui.tag(box, phrase("vote.ballot", name=name, said=word), tip=f"{name}: {tip}")
