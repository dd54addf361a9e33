"""Words to one seat and offers that bind nobody reach the right people, and nobody else can tell."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import convert

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, OfferView, Problem, SeatView
from server.cli.wire_bot import WirePlayer
from server.lobby.sessions import Session
from server.lobby.table import table_broadcast
from server.lobby.table.diplomacy import Diplomacy
from server.runtime.tasks import stop
from tests.support.clients.wire import Client, Running, running
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.servers.seats import three_players
from tests.support.systems.duel import Duel

SECRET = "the bridge at dusk"
Company = tuple[Client, Client, Client, Client]


async def company(run: Running) -> Company:
    """Ann, Ben and Cem play, Eve watches, in a live match."""
    ann, ben, cem = await three_players(run)
    eve = await run.client("Eve")
    assert ann.talk.table is not None
    await eve.say(say.WatchTable(code=ann.talk.table.code))
    await eve.until(lambda: eve.talk.table is not None)
    for client in (ann, ben, cem, eve):
        await client.pinged()
    for client in (ann, ben, cem, eve):  # by now each has heard of all that came
        await client.pinged()
        client.heard.clear()
    return ann, ben, cem, eve


def offer(to: int, kind: str = "truce", *, openly: bool = False, text: str = SECRET) -> say.Offer:
    return convert({"to": to, "kind": kind, "text": text, "open": openly}, say.Offer)


def seat_of(client: Client, seat: int) -> SeatView:
    assert client.talk.table is not None
    return client.talk.table.seats[seat]


async def seen(client: Client, state: str) -> OfferView:
    return await client.hear(OfferView, lambda view: view.state == state)


async def test_a_word_to_one_seat_is_heard_by_the_two_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cem, eve = await company(run)
        before = len(cem.frames), len(eve.frames)
        await ann.say(say.Chat(text=SECRET, to=1))
        for client in (ann, ben):
            line = await client.hear(ChatLine)
            assert (line.text, line.to, line.role) == (SECRET, 1, "player")
        for client, count in zip((cem, eve), before, strict=True):
            await client.pinged()
            assert len(client.frames) == count + 1  # the answer to the ping, nothing else
        # who comes to look in afterwards hears nothing of it either
        late = await run.client("Late")
        assert ann.talk.table is not None
        await late.say(say.WatchTable(code=ann.talk.table.code))
        await late.until(lambda: late.talk.table is not None)
        await late.pinged()
        assert not any(SECRET.encode() in frame for frame in [*cem.frames, *eve.frames, *late.frames])
        assert SECRET not in run.log.getvalue()
        assert SECRET not in run.server.metrics.exposition().decode()
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


async def test_an_offer_is_accepted_declined_or_taken_back_between_the_two(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cem, eve = await company(run)
        frames = len(cem.frames), len(eve.frames)
        for answerer, yes, state in ((ben, True, "accepted"), (ben, False, "declined"), (ann, False, "withdrawn")):
            await ann.say(offer(1))
            made = await seen(ben, "open")
            assert (made.by, made.to, made.kind, made.text, made.open) == (0, 1, "truce", SECRET, False)
            assert (await seen(ann, "open")).id == made.id
            await answerer.say(say.AnswerOffer(offer=made.id, yes=yes))
            assert (await seen(ann, state)).id == (await seen(ben, state)).id == made.id
            await answerer.say(say.AnswerOffer(offer=made.id, yes=yes))
            assert await answerer.problem() == "talk/no-offer"
        for client, count in zip((cem, eve), frames, strict=True):
            await client.pinged()
            assert len(client.frames) == count + 1


async def test_an_open_offer_and_its_answer_are_seen_by_all_but_answered_by_one(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cem, eve = await company(run)
        await ann.say(offer(1, "share", openly=True))
        made = [await seen(client, "open") for client in (ann, ben, cem, eve)]
        assert len({view.id for view in made}) == 1
        for other in (cem, ann):  # nobody accepts for another
            await other.say(say.AnswerOffer(offer=made[0].id, yes=True))
            assert await other.problem() == "talk/no-offer"
        await ben.say(say.AnswerOffer(offer=made[0].id, yes=True))
        for client in (ann, ben, cem, eve):
            await seen(client, "accepted")


async def test_who_comes_back_sees_the_offers_that_are_his_to_see(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cem, _ = await company(run)
        await ann.say(offer(1))
        await ann.say(offer(2, openly=True))
        await seen(ben, "open")
        await seen(cem, "open")
        for client, texts in ((ben, 2), (cem, 1)):
            await client.connect()
            client.heard.clear()
            assert ann.talk.table is not None
            await client.say(say.OpenTable(table=ann.talk.table.id))
            await client.pinged()
            assert sum(isinstance(message, OfferView) for message in client.heard) == texts


@pytest.mark.parametrize(("to", "code"), [(0, "talk/nobody"), (7, "talk/nobody")], ids=str)
async def test_a_word_that_cannot_be_heard_is_refused_to_the_speaker(tmp_path: Path, to: int, code: str) -> None:
    async with running(tmp_path) as run:
        ann, _, _, eve = await company(run)
        await ann.say(say.Chat(text=SECRET, to=to))
        assert await ann.problem() == code
        await eve.say(say.Chat(text=SECRET, to=0))
        assert await eve.problem() == "talk/watching"
        await eve.say(offer(0))
        assert await eve.problem() == "talk/watching"
        assert "talk/" not in run.server.metrics.exposition().decode()


async def test_offers_are_few_short_and_not_too_fast(tmp_path: Path) -> None:
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, offers=1, offers_kept=2)
    async with running(tmp_path, limits=limits) as run:
        ann, ben, cem, _ = await company(run)
        await ann.say(offer(1))
        first = await seen(ben, "open")
        await ann.say(offer(1, text="and the hill"))  # another one between the same two takes its place
        assert (await seen(ben, "withdrawn")).id == first.id
        second = await seen(ben, "open")
        await ann.say(offer(2))
        assert await ann.problem() == "talk/too-many"
        run.clock.advance(30)
        await ann.say(say.AnswerOffer(offer=second.id, yes=False))
        await seen(ben, "withdrawn")
        for _ in range(4):  # only the newest are remembered
            run.clock.advance(10)
            await ann.say(offer(2))
            made = await seen(cem, "open")
            await cem.say(say.AnswerOffer(offer=made.id, yes=False))
            await seen(ann, "declined")
        ann.heard.clear()
        assert ann.talk.table is not None
        await ann.say(say.OpenTable(table=ann.talk.table.id))
        await ann.pinged()
        assert sum(isinstance(message, OfferView) for message in ann.heard) == 2
        for _ in range(limits.chat.burst + 1):
            await cem.say(offer(0, text="faster"))
        assert (await cem.hear(Problem)).code == "busy"
    with pytest.raises(ValueError, match="text"):
        offer(1, text="x" * (limits.offer_length + 1))


async def test_a_bot_in_a_seat_declines_at_once_and_listens_to_nobody(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        await ann.create()
        await ann.say(say.AddBot(kind="random"))
        await ann.until(lambda: ann.talk.table is not None and bool(ann.talk.table.seats[1].bot))
        await ann.say(offer(1))
        assert (await ann.hear(OfferView)).state == "declined"
        await ann.say(say.Chat(text=SECRET, to=1))
        assert await ann.problem() == "talk/bot"


async def test_a_bot_over_the_network_declines_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        code = await ann.create()
        url = f"ws://127.0.0.1:{run.port}/"
        bot = WirePlayer(url, code, "random", "Bot", 1, {"duel": Duel()}, run.clock)
        playing = asyncio.create_task(bot.play())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].connected)
        await ann.say(offer(1))
        assert [(await ann.hear(OfferView)).state for _ in range(2)] == ["open", "declined"]
        await stop([playing])


async def _private(company: Company, chance: random.Random) -> None:
    """Something between Ann and Ben that nobody else is to notice."""
    ann, ben, *_ = company
    if chance.random() < 0.5:
        await ann.say(say.Chat(text=SECRET, to=1))
        await ben.hear(ChatLine, lambda line: line.to == 1)
        await ann.hear(ChatLine, lambda line: line.to == 1)
        return
    await ben.say(offer(0, "leave"))
    made = await seen(ann, "open")
    await seen(ben, "open")
    await ann.say(say.AnswerOffer(offer=made.id, yes=chance.random() < 0.5))
    await ben.hear(OfferView, lambda view: view.id == made.id)
    await ann.hear(OfferView, lambda view: view.id == made.id)


async def _evening(folder: Path, seed: int, private: bool) -> list[list[bytes]]:
    """Play a match, with or without words between the two others; return all that Cem and Eve are told in it, with
    people and table, whose ids are chance, by their names."""
    folder.mkdir()
    async with running(folder, limits=UNHURRIED) as run:
        at_table = await company(run)
        ann, _, cem, eve = at_table
        chance = random.Random(seed)
        starts = len(cem.frames), len(eve.frames)
        for turn in range(6):
            if private:
                await _private(at_table, chance)
            await ann.say(say.Chat(text=f"turn {turn}"))
            for client in (cem, eve):
                await client.hear(ChatLine, lambda line, turn=turn: line.text == f"turn {turn}")  # type: ignore[misc]  # a default has no type
            run.clock.advance(1)
            await cem.say(say.Chat(text="hm"))
            await eve.hear(ChatLine, lambda line: line.text == "hm")
        if private:
            await _private(at_table, chance)
        await cem.pinged()
        await eve.pinged()
        names = {
            client.talk.you.encode(): name for client, name in zip(at_table, (b"A", b"B", b"C", b"E"), strict=True)
        }
        return [
            [_by_name(frame, names) for frame in client.frames[start:]]
            for client, start in zip((cem, eve), starts, strict=True)
        ]


def _by_name(frame: bytes, names: dict[bytes, bytes]) -> bytes:
    for id, name in names.items():
        frame = frame.replace(id, name * len(id))
    return frame


@pytest.mark.parametrize("seed", range(3))
async def test_nobody_else_can_tell_that_two_have_spoken(tmp_path: Path, seed: int) -> None:
    """Number, order, size and bytes of what the others are told are the same with private talk and without."""
    with_talk = await _evening(tmp_path / "with", seed, True)
    without = await _evening(tmp_path / "without", seed, False)
    assert with_talk == without
    assert all(len(frames) >= 12 for frames in without)


# Planted leaks: the same evenings, in a server that lets something slip


def _one_frame_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word to one seat costs everybody an empty frame."""
    honest = Diplomacy.whisper

    async def whisper(self: Diplomacy, session: Session, to: int, text: str) -> None:
        await honest(self, session, to, text)
        self._table.broadcast.say(ChatLine("", "", "player", "", 0))

    monkeypatch.setattr(Diplomacy, "whisper", whisper)


def _other_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all that is said to all bear a later time once something has passed between two."""
    made: list[int] = []
    honest = Diplomacy.whisper

    async def whisper(self: Diplomacy, session: Session, to: int, text: str) -> None:
        await honest(self, session, to, text)
        made.append(to)

    def line(who: str, name: str, role: str, text: str, at: int) -> ChatLine:
        return ChatLine(who, name, role, text, at + len(made))

    monkeypatch.setattr(Diplomacy, "whisper", whisper)
    monkeypatch.setattr(table_broadcast, "ChatLine", line)


@pytest.mark.parametrize("leak", [_one_frame_more, _other_bytes])
async def test_a_leak_of_private_words_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    without = await _evening(tmp_path / "without", 0, False)
    leak(monkeypatch)
    assert await _evening(tmp_path / "with", 0, True) != without
