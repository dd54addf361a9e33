"""Bans and mutes: in the store as long as they hold, and all of them at hand, since each arrival and line asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from server.runtime.refusals import Refused
from server.store.paging import each_record
from server.store.port import Store, StoredRecord
from server.store.record_form import read_record

SANCTIONS: Final = "sanction"
"""Kind of the records, by the ids of the sanctions."""
FOR_EVER: Final = 0
"""End of a ban that nothing but a moderator or the host ends."""
GONE_SECONDS: Final = 0.001
"""Seconds after which the record of a lifted sanction is gone: a batch puts, and deletes nothing."""
SanctionKind = Literal["ban", "mute"]


HOUR: Final = 3600
BAN_LEAST: Final = HOUR
MUTE_LEAST: Final = 300
MUTE_MOST: Final = 30 * 24 * HOUR


class StoredSanction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ban, or a mute in public talk, of a person with the name that they had, from `at` until `until` (Unix seconds),
    by a moderator or the host (empty). `look`: key of the name that nobody may have (display_names.look_key); `marks`:
    those of addresses and networks (AddressTrail) from which nobody comes in."""

    id: str
    what: SanctionKind
    who: str
    name: str
    reason: str
    at: int
    until: int = FOR_EVER
    by: str = ""
    by_name: str = ""
    look: str = ""
    marks: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def places(self) -> Iterator[str]:
        """Places at which it is looked for: of its person, name, addresses and networks."""
        yield place(self.what, self.who)
        if self.look:
            yield place("look", self.look)
        for mark in self.marks:
            yield place("mark", mark)

    def holds(self, now: int) -> bool:
        """Return True where it has not ended yet."""
        return self.until == FOR_EVER or now < self.until


def place(kind: str, key: str) -> str:
    """Return the place of a person under a ban or mute, of a look, or of a mark."""
    return f"{kind} {key}"


def check_seconds(what: SanctionKind, seconds: int) -> None:
    """Raise Refused where no ban or mute may be so long; a ban of 0 seconds is for ever."""
    is_fit = MUTE_LEAST <= seconds <= MUTE_MOST if what == "mute" else seconds == 0 or seconds >= BAN_LEAST
    if not is_fit:
        raise Refused("order/time")


def read_sanction(data: bytes) -> StoredSanction:
    """Decode a stored sanction. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=StoredSanction)


class Sanctions:
    """The bans and mutes of one store. `wall` returns Unix seconds."""

    def __init__(self, store: Store, wall: Callable[[], int]) -> None:
        self._store = store
        self._wall = wall
        self._all: dict[str, StoredSanction] = {}
        self._at: dict[str, list[StoredSanction]] = {}

    async def open(self) -> None:
        """Read all that hold. Raises StoreError."""
        async for record in each_record(self._store, SANCTIONS):
            self.add(read_record(SANCTIONS, record.key, record.data, StoredSanction))

    def record(self, sanction: StoredSanction) -> StoredRecord:
        """Return the record by which a sanction is stored, which goes when it ends."""
        seconds = None if sanction.until == FOR_EVER else max(sanction.until - self._wall(), GONE_SECONDS)
        return StoredRecord(SANCTIONS, sanction.id, msgspec.msgpack.encode(sanction), seconds=seconds)

    def lifted(self, sanction: StoredSanction) -> StoredRecord:
        """Return the record that ends a sanction now."""
        return self.record(replace(sanction, until=self._wall()))

    def add(self, sanction: StoredSanction) -> None:
        """Let a sanction hold that is stored."""
        self._all[sanction.id] = sanction
        for where in sanction.places:
            self._at.setdefault(where, []).append(sanction)

    def drop(self, sanction: StoredSanction) -> None:
        """Let a sanction hold no more."""
        if self._all.pop(sanction.id, None) is None:
            return
        for where in sanction.places:
            left = [other for other in self._at[where] if other.id != sanction.id]
            if left:
                self._at[where] = left
            else:
                del self._at[where]

    def find(self, id: str) -> StoredSanction | None:
        """Return a sanction that holds, None where there is none of this id."""
        found = self._all.get(id)
        return found if found is not None and found.holds(self._wall()) else None

    def longest(self, places: Iterable[str]) -> StoredSanction | None:
        """Return the one that ends last of those that hold at these places, None where there is none."""
        now = self._wall()
        found = [one for where in places for one in self._at.get(where, ()) if one.holds(now)]
        return max(found, key=lambda one: (one.until == FOR_EVER, one.until), default=None)

    def listed(self) -> Sequence[StoredSanction]:
        """Return all that hold, the newest first; those that have ended are forgotten."""
        now = self._wall()
        for one in [one for one in self._all.values() if not one.holds(now)]:
            self.drop(one)
        return sorted(self._all.values(), key=lambda one: (-one.at, one.id))
