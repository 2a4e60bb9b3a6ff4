--- include: lane-rules.lua
-- Holds the lanes in which a worker recorded something that Redis does not know any more, and accepts the worker's next calls.
-- A lane that is gone as well is held when it is accepted again.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, without memory; worker, call; lanes, their holds as JSON by their ids; promotions, holds by the ids
-- of promotions whose lanes the worker does not know; all, a hold for every lane, or nothing.
-- Answers the lanes.
local held = {}
local function hold_older(lane, hold)
  if redis.call('EXISTS', lane_key(lane)) == 1 then
    hold_lane(lane_key(lane), hold)
  else
    redis.call('HSET', prefix .. ':lanes:older', lane, hold)
  end
  table.insert(held, lane)
end
for lane, hold in pairs(args.lanes) do hold_older(lane, hold) end
for promotion, hold in pairs(args.promotions) do
  local lane = redis.call('HGET', promotion_key(promotion), 'lane')
  if lane then hold_older(lane, hold) end
end
if args.all then
  for _, lane in ipairs(redis.call('SMEMBERS', prefix .. ':lanes')) do hold_older(lane, args.all) end
end
redis.call('HSET', prefix .. ':workers', args.worker, args.call .. ' ' .. now)
redis.call('SREM', prefix .. ':workers:unheard', args.worker)
redis.call('SET', prefix .. ':sweep:requested', now, 'EX', 86400)
return held
