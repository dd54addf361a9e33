"""docs/protocol.md: what stands beside the types of its messages is what the program does."""

from __future__ import annotations

import re
from typing import Final

from protocol.wire.from_server import EntropyWanted
from server.match.entropy import DEFERRED_SECONDS, WAIT_SECONDS
from tests.support.runs.pages import page

PAGE: Final = page("protocol.md")


def meaning(message: str) -> str:
    """Return the words of the page on a message."""
    found = re.search(rf"^\| \*\*`{message}`\*\* \| \| \| (.*) \|$", PAGE, re.MULTILINE)
    assert found is not None, message
    return found[1]


def test_both_times_for_a_part_in_dice_are_told() -> None:
    for words in (meaning("entropy_wanted"), " ".join((EntropyWanted.__doc__ or "").split())):
        assert re.findall(r"within (\d+) seconds?", words) == [f"{WAIT_SECONDS:g}", f"{DEFERRED_SECONDS:g}"]
