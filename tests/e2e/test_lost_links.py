"""Broken links and a killed server, under real clients: all come back by themselves and play on."""

from pathlib import Path

from server.runtime.signing import HostKey
from tests.support.clients.company import Company, Guest, Host, Spectator
from tests.support.doubles.relay import Relay
from tests.support.fairness.receipt_keeper import hold
from tests.support.play.sightings import Sightings, Stored, compare, shown_by_server, stored_match
from tests.support.runs.patience import PATIENCE

CUTS = 3
NUMBERS = 6
"""Changes of the table that all must see before the kill, and again after it."""


def receipts_that_hold(match: Stored, data: Path, folder: Path) -> int:
    """Return the number of acts that the receipts in a folder prove; raises where they accuse the host."""
    key = HostKey.at(data / "host.ed25519")
    return hold(match.table.match, match.steps, match.secret, key, len(match.table.seats), folder)


async def test_a_wire_bot_comes_back_from_a_broken_link_and_ends_equal(tmp_path: Path) -> None:
    """Cut one player's link several times under play: both players end with the same match."""
    async with Company(tmp_path) as company, Relay(company.server.port) as relay:
        host = Host(company.server.url, "harrow_cross")
        company.guest(host)
        await company.wait(lambda: host.code, PATIENCE)
        far = Guest(f"ws://127.0.0.1:{relay.port}", host.code, "Far")
        far.keep_receipts(tmp_path / "kept")
        company.guest(far)
        for cut in range(CUTS):
            acts = far.intents
            await company.wait(lambda: far.intents >= acts + 3 or far.result, PATIENCE)  # noqa: B023 - waited for at once
            relay.cut()
            await company.wait(lambda: far.links == cut + 2 or far.result, PATIENCE)  # noqa: B023 - as above
        await company.wait(lambda: host.result and far.result, PATIENCE)
        await company.dismiss()
        await company.server.end()
        match = await stored_match(company.server.data)
        assert receipts_that_hold(match, company.server.data, tmp_path / "kept") >= far.acknowledged > CUTS
    assert far.links == relay.links == CUTS + 1
    assert far.result == host.result
    assert far.talk.drifts == 0
    for guest in (host, far):
        (stream,) = guest.seen.streams
        public, _ = compare(guest.talk.name, guest.seat, guest.seen, shown_by_server(match, stream), stream)
        assert public > 50


async def test_windows_come_back_from_a_killed_server_and_play_on(tmp_path: Path) -> None:
    """Kill the server under play: both windows find it again, hold the same match, and go on with it."""
    async with Company(tmp_path) as company:
        ada = await company.window("Ada", "--people", "2")
        code = await ada.code()
        ben = await company.window("Ben", "--code", code)
        watcher = Spectator(company.server.url, code)
        company.guest(watcher)

        def seen() -> dict[str, Sightings]:
            return {"Ada": ada.seen, "Ben": ben.seen, "Eve": watcher.seen}

        await company.wait(lambda: all(each.last() >= NUMBERS for each in seen().values()), PATIENCE)
        await company.server.kill()
        before = await stored_match(company.server.data)
        await company.server.start()
        await company.wait(lambda: all(len(each.streams) == 2 for each in seen().values()), PATIENCE)
        await company.wait(lambda: all(each.last() >= NUMBERS for each in seen().values()), PATIENCE)
        await company.dismiss()
        await company.server.end()
        after = await stored_match(company.server.data)
        data, windows = company.server.data, (ada, ben)
        assert sum(receipts_that_hold(after, data, window.folder / "receipts") for window in windows) > 0
    assert after.steps[: len(before.steps)] == before.steps
    assert len(after.steps) > len(before.steps)
    seats = {seat.name: number for number, seat in enumerate(after.table.seats)}
    for name, each in seen().items():
        first, second = each.streams
        compare(name, seats.get(name, -1), each, shown_by_server(before, first), first)
        compare(name, seats.get(name, -1), each, shown_by_server(after, second, since=len(before.steps)), second)
    assert all(window.report["links"] == 2 and window.report["drifts"] == 0 for window in (ada, ben))
