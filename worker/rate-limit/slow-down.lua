--- include: bucket.lua
-- The platform has said that it was too much: nothing is sent for a while, and half as much afterwards; within five
-- minutes it is back at the full rate.
--
-- KEYS: bucket.
-- Arguments: requests, windowMs; now, or nothing; pauseMs.
-- Answers nothing of use.
local B = KEYS[1]
local had = redis.call('HMGET', B, 'blocked', 'factor', 'slowed', 'tokens')
local factor = math.min(1, tonumber(had[2] or '1') + (now - tonumber(had[3] or now)) / 300000)
-- What is kept for effects and one read remain, so that afterwards nobody waits for the bucket to fill.
local tokens = math.min(tonumber(had[4] or size), 1 + math.floor(size / 2))
-- One wave of refusals is one refusal.
if tonumber(had[1] or '0') <= now and tonumber(had[3] or '0') < now - 1000 then factor = math.max(0.05, factor / 2) end
local blocked = math.max(tonumber(had[1] or '0'), now + args.pauseMs)
redis.call('HSET', B, 'blocked', tostring(blocked), 'factor', tostring(factor), 'slowed', now, 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', B, 600000)
return {'ok'}
