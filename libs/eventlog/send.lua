#!lua
-- Put commands on an inbox, in order. One reply for all: each one costs the sender more than its command.
--
-- KEYS  1 inbox
-- ARGV  commands

for i = 1, #ARGV do
  redis.call('XADD', KEYS[1], '*', 'c', ARGV[i])
end
return #ARGV
