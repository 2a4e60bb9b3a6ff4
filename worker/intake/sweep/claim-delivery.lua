-- Records a request to redeliver a delivery, unless another worker has recorded one since the caller read the record.
--
-- KEYS: hash of the redelivery requests for this delivery.
-- Arguments: times, the number of requests when the caller read the record; at, now in milliseconds; keepSeconds.
-- Answers `mine`, or `taken`.
local args = cjson.decode(ARGV[1])

if tonumber(redis.call('HGET', KEYS[1], 'times') or '0') ~= args.times then return {'taken'} end
redis.call('HSET', KEYS[1], 'times', args.times + 1, 'at', args.at)
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'mine'}
