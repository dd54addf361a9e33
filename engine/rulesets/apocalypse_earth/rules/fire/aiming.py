"""Shots that are aimed one by one before a unit fires: grenades, mortars, flame, a picked figure (AE-OPEN-02, -05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from engine.kit.blanks import Blank, facing, option, pieces, template
from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements
from engine.kit.units import UnitIntent
from engine.rulesets.apocalypse_earth.rules.fire import arming, firing
from engine.rulesets.apocalypse_earth.rules.table import aims
from engine.rulesets.apocalypse_earth.rules.turns import activations
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.fire_events import ShotAimed
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import FIRE, POWERS, Battle, Figure, Unit
from engine.space.vectors.headings import ANGLES, ahead, heading_to
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId
from protocol.scene.fields import Facing, Option, PickOption, Pieces, Template
from protocol.text import Text

Fits = Callable[[Battle, Figure, Weapon], bool]


class TakeAim(UnitIntent, frozen=True, tag="ae.aim"):
    """Shot of one figure that goes with the others of its unit when they fire."""

    shot: Shot


@implements("AE-OPEN-02", "AE-FIRE-01")
async def aim(game: Game[Battle], seat: Seat, aim: TakeAim) -> None:
    """Declare a shot: it is rolled with all others of its unit."""
    unit = firing.check_firer(game.state, seat, aim.unit)
    firing.check_shot(game.state, unit, aim.shot)
    others = [one for one in firing.declared(game.state, unit, firing.Fire(unit.id)) if one.figure != aim.shot.figure]
    firing.check_thrown(game.state, (*others, aim.shot))
    activations.begin(game, unit.id)
    activations.take(game, POWERS)
    game.emit(ShotAimed(aim.shot))


def _able(state: Battle, unit: Unit, fits: Fits) -> Iterator[tuple[FigureId, Weapon]]:
    for figure in state.members(unit):
        for weapon in arming.weapons_of(state, unit, figure):
            if fits(state, figure, weapon):
                yield figure.id, weapon


def _fields(fits: Fits, among: Callable[[Choosing], list[Unit]] = firing.unfired) -> tuple[Blank[Battle], ...]:
    """Return the fields of a unit with such weapons, of one of its figures that has one, and of one of these.
    `among`: the units that might aim."""

    def units(draft: Choosing) -> list[Unit]:
        return [unit for unit in among(draft) if any(_able(draft.state, unit, fits))]

    def figures(draft: Choosing, field: Pieces) -> Pieces:
        found = dict.fromkeys(figure for figure, _ in _able(draft.state, unit_of(draft), fits))
        options = tuple([Option(names.piece_node(id), names.figure(draft.state, id)) for id in found])
        return replace(field, options=options, default=tuple([one.id for one in options[:1]]))

    def weapons(draft: Choosing, field: PickOption) -> PickOption:
        own = [weapon for id, weapon in _able(draft.state, unit_of(draft), fits) if id == draft.figure("figure")]
        if not own:
            raise IllegalIntent("fire/no-weapon")
        return replace(field, options=tuple([Option(w.id, Text(w.name)) for w in own]), default=own[0].id)

    return pick("unit", units), pieces("figure", figures), option("weapon", weapons)


def _seeing(draft: Choosing) -> list[Unit]:
    """Return the units that may still fire; of one that acts only if it has somebody to fire at."""
    acts = draft.state.active is not None
    return [unit for unit in firing.unfired(draft) if not acts or firing.may_still_fire(draft.state, unit)]


def _places(draft: Choosing) -> tuple[Weapon, Point, Point]:
    """Return the weapon, the place of its figure, and that of the nearest enemy, without one its own. Raises
    IllegalIntent."""
    state = draft.state
    weapon, figure = state.resolved.weapons.get(draft.word("weapon")), state.figures.get(draft.figure("figure"))
    if weapon is None or weapon.template is None or figure is None:
        raise IllegalIntent("fire/no-weapon")
    enemies = [one.at for unit in state.enemies(draft.seat) for one in state.members(unit)]
    return weapon, figure.at, min(enemies, key=lambda at: squared(at, figure.at), default=figure.at)


def _at(draft: Choosing, field: Template) -> Template:
    weapon, start, nearest = _places(draft)
    assert weapon.template is not None
    return replace(field, size=weapon.template.circle, start=start, reach=weapon.range, default=nearest)


@implements("AE-OPEN-02", "AE-OPEN-19")
def _facing(draft: Choosing, field: Facing) -> Facing:
    """Return a field of the headings along which a weapon can burn, by default that of the nearest enemy, or else
    straight ahead."""
    weapon, start, nearest = _places(draft)
    assert weapon.template is not None
    unit, wished = unit_of(draft), heading_to(start, nearest)
    able = [one for one in ANGLES if arming.bears(draft.state, unit, weapon, ahead(start, one, weapon.range))]
    default = wished if wished in able else draft.state.leader(unit).facing
    return replace(field, at=start, angles=tuple(able), default=default, box=weapon.template.strip)


def _victims(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the enemy figures that a figure sees in its weapon's range."""
    state, unit, id = draft.state, unit_of(draft), draft.figure("figure")
    weapon = state.resolved.weapons[draft.word("weapon")]
    enemies = [state.units[enemy] for enemy in firing.targets(state, unit.id)[0]]
    near = [aim for enemy in enemies for aim in aims.within(aims.aims(state, unit, enemy), weapon)]
    seen = [aim.target for aim in near if aim.figure == id]
    return replace(field, options=tuple([Option(names.piece_node(one), names.figure(state, one)) for one in seen]))


def _shot(draft: Choosing, **where: Any) -> TakeAim:
    return TakeAim(draft.group("unit"), Shot(draft.figure("figure"), draft.word("weapon"), **where))


def _sniping(draft: Choosing) -> TakeAim:
    state, unit, victim = draft.state, unit_of(draft), draft.figure("victim")
    if victim not in state.figures:
        raise IllegalIntent("fire/no-target")
    target, pair = state.unit_of(victim), (draft.figure("figure"), victim)
    seen = [one for one in aims.aims(state, unit, target) if (one.figure, one.target) == pair]
    forbid(not seen, "fire/no-sight")
    return _shot(draft, target=target.id, cover=seen[0].cover, victim=victim)


LOB: Final = Verb(
    Label("lob", "g", "Aim at a point", "Grenades and mortars. It is fired with the unit's other weapons."),
    aim,
    *_fields(lambda state, figure, weapon: weapon.lobbed),
    template("at", _at),
    make=lambda draft: _shot(draft, at=draft.point("at")),
    gesture=Gesture("unit", "at", "point", 2, "shot"),
)
BURN: Final = Verb(
    Label("burn", "b", "Aim a flamethrower", "Along a strip in any direction."),
    aim,
    *_fields(lambda state, figure, weapon: weapon.burns),
    facing("facing", _facing),
    make=lambda draft: _shot(draft, facing=draft.number("facing")),
    gesture=Gesture("unit", "facing", "point", 3, "shot"),
)
SNIPE: Final = Verb(
    Label("snipe", "x", "Pick a figure", "For marksmen and snipers: choose whom a hit takes out."),
    aim,
    *_fields(arming.picks, _seeing),
    pieces("victim", _victims),
    make=_sniping,
    gesture=Gesture("unit", "victim", "piece", 3, "shot"),
)
AWAY: Final = Verb(
    Label("away", "z", "Fire what is aimed", "The other figures hold their fire."),
    firing.fire,
    when=lambda state, seat: state.active is not None and state.active.aimed and state.active.step <= FIRE,
    make=lambda draft: firing.Fire(draft.state.acts),
    gesture=Gesture(rank=6),
    about=activations.about,
)
