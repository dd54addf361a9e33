"""The tale of a frame, cut into acts: the cues of each in their order, and the nodes that change with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final

from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.scene.nodes import Act, AnyNode, Cue

Changes = Mapping[NodeId, AnyNode | None]
"""Nodes as they are afterwards, by id; None for one that is gone."""

AT_ONCE: Final = frozenset({scene.PROMPT_NODE, scene.WAITS_NODE})
"""Nodes that are never delayed: what may be done now, and who is waited for."""
NO_ACT: Final = 0
"""Number of the act of cues that are part of none."""
_CARRIES: Final = ("move", "casualty")
"""Kinds of cues whose groups are meant with all their figures."""


@dataclass(frozen=True)
class ActPart:
    """Cues that follow each other in a frame and are part of one act. `act` is None where they are part of none, or of
    one that nobody has told of; `has_ended`: these are the last of it; `is_aside`: they are part of no act, in a frame
    that tells of one."""

    n: int
    cues: tuple[Cue, ...] = ()
    act: Act | None = None
    has_ended: bool = False
    is_aside: bool = False


@dataclass(frozen=True)
class ShownCue:
    """A cue, with the nodes that change when it has been shown."""

    cue: Cue
    changes: Changes = field(default_factory=dict)


@dataclass(frozen=True)
class QueuedAct:
    """An act as it is shown: one moment after another, then all else that changes with it."""

    told: ActPart
    moments: tuple[ShownCue, ...] = ()
    changes: Changes = field(default_factory=dict)


def told_acts(acts: Sequence[Act], cues: Iterable[Cue], known: Mapping[int, Act] | None = None) -> list[ActPart]:
    """Cut the cues of a frame into acts, those without cues first. `known`: acts that began in earlier frames."""
    named = {**(known or {}), **{act.n: act for act in acts}}
    ended = {act.n for act in acts if act.how}
    runs = [(n, tuple(run)) for n, run in groupby(cues, key=attrgetter("act"))]
    last = {n: place for place, (n, _) in enumerate(runs)}
    silent = [ActPart(act.n, (), act, act.n in ended) for act in acts if act.n not in last]
    tells = bool(acts) or any(n != NO_ACT for n, _ in runs)
    return silent + [
        ActPart(n, run, named.get(n), n in ended and last[n] == place, n == NO_ACT and tells)
        for place, (n, run) in enumerate(runs)
    ]


def queued_acts(told: Sequence[ActPart], changes: Changes, before: Mapping[NodeId, AnyNode]) -> list[QueuedAct]:
    """Share out the changed nodes of a frame among its acts, so that each changes with what is told of it.

    A node changes with the last cue that is about it; else with the end of the act that is about it; else figures,
    groups and what lies on the table with the last act, and all others with the end of the frame.
    """
    if not told:
        return [QueuedAct(ActPart(NO_ACT), (), changes)] if changes else []
    with_cue = {id: place for place, id in _meant(told, changes, before)}
    of_act = {id: place for place, run in enumerate(told) if run.act is not None for id in run.act.about.values()}
    last_act = max((place for place, run in enumerate(told) if run.n != NO_ACT), default=len(told) - 1)
    by_cue: dict[tuple[int, int], dict[NodeId, AnyNode | None]] = {}
    by_act: list[dict[NodeId, AnyNode | None]] = [{} for _ in told]
    for id, node in changes.items():
        if id in with_cue:
            by_cue.setdefault(with_cue[id], {})[id] = node
        else:
            lies = isinstance(node if node is not None else before.get(id), _ON_TABLE)
            by_act[of_act.get(id, last_act if lies else len(told) - 1)][id] = node
    return [
        QueuedAct(
            run,
            tuple(ShownCue(cue, by_cue.get((place, number), {})) for number, cue in enumerate(run.cues)),
            by_act[place],
        )
        for place, run in enumerate(told)
    ]


_ON_TABLE: Final = (scene.Piece, scene.Group, scene.Feature, scene.Zone, scene.StackItem)


def _meant(
    told: Sequence[ActPart], changes: Changes, before: Mapping[NodeId, AnyNode]
) -> Iterator[tuple[tuple[int, int], NodeId]]:
    """Yield each node that a cue is about, with the numbers of act and cue, in the order of telling."""
    figures = _figures_by_group(changes, before)
    for place, run in enumerate(told):
        for number, cue in enumerate(run.cues):
            for id in cue.about:
                yield (place, number), id
                for figure in figures.get(id, ()) if cue.kind in _CARRIES else ():
                    yield (place, number), figure


def _figures_by_group(changes: Changes, before: Mapping[NodeId, AnyNode]) -> dict[NodeId, list[NodeId]]:
    found: dict[NodeId, list[NodeId]] = {}
    for id, node in changes.items():
        for piece in (before.get(id), node):
            if isinstance(piece, scene.Piece) and piece.group and id not in found.setdefault(piece.group, []):
                found[piece.group].append(id)
    return found
