"""Texts: every one that play shows has an English entry with the arguments it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.game import Game
from engine.core.view.texts import ENGLISH as CORE
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.system import CATALOGUE as ENGLISH, ActionCards
from engine.space.placement.figures import Misplaced
from protocol.ids import MatchId
from protocol.scene.fields import AnyField
from protocol.text import Text
from protocol.text_format import format_text
from tests.support.systems.shipped import resolved_scenario, shipped_content, shipped_texts

MATCH = MatchId("m")

CATALOGUE = {**CORE, **ENGLISH}
BOTS = {**system.bots, "random": RandomBot}
KINDS = "group|card|move|place|shoot|linked|special|burrow|propose|regroup|truce|drive|fly|embark|disembark|blast"
REFUSAL = re.compile(rf'"((?:{KINDS})/[a-z-]+)"')
REFUSED = re.compile(rf"refuse\.((?:{KINDS})/[a-z-]+)")


def texts_in(value: object) -> Iterator[Text]:
    """Yield all texts in a node, cue or prompt, those inside others included."""
    if isinstance(value, Text):
        yield value
        for argument in value.a.values():
            yield from texts_in(argument)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from texts_in(getattr(value, name))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)


def shown_in_play(scenario: str, seed: int, kind: str, most: int) -> dict[str, Text]:
    """Return one text of each key that anybody is shown in a game, details included."""
    shown: dict[str, Text] = {}

    def show(value: object) -> None:
        for found in texts_in(value):
            shown.setdefault(found.k, found)

    class Watched(ActionCards):
        def detail(self, game: Game[Skirmish], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
            field = super().detail(game, seat, choice, fields)
            show(field)
            return field

    watched = Watched()
    resolved, seats = resolved_scenario(scenario)
    play: SelfPlay[Skirmish] = SelfPlay(
        Match(watched, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)),
        lambda step, frames: show([frames.public, *frames.private.values()] if frames else []),
    )
    play.begin(Start(MATCH, seats, resolved))
    bots = {Seat(seat): BOTS[kind](seed + seat) for seat in range(seats)}
    for _ in range(most):
        if not play.decide(bots):
            break
        for view in play.projector.private.values():
            show(view.typed)
    show(play.projector.public.typed)
    return shown


@pytest.mark.parametrize(
    ("scenario", "seed", "kind"),
    [("harrow_cross", 5, "level1"), ("harrow_cross", 6, "random"), ("low_water", 7, "random")],
)
def test_everything_shown_in_play_has_an_entry(scenario: str, seed: int, kind: str) -> None:
    shown = shown_in_play(scenario, seed, kind, 90)
    assert len(shown) > 80
    assert sorted(key for key in shown if key not in CATALOGUE) == []
    unfilled = {key: words for key, text in shown.items() if "{" in (words := format_text(text, CATALOGUE))}
    assert unfilled == {}


def test_every_refusal_of_the_rules_has_a_sentence() -> None:
    package = Path(str(files("engine.rulesets.action_cards")))
    sources = [f.read_text("utf-8") for f in package.rglob("*.py")]
    codes = {code for source in sources for code in REFUSAL.findall(source)}
    codes |= {f"place/{reason.value}" for reason in Misplaced}
    assert len(codes) > 60
    told = {found[1] for key in ENGLISH if (found := REFUSED.fullmatch(key))}
    assert told == codes


def test_every_text_key_in_the_code_has_an_entry() -> None:
    package = Path(str(files("engine.rulesets.action_cards")))
    sources = [f.read_text("utf-8") for f in package.rglob("*.py")]
    keys = {key for source in sources for key in re.findall(r'\b[tT]ext\(\s*"([a-z][a-z0-9_.-]*)"', source)}
    assert len(keys) > 80
    assert sorted(key for key in keys if key not in CATALOGUE) == []


def test_all_content_is_named() -> None:
    for scenario in system.scenarios(system.content(shipped_texts())):
        for text in texts_in([scenario.name, scenario.about, [[f.name, *f.lines] for f in scenario.factions]]):
            assert text.k in CATALOGUE
    toml = "\n".join(shipped_texts().values())
    names = re.findall(r'^(?:name|about|text) = "([^"]+)"', toml, re.MULTILINE)
    assert sorted({key for key in names if key not in CATALOGUE}) == []


def test_the_table_can_say_what_it_waits_for() -> None:
    kinds = ("casualties", "target", "vote", "regroup", "occupy", "event")
    assert [kind for kind in kinds if f"waits.{kind}" not in CATALOGUE] == []


def test_no_entry_is_empty_and_no_blank_is_broken() -> None:
    for key, entry in ENGLISH.items():
        assert entry, key
        assert entry.strip() == entry, key
        assert entry.count("{") == entry.count("}"), key


def test_help_with_an_event_card_holds_whether_it_lies_open_or_face_down() -> None:
    """Scenarios of both kinds are shipped."""
    assert {entry.face_down for entry in shipped_content().scenarios.values() if entry.events} == {True, False}
    assert "shows on the card, or when it is turned up" in ENGLISH["help.card.event"]
