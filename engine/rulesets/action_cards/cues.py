"""What is seen, heard and logged of each event: a running commentary, with dice, paths and rule ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.core.events import CoreEvent, DiceRolled, Event
from engine.rulesets.action_cards import (
    cue_combats,
    cue_events,
    cue_vehicles,
    dice_shown,
    events,
    names,
    specials,
    table,
    transports,
)
from protocol.scene import Cue
from protocol.text import Text, text

if TYPE_CHECKING:
    from engine.rulesets.action_cards.state import Skirmish

Told = Callable[[Any, "Skirmish", "Skirmish"], Iterator[Cue]]


def cues(event: Event[Skirmish] | CoreEvent, before: Skirmish, after: Skirmish) -> Iterable[Cue]:
    """What those who may know of the event see and hear of it."""
    told = _TOLD.get(type(event))
    return told(event, before, after) if told else ()


def _rolled(event: DiceRolled, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    """Action rolls, and who gets out of a wreck: shots and blows are told once it is known what their dice mean."""
    if event.purpose == transports.PURPOSE:
        who = names.faction(after, event.seat)
        line = text("log.bail_out", faction=who, dice=len(event.faces))
        yield Cue("dice", line, "AC-OPEN-01", event.seat, dice=dice_shown.bail_out(event))
    if event.purpose == specials.PURPOSE:
        who = names.faction(after, event.seat)
        line = text("log.action_roll", faction=who, dice=len(event.faces))
        yield Cue("dice", line, "AC-SPEC-01", event.seat, dice=dice_shown.action_roll(event))


def _row(event: events.RowLaid, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.row.last" if event.last else "log.row", turn=after.turn), "AC-DECK-02")
    for place, card in enumerate(event.cards, 1):
        line = text("log.row.card", place=place, card=names.card(after, card))
        yield Cue("card", line, "AC-DECK-02", card.seat)


def _exhausted(event: events.DeckExhausted, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.deck_out.last" if event.last else "log.deck_out"), "AC-DECK-03")


def _set_aside(event: events.CardSetAside, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.card_set_aside"), "AC-ACT-02")


def _turned(event: events.CardTurned, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    line = text("log.card_turned", faction=names.faction(after, event.seat), actions=event.actions)
    yield Cue("card", line, "AC-ACT-01", event.seat)


def _passed(event: events.CardPassed, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    card = before.row[before.current]
    rule = "AC-ACT-02" if card.seat >= 0 else "AC-DECK-01"
    key = "log.card_passed" if card.seat >= 0 else "log.event_passed"
    yield Cue("card", text(key, card=names.card(before, card)), rule, card.seat)


def _ended(event: events.CardEnded, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    if before.left:
        line = text("log.card_ended", faction=names.faction(after, event.seat), left=before.left)
        yield Cue("card", line, "AC-ACT-01", event.seat)


def _moved(event: events.GroupMoved, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    group = after.groups[event.group]
    end = after.figures[event.lead].at
    inside = table.features_of(after, event.group).keys() - table.features_of(before, event.group).keys()
    who = names.group(after, event.group)
    if event.how == "rout":
        line = text("log.routed", group=who)
    elif event.how != "walk":
        line = text("log.leapt" if event.how == specials.LEAP else "log.burrowed", group=who)
    elif inside:
        line = text("log.moved_into", group=who, feature=names.feature(after, min(inside)))
    else:
        line = text("log.moved", group=who, inches=_inches(event.came, end))
    rule = "AC-MOVE-01" if event.how == "walk" else "AC-SPEC-01"
    yield Cue("move", line, rule, group.owner, (names.group_id(group.id),), (event.came, end))


def _inches(start: tuple[int, int], end: tuple[int, int]) -> int:
    square = (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2
    return next(inches for inches in range(1_000) if (100 * inches + 50) ** 2 > square)


def _volley(event: events.VolleyFired, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    shot = event.volley
    target = names.group(after, shot.target)
    linked = len(shot.groups) > 1
    key = "log.shot.linked" if linked else "log.shot"
    who = names.faction(after, shot.seat) if linked else names.group(after, shot.groups[0])
    line = text(key, group=who, target=target, cover=dice_shown.protection(after, shot))
    about = tuple(map(names.group_id, (*shot.groups, shot.target)))
    path = (table.centre(after, shot.groups[0]), table.centre(after, shot.target))
    yield Cue("shot", line, "AC-SHOOT-04" if linked else "AC-SHOOT-01", shot.seat, about, path)
    outcome = "log.shot.kills" if shot.kills else "log.shot.nothing"
    line = text(outcome, target=target, kills=shot.kills, total=sum(shot.faces), number=shot.kill_number)
    yield Cue("dice", line, "AC-SHOOT-02", shot.seat, about, dice=dice_shown.volley(after, shot))


def _removed(event: events.FiguresRemoved, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    by_owner: dict[int, list[str]] = {}
    for id in event.figures:
        by_owner.setdefault(before.figure(id).owner, []).append(id)
    for owner, lost in by_owner.items():
        left = sum(figure.owner == owner for figure in after.figures.values()) + len(after.riders(owner))
        line = text("log.casualties", faction=names.faction(after, owner), lost=len(lost), left=left)
        yield Cue("casualty", line, "AC-SHOOT-03", owner, tuple(map(names.piece_id, lost)))
    for id in before.groups:
        if id not in after.groups:
            yield Cue("casualty", text("log.group_gone", group=names.group(before, id)), seat=before.groups[id].owner)


def _fell(event: events.FactionFell, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("casualty", text("log.faction_fell", faction=names.faction(after, event.seat)), "AC-ACT-02", event.seat)


def _special(event: events.SpecialTried, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    special = next(one for one in specials.known(after, event.seat) if one.id == event.special)
    if special.effect in specials.TRAVELS:
        return
    key = "log.special.done" if event.success else "log.special.failed"
    about = (names.group_id(event.group), *((names.feature_id(special.feature),) if special.feature else ()))
    line = text(key, group=names.group(after, event.group), special=Text(special.name))
    yield Cue("note", line, "AC-SPEC-01", event.seat, about)


def _proposed(event: events.ProposalMade, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    made = event.proposal
    wish = Text(f"effect.{made.effect}")
    line = text("log.proposed", faction=names.faction(after, made.seat), words=made.words, effect=wish)
    yield Cue("note", line, "AC-SPEC-02", made.seat, (names.group_id(made.group),))


def _voted(event: events.ProposalVoted, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    votes = list(event.votes.values())
    line = text("log.voted.yes" if event.allowed else "log.voted.no", yes=votes.count("yes"), against=votes.count("no"))
    yield Cue("note", line, "AC-SPEC-02")


def _tried(event: events.ProposalDone, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    seat = before.proposal.seat if before.proposal else -1
    yield Cue("note", text("log.proposal.done" if event.success else "log.proposal.failed"), "AC-SPEC-02", seat)


def _cleared(event: events.FeatureCleared, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("note", text("log.cleared", feature=names.feature(before, event.feature)), "AC-SPEC-02")


def _stunned(event: events.GroupStunned, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    about = (names.group_id(event.group),)
    yield Cue("note", text("log.stunned", group=names.group(after, event.group)), "AC-SPEC-02", about=about)


def _opened(event: events.BuildingOpened, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    about = (names.feature_id(event.feature),)
    yield Cue("note", text("log.opened", feature=names.feature(after, event.feature)), "AC-SPEC-02", about=about)


def _dealt(event: events.SecretsDealt, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("card", text("log.secrets", count=len(event.conditions)), "AC-SCEN-01", event.seat)


def _met(event: events.ConditionMet, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    condition = after.condition(event.condition)
    line = text(
        "log.met.secret" if event.secret else "log.met",
        faction=names.faction(after, event.seat),
        condition=names.condition_text(after, condition, condition.name),
    )
    yield Cue("note", line, "AC-SCEN-01", event.seat)


def _over(event: events.GameEnded, before: Skirmish, after: Skirmish) -> Iterator[Cue]:
    yield Cue("end", Text(f"ending.{event.why}"), "AC-SCEN-01")


_TOLD: Final[Mapping[type, Told]] = {
    DiceRolled: _rolled,
    events.RowLaid: _row,
    events.DeckExhausted: _exhausted,
    events.CardSetAside: _set_aside,
    events.CardTurned: _turned,
    events.CardPassed: _passed,
    events.CardEnded: _ended,
    events.GroupMoved: _moved,
    events.VolleyFired: _volley,
    events.FiguresRemoved: _removed,
    events.FactionFell: _fell,
    events.SpecialTried: _special,
    events.ProposalMade: _proposed,
    events.ProposalVoted: _voted,
    events.ProposalDone: _tried,
    events.FeatureCleared: _cleared,
    events.GroupStunned: _stunned,
    events.BuildingOpened: _opened,
    events.SecretsDealt: _dealt,
    events.ConditionMet: _met,
    events.GameEnded: _over,
    **cue_combats.TOLD,
    **cue_events.TOLD,
    **cue_vehicles.TOLD,
}
