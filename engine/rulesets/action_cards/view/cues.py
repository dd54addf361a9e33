"""Cues of each event: sight, sound and a running commentary, with dice, paths and rule ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.rules.events import DiceRolled
from engine.kit.present.cues import Cues
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.rules.vehicles import transports
from engine.rulesets.action_cards.state import events, names
from engine.rulesets.action_cards.state.state import Skirmish, Volley
from engine.rulesets.action_cards.view import cue_combats, cue_events, cue_templates, cue_vehicles, dice_captions
from protocol.ids import FigureId
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Cue
from protocol.text import Text, text

cues: Final = Cues[Skirmish](
    {"group": names.group, "feature": names.feature, "seat": names.faction, "event": names.event},
    lambda state, group: state.groups[group].owner,
    {"feature": names.feature_node},
    (cue_templates.cues, cue_combats.cues, cue_events.cues, cue_vehicles.cues),
)


@cues.of(DiceRolled)
def _rolled(event: DiceRolled, before: Skirmish, after: Skirmish) -> tuple[Cue, ...]:
    """Show action rolls and escapes from a wreck; other rolls are shown with the event that says what they mean."""
    if event.purpose == transports.PURPOSE:
        who = names.faction(after, event.seat)
        line = text("log.bail_out", faction=who, dice=len(event.faces))
        return (Cue("dice", line, "AC-OPEN-01", event.seat, dice=dice_captions.bail_out(event)),)
    if event.purpose == specials.PURPOSE:
        who = names.faction(after, event.seat)
        line = text("log.action_roll", faction=who, dice=len(event.faces))
        return (Cue("dice", line, "AC-SPEC-01", event.seat, dice=dice_captions.action_roll(event)),)
    return ()


@cues.of(events.RowLaid)
def _row(event: events.RowLaid, before: Skirmish, after: Skirmish) -> Iterator[Cue | TemplatedCues]:
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
    inside = (
        table.board(after).standing[event.group].inside.keys() - table.board(before).standing[event.group].inside.keys()
    )
    if event.how != "walk":
        keys = {"rout": "log.routed", specials.LEAP: "log.leapt"}
        line = text(keys.get(event.how, "log.burrowed"), group=names.group(after, event.group))
        yield Cue("move", line, events.cause(event, before), group.owner, (names.group_node(group.id),), (came, end))
    elif inside:
        yield cue_templates.moved_into(group.id, group.owner, min(inside), came, end)
    else:
        yield cue_templates.moved(group.id, group.owner, _inches(came, end), came, end)


def _inches(start: tuple[int, int], end: tuple[int, int]) -> int:
    square = (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2
    return next(inches for inches in range(1_000) if (100 * inches + 50) ** 2 > square)


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
    for part in dice_captions.armed(state, dice_captions.firing(state, fired)):
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
