"""Gestures: what clicks, drags and rests of the pointer ask of the server, and what they send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from client.input.drafts import WordsDraft
from client.input.gestures.aims import Pointed
from client.input.gestures.clicks import Note
from client.input.gestures.controller import GestureController
from client.input.gestures.holding import STAYS
from client.input.gestures.proposals import APART
from client.input.prompt_controller import PromptController
from client.storage.profile import Confirm
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Forecast, Gesture, Target
from protocol.scene.fields import Band, Facing, Option, PickPoint, Pieces, Placement, Way, Words
from protocol.scene.nodes import Choice, Point, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Detail, Proposed, Reject, Surveyed

MINE, OTHER = NodeId("group/1"), NodeId("group/2")
ENEMY, FAR_ENEMY = NodeId("group/8"), NodeId("group/9")
GROUPS = Pieces("group", Text("group"), options=(Option(MINE), Option(OTHER)))
TARGETS = Pieces("target", Text("target"), lazy=True)
TO = PickPoint("to", Text("to"), lazy=True)
VIA = PickPoint("via", Text("via"), lazy=True, auto=True)
PLACES = Placement("places", Text("places"), lazy=True, auto=True)
WALK = Choice("walk", Text("walk"), (GROUPS, TO, VIA, PLACES), gesture=Gesture("group", "to", "point"))
RUN = Choice("run", Text("run"), (GROUPS, TO), gesture=Gesture("group", "to", "point", 1))
SHOOT = Choice("shoot", Text("shoot"), (GROUPS, TARGETS), gesture=Gesture("group", "target", "group", ends=True))
CHARGE = Choice("charge", Text("charge"), (GROUPS, TARGETS), gesture=Gesture("group", "target", "group", 1, ends=True))
HOLD = Choice("hold", Text("hold"), (GROUPS,), gesture=Gesture("group", rank=3))
PROMPT = Prompt(PromptId("p1"), Text("act"), (WALK, RUN, SHOOT, CHARGE, HOLD))
LATER = Prompt(PromptId("p2"), Text("act"), (WALK,))


def square(size: int) -> tuple[Point, ...]:
    return ((-size, -size), (size, -size), (size, size), (-size, size))


FOUND = (
    Surveyed(1, "walk", reach=(Band(Text("walk"), 600, (square(600),)),), more=True),
    Surveyed(1, "shoot", targets=(Target(ENEMY, chance=500), Target(FAR_ENEMY, Text("far"))), more=True),
    Surveyed(1, "run", reach=(Band(Text("run"), 1200, (square(1200),)),), more=True),
    Surveyed(1, "charge", targets=(Target(ENEMY),), more=True),
    Surveyed(1, "hold"),
)


class Server:
    """The far end in a test's hands: `asked` surveys and proposals, `sent` replies, and time."""

    def __init__(self, prompt: Prompt = PROMPT, confirm: Confirm = "never") -> None:
        self.detail: Detail | None = None
        self.links_made = 1
        self.sealed = self.already_answered = b""
        self.asked: list[Any] = []
        self.sent: list[Reply] = []
        self.answers: list[Surveyed | Proposed | Reject] = []
        self.now = 10.0
        self.prompts = PromptController(self)
        self.gestures = GestureController(self.prompts, self, self.take, lambda: self.now)
        self.gestures.confirm = lambda: confirm
        self.show(prompt)

    def intend(self, reply: Reply) -> bytes:
        self.sent.append(reply)
        return bytes(16)

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError("no gesture asks for a field")

    def ask_survey(self, subject: NodeId) -> int:
        self.asked.append(subject)
        return len(self.asked)

    def ask_proposal(self, choice: str, fields: Mapping[str, object]) -> int:
        self.asked.append((choice, dict(fields)))
        return len(self.asked)

    def take(self) -> list[Surveyed | Proposed | Reject]:
        taken, self.answers = self.answers, []
        return taken

    def show(self, prompt: Prompt) -> None:
        self.prompts.update(prompt, {})
        self.gestures.update()

    def say(self, *answers: Surveyed | Proposed | Reject) -> None:
        self.answers += answers
        self.gestures.update()

    def propose(self, **more: Any) -> None:
        """Answer the newest question with a proposal."""
        _, fields = self.asked[-1]
        self.say(Proposed(len(self.asked), **{"fields": fields, **more}))

    def click(self, point: Point, *things: NodeId, keep: bool = False, corner: bool = False) -> None:
        self.gestures.click(Pointed(point, things, from_at=(0, 0)), keep=keep, corner=corner)

    def wait(self, seconds: float, at: Pointed | None = None) -> None:
        self.now += seconds
        self.gestures.tick(at)


@pytest.fixture
def server() -> Server:
    """A table at which a group is in focus, and all is known of it."""
    server = Server()
    server.click((0, 0), MINE)
    server.say(*FOUND)
    return server


def test_a_click_on_a_group_asks_once_what_it_could_do(server: Server) -> None:
    server.click((0, 0), MINE)
    server.wait(1)
    assert server.asked == [MINE]
    assert server.gestures.survey.is_done


@pytest.mark.parametrize(
    ("point", "things", "choice", "field"),
    [
        ((300, 0), (), "walk", {"to": [300, 0]}),
        ((900, 0), (), "run", {"to": [900, 0]}),
        ((1230, 0), (), "run", {"to": [1195, 0]}),  # just beside its reach
        ((5000, 0), (ENEMY,), "shoot", {"target": [ENEMY]}),
        ((300, 0), (ENEMY,), "shoot", {"target": [ENEMY]}),  # not the ground below it
    ],
)
def test_a_click_acts_by_the_choice_of_the_lowest_rank(
    server: Server, point: Point, things: tuple[NodeId, ...], choice: str, field: dict[str, object]
) -> None:
    server.click(point, *things)
    assert server.asked[-1] == (choice, {"group": [MINE], **field})
    assert server.sent == []
    server.propose(fields={"group": [MINE], **field, "lead": "piece/1"})
    assert server.sent == [Reply(choice, {"group": [MINE], **field, "lead": "piece/1"})]


def test_what_cannot_be_met_or_reached_says_why_in_its_place(server: Server) -> None:
    server.click((5000, 0), FAR_ENEMY)
    assert server.gestures.note is not None
    assert (server.gestures.note.words, server.gestures.note.at) == (Text("far"), FAR_ENEMY)
    server.click((3000, 4000))
    assert server.asked[1:] == [("walk", {"group": [MINE], "to": [3000, 4000]})]
    server.propose(code="move/too-far", text=Text("too far"))
    assert server.gestures.note.words == Text("too far")
    assert server.sent == []


def test_a_refused_proposal_says_where_it_is_at_fault(server: Server) -> None:
    server.click((300, 0))
    server.propose(code="move/wall", text=Text("a wall"), at=NodeId("feature/3"))
    assert server.gestures.note is not None
    assert (server.gestures.note.words, server.gestures.note.at) == (Text("a wall"), "feature/3")
    assert server.sent == []


def test_a_click_before_its_answers_waits_for_them() -> None:
    server = Server()
    server.click((0, 0), MINE)
    server.click((900, 0))
    server.say(*FOUND[:2])
    assert server.asked == [MINE]
    server.say(FOUND[2])
    assert server.asked[-1] == ("run", {"group": [MINE], "to": [900, 0]})
    server.propose()
    assert len(server.sent) == 1


def test_a_click_waits_a_second_at_most(server: Server) -> None:
    server.click((300, 0))
    server.wait(1.01)
    server.propose()
    assert server.sent == []
    server.click((300, 0))
    assert len(server.sent) == 1  # the answer has come since


def test_a_click_is_dropped_with_its_prompt(server: Server) -> None:
    server.click((300, 0))
    server.show(LATER)
    server.say(Proposed(2, {"group": [MINE], "to": [300, 0]}))
    assert server.sent == []


def test_while_one_proposal_is_on_its_way_the_newest_waits(server: Server) -> None:
    for x in (100, 200, 300):
        server.wait(0.01, Pointed((x, 0), held=True, from_at=(0, 0)))
    assert server.asked[1:] == [("walk", {"group": [MINE], "to": [100, 0]})]
    server.propose()
    server.wait(APART - 0.03)
    assert len(server.asked) == 2
    server.wait(0.03)
    assert server.asked[2:] == [("walk", {"group": [MINE], "to": [300, 0]})]


def test_the_pointer_asks_where_it_rests(server: Server) -> None:
    at = Pointed((300, 0), from_at=(0, 0))
    server.wait(0.5, at)
    assert len(server.asked) == 1
    server.wait(0.13, at)
    assert server.asked[1:] == [("walk", {"group": [MINE], "to": [300, 0]})]
    server.propose()
    server.click((300, 0))
    assert len(server.sent) == 1
    assert len(server.asked) == 2


def test_a_glance_at_a_group_is_no_focus() -> None:
    server = Server()
    at = Pointed((0, 0), (OTHER,))
    server.wait(0, at)
    server.wait(0.13, at)
    assert server.asked == [OTHER]
    assert server.gestures.is_glance
    server.click((300, 0))
    assert len(server.asked) == 1
    server.wait(0, None)
    assert not server.gestures.survey.subject


@pytest.mark.parametrize(
    ("confirm", "move", "shot"), [("always", True, True), ("dice", False, True), ("never", False, False)]
)
def test_what_must_be_confirmed_is_a_setting(confirm: Confirm, move: bool, shot: bool) -> None:
    for held, click in ((move, ((300, 0),)), (shot, ((5000, 0), ENEMY))):
        server = Server(confirm=confirm)
        server.click((0, 0), MINE)
        server.say(*FOUND)
        server.click(*click)
        server.propose(forecast=Forecast() if held and not move else None)
        assert server.gestures.held is held
        assert (server.sent == []) is held
        if held:
            server.click(*click)
            assert len(server.sent) == 1


def test_all_that_fits_a_target_is_offered_at_the_pointer(server: Server) -> None:
    assert server.gestures.offer(Pointed((5000, 0), (ENEMY,)))
    assert server.gestures.menu is not None
    assert [meant.choice.id for meant in server.gestures.menu[1]] == ["shoot", "charge"]
    server.gestures.begin(server.gestures.menu[1][1])
    server.propose()
    assert [reply.choice for reply in server.sent] == ["charge"]


def test_a_verb_from_the_bar_is_carried_out_or_waits_for_its_object(server: Server) -> None:
    server.gestures.arm(CHARGE)
    assert server.asked == [MINE]
    server.click((5000, 0), ENEMY)
    assert server.asked[-1] == ("charge", {"group": [MINE], "target": [ENEMY]})
    server.gestures.take_back()
    server.gestures.arm(HOLD)
    server.propose()
    assert server.sent == [Reply("hold", {"group": [MINE]})]


def test_things_are_taken_back_one_after_another(server: Server) -> None:
    server.click((5000, 0), FAR_ENEMY)
    assert server.gestures.take_back()
    assert server.gestures.note is None
    server.gestures.arm(CHARGE)
    assert server.gestures.take_back()
    assert not server.gestures.armed
    assert server.gestures.take_back()
    assert not server.gestures.subject
    assert not server.gestures.take_back()


def test_a_ghost_is_dragged_and_goes_back_where_it_is_refused(server: Server) -> None:
    server.click((300, 0), keep=True)
    server.propose(ghosts={NodeId("piece/1"): (300, 0), NodeId("piece/2"): (300, 100)})
    assert server.gestures.held
    server.wait(0.1)
    assert server.gestures.grab((310, 95), 60)
    server.gestures.move_ghost((350, 140))
    moved = {"group": [MINE], "to": [300, 0], "places": {"piece/2": [350, 140]}}
    assert server.asked[-1] == ("walk", moved)
    server.propose(ghosts={NodeId("piece/1"): (300, 0), NodeId("piece/2"): (350, 140)})
    server.gestures.drop_ghost()
    server.wait(0.1)
    assert server.gestures.grab((350, 140), 60)
    server.gestures.move_ghost((900, 900))
    server.gestures.drop_ghost()
    server.propose(code="place/far", text=Text("too far"))
    assert server.gestures.ghosts.shown()[NodeId("piece/2")] == (350, 140)
    assert server.gestures.accept()
    assert server.sent == [Reply("walk", moved)]


def test_ghosts_on_one_base_are_dragged_together(server: Server) -> None:
    server.click((300, 0), keep=True)
    crew = {NodeId(f"piece/{number}"): (300, 100) for number in (2, 3)}
    server.propose(ghosts={NodeId("piece/1"): (300, 0), **crew})
    server.wait(0.1)
    assert server.gestures.grab((300, 100), 60)
    server.gestures.move_ghost((350, 140))
    assert server.asked[-1][1]["places"] == {"piece/2": [350, 140], "piece/3": [350, 140]}


def test_the_ghost_of_the_lead_takes_the_others_along(server: Server) -> None:
    server.click((300, 0), keep=True)
    server.propose(ghosts={NodeId("piece/1"): (300, 0), NodeId("piece/2"): (300, 100)})
    server.wait(0.1)
    assert server.gestures.grab((300, 0), 60)
    server.gestures.move_ghost((400, 50))
    assert server.asked[-1] == ("walk", {"group": [MINE], "to": [400, 50]})


def test_a_corner_bends_the_way(server: Server) -> None:
    server.click((100, 200), corner=True)
    server.click((300, 0))
    assert server.asked[-1] == ("walk", {"group": [MINE], "to": [300, 0], "via": [100, 200]})


def test_a_way_goes_over_its_corners() -> None:
    way = Way("way", Text("way"), lazy=True, most=3)
    drive = Choice("drive", Text("drive"), (GROUPS, way), gesture=Gesture("group", "way", "point"))
    server = Server(Prompt(PromptId("p1"), Text("act"), (drive,)))
    server.click((0, 0), MINE)
    server.say(Surveyed(1, "drive"))
    for point in ((100, 0), (100, 100)):
        server.click(point, corner=True)
    server.click((200, 100))
    assert server.asked[-1] == ("drive", {"group": [MINE], "way": [100, 0, 100, 100, 200, 100]})


def test_a_drag_from_the_end_is_the_facing() -> None:
    looks = Facing("facing", Text("facing"), lazy=True)
    land = Choice("land", Text("land"), (GROUPS, TO, looks), gesture=Gesture("group", "to", "point"))
    server = Server(Prompt(PromptId("p1"), Text("act"), (land,)))
    server.click((0, 0), MINE)
    server.say(Surveyed(1, "land"))
    server.gestures.click(Pointed((300, 0)), towards=(300, 500))
    known = Facing("facing", Text("facing"), at=(300, 0), angles=tuple(range(0, 360, 15)), default=0)
    server.wait(0.1)
    server.propose(open=(known,))
    server.wait(0.1)
    assert server.asked[-1] == ("land", {"group": [MINE], "to": [300, 0], "facing": 90})
    server.propose()
    assert len(server.sent) == 1


def test_casualties_are_exchanged_by_clicks_and_accepted() -> None:
    options = tuple(Option(f"piece/{number}") for number in range(4))
    picked = Pieces("picked", Text("who"), options=options, least=2, most=2, default=("piece/0", "piece/1"))
    choice = Choice("pick", Text("who"), (picked,), gesture=Gesture(object="picked", on="piece"))
    server = Server(Prompt(PromptId("p1"), Text("who"), (choice,), "choice"))
    server.click((0, 0), NodeId("piece/3"))
    assert server.sent == []
    assert server.gestures.accept()
    assert server.sent == [Reply("pick", {"picked": ["piece/1", "piece/3"]})]


@pytest.mark.parametrize("clicked", ["piece/0", "piece/1"])
def test_a_single_casualty_that_is_proposed_is_exchanged_by_a_click_and_accepted(clicked: str) -> None:
    options = tuple(Option(f"piece/{number}") for number in range(2))
    picked = Pieces("picked", Text("who"), options=options, default=("piece/0",))
    choice = Choice("pick", Text("who"), (picked,), gesture=Gesture(object="picked", on="piece"))
    server = Server(Prompt(PromptId("p1"), Text("who"), (choice,), "choice"))
    server.click((0, 0), NodeId(clicked))
    assert server.sent == []
    assert server.gestures.accept()
    assert server.sent == [Reply("pick", {"picked": [clicked]})]


def test_a_click_is_the_answer_where_one_is_picked_and_none_proposed() -> None:
    options = tuple(Option(f"piece/{number}") for number in range(2))
    picked = Pieces("picked", Text("who"), options=options)
    choice = Choice("pick", Text("who"), (picked,), gesture=Gesture(object="picked", on="piece"))
    server = Server(Prompt(PromptId("p1"), Text("who"), (choice,), "choice"))
    server.click((0, 0), NodeId("piece/1"))
    assert server.sent == [Reply("pick", {"picked": ["piece/1"]})]


def test_a_question_is_answered_by_a_click_on_what_the_answer_is_about() -> None:
    fire = Choice(MINE, Text("one"), about=(MINE,), gesture=Gesture())
    wait = Choice(OTHER, Text("two"), about=(OTHER,), gesture=Gesture())
    server = Server(Prompt(PromptId("p1"), Text("who"), (fire, wait), "choice"))
    server.click((0, 0), OTHER)
    server.propose()
    assert [reply.choice for reply in server.sent] == [OTHER]


def test_the_only_group_that_can_act_needs_no_click() -> None:
    alone = Pieces("group", Text("group"), options=(Option(MINE),))
    shoot = Choice("shoot", Text("shoot"), (alone, TARGETS), gesture=Gesture("group", "target", "group"))
    server = Server(Prompt(PromptId("p1"), Text("act"), (shoot,)))
    assert server.asked == [MINE]
    server.say(Surveyed(1, "shoot", targets=(Target(ENEMY),)))
    server.click((5000, 0), ENEMY)
    server.propose()
    assert len(server.sent) == 1


def test_a_refusal_of_an_act_is_shown_at_its_place_for_some_seconds(server: Server) -> None:
    server.say(Reject(bytes(16), "move/wall", Text("a wall"), (300, 400), NodeId("feature/3")))
    assert server.gestures.note == Note(Text("a wall"), (300, 400), NodeId("feature/3"))
    server.wait(STAYS - 1)
    assert server.gestures.note is not None
    server.wait(1)
    assert server.gestures.note is None


def test_a_choice_that_needs_words_is_filled_in_by_its_form() -> None:
    idea = Choice("idea", Text("idea"), (GROUPS, Words("words", Text("words"))), gesture=Gesture("group", rank=8))
    server = Server(Prompt(PromptId("p1"), Text("act"), (WALK, idea)))
    server.gestures.focus(MINE)
    server.gestures.arm(idea)
    driver = server.prompts.driver
    assert driver is not None
    assert not server.sent
    assert driver.filled() == {"group": [MINE]}
    assert isinstance(driver.draft, WordsDraft)
