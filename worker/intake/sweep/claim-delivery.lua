-- Writes down that a delivery is asked for again, unless another worker did since the caller looked.
--
-- KEYS: hash of what was asked about this delivery.
-- Arguments: times, how often it had been asked for when the caller looked; at, now in milliseconds; keepSeconds.
-- Answers `mine`, or `taken`.
local args = cjson.decode(ARGV[1])

if tonumber(redis.call('HGET', KEYS[1], 'times') or '0') ~= args.times then return {'taken'} end
redis.call('HSET', KEYS[1], 'times', args.times + 1, 'at', args.at)
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'mine'}
