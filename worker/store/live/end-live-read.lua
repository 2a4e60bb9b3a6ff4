-- Ends a read of what is live in an environment: stores its answer, or lets another one read.
--
-- KEYS: record of the reads.
-- Arguments: number, of the read; version that is live, or ''; nothing if there is no answer.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

local K = KEYS[1]
local had = redis.call('HMGET', K, 'begun', 'answered')
if args.version and tonumber(had[2] or '0') < args.number then
  redis.call('HSET', K, 'answered', args.number, 'version', args.version)
end
if tonumber(had[1] or '0') == args.number then redis.call('HDEL', K, 'reader', 'until') end
return {'ok'}
