-- Lets one worker poll an environment that is due. Every poll has a number: an answer never replaces the answer of a later
-- poll, and no answer counts whose poll began before a change by Millrace.
--
-- KEYS: record of the environment; sorted set of the environments by the time of their next poll.
-- Arguments: name, of the environment; now; forMs, that the poll may take; keepMs, of the record.
-- Answers the number, or '' if the environment is not due or another worker polls it.
local args = cjson.decode(ARGV[1])

local due = redis.call('ZSCORE', KEYS[2], args.name)
if not due or tonumber(due) > args.now then return {''} end
redis.call('ZADD', KEYS[2], args.now + args.forMs, args.name)
local number = redis.call('HINCRBY', KEYS[1], 'asked', 1)
redis.call('PEXPIRE', KEYS[1], args.keepMs)
return {number}
