"""The proving game through the unchanged server: people, bots in the server, bots over the wire."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import pytest

from engine.core.match.causes import Intended, TableEvent
from engine.core.match.log import LogCodec, StoredStep
from engine.core.rules.events import QuestionClosed
from protocol.fairness.replay import read
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, Role
from server.cli.simulation.simulate import options_from, play
from server.cli.wire_bot import WirePlayer
from server.content.systems import Installed, find_systems
from server.runtime.clock import RealClock
from server.runtime.errors import CommandError
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running
from tests.support.proving import events
from tests.support.proving.state import Field
from tests.support.runs.patience import PATIENCE
from tests.support.twins.stubs import NUMBERS, KnownNumbers

CUES = {events.Declared: "pv.declared", events.Fired: "pv.fired"}


@pytest.fixture(autouse=True)
def known_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds of matches and bots in every run."""
    numbers = KnownNumbers()
    for name in NUMBERS:
        monkeypatch.setattr(secrets, name, getattr(numbers, name))


async def seated(run: Running, bots: tuple[int, ...]) -> Client:
    """Ann owns a table of the proving game, with bots in these seats."""
    ann = await run.client("Ann")
    await ann.say(say.CreateTable(system="proving", scenario="crossing", name="Ground", private=False))
    await ann.arrived()
    await ann.say(say.ChangeTable(reaction_seconds=1, solo_clock=True))
    for seat in bots:
        await ann.say(say.AddBot(kind="random", seat=seat))
    return ann


async def start(ann: Client) -> None:
    """Everyone is there."""
    await ann.until(lambda: all(s.bot or s.who for s in ann.talk.table.seats) if ann.talk.table else False)
    await ann.ready()
    await ann.say(say.StartMatch())


async def watch_to_the_end(run: Running, eve: Client, seconds: float = 3) -> None:
    """Let time pass, so many seconds at once, until the match is over; none passes while a bot of the server thinks: it
    would run out before the bot's process has begun."""

    def are_idle() -> bool:
        hosts = [live.host for live in run.server.lobby.tables() if live.host is not None]
        return not any(host.waiting or host._bots.is_busy for host in hosts)

    for _ in range(3000):
        await until(are_idle)
        run.clock.advance(seconds)
        await eve.say(say.ListTables())
        eve.talk.lobby = None
        await eve.until(lambda: eve.talk.lobby is not None)
        if eve.state == "finished":
            return
    raise AssertionError("the match does not end")


def role(client: Client) -> Role:
    assert client.talk.table is not None
    return client.talk.table.role


def cue_names(client: Client) -> set[str]:
    return {cue.text.k for message in client.heard if isinstance(message, Delta) for cue in message.cues}


async def stored(folder: Path, table: TableId, proving: dict[str, Installed]) -> list[StoredStep[Field]]:
    """The steps of a match that is over, as its replay keeps them."""
    file = folder / "replays" / f"{table}.replay"

    async def is_there() -> bool:
        return file.exists()

    await until(is_there)
    codec = LogCodec(proving["proving"].system)
    return [codec.decode(data) for data in read(file.read_bytes(), Limits()).log]


def acts_of(steps: list[StoredStep[Field]], seat: int) -> int:
    """Count how often a seat acted or answered by itself."""
    acted = sum(isinstance(step.cause, Intended) and step.cause.seat == seat for step in steps)
    closed = [entry for step in steps for entry in step.entries if isinstance(entry, QuestionClosed)]
    return acted + sum(one.seat == seat and not one.by_default for question in closed for one in question.answers)


def test_the_entry_point_is_found_and_its_content_read(proving: dict[str, Installed]) -> None:
    assert set(proving["proving"].scenarios) == {"allies", "alone", "crossing", "drill", "long", "short"}
    assert {"action_cards", "proving"} <= set(find_systems())


def test_matches_of_bots_replay_and_check(proving: dict[str, Installed]) -> None:
    installed = proving["proving"]
    outcome = play(installed, installed.scenarios["crossing"], ("random",) * 3, 5, 0)
    assert outcome.finished


@pytest.mark.waits(times=200)
async def test_a_seat_is_handed_to_a_bot_while_a_procedure_waits(tmp_path: Path, proving: dict[str, Installed]) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (1, 2))
        await start(ann)
        await ann.my_turn("hide")
        assert ann.talk.table is not None
        table = ann.talk.table.id
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table))
        await eve.arrived()
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await watch_to_the_end(run, eve)
        steps = await stored(tmp_path, table, proving)
    left = next(n for n, step in enumerate(steps) if step.cause == TableEvent("bot", 0))
    assert acts_of(steps[left:], 0) > 0
    happened = {type(entry) for step in steps for entry in step.entries}
    assert cue_names(eve) & set(CUES.values()) == {cue for event, cue in CUES.items() if event in happened}


@pytest.mark.waits(times=200)
async def test_stops_and_standing_orders_are_set_by_anyone_at_any_time(
    tmp_path: Path, proving: dict[str, Installed]
) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (1, 2))
        await start(ann)
        await ann.my_turn("hide")
        assert ann.prompt is not None
        fire = "core:order/in-view/fire"
        assert [aside.id for aside in ann.prompt.asides] == ["core:settings", fire, "core:order/in-view/never"]
        orders = {"before-test": "dash"}
        assert await ann.intend("core:settings", stops=["before-test"], orders=orders) == ""
        wrong = await ann.intend("core:settings", stops=["nowhere"], orders=orders)
        assert wrong == "reply/bad-field"
        await ann.until(lambda: ann.prompt is not None and "dash" in str(ann.prompt.asides))
        assert await ann.intend(fire, groups=["piece/u10"], reach=3) == "reply/bad-field"
        assert await ann.intend(fire, groups=["piece/u00"], reach=3) == ""
        await ann.until(lambda: ann.prompt is not None and ann.prompt.asides[-1].id == "core:recall")
        assert await ann.intend("core:recall", order="0") == ""
        assert await ann.intend("hide", cell=[1, 1]) == ""


@pytest.mark.waits(times=200)
async def test_settings_give_no_time(tmp_path: Path, proving: dict[str, Installed]) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (1, 2))
        await ann.say(say.ChangeTable(reaction_seconds=0, bank=0))
        await start(ann)
        await ann.my_turn("hide")
        assert await ann.intend("hide", cell=[1, 1]) == ""
        await ann.my_turn("end")
        run.clock.advance(20)
        assert await ann.intend("core:settings", stops=[], orders={"before-test": "dash"}) == ""
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.clocks[0].left == 70_000)


@pytest.mark.waits(times=200)
async def test_bots_over_the_wire_play_it_to_the_end(tmp_path: Path, proving: dict[str, Installed]) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (2,))
        assert ann.talk.table is not None
        systems = {"proving": proving["proving"].system}
        url = f"ws://127.0.0.1:{run.port}"
        far = WirePlayer(url, ann.talk.table.code, "random", "Far", 4, systems, RealClock())
        playing = asyncio.create_task(far.play())
        await start(ann)
        await ann.my_turn("hide")
        table = ann.talk.table.id
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table))
        await eve.arrived()
        await ann.say(say.LeaveTable())
        await watch_to_the_end(run, eve)
        async with asyncio.timeout(PATIENCE):
            await playing
        assert 0 < acts_of(await stored(tmp_path, table, proving), 1) <= far.intents


@pytest.mark.waits(times=200)
async def test_time_runs_out_for_a_person_at_every_question_and_the_match_goes_on(
    tmp_path: Path, proving: dict[str, Installed]
) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (1, 2))
        await start(ann)
        await ann.my_turn("hide")
        await watch_to_the_end(run, ann, 70)
        assert "log.expired" in cue_names(ann)


@pytest.mark.waits
async def test_a_seat_is_looked_into_when_all_its_side_agrees_and_any_of_it_ends_that(
    tmp_path: Path, proving: dict[str, Installed]
) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system="proving", scenario="allies", name="Ground", private=False))
        await ann.arrived()
        assert ann.talk.table is not None
        table = ann.talk.table.id
        ben, eve = await run.client("Ben"), await run.client("Eve")
        await ben.say(say.JoinTable(table=table))
        await ben.arrived()
        await ann.say(say.AddBot(kind="random", seat=2))
        await ben.ready()
        await ann.ready()
        await ann.until(lambda: all(s.ready for s in ann.talk.table.seats) if ann.talk.table else False)
        await ann.say(say.StartMatch())
        await ann.my_turn("hide")
        await eve.say(say.WatchTable(table=table))
        await eve.until(lambda: eve.talk.table is not None)
        assert eve.talk.table is not None
        assert [seat.side for seat in eve.talk.table.seats] == [0, 0, 1]
        await eve.say(say.LookAs(sees="seat", seat=0))
        await ann.until(lambda: any(w.role.wants == 0 for w in ann.talk.table.watchers) if ann.talk.table else False)
        await ann.say(say.Consent(who=eve.talk.you, allow=True))
        await eve.until(lambda: role(eve) == Role("public", -1, 0, (0,)))
        assert not eve.scene.private.nodes, "one of two has agreed"
        await ben.say(say.Consent(who=eve.talk.you, allow=True))
        await eve.until(lambda: role(eve) == Role("seat", 0))
        await eve.until(lambda: eve.scene.hashes == ann.scene.hashes)
        await ben.say(say.Consent(who=eve.talk.you, allow=False))
        await eve.until(lambda: role(eve) == Role() and not eve.scene.private.nodes)


@pytest.mark.waits
async def test_options_of_the_rules_are_chosen_agreed_to_and_in_the_log(
    tmp_path: Path, proving: dict[str, Installed]
) -> None:
    async with running(tmp_path, systems=proving) as run:
        ann = await seated(run, (1,))
        assert ann.talk.table is not None
        table = ann.talk.table.id
        assert (ann.talk.table.seconds, ann.talk.table.bank) == (90, 0), "the usual pace of the system"
        ben = await run.client("Ben")
        await ben.say(say.JoinTable(table=table))
        await ben.arrived()
        await ben.ready()
        await ann.until(lambda: all(s.ready or s.seat == 0 for s in ann.talk.table.seats) if ann.talk.table else False)
        await ann.say(say.ChangeTable(options={"wind": 3}))
        assert await ann.problem() == "table/option", "this scenario has no wind"
        await ann.say(say.ChangeTable(options={"light": "noon"}))
        assert await ann.problem() == "table/option"
        await ann.say(say.ChangeTable(options={"half": True, "light": "day"}))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.options == {"half": True})
        assert ben.talk.table is not None
        assert not ben.talk.table.seats[2].ready, "other terms want another yes"
        await ben.ready()
        await ann.until(lambda: ann.talk.table.seats[2].ready if ann.talk.table else False)
        await ann.say(say.StartMatch())
        await ann.my_turn("hide")
        [live] = run.server.lobby.tables()
        assert live.host is not None
        assert live.host.match.state.turns == 3
        first = live.host.match.codec.decode((await live.host._stepper.journal.stored.steps())[0])
        assert first.entries[0].options == {"half": True}


def test_a_simulation_is_played_with_options(proving: dict[str, Installed]) -> None:
    installed = proving["proving"]
    info = installed.scenarios["crossing"]
    chosen = options_from(installed, info, ["half=yes", "light=day"])
    assert chosen == {"half": True}
    log: list[bytes] = []
    assert play(installed, info, ("random",) * 3, 5, 0, log, chosen).finished
    assert LogCodec(installed.system).decode(log[0]).entries[0].options == chosen
    for wrong in ("wind=3", "half=perhaps", "light"):
        with pytest.raises(CommandError):
            options_from(installed, info, [wrong])
