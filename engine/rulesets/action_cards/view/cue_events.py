"""Cues of Special Events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.special_events import event_choices
from engine.rulesets.action_cards.state import event_facts as facts, names
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import dice_captions
from protocol.ids import NodeId
from protocol.scene.nodes import Cue
from protocol.text import Text, text

RULE: Final = "AC-OPEN-01"


def cause(before: Skirmish) -> str:
    """Return the rule by which something happens that a proposal, a Special Event or a special action may bring
    about."""
    if before.proposal is not None:
        return "AC-SPEC-02"
    return RULE if before.happening else "AC-SPEC-01"


def _shown(event: facts.EventShown, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    words = next(Text(one.text) for one in after.resolved.scenario.mix if one.id == event.event)
    yield Cue("card", text("log.event", event=names.event(after, event.event), words=words), "AC-DECK-01")


def _over(event: facts.EventOver, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    if event.idle:
        yield Cue("note", text("log.event.idle", event=names.event(before, before.happening)), RULE)


def _begun(event: facts.LastingBegun, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    one = event.lasting
    name = names.event(after, one.event)
    yield Cue("note", text("log.lasting", event=name, turn=one.until), RULE)
    for seat in one.truce:
        yield Cue("note", text("log.truce.keeps", faction=names.faction(after, seat)), RULE, seat)


def _ended(event: facts.LastingEnded, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("note", text("log.lasting.over", event=names.event(after, event.event)), RULE)


def _offered(event: facts.TruceOffered, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    if sum(event.taken.values()) < 2:
        yield Cue("note", text("log.truce.none"), RULE)


def _wished(event: facts.ChanceVoted, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    for seat, vote in event.votes.items():
        if vote != event_choices.LOT:
            line = text("log.chance", faction=names.faction(after, seat), wish=names.node(after, vote))
            yield Cue("note", line, RULE, seat, about=(NodeId(vote),))


def _came(event: facts.DangerCame, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("note", text("log.danger", event=names.event(after, event.danger.event)), RULE)


def _wandered(event: facts.DangerMoved, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.danger)
    line = text("log.danger.moved", event=names.event(after, was.event))
    yield Cue("move", line, RULE, about=(names.zone_node(was.id),), path=(was.at, event.to))


def _left(event: facts.DangerGone, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.danger)
    yield Cue("note", text("log.danger.gone", event=names.event(after, was.event)), RULE)


def _monster_hit(event: facts.MonsterHit, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    was = next(one for one in before.dangers if one.id == event.monster)
    fell = event.wounds >= was.wounds
    key = "log.monster.fell" if fell else "log.monster.hurt" if event.wounds else "log.monster.unhurt"
    who = names.group(before, event.group)
    line = text(key, group=who, event=names.event(after, was.event), total=event.total, wounds=event.wounds)
    about = (names.group_node(event.group), *(() if fell else (names.monster_node(was.id),)))
    yield Cue("dice", line, RULE, event.seat, about, dice=dice_captions.monster(event, was.kill))


def _struck(event: facts.EventStruck, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    hit = event.volley
    key = "log.struck.kills" if hit.kills else "log.struck"
    target = names.group(after, hit.target)
    line = text(key, event=names.event(after, event.event), target=target, kills=hit.kills, total=hit.total)
    yield Cue("dice", line, RULE, hit.seat, (names.group_node(hit.target),), dice=dice_captions.struck(after, hit))


def _ruined(event: facts.FeatureRuined, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    about = (names.feature_node(event.feature),)
    yield Cue("note", text("log.ruined", feature=names.feature(before, event.feature)), cause(before), about=about)


def _dug_in(event: facts.GroupDugIn, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    about = (names.group_node(event.group),)
    yield Cue("note", text("log.dug_in", group=names.group(after, event.group)), "AC-SPEC-01", about=about)


def _arrived(event: facts.GroupArrived, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = event.group
    line = text("log.arrived", group=names.group(after, group.id), figures=len(group.figures))
    at = table.centre(after, group.id)
    yield Cue("move", line, RULE, group.owner, (names.group_node(group.id),), (at, at))


def _joined(event: facts.FiguresJoined, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = after.groups[event.group]
    line = text("log.joined", group=names.group(after, group.id), figures=len(event.figures))
    yield Cue("note", line, RULE, group.owner, (names.group_node(group.id),))


def _again(event: facts.CardPlayedAgain, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = after.row[after.current + 1]
    yield Cue("card", text("log.card_again", card=names.card(after, card)), RULE, card.seat)


def _lost(event: facts.CardLost, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = next(card for card in before.row if card.id == event.card)
    yield Cue("card", text("log.card_lost", card=names.card(after, card)), RULE, card.seat)


def _reordered(event: facts.RowReordered, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.row.reordered"), RULE)


def _returned(event: facts.DiscardsReturned, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.discards_returned"), RULE)


TOLD: Final[Mapping[type, Callable[[Any, Skirmish, Skirmish], Iterator[Cue]]]] = {
    facts.EventShown: _shown,
    facts.EventOver: _over,
    facts.LastingBegun: _begun,
    facts.LastingEnded: _ended,
    facts.TruceOffered: _offered,
    facts.ChanceVoted: _wished,
    facts.DangerCame: _came,
    facts.DangerMoved: _wandered,
    facts.DangerGone: _left,
    facts.MonsterHit: _monster_hit,
    facts.EventStruck: _struck,
    facts.FeatureRuined: _ruined,
    facts.GroupDugIn: _dug_in,
    facts.GroupArrived: _arrived,
    facts.FiguresJoined: _joined,
    facts.CardPlayedAgain: _again,
    facts.CardLost: _lost,
    facts.RowReordered: _reordered,
    facts.DiscardsReturned: _returned,
}
