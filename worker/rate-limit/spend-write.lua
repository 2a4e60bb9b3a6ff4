--- include: server-time.lua
-- Takes one write from the budget of an account on GitHub.
--
-- Who must wait is noted with a rank, and gets no write while one with a lower rank waits too: so the newest state is
-- written first, and not the one whose sender happens to ask at the right moment. A waiter that does not come back within
-- five seconds of its time is forgotten: its worker may have died.
--
-- KEYS: sorted set of the times of the last hour's writes; hash of the pause; sorted set of those who wait, by rank; the
-- same, by the time at which they are forgotten.
-- Arguments: now, or nothing; perMinute and perHour, the limits; gapMs, between two writes; aheadMs, how far ahead a
-- time may be reserved; id, of this write; waiter and rank, or nothing for a write that no other goes before.
-- Answers `ok` and the milliseconds until the reserved time, or `wait` and the milliseconds until the next attempt can
-- succeed; then the number of writes in the last hour.
local writes, paused, ranks, times = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local at = math.max(now, tonumber(redis.call('HGET', paused, 'until') or '0'))
redis.call('ZREMRANGEBYSCORE', writes, '-inf', now - 3600000)
local function after(rank, ms)
  local found = redis.call('ZREVRANGE', writes, rank, rank, 'WITHSCORES')
  if found[2] then at = math.max(at, tonumber(found[2]) + ms) end
end
after(0, args.gapMs)
after(args.perMinute - 1, 60000)
after(args.perHour - 1, 3600000)

local before = 0
if args.waiter then
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', times, '-inf', now)) do
    redis.call('ZREM', ranks, gone)
    redis.call('ZREM', times, gone)
  end
  redis.call('ZREM', ranks, args.waiter)
  redis.call('ZREM', times, args.waiter)
  before = redis.call('ZCOUNT', ranks, '-inf', '(' .. string.format('%.0f', args.rank))
end
if at - now > args.aheadMs or before > 0 then
  -- Those before it may need no write any more: the more there are, the less exact is its time.
  local turn = before * math.max(args.gapMs, 250)
  local wait = math.ceil(at - now + math.min(turn, math.max(5000, turn / 4)))
  if args.waiter then
    redis.call('ZADD', ranks, string.format('%.0f', args.rank), args.waiter)
    redis.call('ZADD', times, now + wait + 5000, args.waiter)
    redis.call('PEXPIRE', ranks, wait + 3700000)
    redis.call('PEXPIRE', times, wait + 3700000)
  end
  return {'wait', tostring(wait), tostring(redis.call('ZCARD', writes))}
end
redis.call('ZADD', writes, at, args.id)
redis.call('PEXPIRE', writes, 3700000)
return {'ok', tostring(at - now), tostring(redis.call('ZCARD', writes))}
