#!lua
-- Append a batch to a shard: everything, or nothing.
--
-- Scripts do not roll back: every check comes before the first write, and nothing after it can fail.
-- With the first line above, the server refuses the whole call beforehand when it may not write
-- (out of memory, read only, too few replicas), instead of at the first write.
--
-- KEYS  1 meta, 2 inbox, 3 feed, 4 parked, then one log per stream
-- ARGV  1 epoch, 2 cursor from, 3 cursor to, 4 entries kept on the feed, 5 entries kept as parked,
--       6 number of feed entries, 7 number of parked entries;
--       then per stream: its field in meta, expected head, new head, expected version, number of records;
--       then the records of all streams, the feed entries, the parked entries
-- Heads are texts "<version> <hash>". Reply: {word, …}; {'APPENDED', the last entry on the feed, if any is new}

local FIXED = 7
local PER_STREAM = 5
local GENESIS = '0 ' .. string.rep('0', 64)

local meta, inbox, feed, parked = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local epoch, cursor_from, cursor_to = ARGV[1], ARGV[2], ARGV[3]
local feed_limit, parked_limit = ARGV[4], ARGV[5]
local feed_count, parked_count = tonumber(ARGV[6]), tonumber(ARGV[7])
local streams = #KEYS - 4

-- Version of the last entry that a log has ever had, and of the last one that it has now.
local function tail(log)
  local info = redis.pcall('XINFO', 'STREAM', log)
  if info.err then
    if redis.call('EXISTS', log) == 0 then return '0-0', '0-0' end
    error(info.err)
  end
  local generated, last = '0-0', '0-0'
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then generated = info[i + 1] end
    if info[i] == 'last-entry' and info[i + 1] then last = info[i + 1][1] end
  end
  return generated, last
end

-- The id of the next feed entries: never of an earlier time than the commands handled by then, even when this clock
-- was set back.
local function next_on_feed()
  local time = redis.call('TIME')
  local handled_ms = tonumber(string.match(cursor_to, '^%d+'))
  if handled_ms <= tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) then return '*' end
  local last_ms = tonumber(string.match(tail(feed), '^%d+'))
  return string.format('%d-*', math.max(handled_ms, last_ms))
end

-- 1. Check.
local fields = {'epoch', 'cursor', 'attempt_entry'}
for s = 1, streams do
  fields[3 + s] = ARGV[FIXED + (s - 1) * PER_STREAM + 1]
end
local stored = redis.call('HMGET', meta, unpack(fields))

if stored[1] ~= epoch then return {'FENCED', stored[1] or '0'} end

local cursor = stored[2] or '0-0'
if cursor ~= cursor_from then return {'CURSOR', cursor} end

for s = 1, streams do
  local head = stored[3 + s] or GENESIS
  if head ~= ARGV[FIXED + (s - 1) * PER_STREAM + 2] then return {'CONFLICT', s, head} end
end

for s = 1, streams do
  local expected = string.format('%d-0', tonumber(ARGV[FIXED + (s - 1) * PER_STREAM + 4]))
  local generated, last = tail(KEYS[4 + s])
  -- A log may be empty because all of it is archived; its last generated id remains.
  if generated ~= expected or (last ~= expected and last ~= '0-0') then
    return {'BROKEN', s, last, generated}
  end
end

-- These fail when a key is of another type.
redis.call('XLEN', inbox)
redis.call('XLEN', feed)
redis.call('XLEN', parked)

local feed_id = feed_count > 0 and next_on_feed()
local told = ''

-- 2. Write.
local at = FIXED + streams * PER_STREAM
local changes = {}

for s = 1, streams do
  local base = FIXED + (s - 1) * PER_STREAM
  local version = tonumber(ARGV[base + 4])
  for i = 1, tonumber(ARGV[base + 5]) do
    redis.call('XADD', KEYS[4 + s], string.format('%d-0', version + i), 'e', ARGV[at + i])
  end
  at = at + tonumber(ARGV[base + 5])
  changes[#changes + 1] = ARGV[base + 1]
  changes[#changes + 1] = ARGV[base + 3]
end

for i = 1, feed_count do
  told = redis.call('XADD', feed, feed_id, 'f', ARGV[at + i])
end
at = at + feed_count
if feed_count > 0 then redis.call('XTRIM', feed, 'MAXLEN', '~', feed_limit) end

for i = 1, parked_count do
  redis.call('XADD', parked, '*', 'p', ARGV[at + i])
end
if parked_count > 0 then redis.call('XTRIM', parked, 'MAXLEN', '~', parked_limit) end

if cursor_to ~= cursor_from then
  changes[#changes + 1] = 'cursor'
  changes[#changes + 1] = cursor_to
  if stored[3] and stored[3] ~= '' then
    redis.call('HDEL', meta, 'attempt_entry', 'attempt_count')
  end
  redis.call('XTRIM', inbox, 'MINID', '~', cursor_to)
end

if #changes > 0 then redis.call('HSET', meta, unpack(changes)) end
return {'APPENDED', told}
