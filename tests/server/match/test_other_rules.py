"""A match that was begun under other rules, with a snapshot of theirs."""

from __future__ import annotations

from engine.core.match.causes import Intended, RoundOpened, Start
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId
from server.cli.data.fsck import _compare_snapshot
from server.match.stored_log import StoredLog
from server.runtime.loop_turns import LoopTurns
from tests.support.doubles.memory_store import MemoryStore
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import Draw

MATCH = MatchId("m1")

DICE = MatchDice(bytes(32), MATCH)


async def test_a_snapshot_of_other_rules_is_passed_over_and_all_steps_are_folded() -> None:
    store = MemoryStore()
    resolved = Duel().setup(Duel().content({"duel.toml": TOML}), Setup("two", ("", "")))
    ledger = StoredLog(Match(Duel(), MATCH, DICE), store, await store.open_match(MATCH), LoopTurns())
    draw = ledger.match.codec.encode_intent(Draw())
    for cause in (Start(MATCH, 2, resolved), RoundOpened(), Intended(0, bytes(16), draw)):
        await ledger.commit(cause)
    assert ledger.match.snapshot_point
    await ledger.keep_snapshot()
    await ledger.commit(Intended(0, bytes(16), draw))
    newer = Duel()
    newer.RULES += 1
    again = Match(newer, MATCH, DICE)
    await StoredLog(again, store, await store.open_match(MATCH), LoopTurns()).recover()
    assert (again.version, again.head, again.state) == (4, ledger.match.head, ledger.match.state)
    kept = await store.snapshot(MATCH)
    assert kept is not None
    assert not list(_compare_snapshot(again, kept, has_secret=True))
