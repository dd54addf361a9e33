"""The rule code that the steps of a log name, read from their bytes: the rules may not be able to read all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from engine.core.match.causes import AnyCause, Start, TableEvent
from engine.core.match.rule_code import CHANGED, SAME, RuleCode, named_by
from engine.core.rules.errors import LogDamaged

_CAUSE: Final = msgspec.msgpack.Decoder(AnyCause)
_PARTS: Final = msgspec.msgpack.Decoder(list[msgspec.Raw])
_KINDS: Final = (SAME.encode(), CHANGED.encode())


class Named(NamedTuple):
    """A step that names rule code. `changed`: the steps before it come out otherwise under this code."""

    version: int
    code: RuleCode
    changed: bool


def named_in(steps: Iterable[bytes], after: int = 0) -> Iterator[Named]:
    """Yield the steps that name rule code, in order, the start among them, also where it names none. `after`: the
    version before the first of `steps`. Raises LogDamaged."""
    for version, data in enumerate(steps, start=after + 1):
        if version > 1 and not any(kind in data for kind in _KINDS):
            continue
        try:
            cause = _CAUSE.decode(_PARTS.decode(data)[1])
        except (msgspec.MsgspecError, UnicodeDecodeError, IndexError) as problem:
            raise LogDamaged(f"step {version} has no cause: {problem}") from problem
        if isinstance(cause, Start):
            yield Named(version, RuleCode(cause.version, cause.code), changed=False)
        elif (code := named_by(cause)) is not None and isinstance(cause, TableEvent):
            yield Named(version, code, changed=cause.kind == CHANGED)


def changes_in(steps: Iterable[bytes]) -> list[Named]:
    """Return the steps from which on a match was played on under changed rules. Raises LogDamaged."""
    return [named for named in named_in(steps) if named.changed]
