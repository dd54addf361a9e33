"""Playback of a finished match: it is played again from its stored steps, and each audience shown what it saw, as the
rules alone can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import RuleDiverged
from engine.core.rules.system import System
from engine.core.view.projection import Projector
from protocol.fairness.replay import stream_sections
from protocol.ids import MatchId
from protocol.scene.template_filling import TemplateFilling
from protocol.wire.from_server import Delta, Snapshot
from server.match.frames import PRIVATE, PUBLIC, delta, private_snapshot, public_snapshot

if TYPE_CHECKING:
    from engine.core.match.folded_match import Step

STREAM: Final = "replay"


class Playback(msgspec.Struct, frozen=True, array_like=True):
    """Content of a replay beside its log: the last head of the log's chain, and the streams of all
    audiences, as sections of the file."""

    head: bytes
    streams: bytes


def played(system: System[Any], match: MatchId, secret: bytes, steps: Sequence[bytes]) -> Playback:
    """Play a match again from its stored steps. Raises LogDamaged, and whatever the rules raise."""
    again: Match[Any] = Match(system, match, MatchDice(secret, match))
    streams = shown(again, steps, fold)
    return Playback(again.head, stream_sections(streams))


def fold(match: Match[Any], data: bytes) -> Step[Any]:
    """Fold one stored step, and make a waiting procedure again. Raises LogDamaged."""
    step = match.replay(data)
    # what older rules asked cannot be asked again; the rest of the picture is whole
    with suppress(RuleDiverged):
        match.resume()
    return step


def shown(
    match: Match[Any], steps: Iterable[bytes], take: Callable[[Match[Any], bytes], Step[Any]]
) -> dict[str, tuple[Snapshot | Delta, ...]]:
    """Return the frames that each audience ("public", "seat/0", ...) sees of these steps; `take` carries each out on
    `match`."""
    remaining = iter(steps)
    take(match, next(remaining))
    projector = Projector(match, STREAM)
    streams: dict[str, list[Snapshot | Delta]] = {PUBLIC: [public_snapshot(projector)]}
    for seat in projector.private:
        streams[f"seat/{seat}"] = [private_snapshot(projector, seat)]
    forms = {form.id: form.template for form in match.system.cue_templates}
    views = {PUBLIC: projector.public, **{f"seat/{seat}": view for seat, view in projector.private.items()}}
    nodes = {audience: view.hashed.nodes for audience, view in views.items()}
    for data in remaining:
        frames = projector.advance(take(match, data))
        changes = {f"seat/{seat}": delta(PRIVATE, change) for seat, change in frames.private.items()}
        if frames.public is not None:
            changes[PUBLIC] = delta(PUBLIC, frames.public)
        # the nodes of whom nothing is told are what they were
        after = nodes | {audience: views[audience].hashed.nodes for audience in changes}
        for audience, change in changes.items():
            names = (nodes[audience], after[audience], after[PUBLIC])
            cues = TemplateFilling(forms, names).cues(change.told, change.of)
            acts = TemplateFilling({}, names[1:]).acts(change.acts)
            streams[audience].append(replace(change, told=cues, of=(), acts=acts))
        nodes = after
    return {audience: tuple(messages) for audience, messages in streams.items()}
