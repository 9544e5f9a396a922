#!lua
-- The keys of persons: the only thing of the register that is ever deleted. Harmless when called twice.
--
-- KEYS  1 keys (a hash: pseudonym -> "<imprint> <locked key>"), 2 index (a hash: imprint -> pseudonym; and "fingerprint")
-- ARGV  1 verb, then: claim imprint pseudonym locked | find imprint | fetch pseudonym | replace pseudonym old new
--       | destroy pseudonym | fingerprint text

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

if verb == 'fingerprint' then
  redis.call('HSETNX', index, 'fingerprint', ARGV[2])
  return {redis.call('HGET', index, 'fingerprint')}
end

local value = redis.call('HGET', keys, ARGV[2])
if not value then return {false} end
local imprint, locked = split(value)

if verb == 'fetch' then return {locked} end

if verb == 'replace' then
  if locked ~= ARGV[3] then return {false} end
  redis.call('HSET', keys, ARGV[2], imprint .. ' ' .. ARGV[4])
  return {ARGV[4]}
end

if verb == 'destroy' then
  if redis.call('HGET', index, imprint) == ARGV[2] then redis.call('HDEL', index, imprint) end
  redis.call('HDEL', keys, ARGV[2])
  return {locked}
end

error('person_keys.lua does not know ' .. verb)
