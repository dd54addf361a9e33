"""Each thing that the lobby offers is reached in the window, by mouse and by keys, in one evening of four windows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import pytest

os.environ["ARCADE_HEADLESS"] = "1"

from protocol.wire import from_client as say
from protocol.wire.client_message import Message
from protocol.wire.links import FollowLink
from protocol.wire.on_now import GetOnNow
from protocol.wire.order_requests import (
    Announce,
    CloseTable,
    GetAudit,
    GetReports,
    GetSanctions,
    LiftSanction,
    RemovePerson,
    RenamePerson,
    Sanction,
    TakeBackAnnouncement,
)
from protocol.wire.own_data import GetOwnData
from protocol.wire.previews import GetPreview
from protocol.wire.seating import AskSeat, GetInvitations, GiveSeat, KeepSeat, Rematch, SwapSeats
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook
from tests.support.lobby_evening.evening import evening
from tests.support.lobby_evening.features import FEATURES
from tests.support.lobby_evening.visitor import Way

pytestmark = pytest.mark.waits

SAID: Final[set[type[Message]]] = {
    *(say.KeepName, say.Rename, say.Logout, say.DeleteAccount, GetOwnData),
    *(say.GetPeople, say.GetPerson, say.Relate, say.ShowPresence, say.Report),
    *(say.CreateTable, say.JoinTable, say.OpenTable, say.WatchTable, say.LeaveTable, say.NewCode, say.ChangeTable),
    *(KeepSeat, SwapSeats, AskSeat, GiveSeat, GetInvitations, say.AddBot, say.RemoveSeat, say.SetReady, say.StartMatch),
    *(say.FindTables, GetOnNow, GetPreview, say.SeekMatch, say.StopSeeking, say.ConfirmMatch),
    *(say.Chat, say.GetLobbyChat, say.GetSeatCode, say.UseSeatCode),
    *(say.GetResults, say.GetLeaders, say.GetReplay, FollowLink, Rematch),
    *(GetReports, GetSanctions, GetAudit, Sanction, LiftSanction, RemovePerson, RenamePerson, CloseTable),
    *(Announce, TakeBackAnnouncement, GetWebhook, SetWebhook, TryWebhook),
}
"""Messages that the windows must have sent at the end of the evening: all that the lobby is asked for."""


async def spend(folder: Path, monkeypatch: pytest.MonkeyPatch, ways: Sequence[Way]) -> None:
    """Do all of it, by these ways in turn."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "home"))
    async with evening(folder) as four:
        for todo, way in zip(FEATURES, islice(cycle(ways), len(FEATURES)), strict=True):
            four.go_by(way)
            await four.to_lobby()
            await todo(four)
        missing = SAID - four.said
        assert not missing, missing


async def test_each_feature_of_the_lobby_is_reached_by_mouse_and_keys_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await spend(tmp_path, monkeypatch, ["mouse", "keys"])


@pytest.mark.long("lobby")
@pytest.mark.parametrize("way", ["mouse", "keys"])
async def test_long_each_feature_of_the_lobby_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    await spend(tmp_path, monkeypatch, [way])
