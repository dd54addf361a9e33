"""Names that people read and node ids, the same in scene, prompts, cues and result."""

from __future__ import annotations

from typing import Final

from engine.core.rules.node_ids import (
    feature_node as feature_node,
    figure_of as figure_of,
    group_node as group_node,
    group_of as group_of,
    local_id as local_id,
    objective_node as objective_node,
    piece_node as piece_node,
    seat_node as seat_node,
    sheet_node as sheet_node,
    stack_node as stack_node,
    zone_node as zone_node,
)
from engine.rulesets.action_cards.state.model import Condition, Profile
from engine.rulesets.action_cards.state.state import Card, Group, Skirmish
from protocol.ids import FigureId, GroupId, NodeId
from protocol.text import Text

UNKNOWN: Final = Text("name.unknown")


def monster_node(danger: str) -> NodeId:
    """Return the node id of a monster, which stands among the figures."""
    return piece_node(FigureId(danger))


def event_node(event: str) -> NodeId:
    """Return the id by which an action is declared about a Special Event, which has no node of its own."""
    return NodeId(f"event/{event}")


def special_node(seat: int, special: str) -> NodeId:
    """Return the id by which an action is declared about a special action of a seat, which has no node of its own."""
    return NodeId(f"special/{seat}.{special}")


def faction(state: Skirmish, seat: int) -> Text:
    """Return the name of a seat's faction."""
    return Text(state.faction(seat).name)


def group(state: Skirmish, id: GroupId) -> Text:
    """Return the name of a group: its faction and its number. It may be aboard a vehicle, or gone by now."""
    found = state.groups.get(id) or (state.aboard[id].group if id in state.aboard else None)
    if found is None:
        return UNKNOWN
    # each prompt names a group in every choice open to it
    return state.resolved.memo.get("group name", (found,), _group, state, found)


def _group(state: Skirmish, group: Group) -> Text:
    """Build the name of a group; a vehicle is named by its only figure."""
    arguments: dict[str, str | int | Text] = {"faction": faction(state, group.owner), "number": group.number}
    alone = state.figures.get(group.figures[0]) if len(group.figures) == 1 else None
    kind = state.profile(alone) if alone is not None else None
    if kind is not None and kind.vehicle is not None:
        return Text("name.vehicle", {**arguments, "vehicle": profile(kind)})
    return Text("name.group", arguments)


def profile(profile: Profile) -> Text:
    """Return the name of a kind of figure."""
    return Text(profile.name)


def figure(state: Skirmish, id: FigureId) -> Text:
    """Return the name of a figure: that of its kind."""
    return profile(state.profile(state.figures[id]))


def feature(state: Skirmish, id: str) -> Text:
    """Return the name of a piece of terrain, or of a vehicle by its figure; open ground where there is neither."""
    vehicle = state.figures.get(FigureId(id))
    if vehicle is not None:
        return profile(state.profile(vehicle))
    for found in state.resolved.scenario.features:
        if found.id == id:
            return Text(found.name)
    return Text("name.open_ground")


def zone(state: Skirmish, id: str) -> Text:
    """Return the name of a marked area."""
    found = next((z for z in state.resolved.scenario.zones if z.id == id), None)
    return Text(found.name) if found else UNKNOWN


def strength(state: Skirmish, group: NodeId) -> int:
    """Return the number of figures of a group."""
    own = state.groups.get(group_of(group))
    return len(own.figures) if own is not None else 0


def node(state: Skirmish, node: str) -> Text:
    """Return the name of what a node is of: faction, group, feature, event, special action or marked area."""
    kind, _, own = node.partition("/")
    match kind:
        case "seat":
            return faction(state, int(own))
        case "group":
            return group(state, GroupId(own))
        case "feature":
            return feature(state, own)
        case "event":
            return event(state, own)
        case "special":
            seat, _, special_id = own.partition(".")
            return special(state, int(seat), special_id)
        case _:
            return zone(state, own)


def special(state: Skirmish, seat: int, id: str) -> Text:
    """Return the name of a special action, of the seat's faction or of the scenario."""
    known = (*state.faction(seat).specials, *state.resolved.scenario.specials)
    found = next((s for s in known if s.id == id), None)
    return Text(found.name) if found else UNKNOWN


def event(state: Skirmish, id: str) -> Text:
    """Return the name of a Special Event; that of its back where it is not known."""
    found = next((one for one in state.resolved.scenario.mix if one.id == id), None)
    return Text(found.name) if found else Text("card.event")


def event_text(state: Skirmish, id: str) -> Text | None:
    """Return the text of a Special Event; None where it is not known."""
    found = next((one for one in state.resolved.scenario.mix if one.id == id), None)
    return Text(found.text) if found else None


def card(state: Skirmish, card: Card) -> Text:
    """Return the name of a card: its faction and its actions; of an event card its event, once that is known."""
    if card.seat < 0 and state.resolved.scenario.mix:
        return event(state, card.event)
    if card.seat < 0:
        events = state.resolved.scenario.events
        number = int(card.id.rpartition(".")[2])
        return Text(events[(number - 1) % len(events)]) if events else Text("card.event")
    return Text(f"card.{card.kind}", {"faction": faction(state, card.seat)})


def condition_text(state: Skirmish, condition: Condition, key: str) -> Text:
    """Return a text of a condition (its name or its sentence) with everything that it may mention."""
    arguments: dict[str, str | int | Text] = {"goal": condition.goal, "points": condition.points}
    if condition.feature:
        arguments["feature"] = feature(state, condition.feature)
    if condition.zone:
        arguments["zone"] = zone(state, condition.zone)
    if condition.seat >= 0:
        arguments["rival"] = faction(state, condition.seat)
    if condition.special:
        arguments["special"] = special(state, 0, condition.special)
    return Text(key, arguments)
