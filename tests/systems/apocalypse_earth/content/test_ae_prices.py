"""Prices of units, vehicles and options: sums of what they have, at the rate of their faction (AE-OPEN-06, -08)."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.content import content as files
from engine.rulesets.apocalypse_earth.content.armies import fitted, option_price, options_for, unit_of
from engine.rulesets.apocalypse_earth.content.prices import Worth
from engine.rulesets.apocalypse_earth.state.profiles import Armour, UnitProfile, VehicleProfile
from tests.support.systems.ae_shipped import DATA, content, faction, texts, unit, unit_entry, vehicle

RATES: Final = {"WA": 100, "HA": 120, "CC": 120, "JP": 118, "LC": 89, "FC": 94, "BR": 68}
"""Percent of the sums that each faction pays."""


@pytest.mark.rule("AE-OPEN-06")
def test_the_sums_are_those_of_the_examples() -> None:
    team = unit("WA-02")
    assert [figure.points for figure in team.figures] == [12, 10, 10, 13]
    assert team.points == 45
    assert vehicle("WA-V1").points == (11 + 10 + 9 + 8) // 2 + 36 // 4 + 4 + 6 + 14 + 6


def sums_of(profile: UnitProfile) -> list[int]:
    """Add up what the body and the gear of each figure cost."""
    worth = content().book.worth
    more = max(profile.ccr - 2, 0) + (profile.armour + 1) // 2 + (max(profile.move - 1200, 0) + 199) // 200
    gear = [[worth.weapons[id].price for id in figure.weapons] for figure in profile.figures]
    gifts = [[worth.abilities[id].price for id in figure.abilities] for figure in profile.figures]
    return [
        worth.figure[profile.experience] + more + sum((*one, *other)) for one, other in zip(gear, gifts, strict=True)
    ]


def rounded(points: int, rate: int) -> int:
    """Return so many percent of a sum, halves up."""
    return (2 * points * rate + 100) // 200


@pytest.mark.rule("AE-OPEN-06", "AE-OPEN-08")
def test_every_price_follows_from_the_sums_and_the_rate_of_its_faction() -> None:
    worth = content().book.worth
    assert dict(worth.figure) == {"green": 4, "experienced": 5, "veteran": 8}
    assert dict(worth.crew) == {"green": 0, "experienced": 6, "veteran": 12}
    for page in content().book.factions.values():
        rate = RATES[page.code]
        for one in page.units.values():
            found = sums_of(one)
            assert one.points == rounded(sum(found), rate)
            assert [figure.points for figure in one.figures] == [points * rate // 100 for points in found]
        for v in page.vehicles.values():
            assert v.points == rounded(worth.of_vehicle(v), rate)


@pytest.mark.rule("AE-OPEN-08")
def test_each_page_has_its_own_rate() -> None:
    """Each with one unit more: a man who carries three guns of tanks, so that one percent is a point."""
    pages = {page.id: page for page in content().book.factions.values()}
    more = {
        f"armies/{page.id}.toml": f"""[[page.unit]]
id = "{page.code}-99"
name = "Giant"
role = "specialists"
experience = "veteran"
ccr = 2
move = 12
figures = ["1 giant (TG120, TG120, TG120)"]
points = {rounded(122, RATES[page.code])}

[motor_pool]"""
        for page in pages.values()
    }
    shipped = texts()
    book = files.read({**shipped, **{at: shipped[at].replace("[motor_pool]", one) for at, one in more.items()}}).book
    giants = {page.code: page.units[f"{page.code}-99"] for page in book.factions.values()}
    assert {code: one.figures[0].points for code, one in giants.items()} == {
        code: 122 * rate // 100 for code, rate in RATES.items()
    }


@pytest.mark.rule("AE-OPEN-08")
def test_a_faction_pays_its_whole_sums_where_its_page_says_no_rate() -> None:
    assert "\nrate" not in texts()["armies/western_alliance.toml"]
    for one in faction("WA").units.values():
        assert sum(figure.points for figure in one.figures) == sum(sums_of(one)) == one.points


@pytest.mark.rule("AE-OPEN-08")
@pytest.mark.parametrize(
    ("rate", "unit", "each"),
    [(100, 30, 5), (90, 27, 4), (50, 15, 2), (65, 20, 3), (119, 36, 5), (120, 36, 6), (200, 60, 10)],
)
def test_a_unit_is_rounded_as_a_whole_and_its_figures_down(rate: int, unit: int, each: int) -> None:
    entry, own = unit_entry(), content().book.worth._replace(rate=rate)
    assert own.of_unit(entry) == unit
    assert {figure.points for figure in unit_of(entry, own).figures} == {each}


@pytest.mark.rule("AE-OPEN-08")
@pytest.mark.parametrize(("rate", "points"), [(100, 43), (65, 28), (50, 22), (51, 22), (119, 51), (200, 86)])
def test_a_vehicle_pays_the_rate_of_its_sum_halves_up(rate: int, points: int) -> None:
    truck = vehicle("CC-V1")
    assert content().book.worth._replace(rate=rate).of_vehicle(truck) == points
    assert (truck.points, RATES["CC"]) == (52, 120)


@pytest.mark.rule("AE-OPEN-06")
@pytest.mark.parametrize(
    ("ccr", "move", "armour", "points"),
    [
        (2, "12", 0, 5),
        (1, "6", 0, 5),
        (4, "12", 0, 7),
        (2, "12.01", 0, 6),
        (2, "14", 0, 6),
        (2, "14.01", 0, 7),
        (2, "16", 1, 8),
        (2, "12", 9, 10),
    ],
)
def test_a_figure_pays_for_more_than_is_usual(ccr: int, move: str, armour: int, points: int) -> None:
    bare = Worth({}, {}, {}, {"experienced": 5}, {"green": 0})
    entry = unit_entry(experience="experienced", ccr=ccr, move=Decimal(move), armour=armour)
    assert bare.of_figure(entry, ()) == points


@pytest.mark.rule("AE-OPEN-06")
@pytest.mark.parametrize(
    ("armour", "move", "places", "points"),
    [((7, 7, 7, 6), 3600, 20, 43), ((7, 7, 7, 7), 3700, 0, 24), ((8, 7, 7, 7), 0, 0, 15)],
)
def test_a_hull_costs_half_its_armour_a_quarter_of_its_speed_and_its_places(
    armour: tuple[int, int, int, int], move: int, places: int, points: int
) -> None:
    bare = Worth({}, {}, {}, {}, {"green": 0})
    hull = replace(vehicle("WA-V1"), experience="green", armour=Armour(*armour), move=move, places=places)
    assert bare.of_vehicle(replace(hull, weapons=(), traits=())) == points


@pytest.mark.rule("AE-OPEN-06")
def test_options_cost_the_difference() -> None:
    book = content().book
    assert {number: option_price(book, row) for number, row in book.options.items()} == {
        1: 4,
        2: 1,
        3: 1,
        4: 1,
        5: 12,
        6: 12,
        7: 3,
    }
    squad = fitted(book, unit("WA-01"), (1, 2, 4))
    assert (squad.refused, squad.profile.points) == ((), 98 + 4 + 1 + 1)
    assert isinstance(squad.profile, UnitProfile)
    assert [figure.weapons for figure in squad.profile.figures[4:9]] == [
        ("ar", "fr"),
        ("fr", "mr"),
        ("ar", "fr", "ugl"),
        ("lmg", "fr"),
        ("lmg", "fr", "sm"),
    ]
    tank = fitted(book, vehicle("HA-V3"), (6, 7)).profile
    assert isinstance(tank, VehicleProfile)
    assert (tank.traits, tank.points) == (("heavy", "command", "smoke"), 131 + 15)


@pytest.mark.rule("AE-OPEN-06")
def test_options_are_for_some_units_and_once_only() -> None:
    book = content().book
    may = {id: [row.number for row in options_for(book, unit(id))] for id in ("WA-01", "WA-05", "WA-07", "FC-01")}
    assert may == {"WA-01": [1, 2, 4], "WA-05": [3, 4], "WA-07": [4, 5], "FC-01": [4]}
    assert [row.number for row in options_for(book, vehicle("WA-V2"))] == [6]
    assert fitted(book, unit("WA-01"), (1, 1)).refused == (1,)
    assert fitted(book, unit("WA-01"), (5, 9)).refused == (5, 9)
    assert fitted(book, vehicle("WA-V1"), (1,)).refused == (1,)
    alone = fitted(book, unit("BR-04"), (3, 4))
    assert alone.refused == (4,), "each figure takes one option at most"


def test_the_rulings_tell_the_rates() -> None:
    told = " ".join(DATA.with_name("RULINGS.md").read_text("utf-8").split())
    assert [code for code, rate in RATES.items() if f"{code} {rate}" not in told] == []
