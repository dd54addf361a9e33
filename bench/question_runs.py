"""Benchmark of detail requests: the dearest ones, and a bystander beside six players who ask as fast as they may."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, perf_counter, thread_time
from typing import Any, Final

import msgspec
import uvloop
from msgspec.structs import replace

from bench.figures import Figure, figure
from bench.players import Player, guests
from bench.processes import cores, started
from bench.scenes import SYSTEM
from engine.core.bots.bot import run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay, SelfPlayView
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from protocol.limits import Limits
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Prompt
from server.cli.simulation import simulate
from server.match.bots.bot_factory import make_bot

SCENARIO: Final = "lantern_fair"
BATTLE: Final = "one_page"
ASKERS: Final = 6
QUICK: Final = 1 / Limits().details.rate
SECONDS: Final = 3.0
ROUNDS: Final = 7
"""Of quiet and questions in turn: what else the machine does meanwhile concerns both."""
PINGS: Final = 0.005
READY_SECONDS: Final = 120.0
DEAR_SECONDS: Final = 40.0
LOOKED_AT: Final = 0.15
"""Of all decisions, those at which everything is asked."""
TABLE: Final = (7200, 4800)
_ANY: Final = msgspec.msgpack.Decoder(dict[str, Any])


class Asker(Player):
    """Player who only asks for details. `answers`: the number of answers."""

    def __init__(self, path: str = "/") -> None:
        super().__init__(path)
        self.answers = 0
        self.groups: list[str] = []
        """Those of theirs that may move now."""
        self.may_move = asyncio.Event()
        """Some of them could, at some time."""
        self._leads: list[tuple[str, str]] = []
        self._about: dict[int, str] = {}
        self._asked = 0

    def frame_received(self, data: bytes) -> None:
        message = _ANY.decode(data)
        if message["t"] == "detail":
            self._told(message)
            return
        nodes = message.get("nodes") or message.get("patch") or {}
        choices = (nodes.get("prompt") or {}).get("choices") if message.get("part") == "private" else None
        if choices:
            moves = [choice for choice in choices if choice["id"] == "move"]
            self.groups = [option["id"] for choice in moves for option in choice["fields"][0].get("options", ())]
            if self.groups:
                self.may_move.set()
        super().frame_received(data)
        if choices and not self.groups:
            # a question to all, such as a truce: answered, so that the table goes on to a turn
            self.say("intent", id=os.urandom(16), prompt=self.prompt, choice=choices[-1]["id"])

    def _told(self, detail: dict[str, Any]) -> None:
        about, field = self._about.pop(detail["id"], ""), detail.get("field")
        self.answers += field is not None
        if about and field is not None:
            self._leads += [(about, option["id"]) for option in field.get("options", ())]

    async def keep_asking(self, seconds: float, pause: float) -> None:
        """Ask for the leaders of each group, their places to go, and the places of the others there, in turn."""
        end, turn = monotonic() + seconds, 0
        while monotonic() < end:
            if turn < len(self.groups):
                self._ask(group=[self.groups[turn]])
            elif self._leads:
                group, lead = self._leads[turn % len(self._leads)]
                place = {"to": [random.randrange(TABLE[0]), random.randrange(TABLE[1])]} if turn % 3 == 0 else {}
                self._ask(group=[group], lead=[lead], **place)
            turn += 1
            await asyncio.sleep(pause)

    def _ask(self, **fields: list[Any]) -> None:
        self._asked += 1
        if len(fields) == 1:
            self._about[self._asked] = fields["group"][0]
        self.say("detail", id=self._asked, prompt=self.prompt, choice="move", fields=fields)


async def _pinged(player: Player, seconds: float) -> list[float]:
    """Send pings every few milliseconds; return the seconds that each took, sorted."""
    end, number, took = monotonic() + seconds, 0, list[float]()
    while monotonic() < end:
        number += 1
        began = perf_counter()
        player.say("ping", n=number)
        await player.until(lambda player: player.said.get("pong", {}).get("n") == number)  # noqa: B023 - awaited here
        took.append(perf_counter() - began)
        await asyncio.sleep(PINGS)
    return sorted(took)


async def _at_turn(port: int, number: int) -> Asker:
    """Connect from an address of its own, and sit at a table with five bots until it is the player's turn to move."""
    make, source = asyncio.get_running_loop().create_connection, (f"127.3.0.{number + 1}", 0)
    _, player = await make(lambda: Asker(), "127.0.0.1", port, local_addr=source)
    await player.opened
    await player.greet(f"Asker {number}")
    player.say("create", system=SYSTEM, scenario=SCENARIO, name=f"Table {number}", private=True)
    await player.until(lambda player: "table" in player.said)
    for _ in range(5):
        player.say("bot", kind="level1")
    player.say("ready", ready=True)
    await player.until(lambda player: all(s.get("ready") or s.get("bot") for s in player.said["table"]["seats"]))
    player.say("start")
    async with asyncio.timeout(READY_SECONDS):
        await player.may_move.wait()
    return player


async def _asked(port: int) -> list[Figure]:
    askers = await asyncio.gather(*[_at_turn(port, number) for number in range(ASKERS)])
    [bystander] = await guests(port, 1)
    rises: list[float] = []
    for _ in range(ROUNDS):
        quiet = await _pinged(bystander, SECONDS)
        asking = asyncio.gather(*[player.keep_asking(SECONDS, QUICK) for player in askers])
        asked = await _pinged(bystander, SECONDS)
        await asking
        rises.append(asked[int(len(asked) * 0.99)] - quiet[int(len(quiet) * 0.99)])
    for player in (*askers, bystander):
        player.close()
    return [
        figure("asked_p99", max(statistics.median(rises), 0.0) * 1e3),
        figure("asked_rate", sum(player.answers for player in askers) / SECONDS / ROUNDS),
    ]


def dearest(system: str, seconds: float) -> float:
    """Return the CPU seconds of the dearest question at random moments of matches with the most seats."""
    found = simulate.installed(system)
    most = max(info.seats for info in found.scenarios.values())
    scenarios = [info for info in found.scenarios.values() if info.seats == most]
    chance, longest, end, number = random.Random(1), 0.0, monotonic() + seconds, 0
    while monotonic() < end:
        info = scenarios[number % len(scenarios)]
        name, secret = simulate.identity(1, number)
        play: SelfPlay[Any] = SelfPlay(Match(found.system, name, MatchDice(secret, name)), watched=False)
        resolved = found.system.setup(found.content, simulate.setup_of(found, info, 1, number))
        play.begin(Start(name, info.seats, resolved))
        kinds = [chance.choice(("level1", "level1", "random")) for _ in range(info.seats)]
        bots = {Seat(seat): make_bot(found.system, kind, number + seat) for seat, kind in enumerate(kinds)}
        while monotonic() < end and (seat := play.next_seat()) is not None:
            if chance.random() < LOOKED_AT:
                longest = max(longest, *_all_asked(play, seat, chance.getrandbits(30)), 0.0)
            if not play.decide(bots):
                break
        number += 1
        gc.collect()
    return longest


class _Timed(SelfPlayView[Any]):
    """Bot's view that records the CPU seconds of each question."""

    def __init__(self, play: SelfPlay[Any], seat: Seat, prompt: Prompt) -> None:
        super().__init__(play, seat, prompt)
        self.took: list[float] = []

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """Answer as a server does to people, even a bot."""
        began = thread_time()
        try:
            return await super().detail(choice, fields)
        finally:
            self.took.append(thread_time() - began)


def _all_asked(play: SelfPlay[Any], seat: Seat, seed: int) -> list[float]:
    """Fill every choice in at random; return the CPU seconds of each question on the way."""
    prompt, took = play.projector.prompt(seat), list[float]()
    for number, choice in enumerate(prompt.choices if prompt is not None else ()):
        assert prompt is not None
        view = _Timed(play, seat, replace(prompt, choices=(choice,)))
        run_inline(RandomBot(seed + number).decide(view))
        took += view.took
    return took


def dearest_figures() -> list[Figure]:
    """Measure the dearest questions of both systems, without pauses of the garbage collector."""
    gc.disable()
    try:
        return [
            figure("dearest_cards", dearest(SYSTEM, DEAR_SECONDS) * 1e3),
            figure("dearest_battle", dearest(BATTLE, DEAR_SECONDS) * 1e3),
        ]
    finally:
        gc.enable()


def question_figures() -> list[Figure]:
    """Measure questions by themselves, and their effect on a bystander of the server."""
    with (
        tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name,
        started("bench.server", cores()[0], name, "shipped", log=Path(name) / "log") as process,
    ):
        found = uvloop.run(_asked(process.port))
    return [*found, *dearest_figures()]
