"""Drawing of notices at the foot of the board: a vote, a rest, a bot in the player's seat, time running out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from client.draw.emblem import draw_emblem
from client.model.view_model import ViewModel, minutes
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.from_server import TableView, VoteView

OTHER_RULES = "other_rules"
BACK = theme.faded(theme.VEIL, 238)


@dataclass
class NoticeActions:
    """Acts behind the buttons of the notices."""

    yes: Callable[[], object]
    no: Callable[[], object]
    go_on: Callable[[], object]
    play_on: Callable[[], object]
    back: Callable[[], object]


def draw_notices(ui: Ui, board: Rect, model: ViewModel, actions: NoticeActions, seconds_left: float) -> None:
    """Draw the notices from the foot of the board upwards.

    `seconds_left`: seconds until the player's time is up, 0 where that is not soon.
    """
    view = model.view
    if view is None or view.state == "open":
        return
    room = board.inset(ui.px(8))
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
        row, room = _box(ui, room, ui.px(40), theme.WARN)
        button, words = row.cut_right(ui.px(130), ui.px(8))
        ui.label(phrase("notice.bot"), words.x, words.centre[1], bold=True, room=words.w)
        ui.button(button, phrase("notice.back"), actions.back, primary=True, key="F9")
    if seconds_left > 0:
        _line(ui, room, phrase("notice.time", left=minutes(seconds_left * 1000)), theme.BAD)
        ui.painter.frame(board, ui.px(4), theme.BAD if int(seconds_left * 2) % 2 else theme.WARN)


def _box(ui: Ui, room: Rect, height: float, edge: theme.Colour) -> tuple[Rect, Rect]:
    """Draw a box at the foot of the room; return its inside, and the room above it."""
    box, rest = room.cut_bottom(height, ui.px(6))
    ui.painter.rect(box, BACK, 6)
    ui.painter.frame(box, 2, edge, 6)
    ui.tag(box, "notice")
    return box.inset(ui.px(7)), rest


def _line(ui: Ui, room: Rect, words: str, tone: theme.Colour) -> Rect:
    row, rest = _box(ui, room, ui.px(34), tone)
    ui.label(words, row.x, row.centre[1], bold=True, colour=tone, room=row.w)
    return rest


def _rest(ui: Ui, room: Rect, model: ViewModel, view: TableView, actions: NoticeActions) -> Rect:
    row, rest = _box(ui, room, ui.px(40), theme.ACCENT_HOVER)
    words = phrase("notice.paused")
    if view.rest == "adjourned":
        words = phrase("notice.adjourned")
    if model.seat >= 0:
        button, row = row.cut_right(ui.px(130), ui.px(8))
        tip = "" if view.vote is None else phrase("vote.one")
        ui.button(
            button, phrase("rest.go_on"), actions.go_on if view.vote is None else None, primary=True, key="F5", tip=tip
        )
    ui.label(words, row.x, row.centre[1], bold=True, room=row.w)
    return rest


def _parked(ui: Ui, room: Rect, model: ViewModel, view: TableView, actions: NoticeActions) -> Rect:
    """Draw the reason why the match is parked, with the players' way on, if any."""
    row, rest = _box(ui, room, ui.px(40), theme.BAD)
    if model.seat >= 0 and view.parked == OTHER_RULES:
        button, row = row.cut_right(ui.px(130), ui.px(8))
        tip = phrase("notice.play_on.tip") if view.vote is None else phrase("vote.one")
        act = actions.play_on if view.vote is None else None
        ui.button(button, phrase("notice.play_on"), act, primary=True, key="F5", tip=tip)
    ui.label(named("notice.parked", view.parked), row.x, row.centre[1], bold=True, room=row.w)
    return rest


def _vote(ui: Ui, room: Rect, model: ViewModel, view: TableView, vote: VoteView, actions: NoticeActions) -> Rect:
    inside, rest = _box(ui, room, ui.px(76), theme.WARN)
    head, foot = inside.cut_top(ui.px(26), ui.px(4))
    left = minutes(max(vote.left - model.elapsed * 1000, 0))
    ui.label(left, head.right, head.centre[1], anchor="right", colour=theme.WARN, bold=True)
    words = vote_question(model, view, vote)
    ui.label(words, head.x, head.centre[1], bold=True, room=head.w - ui.px(60))
    ui.tag(head, phrase("vote.tag", question=words), tip=words)
    if model.seat in vote.asked:
        width = min(ui.px(84), foot.w * 0.3)
        no, foot = foot.cut_right(width, ui.px(6))
        yes, foot = foot.cut_right(width, ui.px(10))
        ui.button(
            yes,
            phrase("vote.yes"),
            actions.yes,
            primary=model.seat not in vote.no,
            chosen=model.seat in vote.yes,
            key="F3",
        )
        ui.button(no, phrase("vote.no"), actions.no, chosen=model.seat in vote.no, key="F4")
    chip = min(ui.px(104), foot.w / max(len(vote.asked), 1))
    for seat in vote.asked:
        box, foot = foot.cut_left(chip)
        _ballot(ui, box, model, vote, seat)
    return rest


def _ballot(ui: Ui, box: Rect, model: ViewModel, vote: VoteView, seat: int) -> None:
    """Draw a seat and its vote."""
    said = "yes" if seat in vote.yes else "no" if seat in vote.no else "open"
    tone = {"yes": theme.GOOD, "no": theme.BAD}.get(said, theme.MUTED)
    r = ui.px(9)
    draw_emblem(ui.painter, model.top.colour_of(seat), box.x + r, box.centre[1], r)
    name = _name(model, seat)
    x = box.x + 2 * r + ui.px(4)
    room = box.right - x - ui.px(4)
    ui.label(name, x, box.centre[1] + ui.px(8), size=theme.SMALL, room=room)
    word = phrase(f"vote.said.{said}")
    ui.label(word, x, box.centre[1] - ui.px(7), size=theme.SMALL, colour=tone, bold=True, room=room)
    ui.tag(
        box,
        phrase("vote.ballot", name=name, said=word),
        tip=f"{name}: {word if said != 'open' else phrase('vote.silent')}",
    )


def _name(model: ViewModel, seat: int) -> str:
    view = model.seat_view(seat)
    return view.name if view is not None else model.seat_name(seat)


def vote_question(model: ViewModel, view: TableView, vote: VoteView) -> str:
    """Return in words what is voted on."""
    if vote.what == "bot":
        about = view.seats[vote.seat].name if 0 <= vote.seat < len(view.seats) else phrase("vote.absent")
        return phrase("vote.bot", name=about)
    who = _name(model, vote.by) if vote.by >= 0 else phrase("vote.table")
    return phrase("vote.asks", who=who, what=named("vote.what", vote.what))
