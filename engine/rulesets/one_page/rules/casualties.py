"""Casualties: models that fall, and the fate of their unit and of those aboard it (OP-SHOOT-04, OP-SR-21)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from engine.core.rules.questions import pick_one
from engine.kit.casualties import Allotment, CasualtyQuestion, Harm, allot, chosen
from engine.kit.rules import Game, Pool, Seat, implements
from engine.rulesets.one_page.rules import attacks, damage, formations, mines, morale, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.events import ModelsRemoved, SoakChosen, UnitMoved, Wounded
from engine.rulesets.one_page.state.placing_events import UnitLanded
from engine.rulesets.one_page.state.state import TABLE, Battle, Figure, Unit
from engine.space.placement.coherency import Fits
from engine.space.terrain.contact import Base, gap_at_most
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.points import Point, squared
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import text

CASUALTIES: Final = "op.casualties"
SOAK: Final = "op.soak"
WRECK: Final = "op.dice.wreck"
NEAR_WRECK: Final = 300
"""OP-SR-22: greatest distance of survivors from the wreck of their transport."""


class WoundSource(NamedTuple):
    """Origin of wounds: the place of the attacking leader. `side`: the side of a machine that is hit, where a power
    fixes it."""

    at: Point
    side: str = ""


async def suffer(game: Game[Battle], id: GroupId, harms: Sequence[Harm], source: WoundSource) -> int:
    """Apply wounds to a unit. Return the number caused, including those that no model was left to take."""
    total = sum(harm.wounds for harm in harms)
    if not total:
        return 0
    unit = game.state.units[id]
    if traits.is_machine(game.state, unit):
        return await _machine(game, unit, total, source)
    await _choose_soak(game, id)
    order = await _order(game, id, harms)
    _take(game, id, allot(order, harms))
    return total


async def suffer_hits(game: Game[Battle], attack: attacks.Attack, source: WoundSource) -> None:
    """Resolve hits that nobody rolled for, and test the morale of the unit."""
    before = morale.strength(game.state, attack.target)
    harm = attacks.resolve(game, Seat(game.state.units[attack.target].owner), attack)
    await suffer(game, attack.target, (harm,), source)
    morale.after_losses(game, attack.target, before)


@implements("OP-OPEN-15")
async def cross_mines(game: Game[Battle], before: Battle, id: GroupId, way: Sequence[Point] = ()) -> None:
    """Roll for mines after a unit was moved, or placed without a way of its leader's: each 1 is one hit with Piercing.
    `before`: the state before that."""
    state = game.state
    rolling = mines.rolling(before, state, id, way)
    if not rolling:
        return
    hits = game.roll(Pool(rolling, low=1, high=1), mines.MINES, Seat(state.units[id].owner)).faces.count(1)
    if hits:
        attack = attacks.Attack(NO_GROUP, id, "mines", hits, 0, label="mines", traits=(rules.PIERCING,))
        await suffer_hits(game, attack, WoundSource(state.leader(state.units[id]).at, "side"))


async def _machine(game: Game[Battle], unit: Unit, wounds: int, source: WoundSource) -> int:
    figure = game.state.leader(unit)
    side = source.side or damage.side_hit(figure.at, figure.facing, source.at)
    caused = damage.wound_machine(game, unit.id, wounds, side)
    if traits.life(game.state, game.state.figures[unit.leader]) <= 0:
        game.emit(ModelsRemoved(unit.id, unit.figures))
        await bail_out(game, unit.id, traits.base(game.state, figure))
    return caused


async def bail_out(game: Game[Battle], id: GroupId, wreck: Base) -> None:
    """Let every unit aboard a removed unit get out where it stood."""
    for rider in game.state.riders(id):
        await _bail_out(game, rider.id, wreck)


@implements("OP-SR-22")
async def _bail_out(game: Game[Battle], id: GroupId, wreck: Base) -> None:
    """Deal D6 hits to a unit aboard and place it within 3 inches of the wreck; models without room there are lost."""
    before, owner = morale.strength(game.state, id), Seat(game.state.units[id].owner)
    hits = game.roll(Pool(1), WRECK, owner).total
    harm = attacks.resolve(game, owner, attacks.Attack(NO_GROUP, id, "wreck", hits, 0))
    await suffer(game, id, (harm,), WoundSource(wreck.at))
    unit = game.state.units[id]
    if not unit.figures:
        return
    places = _around_wreck(game.state, unit, wreck)
    lost = tuple([figure for figure in unit.figures if figure not in places])
    if lost:
        game.emit(ModelsRemoved(id, lost, "lost"))
    if places:
        aboard = game.state
        game.emit(UnitLanded(id, places))
        morale.after_losses(game, id, before)
        await cross_mines(game, aboard, id)


def _around_wreck(state: Battle, unit: Unit, wreck: Base) -> dict[FigureId, Point]:
    """Return places for as many models as find room near the wreck; none where the leader finds none."""
    size = traits.radius(state, state.leader(unit))

    def near(room: formations.FormationRoom) -> Fits:
        return lambda p, radius: gap_at_most(Base(NO_FIGURE, p, radius), wreck, NEAR_WRECK) and room.fits(p, radius)

    def stands(p: Point) -> bool:
        return near(formations.FormationRoom(state, unit, p))(p, size)

    lead = nearest_place(wreck.at, stands, formations.STEP, wreck.radius + NEAR_WRECK + size)
    if lead is None:
        return {}
    others = [(figure.id, traits.radius(state, figure)) for figure in state.members(unit)[1:]]
    fits = near(formations.FormationRoom(state, unit, lead))
    return formations.COHERENCY.around(Base(unit.leader, lead, size), others, fits)


@implements("OP-SR-21")
async def _choose_soak(game: Game[Battle], id: GroupId) -> None:
    """Ask the owner of mixed Tough and other models, at the first wound, which take wounds first."""
    state = game.state
    unit = state.units[id]
    if not is_mixed(state, unit):
        if unit.soak:
            game.emit(SoakChosen(id, ""))
        return
    if not unit.soak:
        options = [Option("regular", text("op.soak.regular")), Option("tough", text("op.soak.tough"))]
        title = text("op.ask.soak", unit=names.unit(state, id))
        soak = await game.ask(Seat(unit.owner), pick_one(title, options, "regular", "OP-SR-21"), SOAK)
        game.emit(SoakChosen(id, soak))


def is_mixed(state: Battle, unit: Unit) -> bool:
    """Tell if Tough models stand among others, the leader aside."""
    return len({state.entry_of(figure).profile.tough > 1 for figure in state.members(unit)[1:]}) > 1


@implements("OP-SR-21", "OP-SHOOT-04")
def ranks(state: Battle, unit: Unit) -> list[list[Figure]]:
    """Return the models in the order in which they fall, by rank. The models of one rank take the same; a wounded one
    falls first, the others in any order. The leader is last."""
    models = state.members(unit)
    tough_first = unit.soak == "tough"

    def rank(figure: Figure) -> tuple[bool, int, int]:
        tough = state.entry_of(figure).profile.tough
        return ((tough == 1) == tough_first, tough, -figure.wounds)

    def worth(figure: Figure) -> tuple[int, int]:
        """Make the least valuable fall first: plainly armed, and far from the leader."""
        arms = sum(weapon.weight * (1 + weapon.range // 600) for weapon in state.weapons_of(figure))
        return arms, -squared(figure.at, models[0].at)

    followers = sorted(models[1:], key=rank)
    return [*[sorted(group, key=worth) for _, group in groupby(followers, key=rank)], [models[0]]]


@implements("OP-SHOOT-04")
async def _order(game: Game[Battle], id: GroupId, harms: Sequence[Harm]) -> list[tuple[FigureId, int]]:
    """Return models with their remaining wounds in the order in which they take wounds. Where only some of a rank fall,
    their owner picks them."""
    state = game.state
    ranked, owner = ranks(state, state.units[id]), Seat(state.units[id].owner)

    def order() -> list[tuple[FigureId, int]]:
        return [(figure.id, traits.life(state, figure)) for rank in ranked for figure in rank]

    fallen = allot(order(), harms).fallen
    for rank in ranked:
        falling = [figure.id for figure in rank if figure.id in fallen]
        if falling:
            title = text("op.ask.casualties", unit=names.unit(state, id), count=len(falling))
            known = {figure.id: names.model(state, figure.id) for figure in rank}
            picked = await chosen(game, owner, known, falling, CasualtyQuestion(title, "OP-SHOOT-04", CASUALTIES))
            rank.sort(key=lambda figure: figure.id not in picked)
    return order()


async def suffer_model(game: Game[Battle], id: GroupId, figure: FigureId, wounds: int) -> None:
    """Apply wounds to one model; its unit is gone with its last model."""
    life = traits.life(game.state, game.state.figures[figure])
    _take(game, id, allot([(figure, life)], (Harm(wounds),)))


def _take(game: Game[Battle], id: GroupId, allotment: Allotment) -> None:
    """Emit wounds and losses; the models that are left close up."""
    hurt = {figure: wounds for figure, wounds in allotment.taken.items() if figure not in allotment.fallen}
    if hurt:
        game.emit(Wounded(id, hurt))
    if allotment.fallen:
        game.emit(ModelsRemoved(id, allotment.fallen))
        close_up(game, id)


@implements("OP-SHOOT-04")
def close_up(game: Game[Battle], id: GroupId) -> None:
    """Move the remaining models back into formation without cost, where no order of casualties kept it."""
    unit = game.state.units[id]
    if unit.where != TABLE:
        return
    moved = formations.closed_up(game.state, unit)
    if moved:
        lead = game.state.leader(unit).at
        game.emit(UnitMoved(id, "up", (lead, lead), moved))
