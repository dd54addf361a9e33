"""Fire from overwatch at a unit that comes into view on its way: the units asked, the answers, and standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.questions import Ask
from engine.core.rules.record import StandingOrder
from engine.core.rules.system import Moment, MomentReached, OrderForm
from engine.space.sight.cuts import Smoke
from engine.space.sight.first_seen import first_seen
from engine.space.sight.lines import formation
from engine.space.terrain.contact import Base
from engine.space.terrain.features import scenery
from engine.space.vectors.paths import path_length
from engine.space.vectors.points import floor_sqrt, squared
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.fields import Number, Option, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import text
from tests.support.proving import events
from tests.support.proving.fire import fire
from tests.support.proving.reacting import running
from tests.support.proving.state import GRID, RANGE, SIZE, SMOKE, Field, Unit

IN_VIEW: Final = "in-view"
REACH: Final = RANGE * GRID.size
BASE: Final = 90
MOMENT: Final = Moment(
    IN_VIEW,
    text("pv.in-view"),
    forms=(
        OrderForm(
            "fire",
            text("pv.order-fire"),
            text("pv.order-fire.hint"),
            (Number("reach", text("pv.reach"), least=1, most=RANGE, default=RANGE),),
        ),
        OrderForm("never", text("pv.order-never"), by_group=False),
    ),
)


def base(unit: Unit) -> Base:
    """Return the base of a unit in its cell."""
    return Base(FigureId(str(unit.id)), GRID.centre(unit.cell), BASE)


def halts(state: Field) -> dict[int, list[Unit]]:
    """Return the corners of the declared way at which units on watch first see the active unit; those that see it where
    it sets out do not count."""
    activation = state.activation
    assert activation is not None
    mover = state.unit(activation.unit)
    assert mover is not None
    path = tuple(map(GRID.centre, activation.path))
    smoke = [Smoke(str(number), at, SMOKE) for number, at in enumerate(state.smoke)]
    found: dict[int, list[Unit]] = {}
    for unit in state.units:
        if unit.owner == mover.owner or unit.hidden or not unit.watching:
            continue
        eyes = formation(GroupId(unit.node), [base(unit)])
        seen = first_seen(path, eyes, base(mover), scenery(*SIZE, (), ()), reach=REACH, cuts=smoke)
        if seen is not None and seen.distance:
            corner = next(n for n in range(len(path)) if path_length(path[: n + 1]) >= seen.distance)
            found.setdefault(corner, []).append(unit)
    return found


async def come_into_view(game: Game[Field], watchers: Sequence[Unit]) -> None:
    """Let these units fire at the active unit where it stands now, as their players like, in the order of seats."""
    there = [unit for one in watchers if (unit := game.state.unit(one.id)) is not None and unit.watching]
    active = game.state.unit(running(game).unit)
    if active is None or not there:
        return
    asks = {Seat(seat): shots([u for u in there if u.owner == seat]) for seat in {unit.owner for unit in there}}
    about = (active.node, *(unit.node for unit in there))
    for chosen in (await game.moment(IN_VIEW, asks, about)).values():
        for id in chosen:
            unit, target = game.state.unit(id), game.state.unit(active.id)
            if unit is not None and target is not None:
                fire(game, unit, target, unit.strength)
                game.emit(events.WatchEnded(id))


def shots(units: Sequence[Unit]) -> Ask[tuple[int, ...]]:
    """Ask for the units that fire at what came into view."""
    ids: dict[str, int] = {unit.node: unit.id for unit in units}
    who = Pieces("units", text("pv.who"), options=tuple(map(Option, ids)), least=1, most=len(ids))
    choices = (Choice("hold", text("pv.hold-fire")), Choice("fire", text("pv.fire"), (who,)))

    def parse(reply: Reply) -> tuple[int, ...]:
        if reply.choice == "hold":
            return ()
        return tuple(ids[node] for node in cast("list[str]", reply.fields["units"]))

    return Ask(text("pv.in-view"), choices, Reply("hold"), parse, "TW-WATCH-04")


def commanded(known: Field, seat: Seat) -> list[Option]:
    """Return the units in the open of a seat: they may be given orders."""
    return [Option(unit.node) for unit in known.of(seat, hidden=False)]


def obey(game: Game[Field], reached: MomentReached, orders: Sequence[StandingOrder]) -> Reply | None:
    """Return the fire of all units asked that have the order to, and see their target within the reach of it."""
    by_node = {unit.node: unit for unit in game.state.units if not unit.hidden}
    target = by_node[reached.about[0]]
    if any(order.order == "never" for order in orders):
        return Reply("hold")
    firing: list[str] = []
    for order in orders:
        reach = order.fields.get("reach")
        if not isinstance(reach, int):
            raise IllegalIntent("reply/bad-field")
        for node in order.groups:
            unit = by_node.get(NodeId(node))
            if unit is not None and unit.node in reached.about and _apart(unit, target) <= reach:
                firing.append(unit.node)
    return Reply("fire", {"units": firing}) if firing else None


def _apart(one: Unit, other: Unit) -> int:
    """Return how many cells two units are apart, in a straight line, a part of one rounded up."""
    return -(-floor_sqrt(squared(GRID.centre(one.cell), GRID.centre(other.cell))) // GRID.size)
