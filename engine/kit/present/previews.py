"""Parts of the table before its set-up (`System.preview`) that systems share: seats, and the zones where they start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.core.rules.node_ids import seat_node, zone_node
from engine.core.rules.sides import Sides
from engine.core.rules.system import Part
from engine.kit.present import scene as kit
from engine.kit.present.scene import part
from engine.space.vectors.outlines import Outline
from protocol.scene.nodes import Zone
from protocol.text import Text, text


def seats(names: Iterable[Text], sides: Sides) -> Iterator[Part]:
    """Yield the seats under these names: nobody has chosen a faction."""
    for seat, name in enumerate(names):
        side = sides[seat] if sides else -1
        yield part(seat_node(seat), (), kit.seat, name, seat, 0, alive=True, side=side)


def numbered(count: int) -> list[Text]:
    """Return names of seats that have none of their own."""
    return [text("preview.seat", number=seat + 1) for seat in range(count)]


def start(seat: int, outline: Outline) -> Part:
    """Return the zone where a seat starts."""
    name = text("preview.start", number=seat + 1)
    return part(zone_node(f"start.{seat}"), (), Zone, "deployment", outline, owner=seat, name=name)


def open_start(number: int, outline: Outline) -> Part:
    """Return a start zone of which the set-up decides whose it is. `number` tells it from the others of the table."""
    return part(zone_node(f"open.{number}"), (), Zone, "deployment", outline, name=text("preview.start.open"))
