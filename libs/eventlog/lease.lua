#!lua
-- Ownership of a shard: a lease with a growing epoch, by the server's clock.
--
-- The epoch is the safety (append.lua refuses a stale one), the lease is only for liveness: an owner whose lease has
-- run out may still append until somebody else takes the shard.
--
-- KEYS  1 meta
-- ARGV  1 verb, then: acquire owner lease_ms longest_ms replicas | renew epoch lease_ms | release epoch | attempt epoch entry

local meta, verb = KEYS[1], ARGV[1]

local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function int(number)
  return string.format('%d', number)
end

local stored = redis.call('HMGET', meta, 'owner', 'epoch', 'lease_until_ms', 'attempt_entry', 'attempt_count')
local owner, epoch = stored[1] or '', stored[2] or '0'

if verb == 'acquire' then
  local now = now_ms()
  local left = tonumber(stored[3] or '0') - now
  -- A lease that would last longer than any may was given before this clock was set back.
  local holds = left > 0 and left <= tonumber(ARGV[4])
  if owner ~= '' and owner ~= ARGV[2] and holds then return {'HELD', owner, int(left)} end
  local next_epoch = int(tonumber(epoch) + 1)
  local until_ms = int(now + tonumber(ARGV[3]))
  redis.call('HSET', meta, 'owner', ARGV[2], 'epoch', next_epoch, 'lease_until_ms', until_ms)
  -- Whoever waits for no replica keeps no mark either, and readers must not wait at one of before.
  if ARGV[5] == '0' then redis.call('HDEL', meta, 'confirmed', 'touched') end
  return {'OWNED', next_epoch, owner == '' and '1' or '0', redis.call('HGETALL', meta)}
end

if epoch ~= ARGV[2] or owner == '' then return {'FENCED', epoch} end

if verb == 'renew' then
  redis.call('HSET', meta, 'lease_until_ms', int(now_ms() + tonumber(ARGV[3])))
  return {'DONE'}
end

if verb == 'release' then
  -- The epoch grows, so that an append of the old owner that is still on its way is refused.
  redis.call('HSET', meta, 'owner', '', 'epoch', int(tonumber(epoch) + 1), 'lease_until_ms', '0')
  return {'DONE'}
end

if verb == 'attempt' then
  local count = 1
  if stored[4] == ARGV[3] then count = tonumber(stored[5] or '0') + 1 end
  redis.call('HSET', meta, 'attempt_entry', ARGV[3], 'attempt_count', int(count))
  return {'DONE', int(count)}
end

error('lease.lua does not know ' .. verb)
