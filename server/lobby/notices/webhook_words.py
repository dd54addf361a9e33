"""The words that go to webhooks: the name of a table and the link to it, and nothing else of anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.game_links import CODE_LENGTH, SCHEME, read_link
from protocol.text import Text
from protocol.text_format import format_text
from server.lobby.table.table_names import title_of
from server.runtime.refusals import Refused
from server.runtime.texts import ENGLISH

if TYPE_CHECKING:
    from server.lobby.table.table_record import TableRecord

MARKUP: Final = str.maketrans(dict.fromkeys("@<>&`*_~|[]()\\/#", " "))
"""Signs by which chat programs call everybody, make links and change letters: the owner of a table names it."""


def occasion_words(table: TableRecord, place: str, occasion: str) -> str:
    """Return the message of an occasion at a table; `place`: the server as its reader reaches it."""
    name = " ".join(title_of(table).translate(MARKUP).split())
    kind = occasion.partition(" ")[0]
    return format_text(Text(f"webhook.{kind}", {"table": name, "link": f"{SCHEME}://{place}/{table.code}"}), ENGLISH)


def trial_words() -> str:
    """Return the message by which people see that their webhook works."""
    return format_text(Text("webhook.trial"), ENGLISH)


def checked_place(words: str) -> str:
    """Return the host and port of a server as links have them. Raises Refused where these words are none."""
    link = read_link(f"{SCHEME}://{words}/{'A' * CODE_LENGTH}")
    if link is None:
        raise Refused("webhook/place")
    return link.place
