--- include: server-time.lua
-- Takes one request that writes from the budget of an account on GitHub.
--
-- A request that must wait is noted with a rank. A request with a single write gets no write while a request with a lower
-- rank waits: so the newest state is written first, and not the state whose sender happens to ask at the right moment. A
-- request for several writes takes the writes of the lowest ranks along (`take-companions.lua`). A waiter that does not
-- come back within five seconds of its time is forgotten: its worker may have died.
--
-- The more of the hour's budget is spent, the longer the requests for several writes collect them, and the longer progress
-- with a request of its own waits: the end of its promotion may come first. The second half of the budget is spread over
-- the hour, so that there is never a long time without a write.
--
-- KEYS: sorted set of the times of the last hour's requests; hash of the pause; sorted set of those who wait, by rank; the
-- same, by the time at which they are forgotten; sorted set of the times of the last minute's writes; hash about requests
-- with several writes; hash that gets the mark, if there is one.
-- Arguments: now, or nothing; perMinute and perHour, the limits; hour, the hour's limit for the most urgent; gapMs,
-- between two requests; aheadMs, how far ahead a time may be reserved; id, of this request; waiter and rank, or nothing
-- for a request that no other goes before; shared, whether it may have several writes; most, how many; collectMs, the
-- longest time to collect them; progressSince, when what a single write of progress is about became true, or nothing;
-- holdMs, how long that waits at most; mark, fields and keepSeconds, set if the request is taken, or nothing.
-- Answers `ok` and the milliseconds until the reserved time, or `wait` and the milliseconds until the next attempt can
-- succeed; then the number of requests in the last hour, and `paused` if GitHub has asked for a pause since a write last
-- succeeded.
local requests, paused, ranks, times, writes, shared = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local pausedUntil = redis.call('HGET', paused, 'until')
local at = math.max(now, tonumber(pausedUntil or '0'))
redis.call('ZREMRANGEBYSCORE', requests, '-inf', now - 3600000)
redis.call('ZREMRANGEBYSCORE', writes, '-inf', now - 60000)
local used = redis.call('ZCARD', requests)
-- 0 up to a fifth of the hour's budget, 1 from 70 % on.
local pressure = math.max(0, math.min(1, (used / args.hour - 0.2) / 0.5))
local function after(set, rank, ms)
  local found = redis.call('ZREVRANGE', set, rank, rank, 'WITHSCORES')
  if found[2] then at = math.max(at, tonumber(found[2]) + ms) end
end
local gap = args.gapMs
if args.waiter and used * 2 > args.hour and used < args.hour then
  local first = tonumber(redis.call('ZRANGE', requests, 0, 0, 'WITHSCORES')[2])
  gap = math.ceil(math.max(gap, 3600000 / args.hour, (first + 3600000 - now) / (args.hour - used)))
end
after(requests, 0, gap)
after(requests, args.perMinute - 1, 60000)
after(writes, args.perMinute - 1, 60000)
after(requests, args.perHour - 1, 3600000)

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
if args.shared then
  local last = tonumber(redis.call('HGET', shared, 'sentAt') or '0')
  if redis.call('ZCARD', ranks) < args.most then at = math.max(at, last + math.ceil(pressure * args.collectMs)) end
elseif args.progressSince then
  local held = args.progressSince + pressure * args.holdMs - now
  -- It is not noted, because it must not keep others back.
  if held > args.aheadMs then return {'wait', tostring(math.ceil(math.max(held, at - now))), tostring(used)} end
end
if at - now > args.aheadMs or (before > 0 and not args.shared) then
  -- Requests before it may need no write any more. The more requests there are, the less exact is its time.
  local turns = args.shared and math.floor(before / args.most) or before
  local turn = turns * math.max(args.gapMs, 250)
  local wait = math.ceil(at - now + math.min(turn, math.max(5000, turn / 4)))
  if args.waiter then
    redis.call('ZADD', ranks, string.format('%.0f', args.rank), args.waiter)
    redis.call('ZADD', times, now + wait + 5000, args.waiter)
    redis.call('PEXPIRE', ranks, wait + 3700000)
    redis.call('PEXPIRE', times, wait + 3700000)
  end
  return {'wait', tostring(wait), tostring(used)}
end
redis.call('ZADD', requests, at, args.id)
redis.call('PEXPIRE', requests, 3700000)
redis.call('ZADD', writes, at, args.id)
redis.call('PEXPIRE', writes, 120000)
if args.shared then redis.call('HSET', shared, 'sentAt', string.format('%.0f', at)) end
if args.mark then
  for name, value in pairs(args.mark.fields) do redis.call('HSET', KEYS[7], name, value) end
  redis.call('EXPIRE', KEYS[7], args.mark.keepSeconds)
end
return {'ok', tostring(at - now), tostring(redis.call('ZCARD', requests)), pausedUntil and 'paused' or ''}
