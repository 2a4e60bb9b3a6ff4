-- Lets one worker ask about an environment whose time has come. Every question has a number: an answer never replaces
-- that of a later question, and none counts that was asked before a change of the worker's own.
--
-- KEYS: record of the environment; sorted set of when each is to be asked about.
-- Arguments: name, of the environment; now; forMs, that the question may take; keepMs, of the record.
-- Answers the number, or '' where the time has not come or another worker has it.
local args = cjson.decode(ARGV[1])

local due = redis.call('ZSCORE', KEYS[2], args.name)
if not due or tonumber(due) > args.now then return {''} end
redis.call('ZADD', KEYS[2], args.now + args.forMs, args.name)
local number = redis.call('HINCRBY', KEYS[1], 'asked', 1)
redis.call('PEXPIRE', KEYS[1], args.keepMs)
return {number}
