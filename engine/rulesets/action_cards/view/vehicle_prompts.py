"""Choices with vehicles and blast weapons for the owner of the current card.

Choices and their fields (values are node ids; parse.py reads them):
drive      group, way (a path an inch a corner), facing
take_off   group
fly        group, to, facing
land       group
disembark  group, to, places (auto)
blast      group, at
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.view.prompts import sorted_out
from engine.rulesets.action_cards.rules.board import firepower, table
from engine.rulesets.action_cards.rules.flow import VERBS
from engine.rulesets.action_cards.rules.shooting import blast
from engine.rulesets.action_cards.rules.vehicles import driving, flying, transports
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId
from protocol.scene.fields import AnyField, Facing, Option, PathPoint, PickPoint, Pieces, Placement, Template
from protocol.scene.nodes import Choice
from protocol.text import Text, text

TO: Final = PickPoint("to", text("field.to"), lazy=True)
FACING: Final = Facing("facing", text("field.facing"), lazy=True)
WAY: Final = PathPoint("way", text("field.way"), lazy=True)
PLACES: Final = Placement("places", text("field.places"), lazy=True, auto=True)
AT: Final = Template("at", text("field.at"), lazy=True)
Check = Callable[[GroupId], object]


def vehicle_choices(state: Skirmish, seat: Seat) -> Iterator[Choice]:
    """Yield everything that could be tried now with vehicles and by their passengers."""
    own = [group.id for group in state.groups.values() if group.owner == seat]
    vehicles = [id for id in own if table.vehicle_of(state, id) is not None]
    ground = [id for id in vehicles if (vehicle := table.vehicle_of(state, id)) and vehicle.travel != driving.AIR]
    flyers = [id for id in vehicles if id not in ground]
    up = [id for id in flyers if table.is_airborne(state, id)]
    landed = [id for id in flyers if id not in up]
    aboard = [id for id, ride in state.aboard.items() if ride.group.owner == seat and not ride.due]
    yield from _choice(state, "drive", ground, partial(driving.check_driver, state, seat), (WAY, FACING), "d")
    yield from _choice(state, "take_off", landed, partial(flying.check_take_off, state, seat), (), "t")
    yield from _choice(state, "fly", up, partial(flying.check_pilot, state, seat), (TO, FACING), "f")
    yield from _choice(state, "land", up, partial(flying.check_landing, state, seat), (), "n")
    yield from VERBS.offered(state, seat)
    yield from _choice(state, "disembark", aboard, partial(transports.check_rider, state, seat), (TO, PLACES), "o")


def blast_choice(state: Skirmish, seat: Seat) -> Iterator[Choice]:
    """Yield the choice of firing a blast weapon, if the seat has any."""
    own = [g.id for g in state.groups.values() if g.owner == seat and firepower.dice_of(state, g.id, blast=True)]
    yield from _choice(state, "blast", own, partial(blast.check_blaster, state, seat), (AT,), "a")


def _choice(
    state: Skirmish, id: str, groups: list[GroupId], check: Check, fields: tuple[AnyField, ...], key: str
) -> Iterator[Choice]:
    picked = pick_group(state, groups, check)
    if picked.options:
        yield Choice(id, Text(f"choice.{id}"), (picked, *fields), Text(f"choice.{id}.hint"), key)


def pick_group(state: Skirmish, groups: list[GroupId], check: Check) -> Pieces:
    """Build a field of one group: those that pass the check of the rules, and the others with the reason."""
    options, barred = sorted_out(groups, names.group_node, check, lambda node, id: Option(node, names.group(state, id)))
    return Pieces("group", text("field.group"), options=options, barred=barred)
