"""Scenarios: each loads at each of its numbers of people, with legal forces and all that its entry says."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.rules.errors import SetupRefused
from engine.core.rules.sides import fault_of
from engine.core.rules.system import Setup
from engine.kit.lists.list_texts import encode
from engine.rulesets.apocalypse_earth.content import content as files
from engine.rulesets.apocalypse_earth.content.army_lists import LISTS
from engine.rulesets.apocalypse_earth.content.content import OPTIONS, scenarios
from engine.rulesets.apocalypse_earth.content.lists import ArmyList, EarthLine
from engine.rulesets.apocalypse_earth.state.model import INFANTRY, Options, Resolved, Scenario
from engine.rulesets.apocalypse_earth.text.texts import ENGLISH
from engine.space.vectors.outlines import outline_of
from tests.support.systems.ae_shipped import content, resolved

HOURS: Final = {
    "first_contact": (4, 20),
    "meeting_engagement": (8, 150),
    "meeting_engagement:small": (8, 100),
    "meeting_engagement:company": (8, 210),
    "meeting_engagement:three": (6, 110),
    "meeting_engagement:four": (6, 140),
    "meeting_engagement:five": (6, 140),
    "meeting_engagement:six": (5, 140),
    "out_of_the_treeline": (7, 120),
    "out_of_the_treeline:four": (7, 120),
    "loophole": (7, 120),
    "loophole:three": (7, 120),
    "loophole:four": (7, 130),
    "the_hummvees": (7, 120),
    "the_hummvees:drivers": (7, 120),
    "the_hummvees:gunners": (7, 120),
    "the_hummvees:four": (7, 130),
    "three_flags": (6, 110),
    "three_flags:four": (6, 130),
    "city_of_the_brotherhood": (6, 140),
    "three_bridges": (5, 140),
    "three_bridges:four": (5, 130),
    "regolith": (5, 120),
    "regolith:six": (5, 140),
}


def played(id: str) -> Scenario:
    return content().forms[id].scenario


def seats(id: str) -> list[tuple[int, int]]:
    """Return the side and points of each seat."""
    scenario = played(id)
    sides = scenario.sides or tuple(range(len(scenario.seats)))
    return [(side, seat.points) for side, seat in zip(sides, scenario.seats, strict=True)]


def box(left: int, bottom: int, width: int, height: int) -> tuple[tuple[int, int], ...]:
    return outline_of((left * 100, bottom * 100, (left + width) * 100, (bottom + height) * 100))


def ground(id: str) -> dict[str, tuple[tuple[int, int], ...]]:
    return {feature.id: feature.outline for feature in played(id).features}


def laid(id: str) -> dict[str, int]:
    return {lot.kind: lot.count for lot in played(id).lots}


@pytest.mark.rule("AE-SEAT-01")
@pytest.mark.parametrize("id", HOURS)
def test_every_form_is_a_game_of_its_seats(id: str) -> None:
    info = next(info for info in scenarios(content()) if info.id == id)
    match = resolved(id)
    assert 2 <= info.seats <= 6
    assert len(match.forces) == len(match.scenario.seats) == info.seats == len(info.usual)
    assert fault_of(info.sides, info.seats) == ""
    assert {info.name.k, info.about.k} <= ENGLISH.keys()
    for seat, force in zip(match.scenario.seats, match.forces, strict=True):
        assert seat.points * 9 // 10 <= force.points <= seat.points
        assert force.units


@pytest.mark.rule("AE-SEAT-05")
def test_people_sit_as_the_table_says() -> None:
    two, three, four, five, six = ("", "small", "company"), ("three",), ("four",), ("five",), ("six",)
    meeting = {
        key: seats(f"meeting_engagement:{key}" if key else "meeting_engagement")
        for key in (*two, *three, *four, *five, *six)
    }
    assert meeting == {
        "": [(0, 1000), (1, 1000)],
        "small": [(0, 600), (1, 600)],
        "company": [(0, 1500), (1, 1500)],
        "three": [(0, 350), (0, 350), (1, 700)],
        "four": [(0, 500), (0, 500), (1, 500), (1, 500)],
        "five": [(0, 350), (0, 350), (0, 350), (1, 525), (1, 525)],
        "six": [(0, 350), (0, 350), (0, 350), (1, 350), (1, 350), (1, 350)],
    }
    infos = {info.id: info for info in scenarios(content())}
    assert infos["meeting_engagement:three"].seat_points == (350, 350, 700)
    assert (infos["meeting_engagement:four"].points, infos["meeting_engagement:four"].seat_points) == (500, ())
    assert (infos["loophole"].points, infos["city_of_the_brotherhood"].points) == (0, 0)
    alone = ("three_flags", "three_flags:four", "regolith", "regolith:six")
    assert [seats(id) for id in alone] == [[(seat, 350) for seat in range(count)] for count in (3, 4, 5, 6)]
    turns = {id: played(id).turns for id in HOURS}
    assert [turns[f"meeting_engagement:{key}"] for key in ("small", "company", "three", "four", "five", "six")] == [
        8,
        8,
        6,
        6,
        6,
        5,
    ]
    assert [turns[id] for id in ("meeting_engagement", *alone)] == [8, 6, 6, 5, 5]


@pytest.mark.rule("AE-SCEN-01", "AE-SCEN-02", "AE-SCEN-03")
@pytest.mark.rule("AE-SCEN-04", "AE-SCEN-05", "AE-SCEN-06")
@pytest.mark.rule("AE-SCEN-07", "AE-SCEN-08")
def test_every_form_has_its_turns_and_minutes() -> None:
    found = {form.id: (form.scenario.turns, form.scenario.minutes) for form in content().forms.values()}
    assert found == HOURS


@pytest.mark.rule("AE-SCEN-01", "AE-OPEN-30")
def test_a_meeting_engagement_is_by_the_book() -> None:
    scenario = played("meeting_engagement")
    assert (scenario.size, scenario.zones, scenario.deploys, scenario.first) == ((18000, 12000), (), (), -1)
    assert [(one.at, one.worth, one.each) for one in scenario.objectives] == [
        ((9000, 6000), 50, 0),
        ((4500, 6000), 50, 0),
        ((13500, 6000), 50, 0),
    ]
    assert laid("meeting_engagement") == {
        "woods": 5,
        "hedge": 2,
        "low_wall": 2,
        "hill": 2,
        "broken": 2,
        "marsh": 1,
        "rubble": 1,
        "brick_house": 1,
        "stone_house": 1,
        "hut": 1,
    }
    assert (scenario.margin, scenario.unit_share, scenario.features) == (0, 1, ())


@pytest.mark.rule("AE-SCEN-02")
def test_out_of_the_treeline() -> None:
    scenario = played("out_of_the_treeline:four")
    assert (scenario.size, scenario.turns, scenario.margin, scenario.alarm) == ((12000, 9000), 7, 30, 1)
    assert (scenario.deploys, scenario.first, scenario.infiltrates) == ((1, 0), 0, False)
    assert seats(scenario.id) == [(0, 403), (0, 393), (1, 235), (1, 227)]
    assert seats("out_of_the_treeline") == [(0, 796), (1, 462)]
    assert [zone.outline for zone in scenario.zones] == [box(0, 0, 18, 90), box(60, 0, 60, 90)]
    assert [seat.zone for seat in scenario.seats] == [0, 0, 1, 1]
    assert [seat.hides for seat in scenario.seats] == [True, True, False, False]
    assert scenario.seats[3].near == ("hut_middle", "hut_north", "hut_south")
    huts, home = scenario.prizes
    assert (huts.what, huts.points, huts.side, huts.features) == ("razed", 100, 0, scenario.seats[3].near)
    assert (home.what, home.points, home.side, home.units, home.figures) == ("home", 30, 0, ("WA-03",), 2)
    assert home.outline == box(0, 0, 18, 90)
    found = ground(scenario.id)
    assert found["treeline"] == box(0, 0, 18, 90)
    assert found["hedge_south"] == ((7200, 2000), (7200, 4000))
    assert found["trench"] == box(75, 38, 3, 14)
    assert [found[id] for id in huts.features] == [box(92, 41, 8, 8), box(84, 66, 8, 8), box(84, 16, 8, 8)]
    assert len(found) == 11


@pytest.mark.rule("AE-SCEN-03")
def test_loophole() -> None:
    scenario = played("loophole:four")
    assert (scenario.size, scenario.turns, scenario.margin) == ((12000, 12000), 7, 40)
    assert (scenario.deploys, scenario.first) == ((1, 0), 0)
    assert seats("loophole:four") == [(0, 347), (0, 328), (1, 313), (1, 391)]
    assert seats("loophole:three") == [(0, 347), (0, 328), (1, 704)]
    assert seats("loophole") == [(0, 675), (1, 801)]
    compound, south, west, corner = scenario.zones
    assert compound.outline == box(26, 46, 68, 48)
    assert (south.outline, west.outline) == (box(0, 0, 120, 12), box(0, 0, 12, 40))
    assert (len(corner.outline), corner.edge) == (6, "south")
    assert [seat.zone for seat in scenario.seats] == [1, 2, 0, 0]
    assert [seat.zone for seat in played("loophole").seats] == [3, 0]
    houses = scenario.prizes[0]
    assert (houses.what, houses.points, houses.side, houses.turns) == ("inside", 40, -1, (3, 5, 7))
    found = ground("loophole")
    assert [found[id] for id in houses.features] == [
        box(52, 52, 16, 14),
        box(30, 60, 10, 10),
        box(80, 58, 10, 10),
        box(56, 84, 9, 9),
    ]
    assert len(found) == 13


@pytest.mark.rule("AE-SCEN-04")
def test_the_hummvees_must_get_through() -> None:
    scenario = played("the_hummvees:four")
    assert (scenario.size, scenario.turns, scenario.margin) == ((18000, 9000), 7, 40)
    assert (scenario.deploys, scenario.first) == ((1, 0), 0)
    assert seats("the_hummvees:four") == [(0, 340), (0, 305), (1, 508), (1, 502)]
    assert seats("the_hummvees:drivers") == [(0, 340), (0, 305), (1, 1010)]
    assert seats("the_hummvees:gunners") == [(0, 645), (1, 508), (1, 502)]
    assert [zone.outline for zone in scenario.zones] == [box(0, 0, 24, 90), box(80, 0, 100, 90)]
    assert [seat.leaves for seat in scenario.seats] == [((18000, 3300), (18000, 5700))] * 2 + [()] * 2
    assert [(one.what, one.points, one.side, one.units) for one in scenario.prizes] == [
        ("out", 50, 0, ("WA-V1",)),
        ("out", 60, 0, ("WA-V2",)),
        ("out", 30, 0, (INFANTRY,)),
        ("kept", 80, 1, ("WA-V1",)),
    ]
    assert ground("the_hummvees")["road"] == box(0, 42, 180, 6)
    assert len(scenario.features) == 12


@pytest.mark.rule("AE-SCEN-05", "AE-OPEN-30")
def test_three_flags_over_one_hill() -> None:
    three, four = played("three_flags"), played("three_flags:four")
    assert (three.size, three.turns, three.sides, three.unit_share) == ((15000, 15000), 6, (), 25)
    assert [zone.outline for zone in four.zones] == [
        box(45, 0, 60, 12),
        box(138, 45, 12, 60),
        box(45, 138, 60, 12),
        box(0, 45, 12, 60),
    ]
    assert [zone.edge for zone in four.zones] == ["south", "east", "north", "west"]
    assert [zone.outline for zone in three.zones] == [box(45, 0, 60, 12), box(138, 75, 12, 60), box(0, 75, 12, 60)]
    assert {seat.zone for seat in four.seats} == {-1}
    assert [(one.at, one.worth, one.each, one.since) for one in three.objectives] == [
        ((7500, 7500), 0, 3, 2),
        ((7500, 4000), 0, 2, 2),
        ((11000, 7500), 0, 2, 2),
        ((7500, 11000), 0, 2, 2),
        ((4000, 7500), 0, 2, 2),
    ]
    assert sum(laid("three_flags").values()) + len(three.features) == 19
    assert ground("three_flags") == {"the_hill": box(63, 63, 24, 24)}


@pytest.mark.rule("AE-SCEN-06")
def test_city_of_the_brotherhood() -> None:
    scenario = played("city_of_the_brotherhood")
    assert (scenario.size, scenario.turns, scenario.margin) == ((18000, 15000), 6, 50)
    assert (scenario.deploys, scenario.first) == ((1, 0), 0)
    assert seats(scenario.id) == [(0, 350), (0, 350), (0, 350), (1, 422), (1, 373)]
    match = resolved(scenario.id)
    assert [force.faction for force in match.forces] == [
        "western_alliance",
        "holy_army",
        "future_corp",
        "brotherhood",
        "brotherhood",
    ]
    assert [force.points for force in match.forces[3:]] == [422, 373]
    assert resolved(scenario.id, "chicom", "", "", "", "city_2").forces[0].faction == "chicom"
    houses = scenario.prizes[0]
    assert (houses.what, houses.points, houses.side, houses.otherwise, houses.turns) == ("inside", 50, 0, 1, ())
    found = ground(scenario.id)
    places = [(x, y) for x in (30, 66, 102, 138) for y in (38, 70, 102)]
    assert [found[f"building_{n}"] for n in range(1, 13)] == [box(x, y, 12, 10) for x, y in places]
    kinds = {feature.id: feature.kind for feature in scenario.features}
    assert [kinds[f"building_{n}"] for n in range(1, 13)] == ["brick_house", "stone_house", "brick_house"] * 4
    assert houses.features == tuple(f"building_{n}" for n in (2, 4, 8, 9, 11))
    assert [zone.outline for zone in scenario.zones] == [
        box(24, 0, 132, 12),
        box(24, 138, 132, 12),
        box(0, 24, 12, 102),
        box(30, 34, 120, 82),
    ]
    assert [seat.zone for seat in scenario.seats] == [0, 1, 2, 3, 3]


@pytest.mark.rule("AE-SCEN-07", "AE-OPEN-30")
def test_three_bridges() -> None:
    scenario = played("three_bridges")
    assert (scenario.size, scenario.turns, scenario.zones) == ((24000, 9600), 5, ())
    assert seats("three_bridges") == [(0, 350)] * 3 + [(1, 350)] * 3
    assert seats("three_bridges:four") == [(0, 500)] * 2 + [(1, 500)] * 2
    assert [(one.at, one.worth, one.each) for one in scenario.objectives] == [
        ((6000, 4800), 50, 25),
        ((12000, 4800), 50, 25),
        ((18000, 4800), 50, 25),
    ]
    assert [(one.kind, one.outline[0][0] // 100, one.outline[2][0] // 100) for one in scenario.features] == [
        ("water", 0, 56),
        ("open", 56, 64),
        ("water", 64, 116),
        ("open", 116, 124),
        ("water", 124, 176),
        ("open", 176, 184),
        ("water", 184, 240),
    ]
    assert laid("three_bridges") == {
        "woods": 4,
        "hedge": 2,
        "low_wall": 2,
        "hill": 2,
        "broken": 1,
        "rubble": 1,
        "brick_house": 2,
        "stone_house": 1,
        "hut": 1,
    }


@pytest.mark.rule("AE-SCEN-08", "AE-OPEN-30")
def test_regolith() -> None:
    five, six = played("regolith"), played("regolith:six")
    assert (six.size, six.turns, six.dust, six.unit_share, six.sides) == ((24000, 18000), 5, True, 50, ())
    assert [zone.outline for zone in six.zones] == [
        box(24, 0, 60, 12),
        box(156, 0, 60, 12),
        box(228, 60, 12, 60),
        box(156, 168, 60, 12),
        box(24, 168, 60, 12),
        box(0, 60, 12, 60),
    ]
    assert five.zones == six.zones[:5]
    assert laid("regolith") == {"woods": 7, "low_wall": 6, "hill": 4, "broken": 4, "rubble": 4}
    assert [(one.at, one.each) for one in six.objectives] == [
        ((12000, 9000), 3),
        ((5400, 5400), 2),
        ((12000, 3600), 2),
        ((18600, 5400), 2),
        ((18600, 12600), 2),
        ((12000, 14400), 2),
        ((5400, 12600), 2),
    ]
    assert list(ground("regolith").values()) == [
        box(100, 50, 14, 14),
        box(126, 116, 14, 14),
        box(60, 112, 12, 12),
        box(168, 56, 12, 12),
    ]


@pytest.mark.rule("AE-GEN-07")
def test_options_are_on_or_off_as_the_ledger_has_them() -> None:
    assert {option.key: option.default for option in OPTIONS} == {
        "overwatch": True,
        "support": True,
        "air": True,
        "fires": True,
        "sarge": True,
        "prisoners": False,
        "casualties": False,
        "repairs": False,
    }
    assert all({option.name.k, option.hint.k} <= ENGLISH.keys() for option in OPTIONS)
    assert resolved("three_flags").options == Options()
    assert resolved("three_flags", options={"overwatch": False, "repairs": True}).options == Options(
        overwatch=False, repairs=True
    )


@pytest.mark.rule("AE-GEN-07")
def test_an_option_that_is_off_takes_with_it_what_only_it_uses() -> None:
    powers = set(resolved("three_flags").powers)
    assert powers - set(resolved("three_flags", options={"overwatch": False}).powers) == {"foresight"}
    without = resolved("meeting_engagement", "western_alliance", "", options={"support": False})
    assert powers - set(without.powers) == {"far_voice"}
    assert (without.cards, without.forces[0].cards) == ({}, ())
    assert without.forces[0].points == 944 - 75
    bare = EarthLine("WA-07"), EarthLine("WA-01", 2)
    more = EarthLine("FS-3"), EarthLine("WA-V1", 1, (6,)), EarthLine("WA-V1"), EarthLine("WA-04")
    refused = [refused_without_support(*bare, line) for line in more]
    assert refused == ["ae.setup.cards", "ae.setup.cards", "", ""]


def refused_without_support(*lines: EarthLine) -> str:
    """Return why a list may not be brought to a table without fire support, "" where it may."""
    code = encode(LISTS, content().book, ArmyList("western_alliance", 1, 1000, lines))
    try:
        resolved("meeting_engagement", lists=(code, ""), options={"support": False})
    except SetupRefused as refused:
        return refused.text.k
    return ""


def test_each_seat_brings_its_list() -> None:
    code = LISTS.build(content(), "chicom", 1000, 3)
    match = resolved("meeting_engagement", lists=(code, ""))
    assert match.forces[0].faction == "chicom"
    assert match.forces[0].points == LISTS.read(content(), code).points


@pytest.mark.parametrize(
    ("scenario", "factions", "lists", "key"),
    [
        ("nowhere", ("", ""), (), "ae.setup.no-scenario"),
        ("loophole", ("", "", ""), (), "ae.setup.seats"),
        ("three_flags", ("mars", "", ""), (), "ae.setup.no-army"),
        ("three_flags", ("", "", ""), ("x", "", ""), "ae.list.no-code"),
    ],
)
def test_what_cannot_be_played_is_refused(
    scenario: str, factions: tuple[str, ...], lists: tuple[str, ...], key: str
) -> None:
    with pytest.raises(SetupRefused) as refused:
        files.setup(content(), Setup(scenario, factions, lists))
    assert refused.value.text.k == key
    assert key in ENGLISH


def test_a_seat_plays_what_the_scenario_gives_it() -> None:
    for chosen in (("", ""), ("compound_1", "clearing_1"), ("mars", "mars")):
        assert [force.faction for force in resolved("loophole", *chosen).forces] == ["future_corp", "jihad_pact"]
    city = resolved("city_of_the_brotherhood", "city_1", "chicom", "", "", "western_alliance")
    assert [force.faction for force in city.forces] == [
        "western_alliance",
        "chicom",
        "future_corp",
        "brotherhood",
        "brotherhood",
    ]


def test_a_list_of_more_points_than_the_seat_has_is_refused() -> None:
    code = LISTS.build(content(), "chicom", 500, 3)
    with pytest.raises(SetupRefused, match="points"):
        resolved("three_flags", lists=(code, "", ""))


def test_a_match_carries_every_table_that_its_forces_name() -> None:
    match: Resolved = resolved("regolith:six")
    for force in match.forces:
        for unit in force.units:
            figures = getattr(unit, "figures", ())
            assert {id for figure in figures for id in figure.weapons} <= match.weapons.keys()
            assert {id for figure in figures for id in figure.abilities} <= match.abilities.keys()
    assert {lot.kind for lot in match.scenario.lots} <= match.terrain.keys()
    assert match.classes.keys() == {"wheeled", "tracked", "skimmer", "walker"}
    assert {row[0] for one in match.classes.values() for row in [one.front]} <= match.codes.keys()


def test_everything_has_its_words() -> None:
    book, worth = content().book, content().book.worth
    tables = (worth.weapons, worth.abilities, worth.traits, book.classes, book.damage, book.cards, book.powers)
    named = [one for table in tables for one in table.values()] + list(content().terrain.values())
    keys = {one.name for one in named} | {text for one in named if (text := getattr(one, "text", ""))}
    for form in content().forms.values():
        ids = [one.id for one in form.scenario.objectives] + [one.id for one in form.scenario.prizes]
        keys |= {f"ae.prize.{id}" for id in ids}
        keys |= {form.scenario.name, form.scenario.about} | {force.name for own in form.given for force in own}
    assert keys <= ENGLISH.keys()
    written = {key for key in ENGLISH if key.startswith(("ae.weapon.", "ae.ability.", "ae.power.", "ae.force."))}
    landing = {"ae.weapon.boom", "ae.weapon.bomb", *[f"ae.weapon.{id}" for id in (*book.cards, *book.powers)]}
    assert written <= keys | landing, "words of what is not there"
