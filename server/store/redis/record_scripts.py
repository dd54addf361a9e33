"""Lua scripts for records, lines and due times, to be run and run again as those of `server.store.redis.scripts`.

Calls that change records are many at once: the answers of the last MEMORY of them are kept by nonce, more than can be
on their way. Of calls that change one list of lines or one set of due times, one is on its way at a time.
"""

from __future__ import annotations

from typing import Final

from server.store.port import KEPT_CHANGES
from server.store.redis.scripts import HELD, NOW

MEMORY: Final = 1_000
"""Answers that are kept: twice as many as there are commands in a batch."""
SWEPT: Final = 16
"""Expired records that are forgotten with every batch, beside as many as it puts; their data has gone by itself."""

_PLACES: Final = """
local function place(part, kind)
    return 'eschaton:' .. part .. ':{records}:' .. kind
end
local function passing(kind, key)
    -- percent-encoded, as urllib.parse.quote does
    return place('passing', kind) .. ':' .. string.gsub(key, '[^%w_.~-]', function(letter)
        return string.format('%%%02X', string.byte(letter))
    end)
end
local function data_of(kind, key)
    return redis.call('HGET', place('record', kind), key) or redis.call('GET', passing(kind, key))
end
local function form_of(kind, key)
    -- version and schema, zeros where there is no such record
    if redis.call('HEXISTS', place('record', kind), key) == 0 and redis.call('EXISTS', passing(kind, key)) == 0 then
        return 0, 0
    end
    local version, schema = string.match(redis.call('HGET', place('form', kind), key) or '1 1', '(%d+) (%d+)')
    return tonumber(version), tonumber(schema)
end
"""

_CHANGING: Final = f"""
-- keys: asked, answers, ends, numbers, holder; the last argument but one: nonce of the call
local nonce = ARGV[#ARGV - 1]
local before = redis.call('HGET', KEYS[2], nonce)
if before then
    return cmsgpack.unpack(before)
end
local function answered(answer)
    redis.call('HSET', KEYS[2], nonce, cmsgpack.pack(answer))
    if redis.call('LPUSH', KEYS[1], nonce) > {MEMORY} then
        redis.call('HDEL', KEYS[2], redis.call('RPOP', KEYS[1]))
    end
    return answer
end
local function ordered(kind)
    -- a kind of layout 1 has no order
    if redis.call('EXISTS', place('order', kind)) == 0 then
        for _, key in ipairs(redis.call('HKEYS', place('record', kind))) do
            redis.call('ZADD', place('order', kind), 0, key)
        end
    end
end
local function changed(kind, key)
    local number = tonumber(redis.call('HGET', KEYS[4], kind) or 1) + 1
    redis.call('HSET', KEYS[4], kind, number)
    redis.call('XADD', place('change', kind), 'MAXLEN', {KEPT_CHANGES}, number .. '-0', 'key', key)
    return number
end
"""

PUT: Final = (
    HELD
    + NOW
    + _PLACES
    + _CHANGING
    + f"""
-- arguments: kind, key, data, expected version or -1, schema, milliseconds or 0 of each record; nonces of call, holder
-- answers {{'put', version of each}}, {{'conflict', number of the record, version}} or {{'newer', number, schema}}
local count = (#ARGV - 2) / 6
for number = 1, count do
    local at = 6 * (number - 1)
    local version, schema = form_of(ARGV[at + 1], ARGV[at + 2])
    if schema > tonumber(ARGV[at + 5]) then
        return {{'newer', number - 1, schema}}
    end
    local expected = tonumber(ARGV[at + 4])
    if expected >= 0 and expected ~= version then
        return {{'conflict', number - 1, version}}
    end
end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, {SWEPT} + count)) do
    local split = string.find(gone, ':', 1, true)
    local kind, key = string.sub(gone, 1, split - 1), string.sub(gone, split + 1)
    redis.call('ZREM', KEYS[3], gone)
    redis.call('ZREM', place('order', kind), key)
    redis.call('HDEL', place('form', kind), key)
    redis.call('DEL', passing(kind, key))
end
local versions = {{'put'}}
for number = 1, count do
    local at = 6 * (number - 1)
    local kind, key, data, milliseconds = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 6])
    ordered(kind)
    local version = changed(kind, key)
    if milliseconds > 0 then
        redis.call('HDEL', place('record', kind), key)
        redis.call('SET', passing(kind, key), data, 'PX', milliseconds)
        redis.call('ZADD', KEYS[3], now + milliseconds, kind .. ':' .. key)
    else
        redis.call('HSET', place('record', kind), key, data)
        redis.call('DEL', passing(kind, key))
        redis.call('ZREM', KEYS[3], kind .. ':' .. key)
    end
    redis.call('HSET', place('form', kind), key, version .. ' ' .. ARGV[at + 5])
    redis.call('ZADD', place('order', kind), 0, key)
    versions[number + 1] = version
end
return answered(versions)
"""
)

DROP: Final = (
    HELD
    + _PLACES
    + _CHANGING
    + """
-- arguments: kind, key, schema, nonce, nonce of the holder; answers 0, or the schema that is there where it is newer
local kind, key = ARGV[1], ARGV[2]
local version, schema = form_of(kind, key)
if schema > tonumber(ARGV[3]) then
    return schema
end
if version > 0 then
    ordered(kind)
    changed(kind, key)
    redis.call('HDEL', place('record', kind), key)
    redis.call('DEL', passing(kind, key))
    redis.call('ZREM', KEYS[3], kind .. ':' .. key)
    redis.call('HDEL', place('form', kind), key)
    redis.call('ZREM', place('order', kind), key)
end
return answered(0)
"""
)

UPDATE: Final = (
    HELD
    + _PLACES
    + """
-- keys: order, holder; arguments: kind, nonce of the holder; answers how many records of layout 1 were put in order
if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
end
local keys = redis.call('HKEYS', place('record', ARGV[1]))
for _, key in ipairs(keys) do
    redis.call('ZADD', KEYS[1], 0, key)
end
return #keys
"""
)

UPDATED: Final = (
    HELD
    + """
-- keys: layout, holder; arguments: its number, nonce of the holder
redis.call('SET', KEYS[1], ARGV[1])
return 1
"""
)

FIND: Final = (
    "#!lua flags=no-writes"
    + _PLACES
    + """
-- arguments: kind, key; answers data, version, schema
local data = data_of(ARGV[1], ARGV[2])
return data and {data, form_of(ARGV[1], ARGV[2])}
"""
)

LIST: Final = (
    "#!lua flags=no-writes"
    + _PLACES
    + """
-- arguments: kind, the key before with '(', or '-', limit
-- answers key, data, version and schema of each; 0 where the kind is of layout 1 and has no order
local kind, low, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('EXISTS', place('order', kind)) == 0 then
    return redis.call('EXISTS', place('record', kind)) == 0 and {} or 0
end
local found = {}
while #found < 4 * limit do
    local keys = redis.call('ZRANGEBYLEX', place('order', kind), low, '+', 'LIMIT', 0, limit - #found / 4)
    if #keys == 0 then
        break
    end
    for _, key in ipairs(keys) do
        local data = data_of(kind, key)
        if data then
            local version, schema = form_of(kind, key)
            for _, part in ipairs({key, data, version, schema}) do
                found[#found + 1] = part
            end
        end
    end
    low = '(' .. keys[#keys]
end
return found
"""
)

CHANGES: Final = (
    "#!lua flags=no-writes"
    + _PLACES
    + """
-- keys: numbers; arguments: kind, after, limit; answers {last} where some are missing, else {last, changes}
local last, after = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 1), tonumber(ARGV[2])
if after == last then
    return {last, {}}
end
local found = redis.call('XRANGE', place('change', ARGV[1]), (after + 1) .. '-0', '+', 'COUNT', ARGV[3])
if found[1] and found[1][1] == (after + 1) .. '-0' then
    return {last, found}
end
return {last}
"""
)

LINE: Final = (
    HELD
    + """
-- keys: lines, holder; arguments: line, how many are kept, nonce, nonce of the holder
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local number = newest and tonumber(string.match(newest[1], '%d+')) or 0
if newest and newest[2][4] == ARGV[3] then
    return number
end
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[2], (number + 1) .. '-0', 'line', ARGV[1], 'nonce', ARGV[3])
return number + 1
"""
)

DROP_LINES: Final = (
    HELD
    + """
-- keys: lines, holder; arguments: nonce of the holder
return redis.call('DEL', KEYS[1])
"""
)

DUE: Final = (
    HELD
    + """
-- keys: due times, holder; arguments: time and key of each, nonce of the holder
for at = 1, #ARGV - 1, 2 do
    redis.call('ZADD', KEYS[1], ARGV[at], ARGV[at + 1])
end
return 1
"""
)

DROP_DUE: Final = (
    HELD
    + """
-- keys: due times, holder; arguments: key, nonce of the holder
return redis.call('ZREM', KEYS[1], ARGV[1])
"""
)

TAKE: Final = (
    HELD
    + """
-- keys: due times, taken, holder; arguments: latest time, how many, nonce, nonce of the holder
if redis.call('LINDEX', KEYS[2], 0) == ARGV[3] then
    return redis.call('LRANGE', KEYS[2], 1, -1)
end
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
if #found > 0 then
    redis.call('DEL', KEYS[2])
    redis.call('RPUSH', KEYS[2], ARGV[3], unpack(found))
    for at = 1, #found, 2 do
        redis.call('ZREM', KEYS[1], found[at])
    end
end
return found
"""
)

RECORD_SCRIPTS: Final = (PUT, DROP, UPDATE, UPDATED, FIND, LIST, CHANGES, LINE, DROP_LINES, DUE, DROP_DUE, TAKE)
