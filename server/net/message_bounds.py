"""The rates that each client message counts against (`Limits.rates`): message_bounds.toml, and docs/security.md.

All messages count against the sender's own token bucket first (protocol/wire/pacing.py), which is in no list here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from protocol.wire.from_client import FromClient
from protocol.words import read_toml

_BY_TAG: Final = read_toml(__package__, "message_bounds")
MESSAGE_BOUNDS: Final[Mapping[type[object], tuple[str, ...]]] = {
    kind: tuple(_BY_TAG[kind.__struct_config__.tag]) for kind in get_args(FromClient)
}
