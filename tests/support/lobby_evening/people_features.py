"""Acts of people in an evening about each other: talk, friends, mutes, blocks, reports."""

from __future__ import annotations

from typing import Final

from tests.support.lobby_evening.evening import Evening

TALK: Final = "Say something in the lobby (Ctrl+T)"


async def talk_in_the_lobby(four: Evening) -> None:
    await four.write(four.ben, TALK, "Good evening")
    await four.until(lambda: all(one.sees("Ben: Good evening") for one in (four.ann, four.cid, four.dora)))


async def ask_for_friendship_at_a_line_and_take_it_back(four: Evening) -> None:
    await four.take(four.ann, "Ben: Good evening", "Ask to be friends")
    await four.until(lambda: four.ben.session.people.waiting == 1)
    await four.take(four.ann, "Take the request back")
    await four.until(lambda: four.ann.can("Ask to be friends"))
    await four.until(lambda: four.ben.session.people.waiting == 0)


async def ask_for_friendship_by_name_and_accept(four: Evening) -> None:
    await four.take(four.ann, "People")
    await four.write(four.ann, "Name of a player", "Ben")
    await four.until(lambda: four.ben.session.people.waiting == 1)
    await four.take(four.ben, "People", "Accept: Ann")
    await four.take(four.ann, "Friends")
    # until then Ben's own lists would open at the request that he has answered
    await four.until(lambda: four.ann.sees("About Ben") and four.ben.session.people.waiting == 0)


async def hide_that_one_is_here(four: Evening) -> None:
    label = "Friends see that you are here"
    await four.take(four.ben, "People", label)
    await four.until(lambda: (page := four.ben.session.people.page) is not None and page.hidden)
    await four.take(four.ben, label)
    await four.until(lambda: (page := four.ben.session.people.page) is not None and not page.hidden)


async def mute_and_block(four: Evening) -> None:
    await four.write(four.cid, TALK, "Buy my dice")
    await four.take(four.ann, "Cyd: Buy my dice", "Mute", "Block", "Unblock", "Unmute")
    await four.until(lambda: four.ann.can("Mute"))
    await four.take(four.dora, "Cyd: Buy my dice", "Block")
    await four.until(lambda: four.dora.can("Unblock"))
    four.dora.back()
    await four.take(four.dora, "People", "Blocked", "Unblock: Cyd")
    await four.until(lambda: not four.dora.sees("Unblock: Cyd"))


async def report_a_line(four: Evening) -> None:
    await four.take(four.ben, "Cyd: Buy my dice", "Report to the host", "Spam", "Send the report")
    await four.until(lambda: four.ben.session.notice == "The host has your report.")
