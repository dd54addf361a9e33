"""The command `eschaton replay FILE --export OUT`: a picture or a clip without a window."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from client.errors import CannotPlay

if TYPE_CHECKING:
    from client.model.replay.clip_plan import ClipPlan
    from client.model.replay.replay_player import ReplayPlayer

EVERYBODY: Final = "everybody"


class ClipOrder(NamedTuple):
    """Options of an export as they were said. `eyes`: everybody, all, or the number of a seat from 1."""

    at: int | None = None
    to: int | None = None
    speed: float = 2.0
    width: int = 960
    eyes: str = EVERYBODY


def export(player: ReplayPlayer, order: ClipOrder, path: Path) -> str:
    """Export a picture (PNG) or a clip (GIF, MP4), as the path ends; return what was done in words. Raises CannotPlay
    with the reason in words."""
    from client.app.picture import export_clip
    from client.model.replay.clip_plan import seconds_of, why_not

    player.see_as(_audience(player, order.eyes))
    plan = _plan(player, order, path)
    why = why_not(plan, seconds_of(player, plan))
    if why:
        raise CannotPlay(why)
    try:
        frames = export_clip(player, plan, path, _tell)
    except OSError as error:
        raise CannotPlay(f"{path}: {error.strerror or 'cannot be written'}.") from error
    except RuntimeError as error:
        raise CannotPlay(str(error)) from error
    width, height = plan.size
    span = f"Steps {plan.first} to {plan.last}" if plan.kind.rate else f"Step {plan.first} of {player.last}"
    return f"{span}, {frames} frames of {width} x {height} pixels: {path}"


def _audience(player: ReplayPlayer, eyes: str) -> str:
    """Return the audience that is meant. Raises CannotPlay."""
    from client.model.replay.replay_player import ALL_SEEING, PUBLIC

    named = {EVERYBODY: PUBLIC, "all": ALL_SEEING}
    audience = named.get(eyes) or f"seat/{int(eyes) - 1 if eyes.isdecimal() and len(eyes) < 4 else -1}"
    if audience not in player.audiences:
        seats = len([one for one in player.audiences if one.startswith("seat/")])
        raise CannotPlay(f"--eyes {eyes}: say everybody, all, or the number of a seat from 1 to {seats}.")
    return audience


def _plan(player: ReplayPlayer, order: ClipOrder, path: Path) -> ClipPlan:
    """Return the plan of an order. Raises CannotPlay for one that cannot be."""
    from client.model.replay.clip_plan import KINDS, NARROWEST, ClipPlan, size_of
    from client.model.replay.replay_show import SPEEDS
    from client.model.table.tabletop import Tabletop

    kind = KINDS.get(path.suffix.lower()[1:])
    if kind is None:
        raise CannotPlay(f"--export {path}: its name must end with {', '.join(f'.{id}' for id in KINDS)}.")
    first = order.at if order.at is not None else 0 if kind.rate else player.last
    last = (order.to if order.to is not None else player.last) if kind.rate else first
    if kind.rate and not first < last <= player.last:
        raise CannotPlay(
            f"--to {last}: this replay has the steps 0 to {player.last}, and a clip ends after --at {first}."
        )
    if order.speed not in SPEEDS:
        raise CannotPlay(f"--speed {order.speed:g}: say {', '.join(f'{speed:g}' for speed in SPEEDS)}.")
    if not NARROWEST <= order.width <= kind.widest:
        raise CannotPlay(f"--width {order.width}: say {NARROWEST} to {kind.widest} pixels.")
    player.go(first)
    wide, high = Tabletop(player.nodes()).table.size
    return ClipPlan(kind, first, last, order.speed, size_of(order.width, max(wide, 1) / max(high, 1), kind))


def _tell(share: float) -> None:
    """Show the share that is done, where a person looks at the terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r{share:4.0%}", end="" if share < 1 else "\r", file=sys.stderr, flush=True)
