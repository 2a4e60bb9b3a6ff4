--- include: server-time.lua
-- Takes waiters along in a request with several writes, the most urgent first: the caller sends their writes with its own.
-- It takes fewer after such a request failed (`shrink-requests.lua`).
--
-- KEYS: sorted set of those who wait, by rank; the same, by the time at which they are forgotten; hash about requests with
-- several writes.
-- Arguments: now, or nothing; count, how many at most.
-- Answers the waiters.
local ranks, times, shared = KEYS[1], KEYS[2], KEYS[3]

local most = tonumber(redis.call('HGET', shared, 'most') or '1000')
local count = math.min(args.count, most - 1)
if count < 1 then return {} end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', times, '-inf', now)) do
  redis.call('ZREM', ranks, gone)
  redis.call('ZREM', times, gone)
end
local found = redis.call('ZRANGE', ranks, 0, count - 1)
for _, waiter in ipairs(found) do
  redis.call('ZREM', ranks, waiter)
  redis.call('ZREM', times, waiter)
end
return found
