"""Limits of the conversation, of tables and of files, in one settings object."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final

MOST_FILLED: Final = 64 * 1024
"""Values and letters that the filled cues of one delta may have: a template of a few bytes can ask for any number."""


@dataclass(frozen=True)
class Bucket:
    """A token bucket: `rate` tokens a second, at most `burst` saved up."""

    rate: float
    burst: int


@dataclass(frozen=True)
class Rate:
    """Most of something (`most`) in any span of `seconds`."""

    most: float
    seconds: float


@dataclass(frozen=True)
class Rates:
    """Rates of one kind of request: of one person, from one address, and of all together; None: no bound of that
    scope."""

    person: Rate | None = None
    address: Rate | None = None
    server: Rate | None = None


@dataclass(frozen=True)
class HoldLimits:
    """Most things of one kind held at a time: by one person, from one address, and by all together."""

    person: int
    address: int
    server: int


HISTORY_ACTS: Final = 200
"""Acts of one page of a match's history."""
HISTORY_BYTES: Final = 64 * 1024
"""Bytes of one page of a match's history, if it has more than one entry."""
CHAT_LINES: Final = 200
"""Lines of chat that a table remembers, and gives in one page."""
LOBBY_LINES: Final = 50
"""Lines of one page of the lobby's chat."""

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


@dataclass(frozen=True)
class Limits:
    """Limits that a server can set: sizes in bytes, times in seconds, counts without unit.

    `inbound_bytes` and `depth` to `string` bound what a server takes from a client, `message_*` what a client takes
    from a server. Of what a connection is told, `outbound_*` may wait in its queue, about `transport_bytes` beside it
    in the process and `kernel_bytes` outside; whoever has filled that and takes nothing for `behind_seconds` is closed.
    Every connection is pinged each `ping_seconds`, and closed where as many more bring no answer. One whose seat a
    table waits for, and which has said nothing for `silence_seconds`, is pinged at once, and given up where nothing
    comes within `answer_seconds`.
    `watchers_named`: spectators of a table whom its view names; the others are counted. `remembered`: those whom a
    table lets in without a code, those whom it lets in no more (of either the newest), and those who have seen more
    than is public. `late_seconds`: the least that the all-seeing view is behind.
    Buckets are a person's, whatever the number of their connections; `frames` holds for all that has no bucket of its
    own, and for what cannot be read.
    A token ends `token_idle_seconds` after its person was last here, and `token_seconds` after it was made; whoever
    stays connected is looked at again every `recheck_seconds`. `devices`: those of one person that may come back.
    Invite codes of private tables end after `invite_seconds`.
    Passwords have `password_least` to `password_most` characters. Argon2id goes `password_passes` times over
    `password_kib` of memory, in `password_threads` (4 at most), for which `password_queue` may wait. After `failures`
    of a name, or `failures_per_address`, within `failure_seconds` no password is tried there.
    `arrivals`: frames of any kind that may come on one connection, heard or not; whoever sends more is a flood.
    Seats: a seat is warned `warning_seconds` before its default is played; after `grace_seconds` away,
    or `defaults` in a row, the others vote on a bot; after `owner_seconds` away the table gets another owner; a vote
    lasts `vote_seconds`, and who has lost one calls none for `vote_rest_seconds`. `mail_seconds` stands for grace, vote
    and an owner's absence where no clock runs. Finished tables are shown to others for `shown_days`.
    `tables_per_account`, `tables_per_address`, `tables`: those that are not finished, of one owner, opened from one
    address, in all; `matches_*`: those of them whose match is live, by who started it. One that has not begun goes when
    all have left, or `vacant_seconds` after the last link was lost.
    `seats_held`: seats at tables that are not finished; `looks_held`: searches of tables by filters, which are kept up
    while their person looks; `watchers`: connections that look on; `sockets`: connections in all.
    `logins` to `deliveries` are rates (docs/security.md has them in a table): greetings, new guests, names kept, names
    changed, tables opened, matches started, finished matches that must be folded to be shown, acts, seconds of CPU for
    questions of the rules, words and offers, whole pictures asked for, changes of tables and accounts, searches of
    tables that nobody looks at yet, lists of tables, megabytes of replays, pages of history, proofs asked for, parts in
    dice, words in the lobby, reports, copies of own data, requests for friendship, people told of a seat
    that is kept for them, webhooks set, messages sent to webhooks.
    A guest who never had a seat is forgotten `guest_seconds` after they were last here, any other
    `played_guest_seconds` after; a kept name is released
    `name_seconds` after, one that was given up for another `name_rest_seconds` after. Questions of the rules wait in
    line, so many of a person (`questions_waiting`).
    A bot thinks for `bot_seconds` at most, in another process; then it plays the best that it has found. A process that
    bots are to think in, and which says nothing for `bot_silence_seconds`, is ended and replaced.
    A match whose seats bots alone hold, and which nobody watches, rests at once and ends after `deserted_seconds`.
    `friends`: those of one person; `requests_open`, `requests_received`: requests for friendship without an answer that
    one may have made, and may have been made; `silenced`: whom one may have muted, and as many blocked; `recent`: the
    newest people that one has played with who are remembered; `people_page`: people in one page of such a list.
    `offers`: those of one seat that may be open at a time; of its others the newest `offers_kept` are remembered.
    `announcements`: those that stand at a time, of `announcement_length` signs each. One counts down for
    `countdown_seconds` at most and stands for `announced_seconds` more; one that does not stands for
    `announcement_seconds`.
    A server that a window started for itself ends when nobody has been connected for `unused_seconds`.
    `content_*`: a user's own content: bytes of a file and of all, files, folders inside one another. `list_bytes`: an
    army list as a file.
    """

    inbound_bytes: int = 16 * 1024
    depth: int = 8
    array: int = 256
    map: int = 500
    string: int = 2048
    message_bytes: int = 1024 * 1024
    message_depth: int = 16
    handshake_seconds: float = 5.0
    ping_seconds: float = 20.0
    silence_seconds: float = 5.0
    answer_seconds: float = 5.0
    outbound_bytes: int = 768 * 1024
    outbound_messages: int = 64
    transport_bytes: int = 16 * 1024
    kernel_bytes: int = 64 * 1024
    behind_seconds: float = 6.0
    sockets_per_address: int = 20
    sockets_per_account: int = 5
    handshakes_per_second: int = 10
    name_length: int = 24
    table_name_length: int = 40
    chat_length: int = 400
    offer_length: int = 200
    offers: int = 4
    offers_kept: int = 12
    friends: int = 200
    requests_open: int = 20
    requests_received: int = 100
    silenced: int = 200
    recent: int = 50
    people_page: int = 10
    announcements: int = 3
    announcement_length: int = 200
    countdown_seconds: int = 7 * 24 * 3600
    announced_seconds: int = 600
    announcement_seconds: int = 24 * 3600
    seats: int = 6
    seat_code_seconds: int = 600
    invite_seconds: int = 24 * 3600
    token_idle_seconds: int = 14 * 24 * 3600
    token_seconds: int = 90 * 24 * 3600
    recheck_seconds: float = 1800.0
    devices: int = 8
    password_least: int = 8
    password_most: int = 128
    password_kib: int = 19 * 1024
    password_passes: int = 2
    password_threads: int = 1
    password_queue: int = 32
    failures: int = 5
    failures_per_address: int = 20
    failure_seconds: float = 15 * 60.0
    spectators: int = 1000
    watchers_named: int = 40
    remembered: int = 4000
    late_seconds: float = 120.0
    tables_per_account: int = 20
    tables_per_address: int = 60
    tables: int = 20_000
    matches_per_account: int = 10
    matches_per_address: int = 30
    matches: int = 2_000
    vacant_seconds: float = 60.0
    deserted_seconds: float = 600.0
    seats_held: HoldLimits = field(default=HoldLimits(40, 160, 60_000))
    looks_held: HoldLimits = field(default=HoldLimits(6, 40, 500))
    watchers: int = 5_000
    sockets: int = 10_000
    logins: Rates = field(default=Rates(Rate(100, 10 * MINUTE), Rate(600, 10 * MINUTE), Rate(30_000, 10 * MINUTE)))
    guests: Rates = field(default=Rates(None, Rate(120, HOUR), Rate(12_000, HOUR)))
    names: Rates = field(default=Rates(Rate(3, DAY), Rate(3, DAY), Rate(1_000, DAY)))
    renames: Rates = field(default=Rates(Rate(2, DAY), Rate(10, DAY), Rate(2_000, DAY)))
    openings: Rates = field(default=Rates(Rate(30, HOUR), Rate(120, HOUR), Rate(6_000, HOUR)))
    starts: Rates = field(default=Rates(Rate(20, HOUR), Rate(60, HOUR), Rate(1_200, HOUR)))
    folds: Rates = field(default=Rates(Rate(20, HOUR), Rate(60, HOUR), Rate(600, HOUR)))
    acts: Rates = field(default=Rates(None, Rate(3_000, MINUTE), Rate(120_000, MINUTE)))
    questions: Rates = field(default=Rates(Rate(6, MINUTE), Rate(15, MINUTE), Rate(2_400, HOUR)))
    talk: Rates = field(default=Rates(None, Rate(300, MINUTE), Rate(12_000, MINUTE)))
    shows: Rates = field(default=Rates(Rate(60, MINUTE), Rate(300, MINUTE), Rate(6_000, MINUTE)))
    changes: Rates = field(default=Rates(None, Rate(600, MINUTE), Rate(12_000, MINUTE)))
    searches: Rates = field(default=Rates(Rate(30, MINUTE), Rate(120, MINUTE), Rate(600, MINUTE)))
    lists: Rates = field(default=Rates(None, Rate(600, MINUTE), Rate(12_000, MINUTE)))
    replays: Rates = field(default=Rates(Rate(64, HOUR), Rate(256, HOUR), Rate(8_000, HOUR)))
    histories: Rates = field(default=Rates(Rate(60, MINUTE), Rate(300, MINUTE), Rate(6_000, MINUTE)))
    proofs: Rates = field(default=Rates(Rate(30, MINUTE), Rate(120, MINUTE), Rate(2_400, MINUTE)))
    parts: Rates = field(default=Rates(None, Rate(600, MINUTE), Rate(60_000, MINUTE)))
    words: Rates = field(default=Rates(Rate(300, HOUR), Rate(600, HOUR), Rate(6_000, HOUR)))
    reports: Rates = field(default=Rates(Rate(10, DAY), Rate(20, DAY), Rate(500, DAY)))
    exports: Rates = field(default=Rates(Rate(3, DAY), Rate(10, DAY), Rate(500, DAY)))
    requests: Rates = field(default=Rates(Rate(10, DAY), Rate(40, DAY), Rate(20_000, DAY)))
    invitations: Rates = field(default=Rates(Rate(60, HOUR), Rate(240, HOUR), Rate(12_000, HOUR)))
    webhooks: Rates = field(default=Rates(Rate(10, DAY), Rate(20, DAY), Rate(2_000, DAY)))
    deliveries: Rates = field(default=Rates(Rate(10, HOUR), None, Rate(3_000, HOUR)))
    guest_seconds: int = 24 * 3600
    played_guest_seconds: int = 90 * 24 * 3600
    name_seconds: int = 365 * 24 * 3600
    name_rest_seconds: int = 30 * 24 * 3600
    questions_waiting: int = 8
    warning_seconds: float = 10.0
    grace_seconds: float = 30.0
    owner_seconds: float = 120.0
    vote_seconds: float = 45.0
    vote_rest_seconds: float = 60.0
    bot_seconds: float = 2.0
    bot_silence_seconds: float = 30.0
    mail_seconds: float = 24 * 3600.0
    defaults: int = 2
    shown_days: int = 7
    unused_seconds: float = 1800.0
    intents: Bucket = field(default=Bucket(5, 20))
    details: Bucket = field(default=Bucket(20, 40))
    chat: Bucket = field(default=Bucket(1, 5))
    marks: Bucket = field(default=Bucket(1, 1))
    frames: Bucket = field(default=Bucket(4, 20))
    code_tries: Bucket = field(default=Bucket(5 / 60, 5))
    code_tries_per_address: Bucket = field(default=Bucket(20 / 60, 20))
    overflow_factor: int = 10
    arrivals: Bucket = field(default=Bucket(300, 100))
    kept_frames: int = 200
    file_part: int = 64 * 1024
    replay_bytes: int = 8 * 1024 * 1024
    replay_records: int = 50_000
    content_file_bytes: int = 256 * 1024
    content_bytes: int = 8 * 1024 * 1024
    content_files: int = 400
    content_depth: int = 4
    list_bytes: int = 64 * 1024

    def rates(self) -> dict[str, Rates]:
        """Return all rates by their kinds."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in found.items() if isinstance(value, Rates)}

    def held(self) -> dict[str, HoldLimits]:
        """Return what may be held, by its kinds."""
        tables = HoldLimits(self.tables_per_account, self.tables_per_address, self.tables)
        watchers = HoldLimits(self.sockets_per_account, self.sockets_per_address, self.watchers)
        matches = HoldLimits(self.matches_per_account, self.matches_per_address, self.matches)
        held = {"tables": tables, "matches": matches, "seats": self.seats_held, "watchers": watchers}
        return held | {"looks": self.looks_held}

    def guesses(self) -> dict[str, Bucket]:
        """Return the rates of guesses at codes and passwords, by their kinds."""
        account, address = self.code_tries, self.code_tries_per_address
        invites = {"invite-account": account, "invite-address": address}
        return invites | {"seat-code": account, "password-account": account, "password-address": address}


@dataclass(frozen=True)
class ChildLimits:
    """Bounds of a child process that reads a file from others: bytes of address space, seconds of computing, bytes of
    answer. After `patience` seconds by the clock it is ended: more than it may compute, since a busy machine keeps it
    waiting."""

    memory_bytes: int = 256 * 1024 * 1024
    cpu_seconds: int = 5
    patience: float = 20.0
    answer_bytes: int = 256 * 1024


READING: Final = ChildLimits()
"""Bounds of a child that reads a replay."""
CHECKING: Final = ChildLimits(cpu_seconds=20, patience=60.0)
"""Bounds of a child that checks all dice, cards and pictures of a match, and the receipts kept of it."""
