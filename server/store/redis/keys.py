"""Names of the keys in Redis under which a store's data lie. All keys of a match share one hash slot.

    eschaton:match:{NAME}:owner     hash: counter, nonce; deleted: by which call
    eschaton:match:{NAME}:log       stream: entry N-0 is step N, with fields cause and step
    eschaton:match:{NAME}:causes    hash: cause -> version
    eschaton:match:{NAME}:sealed    hash: SEAT:QUESTION -> cause and answer
    eschaton:match:{NAME}:snapshot  hash: version, data
    eschaton:record:{records}:KIND  hash: key -> data, of records that stay
    eschaton:passing:{records}:KIND:KEY  string: data of a record that expires
    eschaton:form:{records}:KIND    hash: key -> version and schema; "1 1" where there is none
    eschaton:order:{records}:KIND   sorted set: keys; those of expired records until they are swept
    eschaton:change:{records}:KIND  stream: entry N-0 is change N, with the field key
    eschaton:ends:{records}         sorted set: KIND:KEY of records that expire, by milliseconds of Redis' clock
    eschaton:number:{records}       hash: KIND -> number of its last change; 1 where there is none
    eschaton:asked:{records}        list: nonces of the last calls that changed records, newest first
    eschaton:answer:{records}       hash: such a nonce -> the answer
    eschaton:line:{NAME}            stream: entry N-0 is line N, with fields line and nonce of the call
    eschaton:due:{NAME}             sorted set: key, by its time
    eschaton:taken:{NAME}           list: nonce of the last taking, then key and time of all that it took
    eschaton:layout                 number of this layout: 2. Of layout 1 are matches, records that stay, and the holder
    eschaton:replicated             string: written at connecting where a replica is waited for; nobody reads it
    eschaton:holder                 hash: nonce of the start of a server, folder, beat (milliseconds of Redis' clock)

NAME, KIND and KEY are percent-encoded.
"""

from typing import Final
from urllib.parse import quote, unquote_to_bytes

from protocol.ids import MatchId

MATCHES: Final = "eschaton:match:{*}:log"
RECORDS: Final = "eschaton:record:{records}:"
ORDER: Final = "eschaton:order:{records}:"
ENDS: Final = "eschaton:ends:{records}"
NUMBERS: Final = "eschaton:number:{records}"
ASKED: Final = "eschaton:asked:{records}"
ANSWERS: Final = "eschaton:answer:{records}"
LAYOUT: Final = "eschaton:layout"
LAYOUT_NUMBER: Final = 2
HOLDER: Final = "eschaton:holder"
REPLICATED: Final = "eschaton:replicated"


def of_match(match: MatchId, *parts: str) -> tuple[str, ...]:
    """Return the keys of these parts of a match."""
    return tuple(f"eschaton:match:{{{quote(match, safe='')}}}:{part}" for part in parts)


def quoted(name: str) -> str:
    """Return a kind or a key as it stands in names of keys in Redis."""
    return quote(name, safe="")


def of_lines(name: str) -> str:
    """Return the key of a list of lines."""
    return f"eschaton:line:{{{quoted(name)}}}"


def of_due(name: str) -> tuple[str, str]:
    """Return the keys of a set of due times and of what was last taken out of it."""
    return f"eschaton:due:{{{quoted(name)}}}", f"eschaton:taken:{{{quoted(name)}}}"


def match_named(key: bytes) -> MatchId:
    """Return the name of the match that the log under this key belongs to."""
    return MatchId(unquote_to_bytes(key[key.index(b"{") + 1 : key.rindex(b"}")]).decode())


def kind_of(key: bytes) -> str:
    """Return the kind that a key of its own belongs to."""
    return unquote_to_bytes(key.rpartition(b":")[2]).decode()
