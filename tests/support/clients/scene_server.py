"""A small server for one seat, with the real server conversation, to test a client's conversation against."""

from __future__ import annotations

from protocol.ids import BEGINNING, Seq, TableId
from protocol.limits import Bucket, Limits
from protocol.scene.delta import Nodes, difference, nodes_hash
from protocol.scene.nodes import Cue
from protocol.text import text
from protocol.wire.codec import encode
from protocol.wire.from_client import FromClient, Hello, Intent, OpenTable, Resume, Resync
from protocol.wire.from_server import Ack, Delta, Reject, SeatView, Snapshot, TableView, Welcome
from protocol.wire.server_conversation import RecentFrames, ServerConversation
from tests.support.servers.limits import FREE

TABLE = TableView(TableId("t1"), "Friday", "sample", "hill", "live", 0, "u1", (SeatView(0, "u1", "Ada"),))
UNPACED = Limits(**FREE, intents=Bucket(1e6, 10**6), details=Bucket(1e6, 10**6), frames=Bucket(1e6, 10**6))


class Part:
    """One part of the scene with all its former states, by number."""

    def __init__(self, kept: int) -> None:
        self.nodes: Nodes = {}
        self.kept = RecentFrames(kept)
        self.history: list[Nodes] = [{}]
        self.afters = [0]

    @property
    def n(self) -> Seq:
        return Seq(len(self.history) - 1)

    def change(self, name: str, nodes: Nodes, after: Seq) -> bytes:
        patch = difference(self.nodes, nodes)
        self.nodes = nodes
        self.history.append(nodes)
        self.afters.append(after)
        cue = Cue("note", text(f"{name}-{self.n}"))
        data = encode(Delta(part=name, n=self.n, patch=patch, hash=nodes_hash(nodes), told=(cue,), after=after))
        self.kept.add(self.n, data)
        return data


class SceneServer:
    """Server that plays the steps it is given, to one connection at a time. `done` lists the intents carried out.

    `wrong`: the next snapshot has a wrong hash. `skip`: the next public change is never sent.
    """

    def __init__(self, kept: int = 4) -> None:
        self._kept = kept
        self._streams = 0
        self.parts: dict[str, dict[str, Part]] = {}
        self.done: list[bytes] = []
        self.wrong = self.skip = False
        self.conversation = ServerConversation(UNPACED, 0.0)
        self._viewing = False
        self.restart()

    @property
    def stream(self) -> str:
        return f"s{self._streams}"

    def restart(self) -> None:
        """Restart as after a crash: the link is gone, numbers begin anew, intents carried out stay so."""
        before = self.parts.get(self.stream)
        self._streams += 1
        self.parts[self.stream] = {name: Part(self._kept) for name in ("public", "private")}
        for name, part in self.parts[self.stream].items():
            part.nodes = part.history[0] = {} if before is None else before[name].nodes
        self.drop()

    def drop(self) -> None:
        """Drop the link."""
        self.conversation = ServerConversation(UNPACED, 0.0)
        self._viewing = False

    def step(self, public: Nodes | None, private: Nodes | None) -> None:
        """Make a step that changes these parts."""
        parts = self.parts[self.stream]
        if public is not None:
            change = parts["public"].change("public", public, BEGINNING)
            if not self.skip:
                self._offer(change)
            self.skip = False
        if private is not None:
            self._offer(parts["private"].change("private", private, parts["public"].n))

    def _offer(self, data: bytes) -> None:
        if self._viewing:
            self.conversation.offer(data, droppable=True)
        if self.conversation.overflowed:
            self.conversation.overflowed = False
            self._show_all()

    def _show_all(self) -> None:
        parts = self.parts[self.stream]
        self._viewing = True
        for name, part in parts.items():
            after = parts["public"].n if name == "private" else BEGINNING
            shown = nodes_hash(part.nodes) + (1 if self.wrong else 0)
            self.wrong = False
            frame = Snapshot(name, self.stream, part.n, part.nodes, shown, after)
            self.conversation.offer(encode(frame), droppable=True)

    def receive(self, frame: bytes) -> None:
        """Take a frame from the client."""
        for message in self.conversation.receive(frame, 0.0):
            self._do(message)

    def _do(self, message: FromClient) -> None:
        match message:
            case Hello():
                self.conversation.say(Welcome("u1", "Ada", "token-2", "here", "0.1"))
                if message.resume is not None:
                    self._open(message.resume)
            case OpenTable():
                self._open(None)
            case Resync():
                self._show_all()
            case Intent() if message.choice == "stale":
                self.conversation.say(Reject(message.id, "stale", text("problem.stale")))
            case Intent():
                if message.id not in self.done:
                    self.done.append(message.id)
                self.conversation.say(Ack(message.id))

    def _open(self, resume: Resume | None) -> None:
        self.conversation.say(TABLE)
        parts = self.parts[self.stream]
        if resume is not None and resume.stream == self.stream:
            public = parts["public"].kept.since(resume.public)
            private = parts["private"].kept.since(resume.private)
            if public is not None and private is not None:
                self._viewing = True
                for data in [*public, *private]:
                    self._offer(data)
                return
        self._show_all()
