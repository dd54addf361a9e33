"""Previews of every shipped scenario: what is fixed of its table, without dice, and the same as a match begins with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from msgspec.msgpack import encode

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from engine.core.view.previews import SHOWN, SeenBefore, seen_before
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import TABLE_NODE, Feature, Point, SeatNode, Zone
from server.content.systems import Installed, find_systems, load


@cache
def installed() -> dict[str, Installed]:
    return load(find_systems().values())


def preview(system: str, scenario: str) -> SeenBefore:
    found = installed()[system]
    return seen_before(found.system, found.content, Setup(scenario, ("",) * found.scenarios[scenario].seats))


def outlines(nodes: Mapping[NodeId, object]) -> dict[NodeId, tuple[Point, ...]]:
    """Return those of all terrain."""
    return {id: node.outline for id, node in nodes.items() if isinstance(node, Feature)}


def begun(system: str, scenario: str, secret: int) -> dict[NodeId, object]:
    """Return the public scene of a match that has just begun, with dice of this secret."""
    found, seats = installed()[system], installed()[system].scenarios[scenario].seats
    match = Match(found.system, MatchId("m1"), MatchDice(bytes([secret]) * 32, MatchId("m1")))
    game = SelfPlay(match)
    game.begin(Start(MatchId("m1"), seats, found.system.setup(found.content, Setup(scenario, ("",) * seats))))
    return dict(game.projector.scene(None))


@pytest.mark.parametrize("system", ["action_cards", "one_page", "apocalypse_earth"])
def test_each_scenario_shows_its_board_seats_and_start_zones_and_nothing_else(system: str) -> None:
    words = installed()[system].catalogue("en").entries
    for scenario, info in installed()[system].scenarios.items():
        seen = preview(system, scenario)
        assert TABLE_NODE in seen.nodes
        assert all(isinstance(node, SHOWN) for node in seen.nodes.values())
        assert sum(isinstance(node, SeatNode) for node in seen.nodes.values()) == info.seats
        starts = [node for node in seen.nodes.values() if isinstance(node, Zone) and node.style == "deployment"]
        owners = {zone.owner for zone in starts}
        assert owners == {*range(info.seats)} or (owners == {-1} and len(starts) > 1), scenario
        assert all(len(zone.points) > 2 for zone in starts)
        assert {zone.name.k for zone in starts if zone.name is not None} <= words.keys()


@pytest.mark.parametrize(
    ("system", "scenario"),
    [("action_cards", "dyke_end"), ("one_page", "crossroads_3000"), ("apocalypse_earth", "three_bridges")],
)
def test_what_is_shown_is_what_lies_there_at_the_start_whatever_the_dice_say(system: str, scenario: str) -> None:
    seen = preview(system, scenario)
    fixed = outlines(seen.nodes)
    for secret in (1, 2):
        nodes = begun(system, scenario, secret)
        assert nodes[TABLE_NODE] == seen.nodes[TABLE_NODE]
        # not their kinds: an event may break a house at once
        assert outlines(nodes).items() >= fixed.items()
    assert len(encode(seen.nodes)) < 10_000


def test_terrain_that_dice_lay_is_counted_and_not_shown() -> None:
    assert preview("one_page", "open_field_3000").left_out == 15
    assert not any(isinstance(node, Feature) for node in preview("one_page", "open_field_3000").nodes.values())
    assert preview("action_cards", "dyke_end").left_out == 17
    assert preview("action_cards", "harrow_cross").left_out == 0
    assert preview("apocalypse_earth", "regolith").left_out == 25
