"""Fire of the acting unit: its targets, and the ways in which it may shoot at them (OP-SHOOT, OP-SR-15)."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.core.rules.steps import Steps, finished
from engine.kit import units
from engine.kit.blanks import Hint, assign, hint, option
from engine.kit.board.board import BOARD, kept_steps
from engine.kit.rules import Counted, Forecast, Gesture, IllegalIntent, Label, Verb
from engine.rulesets.one_page.rules import shooting
from engine.rulesets.one_page.rules.picking import Choosing, pick
from engine.rulesets.one_page.rules.shooting import Shoot
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import Battle, Unit
from protocol.ids import NO_GROUP, GroupId
from protocol.scene.fields import Assign, Option, PickOption
from protocol.text import text


@kept_steps(BOARD, "active")
def find_targets(state: Battle, unit: Unit) -> Steps[dict[GroupId, shooting.Aim]]:
    """Work out, at each step one enemy, the targets that the acting unit may shoot at; none where it may not shoot."""
    found: dict[GroupId, shooting.Aim] = {}
    if is_legal(partial(shooting.check_shooter, state, unit.owner, unit)):
        for enemy in state.enemies(unit.owner):
            with suppress(IllegalIntent):
                found[enemy.id] = shooting.check_target(state, unit.owner, unit, enemy.id)
            yield
    return found


def targets(state: Battle, unit: Unit) -> dict[GroupId, shooting.Aim]:
    """Return the targets that the acting unit may shoot at."""
    return finished(find_targets(state, unit))


def _shooter(draft: Choosing) -> Unit | None:
    """Return the acting unit, if it has anything to shoot at."""
    active = draft.state.active
    unit = draft.state.units[active.unit] if active is not None and active.action else None
    return unit if unit is not None and targets(draft.state, unit) else None


def _enemies(draft: Choosing) -> list[Unit]:
    unit = _shooter(draft)
    return draft.state.enemies(unit.owner) if unit is not None else []


def _check_aim(draft: Choosing, target: Unit) -> shooting.Aim:
    return shooting.check_target(draft.state, draft.seat, draft.state.units[draft.state.acts], target.id)


def _odds(draft: Choosing, target: Unit) -> Hint:
    """Describe a shot: its number of attacks, its distance, and the target's cover."""
    state, unit = draft.state, _shooter(draft)
    assert unit is not None
    aim = targets(state, unit)[target.id]
    fired = shooting.shots(state, unit, {target.id: aim}, Shoot(unit.id, target.id))
    attacks = sum(shot.weapon.attacks for _, shots in fired for shot in shots)
    cover = text("op.cover.yes" if aim.covered or not aim.seen else "op.cover.no")
    return hint("op.hint.shot", {"attacks": attacks, "inches": -(-aim.distance // 100)}, cover=cover)


def _several(draft: Choosing, *, every: bool) -> tuple[Option, ...]:
    """Return the kinds of weapons of the acting unit, if it has more than one and fires `every` one, or one a model."""
    state, unit = draft.state, _shooter(draft)
    if unit is None or shooting.fires_all(state, unit) != every:
        return ()
    ids = [weapon.id for weapon in shooting.split_weapons(state, unit)]
    return tuple([Option(id, names.weapon(state, unit.owner, id)) for id in ids]) if len(ids) > 1 else ()


def _weapon(draft: Choosing, field: PickOption) -> PickOption | None:
    """Return a field of the weapon that models with several fire, for a unit that does not fire them all."""
    options, state = _several(draft, every=False), draft.state
    if not options:
        return None
    weapons = shooting.split_weapons(state, state.units[state.acts])
    return replace(field, options=options, default=max(weapons, key=lambda weapon: weapon.weight).id)


def _split(draft: Choosing, field: Assign) -> Assign | None:
    """Return a field of a target for each kind of weapon, for a unit that fires them all."""
    items, state = _several(draft, every=True), draft.state
    aims = targets(state, state.units[state.acts]) if items else {}
    if len(aims) < 2:
        return None
    slots = tuple([Option(names.group_node(t), names.unit(state, t), *_odds(draft, state.units[t])) for t in aims])
    return replace(field, items=items, slots=slots, default={item.id: slots[0].id for item in items})


def _shot(draft: Choosing) -> Shoot:
    return Shoot(draft.state.acts, draft.group("target"), draft.word("weapon", ""))


def _forecast(draft: Choosing) -> Forecast | None:
    """Return the models that a target loses, up to its owner's next answer."""
    state, shot = draft.state, _shot(draft)
    unit, target = state.units[shot.unit], state.units[shot.target]
    aims = {target.id: shooting.check_target(state, draft.seat, unit, target.id)}
    return shooting.forecast_of(state, shot, aims, shooting.shots(state, unit, aims, shot))


def _volley(draft: Choosing) -> Shoot:
    split = draft.slots("split")
    return Shoot(draft.state.acts, next(iter(split.values()), NO_GROUP), "", split)


def _all_aims(draft: Choosing) -> Counted:
    """Return the losses of all targets of a split fire, together."""
    targets = dict.fromkeys(draft.slots("split").values())
    return Counted(tuple([names.group_node(target) for target in targets]), names.group_node(draft.state.acts))


SHOOT: Final = Verb(
    Label("shoot", "s", "Shoot", "At one enemy unit. Each model fires one weapon."),
    shooting.shoot,
    pick("target", _enemies, _check_aim, _odds),
    option("weapon", _weapon, lazy=False, auto=True),
    make=_shot,
    forecast=_forecast,
    counted=lambda draft: Counted((names.group_node(draft.group("target")),), names.group_node(draft.state.acts)),
    gesture=Gesture("", "target", "group", mark="shot", ends=True),
    about=units.about,
)
VOLLEY: Final = Verb(
    Label("volley", "v", "Split fire", "Aim each kind of weapon at a target of its own."),
    shooting.shoot,
    assign("split", _split),
    make=_volley,
    counted=_all_aims,
    gesture=Gesture(rank=5, mark="shot", ends=True),
    about=units.about,
)
