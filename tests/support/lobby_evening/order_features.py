"""Acts of Ben in an evening to keep order, from the page of moderators and from a person's card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.support.lobby_evening.common_acts import open_table
from tests.support.lobby_evening.evening import Evening

REASON: Final = "Why? Other moderators and the host read it"
WORDS: Final = "What everybody reads, such as: Maintenance. All matches go on afterwards."


async def read_a_report_mute_and_lift(four: Evening) -> None:
    await four.take(four.ben, "Moderate", "Act on Cyd")
    await four.write(four.ben, REASON, "Sells dice")
    await noted(four, "Cyd is muted.")
    await four.take(four.ben, "Bans and mutes")
    await four.take(four.ben, await label(four, lambda one: one.startswith("Lift: Cyd muted")))
    await four.write(four.ben, REASON, "Says sorry")
    await four.until(lambda: four.ben.session.notice.startswith("It is lifted"))
    await four.take(four.ben, "What was done")
    await label(four, lambda one: "Ben lifted the mute of Cyd" in one)


async def announce_and_take_back(four: Evening) -> None:
    await four.take(four.ben, "Moderate", "Announcements")
    await four.write(four.ben, WORDS, "Tea")
    await four.until(lambda: all(one.sees("Announcement: Tea") for one in (four.ann, four.cid, four.dora)))
    await four.take(four.ben, "Take back: Tea")
    await four.until(lambda: not four.ann.sees("Announcement: Tea"))


async def close_a_table(four: Evening) -> None:
    await open_table(four, four.dora, seats=2)
    await four.take(four.ben, "Moderate", "Tables", "Close Dora's table")
    await four.write(four.ben, REASON, "A rude name")
    await four.until(lambda: four.dora.table is None)


async def remove_and_rename_from_a_card(four: Evening) -> None:
    assert four.cid.table is not None
    await four.take(four.ben, "Cyd: Buy my dice", "Moderate", "Remove from tables")
    await four.write(four.ben, REASON, "Shouts")
    await four.until(lambda: four.cid.table is None)
    await four.take(four.ben, "Moderate", "Rename")
    await four.write(four.ben, "The new name", "Lamb", enters=False)
    await four.write(four.ben, REASON, "A rude name")
    await four.until(lambda: four.cid.session.own_name == "Lamb")


async def noted(four: Evening, words: str) -> None:
    """Wait until Ben's window says this."""
    await four.until(lambda: four.ben.session.notice == words)


async def label(four: Evening, fits: Callable[[str], bool]) -> str:
    """Return the label in Ben's window that fits, as soon as there is one."""
    await four.until(lambda: any(map(fits, four.ben.app.labels())))
    return next(filter(fits, four.ben.app.labels()))
