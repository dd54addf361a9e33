"""Picture of a table before its set-up: terrain, zones and seats of what a system presents, and nothing else."""

from __future__ import annotations

from engine.core.rules.system import Setup, TablePreview
from engine.core.view.previews import seen_before
from protocol.scene.nodes import Counter
from tests.support.systems.haggle import HAGGLE, Haggle, Market

TWO = Setup("market", ("", ""))


def test_what_hangs_on_choices_of_the_seats_is_not_told() -> None:
    state = HAGGLE.start(b"", 2)
    assert any(isinstance(part.make(), Counter) for part in HAGGLE.public(state))
    seen = seen_before(HAGGLE, None, TWO)
    assert set(seen.nodes) == {"table", "seat/0", "seat/1"}
    assert seen.left_out == 0


class Unlaid(Haggle):
    """A market with three stalls that the dice are yet to lay."""

    def preview(self, state: Market) -> TablePreview:
        return TablePreview(self.public(state), 3)


def test_terrain_that_the_dice_lay_is_counted() -> None:
    assert seen_before(Unlaid(), None, TWO).left_out == 3
