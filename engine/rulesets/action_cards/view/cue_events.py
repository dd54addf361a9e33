"""Cues of Special Events, and those of groups that move, come or go in any way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.present.cues import Tellers
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.special_events import event_choices
from engine.rulesets.action_cards.state import event_facts as facts, names
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import dice_captions
from protocol.ids import GroupId, NodeId
from protocol.scene.nodes import Cue
from protocol.text import Text, text

RULE: Final = "AC-OPEN-01"

cues: Final = Tellers[Skirmish]()


def moved(after: Skirmish, group: GroupId, line: Text, path: tuple[Point, ...], rule: str) -> Cue:
    """Show a group on its way."""
    return Cue("move", line, rule, after.groups[group].owner, (names.group_node(group),), path)


def arrived(after: Skirmish, group: GroupId, key: str, rule: str) -> Cue:
    """Show a group that is new on the table, at its place."""
    at, figures = table.board(after).standing[group].centre, after.groups[group].figures
    return moved(after, group, text(key, group=names.group(after, group), figures=len(figures)), (at, at), rule)


@cues.of(facts.EventShown)
def _shown(event: facts.EventShown, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    words = next(Text(one.text) for one in after.resolved.scenario.mix if one.id == event.event)
    yield Cue("card", text("log.event", event=names.event(after, event.event), words=words), "AC-DECK-01")


@cues.of(facts.EventOver)
def _over(event: facts.EventOver, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    if event.idle:
        yield Cue("note", text("log.event.idle", event=names.event(before, before.happening)), RULE)


@cues.of(facts.LastingBegun)
def _begun(event: facts.LastingBegun, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    one = event.lasting
    name = names.event(after, one.event)
    yield Cue("note", text("log.lasting", event=name, turn=one.until), RULE)
    for seat in one.truce:
        yield Cue("note", text("log.truce.keeps", faction=names.faction(after, seat)), RULE, seat)


@cues.of(facts.TruceOffered)
def _offered(event: facts.TruceOffered, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    if sum(event.taken.values()) < 2:
        yield Cue("note", text("log.truce.none"), RULE)


@cues.of(facts.ChanceVoted)
def _wished(event: facts.ChanceVoted, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    for seat, vote in event.votes.items():
        if vote != event_choices.LOT:
            line = text("log.chance", faction=names.faction(after, seat), wish=names.node(after, vote))
            yield Cue("note", line, RULE, seat, about=(NodeId(vote),))


@cues.of(facts.DangerMoved)
def _wandered(event: facts.DangerMoved, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.danger)
    line = text("log.danger.moved", event=names.event(after, was.event))
    yield Cue("move", line, RULE, about=(names.zone_node(was.id),), path=(was.at, event.to))


@cues.of(facts.DangerGone)
def _left(event: facts.DangerGone, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.danger)
    yield Cue("note", text("log.danger.gone", event=names.event(after, was.event)), RULE)


@cues.of(facts.MonsterHit)
def _monster_hit(event: facts.MonsterHit, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.monster)
    fell = event.wounds >= was.wounds
    key = "log.monster.fell" if fell else "log.monster.hurt" if event.wounds else "log.monster.unhurt"
    who = names.group(before, event.group)
    line = text(key, group=who, event=names.event(after, was.event), total=event.total, wounds=event.wounds)
    about = (names.group_node(event.group), *(() if fell else (names.monster_node(was.id),)))
    yield Cue("dice", line, RULE, event.seat, about, dice=dice_captions.monster(event, was.kill))


@cues.of(facts.EventStruck)
def _struck(event: facts.EventStruck, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    hit = event.volley
    key = "log.struck.kills" if hit.kills else "log.struck"
    target = names.group(after, hit.target)
    line = text(key, event=names.event(after, event.event), target=target, kills=hit.kills, total=hit.total)
    yield Cue("dice", line, RULE, hit.seat, (names.group_node(hit.target),), dice=dice_captions.struck(after, hit))


@cues.of(facts.GroupArrived)
def _arrived(event: facts.GroupArrived, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield arrived(after, event.group.id, "log.arrived", RULE)


@cues.of(facts.CardPlayedAgain)
def _again(event: facts.CardPlayedAgain, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = after.row[after.current + 1]
    yield Cue("card", text("log.card_again", card=names.card(after, card)), RULE, card.seat)


@cues.of(facts.CardLost)
def _lost(event: facts.CardLost, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = next(card for card in before.row if card.id == event.card)
    yield Cue("card", text("log.card_lost", card=names.card(after, card)), RULE, card.seat)
