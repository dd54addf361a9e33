"""A system of verbs: what follows from its verbs and from the module of its content."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.core.rules.advice import Forecasts, Proposes, Stepwise
from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.memo import MatchContent
from engine.core.rules.system import Intent, Setup
from engine.kit.system import VerbSystem, at_once
from engine.kit.verbs import Label, Verb, Verbs
from protocol.scene.nodes import Reply


class Pond(NamedTuple):
    """Content: names by file."""

    names: Mapping[str, str]
    lessons: tuple[Any, ...] = ("first",)


class Depth(MatchContent, frozen=True):
    """Content of a match."""

    depth: int


class Wade(Intent, frozen=True, tag="wade"):
    pass


async def wade(game: Game[int], seat: Seat, intent: Wade) -> None:
    del game, seat, intent


class Ponds(VerbSystem[int]):
    verbs = Verbs((Verb(Label("wade", "", "Wade"), wade),), "pond.")
    files = SimpleNamespace(
        read=Pond,
        scenarios=lambda content: list(content.names),
        setup=lambda content, setup: msgspec.msgpack.encode(Depth(len(content.names))),
    )
    content_type, resolved = Pond, Depth
    opening = staticmethod(lambda depth, seats: depth.depth * 10 + seats)
    english = verbs.english


PONDS = Ponds()


def test_content_is_read_set_up_and_opened_by_its_module() -> None:
    content = PONDS.content({"a.toml": "", "b.toml": ""})
    told: list[object] = [*PONDS.scenarios(content), *PONDS.lessons(content)]
    assert told == ["a.toml", "b.toml", "first"]
    assert PONDS.start(PONDS.setup(content, Setup("a.toml", ())), 4) == 24
    for ask in (PONDS.scenarios, PONDS.lessons):
        with pytest.raises(TypeError):
            ask({"a.toml": ""})


def test_what_is_offered_and_read_are_its_verbs() -> None:
    assert PONDS.has_verb("wade")
    assert not PONDS.has_verb("swim")
    assert PONDS.parse(0, Seat(0), Reply("wade")) == Wade()
    assert PONDS.catalogue("de") == {"pond.choice.wade": "Wade"}
    system: Any = PONDS
    assert isinstance(system, Stepwise)
    assert isinstance(system, Forecasts)
    assert isinstance(system, Proposes)


async def test_a_plain_function_is_a_procedure_that_asks_nobody() -> None:
    done: list[tuple[int, str]] = []

    def note(number: int, word: str = "") -> None:
        done.append((number, word))

    await at_once(note, 3, word="x")
    assert done == [(3, "x")]
