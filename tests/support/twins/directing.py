"""A match improvised at a stage: all play at random, ask for details, chat, err and come back; every act is recorded,
so that it can be repeated at the twin's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from engine.core.bots.bot import Bot, Picture
from engine.core.bots.random_bot import Chance, RandomBot
from protocol.ids import PromptId
from protocol.scene.fields import AnyField, Pieces
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt, Reply
from protocol.text import text
from protocol.wire import from_client as say
from protocol.wire.codec import checked
from protocol.wire.from_server import Ack
from protocol.wire.on_now import GetOnNow
from tests.support.twins.stage import (
    BANK,
    GUEST,
    LATE,
    PASSER,
    PEOPLE,
    SECONDS,
    SPECTATOR,
    Act,
    ComeBack,
    Garble,
    Restart,
    Say,
    Wait,
)

PROMPT = PromptId("")

if TYPE_CHECKING:
    from tests.support.twins.stage import Stage
    from tests.support.twins.viewer import Viewer

MOST_CHOICES: Final = 4
"""Choices of one prompt whose details a seat asks for each time."""
TRIES: Final = 20
"""Replies of a bot that are refused, until its time is let run out."""
BREATH: Final = 0.375
"""Seconds between two decisions: a whole number of eighths, so that sums of times have no error to differ by."""
PAGE_END: Final = 6
"""The number of the entry before which the second page of a history ends."""
WHISPERER: Final = PEOPLE[1]
Bots = Callable[[int], Bot]


def partner_of(seats: int) -> int:
    """Return the seat that the whisperer whispers to."""
    return 2 if seats > 2 else 0


class WireView(Picture):
    """View of a seat's program; it asks the server for details."""

    def __init__(self, director: Director, viewer: Viewer, seat: int, prompt: Prompt) -> None:
        scene = viewer.talk.scene
        assert scene is not None
        super().__init__(seat, scene.nodes, prompt)
        self._director = director
        self._viewer = viewer

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return await self._director.ask(self._viewer, choice, fields)


class Director:
    """Improviser of a match. `acts` are those done so far."""

    def __init__(self, stage: Stage, seed: int, bots: Bots | None = None) -> None:
        self.acts: list[Act] = []
        self._stage = stage
        self._chance = Chance(seed)
        self._bots = [(bots or (lambda seat: RandomBot(seed + seat)))(seat) for seat in range(stage.seats)]
        self._asked = 0
        self._intents = 0
        self._turns = 0

    async def do(self, act: Act) -> None:
        """Do this, and record it."""
        self.acts.append(act)
        await self._stage.do(act)

    async def play(self, decisions: int, idle: int) -> list[Act]:
        """Go on for a number of decisions, or to the end of the match, and let time run out `idle` times; return all
        acts so far."""
        for _ in range(decisions):
            if self._stage.match.result is not None:
                break
            self._turns += 1
            if self._turns == decisions // 2:
                await self._look_back()
                # what it keeps in memory is made again from the log
                await self.do(Restart())
                await self._look_back()
            await self.look_round()
            await self._disturb(self._turns)
            await self._decide()
        await self.look_round()
        await self._run_out(idle)
        await self._look_back()
        await self._visit()
        return self.acts

    async def _run_out(self, times: int) -> None:
        """Let all time run out for the seats that are waited for."""
        for _ in range(times):
            if self._stage.match.result is None:
                await self.do(Wait(SECONDS + BANK + 8))

    async def _look_back(self) -> None:
        """Let all at the table ask for two pages of its history."""
        for before in (None, PAGE_END):
            for name in (*(viewer.name for viewer in self._stage.players), SPECTATOR, GUEST, LATE):
                await self.do(Say(name, say.GetHistory(self._stage.live.record.id, before)))

    async def _visit(self) -> None:
        """Let a person from the lobby watch the table, leave it, and list tables, and a player look for some."""
        table = self._stage.live.record.id
        for message in (say.WatchTable(table=table), say.LeaveTable(), say.ListTables()):
            await self.do(Say(PASSER, message))
        await self.do(Say(PEOPLE[0], say.FindTables()))

    async def look_round(self) -> None:
        """Let all ask for details of their choices, and those without choices, too."""
        for viewer in self._stage.players:
            choices = viewer.prompt.choices if viewer.prompt is not None else ()
            first = self._chance.below(len(choices)) if choices else 0
            for choice in (*choices[first:], *choices[:first])[:MOST_CHOICES]:
                await self.ask(viewer, choice.id, {})
                await self._ask_advice(viewer, choice)
            if not choices:
                await self.ask(viewer, "any", {})
                await self._ask_advice(viewer, Choice("any", text("any")))

    async def ask(self, viewer: Viewer, choice: str, fields: Mapping[str, object]) -> AnyField | None:
        """Ask for the next field of a choice."""
        self._asked += 1
        asked = say.DetailRequest(self._asked, "", choice, dict(fields))  # type: ignore[arg-type]
        await self.do(Say(viewer.name, checked(asked)))
        assert viewer.talk.ended is None, f"{viewer.name} cannot read what the server sent: {viewer.talk.ended}"
        return viewer.details[self._asked].field

    async def _ask_advice(self, viewer: Viewer, choice: Choice) -> None:
        """Ask for a choice filled in, and for what a thing that it could be made with could do."""
        first = choice.fields[0] if choice.fields else None
        options = first.options if isinstance(first, Pieces) else ()
        subject = options[self._asked % len(options)].id if options else "group/none"
        for kind in (say.Propose(0, NO_PROMPT, choice.id), say.Survey(0, NO_PROMPT, subject)):
            self._asked += 1
            await self.do(Say(viewer.name, checked(msgspec.structs.replace(kind, id=self._asked))))

    async def _decide(self) -> None:
        """Let one seat that is waited for act; where none can, or none will, let time pass."""
        stage = self._stage
        waiting = [seat for seat in stage.host.deadlines.waiting if seat not in stage.match.sealed]
        if not waiting or not self._chance.below(12):
            await self.do(Wait(SECONDS / 2 + 3))
            return
        # of seats that answer together another one begins each time
        seat = waiting[self._turns % len(waiting)]
        for _ in range(TRIES):
            viewer = stage.players[seat]
            prompt = viewer.prompt
            if prompt is None or not prompt.choices:
                break
            bot = self._bots[seat]
            reply = await bot.decide(WireView(self, viewer, seat, prompt))
            if await self.intend(viewer, reply):
                break
            bot.refused(reply, "refused")
        await self.do(Wait(BREATH))

    async def intend(self, viewer: Viewer, reply: Reply) -> bool:
        """Send a choice, and return True if it was carried out."""
        id = self._new_id()
        await self.do(Say(viewer.name, say.Intent(id, "", reply.choice, dict(reply.fields))))  # type: ignore[arg-type]
        return isinstance(viewer.answers.get(id), Ack)

    def _new_id(self) -> bytes:
        self._intents += 1
        return self._intents.to_bytes(16, "big")

    async def _disturb(self, turn: int) -> None:
        """Do one thing beside the game each time, in turn."""
        stage, chance = self._stage, self._chance
        player = chance.pick(stage.players).name
        idle = [viewer.name for seat, viewer in enumerate(stage.players) if seat not in stage.host.deadlines.waiting]
        wrong = chance.pick(idle) if idle else SPECTATOR
        done = next((act for act in reversed(self.acts) if isinstance(act, Say) and _is_intent(act.message)), None)
        partner = partner_of(stage.seats)
        kinds: list[Act] = [
            Say(player, say.Intent(self._new_id(), PromptId("stale"), "rest"), live=False),
            Say(wrong, say.Intent(self._new_id(), PROMPT, "end")),
            Say(player, say.Intent(self._new_id(), PROMPT, "nothing", {"what": 1})),
            Say(SPECTATOR, say.Intent(self._new_id(), PROMPT, "end")),
            Say(player, say.Chat(f"Well met, {turn}.")),
            Say(PEOPLE[0], say.Offer(1, "truce", f"Peace until {turn}?", True)),
            Say(player, say.Resync("public", "hash")),
            Say(PASSER, say.ListTables()),
            Say(PEOPLE[0], say.PointAt([turn, 2 * turn])),
            Garble(player, msgspec.msgpack.encode({"t": "chat", "text": 1})),
            Say(GUEST, say.DetailRequest(turn, PROMPT, "end")),
            ComeBack(chance.pick((player, SPECTATOR, GUEST))),
            Say(LATE, say.Chat("How late it is.")),
            Say(PEOPLE[0], say.CallVote("resume")),
            Say(WHISPERER, say.Chat(f"Between us, {turn}.", partner)),
            *([Say(WHISPERER, say.Chat(f"For our side, {turn}.", where="side"))] if stage.live.sides else []),
            Say(WHISPERER, say.Offer(partner, "help", f"Help me, {turn}.")),
            Say(player, say.FindTables()),
        ]
        offer = next((offer for offer in stage.viewers[PEOPLE[partner]].offers if not offer.open), None)
        if offer is not None:
            kinds.append(Say(PEOPLE[partner], say.AnswerOffer(offer.id, bool(turn % 2))))
        if done is not None:
            kinds.append(done._replace(live=False))
        await self.do(kinds[turn % len(kinds)])
        await self.do(Say(PASSER, GetOnNow()))


def _is_intent(message: say.Message) -> bool:
    return isinstance(message, say.Intent)
