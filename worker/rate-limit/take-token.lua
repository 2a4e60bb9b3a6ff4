--- include: bucket.lua
-- Takes a token from a credential's bucket, or answers when to ask again.
--
-- An effect takes any token. Half of the bucket is reserved for effects. Reads that find no token get places in a queue
-- (`tat`: when the next place is free), so that thousands of them come one after the other and not all at once. A
-- background request takes only tokens that neither needs: from the upper quarter of the bucket, while the queue is
-- empty. It gets no place.
--
-- KEYS: bucket; places.
-- Arguments: requests, windowMs; now, or nothing; kind, `effect`, `read` or `background`; what, a digest of what is read.
-- Answers the milliseconds to wait; 0: a token was taken.
local kind, key = args.kind, args.what
local B, P = KEYS[1], KEYS[2]
local had = redis.call('HMGET', B, 'tokens', 'at', 'blocked', 'factor', 'slowed', 'tat')
local factor = math.min(1, tonumber(had[4] or '1') + (now - tonumber(had[5] or now)) / 300000)
local rate = (limit - size) / (window + window / 30) * factor
local tokens = math.min(size, tonumber(had[1] or size) + math.max(0, now - tonumber(had[2] or now)) * rate)
local tat = math.max(now, tonumber(had[6] or '0'))
local function answer(wait)
  redis.call('HSET', B, 'tokens', tostring(tokens), 'at', now, 'tat', tostring(tat))
  redis.call('PEXPIRE', B, 600000)
  return tostring(wait)
end
-- At least 1: 0 means that a token was taken, and a shorter wait may be lost in rounding.
local function refuse(wait) return answer(math.max(1, math.ceil(wait))) end
local blocked = tonumber(had[3] or '0') - now
if kind == 'effect' then
  if blocked > 0 then return refuse(blocked) end
  if tokens < 1 then return refuse((1 - tokens) / rate) end
  tokens = tokens - 1
  if tat > now then tat = tat + 1 / rate end
  return answer(0)
end
if kind == 'background' then
  local spare = 1 + math.floor(size * 3 / 4)
  if blocked <= 0 and tokens >= spare and tat <= now then
    tokens = tokens - 1
    return answer(0)
  end
  return refuse(math.max(blocked, (spare - tokens) / rate, tat - now))
end
redis.call('ZREMRANGEBYSCORE', P, '-inf', now - 60000)
local place = tonumber(redis.call('ZSCORE', P, key) or '-1')
if place > now + 5 then return refuse(place - now) end
local needed = 1 + math.floor(size / 2)
if blocked <= 0 and tokens >= needed and (place >= 0 or tat <= now) then
  tokens = tokens - 1
  if place >= 0 then redis.call('ZREM', P, key) end
  return answer(0)
end
if place >= 0 and blocked <= 0 then
  -- The time of its place has come, but an effect took the token.
  place = now + (needed - tokens) / rate
else
  tat = math.max(tat, now + blocked, now + (needed - tokens) / rate) + 1 / rate
  place = tat
end
redis.call('ZADD', P, tostring(place), key)
redis.call('PEXPIRE', P, 3600000)
return refuse(place - now)
