"""The life of a table's match: its start, its return after a restart, its end."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from engine.core.match.causes import PartsOpened, Start, Void
from engine.core.match.match import Match
from engine.core.match.rule_code import CHANGED, SAME, RuleCode, code_event
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent, RuleBug, RuleDiverged, SetupRefused
from engine.core.rules.system import Setup
from protocol.scene.nodes import Result
from server.content.systems import Installed
from server.lobby.lessons import acts_of
from server.lobby.matches.archive import Archive
from server.lobby.matches.host_claim import has_given_up
from server.lobby.matches.match_results import DiceRounds, dice_rounds
from server.lobby.services import Services
from server.lobby.table import table_record
from server.lobby.table.live_table import LiveTable
from server.lobby.table.spectator_roles import has_delayed_view
from server.lobby.table.table_record import FINISHED, TableRecord
from server.match import replays
from server.match.bots.seated_bot import SeatedBot
from server.match.deadlines import TimeSettings
from server.match.host import MatchHost
from server.match.journal import Journal
from server.match.news import MatchNews, TablePort
from server.match.playback_process import playback
from server.match.proof_plane import ProofPlane
from server.match.step import Stepper
from server.match.stored_log import StoredLog
from server.runtime.long_threads import in_thread
from server.runtime.refusals import Refused
from server.store.port import NOBODY
from server.store.retry import until_stored

SECRET_BYTES = 32
GIVEN_UP: Final = "rules-changed"
"""In place of an error's id, where what waited is given up because its rules have changed."""


class MatchLifecycle:
    """Maker of the hosts of matches. `tell` takes the news of a match."""

    def __init__(self, services: Services, tell: Callable[[LiveTable, MatchNews], None]) -> None:
        self.archive = Archive(services)
        self._services = services
        self._tell = tell
        self._making = asyncio.Lock()
        """One replay after another: each takes a match and all its pictures."""

    def sealed_secret(self, table: TableRecord) -> bytes:
        """Make a secret for the dice of this table's match, sealed under the host key."""
        return self._services.sealing_key.seal(secrets.token_bytes(SECRET_BYTES), table.match)

    def secret(self, table: TableRecord) -> bytes:
        """Return the secret of this table's match. Raises SealDamaged."""
        return self._services.sealing_key.open(table.sealed, table.match)

    def resolve(self, table: TableRecord) -> bytes:
        """Return the content of the match by value. Raises Refused where the set-up cannot be played."""
        installed = self._installed(table)
        lists = tuple(seat.army.code if seat.army is not None else "" for seat in table.seats)
        setup = Setup(table.scenario, tuple(seat.faction for seat in table.seats), lists, table.options)
        try:
            resolved = installed.system.setup(installed.content, setup)
            installed.system.start(resolved, len(table.seats))
        except SetupRefused as problem:
            raise Refused.saying("table/set-up", problem.text) from problem
        return resolved

    async def open(self, live: LiveTable) -> None:
        """Host the match of this table: its log folded, or begun where there is none yet. One that is over is only
        shown, and has no owner.

        Raises Refused, StoreError, RuleBug, OtherCode, and what Archive.recover and `secret` raise.
        """
        table, code = live.record, self.code(live.record)
        secret = self.secret(table)
        stored = await self._stored_log(table, secret)
        is_over = table.state == FINISHED
        await (self.archive.recover(stored, table) if is_over else stored.recover(code.digest))
        begins = stored.match.version == 0
        if begins:
            try:
                await stored.commit(self._start(table, code))
            except IllegalIntent as refused:
                raise RuleBug(f"the start was refused: {refused.refusal.code}") from refused
        self._begin(live, stored, secret, "begun" if begins else "resumed")

    def _start(self, table: TableRecord, code: RuleCode) -> Start:
        return Start(
            table.match,
            len(table.seats),
            self.resolve(table),
            table.has_parts,
            code.version,
            code.digest,
            table.options,
            table.strict and table.has_parts,
        )

    async def open_under_other_code(self, live: LiveTable, same_head: bytes = b"") -> None:
        """Host a live match that was played by other rule code than that of today. `same_head`: the head of all its
        steps, played again under that of today; empty where they come out otherwise, and its people play on all the
        same: then what waits is given up. Either way a table event says so.

        Raises StoreError, LogDamaged, RuleDiverged, RuleBug, and what Vault.open and the rules raise.
        """
        table, code = live.record, self.code(live.record)
        secret = self.secret(table)
        stored = await self._stored_log(table, secret)
        match = stored.match
        await stored.recover_under_other_code()
        if same_head:
            if match.head != same_head:
                raise RuleDiverged("the head is another than that of the steps played again")
        else:
            nothing = (b"",) * (0 if match.record.call is None else match.record.seats)
            if match.deferred is not None and match.record.call is not None:
                await stored.commit(PartsOpened(nothing, nothing))
                nothing = ()
            if match.pending is not None or match.deferred is not None:
                await stored.commit(Void(GIVEN_UP, nothing, nothing))
            await stored.commit(code_event(CHANGED, code))
        await stored.resume()
        host = self._begin(live, stored, secret, "resumed")
        if same_head:
            host.note(code_event(SAME, code))

    def _begin(self, live: LiveTable, stored: StoredLog, secret: bytes, event: str) -> MatchHost:
        host = self._host(live, stored, secret)
        live.begin(host)
        table = live.record
        about = {"match": table.match, "system": table.system, "scenario": table.scenario, "people": len(table.people)}
        self._services.log.info(event, version=stored.match.version, **about)
        return host

    async def _stored_log(self, table: TableRecord, secret: bytes) -> StoredLog:
        """Make the stored log of this table's match, with nothing folded yet; one that is over has no owner."""
        services = self._services
        dice = MatchDice(secret, table.match)
        match: Match[Any] = Match(self._installed(table).system, table.match, dice)
        fence = NOBODY if table.state == FINISHED else await services.store.open_match(table.match)
        return StoredLog(match, services.store, fence, services.turns, services.mark)

    def code(self, table: TableRecord) -> RuleCode:
        """Return the rule code of this table's system as it is installed. Raises Refused."""
        return self._installed(table).code

    def _host(self, live: LiveTable, stored: StoredLog, secret: bytes) -> MatchHost:
        table, services = live.record, self._services
        left = table.banks or (table.bank * 1000,) * len(table.seats)
        banks = {} if table.mail else {seat: bank / 1000 for seat, bank in enumerate(left)}
        warning = services.limits.warning_seconds
        late = services.limits.late_seconds if has_delayed_view(table) else None
        times = TimeSettings(table.seconds if table.is_clocked else None, table.reaction_seconds, banks, warning, late)
        log = services.log.bind(match=table.match)
        proofs = ProofPlane(stored.match, services.key, live.gate)
        port = TablePort(partial(self._tell, live))
        journal = Journal(stored, port, live.gate, services.clock, log, times, services.limits.kept_frames, proofs)
        stepper = Stepper(journal, port, services.clock, log)
        about_all = services.clock, services.tasks, log, services.receipts, services.metrics, services.turns
        return MatchHost(stepper, port, *about_all, services.bot_workers, secret)

    def run(self, live: LiveTable) -> None:
        """Let the host of a live match work, with the bots in their seats. One whose replay is being written is only
        shown, as one that is finished: it has no step more."""
        host = live.host
        if host is None:
            return
        is_over = live.record.state == FINISHED or live.is_over
        for number in range(0 if is_over else len(live.record.seats)):
            self.seat_bot(live, number)
        live.count_present()
        host.run(is_over=is_over)
        for number, seat in enumerate(live.record.seats):
            if seat.leaving and not is_over:
                host.remove_figures(Seat(number))
        if live.record.ending and not is_over:
            host.end()

    def seat_bot(self, live: LiveTable, number: int) -> None:
        """Let the bot that holds this seat of a live match play, if one does."""
        seat, services = live.record.seats[number], self._services
        if live.host is not None and seat.bot:
            pace = services.tasks, live.bots.pace, services.limits.bot_seconds
            # whoever stands in for a learner plays as they like
            acts = () if seat.who else acts_of(live.record, services.systems.get(live.record.system), number)
            live.host.seat_bot(SeatedBot(Seat(number), seat.bot, seat.seed, *pace, acts))

    def substitute(self, table: TableRecord) -> str:
        """Return the kind of bot that takes over from a person who leaves."""
        return self._installed(table).stand_in()

    async def finish(self, live: LiveTable, result: Result | None) -> tuple[TableRecord, DiceRounds]:
        """Write the replay, as soon as the disk takes it; return the record of the finished table, not stored yet, and
        the rounds of its dice. Without a result those who played have ended the match. Raises StoreError."""
        table, services = live.record, self._services
        steps = [stored.step for stored in await services.store.read(table.match)]
        secret = self.secret(table)
        installed = self._installed(table)
        name = f"{table.id}.replay"
        now = services.clock.wall()
        made = await self._replay(installed, table, secret, steps, result, now)
        write = partial(asyncio.to_thread, replays.save, services.replays / name, made)
        log = services.log.bind(match=table.match)
        # whoever waits for a disk that works again does not lose the result of the match
        await until_stored(write, services.clock, lambda problem: log.error("store", problem=str(problem)), OSError)
        why = result.why.k if result is not None else ""
        services.log.info("finished", match=table.match, version=len(steps), result=why)
        # a server that stopped between an act given up and the table's record has the log alone to tell it
        table = replace(table, parked=0, given_up=table.given_up or has_given_up(steps))
        return table_record.finished(table, result.why if result is not None else None, name), dice_rounds(steps)

    async def open_unfinished(self, table: TableRecord) -> str:
        """Write the replay of a match that has no host: what these rules can show of it, else its bare record. Return
        its file name, empty where nothing was played. Raises StoreError, OSError, SealDamaged."""
        services = self._services
        steps = [stored.step for stored in await services.store.read(table.match)]
        secret, now = self.secret(table), services.clock.wall()
        try:
            made = await self._replay(self._installed(table), table, secret, steps, None, now)
        except Exception as problem:  # noqa: BLE001 - rules that raise anything leave a bare replay
            services.log.warning("bare-replay", match=table.match, problem=f"{type(problem).__name__}: {problem}")
            made = await in_thread(replays.make_bare, table, secret, steps, now, services.key)
        if not made:
            return ""
        name = f"{table.id}.replay"
        await asyncio.to_thread(replays.save, services.replays / name, made)
        services.log.info("opened", match=table.match, version=len(steps))
        return name

    async def _replay(
        self,
        installed: Installed,
        table: TableRecord,
        secret: bytes,
        steps: Sequence[bytes],
        result: Result | None,
        now: int,
    ) -> bytes:
        """Make the file of a finished match; see replays.make."""
        async with self._making:
            log = self._services.log.bind(match=table.match)
            found = await playback(installed.system, table.match, secret, steps, log)
        key = self._services.key
        return await in_thread(replays.make, installed, table, secret, steps, result, now, key, found)

    def _installed(self, table: TableRecord) -> Installed:
        installed = self._services.systems.get(table.system)
        if installed is None:
            raise Refused("table/unknown-system")
        return installed
