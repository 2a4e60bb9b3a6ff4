-- Returns an answer that `take-answer.lua` took.
--
-- KEYS: sorted set of the answers by due time; hash of this answer.
-- Arguments: now, in milliseconds; name, of the comment; leaseUntil, as it was taken; at, when it is due again, or nothing if
-- it has ended; hadNoEffect, whether no write of it can have taken effect.
-- Answers `ok`; or `late`: another sender had it since, because this one was frozen. The comment may have two answers then, so
-- that GitHub is read once more, after the other sender.
local args = cjson.decode(ARGV[1])
local due, record = KEYS[1], KEYS[2]

if redis.call('EXISTS', record) == 0 then return {'ok'} end
if tonumber(redis.call('HGET', record, 'until') or '0') ~= args.leaseUntil then
  redis.call('HSETNX', record, 'open', '{}')
  redis.call('HSET', record, 'late', 1)
  redis.call('ZADD', due, 'NX', args.now, args.name)
  return {'late'}
end
redis.call('HDEL', record, 'until')
if redis.call('HDEL', record, 'late') == 1 then
  redis.call('ZADD', due, args.now, args.name)
  return {'ok'}
end
if args.hadNoEffect then redis.call('HDEL', record, 'open') end
if args.at then redis.call('ZADD', due, args.at, args.name) else redis.call('ZREM', due, args.name) end
return {'ok'}
