import { defineScript } from '../lanes/script.ts';

/**
 * The token bucket of a credential. It holds a tenth of the limit and is filled with nine tenths of it a minute, so
 * that no minute, wherever it begins, sees more than the limit. Time is the server's: workers' clocks differ.
 *
 * An effect takes any token. Half of the bucket is kept back from reads, and reads that find none are given places in
 * a line (`tat`: when the next place is free), so that thousands of them come one after the other and not all at once.
 *
 * KEYS: bucket, places. ARGV: requests a minute, `effect` or `read`, what is read.
 * Answers the milliseconds to wait; 0: a token was taken.
 */
export const take = defineScript(`
local limit, kind, key = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local B, P = KEYS[1], KEYS[2]
local had = redis.call('HMGET', B, 'tokens', 'at', 'blocked', 'factor', 'slowed', 'tat')
local size = math.max(1, math.floor(limit / 10))
local factor = math.min(1, tonumber(had[4] or '1') + (now - tonumber(had[5] or now)) / 300000)
local rate = (limit - size) / 60000 * factor
local tokens = math.min(size, tonumber(had[1] or size) + math.max(0, now - tonumber(had[2] or now)) * rate)
local tat = math.max(now, tonumber(had[6] or '0'))
local function done(wait)
  redis.call('HSET', B, 'tokens', tostring(tokens), 'at', now, 'tat', tostring(tat))
  redis.call('PEXPIRE', B, 600000)
  return tostring(math.ceil(wait))
end
local blocked = tonumber(had[3] or '0') - now
if kind == 'effect' then
  if blocked > 0 then return done(blocked) end
  if tokens < 1 then return done((1 - tokens) / rate) end
  tokens = tokens - 1
  if tat > now then tat = tat + 1 / rate end
  return done(0)
end
redis.call('ZREMRANGEBYSCORE', P, '-inf', now - 60000)
local place = tonumber(redis.call('ZSCORE', P, key) or '-1')
if place > now + 5 then return done(place - now) end
local needed = 1 + math.floor(size / 2)
if blocked <= 0 and tokens >= needed and (place >= 0 or tat <= now) then
  tokens = tokens - 1
  if place >= 0 then redis.call('ZREM', P, key) end
  return done(0)
end
if place >= 0 and blocked <= 0 then
  -- Its time has come, but an effect took the token.
  place = now + (needed - tokens) / rate
else
  tat = math.max(tat, now + blocked, now + (needed - tokens) / rate) + 1 / rate
  place = tat
end
redis.call('ZADD', P, tostring(place), key)
redis.call('PEXPIRE', P, 3600000)
return done(place - now)
`);

/**
 * The platform has said that it was too much: nothing is sent for a while, and at half the pace afterwards; within
 * five minutes it is back at the full pace. KEYS: bucket. ARGV: milliseconds to pause, requests a minute.
 */
export const slow = defineScript(`
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local B = KEYS[1]
local had = redis.call('HMGET', B, 'blocked', 'factor', 'slowed', 'tokens')
local factor = math.min(1, tonumber(had[2] or '1') + (now - tonumber(had[3] or now)) / 300000)
-- What is kept for effects and one read remain, so that afterwards nobody waits for the bucket to fill.
local size = math.max(1, math.floor(tonumber(ARGV[2]) / 10))
local tokens = math.min(tonumber(had[4] or size), 1 + math.floor(size / 2))
-- One wave of refusals is one refusal.
if tonumber(had[1] or '0') <= now and tonumber(had[3] or '0') < now - 1000 then factor = math.max(0.05, factor / 2) end
redis.call('HSET', B, 'blocked', tostring(math.max(tonumber(had[1] or '0'), now + tonumber(ARGV[1]))), 'factor', tostring(factor), 'slowed', now, 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', B, 600000)
return {'ok'}
`);
