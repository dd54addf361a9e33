"""Changes of a table, as functions of its record."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.rules.system import FactionInfo, ScenarioInfo
from protocol.text import Text
from protocol.wire.from_client import ChangeTable
from server.lobby.table import admission, agreement, seat_changes, table_record
from server.lobby.table.table_record import LIVE, ListRecord, SeatRecord, TableRecord
from server.runtime.refusals import Refused


def scenario(seats: int, *factions: str) -> ScenarioInfo:
    infos = tuple(FactionInfo(id, Text(id)) for id in factions)
    return ScenarioInfo(f"for-{seats}", Text("s"), Text("a"), seats, infos, 10)


def table(*seats: SeatRecord, **values: Any) -> TableRecord:
    plain: dict[str, Any] = {"id": "t", "code": "c", "name": "n", "system": "s", "scenario": "x", "owner": "ann"}
    return TableRecord(**plain, seats=seats, created=0, changed=0, **values)


ANN, BEN = SeatRecord("ann", "Ann", "red", True), SeatRecord("ben", "Ben", "blue", True)
BOT, FREE = SeatRecord("", "Bot", "", True, "random", 1), SeatRecord()


def test_a_smaller_scenario_keeps_people_and_drops_bots() -> None:
    changed = agreement.change_scenario(table(ANN, BOT, BOT, BEN), scenario(3, "red"))
    assert [seat.name for seat in changed.seats] == ["Ann", "Bot", "Ben"]
    assert [seat.faction for seat in changed.seats] == ["red", "", ""]
    assert [seat.ready for seat in changed.seats] == [False, True, False]
    with pytest.raises(Refused, match="table/too-many"):
        agreement.change_scenario(table(ANN, BEN), scenario(1))


def test_a_list_that_is_too_large_for_its_seat_stays_behind() -> None:
    brought = [replace(seat, army=ListRecord("code", Text("list"), 500)) for seat in (ANN, BEN)]
    uneven = scenario(2)._replace(points=700, seat_points=(350, 700))
    changed = agreement.change_scenario(table(*brought), uneven)
    assert [seat.army is not None for seat in changed.seats] == [False, True]


READY = [SeatRecord("ann", "Ann", "red", True, delayed_view=True), SeatRecord("ben", "Ben", "blue", True), BOT]
TERMS = {
    "seconds": 30,
    "reaction_seconds": 9,
    "bank": 0,
    "mail": True,
    "solo_clock": True,
    "bot_pace": 5000,
    "seat_views": False,
    "all_views": True,
    "strict": True,
}


@pytest.mark.parametrize("term", TERMS)
def test_a_changed_clock_bank_or_view_takes_ready_and_the_yes_beside_it_back(term: str) -> None:
    before = table(*READY)
    after = agreement.agreed_anew(before, msgspec.structs.replace(before, **{term: TERMS[term]}))
    assert [(seat.ready, seat.delayed_view) for seat in after.seats] == [(False, False), (False, False), (True, False)]


def test_every_pace_and_view_that_a_table_may_change_is_a_term_and_nothing_else_is() -> None:
    """A new one has to be sorted in."""
    changeable = {field.name for field in msgspec.structs.fields(ChangeTable)}
    assert changeable - set(agreement.TERMS) == {
        "name",
        "private",
        "password",
        "late",
        "watchers_heard",
        "staying",
        "begins",
    }
    assert set(agreement.TERMS) <= changeable


@pytest.mark.parametrize("change", [{"name": "Other"}, {"private": True}, {"late": False}, {"seconds": 60}])
def test_what_is_no_term_or_stays_as_it_was_leaves_everybody_ready(change: dict[str, Any]) -> None:
    before = table(*READY)
    after = msgspec.structs.replace(before, **change)
    assert agreement.agreed_anew(before, after) is after


@pytest.mark.parametrize(("who", "number"), [("ann", None), ("ann", 2), ("ben", None)])
def test_a_changed_faction_takes_ready_back_from_all(who: str, number: int | None) -> None:
    """Ready for a match against other factions is not ready for this one; the same faction again changes nothing."""
    three = scenario(3, "red", "blue", "green")
    chosen = agreement.choose_faction(table(*READY), who, number, "green", three)
    assert [(seat.ready, seat.delayed_view) for seat in chosen.seats] == [(False, False), (False, False), (True, False)]
    assert agreement.choose_faction(table(*READY), "ben", None, "blue", three).seats == tuple(READY)


def test_a_list_of_another_faction_takes_ready_back_from_all_and_one_of_the_same_does_not() -> None:
    army = table_record.ListRecord("IM1-", Text("list"), 750)
    brought = [agreement.bring_list(table(*READY), 1, army, faction) for faction in ("blue", "green")]
    assert [[seat.ready for seat in one.seats] for one in brought] == [[True, True, True], [False, False, True]]


def test_a_larger_scenario_adds_free_seats() -> None:
    assert [s.free for s in agreement.change_scenario(table(ANN, BOT), scenario(4)).seats] == [
        False,
        False,
        True,
        True,
    ]


def test_joining_takes_the_first_free_seat_and_the_second_time_nothing() -> None:
    joined = seat_changes.join(table(BOT, FREE, FREE), "eve", "Bot", 24)
    assert (joined.seat_of("eve"), joined.seats[1].name) == (1, "Bot 2")
    assert seat_changes.join(joined, "eve", "Eve", 24) is joined
    with pytest.raises(Refused, match="table/full"):
        seat_changes.join(table(ANN, BEN), "eve", "Eve", 24)
    with pytest.raises(Refused, match="table/no-bot-seat"):
        seat_changes.join(table(ANN, FREE, state=LIVE), "eve", "Eve", 24)
    with pytest.raises(Refused, match="table/started"):
        seat_changes.join(msgspec.structs.replace(table(ANN, BOT, state=LIVE), late=False), "eve", "Eve", 24)


def test_leaving_a_live_match_leaves_a_bot_with_the_same_name() -> None:
    left = seat_changes.leave(table(ANN, BEN, state=LIVE), "ann", "random", 7)
    assert left.seats[0] == SeatRecord("", "Ann", "red", True, "random", 7, former="ann")
    assert left.owner == "ben"
    assert seat_changes.leave(table(ANN), "ann", "random", 7).owner == ""


@pytest.mark.parametrize(
    ("who", "number", "code"),
    [("ben", 0, "not-owner"), ("ann", 0, "leave-instead"), ("ann", 2, "no-seat"), ("ann", 9, "no-seat")],
)
def test_only_the_owner_removes_and_only_others(who: str, number: int, code: str) -> None:
    with pytest.raises(Refused, match=f"table/{code}"):
        seat_changes.remove_seat(table(ANN, BEN, FREE), who, number, "random", 1)


def test_bots_go_into_free_seats_only() -> None:
    seated = seat_changes.add_bot(table(ANN, FREE, FREE), "ann", 2, "random", ["random"], 5, 24)
    assert seated.seats[2].bot == "random"
    assert seated.seats[1].free
    with pytest.raises(Refused, match="table/seat-taken"):
        seat_changes.add_bot(seated, "ann", 2, "random", ["random"], 5, 24)


def test_whoever_has_not_chosen_plays_the_first_free_faction() -> None:
    dealt = agreement.deal_factions(table(BOT, ANN, BOT), scenario(3, "blue", "red", "green"))
    assert [seat.faction for seat in dealt.seats] == ["blue", "red", "green"]


def test_a_seat_has_a_usual_faction_that_somebody_else_may_have_chosen() -> None:
    usual = scenario(3, "blue", "red", "green")._replace(usual=("green", "", "blue"))
    dealt = agreement.deal_factions(table(BOT, ANN, BOT), usual)
    assert [seat.faction for seat in dealt.seats] == ["green", "red", "blue"]
    taken = agreement.choose_faction(table(ANN, BOT, BOT), "ann", 0, "blue", usual)
    assert [seat.faction for seat in agreement.deal_factions(taken, usual).seats] == ["blue", "red", "green"]


def test_a_faction_that_is_only_chosen_is_dealt_where_no_other_is_left() -> None:
    kept = scenario(3, "blue", "red", "green")._replace(usual=("blue", "", ""))
    kept = kept._replace(factions=(kept.factions[0]._replace(dealt=False), *kept.factions[1:]))
    dealt = agreement.deal_factions(table(BOT, ANN, BOT), kept)
    assert [seat.faction for seat in dealt.seats] == ["green", "red", "blue"]


def test_who_was_let_in_or_sent_away_is_remembered_up_to_a_number() -> None:
    full = table(ANN, BEN)
    for number in range(5):
        full = admission.admit(full, f"guest {number}", 3)
        if number % 2:
            full = admission.ban(admission.remove_watcher(full, "ann", f"guest {number}"), f"guest {number}", 3)
    assert full.admitted == ("guest 0", "guest 2", "guest 4")
    assert full.banned == ("guest 1", "guest 3")
    assert admission.ban(admission.ban(full, "guest 5", 3), "guest 6", 3).banned == (
        "guest 3",
        "guest 5",
        "guest 6",
    )


def test_nobody_who_has_seen_more_is_forgotten() -> None:
    full = admission.look_further(admission.look_further(table(ANN, BEN), "one", 2), "two", 2)
    assert admission.look_further(full, "one", 2) is full
    with pytest.raises(Refused, match="watch/full"):
        admission.look_further(full, "three", 2)
    assert full.looked == ("one", "two")


def test_a_table_may_rate_where_it_is_to_be_and_neither_by_mail_nor_in_a_lesson_nor_with_a_bot() -> None:
    assert table(ANN, BEN).may_rate
    for unrated in (
        table(ANN, BEN, rated=False),
        table(ANN, BEN, mail=True),
        table(ANN, BEN, lesson="first"),
        table(ANN, BOT),
    ):
        assert not unrated.may_rate
