"""The card of a unit: quality, rules, weapons, price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.profiles import Mustered, WeaponProfile
from engine.rulesets.one_page.state.state import Battle
from protocol.scene.nodes import Sheet
from protocol.text import Text, text


def unit(state: Battle, seat: int, entry: int) -> Sheet:
    """Return the card of one entry of a list."""
    force = state.resolved.forces[seat]
    mustered = force.units[entry]
    counts = Counter(id for model in mustered.arms for id in model)
    lines = tuple(_lines(state, seat, mustered, counts))
    numbers = _numbers(mustered, counts, force.weapons)
    return Sheet(Text(mustered.profile.name), lines, seat, numbers, len(mustered.arms))


def _numbers(mustered: Mustered, counts: Counter[str], weapons: Mapping[str, WeaponProfile]) -> dict[str, int]:
    """Return the numbers of the card; its kind, and each rule that has none, counts 1."""
    own = mustered.profile
    found = {"quality": own.quality, "models": len(mustered.arms), "tough": own.tough, "points": mustered.points}
    found |= {f"kind/{own.kind}": 1, **{rule.id: rule.number or 1 for rule in own.rules}}
    for id, count in counts.items():
        weapon = weapons[id]
        of = {"count": count, "range": weapon.range, "attacks": weapon.attacks, "single": int(weapon.single)}
        found |= {f"{id}/{key}": number for key, number in (of | dict.fromkeys(weapon.rules, 1)).items()}
    return found


def weapon_line(weapon: WeaponProfile, name: Text, count: int) -> Text:
    """Return the line of a weapon under this name: how many carry it, its range and attacks."""
    key, x = "op.sheet.weapon" if weapon.range else "op.sheet.melee", "x" if weapon.single else ""
    return text(key, weapon=name, count=count, range=weapon.range // 100, attacks=weapon.attacks, x=x)


def _lines(state: Battle, seat: int, mustered: Mustered, counts: Counter[str]) -> Iterator[Text]:
    own, models = mustered.profile, len(mustered.arms)
    kind, numbers = Text(f"op.kind.{own.kind}"), {"quality": own.quality, "models": models, "tough": own.tough}
    yield text("op.sheet.numbers", **numbers, points=mustered.points, kind=kind)
    for rule in own.rules:
        key = "op.sheet.rule.number" if rule.number else "op.sheet.rule"
        yield text(key, rule=Text(f"op.rule.{rule.id}"), number=rule.number, says=Text(f"op.rule.{rule.id}.text"))
    for id, count in counts.items():
        yield weapon_line(state.resolved.forces[seat].weapons[id], names.weapon(state, seat, id), count)
    for power in state.resolved.powers:
        if mustered.discipline and power.discipline == mustered.discipline:
            needs = {"successes": power.successes, "range": power.range // 100}
            yield text("op.sheet.power", power=Text(power.name), **needs, says=Text(power.text))
    if own.text:
        yield Text(own.text)
