"""Moves that overwatch interrupts on their way, and standing orders of units to fire."""

from __future__ import annotations

import pytest

from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.record import SeatSettings, StandingOrder
from engine.core.view.asides import asides_of
from protocol.scene.fields import PickOption
from protocol.scene.nodes import Reply
from protocol.text import Text, text
from tests.proving.test_proving_chain import EAST, NORTH, WEST, Story, advance
from tests.support.proving import events
from tests.support.proving.state import Field

WATCHER, MOVER = "piece/u01", "piece/u10"
FIRE = "core:order/in-view/fire"
NEVER = "core:order/in-view/never"


def before_the_move() -> Story:
    """West watches; East's unit stands where its next move comes into view half way."""
    story = Story()
    story.say(WEST, "watch", unit=[WATCHER])
    story.say(WEST, "end")
    advance(story, EAST, "u10", 5, 0)
    story.silence()
    for seat in (EAST, NORTH, WEST):
        story.say(seat, "end")
    return story


def come_into_view(story: Story) -> None:
    """Let East's unit set out, and nobody react before it comes into view."""
    advance(story, EAST, "u10", 2, 0)
    while story.kind not in ("in-view", ""):
        story.table.play.expire()
        story.check()
    assert story.kind == "in-view"


def kinds(story: Story, since: int) -> list[type]:
    """Return the types of the events of the system since then."""
    return [type(entry) for entry in story.entries()[since:]]


def test_a_move_is_interrupted_where_it_comes_into_view_and_goes_on_from_there() -> None:
    story = before_the_move()
    before = len(story.entries())
    come_into_view(story)
    activation = story.table.match.state.activation
    assert activation is not None
    assert (activation.at, len(activation.path)) == (1, 4)
    assert story.table.match.may_act() == (WEST,)
    # two hits, and the nerve holds
    story.say(WEST, "fire", 6, 6, 1, 6, units=[WATCHER])
    story.silence(1) if story.kind else None
    order = [kind for kind in kinds(story, before) if kind in (events.Moved, events.Fired, events.WatchEnded)]
    assert order[:5] == [events.Moved, events.Fired, events.WatchEnded, events.Moved, events.Moved]
    unit = story.table.match.state.unit(3)
    assert unit is not None
    assert (unit.cell, unit.strength) == ((2, 0), 1)


def test_the_rest_of_a_move_is_given_up_where_the_mover_breaks() -> None:
    story = before_the_move()
    before = len(story.entries())
    come_into_view(story)
    story.say(WEST, "fire", 6, 1, 1, 1, units=[WATCHER])
    assert kinds(story, before).count(events.Moved) == 1
    assert story.kind == "fall-back"
    story.silence()
    assert kinds(story, before)[-2:] == [events.FellBack, events.Completed]


def test_a_unit_fires_by_its_order_at_the_first_that_comes_near_enough() -> None:
    story = before_the_move()
    story.say(WEST, FIRE, groups=[WATCHER], reach=4)
    order = StandingOrder("in-view", "fire", (WATCHER,), {"reach": 4})
    assert story.table.match.record.settings[WEST] == SeatSettings(standing=(order,))
    come_into_view(story)
    match = story.table.match
    assert match.automatic() == (WEST,)
    assert match.silent_reply(WEST) == Reply("fire", {"units": [WATCHER]})
    story.silence(1, 1, 1)
    assert events.Fired in kinds(story, 0)


@pytest.mark.parametrize(
    "orders",
    [
        [(FIRE, {"groups": [WATCHER], "reach": 3})],
        [(FIRE, {"groups": [WATCHER], "reach": 4}), (NEVER, {})],
        [(FIRE, {"groups": [WATCHER], "reach": 4}), ("core:recall", {"order": "0"})],
        [(FIRE, {"groups": [WATCHER], "reach": 4}), (FIRE, {"groups": [WATCHER], "reach": 1})],
        [(FIRE, {"groups": ["piece/u00"], "reach": 4})],
    ],
    ids=["too far", "never", "taken back", "another order", "another unit"],
)
def test_a_unit_holds_its_fire_where_no_order_speaks(orders: list[tuple[str, dict[str, object]]]) -> None:
    story = before_the_move()
    for choice, fields in orders:
        story.say(WEST, choice, **fields)
    come_into_view(story)
    assert story.table.match.silent_reply(WEST) == Reply("hold")


def test_an_order_is_for_units_of_ones_own_and_has_the_fields_of_its_form() -> None:
    story = before_the_move()
    for fields in ({"groups": [MOVER], "reach": 4}, {"groups": [WATCHER], "reach": 9}, {"groups": [], "reach": 4}):
        with pytest.raises(IllegalIntent, match="reply/bad-field"):
            story.say(WEST, FIRE, **fields)
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        story.say(WEST, "core:order/in-view/always")
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        story.say(WEST, "core:recall", order="0")


def test_what_was_ordered_is_offered_to_be_taken_back() -> None:
    story = before_the_move()
    story.say(WEST, FIRE, groups=[WATCHER, "piece/u00"], reach=2)
    story.say(WEST, FIRE, groups=[WATCHER], reach=3)
    story.say(WEST, NEVER)
    match: Match[Field] = story.table.match
    (recall,) = (aside for aside in asides_of(match, WEST) if aside.id == "core:recall")
    (field,) = recall.fields
    assert isinstance(field, PickOption)
    fire = text("pv.order-fire")
    named = text("pv.unit-of", side=Text("pv.side-0"))
    told = Text("aside.standing", {"order": fire, "groups": named})
    assert [option.name for option in field.options] == [told, told, text("pv.order-never")]
    assert [aside.id for aside in asides_of(match, Seat(2))] == ["core:settings", FIRE, NEVER]
    story.say(WEST, "core:settings", stops=["in-view"], orders={"before-test": "none", "in-view": "none"})
    assert match.record.settings[WEST].stops == ("in-view",)
    assert len(match.record.settings[WEST].standing) == 3
