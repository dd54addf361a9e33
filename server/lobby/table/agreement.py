"""Scenario, options, factions and lists of a table before its match, and readiness for them: functions from one record
to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.core.rules.options import RuleOption, all_values, kept_values
from engine.core.rules.system import ScenarioInfo
from protocol.wire.choices import OptionValue
from server.lobby.table.table_record import ListRecord, SeatRecord, TableRecord, must_be_open, must_own
from server.runtime.refusals import Refused

TERMS: Final = (
    "scenario",
    "options",
    "seconds",
    "reaction_seconds",
    "bank",
    "mail",
    "solo_clock",
    "bot_pace",
    "seat_views",
    "all_views",
    "rated",
    "strict",
    "ranked",
)
"""The terms agreed to with "ready", beside the factions: the scenario, the options of its rules, the clocks, what
spectators may ask to see, that the match counts for ratings, that each step which rolls waits for parts of its own,
and the rules of ranked tables."""


def choose_faction(
    table: TableRecord, who: str, number: int | None, faction: str, scenario: ScenarioInfo
) -> TableRecord:
    """Play a faction; the owner may choose for a bot. A bot that had it gives way, a person does not."""
    target = seat_to_set_up(table, who, number)
    if faction not in {info.id for info in scenario.factions}:
        raise Refused("table/unknown-faction")
    if scenario.points:
        # its list says the faction of a seat: another one needs another list
        kept = table.seats[target].army if table.seats[target].faction == faction else None
        return agreed_anew(table, table.with_seat(target, replace(table.seats[target], faction=faction, army=kept)))
    after = table
    for other, seat in enumerate(table.seats):
        if other != target and seat.faction == faction:
            if seat.who:
                raise Refused("table/faction-taken", name=seat.name)
            after = after.with_seat(other, replace(seat, faction=""))
    return agreed_anew(table, after.with_seat(target, replace(table.seats[target], faction=faction)))


def seat_to_set_up(table: TableRecord, who: str, number: int | None) -> int:
    """Return the seat whose faction or list they may choose: their own, or as the owner a bot's. Raises Refused."""
    must_be_open(table)
    mine = table.seat_of(who)
    target = mine if number is None else number
    if not 0 <= target < len(table.seats):
        raise Refused("table/no-seat")
    if target != mine:
        must_own(table, who)
        if not table.seats[target].bot:
            raise Refused("table/not-a-bot")
    return target


def bring_list(table: TableRecord, number: int, army: ListRecord, faction: str) -> TableRecord:
    """Let a seat play with this list."""
    return agreed_anew(table, table.with_seat(number, replace(table.seats[number], army=army, faction=faction)))


def set_ready(table: TableRecord, who: str, *, ready: bool, delayed_view: bool) -> TableRecord:
    """Say that one is ready, with or without a yes to the delayed view, or not any more, which takes the yes back."""
    must_be_open(table)
    number = table.seat_of(who)
    if number < 0:
        raise Refused("table/no-seat")
    return table.with_seat(number, replace(table.seats[number], ready=ready, delayed_view=ready and delayed_view))


def change_scenario(table: TableRecord, scenario: ScenarioInfo) -> TableRecord:
    """Change the scenario: people keep places in order, bots and kept seats go where there is no room. Nobody is ready
    for it."""
    must_be_open(table)
    people = [seat for seat in table.seats if seat.who]
    if len(people) > scenario.seats:
        raise Refused("table/too-many", seats=scenario.seats)
    room = scenario.seats - len(people)
    kept: list[SeatRecord] = []
    for seat in table.seats:
        if not seat.who:
            if room <= 0 or not (seat.bot or seat.kept_for):
                continue
            room -= 1
        kept.append(replace(seat, swap_with=-1))
    factions = {info.id for info in scenario.factions}
    for number, seat in enumerate(kept):
        if seat.army is not None and seat.army.points > scenario.points_of(number):
            kept[number] = replace(seat, army=None)
    seats = [replace(s, faction=s.faction if s.faction in factions else "") for s in kept]
    seats += [SeatRecord()] * (scenario.seats - len(seats))
    return agreed_anew(table, replace(table, scenario=scenario.id, seats=tuple(seats)))


def change_options(
    table: TableRecord, options: Sequence[RuleOption], changes: Mapping[str, OptionValue]
) -> TableRecord:
    """Choose these values of options; what another scenario does not have goes. Raises Refused for an option that there
    is not, or a value that it does not allow."""
    try:
        all_values(options, changes)
    except SetupRefused as problem:
        raise Refused.saying("table/option", problem.text) from problem
    return replace(table, options=kept_values(options, {**table.options, **changes}))


def agreed_anew(before: TableRecord, after: TableRecord) -> TableRecord:
    """Return `after`; where its terms or factions are others than those of `before`, no person is ready any more."""
    same_terms = all(getattr(before, term) == getattr(after, term) for term in TERMS)
    if same_terms and [seat.faction for seat in before.seats] == [seat.faction for seat in after.seats]:
        return after
    return replace(after, seats=tuple(replace(s, ready=bool(s.bot), delayed_view=False) for s in after.seats))


def check_start(table: TableRecord, who: str) -> None:
    """Raise Refused where the match cannot start now. The owner's start counts as being ready."""
    must_be_open(table)
    must_own(table, who)
    if any(seat.free for seat in table.seats):
        raise Refused("table/empty-seats")
    waiting = [seat.name for seat in table.seats if seat.who and seat.who != who and not seat.ready]
    if waiting:
        raise Refused("table/not-ready", names=", ".join(waiting))


def check_lists(table: TableRecord, scenario: ScenarioInfo) -> None:
    """Raise Refused where somebody has brought no list to a scenario that wants one."""
    waiting = [seat.name for seat in table.seats if scenario.points and seat.who and seat.army is None]
    if waiting:
        raise Refused("list/missing", names=", ".join(waiting))


def deal_factions(table: TableRecord, scenario: ScenarioInfo) -> TableRecord:
    """Give whoever has not chosen their seat's usual faction, else the first one that is free, those that are only
    chosen last; where none is left, the system decides."""
    kept = {info.id for info in scenario.factions if not info.dealt}
    for number, usual in enumerate(scenario.usual[: len(table.seats)]):
        seat = table.seats[number]
        if usual and usual not in kept and not seat.faction and all(other.faction != usual for other in table.seats):
            table = table.with_seat(number, replace(seat, faction=usual))
    chosen = {seat.faction for seat in table.seats}
    free = [info.id for info in scenario.dealt_first if info.id not in chosen]
    for number, seat in enumerate(table.seats):
        if not seat.faction and free:
            table = table.with_seat(number, replace(seat, faction=free.pop(0)))
    return table
