"""Clients that send what is not theirs to send, over sockets, at a table of the action-card game: other seats' acts,
acts out of turn, acts at past prompts, and replayed frames, their own or others'."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from engine.core.match.causes import TableEvent
from engine.rulesets.action_cards import system
from protocol.scene.fields import Pieces
from protocol.scene.nodes import NO_PROMPT, Reply
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Ack, Pong, Reject, SeatView
from server.content.systems import load
from server.match.host import MatchHost
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, Running, running
from tests.support.faults.kills.crash_server import UNHURRIED

SCENARIO = "low_water"
VOLLEY = 120
"""Intrusions at once; a match's queue holds them."""
VOLLEYS = 4
"""For each act of Ann's."""


class Intruders:
    """Ann and Ben play; bots hold the other seats; Wil only watches. Ann is to act: no one else may change anything."""

    def __init__(self, run: Running, store: SqliteStore, seed: int) -> None:
        self._run = run
        self._store = store
        self._chance = random.Random(seed)
        self._sent: list[say.Intent] = []
        self._pings = 0
        self.answers: Counter[str] = Counter()

    async def begin(self) -> None:
        """Seat all, and start."""
        self.ann, self.ben, self.wil = [await self._run.client(name) for name in ("Ann", "Ben", "Wil")]
        ann = self.ann
        await ann.say(say.CreateTable(system="action_cards", scenario=SCENARIO, name="T"))
        await ann.arrived()
        assert ann.talk.table is not None
        code = ann.talk.table.code
        await self.ben.join(code)
        for seat in range(2, len(ann.talk.table.seats)):
            await ann.say(say.AddBot(kind="random", seat=seat))
        await ann.change(seconds=3600, reaction_seconds=0)
        await self.ben.ready()
        await ann.until(lambda: all(s.bot or s.ready or not s.seat for s in self._seats()))
        await ann.say(say.StartMatch())
        await ann.until(lambda: ann.talk.scene is not None and ann.scene.is_whole)
        await self.wil.say(say.WatchTable(code=code))
        await self.wil.arrived()

    def _seats(self) -> tuple[SeatView, ...]:
        table = self.ann.talk.table
        return table.seats if table is not None else ()

    @property
    def host(self) -> MatchHost:
        """The host of the match."""
        [live] = self._run.server.lobby.tables()
        assert live.host is not None
        return live.host

    @property
    def is_over(self) -> bool:
        """True once the match has ended."""
        return self.host.match.result is not None

    async def anns_turn(self) -> bool:
        """Let the others play until Ann alone is waited for; return False where the match has ended."""
        for _ in range(3_000):
            if self.is_over:
                return False
            waiting = self.host.match.may_act()
            if waiting == (0,) and self.ann.prompt is not None and self.ann.prompt.choices:
                await self._settle()
                return True
            for seat, player in enumerate((self.ann, self.ben)):
                prompt = player.prompt
                if seat in waiting and seat not in self.host.match.sealed and prompt is not None and prompt.choices:
                    default = next((c for c in prompt.choices if c.id == prompt.default), prompt.choices[-1])
                    fields = {f.key: list(f.default) for f in default.fields if isinstance(f, Pieces) and f.default}
                    await player.intend(default.id, **fields)
            self._run.clock.advance(30)
            await self._settle()
        raise AssertionError("the match stands still")

    async def wave(self) -> None:
        """Send every forbidden message, in volleys; then Ann acts, which later waves replay."""
        for _ in range(VOLLEYS):
            await self._volley()
        await self._act()

    async def _volley(self) -> None:
        before = self.host.match.version
        asked: Counter[Client] = Counter()
        for _ in range(VOLLEY):
            sender, intent = self._intrusion()
            await sender.raw(encode_request(intent))
            asked[sender] += 1
        for player, count in asked.items():
            await player.until(lambda player=player, count=count: _answers(player) >= count)  # type: ignore[misc]  # a default has no type
        await self._settle()
        assert not await self._accepted(before), "something was accepted"
        for player in (self.ann, self.ben, self.wil):
            for message in player.heard:
                assert player is self.ann or not isinstance(message, Ack), "acknowledged for what another seat did"
                if isinstance(message, Ack | Reject):
                    self.answers["repeated" if isinstance(message, Ack) else message.code] += 1
            player.heard.clear()
        assert not self.answers["busy"], "not looked at: the match's queue is shorter than a volley"

    async def _accepted(self, before: int) -> list[object]:
        """Return the causes stored after this version, but for the table's own, such as the bank that a bot used."""
        [match] = await self._store.matches()
        decode = self.host.match.codec.decode
        causes = [decode(step.step).cause for step in await self._store.read(match, before)]
        return [cause for cause in causes if not isinstance(cause, TableEvent)]

    def _intrusion(self) -> tuple[Client, say.Intent]:
        chance = self._chance
        prompt = self.ann.prompt.id if self.ann.prompt is not None else NO_PROMPT
        fresh = say.Intent(id=secrets.token_bytes(16), prompt=prompt, choice="end")
        old = chance.choice(self._sent) if self._sent else fresh
        match chance.randrange(5):
            case 0:
                return self.ben, fresh
            case 1:
                mine = self.ben.prompt.id if self.ben.prompt is not None else NO_PROMPT
                return self.ben, replace(old, id=secrets.token_bytes(16), prompt=mine)
            case 2:
                return self.wil, chance.choice((fresh, old))
            case 3 if self._sent:
                other = secrets.token_bytes(16)
                return self.ann, replace(old, id=other)
            case _ if self._sent:
                return chance.choice((self.ann, self.ben)), old
        return self.ben, fresh

    async def _act(self) -> None:
        """Let Ann do a legal act."""
        id = self.ann.talk.intend(Reply(self._choice()), secrets.token_bytes(16))
        self._sent.append(self.ann.talk.pending[id])
        await self.ann.flush()
        answer = await self.ann.answer(id)
        if isinstance(answer, Reject):
            self._sent.pop()
            await self.ann.intend("end")

    def _choice(self) -> str:
        prompt = self.ann.prompt
        assert prompt is not None
        ids = [choice.id for choice in prompt.choices]
        return "end" if "end" in ids else ids[0]

    async def _settle(self) -> None:
        """Wait until all messages have been answered, with all their effects."""
        for player in (self.ann, self.ben, self.wil):
            self._pings += 1
            number = self._pings
            await player.say(say.Ping(n=number))
            await player.hear(Pong, lambda pong, number=number: pong.n == number, keep=True)  # type: ignore[misc]  # a default has no type


def _answers(player: Client) -> int:
    return sum(isinstance(message, Ack | Reject) for message in player.heard)


async def intrude(folder: Path, count: int, seed: int) -> dict[str, float]:
    """Send a number of intrusions, over as many matches as it takes."""
    answers: Counter[str] = Counter()
    matches = 0
    while answers.total() < count:
        matches += 1
        place = folder / f"{seed}.{matches}"
        place.mkdir(parents=True)
        store = SqliteStore(place / "eschaton.db")
        async with running(place, systems=load([system]), store=store, limits=UNHURRIED) as run:
            table = Intruders(run, store, 100 * seed + matches)
            await table.begin()
            while table.answers.total() + answers.total() < count and await table.anns_turn():
                await table.wave()
            answers += table.answers
    return {"tries": answers.total(), "matches": matches, "accepted": 0, **{f"said_{k}": v for k, v in answers.items()}}
