"""Messages of each kind of guest, again and again: of each kind of message the dearest that is allowed.

A course is a row of messages that are sent one after the other; messages with a bucket of their own are sent beside it.
A message that cannot be sent at the moment is passed over.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from protocol.ids import TableId
from protocol.scene.fields import Pieces
from protocol.version import VERSION
from protocol.wire import from_client as say, order_requests as order, seating
from protocol.wire.faction_pages import GetFaction
from protocol.wire.links import FollowLink
from protocol.wire.on_now import GetOnNow
from protocol.wire.own_data import GetOwnData
from protocol.wire.previews import GetPreview
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook
from tests.support.legal.guests import Guest, detail_of, intent_of
from tests.support.legal.world import ARMIES, BOTS, LIST, World

Saying = Callable[[Guest, World], Awaitable[say.Message | None]]
PLAYER, PAIR, HOST, COMER = "player", "pair", "host", "comer"
"""At a table of six, at one of two large armies, one who opens tables, one who comes and goes."""


class Said(NamedTuple):
    """One message of a course."""

    kind: type[say.Message]
    make: Saying


def always(message: Callable[[Guest, World], say.Message | None]) -> Saying:
    """Return a saying of a message that needs no request before it."""

    async def made(guest: Guest, world: World) -> say.Message | None:
        return message(guest, world)

    return made


async def _act(guest: Guest, _: World) -> say.Message | None:
    reply = await guest.reply()
    return intent_of(guest, reply) if reply is not None else None


async def _question(guest: Guest, _: World) -> say.Message | None:
    prompt = guest.choices
    asked = [choice for choice in prompt.choices if any(field.lazy for field in choice.fields)] if prompt else []
    if not asked:
        return None
    guest.steps += 1
    choice = asked[guest.steps % len(asked)]
    fields: dict[str, object] = {}
    # a random way into the choice: its last field is the one that needs the board
    for field in choice.fields[: guest.steps // len(asked) % len(choice.fields)]:
        known = await guest.detail(choice.id, fields) if field.lazy else field
        if known is None:
            break
        fields[field.key] = guest.bot.value(known)
    return detail_of(guest, choice.id, fields)


async def _survey(guest: Guest, _: World) -> say.Message | None:
    prompt = guest.choices
    offered = [(c, f) for c in prompt.choices for f in c.fields[:1] if isinstance(f, Pieces)] if prompt else []
    ids = [option.id for choice, field in offered if choice.gesture is not None for option in field.options]
    guest.steps += 1
    if prompt is None or not ids:
        return None
    return say.Survey(id=guest.number(), prompt=prompt.id, subject=ids[guest.steps % len(ids)])


async def _propose(guest: Guest, _: World) -> say.Message | None:
    prompt = guest.choices
    guest.steps += 1
    if prompt is None or not prompt.choices:
        return None
    choice = prompt.choices[guest.steps % len(prompt.choices)]
    return say.Propose(id=guest.number(), prompt=prompt.id, choice=choice.id)


QUESTIONS: Final = (
    Said(say.DetailRequest, _question),
    Said(say.Survey, _survey),
    Said(say.Propose, _propose),
)
"""What asks the rules, one after another."""
ACTS: Final = (Said(say.Intent, _act),)


def _seat(guest: Guest) -> int:
    return int(guest.table.get("seat", -1))


def _id(guest: Guest) -> TableId:
    return TableId(str(guest.table.get("id", "")) or "none")


def _other(guest: Guest) -> str:
    """The id of the next seat's person."""
    seats = guest.table.get("seats", ())
    return str(seats[(_seat(guest) + 1) % len(seats)].get("who", "nobody")) if seats else "nobody"


def _offer(guest: Guest, world: World) -> say.Message | None:
    offers = guest.said.get("offer")
    return say.AnswerOffer(offer=offers["id"], yes=False) if offers is not None else None


def said(kind: type[say.Message], make: Callable[[Guest, World], say.Message | None]) -> Said:
    """Return a saying of this kind of message that needs no request before it."""
    return Said(kind, always(make))


OF_MODERATORS: Final = (
    said(order.Sanction, lambda g, w: order.Sanction(who=_other(g), what="ban", reason="w" * 400)),
    said(order.LiftSanction, lambda g, w: order.LiftSanction(id="none", reason="w" * 400)),
    said(order.RemovePerson, lambda g, w: order.RemovePerson(who=_other(g), reason="w" * 400)),
    said(order.RenamePerson, lambda g, w: order.RenamePerson(who=_other(g), name="n" * 40, reason="w" * 400)),
    said(order.CloseTable, lambda g, w: order.CloseTable(table=_id(g), reason="w" * 400)),
    said(order.GetReports, lambda g, w: order.GetReports()),
    said(order.GetSanctions, lambda g, w: order.GetSanctions()),
    said(order.GetAudit, lambda g, w: order.GetAudit()),
    said(order.Announce, lambda g, w: order.Announce(text="w" * 200, seconds=600)),
    said(order.TakeBackAnnouncement, lambda g, w: order.TakeBackAnnouncement(id="none")),
)
"""What is refused of everybody else."""
ROOM: Final = say.ChangeTable(seconds=3600, reaction_seconds=30, bank=7200)

COURSES: Final[dict[str, tuple[tuple[Said, ...], ...]]] = {
    PLAYER: (
        (
            said(say.Resync, lambda g, w: say.Resync(part="public", why="hash")),
            said(say.GetProof, lambda g, w: say.GetProof(table=_id(g))),
            said(say.GetHistory, lambda g, w: say.GetHistory(table=_id(g))),
            said(say.GetResults, lambda g, w: say.GetResults()),
            said(say.Speak, lambda g, w: say.Speak(language="de" if g.number() % 2 else "en")),
            said(GetOwnData, lambda g, w: GetOwnData()),
            said(GetWebhook, lambda g, w: GetWebhook()),
            said(SetWebhook, lambda g, w: SetWebhook(address=f"https://{'h' * 400}.example/x", place="localhost")),
            said(TryWebhook, lambda g, w: TryWebhook()),
            said(say.GetLeaders, lambda g, w: say.GetLeaders(system="action_cards")),
            said(say.GetPeople, lambda g, w: say.GetPeople(list="recent")),
            said(say.GetLobbyChat, lambda g, w: say.GetLobbyChat()),
            said(say.Report, lambda g, w: say.Report(who=_other(g), reason="spam", words="w" * 400)),
            *OF_MODERATORS,
            said(say.GetPerson, lambda g, w: say.GetPerson(who=_other(g))),
            said(say.Relate, lambda g, w: say.Relate(what="block", who=_other(g))),
            said(say.Relate, lambda g, w: say.Relate(what="unblock", who=_other(g))),
            said(say.ShowPresence, lambda g, w: say.ShowPresence(shown=g.steps % 2 == 0)),
            said(say.OpenTable, lambda g, w: say.OpenTable(table=_id(g))),
            said(say.Tip, lambda g, w: say.Tip(table=_id(g), tip=secrets.token_bytes(32), key=secrets.token_bytes(32))),
            said(say.ListTables, lambda g, w: say.ListTables()),
            said(say.FindTables, lambda g, w: say.FindTables(words=f"n {g.number()}", free=1)),
            said(say.CallVote, lambda g, w: say.CallVote(what="end")),
            said(say.CastVote, lambda g, w: say.CastVote(yes=False)),
            said(say.GetSeatCode, lambda g, w: say.GetSeatCode()),
            said(say.Consent, lambda g, w: say.Consent(who="nobody", allow=True)),
            said(
                say.Entropy,
                lambda g, w: say.Entropy(table=_id(g), round=g.number(), link=bytes(32), proof=bytes(64)),
            ),
            said(say.Ping, lambda g, w: say.Ping(n=g.number())),
        ),
        ACTS,
        QUESTIONS,
        (
            said(say.Chat, lambda g, w: say.Chat(text="w" * 400)),
            said(say.Chat, lambda g, w: say.Chat(text="w" * 400, where="lobby")),
            said(say.Offer, lambda g, w: say.Offer(to=(_seat(g) + 1) % 6, kind="truce", text="w" * 200, open=True)),
            said(say.AnswerOffer, _offer),
            said(say.BotPace, lambda g, w: say.BotPace(pace=300)),
            said(say.PointAt, lambda g, w: say.PointAt(at=[1200, 900])),
        ),
    ),
    PAIR: (ACTS, QUESTIONS),
    HOST: (
        (
            said(say.CreateTable, lambda g, w: say.CreateTable(system=BOTS[0], scenario=BOTS[1], name="n" * 40)),
            said(say.ChangeTable, lambda g, w: ROOM),
            *(said(say.AddBot, lambda g, w: say.AddBot(kind="level3")) for _ in range(5)),
            said(say.NewCode, lambda g, w: say.NewCode()),
            said(say.RemoveSeat, lambda g, w: say.RemoveSeat(seat=5)),
            said(seating.KeepSeat, lambda g, w: seating.KeepSeat(seat=5, locked=True)),
            said(seating.SwapSeats, lambda g, w: seating.SwapSeats(seat=1, other=2)),
            said(say.AddBot, lambda g, w: say.AddBot(kind="level3", seat=5)),
            said(say.RemoveWatcher, lambda g, w: say.RemoveWatcher(who="nobody")),
            said(say.SetReady, lambda g, w: say.SetReady(ready=True, delayed_view=True)),
            said(say.StartMatch, lambda g, w: say.StartMatch()),
            said(say.Concede, lambda g, w: say.Concede(figures=g.steps % 2 == 0)),
            said(say.LeaveTable, lambda g, w: say.LeaveTable()),
            said(say.CreateTable, lambda g, w: say.CreateTable(system=ARMIES[0], scenario=ARMIES[1], name="n" * 40)),
            said(say.ChooseFaction, lambda g, w: say.ChooseFaction(faction=w.faction)),
            said(say.BringList, lambda g, w: say.BringList(lines=w.list_lines)),
            said(say.BringList, lambda g, w: say.BringList(list=LIST)),
            said(say.BringList, lambda g, w: say.BringList()),
            said(say.ChangeTable, lambda g, w: say.ChangeTable(scenario="crossroads_3000", name="m" * 40)),
        ),
        (said(say.BuildList, lambda g, w: say.BuildList(draft=LIST)),),
    ),
    COMER: (
        (
            said(say.Hello, lambda g, w: say.Hello(version=VERSION, name=f"{g.name} {g.number()}", adds=True)),
            said(say.TokenKept, lambda g, w: say.TokenKept()),
            # before the name is kept: then it needs the password
            said(say.DeleteAccount, lambda g, w: say.DeleteAccount()),
            said(say.KeepName, lambda g, w: say.KeepName(password=secrets.token_hex(8))),
            said(say.Rename, lambda g, w: say.Rename(name=f"{g.name} {secrets.token_hex(3)}")),
            said(say.UseSeatCode, lambda g, w: say.UseSeatCode(code="ABCDE12345")),
            said(
                say.JoinTable, lambda g, w: say.JoinTable(table=w.open) if w.open else say.JoinTable(code="ABCDE12345")
            ),
            said(say.LeaveTable, lambda g, w: say.LeaveTable()),
            said(say.WatchTable, lambda g, w: say.WatchTable(table=w.live) if w.live else None),
            said(FollowLink, lambda g, w: FollowLink(code="ABCDE12345")),
            said(say.LookAs, lambda g, w: say.LookAs(sees="seat", seat=0)),
            said(say.LookAs, lambda g, w: say.LookAs(sees="all")),
            said(seating.AskSeat, lambda g, w: seating.AskSeat(seat=0)),
            said(seating.GiveSeat, lambda g, w: seating.GiveSeat(who="nobody")),
            said(say.WatchTable, lambda g, w: say.WatchTable(table=w.finished) if w.finished else None),
            said(say.GetProof, lambda g, w: say.GetProof(table=w.finished) if w.finished else None),
            said(say.GetReplay, lambda g, w: say.GetReplay(table=w.finished) if w.finished else None),
            said(seating.Rematch, lambda g, w: seating.Rematch()),
            said(seating.GetInvitations, lambda g, w: seating.GetInvitations()),
            said(say.ListTables, lambda g, w: say.ListTables()),
            said(say.FindTables, lambda g, w: say.FindTables(words=f"n {g.number()}", free=1)),
            said(GetOnNow, lambda g, w: GetOnNow()),
            said(
                GetFaction,
                lambda g, w: GetFaction(system=ARMIES[0], faction="sable_order"),
            ),
            said(GetPreview, lambda g, w: GetPreview(system=BOTS[0], scenario=BOTS[1])),
            said(
                GetPreview,
                lambda g, w: GetPreview(system=BOTS[0], scenario=BOTS[1], options={"special_events": g.steps % 2 == 0}),
            ),
            said(
                say.SeekMatch,
                lambda g, w: say.SeekMatch(systems=[BOTS[0], ARMIES[0]], seats=[2, 6], rated=True, lists=[[LIST]] * 4),
            ),
            said(say.ConfirmMatch, lambda g, w: say.ConfirmMatch(match="nothing")),
            said(say.FillWithBots, lambda g, w: say.FillWithBots()),
            said(say.StopSeeking, lambda g, w: say.StopSeeking()),
            said(say.Logout, lambda g, w: say.Logout()),
        ),
    ),
}


def kinds() -> set[type[say.Message]]:
    """Return all messages that are sent by some guest."""
    return {one.kind for courses in COURSES.values() for course in courses for one in course}
