#!lua
-- What a replica is known to have of a shard (durability `replicated`). Harmless when called twice.
--
-- WAIT tells of the writes of its own connection alone. `touch` is such a write: a replica that has it has all that was
-- written before it, by whatever connection. `mark` says up to which entry of the feed readers may go; the owner alone
-- says it.
--
-- KEYS  1 meta, 2 feed
-- ARGV  1 epoch, 2 verb: touch | mark, then of mark: 3 entry of the feed, 4 owner that must hold the epoch, or ''

local meta, feed = KEYS[1], KEYS[2]
local epoch, verb, entry, owner = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local function order(id)
  local time, number = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(time), tonumber(number)
end

local function is_later(one, other)
  local time, number = order(one)
  local other_time, other_number = order(other)
  return time > other_time or (time == other_time and number > other_number)
end

if verb == 'touch' then
  redis.call('HSET', meta, 'touched', epoch)
  local last = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)[1]
  return {'DONE', last and last[1] or '0-0'}
end

if verb == 'mark' then
  local stored = redis.call('HMGET', meta, 'epoch', 'confirmed', 'owner')
  -- Two servers may have given the same epoch to two owners, when the first was lost with it.
  if stored[1] ~= epoch or (owner ~= '' and stored[3] ~= owner) then return {'FENCED', stored[1] or '0'} end
  if not stored[2] or is_later(entry, stored[2]) then redis.call('HSET', meta, 'confirmed', entry) end
  return {'DONE'}
end

error('confirm.lua does not know ' .. verb)
