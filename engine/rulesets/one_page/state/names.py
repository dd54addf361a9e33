"""Names that people read, and node ids, the same in scene, prompts, cues and result."""

from __future__ import annotations

from typing import Final

from engine.core.rules.node_ids import group_node as group_node, group_of as group_of, piece_node as piece_node
from engine.kit.present.unit_names import UnitNames
from engine.rulesets.one_page.state.profiles import WeaponProfile
from engine.rulesets.one_page.state.state import Battle, Blow
from protocol.ids import FigureId, NodeId
from protocol.text import Text


def power_node(seat: int) -> NodeId:
    """Return the node id of a seat's power dice."""
    return NodeId(f"counter/power.{seat}")


_NAMES: Final = UnitNames[Battle](
    "op.",
    lambda force: force.army,
    lambda state, unit: (state.entry_of(unit).profile.name, unit.number),
    {"power": lambda state, id: power(id)},
)
strength, army, unit, feature, node = _NAMES.strength, _NAMES.army, _NAMES.unit, _NAMES.feature, _NAMES.node


def model(state: Battle, id: FigureId) -> Text:
    """Name a model by the unit that it came with."""
    return Text(state.entry_of(state.figures[id]).profile.name)


def weapon(state: Battle, seat: int, id: str) -> Text:
    """Name a weapon with its rules, each once, without the list of rules that army pages write behind the name; fists
    and claws have a text of their own."""
    found = state.resolved.forces[seat].weapons.get(id)
    return weapon_profile(found) if found is not None else Text("op.weapon.fists")


def weapon_profile(found: WeaponProfile) -> Text:
    """Name a weapon of a page with its rules, each once."""
    if not found.rules:
        return Text(found.name)
    rules: dict[str, str | int | Text] = {f"rule{n}": Text(f"op.rule.{rule}") for n, rule in enumerate(found.rules, 1)}
    return Text(f"op.weapon.{len(found.rules)}", {"weapon": Text(found.name.partition(" (")[0]), **rules})


def weapon_of(state: Battle, blow: Blow) -> Text:
    """Name what struck: a weapon, a power, a ram, a wreck, mines."""
    if blow.kind in ("shooting", "melee"):
        return weapon(state, state.units[blow.unit].owner, blow.weapon)
    return power(blow.weapon) if blow.kind == "power" else Text(f"op.blow.{blow.kind}")


def told(state: Battle, blow: Blow) -> dict[str, int | Text]:
    """Return the words for what a blow came to."""
    counts = {"hits": blow.hits, "stopped": blow.stopped, "blocked": blow.blocked, "wounds": blow.wounds}
    return {"weapon": weapon_of(state, blow), **counts}


def power(id: str) -> Text:
    """Name a psychic power."""
    return Text(f"op.power.{id}")
