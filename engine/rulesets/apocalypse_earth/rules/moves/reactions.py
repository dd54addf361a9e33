"""Reactions to an enemy's move: one sealed question for all, then fire where it was declared (AE-OVER-02,
AE-ASLT-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from engine.core.rules.questions import Ask
from engine.core.rules.record import StandingOrder
from engine.core.rules.system import Moment, MomentReached, OrderForm
from engine.kit.forecasts import mean_of
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.fire import arming, firing, shots
from engine.rulesets.apocalypse_earth.rules.harm import casualties
from engine.rulesets.apocalypse_earth.rules.table import hiding, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.lasting import LEAVES, March
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Unit
from engine.rulesets.apocalypse_earth.state.turn_events import OverwatchUsed
from engine.space.vectors.paths import all_at_share, path_length
from engine.space.vectors.points import within
from protocol.ids import NO_GROUP, GroupId
from protocol.scene.fields import Assign, Barred, Number, Option
from protocol.scene.nodes import Choice, Reply
from protocol.text import text

CHARGE: Final = "charge"
EVERY: Final = 300
"""AE-OVER-02: distance between the points of a way at which overwatch may fire."""
HOLD: Final = "hold"
MOVE: Final = "move"
ANSWER: Final = "answer"
EACH: Final = "each"
MOMENT: Final = "ae.march"
FAR: Final = 200
WITHIN: Final = Number("within", text("ae.order.within"), least=1, most=FAR, default=24)
ORDERS: Final = {"hold": (), "fire": (WITHIN,), "vehicles": (), "charged": ()}
"""Standing orders, with what they may say further."""
FORMS: Final = [OrderForm(id, text(f"ae.order.{id}"), text(f"ae.order.{id}.hint"), own) for id, own in ORDERS.items()]
MOMENTS: Final = (Moment(MOMENT, text("ae.moment.march"), forms=tuple(FORMS), asks=True),)


class Answers(NamedTuple):
    """Reactions declared to a march: the units that fire, by distance along the lead's way, and those that move
    afterwards. `halts`: the distances at which the march is halted, which are all at which anybody who was asked could
    fire: where it halts tells nothing of what they answered."""

    fires: Mapping[int, Sequence[GroupId]]
    moves: Sequence[GroupId]
    halts: Sequence[int]


NONE: Final = Answers({}, (), ())


@implements("AE-OVER-02", "AE-SCEN-04")
def points(march: March) -> list[int]:
    """Return the distances along a lead's way at which a reaction may fire: every 3 cm, half of a charge, and its end,
    unless that is off the table."""
    length = max(1, path_length(march.way))
    half = {length // 2} if march.how == CHARGE else set()
    end = {length} if march.how != LEAVES else set()
    return sorted({*range(EVERY, length, EVERY), *half, *end} - {0})


@implements("AE-ASLT-02")
def defends(state: Battle, unit: Unit) -> bool:
    """Tell if a charged unit may give defensive fire: it has not fired, is not suppressed, engaged or out of it."""
    return not (unit.fired or unit.suppressed or unit.hidden) and state.combat_of(unit.id) is None


@implements("AE-OVER-02", "AE-ASLT-02")
def concerned(state: Battle, march: March) -> list[Seat]:
    """Return the seats that are asked, by public facts alone: enemies with a unit on overwatch, a hidden one, or the
    charged one."""
    owner, moves = state.units[march.unit].owner, any(map(path_length, march.ways.values()))
    foes = [seat for seat in state.players if state.hostile(seat, owner)]
    hiding = {unit.owner for unit in state.standing() if unit.hidden}
    return [Seat(seat) for seat in foes if moves and (seat in hiding or able(state, seat, march))]


def able(state: Battle, seat: int, march: March) -> list[Unit]:
    """Return the units of a seat that may react to a march: those on overwatch, and the charged one."""
    own = [unit for unit in state.own(seat) if unit.where == TABLE]
    return [unit for unit in own if unit.overwatch or (unit.id == march.target and defends(state, unit))]


@implements("AE-OVER-02")
async def ask(game: Game[Battle]) -> Answers:
    """Ask all enemy seats concerned at once, sealed, how their units react to the declared march."""
    march = game.state.march
    assert march is not None
    about = (names.group_node(march.unit), *((names.group_node(march.target),) if march.target else ()))
    asks = {seat: question(game.state, seat, march) for seat in concerned(game.state, march)}
    if not asks:
        return NONE
    said = await game.moment(MOMENT, asks, about)
    chosen = {unit: slot for answer in said.values() for unit, slot in answer.items()}
    order = [unit.id for unit in game.state.in_order() if unit.id in chosen]
    halts, half = points(march), max(1, path_length(march.way)) // 2
    fires: dict[int, list[GroupId]] = {}
    for unit in order:
        slot = chosen[unit]
        for halt in halts:
            if slot == str(halt) or (slot == CHARGE and halt >= half):
                fires.setdefault(halt, []).append(unit)
    return Answers(fires, [unit for unit in order if chosen[unit] == MOVE], halts)


def question(state: Battle, seat: Seat, march: March) -> Ask[dict[GroupId, str]]:
    """Return the question to a seat: hold with all, or say what each unit does. A charged unit fires by default."""
    units = able(state, seat, march)
    hold = Choice(HOLD, text("ae.react.hold"), key="h")
    field = slots(state, units, march)
    react = Choice(ANSWER, text("ae.react.answer"), (field,), key="a")
    charged = any(slot != HOLD for slot in field.default.values())
    default = Reply(ANSWER, {EACH: dict(field.default)}) if charged else Reply(HOLD)

    def parse(reply: Reply) -> dict[GroupId, str]:
        if reply.choice == HOLD:
            return {}
        given = cast("dict[str, str]", reply.fields[EACH])
        return {names.group_of(node): slot for node, slot in given.items() if slot != HOLD}

    title = text("ae.ask.march", unit=names.unit(state, march.unit))
    return Ask(title, (hold, react) if units else (hold,), default, parse, "AE-OVER-02")


def slots(state: Battle, units: Sequence[Unit], march: March) -> Assign:
    """Return the field that gives each unit its reaction. A charged unit that is not on overwatch only fires, or holds;
    one that is on overwatch may do that too. A vehicle does not move."""
    options = [Option(HOLD, text("ae.react.hold"))]
    if march.target:
        options.append(Option(CHARGE, text("ae.react.charge")))
    options += [Option(str(d), text("ae.react.at", cm=d // 100)) for d in points(march)]
    options.append(Option(MOVE, text("ae.react.move")))
    items, bars, default = list[Option](), dict[str, tuple[Barred, ...]](), dict[str, str]()
    for unit in units:
        node, charged = names.group_node(unit.id), unit.id == march.target
        drives = traits.drives(state, unit)
        why = text(f"refuse.react/{'charged' if charged else 'drives' if drives else 'other'}")
        closed = {CHARGE, MOVE} if drives else {CHARGE}
        watched = [option.id for option in options if unit.overwatch and option.id not in closed]
        open_to = {HOLD, *watched, *((CHARGE,) if charged else ())}
        items.append(Option(node, names.unit(state, unit.id)))
        bars[node] = tuple([Barred(o.id, "react/slot", why) for o in options if o.id not in open_to])
        default[node] = CHARGE if charged else HOLD
    return Assign(EACH, text("ae.field.each"), items=tuple(items), slots=tuple(options), bars=bars, default=default)


@implements("AE-OVER-02")
async def meet(game: Game[Battle], answers: Answers, halt: int, done: set[GroupId]) -> GroupId:
    """Let the units fire that said so at this halt, in the order of play, and return that by whose fire the mover was
    suppressed, NO_GROUP without one; `done`: those that have fired."""
    march, by = game.state.march, NO_GROUP
    assert march is not None
    for id in answers.fires.get(halt, ()):
        if id not in done and await _react(game, id):
            done.add(id)
            if not by and game.state.units[march.unit].suppressed:
                by = id
    return by


@implements("AE-TURN-05")
async def _react(game: Game[Battle], id: GroupId) -> bool:
    """Fire with one unit at the march; return False where its shot lapses: the mover is gone or not to be seen."""
    state = game.state
    march, unit = state.march, state.units[id]
    assert march is not None
    mover = state.units[march.unit]
    if unit.suppressed or not unit.where == mover.where == TABLE:
        return False
    fired = arming.best(state, unit, mover, reacting=True)
    if not fired:
        return False
    before = dict(state.units)
    hiding.reveal(game, id, "reacts")
    expect = partial(mean_of, firing.foretold, game.state, unit, march.unit, fired)
    declared = activations.declare(game, "overwatch" if unit.overwatch else "defend", id, march.unit, expect)
    if unit.overwatch:
        game.emit(OverwatchUsed(id))
    await shots.resolve(game, id, fired)
    fell = len(mover.figures) - len(game.state.units[march.unit].figures)
    casualties.settle(game, before, spared=spared(march))
    killed = len(mover.figures) - len(game.state.units[march.unit].figures)
    declared.resolve("done", fell, killed=killed)
    return True


@implements("AE-ASLT-03")
def spared(march: March) -> tuple[GroupId, ...]:
    """Return those who do not check for the fire at a march: chargers."""
    return (march.unit,) if march.how == CHARGE else ()


@implements("AE-OVER-02")
def remember(game: Game[Battle], answers: Answers) -> None:
    """Note the units that move once the enemy's action is over."""
    for id in answers.moves:
        unit = game.state.units[id]
        if unit.overwatch:
            hiding.reveal(game, id, "reacts")
            game.emit(OverwatchUsed(id, moves=True))


def commanded(known: Battle, seat: Seat) -> list[Option]:
    """Return the units of a seat that may be given orders."""
    units = [unit for unit in known.own(seat) if unit.where == TABLE]
    return [Option(names.group_node(unit.id), names.unit(known, unit.id)) for unit in units]


@implements("AE-OVER-02")
def obey(game: Game[Battle], seat: Seat, reached: MomentReached, orders: Sequence[StandingOrder]) -> Reply | None:
    """Return the reactions of all units that a seat has given orders to, None where none of them may react."""
    state, march = game.state, game.state.march
    assert march is not None
    by_unit = {names.group_of(node): order for order in orders for node in order.groups}
    units = able(state, seat, march)
    obeying = by_unit.keys() & {unit.id for unit in units}
    if not obeying:
        return None
    each: dict[str, str] = dict(slots(state, units, march).default)
    each |= {names.group_node(id): _ordered(state, state.units[id], march, by_unit[id]) for id in obeying}
    return Reply(ANSWER, {EACH: each})


def _ordered(state: Battle, unit: Unit, march: March, order: StandingOrder) -> str:
    """Return what a unit does by its order."""
    if order.order == "charged" or (march.target == unit.id and not unit.overwatch):
        return CHARGE if march.target == unit.id and order.order != "hold" else HOLD
    if order.order == "fire" or (order.order == "vehicles" and traits.drives(state, state.units[march.unit])):
        most = order.fields.get("within", FAR)
        return _first_within(state, unit, march, most * 100 if isinstance(most, int) else 0)
    return HOLD


def _first_within(state: Battle, unit: Unit, march: March, reach: int) -> str:
    """Return the first point of a way at which a figure that moves is within reach of a unit; to hold where none is."""
    length, far = max(1, path_length(march.way)), reach + 2 * traits.RADIUS
    own = [figure.at for figure in state.members(unit)]
    for point in points(march):
        there = all_at_share(march.ways, point, length).values()
        if any(within(a, b, far) for a in own for b in there):
            return str(point)
    return HOLD
