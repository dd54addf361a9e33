"""An honest program at the table of a host that may not be: the client's own part and check, without a socket."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from client.fairness.dice_round_check import LiveDiceCheck, Verdict
from protocol.fairness.contributor import ChainStore, MemoryChains
from protocol.fairness.proof_client import ProofClient
from protocol.fairness.round_parts import RoundMark, mark_of
from protocol.ids import MatchId, table_of
from protocol.proof.facts import AnyFact
from protocol.wire import from_client as say
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_server import EntropyWanted, Proof, TableView, Welcome
from tests.support.chosen_dice.host import MATCH, Host
from tests.support.fairness.signing import HOST


class _Talk(ClientConversation):
    """Conversation that records its messages."""

    def __init__(self, key: bytes) -> None:
        super().__init__("Ann", None, adds=True)
        self.welcome = Welcome("ann", "Ann", "token", "host", "1", key=key)
        self.said: list[say.Message] = []

    def say(self, message: say.Message) -> None:
        self.said.append(message)


class Program:
    """One program, with the chains that its profile keeps. `seat` -1: a spectator's."""

    def __init__(
        self,
        seat: int,
        chains: ChainStore | None = None,
        label: str = "",
        key: bytes = HOST.public,
        match: MatchId = MATCH,
    ) -> None:
        self.seat = seat
        self.chains = chains if chains is not None else MemoryChains()
        self.drawn = 0
        self._label = f"{label}{seat}"
        self._match = match
        self._talk = _Talk(key)
        self._proof_client = ProofClient(self._talk, LiveDiceCheck, self.chains, self._draw)
        self.looks("live")

    def _draw(self) -> bytes:
        self.drawn += 1
        return sha256(f"{self._label} draws {self.drawn}".encode()).digest()

    def again(self, label: str = "again") -> Program:
        """Return the same profile's program, started anew."""
        return Program(self.seat, self.chains, f"{self._label} {label} ", self._talk.welcome.key, self._match)  # type: ignore[union-attr]

    # What it is told

    def looks(self, state: str, seat: int | None = None) -> None:
        """Take in the host's present state of the table."""
        at = self.seat if seat is None else seat
        self._proof_client.hear(TableView(table_of(self._match), "", "throws", "", state, at, "ann", ()))

    def hears(self, facts: Iterable[AnyFact], *, more: bool = False) -> None:
        """Take in these facts of the host, as the next ones."""
        self._proof_client.hear(Proof(table_of(self._match), self.check.count, tuple(facts), more, self.seat))

    def follows(self, host: Host) -> Program:
        """Take in all that has happened at the host."""
        self.hears(host.facts[self.check.count :])
        return self

    def cut(self) -> None:
        """Break the connection and make a new one."""
        self._proof_client.link_up()
        self.looks("live")

    def reconnects(self) -> None:
        """Reconnect like `cut`, without news of the host."""
        self.cut()
        self.hears(())

    def is_called(self, host: Host) -> say.Entropy | None:
        """Let the host call the round that a throw waits for, and ask; return the parts given at once."""
        wanted = host.call()
        return self.follows(host).is_asked(wanted)

    def is_asked(self, wanted: EntropyWanted) -> say.Entropy | None:
        """Let the host ask for a part; return the parts given at once."""
        before = len(self._talk.said)
        self._proof_client.hear(wanted)
        return next((said for said in self._talk.said[before:] if isinstance(said, say.Entropy)), None)

    # What it has said and found

    @property
    def check(self) -> LiveDiceCheck:
        assert self._proof_client.stream is not None
        return self._proof_client.stream

    @property
    def parts_given(self) -> list[say.Entropy]:
        """Return all parts that it has given, oldest first."""
        return [said for said in self._talk.said if isinstance(said, say.Entropy)]

    @property
    def tips_said(self) -> list[say.Tip]:
        return [said for said in self._talk.said if isinstance(said, say.Tip)]

    @property
    def tip(self) -> say.Tip:
        """Return the chain that it has announced last."""
        return self.tips_said[-1]

    @property
    def problem(self) -> str:
        """Return the reason why it cannot add to the dice."""
        assert self._proof_client.contributor is not None
        return self._proof_client.contributor.problem

    @property
    def is_wrong(self) -> bool:
        return self.check.verdict is Verdict.WRONG

    @property
    def why(self) -> str:
        """The key of the sentence on the fault found."""
        return self.check.why.k

    def mark(self, round: int) -> RoundMark:
        """Return the seats or the host that could have chosen the dice of a round, as judged here."""
        contributor = self._proof_client.contributor
        assert contributor is not None
        return mark_of(self.check.parts.rounds, round, self.seat, contributor.is_own)
