-- Adds lines to the list of deliveries, newest first, and removes the oldest. One command instead of five, because it
-- runs for every delivery.
--
-- KEYS: the list.
-- Arguments: lines, oldest first; maxLines; keepSeconds.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

for _, line in ipairs(args.lines) do redis.call('LPUSH', KEYS[1], line) end
redis.call('LTRIM', KEYS[1], 0, args.maxLines - 1)
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'ok'}
