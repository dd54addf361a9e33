"""Clicks that mean nothing: why, what is in the way, and what near by would do."""

from __future__ import annotations

from client.input.gestures.aims import Meaning, Pointed, field_of, with_subject
from client.input.gestures.clicks import Note
from client.input.gestures.sights import Sights
from client.model.table.shapes import nearest_allowed
from protocol.scene import fields as scene
from protocol.scene.nodes import NO_NODE, Choice, Point
from protocol.text import Text
from protocol.wire.from_server import Proposed


def beyond_reach(sights: Sights, at: Pointed) -> Meaning | None:
    """Return the choice that a click on ground out of reach asks for, so that the table may say why it cannot be; None
    where no group was to go there."""
    prompt = sights.prompt
    if prompt is None or at.from_at is None or at.grid is not None or _on_others(sights, at):
        return None
    for choice, found in sights.known(prompt, glance=False):
        gesture = choice.gesture
        if gesture is not None and gesture.on == "point" and not gesture.rank and found.why is None:
            field = field_of(choice, gesture.object)
            if isinstance(field, scene.PickPoint):
                fields = {**with_subject(choice, sights.subject), field.key: list(at.point)}
                return Meaning(choice, fields, point=at.point)
    return None


def _on_others(sights: Sights, at: Pointed) -> bool:
    return any(thing.startswith("group/") and thing != sights.subject for thing in at.things)


def note_of_click(sights: Sights, at: Pointed, why: Text | str) -> Note:
    """Return the reason why a click means nothing; of a target that cannot be met with what is in the way."""
    prompt = sights.prompt
    targets = sights.targets(prompt) if prompt is not None else {}
    barred = next((targets[thing][1] for thing in at.things if thing in targets), None)
    if barred is None or barred.why is None:
        return Note(why, at.point)
    return Note(why, barred.id, barred.by, start=at.from_at)


def note_of_proposal(sights: Sights, aim: Meaning, proposal: Proposed, start: Point | None) -> Note:
    """Return the reason why a choice was refused, with the nearest place within reach."""
    where = proposal.at or aim.thing or aim.point or sights.subject
    better = None
    if aim.point is not None and start is not None:
        better = _nearest(sights, aim.choice, aim.point, start)
    return Note(proposal.text or Text(proposal.code), where, proposal.by or NO_NODE, better, start)


def _nearest(sights: Sights, choice: Choice, point: Point, start: Point) -> Point | None:
    prompt = sights.prompt
    known = sights.known(prompt, glance=False) if prompt is not None else []
    found = next((found for one, found in known if one.id == choice.id), None)
    regions = [region for band in (found.reach if found is not None else ()) for region in band.regions]
    near = nearest_allowed(point, start, 0, regions) if regions else start
    return near if near != start else None
