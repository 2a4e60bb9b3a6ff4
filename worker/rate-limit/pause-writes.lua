--- include: server-time.lua
-- GitHub asked for a pause. Each further pause is twice as long, up to an hour, until a write succeeds.
--
-- KEYS: sorted set of the times of the last hour's writes; hash of the pause.
-- Arguments: now, or nothing; ms, that GitHub asked for.
-- Answers the milliseconds of the pause.
local paused = KEYS[2]

local before = tonumber(redis.call('HGET', paused, 'until') or '0')
local times = tonumber(redis.call('HGET', paused, 'times') or '0')
-- Several requests that were sent at the same time get the same refusal: it counts once.
if before <= now then times = redis.call('HINCRBY', paused, 'times', 1) end
local ms = math.min(math.max(60000, args.ms) * 2 ^ math.max(0, times - 1), 3600000)
local till = math.max(before, now + math.max(ms, args.ms))
redis.call('HSET', paused, 'until', string.format('%.0f', till))
redis.call('PEXPIRE', paused, 86400000)
return {string.format('%.0f', till - now)}
