--- include: lane-rules.lua
-- Only the active promotion of the lane, in the advance that began last, may continue.
--
-- Arguments: lane, promotion, fence. Defines holds_fence.
local function holds_fence()
  return redis.call('HGET', lane_key(args.lane), 'active') == args.promotion
    and redis.call('HGET', promotion_key(args.promotion), 'fence') == args.fence
end
