"""Content from TOML: files checked, then terrain, factions and the scenario of a match by value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from engine.core.content import content_files
from engine.core.content.content_schema import hundredths, paragraphs
from engine.core.rules.errors import SetupRefused
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.rulesets.action_cards.content import schema, smaller_scenarios
from engine.rulesets.action_cards.content.content_checks import complaints
from engine.rulesets.action_cards.content.late_groups import reserves_of
from engine.rulesets.action_cards.content.maps import laid_out
from engine.rulesets.action_cards.content.shapes import box, corners, point, terrain_of
from engine.rulesets.action_cards.state import model
from protocol.text import Text, text


class Content(NamedTuple):
    """All content that is installed. Scenarios stay as written, laid out on their maps: their goals depend on who
    plays.

    `backgrounds`: descriptions of the factions, in paragraphs, by faction id.
    """

    terrain: Mapping[str, model.Terrain]
    factions: Mapping[str, model.Faction]
    scenarios: Mapping[str, schema.ScenarioEntry]
    events: Mapping[str, model.EventCard]
    backgrounds: Mapping[str, tuple[str, ...]]


def read(texts: Mapping[str, str]) -> Content:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    raw, documents = content_files.read(texts, schema.Document, complaints)
    return _content(content_files.as_ruled(raw, documents, schema.Document))


def _content(documents: Iterable[schema.Document]) -> Content:
    found = list(documents)
    terrain = {id: terrain_of(id, kind) for document in found for id, kind in document.terrain.items()}
    factions = [_faction(document.faction) for document in found if document.faction]
    events = {id: _event(id, event) for document in found for id, event in document.event.items()}
    maps = {document.map.id: document.map for document in found if document.map}
    scenarios = [laid_out(document.scenario, maps) for document in found if document.scenario]
    backgrounds = {one.faction.id: paragraphs(one.faction.background) for one in found if one.faction}
    return Content(terrain, {f.id: f for f in factions}, {s.id: s for s in scenarios}, events, backgrounds)


def _event(id: str, entry: schema.EventEntry) -> model.EventCard:
    return model.EventCard(id, entry.name, entry.text, tuple(map(_effect, entry.effect)))


def _effect(entry: schema.EffectEntry) -> model.Effect:
    plain = entry.model_dump(exclude={"rule", "rules", "terrain", "sight", "radius", "speed", "base"})
    sight, radius, speed, base = map(hundredths, (entry.sight, entry.radius, entry.speed, entry.base))
    terrain = tuple(entry.terrain)
    return model.Effect(**plain, terrain=terrain, sight=sight, radius=radius, speed=speed, base=base // 2)


def _faction(entry: schema.FactionEntry) -> model.Faction:
    weapons = tuple(model.Weapon(w.id, w.name, w.dice, w.blast) for w in entry.weapon)
    known = {weapon.id: weapon for weapon in weapons}
    return model.Faction(
        entry.id,
        entry.name,
        entry.size,
        hundredths(entry.move),
        _kill(entry.kill),
        tuple(_profile(figure, known) for figure in entry.figure),
        weapons,
        tuple(tuple(squad.figures) for squad in entry.squad for _ in range(squad.count)),
        tuple(entry.traits),
        tuple(map(_special, entry.special)),
        _cards(entry.cards),
        entry.glyph,
        tuple(_organisation(one) for one in entry.organisation),
        tuple(s.organisation for s in entry.squad for _ in range(s.count)) if entry.organisation else (),
        tuple(s.late for s in entry.squad for _ in range(s.count) if s.late),
    )


def _organisation(entry: schema.OrganisationEntry) -> model.Organisation:
    return model.Organisation(entry.id, entry.name, entry.size, 0 if entry.move is None else hundredths(entry.move))


def _kill(entry: schema.KillEntry) -> model.Kill:
    return model.Kill(entry.open, entry.cover, entry.building)


def _profile(entry: schema.FigureEntry, known: Mapping[str, model.Weapon]) -> model.Profile:
    carried = [known[weapon] for weapon in entry.weapons]
    shooting = sum(weapon.dice for weapon in carried if not weapon.blast)
    vehicle = _vehicle(entry.vehicle) if entry.vehicle else None
    return model.Profile(
        entry.id,
        entry.name,
        tuple(entry.weapons),
        shooting,
        shooting if entry.close is None else entry.close,
        vehicle.width // 2 if vehicle else hundredths(entry.base) // 2,
        entry.glyph,
        entry.crew,
        sum(weapon.dice for weapon in carried if weapon.blast),
        _gun(entry, known[entry.gun]) if entry.gun else None,
        vehicle,
    )


def _gun(entry: schema.FigureEntry, weapon: model.Weapon) -> model.Gun:
    dice, blast = (0, weapon.dice) if weapon.blast else (weapon.dice, 0)
    return model.Gun(weapon.id, dice, blast, entry.least)


def _vehicle(entry: schema.VehicleEntry) -> model.Vehicle:
    length, width = map(hundredths, entry.size)
    doors = tuple(entry.doors)
    return model.Vehicle(entry.travel, length, width, hundredths(entry.move), _kill(entry.kill), entry.seats, doors)


def _special(entry: schema.SpecialEntry) -> model.Special:
    # a name given in words has no hint in the catalogue
    hint = entry.hint or ("" if entry.name.startswith("special.") else entry.name)
    return model.Special(entry.id, entry.name, entry.effect, entry.roll, entry.feature, entry.goal, entry.once, hint)


def _cards(entry: schema.CardsEntry) -> model.CardMix:
    return model.CardMix(entry.single, entry.double, entry.triple)


def scenarios(content: Content) -> tuple[ScenarioInfo, ...]:
    """List every scenario with every faction, then the same for fewer players."""
    factions = tuple(_info(faction) for faction in content.factions.values())
    whole = list(content.scenarios.items())
    smaller = [form for scenario in content.scenarios.values() for form in smaller_scenarios.forms_of(scenario)]
    return tuple(
        ScenarioInfo(
            id,
            Text(s.name),
            Text(s.about),
            len(s.role),
            factions,
            s.minutes,
            form_of="" if id == s.id else s.id,
            usual=tuple(role.faction for role in s.role),
        )
        for id, s in (*whole, *smaller)
    )


def _info(faction: model.Faction) -> FactionInfo:
    dice = {profile.id: profile.dice for profile in faction.profiles}
    kill, cards = faction.kill, faction.cards
    lines = (
        text(
            "faction.force",
            groups=len(faction.force),
            size=faction.size,
            figures=sum(map(len, faction.force)),
            dice=sum(dice[figure] for group in faction.force for figure in group),
        ),
        text("faction.numbers", move=faction.move // 100, open=kill.open, cover=kill.cover, building=kill.building),
        text("faction.cards", single=cards.single, double=cards.double, triple=cards.triple),
        *((text("faction.late", groups=len(faction.late)),) if faction.late else ()),
        *(Text(f"trait.{trait}") for trait in faction.traits),
        *(Text(special.explained) for special in faction.specials),
    )
    return FactionInfo(faction.id, Text(faction.name), lines)


def setup(content: Content, setup: Setup) -> bytes:
    """Return the content of one match by value (msgpack of Resolved). Raises SetupRefused with what to change."""
    scenario = smaller_scenarios.find(content.scenarios, setup.scenario)
    if scenario is None:
        raise SetupRefused(text("setup.no-scenario", scenario=setup.scenario))
    if not scenario.role or len(setup.factions) != len(scenario.role):
        raise SetupRefused(text("setup.seats", seats=len(scenario.role), given=len(setup.factions)))
    factions = [content.factions[id] for id in _factions(content, scenario, setup.factions)]
    events = [content.events[id] for id in scenario.events if id in content.events]
    resolved = model.Resolved(_scenario(scenario, factions, events), dict(content.terrain), tuple(factions))
    return msgspec.msgpack.encode(resolved)


def _factions(content: Content, scenario: schema.ScenarioEntry, chosen: tuple[str, ...]) -> list[str]:
    """Return a faction for every seat, all different; seats that chose none get their role's own, if that is free, and
    then the first free ones in order. Raises SetupRefused."""
    for number, id in enumerate(chosen):
        if id and id not in content.factions:
            raise SetupRefused(text("setup.no-faction", faction=id))
        if id and id in chosen[:number]:
            raise SetupRefused(text("setup.faction-twice", faction=Text(content.factions[id].name)))
    usual = [role.faction for role in scenario.role]
    chosen = tuple(
        id or (own if own not in (*chosen, *usual[:seat]) else "")
        for seat, (id, own) in enumerate(zip(chosen, usual, strict=True))
    )
    free = [id for id in content.factions if id not in chosen]
    if len(free) < chosen.count(""):
        raise SetupRefused(text("setup.few-factions", seats=len(chosen), factions=len(content.factions)))
    return [id or free.pop(0) for id in chosen]


def _scenario(
    entry: schema.ScenarioEntry, factions: list[model.Faction], events: list[model.EventCard]
) -> model.Scenario:
    forces = [sum(map(len, faction.force)) for faction in factions]
    return model.Scenario(
        entry.id,
        entry.name,
        entry.about,
        (hundredths(entry.size[0]), hundredths(entry.size[1])),
        tuple(model.Feature(f.id, f.kind, f.name, corners(f), tuple(map(point, f.doors))) for f in entry.feature),
        tuple(_role(role, seat, forces, factions) for seat, role in enumerate(entry.role)),
        entry.reshuffles,
        entry.minutes,
        entry.ground,
        tuple(model.Zone(zone.id, zone.name, corners(zone)) for zone in entry.zone),
        tuple(map(_special, entry.special)),
        tuple(_condition(secret, -1, forces, secret=True) for secret in entry.secret),
        (),
        model.CardActions(entry.actions.single, entry.actions.double, entry.actions.triple),
        model.Travel(tuple(entry.travel.road), tuple(entry.travel.off_road)),
        tuple(events),
        entry.face_down,
        tuple(map(_scatter, entry.scatter)),
    )


def _scatter(entry: schema.ScatterEntry) -> model.Scatter:
    return model.Scatter(
        entry.id,
        entry.kind,
        entry.name,
        entry.count,
        point(entry.size),
        box(entry.within),
        hundredths(entry.apart),
        entry.form,
        entry.doors,
    )


def _role(entry: schema.RoleEntry, seat: int, forces: list[int], factions: list[model.Faction]) -> model.SeatRole:
    conditions = tuple(_condition(condition, seat, forces) for condition in entry.condition)
    cards = _cards(entry.cards) if entry.cards else None
    adjust = model.CardMix(entry.adjust.single, entry.adjust.double, entry.adjust.triple) if entry.adjust else None
    given = (entry.win, entry.secrets, cards, entry.facing, adjust, reserves_of(entry, factions[seat], len(factions)))
    return model.SeatRole(entry.name, box(entry.start), conditions, *given)


def _condition(entry: schema.ConditionEntry, seat: int, forces: list[int], *, secret: bool = False) -> model.Condition:
    name = entry.name or f"condition.{entry.kind}{_variant(entry)}"
    sentence = entry.text or _default_text(entry)
    goal = _share(entry, seat, forces) if entry.share else entry.goal
    return model.Condition(
        entry.id,
        entry.kind,
        name,
        sentence,
        entry.points,
        entry.feature,
        entry.zone,
        entry.special,
        entry.seat,
        goal,
        secret,
    )


def _default_text(entry: schema.ConditionEntry) -> str:
    """Return the text key of a condition's kind."""
    return f"condition.{entry.kind}{_variant(entry)}.text"


def _variant(entry: schema.ConditionEntry) -> str:
    """Return the suffix of a "destroy" or "reach" that names a rival or a zone."""
    special = {"destroy": entry.seat >= 0, "reach": bool(entry.zone)}.get(entry.kind, False)
    return {"destroy": ".rival", "reach": ".zone"}[entry.kind] if special else ""


def _share(entry: schema.ConditionEntry, seat: int, forces: list[int]) -> int:
    """Return a goal in percent of the figures that it is about, rounded up, at least one."""
    if entry.kind == "destroy":
        about = forces[entry.seat] if entry.seat >= 0 else sum(forces) - (forces[seat] if seat >= 0 else 0)
    else:
        about = forces[seat] if seat >= 0 else min(forces)
    return max(1, -(-about * entry.share // 100))
