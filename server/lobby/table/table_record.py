"""The record of a table as the store keeps it, its codes and its end; other changes are functions of modules beside."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from protocol.ids import NO_TABLE, MatchId, TableId, match_of
from protocol.redaction import redacted_repr
from protocol.text import Text
from protocol.wire.choices import OptionValue
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
    from which its people play, until the match ends. `banned`: who may not come back, as the owner wishes, `removed`:
    as a moderator does. `barred`: marks of addresses (AddressMarks) from which somebody was removed, until the match
    ends. `chat_dropped`: the match has been over for so long that its chat has gone.
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
    removed: tuple[str, ...] = ()

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
    def shut_out(self) -> tuple[str, ...]:
        """Ids of the people who may not come back, each once."""
        return (*self.banned, *(who for who in self.removed if who not in self.banned))

    @property
    def bot_seats(self) -> int:
        """Number of seats that bots hold for nobody."""
        return sum(bool(seat.bot) and not seat.who for seat in self.seats)

    @property
    def may_rate(self) -> bool:
        """True where its match may count for ratings: bots play in none that does, and by mail dice rest on the host
        alone."""
        return self.rated and not self.mail and not self.lesson and not self.bot_seats

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
    """Give the table another invite code, as its owner asks; the former one leads nowhere any more. That of a replay
    never ends."""
    must_own(table, who)
    return replace(table, code=code, code_ends=FOR_EVER if table.state == FINISHED else ends)


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
