#!lua
-- The living processes of a service: note that one lives on (ttl above 0) or stops (ttl 0), return all that live.
--
-- KEYS  1 a sorted set: name, end of life in ms of the server's clock
-- ARGV  1 member, 2 ttl_ms, 3 longest ttl of any member

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ttl = tonumber(ARGV[2])

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now))
-- Whoever would live longer than anybody may has been noted before this clock was set back.
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%d', now + tonumber(ARGV[3])), '+inf')
if ttl > 0 then
  redis.call('ZADD', KEYS[1], string.format('%d', now + ttl), ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return redis.call('ZRANGE', KEYS[1], 0, -1)
