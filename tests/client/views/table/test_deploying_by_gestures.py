"""Deploying by gestures: a click on a unit and one on a place, its figures proposed, and one key for what is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from arcade import key as keys

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.node_ids import zone_node
from engine.core.view.prompts import cause_of
from engine.core.view.proposals import proposal_for
from engine.space.vectors.points import box_of
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Choice, Reply, Zone
from server.content.systems import Installed
from tests.support.clients.windows.deeds import Deed
from tests.support.clients.windows.hands import GestureHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits
MOST_INPUTS: Final = 40
BY_HAND: Final = 3


@pytest.fixture(scope="module")
def earth() -> Installed:
    return shipped_systems()["apocalypse_earth"]


def deploying(local: LocalTable, *ids: str) -> Choice | None:
    """Return the first of these choices that is offered, None where all units are placed."""
    choices = {choice.id: choice for choice in local.prompt.choices} if local.prompt is not None else {}
    return next((choices[id] for id in ids if id in choices), None)


def wait(hand: GestureHand) -> None:
    """Let the window come to rest at a prompt."""
    hand.until(lambda: not hand.view.controller.busy and hand.view.controller.driver is not None)


def deed_of(local: LocalTable, hand: GestureHand, choice: Choice, unit: NodeId) -> Deed:
    """Return the deployment of a unit at the first place of its zone that the rules take and that can be clicked."""
    zone = local.play.projector.scene(local.seat)[zone_node("start.0")]
    assert isinstance(zone, Zone)
    wait(hand)
    left, bottom, right, top = box_of(zone.points)
    places = [(x, y) for x in range(left + 300, right - 300, 400) for y in range(bottom + 250, top - 250, 300)]
    for at in sorted(places, key=lambda at: (-at[1], at)):  # the bar at the foot lies over the southern edge
        given = {"unit": [unit], "to": list(at)}
        if hand._object_place(Deed(choice, given, unit, point=at)) is None:
            continue
        try:
            fields = proposal_for(local.situation, choice.id, given).fields
            local.match.withdraw(
                local.match.propose(cause_of(local.match, local.seat, bytes(16), Reply(choice.id, dict(fields))))
            )
        except IllegalIntent:
            continue
        return Deed(choice, fields, unit, point=at)
    raise AssertionError(f"{unit} has no place")


def units_of(choice: Choice) -> list[NodeId]:
    return [NodeId(option.id) for option in choice.fields[0].options]  # type: ignore[union-attr]  # pieces


def deploy(local: LocalTable, hand: GestureHand, deed: Deed) -> None:
    before = len(local.acts)
    hand.do(deed)
    assert hand.until(lambda: len(local.acts) > before), deed.choice.id


@pytest.mark.parametrize("by_hand", [BY_HAND, pytest.param(100, marks=pytest.mark.long("client"))])
def test_a_thousand_points_stand_after_few_inputs(
    app: ReadableApp, tmp_path: Path, earth: Installed, by_hand: int
) -> None:
    """Some units by a click on each and one on its place, or all of them; what is left by one key."""
    local = LocalTable(app, tmp_path, earth, "meeting_engagement", 3, {"0", "1"}, ("chicom", "holy_army"))
    state: Any = local.match.state
    force = state.resolved.forces[0].units
    assert 950 <= sum(unit.points for unit in force) <= 1000
    hand, placed = GestureHand(local), 0
    while placed < by_hand and (choice := deploying(local, "deploy", "deploy_vehicle")) is not None:
        deploy(local, hand, deed_of(local, hand, choice, units_of(choice)[0]))
        placed += 1
    # who infiltrates is placed one by one
    while hand.inputs <= MOST_INPUTS and deploying(local, "deploy_rest") is not None:
        wait(hand)
        done = len(local.acts)
        hand.press(keys.E)
        assert hand.until(lambda done=done: len(local.acts) > done)  # type: ignore[misc]  # a default has no type
    after: Any = local.match.state
    own = [unit for unit in after.units.values() if unit.owner == 0]
    assert len(own) == len(force)
    assert {unit.id: unit.where for unit in own if unit.where != "table"} == {}
    assert hand.inputs <= MOST_INPUTS
    assert local.refusals == []


def test_a_unit_is_hidden_by_one_more_click(app: ReadableApp, tmp_path: Path, earth: Installed) -> None:
    local = LocalTable(app, tmp_path, earth, "out_of_the_treeline", 3)
    hand, choice = GestureHand(local), deploying(local, "hide")
    assert choice is not None
    unit = units_of(choice)[0]
    deploy(local, hand, deed_of(local, hand, choice, unit))
    state: Any = local.match.state
    assert state.units[GroupId(unit.partition("/")[2])].hidden
    assert hand.inputs == 3
    assert local.refusals == []


def test_a_unit_is_dragged_from_the_bar_to_its_place(app: ReadableApp, tmp_path: Path, earth: Installed) -> None:
    local = LocalTable(app, tmp_path, earth, "first_contact", 3)
    hand, choice = GestureHand(local), deploying(local, "deploy")
    assert choice is not None
    unit = units_of(choice)[0]
    deed = deed_of(local, hand, choice, unit)
    assert deed.point is not None
    bar, place = hand._on_board(hand.view.model.group_name(unit)), hand.free(deed.point)
    assert bar is not None
    assert place is not None
    hand.hand.drag(bar, bar)
    assert local.acts == []
    hand.hand.drag(bar, place)
    assert hand.until(lambda: bool(local.acts))
    state: Any = local.match.state
    assert state.units[GroupId(unit.partition("/")[2])].where == "table"
    assert local.refusals == []
