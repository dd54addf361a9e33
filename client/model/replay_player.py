"""Playback of a replay: any step of its public stream, with what one seat knew where that is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from client.errors import CannotPlay
from client.fairness.confined_process import check_readable
from client.model.table_feed import told_lines
from client.model.view_model import LogLine
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.errors import BadReplay
from protocol.fairness.replay import Frame, Replay, read
from protocol.ids import NodeId, Seq
from protocol.limits import Limits
from protocol.scene.delta import Nodes, apply, typed
from protocol.scene.nodes import AnyNode, Cue, Dice, Prompt
from protocol.text import Text
from protocol.wire.from_server import Delta, Snapshot

PUBLIC = "public"
SNAPSHOT_EVERY = 40
LOG_LINES = 200
ROLLS = 12


def load_replay(path: Path) -> Replay:
    """Read a replay file, after a child process could (protocol/fairness/replay_sandbox.py). Raises CannotPlay."""
    limits = Limits()
    try:
        with path.open("rb") as file:
            data = file.read(limits.replay_bytes + 1)
        check_readable(data)
        return read(data, limits)
    except OSError as error:
        why = error.strerror or phrase("replay.unreadable")
        raise CannotPlay(f"{path}: {why}.") from error
    except BadReplay as bad:
        raise CannotPlay(f"{path}: {Texts().say(bad.text)}") from bad


def seat_names(replay: Replay) -> dict[int, str]:
    """Return the name of whoever holds each seat; its number where the file has no names beside it."""
    seats = enumerate(replay.header.seats)
    return {seat: header.name or phrase("player.seat", number=seat + 1) for seat, header in seats}


class ReplayPlayer:
    """Position in a replay. Steps are counted from 0, the beginning, to `last`.

    Raises CannotPlay for a stream whose frames do not fit together.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.texts = Texts(replay.catalogues)
        self.frames = replay.streams.get(PUBLIC, ())
        if not self.frames:
            raise CannotPlay(phrase("replay.no_pictures"))
        told = (frame.acts if isinstance(frame, Delta) else () for frame in self.frames)
        self._newest_acts = tuple(accumulate((max((act.n for act in acts), default=0) for acts in told), max))
        self.audience = PUBLIC
        self.step = 0
        self._snapshots: dict[int, Nodes] = {}
        self._private: list[tuple[Seq, Nodes]] = []
        self._typed: dict[int, tuple[dict[str, object], AnyNode]] = {}
        self._nodes = self._public_at(0)

    @property
    def last(self) -> int:
        return len(self.frames) - 1

    @property
    def frame(self) -> Frame:
        """The frame that brought the present step."""
        return self.frames[self.step]

    @property
    def audiences(self) -> tuple[str, ...]:
        """Audiences through whose eyes the replay can be seen, the public first."""
        return (PUBLIC, *sorted(name for name in self.replay.streams if name != PUBLIC))

    @property
    def seat(self) -> int:
        """Seat whose knowledge is shown, -1 for the public."""
        number = self.audience.partition("/")[2]
        return int(number) if number.isdecimal() else -1

    def see_as(self, audience: str) -> None:
        """Add what this audience knew to the public scene; an unknown audience is the public."""
        self.audience = audience if audience in self.replay.streams else PUBLIC
        self._private = [] if self.audience == PUBLIC else _private_states(self.replay.streams[self.audience])
        self.go(self.step)

    def go(self, step: int) -> None:
        """Go to a step; numbers beyond the ends are the ends."""
        self.step = min(max(step, 0), self.last)
        self._nodes = self._public_at(self.step)

    def step_of(self, act: int) -> int:
        """Return the step in which an act begins, 0 for none that the replay has."""
        frames = ((step, frame) for step, frame in enumerate(self.frames) if isinstance(frame, Delta))
        return next((step for step, frame in frames if any(told.n == act for told in frame.acts)), 0)

    @property
    def act(self) -> int:
        """Number of the last public act that has begun by the present step, 0 for none."""
        return self._newest_acts[self.step]

    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """Return the scene at this step, without prompts: a replay is not acted in."""
        wire = dict(self._nodes)
        number = self.frames[self.step].n
        known = [nodes for after, nodes in self._private if after <= number]
        wire.update(known[-1] if known else {})
        found = {node_id: self._node(node) for node_id, node in wire.items()}
        return {node_id: node for node_id, node in found.items() if not isinstance(node, Prompt)}

    def _cues(self) -> list[Cue]:
        """Return the cues of this step and of the last ones before it."""
        frames = self.frames[max(self.step - LOG_LINES, 0) : self.step + 1]
        return [cue for frame in frames if isinstance(frame, Delta) for cue in frame.cues]

    def log(self) -> tuple[LogLine, ...]:
        """Return the lines of the log up to this step, the newest last."""
        frames = self.frames[max(self.step - LOG_LINES, 0) : self.step + 1]
        told = (f for f in frames if isinstance(f, Delta))
        return tuple(line for frame in told for line in told_lines(frame.acts, frame.cues, self.texts))[-LOG_LINES:]

    def dice(self) -> tuple[Dice, ...]:
        """Return the last rolls up to this step."""
        return tuple(cue.dice for cue in self._cues() if cue.dice is not None)[-ROLLS:]

    def names(self) -> dict[int, str]:
        """Return the player's name of each seat."""
        names, seats = seat_names(self.replay), enumerate(self.replay.header.seats)
        return {seat: phrase("replay.bot", name=names[seat]) if header.bot else names[seat] for seat, header in seats}

    def title(self) -> str:
        """Return the table's and the scenario's name."""
        header = self.replay.header
        scenario: Text | None = header.scenario_name
        return ": ".join(part for part in (header.table, self.texts.say(scenario) or header.scenario) if part)

    def _node(self, wire: dict[str, object]) -> AnyNode:
        """Decode a node; a node that is unchanged from step to step is the same object and is decoded once."""
        known = self._typed.get(id(wire))
        if known is None or known[0] is not wire:
            if len(self._typed) > 20_000:
                self._typed.clear()
            known = self._typed[id(wire)] = (wire, typed(wire))
        return known[1]

    def _public_at(self, step: int) -> Nodes:
        start = max((at for at in self._snapshots if at <= step), default=-1)
        nodes: Nodes = self._snapshots.get(start, {})
        for at in range(start + 1, step + 1):
            nodes = _applied(nodes, self.frames[at])
            if at % SNAPSHOT_EVERY == 0:
                self._snapshots[at] = nodes
        return nodes


def _applied(nodes: Nodes, frame: Frame) -> Nodes:
    if isinstance(frame, Snapshot):
        return frame.nodes
    try:
        return apply(nodes, frame.patch)
    except TypeError:
        raise CannotPlay(phrase("replay.broken")) from None


def _private_states(frames: tuple[Frame, ...]) -> list[tuple[Seq, Nodes]]:
    """Return a seat's states, each with the public number after which the seat knew it."""
    states: list[tuple[Seq, Nodes]] = []
    nodes: Nodes = {}
    for frame in frames:
        nodes = _applied(nodes, frame)
        states.append((frame.after, nodes))
    return states
