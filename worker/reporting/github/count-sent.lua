-- Counts an update of which GitHub keeps a limited number.
--
-- KEYS: the number.
-- Arguments: keepSeconds, from now on.
-- Answers the number.
local args = cjson.decode(ARGV[1])
local count = redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {count}
