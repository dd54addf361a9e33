"""The history of a match: what each viewer was told, page by page, the same when it is made again from the log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup, System
from engine.core.view.projection import Projector, SceneChanges
from protocol.ids import MatchId, TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatHistory, History, Problem, ToldFrame
from server.match import history
from server.match.channels import DELAYED, SPECTATOR, Viewpoint, player
from server.match.history import MatchHistory
from server.runtime.loop_turns import LoopTurns
from tests.support.clients.wire import Client, running, two_players
from tests.support.proving import system as proving
from tests.support.proving.state import Scenario
from tests.support.systems.haggle import HAGGLE

pytestmark = pytest.mark.waits

MATCH = MatchId("m1")
VIEWS = (SPECTATOR, DELAYED, *(player(Seat(seat)) for seat in range(3)))
SYSTEMS: dict[str, tuple[System[Any], bytes]] = {
    "haggle": (HAGGLE, HAGGLE.setup(None, Setup("fair", ("", "", "")))),
    "proving": (proving, msgspec.msgpack.encode(Scenario(12))),
}


class Played:
    """A match of three random seats, with its log and its history as it was told."""

    def __init__(self, name: str, seed: int, decisions: int) -> None:
        self.system, resolved = SYSTEMS[name]
        self.dice = MatchDice(seed.to_bytes(32, "big"), MATCH)
        self.log: list[bytes] = []
        self.match: Match[Any] = Match(self.system, MATCH, self.dice)
        self.history: MatchHistory | None = None
        self.play = SelfPlay(self.match, self._told)
        self.play.begin(Start(MATCH, 3, resolved))
        self.play.play({Seat(seat): RandomBot(seed + seat) for seat in range(3)}, decisions)

    def _told(self, step: Step[Any], frames: SceneChanges | None) -> None:
        self.log.append(step.data)
        if frames is None:
            self.history = MatchHistory(self.match, LoopTurns())
        elif self.history is not None:
            self.history.take(step.version, frames.told)

    async def read(self) -> list[bytes]:
        return self.log


def pages(kept: MatchHistory, view: Viewpoint, projector: Projector[Any], upto: int) -> list[History]:
    """All pages of a viewpoint, the newest first."""
    found: list[History] = []
    before: int | None = None
    while before != 0:
        page = msgspec.msgpack.decode(kept.page(view, projector, upto, before), type=History)
        assert before is None or page.first + len(page.frames) == before
        found.append(page)
        before = page.first
    return found


def whole(kept: MatchHistory, view: Viewpoint, projector: Projector[Any], upto: int) -> list[ToldFrame]:
    return [frame for page in reversed(pages(kept, view, projector, upto)) for frame in page.frames]


async def made_again(played: Played) -> MatchHistory:
    """The history made from the log alone."""
    made = MatchHistory(played.match, LoopTurns())
    made.forget()
    await made.load(played.read)
    return made


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([*SYSTEMS]), st.integers(0, 40))
def test_history_made_again_from_the_log_is_what_was_told(seed: int, name: str, decisions: int) -> None:
    played = Played(name, seed, decisions)
    made, told = asyncio.run(made_again(played)), played.history
    assert told is not None
    for view in VIEWS:
        now, projector = played.match.version, played.play.projector
        assert whole(made, view, projector, now) == whole(told, view, projector, now)


async def test_old_entries_leave_the_memory_and_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "KEPT", 4)
    played = Played("haggle", 5, 40)
    made, told = await made_again(played), played.history
    assert told is not None
    await told.load(played.read)
    now, projector = played.match.version, played.play.projector
    for view in VIEWS:
        assert whole(made, view, projector, now) == whole(told, view, projector, now)


def test_a_page_has_so_many_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "HISTORY_ACTS", 3)
    played = Played("haggle", 5, 40)
    assert played.history is not None
    found = pages(played.history, SPECTATOR, played.play.projector, played.match.version)
    assert len(found) > 2
    assert {sum(max(1, len(frame.acts)) for frame in page.frames) for page in found[:-1]} <= {2, 3}


def test_nobody_is_told_what_another_seat_alone_knows() -> None:
    played = Played("haggle", 5, 60)
    told = played.history
    assert told is not None
    now, projector = played.match.version, played.play.projector
    frames = {view: whole(told, view, projector, now) for view in VIEWS}
    public = frames[SPECTATOR]
    assert all(act.n > 0 for frame in public for act in frame.acts)
    for seat in range(3):
        own = [frame for frame in frames[player(Seat(seat))] if frame not in public]
        assert all(act.seat == seat and act.n < 0 for frame in own for act in frame.acts)
        assert all(not cue.act or cue.act < 0 for frame in own for cue in frame.cues if cue.text.k == "dice.secret")
    assert all(act.n > 0 for frame in frames[DELAYED] for act in frame.acts)


async def back(client: Client, port: int) -> None:
    client.port = port
    client.heard.clear()
    await client.connect()


async def test_whoever_comes_later_is_told_what_happened_and_what_was_said(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.say(say.Chat(text="Good luck"))
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        assert await ben.intend("no") == ""
        await run.clock.until_sleeping()
        run.clock.advance(3)
        await ben.my_turn("strike")
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        said = await eve.hear(ChatHistory, keep=True)
        assert [line.text for line in said.lines] == ["Good luck"]
        told = await eve.hear(History, keep=True)
        assert [cue.text.k for frame in told.frames for cue in frame.cues]
        eve.heard.clear()
        await eve.say(say.GetHistory(table=ann.talk.table.id, before=told.first))
        assert (await eve.hear(History)).frames == ()
    async with running(tmp_path) as run:
        run.clients += [ann, eve]
        await back(ann, run.port)
        await back(eve, run.port)
        assert (await eve.hear(ChatHistory, keep=True)).lines == said.lines
        again = await eve.hear(History, keep=True)
        assert again.frames[: len(told.frames)] == told.frames


async def test_there_is_no_history_of_another_table(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        await ann.say(say.GetHistory(table=TableId("elsewhere")))
        assert (await ann.hear(Problem)).code == "history/none"
