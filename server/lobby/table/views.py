"""Tables as people see them: whole at the table, as a row in the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.core.rules.sides import Sides
from engine.core.rules.system import ScenarioInfo
from protocol.text import Text
from protocol.wire.from_server import ClockView, SeatView, TableView, VoteView, Watcher
from protocol.wire.table_lists import TableRow
from server.content.systems import scenario_name
from server.lobby.table.spectator_roles import has_delayed_view
from server.lobby.table.table_names import title_of
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, TableRecord, code_works


class Now(NamedTuple):
    """The changing facts of a table. `trips`: milliseconds there and back of the people who are here (-1: not
    measured yet); `away`: milliseconds since the others were; `banks`: milliseconds in reserve, by seat;
    `watchers`: some of the `watching` spectators; `wall`: unix seconds; `is_over`: so is the match, written or not;
    `why_parked`: see LiveTable; `bot_pace`: as the players wish, in milliseconds."""

    clocks: tuple[ClockView, ...] = ()
    vote: VoteView | None = None
    trips: Mapping[str, int] = {}
    away: Mapping[str, int] = {}
    banks: Mapping[int, int] = {}
    watchers: tuple[Watcher, ...] = ()
    watching: int = 0
    wall: int = 0
    is_over: bool = False
    why_parked: str = ""
    bot_pace: int = 1500


def table_view(
    table: TableRecord,
    who: str,
    scenario: ScenarioInfo | None,
    sides: Sides,
    now: Now,
) -> TableView:
    """Return the table for one viewer; `sides`: of its seats. The invite code, while it works, is for those who hold a
    seat."""
    seat = table.seat_of(who)
    names = {info.id: info.name for info in scenario.factions} if scenario is not None else {}
    seats = tuple(
        SeatView(
            n,
            s.who,
            s.name,
            s.faction,
            names.get(s.faction),
            s.ready,
            s.bot,
            s.who in now.trips,
            now.away.get(s.who, -1),
            now.trips.get(s.who, -1),
            now.banks.get(n, -1),
            None if s.army is None else Text("seat.brings", {"name": s.army.name, "points": s.army.points}),
            s.delayed_view and table.state == OPEN,
            sides[n] if n < len(sides) else -1,
            s.kept_for,
            s.locked,
            s.swap_with,
        )
        for n, s in enumerate(table.seats)
    )
    return TableView(
        id=table.id,
        name=title_of(table),
        system=table.system,
        scenario=table.scenario,
        state=table.state,
        seat=seat,
        owner=table.owner,
        seats=seats,
        watchers=now.watchers,
        watching=now.watching,
        code=table.code if seat >= 0 and code_works(table, now.wall) else "",
        private=table.private,
        seconds=table.seconds,
        reaction_seconds=table.reaction_seconds,
        bank=table.bank,
        mail=table.mail,
        solo_clock=table.solo_clock,
        bot_pace=now.bot_pace,
        late=table.late,
        seat_views=table.seat_views,
        all_views=table.all_views,
        delayed_view=has_delayed_view(table),
        watchers_heard=table.watchers_heard,
        rated=table.rated,
        strict=table.strict,
        ranked=table.ranked,
        staying=table.staying,
        options=table.options,
        lesson=table.lesson,
        again=bool(table.next),
        begins=table.begins,
        guarded=bool(table.password),
        clocks=now.clocks,
        rest=table.rest,
        vote=now.vote,
        result=table.result,
        replay=bool(table.replay) and not table.replay_dropped,
        replay_coming=now.is_over and not table.replay,
        parked=now.why_parked.removeprefix("match/").replace("-", "_") if table.state == LIVE else "",
    )


def vote_view(table: TableRecord, asked: tuple[int, ...], left: float) -> VoteView | None:
    """Return the open vote; `left`: seconds until it closes."""
    vote = table.vote
    if vote is None:
        return None
    yes = tuple(sorted(seat for seat, is_yes in vote.ballots.items() if is_yes))
    no = tuple(sorted(seat for seat, is_yes in vote.ballots.items() if not is_yes))
    return VoteView(vote.what, vote.seat, vote.by, asked, yes, no, round(left * 1000))


def table_row(table: TableRecord, who: str, scenario: ScenarioInfo | None, waiting: Sequence[int]) -> TableRow:
    """Return the table in the lobby of one viewer."""
    seat = table.seat_of(who)
    owner = next((s.name for s in table.seats if s.who and s.who == table.owner), "")
    return TableRow(
        id=table.id,
        name=title_of(table),
        system=table.system,
        scenario=scenario_name(scenario, table.scenario),
        state=table.state,
        seats=len(table.seats),
        taken=sum(not s.open for s in table.seats),
        private=table.private,
        mine=seat >= 0,
        kept=who in table.kept_for,
        begins=table.begins,
        guarded=bool(table.password),
        turn=table.state == LIVE and not table.rest and seat in waiting,
        waits=tuple(table.seats[n].name for n in waiting if n < len(table.seats)),
        owner=owner,
        result=table.result,
        rest=table.rest,
        mail=table.mail and not table.lesson,
        bots=table.bot_seats if table.state == LIVE and table.late else 0,
        delayed_view=has_delayed_view(table),
        when=table.changed,
        lesson=bool(table.lesson),
        rated=table.may_rate,
        ranked=table.ranked,
        language=table.language,
    )


def is_old(table: TableRecord, who: str, since: int) -> bool:
    """Return True where this match ended before `since` (unix seconds) and `who` had no seat in it."""
    return table.state == FINISHED and table.changed < since and who not in table.people


def may_come(table: TableRecord, who: str) -> bool:
    """Return True where `who` may come to this table with neither code nor password."""
    return who not in table.shut_out and (not table.is_guarded or who in table.let_in)


def may_see(table: TableRecord, who: str) -> bool:
    """Return True where the lobby shows this table to `who`."""
    return who not in table.shut_out and (not table.is_hidden or who in table.let_in)
