"""The rates that each client message counts against (`Limits.rates`), as docs/security.md lists them.

All messages count against the sender's own token bucket first (protocol/wire/pacing.py), which is in no list here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocol.wire import from_client as said

MESSAGE_BOUNDS: Final[Mapping[type[object], tuple[str, ...]]] = {
    # counted when the account is known (server/net/message_router.py)
    said.Hello: (),
    said.TokenKept: ("changes",),
    said.Logout: ("changes",),
    said.KeepName: ("changes",),
    said.GetSeatCode: ("changes",),
    said.UseSeatCode: ("shows",),
    said.CreateTable: ("openings", "shows"),
    said.JoinTable: ("shows",),
    said.OpenTable: ("shows",),
    said.WatchTable: ("shows",),
    said.LookAs: ("shows",),
    said.Consent: ("changes",),
    said.LeaveTable: ("changes",),
    said.ChooseFaction: ("changes",),
    # charged by the time they take
    said.BuildList: (),
    said.BringList: ("changes",),
    said.SetReady: ("changes",),
    said.AddBot: ("changes",),
    said.RemoveSeat: ("changes",),
    said.RemoveWatcher: ("changes",),
    said.ChangeTable: ("changes",),
    said.NewCode: ("changes",),
    said.StartMatch: ("starts",),
    said.CallVote: ("changes",),
    said.CastVote: ("changes",),
    said.Concede: ("changes",),
    said.ListTables: ("lists",),
    said.Intent: ("acts",),
    # charged by the time it takes
    said.DetailRequest: (),
    said.Chat: ("talk",),
    said.Offer: ("talk",),
    said.AnswerOffer: ("talk",),
    said.Resync: ("shows",),
    # by its size
    said.GetReplay: (),
    said.GetProof: ("proofs",),
    said.Tip: ("parts",),
    said.Entropy: ("parts",),
    # answered before it comes here (protocol/wire/server_conversation.py)
    said.Ping: (),
}
