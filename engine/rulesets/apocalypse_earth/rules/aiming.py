"""Shots that are aimed one by one before a unit fires: grenades, mortars, flame, a picked figure (AE-OPEN-02, -05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from engine.kit.blanks import Blank, Filled, option, template
from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules import activations, aims, arming, firing
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.fire_events import ShotAimed
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import POWERS, Battle, Figure, Unit
from engine.space.vectors.headings import ANGLES, heading_to
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Facing, Option, PickOption, Pieces, Template
from protocol.text import Text

Fits = Callable[[Battle, Figure, Weapon], bool]


class TakeAim(Intent, frozen=True, tag="ae.aim"):
    """Shot of one figure that goes with the others of its unit when they fire."""

    unit: GroupId
    shot: Shot


def is_lobbed(state: Battle, figure: Figure, weapon: Weapon) -> bool:
    """Tell if a weapon is aimed at a point."""
    return weapon.has(profiles.THROWN) or weapon.has(profiles.INDIRECT)


def is_flame(state: Battle, figure: Figure, weapon: Weapon) -> bool:
    """Tell if a weapon burns along a strip."""
    return weapon.template is not None and weapon.template.strip != (0, 0)


@implements("AE-OPEN-02", "AE-FIRE-01")
async def aim(game: Game[Battle], seat: Seat, aim: TakeAim) -> None:
    """Declare a shot: it is rolled with all others of its unit."""
    unit = firing.check_firer(game.state, seat, aim.unit)
    firing.check_shot(game.state, unit, aim.shot)
    aimed = firing.declared(game.state, unit, firing.Fire(unit.id, shots=(aim.shot,)))
    thrown = {s.figure for s in aimed if game.state.resolved.weapons[s.weapon].has(profiles.THROWN)}
    forbid(len(thrown - {aim.shot.figure}) >= firing.MOST_THROWN, "fire/thrown")
    activations.begin(game, unit.id)
    activations.take(game, POWERS)
    game.emit(ShotAimed(aim.shot))


def _able(state: Battle, unit: Unit, fits: Fits) -> Iterator[tuple[FigureId, Weapon]]:
    for figure in state.members(unit):
        for weapon in arming.weapons_of(state, unit, figure):
            if fits(state, figure, weapon):
                yield figure.id, weapon


def _units(fits: Fits) -> Callable[[Choosing], list[Unit]]:
    def units(draft: Choosing) -> list[Unit]:
        return [unit for unit in firing.unfired(draft) if any(_able(draft.state, unit, fits))]

    return units


def _figures(fits: Fits) -> Callable[[Choosing, Pieces], Pieces]:
    def figures(draft: Choosing, field: Pieces) -> Pieces:
        """Return a field of the figures that have such a weapon."""
        found = dict.fromkeys(figure for figure, _ in _able(draft.state, unit_of(draft), fits))
        options = tuple([Option(names.piece_node(id), names.figure(draft.state, id)) for id in found])
        return replace(field, options=options, default=tuple([one.id for one in options[:1]]))

    return figures


def _weapons(fits: Fits) -> Callable[[Choosing, PickOption], PickOption]:
    def weapons(draft: Choosing, field: PickOption) -> PickOption:
        """Return a field of such weapons of the figure that is picked."""
        own = [weapon for id, weapon in _able(draft.state, unit_of(draft), fits) if id == draft.figure("figure")]
        if not own:
            raise IllegalIntent("fire/no-weapon")
        return replace(field, options=tuple([Option(w.id, Text(w.name)) for w in own]), default=own[0].id)

    return weapons


def _weapon(draft: Choosing) -> Weapon:
    weapon = draft.state.resolved.weapons.get(draft.word("weapon"))
    if weapon is None or weapon.template is None:
        raise IllegalIntent("fire/no-weapon")
    return weapon


def _start(draft: Choosing) -> Point:
    figure = draft.state.figures.get(draft.figure("figure"))
    if figure is None:
        raise IllegalIntent("fire/no-weapon")
    return figure.at


def _nearest(draft: Choosing) -> Point:
    """Return the nearest enemy figure, else the figure's own place."""
    start = _start(draft)
    enemies = [figure.at for unit in draft.state.enemies(draft.seat) for figure in draft.state.members(unit)]
    return min(enemies, key=lambda at: (at[0] - start[0]) ** 2 + (at[1] - start[1]) ** 2, default=start)


def _at(draft: Choosing, field: Template) -> Template:
    weapon = _weapon(draft)
    assert weapon.template is not None
    return replace(field, size=weapon.template.circle, start=_start(draft), reach=weapon.range, default=_nearest(draft))


def _facing(draft: Choosing, field: Facing) -> Facing:
    strip = _weapon(draft).template
    assert strip is not None
    start = _start(draft)
    return replace(field, at=start, angles=ANGLES, default=heading_to(start, _nearest(draft)), box=strip.strip)


def _victims(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the enemy figures that a figure sees in its weapon's range."""
    state, unit, id = draft.state, unit_of(draft), draft.figure("figure")
    weapon = state.resolved.weapons[draft.word("weapon")]
    seen = [
        aim.target
        for enemy in firing.targets(state, unit.id)[0]
        for aim in aims.within(aims.aims(state, unit, state.units[enemy]), weapon)
        if aim.figure == id
    ]
    options = tuple([Option(names.piece_node(one), names.figure(state, one)) for one in seen])
    return replace(field, options=options)


def _lobbed(draft: Choosing) -> TakeAim:
    return TakeAim(draft.group("unit"), Shot(draft.figure("figure"), draft.word("weapon"), at=draft.point("at")))


def _burning(draft: Choosing) -> TakeAim:
    return TakeAim(
        draft.group("unit"), Shot(draft.figure("figure"), draft.word("weapon"), facing=draft.number("facing"))
    )


def _sniping(draft: Choosing) -> TakeAim:
    state, unit, figure, victim = draft.state, unit_of(draft), draft.figure("figure"), draft.figure("victim")
    if victim not in state.figures:
        raise IllegalIntent("fire/no-target")
    target = state.unit_of(victim)
    seen = [one for one in aims.aims(state, unit, target) if (one.figure, one.target) == (figure, victim)]
    forbid(not seen, "fire/no-sight")
    return TakeAim(unit.id, Shot(figure, draft.word("weapon"), target.id, seen[0].cover, victim))


def _picks(fits: Fits) -> tuple[Blank[Battle], Blank[Battle]]:
    """Return the fields of a figure and of its weapon."""
    figure = Filled[Battle](Pieces("figure", Text(""), lazy=True), how=_figures(fits))
    return figure, option("weapon", _weapons(fits))


LOB: Final = Verb(
    Label("lob", "g", "Aim at a point", "Grenades and mortars. It is fired with the unit's other weapons."),
    aim,
    pick("unit", _units(is_lobbed)),
    *_picks(is_lobbed),
    template("at", _at),
    make=_lobbed,
    gesture=Gesture("unit", "at", "point", 2, "shot"),
)
BURN: Final = Verb(
    Label("burn", "b", "Aim a flamethrower", "Along a strip in any direction."),
    aim,
    pick("unit", _units(is_flame)),
    *_picks(is_flame),
    Filled[Battle](Facing("facing", Text(""), lazy=True), how=_facing),
    make=_burning,
    gesture=Gesture("unit", "facing", "point", 3, "shot"),
)
SNIPE: Final = Verb(
    Label("snipe", "x", "Pick a figure", "For marksmen and snipers: choose whom a hit takes out."),
    aim,
    pick("unit", _units(arming.picks)),
    *_picks(arming.picks),
    Filled[Battle](Pieces("victim", Text(""), lazy=True), how=_victims),
    make=_sniping,
    gesture=Gesture("unit", "victim", "piece", 3, "shot"),
)
AWAY: Final = Verb(
    Label("away", "z", "Fire what is aimed", "The other figures hold their fire."),
    firing.fire,
    when=lambda state, seat: state.active is not None and state.active.aimed,
    make=lambda draft: firing.Fire(draft.state.acts),
    gesture=Gesture(rank=6),
    about=activations.about,
)
