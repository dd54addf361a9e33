"""Details: options of a choice's lazy fields, worked out on request: reach, sight, places, and reasons of refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, cast

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import is_legal
from engine.core.rules.game import Game
from engine.core.rules.replies import choice_named, next_field
from engine.core.rules.reply_fields import Fields
from engine.core.view.prompts import sorted_out
from engine.kit.verbs import Draft
from engine.rulesets.action_cards.rules.board import combats, cover, firepower, table
from engine.rulesets.action_cards.rules.flow import VERBS
from engine.rulesets.action_cards.rules.movement import moves, reaches
from engine.rulesets.action_cards.rules.shooting import hunting, shooting
from engine.rulesets.action_cards.rules.special_actions import burrow, faction_specials, specials
from engine.rulesets.action_cards.rules.special_events import monsters
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Feature
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from engine.rulesets.action_cards.view import prompts, vehicle_details
from engine.rulesets.action_cards.view.follower_field import follower_field
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.vectors.points import Point
from protocol.ids import GroupId, NodeId
from protocol.scene.fields import AnyField, Option, PickOption, PickPoint, Pieces
from protocol.scene.nodes import Choice
from protocol.text import Text, text

BURROW_STEPS: Final = 6


def detail(game: Game[Skirmish], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
    """Return the first field of `choice` that `fields` lacks, with options and reasons. Raises IllegalIntent."""
    state = game.state
    chosen = choice_named(prompts.choices(state, seat), choice)
    field = next_field(chosen, fields)
    if not field.lazy:
        return field
    if choice in VERBS:
        return VERBS.fill(Draft(state, seat, choice, fields, bare=game.bare), field)
    own = (vehicle_details.BARE if game.bare else vehicle_details.FILLED).get((choice, field.key))
    if own is not None:
        return own(state, seat, field, Fields(fields))
    return (_BARE if game.bare else _FILLED)[field.key](state, seat, chosen, field, Fields(fields))


def _lead(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    group = state.groups[fields.group("group")]
    options = tuple(Option(names.piece_node(id), Text(table.profile(state, id).name)) for id in group.figures)
    return replace(cast("Pieces", field), lazy=False, options=options, default=(options[0].id,))


def _to(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    group_id = fields.group("group")
    if "lead" not in {known.key for known in choice.fields}:
        return _burrow_to(state, group_id, cast("PickPoint", field))
    group = moves.check_mover(state, seat, group_id, fields.figure("lead"))
    lead = fields.figure("lead")
    start, allowance = table.at(state, lead), moves.allowance_of(state, group)
    return replace(
        cast("PickPoint", field),
        lazy=False,
        regions=reaches.regions(state, group_id, lead),
        start=start,
        reach=allowance,
        radius=table.radius(state, lead),
    )


def _burrow_to(state: Skirmish, group: GroupId, field: PickPoint) -> PickPoint:
    """Fill in the farthest places that a lead can come up at, in a ring around the group; the default has room for
    all."""
    middle = table.centre(state, group)
    reach = moves.allowance_of(state, state.groups[group])
    ring = [place for d in DIRECTIONS[::2] if (place := _comes_up(state, group, middle, d, reach)) is not None]
    regions = (tuple(ring),) if len(ring) > 2 else ()
    default = next((place for place in ring if is_legal(partial(burrow.check, state, group, place))), None)
    return replace(field, lazy=False, regions=regions, start=middle, reach=reach, default=default)


def _comes_up(state: Skirmish, group: GroupId, middle: Point, direction: Point, reach: int) -> Point | None:
    for step in range(BURROW_STEPS, 0, -1):
        place = along(middle, direction, reach * step // BURROW_STEPS)
        if is_legal(partial(burrow.check_lead, state, group, place)):
            return place
    return None


def _places(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    lead_move = moves.check_lead(state, seat, fields.group("group"), fields.figure("lead"), fields.point("to"))
    return follower_field(state, lead_move, field)


def _target(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    shooters = _shooters(choice, fields)

    def check(target: GroupId) -> None:
        for shooter in dict.fromkeys(shooters):
            shooting.check_aim(state, seat, shooter, target)

    def option(node: NodeId, target: GroupId) -> Option:
        return Option(node, names.group(state, target), _odds(state, shooters, target))

    rivals = [group.id for group in state.groups.values() if group.owner != seat]
    options, barred = sorted_out(rivals, names.group_node, check, option)
    return replace(cast("Pieces", field), lazy=False, options=options, barred=barred)


def _bare_target(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the targets without reasons for others: most are hidden, and a sight check is cheaper than its reason."""
    shooters, board = _shooters(choice, fields), table.board(state)
    need_sight = [id for id in shooters if id in state.groups and combats.combat_of(state, id) is None]
    options = [
        Option(names.group_node(id), names.group(state, id), _odds(state, shooters, id))
        for id, target in state.groups.items()
        if target.owner != seat
        and all(board.sight(shooter, id).clear for shooter in need_sight)
        and all(is_legal(partial(shooting.check_aim, state, seat, shooter, id)) for shooter in shooters)
    ]
    return replace(cast("Pieces", field), lazy=False, options=tuple(options))


def _prey(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    group = fields.group("group")
    hunting.check_hunter(state, seat, group)
    dice = firepower.dice_of(state, group)

    def option(node: NodeId, monster: Danger) -> Option:
        odds = text("hint.hunt", dice=dice, number=monster.kill, wounds=monster.wounds)
        return Option(node, names.event(state, monster.event), odds)

    options, barred = sorted_out(
        monsters.standing(state),
        lambda monster: names.monster_node(monster.id),
        lambda monster: hunting.check_prey(state, group, monster.id),
        option,
    )
    return replace(cast("Pieces", field), lazy=False, options=options, barred=barred)


def _shooters(choice: Choice, fields: Fields) -> tuple[GroupId, ...]:
    """Return the group of every shot."""
    keys = [field.key for field in choice.fields if field.key in ("group", "first", "second", "third")]
    return tuple(id for key in keys for id in fields.groups(key))


def _odds(state: Skirmish, shooters: tuple[GroupId, ...], target: GroupId) -> Text:
    """Return a hint of the dice and the kill number that they go against."""
    figures = [figure for shooter in shooters for figure in state.groups[shooter].figures]
    dice = sum(firepower.dice_of(state, shooter) for shooter in shooters)
    if combats.combat_of(state, target) is not None:
        return text("hint.into_combat", dice=dice, figures=len(state.groups[target].figures))
    protection = cover.cover_against(state, set(figures), target)
    number = table.kill_of(state, target).number(protection)
    return text(
        "hint.shot",
        dice=dice,
        number=number,
        cover=Text(f"cover.{protection}"),
        figures=len(state.groups[target].figures),
    )


def _faction(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the factions that the even dice may go against; nothing to choose unless the target is in a combat."""
    target = fields.group("target")
    combat = combats.combat_of(state, target)
    picked = cast("PickOption", field)
    if combat is None:
        return replace(picked, lazy=False)
    shooters = _shooters(choice, fields)

    def check(named: int) -> None:
        for shooter in dict.fromkeys(shooters):
            shooting.check_aim(state, seat, shooter, target, named)

    factions = combats.factions_in(state, combat)
    options, barred = sorted_out(
        factions, names.seat_node, check, lambda node, named: Option(node, names.faction(state, named))
    )
    default = names.seat_node(state.groups[target].owner)
    return replace(picked, lazy=False, options=options, barred=barred, default=default)


def _helpers(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    special = specials.check_special(state, seat, fields.group("group"), names.local_id(choice.id))
    able = specials.able_to_help(state, special, fields.group("group"))
    options = tuple(Option(names.piece_node(id), Text(table.profile(state, id).name)) for id in able)
    return replace(
        cast("Pieces", field), lazy=False, options=options, most=len(options), default=tuple(o.id for o in options)
    )


def _about(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    if choice.id.startswith("special/"):
        return _aim(state, seat, choice, field, fields)
    effect = fields.word("effect")
    standing = [f for f in state.resolved.scenario.features if f.id not in state.gone]
    others = [g.id for g in state.groups.values() if g.owner != seat]
    groups = [
        Option(names.group_node(id), names.group(state, id)) for id in (others if effect == "stun" else state.groups)
    ]
    options: dict[str, list[Option]] = {
        "clear": _features(standing),
        "open": _features([f for f in standing if f.doors]),
        "stun": groups,
        "other": [*_features(standing), *groups],
    }
    picks = tuple(options.get(effect, ()))
    least = 1 if effect in ("clear", "open", "stun") else 0
    return replace(cast("Pieces", field), lazy=False, options=picks, least=least, most=1 if picks else 0)


def _aim(state: Skirmish, seat: Seat, choice: Choice, field: AnyField, fields: Fields) -> AnyField:
    """Fill in the possible targets of a special action."""
    group = fields.group("group")
    special = specials.check_special(state, seat, group, names.local_id(choice.id))
    options = tuple(
        Option(node, _about_name(state, id)) for id, node in faction_specials.options(state, special, group)
    )
    return replace(cast("Pieces", field), lazy=False, options=options)


def _about_name(state: Skirmish, id: str) -> Text:
    return names.group(state, GroupId(id)) if id in state.groups else names.feature(state, id)


def _features(features: list[Feature]) -> list[Option]:
    return [Option(names.feature_node(feature.id), Text(feature.name)) for feature in features]


_FILLED: Final[Mapping[str, Callable[[Skirmish, Seat, Choice, AnyField, Fields], AnyField]]] = {
    "lead": _lead,
    "to": _to,
    "places": _places,
    "target": _target,
    "prey": _prey,
    "faction": _faction,
    "helpers": _helpers,
    "about": _about,
}
_BARE: Final = {**_FILLED, "target": _bare_target}
