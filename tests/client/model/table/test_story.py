"""The story of a table: what stands in log, dice, chat and ribbon of one who plays on, and of one who comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from client.model.playback.durations import CATCH_UP
from client.model.table.folded_log import folded
from client.model.table.view_model import LogLine
from client.views.table.table_screen import TableScreen
from protocol.ids import TableId
from protocol.wire.from_client import Chat, OpenTable
from protocol.wire.from_server import Ack, Delta, History, ToldFrame
from tests.support.clients.people import Person, duellists, strike
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.wire import running
from tests.support.examples.recorded import SYSTEMS
from tests.support.examples.recorded_table import arrival, as_heard, frames_of
from tests.support.systems.hand import Hand


def at_match(app: ReadableApp, folder: Path, name: str, frames: int, seat: int = 1, decisions: int = 60) -> Table:
    """Return a window at a recorded match, and its first frames taken in."""
    table = Table(app, folder, frames_of(arrival(name, seat)))
    table.say(*list(as_heard(name, decisions, seat))[:frames])
    table.time += 10
    return table


@pytest.mark.waits
async def test_whoever_comes_back_finds_the_log_the_dice_and_the_chat(tmp_path: Path) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await strike(ann, ben, 1)
        await ben.say(Chat(text="well struck"))
        await ann.until(lambda: len(ann.session.feed.chat) > 0)
        await ann.leave()
        again = Person(run, "Ann", ann.folder, ann.profile)
        try:
            await again.arrived()
            table = ben.session.conversation.table
            assert table is not None
            await again.say(OpenTable(table=table.id))
            feed = again.session.feed
            await again.until(lambda: bool(again.session.feed.log) and bool(again.session.feed.chat))
            feed = again.session.feed
            assert feed.dice
            assert [entry.text for entry in feed.chat] == ["well struck"]
            assert again.session.story.ribbon.entries
        finally:
            await again.leave()


def line(words: str, act: int = 0, kind: str = "note") -> LogLine:
    return LogLine(words, act=act, kind=kind, title="title" if act else "")


def heads(lines: Sequence[LogLine]) -> list[tuple[str, int]]:
    return [(entry.line.text, len(entry.inside)) for entry in folded(lines)][::-1]


def test_an_act_is_one_line_of_the_log_with_the_acts_inside_it() -> None:
    shot = [
        line("fires", 4),
        line("fires back", 5),
        line("sum 5", 5, "act"),
        line("2 fall", 4),
        line("sum 4", 4, "act"),
    ]
    assert heads([line("turn 2"), *shot, line("next")]) == [("turn 2", 0), ("sum 4", 4), ("next", 0)]


def test_an_act_that_goes_on_stands_in_the_log_by_its_title() -> None:
    assert heads([line("fires", 4), line("2 fall", 4)]) == [("title", 2)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_history_gives_log_dice_and_ribbon_what_was_told_live(name: str, app: ReadableApp, tmp_path: Path) -> None:
    """Those who joined late read what those read who were there."""
    there = at_match(app, tmp_path / "there", name, 45, seat=-1).session.story
    late = Table(app, tmp_path / "late", frames_of(arrival(name, -1)))
    heard = list(as_heard(name, 60, -1))[:45]
    late.say(heard[0])
    told = tuple(ToldFrame(one.acts, one.cues) for one in heard[1:] if isinstance(one, Delta))
    late.say(History(TableId("t1"), 0, told))
    story = late.session.story
    assert [entry.text for entry in story.feed.log] == [entry.text for entry in there.feed.log]
    assert list(story.feed.dice) == list(there.feed.dice)
    texts = late.session.texts
    known = [entry.words(texts) for entry in story.ribbon.entries]
    # how many are left is known of what was shown alone
    assert known == [replace(entry, before=None).words(texts) for entry in there.ribbon.entries][-len(known) :]
    assert known


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_shown_follows_what_happened_and_a_key_catches_up(
    name: str, app: ReadableApp, hand: Hand, tmp_path: Path
) -> None:
    """Three acts, with the link cut once: nothing of what was missed is played, all after it is."""
    heard = list(as_heard(name, 60, -1))
    start = next(n for n, one in enumerate(heard) if n > 20 and isinstance(one, Delta) and one.acts)
    table = at_match(app, tmp_path, name, start, seat=-1)
    acts = [n for n, one in enumerate(heard) if n >= start and isinstance(one, Delta) and one.acts][:3]
    story = table.session.story
    table.say(*heard[start : acts[0] + 1])
    assert story.scene.is_behind
    table.break_and_mend()
    table.hear(*frames_of(arrival(name, -1)[:1]))
    assert not story.scene.is_behind
    table.say(*heard[acts[0] + 1 : acts[1] + 1])
    assert not story.scene.is_behind
    table.time += 10
    table.say(*heard[acts[1] + 1 : acts[2] + 1])
    assert story.scene.is_behind
    hand.press(ord(" "))
    assert not story.scene.is_behind
    assert table.session.conversation.scene is not None
    assert story.nodes == table.session.conversation.scene.nodes


def test_who_is_asked_sees_all_within_three_seconds(app: ReadableApp, tmp_path: Path) -> None:
    name, seat = "action_cards", 1
    heard = list(as_heard(name, 60, seat))
    table = at_match(app, tmp_path, name, 2, seat)
    story, prompt = table.session.story, None
    for one in heard[2:]:
        table.say(one)
        scene = table.session.conversation.scene
        prompt = scene.prompt if scene is not None else None
        if prompt is not None and prompt.choices and story.scene.is_behind:
            break
    assert prompt is not None
    passed = 0.0
    while story.scene.is_behind:
        app.step(0.1)
        passed += 0.1
    assert passed <= CATCH_UP + 0.2


def test_an_act_in_the_log_opens_for_its_dice_and_rules(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = at_match(app, tmp_path, "action_cards", 60, seat=-1, decisions=120)
    feed = table.session.feed
    shot = next(n for n, one in enumerate(feed.log) if one.dice is not None and one.act)
    while len(feed.log) > shot + 3:
        feed.log.pop()
    table.navigator.seen = -1
    table.settle()
    line = feed.log[shot]
    entry = next(one for one in folded(feed.log) if line in one.inside or any(line in act.inside for act in one.acts))
    words = [label for label in app.labels() if label.startswith("Rule")]
    hand.click_on(entry.line.text)
    for act in entry.acts:
        hand.click_on(act.line.text)
    opened = [label for label in app.labels() if label.startswith("Rule")]
    assert len(opened) > len(words)
    x, y = map(round, app.find(opened[-1]))
    app.dispatch_event("on_mouse_scroll", x, y, 0, 4)
    app.dispatch_events()
    hand.click_on(entry.line.text)
    app.dispatch_event("on_mouse_scroll", x, y, 0, -4)
    app.dispatch_events()
    assert [label for label in app.labels() if label.startswith("Rule")] == words


def test_a_choice_shows_the_true_scene_first(app: ReadableApp, tmp_path: Path) -> None:
    table = at_match(app, tmp_path, "action_cards", 2, 1)
    story = table.session.story
    for one in list(as_heard("action_cards", 60, 1))[2:]:
        table.say(one, *(Ack(id) for id in table.session.conversation.pending))
        table.say(*(Ack(id) for id in table.session.conversation.pending))
        scene = table.session.conversation.scene
        prompt = scene.prompt if scene is not None else None
        if prompt is not None and prompt.choices and prompt.window == "turn" and story.scene.is_behind:
            assert isinstance(app.front, TableScreen)
            assert app.front.controller.driver is not None
            app.front.controller.choose(prompt.choices[0].id)
            assert not story.scene.is_behind
            return
        story.jump()
    raise AssertionError("no turn comes while acts are shown")
