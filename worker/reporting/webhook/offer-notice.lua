-- Adds a notification, unless it was added before.
--
-- KEYS: sorted set of the notifications by due time; the mark of this notification.
-- Arguments: now, in milliseconds; id; rememberSeconds, of the mark.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

if redis.call('SET', KEYS[2], '1', 'NX', 'EX', args.rememberSeconds) then
  redis.call('ZADD', KEYS[1], args.now, args.id)
end
return {'ok'}
