-- Adds lines to the list of deliveries, the newest first; the oldest go. One command in place of five: it runs for
-- every delivery.
--
-- KEYS: the list.
-- Arguments: lines, oldest first; maxLines; keepSeconds.
-- Answers nothing of use.
local args = cjson.decode(ARGV[1])

for _, line in ipairs(args.lines) do redis.call('LPUSH', KEYS[1], line) end
redis.call('LTRIM', KEYS[1], 0, args.maxLines - 1)
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'ok'}
