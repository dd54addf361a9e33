"""Parsing of filled-in choices into intents, and refusals of their form."""

from __future__ import annotations

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.linked_fire import LinkedFire
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.rules.verbs import VERBS
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems import skirmish
from tests.support.systems.skirmish import line_up

GROUP_0_1 = GroupId("0.1")
GROUP_1_1 = GroupId("1.1")
FIGURE_0_01 = FigureId("0-01")

MOVE: dict[str, object] = {"group": ["group/0.1"], "lead": ["piece/0-01"], "to": [100, 200]}
SHOT: dict[str, object] = {"group": ["group/0.1"], "target": ["group/1.1"]}
IDEA: dict[str, object] = {
    "group": ["group/0.1"],
    "effect": "clear",
    "words": "Push",
    "roll": "yes",
    "about": ["feature/wall"],
}


def parse(reply: Reply) -> Intent:
    return VERBS.parse(skirmish.table({"0.1": line_up(2, 1000, 1000)}), Seat(0), reply)


@pytest.mark.parametrize(
    ("reply", "intent"),
    [
        (Reply("end"), EndCard()),
        (Reply("move", MOVE), Move(GROUP_0_1, FIGURE_0_01, (100, 200))),
        (
            Reply("move", {**MOVE, "places": {"piece/0-02": [1, 2]}}),
            Move(GROUP_0_1, FIGURE_0_01, (100, 200), {FigureId("0-02"): (1, 2)}),
        ),
        (Reply("shoot", SHOT), Shoot(GROUP_0_1, GROUP_1_1)),
        (Reply("shoot", {**SHOT, "faction": "seat/2"}), Shoot(GROUP_0_1, GROUP_1_1, 2)),
        (Reply("shoot", {**SHOT, "faction": ""}), Shoot(GROUP_0_1, GROUP_1_1)),
        (
            Reply("linked", {"first": ["group/0.1"], "second": ["group/0.1"], "target": ["group/1.1"]}),
            LinkedFire((GROUP_0_1, GROUP_0_1), GROUP_1_1),
        ),
        (
            Reply(
                "linked",
                {"first": ["group/0.1"], "second": ["group/0.2"], "third": ["group/0.1"], "target": ["group/1.1"]},
            ),
            LinkedFire((GROUP_0_1, GroupId("0.2"), GROUP_0_1), GROUP_1_1),
        ),
        (Reply("special/burrow", {"group": ["group/0.1"], "to": [3, 4]}), UseSpecial(GROUP_0_1, "burrow", (), (3, 4))),
        (
            Reply("special/search", {"group": ["group/0.1"], "helpers": ["piece/0-01"]}),
            UseSpecial(GROUP_0_1, "search", (FIGURE_0_01,)),
        ),
        (Reply("propose", IDEA), Propose(GROUP_0_1, "clear", "Push", True, "wall")),
        (Reply("propose", {**IDEA, "roll": "no", "about": []}), Propose(GROUP_0_1, "clear", "Push")),
    ],
)
def test_each_choice_becomes_its_intent(reply: Reply, intent: Intent) -> None:
    assert parse(reply) == intent


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("dance"), "reply/unknown-choice"),
        (Reply("end", {"group": ["group/0.1"]}), "reply/unknown-field"),
        (Reply("move", {"group": ["group/0.1"]}), "reply/missing-field"),
        (Reply("move", {**MOVE, "group": "group/0.1"}), "reply/bad-field"),
        (Reply("move", {**MOVE, "group": []}), "reply/bad-field"),
        (Reply("move", {**MOVE, "group": ["group/0.1", "group/0.2"]}), "reply/bad-field"),
        (Reply("move", {**MOVE, "lead": [7]}), "reply/bad-field"),
        (Reply("move", {**MOVE, "to": [1]}), "reply/bad-field"),
        (Reply("move", {**MOVE, "to": [1, True]}), "reply/bad-field"),
        (Reply("move", {**MOVE, "to": "here"}), "reply/bad-field"),
        (Reply("move", {**MOVE, "places": [1, 2]}), "reply/bad-field"),
        (Reply("move", {**MOVE, "places": {"piece/0-02": "here"}}), "reply/bad-field"),
        (Reply("move", {**MOVE, "places": {3: [1, 2]}}), "reply/bad-field"),
        (Reply("shoot", {**SHOT, "faction": "seat/x"}), "reply/bad-field"),
        (Reply("shoot", {**SHOT, "faction": 2}), "reply/bad-field"),
        (Reply("propose", {**IDEA, "words": 3}), "reply/bad-field"),
    ],
)
def test_what_is_not_of_its_form_is_refused(reply: Reply, code: str) -> None:
    with pytest.raises(IllegalIntent) as refused:
        parse(reply)
    assert refused.value.refusal.code == code
