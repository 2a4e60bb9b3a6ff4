--- include: ../../store/scripts/push-places.lua
-- Records that the deletion of a ref was delivered.
--
-- KEYS: what is remembered of the delivery; the departures of its repository.
-- Arguments: rememberSeconds; receivedAt, in milliseconds; departure, what was deleted, or nothing.
-- Answers nothing of use.
local args = cjson.decode(ARGV[1])

redis.call('SET', KEYS[1], '', 'EX', args.rememberSeconds, 'NX')
if args.departure then note_departure(KEYS[2], args.departure, args.receivedAt) end
return {'ok'}
