"""Content from TOML: files checked, then terrain, factions and the scenario of a match by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.core.content import content_files
from engine.core.content.content_schema import paragraphs
from engine.core.rules.errors import SetupRefused
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, all_values
from engine.core.rules.sides import allies_of
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.kit.lesson_schema import plan_of
from engine.kit.values import value
from engine.rulesets.action_cards.content import forms, schema
from engine.rulesets.action_cards.content.content_checks import complaints
from engine.rulesets.action_cards.content.forms import reserves_of
from engine.rulesets.action_cards.state import model
from protocol.text import Text, text

OPTIONS: Final = (
    RuleOption(
        "special_events", text("option.special-events"), text("option.special-events.hint"), "flag", default=True
    ),
)
"""AC-DECK-01: what a table may choose."""


class FactionWords(NamedTuple):
    """Words about a faction: its description in paragraphs, of which the last says how it plays; what it is good and
    bad at, "" where nothing is said of it."""

    background: tuple[str, ...] = ()
    strong: str = ""
    weak: str = ""


class Content(NamedTuple):
    """All content that is installed. Scenarios stay as written, laid out on their maps: their goals depend on who
    plays.

    `told`: what is said of each faction, by its id; `chosen_only`: ids of the factions that
    no seat gets which does not choose them.
    """

    terrain: Mapping[str, model.Terrain]
    factions: Mapping[str, model.Faction]
    scenarios: Mapping[str, schema.ScenarioEntry]
    events: Mapping[str, model.EventCard]
    told: Mapping[str, FactionWords]
    lessons: tuple[LessonPlan, ...] = ()
    chosen_only: frozenset[str] = frozenset()


def read(texts: Mapping[str, str]) -> Content:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    raw, documents = content_files.read(texts, schema.Document, complaints)
    return _content(content_files.as_ruled(raw, documents, schema.Document))


def _content(documents: Iterable[schema.Document]) -> Content:
    found = list(documents)
    factions = [document.faction for document in found if document.faction]
    scenarios = [document.scenario for document in found if document.scenario]
    maps = {document.map.id: document.map for document in found if document.map}
    return Content(
        terrain={id: kind for document in found for id, kind in document.terrain.items()},
        factions={one.id: _faction(one) for one in factions},
        scenarios={one.id: one.laid_on(maps.get(one.map)) for one in scenarios},
        events={id: event for document in found for id, event in document.event.items()},
        told={one.id: FactionWords(paragraphs(one.background), one.strong, one.weak) for one in factions},
        lessons=tuple([plan_of(document.lesson) for document in found if document.lesson]),
        chosen_only=frozenset(one.id for one in factions if not one.dealt),
    )


def _faction(entry: schema.FactionEntry) -> model.Faction:
    known = {weapon.id: weapon for weapon in entry.weapon}
    squads = [squad for squad in entry.squad for _ in range(squad.count)]
    return value(
        model.Faction,
        entry,
        profiles=tuple([_profile(figure, known) for figure in entry.figure]),
        weapons=tuple(entry.weapon),
        force=tuple([tuple(squad.figures) for squad in squads]),
        specials=tuple(map(_hinted, entry.special)),
        organisations=tuple(entry.organisation),
        kinds=tuple([squad.organisation for squad in squads]) if entry.organisation else (),
        late=tuple([squad.late for squad in squads if squad.late]),
    )


def _profile(entry: schema.FigureEntry, known: Mapping[str, model.Weapon]) -> model.Profile:
    dice, blast = _dice([known[weapon] for weapon in entry.weapons])
    vehicle = entry.vehicle and value(
        model.Vehicle, entry.vehicle, length=entry.vehicle.size[0], width=entry.vehicle.size[1]
    )
    return value(
        model.Profile,
        entry,
        dice=dice,
        close=dice if entry.close is None else entry.close,
        radius=(vehicle.width if vehicle else entry.base) // 2,
        blast=blast,
        gun=model.Gun(entry.gun, *_dice([known[entry.gun]]), entry.least) if entry.gun else None,
        vehicle=vehicle,
    )


def _dice(weapons: Iterable[model.Weapon]) -> tuple[int, int]:
    """Return the dice of weapons: those that shoot at a target, and those of blast weapons."""
    found = [(0, weapon.dice) if weapon.blast else (weapon.dice, 0) for weapon in weapons]
    return sum(dice for dice, _ in found), sum(blast for _, blast in found)


def _hinted(special: model.Special) -> model.Special:
    # a name given in words has no hint in the catalogue
    words = "" if special.name.startswith("special.") else special.name
    return replace(special, hint=special.hint or words)


def scenarios(content: Content) -> tuple[ScenarioInfo, ...]:
    """List every scenario with every faction, then the same in sides and for fewer players."""
    factions = tuple(
        _info(faction)._replace(dealt=id not in content.chosen_only) for id, faction in content.factions.items()
    )
    whole = [(id, forms.each_alone(scenario)) for id, scenario in content.scenarios.items()]
    smaller = [form for scenario in content.scenarios.values() for form in forms.forms_of(scenario)]
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
            sides=tuple(s.sides),
        )
        for id, s in (*whole, *smaller)
    )


def _info(faction: model.Faction) -> FactionInfo:
    traits = [Text(f"trait.{trait}") for trait in faction.traits]
    specials = [Text(special.explained) for special in faction.specials]
    return FactionInfo(faction.id, Text(faction.name), (*numbers_of(faction), *traits, *specials))


def numbers_of(faction: model.Faction) -> tuple[Text, ...]:
    """Return the numbers of a faction as a whole: its force, Move and kill numbers, cards."""
    cards, sizes = faction.cards, list(map(len, faction.force))
    dice, blast = dice_of(faction)
    force = {"groups": len(sizes), "size": max(sizes), "figures": sum(sizes), "dice": dice}
    return (
        text("faction.force.blast", **force, blast=blast) if blast else text("faction.force", **force),
        text("faction.numbers", move=faction.move // 100, **faction.kill.numbers),
        text("faction.cards", single=cards.single, double=cards.double, triple=cards.triple),
        *((text("faction.late", groups=len(faction.late)),) if faction.late else ()),
    )


def dice_of(faction: model.Faction) -> tuple[int, int]:
    """Return the dice of a faction's whole force, guns included: those that shoot at a target, and those of blast
    weapons."""
    count = Counter(figure for group in faction.force for figure in group)
    shooting = blast = 0
    for profile in faction.profiles:
        figures, gun = count[profile.id], profile.gun or model.Gun("")
        guns = figures // profile.crew
        shooting += figures * profile.dice + guns * gun.dice
        blast += figures * profile.blast + guns * gun.blast
    return shooting, blast


def setup(content: Content, setup: Setup) -> bytes:
    """Return the content of one match by value (msgpack of Resolved). Raises SetupRefused with what to change."""
    scenario = forms.find(content.scenarios, setup.scenario)
    if scenario is None:
        raise SetupRefused(text("setup.no-scenario", scenario=setup.scenario))
    if not scenario.role or len(setup.factions) != len(scenario.role):
        raise SetupRefused(text("setup.seats", seats=len(scenario.role), given=len(setup.factions)))
    chosen = [content.factions[id] for id in _factions(content, scenario, setup.factions)]
    factions = [_taking_part(faction, role.groups) for faction, role in zip(chosen, scenario.role, strict=True)]
    events = [content.events[id] for id in scenario.events if id in content.events]
    with_events = all_values(OPTIONS, setup.options)["special_events"] is True
    laid = _scenario(scenario, factions, events)
    resolved = model.Resolved(laid, dict(content.terrain), tuple(factions), with_events)
    return msgspec.msgpack.encode(resolved)


def _factions(content: Content, scenario: schema.ScenarioEntry, chosen: tuple[str, ...]) -> list[str]:
    """Return a different faction for each seat: as chosen, its role's own, else the first free. Raises SetupRefused."""
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


def _taking_part(faction: model.Faction, groups: int | None) -> model.Faction:
    """Return a faction with the first `groups` of its force, none of which comes late; whole for None."""
    if groups is None:
        return faction
    return replace(faction, force=faction.force[:groups], kinds=faction.kinds[:groups], late=())


def _scenario(
    entry: schema.ScenarioEntry, factions: list[model.Faction], events: list[model.EventCard]
) -> model.Scenario:
    forces = [sum(map(len, faction.force)) for faction in factions]
    return value(
        model.Scenario,
        entry,
        features=tuple([value(model.Feature, feature, outline=feature.corners) for feature in entry.feature]),
        roles=tuple(
            [_role(role, seat, _met_by(entry, seat, forces), factions) for seat, role in enumerate(entry.role)]
        ),
        zones=tuple([value(model.Zone, zone, outline=zone.corners) for zone in entry.zone]),
        specials=tuple(map(_hinted, entry.special)),
        secrets=tuple([_condition(secret, -1, forces, secret=True) for secret in entry.secret]),
        events=(),
        travel=value(model.Travel, entry.travel),
        sides=tuple(entry.sides),
        mix=tuple(events),
    )


def _met_by(entry: schema.ScenarioEntry, seat: int, forces: list[int]) -> list[int]:
    """Return the figures of each faction, none of a seat's allies: nobody destroys those."""
    allies = allies_of(tuple(entry.sides), seat)
    return [0 if other != seat and other in allies else count for other, count in enumerate(forces)]


def _role(entry: schema.RoleEntry, seat: int, forces: list[int], factions: list[model.Faction]) -> model.SeatRole:
    return value(
        model.SeatRole,
        entry,
        conditions=tuple([_condition(condition, seat, forces) for condition in entry.condition]),
        adjust=entry.adjust and value(model.CardMix, entry.adjust),
        reserves=reserves_of(entry, factions[seat], len(factions)),
    )


def _condition(entry: schema.ConditionEntry, seat: int, forces: list[int], *, secret: bool = False) -> model.Condition:
    usual = f"condition.{entry.kind}{_variant(entry)}"
    name, sentence = entry.name or usual, entry.text or f"{usual}.text"
    goal = _share(entry, seat, forces) if entry.share else entry.goal
    return value(model.Condition, entry, name=name, text=sentence, goal=goal, secret=secret)


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
