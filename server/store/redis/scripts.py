"""Lua scripts: every change that the store makes in Redis to matches, and to its lease, is one. APPEND stores a step.

A script may be run again with the same arguments by a caller who does not know whether it was run: it then changes
nothing and answers as before.

A script that changes something names the holder as its last key, and as its last argument the nonce that must
stand there: a server that has lost the database, perhaps without knowing, changes nothing any more, and neither does
one whose record is gone. An empty nonce is not compared: that of a command which holds nothing, and only reads.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

HELD: Final = """#!lua
if ARGV[#ARGV] ~= '' and redis.call('HGET', KEYS[#KEYS], 'nonce') ~= ARGV[#ARGV] then
    return redis.error_reply('HELD by another server')
end
"""
NOW: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

HOLD: Final = (
    "#!lua"
    + NOW
    + """
-- keys: holder; arguments: folder, milliseconds of silence after which it is free, nonce
-- answers 0 where it is held by this nonce now, else the milliseconds until it would be free
local held = redis.call('HMGET', KEYS[1], 'nonce', 'folder', 'beat')
if held[1] and held[1] ~= ARGV[3] and held[2] ~= ARGV[1] then
    local silent = now - tonumber(held[3])
    if silent < 0 then
        -- the clock of Redis has been set back
        redis.call('HSET', KEYS[1], 'beat', string.format('%d', now))
        silent = 0
    end
    if silent < tonumber(ARGV[2]) then
        return tonumber(ARGV[2]) - silent
    end
end
redis.call('HSET', KEYS[1], 'nonce', ARGV[3], 'folder', ARGV[1], 'beat', string.format('%d', now))
return 0
"""
)

BEAT: Final = (
    HELD
    + NOW
    + """
-- keys: holder; arguments: nonce
redis.call('HSET', KEYS[1], 'beat', string.format('%d', now))
return 1
"""
)

FREE: Final = (
    HELD
    + """
-- keys: holder; arguments: nonce. The nonce stays: a former holder that wakes up must not find an empty record
redis.call('HSET', KEYS[1], 'beat', 0)
return 1
"""
)

OPEN: Final = (
    HELD
    + """
-- keys: owner, holder; arguments: nonce, nonce of the holder
if redis.call('HGET', KEYS[1], 'nonce') == ARGV[1] then
    return tonumber(redis.call('HGET', KEYS[1], 'counter'))
end
redis.call('HSET', KEYS[1], 'nonce', ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'counter', 1)
"""
)

APPEND: Final = (
    HELD
    + """
-- keys: owner, log, causes, sealed, holder
-- arguments: counter, nonce, cause, expected, step, 1 where asked again, [closes], nonce of the holder
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
if #ARGV > 7 then
    for _, place in ipairs(redis.call('HKEYS', KEYS[4])) do
        if string.sub(place, string.find(place, ':', 1, true) + 1) == ARGV[7] then
            redis.call('HDEL', KEYS[4], place)
        end
    end
end
return {'appended', head + 1}
"""
)

SEAL: Final = (
    HELD
    + """
-- keys: owner, sealed, holder; arguments: counter, nonce, SEAT:QUESTION, cause and answer, nonce of the holder
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
)

SNAPSHOT: Final = (
    HELD
    + """
-- keys: owner, log, snapshot, holder; arguments: version, data, nonce of the holder
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
)

DELETE: Final = (
    HELD
    + """
-- keys: owner, log, causes, sealed, snapshot, holder; arguments: nonce, nonce of the holder
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HGET', KEYS[1], 'deleted') ~= ARGV[1] then
    redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
    redis.call('HSET', KEYS[1], 'nonce', ARGV[1], 'deleted', ARGV[1])
    redis.call('HINCRBY', KEYS[1], 'counter', 1)
end
return 1
"""
)

SCRIPTS: Final = (HOLD, BEAT, FREE, OPEN, APPEND, SEAL, SNAPSHOT, DELETE)


@cache
def digest(script: str) -> str:
    """Return the name by which EVALSHA knows a script: its SHA-1 in hex."""
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
