"""Previews: the table of a scenario before anybody has set it up, as anybody may see it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from protocol.ids import NodeId
from protocol.text import Text
from protocol.wire.choices import OptionValue
from protocol.wire.client_message import Id, Message, OptionNumber, OptionWord
from protocol.wire.server_message import ServerMessage


class GetPreview(Message, frozen=True, tag="get_preview"):
    """Request for the table of a scenario with these options of its rules, by key; those that are not given are at
    their default. `known`: the hash of the preview of it that the sender has already."""

    system: Id
    scenario: Id
    options: Annotated[dict[Id, bool | OptionNumber | OptionWord], Meta(max_length=32)] = msgspec.field(
        default_factory=dict
    )
    known: Id | None = None


class Preview(ServerMessage, frozen=True, tag="preview"):
    """Answer to GetPreview, with what was asked for. `nodes`: board, terrain, marked areas and seats, as in a Snapshot;
    empty where `hash`, which names them, was `known`. `left_out`: pieces of terrain that the dice are yet to lay.
    `code`, `text`: why there is no preview."""

    system: str
    scenario: str
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    hash: str = ""
    nodes: dict[NodeId, dict[str, object]] = msgspec.field(default_factory=dict)
    left_out: int = 0
    code: str = ""
    text: Text | None = None
