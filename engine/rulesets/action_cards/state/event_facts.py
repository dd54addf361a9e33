"""Events of Special Events: the event turned up, its effects on the table, lasting effects and their end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from msgspec.structs import replace

from engine.core.rules.events import Upcaster, tagged
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.events import SkirmishEvent, with_seat
from engine.rulesets.action_cards.state.model import Feature, Point
from engine.rulesets.action_cards.state.state import Danger, Figure, Group, Lasting, Skirmish, Volley
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

    def apply(self, state: Skirmish) -> Skirmish:
        place = state.current
        card = replace(state.row[place], state="current", event=self.event)
        return replace(state, row=(*state.row[:place], card, *state.row[place + 1 :]), happening=self.event)


class EventOver(SkirmishEvent, frozen=True, tag="ac.event_over"):
    """Event: all immediate effects of the Special Event are done; `idle`: it found nothing to do."""

    idle: bool = False

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, happening="")


class LastingBegun(SkirmishEvent, frozen=True, tag="ac.lasting_begun"):
    """Event: a lasting effect begins, in place of what the same event began before."""

    lasting: Lasting

    def apply(self, state: Skirmish) -> Skirmish:
        others = tuple(one for one in state.lasting if one.event != self.lasting.event)
        return replace(state, lasting=(*others, self.lasting))


class LastingEnded(SkirmishEvent, frozen=True, tag="ac.lasting_ended"):
    """Event: the lasting effects that this event began are over."""

    event: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, lasting=tuple(one for one in state.lasting if one.event != self.event))


class TruceOffered(SkirmishEvent, frozen=True, tag="ac.truce_offered"):
    """Event: answers to an offered cease-fire are opened, by seat."""

    taken: dict[int, bool]
    barrier = "revealed"

    def apply(self, state: Skirmish) -> Skirmish:
        return state


class ChanceVoted(SkirmishEvent, frozen=True, tag="ac.chance_voted"):
    """Event: votes of fallen factions on a choice left to chance are opened, by seat: an option's node, or "lot"."""

    votes: dict[int, str]
    barrier = "revealed"

    def apply(self, state: Skirmish) -> Skirmish:
        return state


class DangerCame(SkirmishEvent, frozen=True, tag="ac.danger_came"):
    """Event: a danger comes on to the table."""

    danger: Danger

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, dangers=(*state.dangers, self.danger), danger_count=state.danger_count + 1)


class DangerMoved(SkirmishEvent, frozen=True, tag="ac.danger_moved"):
    """Event: a danger has wandered."""

    danger: str
    to: Point

    def apply(self, state: Skirmish) -> Skirmish:
        moved = tuple(replace(one, at=self.to) if one.id == self.danger else one for one in state.dangers)
        return replace(state, dangers=moved)


class DangerGone(SkirmishEvent, frozen=True, tag="ac.danger_gone"):
    """Event: a danger leaves the table."""

    danger: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, dangers=tuple(one for one in state.dangers if one.id != self.danger))


class MonsterHit(SkirmishEvent, frozen=True, tag="ac.monster_hit.2"):
    """Event: dice of a group took `wounds` of a monster; with none left it is off the table, which counts for the seat
    as a figure removed."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.monster_hit": older_layouts.monster_hit}
    monster: str
    seat: int
    group: GroupId
    roll: RollId
    total: int
    wounds: int

    def apply(self, state: Skirmish) -> Skirmish:
        hurt = [
            replace(one, wounds=one.wounds - self.wounds) if one.id == self.monster else one for one in state.dangers
        ]
        standing = tuple(one for one in hurt if one.wounds or not one.kill)
        after = replace(state, dangers=standing)
        if len(standing) == len(state.dangers):
            return after
        removed = state.seats[self.seat].removed
        return with_seat(after, self.seat, removed={**removed, NOBODY: removed.get(NOBODY, 0) + 1})


class EventStruck(SkirmishEvent, frozen=True, tag="ac.event_struck.2"):
    """Event: a Special Event hits a group: dice have been rolled and added up; casualties follow, then VolleyEnded."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.event_struck": older_layouts.volley}
    event: str
    volley: Volley

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, volley=self.volley)


class FeatureRuined(SkirmishEvent, frozen=True, tag="ac.feature_ruined"):
    """Event: a building becomes rubble."""

    feature: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, gone=(*state.gone, self.feature), ruined=(*state.ruined, self.feature))


class GroupDugIn(SkirmishEvent, frozen=True, tag="ac.group_dug_in"):
    """Event: a group has dug itself in: until it moves it is in cover wherever it is."""

    group: GroupId

    def apply(self, state: Skirmish) -> Skirmish:
        group = replace(state.groups[self.group], dug=True)
        return replace(state, groups={**state.groups, group.id: group})


class GroupArrived(SkirmishEvent, frozen=True, tag="ac.group_arrived"):
    """Event: a new group comes on to the table."""

    group: Group
    figures: tuple[Figure, ...]

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(
            state,
            figures={**state.figures, **{figure.id: figure for figure in self.figures}},
            groups={**state.groups, self.group.id: self.group},
            group_count=state.group_count + 1,
            arrived=state.arrived + len(self.figures),
        )


class FiguresJoined(SkirmishEvent, frozen=True, tag="ac.figures_joined"):
    """Event: new figures join a group that is on the table."""

    group: GroupId
    figures: tuple[Figure, ...]

    def apply(self, state: Skirmish) -> Skirmish:
        group = state.groups[self.group]
        larger = replace(group, figures=(*group.figures, *(figure.id for figure in self.figures)))
        return replace(
            state,
            figures={**state.figures, **{figure.id: figure for figure in self.figures}},
            groups={**state.groups, group.id: larger},
            arrived=state.arrived + len(self.figures),
        )


class CardPlayedAgain(SkirmishEvent, frozen=True, tag="ac.card_played_again"):
    """Event: a discarded card is laid open again, as the next one to be played."""

    card: str

    def apply(self, state: Skirmish) -> Skirmish:
        kind = self.card.split(".")
        again = replace(
            state.row[state.current], id=self.card, kind=kind[1], seat=int(kind[0]), state="waiting", event=""
        )
        after = state.current + 1
        return replace(
            state,
            row=(*state.row[:after], again, *state.row[after:]),
            discard=tuple(id for id in state.discard if id != self.card),
        )


class CardLost(SkirmishEvent, frozen=True, tag="ac.card_lost"):
    """Event: an open card that has not been played yet gives no actions."""

    card: str

    def apply(self, state: Skirmish) -> Skirmish:
        row = tuple(replace(card, state="passed") if card.id == self.card else card for card in state.row)
        return replace(state, row=row)


class RowReordered(SkirmishEvent, frozen=True, tag="ac.row_reordered"):
    """Event: the open cards that have not been played yet lie in another order; a lost one stays where it lies."""

    cards: tuple[str, ...]
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        first = state.current + 1
        by_id = {card.id: card for card in state.row[first:]}
        order = iter(self.cards)
        later = [by_id[next(order)] if card.state == "waiting" else card for card in state.row[first:]]
        return replace(state, row=(*state.row[:first], *later))


class DiscardsReturned(SkirmishEvent, frozen=True, tag="ac.discards_returned"):
    """Event: the discards are in the deck again before it has run out."""

    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, discard=(), refilled=state.reshuffles)


EVENT_FACTS: tuple[type[SkirmishEvent], ...] = tagged(globals(), SkirmishEvent)
