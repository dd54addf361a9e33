"""Units that are offered an assault: those with an enemy near enough; and the reasons against the others."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.rules import contact
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state.state import Battle
from protocol.ids import GroupId
from protocol.scene.fields import Pieces
from tests.support.systems.battle import battle, block, row, squad

GROUP_0_1 = GroupId("0.1")

BESIDE = row(3, 3000, 3000)


def asked(state: Battle) -> tuple[set[str], dict[str, str]]:
    """The units that may assault, and the codes of what speaks against the others."""
    choice = next((c for c in VERBS.choices(state, Seat(0)) if c.id == "assault"), None)
    if choice is None:
        return set(), {}
    units = choice.fields[0]
    assert isinstance(units, Pieces)
    return {option.id for option in units.options}, {bar.id: bar.code for bar in units.barred}


def test_those_near_an_enemy_are_offered_and_the_others_are_told_why() -> None:
    far, terrified = squad((8000, 6000)), squad((3000, 3300), effects=("terror",))
    hidden = squad((2800, 4100))
    wood = block("1", "forest", 2600, 3900, 3200, 4500)
    state = battle([squad(*BESIDE), far, terrified, hidden], [squad(*row(3, 3000, 4900))], wood)
    offered, barred = asked(state)
    assert offered == set()
    state = battle([squad(*BESIDE), far, terrified, hidden], [squad(*row(3, 3000, 3700))], wood)
    offered, barred = asked(state)
    assert offered == {"group/0.1"}
    assert barred == {
        "group/0.2": "assault/nobody-near",
        "group/0.3": "assault/terror",
        "group/0.4": "assault/from-cover",
    }


def test_nobody_near_is_no_choice_at_all() -> None:
    state = battle([squad(*BESIDE)], [squad(*row(3, 3000, 6500))])
    assert "assault" not in {choice.id for choice in VERBS.choices(state, Seat(0))}


def test_the_edge_of_a_wood_counts_for_those_in_it() -> None:
    wood = block("1", "forest", 3000, 4000, 9000, 7000)
    state = battle([squad(*BESIDE)], [squad(*row(3, 8400, 6600))], wood)
    assert asked(state)[0] == {"group/0.1"}
    contact.check_charge(state, state.units[GROUP_0_1], state.units[GroupId("1.1")])


def test_whoever_can_charge_is_offered() -> None:
    for gap in range(800, 1700, 7):
        state = battle([squad(*BESIDE)], [squad(*row(3, 3000, 3000 + gap))])
        try:
            contact.check_charge(state, state.units[GROUP_0_1], state.units[GroupId("1.1")])
        except IllegalIntent:
            continue
        contact.check_prey(state, state.units[GROUP_0_1])
