"""A table in play: an honest program, the host's friend, and a host that has played fair so far."""

from __future__ import annotations

from typing import NamedTuple

from protocol.wire.from_server import EntropyWanted
from tests.support.chosen_dice.host import ANN, FRIEND, Host, Parts, ShortChain
from tests.support.chosen_dice.program import Program


class AtTable(NamedTuple):
    """Programs at the table; the friend's chain is one of those that the host may grind."""

    host: Host
    ann: Program
    friend: ShortChain

    def parts(self, wanted: EntropyWanted) -> Parts:
        """Return the parts that both give when they are asked, Ann's as far as she gives one."""
        self.ann.follows(self.host)
        given = self.ann.is_asked(wanted)
        friends = {FRIEND: self.friend.part(wanted)} if FRIEND in self.host.called else {}
        return {ANN: given, **friends} if given is not None else friends

    def play(self, rounds: int = 1) -> None:
        """Play rounds without any cheating."""
        for _ in range(rounds):
            self.host.play(self.parts)
            self.ann.follows(self.host)

    def call(self) -> EntropyWanted:
        """Call the next round and tell Ann."""
        self.host.throw()
        wanted = self.host.call()
        self.ann.follows(self.host)
        return wanted


def at_table(rounds: int = 0, friend: bytes = b"friend") -> AtTable:
    """Return Ann and a friend whose tips are known, after a number of rounds."""
    host = Host.begun()
    ann = Program(ANN).follows(host)
    chain = ShortChain(host.origin, friend)
    host.log_tip(ANN, ann.tip)
    host.log_tip(FRIEND, chain.tip)
    table = AtTable(host, ann.follows(host), chain)
    table.play(rounds)
    return table
