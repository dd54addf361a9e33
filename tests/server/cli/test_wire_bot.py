"""Bots over the network play as any client does."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from client.fairness import verify
from engine.core.bots.random_bot import RandomBot
from protocol.version import SUBPROTOCOL
from protocol.wire import from_client as say
from protocol.wire.from_server import Detail
from server.cli.wire_bot import BUSY_SECONDS, WirePlayer
from server.runtime.clock import RealClock
from server.runtime.errors import CommandError
from tests.support.clients.programs import Program, until
from tests.support.clients.wire import Client, Running, running
from tests.support.systems.duel import Duel


def bot(run: Running, code: str, kind: str = "random", seed: int = 0) -> WirePlayer:
    return WirePlayer(f"ws://127.0.0.1:{run.port}/", code, kind, "Bot", seed, {"duel": Duel()}, RealClock())


async def hurry(run: Running, playing: list[asyncio.Task[object]]) -> None:
    """Let time jump until all have ended."""

    def have_ended() -> bool:
        run.clock.advance(0.5)
        return all(task.done() for task in playing)

    await until(have_ended)


async def table_of(ann: Client, scenario: str) -> str:
    code = await ann.create(scenario)
    await ann.say(say.ChangeTable(reaction_seconds=0))
    return code


@pytest.mark.waits(times=200)
async def test_bots_of_both_kinds_play_a_match_to_its_end(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        players = [bot(run, await table_of(ann, "three"), "hard"), bot(run, "", "random", 5)]
        playing: list[asyncio.Task[object]] = [asyncio.create_task(player.play()) for player in players]
        await ann.until(lambda: ann.talk.table is not None and sum(s.ready for s in ann.talk.table.seats) == 2)
        await ann.say(say.StartMatch())
        await ann.say(say.LeaveTable())
        await hurry(run, playing)
        results = [await task for task in playing]
        assert results[0] == results[1] is not None
        assert all(player.intents > 0 for player in players)


async def test_bots_add_to_each_others_dice_at_a_strict_table(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        code = await table_of(ann, "three")
        await ann.change(strict=True)
        players = [bot(run, code, "hard"), bot(run, code, "hard", 5)]
        playing = [asyncio.create_task(player.play()) for player in players]
        await ann.until(lambda: ann.talk.table is not None and sum(s.ready for s in ann.talk.table.seats) == 2)
        await ann.say(say.StartMatch())
        await ann.say(say.LeaveTable())
        for task in playing:
            assert await task is not None
    [file] = (tmp_path / "replays").iterdir()
    said = "\n".join(verify.check(file.read_bytes()))
    assert "Strict table:" in said
    assert "not strict" not in said


async def test_a_link_that_breaks_amid_a_decision_is_not_the_bots_failure(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        player = bot(run, "")
        url = f"ws://127.0.0.1:{run.port}/"
        async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
            player._socket = socket
        asking = asyncio.create_task(player.detail("strike", {}))
        await until(lambda: bool(player._details))
        player._unlink()
        await asyncio.wait([asking])
        assert asking.cancelled()


async def test_a_bot_that_is_stopped_goes_away_and_its_seat_is_kept(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        code = await table_of(ann, "three")
        url = f"ws://127.0.0.1:{run.port}/"
        program = Program(
            tmp_path, "bot", "server.cli.main", "bot", url, "--code", code, "--name", "Bert", plugins=True
        )
        await program.start()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].name == "Bert")
        assert await program.end() == 0
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].away >= 0)
        assert ann.talk.table is not None
        assert ann.talk.table.seats[1].name == "Bert"
        [closed] = [line for line in run.lines if line["event"] == "closed"]
        assert closed["status"] == 1001


async def test_a_bot_that_is_removed_says_so(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        player = bot(run, await ann.create("two"))
        playing = asyncio.create_task(player.play())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        await ann.say(say.RemoveSeat(seat=1))
        assert await playing is None


class Searcher(RandomBot):
    """A bot that looks at what its seat knows of the state."""

    needs_known = True


async def test_a_bot_that_needs_the_state_is_refused_outside_the_server(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        duel = Duel()
        duel.bots = {**duel.bots, "searcher": Searcher}
        url, code = f"ws://127.0.0.1:{run.port}/", await table_of(ann, "two")
        far = WirePlayer(url, code, "searcher", "Bot", 0, {"duel": duel}, RealClock())
        playing = asyncio.create_task(far.play())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.my_turn()
        await ann.intend("strike", target=["seat/1"])
        with pytest.raises(CommandError, match=r"'searcher' looks at what its seat knows.*Here: hard, random\."):
            await playing


async def test_no_such_table_and_no_such_kind_are_plain_errors(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        with pytest.raises(CommandError, match="No seat"):
            await bot(run, "AAAAAAAAAA").play()
        clever = asyncio.create_task(bot(run, await table_of(ann, "two"), "clever").play())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.my_turn()
        await ann.intend("strike", target=["seat/1"])
        with pytest.raises(CommandError, match="clever"):
            await clever


async def test_a_bot_whose_answer_stands_does_not_ask_to_change_it(tmp_path: Path) -> None:
    """A server that comes back puts the open question anew: the bot answers once more, is told, and waits."""
    async with running(tmp_path) as run:
        ann = await run.client()
        code = await ann.create("two")
        player = bot(run, code, "hard")
        playing = asyncio.create_task(player.play())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.my_turn("strike")
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await until(lambda: bool(player._answered))
        first = player._answered
    async with running(tmp_path) as run:
        player._url = f"ws://127.0.0.1:{run.port}/"
        await until(lambda: playing.done() or player._answered != first)
        # a bot of this kind ends where it is refused
        assert not playing.done()
        assert player.intents == 2
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_a_question_that_is_too_much_for_the_server_is_asked_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        player = bot(run, "")
        url = f"ws://127.0.0.1:{run.port}/"
        async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
            player._socket = socket
            player._clock = run.clock
            asking = asyncio.create_task(player.detail("strike", {}))
            for code in ("busy", "bound/questions-person"):
                await until(lambda: bool(player._details), 5)
                player.look_at(Detail(next(iter(player._details)), None, code))
                await until(lambda: run.clock.soonest() <= BUSY_SECONDS, 5)
                run.clock.advance(BUSY_SECONDS)
            await until(lambda: bool(player._details), 5)
            player.look_at(Detail(next(iter(player._details)), None, "stale"))
            assert await asking is None
