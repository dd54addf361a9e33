"""Drawing of each seat's victory conditions, for spectators, replays and pictures."""

from __future__ import annotations

from client.draw.emblem import draw_emblem
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect


def draw_victory_conditions(ui: Ui, rect: Rect, model: ViewModel) -> None:
    """Draw the seats with their conditions from the top down, as far as there is room."""
    for seat in sorted(model.top.seats):
        if rect.h < ui.px(40):
            return
        head, rect = rect.cut_top(ui.px(24))
        node = model.top.seats[seat]
        r = ui.px(8)
        draw_emblem(ui.painter, node.colour, head.x + r, head.centre[1], r, faint=not node.alive)
        won = model.top.result is not None and any(s.seat == seat and s.won for s in model.top.result.seats)
        words = model.seat_name(seat) + (phrase("standing.winner") if won else "")
        tone = theme.GOOD if won else theme.TEXT if node.alive else theme.FAINT
        ui.label(words, head.x + 2 * r + 8, head.centre[1], bold=True, colour=tone, room=head.w - 2 * r - 8)
        for words, tone in _conditions(model, seat):
            if rect.h < ui.px(20):
                return
            body = rect.cut_left(ui.px(28))[1]
            below = ui.lines(words, body, size=theme.SMALL, colour=tone, most=2)
            rect = rect.cut_top(body.h - below.h)[1]
        _, rect = rect.cut_top(ui.px(4))


def _conditions(model: ViewModel, seat: int) -> list[tuple[str, theme.Colour]]:
    """Return each condition of a seat with its state; at the end those of the result, which has the secret ones too."""
    if model.top.result is not None:
        outcome = next((result for result in model.top.result.seats if result.seat == seat), None)
        conditions = outcome.conditions if outcome is not None else ()
        return [
            (
                f"{model.texts.say(condition.name)}: {phrase('goals.state.met' if condition.met else 'goals.not_met')}",
                theme.GOOD if condition.met else theme.MUTED,
            )
            for condition in conditions
        ]
    lines: list[tuple[str, theme.Colour]] = []
    for objective in model.top.objectives.values():
        if objective.owner == seat:
            decided = theme.goal_tone(objective.state)
            sign = phrase(f"goals.state.{objective.state if decided is not None else 'open'}")
            progress = f" {objective.progress}/{objective.goal}" if objective.goal else ""
            lines.append((f"{model.texts.say(objective.name)}: {sign}{progress}", decided or theme.MUTED))
    return lines
