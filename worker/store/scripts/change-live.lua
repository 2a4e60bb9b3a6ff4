-- An environment was changed: what was asked before no longer counts, and it is to be asked about at once.
--
-- KEYS: record of the environment; sorted set of when each is to be asked about.
-- Arguments: name, of the environment; brought, where a lane changed it: its lane and the version; keepMs, of the record.
-- Answers nothing of use.
local args = cjson.decode(ARGV[1])

local K, brought = KEYS[1], args.brought
redis.call('HSET', K, 'changed', redis.call('HINCRBY', K, 'asked', 1))
if brought then redis.call('HSET', K, 'broughtBy', brought.lane, 'brought', brought.version) end
redis.call('ZADD', KEYS[2], 0, args.name)
redis.call('PEXPIRE', K, args.keepMs)
return {'ok'}
