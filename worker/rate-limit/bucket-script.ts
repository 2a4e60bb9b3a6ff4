import { defineScript, serverTime } from '../store/script.ts';

const rules = `${serverTime(3)}
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local size = math.max(1, math.floor(limit / 20))
`;

/**
 * The token bucket of a credential. It holds a twentieth of the limit, and in a window and a thirtieth of it gets what
 * is left of the limit: so long a time, wherever it begins, sees no more tokens than the limit. What reaches the
 * platform within a window has taken its token within that window or a thirtieth of it before. Hence no window,
 * fixed or sliding, sees more requests than the limit, if each arrives within that thirtieth (of a minute: two seconds)
 * after its token was taken. It costs a twelfth of the limit: 91.9 % of it can be used for as long as one likes.
 *
 * An effect takes any token. Half of the bucket is kept back from reads, and reads that find none are given places in
 * a line (`tat`: when the next place is free), so that thousands of them come one after the other and not all at once.
 * What is asked in the background takes only what neither wants: from the upper quarter of the bucket, while nobody
 * stands in the line, where it takes no place.
 *
 * KEYS: bucket, places. ARGV: requests a window, its milliseconds, the time or nothing, `effect`, `read` or
 * `background`, what is read.
 * Answers the milliseconds to wait; 0: a token was taken.
 */
export const take = defineScript(
  rules,
  `
local kind, key = ARGV[4], ARGV[5]
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
-- At least one: nought says that a token was taken, and a wait may be too short for the digits of a time.
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
  -- Its time has come, but an effect took the token.
  place = now + (needed - tokens) / rate
else
  tat = math.max(tat, now + blocked, now + (needed - tokens) / rate) + 1 / rate
  place = tat
end
redis.call('ZADD', P, tostring(place), key)
redis.call('PEXPIRE', P, 3600000)
return refuse(place - now)
`,
);

/**
 * The platform has said that it was too much: nothing is sent for a while, and at half the pace afterwards; within
 * five minutes it is back at the full pace. KEYS: bucket. ARGV: requests a window, its milliseconds, the time or
 * nothing, milliseconds to pause.
 */
export const slow = defineScript(
  rules,
  `
local pause = tonumber(ARGV[4])
local B = KEYS[1]
local had = redis.call('HMGET', B, 'blocked', 'factor', 'slowed', 'tokens')
local factor = math.min(1, tonumber(had[2] or '1') + (now - tonumber(had[3] or now)) / 300000)
-- What is kept for effects and one read remain, so that afterwards nobody waits for the bucket to fill.
local tokens = math.min(tonumber(had[4] or size), 1 + math.floor(size / 2))
-- One wave of refusals is one refusal.
if tonumber(had[1] or '0') <= now and tonumber(had[3] or '0') < now - 1000 then factor = math.max(0.05, factor / 2) end
redis.call('HSET', B, 'blocked', tostring(math.max(tonumber(had[1] or '0'), now + pause)), 'factor', tostring(factor), 'slowed', now, 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', B, 600000)
return {'ok'}
`,
);
