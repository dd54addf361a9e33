"""Content: what a match is played with, as the TOML files of `data` and of players' own folders write it.

Lengths and places are inches in TOML, and hundredths of an inch here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from pydantic import Field

from engine.core.content import content_files
from engine.core.content.content_files import ContentFault, Unread, defined_twice, used_twice
from engine.core.content.content_schema import Entry, Id, Inches, Key, Place
from engine.core.rules.errors import SetupRefused
from engine.core.rules.memo import MatchContent
from engine.core.rules.system import FactionInfo, ScenarioInfo, Setup
from engine.kit.scenario.references import defined, is_blind, own_ids, unknown
from engine.kit.terrain.checks import on_table
from engine.kit.terrain.place_schema import BoxCorners
from engine.kit.values import KEYED, Keyed, Written
from engine.space.vectors.outlines import Outline
from protocol.text import Text, text

Point = tuple[int, int]
RADIUS: Final = 50
"""Of every figure's base."""
SEATS: Final = 2
SIDES: Final = ("red", "blue")


class Profile(Written, frozen=True):
    """A kind of group: each of its figures shoots with `dice` dice, which hit on `hits` or more."""

    id: Annotated[str, KEYED]
    name: Key
    speed: Inches
    range: Inches
    dice: Annotated[int, Field(ge=1, le=6)]
    hits: Annotated[int, Field(ge=2, le=6)]


class Terrain(Written, frozen=True):
    """A kind of terrain. `blocks`: sight to what lies behind it is stopped."""

    id: Annotated[str, KEYED]
    name: Key
    cover: bool = False
    blocks: bool = False
    impassable: bool = False
    line: bool = False


class Feature(Written, frozen=True):
    """A piece of terrain, written as a box."""

    id: Id
    kind: Id
    outline: Annotated[BoxCorners, Field(alias="box")]


class Starter(Written, frozen=True):
    """A group as it starts: its lead stands at `at`."""

    seat: Literal[0, 1]
    profile: Id
    figures: Annotated[int, Field(ge=1, le=12)]
    at: Place


class Scenario(Written, frozen=True):
    """A table, and who starts where on it."""

    id: Annotated[str, KEYED]
    name: Key
    about: Key
    size: Place
    rounds: Annotated[int, Field(ge=1, le=20)]
    minutes: Annotated[int, Field(ge=1, le=600)]
    groups: Annotated[tuple[Starter, ...], Field(alias="group", min_length=2)]
    features: Annotated[tuple[Feature, ...], Field(alias="feature")] = ()


class Resolved(MatchContent, frozen=True):
    """The content of one match."""

    scenario: Scenario
    profiles: dict[str, Profile]
    terrain: dict[str, Terrain]


class Document(Entry):
    """One file: any of these tables."""

    profile: Keyed[Profile] = Field(default_factory=dict)
    terrain: Keyed[Terrain] = Field(default_factory=dict)
    scenario: Keyed[Scenario] = Field(default_factory=dict)


class Content(NamedTuple):
    """All content that is installed, by id."""

    profiles: Mapping[str, Profile]
    terrain: Mapping[str, Terrain]
    scenarios: Mapping[str, Scenario]


def read(texts: Mapping[str, str]) -> Content:
    """Parse and check {file name: TOML}. Raises ContentRefused naming file, line, key and reason of every fault."""
    _, found = content_files.read(texts, Document, _faults)
    documents = found.values()
    return Content(
        {id: one for document in documents for id, one in document.profile.items()},
        {id: one for document in documents for id, one in document.terrain.items()},
        {id: one for document in documents for id, one in document.scenario.items()},
    )


def _faults(documents: Mapping[str, Document], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield what the schema cannot see: names of things that are not there, ids that stand twice."""
    blind = is_blind(unread)
    profiles = defined("profile", documents.values(), unread).keys()
    kinds = defined("terrain", documents.values(), unread).keys()
    for file, document in documents.items():
        for id, scenario in document.scenario.items():
            here = ("scenario", id)
            named = [group.profile for group in scenario.groups]
            laid = [feature.kind for feature in scenario.features]
            yield from ((file, fault) for fault in unknown((*here, "group"), "profile", named, profiles, blind=blind))
            yield from ((file, fault) for fault in unknown((*here, "feature"), "terrain", laid, kinds, blind=blind))
            ids = [feature.id for feature in scenario.features]
            yield from ((file, fault) for fault in used_twice((*here, "feature"), ids))
            there: list[tuple[str, int, Outline]] = []
            there += [("group", number, (group.at,)) for number, group in enumerate(scenario.groups)]
            there += [("feature", number, feature.outline) for number, feature in enumerate(scenario.features)]
            for table, number, places in there:
                if not on_table(places, scenario.size):
                    yield file, ContentFault((*here, table, number), "reaches beyond the table")
    yield from defined_twice({file: own_ids(one, "profile", "terrain", "scenario") for file, one in documents.items()})


def scenarios(content: Content) -> list[ScenarioInfo]:
    """Return the scenarios that can be played, with a side for each seat."""
    sides = tuple([FactionInfo(side, Text(f"skeleton.{side}")) for side in SIDES])
    return [
        ScenarioInfo(one.id, Text(one.name), Text(one.about), SEATS, sides, one.minutes, usual=SIDES)
        for one in content.scenarios.values()
    ]


def setup(content: Content, setup: Setup) -> bytes:
    """Encode what one match is played with, by value. Raises SetupRefused."""
    scenario = content.scenarios.get(setup.scenario)
    if scenario is None:
        raise SetupRefused(text("skeleton.setup.no-scenario", scenario=setup.scenario))
    return msgspec.msgpack.encode(Resolved(scenario, dict(content.profiles), dict(content.terrain)))
