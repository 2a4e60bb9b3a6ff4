--- include: ../scripts/fence.lua
--- include: taken-job.lua
-- Ends an advance normally, delays its job until the next one, and takes the next job of the queue, whose advance it begins.
-- One command, because every poll of an execution ends with it. A promotion whose advance was requested since it began is due
-- at once; a later request finds its job delayed, and expedites it.
--
-- `move_to_delayed` is BullMQ's own script, put before this one (`bullmq-functions.ts`): it moves the job, and takes the next.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence; queuePrefix, of the queue's keys; job, its id; token, of its lock; at, the
-- time by BullMQ's clock; delay, in milliseconds; next, if the caller takes another job: its lock has the same token; lockMs,
-- format, the newest of the records that the caller knows; steps and quarantineFrom, of `begin_advance`.
-- Answers `moved`, or `lost` if this worker no longer has the job; then as `answer_taken`.
local R = promotion_key(args.promotion)
if holds_fence() then drop_fence() end
local delay = redis.call('HEXISTS', R, 'advanceRequested') == 1 and 0 or args.delay
local following = args.next
-- What this worker began it may end; it begins nothing on records that it does not know.
local takes_next = following and stored_format <= following.format
local options = takes_next and cmsgpack.pack({token = args.token, lockDuration = following.lockMs}) or ''
local keys = {}
for i, name in ipairs({'marker', 'active', 'prioritized', 'delayed', args.job, 'events', 'meta', 'stalled', 'wait', 'limiter', 'pc'}) do
  keys[i] = args.queuePrefix .. name
end
local moved = move_to_delayed(keys,
  {args.queuePrefix, string.format('%.0f', args.at), args.job, args.token, string.format('%.0f', delay), '1', '', takes_next and '1' or '0', options})
if type(moved) ~= 'table' then return {moved == 0 and 'moved' or 'lost'} end
local answer = answer_taken(moved, args.queuePrefix, following.steps, following.quarantineFrom)
table.insert(answer, 1, 'moved')
return answer
