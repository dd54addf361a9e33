"""Values that could not be read, standing where they would have stood, so that everything else is checked all the same.

An unsound value goes wherever a sound one goes. What looks at it (compares it, counts it, formats it, asks it for a
part) ends with UnsoundValue; a check that does so has nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from engine.core.rules.errors import UnsoundValue

T = TypeVar("T")


class Unsound:
    """A value of a file that could not be read. All but identity and type raise UnsoundValue."""

    __slots__ = ("file",)

    def __init__(self, file: str) -> None:
        self.file = file

    def _look(self, *_: object) -> NoReturn:
        raise UnsoundValue(object.__getattribute__(self, "file"))

    __getattr__ = _look
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _look
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = _look
    __int__ = __float__ = __index__ = __hash__ = __str__ = __format__ = _look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = _look
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = _look
    __and__ = __rand__ = __or__ = __ror__ = _look


def is_unsound(value: object) -> bool:
    """Tell whether a value could not be read, without looking at it."""
    return type(value) is Unsound


def part(value: object, name: str) -> Any:
    """Return an attribute of a value; of one that could not be read, the value itself."""
    return value if is_unsound(value) else getattr(value, name)


def sound(*checks: Iterable[T]) -> Iterator[T]:
    """Yield what each check finds. A check that looks at an unsound value ends there; the next ones go on."""
    for check in checks:
        try:
            yield from check
        except UnsoundValue:
            continue


def needed(known: Mapping[str, T], name: str) -> T:
    """Return what a name stands for. Raises UnsoundValue where nothing is known by it: that is a fault of its own, and
    what needs it cannot be checked."""
    if name not in known:
        raise UnsoundValue("")
    return known[name]
