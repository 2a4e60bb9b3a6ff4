-- Takes the next place in the order in which the pushes of a repository are taken in.
--
-- KEYS: sorted set of the places; counter.
-- Arguments: receivedAt, of the push; now; keepMs, how long the places are kept; all in milliseconds.
-- Answers the place.
local args = cjson.decode(ARGV[1])

local place = string.format('%016d %.0f', redis.call('INCR', KEYS[2]), args.now)
redis.call('ZADD', KEYS[1], args.receivedAt, place)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, args.keepMs) end
return {place}
