"""The page about the balance of a game of sides, and the greatest blow of a match."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from protocol.scene.nodes import Reply
from server.cli.simulation import balance, sides_report, simulate
from server.cli.simulation.balance import BalancePlan
from server.cli.simulation.balance_figures import PlayedMatch, Share
from server.cli.simulation.balance_report import PageSource
from server.cli.simulation.blows import Blows
from tests.support.systems.ae_battle import battle, row, squad
from tests.support.systems.ae_bots import MATCH, Table

pytestmark = pytest.mark.waits

INSTALLED = simulate.installed("apocalypse_earth")
MADE = PageSource("Eschaton 1.0", "level2", "level3", 1)
WA, CC = "western_alliance", "chicom"


def match(form: str, winners: tuple[int, ...], number: int = 0, **more: Any) -> PlayedMatch:
    seats = INSTALLED.scenarios[form].seats
    plain: dict[str, Any] = {"order": (), "why": "", "rows": 6, "finished": True, "verified": True}
    plain |= {"decided": (9,) * seats, "out": (0,) * seats, "factions": (WA, WA, CC, CC)[:seats]}
    return PlayedMatch(scenario=form, own=False, number=number, form=form, winners=winners, **{**plain, **more})


def test_sides_factions_and_the_first_to_act_are_counted_in_decided_matches() -> None:
    form = "meeting_engagement:four"
    played = [match(form, (0, 1), first=0), match(form, (2, 3), first=1), match(form, (0, 1), first=3), match(form, ())]
    shares = sides_report.by_side(INSTALLED, played)
    assert shares == {"side 1": Share(2, 3), "side 2": Share(1, 3), "first": Share(1, 3)}
    assert sides_report.by_faction(INSTALLED, played) == {CC: Share(1, 3), WA: Share(2, 3)}
    mirror = match(form, (0, 1), factions=(WA,) * 4)
    assert sides_report.by_faction(INSTALLED, [mirror]) == {}


def test_where_each_is_alone_zones_are_counted() -> None:
    zones = ("7500,600", "600,10500", "14400,10500")
    played = [match("three_flags", (1,), zones=zones), match("three_flags", (0, 2), zones=zones[::-1])]
    assert sides_report.by_zone(played) == {zones[0]: Share(1, 2), zones[1]: Share(1, 2), zones[2]: Share(1, 2)}


def played(alone: int | None, *, sides: bool = True, scenario: str = "") -> Counter[str]:
    """Count the matches of each scenario and form that a plan plays."""
    plan = BalancePlan("apocalypse_earth", 2, 1, 0, 1, "level2", scenario=scenario, sides=sides, alone=alone)
    return Counter(task.scenario for task in balance.tasks_of(INSTALLED, plan, MADE))


def test_each_scenario_is_played_once_at_each_number_of_seats_and_alone_as_often_as_is_said() -> None:
    found = played(0)
    assert (found["loophole"], found["loophole:three"], found["the_hummvees:drivers"]) == (2, 1, 1)
    assert (found["three_flags"], found["regolith:six"]) == (0, 0)
    assert found["the_hummvees:gunners"] == 1, "other sides of as many seats"
    assert not found.keys() & {"meeting_engagement:small", "meeting_engagement:company"}, "other sizes alone"
    assert "first_contact" not in found, "the table of a lesson"
    every = played(None, sides=False)
    assert (every["three_flags"], every["three_flags:four"], every["meeting_engagement:small"]) == (2, 1, 1)
    assert played(None, scenario="meeting_engagement:small") == {"meeting_engagement:small": 1}


def test_the_page_says_which_aims_are_not_met_and_names_the_greatest_blows() -> None:
    four, flags = "meeting_engagement:four", "three_flags"
    zones = ("7500,600", "600,10500", "14400,10500")
    won = [match(four, (0, 1), n, first=0, blow=0.2) for n in range(30)]
    blown = [match(four, (2, 3), n, first=2, blow=0.5, blow_by="charge") for n in range(30, 41)]
    alone = [match(flags, (1,), n, zones=zones) for n in range(30)]
    page = sides_report.report(INSTALLED, MADE, [*won, *blown, *alone], "\n## What was tried\n\nThis.\n")
    assert "| Western Alliance | **73% (58% to 84%) of 41** |" not in page  # 58 % lies within the aim
    assert "| Western Alliance | 73% (58% to 84%) of 41 |" in page
    assert "- Not met: every side of a scenario, and the side that acts first," in page
    assert "meeting_engagement:four, first 100%" in page
    assert (
        "- Not met: where each is for themselves no zone wins more than 1.6 times its share: three_flags, 600,10500"
        in page
    )
    assert "| `three_flags` | 30 | (6, 105) | 100% (89% to 100%) of 30 | 3.00 |" in page
    assert "One act took more than a third of another side's points in 15% (9% to 26%) of 71 matches." in page
    assert "| charge | 50% | `meeting_engagement:four` 30 |" in page
    assert "- Met: in at most 10% of matches one act takes more than a third" in page
    assert page.endswith("## What was tried\n\nThis.\n")


def test_the_greatest_blow_is_the_act_that_took_most_of_another_side() -> None:
    near, far = squad(*row(4, 50, 60), points=80), squad((150, 110), points=20)
    state = battle([squad(*row(9, 40, 50), weapons=("mg",), roles={})], [near, far])
    system = Table(state)
    blows = Blows(system)
    play = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)), lambda step, frames: blows.told(step))
    play.begin(Start(MATCH, 2, b""))
    play.submit(Seat(0), Reply("fire", {"unit": ["group/0.1"], "target": ["group/1.1"]}))
    lost = 100 - system.forces(play.match.state)[1]
    assert lost >= 20
    assert blows.greatest == (lost / 100, "fire")
