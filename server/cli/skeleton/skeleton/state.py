"""State of a match: what stands where, and the events that change it."""

from __future__ import annotations

import msgspec

from engine.core.rules.events import Event
from engine.kit.changes import in_turn, its, moves, of, sets, without
from engine.kit.present.cues import says
from protocol.ids import FigureId, GroupId

from .content import Point, Profile, Resolved


class Figure(msgspec.Struct, frozen=True):
    """A figure on the table."""

    id: FigureId
    at: Point


class Group(msgspec.Struct, frozen=True):
    """Figures that act together, the lead first. `done`: it has acted in this round."""

    id: GroupId
    owner: int
    number: int
    profile: str
    figures: tuple[FigureId, ...]
    done: bool = False


class Battle(msgspec.Struct, frozen=True):
    """The whole table. Mappings are never changed in place. `acting`: the seat that is next to act."""

    resolved: Resolved
    groups: dict[GroupId, Group]
    figures: dict[FigureId, Figure]
    round: int = 0
    acting: int = 0

    def own(self, seat: int) -> list[Group]:
        """Return the groups of a seat that have figures left."""
        return [group for group in self.groups.values() if group.owner == seat and group.figures]

    def ready(self, seat: int) -> list[Group]:
        """Return those that have not acted in this round."""
        return [group for group in self.own(seat) if not group.done]

    def profile(self, group: Group) -> Profile:
        """Return the profile of a group."""
        return self.resolved.profiles[group.profile]


class RoundStarted(Event[Battle], frozen=True, tag="skeleton.round_started"):
    """A round begins: all groups are ready, `first` acts."""

    first: int
    cue = says("card", "skeleton.log.round", "", "first", seat="first")

    def apply(self, state: Battle) -> Battle:
        ready = {id: msgspec.structs.replace(group, done=False) for id, group in state.groups.items()}
        return msgspec.structs.replace(state, groups=ready, round=state.round + 1, acting=self.first)


class GroupMoved(Event[Battle], frozen=True, tag="skeleton.group_moved"):
    """A group goes along `path`; its figures now stand at `places`."""

    group: GroupId
    path: tuple[Point, ...]
    places: dict[FigureId, Point]
    apply = moves()
    cue = says("move", "skeleton.log.moved", "", "group", seat="group", about="group", path="path")


class FiguresKilled(Event[Battle], frozen=True, tag="skeleton.figures_killed"):
    """Figures of a group fall."""

    group: GroupId
    figures: tuple[FigureId, ...]
    cue = says(
        "casualty", "skeleton.log.killed", "", "group", seat="group", about="group", figures=lambda e: len(e.figures)
    )

    def apply(self, state: Battle) -> Battle:
        group = state.groups[self.group]
        left = tuple([id for id in group.figures if id not in self.figures])
        groups = {**state.groups, group.id: msgspec.structs.replace(group, figures=left)}
        return msgspec.structs.replace(state, groups=groups, figures=without(state.figures, self.figures))


class GroupDone(Event[Battle], frozen=True, tag="skeleton.group_done"):
    """A group has acted; the turn passes to the seat `next`."""

    group: GroupId
    next: int
    apply = in_turn(of("groups", "group")(done=True), sets(acting=its.next))
