"""Order on one server: who may come in and talk, who may say so, and what is announced."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Sequence

from protocol.limits import Limits
from protocol.text import Text
from server.accounts.display_names import look_key
from server.accounts.identities import Account
from server.order.address_trail import AddressTrail
from server.order.announcements import AnnouncementBoard
from server.order.audit import AuditEntry, AuditList, Doer, reason_given
from server.order.moderators import Moderators
from server.order.sanctions import FOR_EVER, SanctionKind, Sanctions, StoredSanction, check_seconds, place
from server.runtime.address_marks import AddressMarks
from server.runtime.refusals import Refused
from server.store.port import Store


class Moderation:
    """Moderators, sanctions, trails of addresses, announcements and the audit list of one store. `wall` returns Unix
    seconds; `named`: moderators of the settings."""

    def __init__(
        self,
        store: Store,
        marks: AddressMarks,
        wall: Callable[[], int],
        named: Collection[str] = (),
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._wall = wall
        self.audit = AuditList(store)
        self.moderators = Moderators(store, self.audit, named)
        self.sanctions = Sanctions(store, wall)
        self.trail = AddressTrail(store, marks, wall)
        self.announcements = AnnouncementBoard(store, self.audit, wall, limits)

    async def open(self) -> None:
        """Read all that must be at hand. Raises StoreError."""
        await self.moderators.open()
        await self.sanctions.open()
        await self.announcements.open()

    async def forget(self, who: str) -> None:
        """Delete what is kept of a deleted account but bans, mutes and the audit list. Raises StoreError."""
        await self.moderators.forget(who)
        await self.trail.forget(who)

    # Checks

    def check_guest(self, name: str, address: str) -> None:
        """Raise Refused where nobody new may come in by this name, or from this address."""
        self._refuse([place("look", look_key(name))], "session/name-banned", name=name)
        self._refuse(self._origin(address), "session/banned", "order.network_banned")

    def check(self, account: Account, address: str) -> None:
        """Raise Refused where this person may not be here, or not from this address; moderators may."""
        if self.moderators.includes(account):
            return
        self._refuse([place("ban", account.id)], "session/banned")
        self.check_guest(account.name, address)

    def check_name(self, name: str) -> None:
        """Raise Refused where nobody may have this name now."""
        if self.sanctions.longest([place("look", look_key(name))]) is not None:
            raise Refused("rename/reserved")

    def check_talk(self, who: str) -> None:
        """Raise Refused where a person is muted in public talk."""
        self._refuse([place("mute", who)], "chat/muted")

    def _origin(self, address: str) -> list[str]:
        return [place("mark", mark) for mark in self.trail.all_marks(address)]

    def _refuse(self, places: Sequence[str], code: str, key: str = "", **arguments: str) -> None:
        sanction = self.sanctions.longest(places)
        if sanction is not None:
            text = Text(key or f"problem.{code}", {"until": until_text(sanction.until), **arguments})
            raise Refused.saying(code, text)

    # Changes, each stored with its entry of the audit list

    async def judge(
        self, about: Account, what: SanctionKind, seconds: int, reason: str, also: Collection[str], by: Doer
    ) -> StoredSanction:
        """Ban or mute a person for so many seconds (a ban of 0: for ever), and return the sanction that holds now;
        `also`: what a ban includes, as Included of the wire. Raises Refused, StoreError: then nothing has changed."""
        check_seconds(what, seconds)
        at, included = self._wall(), tuple(sorted(set(also))) if what == "ban" else ()
        trail = await self.trail.of(about.id) if included else []
        marks = [marks.address for marks in trail if "address" in included]
        marks += [marks.network for marks in trail if "network" in included]
        sanction = StoredSanction(
            id=secrets.token_hex(8),
            what=what,
            who=about.id,
            name=about.name,
            reason=reason_given(reason),
            at=at,
            until=at + seconds if seconds else FOR_EVER,
            by=by.id,
            by_name=by.name,
            look=look_key(about.name) if "name" in included else "",
            marks=tuple(dict.fromkeys(marks)),
            also=included,
        )
        await self.impose(sanction)
        return sanction

    async def lift_by_id(self, id: str, reason: str, by: Doer) -> StoredSanction:
        """End a ban or mute, and return it. Raises Refused where none of this id holds, StoreError: then nothing has
        changed."""
        sanction = self.sanctions.find(id)
        if sanction is None:
            raise Refused("order/lifted")
        await self.lift(sanction, self._wall(), *by, reason_given(reason))
        return sanction

    async def impose(self, sanction: StoredSanction) -> None:
        """Let a ban or mute hold. Raises StoreError: then it does not."""
        entry = AuditEntry(
            sanction.what,
            sanction.at,
            sanction.by,
            sanction.by_name,
            sanction.who,
            sanction.name,
            until=sanction.until,
            detail=", ".join(sanction.also),
            reason=sanction.reason,
        )
        await self.audit.write(entry, self.sanctions.record(sanction))
        self.sanctions.add(sanction)

    async def lift(self, sanction: StoredSanction, at: int, by: str, by_name: str, reason: str) -> None:
        """End a ban or mute. Raises StoreError: then it still holds."""
        entry = AuditEntry("lift", at, by, by_name, sanction.who, sanction.name, detail=sanction.what, reason=reason)
        await self.audit.write(entry, self.sanctions.lifted(sanction))
        self.sanctions.drop(sanction)


def until_text(until: int) -> Text:
    """Return the end of a ban or mute in words."""
    if until == FOR_EVER:
        return Text("order.for_ever")
    return Text("order.until", {"time": time.strftime("%Y-%m-%d %H:%M", time.gmtime(until))})
