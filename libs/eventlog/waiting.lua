#!lua flags=no-writes
-- How many entries of an inbox come after a cursor. Few come before it: the inbox is trimmed behind the cursor.
--
-- KEYS  1 inbox
-- ARGV  1 cursor

return redis.call('XLEN', KEYS[1]) - #redis.call('XRANGE', KEYS[1], '-', ARGV[1])
