--- include: lane-rules.lua
-- Only the active promotion of the lane, in the advance that began last and has not ended, may continue.
--
-- Arguments: lane, promotion, fence. Defines holds_fence; drop_fence, with which an advance ends.
local function holds_fence()
  return redis.call('HGET', lane_key(args.lane), 'active') == args.promotion
    and redis.call('HGET', promotion_key(args.promotion), 'fence') == args.fence
end
-- Without these fields, the record of a promotion that waits takes less memory.
local function drop_fence() redis.call('HDEL', promotion_key(args.promotion), 'unfinished', 'fence') end
