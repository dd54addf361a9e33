"""Drawing of the seats beside the board: faction, player, connection, and whom the table waits for since when."""

from __future__ import annotations

from functools import partial

from client.draw.emblem import draw_emblem
from client.draw.panels.log import OfPerson
from client.model.lobby.leaders import leading
from client.model.table.sides import with_side
from client.model.table.view_model import ViewModel, minutes
from client.model.words.goal_words import goal_words
from client.text.phrases import phrase
from client.text.word_help import help_on
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from protocol.scene.nodes import Objective
from protocol.wire.from_server import ClockView, SeatView

ROW, LOW, LEAST = 44, 28, 16
"""Heights in pixels of a seat with two lines, of one with one line, and of the lowest."""
GAP = 4
CROWN = ((-7, -5), (-7, 4), (-3.5, 0), (0, 6), (3.5, 0), (7, 4), (7, -5))
"""Corners of the mark of who leads, in pixels from its middle."""
FEW = 3
"""Seats that have two lines each; more have one."""
GOAL = 20
"""Height in pixels of the heading of the goals, and of a goal."""


def seats_height(model: ViewModel) -> tuple[int, int]:
    """Return the pixels at text scale 1 that the panel takes for all seats, and those that it takes more for the
    player's goals in a line each."""
    count, goals = len(model.top.seats), len(_goals_of(model))
    seats = count * (_usual(count) + GAP) - GAP
    return 2 * theme.GAP + seats, theme.GAP + GOAL * (1 + goals) if goals else 0


def _usual(count: int) -> int:
    return ROW if count <= FEW else LOW


def draw_seats(ui: Ui, rect: Rect, model: ViewModel, of_person: OfPerson = lambda who: None) -> None:
    """Draw the panel: seats, then the player's victory conditions, as far as there is room. `of_person`: what a click
    on a seat does, by the id of its holder.

    Seats come before all else: where there is little room each is lower.
    """
    inside, gap, count = ui.panel(rect), ui.px(GAP), len(model.top.seats)
    height = max(min(ui.px(_usual(count)), on_grid((inside.h + gap) / max(count, 1) - gap)), ui.px(LEAST))
    for seat in sorted(model.top.seats):
        if inside.h < height:
            return
        box, inside = inside.cut_top(height, gap)
        view = model.seat_view(seat)
        act = of_person(view.who) if view is not None else None
        ui.part(("seat", seat), (box, act is None, *_of_seat(model, seat)), partial(_seat, ui, box, model, seat, act))
    goals = inside.cut_top(ui.px(4))[1]
    given = goals, model.top.objectives, model.seat, model.words
    ui.part("goals", given, partial(_objectives, ui, goals, model))


def _of_seat(model: ViewModel, seat: int) -> tuple[object, ...]:
    """Return all that the drawing of a seat depends on."""
    view, clock = model.seat_view(seat), model.clock(seat)
    waits = _waits_for(model, seat)
    is_away = view is not None and (view.away >= 0 or not view.connected)
    is_timed = is_away or (waits and model.shows_time)
    times = (_presence(model, seat, waits=waits), _link_words(model, view)) if is_timed else ()
    goals = model.top.objectives if seat == model.seat else None
    about = model.top.seats[seat], view, clock, model.names.get(seat), goals
    return *about, _rank(model, seat), waits and model.top.waits, times, model.words


def _rank(model: ViewModel, seat: int) -> str:
    """Return the word for a seat that leads, alone or with its side, or is level with another; empty for others."""
    first, is_shared = leading(model.top.seats)
    if seat not in first or model.top.result is not None:
        return ""
    return phrase("seats.level" if is_shared else "seats.leads")


def _waits_for(model: ViewModel, seat: int) -> bool:
    """Return True while the table waits for a seat."""
    return model.top.waits is not None and seat in model.top.waits.seats and model.top.result is None


def _seat(ui: Ui, box: Rect, model: ViewModel, seat: int, act: Act | None) -> None:
    node, waits = model.top.seats[seat], _waits_for(model, seat)
    ui.painter.rect(box, theme.RAISED if waits else theme.FIELD, 4)
    if waits:
        ui.painter.frame(box, 2, theme.WARN, 4)
    r = min(ui.px(10), box.h / 2 - 2)
    draw_emblem(ui.painter, node.colour, box.x + ui.px(16), box.centre[1], r, faint=not node.alive)
    inside = box.cut_left(ui.px(32))[1].cut_right(ui.px(8))[1]
    name, mine = model.seat_name(seat), phrase("seats.you") if seat == model.seat else ""
    ink = theme.TEXT if node.alive else theme.FAINT
    score = f"{node.score}" if node.score or node.scored else ""
    view, who = model.seat_view(seat), with_side(node.side, model.player_name(seat))
    words, tone = _presence(model, seat, waits=waits)
    rank = _rank(model, seat) if score else ""
    there = _link_words(model, view)
    if box.h >= ui.px(ROW):
        up, down = box.centre[1] + ui.px(9), box.centre[1] - ui.px(9)
        room = inside.w - _score(ui, inside, up, score, leads=bool(rank))
        ui.label(name, inside.x, up, bold=True, colour=ink, room=room)
        ui.label(words, inside.right, down, size=theme.SMALL, colour=tone, anchor="right", room=inside.w * 0.68)
        taken = min(ui.width(words, size=theme.SMALL) + ui.px(8), inside.w * 0.68) if words else 0
        ui.label(who + mine, inside.x, down, size=theme.SMALL, colour=theme.MUTED, room=inside.w - taken)
        if view is not None and view.connected and not words:
            draw_link(ui, inside.right - ui.px(14), down, view.trip)
    else:
        y, room = box.centre[1], inside.w - _score(ui, inside, box.centre[1], score, leads=bool(rank))
        words, tone = (words, tone) if words else (who, theme.MUTED)
        taken = min(ui.width(words, size=theme.SMALL), room * 0.5)
        ui.label(words, inside.x + room, y, size=theme.SMALL, colour=tone, anchor="right", room=taken + 1)
        ui.label(name + mine, inside.x, y, bold=True, colour=ink, room=room - taken - ui.px(8))
    helps = [(model.texts.state(name), help_on(model.texts, f"status.{name}")) for name in node.status]
    status = "".join(f"\n{state}" + (f": {told.words}" if told is not None else "") for state, told in helps)
    if rank:
        status += f"\n{rank}"
    if score:
        status += phrase("seats.score.tip", score=node.score)
        status += "".join(f"\n{model.texts.say(part)}" for part in node.scored)
    what = phrase("seats.waits", what=model.texts.say(model.top.waits.what)) if waits and model.top.waits else ""
    about = "\n" + phrase("people.about.tip", name=view.name) if view is not None and act is not None else ""
    goals = [goal_words(model, goal) for goal in _goals_of(model)] if seat == model.seat else []
    aims = "".join(f"\n{words}" for words in ([phrase("goals"), *goals] if goals else ()))
    tip = f"{name}{mine}: {who}{there}{status}{what}{aims}{about}"
    ui.tag(box, phrase("seats.tag", name=name + mine), tip=tip, act=act)


def _score(ui: Ui, inside: Rect, y: float, score: str, *, leads: bool) -> float:
    """Draw the score of a seat at the right, with a crown beside it where the seat leads; return the pixels that they
    take."""
    ui.label(score, inside.right, y, bold=True, anchor="right", colour=theme.WARN)
    taken = ui.width(score, bold=True) + ui.px(8) if score else 0
    if leads:
        x = inside.right - taken - ui.px(4)
        ui.painter.region([(x + ui.scale * dx, y + ui.scale * dy) for dx, dy in CROWN], theme.WARN)
    return taken + (ui.px(20) if leads else 0)


def draw_link(ui: Ui, x: float, y: float, trip: int) -> None:
    """Draw the quality of a seat's link, of which `trip` is the round trip in milliseconds: up to three bars."""
    bars = 0 if trip < 0 else 3 if trip < 120 else 2 if trip < 350 else 1
    tone = theme.GOOD if bars == 3 else theme.WARN if bars else theme.FAINT
    for i in range(3):
        height = ui.px(4 + 3 * i)
        ui.painter.rect(Rect(x + ui.px(5) * i, y - ui.px(5), ui.px(3), height), tone if i < bars else theme.PANEL_EDGE)


def _link_words(model: ViewModel, view: SeatView | None) -> str:
    """Return the state of a seat's link in words: connected or since when not, its round trip, and the bank."""
    if view is None or not view.who:
        return ""
    bank = phrase("seats.bank.tip", bank=minutes(view.bank)) if view.bank >= 0 else ""
    if view.away >= 0:
        return phrase("seats.gone", since=minutes(view.away + model.elapsed * 1000), bank=bank)
    trip = phrase("seats.trip", trip=view.trip) if view.trip >= 0 else ""
    return phrase("seats.connected", trip=trip, bank=bank) if view.connected else bank


def _presence(model: ViewModel, seat: int, *, waits: bool) -> tuple[str, theme.Colour]:
    """Return the short note on a seat's second line, and its tone."""
    view, clock = model.seat_view(seat), model.clock(seat)
    away = view is not None and bool(view.who) and not view.connected
    if waits and clock is not None and model.shows_time:
        since = phrase("seats.is_away" if away else "seats.to_act")
        time = clock.since + model.clocks_elapsed * 1000
        time_words = _left(clock, model.clocks_elapsed) if clock.left >= 0 else minutes(time)
        return f"{since}, {time_words}", theme.BAD if away else theme.WARN
    if away and view is not None:
        return phrase("seats.away", since=minutes(max(view.away, 0) + model.elapsed * 1000)), theme.BAD
    if waits:
        return phrase("seats.to_act"), theme.WARN
    if not model.top.seats[seat].alive:
        return phrase("seats.out"), theme.FAINT
    return "", theme.MUTED


def _left(clock: ClockView, elapsed: float) -> str:
    """Return the decision's own time while there is any, then the bank."""
    left = clock.left - elapsed * 1000
    own = left - clock.bank
    if own <= 0:
        return phrase("seats.bank", bank=minutes(left))
    return minutes(own)


def _goals_of(model: ViewModel) -> list[Objective]:
    """Return the player's own conditions."""
    return [objective for objective in model.top.objectives.values() if objective.owner == model.seat >= 0]


def _objectives(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw the player's own conditions; a spectator sees everybody's in the panel of the prompt.

    Where there is not room for all texts, all conditions are named, and the tooltips have the rest.
    """
    mine = _goals_of(model)
    if not mine or rect.h < ui.px(2 * GOAL):
        return
    head, rest = rect.cut_top(ui.px(GOAL))
    ui.line(phrase("goals"), head, bold=True)
    said = [goal_words(model, objective) for objective in mine]
    heights = [ui.lines_height(words, head.w - ui.px(16), size=theme.SMALL) + ui.px(4) for words in said]
    for n, (objective, words) in enumerate(zip(mine, said, strict=True)):
        if rest.h < ui.px(16):
            return
        rest = _objective(ui, rest, model, objective, words, sum(heights[n + 1 :]))


def _objective(ui: Ui, rect: Rect, model: ViewModel, objective: Objective, words: str, kept: float) -> Rect:
    """Draw one condition at the top of `rect`, leaving `kept` pixels for the others; return the room below."""
    tone = theme.goal_tone(objective.state) or theme.TEXT
    text = model.texts.say(objective.text)
    ui.painter.disc(rect.x + ui.px(4), rect.top - ui.px(8), ui.px(3), tone)
    room = Rect(rect.x + ui.px(16), rect.y, rect.w - ui.px(16), rect.h)
    below = ui.lines(words, room, size=theme.SMALL, colour=tone, most=2)
    if below.h >= ui.px(32) + kept:
        below = ui.lines(text, below, size=theme.SMALL, colour=theme.MUTED, most=2)
    ui.tag(Rect(room.x, below.top, room.w, room.h - below.h), phrase("goals.tag", goal=words), tip=text)
    return rect.cut_top(room.h - below.h + ui.px(4))[1]
