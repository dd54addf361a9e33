"""Morale: tests, Pinned and routed units (OP-MOR)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.kit.pools import DieTest
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.one_page.rules import traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.events import ModelsRemoved, MoraleTested, Pinned
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId

MORALE: Final = "op.dice.morale"


class Strength(NamedTuple):
    """Strength of a unit at some time: its models, and the wounds that they could still take together."""

    models: int
    life: int


@implements("OP-MOR-01")
def strength(state: Battle, id: GroupId) -> Strength:
    """Return the strength of a unit now; (0, 0) once it is gone."""
    unit = state.units[id]
    models = [state.figures[figure] for figure in unit.figures]
    return Strength(len(models), sum(traits.life(state, figure) for figure in models))


@implements("OP-MOR-01")
def is_halved(before: Strength, now: Strength) -> bool:
    """Tell if half or more was lost at once: of the models, or of a single model's wounds."""
    if before.models == 1:
        return 2 * (before.life - now.life) >= before.life
    return 2 * (before.models - now.models) >= before.models


@implements("OP-MOR-03")
def is_low(state: Battle, id: GroupId) -> bool:
    """Tell if a unit is down to half of its original size or less: of its models, or of its only model's wounds."""
    unit, now = state.units[id], strength(state, id)
    came_alone = not unit.joined and len(state.entry_of(unit).arms) == 1
    return 2 * (now.life if came_alone else now.models) <= unit.size


@implements("OP-MOR-02", "OP-SR-05")
def passes(game: Game[Battle], id: GroupId, why: str) -> bool:
    """Roll a Quality test for morale and return the result; a Fearless unit rolls one die more and takes the
    highest."""
    unit = game.state.units[id]
    dice = 2 if traits.has(game.state, unit, rules.FEARLESS) else 1
    test = DieTest(traits.quality(game.state, unit))
    roll = game.roll(test.pool(dice), MORALE, Seat(unit.owner))
    passed = test.passed(max(roll.faces))
    game.emit(MoraleTested(id, why, roll.id, passed))
    return passed


@implements("OP-MOR-02", "OP-MOR-03")
def test(game: Game[Battle], id: GroupId, why: str) -> None:
    """Test morale: a unit that fails is Pinned, or routs if the test came from a melee and it is down to half."""
    if passes(game, id, why):
        return
    if why == "melee" and is_low(game.state, id):
        game.emit(ModelsRemoved(id, game.state.units[id].figures, "routed"))
    elif not game.state.units[id].pinned:
        game.emit(Pinned(id))


@implements("OP-MOR-01")
def after_losses(game: Game[Battle], id: GroupId, before: Strength, why: str = "losses") -> None:
    """Test the morale of a unit that lost half at once and is still there."""
    if game.state.units[id].figures and is_halved(before, strength(game.state, id)):
        test(game, id, why)
