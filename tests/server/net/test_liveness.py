"""Silent connections: noticed soon where a table waits for the seat."""

from pathlib import Path

from protocol.limits import Limits
from tests.support.clients.programs import until
from tests.support.clients.wire import running
from tests.support.doubles.relay import Relay
from tests.support.servers.seats import seen, three_players

HASTY = Limits(handshakes_per_second=1000, sockets_per_address=1000, silence_seconds=0.25, answer_seconds=0.25)


async def test_a_silent_link_is_given_up_soon_where_its_seat_is_waited_for(tmp_path: Path) -> None:
    async with running(tmp_path, limits=HASTY) as run, Relay(run.port) as relay:
        ann, ben, cleo = await three_players(run)
        for far in (ann, ben):
            far.port = relay.port
            await far.connect()
        await ann.my_turn()
        await cleo.until(lambda: all(seat.connected for seat in seen(cleo).seats))
        relay.is_pulled = True
        run.clock.advance(7)
        await cleo.until(lambda: not seen(cleo).seats[0].connected)
        # nobody waits for Ben, whose link is as dead
        assert seen(cleo).seats[1].connected
        assert seen(cleo).seats[0].away == 7_000
        [closed] = [line for line in run.lines if line["event"] == "closed" and line["status"] == 1006]
        assert closed["code"] == "session/silent"
        relay.is_pulled = False
        await ann.connect()
        await ann.my_turn()
        await cleo.until(lambda: seen(cleo).seats[0].connected)


async def test_whoever_thinks_for_long_is_asked_and_stays(tmp_path: Path) -> None:
    async with running(tmp_path, limits=HASTY) as run:
        ann, _, cleo = await three_players(run)
        gateway, who = run.server._gateway, ann.talk.you
        [inbound] = [link.inbound for session, link in gateway._links.items() if session.who == who]
        for _ in range(3):
            run.clock.advance(7)
            pieces = inbound.reads
            await until(lambda pieces=pieces: inbound.reads > pieces and not gateway._liveness._probes)  # type: ignore[misc]  # a default has no type
            assert inbound.last_data_at == run.clock.now()
        await cleo.pinged()
        assert seen(cleo).seats[0].connected
