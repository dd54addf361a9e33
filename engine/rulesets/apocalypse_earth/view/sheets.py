"""The card of a unit or vehicle: its ratings, what it can do, its weapons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.rulesets.apocalypse_earth.state.model import Resolved
from engine.rulesets.apocalypse_earth.state.profiles import Profile, UnitProfile, VehicleProfile, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle
from protocol.scene.nodes import Sheet
from protocol.text import Text, text

CM = 100


def unit(state: Battle, seat: int, entry: int) -> Sheet:
    """Return the card of one entry of a list."""
    resolved, profile = state.resolved, state.resolved.forces[seat].units[entry]
    figures = len(profile.figures) if isinstance(profile, UnitProfile) else 1
    lines = tuple(_lines(resolved, profile))
    return Sheet(Text(profile.name), lines, seat, _numbers(resolved, profile), figures)


def carried_by(profile: Profile) -> Counter[str]:
    """Return the ids of its weapons, in the order of its figures, with how many of each there are."""
    if isinstance(profile, VehicleProfile):
        return Counter(profile.weapons)
    return Counter(id for figure in profile.figures for id in figure.weapons)


def abilities_of(profile: Profile) -> Counter[str]:
    """Return the ids of its abilities, or traits, with how many figures have each."""
    if isinstance(profile, VehicleProfile):
        return Counter(profile.traits)
    return Counter(ability for figure in profile.figures for ability in figure.abilities)


def _numbers(resolved: Resolved, profile: Profile) -> dict[str, int]:
    """Return the numbers of the card; a kind, and an experience, counts 1."""
    found = {"points": profile.points, "move": profile.move, f"experience/{profile.experience}": 1}
    if isinstance(profile, VehicleProfile):
        found |= {f"kind/{profile.kind}": 1, "crew": profile.crew, "places": profile.places}
        found |= {f"armour/{quarter}": rating for quarter, rating in profile.armour._asdict().items()}
    else:
        found |= {f"kind/{profile.role}": 1, "ccr": profile.ccr, "figures": len(profile.figures)}
        found |= {"armour": profile.armour}
    found |= {f"has/{id}": count for id, count in abilities_of(profile).items()}
    for id, count in carried_by(profile).items():
        weapon = resolved.weapons[id]
        own = {"count": count, "range": weapon.range, "shots": weapon.shots, "hit": weapon.hit, "ccr": weapon.ccr}
        constant, dice = weapon.penetration
        own |= {"constant": constant, "dice": dice} if dice else {}
        if weapon.template is not None and weapon.template.kills is not None:
            own |= {"blast": weapon.template.circle or weapon.template.strip[1], "kill": weapon.template.kills.open}
        found |= {f"{id}/{key}": number for key, number in own.items()}
        found |= {f"{id}/{trait}": 1 for trait in weapon.traits}
    return found


def _lines(resolved: Resolved, profile: Profile) -> Iterator[Text]:
    common: dict[str, Text | int] = {"move": profile.move // CM, "points": profile.points}
    common["experience"] = Text(f"ae.experience.{profile.experience}")
    if isinstance(profile, VehicleProfile):
        yield text("ae.sheet.vehicle", kind=Text(f"ae.class.{profile.kind}"), crew=profile.crew, **common)
        yield text("ae.sheet.quarters", **profile.armour._asdict())
        if profile.places:
            yield text("ae.sheet.places", places=profile.places)
    else:
        yield text("ae.sheet.numbers", figures=len(profile.figures), ccr=profile.ccr, **common)
        if profile.armour:
            yield text("ae.sheet.armour", armour=profile.armour)
    for id, count in abilities_of(profile).items():
        gift = resolved.traits[id] if isinstance(profile, VehicleProfile) else resolved.abilities[id]
        all_have = isinstance(profile, VehicleProfile) or count == len(profile.figures)
        key = "ae.sheet.ability" if all_have else "ae.sheet.ability.some"
        yield text(key, count=count, ability=Text(gift.name), says=Text(gift.text))
    for id, count in carried_by(profile).items():
        yield from weapon_lines(resolved.weapons[id], count)


def weapon_lines(weapon: Weapon, count: int) -> Iterator[Text]:
    """Yield the lines of a weapon: range, shots, penetration, template, traits."""
    numbers: dict[str, Text | int] = {"weapon": Text(weapon.name), "count": count}
    if weapon.contact:
        yield text("ae.sheet.contact", **numbers)
    elif not weapon.shots or not weapon.hit:
        yield text("ae.sheet.flame", range=weapon.range // CM, **numbers)
    else:
        key = "ae.sheet.weapon" if weapon.hit == 6 else "ae.sheet.weapon.hit"
        yield text(key, range=weapon.range // CM, shots=weapon.shots, hit=weapon.hit, **numbers)
    constant, dice = weapon.penetration
    if dice:
        yield text("ae.sheet.pierces", constant=constant, dice=dice)
    if weapon.template is not None and weapon.template.kills is not None:
        open_, soft, hard = weapon.template.kills
        key = "ae.sheet.circle" if weapon.template.circle else "ae.sheet.strip"
        wide = weapon.template.circle or weapon.template.strip[1]
        yield text(key, wide=wide // CM, open=open_, soft=soft, hard=hard)
    for trait in weapon.traits:
        yield Text(f"ae.sheet.trait.{trait}", {"crew": weapon.crew})
