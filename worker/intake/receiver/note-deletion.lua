--- include: ../../store/deliveries/push-places.lua
-- Records that the deletion of a ref was delivered.
--
-- KEYS: record of the delivery; the departures and the moves of its repository.
-- Arguments: rememberSeconds; receivedAt, in milliseconds; move, of the push; departure, what was deleted, or nothing.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

redis.call('SET', KEYS[1], '', 'EX', args.rememberSeconds, 'NX')
note_move(KEYS[3], KEYS[2], args)
return {'ok'}
