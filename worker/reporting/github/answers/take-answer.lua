-- Takes an answer that is due; no other worker gets it before `leaseUntil`.
--
-- KEYS: sorted set of the answers by due time.
-- Arguments: prefix, of the hashes of answers; now and leaseUntil, in milliseconds since the epoch.
-- Answers the name of the comment, the answer, and `open`: what a write that may have taken effect has said, or ''. Answers
-- '' if none is due.
local args = cjson.decode(ARGV[1])

while true do
  local name = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', args.now, 'LIMIT', 0, 1)[1]
  if not name then return {''} end
  local record = args.prefix .. name
  local answer = redis.call('HGET', record, 'answer')
  if answer then
    local lease = string.format('%.0f', args.leaseUntil)
    redis.call('ZADD', KEYS[1], lease, name)
    redis.call('HSET', record, 'until', lease)
    return {name, answer, redis.call('HGET', record, 'open') or ''}
  end
  -- It was kept for its time.
  redis.call('ZREM', KEYS[1], name)
end
