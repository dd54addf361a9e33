"""Stack of what goes on beside the open actions: combats, votes, lasting effects, agreed markers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.core.rules.record import PendingAction
from engine.core.rules.system import Part
from engine.kit.present.scene import part
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.rules.shooting import blast
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Burst, Combat, Lasting, Proposal, Skirmish
from engine.rulesets.action_cards.view import dice_captions
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import StackItem, Zone
from protocol.text import Text, text

PROPOSAL = names.stack_node("proposal")
BURST_ZONE: Final = names.zone_node("burst")
AFTER_COMBATS: Final = 1_000_000


def parts(state: Skirmish) -> Iterator[Part]:
    """Yield one item for each thing that is open."""
    if state.burst is not None:
        fell, name = state.burst, text("zone.blast")
        circle = {"at": fell.at, "radius": blast.RADIUS, "owner": fell.seat, "name": name}
        yield part(BURST_ZONE, (fell,), Zone, "blast", **circle)
    for combat in state.combats:
        key = (combat, *(state.groups.get(id) for id in combat.groups))
        yield part(names.stack_node(f"combat.{combat.id}"), key, _combat, state, combat)
    if state.proposal is not None:
        yield part(PROPOSAL, (state.proposal,), _proposal, state, state.proposal)
    for one in state.lasting:
        yield part(names.stack_node(f"lasting.{one.event}"), (one,), _lasting, state, one)
    for about, words in state.markers.items():
        there = (words, about in state.groups, about in state.gone)
        yield part(names.stack_node(f"marker.{about}"), there, _marker, state, about, words)


def on_stack(state: Skirmish, action: PendingAction, item: StackItem) -> StackItem:
    """Add to an open action what its dice mean, and to a Special Event its words."""
    item = replace(item, about=_nodes(state, tuple(map(names.local_id, item.about))))
    words = names.event_text(state, state.happening) if action.kind == "event" else None
    if words is not None:
        return replace(item, lines=(words,))
    volley = state.volley
    if action.kind == "shot" and volley is not None:
        return replace(item, dice=(dice_captions.volley(state, volley),))
    if action.kind == "strike" and volley is not None:
        return replace(item, dice=(dice_captions.struck(state, volley),))
    if action.kind == "blast" and state.burst is not None:
        return _burst(state, state.burst, item)
    return item


def _burst(state: Skirmish, fell: Burst, item: StackItem) -> StackItem:
    """Add to the item of a blast what it does to each group, while its casualties are chosen."""
    still = [id for id in fell.falls if id in state.groups]
    lines = [text("stack.burst.group", group=names.group(state, id), kills=fell.falls[id]) for id in still]
    about = tuple(names.group_node(id) for id in (fell.group, *still) if id in state.groups)
    return replace(item, lines=tuple(lines), dice=(dice_captions.burst(state, fell),), about=about)


def _lasting(state: Skirmish, one: Lasting) -> StackItem:
    lines = [text("stack.lasting.until", turn=one.until)]
    if one.sight:
        lines.append(text("stack.lasting.sight", inches=one.sight // 100))
    if one.move != 100:
        lines.append(text("stack.lasting.move", percent=one.move))
    if one.actions:
        lines.append(text("stack.lasting.more" if one.actions > 0 else "stack.lasting.fewer", actions=abs(one.actions)))
    lines += [text("stack.lasting.truce", faction=names.faction(state, seat)) for seat in one.truce]
    return StackItem(names.event(state, one.event), AFTER_COMBATS, tuple(lines))


def _combat(state: Skirmish, combat: Combat) -> StackItem:
    seats = combats.factions_in(state, combat)
    sides = [(names.faction(state, seat), len(combats.figures_in(state, combat, seat))) for seat in seats]
    lines = [text("stack.combat.side", faction=faction, figures=figures) for faction, figures in sides]
    if combat.defended and combat.defender in seats:
        held, holder = names.feature(state, combat.defended), names.faction(state, combat.defender)
        lines.append(text("stack.combat.held", faction=holder, feature=held))
    dice = tuple(shown for strike in combat.strikes if (shown := dice_captions.strike(state, strike)) is not None)
    about = tuple(map(names.group_node, combat.groups))
    return StackItem(text("stack.combat", number=combat.order + 1), combat.order + 1, tuple(lines), dice, about)


def _proposal(state: Skirmish, proposal: Proposal) -> StackItem:
    lines = [text("stack.proposal.words", words=proposal.words)]
    if proposal.about:
        lines.append(text("stack.proposal.about", about=_about(state, proposal.about)))
    if proposal.roll:
        lines.append(text("stack.proposal.roll"))
    title = text(
        "stack.proposal", faction=names.faction(state, proposal.seat), effect=Text(f"effect.{proposal.effect}")
    )
    return StackItem(title, 0, tuple(lines), about=_nodes(state, (proposal.group, proposal.about)))


def _marker(state: Skirmish, about: str, words: str) -> StackItem:
    title = text("stack.marker", about=_about(state, about))
    return StackItem(title, AFTER_COMBATS, (text("stack.proposal.words", words=words),), about=_nodes(state, (about,)))


def _about(state: Skirmish, id: str) -> Text:
    is_feature = any(feature.id == id for feature in state.resolved.scenario.features)
    return names.feature(state, id) if is_feature else names.group(state, GroupId(id))


def _nodes(state: Skirmish, ids: tuple[str, ...]) -> tuple[NodeId, ...]:
    """Return the node ids of groups and features that are still there."""
    features = {feature.id for feature in state.resolved.scenario.features} - set(state.gone)
    groups = [names.group_node(GroupId(id)) for id in ids if id in state.groups]
    return (*groups, *(names.feature_node(id) for id in ids if id in features))
