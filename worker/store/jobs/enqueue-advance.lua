--- include: add-advance.lua
-- Adds the job that advances a promotion, unless there is one.
--
-- KEYS: one of the queue, by which a cluster finds its node.
-- Arguments: prefix, of all keys; promotion; at, the time by BullMQ's clock.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
add_advance(args.prefix, args.promotion, args.at)
return {'ok'}
