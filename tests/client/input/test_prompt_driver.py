"""From a prompt to a reply, without a window."""

from __future__ import annotations

from client.input.board_drafts import PlacementDraft, PointDraft
from client.input.prompt_driver import ASKING, CHOOSING, FILLING, READY, OptionsRequest, PromptDriver
from protocol.ids import NodeId, PromptId
from protocol.scene.fields import Assign, Barred, Number, Option, Order, PickOption, PickPoint, Pieces, Words
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text
from tests.support.examples.scenes import LEAD, TO, card_prompt, placement

GROUP_12 = NodeId("group/12")
GROUP_11 = NodeId("group/11")


def driver_for(*fields: Pieces | PickOption | PickPoint | Number | Assign | Order | Words) -> PromptDriver:
    driver = PromptDriver(Prompt(PromptId("p"), text("title"), (Choice("act", text("act"), fields),)))
    driver.choose("act")
    return driver


def options(*ids: str) -> tuple[Option, ...]:
    return tuple(Option(name) for name in ids)


def test_a_move_from_group_to_reply() -> None:
    driver = PromptDriver(card_prompt())
    assert driver.stage == CHOOSING
    driver.choose("move")
    assert driver.stage == FILLING
    assert driver.pick(GROUP_11)
    assert driver.stage == ASKING
    assert driver.request == OptionsRequest("move", {"group": ["group/11"]})
    driver.detail(LEAD)
    assert driver.pick(NodeId("piece/13"))
    assert driver.request == OptionsRequest("move", {"group": ["group/11"], "lead": ["piece/13"]})
    driver.detail(TO)
    assert isinstance(driver.draft, PointDraft)
    assert not driver.confirm()
    assert driver.note
    driver.draft.put((6000, 700))
    driver.confirm()
    driver.detail(placement((6000, 700)))
    driver.confirm()
    assert driver.stage == READY
    assert driver.reply == Reply("move", {"group": ["group/11"], "lead": ["piece/13"], "to": [6000, 700]})


def test_a_placement_changed_by_hand_is_sent_whole() -> None:
    driver = PromptDriver(Prompt(PromptId("p"), text("t"), (Choice("put", text("put"), (placement((100, 100)),)),)))
    driver.choose("put")
    assert isinstance(driver.draft, PlacementDraft)
    driver.draft.put(NodeId("piece/14"), (150, 40))
    driver.confirm()
    assert driver.reply is not None
    places = driver.reply.fields["place"]
    assert isinstance(places, dict)
    assert places["piece/14"] == [150, 40]
    assert set(places) == {"piece/14", "piece/15"}


def test_a_choice_without_fields_is_a_reply_at_once() -> None:
    driver = PromptDriver(card_prompt())
    driver.choose("end")
    assert driver.reply == Reply("end")


def test_a_barred_thing_is_not_picked_and_says_why() -> None:
    driver = PromptDriver(card_prompt())
    driver.choose("shoot")
    driver.pick(GROUP_12)
    assert not driver.pick(NodeId("group/1"))
    assert driver.note == text("why.sight", blocker=text("kind.trees"))
    assert driver.pick(NodeId("group/31"))
    assert driver.reply is not None


def test_a_group_in_focus_goes_into_the_first_field() -> None:
    driver = PromptDriver(card_prompt())
    assert driver.pick(GROUP_12)
    assert [choice.id for choice in driver.choices_for(GROUP_12)] == ["move", "shoot"]
    driver.choose("shoot")
    assert driver.filled() == {"group": ["group/12"]}
    assert driver.back()
    assert driver.stage == CHOOSING
    assert driver.focus == "group/12"


def test_back_goes_one_step_at_a_time() -> None:
    driver = PromptDriver(card_prompt())
    driver.choose("move")
    driver.pick(GROUP_11)
    driver.detail(LEAD)
    driver.pick(NodeId("piece/13"))
    driver.back()
    assert driver.field is not None
    assert driver.field.key == "lead"
    driver.back()
    assert driver.field.key == "group"
    driver.pick(GROUP_12)
    assert driver.stage == ASKING, "the options of a lazy field hold no longer when a field before it has changed"
    driver.back()
    driver.back()
    assert driver.stage == CHOOSING
    assert not driver.back()


def test_a_refused_detail_goes_a_step_back_with_its_reason() -> None:
    driver = PromptDriver(card_prompt())
    driver.choose("move")
    driver.pick(GROUP_11)
    driver.detail(None, text("why"))
    assert driver.field is not None
    assert driver.field.key == "group"
    assert driver.note == text("why")


def test_a_field_that_offers_and_needs_nothing_is_passed() -> None:
    fields = (PickOption("whom", text("w"), lazy=True, auto=True), Number("n", text("n"), most=3))
    driver = driver_for(*fields)
    driver.detail(PickOption("whom", text("w"), auto=True))
    assert driver.field is not None
    assert driver.field.key == "n"
    driver.confirm()
    assert driver.reply == Reply("act", {"n": 0})


def test_a_field_with_one_answer_is_filled_in_unless_it_is_the_last() -> None:
    """Esc goes back over it, too."""
    one = Pieces("lead", text("lead"), options=options("piece/1"))
    last = Pieces("target", text("target"), options=options("group/2"))
    driver = driver_for(one, PickOption("way", text("way"), options=options("walk")), last)
    assert driver.field == last
    assert driver.filled() == {"lead": ["piece/1"], "way": "walk"}
    driver.back()
    assert driver.stage == CHOOSING
    several = Pieces("lead", text("lead"), options=options("piece/1", "piece/2"))
    driver = driver_for(several, one, last)
    driver.pick(NodeId("piece/2"))
    assert driver.field == last
    driver.back()
    assert driver.field == several


def test_where_everything_is_barred_it_is_said() -> None:
    near, far = (Barred(f"group/{n}", "far", text(f"far{n}")) for n in (1, 2))
    driver = driver_for(Pieces("target", text("target"), barred=(near,)))
    assert (driver.stage, driver.note) == (FILLING, text("far1"))
    driver = driver_for(Pieces("target", text("target"), barred=(near, far)))
    assert driver.note == "None of them can be picked: point at one to see why."


def test_several_pieces_need_a_confirmation() -> None:
    driver = driver_for(Pieces("lost", text("lost"), options=options("a", "b", "c"), least=2, most=2))
    driver.pick(NodeId("a"))
    assert not driver.confirm()
    driver.pick(NodeId("b"))
    assert driver.stage == FILLING
    driver.pick(NodeId("c"))
    driver.confirm()
    assert driver.reply == Reply("act", {"lost": ["b", "c"]})


def test_a_default_is_taken_without_touching_anything() -> None:
    driver = driver_for(Pieces("lost", text("lost"), options=options("a", "b"), least=1, most=2, default=("b",)))
    driver.confirm()
    assert driver.reply == Reply("act", {"lost": ["b"]})


def test_an_automatic_field_left_alone_is_left_out() -> None:
    driver = driver_for(Pieces("help", text("help"), options=options("a"), most=2, default=("a",), auto=True))
    driver.confirm()
    assert driver.reply == Reply("act", {})


def test_items_go_into_slots_that_have_room() -> None:
    field = Assign("who", text("who"), items=options("a", "b"), slots=options("x", "y"), room={"x": 1})
    driver = driver_for(field)
    driver.pick(NodeId("a"))
    driver.pick(NodeId("x"))
    driver.pick(NodeId("b"))
    assert not driver.pick(NodeId("x"))
    assert not driver.confirm()
    driver.pick(NodeId("y"))
    driver.confirm()
    assert driver.reply == Reply("act", {"who": {"a": "x", "b": "y"}})


def test_an_order_can_be_changed() -> None:
    driver = driver_for(Order("order", text("order"), items=options("a", "b", "c")))
    assert driver.draft is not None
    assert hasattr(driver.draft, "move")
    driver.draft.move("c", -2)
    driver.confirm()
    assert driver.reply == Reply("act", {"order": ["c", "a", "b"]})


def test_a_new_prompt_keeps_what_can_still_act_in_focus() -> None:
    driver = PromptDriver(card_prompt())
    driver.pick(GROUP_12)
    assert driver.carried_over(card_prompt(prompt_id=PromptId("p2"))).focus == "group/12"
    assert driver.carried_over(card_prompt(seat=0, prompt_id=PromptId("p3"))).focus == ""
