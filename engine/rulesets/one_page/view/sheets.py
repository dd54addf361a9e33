"""The card of a unit: quality, rules, weapons, price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.model import Power
from engine.rulesets.one_page.state.state import Battle
from protocol.scene.nodes import Sheet
from protocol.text import Text, text


def unit(state: Battle, seat: int, entry: int) -> Sheet:
    """Return the card of one entry of a list."""
    mustered = state.resolved.forces[seat].units[entry]
    lines, numbers = tuple(_lines(state, seat, entry)), _numbers(state, seat, entry)
    return Sheet(Text(mustered.profile.name), lines, seat, numbers, len(mustered.arms))


def _numbers(state: Battle, seat: int, entry: int) -> dict[str, int]:
    """Return the numbers of the card; its kind, and each rule that has none, counts 1."""
    mustered = state.resolved.forces[seat].units[entry]
    own = mustered.profile
    found = {"quality": own.quality, "models": len(mustered.arms), "tough": own.tough, "points": mustered.points}
    found |= {f"kind/{own.kind}": 1, **{rule.id: rule.number or 1 for rule in own.rules}}
    for id, count in Counter(weapon for model in mustered.arms for weapon in model).items():
        weapon = state.resolved.forces[seat].weapons[id]
        of = {"count": count, "range": weapon.range, "attacks": weapon.attacks, "single": int(weapon.single)}
        found |= {f"{id}/{key}": number for key, number in (of | dict.fromkeys(weapon.rules, 1)).items()}
    return found


def _lines(state: Battle, seat: int, entry: int) -> Iterator[Text]:
    mustered = state.resolved.forces[seat].units[entry]
    own = mustered.profile
    yield text(
        "op.sheet.numbers",
        quality=own.quality,
        models=len(mustered.arms),
        tough=own.tough,
        points=mustered.points,
        kind=Text(f"op.kind.{own.kind}"),
    )
    for rule in own.rules:
        key = "op.sheet.rule.number" if rule.number else "op.sheet.rule"
        yield text(key, rule=Text(f"op.rule.{rule.id}"), number=rule.number, says=Text(f"op.rule.{rule.id}.text"))
    counted = Counter(weapon for model in mustered.arms for weapon in model)
    for id, count in counted.items():
        weapon = state.resolved.forces[seat].weapons[id]
        yield text(
            "op.sheet.weapon" if weapon.range else "op.sheet.melee",
            weapon=names.weapon(state, seat, id),
            count=count,
            range=weapon.range // 100,
            attacks=weapon.attacks,
            x="x" if weapon.single else "",
        )
    for power in state.resolved.powers:
        if mustered.discipline and power.discipline == mustered.discipline:
            yield _power(power)
    if own.text:
        yield Text(own.text)


def _power(power: Power) -> Text:
    return text(
        "op.sheet.power",
        power=Text(power.name),
        successes=power.successes,
        range=power.range // 100,
        says=Text(power.text),
    )
