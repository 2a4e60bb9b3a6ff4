--- include: lane-rules.lua
-- Only the promotion that the lane is given to, in the advance that was begun last, may go on.
--
-- Arguments: lane, promotion, fence. Defines holds_fence.
local function holds_fence()
  return redis.call('HGET', lane_key(args.lane), 'active') == args.promotion
    and redis.call('HGET', promotion_key(args.promotion), 'fence') == args.fence
end
