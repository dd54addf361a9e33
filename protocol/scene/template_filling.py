"""Filling of cue templates (protocol/scene/cue_templates.py) with the arguments that a delta brings.

Whatever a server sends, this gives cues or raises BadFrame, and makes no more than MOST_FILLED values and letters for
one delta.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from protocol.errors import BadFrame
from protocol.limits import MOST_FILLED
from protocol.scene.cue_templates import MARK, TemplateBody
from protocol.scene.delta import Nodes
from protocol.scene.nodes import Act, Cue
from protocol.text import Text


class TemplateFilling:
    """Cues of one delta, to be filled. `forms`: the templates known, by id; `parts`: of the scene, in wire form: a node
    is named as in the first that has it, and by its id where none has."""

    def __init__(self, forms: Mapping[int, TemplateBody], parts: Sequence[Nodes]) -> None:
        self._templates = forms
        self._parts = parts
        self._left = MOST_FILLED

    def cues(self, told: Sequence[Cue | tuple[Any, ...]], of: Sequence[int] = ()) -> tuple[Cue, ...]:
        """Return all cues, those by templates filled, with the acts `of` which they are part. Raises BadFrame
        ("frame/bad-field")."""
        found: list[Cue] = []
        try:
            for place, one in enumerate(told):
                act = of[place] if place < len(of) else 0
                if isinstance(one, Cue):
                    cues = [one]
                else:
                    template, *arguments = one
                    cues = msgspec.convert(self._fill(self._templates[template], arguments), list[Cue])
                found += [msgspec.structs.replace(cue, act=act) for cue in cues] if act else cues
        # LookupError: no such template, argument or alternative; ValueError: no template at all, or too much of it
        except (msgspec.MsgspecError, LookupError, TypeError, ValueError, OverflowError, RecursionError):
            raise BadFrame("frame/bad-field", Text("frame.bad_field", {"field": "cues"}), fatal=True) from None
        return tuple(found)

    def acts(self, told: Sequence[Act]) -> tuple[Act, ...]:
        """Return acts with all names. Raises BadFrame ("frame/bad-field")."""
        try:
            return tuple([self._named(act) for act in told])
        except (msgspec.MsgspecError, ValueError):
            raise BadFrame("frame/bad-field", Text("frame.bad_field", {"field": "acts"}), fatal=True) from None

    def _named(self, act: Act) -> Act:
        names = {part: self._name_of(id) for part, id in act.about.items() if part not in act.names}
        return msgspec.structs.replace(act, names=msgspec.convert(names, dict[str, Text]) | act.names)

    def _fill(self, template: Any, arguments: Sequence[Any]) -> Any:
        self._spend(1)
        if isinstance(template, list):
            filled: list[Any] = []
            for one in template:
                filled += self._each(one[_EACH], arguments) if _is_each(one) else [self._fill(one, arguments)]
            return filled
        if not isinstance(template, dict):
            return template
        for name, of in template.items():
            if name.startswith(MARK):
                return _FILLS[name](self, of, arguments)
        return {name: self._fill(value, arguments) for name, value in template.items()}

    def _argument(self, place: int, arguments: Sequence[Any]) -> Any:
        if place < 0:
            raise IndexError(place)
        self._spend_on(arguments[place])
        return arguments[place]

    def _within(self, of: list[Any], arguments: Sequence[Any]) -> str:
        prefix, word = (self._fill(one, arguments) for one in of)
        if not isinstance(prefix, str) or not isinstance(word, str | int):
            raise TypeError("no word")
        self._spend(len(prefix) + len(word) if isinstance(word, str) else len(prefix))
        return f"{prefix}{word}"

    def _name(self, of: list[Any], arguments: Sequence[Any]) -> Any:
        return self._name_of(self._fill(of[0], arguments))

    def _name_of(self, id: Any) -> Any:
        name = next((nodes[id] for nodes in self._parts if id in nodes), {}).get("name", {"k": id})
        self._spend_on(name)
        return name

    def _pick(self, of: list[Any], arguments: Sequence[Any]) -> Any:
        place = self._fill(of[0], arguments)
        if place < 0:
            raise IndexError(place)
        return self._fill(of[1:][place], arguments)

    def _each(self, of: list[Any], arguments: Sequence[Any]) -> list[Any]:
        items, make = self._fill(of[0], arguments), of[1]
        return [self._fill(make, item if isinstance(item, list | tuple) else [item]) for item in items]

    def _spend_on(self, value: Any) -> None:
        if isinstance(value, str):
            self._spend(len(value))
        elif isinstance(value, dict):
            for name, one in value.items():
                self._spend(1 + len(name))
                self._spend_on(one)
        elif isinstance(value, list | tuple):
            self._spend(len(value))
            for one in value:
                self._spend_on(one)

    def _spend(self, much: int) -> None:
        self._left -= much
        if self._left < 0:
            raise ValueError("more than is filled in for one delta")


_EACH: Final = f"{MARK}each"
_FILLS: Final[Mapping[str, Callable[[TemplateFilling, Any, Sequence[Any]], Any]]] = {
    MARK: TemplateFilling._argument,
    f"{MARK}in": TemplateFilling._within,
    f"{MARK}name": TemplateFilling._name,
    f"{MARK}pick": TemplateFilling._pick,
}


def _is_each(template: Any) -> bool:
    return isinstance(template, dict) and _EACH in template
