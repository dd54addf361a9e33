"""Names of the keys in Redis under which a store's data lie. All keys of a match share one hash slot.

    eschaton:match:{NAME}:owner     hash: counter, nonce; deleted: by which call
    eschaton:match:{NAME}:log       stream: entry N-0 is step N, with fields cause and step
    eschaton:match:{NAME}:causes    hash: cause -> version
    eschaton:match:{NAME}:sealed    hash: SEAT:QUESTION -> cause and answer
    eschaton:match:{NAME}:snapshot  hash: version, data
    eschaton:record:{records}:KIND  hash: key -> data
    eschaton:holder                 hash: nonce of the start of a server, folder, beat (milliseconds of Redis' clock)

NAME and KIND are percent-encoded.
"""

from typing import Final
from urllib.parse import quote, unquote_to_bytes

from protocol.ids import MatchId

MATCHES: Final = "eschaton:match:{*}:log"
RECORDS: Final = "eschaton:record:{records}:"
HOLDER: Final = "eschaton:holder"


def of_match(match: MatchId, *parts: str) -> tuple[str, ...]:
    """Return the keys of these parts of a match."""
    return tuple(f"eschaton:match:{{{quote(match, safe='')}}}:{part}" for part in parts)


def of_kind(kind: str) -> str:
    """Return the key of the hash that holds the records of a kind."""
    return RECORDS + quote(kind, safe="")


def match_named(key: bytes) -> MatchId:
    """Return the name of the match that the log under this key belongs to."""
    return MatchId(unquote_to_bytes(key[key.index(b"{") + 1 : key.rindex(b"}")]).decode())


def kind_of(key: bytes) -> str:
    """Return the kind whose records the hash under this key holds."""
    return unquote_to_bytes(key.removeprefix(RECORDS.encode())).decode()
