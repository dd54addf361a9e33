"""Client of the proof at a table: it asks for the facts, follows them and adds the program's part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from protocol.fairness.contributor import ChainStore, Contributor
from protocol.fairness.fact_stream import FactStream
from protocol.ids import MatchId, match_of, table_of
from protocol.wire.client_conversation import ClientConversation
from protocol.wire.from_client import GetProof
from protocol.wire.from_server import EntropyWanted, FromServer, Problem, Proof, TableView

REFUSED: Final = "proof/none"
Stream = TypeVar("Stream", bound=FactStream)


class ProofClient(Generic[Stream]):
    """Proof of whatever table the conversation is at, followed for one program. `make` makes the stream for a match,
    the host's key and a seat; `chains` keeps the program's chains; `draw` gives 32 fresh random bytes at each call.

    The shell hands on every message that the conversation has taken, and calls `link_up` for each new connection.
    """

    def __init__(
        self,
        conversation: ClientConversation,
        make: Callable[[MatchId, bytes, int], Stream],
        chains: ChainStore,
        draw: Callable[[], bytes],
    ) -> None:
        self.stream: Stream | None = None
        self.contributor: Contributor | None = None
        self._conversation = conversation
        self._make = make
        self._chains = chains
        self._draw = draw
        self._asked_at = -1
        self._audience = -1
        self._is_playing = False

    def link_up(self) -> None:
        """Note a new connection: the facts missed meanwhile are asked for, and the tip is said again."""
        self._asked_at = -1
        if self.stream is not None:
            self.stream.lost()
        if self.contributor is not None:
            self.contributor.connected()

    def hear(self, message: FromServer) -> None:
        """Take a message that concerns the proof; the others change nothing."""
        stream = self.stream
        match message:
            case TableView():
                self._at_table(message)
            case Proof() if stream is not None and match_of(message.table) == stream.match:
                self._take(stream, message)
            case EntropyWanted() if self.contributor is not None:
                self.contributor.want(message)
            case Problem(code=code) if stream is not None and code == REFUSED:
                stream.is_asking = False
            case _:
                return
        self._contribute()

    def _at_table(self, view: TableView) -> None:
        self._is_playing = view.state == "live" and view.seat >= 0
        stream, match = self.stream, match_of(view.id)
        if view.state == "open":
            self.stream = self.contributor = None
        elif stream is None or (stream.match, stream.seat) != (match, view.seat):
            self._begin(match, view.seat)
        elif not stream.is_live and not stream.is_asking:
            self._ask(stream)

    def _begin(self, match: MatchId, seat: int) -> None:
        """Follow a match from its first fact on."""
        welcome = self._conversation.welcome
        self.stream = stream = self._make(match, welcome.key if welcome is not None else b"", seat)
        self.contributor = Contributor(stream.parts, seat, self._chains, self._draw)
        self._asked_at, self._audience = -1, -1
        self._ask(stream)

    def _take(self, stream: Stream, proof: Proof) -> None:
        if stream.count and proof.seat != self._audience:
            # the facts are those of another audience now, with numbers of their own
            self._begin(stream.match, stream.seat)
            return
        self._audience = proof.seat
        if not stream.take(proof):
            self._ask(stream)

    def _ask(self, stream: Stream) -> None:
        """Ask for what follows; for the same only once a connection, whatever a host does."""
        if self._asked_at == stream.count:
            return
        self._asked_at = stream.count
        stream.is_asking = True
        self._conversation.say(GetProof(table=table_of(stream.match), after=stream.count))

    def _contribute(self) -> None:
        stream, contributor = self.stream, self.contributor
        if stream is None or contributor is None or not self._is_playing:
            return
        if not stream.is_live or stream.broken is not None or stream.is_full:
            return
        for message in (contributor.tip(), contributor.opening()):
            if message is not None:
                self._conversation.say(message)
