"""Scene, prompts, texts of One Page Apocalypse: what people read exists, and what is offered can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import all_parts
from engine.core.view.projection import SceneChanges
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.events import ModelsRemoved
from engine.rulesets.one_page.state.state import Battle
from engine.rulesets.one_page.system import system
from protocol.ids import FigureId, GroupId, MatchId
from protocol.scene.nodes import Cue
from protocol.text_format import format_text
from tests.support.systems import op_shipped
from tests.support.systems.battle import battle, squad

MATCH = MatchId("m")

CORE = re.compile(r"^(core|waits\.turn|undo|refuse\.(reply|turn|undo)|aside|prompt\.watch)")
WORDS = re.compile(r"[ A-Z]")


def texts_in(value: Any) -> Iterator[str]:
    """Every key of a text in a builtin."""
    if isinstance(value, dict):
        if isinstance(value.get("k"), str) and set(value) <= {"k", "a"}:
            yield value["k"]
        for one in value.values():
            yield from texts_in(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from texts_in(one)


@pytest.mark.slow
def test_every_text_of_a_whole_battle_is_in_the_catalogue() -> None:
    seen: set[str] = set()

    def told(step: Step[Battle], frames: SceneChanges | None) -> None:
        for trace in step.trail:
            seen.update(texts_in(msgspec.to_builtins(list(system.cues(trace.event, trace.before, trace.after)))))

    match = Match(system, MATCH, MatchDice(bytes(31) + b"\7", MATCH))
    play = SelfPlay(match, told)
    play.begin(Start(MATCH, 2, op_shipped.resolved("crossroads_3000", 6)))
    bots = {Seat(seat): system.bots["level2"](seat) for seat in range(2)}
    decisions = 0
    while play.decide(bots):
        decisions += 1
        if decisions % 20 == 0:
            for part in all_parts(system.public(match.state)):
                seen.update(texts_in(msgspec.to_builtins(part.make())))
            for seat in match.may_act():
                seen.update(texts_in(msgspec.to_builtins(play.projector.prompt(seat))))
    catalogue = system.catalogue("en")
    keys = {key for key in seen if not CORE.match(key) and not WORDS.search(key)}
    assert not {key for key in keys if key not in catalogue and "." in key}
    assert len(keys) > 60


def test_every_refusal_has_words() -> None:
    sources = re.compile(r'IllegalIntent\(\s*"([a-z-]+/[a-z-]+)"')
    from importlib.resources import files

    folder = files("engine.rulesets.one_page")
    used = {code for f in folder.iterdir() if f.name.endswith(".py") for code in sources.findall(f.read_text("utf-8"))}
    known = system.catalogue("en")
    assert not {code for code in used if f"refuse.{code}" not in known and not code.startswith("reply/")}


def test_a_weapon_tells_its_rules_once() -> None:
    state, words = system.start(op_shipped.resolved("open_field_3000", 2), 2), system.catalogue("en")
    told = {format_text(names.weapon(state, 0, id), words) for id in state.resolved.forces[0].weapons}
    assert "Rifle (Rending, Scoper)" in told
    assert all(name.count("(") < 2 for name in told)


def test_two_of_the_same_army_are_told_apart_everywhere() -> None:
    words = system.catalogue("en")
    mirrored, mixed = (system.start(made, 2) for made in (op_shipped.mirrored(1), op_shipped.resolved(turn=1)))
    for state, marks in ((mirrored, (" 1", " 2")), (mixed, ("", ""))):
        armies = [format_text(names.army(state, seat), words) for seat in range(2)]
        assert armies == [f"{force.name}{mark}" for force, mark in zip(state.resolved.forces, marks, strict=True)]
        units = [format_text(names.unit(state, id), words) for id in state.units]
        assert len(set(armies)) == 2
        assert len(set(units)) == len(units)
    assert format_text(names.unit(mirrored, GroupId("1.1")), words).endswith(" 2-1")


@pytest.mark.parametrize(("why", "rule"), [("killed", "OP-SHOOT-04"), ("routed", "OP-MOR-03"), ("lost", "OP-SR-22")])
def test_the_log_names_the_rule_by_which_models_left(why: str, rule: str) -> None:
    before = battle([squad((3000, 1000), (3120, 1000))], [squad((9000, 6000))])
    event = ModelsRemoved(GroupId("0.1"), (FigureId("0.1.2"),), why)
    [line] = system.cues(event, before, event.apply(before))
    assert isinstance(line, Cue)
    assert line.rule == rule
