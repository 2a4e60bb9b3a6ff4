--- include: bucket.lua
-- The platform refused a request because of its rate limit. For a while nothing is sent; then requests are sent at half the
-- rate. Within five minutes the rate is back to normal.
--
-- KEYS: bucket.
-- Arguments: requests, windowMs; now, or nothing; pauseMs.
-- Answers `ok`.
local B = KEYS[1]
local had = redis.call('HMGET', B, 'blocked', 'factor', 'slowed', 'tokens')
local factor = math.min(1, tonumber(had[2] or '1') + (now - tonumber(had[3] or now)) / 300000)
-- The tokens that are reserved for effects and one for a read remain, so that nothing waits for the bucket to fill.
local tokens = math.min(tonumber(had[4] or size), 1 + math.floor(size / 2))
-- Several refusals within a second count as one.
if tonumber(had[1] or '0') <= now and tonumber(had[3] or '0') < now - 1000 then factor = math.max(0.05, factor / 2) end
local blocked = math.max(tonumber(had[1] or '0'), now + args.pauseMs)
redis.call('HSET', B, 'blocked', tostring(blocked), 'factor', tostring(factor), 'slowed', now, 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', B, 600000)
return {'ok'}
