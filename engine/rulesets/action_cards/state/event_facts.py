"""Events of Special Events: the event turned up, its effects on the table, lasting effects and their end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from engine.core.rules.events import Upcaster, tagged
from engine.kit.changes import also, drop, ids, in_turn, its, minus, now, of, plus, sets, size, with_new
from engine.kit.present.cues import says
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.events import SkirmishEvent, cause, credited, of_card, of_group
from engine.rulesets.action_cards.state.model import Feature, Point
from engine.rulesets.action_cards.state.state import Card, Danger, Figure, Group, Lasting, Skirmish, Volley
from protocol.ids import GroupId
from protocol.scene.nodes import RollId

NOBODY: Final = -1
"""The owner of monsters."""


class TableLaid(SkirmishEvent, frozen=True, tag="ac.table_laid"):
    """Event: the terrain that was left to chance is laid."""

    features: tuple[Feature, ...]
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        scenario = state.resolved.scenario
        laid = replace(scenario, features=(*scenario.features, *self.features))
        return replace(state, resolved=replace(state.resolved, scenario=laid))


class EventShown(SkirmishEvent, frozen=True, tag="ac.event_shown"):
    """Event: the current card is turned up, and it is this Special Event."""

    event: str
    barrier = "cards"
    apply = in_turn(of_card(state="current", event=its.event), sets(happening=its.event))


class EventOver(SkirmishEvent, frozen=True, tag="ac.event_over"):
    """Event: all immediate effects of the Special Event are done; `idle`: it found nothing to do."""

    idle: bool = False
    apply = sets(happening="")


class LastingBegun(SkirmishEvent, frozen=True, tag="ac.lasting_begun"):
    """Event: a lasting effect begins, in place of what the same event began before."""

    lasting: Lasting

    def apply(self, state: Skirmish) -> Skirmish:
        others = tuple(one for one in state.lasting if one.event != self.lasting.event)
        return replace(state, lasting=(*others, self.lasting))


class LastingEnded(SkirmishEvent, frozen=True, tag="ac.lasting_ended"):
    """Event: the lasting effects that this event began are over."""

    event: str
    cue = says("note", "log.lasting.over", "AC-OPEN-01", "event")
    apply = sets(lasting=drop(its.event, "event"))


class TruceOffered(SkirmishEvent, frozen=True, tag="ac.truce_offered"):
    """Event: answers to an offered cease-fire are opened, by seat."""

    taken: dict[int, bool]
    barrier = "revealed"
    apply = sets()


class ChanceVoted(SkirmishEvent, frozen=True, tag="ac.chance_voted"):
    """Event: votes of fallen factions on a choice left to chance are opened, by seat: an option's node, or "lot"."""

    votes: dict[int, str]
    barrier = "revealed"
    apply = sets()


class DangerCame(SkirmishEvent, frozen=True, tag="ac.danger_came"):
    """Event: a danger comes on to the table."""

    danger: Danger
    cue = says("note", "log.danger", "AC-OPEN-01", event="danger.event")
    apply = sets(dangers=also(its.danger), danger_count=plus(1))


class DangerMoved(SkirmishEvent, frozen=True, tag="ac.danger_moved"):
    """Event: a danger has wandered."""

    danger: str
    to: Point
    apply = of("dangers", "danger")(at=its.to)


class DangerGone(SkirmishEvent, frozen=True, tag="ac.danger_gone"):
    """Event: a danger leaves the table."""

    danger: str
    apply = sets(dangers=drop(its.danger))


_hurt = of("dangers", "monster")(wounds=minus(its.wounds))


class MonsterHit(SkirmishEvent, frozen=True, tag="ac.monster_hit.2"):
    """Event: dice took `wounds` of a monster; with none left it is gone, to the seat's credit as a figure."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.monster_hit": older_layouts.rolled}
    monster: str
    seat: int
    group: GroupId
    roll: RollId
    total: int
    wounds: int

    def apply(self, state: Skirmish) -> Skirmish:
        dangers = _hurt(self, state).dangers
        after = replace(state, dangers=tuple([one for one in dangers if one.wounds or not one.kill]))
        return after if len(after.dangers) == len(dangers) else credited(after, self.seat, (NOBODY,))


class EventStruck(SkirmishEvent, frozen=True, tag="ac.event_struck.2"):
    """Event: a Special Event hits a group: dice are rolled and added up; casualties follow, then VolleyEnded."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.event_struck": older_layouts.volley}
    event: str
    volley: Volley
    apply = sets(volley=its.volley)


class FeatureRuined(SkirmishEvent, frozen=True, tag="ac.feature_ruined"):
    """Event: a building becomes rubble."""

    feature: str
    cue = says("note", "log.ruined", cause, "feature", about="feature")
    apply = sets(gone=also(its.feature), ruined=also(its.feature))


class GroupDugIn(SkirmishEvent, frozen=True, tag="ac.group_dug_in"):
    """Event: a group has dug itself in: until it moves it is in cover wherever it is."""

    group: GroupId
    cue = says("note", "log.dug_in", "AC-SPEC-01", "group", about="group")
    apply = of_group(dug=True)


class GroupArrived(SkirmishEvent, frozen=True, tag="ac.group_arrived"):
    """Event: a new group comes on to the table."""

    group: Group
    figures: tuple[Figure, ...]
    apply = sets(
        figures=with_new(its.figures), groups=with_new(its.group), group_count=plus(1), arrived=plus(size(its.figures))
    )


class FiguresJoined(SkirmishEvent, frozen=True, tag="ac.figures_joined"):
    """Event: new figures join a group that is on the table."""

    group: GroupId
    figures: tuple[Figure, ...]
    cue = says(
        "note",
        "log.joined",
        "AC-OPEN-01",
        "group",
        seat="group",
        about="group",
        figures=lambda event: len(event.figures),
    )
    apply = in_turn(
        of_group(figures=plus(ids(its.figures))), sets(figures=with_new(its.figures), arrived=plus(size(its.figures)))
    )


class CardPlayedAgain(SkirmishEvent, frozen=True, tag="ac.card_played_again"):
    """Event: a discarded card is laid open again, as the next one to be played."""

    card: str

    def apply(self, state: Skirmish) -> Skirmish:
        kind = self.card.split(".")
        card, after = Card(self.card, kind[1], int(kind[0])), state.current + 1
        row = (*state.row[:after], card, *state.row[after:])
        return replace(state, row=row, discard=tuple([id for id in state.discard if id != self.card]))


class CardLost(SkirmishEvent, frozen=True, tag="ac.card_lost"):
    """Event: an open card that has not been played yet gives no actions."""

    card: str
    apply = of("row", "card")(state="passed")


class RowReordered(SkirmishEvent, frozen=True, tag="ac.row_reordered"):
    """Event: the open cards that have not been played yet lie in another order; a lost one stays where it lies."""

    cards: tuple[str, ...]
    barrier = "cards"
    cue = says("card", "log.row.reordered", "AC-OPEN-01")

    def apply(self, state: Skirmish) -> Skirmish:
        first = state.current + 1
        by_id = {card.id: card for card in state.row[first:]}
        order = iter(self.cards)
        later = [by_id[next(order)] if card.state == "waiting" else card for card in state.row[first:]]
        return replace(state, row=(*state.row[:first], *later))


class DiscardsReturned(SkirmishEvent, frozen=True, tag="ac.discards_returned"):
    """Event: the discards are in the deck again before it has run out."""

    barrier = "cards"
    cue = says("card", "log.discards_returned", "AC-OPEN-01")
    apply = sets(discard=(), refilled=now.reshuffles)


EVENT_FACTS: tuple[type[SkirmishEvent], ...] = tagged(globals(), SkirmishEvent)
