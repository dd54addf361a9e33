"""Matches of Apocalypse: Earth at a real server: bots play them to the end that the rules say, and the replay holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets.apocalypse_earth.system import system
from protocol.limits import Bucket, Limits
from protocol.scene.nodes import RESULT_NODE, Result
from protocol.wire import from_client as say
from server.content.systems import load
from tests.support.clients.wire import running
from tests.support.soak.course import until_decided
from tests.support.systems import ae_shipped

QUICK = Limits(frames=Bucket(1000, 1000), handshakes_per_second=1000, sockets_per_address=1000, bot_seconds=0.1)

OF_FOUR = ("loophole:four", "three_flags:four")


@pytest.mark.waits
@pytest.mark.parametrize(
    "scenario", ["first_contact", *(pytest.param(name, marks=pytest.mark.long("properties")) for name in OF_FOUR)]
)
async def test_bots_play_a_match_to_its_end(tmp_path: Path, scenario: str) -> None:
    async with running(tmp_path, systems=load([system]), limits=QUICK) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=system.name, scenario=scenario, name="Table"))
        await ann.arrived()
        await ann.say(say.ChangeTable(reaction_seconds=0))
        for _ in range(3):
            await ann.say(say.AddBot(kind="level1"))
        if not any(ae_shipped.content().forms[scenario].given):
            await ann.say(say.BringList())
        await ann.say(say.StartMatch())
        await ann.until(lambda: ann.state == "live")
        await ann.say(say.Concede())
        await until_decided(ann)
        assert ann.talk.scene is not None
        result = ann.talk.scene.nodes[RESULT_NODE]
        assert isinstance(result, Result)
        assert result.why.k in ("ae.ended.turns", "ae.ended.destroyed")
        await ann.until(lambda: ann.state == "finished")
        assert len(list((tmp_path / "replays").iterdir())) == 1
