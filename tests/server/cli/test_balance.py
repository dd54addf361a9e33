"""The report on balance: matches verified and kept, counts with their intervals, aims met or not."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from engine.core.rules.errors import RuleBug
from engine.core.rules.system import ScenarioInfo
from server.cli.simulation import balance, simulate
from server.cli.simulation.balance import BalancePlan
from server.cli.simulation.balance_figures import (
    PlayedMatch,
    Share,
    busy,
    factions,
    median,
    pairs,
    places,
    ratio,
    seats,
    watching,
)
from server.cli.simulation.balance_report import TRIED, UNTRIED, PageSource, report, tried
from server.content.systems import Installed, install
from server.runtime.errors import CommandError
from server.runtime.version import made_by, program_version
from tests.support.systems.duel import TOML, Duel

pytestmark = pytest.mark.waits

INSTALLED = install(Duel(), {"duel.toml": TOML})
PLAN = BalancePlan("duel", 2, 0, 1, 1, "random")
MADE = PageSource("Eschaton 1.0", "random", "hard", 1)


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Install the duel in place of the installed systems."""
    monkeypatch.setattr(simulate, "installed", lambda name, content: INSTALLED)
    return INSTALLED


def match(number: int, winners: tuple[int, ...], **more: Any) -> PlayedMatch:
    plain = {"order": (1, 0), "why": "ending.clock", "rows": 9, "finished": True, "verified": True}
    plain |= {"decided": (30, 30), "out": (0, 0)}
    plain |= {"factions": ("amber", "birch")}
    return PlayedMatch(scenario="two", own=True, number=number, winners=winners, **{**plain, **more})


def test_matches_are_played_verified_and_written_up(duel: Installed, tmp_path: Path) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    assert balance.run(PLAN, page, kept, 1) == 0
    matches = 3 * len(duel.scenarios)
    assert f"{matches} ended by the rules, {matches} came out the same" in page.read_text()
    assert len(kept.read_text().splitlines()) == matches


def test_the_page_says_what_it_was_made_of(duel: Installed, tmp_path: Path) -> None:
    page = tmp_path / "balance.md"
    balance.run(PLAN, page, tmp_path / "kept.jsonl", 1, lambda: "Eschaton 1.0, commit abc")
    command = f"eschaton-server simulate --system duel --report balance.md --matches {PLAN.own} "
    assert f"Made by `{command}" in page.read_text()
    assert "` of Eschaton 1.0, commit abc: " in page.read_text()
    assert made_by().startswith(f"Eschaton {program_version()}, ")


def test_one_scenario_alone_can_be_reported_on(duel: Installed, tmp_path: Path) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    assert len(duel.scenarios) > 1
    balance.run(PLAN._replace(scenario="two"), page, kept, 1)
    assert len(kept.read_text().splitlines()) == 3
    assert " --scenario two" in page.read_text()
    with pytest.raises(CommandError, match="There is no scenario 'none'"):
        balance.run(PLAN._replace(scenario="none"), page, kept, 1)


def test_a_match_that_raises_is_told_and_played_again(
    duel: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    real = simulate.play

    def broken(installed: Installed, info: ScenarioInfo, *rest: Any) -> simulate.Outcome:
        if info.id == "two":
            raise RuleBug("no dice")
        return real(installed, info, *rest)

    monkeypatch.setattr(simulate, "play", broken)
    assert balance.run(PLAN, page, kept, 1) == 1
    assert "RuleBug: no dice" in capsys.readouterr().err
    assert "- Not met: every match ends by the rules" in page.read_text()
    monkeypatch.undo()
    monkeypatch.setattr(simulate, "installed", lambda name, content: INSTALLED)
    assert balance.run(PLAN, page, kept, 1) == 0


def test_matches_of_other_code_are_played_again(
    duel: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    balance.run(PLAN, page, kept, 1)
    once = len(kept.read_text().splitlines())
    monkeypatch.setattr(balance, "_code", lambda installed: b"another rule")
    balance.run(PLAN, page, kept, 1)
    assert len(kept.read_text().splitlines()) == 2 * once


def test_what_was_tried_is_kept_of_the_page_before() -> None:
    page = report(INSTALLED, MADE, [match(0, (0,))])
    assert tried(page) == UNTRIED
    written = page.replace(UNTRIED, "Shorter roads.\n\n- No use.")
    again = report(INSTALLED, MADE, [match(0, (1,))], written)
    assert again.endswith(f"{TRIED}\n\nShorter roads.\n\n- No use.\n")


def test_the_best_bots_have_a_table_and_a_column_of_their_own() -> None:
    page = report(INSTALLED, MADE, [match(0, (0,)), match(0, (0, 1), best=True)])
    assert "## Best bots: hard" in page
    assert "| 2 | 1 | 2.0 | 9 (9 to 9) | 100% (21% to 100%) | 20 (20 to 20) |" in page


def test_a_run_goes_on_where_it_was_stopped(duel: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    balance.run(PLAN, page, kept, 1)
    whole = page.read_text()
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join([*lines[1:], '{"key": "cut sho']))
    played: list[int] = []
    real = balance.play

    def noted(task: balance.BalanceTask) -> dict[str, Any]:
        played.append(task.number)
        return real(task)

    monkeypatch.setattr(balance, "play", noted)
    balance.run(PLAN, page, kept, 1)
    balance.run(PLAN, page, kept, 1)
    assert (len(played), page.read_text()) == (1, whole)
    balance.run(PLAN._replace(seed=2), page, kept, 1)
    assert len(played) == 1 + len(lines)  # other dice are other matches


def test_a_match_that_does_not_verify_is_told(duel: Installed, tmp_path: Path, capsys: Any) -> None:
    page, kept = tmp_path / "balance.md", tmp_path / "kept.jsonl"
    balance.run(PLAN, page, kept, 1)
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    lines[0]["match"]["verified"] = False
    kept.write_text("\n".join(map(json.dumps, lines)))
    assert balance.run(PLAN, page, kept, 1) == 1
    assert "does not verify" in capsys.readouterr().err
    assert "- Not met: every match ends by the rules" in page.read_text()


def test_shares_stand_with_wilsons_interval() -> None:
    low, high = Share(5, 10).interval
    assert (round(low, 3), round(high, 3)) == (0.237, 0.763)
    assert Share(0, 0).interval == (0.0, 1.0)
    assert str(Share(1, 4)) == "25% (5% to 70%)"


def test_chances_by_faction_seat_and_place() -> None:
    played = [match(0, (0,)), match(1, (0, 1)), match(2, ())]
    assert factions(played) == {"amber": Share(2, 3), "birch": Share(1, 3)}
    assert seats(played) == {0: Share(2, 3), 1: Share(1, 3)}
    assert places(played) == {0: Share(1, 3), 1: Share(2, 3)}


def test_in_a_game_for_two_the_page_says_who_beat_whom_and_leaves_out_cards_that_there_are_not() -> None:
    played = [match(0, (0,), cards=0), match(1, (0,), cards=0), match(2, (1,), cards=0)]
    assert pairs(played) == {("amber", "birch"): Share(2, 3), ("birch", "amber"): Share(1, 3)}
    page = report(INSTALLED, MADE, played)
    assert "2 of 3" in page
    assert "whose first card" not in page
    assert "whose first card" in report(INSTALLED, MADE, [match(0, (0,))])


def test_a_ratio_is_uneven_only_where_its_interval_says_so() -> None:
    assert ratio([Share(3, 4), Share(1, 4)])[1] < 1.3
    best, low, high = ratio([Share(90, 120), Share(30, 120)])
    assert low > 1.3
    assert low < best < high


def test_a_median_stands_with_the_interval_of_its_ranks() -> None:
    assert median([5]) == (5, 5, 5)
    middle, low, high = median(list(range(100)))
    assert (middle, low, high) == (49, 39, 60)


def test_an_aim_is_not_met_where_the_interval_excludes_it() -> None:
    played = [match(n, (0,), decided=(200, 200)) for n in range(60)]
    page = report(INSTALLED, MADE, played)
    assert page.count("- Not met") == 3
    assert page.count("- Met") == 1
    assert "| 2 | 0%" in page
    assert "100%" in page


def test_a_scenario_may_be_meant_to_take_longer() -> None:
    known = INSTALLED.scenarios["two"]
    slow = dataclasses.replace(INSTALLED, scenarios={"two": known._replace(minutes=150)})
    played = [match(n, (n % 2,), decided=(200, 200)) for n in range(60)]
    assert "- Not met: the median match asks 90 minutes" in report(INSTALLED, MADE, played)
    assert "- Met: the median match asks 90 minutes or less of people (150 in" in report(slow, MADE, played)


@pytest.mark.parametrize(("own", "others", "best"), [(0, 0, 0), (1, -1, 0), (1, 0, -1)])
def test_no_report_of_nothing(own: int, others: int, best: int) -> None:
    with pytest.raises(CommandError, match="how many matches"):
        balance.check_counts(own, others, best)


def six(number: int, out: int, busy: tuple[int, int] = (30, 30)) -> PlayedMatch:
    """Return a match of six in which the first seat is out while the others make so many decisions."""
    return match(number, (0, 1), factions=("amber", "birch") * 3, decided=busy * 3, out=(out, 0, 0, 0, 0, 0))


def test_who_is_out_for_a_quarter_of_an_hour_watches() -> None:
    """45 decisions of 20 seconds are 15 minutes."""
    assert watching([six(0, 44), six(1, 45), six(2, 90), six(3, 0)], 45) == Share(2, 4)
    assert busy([six(0, 0, (20, 40)), six(1, 0, (40, 40))]) == {"amber": 30, "birch": 40}


def test_at_a_table_of_six_nobody_watches_for_long_and_all_decide() -> None:
    met = report(INSTALLED, MADE, [six(n, 60 if n < 5 else 0) for n in range(60)])
    assert "- Met: in less than 15% of matches of 6 somebody is out for 15 minutes or more" in met
    assert "| all | 60 | 8% (4% to 18%) |" in met
    assert "- Met: in these no faction makes less than 60%" in met
    failed = report(INSTALLED, MADE, [six(n, 60 if n < 30 else 0, (10, 60)) for n in range(60)])
    assert "- Not met: in less than 15% of matches of 6 somebody is out for 15 minutes or more: 50%" in failed
    assert "- Not met: in these no faction makes less than 60% of the median faction's decisions: " in failed
    assert " 29%." in failed


def test_tables_of_others_have_no_such_aims() -> None:
    assert "matches of 6" not in report(INSTALLED, MADE, [match(0, (0,))])
