"""Melee: order and number of attacks, the winner, and what follows (OP-MELEE)."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.kit import distributions, units
from engine.kit.casualties import Harm
from engine.kit.distributions import Distribution
from engine.kit.forecasts import Counted, Forecast, forecast, hundredths, mean_of
from engine.kit.rules import Game, Gesture, Intent, Label, Pool, Seat, Verb, forbid, implements
from engine.rulesets.one_page.rules import activations, attacks, casualties, contact, morale, prognosis, pursuit, traits
from engine.rulesets.one_page.rules.picking import Choosing
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.events import MeleeFought, UnitMoved
from engine.rulesets.one_page.state.profiles import WeaponProfile
from engine.rulesets.one_page.state.state import TABLE, Battle, Figure, Unit
from engine.space.vectors.points import Point
from protocol.ids import GroupId
from protocol.scene.advice import ForecastBack

RAM: Final = "op.dice.ram"
FIRST, NORMAL, LAST = 0, 1, 2
BARE_HANDS: Final = WeaponProfile(rules.FISTS, "Fists/Claws", 0, 1)


class Fight(Intent, frozen=True, tag="op.fight"):
    """Start of the blows in the melee of the acting unit."""


@implements("OP-MELEE-02")
async def strike(game: Game[Battle], seat: Seat, intent: Fight) -> None:
    """Begin the melee at the acting player's word. Raises IllegalIntent without one."""
    forbid(not activations.is_charging(game.state), "fight/nobody")
    await fight(game)


@implements("OP-MELEE-02", "OP-MELEE-04", "OP-MELEE-05")
async def fight(game: Game[Battle]) -> None:
    """Fight the melee of the acting unit, from fear tests to the moves after it, and end its activation."""
    active = game.state.active
    assert active is not None
    pair = (active.unit, active.target)
    foes = dict(zip(pair, reversed(pair), strict=True))
    at = game.state.leader(game.state.units[active.unit]).at
    fighting = units.declare(game, "fight", *pair, partial(mean_of, forecast_of, game.state, *pair, at))
    before = {id: morale.strength(game.state, id) for id in pair}
    order = {id: await _rank(game, id, enemy) for id, enemy in foes.items()}
    caused = dict.fromkeys(pair, 0)
    for rank in (FIRST, NORMAL, LAST):
        await _strike_together(game, foes, [id for id in pair if order[id] == rank], caused)
    inflicted, suffered = caused.values()
    game.emit(MeleeFought(*pair, inflicted, suffered))
    lost, killed = [before[id].models - morale.strength(game.state, id).models for id in pair]
    fought = game.state
    await _settle(game, foes, before, caused)
    how = outcome(fought, game.state, *pair)
    await _part(game, foes)
    activations.close(game, active.unit)
    fighting.resolve(how, killed, caused=inflicted, killed=killed, suffered=suffered, lost=lost)


def outcome(before: Battle, after: Battle, attacker: GroupId, defender: GroupId) -> str:
    """Return the way in which a melee ended, a key of `act.fight`, by the morale tests between these states: who
    routed, else who was Pinned, else "done"."""
    pair = (attacker, defender)
    routed = [id for id in pair if before.units[id].figures and not after.units[id].figures]
    pinned = [id for id in pair if after.units[id].pinned and not before.units[id].pinned]
    for ids, word in ((routed, "routed"), (pinned, "pinned")):
        if ids:
            return word if ids == [defender] else f"self_{word}" if ids == [attacker] else f"both_{word}"
    return "done"


@implements("OP-SR-04", "OP-SR-20", "OP-MOR-02")
async def _rank(game: Game[Battle], id: GroupId, enemy: GroupId) -> int:
    """Return when a unit strikes: first, last, or in between; a unit that is Pinned, terrified or afraid strikes
    last."""
    fails = is_afraid(game.state, id, enemy) and not morale.passes(game, id, "fear")
    return rank_of(game.state, id, fails=fails)


def is_afraid(state: Battle, id: GroupId, enemy: GroupId) -> bool:
    """Tell if a unit must test before it strikes at this enemy."""
    unit, foe = state.units[id], state.units[enemy]
    return traits.has(state, foe, rules.FEAR) and not traits.has(state, unit, rules.FEAR)


@implements("OP-SR-04", "OP-SR-20")
def rank_of(state: Battle, id: GroupId, *, fails: bool = False) -> int:
    """Return when a unit strikes. `fails`: it has failed its test of fear."""
    unit = state.units[id]
    last = fails or unit.pinned or traits.TERROR in unit.effects or traits.has(state, unit, rules.STRIKES_LAST)
    first = traits.has(state, unit, rules.STRIKES_FIRST)
    if first == last:
        return NORMAL
    return FIRST if first else LAST


@implements("OP-MELEE-03", "OP-SR-20")
async def _strike_together(
    game: Game[Battle], foes: dict[GroupId, GroupId], ids: list[GroupId], caused: dict[GroupId, int]
) -> None:
    """Resolve the attacks of units that strike at the same time: all roll before any model falls. `foes`: the enemy of
    each, the attackers' first."""
    state, attacker = game.state, next(iter(foes))
    if not all(state.units[id].figures for id in foes):
        return
    places = {id: state.leader(state.units[id]).at for id in ids}
    harms = {id: blows(game, id, foes[id], charging=id == attacker) for id in ids}
    for id, harm in harms.items():
        caused[id] += await casualties.suffer(game, foes[id], harm, casualties.WoundSource(places[id]))


@implements("OP-MELEE-02", "OP-VEH-04")
def blows(game: Game[Battle], id: GroupId, enemy: GroupId, *, charging: bool) -> list[Harm]:
    """Resolve all attacks of one side, with the D6 hits of a Vehicle that charges."""
    seat = Seat(game.state.units[id].owner)
    harms = [attacks.resolve(game, seat, attack) for attack in attacks_of(game.state, id, enemy, charging=charging)]
    if charging and traits.is_vehicle(game.state, game.state.units[id]):
        hits = game.roll(Pool(1), RAM, seat).total
        harms.append(attacks.resolve(game, seat, attacks.Attack(id, enemy, "ram", hits, 0, label="ram")))
    return harms


@implements("OP-MELEE-02", "OP-WPN-01")
def attacks_of(state: Battle, id: GroupId, enemy: GroupId, *, charging: bool) -> list[attacks.Attack]:
    """Return the attacks of all models of a unit, by kind of weapon and by Hatred."""
    unit = state.units[id]
    counted: dict[tuple[str, bool], tuple[WeaponProfile, int]] = {}
    for figure in state.members(unit):
        hates = charging and hatred(state, unit, figure)
        for weapon, number in _armed(state, unit, figure, charging=charging):
            known = counted.get((weapon.id, hates), (weapon, 0))
            counted[weapon.id, hates] = (weapon, known[1] + number)
    return [
        attacks.Attack(
            id, enemy, "melee", number, traits.quality(state, unit), weapon, unsure=bool(unit.shaken), sure=hates
        )
        for (_, hates), (weapon, number) in counted.items()
    ]


def _armed(state: Battle, unit: Unit, figure: Figure, *, charging: bool) -> list[tuple[WeaponProfile, int]]:
    """Return a model's melee weapons with their attacks; extra attacks go on the best weapon."""
    weapons = sorted(fists(state, figure), key=lambda w: (attacks.pierces(w), w.attacks), reverse=True)
    more = bonus(state, unit, figure) if charging else 0
    return [(weapon, weapon.attacks + (more if n == 0 else 0)) for n, weapon in enumerate(weapons)]


@implements("OP-WPN-01")
def fists(state: Battle, figure: Figure) -> list[WeaponProfile]:
    """Return a model's melee weapons; fists and claws if it has none."""
    return [weapon for weapon in state.weapons_of(figure) if weapon.melee] or [BARE_HANDS]


@implements("OP-MELEE-02", "OP-SR-07")
def bonus(state: Battle, unit: Unit, figure: Figure) -> int:
    """Return the extra attacks of a charging model: one, or two if it is Furious."""
    return 1 + (rules.FURIOUS in unit.effects or traits.model_has(state, figure, rules.FURIOUS))


@implements("OP-SR-08")
def hatred(state: Battle, unit: Unit, figure: Figure) -> bool:
    """Tell if a charging model rolls failed attacks again."""
    return rules.HATRED in unit.effects or traits.model_has(state, figure, rules.HATRED)


@implements("OP-MELEE-04", "OP-MOR-01")
async def _settle(
    game: Game[Battle],
    foes: dict[GroupId, GroupId],
    before: dict[GroupId, morale.Strength],
    caused: dict[GroupId, int],
) -> None:
    """Test the morale of each unit left that caused fewer wounds or lost half at once, once each. Units aboard a
    transport that routs bail out, as from a destroyed one."""
    for id, enemy in foes.items():
        if not game.state.units[id].figures:
            continue
        beaten = caused[enemy] > caused[id]
        if beaten or morale.is_halved(before[id], morale.strength(game.state, id)):
            stood = traits.base(game.state, game.state.leader(game.state.units[id]))
            morale.test(game, id, "melee")
            if not game.state.units[id].figures:
                await casualties.bail_out(game, id, stood)


@implements("OP-MELEE-05")
async def _part(game: Game[Battle], foes: dict[GroupId, GroupId]) -> None:
    """Part the units: the attackers go back an inch; if they cannot, the defenders do. A unit that is left alone may
    move up to 3 inches."""
    units = game.state.units
    left = [id for id in foes if units[id].where == TABLE]
    if len(left) < 2:
        for id in left:
            await pursuit.pursue(game, id)
        return
    for id, enemy in foes.items():
        places = None if units[id].tracked else contact.parted(game.state, units[id], units[enemy])
        if places:
            at = game.state.leader(units[id]).at
            game.emit(UnitMoved(id, "back", (at, places[units[id].leader]), places))
        if places is not None:
            return


def forecast_of(state: Battle, attacker: GroupId, defender: GroupId, at: Point) -> Forecast | None:
    """Return what the units do to each other that strike first, the attackers from `at`; None where a test of fear or
    the losses of others come before the attackers' blows."""
    if is_afraid(state, attacker, defender) or is_afraid(state, defender, attacker):
        return None
    mine, theirs = rank_of(state, attacker), rank_of(state, defender)
    dealt = _losses(state, attacker, defender, at, charging=True)
    if dealt is None or theirs < mine:
        return None
    place = state.leader(state.units[defender]).at
    taken = _losses(state, defender, attacker, place, charging=False) if theirs == mine else None
    node = names.group_node(defender)
    back = () if taken is None else (ForecastBack(node, taken.thousandths(), hundredths(taken.mean)),)
    return replace(forecast(dealt), back=back)


def _losses(state: Battle, id: GroupId, enemy: GroupId, at: Point, *, charging: bool) -> Distribution | None:
    struck = attacks_of(state, id, enemy, charging=charging)
    wounds = [(prognosis.wounds_of(state, attack), attack.single) for attack in struck]
    if charging and traits.is_vehicle(state, state.units[id]):
        ram = attacks.Attack(id, enemy, "ram", 1, 0, label="ram")
        wounds.append((prognosis.of_hits(state, distributions.total(1), ram), False))
    return prognosis.losses_of(state, enemy, wounds, casualties.WoundSource(at))


def _forecast(draft: Choosing) -> Forecast | None:
    active = draft.state.active
    if active is None:
        return None
    return forecast_of(draft.state, active.unit, active.target, draft.state.leader(draft.state.units[active.unit]).at)


def _counted(draft: Choosing) -> Counted | None:
    active = draft.state.active
    return Counted((names.group_node(active.target),), names.group_node(active.unit)) if active is not None else None


FIGHT: Final = Verb(
    Label("fight", "f", "Fight", "Both sides strike with all their melee weapons."),
    strike,
    when=lambda state, seat: activations.is_charging(state),
    forecast=_forecast,
    counted=_counted,
    gesture=Gesture(mark="charge", ends=True),
    about=units.about,
)
