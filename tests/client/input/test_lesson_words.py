"""A lesson's box never shows a blank that nothing fills, whatever its steps point at."""

from __future__ import annotations

import pytest

from client.input.lesson_way import Sign
from client.input.lesson_words import words_of
from client.model.table.tabletop import Tabletop
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Choice, Group
from protocol.text import Text
from protocol.wire.from_server import Catalogue
from protocol.wire.lessons import LessonStep
from tests.support.systems.installed import shipped_systems

OWN, ENEMY = NodeId("group/0.1"), NodeId("group/1.1")
TOP = Tabletop({OWN: Group(0, Text("Levy"), ()), ENEMY: Group(1, Text("Sappers"), ())})
TITLE = Text("Choose losses")
CHARGE = Choice("assault", Text("Charge"))
SIGNS = {
    "nothing": None,
    "group": Sign(OWN),
    "guess": Sign(OWN, is_guess=True),
    "target": Sign(ENEMY, is_second=True),
    "figure": Sign(NodeId("piece/1-01"), is_second=True),
    "place": Sign(point=(100, 100), is_second=True),
    "button": Sign(choice=CHARGE, is_second=True),
    "variant": Sign(choice=CHARGE, variant=Text("Dread"), is_second=True),
    "answer": Sign(choice=CHARGE),
    "accept": Sign(accepts=True),
    "back": Sign(back=True),
}
SYSTEMS = shipped_systems()


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_blank_is_left_in_the_words_of_a_step(system: str, sign: Sign | None) -> None:
    texts = Texts([SYSTEMS[system].catalogue("en")])
    for plan in SYSTEMS[system].lessons.values():
        for step in plan.lesson.steps:
            for subject in (NO_NODE, OWN):
                words = words_of(step, sign, texts, TOP, subject, TITLE)
                assert words
                assert "{" not in words, step.id


def test_the_words_of_a_step_name_what_it_points_at() -> None:
    texts = Texts([Catalogue("any", "en", "hash", {"go": "Click {group}.", "at": "Click {target}."})])
    step = LessonStep("shoot", Text("go"), Text("at"), choice="shoot")
    assert words_of(step, SIGNS["group"], texts, TOP, NO_NODE, TITLE) == "Click Levy."
    assert words_of(step, SIGNS["target"], texts, TOP, OWN, TITLE) == "Click Sappers."
    assert "Levy" not in words_of(step, SIGNS["guess"], texts, TOP, NO_NODE, TITLE)
