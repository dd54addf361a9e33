"""What a moderator does to those who harm others, and what becomes of these."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem
from protocol.wire.order import SanctionPage
from protocol.wire.order_requests import GetSanctions, LiftSanction, Sanction
from tests.support.lobby_kills.ledger import Key
from tests.support.lobby_kills.notes import Notes
from tests.support.lobby_kills.visitor import LinkLost, Visitor

HOUR: Final = 3600


async def ban(notes: Notes, moderator: Visitor, rowdy: Visitor) -> None:
    """Ban somebody and the address from which they come, for a time or for ever."""
    reason = notes.fresh("Shouts")
    message = Sanction(
        who=rowdy.who, what="ban", reason=reason, seconds=notes.chance.choice((0, HOUR)), also=["address"]
    )
    changes: dict[Key, Any] = {("sanction", rowdy.who, "ban"): True, ("audit", "ban", reason): 1}
    await notes.must_change(moderator, message, changes)
    await rowdy.until(lambda: rowdy.closed is not None)


async def mute(notes: Notes, moderator: Visitor, rowdy: Visitor) -> None:
    """Let somebody say nothing in public for an hour."""
    reason = notes.fresh("Sings")
    message = Sanction(who=rowdy.who, what="mute", reason=reason, seconds=HOUR)
    changes: dict[Key, Any] = {("sanction", rowdy.who, "mute"): True, ("audit", "mute", reason): 1}
    await notes.must_change(moderator, message, changes)
    assert await rowdy.done(say.Chat(text="La", where="lobby")) == ["chat/muted"]


async def lift(notes: Notes, moderator: Visitor) -> None:
    """End a ban or a mute."""
    await moderator.done(GetSanctions())
    [page] = [one for one in moderator.heard if isinstance(one, SanctionPage)]
    if page.rows:
        row, reason = notes.chance.choice(page.rows), notes.fresh("Regrets")
        changes: dict[Key, Any] = {("sanction", row.who, row.what): False, ("audit", "lift", reason): 1}
        await notes.change(moderator, LiftSanction(id=row.id, reason=reason), changes)


async def delete(notes: Notes, person: Visitor) -> None:
    """Delete one's account, with all that one has said."""
    begun = notes.ledger.begin({("account", person.who): False})
    for key in [key for key in notes.ledger.known if key[:2] in (("line", person.who), ("sanction", person.who))]:
        notes.ledger.forget(key)
    with suppress(LinkLost):
        await person.done(say.DeleteAccount())
    if any(isinstance(one, Problem) and one.code == "session/deleted" for one in person.heard):
        notes.ledger.end(begun)
    else:
        raise LinkLost
