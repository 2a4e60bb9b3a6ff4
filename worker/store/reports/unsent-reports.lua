--- include: ../scripts/lane-rules.lua
-- How far behind GitHub is. Also compares the first entries with their promotions: an older worker sends updates without
-- removing them here.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; check, the number of entries to compare.
-- Answers the number of promotions that GitHub shows an older state of, and since when it shows the first one of them so,
-- or nothing.
for _, id in ipairs(redis.call('ZRANGE', unsent_key, 0, args.check - 1)) do track_unsent(id, now) end
local first = redis.call('ZRANGE', unsent_key, 0, 0, 'WITHSCORES')
return {redis.call('ZCARD', unsent_key), first[2]}
