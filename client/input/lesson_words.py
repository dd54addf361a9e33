"""Words of a lesson: what its box says of a step and of what that points at. Needs no window."""

from __future__ import annotations

from msgspec.structs import replace

from client.input.lesson_way import Sign
from client.model.table.tabletop import Tabletop
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE
from protocol.text import Text
from protocol.text_format import blanks_in
from protocol.wire.lessons import LessonStep


def words_of(step: LessonStep, sign: Sign | None, texts: Texts, top: Tabletop, subject: NodeId, title: Text) -> str:
    """Return the words of a step that points at `sign`, with every blank filled: words of the step's own that have one
    which nothing fills give way to plainer ones. `subject`: what is in focus; `title`: of the prompt."""
    if sign is None:
        return _filled(step.text, {"question": title}, texts) or phrase("lesson.looking")
    if sign.is_guess:
        return phrase("lesson.guess")
    if sign.accepts and step.choice:
        return phrase("lesson.accept")
    if sign.variant is not None:
        return phrase("lesson.variant")
    if sign.back:
        return phrase("lesson.back")
    if sign.choice is not None and not step.choice:
        return phrase("lesson.question")
    second = sign.is_second or sign.accepts
    said = step.picked if second and step.picked is not None else step.text
    group, target = (subject, sign.node) if second else (sign.node, NO_NODE)
    named = {key: top.groups[id].name for key, id in (("group", group), ("target", target)) if id in top.groups}
    return _filled(said, {**named, "question": title}, texts) or phrase("lesson.marked")


def _filled(said: Text, blanks: dict[str, Text], texts: Texts) -> str:
    """Return the words with their blanks filled, "" where one is left."""
    filled = replace(said, a={**said.a, **blanks})
    return texts.say(filled) if blanks_in(filled, texts.entries) <= set(filled.a) else ""
