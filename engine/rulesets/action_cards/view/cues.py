"""Cues of each event: sight, sound and a running commentary, with dice, paths and rule ids."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from engine.core.rules.events import DiceRolled
from engine.kit.present.cues import Cues
from engine.rulesets.action_cards.rules.board import firepower, table
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.rules.vehicles import transports
from engine.rulesets.action_cards.state import events, names, vehicle_events
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish, Volley
from engine.rulesets.action_cards.view import cue_combats, cue_events, cue_templates, dice_captions
from engine.space.vectors.points import floor_sqrt, squared
from protocol.ids import FigureId, GroupId
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Cue
from protocol.text import Text, text

cues: Final = Cues[Skirmish](
    {"group": names.group, "feature": names.feature, "seat": names.faction, "event": names.event},
    lambda state, group: state.groups[group].owner,
    {"feature": names.feature_node},
    (cue_templates.cues, cue_combats.cues, cue_events.cues),
)


@cues.of(DiceRolled)
def _rolled(event: DiceRolled, before: Skirmish, after: Skirmish) -> tuple[Cue, ...]:
    """Show action rolls and escapes from a wreck; other rolls are shown with the event that says what they mean."""
    if event.purpose not in _SHOWN_ALONE:
        return ()
    key, rule, caption = _SHOWN_ALONE[event.purpose]
    line = text(key, faction=names.faction(after, event.seat), dice=len(event.faces))
    return (Cue("dice", line, rule, event.seat, dice=caption(event)),)


_SHOWN_ALONE: Final = {
    transports.PURPOSE: ("log.bail_out", "AC-OPEN-01", dice_captions.bail_out),
    specials.PURPOSE: ("log.action_roll", "AC-SPEC-01", dice_captions.action_roll),
}


@cues.of(events.RowLaid)
def _row(event: events.RowLaid, before: Skirmish, after: Skirmish) -> Iterator[Cue | TemplatedCues]:
    if event.cards:
        yield Cue("card", text("log.row.last" if event.last else "log.row", turn=after.turn), "AC-DECK-02")
    for place, card in enumerate(event.cards, 1):
        if card.seat >= 0:
            yield cue_templates.row_card(place, card.seat, card.kind)
        else:
            line = text("log.row.card", place=place, card=names.card(after, card))
            yield Cue("card", line, "AC-DECK-02", card.seat)


@cues.of(events.CardTurned)
def _turned(event: events.CardTurned, before: Skirmish, after: Skirmish) -> Iterator[TemplatedCues]:
    yield cue_templates.card_turned(event.seat, event.actions)


@cues.of(events.CardPassed)
def _passed(event: events.CardPassed, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = before.row[before.current]
    rule = "AC-ACT-02" if card.seat >= 0 else "AC-DECK-01"
    key = "log.card_passed" if card.seat >= 0 else "log.event_passed"
    yield Cue("card", text(key, card=names.card(before, card)), rule, card.seat)


@cues.of(events.CardEnded)
def _ended(event: events.CardEnded, before: Skirmish, after: Skirmish) -> Iterator[TemplatedCues]:
    if before.left:
        yield cue_templates.card_ended(event.seat, before.left)


@cues.of(events.GroupMoved)
def _moved(event: events.GroupMoved, before: Skirmish, after: Skirmish) -> Iterator[Cue | TemplatedCues]:
    group, came, end = after.groups[event.group], event.came, after.figures[event.lead].at
    entered = _entered(event.group, before, after)
    if event.how != "walk":
        keys = {"rout": "log.routed", specials.LEAP: "log.leapt"}
        line = text(keys.get(event.how, "log.burrowed"), group=names.group(after, event.group))
        yield cue_events.moved(after, group.id, line, (came, end), events.cause(event, before))
    elif entered:
        yield cue_templates.moved_into(group.id, group.owner, min(entered), came, end)
    else:
        yield cue_templates.moved(group.id, group.owner, _inches(came, end), came, end)


def _entered(group: GroupId, before: Skirmish, after: Skirmish) -> Set[str]:
    """Return the features in which a group has figures only now."""
    was, now = table.board(before).standing[group].inside, table.board(after).standing[group].inside
    return now.keys() - was.keys()


def _inches(start: Point, end: Point) -> int:
    return (floor_sqrt(squared(start, end)) + 50) // 100


@cues.of(events.VolleyFired)
def _volley(event: events.VolleyFired, before: Skirmish, after: Skirmish) -> tuple[TemplatedCues]:
    fired = event.volley
    protection, parts = _seen_before(after, fired)
    rest = (
        fired.target,
        fired.seat,
        protection,
        dice_captions.outcome(after, fired),
        fired.kills,
        fired.kill_number,
        fired.total,
        dice_captions.lost(fired),
        parts,
        fired.roll,
    )
    if len(fired.groups) > 1:
        return (cue_templates.linked_shot(fired.groups, *rest),)
    return (cue_templates.shot(fired.groups[0], *rest),)


def _seen_before(state: Skirmish, fired: Volley) -> tuple[int, tuple[cue_templates.Part, ...]]:
    """Return what could be told of a shot before its dice fell: the target's cover, and the weapons."""
    name = ("seen before", fired.groups, fired.target, fired.kill_number, fired.dice)
    return table.board(state).get(
        name, (), lambda: (dice_captions.protection(state, fired), tuple(_parts(state, fired)))
    )


def _parts(state: Skirmish, fired: Volley) -> Iterator[cue_templates.Part]:
    for part in firepower.pool_together(state, dice_captions.firing(state, fired)).parts:
        short = part.words.k.removeprefix(cue_templates.WEAPON)
        yield cue_templates.WHOLE if short == part.words.k else cue_templates.SHORT, part.times, short, part.dice
    if dice_captions.is_linked_fire(state, fired):
        yield cue_templates.LINKED, fired.dice


@cues.of(events.FiguresRemoved)
def _removed(event: events.FiguresRemoved, before: Skirmish, after: Skirmish) -> Iterator[Cue | TemplatedCues]:
    by_owner: dict[int, list[FigureId]] = {}
    for figure in event.figures:
        by_owner.setdefault(before.figure(figure).owner, []).append(figure)
    for owner, lost in by_owner.items():
        left = sum(one.owner == owner for one in after.figures.values()) + len(after.riders(owner))
        yield cue_templates.casualties(owner, len(lost), left, tuple(lost))
    for id in before.groups:
        if id not in after.groups:
            yield Cue("casualty", text("log.group_gone", group=names.group(before, id)), seat=before.groups[id].owner)


@cues.of(events.SpecialTried)
def _special(event: events.SpecialTried, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    special = next(one for one in specials.known(after, event.seat) if one.id == event.special)
    if special.effect in specials.TRAVELS:
        return
    key = "log.special.done" if event.success else "log.special.failed"
    about = (names.group_node(event.group), *((names.feature_node(special.feature),) if special.feature else ()))
    line = text(key, group=names.group(after, event.group), special=Text(special.name))
    yield Cue("note", line, "AC-SPEC-01", event.seat, about)


@cues.of(events.ProposalDone)
def _tried(event: events.ProposalDone, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    seat = before.proposal.seat if before.proposal else -1
    yield Cue("note", text("log.proposal.done" if event.success else "log.proposal.failed"), "AC-SPEC-02", seat)


@cues.of(events.ConditionMet)
def _met(event: events.ConditionMet, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    condition = after.condition(event.condition)
    line = text(
        "log.met.secret" if event.secret else "log.met",
        faction=names.faction(after, event.seat),
        condition=names.condition_text(after, condition, condition.name),
    )
    yield Cue("note", line, "AC-SCEN-01", event.seat)


@cues.of(vehicle_events.VehicleDriven)
def _driven(event: vehicle_events.VehicleDriven, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    who = names.group(after, event.group)
    entered, inches = _entered(event.group, before, after), _inches(event.came, event.to)
    line = text("log.driven", group=who, inches=inches) if inches else text("log.turned", group=who)
    if entered:
        line = text("log.driven_into", group=who, feature=names.feature(after, min(entered)))
    yield cue_events.moved(after, event.group, line, (event.came, event.to), "AC-MOVE-03")


@cues.of(vehicle_events.GroupEmbarked)
def _embarked(event: vehicle_events.GroupEmbarked, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    vehicle = after.figures[event.vehicle]
    line = text("log.embarked", group=names.group(before, event.group), vehicle=names.feature(after, event.vehicle))
    about = (names.piece_node(event.vehicle),)
    yield Cue("move", line, "AC-MOVE-02", vehicle.owner, about, (event.came, vehicle.at))


@cues.of(vehicle_events.ReserveArrived)
def _reserve(event: vehicle_events.ReserveArrived, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield cue_events.arrived(after, event.group, "log.reserve", "AC-SCEN-01")


@cues.of(vehicle_events.GroupDisembarked)
def _disembarked(event: vehicle_events.GroupDisembarked, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    by_door = event.how == "door"
    line = text("log.disembarked" if by_door else "log.bailed_out", group=names.group(after, event.group))
    path = (event.came, event.places[event.lead])
    yield cue_events.moved(after, event.group, line, path, "AC-MOVE-02" if by_door else "AC-OPEN-01")


@cues.of(vehicle_events.BurstFell)
def _burst(event: vehicle_events.BurstFell, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    fell = event.burst
    about = tuple(names.group_node(id) for id in (fell.group, *fell.falls) if id in after.groups)
    who = names.group(after, fell.group)
    line = text("log.burst", group=who, groups=len(fell.falls)) if fell.falls else text("log.burst.empty", group=who)
    yield Cue("shot", line, "AC-OPEN-01", fell.seat, about, (table.board(after).standing[fell.group].centre, fell.at))
    kills, total = sum(fell.falls.values()), fell.total
    told = text("log.burst.kills", total=total, kills=kills) if kills else text("log.burst.nothing", total=total)
    yield Cue("dice", told, "AC-SETUP-02", fell.seat, about, dice=dice_captions.burst(after, fell))
