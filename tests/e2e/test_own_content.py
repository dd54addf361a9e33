"""docs/content.md followed to its end: the server hosts the folder, and its scenario is played over the wire.

The match has the folder's faction and map, and lasts until its event has come up.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.ids import NodeId
from protocol.scene.nodes import ROW_NODE, Feature, Row, SeatNode
from protocol.text import Text
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, FromServer, Snapshot, TableView
from tests.support.clients.company import Guest
from tests.support.clients.programs import run, until
from tests.support.faults.sturdy_server import SturdyServer
from tests.support.runs.pages import page, written

WORDS = "Fog off the water: nobody sees farther than 10 inches until the next row is over."


class Owner(Guest):
    """Player who opens a table of the folder's scenario with a bot in the other seat, plays, and notes what they
    see."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "", "Olive", "level2", 5)
        self.begun = False
        self.cards: set[str] = set()
        self.told: set[str] = set()
        self.lasting = False

    def ask_for_seat(self) -> None:
        self.talk.say(say.CreateTable(system="action_cards", scenario="last_ferry", name="Ferry"))

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if isinstance(message, TableView) and message.state == "open" and not self.begun:
            self.begun = True
            self.talk.say(say.ChangeTable(reaction_seconds=0))
            self.talk.say(say.AddBot(kind="level2", seat=1))
            self.talk.say(say.StartMatch())
        if isinstance(message, Snapshot | Delta) and self.talk.scene is not None:
            row = self.talk.scene.nodes.get(ROW_NODE)
            self.cards |= {card.name.k for card in row.cards} if isinstance(row, Row) else set()
            self.lasting |= "stack/lasting.sea_fret" in self.talk.scene.nodes
        if isinstance(message, Delta):
            words = [cue.text.a["words"] for cue in message.cues if cue.text.k == "log.event"]
            self.told |= {one.k for one in words if isinstance(one, Text)}


@pytest.mark.waits(times=200)
async def test_a_folder_of_own_content_is_hosted_and_played_to_the_end(tmp_path: Path) -> None:
    *_, serve = written(page("content.md"), tmp_path)
    ferry = tmp_path / "mine" / "action_cards" / "ferry.toml"
    ferry.write_text(ferry.read_text().replace('["sea_fret", "crows"]', '["sea_fret"]'))  # it alone can come
    *command, mine = serve.split()
    assert command == ["eschaton-server", "serve", "--content"]
    # somebody may be wiped out before half of the cards are played
    server = SturdyServer(tmp_path, options=("--content", str(tmp_path / mine)))
    await server.start()
    try:
        owner = await evening(server)
    finally:
        status = await server.end()
    assert (status, owner.talk.drifts) == (0, 0)
    assert owner.result is not None
    assert owner.talk.scene is not None
    nodes = owner.talk.scene.nodes
    office = nodes[NodeId("feature/ticket_office")]
    assert isinstance(office, Feature)
    assert office.name is not None
    assert office.name.k == "the ticket office"
    assert {node.name.k for node in nodes.values() if isinstance(node, SeatNode)} >= {"The Undertow"}
    assert "Sea fret" in owner.cards
    assert WORDS in owner.told
    assert owner.lasting
    made = next((server.data / "replays").glob("*.replay"))
    assert await run(tmp_path, "client.app.main", "verify", str(made)) == 0
    assert await run(tmp_path, "server.cli.main", "check", str(made)) == 0


async def evening(server: SturdyServer) -> Owner:
    """Play a match from the opening of the table to its result."""
    owner = Owner(server.url)
    playing = asyncio.create_task(owner.play())
    await until(playing.done)
    await playing
    return owner
