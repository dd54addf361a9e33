"""The program in plain text at a table: what it tells, what it asks, and what it sends of what is typed."""

from __future__ import annotations

from msgspec.structs import replace

from client.net.connection import Down, Frame, Up
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Forecast, Gesture, Target
from protocol.scene.nodes import PROMPT_NODE, Choice, Prompt
from protocol.text import text
from protocol.wire.from_client import CallVote, CastVote, Chat, Intent, LeaveTable, Propose, Survey
from protocol.wire.from_server import ChatLine, OfferView, Proposed, Reject, Surveyed, VoteView
from tests.support.clients.plain.table import PlainTable
from tests.support.examples import scenes

SHOT = Gesture("group", "target", "group")


def aimed(seat: int = 1) -> Prompt:
    """Return the prompt of the examples, whose shot is made by two clicks."""
    prompt = scenes.card_prompt(seat)
    choices = tuple(replace(one, gesture=SHOT) if one.id == "shoot" else one for one in prompt.choices)
    return replace(prompt, choices=choices)


def test_a_table_is_told_with_what_is_asked_by_number() -> None:
    told = PlainTable().write()
    assert told[0] == "The match at Friday night is on. You play Iron Shells."
    asked = told.index("Play your card: 2 actions left")
    assert told[asked + 1 :] == ["1. Move a group", "2. Shoot", "3. Offer points", "4. End the card"]


def test_the_table_is_looked_at_whole_by_group_and_by_terrain() -> None:
    table = PlainTable()
    look, one, terrain = table.write("look"), table.write("look IS1"), table.write("look terrain")
    assert "1. IS1, Iron Shells 1, 3 figures, at 65.6, 5.3" in look
    assert any(line.startswith("4. TF1, Task Force 1, 4 figures, at 7.3, 4.5; ") for line in look)
    assert any(line.startswith("IS1, Iron Shells 1, 3 figures, at 65.6, 5.3.") for line in one)
    assert any("inches west" in line and line.endswith("see you") for line in one)
    assert "16. Wall T16, from 3, 30 to 13, 30, protection: cover, blocks sight" in terrain


def test_seats_order_and_goals_are_told_in_lines() -> None:
    table = PlainTable()
    assert "2. Iron Shells (you), Bertram, score 2, to act, 0:47 left" in table.write("who")
    assert "2. Iron Shells, Double action, now" in table.write("order")
    assert "1. Hold the mill: open 1/3. Have a group in the mill when the game ends." in table.write("goals")


def test_a_choice_of_the_turn_is_proposed_with_its_odds_before_enter_makes_it() -> None:
    table = PlainTable([*scenes.table_frames(1)])
    table.write()
    show(table, aimed())
    assert table.write("2", "IS1")[-2:] == ["3. HW3, Harbour Watch 3, 5 figures", "Not TF1: Trees is in the way."]
    survey = table.last(Survey)
    assert isinstance(survey, Survey)
    table.hear(Surveyed(survey.id, "shoot", targets=(Target(NodeId("group/31"), chance=450, loss=120),)))
    table.write("HW1")
    asked = table.last(Propose)
    assert isinstance(asked, Propose)
    assert asked.fields == {"group": ["group/11"], "target": ["group/31"]}
    forecast = Forecast(outcomes=((0, 550), (1, 450)), mean=45)
    table.hear(Proposed(asked.id, {"group": ["group/11"], "target": ["group/31"]}, forecast=forecast))
    told = table.write()
    assert told == [
        "Shoot, as proposed:",
        "Which group? IS1, Iron Shells 1",
        "At whom? HW1, Harbour Watch 1",
        "45 % to kill at least one; 0.5 killed on average",
        "Enter does it; a number changes that; back goes back.",
    ]
    table.write("")
    intent = table.last(Intent)
    assert isinstance(intent, Intent)
    assert (intent.choice, intent.fields) == ("shoot", {"group": ["group/11"], "target": ["group/31"]})


def show(table: PlainTable, prompt: Prompt) -> None:
    """Show another prompt."""
    table.hear(
        scenes.snapshot("public", scenes.public_nodes(), 2), scenes.snapshot("private", {PROMPT_NODE: prompt}, 2)
    )


def test_a_refusal_is_told_in_words_and_the_question_stands() -> None:
    table = PlainTable()
    table.write("4")
    intent = table.last(Intent)
    assert isinstance(intent, Intent)
    table.hear(Reject(intent.id, "turn/wait", text("why.dice")))
    told = table.write()
    assert told[0] == "Dice have been rolled since."
    assert told[1] == "Play your card: 2 actions left"


def test_answers_that_mean_nothing_are_refused_and_nothing_is_sent() -> None:
    table = PlainTable()
    assert table.write("9")[-1] == "There is no choice 9 now. Type again to hear the choices."
    assert table.write("3", "17")[-1] == "A number from 0 to 5."
    assert table.write("lok")[-1] == "A number from 0 to 5."
    assert table.write("back", "lok")[-1] == "“lok” is no command here. Did you mean look?"
    assert not any(isinstance(message, Intent) for message in table.said)


def test_several_answers_in_a_line_follow_each_other_and_enter_takes_a_default() -> None:
    table = PlainTable()
    table.write("3; 5")
    asked = table.last(Propose)
    assert isinstance(asked, Propose)
    assert asked.fields == {"points": 5}
    table.write("back", "back", "3", "")
    asked = table.last(Propose)
    assert isinstance(asked, Propose)
    assert asked.fields == {"points": 2}


def test_a_question_of_one_choice_is_asked_at_once_and_enter_gives_its_default() -> None:
    table = PlainTable()
    table.write()
    falls = replace(scenes.LEAD, default=("piece/14",))
    question = Prompt(PromptId("q1"), text("prompt.card"), (Choice("fall", text("choice.end"), (falls,)),), "choice")
    show(table, question)
    told = table.write()
    assert told[0] == "Shot at Task Force 1. Task Force picks who falls"
    assert told[1] == "Play your card: End the card: Which figure leads?"
    table.write("")
    intent = table.last(Intent)
    assert isinstance(intent, Intent)
    assert intent.fields == {"lead": ["piece/14"]}


def test_before_something_is_given_up_the_person_is_asked() -> None:
    table = PlainTable()
    prompt = scenes.card_prompt()
    ending = replace(prompt.choices[-1], confirm=text("why.dice"))
    table.write()
    show(table, replace(prompt, choices=(*prompt.choices[:-1], ending)))
    assert table.write("4")[-2:] == ["Dice have been rolled since.", "Type yes or no."]
    assert not any(isinstance(message, Intent) for message in table.said)
    table.write("no", "4", "yes")
    assert sum(isinstance(message, Intent) for message in table.said) == 1
    assert table.write("leave", "no")[0] == "Give up your seat?"
    table.write("leave", "yes")
    assert isinstance(table.last(LeaveTable), LeaveTable)


def test_what_people_say_offer_and_vote_on_is_told_and_answered() -> None:
    table = PlainTable()
    table.write()
    view = scenes.table_view()
    table.hear(
        ChatLine("who0", "Ada", "player", "hello", 5),
        OfferView("o1", 0, 1, "truce", "until dark", "open", 6),
        replace(view, vote=VoteView("pause", by=0, asked=(0, 1, 3), yes=(0,), left=9000)),
    )
    told = table.write("yes", "say well; well", "vote end")
    assert "Ada: hello" in told
    assert "Type accept or decline." in told
    assert "Ada asks to pause the match." in told
    assert table.last(CastVote) == CastVote(yes=True)
    assert table.last(Chat) == Chat(text="well; well")
    assert table.last(CallVote) == CallVote(what="end")


def test_nothing_is_said_into_a_line_that_is_being_written() -> None:
    table = PlainTable()
    table.write()
    table.console.is_typing = True
    table.hear(ChatLine("who0", "Ada", "player", "hello", 5))
    assert table.write() == []
    table.console.is_typing = False
    assert table.write() == ["Ada: hello"]


def test_a_lost_link_and_its_return_are_told_once() -> None:
    table = PlainTable()
    table.write()
    table.wire.waiting.append(Down("gone", 1006))
    assert table.write() == ["reconnecting: gone"]
    assert table.write() == []
    table.wire.waiting += [Up(), *map(Frame, scenes.table_frames(1))]
    assert "connected" in table.write()


def test_the_end_is_told_with_each_seat_and_its_conditions() -> None:
    told = PlainTable(scenes.table_frames(1, finished=True)).write()
    assert "Iron Shells, Harbour Watch and The Hollow won together" in told
    assert any(line.startswith("2. Iron Shells (you), Bertram, won, score 2, Hold the mill: met") for line in told)
    assert "Points, rounds 1 to 4:" in told
    assert "Iron Shells: 0; 1; 1; 2" in told
    assert told[-1].startswith("Type look or log")
