"""Sheets of factions, groups and vehicles: numbers, figures, weapons, traits, special actions in this match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.cards.cards import mix_of
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Profile, Vehicle, Weapon
from engine.rulesets.action_cards.state.state import Figure, Group, Skirmish
from protocol.scene.nodes import Sheet
from protocol.text import Text, text


def faction(state: Skirmish, seat: int) -> Sheet:
    """Return the sheet of the faction that a seat plays."""
    own = state.faction(seat)
    cards = mix_of(state.resolved, seat)
    numbers = {
        "move": own.move,
        **own.kill.numbers,
        "figures": sum(map(len, own.force)),
        "cards": sum(cards.counts),
        "actions": cards.single + 2 * cards.double + 3 * cards.triple,
    }
    return Sheet(Text(own.name), tuple(_lines(state, seat)), seat, numbers)


def on_foot(state: Skirmish, group: Group) -> Sheet:
    """Return the sheet of a group of figures as it stands now: its Move, what kills one of it, its figures and what
    they carry."""
    own, move = state.faction(group.owner), table.move_of(state, group)
    profiles = [table.profile(state, figure) for figure in group.figures]
    counted = {profile.id: profile for profile in profiles}
    count = Counter(profile.id for profile in profiles)
    carried = {weapon for profile in counted.values() for weapon in profile.weapons}
    lines = [text("faction.numbers", move=move // 100, **own.kill.numbers)]
    for id, profile in counted.items():
        dice, close = profile.dice, profile.close
        lines.append(text("sheet.own", figure=Text(profile.name), count=count[id], dice=dice, close=close))
        lines += _gun(profile)
    if len(profiles) > 1:
        lines.append(text("sheet.sum", **{key: group_numbers(state, group)[key] for key in ("dice", "close")}))
    lines += [weapon_line(weapon) for weapon in own.weapons if weapon.id in carried]
    lines += [Text(f"trait.{trait}") for trait in own.traits]
    return Sheet(names.group(state, group.id), tuple(lines), group.owner, {"move": move, **own.kill.numbers})


def group_numbers(state: Skirmish, group: Group) -> dict[str, int]:
    """Return the dice of a group as it stands now, and those of the blast weapon that it serves."""
    profiles = [table.profile(state, figure) for figure in group.figures]
    gun = profiles[0].gun
    return {
        "dice": sum([profile.dice for profile in profiles]),
        "close": sum([profile.close for profile in profiles]),
        **({"blast": gun.blast} if gun is not None and gun.blast else {}),
    }


def _lines(state: Skirmish, seat: int) -> Iterator[Text]:
    own, role = state.faction(seat), state.resolved.scenario.roles[seat]
    cards = mix_of(state.resolved, seat)
    yield text("sheet.role", role=Text(role.name), win=role.win)
    yield text("faction.numbers", move=own.move // 100, **own.kill.numbers)
    yield text("faction.cards", single=cards.single, double=cards.double, triple=cards.triple)
    for one in own.organisations:
        move = own.organisation(one.id).move // 100
        yield text("sheet.organisation", name=Text(one.name), size=one.size, move=move)
    count = Counter(profile for group in own.force for profile in group)
    for profile in own.profiles:
        yield from _figure(profile, count[profile.id])
    yield from map(weapon_line, own.weapons)
    yield from (Text(f"trait.{trait}") for trait in own.traits)
    yield from (Text(special.explained) for special in own.specials)


def _figure(profile: Profile, count: int) -> Iterator[Text]:
    name = Text(profile.name)
    yield text("sheet.figure", figure=name, count=count, dice=profile.dice, close=profile.close)
    yield from equipment_lines(profile)


def equipment_lines(profile: Profile) -> Iterator[Text]:
    """Yield the lines of the gun that a kind of figure serves, and of the vehicle that it is."""
    yield from _gun(profile)
    if profile.vehicle is not None:
        yield from _vehicle(profile.name, profile.vehicle)


def _gun(profile: Profile) -> Iterator[Text]:
    gun, name = profile.gun, Text(profile.name)
    if gun is not None:
        yield text("sheet.gun", figure=name, crew=profile.crew, least=gun.least, dice=gun.dice, blast=gun.blast)


def weapon_line(weapon: Weapon) -> Text:
    """Return the line of a weapon: its dice."""
    return text("sheet.blast" if weapon.blast else "sheet.weapon", weapon=Text(weapon.name), dice=weapon.dice)


def _vehicle(name: str, vehicle: Vehicle) -> Iterator[Text]:
    move, numbers = vehicle.move // 100, vehicle.kill.numbers
    yield text(f"sheet.vehicle.{vehicle.travel}", figure=Text(name), move=move, **numbers)
    if vehicle.seats:
        yield text("sheet.seats", figure=Text(name), seats=vehicle.seats)


def vehicle(state: Skirmish, figure: Figure) -> Sheet:
    """Return the sheet of one vehicle, with its passengers."""
    profile = table.profile(state, figure.id)
    lines = list(_figure(profile, 1))[1:]
    known = {weapon.id: weapon for weapon in state.faction(figure.owner).weapons}
    lines += [weapon_line(known[id]) for id in profile.weapons]
    riders: dict[str, int] = {}
    for ride in state.aboard.values():
        if ride.vehicle == figure.id:
            faction = Text(state.faction(ride.group.owner).name)
            name = Text("name.group", {"faction": faction, "number": ride.group.number})
            lines.append(text("sheet.aboard", group=name, figures=len(ride.figures)))
            riders[names.group_node(ride.group.id)] = len(ride.figures)
    numbers: dict[str, int] = {}
    if profile.vehicle is not None:
        numbers = {"move": profile.vehicle.move, **profile.vehicle.kill.numbers, "seats": profile.vehicle.seats}
    return Sheet(Text(profile.name), tuple(lines), figure.owner, numbers | riders)
