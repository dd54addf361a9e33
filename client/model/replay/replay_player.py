"""Position in a replay: any step of its public stream, with what one seat or all of them knew where that is wanted."""

from __future__ import annotations

import gc
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from client.errors import CannotPlay
from client.fairness.confined_process import check_readable
from client.model.replay.stream_scenes import StreamScenes
from client.model.table.table_feed import told_lines
from client.model.table.view_model import LogLine
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.errors import BadReplay
from protocol.fairness.replay import Frame, Replay, read
from protocol.ids import NodeId, Seq
from protocol.limits import Limits
from protocol.scene.all_seeing import all_seen
from protocol.scene.delta import Nodes, typed
from protocol.scene.nodes import Act, AnyNode, Cue, Dice, Prompt
from protocol.text import Text
from protocol.wire.from_server import Delta

PUBLIC: Final = "public"
ALL_SEEING: Final = "all"
"""Audience that knows what everybody and each seat alone knows; no stream of the file."""
LOG_LINES: Final = 200
ROLLS: Final = 12
MOST_TYPED: Final = 5_000
"""Nodes that are kept decoded, about 2 KB each with their wire form: more than a scene of 240 figures has."""


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


def open_replay(path: Path) -> ReplayPlayer:
    """Read a replay file to be watched, as `load_replay`. Raises CannotPlay."""
    player = ReplayPlayer(load_replay(path))
    # a replay of 5 MB is a million objects, which the collector would look through in 240 ms, now and then
    gc.collect()
    gc.freeze()
    return player


def seat_names(replay: Replay) -> dict[int, str]:
    """Return the name of whoever holds each seat; its number where the file has no names beside it."""
    seats = enumerate(replay.header.seats)
    return {seat: header.name or phrase("player.seat", number=seat + 1) for seat, header in seats}


class ToldStep(NamedTuple):
    """Acts and cues that a step told an audience."""

    acts: tuple[Act, ...] = ()
    cues: tuple[Cue, ...] = ()


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
        self._numbers = [frame.n for frame in self.frames]
        told = (frame.acts if isinstance(frame, Delta) else () for frame in self.frames)
        self._newest_acts = tuple(accumulate((max((act.n for act in acts), default=0) for acts in told), max))
        self._public = StreamScenes(self.frames)
        streams = sorted((_seat_of(name), frames) for name, frames in replay.streams.items() if name != PUBLIC)
        self._private = {seat: _PrivateStream(frames, self._numbers) for seat, frames in streams if seat >= 0}
        self._typed: dict[int, tuple[dict[str, object], AnyNode]] = {}
        self.audience = PUBLIC
        self.step = 0

    @property
    def last(self) -> int:
        return len(self.frames) - 1

    def acting(self) -> tuple[int, ...]:
        """Return the seat that acts in each step, -1 where nobody does."""
        return tuple(_acting(frame) for frame in self.frames)

    def headline(self, step: int) -> str:
        """Return the words for what a step tells everybody, "" where it tells nothing."""
        frame = self.frames[step]
        if not isinstance(frame, Delta):
            return ""
        words = (self.texts.say(act.title) for act in frame.acts)
        lines = (self.texts.say(cue.text) for cue in frame.cues)
        return next(filter(None, words), "") or next(filter(None, lines), "")

    @property
    def audiences(self) -> tuple[str, ...]:
        """Audiences through whose eyes the replay can be seen: the public, the all-seeing one where there is more to
        be seen, each seat."""
        seats = [f"seat/{seat}" for seat in self._private]
        return (PUBLIC, *((ALL_SEEING, *seats) if seats else ()))

    @property
    def seat(self) -> int:
        """Seat whose knowledge is shown, -1 for the public and the all-seeing audience."""
        return _seat_of(self.audience)

    def see_as(self, audience: str) -> None:
        """Show what this audience knew; an unknown audience is the public."""
        self.audience = audience if audience in self.audiences else PUBLIC

    def go(self, step: int) -> None:
        """Go to a step; numbers beyond the ends are the ends."""
        self.step = min(max(step, 0), self.last)

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
        found = {node_id: self._node(node) for node_id, node in self._wire().items()}
        return {node_id: node for node_id, node in found.items() if not isinstance(node, Prompt)}

    def _wire(self) -> Nodes:
        public, number = self._public.at(self.step), self._numbers[self.step]
        if self.audience == ALL_SEEING:
            return all_seen(public, {seat: stream.after(number) for seat, stream in self._private.items()})
        return {**public, **(self._private[self.seat].after(number) if self.seat >= 0 else {})}

    def told(self, step: int) -> ToldStep:
        """Return what a step told the audience; what several seats were told is told once to the all-seeing one."""
        frame = self.frames[step]
        acts, cues = (list(frame.acts), list(frame.cues)) if isinstance(frame, Delta) else ([], [])
        for stream in self._seen():
            for delta in stream.told.get(step, ()):
                acts += [act for act in delta.acts if act not in acts]
                cues += [cue for cue in delta.cues if cue not in cues]
        return ToldStep(tuple(acts), tuple(cues))

    def _seen(self) -> Iterable[_PrivateStream]:
        """Return the private streams that the audience sees."""
        if self.audience == ALL_SEEING:
            return self._private.values()
        return (self._private[self.seat],) if self.seat >= 0 else ()

    def log(self) -> tuple[LogLine, ...]:
        """Return the last lines of the log up to this step, the newest last."""
        lines: deque[LogLine] = deque()
        for step in range(self.step, max(self.step - LOG_LINES, 0) - 1, -1):
            lines.extendleft(reversed(list(told_lines(*self.told(step), self.texts))))
            if len(lines) >= LOG_LINES:
                break
        return tuple(lines)[-LOG_LINES:]

    def dice(self) -> tuple[Dice, ...]:
        """Return the last rolls up to this step, the newest last, of as many steps as may be in the log."""
        rolls: deque[Dice] = deque()
        for step in range(self.step, max(self.step - LOG_LINES, 0) - 1, -1):
            rolls.extendleft(cue.dice for cue in reversed(self.told(step).cues) if cue.dice is not None)
            if len(rolls) >= ROLLS:
                break
        return tuple(rolls)[-ROLLS:]

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
            if len(self._typed) >= MOST_TYPED:
                self._typed.clear()
            known = self._typed[id(wire)] = (wire, typed(wire))
        return known[1]


class _PrivateStream:
    """Stream of a seat beside the public one, whose numbers of frames are given in order. `told`: its deltas by the
    public step with which the seat knew them."""

    def __init__(self, frames: tuple[Frame, ...], numbers: list[Seq]) -> None:
        self._scenes = StreamScenes(frames)
        self._after = list(accumulate((frame.after for frame in frames), max))
        self.told: dict[int, list[Delta]] = {}
        for after, frame in zip(self._after, frames, strict=True):
            if isinstance(frame, Delta):
                self.told.setdefault(bisect_left(numbers, after), []).append(frame)

    def after(self, number: Seq) -> Nodes:
        """Return what the seat knew after the public frame with this number."""
        known = bisect_right(self._after, number)
        return self._scenes.at(known - 1) if known else {}


def _acting(frame: Frame) -> int:
    """Return the seat of the first act of a frame, or of its first cue that has one."""
    if not isinstance(frame, Delta):
        return -1
    seats = [*(act.seat for act in frame.acts), *(cue.seat for cue in frame.cues)]
    return next((seat for seat in seats if seat >= 0), -1)


def _seat_of(audience: str) -> int:
    """Return the seat of an audience, -1 where it is none's."""
    kind, _, number = audience.partition("/")
    return int(number) if kind == "seat" and number.isdecimal() else -1
