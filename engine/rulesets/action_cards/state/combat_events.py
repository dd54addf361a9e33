"""Events of close combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from engine.core.rules.events import Event, Upcaster, tagged
from engine.kit.changes import also, drop, in_turn, its, moves, of, put, sets, when, without
from engine.kit.present.cues import says
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.events import FiguresRemoved, of_group
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Combat, Skirmish, Strike
from protocol.ids import FigureId, GroupId

of_combat = of("combats", "combat")


class CombatBegun(Event[Skirmish], frozen=True, tag="ac.combat_begun"):
    """Event: bases came to touch: the groups of `combat` are locked."""

    combat: Combat

    def apply(self, state: Skirmish) -> Skirmish:
        count = max(state.combat_count, self.combat.order + 1)
        return replace(state, combats=(*state.combats, self.combat), combat_count=count)


class CombatJoined(Event[Skirmish], frozen=True, tag="ac.combat_joined"):
    """Event: a group came into an open combat: by a charge along `path`, or (None) because a charge reached it."""

    combat: str
    group: GroupId
    path: tuple[Point, Point] | None = None
    cue = says("combat", "log.combat.joined", "AC-HTH-03", "group", seat="group", about="group", path="path")
    apply = in_turn(
        of_combat(groups=also(its.group)),
        when("path", of_combat(charged=also(its.group), paths=put(its.group, its.path))),
    )


class CombatsMerged(Event[Skirmish], frozen=True, tag="ac.combats_merged"):
    """Event: one charge reached two combats: `absorbed` goes on as part of `combat`, and is itself over."""

    combat: str
    absorbed: str

    def apply(self, state: Skirmish) -> Skirmish:
        kept, absorbed = combat_by_id(state, self.combat), combat_by_id(state, self.absorbed)
        groups, charged = (*kept.groups, *absorbed.groups), (*kept.charged, *absorbed.charged)
        merged = replace(kept, groups=groups, charged=charged, paths={**kept.paths, **absorbed.paths})
        rest = [combat for combat in state.combats if combat is not absorbed]
        return replace(state, combats=tuple([merged if combat is kept else combat for combat in rest]))


class TargetsNamed(Event[Skirmish], frozen=True, tag="ac.targets_named"):
    """Event: the combat is being resolved: the target of each faction's dice, by seat."""

    combat: str
    targets: dict[int, int]
    apply = of_combat(targets=its.targets, strikes=())


class CombatStruck(Event[Skirmish], frozen=True, tag="ac.combat_struck.2"):
    """Event: a faction rolled its close combat dice; the figures they kill are not yet removed."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.combat_struck": older_layouts.strike}
    combat: str
    strike: Strike
    apply = of_combat(strikes=also(its.strike))


class FireFell(Event[Skirmish], frozen=True, tag="ac.fire_fell.2"):
    """Event: fire into the combat was shared out among the factions in it."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.fire_fell": older_layouts.strike}
    combat: str
    strike: Strike
    apply = in_turn(of_combat(strikes=()), of_combat(strikes=also(its.strike)))


class CombatFought(Event[Skirmish], frozen=True, tag="ac.combat_fought"):
    """Event: the one round of dice is over and its casualties are off the table."""

    combat: str
    apply = of_combat(fought=True)


class GroupsReformed(Event[Skirmish], frozen=True, tag="ac.groups_reformed"):
    """Event: survivors of a combat formed new groups: `groups` by id; those of `dissolved` are no more."""

    seat: int
    groups: dict[GroupId, tuple[FigureId, ...]]
    dissolved: tuple[GroupId, ...] = ()

    def apply(self, state: Skirmish) -> Skirmish:
        kept = without(state.groups, self.dissolved)
        formed = {id: replace(state.groups[id], figures=figures) for id, figures in self.groups.items()}
        combats = tuple([combat.among(kept) for combat in state.combats])
        return replace(state, groups={**kept, **formed}, combats=combats)


class GroundTaken(Event[Skirmish], frozen=True, tag="ac.ground_taken"):
    """Event: a group moved up into the position that its opponent had held."""

    group: GroupId
    feature: str
    places: dict[FigureId, Point]
    apply = in_turn(of_group(dug=False), moves())


class GroupRetreated(Event[Skirmish], frozen=True, tag="ac.group_retreated"):
    """Event: a group moved out of contact. `how`: "path" (as it came), "away", or "clear" (the nearest clear place)."""

    group: GroupId
    how: str
    places: dict[FigureId, Point]
    apply = in_turn(of_group(dug=False), moves())


class GroupCornered(Event[Skirmish], frozen=True, tag="ac.group_cornered"):
    """Event: a group found no place to retreat to and is removed, to nobody's credit."""

    group: GroupId

    def apply(self, state: Skirmish) -> Skirmish:
        return FiguresRemoved(-1, state.groups[self.group].figures).apply(state)


class CombatEnded(Event[Skirmish], frozen=True, tag="ac.combat_ended"):
    """Event: the combat is over and locks nobody. `why`: "apart", "won" (one faction left) or "nobody" (none)."""

    combat: str
    why: str
    apply = sets(combats=drop(its.combat))


COMBAT_EVENTS: tuple[type[Event[Skirmish]], ...] = tagged(globals(), Event)


def combat_by_id(state: Skirmish, id: str) -> Combat:
    """Return the open combat of that id. StopIteration without one."""
    return next(combat for combat in state.combats if combat.id == id)
