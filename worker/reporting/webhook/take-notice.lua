-- Takes a notification that is due; no other worker gets it before `leaseUntil`.
--
-- KEYS: sorted set of the notifications by due time; hash of the attempts.
-- Arguments: now; leaseUntil; both in milliseconds since the epoch.
-- Answers the id and how often it has been taken; '' if none is due.
local args = cjson.decode(ARGV[1])

local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', args.now, 'LIMIT', 0, 1)
if not due[1] then return {''} end
redis.call('ZADD', KEYS[1], args.leaseUntil, due[1])
return {due[1], redis.call('HINCRBY', KEYS[2], due[1], 1)}
