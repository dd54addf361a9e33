"""Asides: the choices by which a seat sets stops, leaves standing orders and says how its activations end, whoever is
to act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from msgspec.structs import replace

from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import RuleBug
from engine.core.rules.record import SeatSettings, StandingOrder
from engine.core.rules.replies import check_reply, field_refused
from engine.core.rules.system import Moment, OrderForm
from protocol.ids import NodeId
from protocol.scene.fields import Assign, Option, PickOption, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text

SETTINGS: Final = "core:settings"
"""The reserved choice that sets a seat's stops and orders: field `stops`, a list of moment names, and `orders`, a
choice by moment."""
ORDER: Final = "core:order"
"""The reserved choices ORDER/moment/form leave a standing order: field `groups` where it is by group, then those of the
form."""
RECALL: Final = "core:recall"
"""The reserved choice that takes one standing order back: field `order`, its number."""
ENDING: Final = "core:ending"
"""The reserved choice that says how the seat's activations end: field `ends`, WAITS or BY_ITSELF."""
WAITS: Final = "waits"
BY_ITSELF: Final = "by-itself"
NO_ORDER: Final = "none"
GROUPS: Final = "groups"
_ORDERS: Final = f"{ORDER}/"


def is_aside(choice: str) -> bool:
    """Tell whether a choice is an aside, which may be made at any time."""
    return choice in (SETTINGS, RECALL, ENDING) or choice.startswith(_ORDERS)


def asides_of(match: Match[Any], seat: Seat) -> tuple[Choice, ...]:
    """Return the asides of a seat: none where the system names no moments and has no activations, or the match is
    over."""
    system = match.system
    if not (system.moments or system.has_activations) or match.result is not None:
        return ()
    now = match.record.settings.get(seat, SeatSettings())
    ending = (_ending(waits=now.waits),) if system.has_activations else ()
    return (*(_of_moments(match, seat, now) if system.moments else ()), *ending)


def _of_moments(match: Match[Any], seat: Seat, now: SeatSettings) -> tuple[Choice, ...]:
    moments = match.system.moments
    return (_settings(moments, now), *_orders(match, seat, moments), *_recall(match, seat, now))


@cache
def _ending(*, waits: bool) -> Choice:
    options = tuple(Option(id, Text(f"aside.ending.{id}")) for id in (WAITS, BY_ITSELF))
    field = PickOption("ends", Text("aside.ending"), options=options, default=WAITS if waits else BY_ITSELF)
    return Choice(ENDING, Text("aside.ending"), (field,), hint=Text("aside.ending.hint"))


def settings_by(match: Match[Any], seat: Seat, reply: Reply) -> SeatSettings:
    """Return the settings of a seat after an aside. Raises IllegalIntent where it is of the wrong form."""
    check_reply(asides_of(match, seat), reply)
    now = match.record.settings.get(seat, SeatSettings())
    fields = dict(reply.fields)
    if reply.choice == SETTINGS:
        stops = tuple(cast("list[str]", fields["stops"]))
        chosen = cast("dict[str, str]", fields["orders"])
        return replace(now, stops=stops, orders=dict(_replies(match.system.moments, chosen, now)))
    if reply.choice == ENDING:
        return replace(now, waits=fields["ends"] == WAITS)
    if reply.choice == RECALL:
        gone = int(cast("str", fields["order"]))
        return replace(now, standing=(*now.standing[:gone], *now.standing[gone + 1 :]))
    _, moment, form = reply.choice.split("/")
    groups = tuple(cast("list[str]", fields.pop(GROUPS, [])))
    return now.with_order(StandingOrder(moment, form, groups, fields))


def _replies(moments: Sequence[Moment], chosen: Mapping[str, str], now: SeatSettings) -> Iterator[tuple[str, Reply]]:
    for moment in moments:
        choice = chosen.get(moment.name, _order_now(moment, now))
        if choice not in (NO_ORDER, *(option.id for option in moment.orders)):
            raise field_refused("bad-field", "orders")
        if choice != NO_ORDER:
            yield moment.name, Reply(choice)


def _order_now(moment: Moment, now: SeatSettings) -> str:
    return now.orders[moment.name].choice if moment.name in now.orders else NO_ORDER


def _settings(moments: Sequence[Moment], now: SeatSettings) -> Choice:
    named = tuple(Option(moment.name, moment.title) for moment in moments)
    stops = Pieces(
        "stops",
        Text("aside.stops"),
        options=named,
        least=0,
        most=len(moments),
        default=now.stops,
    )
    slots = {option.id: option for moment in moments for option in moment.orders}
    orders = Assign(
        "orders",
        Text("aside.orders"),
        items=named,
        slots=(Option(NO_ORDER, Text("aside.none")), *slots.values()),
        default={moment.name: _order_now(moment, now) for moment in moments},
    )
    return Choice(SETTINGS, Text("aside.settings"), (stops, orders), hint=Text("aside.hint"))


def _orders(match: Match[Any], seat: Seat, moments: Sequence[Moment]) -> Iterator[Choice]:
    for moment in moments:
        if not moment.forms:
            continue
        groups = tuple(match.system.commanded(match.known(seat), seat, moment.name))
        for form in moment.forms:
            if groups or not form.by_group:
                yield _order(moment, form, groups)


def _order(moment: Moment, form: OrderForm, groups: tuple[Option, ...]) -> Choice:
    if any(field.lazy or field.key == GROUPS for field in form.fields):
        raise RuleBug(f"the order {form.id!r} at {moment.name!r} has a lazy field, or one named {GROUPS!r}")
    whom = Pieces(GROUPS, Text("aside.groups"), options=groups, least=1, most=len(groups))
    fields = (whom, *form.fields) if form.by_group else form.fields
    return Choice(f"{ORDER}/{moment.name}/{form.id}", form.title, fields, hint=form.hint or moment.title)


def _recall(match: Match[Any], seat: Seat, now: SeatSettings) -> Iterator[Choice]:
    if now.standing:
        options = tuple(Option(str(n), _named(match, seat, order)) for n, order in enumerate(now.standing))
        field = PickOption("order", Text("aside.order"), options=options, default=options[0].id)
        yield Choice(RECALL, Text("aside.recall"), (field,), hint=Text("aside.recall.hint"))


def _named(match: Match[Any], seat: Seat, order: StandingOrder) -> Text:
    moment = next(one for one in match.system.moments if one.name == order.moment)
    title = next(form.title for form in moment.forms if form.id == order.order)
    if not order.groups:
        return title
    if len(order.groups) > 1:
        return Text("aside.standing.several", {"order": title, "groups": len(order.groups)})
    [group], known = order.groups, match.known(seat)
    named = {one.id: one.name for one in match.system.commanded(known, seat, order.moment)}
    name = named.get(group) or match.system.name_of(known, NodeId(group))  # of one that takes no orders now
    return Text("aside.standing", {"order": title, "groups": name})
