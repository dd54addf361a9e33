"""The base of the messages of clients, and the bounded types of their fields.

The bounds are the outer ones; a bucket and the match decide the rest. They hold for what is decoded
(protocol/wire/codec.py), not for what a program of ours makes by hand: `codec.checked` says whether a server would take
that.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from protocol.ids import PromptId, Seq, TableId
from protocol.redaction import redacted_repr

PLAIN: Final = r"^[A-Za-z0-9_./:-]+\Z"
Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MOST_PASSWORD: Final = 128
Password = Annotated[str, Meta(min_length=1, max_length=MOST_PASSWORD)]
"""Password as it was typed: any characters."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
WireSeq = Annotated[Seq, Meta(ge=0, le=2**53)]
Coordinate = Annotated[int, Meta(ge=-(2**31), le=2**31)]
Language = Annotated[str, Meta(pattern=r"^[a-z]{2}\Z")]
SeatCount = Annotated[int, Meta(ge=1, le=16)]
QuickSeats = Annotated[int, Meta(ge=2, le=6)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
BotMilliseconds = Annotated[int, Meta(ge=300, le=5000)]
OptionNumber = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
OptionWord = Annotated[str, Meta(min_length=1, max_length=64)]
WireTableId = Annotated[TableId, Meta(min_length=1, max_length=64, pattern=PLAIN)]
Code = Annotated[str, Meta(max_length=16)]
Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
WirePromptId = Annotated[PromptId, Meta(max_length=64)]
Key = Id
"""Names of fields, nodes and options; refusals repeat them, so they are plain."""
MOST_WORDS: Final = 2048
PointValue = Annotated[list[Coordinate], Meta(min_length=2, max_length=2)]
Words = Annotated[str, Meta(max_length=MOST_WORDS)]
"""Typed words: cleaned as they are read (`cleaned`), before any rule system can show them to others."""
FieldValue = (
    Words
    | Coordinate
    | Annotated[list[Coordinate | Key], Meta(max_length=256)]
    # names here are plain, too: msgspec (0.22) takes a pattern beside a list for a type, and the interpreter crashes
    | Annotated[dict[Key, PointValue | Name], Meta(max_length=500)]
)
ListLines = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=250)]
Fields = Annotated[dict[Key, FieldValue], Meta(max_length=16)]
SECRET: Final = ("password", "old", "token", "code")
"""Fields left out where a message is printed: with them a reader could pass for its sender, or come in."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="t"):
    """Base of all messages from clients: no conversions, no unknown fields, immutable."""

    def __repr__(self) -> str:
        return redacted_repr(self, SECRET)
