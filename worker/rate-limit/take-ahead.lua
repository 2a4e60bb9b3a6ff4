--- include: bucket.lua
-- Takes tokens for requests that are sent in the next moment. It takes only tokens that neither effects nor waiting reads
-- need: from the upper quarter of the bucket, while no read waits. `take-token.lua` describes the bucket.
--
-- KEYS: bucket.
-- Arguments: requests, windowMs; now, or nothing; wanted, at most this number.
-- Answers the number of tokens that were taken.
local B = KEYS[1]
local had = redis.call('HMGET', B, 'tokens', 'at', 'blocked', 'factor', 'slowed', 'tat')
if tonumber(had[3] or '0') > now or tonumber(had[6] or '0') > now then return 0 end
local factor = math.min(1, tonumber(had[4] or '1') + (now - tonumber(had[5] or now)) / 300000)
local rate = (limit - size) / (window + window / 30) * factor
local tokens = math.min(size, tonumber(had[1] or size) + math.max(0, now - tonumber(had[2] or now)) * rate)
local taken = math.max(0, math.min(args.wanted, math.floor(tokens - size * 3 / 4)))
if taken > 0 then
  redis.call('HSET', B, 'tokens', tostring(tokens - taken), 'at', now)
  redis.call('PEXPIRE', B, 600000)
end
return taken
