--- include: lane-rules.lua
-- Writes into a lane's promotions of a head who pushed it, and who wrote what was pushed. The first pusher known is the
-- pusher; the others count as pushers too.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, ref, commit; pusher, as JSON, and login, or neither; authors, their logins.
-- Answers nothing of use.
local L = lane_key(args.lane)
local ids = redis.call('LRANGE', L .. ':queue', 0, -1)
table.insert(ids, redis.call('HGET', L, 'active') or '')
for _, id in ipairs(ids) do
  local text = redis.call('HGET', promotion_key(id), 'plan')
  local plan = text and cjson.decode(text)
  if plan and plan.ref == args.ref and plan.commit == args.commit then
    if args.pusher then
      if not plan.pusher then redis.call('HSETNX', promotion_key(id), 'pusher', args.pusher) end
      redis.call('HSET', promotion_key(id), 'pusher:' .. args.login, args.pusher)
    end
    for _, author in ipairs(args.authors) do redis.call('HSET', promotion_key(id), 'author:' .. author, '') end
  end
end
return {'ok'}
