"""Words around an army list that is being built."""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    "lists.open": "Army list",
    "lists.open.bot": "Army list of seat {seat}",
    "lists.none": "no army list yet",
    "lists.bring": "Play with this list",
    "lists.code": "Code of a list",
    "lists.read": "Read code",
    "lists.copy": "Copy code",
    "lists.name": "Name to keep it by",
    "lists.keep": "Keep",
    "lists.kept": "Kept as {name}.",
    "lists.not_kept": "The list cannot be kept: {why}",
    "lists.not_read": "That list cannot be read: {why}",
    "lists.load": "Load {name}",
    "lists.close": "Back",
    "lists.waiting": "The server is asked for the form.",
    "lists.more": "{label}: more{place}",
    "lists.fewer": "{label}: fewer{place}",
    "lists.row": "{label}{place}",
    "lists.place": ", row {row}",
    "lists.faults": "{first} And {more} more.",
    "lists.keys": (
        "Up, Down, Page Up, Page Down: another row. Right, Left: more, fewer, the next. Tab: the other side. "
        "Enter: play with it."
    ),
    "lists.yes": "yes",
    "lists.no": "no",
}
