--- include: server-time.lua
-- Takes one write from the budget of an account on GitHub.
--
-- KEYS: sorted set of the times of the last hour's writes; hash of the pause.
-- Arguments: now, or nothing; perMinute and perHour, the limits; gapMs, between two writes; aheadMs, how far ahead a
-- time may be reserved; id, of this write.
-- Answers `ok` and the milliseconds until the reserved time, or `wait` and the milliseconds until the next attempt can
-- succeed; then the number of writes in the last hour.
local writes, paused = KEYS[1], KEYS[2]

local at = math.max(now, tonumber(redis.call('HGET', paused, 'until') or '0'))
redis.call('ZREMRANGEBYSCORE', writes, '-inf', now - 3600000)
local function after(rank, ms)
  local found = redis.call('ZREVRANGE', writes, rank, rank, 'WITHSCORES')
  if found[2] then at = math.max(at, tonumber(found[2]) + ms) end
end
after(0, args.gapMs)
after(args.perMinute - 1, 60000)
after(args.perHour - 1, 3600000)
if at - now > args.aheadMs then return {'wait', tostring(at - now), tostring(redis.call('ZCARD', writes))} end
redis.call('ZADD', writes, at, args.id)
redis.call('PEXPIRE', writes, 3700000)
return {'ok', tostring(at - now), tostring(redis.call('ZCARD', writes))}
