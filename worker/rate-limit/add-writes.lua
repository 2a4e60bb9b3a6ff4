--- include: server-time.lua
-- Adds writes to a request that was taken from the budget. Each counts in the limit of a minute, as if it were a request:
-- GitHub does not document how it counts them.
--
-- KEYS: sorted set of the times of the last minute's writes; hash about requests with several writes.
-- Arguments: now, or nothing; perMinute, the limit; id, of this request; count, of more writes; most, writes of a request.
-- Answers how many it may have.
local writes, shared = KEYS[1], KEYS[2]

redis.call('ZREMRANGEBYSCORE', writes, '-inf', now - 60000)
local most = math.min(args.most, tonumber(redis.call('HGET', shared, 'most') or '1000'))
local count = math.max(0, math.min(args.count, most - 1, args.perMinute - redis.call('ZCARD', writes)))
for i = 1, count do redis.call('ZADD', writes, now, args.id .. ' ' .. i) end
redis.call('PEXPIRE', writes, 120000)
return {count}
