-- A poll of an environment found nothing out: the next poll is later. Each failure in a row doubles the wait.
--
-- KEYS: record of the environment; sorted set of the environments by the time of their next poll.
-- Arguments: name, of the environment; now; number, of the poll; waitMs, until the next poll; maxWaitMs; failure, the reason,
-- or nothing if the platform was not asked.
-- Answers `ok`, or `late`.
local args = cjson.decode(ARGV[1])

local K, wait = KEYS[1], args.waitMs
local had = redis.call('HMGET', K, 'answered', 'changed')
if args.number <= math.max(tonumber(had[1] or '0'), tonumber(had[2] or '0')) then return {'late'} end
if args.failure then
  local failures = redis.call('HINCRBY', K, 'failures', 1)
  wait = math.min(wait * 2 ^ (failures - 1), args.maxWaitMs)
  redis.call('HSETNX', K, 'failingSince', args.now)
  redis.call('HSET', K, 'failure', args.failure)
end
redis.call('ZADD', KEYS[2], math.floor(args.now + wait), args.name)
return {'ok'}
