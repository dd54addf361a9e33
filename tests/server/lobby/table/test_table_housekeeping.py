"""Table housekeeping: votes, pauses, bots that stand in, owners that pass on. Real sockets, a clock that jumps."""

from pathlib import Path

import pytest

from protocol.ids import match_of
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import ClockWarning, Problem
from server.lobby import table_housekeeping
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import until
from tests.support.clients.wire import running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.logs import table_notes
from tests.support.servers.seats import all_see, call, cast, health, jump, seen, three_players
from tests.support.systems.duel import Duel


async def test_a_pause_by_majority_stops_acts_and_clocks_until_they_vote_to_go_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await call(ann, "pause")
        await all_see(lambda view: view.vote is not None and view.vote.yes == (0,), ann, ben, cleo)
        vote = seen(ben).vote
        assert vote is not None
        assert (vote.what, vote.by, vote.asked, vote.left) == ("pause", 0, (0, 1, 2), 45_000)
        await call(ben, "adjourn")
        assert await ben.problem() == "vote/open"
        await cast(ben, yes=True)
        await all_see(lambda view: view.rest == "paused" and view.vote is None, ann, ben, cleo)
        assert await ann.intend("focus") == "table/paused"
        await jump(run, 100, ann)
        assert seen(ann).clocks[0].left == -1
        await call(ben, "pause")
        assert await ben.problem() == "vote/paused"
        await call(cleo, "resume")
        await cast(ann, yes=True)
        await all_see(lambda view: not view.rest, ann, ben, cleo)
        await ann.until(lambda: seen(ann).clocks[0].left > 0)
        assert await ann.intend("focus") == ""


async def test_a_lost_vote_changes_nothing_and_its_caller_waits_before_the_next(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run, seconds=3600)
        await call(ann, "pause")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=False)
        await cast(cleo, yes=False)
        await all_see(lambda view: view.vote is None and not view.rest, ann, ben, cleo)
        await call(ann, "pause")
        assert await ann.problem() == "vote/rest"
        await jump(run, 60, ann)
        await call(ann, "pause")
        await ben.until(lambda: seen(ben).vote is not None)
        await jump(run, 45, ann)
        # nobody said no: those who were silent do not count
        await all_see(lambda view: view.rest == "paused", ann, ben, cleo)


async def test_spectators_and_tables_that_are_open_have_no_votes(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=seen(ann).id))
        await eve.arrived()
        await call(eve, "pause")
        assert await eve.problem() == "match/no-seat"
        await cast(ann, yes=True)
        assert await ann.problem() == "vote/none"
        await call(ann, "resume")
        assert await ann.problem() == "vote/not-paused"
        await call(ann, "bot", 0)
        assert await ann.problem() == "vote/seat"
        await call(ann, "bot", 1)
        assert await ann.problem() == "vote/present"
        dov = await run.client("Dov")
        await dov.create()
        await call(dov, "end")
        assert await dov.problem() == "vote/no-match"


async def test_the_others_are_asked_about_an_absent_one_and_he_has_his_seat_back_at_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await ann.close()
        await ben.until(lambda: seen(ben).seats[0].away >= 0)
        await jump(run, 29, ben)
        assert seen(ben).vote is None
        await jump(run, 1, ben)
        await all_see(lambda view: view.vote is not None and view.vote.what == "bot" and view.vote.seat == 0, ben, cleo)
        vote = seen(ben).vote
        assert vote is not None
        assert vote.asked == (1, 2)
        assert vote.by == -1
        await cast(ben, yes=True)
        await cast(cleo, yes=True)
        await all_see(lambda view: view.seats[0].bot == "hard" and view.seats[0].name == "Ann", ben, cleo)
        await ben.until(lambda: ben.offers("yes") or ben.offers("rest"))
        await ann.connect()
        await all_see(lambda view: view.seats[0].bot == "" and view.seats[0].connected, ann, ben, cleo)
        assert seen(ann).seat == 0
    notes = await table_notes(tmp_path, Duel())
    assert [note for note in notes if note[0] in ("bot", "person", "vote_called", "vote_cast", "vote_closed")] == [
        ("vote_called", -1, "bot 0"),
        ("vote_cast", 1, "yes"),
        ("vote_cast", 2, "yes"),
        ("vote_closed", -1, "bot 0 yes"),
        ("bot", 0, ""),
        ("person", 0, ""),
    ]


async def test_who_comes_back_during_the_vote_on_him_ends_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await ann.close()
        await ben.until(lambda: seen(ben).seats[0].away >= 0)
        await jump(run, 30, ben)
        await ben.until(lambda: seen(ben).vote is not None)
        await ann.connect()
        await all_see(lambda view: view.vote is None and not view.seats[0].bot, ann, ben, cleo)


async def test_defaults_in_a_row_ask_for_a_bot_and_the_sleeper_has_his_seat_back_when_he_acts(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, seconds=5, reaction_seconds=0)
        for _ in range(2):
            await ann.my_turn()
            run.clock.advance(5)
            await ben.my_turn()
            assert await ben.intend("rest") == ""
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await ben.until(lambda: seen(ben).seats[0].bot != "")
        assert seen(ben).seats[0].connected
        await ann.say(say.Chat(text="Sorry, I was in the kitchen"))
        await ben.until(lambda: seen(ben).seats[0].bot == "")


async def test_an_adjourned_table_sleeps_until_those_who_are_back_vote_to_go_on(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben, cleo = await three_players(run)
        await call(ann, "adjourn")
        await cast(ben, yes=True)
        await all_see(lambda view: view.rest == "adjourned", ann, ben, cleo)
        await ann.close()
        await cleo.close()
        await jump(run, 300, ben)
        assert seen(ben).vote is None
        assert seen(ben).owner == ann.talk.you
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben, cleo]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
        await all_see(lambda view: view.rest == "adjourned", ann, ben)
        row = next(row for row in ann.talk.lobby.tables if row.mine) if ann.talk.lobby is not None else None
        assert row is not None
        assert row.rest == "adjourned"
        assert await ann.intend("focus") == "table/paused"
        await call(ben, "resume")
        # Ben and Ann are here: half of them will do
        await all_see(lambda view: view.rest == "", ann, ben)
        assert await ann.intend("focus") == ""


async def test_who_stays_away_has_grace_anew_when_the_table_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run, seconds=3600)
        await call(ann, "adjourn")
        await cast(ben, yes=True)
        await all_see(lambda view: view.rest == "adjourned", ann, ben, cleo)
        await cleo.close()
        await jump(run, 300, ann)
        await call(ann, "resume")
        await cast(ben, yes=True)
        await all_see(lambda view: view.rest == "", ann, ben)
        await jump(run, 25, ann)
        assert seen(ann).vote is None
        await jump(run, 15, ann)
        await ann.until(lambda: seen(ann).vote is not None)
        vote = seen(ann).vote
        assert vote is not None
        assert (vote.what, vote.seat) == ("bot", 2)


async def test_an_open_vote_outlives_a_restart_and_has_its_full_time_again(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben, cleo = await three_players(run)
        await call(ann, "pause")
        await cleo.until(lambda: seen(cleo).vote is not None)
        clock.advance(40)
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben, cleo]
        for client in (ann, ben, cleo):
            client.port = run.port
            await client.connect()
        await all_see(lambda view: view.vote is not None and view.vote.yes == (0,), ann, ben, cleo)
        vote = seen(ben).vote
        assert vote is not None
        assert vote.left > 40_000
        await cast(cleo, yes=True)
        await all_see(lambda view: view.rest == "paused", ann, ben, cleo)


async def test_the_people_end_a_match_and_its_secrets_are_opened(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await call(cleo, "end")
        await ben.close()
        await ann.until(lambda: seen(ann).vote is not None)
        await jump(run, 46, ann)
        await ann.until(lambda: (vote := seen(ann).vote) is None or vote.what != "end")
        assert seen(ann).state == "live"
        await ben.connect()
        await jump(run, 20, ann)
        await ann.until(lambda: seen(ann).vote is None)
        await call(ann, "end")
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished" and view.replay, ann, ben, cleo)
        result = seen(ann).result
        assert result is not None
        assert result.k == "result.ended"
        assert await ann.intend("focus") == "match/over"
        table = seen(ann).id
    replay = (tmp_path / "replays" / f"{table}.replay").read_bytes()
    assert len(replay) > 1000
    assert ("ended", -1, "") in await table_notes(tmp_path, Duel())
    async with running(tmp_path) as run:
        run.clients.append(ann)
        ann.port = run.port
        await ann.connect()
        await ann.until(lambda: ann.talk.scene is not None and ann.talk.scene.is_whole)
        assert seen(ann).state == "finished"
        assert seen(ann).result is not None


async def test_the_table_passes_on_two_minutes_after_its_owner_has_gone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create("three"))
        await ann.close()
        await ben.until(lambda: not seen(ben).seats[0].connected)
        await jump(run, 119, ben)
        assert seen(ben).owner == ann.talk.you
        await jump(run, 2, ben)
        await ben.until(lambda: seen(ben).owner == ben.talk.you)
        await ann.connect()
        await ann.until(lambda: seen(ann).owner == ben.talk.you)
        assert seen(ann).seat == 0


async def test_a_late_person_takes_a_bots_seat_where_the_table_lets_him(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ben.say(say.LeaveTable())
        await ann.until(lambda: seen(ann).seats[1].bot != "")
        cleo = await run.client("Cleo")
        row = cleo.talk.lobby.tables[0] if cleo.talk.lobby is not None else None
        assert row is not None
        assert row.bots == 1
        await cleo.say(say.JoinTable(table=seen(ann).id, seat=1))
        await cleo.arrived()
        assert seen(cleo).seat == 1
        assert seen(cleo).seats[1].name == "Cleo"
        assert not seen(cleo).seats[1].bot
        await ann.intend("rest")
        await cleo.my_turn()
        assert await cleo.intend("focus") == ""
        await ben.say(say.JoinTable(code=seen(ann).code))
        assert await ben.problem() == "table/no-bot-seat"


async def test_who_concedes_watches_on_and_may_take_only_his_own_seat_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await ann.say(say.Concede())
        await ann.until(lambda: seen(ann).seat == -1)
        await ben.until(lambda: seen(ben).seats[0].bot == "hard" and seen(ben).owner == ben.talk.you)
        await cleo.say(say.Concede())
        await cleo.until(lambda: seen(cleo).seat == -1)
        await ann.say(say.JoinTable(table=seen(ann).id, seat=2))
        assert await ann.problem() == "table/no-bot-seat"
        await ann.say(say.JoinTable(table=seen(ann).id))
        await ann.until(lambda: seen(ann).seat == 0)


async def test_the_figures_of_who_concedes_leave_when_nothing_waits_also_after_a_restart(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben, cleo = await three_players(run)
        await ann.intend("parley")
        await cleo.my_turn("yes")
        await ben.say(say.Concede(figures=True))
        await ben.until(lambda: seen(ben).seat == -1)
        assert health(cleo, 1) == 10
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben, cleo]
        for client in (ann, cleo):
            client.port = run.port
            await client.connect()
        await ann.my_turn("yes")
        assert health(cleo, 1) == 10
        await jump(run, 11, ann)
        await cleo.until(lambda: health(cleo, 1) <= 1)
        assert seen(cleo).seats[1].bot == "hard"


async def test_a_bank_is_drawn_on_after_the_decisions_own_time_and_outlives_a_restart(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await two_players(run, seconds=20, bank=30)
        await ann.until(lambda: seen(ann).clocks != ())
        assert (seen(ann).clocks[0].left, seen(ann).clocks[0].bank) == (50_000, 30_000)
        clock.advance(32)
        assert await ann.intend("focus") == ""
        await ann.until(lambda: seen(ann).clocks[0].bank == 18_000)
        assert seen(ann).clocks[0].left == 38_000
        await ben.until(lambda: seen(ben).seats[0].bank == 18_000 and seen(ben).seats[1].bank == 30_000)
    assert ("bank", 0, "18000") in await table_notes(tmp_path, Duel())
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben]
        ann.port = run.port
        await ann.connect()
        await ann.my_turn()
        await ann.until(lambda: seen(ann).clocks != () and seen(ann).clocks[0].left == 38_000)
        clock.advance(28)
        warning = await ann.hear(ClockWarning)
        assert warning.seats == (0,)
        assert warning.left == 10_000


async def test_play_by_mail_has_no_clock(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, mail=True, bank=600)
        await ben.close()
        await ann.until(lambda: seen(ann).clocks != ())
        assert seen(ann).clocks[0].left == -1
        assert seen(ann).seats[0].bank == -1
        await jump(run, 400, ann)
        assert seen(ann).vote is None
        assert ann.offers("rest")
        await ann.intend("strike", target=["seat/1"])
        await jump(run, 400, ann)
        await ben.connect()
        await ben.my_turn("yes")
        assert await ben.intend("no") == ""
        await jump(run, 4, ann)
        await ben.my_turn("strike")


@pytest.mark.parametrize("days", [6, 8])
async def test_finished_tables_are_shown_to_others_for_a_week(tmp_path: Path, days: int) -> None:
    async with running(tmp_path, limits=Limits(handshakes_per_second=1000, sockets_per_address=1000)) as run:
        ann, ben = await two_players(run)
        await call(ann, "end")
        await cast(ben, yes=True)
        await ann.until(lambda: seen(ann).state == "finished")
        await ann.close()
        await ben.close()
        run.clock.advance(days * 24 * 3600)
        eve = await run.client("Eve")
        assert eve.talk.lobby is not None
        assert len(eve.talk.lobby.tables) == (1 if days < 7 else 0)
        await ann.connect()
        assert ann.talk.lobby is not None
        assert len(ann.talk.lobby.tables) == 1


async def test_round_trips_are_measured_and_shown(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ben.until(lambda: seen(ben).seats[0].trip >= 0)
        assert seen(ben).seats[0].trip < 1000
        assert seen(ann).seats[1].away == -1


async def test_a_match_that_cannot_go_on_is_ended_by_those_who_are_here(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock) as run:
        ann, ben = await two_players(run)
        table = seen(ann).id
    store = SqliteStore(tmp_path / "eschaton.db")
    fence = await store.open_match(match_of(table))
    await store.append(match_of(table), fence, b"x" * 16, await store.version(match_of(table)), b"\x94\x09\xc0\x90\xc0")
    await store.close()
    async with running(tmp_path, clock=clock) as run:
        run.clients += [ann, ben]
        ann.port = run.port
        await ann.connect()
        await call(ann, "pause")
        await ann.hear(Problem, lambda problem: problem.code == "match/parked")
        await jump(run, 31, ann)
        await call(ann, "end")
        await ann.until(lambda: seen(ann).state == "finished")
        assert seen(ann).result is not None
        assert not seen(ann).replay


async def test_a_vote_of_one_who_leaves_does_not_count(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await call(ann, "pause")
        await all_see(lambda view: view.vote is not None, ben, cleo)
        await ann.say(say.Concede())
        await all_see(lambda view: view.vote is not None and view.vote.asked == (1, 2), ben, cleo)
        vote = seen(ben).vote
        assert vote is not None
        assert vote.yes == ()
        await cast(ben, yes=False)
        await all_see(lambda view: view.vote is None and not view.rest, ben, cleo)


async def test_housekeeping_goes_on_after_a_bug_in_one_of_its_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run, seconds=3600)
        await call(ann, "pause")
        await all_see(lambda view: view.vote is not None, ann, ben, cleo)
        honest, bugs = table_housekeeping._Run.run, [ValueError("a bug")]

        async def planted(look: table_housekeeping._Run) -> None:
            if bugs:
                raise bugs.pop()
            await honest(look)

        monkeypatch.setattr(table_housekeeping._Run, "run", planted)
        await jump(run, 45, ann)
        await ann.until(lambda: not bugs)
        # nobody moves: what was due is done all the same
        await jump(run, table_housekeeping.FAULT_SECONDS, ann)
        await all_see(lambda view: view.rest == "paused", ann, ben, cleo)
        assert run.server.metrics.task_faults.get("care") == 1


async def test_what_became_due_while_a_table_was_looked_at_is_looked_at_again(tmp_path: Path) -> None:
    """An alarm may ring a little early, and the time come during the look that it caused."""
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        (live,) = run.server.lobby.tables()
        await ben.close()
        await ann.until(lambda: not seen(ann).seats[1].connected)
        due = live.activity.presence.gone_at(ben.talk.you) + live.grace
        run.clock.advance(live.grace + 1)
        after = run.server.lobby.housekeeping._next
        early, later = after(live, due - 0.001), after(live, due)
        assert early == due
        assert later is not None
        assert later > due


async def test_a_table_whose_match_is_over_is_looked_at_no_more_though_somebody_is_away(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run, seconds=3600)
        await cleo.close()
        await ann.until(lambda: not seen(ann).seats[2].connected)
        await call(ann, "end")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await all_see(lambda view: view.state == "finished", ann, ben)
        # the clock stands: her absence would be long enough to be looked at in half a minute
        await until(lambda: not run.server.lobby.housekeeping._tasks, 10)
