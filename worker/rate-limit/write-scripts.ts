import { defineScript, serverTime } from '../store/script.ts';

const rules = `${serverTime(1)}
local writes, paused = KEYS[1], KEYS[2]
`;

/**
 * Takes one write out of the allowance. KEYS: sorted set of the times of the last hour's writes, hash of the pause.
 * ARGV: now or '', most in a minute, most in an hour, gap, how far ahead a moment may be kept, unique name.
 * Answers `ok` and the milliseconds until the moment that is kept, or `wait` and those until it is worth asking again; then the writes of
 * the last hour.
 */
export const spend = defineScript(
  rules,
  `
local at = math.max(now, tonumber(redis.call('HGET', paused, 'until') or '0'))
redis.call('ZREMRANGEBYSCORE', writes, '-inf', now - 3600000)
local function after(rank, ms)
  local found = redis.call('ZREVRANGE', writes, rank, rank, 'WITHSCORES')
  if found[2] then at = math.max(at, tonumber(found[2]) + ms) end
end
after(0, tonumber(ARGV[4]))
after(tonumber(ARGV[2]) - 1, 60000)
after(tonumber(ARGV[3]) - 1, 3600000)
if at - now > tonumber(ARGV[5]) then return {'wait', tostring(at - now), tostring(redis.call('ZCARD', writes))} end
redis.call('ZADD', writes, at, ARGV[6])
redis.call('PEXPIRE', writes, 3700000)
return {'ok', tostring(at - now), tostring(redis.call('ZCARD', writes))}
`,
);

/** GitHub wants a pause. ARGV: now or '', milliseconds it asked for. Answers the milliseconds of the pause. */
export const pause = defineScript(
  rules,
  `
local before = tonumber(redis.call('HGET', paused, 'until') or '0')
local times = tonumber(redis.call('HGET', paused, 'times') or '0')
-- Several who were on their way at once are told the same thing: that is one refusal.
if before <= now then times = redis.call('HINCRBY', paused, 'times', 1) end
local ms = math.min(math.max(60000, tonumber(ARGV[2])) * 2 ^ math.max(0, times - 1), 3600000)
local till = math.max(before, now + math.max(ms, tonumber(ARGV[2])))
redis.call('HSET', paused, 'until', string.format('%.0f', till))
redis.call('PEXPIRE', paused, 86400000)
return {string.format('%.0f', till - now)}
`,
);

/** A write went through after a pause. ARGV: now or ''. */
export const recover = defineScript(
  rules,
  `
if tonumber(redis.call('HGET', paused, 'until') or '0') <= now then redis.call('DEL', paused) end
return {'ok'}
`,
);
