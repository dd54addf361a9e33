"""Turns: which groups may act, and what stands at the start; what all verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, first_passing
from engine.core.rules.game import Game
from engine.core.rules.node_ids import group_node
from engine.core.rules.system import Intent
from engine.kit.blanks import Among, Draft, Picker
from engine.kit.terrain.ground import prepared
from engine.kit.verbs import Label, Verb
from engine.space.terrain.contact import Base
from protocol.ids import FigureId, GroupId
from protocol.scene.advice import Gesture
from protocol.text import Text, text

from . import table
from .content import RADIUS, SEATS, Resolved
from .state import Battle, Figure, FiguresKilled, Group, GroupDone, RoundStarted


class Hold(Intent, frozen=True, tag="skeleton.hold"):
    """A group does nothing."""

    group: GroupId


def start(resolved: Resolved) -> Battle:
    """Return the table with all groups where the scenario has them."""
    scenario = resolved.scenario
    ground = prepared(scenario.size, [(one, resolved.terrain[one.kind]) for one in scenario.features])
    groups: dict[GroupId, Group] = {}
    figures: dict[FigureId, Figure] = {}
    for number, starter in enumerate(scenario.groups, 1):
        id = GroupId(f"{starter.seat}.{number}")
        ids = tuple([FigureId(f"{id}.{place}") for place in range(1, starter.figures + 1)])
        taken = tuple([Base(figure.id, figure.at, RADIUS) for figure in figures.values()])
        standing = table.stood(ground, Base(ids[0], starter.at, RADIUS), ids[1:], taken)
        groups[id] = Group(id, starter.seat, number, starter.profile, tuple(standing))
        figures |= {one: Figure(one, at) for one, at in standing.items()}
    return Battle(resolved, groups, figures)


def is_over(state: Battle) -> bool:
    """Tell whether a seat has no group left, or the last round has been played."""
    ready = any(state.ready(seat) for seat in range(SEATS))
    last = state.round >= state.resolved.scenario.rounds
    return not all(state.own(seat) for seat in range(SEATS)) or (last and not ready)


def check_ready(state: Battle, seat: Seat, id: GroupId) -> Group:
    """Return a group of this seat that may act now. Raises IllegalIntent."""
    group = next((group for group in state.ready(seat) if group.id == id), None)
    if group is None:
        raise IllegalIntent("act/not-ready")
    return group


def finish(game: Game[Battle], seat: Seat, id: GroupId) -> None:
    """End what a group does: the other seat is next, if it has a group that is ready."""
    other = Seat(1 - seat)
    game.emit(GroupDone(id, other if game.state.ready(other) else seat))


def kill(game: Game[Battle], id: GroupId, count: int) -> int:
    """Take so many figures of a group off the table, the last ones first; return how many there were."""
    killed = game.state.groups[id].figures[-count:] if count else ()
    if killed:
        game.emit(FiguresKilled(id, killed))
    return len(killed)


async def hold(game: Game[Battle], seat: Seat, hold: Hold) -> None:
    """Do nothing with a group."""
    check_ready(game.state, seat, hold.group)
    finish(game, seat, hold.group)


async def new_round(game: Game[Battle]) -> None:
    """Begin a round: a round of dice opens, and the seats go first in turn."""
    await game.round()
    game.emit(RoundStarted(game.state.round % SEATS))


def name(state: Battle, group: Group) -> Text:
    """Name a group."""
    return text("skeleton.group", group=Text(state.profile(group).name), number=group.number)


pick: Final = Picker[Battle, Group](lambda group: group_node(group.id), name, preset=True)
"""Makes a field of one group."""


def ready(draft: Draft[Battle]) -> list[Group]:
    """Return the groups that may act."""
    return draft.state.ready(draft.seat)


def enemies(draft: Draft[Battle]) -> Iterable[Group]:
    """Return the groups of the other seat."""
    return draft.state.own(1 - draft.seat)


def at_enemies(check: Callable[[Battle, Seat, GroupId, GroupId], object]) -> tuple[Among[Battle, Group], ...]:
    """Make the fields of a verb that is done to an enemy: a group that can do it to any, and to which. `check` of the
    two groups raises IllegalIntent."""

    def can(draft: Draft[Battle], group: Group) -> object:
        state, seat = draft.state, draft.seat
        return first_passing(enemies(draft), lambda target: check(state, seat, group.id, target.id), "act/no-enemy")

    def can_to(draft: Draft[Battle], target: Group) -> object:
        return check(draft.state, draft.seat, draft.group("group"), target.id)

    return pick("group", ready, can), pick("target", enemies, can_to)


def group_of(draft: Draft[Battle]) -> Group:
    """Return the group that was picked to act. Raises IllegalIntent."""
    return check_ready(draft.state, draft.seat, draft.group("group"))


HOLD: Final = Verb(
    Label("hold", "h", "Hold", "Do nothing this round."), hold, pick("group", ready), gesture=Gesture("group", rank=3)
)
