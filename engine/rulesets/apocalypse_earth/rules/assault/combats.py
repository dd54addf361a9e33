"""Close combats: how units get into them, the defender's check, and their end (AE-ASLT-04, AE-ASLT-07, AE-ASLT-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.rules.questions import SEALED, Ask
from engine.kit import forecasts
from engine.kit.rules import Counted, Forecast, Game, Gesture, IllegalIntent, Label, Seat, Verb, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.assault import duels, prognosis
from engine.rulesets.apocalypse_earth.rules.fire import contact
from engine.rulesets.apocalypse_earth.rules.harm import casualties
from engine.rulesets.apocalypse_earth.rules.table import aims, sighting
from engine.rulesets.apocalypse_earth.rules.turns import activations, coherency, morale, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.combat_events import CombatBegun, CombatEnded, CombatJoined, LineDrawn
from engine.rulesets.apocalypse_earth.state.lasting import Combat
from engine.rulesets.apocalypse_earth.state.profiles import Cover
from engine.rulesets.apocalypse_earth.state.state import MOVE, TABLE, Battle, Unit
from engine.space.terrain.contact import Base
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.advice import ForecastBack
from protocol.scene.fields import AnyField, Option, Order, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import text

LINES: Final = "ae.duels"
"""The question for the order of the duels."""
LINE: Final = "line"
BLOWN: Final = "blown"
Line = tuple[tuple[FigureId, ...], tuple[FigureId, ...]]
"""The order of a unit's figures for its duels, and those of them who use a contact weapon."""


class FightOn(UnitIntent, frozen=True, tag="ae.fight_on"):
    """A further round of an engaged unit's close combat, which is its action."""


@implements("AE-ASLT-06", "AE-BLD-07")
def covers_of(state: Battle, target: Unit, start: Point) -> dict[FigureId, Cover]:
    """Return the cover in which figures stand that are charged from a place: of those in a building hard."""
    eye = Base(NO_FIGURE, start, 1)
    return {figure.id: aims.cover_of(state, eye, figure) for figure in state.members(target)}


@implements("AE-ASLT-04")
async def engage(game: Game[Battle], id: GroupId, target: GroupId, start: Point) -> str:
    """Let a unit that has charged fight with its target, whose combat it joins if it is in one: the lines are drawn,
    contact weapons go off, the charged check, and one round is fought. Return how it went, a key of `act.charge`.
    `start`: where the charge came from."""
    if game.state.units[target].suppressed:
        surrender.give_up(game, target, id)
        return "surrendered"
    entering = [id, target] if game.state.combat_of(target) is None else [id]
    number = _enter(game, id, target, start)
    before = game.state.units
    blown = await _draw_lines(game, number, entering, target)
    await contact.strike(game, id, target, blown)
    casualties.settle(game, before, spared=game.state.combat(number).units)
    stand = all(game.state.units[one].where == TABLE for one in (id, target))
    if stand and not _holds(game, number, target):
        surrender.give_up(game, target, id)
    tidy(game)
    _fight_round(game, number, before)
    return "surrendered" if game.state.units[target].captor >= 0 else "done"


@implements("AE-ASLT-10")
def _enter(game: Game[Battle], id: GroupId, target: GroupId, start: Point) -> int:
    """Begin a combat, or join that of the target; return its number."""
    state = game.state
    engaged = state.combat_of(target)
    if engaged is not None:
        leads = state.units[engaged.chargers[0]].owner
        game.emit(CombatJoined(id, engaged.number, state.hostile(leads, state.units[id].owner)))
        return engaged.number
    number = 1 + max([combat.number for combat in state.combats], default=0)
    covers = covers_of(state, state.units[target], start)
    game.emit(CombatBegun(Combat(number, (id,), (target,), fresh=(id,), covers=covers)))
    return number


@implements("AE-ASLT-07")
async def _draw_lines(game: Game[Battle], number: int, units: list[GroupId], target: GroupId) -> tuple[FigureId, ...]:
    """Ask the owners of units that come into a combat together, sealed, for the order of their figures; those of one
    figure are not asked. Return the figures of the charger that use a contact weapon."""
    state = game.state
    able = {units[0]: contact.bearers(state, state.units[units[0]], state.units[target])}
    asked = [state.units[id] for id in units if len(state.units[id].figures) > 1 or able.get(id)]
    asks = {Seat(unit.owner): question(state, unit, able.get(unit.id, ())) for unit in asked}
    said = await game.ask_together(asks, LINES, SEALED)
    game.emit(*[LineDrawn(unit.id, number, *said[Seat(unit.owner)]) for unit in asked])
    return game.state.combat(number).idle


@implements("AE-ASLT-07")
def question(state: Battle, unit: Unit, bearers: Sequence[FigureId]) -> Ask[Line]:
    """Return the question for the order of a unit's duels: by number, the leader last, by default; and for those of
    some `bearers` who use a contact weapon, by default nobody."""

    def options(ids: Sequence[FigureId]) -> tuple[Option, ...]:
        return tuple([Option(names.piece_node(id), names.figure(state, id)) for id in ids])

    usual = duels.by_number(unit)
    nodes = tuple(map(names.piece_node, usual))
    fields: list[AnyField] = [Order(LINE, text("ae.field.line"), items=options(usual), default=nodes)]
    default: dict[str, object] = {LINE: list(nodes)}
    if bearers:
        fields.append(Pieces(BLOWN, text("ae.field.blown"), options=options(bearers), least=0, most=len(bearers)))
        default[BLOWN] = []

    def parse(reply: Reply) -> Line:
        given = Choosing(state, Seat(unit.owner), LINE, reply.fields)
        return given.figures(LINE), given.figures(BLOWN)

    choice = Choice(LINE, text("ae.choice.line"), tuple(fields), key="l")
    title = text("ae.ask.duels", unit=names.unit(state, unit.id))
    return Ask(title, (choice,), Reply(LINE, default), parse, "AE-ASLT-07")


@implements("AE-ASLT-04", "AE-MOR-03", "AE-EXP-03")
def _holds(game: Game[Battle], number: int, target: GroupId) -> bool:
    """Tell if a charged unit stands and fights: it checks, if its experience asks for that by the number of those who
    charge it."""
    state = game.state
    unit, others = state.units[target], [state.units[one] for one in state.combat(number).units]
    against = sum(len(one.figures) for one in others if state.hostile(one.owner, unit.owner))
    return not morale.checks_charge(state, unit, against) or morale.check(game, target, morale.CHARGED)


@implements("AE-ASLT-10", "AE-MOR-03")
def tidy(game: Game[Battle]) -> None:
    """Let engaged units that are suppressed surrender to their enemies in the combat, and end combats in which one side
    has nobody left to fight: the others close ranks."""
    for combat in game.state.combats:
        for id in combat.units:
            captor = _captor(game.state, combat, game.state.units[id])
            if captor is not None:
                surrender.give_up(game, id, captor)
        if is_over(game.state, combat):
            game.emit(CombatEnded(combat.number))
            for id in combat.units:
                coherency.close_ranks(game, id)


@implements("AE-ASLT-10")
def is_over(state: Battle, combat: Combat) -> bool:
    """Tell if one side of a combat has no unit left that fights."""

    def fights(units: tuple[GroupId, ...]) -> bool:
        return any(state.units[id].where == TABLE and not state.units[id].suppressed for id in units)

    return not all(map(fights, (combat.chargers, combat.charged)))


def is_untidy(state: Battle) -> bool:
    """Tell if a combat is over, or a unit in one is suppressed, by what happened outside it."""
    engaged = [state.units[id] for combat in state.combats for id in combat.units]
    over = any(is_over(state, combat) for combat in state.combats)
    return over or any(unit.suppressed and unit.where == TABLE for unit in engaged)


@implements("AE-MOR-03")
def _captor(state: Battle, combat: Combat, unit: Unit) -> GroupId | None:
    """Return the enemy in the combat to whom a suppressed unit surrenders, the nearest; None where it does not."""
    if unit.where != TABLE or not unit.suppressed:
        return None
    others = combat.charged if unit.id in combat.chargers else combat.chargers
    able = [state.units[id] for id in others if surrender.can_fight(state, state.units[id])]
    nearest = min(able, key=lambda one: (sighting.distance(state, unit, one), one.owner, one.number), default=None)
    return nearest.id if nearest is not None else None


def check_fight(state: Battle, seat: int, id: GroupId) -> Combat:
    """Return the combat of a unit that may fight on. Raises IllegalIntent."""
    activations.check_turn(state, seat, id)
    combat = state.combat_of(id)
    if combat is None:
        raise IllegalIntent("fight/free")
    return combat


async def fight_on(game: Game[Battle], seat: Seat, intent: FightOn) -> None:
    """Fight a round of an engaged unit's combat, which is its action."""
    combat = check_fight(game.state, seat, intent.unit)
    fighting = activations.start(game, "fight", intent.unit)
    _fight_round(game, combat.number, game.state.units)
    fighting.resolve("done")
    activations.end(game, intent.unit)


def fight_round(game: Game[Battle], id: GroupId) -> None:
    """Fight one round of the combat that a unit is in, if it is in one."""
    combat = game.state.combat_of(id)
    if combat is not None:
        _fight_round(game, combat.number, game.state.units)


def _fight_round(game: Game[Battle], number: int, before: Mapping[GroupId, Unit]) -> None:
    if any(combat.number == number for combat in game.state.combats):
        duels.fight(game, number, before)
        tidy(game)


@implements("AE-ASLT-10")
async def fight_out(game: Game[Battle]) -> None:
    """Fight out all open combats, one after another in the order in which they began, round after round."""
    for combat in game.state.combats:
        for _ in range(sum(len(game.state.units[id].figures) for id in combat.units)):
            _fight_round(game, combat.number, game.state.units)


def _losses(draft: Choosing) -> Counted:
    """Return all units of the combat that a unit is in, whose losses count."""
    id = draft.group("unit")
    combat = draft.state.combat_of(id)
    others = combat.units if combat is not None else ()
    return Counted(tuple([names.group_node(one) for one in others if one != id]), names.group_node(id))


@implements("AE-ASLT-05", "AE-ASLT-10")
def _forecast(draft: Choosing) -> Forecast:
    """Return what falls of the enemy, and of one's own side, in the duels of the next round. Raises IllegalIntent."""
    id = draft.group("unit")
    combat = check_fight(draft.state, draft.seat, id)
    began, charged = prognosis.fallen(draft.state, combat)
    own, foes, enemy = (began, charged, combat.charged) if id in combat.chargers else (charged, began, combat.chargers)
    back = ForecastBack(names.group_node(enemy[0]), own.thousandths(), forecasts.hundredths(own.mean))
    return replace(forecasts.forecast(foes), back=(back,))


FIGHT: Final = Verb(
    Label("fight_on", "k", "Fight on", "One more round of its close combat. That is its action."),
    fight_on,
    pick("unit", able(check_fight, MOVE)),
    forecast=_forecast,
    counted=_losses,
    gesture=Gesture("unit", rank=1, ends=True),
)
