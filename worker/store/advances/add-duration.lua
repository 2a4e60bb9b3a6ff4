-- Keeps how long an execution took, before the earlier ones.
--
-- KEYS: list of the times.
-- Arguments: ms; kept, how many; keepSeconds, from now on.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
redis.call('LPUSH', KEYS[1], string.format('%.0f', args.ms))
redis.call('LTRIM', KEYS[1], 0, args.kept - 1)
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'ok'}
