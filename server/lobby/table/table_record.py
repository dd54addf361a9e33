"""The record of a table as the store keeps it, and its changes: functions from one record to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from engine.core.rules.errors import SetupRefused
from engine.core.rules.options import RuleOption, all_values, kept_values
from engine.core.rules.system import ScenarioInfo
from protocol.ids import NO_TABLE, MatchId, TableId, match_of
from protocol.redaction import redacted_repr
from protocol.text import Text
from protocol.wire.choices import OptionValue
from server.accounts.display_names import BOT_NAME, unique_name
from server.lobby.table.votes import VoteRecord
from server.runtime.refusals import Refused

TABLES = "table"
"""The kind of their records."""
OPEN, LIVE, FINISHED = "open", "live", "finished"
FOR_EVER: Final = 2**53
"""Time at which a code ends that never does."""
STATE_ORDER: Final = {LIVE: 0, OPEN: 1, FINISHED: 2}
"""Places of the states in lists of tables."""
ENDED = "result.ended"
"""The result of a match that ended without one by its rules."""
DESERTED = "result.deserted"
"""The result of one that ended so because bots alone were left, and nobody watched."""
CLOSED: Final = "result.closed"
"""The result of one that a moderator ended."""


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


class ListRecord(msgspec.Struct, frozen=True):
    """The army list that a seat brings, by its code, with what others may know of it before the start."""

    code: str
    name: Text
    points: int


class SeatRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: a person (`who`), or a bot (`bot`, its kind), or free. With both, the bot stands in for the person while
    they are away. `former`: who gave it up in the match; `leaving`: its figures are still to leave the board; `army`:
    the list that it plays with, where lists are brought; `delayed_view`: before the start, its person is ready and
    agrees that spectators see everything, late. Changed terms take both back (`agreed_anew`). Before the start:
    `kept_for`: the person for whom a free seat is kept, of this `name`; `locked`: nobody may take it; `swap_with`: the
    seat that its person wishes in exchange, -1 for none; `told`: the stage of the table's beginning that its person
    knows of (table_dates)."""

    who: str = ""
    name: str = ""
    faction: str = ""
    ready: bool = False
    bot: str = ""
    seed: int = 0
    former: str = ""
    leaving: bool = False
    army: ListRecord | None = None
    delayed_view: bool = False
    kept_for: str = ""
    locked: bool = False
    swap_with: int = -1
    told: int = 0

    @property
    def free(self) -> bool:
        """True where nobody holds it."""
        return not self.who and not self.bot

    @property
    def open(self) -> bool:
        """True where anybody may take it."""
        return self.is_open_to("")

    def is_open_to(self, who: str) -> bool:
        """Return True where this person may take it."""
        return self.free and not self.locked and self.kept_for in ("", who)


class TableRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table, whole. `bank`: seconds in reserve at the start, `banks`: milliseconds each seat has left of them (empty:
    all). `mail`: no clock, `solo_clock`: it runs for one person among bots, too; `bot_pace`: milliseconds a bot waits
    before each of its acts. `rest`: "paused" or "adjourned", `vote` the open one, `ending`: the people have voted for
    the end, which is being carried out. `seat_views`, `all_views`: what spectators may ask to see; `delayed_view`: all
    who sat there at the start agreed to the latter (None: not started, or started before they were asked); `sat`: who
    has held a seat in the match, `looked`: who has seen more of it than is public: nobody is ever both. `sealed` is the
    match's secret under the host key; `replay` a file name in the data folder; `parked`: unix seconds since when the
    match has been found parked, 0 where it goes on; of a finished one, where it could not. `given_up`: an act has been
    given up after a fault. `deserted`: nobody had been left for so long that it ends, or has ended. `play_on`: the
    digest of the rule code under which its people play on by a vote, though what was played comes out otherwise.
    `replay_dropped`: the replay is no longer kept, and with it the course of the match has gone. `options`: the values
    of the rules' options that are not at their default. `lesson`: the id of the one that is held, "" for none.
    `line_up`: by seat who held it as the match began, "" for a bot; empty of one that began before this was kept.
    `rated`: a match that ends by its rules may count for ratings; `staying`: percent of staying power that whoever
    takes a seat needs; `language`: that of the program of whoever opened it. `strict`: each step that rolls waits for
    parts of its own (docs/dice.md); `ranked`: it is one of those (ranked.py), and `played_from`: marks of the addresses
    from which its people play, until the match ends. `barred`: marks of addresses (AddressMarks) from which somebody
    was removed, until the match ends. `chat_dropped`: the match has been over for so long that its chat has gone.
    `next`: the table at which those who played here play again; `again`: this is one. `begins`: before the start, unix
    seconds at which its people mean to begin, 0 for no time. `closed`: a moderator has closed it: it goes where it has
    not begun, else its match ends. `password`: the one that whoever comes without a code needs, sealed
    (table_passwords.py)."""

    id: TableId
    code: str
    name: str
    system: str
    scenario: str
    owner: str
    seats: tuple[SeatRecord, ...]
    created: int
    changed: int
    private: bool = False
    state: str = OPEN
    seconds: int = 60
    reaction_seconds: int = 3
    bank: int = 600
    mail: bool = False
    solo_clock: bool = False
    bot_pace: int = 1500
    late: bool = True
    banks: tuple[int, ...] = ()
    rest: str = ""
    vote: VoteRecord | None = None
    ending: bool = False
    seat_views: bool = True
    all_views: bool = False
    delayed_view: bool | None = None
    sat: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()
    watchers_heard: bool = False
    admitted: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    sealed: bytes = b""
    result: Text | None = None
    replay: str = ""
    code_ends: int = 0
    parked: int = 0
    given_up: bool = False
    deserted: bool = False
    play_on: bytes = b""
    replay_dropped: bool = False
    options: dict[str, OptionValue] = {}
    lesson: str = ""
    line_up: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    chat_dropped: bool = False
    rated: bool = True
    staying: int = 0
    language: str = ""
    next: TableId = NO_TABLE
    again: bool = False
    begins: int = 0
    closed: bool = False
    strict: bool = False
    ranked: bool = False
    played_from: tuple[str, ...] = ()
    password: bytes = b""

    def __repr__(self) -> str:
        return redacted_repr(self, ("code", "sealed", "password"))

    @property
    def match(self) -> MatchId:
        """Id of the match that is played here."""
        return match_of(self.id)

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the people who hold seats."""
        return tuple(seat.who for seat in self.seats if seat.who)

    @property
    def kept_for(self) -> tuple[str, ...]:
        """Ids of the people for whom seats are kept."""
        return tuple(seat.kept_for for seat in self.seats if seat.kept_for)

    @property
    def is_guarded(self) -> bool:
        """True where nobody comes without having been let in: by a code, or by the password."""
        return self.private or bool(self.password)

    @property
    def is_hidden(self) -> bool:
        """True where only who was let in knows of it: one with a password is listed until its match is over."""
        return self.private or (bool(self.password) and self.state == FINISHED)

    @property
    def let_in(self) -> tuple[str, ...]:
        """Ids of the people who may come without a code."""
        return (*self.people, *self.admitted, *self.kept_for)

    @property
    def bot_seats(self) -> int:
        """Number of seats that bots hold for nobody."""
        return sum(bool(seat.bot) and not seat.who for seat in self.seats)

    @property
    def may_rate(self) -> bool:
        """True where its match may count for ratings: bots play in none that does."""
        return self.rated and not self.lesson and not self.bot_seats

    @property
    def is_clocked(self) -> bool:
        """True where decisions have a time: not in play by mail, and not where bots alone wait for one person, unless
        that was asked for."""
        return not self.mail and (self.solo_clock or len(self.people) != 1)

    @property
    def has_parts(self) -> bool:
        """True where the programs of its people add to the dice."""
        return not self.mail

    def seat_of(self, who: str) -> int:
        """Return the seat that this person holds, -1 where none."""
        return next((n for n, seat in enumerate(self.seats) if seat.who == who), -1)

    def with_seat(self, number: int, seat: SeatRecord) -> TableRecord:
        """Return the table with another holder of a seat."""
        seats = list(self.seats)
        seats[number] = seat
        return replace(self, seats=tuple(seats))


def code_works(table: TableRecord, now: int) -> bool:
    """Return True where the invite code admits: that of a guarded table for a time, and until its seats are taken,
    that of its replay for ever. Any other is open to all; its code is but another name."""
    return not table.is_guarded or now < table.code_ends


def new_code_for(table: TableRecord, who: str, code: str, ends: int) -> TableRecord:
    """Give the table another invite code, as its owner asks; the former one leads nowhere any more."""
    must_own(table, who)
    return replace(table, code=code, code_ends=ends)


def with_replay_code(table: TableRecord, code: str) -> TableRecord:
    """Give a finished table the code by which its replay is found, for ever: a guarded one another than that by which
    people came, since whoever has that may have been sent away."""
    return replace(table, code=code, code_ends=FOR_EVER) if table.is_guarded else table


def must_be_open(table: TableRecord) -> None:
    """Raise Refused where the match has started."""
    if table.state != OPEN:
        raise Refused("table/started")


def must_own(table: TableRecord, who: str) -> None:
    """Raise Refused where `who` is not the owner."""
    if table.owner != who:
        raise Refused("table/not-owner")


def join(table: TableRecord, who: str, name: str, name_length: int, wanted: int | None = None) -> TableRecord:
    """Take a seat: before the start the one that is `wanted`, else one that is kept for this person, else the first
    that is open; in a live match that lets late people in a bot's. Unchanged where one is held already."""
    if who in table.banned:
        raise Refused("table/removed")
    if table.closed:
        raise Refused("table/closed")
    if table.seat_of(who) >= 0:
        return table
    if who in table.looked:
        raise Refused("table/has-looked")
    if table.state == LIVE and table.late:
        return take_bots_seat(table, who, name, wanted, name_length)
    must_be_open(table)
    offered = [number for number, seat in enumerate(table.seats) if seat.is_open_to(who)]
    if not any(seat.free for seat in table.seats):
        raise Refused("table/full")
    if not offered:
        raise Refused("table/kept")
    if wanted is not None and wanted not in offered:
        raise Refused("table/seat-gone")
    kept = [number for number in offered if table.seats[number].kept_for == who]
    number = (kept or offered)[0] if wanted is None else wanted
    table = not_kept_for(table, who)
    unique = name_at(table, number, name, name_length)
    seated = table.with_seat(number, replace(table.seats[number], who=who, name=unique))
    # the last seat is taken: the code has done its work
    return seated if any(seat.free for seat in seated.seats) else replace(seated, code_ends=0)


def not_kept_for(table: TableRecord, who: str) -> TableRecord:
    """Keep no seat for this person any more."""
    if who not in table.kept_for:
        return table
    seats = tuple(replace(seat, kept_for="", name="") if seat.kept_for == who else seat for seat in table.seats)
    return replace(table, seats=seats)


def name_at(table: TableRecord, number: int, name: str, name_length: int) -> str:
    """Return a person's name as they bear it in this seat: another one than those of all other seats."""
    others = [seat.name for n, seat in enumerate(table.seats) if n != number]
    return unique_name(name, others, name_length)


def rename(table: TableRecord, who: str, name: str, name_length: int) -> TableRecord:
    """Give the seat of a person their new name."""
    number = table.seat_of(who)
    if number < 0:
        return table
    unique = name_at(table, number, name, name_length)
    return table.with_seat(number, replace(table.seats[number], name=unique))


def take_bots_seat(table: TableRecord, who: str, name: str, wanted: int | None, name_length: int) -> TableRecord:
    """Seat a person in a live match in place of a bot. Whoever has given a seat up knows its secrets, and may take that
    one only."""
    bots = [number for number, seat in enumerate(table.seats) if seat.bot and not seat.who and not seat.leaving]
    offered = [number for number in bots if may_hold(table, number, who)]
    if not offered or (wanted is not None and wanted not in offered):
        raise Refused("table/no-bot-seat")
    number = offered[0] if wanted is None else wanted
    unique = name_at(table, number, name, name_length)
    return table.with_seat(number, SeatRecord(who, unique, table.seats[number].faction, ready=True))


def may_hold(table: TableRecord, number: int, who: str) -> bool:
    """Return True where this person may have this seat of a match: whoever has held a seat may come back to that one
    only, since they know its secrets."""
    was_theirs = table.seats[number].former == who or table.line_up[number : number + 1] == (who,)
    return who not in table.sat or was_theirs


def stand_in(table: TableRecord, number: int, substitute: str, seed: int) -> TableRecord:
    """Let a bot play for a person who is away; the seat stays theirs."""
    return table.with_seat(number, replace(table.seats[number], bot=substitute, seed=seed))


def give_back(table: TableRecord, number: int) -> TableRecord:
    """Let a person who is here again play themselves."""
    return table.with_seat(number, replace(table.seats[number], bot="", seed=0))


def leave(table: TableRecord, who: str, substitute: str, seed: int) -> TableRecord:
    """Give a seat up: it becomes free, or in a live match goes to a bot of kind `substitute`. Ownership passes on."""
    number = table.seat_of(who)
    if number < 0:
        return table
    return pass_ownership(vacate(table, number, substitute, seed))


def look_further(table: TableRecord, who: str, most: int) -> TableRecord:
    """Note that this spectator is about to see more than is public: no seat of this match is for them any more. Raises
    Refused where `most` have done so already: none of them may be forgotten."""
    if who in table.looked:
        return table
    if len(table.looked) >= most:
        raise Refused("watch/full")
    return replace(table, looked=(*table.looked, who))


def admit(table: TableRecord, who: str, most: int) -> TableRecord:
    """Let this person in without a code; of those the newest `most` are remembered."""
    return replace(table, admitted=newest(table.admitted, who, most))


def ban(table: TableRecord, who: str, most: int) -> TableRecord:
    """Let this person come back no more; of those the newest `most` are remembered."""
    return replace(table, banned=newest(table.banned, who, most))


def bar(table: TableRecord, marks: Iterable[str], most: int) -> TableRecord:
    """Let nobody new in from the addresses with these marks; of them the newest `most` are remembered."""
    for mark in marks:
        table = replace(table, barred=newest(table.barred, mark, most))
    return table


def check_barred(table: TableRecord, who: str, mark: str) -> None:
    """Raise Refused where this person comes from an address from which somebody was removed, and was not let in
    before."""
    if mark in table.barred and who not in (table.owner, *table.let_in):
        raise Refused("table/removed-address")


def newest(people: tuple[str, ...], who: str, most: int) -> tuple[str, ...]:
    """Return these with another one at the end, the newest `most` of them."""
    return (*(other for other in people if other != who), who)[-most:]


def move_seat(table: TableRecord, old: str, new: str) -> TableRecord:
    """Move the seat of one person to another, or to the same one on another device, with the table if they own it."""
    number = table.seat_of(old)
    if number < 0 or old == new:
        raise Refused("seat-code/unknown")
    if new in table.banned:
        raise Refused("table/removed")
    if table.seat_of(new) >= 0:
        raise Refused("seat-code/seated")
    if new in table.looked:
        raise Refused("table/has-looked")
    # another person has not agreed to anything yet
    moved = table.with_seat(number, replace(table.seats[number], who=new, delayed_view=False))
    return replace(moved, owner=new) if table.owner == old else moved


def vacate(table: TableRecord, number: int, substitute: str, seed: int) -> TableRecord:
    """Take a seat from whoever holds it."""
    if table.state == FINISHED:
        raise Refused("table/finished")
    seat = table.seats[number]
    if table.vote is not None:
        ballots = {voter: ballot for voter, ballot in table.vote.ballots.items() if voter != number}
        table = replace(table, vote=replace(table.vote, ballots=ballots))
    if table.state == OPEN:
        return without_wishes(table.with_seat(number, SeatRecord()), number)
    return table.with_seat(
        number, SeatRecord("", seat.name, seat.faction, ready=True, bot=substitute, seed=seed, former=seat.who)
    )


def without_wishes(table: TableRecord, *numbers: int) -> TableRecord:
    """Let nobody wish for these seats in exchange, nor their people for others."""
    seats = (
        replace(seat, swap_with=-1) if number in numbers or seat.swap_with in numbers else seat
        for number, seat in enumerate(table.seats)
    )
    return replace(table, seats=tuple(seats))


def pass_ownership(table: TableRecord) -> TableRecord:
    """Transfer ownership, where the owner has gone, to the next person in seat order, or to nobody."""
    if table.owner in table.people:
        return table
    return replace(table, owner=next(iter(table.people), ""))


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


def add_bot(
    table: TableRecord, who: str, number: int | None, kind: str, kinds: Sequence[str], seed: int, name_length: int
) -> TableRecord:
    """Put a bot into a free seat."""
    must_be_open(table)
    must_own(table, who)
    if kind not in kinds:
        raise Refused("table/unknown-bot", kinds=", ".join(kinds))
    free = [n for n, seat in enumerate(table.seats) if seat.free]
    target = next((n for n in free if table.seats[n].open), None) if number is None else number
    if target is None:
        raise Refused("table/full")
    if target not in free:
        raise Refused("table/seat-taken")
    name = unique_name(BOT_NAME, [seat.name for seat in table.seats], name_length)
    return table.with_seat(target, SeatRecord("", name, ready=True, bot=kind, seed=seed))


def remove_seat(table: TableRecord, who: str, number: int, substitute: str, seed: int) -> TableRecord:
    """Take a seat from someone, as the owner asks."""
    must_own(table, who)
    if not 0 <= number < len(table.seats) or table.seats[number].free:
        raise Refused("table/no-seat")
    gone = table.seats[number].who
    if gone == who:
        raise Refused("table/leave-instead")
    if not gone and table.state != OPEN:
        raise Refused("table/started")
    return vacate(table, number, substitute, seed)


def remove_watcher(table: TableRecord, who: str, watcher: str) -> TableRecord:
    """Send a spectator away, as the owner asks."""
    must_own(table, who)
    return not_admitted(table, watcher)


def not_admitted(table: TableRecord, who: str) -> TableRecord:
    """Let a person in no more without a code."""
    return replace(table, admitted=tuple(other for other in table.admitted if other != who))


def finished(table: TableRecord, why: Text | None, replay: str) -> TableRecord:
    """End the match; without a reason of its rules, because those who played wanted it so or none were left."""
    why = why or Text(CLOSED if table.closed else DESERTED if table.deserted else ENDED)
    plain = replace(table, rest="", vote=None, ending=False, barred=(), played_from=())
    return replace(plain, state=FINISHED, result=why, replay=replay)


def close(table: TableRecord) -> TableRecord:
    """Close a table, as a moderator asks."""
    if table.state == FINISHED or table.closed:
        raise Refused("order/finished")
    return replace(table, closed=True)


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
