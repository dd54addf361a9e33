"""People of a quick match bring the best list of theirs that fits, else a ready one; bots have the other seats."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.army_lists import lists_of
from server.content.systems import find_systems, load
from server.lobby.finding.line_up import FoundPlayer, line_up

[ONE_PAGE] = load(find_systems(["one_page"]).values()).values()
SCENARIO = next(one for one in ONE_PAGE.scenarios.values() if one.points == 3000 and one.seats == 2)


def test_the_best_list_that_fits_is_brought_and_one_is_drawn_for_who_has_none() -> None:
    lists = lists_of(ONE_PAGE.system)
    assert lists is not None
    faction, points = SCENARIO.factions[0].id, SCENARIO.points
    drawn = [lists.read(ONE_PAGE.content, lists.build(ONE_PAGE.content, faction, points, seed)) for seed in range(9)]
    whole, small = max(drawn, key=lambda one: one.points), min(drawn, key=lambda one: one.points)
    large = lists.read(ONE_PAGE.content, lists.build(ONE_PAGE.content, faction, 2 * points, 3))
    assert small.points < whole.points <= points < large.points
    players = [FoundPlayer("a", "Ann", (large, small, whole)), FoundPlayer("b", "Ann")]
    ann, other = line_up(ONE_PAGE, SCENARIO, players, 24)
    assert ann.army is not None
    assert (ann.army.code, ann.faction, ann.name) == (whole.code, faction, "Ann")
    assert other.army is not None
    assert 0 < other.army.points <= points
    assert other.name != "Ann"
    [_, bot] = line_up(ONE_PAGE, SCENARIO, players[:1], 24)
    assert (bot.bot, bot.ready, bot.who) == ("level2", True, "")
    assert replace(bot, seed=0).army is None


def test_each_brings_the_best_list_that_fits_their_seat() -> None:
    lists = lists_of(ONE_PAGE.system)
    assert lists is not None
    faction = SCENARIO.factions[0].id
    large = lists.read(ONE_PAGE.content, lists.build(ONE_PAGE.content, faction, 6000, 3))
    players = [FoundPlayer("a", "Ann", (large,)), FoundPlayer("b", "Ben", (large,))]
    ann, ben = line_up(ONE_PAGE, SCENARIO._replace(points=6000, seat_points=(3000, 6000)), players, 24)
    assert ann.army is not None
    assert ann.army.points <= 3000
    assert ben.army is not None
    assert ben.army.code == large.code
