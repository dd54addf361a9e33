"""Yes to a notice over a replay: the window goes where it leads."""

from __future__ import annotations

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.model.replay.replay_player import ReplayPlayer
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.dates import DateTold
from protocol.wire.from_client import ConfirmMatch, JoinTable, OpenTable
from protocol.wire.from_server import FromServer
from protocol.wire.links import FollowLink
from protocol.wire.quick_match import MatchOffered, Seeking
from protocol.wire.seating import Invitation
from protocol.wire.webhooks import TurnTold
from tests.support.clients.sessions import Table
from tests.support.examples import replays, scenes
from tests.support.systems.hand import Hand

NEXT = TableId("t9")
OFFER = MatchOffered("o1", "action_cards", Text("The mill"), 2, 20_000)
SEAT = Invitation(NEXT, "Friday", "action_cards", Text("The mill"), "Ann", again=True)


@pytest.fixture
def at_replay(table: Table) -> Table:
    """Window that shows a replay, at a table whose match is on."""
    table.app.show(ReplayScreen(table.app, ReplayPlayer(replays.replay())))
    table.settle()
    return table


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ((Seeking(on=True), OFFER), ConfirmMatch(match="o1")),
        ((SEAT,), JoinTable(table=NEXT)),
        ((TurnTold(NEXT, "Friday"),), OpenTable(table=NEXT)),
        ((DateTold(NEXT, "Friday", 1_700_000_000),), OpenTable(table=NEXT)),
    ],
    ids=["match", "seat", "turn", "date"],
)
def test_yes_leaves_the_replay_and_shows_the_table_that_comes(
    told: tuple[FromServer, ...], said: ConfirmMatch | JoinTable | OpenTable, at_replay: Table, hand: Hand
) -> None:
    at_replay.say(*told)
    assert isinstance(at_replay.app.front, ReplayScreen)
    hand.press(keys.J, keys.MOD_CTRL)
    assert at_replay.last(type(said)) == said
    assert isinstance(at_replay.app.front, TableScreen), "the table at which the person sits"
    at_replay.say(replace(scenes.table_view(1, "open"), id=NEXT))
    assert isinstance(at_replay.app.front, SetupScreen)


def test_no_goes_on_with_the_replay(at_replay: Table, hand: Hand) -> None:
    at_replay.say(SEAT)
    hand.press(keys.J, keys.MOD_CTRL | keys.MOD_SHIFT)
    at_replay.settle()
    assert isinstance(at_replay.app.front, ReplayScreen)


def test_a_link_that_is_followed_leaves_the_replay(at_replay: Table) -> None:
    at_replay.session.knows_links = True
    at_replay.navigator.links.follow("K7Q4XZABCD")
    assert at_replay.last(FollowLink) == FollowLink(code="K7Q4XZABCD")
    assert isinstance(at_replay.app.front, TableScreen)
