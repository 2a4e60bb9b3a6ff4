--- include: older-lanes.lua
-- Holds the lanes in which a worker recorded something that Redis does not know any more, and accepts the worker's next calls.
-- A lane that is gone as well is held when it is accepted again.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, without memory; worker, call; lanes, their holds as JSON by their ids; promotions, holds by the ids
-- of promotions whose lanes the worker does not know; all, a hold for every lane, or nothing.
-- Answers the lanes.
local held = args.all and hold_all_older(args.all) or {}
local function hold_one(lane, hold)
  hold_older(lane, hold)
  table.insert(held, lane)
end
for lane, hold in pairs(args.lanes) do hold_one(lane, hold) end
for promotion, hold in pairs(args.promotions) do
  local lane = redis.call('HGET', promotion_key(promotion), 'lane')
  if lane then hold_one(lane, hold) end
end
redis.call('HSET', prefix .. ':workers', args.worker, args.call .. ' ' .. now)
redis.call('SREM', prefix .. ':workers:unheard', args.worker)
redis.call('SET', prefix .. ':sweep:requested', now, 'EX', 86400)
return held
