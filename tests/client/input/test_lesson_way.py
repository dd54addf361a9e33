"""The way of a lesson's step leads over groups that can do what it says, and no longer over surveys than it must."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from client.input.gestures.aims import Meaning
from client.input.gestures.controller import ASKS_AGAIN, GestureController
from client.input.gestures.scout import QUIET
from client.input.lesson_features import is_due
from client.input.lesson_way import MOST_RETURNS, NOWHERE, LessonWay, Places, Sign
from client.input.prompt_controller import PromptController
from client.model.table.tabletop import Tabletop
from protocol.ids import NodeId, PromptId
from protocol.scene import nodes
from protocol.scene.advice import Gesture, Target
from protocol.scene.fields import Band, Option, PickOption, PickPoint, Pieces
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Detail, Proposed, Reject, Surveyed
from protocol.wire.lessons import OWN, TARGET, LessonStep

NAME = Text("name")
NEAR, FAR, ENEMY, MILL = map(NodeId, ("group/0.1", "group/0.2", "group/1.1", "feature/mill"))
ANY, BEST = NodeId(OWN), NodeId(TARGET)
AT = {NEAR: (500, 500), FAR: (300, 500), ENEMY: (3000, 500)}


def table(**moved: tuple[int, int]) -> Tabletop:
    """Return a table with a mill, two own groups and one enemy; `moved`: places of groups by the end of their id."""
    found: dict[NodeId, nodes.AnyNode] = {
        MILL: nodes.Feature(((1000, 300), (1400, 300), (1400, 700), (1000, 700)), "building", NAME)
    }
    for group, at in AT.items():
        owner, piece = int(group[6]), NodeId(f"piece/{group[6:]}")
        found[group] = nodes.Group(owner, NAME, (piece,))
        found[piece] = nodes.Piece(moved.get(group[6:].replace(".", "_"), at), 50, owner, group)
    return Tabletop(found)


OPTIONS = tuple(Option(one, NAME) for one in (NEAR, FAR))
MOVE = Choice(
    "move",
    NAME,
    (PickOption("group", NAME, options=OPTIONS), PickPoint("to", NAME, lazy=True)),
    gesture=Gesture("group", "to", "point", mark="move"),
)
SHOOT = Choice(
    "shoot",
    NAME,
    (PickOption("group", NAME, options=OPTIONS), Pieces("target", NAME, lazy=True)),
    gesture=Gesture("group", "target", "group", mark="shot"),
)
PROMPT = Prompt(PromptId("p1"), NAME, (MOVE, SHOOT))
TO_SHOOT = LessonStep("shoot", NAME, offer="shoot", choice="shoot", subject=ANY, object=BEST)
TO_MOVE = LessonStep("move", NAME, offer="move", choice="move", subject=ANY, object=MILL)
TO_ENTER = LessonStep("enter", NAME, offer="move", choice="move", subject=ANY, object=MILL, inside=True)
BEFORE = Band(NAME, 400, (((500, 300), (900, 300), (900, 700), (500, 700)),))
WITHIN = Band(NAME, 800, (((500, 300), (1300, 300), (1300, 700), (500, 700)),))


class Server:
    """The other end: surveys are answered with what is known of a group, where anything is."""

    def __init__(self, **known: tuple[Surveyed, ...]) -> None:
        self.detail: Detail | None = None
        self.links_made = 1
        self.sealed = self.already_answered = b""
        self.known = {NodeId(f"group/{key[1:].replace('_', '.')}"): found for key, found in known.items()}
        self.asked: list[NodeId] = []
        self.answers: list[tuple[float, Surveyed]] = []
        self.delay = 0.0
        self.now = 10.0
        self.prompts = PromptController(self)
        self.gestures = GestureController(self.prompts, self, self.take, lambda: self.now)
        self.way = LessonWay(self.gestures)
        self.prompts.update(PROMPT, {})
        self.gestures.update()

    def intend(self, reply: Reply) -> bytes:
        raise AssertionError(reply)

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError((choice, fields))

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError((choice, fields))

    def ask_survey(self, subject: NodeId) -> int:
        self.asked.append(subject)
        found = self.known.get(subject, ())
        self.answers += [(self.now + self.delay, survey(len(self.asked), one)) for one in found]
        return len(self.asked)

    def take(self) -> list[Surveyed | Proposed | Reject]:
        taken = [answer for at, answer in self.answers if at <= self.now]
        self.answers = [(at, answer) for at, answer in self.answers if at > self.now]
        return list(taken)

    def sign(self, step: LessonStep, top: Tabletop) -> Sign | None:
        """Return the sign once all that was asked has been answered."""
        for _ in range(4):
            self.way.sign(step, top, Places(lambda point: True))
            self.gestures.update()
        return self.way.sign(step, top, Places(lambda point: True))


def survey(number: int, found: Surveyed) -> Surveyed:
    return Surveyed(number, found.choice, found.why, found.reach, found.targets, code=found.code)


def shot(chance: int) -> tuple[Surveyed, ...]:
    return (Surveyed(0, "shoot", targets=(Target(ENEMY, chance=chance, loss=chance),)),)


def move(band: Band) -> tuple[Surveyed, ...]:
    return (Surveyed(0, "move", reach=(band,)),)


@pytest.mark.parametrize(
    "nearest", [(Surveyed(0, "shoot", NAME),), shot(0), shot(99)], ids=["sees nobody", "in vain", "hardly"]
)
def test_a_group_without_a_sensible_shot_is_passed_over(nearest: tuple[Surveyed, ...]) -> None:
    assert Server(g0_1=nearest, g0_2=shot(100)).sign(TO_SHOOT, table()) == Sign(FAR)
    assert Server(g0_1=nearest, g0_2=nearest).sign(TO_SHOOT, table()) == NOWHERE


def test_the_enemy_that_would_lose_most_comes_second() -> None:
    server = Server(g0_1=shot(600), g0_2=shot(900))
    assert server.sign(TO_SHOOT, table()) == Sign(NEAR)
    server.gestures.focus(NEAR)
    assert server.sign(TO_SHOOT, table()) == Sign(ENEMY, is_second=True)


def test_a_survey_that_is_refused_or_lost_leaves_the_plain_way() -> None:
    refused = (Surveyed(0, code="bound/questions-person"),)
    assert Server(g0_1=refused, g0_2=refused).sign(TO_SHOOT, table()) == Sign(NEAR, is_guess=True)
    server = Server()
    assert server.sign(TO_SHOOT, table()) is None
    server.now += QUIET
    assert server.sign(TO_SHOOT, table()) == Sign(NEAR, is_guess=True)


def test_what_is_known_to_serve_goes_before_what_is_not_known() -> None:
    refused = (Surveyed(0, code="bound/questions-person"),)
    assert Server(g0_1=refused, g0_2=shot(500)).sign(TO_SHOOT, table()) == Sign(FAR)


def test_surveys_that_take_three_seconds_are_waited_for_and_nothing_is_pointed_at() -> None:
    server = Server(g0_1=shot(0), g0_2=shot(900))
    server.delay = 3.0
    seen = []
    for _ in range(14):
        seen.append(server.way.sign(TO_SHOOT, table(), Places(lambda point: True)))
        server.now += 0.5
        server.gestures.update()
    assert seen == [None] * 12 + [Sign(FAR)] * 2


def test_a_guess_that_was_wrong_is_not_followed_by_another() -> None:
    server = Server()
    server.way.sign(TO_SHOOT, table(), Places(lambda point: True))
    server.now += QUIET
    assert server.sign(TO_SHOOT, table()) == Sign(NEAR, is_guess=True)
    server.known[NEAR] = shot(0)
    server.gestures.focus(NEAR)
    assert server.sign(TO_SHOOT, table()) is None
    server.now += QUIET
    assert server.sign(TO_SHOOT, table()) == NOWHERE


def test_a_refused_survey_of_what_is_in_focus_is_asked_for_again() -> None:
    server = Server(g0_1=(Surveyed(0, code="bound/questions-person"),))
    server.gestures.focus(NEAR)
    assert server.sign(TO_SHOOT, table()) is None
    server.known[NEAR] = shot(500)
    server.now += ASKS_AGAIN
    server.gestures.tick(None)
    assert server.sign(TO_SHOOT, table()) == Sign(ENEMY, is_second=True)


@pytest.mark.parametrize(
    ("reach", "top", "wanted"),
    [
        (WITHIN, table(), Sign(NEAR)),
        (BEFORE, table(), NOWHERE),
        (WITHIN, table(**{"0_2": (1200, 500)}), NOWHERE),
        (WITHIN, table(**{"1_1": (1200, 500)}), Sign(NEAR)),
    ],
    ids=["it can get in", "too far", "it is held", "an enemy is in it"],
)
def test_a_feature_is_entered_where_it_can_be_and_is_not_yet(reach: Band, top: Tabletop, wanted: Sign) -> None:
    assert Server(g0_1=move(reach), g0_2=move(reach)).sign(TO_ENTER, top) == wanted


def test_the_place_to_enter_at_lies_inside() -> None:
    server = Server(g0_1=move(WITHIN))
    server.gestures.focus(NEAR)
    found: Any = server.sign(TO_ENTER, table())
    assert found.point is not None
    assert 1000 < found.point[0] < 1300


def test_whoever_is_where_a_step_leads_stays_there() -> None:
    inside = table(**{"0_1": (1200, 500)})
    assert Server(g0_1=move(WITHIN), g0_2=move(WITHIN)).sign(TO_MOVE, inside) == Sign(FAR)


def test_ground_towards_the_nearest_enemy() -> None:
    closer = LessonStep("move", NAME, offer="move", choice="move", subject=ANY, object=BEST)
    server = Server(g0_1=move(BEFORE), g0_2=move(BEFORE))
    assert server.sign(closer, table()) == Sign(NEAR)
    server.gestures.focus(NEAR)
    found: Any = server.sign(closer, table())
    assert found.point[0] > 800


def test_a_step_waits_until_a_feature_is_held_alone_or_is_not() -> None:
    told = LessonStep("held", NAME, part="seats", held=MILL)
    other = LessonStep("on", NAME, choice="move", object=MILL, unheld=MILL)
    empty, mine, both = table(), table(**{"0_1": (1200, 500)}), table(**{"0_1": (1200, 500), "1_1": (1100, 400)})
    assert [is_due(told, top, 0) for top in (empty, mine, both)] == [False, True, False]
    assert [is_due(other, top, 0) for top in (empty, mine, both)] == [True, False, True]
    assert [is_due(TO_ENTER, top, 0) for top in (empty, mine, both)] == [True, False, False]
    assert is_due(TO_MOVE, mine, 0)
    assert not is_due(told, mine, 1)


def test_the_bar_that_a_click_has_opened_comes_before_another_click_on_the_ground() -> None:
    server = Server(g0_1=move(BEFORE))
    server.gestures.focus(NEAR)
    ground: Any = server.sign(TO_MOVE, table())
    ways = [Meaning(SHOOT), *(Meaning(MOVE, name=Text(name)) for name in ("walk", "creep"))]
    server.gestures.menu = (ground.point, ways)
    assert server.sign(TO_MOVE, table()) == Sign(choice=MOVE, variant=Text("walk"), is_second=True)
    server.gestures.menu = (ground.point, ways[:1])
    assert server.sign(TO_MOVE, table()) == ground


def test_signs_that_come_again_and_again_lead_nowhere_until_they_are_tried_again() -> None:
    server = Server(g0_1=move(BEFORE), g0_2=move(BEFORE))
    seen = []
    for _ in range(MOST_RETURNS + 1):
        server.gestures.focus(NEAR)
        seen.append(server.sign(TO_MOVE, table()))
        server.gestures.focus(FAR)
        seen.append(server.sign(TO_MOVE, table()))
    assert NOWHERE not in seen[: 2 * MOST_RETURNS]
    assert seen[-1] == NOWHERE
    server.way.try_again()
    assert server.sign(TO_MOVE, table()) == seen[1]


def test_a_sign_that_stays_is_shown_for_as_long_as_it_is_looked_at() -> None:
    server = Server(g0_1=move(BEFORE))
    server.gestures.focus(NEAR)
    seen = [server.sign(TO_MOVE, table()) for _ in range(5 * MOST_RETURNS)]
    assert set(seen) == {seen[0]}
    assert seen[0] != NOWHERE


def test_nothing_is_pointed_at_while_others_are_asked_what_is_answered_here() -> None:
    server = Server()
    given = Server()
    given.prompts.update(replace(PROMPT, choices=()), {})
    answering = LessonStep("charged", NAME, offer="sealed", again=True)
    assert server.sign(answering, table()) == Sign(choice=MOVE)
    assert given.sign(answering, table()) is None
