-- Millrace changed an environment: answers to earlier polls no longer count, and it is polled again at once.
--
-- KEYS: record of the environment; sorted set of the environments by the time of their next poll.
-- Arguments: name, of the environment; brought, if a lane changed it: the lane and the version; keepMs, of the record.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

local K, brought = KEYS[1], args.brought
redis.call('HSET', K, 'changed', redis.call('HINCRBY', K, 'asked', 1))
if brought then redis.call('HSET', K, 'broughtBy', brought.lane, 'brought', brought.version) end
redis.call('ZADD', KEYS[2], 0, args.name)
redis.call('PEXPIRE', K, args.keepMs)
return {'ok'}
