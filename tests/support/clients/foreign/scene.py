"""The part of the foreign client that keeps the scene: hashes, patches, cues and texts, from docs/protocol.md alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import msgpack

MOST_FILLED: Final = 65_536
BLANK: Final = re.compile(r"\{(\w{1,32})((?:\|(?:[^{}|]|\{\w{1,32}\})*){2,4})?\}")

Message = dict[str, Any]
Nodes = dict[str, Any]


def canonical(value: Any) -> bytes:
    """The canonical bytes of a value (page, "Canonical bytes")."""
    data: bytes = msgpack.packb(_ordered(value))
    return data


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value, key=str.encode)}
    return [_ordered(one) for one in value] if isinstance(value, list | tuple) else value


def node_hash(id: str, node: Any) -> int:
    """The hash of one node (page, "Hashes")."""
    return int.from_bytes(blake2b(canonical([id, node]), digest_size=8).digest(), "big")


def part_hash(nodes: Nodes) -> int:
    """The hash of a part."""
    return sum(node_hash(id, node) for id, node in nodes.items()) % 2**64


def merged(before: Any, patch: Message) -> Message:
    """What a merge patch makes of a map (page, "Merge patches")."""
    after = dict(before) if isinstance(before, dict) else {}
    for key, value in patch.items():
        if value is None:
            after.pop(key, None)
        else:
            after[key] = merged(after.get(key), value) if isinstance(value, dict) else value
    return after


class Filler:
    """Fills the cue templates of one delta (page, "Cue templates")."""

    def __init__(self, parts: tuple[Nodes, ...]) -> None:
        self._parts = parts
        self._made = 0

    def fill(self, template: Any, arguments: list[Any]) -> Any:
        """A template with its arguments in the place of its blanks."""
        self._made += 1
        if self._made > MOST_FILLED:
            raise ValueError("too much is filled in for one delta")
        if isinstance(template, list):
            return [made for one in template for made in self._items(one, arguments)]
        if not isinstance(template, dict):
            return template
        if "$" in template:
            return _at(arguments, template["$"])
        if "$in" in template:
            return "".join(str(self.fill(one, arguments)) for one in template["$in"])
        if "$name" in template:
            id = self.fill(template["$name"][0], arguments)
            node: Nodes = next((part[id] for part in self._parts if id in part), {})
            return node.get("name", {"k": id})
        if "$pick" in template:
            place, *values = template["$pick"]
            return self.fill(_at(values, self.fill(place, arguments)), arguments)
        return {key: self.fill(value, arguments) for key, value in template.items()}

    def _items(self, template: Any, arguments: list[Any]) -> Iterator[Any]:
        if not (isinstance(template, dict) and "$each" in template):
            yield self.fill(template, arguments)
            return
        items, make = template["$each"]
        for item in self.fill(items, arguments):
            yield self.fill(make, item if isinstance(item, list) else [item])


def _at(values: list[Any], place: int) -> Any:
    if not 0 <= place < len(values):
        raise IndexError(place)
    return values[place]


def words(text: Message, entries: Mapping[str, str]) -> str:
    """A text in words (page, "Texts")."""
    entry = entries.get(text["k"])
    if entry is None:
        return str(text["k"])
    made = {name: words(a, entries) if isinstance(a, dict) else str(a) for name, a in text.get("a", {}).items()}

    def simple(blank: re.Match[str]) -> str:
        return made.get(blank[1], blank[0])

    def fill(blank: re.Match[str]) -> str:
        if blank[2] is None:
            return simple(blank)
        forms = blank[2][1:].split("|")
        named = dict(form.split("=", 1) for form in forms if re.match("(one|few|many|other)=", form))
        if len(named) == len(forms):
            form = named.get("one", named["other"]) if made.get(blank[1]) == "1" else named["other"]
        else:
            form = forms[made.get(blank[1]) != "1"]
        return re.sub(r"\{(\w{1,32})\}", simple, form)

    filled = BLANK.sub(fill, entry)
    return filled[:-1] if filled.endswith("..") and entry.endswith("}.") else filled


class Part:
    """One part of the scene: its nodes after its delta number `n`."""

    def __init__(self) -> None:
        self.n = -1
        self.nodes: Nodes = {}


class Scene:
    """Both parts, and the private frames that wait for their public number. `cues`: all that were shown."""

    def __init__(self, forms: dict[int, Any]) -> None:
        self.stream = ""
        self.parts = {"public": Part(), "private": Part()}
        self.cues: list[Message] = []
        self.checked = 0
        """Frames whose hash was right."""
        self.most_held = 0
        self._forms = forms
        self._held: list[Message] = []
        self._lost: set[str] = set()
        """The parts that only a snapshot helps."""

    @property
    def nodes(self) -> Nodes:
        """All that is shown: a private node hides the public one of the same id."""
        return {**self.parts["public"].nodes, **self.parts["private"].nodes}

    @property
    def numbers(self) -> tuple[int, int]:
        """The last public and private numbers shown."""
        return self.parts["public"].n, self.parts["private"].n

    def take(self, frame: Message) -> str:
        """Show a frame, or keep it until its public number is there; returns why the part must be asked for anew."""
        if frame.get("part", "public") == "private" and frame.get("after", 0) > self.parts["public"].n:
            if frame["t"] == "snapshot":
                self._held.clear()
            self._held.append(frame)
            self.most_held = max(self.most_held, len(self._held))
            return ""
        why = self._shown(frame)
        while not why and self._held and self._held[0].get("after", 0) <= self.parts["public"].n:
            why = self._shown(self._held.pop(0))
        return why

    def _shown(self, frame: Message) -> str:
        part = frame.get("part", "public")
        if part in self._lost and frame["t"] == "delta":
            return ""
        why = self._show(frame)
        if why:
            self._lost.add(part)
        else:
            self._lost.discard(part)
        return why

    def _show(self, frame: Message) -> str:
        part, patch = self.parts[frame.get("part", "public")], frame.get("patch", {})
        if frame["t"] == "snapshot":
            if frame["stream"] != self.stream:
                if frame["part"] == "private":
                    return "stream"
                self.stream, self._held = frame["stream"], []
                self.parts = {"public": Part(), "private": Part()}
                part = self.parts["public"]
            nodes = frame["nodes"]
        elif frame["n"] != part.n + 1:
            return "number"
        else:
            nodes = merged(part.nodes, patch)
        if part_hash(nodes) != frame["hash"]:
            return "hash"
        filler = Filler((part.nodes, nodes, self.parts["public"].nodes))
        for cue in frame.get("cues", ()):
            made = [cue] if isinstance(cue, dict) else filler.fill(self._forms[cue[0]], cue[1:])
            self.cues += made
        part.n, part.nodes = frame["n"], nodes
        self.checked += 1
        return ""
