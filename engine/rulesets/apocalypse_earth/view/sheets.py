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


def _carried(resolved: Resolved, profile: Profile) -> Counter[str]:
    """Return the ids of its weapons, in the order of its figures, with how many of each there are."""
    if isinstance(profile, VehicleProfile):
        return Counter(profile.weapons)
    return Counter(id for figure in profile.figures for id in figure.weapons)


def _abilities(profile: Profile) -> Counter[str]:
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
    found |= {f"has/{id}": count for id, count in _abilities(profile).items()}
    for id, count in _carried(resolved, profile).items():
        weapon = resolved.weapons[id]
        own = {"count": count, "range": weapon.range, "shots": weapon.shots, "hit": weapon.hit, "ccr": weapon.ccr}
        if weapon.penetration is not None:
            own |= {"constant": weapon.penetration.constant, "dice": weapon.penetration.dice}
        if weapon.template is not None and weapon.template.kills is not None:
            own |= {"blast": weapon.template.circle or weapon.template.strip[1], "kill": weapon.template.kills.open}
        found |= {f"{id}/{key}": number for key, number in own.items()}
        found |= {f"{id}/{trait}": 1 for trait in weapon.traits}
    return found


def _lines(resolved: Resolved, profile: Profile) -> Iterator[Text]:
    if isinstance(profile, VehicleProfile):
        yield from _machine(profile)
        names = {id: (Text(one.name), Text(one.text)) for id, one in resolved.traits.items()}
    else:
        yield text(
            "ae.sheet.numbers",
            figures=len(profile.figures),
            experience=Text(f"ae.experience.{profile.experience}"),
            ccr=profile.ccr,
            move=profile.move // CM,
            points=profile.points,
        )
        if profile.armour:
            yield text("ae.sheet.armour", armour=profile.armour)
        names = {id: (Text(one.name), Text(one.text)) for id, one in resolved.abilities.items()}
    for id, count in _abilities(profile).items():
        name, says = names[id]
        all_have = not isinstance(profile, UnitProfile) or count == len(profile.figures)
        yield text("ae.sheet.ability" if all_have else "ae.sheet.ability.some", count=count, ability=name, says=says)
    for id, count in _carried(resolved, profile).items():
        yield from _weapon(resolved.weapons[id], count)


def _machine(profile: VehicleProfile) -> Iterator[Text]:
    yield text(
        "ae.sheet.vehicle",
        kind=Text(f"ae.class.{profile.kind}"),
        experience=Text(f"ae.experience.{profile.experience}"),
        move=profile.move // CM,
        crew=profile.crew,
        points=profile.points,
    )
    yield text("ae.sheet.quarters", **profile.armour._asdict())
    if profile.places:
        yield text("ae.sheet.places", places=profile.places)


def _weapon(weapon: Weapon, count: int) -> Iterator[Text]:
    """Yield the line of a weapon: range, shots, penetration, template, traits."""
    if weapon.contact:
        yield text("ae.sheet.contact", weapon=Text(weapon.name), count=count)
    elif not weapon.shots:
        yield text("ae.sheet.flame", weapon=Text(weapon.name), count=count, range=weapon.range // CM)
    else:
        key = "ae.sheet.weapon" if weapon.hit == 6 else "ae.sheet.weapon.hit"
        name, range_, shots, hit = Text(weapon.name), weapon.range // CM, weapon.shots, weapon.hit
        yield text(key, weapon=name, count=count, range=range_, shots=shots, hit=hit)
    if weapon.penetration is not None:
        constant, dice = weapon.penetration
        yield text("ae.sheet.pierces", constant=constant, dice=dice)
    if weapon.template is not None and weapon.template.kills is not None:
        open_, soft, hard = weapon.template.kills
        key = "ae.sheet.circle" if weapon.template.circle else "ae.sheet.strip"
        wide = weapon.template.circle or weapon.template.strip[1]
        yield text(key, wide=wide // CM, open=open_, soft=soft, hard=hard)
    for trait in weapon.traits:
        yield Text(f"ae.sheet.trait.{trait}", {"crew": weapon.crew})
