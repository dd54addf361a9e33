"""A bot over the network: it speaks the protocol as any client does, and connects again by itself after a lost
connection."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from engine.core.bots.bot import Bot, Picture, needs_known
from engine.core.rules.errors import ContentRefused
from engine.core.rules.system import System
from protocol.fairness.contributor import MemoryChains
from protocol.fairness.fact_stream import FactStream
from protocol.fairness.proof_client import ProofClient
from protocol.ids import NodeId
from protocol.limits import Limits
from protocol.scene.fields import AnyField
from protocol.scene.nodes import RESULT_NODE, AnyNode, Prompt, Reply, Result
from protocol.version import SUBPROTOCOL
from protocol.wire import from_client as say, from_server as told
from protocol.wire.client_conversation import ClientConversation
from server.content.systems import RANDOM, find_systems
from server.match.bots.bot_factory import make_bot
from server.runtime.clock import Clock, RealClock
from server.runtime.errors import CommandError
from server.runtime.logs import make_log
from server.runtime.metrics import Metrics
from server.runtime.signals import on_stop
from server.runtime.tasks import TaskSupervisor

FIRST_WAIT: Final = 0.2
LONGEST_WAIT: Final = 5.0
GIVE_UP: Final = 600.0
BUSY_SECONDS: Final = 0.5
GIVEN: Final = "answer/given"
TOO_MUCH: Final = ("busy", "questions/waiting", *(f"bound/questions-{of}" for of in ("person", "address", "server")))
"""Refusals of a question that may succeed when it is asked again."""


class WireView(Picture):
    """The bot's view of the game: the client's own picture."""

    def __init__(self, player: WirePlayer, seat: int, nodes: Mapping[NodeId, AnyNode], prompt: Prompt) -> None:
        super().__init__(seat, nodes, prompt)
        self._player = player

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return await self._player.detail(choice, fields)


class WirePlayer:
    """A player of one match over connections that may break. `systems`: where its kind of bot is looked up."""

    def __init__(
        self, url: str, code: str, kind: str, name: str, seed: int, systems: Mapping[str, System[Any]], clock: Clock
    ) -> None:
        self.talk = ClientConversation(name, None, adds=True)
        self._proof = ProofClient(self.talk, FactStream, MemoryChains(), partial(secrets.token_bytes, 32))
        self.links = 0
        self.intents = 0
        self._url = url
        self._code = code
        self._kind = kind
        self._seed = seed
        self._systems = systems
        self._clock = clock
        self.tasks = TaskSupervisor(make_log(), Metrics(), clock)
        self._bot: Bot | None = None
        self._socket: ClientConnection | None = None
        self._details: dict[int, asyncio.Future[told.Detail]] = {}
        self._asked = False
        self._answered = ""
        self._sent: tuple[bytes, Reply, str] | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._over = False
        self._failure: Exception | None = None

    @property
    def result(self) -> Result | None:
        """The outcome, once the match is over."""
        node = self.talk.scene.nodes.get(RESULT_NODE) if self.talk.scene is not None else None
        return node if isinstance(node, Result) else None

    @property
    def is_finished(self) -> bool:
        """True where nothing is left to play."""
        table = self.talk.table
        return self.result is not None or (table is not None and table.state == "finished")

    async def play(self) -> Result | None:
        """Play to the end; return None where the server has sent the bot away.

        Raises CommandError where the server cannot be reached for ten minutes, and whatever the bot itself raises. When
        cancelled, the connection is closed with the status of one who goes away; the seat stays the bot's.
        """
        wait, since = FIRST_WAIT, self._clock.now()
        while not self._over:
            links = self.links
            try:
                await self._link()
            except InvalidURI as problem:
                raise CommandError(f"{self._url} is no address. Write ws://HOST:PORT or wss://HOST.") from problem
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as problem:
                if self._clock.now() - since > GIVE_UP:
                    raise CommandError(f"The server at {self._url} cannot be reached: {problem}", 1) from problem
            if self.links > links:
                wait, since = FIRST_WAIT, self._clock.now()
            if not self._over:
                await self._clock.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)
        if self._failure is not None:
            raise self._failure
        return self.result

    async def _link(self) -> None:
        subprotocols = [Subprotocol(SUBPROTOCOL)]
        size = Limits().message_bytes
        async with connect(self._url, subprotocols=subprotocols, max_size=size, compression=None) as socket:
            self._socket = socket
            self.talk.connected()
            self._proof.link_up()
            self._asked = False
            await self._flush()
            try:
                async for frame in socket:
                    if isinstance(frame, bytes):
                        await self._take(frame)
                    if self._over:
                        return
            except asyncio.CancelledError:
                # the library by itself would report an internal error
                await socket.close(CloseCode.GOING_AWAY)
                raise
            finally:
                self._unlink()

    def _unlink(self) -> None:
        self._socket = None
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        for waiting in self._details.values():
            waiting.cancel()
        self._details.clear()

    async def _take(self, frame: bytes) -> None:
        for message in self.talk.receive(frame):
            self.look_at(message)
            self._proof.hear(message)
        if self.talk.is_welcome and not self._asked:
            self._asked = True
            if self.talk.table is None:
                self.ask_for_seat()
        self._over = self._over or self.is_finished or self.talk.ended is not None
        await self._flush()
        self._consider()

    def look_at(self, message: told.FromServer) -> None:
        """Act on a message that the conversation has taken. Raises CommandError where no seat is to be had."""
        match message:
            case told.Detail():
                waiting = self._details.pop(message.id, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
            case told.OfferView() if message.state == "open" and self._seat == message.to:
                self.talk.say(say.AnswerOffer(offer=message.id, yes=False))
            case told.Ack() | told.Reject():
                self._hear(message)
            case told.Welcome():
                self.links += 1
            case told.TableView() if message.vote is not None:
                self._vote(message, message.vote)
            case told.Left():
                self._over = True
            case told.Problem() if self.talk.table is None and message.code.startswith("table/"):
                raise CommandError(f"No seat at that table: {self.talk.format(message.text)}", 1)
            case told.Problem() if message.code == "match/steps-lost":
                self._answered = ""  # perhaps that answer is gone with them
            case told.Problem() if message.fatal:
                self._over = True
            case _:
                pass

    @property
    def _seat(self) -> int:
        """The bot's seat, -1 where there is none yet."""
        return self.talk.table.seat if self.talk.table is not None else -1

    def _vote(self, table: told.TableView, vote: told.VoteView) -> None:
        """Vote yes on rests and absent players; how long a match lasts is for people to say."""
        if vote.what != "end" and table.seat in vote.asked and table.seat not in (*vote.yes, *vote.no):
            self.talk.say(say.CastVote(yes=True))

    def ask_for_seat(self) -> None:
        """Ask for a seat, once welcome and at no table."""
        if self._code:
            self.talk.say(say.JoinTable(code=self._code))
            return
        rows = self.talk.lobby.tables if self.talk.lobby is not None else ()
        free = next((row.id for row in rows if row.state == "open" and row.taken < row.seats), None)
        if free is not None:
            self.talk.say(say.JoinTable(table=free))
        else:
            self._asked = False

    def _consider(self) -> None:
        """Get ready, or think, where it is time to."""
        table, scene = self.talk.table, self.talk.scene
        if table is None or self._over or self._thinking is not None:
            return
        if table.state == "open":
            if table.seat >= 0 and not table.seats[table.seat].ready:
                self._thinking = self.tasks.begin(self._get_ready(table), "ready")
            return
        prompt = scene.prompt if scene is not None and not table.rest else None
        if scene is None or prompt is None or not prompt.choices or self._sent or prompt.id == self._answered:
            return
        view = WireView(self, table.seat, dict(scene.nodes), prompt)
        self._thinking = self.tasks.begin(self._think(self._bot_for(table.system), view), "think")

    async def _get_ready(self, table: told.TableView) -> None:
        """Say ready, and agree to the delayed view; where army lists are brought, bring one that the server draws."""
        known = self.talk.systems.systems if self.talk.systems is not None else ()
        scenarios = [one for system in known if system.id == table.system for one in system.scenarios]
        lists = any(one.points for one in scenarios if one.id == table.scenario)
        if lists and table.seats[table.seat].brings is None:
            self.talk.say(say.BringList())
        self.talk.say(say.SetReady(ready=True, delayed_view=True))
        await self._flush()
        self._thinking = None

    def _bot_for(self, system: str) -> Bot:
        if self._bot is None:
            rules = self._systems.get(system)
            if rules is None or (self._kind not in rules.bots and self._kind != RANDOM):
                raise CommandError(f"There is no bot {self._kind!r} for {system}. There are: {self._kinds(rules)}.")
            if self._kind in rules.bots and needs_known(rules.bots[self._kind]):
                why = f"{self._kind!r} looks at what its seat knows of the rules' state"
                raise CommandError(f"{why}: it plays in the server's seats only. Here: {self._kinds(rules)}.")
            self._bot = make_bot(rules, self._kind, self._seed)
        return self._bot

    @staticmethod
    def _kinds(rules: System[Any] | None) -> str:
        """Name the kinds of bots that play over the wire."""
        kinds = rules.bots if rules is not None else {}
        return ", ".join((*(name for name, kind in kinds.items() if not needs_known(kind)), RANDOM))

    async def _think(self, bot: Bot, view: WireView) -> None:
        try:
            reply = await bot.decide(view)
        except Exception as problem:  # noqa: BLE001 - whatever a bot raises is raised again by whoever runs it
            self._failure, self._over = problem, True
            if self._socket is not None:
                await self._socket.close()
            return
        self._thinking = None
        scene = self.talk.scene
        if scene is None or scene.prompt is None or scene.prompt.id != view.prompt.id:
            self._consider()
            return
        id = self.talk.intend(reply, secrets.token_bytes(16))
        self._sent = (id, reply, view.prompt.id if view.prompt.window != "turn" else "")
        self.intents += 1
        await self._flush()

    def _hear(self, message: told.Ack | told.Reject) -> None:
        if self._sent is None or self._sent[0] != message.id:
            return
        _, reply, prompt = self._sent
        self._sent = None
        if isinstance(message, told.Ack):
            # an answer is final: wait for another prompt
            self._answered = prompt
        elif message.code == GIVEN:
            # its answer before the connection was lost, to a question that the restarted server asks anew
            self._answered = prompt
        elif message.code in ("busy", "store/unavailable"):
            self._thinking = self.tasks.begin(self._rest(), "rest")
        elif message.code != "stale" and self._bot is not None:
            self._bot.refused(reply, message.code)

    async def _rest(self) -> None:
        await self._clock.sleep(BUSY_SECONDS)
        self._thinking = None
        self._consider()

    async def detail(self, choice: str, fields: Mapping[str, object]) -> AnyField | None:
        """Ask the server for the next field, again after a rest where that is too much for it; return None where it
        refuses."""
        while True:
            id = self.talk.ask_detail(choice, fields)
            asked = self._details[id] = asyncio.get_running_loop().create_future()
            await self._flush()
            answer = await asked
            if answer.code not in TOO_MUCH:
                field: AnyField | None = answer.field
                return field
            await self._clock.sleep(BUSY_SECONDS)

    async def _flush(self) -> None:
        socket = self._socket
        if socket is not None:
            # the reading side learns that the connection is gone; a bot amid a decision need not
            with suppress(ConnectionClosed):
                for data in self.talk.outgoing():
                    await socket.send(data)


async def _until_stopped(player: WirePlayer) -> Result | None:
    """Play until the end; SIGINT and SIGTERM cancel it."""
    playing = player.tasks.begin(player.play(), "play")
    on_stop(playing.cancel)
    return await playing


def run(url: str, code: str, kind: str, name: str, seed: int) -> int:
    """Play one match and print its outcome. Raises CommandError."""
    try:
        systems = find_systems()
    except ContentRefused as problem:
        raise CommandError("; ".join(problem.problems), 1) from problem
    player = WirePlayer(url, code, kind, name, seed, systems, RealClock())
    try:
        result = asyncio.run(_until_stopped(player))
    except asyncio.CancelledError:
        return 0
    table = player.talk.table
    if result is None and table is not None and table.result is not None:
        print(json.dumps({"event": "ended", "why": player.talk.format(table.result)}), flush=True)
        return 0
    if result is None:
        ended = player.talk.ended
        why = player.talk.format(ended.text) if ended is not None else "the seat was given up"
        raise CommandError(f"The bot was sent away: {why}", 1)
    seat = player.talk.table.seat if player.talk.table is not None else -1
    won = any(line.seat == seat and line.won for line in result.seats)
    said = {"event": "result", "seat": seat, "won": won, "why": player.talk.format(result.why)}
    print(json.dumps({**said, "intents": player.intents, "links": player.links}), flush=True)
    return 0
