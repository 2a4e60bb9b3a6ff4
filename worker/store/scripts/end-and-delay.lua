--- include: fence.lua
-- Ends an advance normally, and delays its job until the next one. One command, because every poll of an execution ends
-- with it. A promotion whose advance was requested since it began is due at once; a later request finds its job delayed,
-- and expedites it.
--
-- `move_to_delayed` is BullMQ's own script, put before this one (`end-and-delay.ts`): it moves the job.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence; queuePrefix, of the queue's keys; job, its id; token, of its lock; at, the
-- time by BullMQ's clock; delay, in milliseconds.
-- Answers `moved`, or `lost` if this worker no longer has the job.
local R = promotion_key(args.promotion)
if holds_fence() then redis.call('HSET', R, 'unfinished', 0) end
local delay = redis.call('HEXISTS', R, 'advanceRequested') == 1 and 0 or args.delay
local keys = {}
for i, name in ipairs({'marker', 'active', 'prioritized', 'delayed', args.job, 'events', 'meta', 'stalled', 'wait', 'limiter', 'pc'}) do
  keys[i] = args.queuePrefix .. name
end
local moved = move_to_delayed(keys,
  {args.queuePrefix, string.format('%.0f', args.at), args.job, args.token, string.format('%.0f', delay), '1', '', '0', ''})
return {moved == 0 and 'moved' or 'lost'}
