#!lua
-- The keys of persons: the only thing of the register that is ever deleted. Harmless when called twice.
--
-- KEYS  1 keys (a hash: pseudonym -> "<imprint>[,<imprint>] <locked key>"),
--       2 index (a hash: imprint -> pseudonym; and "fingerprint", "touched")
-- ARGV  1 verb, then: claim imprint pseudonym locked | find imprint | fetch pseudonym | replace pseudonym old new
--       | join pseudonym imprint | settle pseudonym imprint | destroy pseudonym | fingerprint text | touch

local keys, index, verb = KEYS[1], KEYS[2], ARGV[1]

local function split(value)
  local at = string.find(value, ' ', 1, true)
  return string.sub(value, 1, at - 1), string.sub(value, at + 1)
end

if verb == 'claim' then
  local player = redis.call('HGET', index, ARGV[2])
  if player then
    local value = redis.call('HGET', keys, player)
    if not value then return {'LOST', player} end
    local _, locked = split(value)
    return {'KNOWN', player, locked}
  end
  if redis.call('HEXISTS', keys, ARGV[3]) == 1 then return {'TAKEN'} end
  redis.call('HSET', keys, ARGV[3], ARGV[2] .. ' ' .. ARGV[4])
  redis.call('HSET', index, ARGV[2], ARGV[3])
  return {'NEW', ARGV[3], ARGV[4]}
end

if verb == 'find' then return {redis.call('HGET', index, ARGV[2])} end

-- A replica that has this has all that was written before.
if verb == 'touch' then
  redis.call('HSET', index, 'touched', '1')
  return {}
end

if verb == 'fingerprint' then
  redis.call('HSETNX', index, 'fingerprint', ARGV[2])
  return {redis.call('HGET', index, 'fingerprint')}
end

local value = redis.call('HGET', keys, ARGV[2])
if not value then return {false} end
local imprints, locked = split(value)

-- Take the person's imprints out of the index, but for one.
local function drop(kept)
  for imprint in string.gmatch(imprints, '[^,]+') do
    if imprint ~= kept and redis.call('HGET', index, imprint) == ARGV[2] then redis.call('HDEL', index, imprint) end
  end
end

if verb == 'fetch' then return {locked} end

if verb == 'replace' then
  if locked ~= ARGV[3] then return {false} end
  redis.call('HSET', keys, ARGV[2], imprints .. ' ' .. ARGV[4])
  return {ARGV[4]}
end

if verb == 'join' then
  local known = redis.call('HGET', index, ARGV[3])
  if known then return {known} end
  -- The person's latest imprint and this one: one that was joined and never settled makes room.
  local first = string.match(imprints, '[^,]+')
  drop(first)
  redis.call('HSET', keys, ARGV[2], first .. ',' .. ARGV[3] .. ' ' .. locked)
  redis.call('HSET', index, ARGV[3], ARGV[2])
  return {ARGV[2]}
end

if verb == 'settle' then
  local kept = ARGV[3]
  if kept == '' then kept = string.match(imprints, '[^,]+') end
  if redis.call('HGET', index, kept) ~= ARGV[2] then return {false} end
  drop(kept)
  redis.call('HSET', keys, ARGV[2], kept .. ' ' .. locked)
  return {locked}
end

if verb == 'destroy' then
  drop('')
  redis.call('HDEL', keys, ARGV[2])
  return {locked}
end

error('person_keys.lua does not know ' .. verb)
