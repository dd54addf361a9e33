"""Strict tables, as dice.md tells of them, for the second checker: the order of the steps that are put off."""

from __future__ import annotations

from typing import Any, Final

import msgpack  # type: ignore[import-untyped,unused-ignore]

Json = dict[str, Any]
PUT_OFF: Final = ("intent", "answer", "expiry", "conceded")


class PutOff:
    """The step that was put off and is not carried out yet, if there is one."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.cause, self.answers, self.opened = b"", b"", False

    def problem(self, cause: Json, entries: list[Json], names: list[str]) -> str:
        """Take the next step; return what is wrong with it, or an empty string."""
        kind, waits, packed = cause["c"], bool(self.cause), bytes(msgpack.packb(cause))
        if kind in ("deferred", "opened") and not self.strict:
            return "belongs to a strict table"
        if kind == "deferred":
            return "puts a step off while another one waits" if waits else self._put_off(cause, entries, names)
        if kind == "opened":
            if not waits or self.opened or names != ["core.opened"]:
                return "opens parts of nothing, or of something twice"
            self.opened = True
            return ""
        if {"core.deferred", "core.opened"} & {*names}:
            return "has an entry that belongs to a step which is put off"
        if waits:
            is_same = packed == self.cause and (not self.answers or bytes(msgpack.packb(entries[:1])) == self.answers)
            if not self.opened or not (is_same or kind == "void"):
                return "stands where the outcome of a step that was put off should be"
        elif self.strict and {"core.dice", "core.order"} & {*names} and names[0] not in ("core.round", "core.started"):
            return "rolls without having been put off"
        self.cause, self.answers, self.opened = b"", b"", False
        return ""

    def _put_off(self, cause: Json, entries: list[Json], names: list[str]) -> str:
        inner = cause.get("cause")
        if not isinstance(inner, dict) or inner.get("c") not in PUT_OFF:
            return "puts off a cause that cannot be put off"
        if names not in (["core.deferred", "core.call"], ["core.deferred", "core.answers", "core.call"]):
            return "has other entries than a step that is put off"
        seat = inner.get("seat", -1) if len(entries) == 2 else -1
        if entries[0].get("seat", -1) != seat:
            return "says that the act is another seat's"
        self.cause = bytes(msgpack.packb(inner))
        self.answers = bytes(msgpack.packb(entries[1:2])) if len(entries) == 3 else b""
        return ""
