"""Standing of a match: seats with their people and scores, the order of play, victory conditions, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from client.model.table.sides import with_side
from client.model.table.view_model import ViewModel, minutes
from client.model.words.dice_words import dice_words
from client.model.words.goal_words import goal_words
from client.model.words.result_words import result_title
from client.model.words.series_words import course_lines
from client.model.words.turn_words import count_words, turn_words
from client.plain.told.shown_table import ShownTable
from client.text.phrases import named, phrase
from protocol.scene.nodes import TURN, SeatResult


def seat_lines(shown: ShownTable) -> Iterator[str]:
    """Yield each seat by number: faction, who plays it, score, whether the table waits for it, and its link."""
    model = shown.model
    for seat in sorted(model.top.seats):
        yield phrase("plain.line", number=seat + 1, words=_seat_words(model, seat))
    view = model.view
    if view is not None and view.watching:
        yield phrase("watching.count", count=view.watching)


def _seat_words(model: ViewModel, seat: int) -> str:
    node, view, waits = model.top.seats[seat], model.seat_view(seat), model.top.waits
    mine = phrase("seats.you") if seat == model.seat else ""
    parts = [f"{model.seat_name(seat)}{mine}", with_side(node.side, model.player_name(seat))]
    if node.score or node.scored:
        parts.append(phrase("plain.score", score=node.score))
    parts += [model.texts.state(status) for status in node.status]
    if not node.alive:
        parts.append(phrase("seats.out"))
    if view is not None and view.away >= 0:
        parts.append(phrase("seats.away", since=minutes(view.away + model.elapsed * 1000)))
    if waits is not None and seat in waits.seats and model.top.result is None:
        parts.append(phrase("seats.to_act"))
        clock = model.clock(seat)
        if clock is not None and clock.left >= 0 and model.shows_time:
            parts.append(phrase("seats.left", left=minutes(clock.left - model.clocks_elapsed * 1000)))
    return ", ".join(part for part in parts if part)


def order_lines(shown: ShownTable) -> Iterator[str]:
    """Yield who is waited for and who is next, the row of cards or the activations that are left, and what is
    counted."""
    model, say = shown.model, shown.texts.say
    yield from turn_words(model)
    waits = model.top.waits
    if waits is not None and waits.seats and waits.window != TURN and model.top.result is None:
        yield say(waits.what)
    cards = model.top.row.cards if model.top.row is not None else ()
    for number, card in enumerate(cards, 1):
        who = model.seat_name(card.owner) if card.owner >= 0 else phrase("cards.event")
        state = named("cards.state", card.state)
        yield phrase("plain.line", number=number, words=", ".join(filter(None, (who, say(card.name), state))))
    for seat, node in sorted(model.top.seats.items()):
        if node.left >= 0 and model.top.result is None:
            yield phrase("order.left.tip", name=model.seat_name(seat), left=node.left)
    yield from count_words(model)


def stack_lines(shown: ShownTable) -> Iterator[str]:
    """Yield what is being resolved first, with its dice: what a question is about."""
    say = shown.texts.say
    for _, item in shown.top.stack[:1]:
        yield ". ".join([say(item.title).rstrip("."), *(say(line) for line in item.lines)])
        for dice in item.dice:
            yield phrase("plain.dice", purpose=say(dice.purpose), dice=dice_words(dice, shown.texts))


def goal_lines(shown: ShownTable) -> Iterator[str]:
    """Yield the victory conditions: one's own, of a spectator everybody's, each with its text."""
    model = shown.model
    goals = [goal for goal in model.top.objectives.values() if model.seat < 0 or goal.owner in (model.seat, -1)]
    if not goals:
        yield phrase("plain.goals.none")
    for number, goal in enumerate(goals, 1):
        text = model.texts.say(goal.text)
        words = goal_words(model, goal)
        yield phrase("plain.line", number=number, words=f"{words}. {text}" if text else words)


def result_lines(shown: ShownTable) -> Iterator[str]:
    """Yield how the match has ended: who won and why, then each seat with its conditions, and the series."""
    model = shown.model
    result, view = model.top.result, model.view
    yield result_title(model, result)
    why = result.why if result is not None else view.result if view is not None else None
    yield model.texts.say(why)
    for seat in result.seats if result is not None else ():
        yield phrase("plain.line", number=seat.seat + 1, words=_result_words(model, seat))
    if result is not None:
        yield from course_lines(model, result)


def _result_words(model: ViewModel, seat: SeatResult) -> str:
    mine = phrase("seats.you") if seat.seat == model.seat else ""
    outcome = phrase("result.has_won" if seat.won else "result.has_lost")
    parts = [f"{model.seat_name(seat.seat)}{mine}", model.player_name(seat.seat), outcome]
    parts += [phrase("plain.score", score=seat.score)] if seat.score else []
    for condition in seat.conditions:
        state = phrase("goals.state.met" if condition.met else "goals.not_met")
        parts.append(f"{model.texts.say(condition.name)}: {state}")
    return ", ".join(parts)
