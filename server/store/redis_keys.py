"""Where things lie in Redis, and the scripts that change them. All keys of a match share one hash slot.

    eschaton:match:{NAME}:owner     hash: counter, nonce; deleted: by which call
    eschaton:match:{NAME}:log       stream: entry N-0 is step N, with fields cause and step
    eschaton:match:{NAME}:causes    hash: cause -> version
    eschaton:match:{NAME}:sealed    hash: SEAT:QUESTION -> cause and answer
    eschaton:match:{NAME}:snapshot  hash: version, data
    eschaton:record:{records}:KIND  hash: key -> data

NAME and KIND are percent-encoded. Every script may be run again with the same arguments by one who does not know
whether it was run: it then changes nothing and answers as before.
"""

from functools import lru_cache
from typing import Final
from urllib.parse import quote, unquote_to_bytes

MOST_MATCHES: Final = 1_000
"""Whose keys are remembered: each step of a match asks for them."""
MATCHES: Final = "eschaton:match:{*}:log"
RECORDS: Final = "eschaton:record:{records}:"

OPEN: Final = """#!lua
-- keys: owner; arguments: nonce
if redis.call('HGET', KEYS[1], 'nonce') == ARGV[1] then
    return tonumber(redis.call('HGET', KEYS[1], 'counter'))
end
redis.call('HSET', KEYS[1], 'nonce', ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'counter', 1)
"""

APPEND: Final = """#!lua
-- keys: owner, log, causes, sealed; arguments: counter, nonce, cause, expected, step, 1 where asked again, [closes]
local owner = redis.call('HMGET', KEYS[1], 'counter', 'nonce')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
    return {'fenced', tonumber(owner[1] or 0)}
end
local expected = tonumber(ARGV[4])
local made = redis.call('HGET', KEYS[3], ARGV[3])
if made then
    made = tonumber(made)
    if ARGV[6] == '1' and made == expected + 1 then
        local entry = redis.call('XRANGE', KEYS[2], made .. '-0', made .. '-0')[1][2]
        if entry[4] == ARGV[5] then
            return {'appended', made}
        end
    end
    return {'duplicate', made}
end
local head = redis.call('XLEN', KEYS[2])
if head ~= expected then
    return {'conflict', head}
end
redis.call('XADD', KEYS[2], (head + 1) .. '-0', 'cause', ARGV[3], 'step', ARGV[5])
redis.call('HSET', KEYS[3], ARGV[3], head + 1)
if ARGV[7] then
    for _, place in ipairs(redis.call('HKEYS', KEYS[4])) do
        if string.sub(place, string.find(place, ':', 1, true) + 1) == ARGV[7] then
            redis.call('HDEL', KEYS[4], place)
        end
    end
end
return {'appended', head + 1}
"""

SEAL: Final = """#!lua
-- keys: owner, sealed; arguments: counter, nonce, SEAT:QUESTION, cause and answer
local owner = redis.call('HMGET', KEYS[1], 'counter', 'nonce')
if owner[1] ~= ARGV[1] or owner[2] ~= ARGV[2] then
    return {'fenced', tonumber(owner[1] or 0)}
end
local kept = redis.call('HGET', KEYS[2], ARGV[3])
if not kept then
    redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
elseif kept ~= ARGV[4] then
    return {'taken', 0}
end
return {'sealed', 0}
"""

SNAPSHOT: Final = """#!lua
-- keys: owner, log, snapshot; arguments: version, data
local version = tonumber(ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 or version > redis.call('XLEN', KEYS[2]) then
    return 0
end
if version < tonumber(redis.call('HGET', KEYS[3], 'version') or 0) then
    return 0
end
redis.call('HSET', KEYS[3], 'version', version, 'data', ARGV[2])
return 1
"""

DELETE: Final = """#!lua
-- keys: owner, log, causes, sealed, snapshot; arguments: nonce
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HGET', KEYS[1], 'deleted') ~= ARGV[1] then
    redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
    redis.call('HSET', KEYS[1], 'nonce', ARGV[1], 'deleted', ARGV[1])
    redis.call('HINCRBY', KEYS[1], 'counter', 1)
end
return 1
"""

PUT: Final = """#!lua
-- keys: one hash a record; arguments: key and data of each
for number, hash in ipairs(KEYS) do
    redis.call('HSET', hash, ARGV[2 * number - 1], ARGV[2 * number])
end
return 1
"""

SCRIPTS: Final = (OPEN, APPEND, SEAL, SNAPSHOT, DELETE, PUT)


@lru_cache(MOST_MATCHES)
def of_match(match: str, *parts: str) -> tuple[str, ...]:
    """The keys of these parts of a match."""
    return tuple(f"eschaton:match:{{{quote(match, safe='')}}}:{part}" for part in parts)


def of_kind(kind: str) -> str:
    """The hash that holds the records of a kind."""
    return RECORDS + quote(kind, safe="")


def match_of(key: bytes) -> str:
    """The match that this log belongs to."""
    return unquote_to_bytes(key[key.index(b"{") + 1 : key.rindex(b"}")]).decode()


def kind_of(key: bytes) -> str:
    """The kind whose records this hash holds."""
    return unquote_to_bytes(key.removeprefix(RECORDS.encode())).decode()
