"""Live matches whose rule code has changed while the server was down: a system of its own package, changed on the disk
between two real processes of the server."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from client.fairness import verify
from engine.core.match.rule_code import CHANGED, SAME, RuleCode
from protocol.ids import TableId, match_of
from protocol.scene.fields import PickCell
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import EntropyWanted, Problem, Proof, TableView
from server.content.systems import Installed, install
from server.lobby.table.table_record import TABLES, TableRecord
from server.store.sqlite.store import SqliteStore
from tests.support.clients import programs
from tests.support.clients.programs import ROOT
from tests.support.clients.quick_server import QuickServer
from tests.support.clients.wire import Client, running, two_players
from tests.support.reference import second_checker
from tests.support.systems.duel import TOML
from tests.support.systems.gamblers import Gamblers

PROVING = ROOT / "tests" / "support" / "proving"
OLD, NEW = RuleCode("1.0", b"\1" * 32), RuleCode("1.1", b"\2" * 32)


class Site:
    """A folder of packages with one rule system, `foreign`, a copy of the proving game that its author may change."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "site"
        self._package = self.path / "foreign"
        shutil.copytree(PROVING, self._package, ignore=shutil.ignore_patterns("__pycache__"))
        for file in self._package.glob("*.py"):
            file.write_text(file.read_text().replace("tests.support.proving", "foreign"))
        about = self.path / "foreign-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1\n")
        (about / "entry_points.txt").write_text("[eschaton.rulesets]\nproving = foreign:system\n")

    @property
    def on_path(self) -> str:
        return os.pathsep.join(map(str, (ROOT, self.path)))

    def change(self, file: str, old: str, new: str) -> None:
        """Another version of the rules."""
        path = self._package / file
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    def say_otherwise(self) -> None:
        """Change code that does the same afterwards."""
        self.change(
            "play.py", '"""Begin the next seat\'s turn, or end the game."""', '"""Begin a turn, or end the game."""'
        )

    def play_otherwise(self) -> None:
        """Change how strong the hidden units are."""
        self.change("play.py", "strength=2", "strength=3")


class ForeignServer(QuickServer):
    """A server that has that system."""

    def __init__(self, folder: Path, site: Site) -> None:
        super().__init__(folder)
        self._path = site.on_path


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def hidden(ann: Client) -> None:
    """Begin a match beside two bots, and hide a unit: now it is Ann's turn, and nothing waits."""
    await ann.say(say.CreateTable(system="proving", scenario="crossing", name="Foreign"))
    await ann.arrived()
    for _ in range(2):
        await ann.say(say.AddBot(kind="random"))
    await ann.say(say.StartMatch())
    await ann.until(lambda: ann.offers("hide"))
    assert ann.prompt is not None
    [field] = ann.prompt.choices[0].fields
    assert isinstance(field, PickCell)
    assert field.default is not None
    assert await ann.intend("hide", cell=list(field.default)) == ""
    await ann.until(lambda: ann.prompt is not None and not ann.offers("hide"))


@asynccontextmanager
async def upgraded(folder: Path, site: Site, plays_otherwise: bool) -> AsyncIterator[tuple[ForeignServer, Client]]:
    """A server with a match of Ann's that was begun before the system was changed on its disk."""
    server = ForeignServer(folder, site)
    await server.start()
    ann = Client(server.port, "Ann")
    try:
        await ann.connect()
        await hidden(ann)
        await server.end()
        await ann.close()
        (site.play_otherwise if plays_otherwise else site.say_otherwise)()
        await server.start()
        ann.port = server.port
        await ann.connect()
        # as a player's program does, whatever the table waits for
        await ann.say(say.GetProof(table=seen(ann).id))
        yield server, ann
    finally:
        await ann.close()
        await server.end()


async def causes(data: Path, table: TableId) -> list[Any]:
    """The causes of a match's steps, from the store of a server that has ended."""
    store = SqliteStore(data / "eschaton.db")
    try:
        return [msgspec.msgpack.decode(stored.step)[1] for stored in await store.read(match_of(table))]
    finally:
        await store.close()


async def test_a_match_goes_on_under_changed_code_where_all_comes_out_the_same(tmp_path: Path) -> None:
    async with upgraded(tmp_path, Site(tmp_path), plays_otherwise=False) as (server, ann):
        await ann.until(lambda: not seen(ann).parked and ann.prompt is not None)
        table = seen(ann).id
        await ann.until(lambda: any(isinstance(message, Proof) for message in ann.heard))
        assert "proof/none" not in [message.code for message in ann.heard if isinstance(message, Problem)]
        await server.end()
        start, *others = await causes(server.data, table)
        [mark] = [cause for cause in others if cause["c"] == "table" and cause["kind"] == SAME]
        digest, _, version = mark["detail"].partition(" ")
        assert len(start["code"]) == 32
        assert start["code"].hex() != digest
        assert start["version"] == version
        await ann.close()
        # it is named now, and not played again
        await server.start()
        ann.port = server.port
        await ann.connect()
        await ann.until(lambda: not seen(ann).parked and ann.prompt is not None)
        await server.end()
        assert len(await causes(server.data, table)) == 1 + len(others)


async def test_a_match_that_comes_out_otherwise_is_parked_and_played_on_from_a_marked_step(tmp_path: Path) -> None:
    site = Site(tmp_path)
    async with upgraded(tmp_path, site, plays_otherwise=True) as (server, ann):
        await ann.until(lambda: seen(ann).parked == "other_rules")
        before = ann.prompt
        assert before is not None
        assert await ann.intend("end") == "match/other-rules"
        await ann.say(say.CallVote(what="pause"))
        assert await ann.problem() == "match/other-rules"
        await ann.say(say.CallVote(what="play_on"))
        await ann.until(lambda: not seen(ann).parked and ann.prompt is not None and ann.prompt.id != before.id)
        assert await ann.intend("end") == ""
        table = seen(ann).id
        await ann.say(say.CallVote(what="play_on"))
        assert await ann.problem() == "vote/same-rules"
        await ann.say(say.CallVote(what="end"))
        await ann.until(lambda: seen(ann).replay)
    path = server.data / "replays" / f"{table}.replay"
    said = await checked(tmp_path, site, path)
    assert " holds: " in said
    assert "played on under changed rules" in said
    found = verify.check(path.read_bytes())
    assert found[0].startswith("Everything holds")
    assert any("played on under changed rules" in line for line in found)
    second_checker.check(path.read_bytes())


async def test_a_match_that_comes_out_otherwise_may_be_ended(tmp_path: Path) -> None:
    site = Site(tmp_path)
    async with upgraded(tmp_path, site, plays_otherwise=True) as (_, ann):
        await ann.until(lambda: seen(ann).parked == "other_rules")
        await ann.say(say.CallVote(what="end"))
        await ann.until(lambda: seen(ann).state == "finished")


async def checked(folder: Path, site: Site, path: Path) -> str:
    """Return what `eschaton-server check` says of a replay, with the system as it is now."""
    program = programs.Program(folder, "check", "server.cli.main", "check", str(path))
    program._path = site.on_path
    await program.start()
    assert program._process is not None
    said, _ = await program._process.communicate()
    return said.decode()


# What waits when the code changes


def installed(code: RuleCode) -> dict[str, Installed]:
    """The duel with acts that roll at once, by this code."""
    systems = {"duel": install(Gamblers(), {"duel.toml": TOML})}
    systems["duel"].code = code
    return systems


async def agree(folder: Path, table: TableId) -> None:
    """Let the people of a match whose server has ended play on under the new code."""
    store = SqliteStore(folder / "eschaton.db")
    kept = await store.get_record(TABLES, table)
    assert kept is not None
    record = msgspec.structs.replace(msgspec.msgpack.decode(kept, type=TableRecord), play_on=NEW.digest)
    await store.put_record(TABLES, table, msgspec.msgpack.encode(record))
    await store.close()


async def played_on(folder: Path, ann: Client) -> list[Any]:
    """Return the causes of a match once it goes on under the new code."""
    async with running(folder, systems=installed(NEW)) as run:
        run.clients.append(ann)
        ann.port = run.port
        await ann.connect()
        await run.logged("resumed")
        await ann.my_turn("strike")
    return await causes(folder, seen(ann).id)


async def test_what_waits_is_given_up_before_a_match_is_played_on(tmp_path: Path) -> None:
    async with running(tmp_path, systems=installed(OLD)) as run:
        ann, _ = await two_players(run)  # Ben is asked what he does against it
        assert await ann.intend("strike", target=["seat/1"]) == ""
    await agree(tmp_path, seen(ann).id)
    told = await played_on(tmp_path, ann)
    assert (told[0]["version"], told[0]["code"]) == (OLD.version, OLD.digest)
    assert [cause.get("kind", cause["c"]) for cause in told[-2:]] == ["void", CHANGED]


async def test_what_was_put_off_is_given_up_before_a_match_is_played_on(tmp_path: Path) -> None:
    async with running(tmp_path, systems=installed(OLD)) as run:
        ann, ben = await two_players(run, adds=True, strict=True)
        ben.proof = None
        ann.talk.intend(Reply("gamble"), bytes(16))
        await ann.flush()
        await ben.hear(EntropyWanted)
        table = seen(ann).id
    await agree(tmp_path, table)
    told = await played_on(tmp_path, ann)
    kinds = [cause.get("kind", cause["c"]) for cause in told]
    assert kinds[kinds.index("deferred") :][:4] == ["deferred", "opened", "void", CHANGED]
