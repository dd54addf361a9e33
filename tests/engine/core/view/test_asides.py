"""Asides: stops and standing orders, as a seat sets them and is offered them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.match.causes import Aside, Expiry
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.node_ids import seat_node
from engine.core.rules.record import SeatSettings, StandingOrder
from engine.core.rules.system import Moment, OrderForm
from engine.core.view.asides import BY_ITSELF, ENDING, NO_ORDER, SETTINGS, WAITS, asides_of, is_aside, settings_by
from engine.core.view.prompts import cause_of, prompt_for, prompt_source
from engine.core.view.texts import ENGLISH
from protocol.scene.fields import Assign, Number, Option, PickOption, Pieces
from protocol.scene.nodes import Reply
from protocol.text import text
from protocol.text_format import format_text
from tests.support.systems.haggle import LAST_TURN, Ledger, Market
from tests.support.systems.stopping import Stopping, stopping

ID, SAID = bytes(16), b"s" * 32
HOLD = "core:order/before-sale/hold"


def settings(stops: list[str], **orders: str) -> Reply:
    """Make a reply that sets stops and orders; an underscore stands for the hyphen in a moment's name."""
    named = {name.replace("_", "-"): choice for name, choice in orders.items()}
    return Reply(SETTINGS, {"stops": stops, "orders": {"before-sale": NO_ORDER, "after-sale": NO_ORDER, **named}})


def test_stops_and_orders_are_offered_as_they_are_now() -> None:
    match = stopping()
    aside = cause_of(match, Seat(1), ID, settings(["after-sale"], before_sale="yes"), SAID)
    assert aside == Aside(1, ID, SeatSettings(("after-sale",), {"before-sale": Reply("yes")}), SAID)
    match.settle(match.propose(aside))
    prompt = prompt_for(match, Seat(1), None)
    assert prompt is not None
    (choice,) = prompt.asides
    stops, orders = choice.fields
    assert isinstance(stops, Pieces)
    assert isinstance(orders, Assign)
    assert (choice.id, stops.default) == (SETTINGS, ("after-sale",))
    assert [slot.id for slot in orders.slots] == [NO_ORDER, "yes", "no", "maybe"]
    assert orders.default == {"before-sale": "yes", "after-sale": NO_ORDER}


@pytest.mark.parametrize(
    "reply",
    [
        settings(["never"]),
        settings([], before_sale="maybe"),
        settings([], before_sale="perhaps"),
        settings([], never="yes"),
    ],
    ids=["no such stop", "an order of another moment", "no such order", "no such moment"],
)
def test_settings_that_are_not_offered_are_refused(reply: Reply) -> None:
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        cause_of(stopping(), Seat(1), ID, reply)


def test_nothing_is_set_where_the_system_has_no_moments_or_the_match_is_over() -> None:
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        cause_of(Ledger().match, Seat(0), ID, settings([]))
    match = stopping()
    for turn in range(LAST_TURN):
        assert prompt_for(match, Seat(0), None) is not None
        match.settle(match.propose(Expiry(seat=turn % 3)))
    assert match.result is not None
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        cause_of(match, Seat(0), ID, settings([]))


def test_asides_are_told_from_other_choices() -> None:
    assert all(map(is_aside, (SETTINGS, ENDING, "core:recall", HOLD)))
    assert not any(map(is_aside, ("core:undo", "core:orders", "buy")))


class Holding(Stopping):
    """Lets a seat as a whole hold out for a price."""

    moments = (
        Moment(
            "before-sale",
            text("m"),
            forms=(OrderForm("hold", text("hold"), None, (Number("n", text("n"), most=9),), by_group=False),),
        ),
    )


def test_an_order_for_the_whole_seat_has_no_groups_and_stands_beside_stops() -> None:
    match = stopping(Holding())
    for reply in (Reply(HOLD, {"n": 4}), Reply(HOLD, {"n": 5})):
        match.settle(match.propose(Aside(1, ID, settings_by(match, Seat(1), reply))))
    order = StandingOrder("before-sale", "hold", (), {"n": 5})
    assert match.record.settings == {1: SeatSettings(standing=(order,))}
    stops = settings_by(
        match, Seat(1), Reply(SETTINGS, {"stops": ["before-sale"], "orders": {"before-sale": NO_ORDER}})
    )
    assert stops == SeatSettings(("before-sale",), {}, (order,))
    recall = asides_of(match, Seat(1))[-1].fields[0]
    assert isinstance(recall, PickOption)
    assert [option.name for option in recall.options] == [text("hold")]
    assert settings_by(match, Seat(1), Reply("core:recall", {"order": "0"})) == SeatSettings()
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        settings_by(match, Seat(1), Reply(HOLD, {"n": 10}))


class Ordering(Stopping):
    """Lets one seat take orders, by another name than in the scene."""

    moments = (Moment("before-sale", text("m"), forms=(OrderForm("hold", text("hold"), None),)),)

    def commanded(self, known: Market, seat: Seat, moment: str) -> Sequence[Option]:
        return [Option(seat_node(Seat(0)), text("butcher"))]


def test_orders_are_told_by_names_also_of_those_who_take_none_now() -> None:
    match = stopping(Ordering())
    butcher, baker = seat_node(Seat(0)), seat_node(Seat(1))
    orders = [StandingOrder("before-sale", "hold", groups) for groups in ((butcher,), (baker,), (butcher, baker))]
    match.settle(match.propose(Aside(1, ID, SeatSettings(standing=tuple(orders)))))
    recall = asides_of(match, Seat(1))[-1].fields[0]
    assert isinstance(recall, PickOption)
    names = match.system.name_of(match.state, baker)
    assert [option.name and option.name.a["groups"] for option in recall.options] == [text("butcher"), names, 2]
    assert names != text(baker)
    assert recall.options[2].name is not None
    assert format_text(recall.options[2].name, {**ENGLISH, "hold": "Hold"}) == "Hold: 2 groups"


def test_an_order_with_a_lazy_field_is_a_fault_of_the_rules() -> None:
    lazy = Number("n", text("n"), lazy=True)

    class Lazy(Stopping):
        moments = (Moment("m", text("m"), forms=(OrderForm("f", text("f"), None, (lazy,), by_group=False),)),)

    with pytest.raises(RuleBug, match="'f' at 'm' has a lazy field"):
        asides_of(stopping(Lazy()), Seat(0))


class Activating(Stopping):
    """A market whose activations may wait to be ended."""

    has_activations = True


def test_a_seat_says_how_its_activations_end_and_keeps_all_else_that_it_has_set() -> None:
    match = stopping(Activating())
    for reply in (settings(["after-sale"]), Reply(ENDING, {"ends": WAITS})):
        match.settle(match.propose(cause_of(match, Seat(0), ID, reply)))
    assert match.record.settings == {0: SeatSettings(("after-sale",), waits=True)}
    (field,) = asides_of(match, Seat(0))[-1].fields
    assert isinstance(field, PickOption)
    assert field.default == WAITS
    assert settings_by(match, Seat(0), settings([])) == SeatSettings(waits=True)
    assert settings_by(match, Seat(0), Reply(ENDING, {"ends": BY_ITSELF})) == SeatSettings(("after-sale",))
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        settings_by(match, Seat(0), Reply(ENDING, {"ends": "never"}))


def test_how_activations_end_is_offered_where_a_seat_acts_and_taken_at_any_time() -> None:
    match = stopping(Activating())
    acting, watching = prompt_for(match, Seat(0), prompt_source(match, Seat(0))), prompt_for(match, Seat(1), None)
    assert acting is not None
    assert watching is not None
    assert [aside.id for aside in acting.asides] == [SETTINGS, ENDING]
    assert [aside.id for aside in watching.asides] == [SETTINGS]
    assert cause_of(match, Seat(1), ID, Reply(ENDING, {"ends": WAITS})) == Aside(1, ID, SeatSettings(waits=True))
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        cause_of(stopping(), Seat(1), ID, Reply(ENDING, {"ends": WAITS}))
